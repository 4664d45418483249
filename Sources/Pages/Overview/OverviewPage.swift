// The overview: the remaining budget of a month, its spending, and the tasks for the user.

public import Ledger
import Links
public import Templates
import Texts

/// The overview of a month.
public struct OverviewPage: Page {
    /// The name of the page's template.
    public static let template = "overview/index"
    let chrome: Chrome
    let formats: Formats
    let month: YearMonth
    let months: MonthNavigation
    let hero: Hero
    let together: ConvertedTotal
    let others: [TotalLine]
    let spending: [SpendingLine]
    let needs: [BudgetLine]
    let hasBudgets: Bool
    let accounts: [AccountLine]
    let worth: ConvertedSum?
    let rates: RatesLine?
    let bookIsEmpty: Bool
    let latest: [TransactionRow]
    let ahead: OverviewAhead?

    /// - Parameters:
    ///   - month: the month of the page; nil for the present one.
    ///   - totals: income and spending of the month by currency.
    ///   - budgets: the status of the budgets in the month.
    ///   - categories: the month grouped by category.
    ///   - accounts: all accounts. Closed ones are shown while they have a balance.
    ///   - latest: the newest transactions of the book or of another month, at most six or so.
    ///   - schedules: all schedules, on the page of the present month.
    ///   - repaid: what went to loans in the month, by currency.
    ///   - bookIsEmpty: whether the book contains no transaction; nil if `latest` tells.
    public init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        month chosen: YearMonth? = nil,
        totals: [CurrencyTotal],
        budgets: [BudgetStatus],
        categories: [ReportRow],
        accounts: [AccountBalance],
        latest: [Transaction],
        schedules: [Schedule] = [],
        repaid: [Money] = [],
        bookIsEmpty: Bool? = nil
    ) {
        self.chrome = chrome.on(.overview)
        self.formats = formats
        self.bookIsEmpty = bookIsEmpty ?? latest.isEmpty
        let current = formats.today.yearMonth
        let month = chosen ?? current
        self.month = month
        months = MonthNavigation(month: month, formats: formats) { month in
            month == current ? .overview : Link.overview.adding(query: [("month", "\(month)")])
        }
        let together = formats.together(totals)
        self.together = together
        let others =
            formats.conversion == nil
            ? totals.filter { $0.currency != formats.base && $0.count > 0 } : together.originals
        self.others = others.map { TotalLine($0, formats: formats) }
        hero = Hero(
            together: together,
            overall: budgets.first { $0.budget.category == nil },
            month: month,
            formats: formats
        )
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
        let worth = formats.together(
            accounts.map { Money(minor: $0.balanceMinor, currency: $0.account.currency) }
        )
        self.worth = worth.flatMap { $0.isConverted ? $0 : nil }
        let spent = spending.contains(where: \.isConverted)
        let left = together.leftOut.map { TotalLine($0, formats: formats).text }
        let missing = Set(together.leftOut.map(\.currency))
        rates = formats.ratesLine(
            isConverted: together.isConverted || spent || hero.isConverted || self.worth != nil,
            leftOut: left
                + (worth?.leftOut ?? []).filter { !missing.contains($0.currency) }.map(formats.money(_:))
        )
        self.latest = latest.map { TransactionRow($0, catalog: catalog, formats: formats) }
        ahead =
            schedules.isEmpty
            ? nil
            : OverviewAhead(
                MonthSoFar(totals: totals, repaid: repaid),
                overall: budgets.first { $0.budget.category == nil },
                schedules,
                catalog: catalog,
                formats: formats
            )
    }

    /// The spending, as a negative amount.
    private var spentMinor: Int64 { Int64(0).subtractingClamped(total.expenseMinor) }

    private var total: CurrencyTotal { together.total }

    private var isPresent: Bool { month == formats.today.yearMonth }

    /// The values for the template.
    public static let keys = Keys<OverviewPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .model("months", of: MonthNavigation.self) { $0.months }
        .text("month_title") { $0.formats.monthTitle($0.month) }
        .message("hero_label") { $0.hero.label }
        .link("hero_href") { $0.hero.href }
        .text("hero_amount") { $0.formats.money($0.hero.minor, $0.formats.base) }
        .integer("hero_minor") { $0.hero.minor }
        .optional("hero_rate_date") { $0.formats.rateDate($0.hero.isConverted) }
        .flag("hero_over") { $0.hero.minor < 0 }
        .list("hero_pace", of: PaceBar.self) { $0.hero.pace.map { [$0.bar] } ?? [] }
        .message("hero_words") { $0.hero.words }
        .text("currency") { $0.formats.base.rawValue }
        .text("income") { $0.formats.signed($0.total.incomeMinor, $0.total.currency) }
        .integer("income_minor") { $0.total.incomeMinor }
        .link("income_href") { page in
            var query = TransactionQuery()
            query.month = page.month
            query.kind = .income
            return TransactionsPage.href(query)
        }
        .link("expense_href") { Link.spending(in: $0.month, counts: nil) }
        .link("month_href") { Link.ofMonth($0.month) }
        .text("expense") { $0.formats.money($0.spentMinor, $0.total.currency) }
        .integer("expense_minor") { $0.spentMinor }
        .optional("rate_date") { $0.formats.rateDate($0.together.isConverted) }
        .flag("is_converted") { $0.together.isConverted }
        .list("others", of: TotalLine.self) { $0.others }
        .list("rates", of: RatesLine.self) { $0.rates.map { [$0] } ?? [] }
        .optionalMessage("upgrade_text") { page in
            page.chrome.tier != .premium && !page.others.isEmpty ? Chrome.upgradeForTotals : nil
        }
        .link("report_href") { Link.report(of: $0.month) }
        .flag("has_spending") { !$0.spending.isEmpty }
        .list("spending", of: SpendingLine.self) { $0.spending }
        .list("ahead", of: OverviewAhead.self) { $0.ahead.map { [$0] } ?? [] }
        .flag("has_needs") { !$0.needs.isEmpty || $0.chrome.toReview.counts != nil }
        .list("needs", of: BudgetLine.self) { $0.needs }
        .link("budgets_href") { page in
            page.isPresent ? .budgets : Link.budgets.adding(query: [("month", "\(page.month)")])
        }
        .link("transactions_href") { page in
            page.isPresent ? .transactions : Link.transactions.adding(query: [("month", "\(page.month)")])
        }
        .flag("suggest_budget") { $0.isPresent && !$0.hasBudgets && !$0.latest.isEmpty }
        .message("accounts_title") { page in
            page.isPresent
                ? Text("common.accounts")
                : Text(
                    "overview.accounts-at-the-end",
                    ["month": .string(page.formats.monthTitle(page.month))]
                )
        }
        .list("accounts", of: AccountLine.self) { $0.accounts }
        .list("worth", of: SumLine.self) { page in
            page.worth.map { [SumLine($0.sum, formats: page.formats, isConverted: true)] } ?? []
        }
        .flag("has_transactions") { !$0.latest.isEmpty }
        .message("empty_text") { page in
            page.bookIsEmpty
                ? Text("overview.write-down-the-first")
                : Text(
                    "transactions.nothing-was-written-down",
                    ["month": .string(page.formats.monthTitle(page.month))]
                )
        }
        .list("latest", of: TransactionRow.self) { $0.latest }
}

