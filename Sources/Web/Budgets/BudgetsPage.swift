// The budgets of a month with the remaining amount of each.

import Ledger
import Links
import Templates
import Texts

/// Budgets of a month.
struct BudgetsPage: Page {
    static let template = "budgets/index"
    let chrome: Chrome
    let months: MonthNavigation
    let budgets: [BudgetLine]
    let form: BudgetForm
    let upcoming: [UpcomingLine]
    let suggestions: [SuggestionLine]
    /// The words about a month that is to come.
    let allToCome: Text?
    let leftOutCount: Int
    let leftOut: Link
    let unknownCount: Int
    let rates: RatesLine?

    /// The status of the budgets in a month.
    /// - Parameters:
    ///   - upcoming: limits that begin later, in the order of their months. That of a category with a budget is shown
    ///     beside it, if it is another limit.
    ///   - suggestions: limits for categories without a budget, the highest first.
    ///   - leftOutCount: expenses of the month that are neither known in the base currency nor converted.
    ///   - unknownCount: the number of accounts of which only recorded transactions count.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        month: YearMonth,
        statuses: [BudgetStatus],
        upcoming: [Budget],
        suggestions: [BudgetSuggestion] = [],
        leftOutCount: Int,
        unknownCount: Int = 0,
        form: BudgetForm
    ) {
        self.chrome = chrome.on(.budgets)
        self.form = chrome.cloud.isIncomplete ? form.withoutSuggestion : form
        allToCome = formats.wordsToCome(month)
        months = MonthNavigation(month: month, formats: formats) {
            Link.budgets.adding(query: [("month", "\($0)")])
        }
        let next = Dictionary(upcoming.map { ($0.category, $0) }, uniquingKeysWith: { first, _ in first })
        budgets = statuses.map { status in
            let later = next[status.budget.category].flatMap { $0.limit == status.budget.limit ? nil : $0 }
            var line = BudgetLine(status, month: month, next: later, catalog: catalog, formats: formats)
            line.isIncomplete = chrome.cloud.isIncomplete
            return line
        }
        self.leftOutCount = leftOutCount
        self.unknownCount = unknownCount
        leftOut = Link.spending(in: month, counts: .leftOut(formats.base))
        // The average of months that are not all here would be too low.
        let top =
            chrome.cloud.isIncomplete
            ? [] : suggestions.filter { catalog.category($0.category)?.parent == nil }.prefix(5)
        self.suggestions = top.map {
            SuggestionLine($0, month: month, catalog: catalog, formats: formats)
        }
        let held = Set(statuses.map(\.budget.category))
        self.upcoming = upcoming.filter { !held.contains($0.category) && next[$0.category]?.id == $0.id }.map
        {
            UpcomingLine(budget: $0, catalog: catalog, formats: formats)
        }
        rates = formats.ratesLine(isConverted: statuses.contains { $0.convertedCount > 0 }, leftOut: [])
    }

    static let keys = Keys<BudgetsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .model("months", of: MonthNavigation.self) { $0.months }
        .optionalMessage("all_to_come") { $0.allToCome }
        .list("budgets", of: BudgetLine.self) { $0.budgets }
        .flag("has_budgets") { !$0.budgets.isEmpty }
        .message("empty_text") { page in
            page.chrome.cloud.isIncomplete
                ? Text("overview.not-all-is-here") : Text("budgets.a-budget-is-one")
        }
        .optionalMessage("legend") { page in
            page.budgets.contains { $0.pace.day != nil } ? Text("budgets.the-mark-on-a-bar") : nil
        }
        .optionalMessage("upgrade_text") { page in
            guard page.chrome.tier != .premium, page.leftOutCount > 0 else { return nil }
            return Text("budgets.expenses-are-not-counted", ["count": .count(page.leftOutCount)])
        }
        .optionalMessage("no_rate_text") { page in
            guard page.chrome.tier == .premium, page.leftOutCount > 0 else { return nil }
            return Text("budgets.expenses-have-no-rate", ["count": .count(page.leftOutCount)])
        }
        .list("rates", of: RatesLine.self) { $0.rates.map { [$0] } ?? [] }
        .optionalMessage("recorded_text") { page in
            // Without an amount that was spent, there is nothing to explain.
            page.budgets.isEmpty && page.suggestions.isEmpty ? nil : Text.onlyRecorded(page.unknownCount)
        }
        .link("left_out_href") { $0.leftOut }
        .flag("has_suggestions") { !$0.suggestions.isEmpty }
        .list("suggestions", of: SuggestionLine.self) { $0.suggestions }
        .flag("has_upcoming") { !$0.upcoming.isEmpty }
        .list("upcoming", of: UpcomingLine.self) { $0.upcoming }
        .model("form", of: BudgetForm.self) { $0.form }
}

