// Totals of several currencies as one amount, with the amounts that have no rate apart.

/// Amounts of several currencies in one.
public struct ConvertedSum: Hashable, Sendable {
    /// The sum, without the amounts that were left out.
    public var sum: Money
    /// Whether an amount of another currency is in the sum.
    public var isConverted: Bool
    /// The sum of each currency that cannot be converted, alphabetically.
    public var leftOut: [Money]

    /// An amount of one currency alone; zero for none.
    public init(of amount: Money?, in currency: CurrencyCode) {
        sum = amount ?? Money(minor: 0, currency: currency)
        (isConverted, leftOut) = (false, [])
    }
}

/// Income and spending of several currencies in one.
public struct ConvertedTotal: Hashable, Sendable {
    /// The total, without the currencies that were left out.
    public var total: CurrencyTotal
    /// The totals of the other currencies that are in it, alphabetically.
    public var originals: [CurrencyTotal]
    /// The totals of the currencies that cannot be converted, alphabetically.
    public var leftOut: [CurrencyTotal]

    /// A total of one currency alone.
    public init(_ total: CurrencyTotal) { (self.total, originals, leftOut) = (total, [], []) }

    /// Whether an amount of another currency is in the total.
    public var isConverted: Bool { !originals.isEmpty }
}

extension CurrencyConverter {
    /// Adds up amounts of each currency exactly, converts each sum and rounds it once.
    public func sum(_ amounts: some Sequence<Money>, in target: CurrencyCode) -> ConvertedSum {
        var sums: [CurrencyCode: Int128] = [:]
        for amount in amounts { sums[amount.currency, default: 0] += Int128(amount.minor) }
        var minor = sums.removeValue(forKey: target) ?? 0
        var result = ConvertedSum(of: nil, in: target)
        for (code, sum) in sums.sorted(by: { $0.key < $1.key }) where sum != 0 {
            if let converted = converted(sum, code, target) {
                minor += converted
                result.isConverted = true
            } else {
                result.leftOut.append(Money(minor: Int64(clamping: sum), currency: code))
            }
        }
        result.sum.minor = Int64(clamping: minor)
        return result
    }

    /// Adds up the totals of each currency exactly, converts income and spending of each and rounds them once.
    ///
    /// `SpendingSum` computes the same spending from the same totals.
    public func total(_ totals: some Sequence<CurrencyTotal>, in target: CurrencyCode) -> ConvertedTotal {
        var sums: [CurrencyCode: (income: Int128, expense: Int128, count: Int)] = [:]
        for total in totals {
            var sum = sums[total.currency] ?? (0, 0, 0)
            sum.income += Int128(total.incomeMinor)
            sum.expense += Int128(total.expenseMinor)
            sum.count = sum.count.addingClamped(total.count)
            sums[total.currency] = sum
        }
        var whole = sums.removeValue(forKey: target) ?? (0, 0, 0)
        var (originals, leftOut): ([CurrencyTotal], [CurrencyTotal]) = ([], [])
        for (code, sum) in sums.sorted(by: { $0.key < $1.key }) {
            let own = CurrencyTotal(
                currency: code,
                incomeMinor: Int64(clamping: sum.income),
                expenseMinor: Int64(clamping: sum.expense),
                count: sum.count
            )
            guard sum.income != 0 || sum.expense != 0 else {
                // Only transfers, or refunds that make up for everything.
                whole.count = whole.count.addingClamped(sum.count)
                continue
            }
            guard let income = converted(sum.income, code, target),
                let expense = converted(sum.expense, code, target)
            else {
                leftOut.append(own)
                continue
            }
            whole.income += income
            whole.expense += expense
            whole.count = whole.count.addingClamped(sum.count)
            originals.append(own)
        }
        var result = ConvertedTotal(
            CurrencyTotal(
                currency: target,
                incomeMinor: Int64(clamping: whole.income),
                expenseMinor: Int64(clamping: whole.expense),
                count: whole.count
            )
        )
        (result.originals, result.leftOut) = (originals, leftOut)
        return result
    }

    private func converted(_ sum: Int128, _ code: CurrencyCode, _ target: CurrencyCode) -> Int128? {
        guard let minor = Int64(exactly: sum),
            let money = try? convert(Money(minor: minor, currency: code), to: target)
        else { return nil }
        return Int128(money.minor)
    }
}
