// What a whole page asks of a book in one go: each value here is one consistent reading.

/// What the list of transactions shows.
public struct TransactionsView: Sendable {
    /// The rows with their totals.
    public var page: TransactionPage
    /// All live accounts and categories.
    public var choices: BookChoices
    /// How much the book holds, whatever the query.
    public var counts: BookCounts

    /// What the list shows.
    public init(page: TransactionPage, choices: BookChoices, counts: BookCounts) {
        self.page = page
        self.choices = choices
        self.counts = counts
    }
}

/// What the dashboard shows.
public struct Overview: Sendable {
    /// The month that totals, budgets and spending are of.
    public var month: YearMonth
    /// Income and spending of the month, by currency.
    public var totals: [CurrencyTotal]
    /// The budgets that hold in the month.
    public var budgets: [BudgetStatus]
    /// Every live account, oldest first.
    public var accounts: [AccountBalance]
    /// The newest transactions that are not dated after today, at most eight.
    public var latest: [Transaction]
    /// The month's spending by category: the base currency first, then the others; most first.
    public var spending: [ReportRow]
    /// All live accounts and categories.
    public var choices: BookChoices
    /// How much the book holds.
    public var counts: BookCounts

    /// What the dashboard shows.
    public init(
        month: YearMonth,
        totals: [CurrencyTotal],
        budgets: [BudgetStatus],
        accounts: [AccountBalance],
        latest: [Transaction],
        spending: [ReportRow],
        choices: BookChoices,
        counts: BookCounts
    ) {
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

/// What the page of budgets shows.
public struct BudgetsView: Sendable {
    /// The month.
    public var month: YearMonth
    /// The budgets that hold in the month: all spending first, then by id.
    public var statuses: [BudgetStatus]
    /// Budgets that begin after the month.
    public var upcoming: [Budget]
    /// Income and spending of the month, by currency.
    public var totals: [CurrencyTotal]
    /// The month's spending by category: the base currency first, then the others; most first.
    public var spending: [ReportRow]
    /// Expenses of the month in other currencies than the base currency.
    public var leftOutCount: Int
    /// All live accounts and categories.
    public var choices: BookChoices

    /// What the page of budgets shows.
    public init(
        month: YearMonth,
        statuses: [BudgetStatus],
        upcoming: [Budget],
        totals: [CurrencyTotal],
        spending: [ReportRow],
        leftOutCount: Int,
        choices: BookChoices
    ) {
        self.month = month
        self.statuses = statuses
        self.upcoming = upcoming
        self.totals = totals
        self.spending = spending
        self.leftOutCount = leftOutCount
        self.choices = choices
    }
}

/// What the forms of a book choose from.
///
/// An object, so that what is made of it can be kept for as long as the book hands out the same one.
public final class BookChoices: Sendable {
    /// All live accounts, oldest first.
    public let accounts: [Account]
    /// All live categories: expense before income, then by name.
    public let categories: [Category]
    /// The account of the transaction entered last, for the next one.
    public let lastAccount: EntityID?

    /// What can be chosen.
    public init(accounts: [Account], categories: [Category], lastAccount: EntityID? = nil) {
        self.accounts = accounts
        self.categories = categories
        self.lastAccount = lastAccount
    }
}