/// A limit for a category without a budget, from what was spent on it. The link fills in the form.
struct SuggestionLine: TemplateModel {
    let name: Text
    let words: Text
    let href: Link

    init(_ suggestion: BudgetSuggestion, month: YearMonth, catalog: Catalog, formats: Formats) {
        name = suggestion.category.map { catalog.categoryName($0) } ?? Text("budgets.all-spending")
        words = suggestion.words(formats)
        href = suggestion.href(month: month, formats: formats)
    }

    static let keys = Keys<SuggestionLine>()
        .message("name") { $0.name }
        .message("words") { $0.words }
        .link("href") { $0.href }
}

extension BudgetSuggestion {
    /// The average in words, such as `€412.00 a month on average in the last three months`.
    func words(_ formats: Formats) -> Text {
        Text(
            "budgets.average-of-months",
            ["amount": .string(formats.money(average)), "count": .count(monthCount)]
        )
    }

    /// The average as it would be typed.
    func limit(_ formats: Formats) -> String { formats.plain(average.minor, average.currency) }

    /// The form of a new budget with this limit.
    func href(month: YearMonth, formats: Formats) -> Link {
        Link.budgets.adding(query: [
            ("month", "\(month)"), ("category", category.map { "\($0)" } ?? ""),
            ("limit", limit(formats)),
        ]).adding(fragment: "limit")
    }
}

extension TransactionQuery {
    /// The transactions that a budget is made of.
    static func spending(in month: YearMonth, category: CategoryFilter? = nil, counts: CountFilter? = nil)
        -> TransactionQuery
    {
        var query = ofMonth(month)
        query.isSpending = true
        query.category = category
        query.counts = counts
        return query
    }

    /// All transactions of a month.
    static func ofMonth(_ month: YearMonth) -> TransactionQuery {
        var query = TransactionQuery()
        query.month = month
        return query
    }
}

extension Link {
    /// The transactions that a budget is made of.
    static func spending(in month: YearMonth, category: CategoryFilter? = nil, counts: CountFilter?) -> Link {
        TransactionsPage.href(.spending(in: month, category: category, counts: counts))
    }

    /// All transactions of a month.
    static func ofMonth(_ month: YearMonth) -> Link { TransactionsPage.href(.ofMonth(month)) }

    /// The report by category of a month.
    static func report(of month: YearMonth) -> Link {
        Link.reports.adding(query: [("from", "\(month.firstDay)"), ("to", "\(month.lastDay)")])
    }
}

extension BudgetStatus {
    /// The transactions that the budget counts.
    func spending(in month: YearMonth) -> Link { TransactionsPage.href(query(in: month)) }

    /// The part of its spending that is to come; nil for nothing.
    func toCome(in month: YearMonth, isSigned: Bool, _ formats: Formats) -> ToComeLine? {
        ToComeLine(
            MoneySum(
                minor: isSigned ? -toComeMinor : toComeMinor,
                currency: budget.limit.currency
            ),
            isConverted: convertedCount > 0,
            isSigned: isSigned,
            of: query(in: month),
            formats
        )
    }

    /// The transactions that the budget counts.
    func query(in month: YearMonth) -> TransactionQuery {
        // Converted expenses count as well, so that the list is not limited to expenses that are known exactly.
        .spending(
            in: month,
            category: budget.category.map { .family($0) },
            counts: convertedCount > 0 ? nil : .known(budget.limit.currency)
        )
    }
}

/// A budget that begins later.
struct UpcomingLine: TemplateModel {
    let id: EntityID
    let name: Text
    let from: String
    let limit: Money
    let amount: String

    init(budget: Budget, catalog: Catalog, formats: Formats) {
        id = budget.id
        name = budget.displayName(catalog)
        from = formats.monthTitle(budget.from)
        limit = budget.limit
        amount = formats.money(budget.limit)
    }

    static let keys = Keys<UpcomingLine>()
        .text("id") { "\($0.id)" }
        .link("href", to: Link.budget) { $0.id }
        .message("name") { $0.name }
        .text("from") { $0.from }
        .text("amount") { $0.amount }
        .integer("minor") { $0.limit.minor }
        .text("currency") { $0.limit.currency.rawValue }
}

