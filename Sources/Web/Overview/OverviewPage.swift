// The overview: the remaining budget of a month, its spending, and the tasks for the user.

import Ledger
import Links
import Templates
import Texts

/// The overview of a month.
struct OverviewPage: Page {
    static let template = "overview/index"
    let chrome: Chrome
    let formats: Formats
    let month: YearMonth
    let months: MonthNavigation
    let hero: Hero
    let together: ConvertedTotal
    let toCome: ToComePair
    let others: [TotalLine]
    let spending: [SpendingLine]
    let needs: [BudgetLine]
    let hasBudgets: Bool
    /// The link to what has no category, on the page of the present month; nil if there is nothing.
    let uncategorized: UncategorizedLink?
    let accounts: [AccountLine]
    let worth: SumLine?
    let unknownCount: Int
    let rates: RatesLine?
    let upgrade: Text?
    let bookIsEmpty: Bool
    let latest: [TransactionRow]
    let ahead: OverviewAhead?

    /// - Parameters:
    ///   - month: the month of the page; nil for the present one.
    ///   - totals: income and spending of the month by currency; of the present one, up to today.
    ///   - toCome: the same of the days after today.
    ///   - budgets: the status of the budgets in the month.
    ///   - categories: the month grouped by category.
    ///   - accounts: all accounts. Closed accounts are shown while they have a balance.
    ///   - banks: the lines about the banks of accounts.
    ///   - latest: the newest transactions of the book or of another month, at most six or so.
    ///   - bank: the marks of the newest transactions that are transactions of a bank.
    ///   - schedules: all schedules, on the page of the present month.
    ///   - answered: the occurrences of schedules that have payments already.
    ///   - repaid: what went to loans in the month, and is to go.
    ///   - uncategorizedCount: the number of transactions of the book without a category.
    ///   - bookIsEmpty: whether the book contains no transaction; nil if `latest` tells.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        month chosen: YearMonth? = nil,
        totals: [CurrencyTotal],
        toCome later: [CurrencyTotal] = [],
        budgets: [BudgetStatus],
        categories: [ReportRow],
        accounts: [AccountBalance],
        banks: [EntityID: BankBadge] = [:],
        latest: [Transaction],
        bank: [EntityID: BankMark] = [:],
        withReceipts: Set<EntityID> = [],
        schedules: [Schedule] = [],
        answered: Set<OccurrenceKey> = [],
        repaid: Repaid = Repaid(),
        uncategorizedCount: Int = 0,
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
        // The amounts that are not in the total.
        let besides =
            formats.conversion == nil
            ? totals.filter { $0.currency != formats.base && $0.hasAmounts } : together.leftOut
        let shown = totals.including(later).filter { total in
            total.currency != formats.base
                && (total.hasAmounts || later.contains { $0.currency == total.currency && $0.hasAmounts })
        }
        let others = formats.conversion == nil ? shown : together.originals
        let laterTogether = formats.together(later)
        toCome = ToComePair(
            laterTogether.total,
            isConverted: laterTogether.isConverted,
            of: .ofMonth(month),
            formats
        )
        self.others = others.map { total in
            var line = TotalLine(total, formats: formats)
            // Where amounts are converted, what is to come is beside the whole.
            if formats.conversion == nil, let rest = later.first(where: { $0.currency == total.currency }) {
                line.toCome = ToComePair(rest, of: .ofMonth(month), formats)
            }
            return line
        }
        hero = Hero(
            together: together,
            besides: besides,
            later: laterTogether,
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
        uncategorized = UncategorizedLink(month == current ? uncategorizedCount : 0)
        self.accounts = accounts.filter {
            !$0.account.isClosed || $0.balanceMinor != 0 || $0.toComeMinor != 0
        }
        .map {
            AccountLine($0, bank: banks[$0.account.id]?.brief, on: month.lastDay, formats: formats)
        }
        let worth = formats.together(accounts.knownAmounts)
        self.worth = worth.flatMap { sum in
            guard sum.isConverted else { return nil }
            let toCome = ToComeLine(ofAccounts: accounts, formats)
            return SumLine(sum.sum, formats: formats, isConverted: true, toCome: toCome)
        }
        unknownCount = accounts.count { $0.unknown != nil }
        let spent = spending.contains(where: \.isConverted)
        let without = together.leftOut + laterTogether.leftOut
        let left = without.map { TotalLine($0, formats: formats).text }
        let missing = Set(without.map(\.currency))
        rates = formats.ratesLine(
            isConverted: together.isConverted || laterTogether.isConverted || spent || hero.isConverted
                || self.worth != nil,
            leftOut: left
                + (worth?.leftOut ?? []).filter { !missing.contains($0.currency) }.map { formats.listed($0) }
        )
        self.latest = latest.map {
            TransactionRow(
                $0,
                catalog: catalog,
                formats: formats,
                mark: bank[$0.id],
                hasReceipts: withReceipts.contains($0.id)
            )
        }
        let ahead =
            schedules.isEmpty
            ? nil
            : OverviewAhead(
                MonthSoFar(totals: totals, toCome: later, repaid: repaid),
                overall: budgets.first { $0.budget.category == nil },
                schedules,
                but: answered,
                catalog: catalog,
                formats: formats
            )
        self.ahead = ahead
        upgrade = formats.upgradeOffer(
            chrome.tier,
            totals.amounts + accounts.knownAmounts + (ahead?.left.left.leftOut ?? [])
        )
    }

