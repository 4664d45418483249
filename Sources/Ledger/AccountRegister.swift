// The data of an account's own page.

/// A page of the transactions of one account, with the balance after each of them.
public struct AccountRegister: Sendable {
    /// The account with its present balance.
    public var account: AccountBalance
    /// The transactions at either end of which the account is.
    public var page: TransactionPage
    /// The balance of the account after each row of the page that is not pending at a bank, in minor units of its
    /// currency. All transactions count, also transactions that a filter leaves out. Empty if the balance of the account
    /// is unknown.
    public var balancesMinor: [Int128]
    /// The marks of the rows of the page that are transactions of a bank.
    public var bank: [EntityID: BankMark]
    /// The balance before the oldest row, in the same unit; nil if it is unknown, if more rows follow, or if a filter
    /// other than the month leaves rows out. Without a month it is the opening balance, or nil if that has a day.
    public var beforeMinor: Int128?
    /// The opening balance, if it has a day among the rows of the page; nil if a filter other than the month leaves rows
    /// out.
    public var opening: OpeningRow?
    /// All live accounts and categories.
    public var choices: BookChoices
    /// The pace at which a loan is paid off; nil for other accounts.
    public var repayment: Repayment?

    /// All parts are of the same read.
    public init(
        account: AccountBalance,
        page: TransactionPage,
        balancesMinor: [Int128],
        bank: [EntityID: BankMark] = [:],
        beforeMinor: Int128?,
        opening: OpeningRow? = nil,
        choices: BookChoices,
        repayment: Repayment? = nil
    ) {
        self.repayment = repayment
        self.account = account
        self.page = page
        self.balancesMinor = balancesMinor
        self.bank = bank
        self.beforeMinor = beforeMinor
        self.opening = opening
        self.choices = choices
    }
}

/// The pace at which the debt of an account shrinks.
public struct Repayment: Hashable, Sendable {
    /// The change of the balance in some full months, in minor units: above zero if the debt has shrunk.
    public var changeMinor: Int128
    /// The number of these months, 1 to 12.
    public var monthCount: Int
    /// Whether the debt has shrunk in the present month already.
    public var isPaidThisMonth: Bool

    /// A pace.
    public init(changeMinor: Int128, monthCount: Int, isPaidThisMonth: Bool = false) {
        self.isPaidThisMonth = isPaidThisMonth
        self.changeMinor = changeMinor
        self.monthCount = monthCount
    }

    /// The change in one month, rounded down.
    public var perMonthMinor: Int128 { monthCount > 0 ? changeMinor / Int128(monthCount) : 0 }

    /// The month in which a debt ends at this pace; nil if it does not shrink, or not before the end of the calendar.
    /// - Parameters:
    ///   - owed: the debt in minor units, above zero.
    ///   - month: the month of the next payment.
    public func end(of owed: Int128, from month: YearMonth) -> YearMonth? {
        guard owed > 0, changeMinor > 0 else { return nil }
        // Rounded up.
        let (whole, isTooLarge) = owed.multipliedReportingOverflow(by: Int128(monthCount))
        guard !isTooLarge else { return nil }
        let months = whole / changeMinor + (whole % changeMinor == 0 ? 0 : 1)
        let last = YearMonth(year: 9999, month: 12).index - month.index
        guard let count = Int(exactly: months), count - 1 <= last else { return nil }
        return YearMonth(index: month.index + count - 1)
    }
}

/// The effect of moving all transactions of one account to another one of the same currency.
public struct TransactionMove: Sendable {
    /// Where they are before the move, with its present balance.
    public var source: AccountBalance
    /// The account that they move to.
    public var target: AccountBalance
    /// The number of transactions that move.
    public var count: Int
    /// The amount by which they change the balance of the target, in minor units.
    public var sumMinor: Int128
    /// The part of it by transactions after the day of the balances.
    public var toComeMinor: Int128 = 0
    /// The number of moving transactions that are older than the opening balance of the target. They count beside it.
    public var beforeOpeningCount = 0
    /// The number of transfers between the two accounts, which stay: a transfer needs two accounts.
    public var transferCount: Int
    /// The newest of these transfers, at most 20.
    public var transfers: [Transaction]

    /// The sum is in minor units of the currency of both accounts.
    public init(
        source: AccountBalance,
        target: AccountBalance,
        count: Int,
        sumMinor: Int128,
        transferCount: Int,
        transfers: [Transaction]
    ) {
        self.source = source
        self.target = target
        self.count = count
        self.sumMinor = sumMinor
        self.transferCount = transferCount
        self.transfers = transfers
    }
}
