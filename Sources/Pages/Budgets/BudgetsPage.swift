// The budgets of a month with what is left of each.

public import Ledger
import Links
public import Templates

/// Budgets of a month.
public struct BudgetsPage: Page {
    /// Where its template is.
    public static let template = "budgets/index"
    let chrome: Chrome
    let months: MonthNavigation
    let budgets: [BudgetLine]
    let form: BudgetForm
    let hasToday: Bool
    let upcoming: [UpcomingLine]
    let leftOutCount: Int

    /// Budgets as they stand in a month.
    /// - Parameters:
    ///   - upcoming: budgets that begin later.
    ///   - leftOutCount: expenses of the month in other currencies than the base currency.
    public init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        month: YearMonth,
        statuses: [BudgetStatus],
        upcoming: [Budget],
        leftOutCount: Int,
        form: BudgetForm
    ) {
        self.chrome = chrome.on(.budgets)
        self.form = form
        months = MonthNavigation(month: month, formats: formats) {
            Link.budgets.adding(query: [("month", "\($0)")])
        }
        budgets = statuses.map { BudgetLine($0, month: month, catalog: catalog, formats: formats) }
        self.leftOutCount = leftOutCount
        self.upcoming = upcoming.map { UpcomingLine(budget: $0, catalog: catalog, formats: formats) }
        hasToday = month == formats.today.yearMonth
    }

    /// The values for the template.
    public static let keys = Keys<BudgetsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .model("months", of: MonthNavigation.self) { $0.months }
        .list("budgets", of: BudgetLine.self) { $0.budgets }
        .flag("has_budgets") { !$0.budgets.isEmpty }
        .optional("legend") { $0.hasToday && !$0.budgets.isEmpty ? "The mark on a bar is today." : nil }
        .optional("upgrade_text") { page in
            guard page.chrome.tier != .premium, page.leftOutCount > 0 else { return nil }
            let expenses =
                page.leftOutCount == 1
                ? "1 expense of this month is in another currency and is not counted. "
                : "\(page.leftOutCount) expenses of this month are in other currencies and are not counted. "
            return expenses + "Upgrade to Premium to track all currencies."
        }
        .flag("has_upcoming") { !$0.upcoming.isEmpty }
        .list("upcoming", of: UpcomingLine.self) { $0.upcoming }
        .model("form", of: BudgetForm.self) { $0.form }
}

/// A budget that begins later.
struct UpcomingLine: TemplateModel {
    let id: EntityID
    let name: String
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
        .text("name") { $0.name }
        .text("from") { $0.from }
        .text("amount") { $0.amount }
        .integer("minor") { $0.limit.minor }
        .text("currency") { $0.limit.currency.rawValue }
}

/// One budget in words and as a bar.
struct BudgetLine: TemplateModel {
    let status: BudgetStatus
    let name: String
    let pace: Pace
    let formats: Formats

    init(_ status: BudgetStatus, month: YearMonth, catalog: Catalog, formats: Formats) {
        self.status = status
        self.formats = formats
        name = status.budget.displayName(catalog)
        pace = Pace(
            spent: status.spentMinor,
            available: status.availableMinor,
            currency: status.budget.limit.currency,
            month: month,
            formats: formats
        )
    }

    static let keys = Keys<BudgetLine>()
        .text("id") { "\($0.status.budget.id)" }
        .link("href", to: Link.budget) { $0.status.budget.id }
        .text("name") { $0.name }
        .text("class") { $0.pace.cssClass }
        .text("headline") { $0.pace.headline }
        .optional("per_day") { $0.pace.perDay }
        .list("pace", of: PaceBar.self) { [$0.pace.bar] }
        .text("state") { $0.pace.left < 0 ? $0.pace.headline : $0.pace.words }
        .text("words") { line in
            guard line.pace.left >= 0 else { return "" }
            return [line.pace.headline, line.pace.perDay].compactMap(\.self).joined(separator: ", ")
        }
        .optional("pace_words") { $0.pace.level == .over || $0.pace.words.isEmpty ? nil : $0.pace.words }
        .text("spent") { $0.formats.money($0.status.spentMinor, $0.pace.currency) }
        .integer("spent_minor") { $0.status.spentMinor }
        .text("limit") { $0.formats.money($0.status.availableMinor, $0.pace.currency) }
        .integer("limit_minor") { $0.status.availableMinor }
        .text("currency") { $0.pace.currency.rawValue }
        .optional("carried") { line in
            let carried = line.status.carriedMinor
            guard carried != 0 else { return nil }
            let amount = line.formats.money(carried == .min ? .max : abs(carried), line.pace.currency)
            return carried > 0 ? "\(amount) carried over" : "\(amount) taken by the months before"
        }
        .optional("left_out") { line in
            let count = line.status.leftOutCount
            guard count > 0 else { return nil }
            return count == 1
                ? "1 expense in another currency was left out."
                : "\(count) expenses in other currencies were left out."
        }
}

extension Budget {
    /// The name of what it limits.
    func displayName(_ catalog: Catalog) -> String {
        category.map { catalog.categoryName($0) } ?? "All spending"
    }
}
