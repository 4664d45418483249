// The use of a budget.

/// The use of a budget in one month.
public struct BudgetStatus: Hashable, Sendable {
    /// The budget in effect, with the carry-over and the pace that hold in it.
    public var budget: Budget
    /// The amount that earlier months left over (positive) or overspent (negative), in minor units; 0 without
    /// rollover.
    public var carriedMinor: Int128
    /// The spending of the month less refunds, in minor units of the limit's currency; below zero if more came back. In
    /// the present month, up to today.
    public var spentMinor: Int128
    /// The same of the days of the present month after today.
    public var toComeMinor: Int128 = 0
    /// The number of expenses and refunds of the month on accounts in other currencies, which `spentMinor` omits.
    public var leftOutCount: Int
    /// The number of such expenses and refunds that `spentMinor` includes, converted.
    public var convertedCount: Int
    /// The way of spending that was chosen, or derived from earlier months.
    public var pace: BudgetPace

    /// Amounts are in minor units of the limit's currency.
    public init(
        budget: Budget,
        carriedMinor: Int128,
        spentMinor: Int128,
        leftOutCount: Int,
        convertedCount: Int = 0,
        pace: BudgetPace = .spread
    ) {
        self.budget = budget
        self.carriedMinor = carriedMinor
        self.spentMinor = spentMinor
        self.leftOutCount = leftOutCount
        self.convertedCount = convertedCount
        self.pace = pace
    }

    /// The limit plus the amount carried over.
    public var availableMinor: Int128 { Int128(budget.limit.minor) + carriedMinor }
    /// The amount to compare the spending with in words: the limit alone if earlier months have overspent, which is
    /// said apart.
    public var shownLimitMinor: Int128 { carriedMinor < 0 ? Int128(budget.limit.minor) : availableMinor }
}
