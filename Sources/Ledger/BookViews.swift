// The data of whole pages. Each value comes from one consistent read of a book.

/// The data of the list of transactions.
public struct TransactionsView: Sendable {
    /// The rows with their totals.
    public var page: TransactionPage
    /// All live accounts and categories.
    public var choices: BookChoices
    /// The size of the whole book, independent of the query.
    public var counts: BookCounts

    /// All parts are of the same read.
    public init(page: TransactionPage, choices: BookChoices, counts: BookCounts) {
        self.page = page
        self.choices = choices
        self.counts = counts
    }
}

/// The data of the dashboard.
public struct Overview: Sendable {
    /// The month of totals, budgets and spending.
    public var month: YearMonth
    /// Income and spending of the month without transfers, by currency: what accounts were charged and received. In the
    /// present month, up to today.
    public var totals: [CurrencyTotal]
    /// The same of the days of the present month after today.
    public var toCome: [CurrencyTotal] = []
    /// The budgets that apply in the month.
    public var budgets: [BudgetStatus]
    /// Every live account, oldest first, with the balance at the end of today; at the end of the month if that is not the
    /// present one.
    public var accounts: [AccountBalance]
    /// The newest transactions up to today, or the newest transactions of another month; at most eight.
    public var latest: [Transaction]
    /// The transactions of `latest` that have receipts, and possibly others.
    public var withReceipts: Set<EntityID> = []
    /// The month's spending by category: the base currency first, then the others; largest first. In the present month,
    /// up to today.
    public var spending: [ReportRow]
    /// All live accounts and categories.
    public var choices: BookChoices
    /// The size of the book.
    public var counts: BookCounts
    /// All live schedules, oldest first; empty if the month is not the present one.
    public var schedules: [Schedule]
    /// The open occurrences of the schedules up to the end of the month that have payments already.
    public var answered: Set<OccurrenceKey> = []
    /// The amounts that went to loans from other accounts in the month, by currency; empty without schedules.
    public var repaid: Repaid

    /// All parts are of the same read.
    public init(
        month: YearMonth,
        totals: [CurrencyTotal],
        budgets: [BudgetStatus],
        accounts: [AccountBalance],
        latest: [Transaction],
        spending: [ReportRow],
        choices: BookChoices,
        counts: BookCounts,
        schedules: [Schedule],
        repaid: Repaid
    ) {
        self.schedules = schedules
        self.repaid = repaid
        self.month = month
        self.totals = totals
        self.budgets = budgets
        self.accounts = accounts
        self.latest = latest
        self.spending = spending
        self.choices = choices
        self.counts = counts
    }
}

/// The data of the page of budgets.
public struct BudgetsView: Sendable {
    /// The month of the statuses and the spending.
    public var month: YearMonth
    /// The budgets that apply in the month: the one for all spending first, then by id.
    public var statuses: [BudgetStatus]
    /// Budgets that begin after the month.
    public var upcoming: [Budget]
    /// The month's spending by category: the base currency first, then the others; largest first.
    public var spending: [ReportRow]
    /// The number of expenses and refunds of the month that are neither known in the base currency nor converted.
    public var leftOutCount: Int
    /// Limits for all spending and for categories without a budget, the highest first.
    public var suggestions: [BudgetSuggestion]
    /// All live accounts and categories.
    public var choices: BookChoices

    /// All parts are of the same read.
    public init(
        month: YearMonth,
        statuses: [BudgetStatus],
        upcoming: [Budget],
        spending: [ReportRow],
        leftOutCount: Int,
        suggestions: [BudgetSuggestion],
        choices: BookChoices
    ) {
        self.month = month
        self.statuses = statuses
        self.upcoming = upcoming
        self.spending = spending
        self.leftOutCount = leftOutCount
        self.suggestions = suggestions
        self.choices = choices
    }
}

/// The choices in the forms of a book.
///
/// An object, so that values derived from it can be cached for as long as the book returns the same one.
public final class BookChoices: Sendable {
    /// All live accounts, oldest first.
    public let accounts: [Account]
    /// All live categories: expense before income, then by name.
    public let categories: [Category]
    /// The account of the transaction entered last, as the default of the next one.
    public let lastAccount: EntityID?
    /// The deleted categories of spending: income with one of them stays a refund.
    public let deletedSpending: Set<EntityID>

    /// The lists are in the order of display.
    public init(
        accounts: [Account],
        categories: [Category],
        lastAccount: EntityID? = nil,
        deletedSpending: Set<EntityID> = []
    ) {
        self.deletedSpending = deletedSpending
        self.accounts = accounts
        self.categories = categories
        self.lastAccount = lastAccount
    }
}