/// The one large number of the overview.
struct Hero: Sendable {
    let label: Text
    let minor: Int64
    let pace: Pace?
    let words: Text
    /// The transactions of which the number is made.
    let href: Link
    /// Whether converted amounts are in the number.
    let isConverted: Bool

    /// The rest of the budget for all spending; without one, the rest of the month's income; without income,
    /// the spending.
    init(together: ConvertedTotal, overall: BudgetStatus?, month: YearMonth, formats: Formats) {
        let total = together.total
        let name: [String: Text.Argument] = ["month": .string(formats.monthTitle(month))]
        // Of another month, nothing is said about its days.
        let gone =
            formats.today.yearMonth == month ? formats.today.components.day * 100 / month.dayCount : nil
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
            isConverted = overall.convertedCount > 0
            href = overall.spending(in: month)
            // Nothing of this month is over its budget if the overspending is from earlier ones.
            let isOwedOnly = pace.left < 0 && pace.left.addingClamped(pace.owed) >= 0
            label =
                switch (pace.left < 0, gone == nil) {
                case _ where isOwedOnly: Text("overview.over-from-earlier-months")
                case (true, true): Text("overview.over-the-budget-of", name)
                case (true, false): Text("overview.over-this-months-budget")
                case (false, true): Text("overview.left-in", name)
                case (false, false): Text("overview.left-this-month")
                }
            minor = pace.left
            words = Self.words(overall, pace, gone: gone, formats)
            return
        }
        isConverted = together.isConverted
        href = total.incomeMinor > 0 ? Link.ofMonth(month) : Link.spending(in: month, counts: nil)
        if total.incomeMinor > 0 {
            let pace = Pace(
                spent: total.expenseMinor,
                available: total.incomeMinor,
                currency: total.currency,
                month: month,
                formats: formats
            )
            self.pace = pace
            if pace.left < 0 {
                label = Text("overview.more-went-out")
            } else {
                label =
                    gone == nil
                    ? Text("overview.left-of-the-income", name)
                    : Text("overview.left-of-this-months-income")
            }
            minor = pace.left
            let share: Text.Argument = .string(Pages.share(total.expenseMinor, of: total.incomeMinor))
            words =
                gone.map {
                    Text(
                        "overview.share-of-the-income-spent",
                        ["share": share, "gone": .count($0)]
                    )
                } ?? Text("overview.share-spent", ["share": share])
        } else {
            pace = nil
            label = gone == nil ? Text("overview.spent-in", name) : Text("overview.spent-this-month")
            minor = total.expenseMinor
            let isNothing = total.expenseMinor == 0
            if let gone {
                let values: [String: Text.Argument] = ["gone": .count(gone)]
                words =
                    isNothing
                    ? Text("overview.nothing-spent-so-far", values) : Text("overview.no-income-yet", values)
            } else {
                words = isNothing ? Text("overview.nothing-spent") : Text("overview.no-income")
            }
        }
    }

    private static func words(_ overall: BudgetStatus, _ pace: Pace, gone: Int?, _ formats: Formats) -> Text {
        let said = use(overall, pace, gone: gone, formats)
        guard pace.owed > 0 else { return said }
        let owed = Text("overview.owed", ["amount": .string(formats.money(pace.owed, pace.currency))])
        return Text.sentences([said, owed])
    }

    /// The use of the budget, without what is owed from earlier months.
    private static func use(_ overall: BudgetStatus, _ pace: Pace, gone: Int?, _ formats: Formats) -> Text {
        let limit = formats.money(overall.shownLimitMinor, pace.currency)
        if pace.left < 0 {
            let spent = formats.money(overall.spentMinor, pace.currency)
            guard let gone else {
                return Text(
                    "overview.spent-of-limit-in-all",
                    ["spent": .string(spent), "limit": .string(limit)]
                )
            }
            return Text(
                "overview.spent-of-limit",
                ["spent": .string(spent), "limit": .string(limit), "gone": .count(gone)]
            )
        }
        if let day = pace.perDay, let comparison = pace.words {
            return Text(
                "overview.of-limit-a-day",
                ["limit": .string(limit), "day": .text(day), "pace": .text(comparison)]
            )
        }
        return Text("overview.of-limit", ["limit": .string(limit)])
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
    let rateDate: String?

    var isConverted: Bool { rateDate != nil }

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
        .optional("rate_date") { $0.rateDate }

    /// The five largest top categories in the base currency, then all others as one line.
    static func lines(_ rows: [ReportRow], month: YearMonth, catalog: Catalog, formats: Formats)
        -> [SpendingLine]
    {
        let slices = CategorySlice.slices(
            rows,
            currency: formats.base,
            catalog: catalog,
            most: 5,
            formats.conversion.map { .latest($0.converter) } ?? .alone
        )
        let whole = slices.reduce(Int64(0)) { $0.addingClamped($1.minor) }
        let largest = slices.map(\.minor).max() ?? 1
        return slices.map { slice in
            // The report has a line for each of the others.
            let href = slice.filter.map { Link.spending(in: month, category: $0, counts: nil) }
            return SpendingLine(
                name: slice.name,
                icon: slice.icon,
                color: slice.color,
                href: href ?? Link.report(of: month),
                minor: slice.minor,
                currency: formats.base,
                amount: formats.money(slice.minor, formats.base),
                width: Pages.width(slice.minor, of: largest),
                share: slice.minor > 0 ? Pages.share(slice.minor, of: whole) + "%" : "",
                rateDate: formats.rateDate(slice.isConverted)
            )
        }
    }
}
