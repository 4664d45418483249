// Totals of several currencies as one amount, with the amounts that have no rate apart.

/// Amounts of several currencies in one.
public struct ConvertedSum: Hashable, Sendable {
    /// The sum, without the amounts that were left out.
    public var sum: MoneySum
    /// Whether an amount of another currency is in the sum.
    public var isConverted: Bool
    /// The sum of each currency that has no rate, alphabetically.
    public var leftOut: [MoneySum]

    /// An amount of one currency alone; zero for none.
    public init(of amount: MoneySum?, in currency: CurrencyCode) {
        sum = amount ?? MoneySum(minor: 0, currency: currency)
        (isConverted, leftOut) = (false, [])
    }
}

/// Income and spending of several currencies in one.
public struct ConvertedTotal: Hashable, Sendable {
    /// The total, without the currencies that were left out.
    public var total: CurrencyTotal
    /// The totals of the other currencies that are in it, alphabetically.
    public var originals: [CurrencyTotal]
    /// The totals of the currencies that have no rate, alphabetically.
    public var leftOut: [CurrencyTotal]

    /// A total of one currency alone.
    public init(_ total: CurrencyTotal) { (self.total, originals, leftOut) = (total, [], []) }

    /// Whether an amount of another currency is in the total.
    public var isConverted: Bool { !originals.isEmpty }
}

extension CurrencyConverter {
    /// Adds up amounts of each currency exactly, converts each sum and rounds it once.
    public func sum(_ amounts: some Sequence<MoneySum>, in target: CurrencyCode) -> ConvertedSum {
        var sums = amounts.byCurrency
        var result = ConvertedSum(of: nil, in: target)
        var total = ConvertedAddition(sums.removeValue(forKey: target) ?? 0)
        for (code, minor) in sums.sorted(by: { $0.key < $1.key }) where minor != 0 {
            if total.add(MoneySum(minor: minor, currency: code), to: target, by: self) {
                result.isConverted = true
            } else {
                result.leftOut.append(MoneySum(minor: minor, currency: code))
            }
        }
        result.sum.minor = total.minor
        return result
    }

    /// Adds up the totals of each currency exactly, converts income and spending of each and rounds them once.
    ///
    /// `SpendingSum` computes the same spending from the same totals.
    public func total(_ totals: some Sequence<CurrencyTotal>, in target: CurrencyCode) -> ConvertedTotal {
        var sums: [CurrencyCode: CurrencyTotal] = [:]
        for total in totals {
            let none = CurrencyTotal(currency: total.currency, incomeMinor: 0, expenseMinor: 0, count: 0)
            sums[total.currency, default: none].add(total)
        }
        let none = CurrencyTotal(currency: target, incomeMinor: 0, expenseMinor: 0, count: 0)
        var whole = sums.removeValue(forKey: target) ?? none
        var income = ConvertedAddition(whole.incomeMinor)
        var expense = ConvertedAddition(whole.expenseMinor)
        var (originals, leftOut): ([CurrencyTotal], [CurrencyTotal]) = ([], [])
        for (code, sum) in sums.sorted(by: { $0.key < $1.key }) {
            guard sum.incomeMinor != 0 || sum.expenseMinor != 0 else {
                // Only transfers, or refunds that make up for everything.
                whole.count = whole.count.addingClamped(sum.count)
                continue
            }
            guard income.add(MoneySum(minor: sum.incomeMinor, currency: code), to: target, by: self),
                expense.add(MoneySum(minor: sum.expenseMinor, currency: code), to: target, by: self)
            else {
                leftOut.append(sum)
                continue
            }
            whole.count = whole.count.addingClamped(sum.count)
            originals.append(sum)
        }
        (whole.incomeMinor, whole.expenseMinor) = (income.minor, expense.minor)
        var result = ConvertedTotal(whole)
        (result.originals, result.leftOut) = (originals, leftOut)
        return result
    }
}

extension CurrencyTotal {
    /// Adds the total of other transactions in the same currency.
    public mutating func add(_ other: CurrencyTotal) {
        incomeMinor += other.incomeMinor
        expenseMinor += other.expenseMinor
        count = count.addingClamped(other.count)
    }
}

extension Sequence<MoneySum> {
    /// The sum of each currency, in minor units.
    public var byCurrency: [CurrencyCode: Int128] {
        reduce(into: [:]) { $0[$1.currency, default: 0] += $1.minor }
    }
}

/// A sum in one currency to which converted sums are added.
struct ConvertedAddition {
    private var exact: Int128
    private var isBeyond = false

    init(_ minor: Int128) { exact = minor }

    /// The sum in minor units. It is far beyond the amounts that can be shown if one of the added sums was.
    var minor: Int128 { isBeyond ? CurrencyConverter.limit : exact }

    /// Adds the value of a sum of another currency.
    /// - Returns: whether there is a rate.
    mutating func add(_ sum: MoneySum, to target: CurrencyCode, by converter: CurrencyConverter) -> Bool {
        do throws(ConversionError) {
            exact += try converter.convert(sum, to: target).minor
        } catch {
            guard case .tooLarge = error else { return false }
            isBeyond = true
        }
        return true
    }
}
