// The use of a budget.

/// The use of a budget in one month.
public struct BudgetStatus: Hashable, Sendable {
    /// The budget in effect, with the carry-over and the pace that hold in it.
    public var budget: Budget
    /// The amount that earlier months left over (positive) or overspent (negative), in minor units; 0 without
    /// rollover.
    public var carriedMinor: Int64
    /// The spending of the month less refunds, in minor units of the limit's currency; below zero if more came back. In
    /// the present month, up to today.
    public var spentMinor: Int64
    /// The same of the days of the present month after today.
    public var toComeMinor: Int64 = 0
    /// The number of expenses and refunds of the month on accounts in other currencies, which `spentMinor` omits.
    public var leftOutCount: Int
    /// The number of such expenses and refunds that `spentMinor` includes, converted.
    public var convertedCount: Int
    /// The way of spending that was chosen, or derived from earlier months.
    public var pace: BudgetPace

    /// Amounts are in minor units of the limit's currency.
    public init(
        budget: Budget,
        carriedMinor: Int64,
        spentMinor: Int64,
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
    public var availableMinor: Int64 { budget.limit.minor.addingClamped(carriedMinor) }
    /// The amount to compare the spending with in words: the limit alone if earlier months have overspent, which is
    /// said apart.
    public var shownLimitMinor: Int64 { carriedMinor < 0 ? budget.limit.minor : availableMinor }
}
