// What a whole page asks of a book in one go: each value here is one consistent reading.

/// What the list of transactions shows.
public struct TransactionsView: Sendable {
    /// The rows with their totals.
    public var page: TransactionPage
    /// All live accounts, oldest first.
    public var accounts: [Account]
    /// All live categories: expense before income, then by name.
    public var categories: [Category]
    /// The account of the transaction entered last, for the next one.
    public var lastAccount: EntityID?
    /// How much the book holds, whatever the query.
    public var counts: BookCounts

    /// What the list shows.
    public init(
        page: TransactionPage,
        accounts: [Account],
        categories: [Category],
        lastAccount: EntityID?,
        counts: BookCounts
    ) {
        self.page = page
        self.accounts = accounts
        self.categories = categories
        self.lastAccount = lastAccount
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
    /// All live categories.
    public var categories: [Category]
    /// The account of the transaction entered last.
    public var lastAccount: EntityID?
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
        categories: [Category],
        lastAccount: EntityID?,
        counts: BookCounts
    ) {
        self.month = month
        self.totals = totals
        self.budgets = budgets
        self.accounts = accounts
        self.latest = latest
        self.spending = spending
        self.categories = categories
        self.lastAccount = lastAccount
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
    /// All live categories.
    public var categories: [Category]

    /// What the page of budgets shows.
    public init(
        month: YearMonth,
        statuses: [BudgetStatus],
        upcoming: [Budget],
        totals: [CurrencyTotal],
        spending: [ReportRow],
        leftOutCount: Int,
        categories: [Category]
    ) {
        self.month = month
        self.statuses = statuses
        self.upcoming = upcoming
        self.totals = totals
        self.spending = spending
        self.leftOutCount = leftOutCount
        self.categories = categories
    }
}

/// A payee that was used before.
public struct PayeeSuggestion: Hashable, Sendable {
    /// As it was written.
    public var payee: String
    /// What the newest transaction with it that has a live category was for.
    public var category: EntityID?
    /// The account of the newest transaction with it.
    public var account: EntityID?
    /// How many live transactions carry it.
    public var count: Int

    /// A payee.
    public init(payee: String, category: EntityID?, account: EntityID?, count: Int) {
        self.payee = payee
        self.category = category
        self.account = account
        self.count = count
    }
}

/// Income and spending of one month.
public struct MonthTotals: Hashable, Sendable {
    /// The month.
    public var month: YearMonth
    /// By currency, alphabetically; empty where nothing happened.
    public var totals: [CurrencyTotal]

    /// A month's totals.
    public init(month: YearMonth, totals: [CurrencyTotal]) {
        self.month = month
        self.totals = totals
    }
}

/// What the forms of a book choose from.
public struct BookChoices: Sendable {
    /// All live accounts, oldest first.
    public var accounts: [Account]
    /// All live categories: expense before income, then by name.
    public var categories: [Category]
    /// The account of the transaction entered last, for the next one.
    public var lastAccount: EntityID?

    /// What can be chosen.
    public init(accounts: [Account], categories: [Category], lastAccount: EntityID?) {
        self.accounts = accounts
        self.categories = categories
        self.lastAccount = lastAccount
    }
}
