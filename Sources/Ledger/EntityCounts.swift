// Entities with the numbers of the rows that refer to them, and the numbers of all rows.

/// An account with its current balance.
public struct AccountBalance: Hashable, Sendable {
    /// The account as stored.
    public var account: Account
    /// Opening balance plus transactions, in minor units of the account's currency; up to the day through which it was
    /// asked for. It is no balance to show or to add up if `unknown` is set.
    public var balanceMinor: Int128
    /// The change by transactions after that day, and by an opening balance of a later day, in the same unit; 0 if
    /// everything counts.
    public var toComeMinor: Int128 = 0
    /// For an account whose bank reports a balance: the opening balance plus the transactions of the book up to the day
    /// of that balance, in the same unit.
    public var recordedMinor: Int128?
    /// The balance with which the account begins: that of the account as stored. If it has a day, and the bank of the
    /// account reports a balance, it is the part of that balance that no transaction explains.
    public var opening: OpeningBalance
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
        opening = OpeningBalance(minor: Int128(account.openingMinor), day: account.openingDay)
    }
}

/// A category with the number of its transactions.
public struct CategoryUse: Hashable, Sendable {
    /// The category as stored.
    public var category: Category
    /// The number of live transactions with the category.
    public var transactionCount: Int
    /// The number of live transactions with the category or one below it.
    public var countWithChildren: Int
    /// Whether budgets, schedules or notes on transactions of banks refer to it, or a category below it is in use.
    public var isReferred: Bool

    /// Whether nothing uses the category, nor one below it.
    public var isUnused: Bool { transactionCount == 0 && !isReferred }

    /// Counts live transactions only, and none of categories below it.
    public init(category: Category, transactionCount: Int, isReferred: Bool = false) {
        self.category = category
        self.transactionCount = transactionCount
        countWithChildren = transactionCount
        self.isReferred = isReferred
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
