// Income and spending by currency.

/// Income and spending of a period in one currency, without transfers.
public struct CurrencyTotal: Hashable, Sendable {
    /// The currency of the transactions.
    public var currency: CurrencyCode
    /// The sum of income, in minor units.
    public var incomeMinor: Int128
    /// The sum of expenses as a positive number of minor units.
    public var expenseMinor: Int128
    /// The number of transactions, transfers included.
    public var count: Int

    /// Both sums are positive numbers of minor units.
    public init(currency: CurrencyCode, incomeMinor: Int128, expenseMinor: Int128, count: Int) {
        self.currency = currency
        self.incomeMinor = incomeMinor
        self.expenseMinor = expenseMinor
        self.count = count
    }
}

/// The totals of one day.
public struct DayTotal: Hashable, Sendable {
    /// All transactions of this day that pass the filter count, also transactions on other pages.
    public var date: CivilDate
    /// By currency, alphabetically.
    public var totals: [CurrencyTotal]

    /// The totals are sorted by currency.
    public init(date: CivilDate, totals: [CurrencyTotal]) {
        self.date = date
        self.totals = totals
    }
}