/// One budget in words and as a bar.
struct BudgetLine: TemplateModel {
    let status: BudgetStatus
    let name: Text
    let pace: Pace
    let formats: Formats
    let spending: Link
    let toCome: ToComeLine?
    let leftOut: Link
    /// The next limit, if it is another one.
    let next: Budget?
    /// Whether earlier months may be missing on this device.
    var isIncomplete = false

    init(
        _ status: BudgetStatus,
        month: YearMonth,
        next: Budget? = nil,
        catalog: Catalog,
        formats: Formats
    ) {
        self.status = status
        self.next = next
        self.formats = formats
        let (category, currency) = (status.budget.category, status.budget.limit.currency)
        spending = status.spending(in: month)
        toCome = status.toCome(in: month, isSigned: false, formats)
        leftOut = Link.spending(
            in: month,
            category: category.map { .family($0) },
            counts: .leftOut(currency)
        )
        name = status.budget.displayName(catalog)
        pace = Pace(
            spent: status.spentMinor,
            available: status.availableMinor,
            currency: currency,
            month: month,
            formats: formats,
            isPaidAtOnce: status.pace == .once,
            owed: -status.carriedMinor
        )
    }

    private func sum(_ minor: Int128, isConverted: Bool = false) -> SumLine {
        SumLine(MoneySum(minor: minor, currency: pace.currency), formats: formats, isConverted: isConverted)
    }

    static let keys = Keys<BudgetLine>()
        .text("id") { "\($0.status.budget.id)" }
        .link("href", to: Link.budget) { $0.status.budget.id }
        .message("name") { $0.name }
        .text("class") { $0.pace.cssClass }
        .message("headline") { $0.pace.headline }
        .optionalMessage("per_day") { $0.pace.perDay }
        .list("pace", of: PaceBar.self) { [$0.pace.bar] }
        .optionalMessage("state") { $0.pace.left < 0 ? $0.pace.headline : $0.pace.words }
        .optionalMessage("words") { line in
            guard line.pace.left >= 0 else { return nil }
            guard let day = line.pace.perDay else { return line.pace.headline }
            return Text("budgets.left-and-a-day", ["left": .text(line.pace.headline), "day": .text(day)])
        }
        .optionalMessage("pace_words") { $0.pace.level == .over ? nil : $0.pace.words }
        .text("spent") {
            $0.formats.money(
                $0.status.spentMinor,
                $0.pace.currency,
                isConverted: $0.status.convertedCount > 0
            )
        }
        .model("spent_sum", of: SumLine.self) { line in
            line.sum(line.status.spentMinor, isConverted: line.status.convertedCount > 0)
        }
        .list("to_come", of: ToComeLine.self) { $0.toCome.map { [$0] } ?? [] }
        .text("limit") { $0.formats.money($0.status.shownLimitMinor, $0.pace.currency) }
        .model("limit_sum", of: SumLine.self) { $0.sum($0.status.shownLimitMinor) }
        .link("spending_href") { $0.spending }
        .link("next_href") { $0.next.map { Link.budget($0.id) } ?? .budgets }
        .optionalMessage("next_limit") { line in
            line.next.map { next in
                let month = line.formats.monthTitle(next.from)
                let amount = line.formats.money(next.limit)
                return Text("budgets.next-limit", ["amount": .string(amount), "month": .string(month)])
            }
        }
        // The list of what is not known in the currency would show what was converted, too.
        .optionalLink("left_out_href") { $0.status.convertedCount > 0 ? nil : $0.leftOut }
        .optionalMessage("converted") { line in
            let count = line.status.convertedCount
            return count > 0 ? Text("budgets.expenses-were-converted", ["count": .count(count)]) : nil
        }
        .optionalMessage("carried") { line in
            let carried = line.status.carriedMinor
            guard carried != 0 else { return nil }
            let amount = line.formats.money(carried.magnitude, line.pace.currency)
            return .saying(
                carried,
                in: carried > 0
                    ? Text("budgets.amount-carried-over", ["amount": .string(amount)])
                    : Text("budgets.amount-owed", ["amount": .string(amount)])
            )
        }
        .optionalMessage("carried_in_part") { line in
            line.isIncomplete && line.status.budget.rollover
                ? Text("budgets.carried-over-from-what-is-here") : nil
        }
        .optionalMessage("left_out") { line in
            let count = line.status.leftOutCount
            return count > 0 ? Text("budgets.expenses-were-left-out", ["count": .count(count)]) : nil
        }
}

extension Budget {
    /// The name of the limited category, or of all spending.
    func displayName(_ catalog: Catalog) -> Text {
        category.map { catalog.categoryName($0) } ?? Text("budgets.all-spending")
    }
}
