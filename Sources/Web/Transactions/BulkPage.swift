// The page that asks for the value of a change to many transactions.

import Ledger
import Links
import Templates
import Texts

/// A change to many transactions, by the value of `action` in its form.
enum BulkAction: String, CaseIterable, Sendable {
    case category, payee, account, date
    case tagsAdd = "tags-add"
    case tagsRemove = "tags-remove"
    case note, duplicate, delete

    /// Whether the change needs a value.
    var takesValue: Bool { self != .duplicate && self != .delete }

    /// The words of its button.
    var label: Text {
        switch self {
        case .category: Text("transactions.category")
        case .payee: Text("transactions.payee")
        case .account: Text("transactions.account")
        case .date: Text("transactions.date")
        case .tagsAdd: Text("bulk.add-tags")
        case .tagsRemove: Text("bulk.remove-tags")
        case .note: Text("transactions.note")
        case .duplicate: Text("bulk.duplicate")
        case .delete: Text("forms.delete")
        }
    }
}

/// The selected transactions with their number and sums, and the field for the new value.
struct BulkPage: Page {
    static let template = "transactions/bulk"

    let chrome: Chrome
    /// The change; nil to ask which.
    let action: BulkAction?
    /// The value with its error, as `value`; the words above the form as the notice; the list to return to.
    let state: FormState
    /// The transactions, of which the page lists the first.
    let rows: [TransactionRow]
    let selected: SelectionLine
    /// The fields that name the selection.
    let fields: [HiddenField]
    let catalog: Catalog
    let payees: [PayeeHint]

    /// The greatest number of transactions that are listed.
    static let mostRows = 20

    static let keys = Keys<BulkPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.transactions) }
        .optional("action") { $0.action?.rawValue }
        .message("label") { $0.action?.label ?? Text("bulk.change") }
        .optionalMessage("notice") { $0.state.notice }
        .optional("back") { $0.state.back?.text }
        .link("back_href") { $0.state.back ?? .transactions }
        .model("selected", of: SelectionLine.self) { $0.selected }
        .flag("can_change") { $0.selected.count > 0 }
        .list("fields", of: HiddenField.self) { $0.fields }
        .list("rows", of: TransactionRow.self) { $0.rows }
        .optionalMessage("more") { page in
            let more = page.selected.count - page.rows.count
            return more > 0 ? Text("bulk.and-more", ["count": .count(more)]) : nil
        }
        .list("choices", of: Choice.self) { page in
            page.action == nil ? BulkAction.allCases.map { Choice($0.rawValue, $0.label) } : []
        }
        .flag("is_category") { $0.action == .category }
        .flag("is_account") { $0.action == .account }
        .flag("is_payee") { $0.action == .payee }
        .flag("is_date") { $0.action == .date }
        .flag("is_line") { $0.action == .tagsAdd || $0.action == .tagsRemove }
        .flag("is_note") { $0.action == .note }
        .model("value", of: Field.self) { page in
            let accounts =
                page.action == .account ? page.catalog.accountChoices(keeping: page.state["value"]) : []
            return page.state.field("value", options: accounts)
        }
        .list("category_groups", of: ChoiceGroup.self) {
            $0.catalog.categoryGroups(keeping: $0.state["value"])
        }
        .list("payees", of: PayeeHint.self) { $0.payees }
}

/// The bar of a list whose rows are being selected.
struct BulkBar: TemplateModel {
    let query: TransactionQuery
    /// The number of transactions that match.
    let count: Int
    let catalog: Catalog
    /// The list that is being selected from.
    let back: Link
    /// The same list without its checkboxes.
    let done: Link

    static let keys = Keys<BulkBar>()
        .text("back") { $0.back.text }
        .model("selected", of: SelectionLine.self) { _ in .nothing }
        .link("done_href") { $0.done }
        .list("fields", of: HiddenField.self) { bar in
            TransactionsPage.itemsOfFilters(bar.query).map { HiddenField(name: $0.0, value: $0.1) }
        }
        .message("all_text") { Text("bulk.all-that-match", ["count": .count($0.count)]) }
        .list("category_groups", of: ChoiceGroup.self) { $0.catalog.categoryGroups(chosen: "") }
        .list("choices", of: Choice.self) { _ in
            BulkAction.allCases.filter { $0.takesValue && $0 != .category }
                .map { Choice($0.rawValue, $0.label) }
        }
}

/// The number and the sums of the selected transactions.
struct SelectionLine: TemplateModel {
    let count: Int
    let sums: [SumLine]

    /// Nothing is selected.
    static let nothing = SelectionLine()

    private init() { (count, sums) = (0, []) }

    /// - Parameter rows: all that are selected. Transfers count in no sum.
    init(_ rows: [Transaction], formats: Formats) {
        count = rows.count
        var minors: [CurrencyCode: Int128] = [:]
        for row in rows where row.kind != .transfer {
            let minor = Int128(row.amount.minor)
            minors[row.amount.currency, default: 0] += row.kind == .income ? minor : -minor
        }
        sums = minors.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { SumLine(MoneySum(minor: $0.value, currency: $0.key), formats: formats) }
    }

    static let keys = Keys<SelectionLine>()
        .text("count") { "\($0.count)" }
        .sum("minor") { $0.sums.first?.sum.minor ?? 0 }
        .message("change_text") { Text("bulk.change-them", ["count": .count($0.count)]) }
        .message("text") { Text("bulk.selected", ["count": .count($0.count)]) }
        .list("sums", of: SumLine.self) { $0.sums }
}

/// A hidden field of a form.
struct HiddenField: TemplateModel {
    let name: String
    let value: String

    static let keys = Keys<HiddenField>()
        .text("name") { $0.name }
        .text("value") { $0.value }
}
