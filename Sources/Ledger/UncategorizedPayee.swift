// The transactions without a category of one payee.

/// The expenses and income without a category of a payee, in all its spellings. Splits are none of them.
public struct UncategorizedPayee: Hashable, Sendable {
    /// The spelling under which pages show the payee; empty for the transactions that name none.
    public let name: String
    /// The number of transactions.
    public var count = 0
    /// Income and spending by currency, in the order of the codes.
    public var totals: [CurrencyTotal] = []
    /// The day of the first transaction.
    public var first: CivilDate
    /// The day of the last one.
    public var last: CivilDate

    /// Does not check that the days are in order.
    public init(name: String, first: CivilDate, last: CivilDate) {
        self.name = name
        self.first = first
        self.last = last
    }

    /// Whether no expense is among them, so that a category of income fits all.
    public var isIncomeOnly: Bool { totals.allSatisfy { $0.expenseMinor == 0 } }
}
