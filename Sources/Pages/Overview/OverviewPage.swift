// The overview: the remaining budget of the month, its spending, and the tasks for the user.

public import Ledger
import Links
public import Templates
import Texts

/// The overview of the current month.
public struct OverviewPage: Page {
    /// The name of the page's template.
    public static let template = "overview/index"
    let chrome: Chrome
    let formats: Formats
    let hero: Hero
    let total: CurrencyTotal
    let others: [TotalLine]
    let spending: [SpendingLine]
    let needs: [BudgetLine]
    let hasBudgets: Bool
    let accounts: [AccountLine]
    let latest: [TransactionRow]

    /// The current month.
    /// - Parameters:
    ///   - totals: income and spending of the month by currency.
    ///   - budgets: the status of the budgets in the month.
    ///   - categories: the month grouped by category.
    ///   - accounts: all accounts. Closed ones are shown while they have a balance.
    ///   - latest: the newest transactions of the book, at most six or so.
    public init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        totals: [CurrencyTotal],
        budgets: [BudgetStatus],
        categories: [ReportRow],
        accounts: [AccountBalance],
        latest: [Transaction]
    ) {
        self.chrome = chrome.on(.overview)
        self.formats = formats
        let month = formats.today.yearMonth
        let base =
            totals.first { $0.currency == formats.base }
            ?? CurrencyTotal(currency: formats.base, incomeMinor: 0, expenseMinor: 0, count: 0)
        total = base
        others = totals.filter { $0.currency != formats.base && $0.count > 0 }.map {
            TotalLine($0, formats: formats)
        }
        hero = Hero(total: base, overall: budgets.first { $0.budget.category == nil }, formats: formats)
        spending = SpendingLine.lines(categories, month: month, catalog: catalog, formats: formats)
        needs = budgets.map { BudgetLine($0, month: month, catalog: catalog, formats: formats) }
            .filter { $0.pace.level != .ok }
            .sorted {
                ($0.pace.level == .over ? 0 : 1, $0.pace.left) < (
                    $1.pace.level == .over ? 0 : 1, $1.pace.left
                )
            }
        hasBudgets = !budgets.isEmpty
        self.accounts = accounts.filter { !$0.account.isClosed || $0.balanceMinor != 0 }
            .map { AccountLine($0, formats: formats) }
        self.latest = latest.map { TransactionRow($0, catalog: catalog, formats: formats) }
    }

    /// The spending, as a negative amount.
    private var spentMinor: Int64 { Int64(0).subtractingClamped(total.expenseMinor) }

    /// The values for the template.
    public static let keys = Keys<OverviewPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("month_title") { $0.formats.monthTitle($0.formats.today.yearMonth) }
        .message("hero_label") { $0.hero.label }
        .text("hero_amount") { $0.formats.money($0.hero.minor, $0.formats.base) }
        .integer("hero_minor") { $0.hero.minor }
        .flag("hero_over") { $0.hero.minor < 0 }
        .list("hero_pace", of: PaceBar.self) { $0.hero.pace.map { [$0.bar] } ?? [] }
        .message("hero_words") { $0.hero.words }
        .text("currency") { $0.formats.base.rawValue }
        .text("income") { $0.formats.signed($0.total.incomeMinor, $0.total.currency) }
        .integer("income_minor") { $0.total.incomeMinor }
        .text("expense") { $0.formats.money($0.spentMinor, $0.total.currency) }
        .integer("expense_minor") { $0.spentMinor }
        .list("others", of: TotalLine.self) { $0.others }
        .optionalMessage("upgrade_text") { page in
            page.chrome.tier != .premium && !page.others.isEmpty ? Chrome.upgradeForTotals : nil
        }
        .link("report_href") { page in
            let month = page.formats.today.yearMonth
            return Link.reports.adding(query: [("from", "\(month.firstDay)"), ("to", "\(month.lastDay)")])
        }
        .flag("has_spending") { !$0.spending.isEmpty }
        .list("spending", of: SpendingLine.self) { $0.spending }
        .flag("has_needs") { !$0.needs.isEmpty || $0.chrome.toReview.counts != nil }
        .list("needs", of: BudgetLine.self) { $0.needs }
        .flag("suggest_budget") { !$0.hasBudgets && !$0.latest.isEmpty }
        .list("accounts", of: AccountLine.self) { $0.accounts }
        .flag("has_transactions") { !$0.latest.isEmpty }
        .list("latest", of: TransactionRow.self) { $0.latest }
}

