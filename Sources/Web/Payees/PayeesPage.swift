// The payees: their list, and the page of one of them.

import Ledger
import Links
import Templates
import Texts

/// The order of the list of payees, by the value of `sort`.
enum PayeeOrder: String, CaseIterable, Sendable {
    case name
    case count = "-count"
    case last = "-last"

    var label: Text {
        switch self {
        case .name: Text("payees.by-name")
        case .count: Text("payees.by-count")
        case .last: Text("payees.by-last-use")
        }
    }

    /// Whether one payee stands before another.
    func precedes(_ one: PayeeSummary, _ other: PayeeSummary) -> Bool {
        switch self {
        case .name: false
        case .count: one.count > other.count
        case .last:
            (one.lastDay ?? CivilDate(dayNumber: .min)) > (other.lastDay ?? CivilDate(dayNumber: .min))
        }
    }
}

/// All payees with what they come to, a page at a time.
struct PayeesPage: Page {
    static let template = "payees/index"
    /// The number of payees on a page.
    static let most = 100

    let chrome: Chrome
    let search: String
    let order: PayeeOrder
    let lines: [PayeeLine]
    /// Groups of payees that are probably one.
    let alike: [AlikePayees]
    /// The number of all that match.
    let count: Int
    /// The number of payees on earlier pages.
    let skipped: Int

    static let keys = Keys<PayeesPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.transactions) }
        .text("q") { $0.search }
        .model("sort", of: Field.self) { page in
            let orders = PayeeOrder.allCases.map { Choice($0.rawValue, $0.label) }
            return Field(name: "sort", value: page.order.rawValue, options: orders)
        }
        .flag("has_lines") { !$0.lines.isEmpty }
        .list("lines", of: PayeeLine.self) { $0.lines }
        .list("alike", of: AlikePayees.self) { $0.alike }
        .message("count_text") { Text("payees.payee-count", ["count": .count($0.count)]) }
        .message("empty_text") {
            $0.search.isEmpty ? Text("payees.none-yet") : Text("payees.nothing-matches")
        }
        .optionalLink("next_href") { page in
            let next = page.skipped + page.lines.count
            return next < page.count ? page.href(from: next) : nil
        }

    private func href(from first: Int) -> Link {
        Link.payees.adding(query: [("q", search), ("sort", order.rawValue), ("first", "\(first)")])
    }
}

/// A payee as a row.
struct PayeeLine: TemplateModel {
    let summary: PayeeSummary
    /// The sums of twelve months.
    let sums: [SumLine]
    /// The day of the newest transaction.
    let last: String?
    /// The category that a new transaction would get.
    let category: Ledger.Category?

    init(_ summary: PayeeSummary, _ totals: [CurrencyTotal], category: Ledger.Category?, formats: Formats) {
        self.summary = summary
        self.category = category
        sums = Self.lines(totals, formats)
        last = summary.lastDay.map { formats.style.shortDay($0) }
    }

    /// Income less spending, where it is not zero.
    static func lines(_ totals: [CurrencyTotal], _ formats: Formats) -> [SumLine] {
        totals.map { MoneySum(minor: $0.incomeMinor - $0.expenseMinor, currency: $0.currency) }
            .filter { $0.minor != 0 }.map { SumLine($0, formats: formats) }
    }

    static let keys = Keys<PayeeLine>()
        .text("name") { $0.summary.name }
        .text("count") { "\($0.summary.count)" }
        .link("href") { .payee($0.summary.name) }
        .text("icon") { $0.category?.icon ?? "dots" }
        .text("color") { $0.category?.color ?? "slate" }
        .message("detail") { line in
            let count = Text.transactions(line.summary.count)
            let parts =
                [line.category.map { Text.verbatim($0.name.isolated) }, count]
                + [line.last.map { Text("payees.last-on", ["day": .string($0)]) }]
            return Text.joined(parts.compactMap(\.self)) {
                Text("payees.one-after-another", ["first": .text($0), "next": .text($1)])
            } ?? count
        }
        .list("sums", of: SumLine.self) { $0.sums }
}

/// Payees whose names differ only in punctuation or a number at the end.
struct AlikePayees: TemplateModel {
    /// The names, that of most transactions first.
    let names: [String]

