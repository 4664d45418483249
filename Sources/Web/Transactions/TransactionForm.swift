// The form that records or corrects a transaction.

import Ledger
import Links
import Templates
import Texts

extension Transaction {
    /// The texts of a transaction that a schedule has as well.
    static let extrasOfSchedules: [TypedText<Transaction>] = [.note(\.note), .tags(\.tags)]
    /// The texts at the end of the form.
    static let extras = extrasOfSchedules
}

/// The fields of a transaction with their choices.
///
/// It posts `csrf`, `once`, `kind`, `date`, `amount`, `currency`, `account`, `to_account`, `to_amount`, `category`,
/// `payee`, `note`, `tags`, the answer `in_opening` to a question about an opening balance, and `again` where "Save and add
/// another" was pressed. The long form also posts the parts of a split, `split_category`, `split_amount` and `split_note`
/// once for each row, and `more_parts` to get more rows. The form of a new transaction offers days: `day` is the chosen one,
/// or empty for that of `date`.
final class TransactionForm: TemplateModel {
    let state: FormState
    let action: Link
    let once: String
    let isNew: Bool
    let takesFocus: Bool
    /// Whether the form is in the place of a row of a list.
    let isInRow: Bool
    let leftOut: Text?
    let payees: [PayeeHint]
    /// The links that fill in the form; nil for a form that is filled in by hand alone.
    let repeats: [PayeeRepeat]?
    /// The names of the fields that these links leave as they are.
    let kept: [String]
    let days: [Choice]
    let amount: Field
    let currency: Field
    let account: Field
    let toAccount: Field
    let toAmount: Field
    let category: Field
    let categoryGroups: [ChoiceGroup]
    let partRows: [PartRow]
    let splitCaution: Text?
    let extras: [TypedText<Transaction>]
    let kinds: [Choice]
    /// The sentence about what is missing, if there is no open account.
    let missingAccount: Text?
    /// The label of the second amount, by what is known of the accounts.
    let otherLabel: Text

    /// - Parameters:
    ///   - state: `blank`, `values(of:)`, or the values of a refused form.
    ///   - editing: the transaction that it corrects; nil to record a new one.
    ///   - once: an id made for this form, so that sending it twice records once.
    ///   - leftOut: the caution about a currency that budgets leave out.
    ///   - hasParts: whether the form has rows for parts.
    ///   - splitCaution: what is to be said about stored parts that do not add up.
    ///   - repeats: the links that fill it in.
    ///   - kept: the fields that stay as they are when one is chosen.
    ///   - takesFocus: whether a new form gets the keyboard focus.
    ///   - isInRow: whether it is in the place of a row of a list.
    ///   - offersEveryCurrency: false to offer the currencies in use only, where space is short.
    ///   - extras: the texts at its end.
    init(
        state: FormState,
        editing: EntityID?,
        once: String,
        catalog: Catalog,
        formats: Formats,
        payees: [PayeeHint] = [],
        repeats: [PayeeRepeat]? = nil,
        kept: [String] = [],
        leftOut: Text? = nil,
        hasParts: Bool = false,
        splitCaution: Text? = nil,
        takesFocus: Bool = true,
        isInRow: Bool = false,
        offersEveryCurrency: Bool = true,
        extras: [TypedText<Transaction>] = Transaction.extras
    ) {
        self.state = state
        self.once = once
        self.payees = payees
        self.repeats = repeats
        self.kept = kept
        days = Self.days(state["date"], today: formats.today)
        self.leftOut = leftOut
        isNew = editing == nil
        self.takesFocus = takesFocus
        self.isInRow = isInRow
        self.extras = extras
        missingAccount =
            catalog.accounts.contains { !$0.isClosed }
            ? nil
            : catalog.accounts.isEmpty ? Text("accounts.there-is-none") : Text("accounts.all-are-closed")
        action = editing.map { Link.transaction($0) } ?? .transactions
        var used = formats.usedCurrencies(catalog)
        if let typed = CurrencyCode(state["currency"]), !used.contains(typed) { used.append(typed) }
        let currencies =
            offersEveryCurrency
            ? formats.currencyChoices(first: used) : used.map { Choice($0.rawValue, .verbatim($0.rawValue)) }
        amount = state.field("amount")
        currency = state.field("currency", options: currencies)
        account = state.field("account", options: catalog.accountChoices(keeping: state["account"]))
        toAccount = state.field("to_account", options: catalog.accountChoices(keeping: state["to_account"]))
        toAmount = state.field("to_amount")
        category = state.field("category")
        categoryGroups = catalog.categoryGroups(keeping: state["category"])
        partRows = hasParts ? PartRow.rows(state, catalog: catalog) : []
        self.splitCaution = splitCaution
        kinds = Self.allKinds.selecting(state["kind"])
        let isTransfer = state["kind"] == TransactionKind.transfer.rawValue
        let end = catalog.account(EntityID(isTransfer ? state["to_account"] : state["account"]))
        let label = end.flatMap { end in
            end.currency.rawValue == state["currency"]
                ? nil : Self.otherLabel(state["kind"], end.name.isolated, end.currency.rawValue)
        }
        otherLabel = label ?? Text("transactions.amount-at-the-other")
    }