/// The one large number of the overview.
struct Hero: Sendable {
    let label: Text
    let minor: Int64
    let pace: Pace?
    let words: Text

    /// The rest of the budget for all spending; without one, the rest of the month's income; without income,
    /// the spending.
    init(total: CurrencyTotal, overall: BudgetStatus?, formats: Formats) {
        let month = formats.today.yearMonth
        let gone = formats.today.components.day * 100 / month.dayCount
        if let overall {
            let pace = Pace(
                spent: overall.spentMinor,
                available: overall.availableMinor,
                currency: overall.budget.limit.currency,
                month: month,
                formats: formats,
                isPaidAtOnce: overall.pace == .once,
                owed: Int64(0).subtractingClamped(overall.carriedMinor)
            )
            self.pace = pace
            label =
                pace.left < 0
                ? Text("overview.over-this-months-budget") : Text("overview.left-this-month")
            minor = pace.left
            let limit = formats.money(overall.shownLimitMinor, pace.currency)
            if pace.left < 0 {
                let spent = formats.money(overall.spentMinor, pace.currency)
                let said = Text(
                    "overview.spent-of-limit",
                    ["spent": .string(spent), "limit": .string(limit), "gone": .count(gone)]
                )
                let owed = Text(
                    "overview.owed",
                    ["amount": .string(formats.money(pace.owed, pace.currency))]
                )
                words = pace.owed > 0 ? Text.sentences([said, owed]) : said
            } else if let day = pace.perDay, let comparison = pace.words {
                words = Text(
                    "overview.of-limit-a-day",
                    ["limit": .string(limit), "day": .text(day), "pace": .text(comparison)]
                )
            } else {
                words = Text("overview.of-limit", ["limit": .string(limit)])
            }
        } else if total.incomeMinor > 0 {
            let pace = Pace(
                spent: total.expenseMinor,
                available: total.incomeMinor,
                currency: total.currency,
                month: month,
                formats: formats
            )
            self.pace = pace
            label =
                pace.left < 0
                ? Text("overview.more-went-out") : Text("overview.left-of-this-months-income")
            minor = pace.left
            words = Text(
                "overview.share-of-the-income-spent",
                ["share": .count(percent(total.expenseMinor, of: total.incomeMinor)), "gone": .count(gone)]
            )
        } else {
            pace = nil
            label = Text("overview.spent-this-month")
            minor = total.expenseMinor
            words =
                total.expenseMinor == 0
                ? Text("overview.nothing-spent-so-far", ["gone": .count(gone)])
                : Text("overview.no-income-yet", ["gone": .count(gone)])
        }
    }
}

/// A category with its part of the month's spending.
struct SpendingLine: TemplateModel {
    let name: Text
    let icon: String
    let color: String
    let href: Link
    let minor: Int64
    let currency: CurrencyCode
    let amount: String
    let width: String
    let share: String

    static let keys = Keys<SpendingLine>()
        .message("name") { $0.name }
        .text("icon") { $0.icon }
        .text("color") { $0.color }
        .link("href") { $0.href }
        .integer("minor") { -$0.minor }
        .text("currency") { $0.currency.rawValue }
        .text("amount") { $0.amount }
        .text("width") { $0.width }
        .text("share") { $0.share }

    /// The five largest top categories in the base currency, then all others as one line.
    static func lines(_ rows: [ReportRow], month: YearMonth, catalog: Catalog, formats: Formats)
        -> [SpendingLine]
    {
        let slices = CategorySlice.slices(rows, currency: formats.base, catalog: catalog, most: 5)
        let whole = slices.reduce(Int64(0)) { $0.addingClamped($1.minor) }
        let largest = slices.map(\.minor).max() ?? 1
        return slices.map { slice in
            var query = [("month", "\(month)"), ("kind", TransactionForm.spending)]
            if let filter = slice.filter { query.append(("category", "\(filter)")) }
            return SpendingLine(
                name: slice.name,
                icon: slice.icon,
                color: slice.color,
                href: Link.transactions.adding(query: query),
                minor: slice.minor,
                currency: formats.base,
                amount: formats.money(slice.minor, formats.base),
                width: Pages.width(slice.minor, of: largest),
                share: "\(percent(slice.minor, of: whole))%"
            )
        }
    }
}
