// The page of a transaction of a bank: what the bank reports, and the user's writing on it.

import Ledger
import Links
import Templates
import Texts

/// A transaction of a bank. Its form posts `csrf`, `key`, `category`, `payee`, `note` and `tags`; the buttons post `hidden`, or
/// record the transaction.
struct BankRowPage: Page {
    static let template = "banks/row"
    let chrome: Chrome
    let row: Transaction
    let isPending: Bool
    let isHidden: Bool
    let isOpen: Bool
    let facts: [BankFact]
    let amount: String
    let state: FormState
    let groups: [ChoiceGroup]
    let status: Text?
    let other: BankRowPage.Other?
    let transfer: BankRowPage.OtherSide?
    let list: Link
    /// The rule that suggests its values; nil for none.
    let rule: RuleMark?
    private let reported: String

    /// A transaction of the book that is, or may be, the record of the row.
    struct Other: Sendable {
        let link: Link
        let label: String
        /// Whether the user decides if it is the record.
        let isQuestion: Bool
        /// The bank had reported its amount before it booked another one.
        let hasFormerAmount: Bool
        let id: EntityID

        /// - Parameters:
        ///   - label: its payee, day and amount.
        ///   - isQuestion: whether the user decides if it is the record.
        ///   - hasFormerAmount: whether the bank had reported its amount before it booked another one.
        init(
            _ transaction: Transaction,
            label: String,
            isQuestion: Bool,
            hasFormerAmount: Bool = false
        ) {
            self.hasFormerAmount = hasFormerAmount
            link = Link.transaction(transaction.id)
            id = transaction.id
            self.label = label
            self.isQuestion = isQuestion
        }
    }

    /// A row of another account, or a transaction that is recorded there, that is perhaps the other side of a transfer.
    struct OtherSide: Sendable {
        let id: EntityID
        let question: Text
        /// The values that the two sides have and the transfer would not have.
        let losses: [Text]

        /// - Parameters:
        ///   - account: the name of the other account.
        ///   - day: the day of the other side.
        init(_ id: EntityID, account: String, day: String, isRecorded: Bool, losses: [Text] = []) {
            self.id = id
            self.losses = losses
            let values: [String: Text.Argument] = ["account": .string(account.isolated), "day": .string(day)]
            question =
                isRecorded
                ? Text("bankrows.perhaps-recorded-side", values) : Text("bankrows.perhaps-a-transfer", values)
        }
    }

    /// Whether the row is listed and counted, and why not.
    enum Condition: Hashable, Sendable {
        case open, hidden, recorded, entered
    }

    /// - Parameters:
    ///   - row: the row with the user's writing.
    ///   - reported: the name of the bank for the other party, before the user's writing.
    ///   - facts: what the bank reports.
    ///   - state: the values of the form.
    ///   - other: the transaction that is, or may be, its record; nil for none.
    ///   - transfer: what is perhaps the other side of a transfer; nil for none.
    ///   - list: the list of the row.
    ///   - rule: the rule that suggests its values; nil for none.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        row: Transaction,
        reported: String,
        isPending: Bool,
        condition: Condition,
        facts: [BankFact],
        state: FormState,
        other: Other?,
        transfer: OtherSide? = nil,
        list: Link,
        rule: RuleMark? = nil
    ) {
        self.chrome = chrome.on(.transactions)
        self.row = row
        self.reported = reported
        self.isPending = isPending
        isHidden = condition == .hidden
        isOpen = condition == .open
        self.facts = facts
        self.state = state
        self.other = other
        self.transfer = transfer
        self.list = list
        self.rule = rule
        groups = catalog.categoryGroups(keeping: state["category"])
        var change = row.amount
        if row.kind == .expense { change.minor = -change.minor }
        amount = row.kind == .income ? "+" + formats.money(change) : formats.money(change)
        status =
            switch condition {
            case .hidden: Text("bankrows.it-is-hidden")
            case .recorded: Text("bankrows.it-is-recorded")
            case .entered where other?.hasFormerAmount == true: Text("bankrows.perhaps-entered-before")
            case .entered: Text("bankrows.perhaps-entered")
            case .open: isPending ? Text("bankrows.it-is-pending") : nil
            }
    }

    static let keys = Keys<BankRowPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("title") { $0.row.payee }
        .text("amount") { $0.amount }
        .integer("minor") { $0.row.kind == .expense ? -$0.row.amount.minor : $0.row.amount.minor }
        .text("currency") { $0.row.amount.currency.rawValue }
        .list("facts", of: BankFact.self) { $0.facts }
        .optionalMessage("status") { $0.status }
        .flag("is_hidden") { $0.isHidden }
        .flag("is_open") { $0.isOpen }
        .flag("can_record") { $0.isOpen && !$0.isPending }
        .flag("is_question") { $0.other?.isQuestion ?? false }
        .flag("is_written") { $0.isOpen || $0.isHidden }
        .optionalLink("other_href") { $0.other?.link }
        .text("other_label") { $0.other?.label ?? "" }
        .text("other_id") { $0.other.map { "\($0.id)" } ?? "" }
        .flag("is_perhaps_transfer") { $0.transfer != nil }
        .optionalMessage("transfer_question") { $0.transfer?.question }
        .flag("has_losses") { $0.transfer?.losses.isEmpty == false }
        .list("losses", of: TransferLoss.self) { $0.transfer?.losses.map(TransferLoss.init) ?? [] }
        .text("transfer_id") { $0.transfer.map { "\($0.id)" } ?? "" }
        .link("action", to: Link.bankRow) { $0.row.id }
        .link("record_action", to: Link.bankRowRecord) { $0.row.id }
        .link("list_href") { $0.list }
        .model("rule", of: RuleMark.self) { $0.rule }
        .optional("seen") { $0.state.seen }
        .optional("back") { $0.state.back?.text }
        .optionalMessage("notice") { $0.state.notice }
        .flag("is_unsaved") { $0.state.isUnsaved }
        .model("category", of: Field.self) { $0.state.field("category") }
        .list("category_groups", of: ChoiceGroup.self) { $0.groups }
        .model("payee", of: Field.self) { $0.state.field("payee") }
        .text("reported") { $0.reported }
        .text("key") { $0.row.bankTransaction ?? "" }
        .list("extras", of: TextInput.self) { page in BankNote.extras.map { $0.input(page.state) } }
}

extension BankNote {
    /// The texts at the end of the form.
    static let extras: [TypedText<BankNote>] = [.note(\.note), .tags(\.tags)]
    /// The names of the fields that are typed, in the order of the page.
    static let typed = ["category", "payee"] + extras.map(\.name)
}

/// A value that a bank reports, under its label.
struct BankFact: TemplateModel {
    let label: Text
    let value: Text

    /// A value with its label.
    init(_ label: Text, _ value: Text) {
        self.label = label
        self.value = value
    }

    static let keys = Keys<BankFact>()
        .message("label") { $0.label }
        .message("value") { $0.value }
}

/// A value that a transfer would not have.
struct TransferLoss: TemplateModel {
    let text: Text

    static let keys = Keys<TransferLoss>().message("text") { $0.text }
}