    /// The days that a new transaction offers, of which the last one is any other day.
    private static func days(_ date: String, today: CivilDate) -> [Choice] {
        let days = [
            Choice("\(today)", Text("transactions.today")),
            Choice("\(today.adding(days: -1))", Text("transactions.yesterday")),
        ].selecting(date)
        let isOther = !days.contains(where: \.isSelected)
        return days + [Choice("", Text("transactions.another-day"), isSelected: isOther)]
    }

    /// The label of the amount at the other end: `Charged to Card, in EUR`. Nil for an unknown kind.
    private static func otherLabel(_ kind: String, _ account: String, _ currency: String) -> Text? {
        let values: [String: Text.Argument] = ["account": .string(account), "currency": .string(currency)]
        return switch TransactionKind(rawValue: kind) {
        case .expense?: Text("transactions.charged-to", values)
        case .income?: Text("transactions.received-on", values)
        case .transfer?: Text("transactions.arrives-in", values)
        case nil: nil
        }
    }

    /// The same labels with marks in the places that the script fills in.
    private static func pattern(_ kind: TransactionKind) -> Text {
        otherLabel(kind.rawValue, "%a", "%c") ?? Text("transactions.amount-at-the-other")
    }

    /// A new transaction: an expense of today.
    /// - Parameter account: its account; if it is closed or nil, the first open one.
    static func blank(
        kind: TransactionKind = .expense,
        account: EntityID?,
        catalog: Catalog,
        formats: Formats
    ) -> FormState {
        let open = catalog.accounts.filter { !$0.isClosed }
        let chosen = open.first { $0.id == account } ?? open.first
        var values = ["kind": kind.rawValue, "date": "\(formats.today)"]
        values["account"] = chosen.map { "\($0.id)" }
        values["currency"] = (chosen?.currency ?? formats.base).rawValue
        values["to_account"] = open.first { $0.id != chosen?.id }.map { "\($0.id)" }
        return FormState(values: values)
    }

    /// A stored transaction as the form would have been typed.
    static func values(of transaction: Transaction, catalog: Catalog, formats: Formats) -> FormState {
        var values = [
            "kind": transaction.kind.rawValue,
            "date": "\(transaction.date)",
            "amount": formats.plain(transaction.amount.minor, transaction.amount.currency),
            "currency": transaction.amount.currency.rawValue,
            "account": "\(transaction.account)",
            "payee": transaction.payee,
        ]
        for text in Transaction.extras { values[text.name] = text.shown(transaction) }
        values["category"] = transaction.category.map { "\($0)" }
        values["to_account"] = transaction.toAccount.map { "\($0)" }
        if let toMinor = transaction.toMinor, let arrival = catalog.account(transaction.toAccount),
            arrival.currency != transaction.amount.currency
        {
            values["to_amount"] = formats.plain(toMinor, arrival.currency)
        } else if let account = catalog.account(transaction.account), transaction.kind != .transfer,
            account.currency != transaction.amount.currency
        {
            values["to_amount"] = formats.plain(transaction.accountMinor, account.currency)
        }
        var lists: [String: [String]] = [:]
        if let parts = transaction.split?.parts, !parts.isEmpty {
            lists["split_category"] = parts.map { $0.category.map { "\($0)" } ?? "" }
            lists["split_amount"] = parts.map { formats.plain($0.minor, transaction.amount.currency) }
            lists["split_note"] = parts.map(\.note)
        }
        return FormState(values: values, lists: lists)
    }

    /// The caution about stored parts that do not add up to the amount; nil if they do.
    static func splitCaution(_ transaction: Transaction, formats: Formats) -> Text? {
        func said(_ minor: some BinaryInteger) -> [String: Text.Argument] {
            ["amount": .string(formats.money(minor, transaction.amount.currency))]
        }
        return switch transaction.splitBalance {
        case .exact, nil: nil
        case .missing(let minor): Text("splits.are-in-no-part", said(minor))
        case .exceeding(let minor): .saying(minor, in: Text("splits.exceed-the-amount", said(minor)))
        case .tooLarge: Text("splits.is-too-large")
        case .unreadable: Text("splits.are-kept")
        }
    }

