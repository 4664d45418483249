// Income and spending of a report, added up by subject and currency.
import Ledger

/// Sums of a report. They are exact, and clamped to 64 bits in the rows.
struct ReportSums {
    private struct Place: Hashable {
        let key: ReportRow.Key
        let currency: CurrencyCode
        let hasValue: Bool
    }

    private struct Sum {
        var income: Int128 = 0
        var expense: Int128 = 0
        var count = 0

        mutating func add(_ minor: Int64, _ kind: TransactionKind, count: Int, isRefund: Bool) {
            self.count = self.count.addingClamped(count)
            switch kind {
            case .income where isRefund: expense -= Int128(minor)
            case .income: income += Int128(minor)
            case .expense: expense += Int128(minor)
            case .transfer: break
            }
        }

        func total(in currency: CurrencyCode) -> CurrencyTotal {
            CurrencyTotal(
                currency: currency,
                incomeMinor: Int64(clamping: income),
                expenseMinor: Int64(clamping: expense),
                count: count
            )
        }
    }

    private let base: CurrencyCode
    private var sums: [Place: (total: Sum, value: Sum)] = [:]

    /// - Parameter base: the currency of values.
    init(base: CurrencyCode) { self.base = base }

    /// - Parameter value: the value of the amount in the base currency; nil if it has none.
    mutating func add(
        _ key: ReportRow.Key,
        _ amount: Money,
        _ kind: TransactionKind,
        count: Int,
        isRefund: Bool,
        value: Int64? = nil
    ) {
        let place = Place(key: key, currency: amount.currency, hasValue: value != nil)
        sums[place, default: (Sum(), Sum())].total.add(amount.minor, kind, count: count, isRefund: isRefund)
        guard let value else { return }
        sums[place, default: (Sum(), Sum())].value.add(value, kind, count: count, isRefund: isRefund)
    }

    /// Turns income that was added before into a reduction of spending.
    mutating func turnIntoRefund(_ key: ReportRow.Key, _ amount: Money) {
        let place = Place(key: key, currency: amount.currency, hasValue: false)
        sums[place, default: (Sum(), Sum())].total.income -= Int128(amount.minor)
        sums[place, default: (Sum(), Sum())].total.expense -= Int128(amount.minor)
    }

    /// A row for each subject and currency, in no particular order.
    var rows: [ReportRow] {
        sums.map { place, sum in
            ReportRow(
                key: place.key,
                total: sum.total.total(in: place.currency),
                value: place.hasValue ? sum.value.total(in: base) : nil
            )
        }
    }
}
