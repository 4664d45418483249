// Spending in one currency, from amounts in several: exact sums, converted once.

/// Spending by currency that is to be one amount.
///
/// An amount counts exactly if it is in the currency: what the account was charged, or else what was paid. All others
/// need a converter; without one they are left out and counted.
public struct SpendingSum: Sendable {
    /// The currency of the result.
    public let currency: CurrencyCode
    private var knownMinor: Int128 = 0
    private var others: [CurrencyCode: (minor: Int128, count: Int)] = [:]

    /// Nothing spent yet.
    public init(in currency: CurrencyCode) { self.currency = currency }

    /// Adds expenses, or subtracts refunds.
    /// - Parameters:
    ///   - charged: the sum on accounts of one currency, in their currency.
    ///   - paid: the same transactions in the currency in which they were paid.
    ///   - count: the number of the transactions.
    public mutating func add(
        charged: (minor: Int128, currency: CurrencyCode),
        paid: (minor: Int128, currency: CurrencyCode),
        count: Int,
        isRefund: Bool
    ) {
        let sign: Int128 = isRefund ? -1 : 1
        if charged.currency == currency {
            knownMinor += sign * charged.minor
        } else if paid.currency == currency {
            knownMinor += sign * paid.minor
        } else {
            let other = others[charged.currency] ?? (0, 0)
            others[charged.currency] = (other.minor + sign * charged.minor, other.count.addingClamped(count))
        }
    }

    /// The whole in the currency of the result.
    public func total(_ converter: CurrencyConverter?) -> SpendingTotal {
        var total = SpendingTotal(minor: knownMinor, leftOutCount: 0, convertedCount: 0)
        var sum = ConvertedAddition(knownMinor)
        for (code, other) in others {
            let own = MoneySum(minor: other.minor, currency: code)
            if let converter, sum.add(own, to: currency, by: converter) {
                total.convertedCount = total.convertedCount.addingClamped(other.count)
            } else {
                total.leftOutCount = total.leftOutCount.addingClamped(other.count)
            }
        }
        total.minor = sum.minor
        return total
    }
}

/// Spending in one currency.
public struct SpendingTotal: Hashable, Sendable {
    /// Expenses less refunds in minor units; below zero if more came back. Sums over years may exceed 64 bits.
    public var minor: Int128
    /// The number of transactions on accounts in other currencies that are not in `minor`.
    public var leftOutCount: Int
    /// The number of transactions on accounts in other currencies that were converted.
    public var convertedCount: Int
}

/// The average spending of earlier months, as a limit for a category without a budget.
public struct BudgetSuggestion: Hashable, Sendable {
    /// The category with its children; nil for all spending.
    public var category: EntityID?
    /// The average of a month, rounded half-even, above zero.
    public var average: Money
    /// The number of full months of the average: three, or fewer in a young book.
    public var monthCount: Int

    /// The average of some months.
    /// - Parameter spentMinor: the spending of all of them.
    /// - Returns: nil if the average is not above zero, or does not fit an amount.
    public init?(category: EntityID?, spentMinor: Int128, currency: CurrencyCode, monthCount: Int) {
        guard let average = try? Fraction(spentMinor, over: Int128(monthCount)).rounded,
            let minor = Int64(exactly: average), minor > 0
        else { return nil }
        self.category = category
        self.average = Money(minor: minor, currency: currency)
        self.monthCount = monthCount
    }
}