    private var isSplitOpen: Bool {
        state.partRowCount > 0 || splitCaution != nil || state.errors.keys.contains { $0.hasPrefix("split") }
            || state.lists.values.contains { $0.contains { !$0.isEmpty } }
    }

    /// Whether the fields that are seldom needed are shown at once.
    private var isRestOpen: Bool {
        !isNew || extras.contains { !state[$0.name].isEmpty || state.errors[$0.name] != nil }
    }

    static let keys = Keys<TransactionForm>()
        .optional("seen") { $0.state.seen }
        .optionalMessage("notice") { $0.state.notice }
        .optional("back") { $0.state.back?.text }
        .link("cancel_href") { $0.state.back ?? .transactions }
        .flag("is_refused") { $0.state.isRefused || $0.state.notice != nil }
        .flag("is_unsaved") { $0.state.isUnsaved }
        .link("action") { $0.action }
        .text("once") { $0.once }
        .flag("is_new") { $0.isNew }
        .flag("autofocus") { ($0.isNew || $0.isInRow) && $0.takesFocus && !$0.state.isRefused }
        .optionalMessage("no_account") { $0.isNew ? $0.missingAccount : nil }
        .optionalMessage("left_out") { $0.leftOut }
        .optionalMessage("error_summary") { $0.summary }
        .list("kinds", of: Choice.self) { $0.kinds }
        .model("kind", of: Field.self) { $0.state.field("kind") }
        .model("amount", of: Field.self) { $0.amount }
        .model("currency", of: Field.self) { $0.currency }
        .model("account", of: Field.self) { $0.account }
        .model("to_account", of: Field.self) { $0.toAccount }
        .model("to_amount", of: Field.self) { $0.toAmount }
        .message("other_label") { $0.otherLabel }
        .message("charged_pattern") { _ in TransactionForm.pattern(.expense) }
        .message("received_pattern") { _ in TransactionForm.pattern(.income) }
        .message("arrives_pattern") { _ in TransactionForm.pattern(.transfer) }
        .flag("second_open") { !$0.state["to_amount"].isEmpty || $0.state.errors["to_amount"] != nil }
        .model("category", of: Field.self) { $0.category }
        .list("category_groups", of: ChoiceGroup.self) { $0.categoryGroups }
        .model("split", of: Field.self) { $0.state.field("split") }
        .flag("split_open") { $0.isSplitOpen }
        .optionalMessage("split_caution") { $0.splitCaution }
        .message("left_pattern") { _ in Text("splits.left", ["amount": "%a"]) }
        .message("over_pattern") { _ in Text("splits.over", ["amount": "%a"]) }
        .list("part_rows", of: PartRow.self) { $0.partRows }
        .model("date", of: Field.self) { $0.state.field("date") }
        .list("in_opening", of: Field.self) { form in
            let name = OpeningQuestion.fieldName
            return form.state.choices[name] == nil ? [] : [form.state.field(name)]
        }
        .list("days", of: Choice.self) { $0.days }
        .flag("rest_open") { $0.isRestOpen }
        .flag("is_prefilled") { $0.state.isPrefilled }
        .model("payee", of: Field.self) { $0.state.field("payee") }
        .list("payees", of: PayeeHint.self) { $0.payees }
        .flag("suggests") { $0.repeats != nil }
        .list("repeats", of: PayeeRepeat.self) { $0.repeats ?? [] }
        .text("kept") { $0.kept.joined(separator: " ") }
        .list("extras", of: TextInput.self) { form in form.extras.map { $0.input(form.state) } }

    static let allKinds = [
        Choice("expense", Text("transactions.expense")), Choice("income", Text("transactions.income")),
        Choice("transfer", Text("transactions.transfer")),
    ]

    /// The name of a kind.
    static func label(of kind: TransactionKind) -> Text {
        allKinds.first { $0.value == kind.rawValue }?.label ?? .verbatim(kind.rawValue)
    }

    /// The choices of a filter by kind.
    static let kindFilters =
        [Choice("", Text("transactions.all-kinds"))] + allKinds
        + [Choice(spending, Text("transactions.spending-and-refunds"))]

    /// The value of `kind` in a filter for expenses and refunds.
    static let spending = "spending"

    /// The value of `kind` in the filter of a query.
    static func kindFilter(of query: TransactionQuery) -> String? {
        query.isSpending ? spending : query.kind?.rawValue
    }

    private var summary: Text? {
        state.isRefused ? Text("transactions.fields-need-a-look", ["count": .count(state.errors.count)]) : nil
    }
}