    /// The spending, as a negative amount.
    private var spentMinor: Int128 { -total.expenseMinor }

    private var total: CurrencyTotal { together.total }

    /// A sum in the base currency.
    private func sum(_ minor: Int128, isConverted: Bool) -> SumLine {
        SumLine(MoneySum(minor: minor, currency: formats.base), formats: formats, isConverted: isConverted)
    }

    private var isIncomplete: Bool { chrome.cloud.isIncomplete }

    private var isPresent: Bool { month == formats.today.yearMonth }

    static let keys = Keys<OverviewPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .model("months", of: MonthNavigation.self) { $0.months }
        .text("month_title") { $0.formats.monthTitle($0.month) }
        .message("hero_label") { $0.hero.label }
        .link("hero_href") { $0.hero.href }
        .list("hero_to_come", of: ToComeLine.self) { $0.hero.toCome.map { [$0] } ?? [] }
        .list("income_to_come", of: ToComeLine.self) { $0.toCome.income.map { [$0] } ?? [] }
        .list("expense_to_come", of: ToComeLine.self) { $0.toCome.expense.map { [$0] } ?? [] }
        .optionalMessage("all_to_come") { $0.formats.wordsToCome($0.month) }
        .model("hero", of: SumLine.self) { $0.sum($0.hero.minor, isConverted: $0.hero.isConverted) }
        .flag("hero_over") { $0.hero.minor < 0 }
        .list("hero_pace", of: PaceBar.self) { $0.hero.pace.map { [$0.bar] } ?? [] }
        // Words about a month that is not all here would be untrue.
        .message("hero_words") { $0.isIncomplete ? Text("overview.counts-what-is-here") : $0.hero.words }
        .text("income") { $0.formats.signed($0.total.incomeMinor, $0.total.currency) }
        .model("income_sum", of: SumLine.self) { page in
            page.sum(page.total.incomeMinor, isConverted: page.together.isConverted)
        }
        .link("income_href") { page in
            var query = TransactionQuery()
            query.month = page.month
            query.kind = .income
            return TransactionsPage.href(query)
        }
        .link("expense_href") { Link.spending(in: $0.month, counts: nil) }
        .link("month_href") { Link.ofMonth($0.month) }
        .text("expense") { $0.formats.money($0.spentMinor, $0.total.currency) }
        .model("expense_sum", of: SumLine.self) { page in
            page.sum(page.spentMinor, isConverted: page.together.isConverted)
        }
        .flag("is_converted") { $0.together.isConverted }
        .list("others", of: TotalLine.self) { $0.others }
        .list("rates", of: RatesLine.self) { $0.rates.map { [$0] } ?? [] }
        .optionalMessage("upgrade_text") { $0.upgrade }
        .optionalMessage("recorded_text") { Text.onlyRecorded($0.unknownCount) }
        .link("report_href") { Link.report(of: $0.month) }
        .flag("has_spending") { !$0.spending.isEmpty }
        .list("spending", of: SpendingLine.self) { $0.spending }
        .list("ahead", of: OverviewAhead.self) { $0.ahead.map { [$0] } ?? [] }
        .flag("has_needs") {
            !$0.needs.isEmpty || $0.chrome.toReview.counts != nil || $0.uncategorized != nil
        }
        .list("uncategorized", of: UncategorizedLink.self) { $0.uncategorized.map { [$0] } ?? [] }
        .list("needs", of: BudgetLine.self) { $0.needs }
        .link("budgets_href") { page in
            page.isPresent ? .budgets : Link.budgets.adding(query: [("month", "\(page.month)")])
        }
        .link("transactions_href") { page in
            page.isPresent ? .transactions : Link.transactions.adding(query: [("month", "\(page.month)")])
        }
        .flag("suggest_budget") { $0.isPresent && !$0.hasBudgets && !$0.latest.isEmpty && !$0.isIncomplete }
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
            page.worth.map { [$0] } ?? []
        }
        .optionalMessage("without_text") { page in
            page.worth == nil ? nil : Text.withoutUnknown(page.unknownCount)
        }
        .flag("has_transactions") { !$0.latest.isEmpty }
        .message("empty_text") { page in
            if page.isIncomplete { return Text("overview.not-all-is-here") }
            if page.bookIsEmpty { return Text("overview.write-down-the-first") }
            let month = page.formats.monthTitle(page.month)
            return Text("transactions.nothing-was-written-down", ["month": .string(month)])
        }
        .list("latest", of: TransactionRow.self) { $0.latest }
}