    /// The groups among payees, by name.
    static func groups(of payees: [PayeeSummary]) -> [AlikePayees] {
        Dictionary(grouping: payees, by: \.likeness)
            .filter { $0.value.count > 1 && !$0.key.isEmpty }
            .sorted { $0.key < $1.key }
            .map { group in
                AlikePayees(
                    names: group.value.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.map(\.name)
                )
            }
    }

    static let keys = Keys<AlikePayees>()
        .message("words") { group in
            let names = group.names.map(\.isolated).joined(separator: ", ")
            return Text("payees.probably-one", ["names": .string(names)])
        }
        .list("names", of: HiddenField.self) { $0.names.map { HiddenField(name: "from", value: $0) } }
        .text("to") { $0.names.first ?? "" }
}

/// One payee: its months, its newest transactions, and other names for it.
struct PayeePage: Page {
    static let template = "payees/show"

    let chrome: Chrome
    let line: PayeeLine
    /// Twelve months, the newest first.
    let months: [PayeeMonth]
    let rows: [TransactionRow]
    /// The name to be given, with its error, as `to`.
    let state: FormState
    /// The values with which new transactions begin, as `category` and `note`.
    let usual: FormState
    let catalog: Catalog
    /// All names.
    let payees: [PayeeHint]
    /// The rules that concern it.
    var rules: [RuleLine] = []

    static let keys = Keys<PayeePage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.transactions) }
        .text("name") { $0.line.summary.name }
        .model("line", of: PayeeLine.self) { $0.line }
        .list("months", of: PayeeMonth.self) { $0.months }
        .list("rows", of: TransactionRow.self) { $0.rows }
        .optionalLink("all_href") { page in
            var query = TransactionQuery()
            query.payee = page.line.summary.name
            return page.rows.count < page.line.summary.count ? TransactionsPage.href(query) : nil
        }
        .message("all_text") { Text("payees.all-transactions", ["count": .count($0.line.summary.count)]) }
        .model("to", of: Field.self) { $0.state.field("to") }
        .model("usual_category", of: Field.self) { $0.usual.field("category") }
        .list("category_groups", of: ChoiceGroup.self) { page in
            page.catalog.categoryGroups(keeping: page.usual["category"])
        }
        .model("usual_note", of: Field.self) { $0.usual.field("note") }
        .list("payees", of: PayeeHint.self) { $0.payees }
        .flag("has_rules") { !$0.rules.isEmpty }
        .list("rules", of: RuleLine.self) { $0.rules }
        .link("new_rule_href") { page in
            .newRule(payees: [page.line.summary.name], category: page.line.category?.id)
        }
}

/// The sums of a payee in a month.
struct PayeeMonth: TemplateModel {
    let title: String
    let sums: [SumLine]
    let href: Link

    static let keys = Keys<PayeeMonth>()
        .text("title") { $0.title }
        .list("sums", of: SumLine.self) { $0.sums }
        .link("href") { $0.href }
}

/// The question before payees get another name.
struct PayeeRenamingPage: Page {
    static let template = "payees/rename"

    let chrome: Chrome
    let from: [String]
    let to: String
    let plan: PayeeRenaming

    static let keys = Keys<PayeeRenamingPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.transactions) }
        .list("from", of: HiddenField.self) { $0.from.map { HiddenField(name: "from", value: $0) } }
        .text("to") { $0.to }
        .text("count") { "\($0.plan.transactionCount)" }
        .flag("can_rename") { $0.plan.transactionCount + $0.plan.scheduleCount > 0 }
        .message("question") { page in
            let names = page.from.map(\.isolated).joined(separator: ", ")
            return Text(
                "payees.that-many-get-the-name",
                [
                    "count": .count(page.plan.transactionCount), "from": .string(names),
                    "to": .string(page.to.isolated),
                ]
            )
        }
        .optionalMessage("schedules") { page in
            page.plan.scheduleCount > 0
                ? Text("payees.schedules-too", ["count": .count(page.plan.scheduleCount)]) : nil
        }
        .link("back_href") { page in page.from.first.map(Link.payee) ?? .payees }
}
