// Converts amounts of several currencies into one: by no rate, by the latest rates, or by the rates of their days.

import Ledger

struct ReportAmount: Hashable {
    let money: MoneySum
    /// The value in the base currency by the rates of its days; nil if there is none, or if the latest rates hold.
    var value: Int128?

    /// Whether it counts in a sum.
    var isSomething: Bool { money.minor != 0 || value ?? 0 != 0 }

    var negated: Self {
        Self(
            money: MoneySum(minor: -money.minor, currency: money.currency),
            value: value.map { -$0 }
        )
    }
}

/// How the amounts of a figure become one amount in its currency.
enum Valuation: Sendable {
    /// Only amounts in the currency count.
    case alone
    /// By the latest rates.
    case latest(CurrencyConverter)
    /// By the rates of each day.
    case ofDays(DayConverter)

    /// Whether amounts of other currencies count.
    var converts: Bool {
        switch self {
        case .alone: false
        case .latest, .ofDays: true
        }
    }

    /// A balance on a day.
    func amount(_ money: MoneySum, on day: CivilDate) -> ReportAmount {
        guard case .ofDays(let converter) = self else { return ReportAmount(money: money) }
        return ReportAmount(money: money, value: converter.value(of: money, on: day))
    }

    func sum(_ amounts: [ReportAmount], in target: CurrencyCode) -> ConvertedSum {
        switch self {
        case .alone:
            let own = amounts.filter { $0.money.currency == target }
            let minor = own.reduce(Int128(0)) { $0 + $1.money.minor }
            return ConvertedSum(of: MoneySum(minor: minor, currency: target), in: target)
        case .latest(let converter): return converter.sum(amounts.map(\.money), in: target)
        case .ofDays:
            var result = ConvertedSum(of: nil, in: target)
            // A balance that stayed the same may have another value.
            for amount in amounts where amount.isSomething {
                let isOther = amount.money.currency != target
                guard let minor = isOther ? amount.value : amount.money.minor else {
                    result.leftOut.append(amount.money)
                    continue
                }
                result.sum.minor += minor
                if isOther { result.isConverted = true }
            }
            result.leftOut = result.leftOut.ofEachCurrency
            return result
        }
    }

    /// Income and spending of some rows.
    func total(_ rows: [ReportRow], in target: CurrencyCode) -> ConvertedTotal {
        switch self {
        case .alone:
            let own = rows.map(\.total).filter { $0.currency == target }
            return ConvertedTotal(own.reduce(into: .none(of: target)) { $0.add($1) })
        case .latest(let converter): return converter.total(rows.map(\.total), in: target)
        case .ofDays:
            var (whole, originals, leftOut) = (
                CurrencyTotal.none(of: target), [CurrencyTotal](), [CurrencyTotal]()
            )
            for row in rows {
                let isOther = row.total.currency != target
                // A month in which nothing was paid in the currency.
                if row.value == nil, row.total.incomeMinor == 0, row.total.expenseMinor == 0 {
                    whole.add(row.total)
                    continue
                }
                guard let counted = isOther ? row.value : row.total else {
                    leftOut.append(row.total)
                    continue
                }
                whole.add(counted)
                if isOther { originals.append(row.total) }
            }
            var result = ConvertedTotal(whole)
            (result.originals, result.leftOut) = (originals, leftOut)
            return result
        }
    }
}

extension ReportRow {
    /// Whether anything was spent, or came back. Amounts that cancel in their currency may have a value.
    var hasExpense: Bool { total.expenseMinor != 0 || value?.expenseMinor ?? 0 != 0 }

    var income: ReportAmount {
        ReportAmount(
            money: MoneySum(minor: total.incomeMinor, currency: total.currency),
            value: value?.incomeMinor
        )
    }

    /// The spending, less refunds.
    var expense: ReportAmount {
        ReportAmount(
            money: MoneySum(minor: total.expenseMinor, currency: total.currency),
            value: value?.expenseMinor
        )
    }
}

extension CurrencyTotal {
    fileprivate static func none(of currency: CurrencyCode) -> Self {
        Self(currency: currency, incomeMinor: 0, expenseMinor: 0, count: 0)
    }
}

extension [MoneySum] {
    /// The sum of each currency, alphabetically.
    var ofEachCurrency: [MoneySum] {
        byCurrency.sorted { $0.key < $1.key }.map { MoneySum(minor: $0.value, currency: $0.key) }
    }
}
