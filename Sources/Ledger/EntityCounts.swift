// Entities with the numbers of the rows that refer to them, and the numbers of all rows.

/// An account with its current balance.
public struct AccountBalance: Hashable, Sendable {
    /// The account as stored.
    public var account: Account
    /// Opening balance plus transactions, in minor units of the account's currency; up to the day through which it was
    /// asked for. It is no balance to show or to add up if `unknown` is set.
    public var balanceMinor: Int128
    /// The change by transactions after that day, in the same unit; 0 if everything counts.
    public var toComeMinor: Int128 = 0
    /// For an account whose bank reports a balance: the opening balance plus the transactions of the book up to the day
    /// of that balance, in the same unit.
    public var recordedMinor: Int128?
    /// The number of live transactions of the account.
    public var transactionCount: Int
    /// Set for an account at a bank that this device cannot read, or that reports it in another currency.
    public var unknown: UnknownBalance?

    /// The balance, in minor units; nil if it is unknown.
    public var knownMinor: Int128? { unknown == nil ? balanceMinor : nil }

    /// The balance is in minor units of the account's currency.
    public init(
        account: Account,
        balanceMinor: Int128,
        transactionCount: Int,
        unknown: UnknownBalance? = nil
    ) {
        self.account = account
        self.balanceMinor = balanceMinor
        self.transactionCount = transactionCount
        self.unknown = unknown
    }
}

/// A category with the number of its transactions.
public struct CategoryUse: Hashable, Sendable {
    /// The category as stored.
    public var category: Category
    /// The number of live transactions with the category.
    public var transactionCount: Int
    /// The number of refunds among these transactions.
    public var refundCount: Int

    /// Counts live transactions only.
    public init(category: Category, transactionCount: Int, refundCount: Int = 0) {
        self.category = category
        self.transactionCount = transactionCount
        self.refundCount = refundCount
    }
}

/// The numbers of live rows in a book.
public struct BookCounts: Hashable, Sendable {
    /// The number of live transactions.
    public var transactions = 0
    /// The number of live accounts.
    public var accounts = 0
    /// The number of live categories.
    public var categories = 0
    /// The number of categories with a live budget. A limit that has changed is a further row of the same budget.
    public var budgets = 0
    /// The number of live schedules.
    public var schedules = 0

    /// The counts of an empty book.
    public init() {}
}
