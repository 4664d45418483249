// Which amounts of a report count in its main figure, and which have figures of their own.

import Ledger
import Texts

extension ReportContent {
    var currencies: Set<CurrencyCode> { Set(amounts.map(\.money.currency)).union(unknownCurrencies) }

    /// The currencies of accounts whose balances are unknown.
    private var unknownCurrencies: Set<CurrencyCode> {
        switch self {
        case .flow(let flows): Set(flows.filter { $0.unknownCount > 0 }.map(\.currency))
        case .worth(_, let accounts): Set(accounts.filter { $0.unknown != nil }.map(\.currency))
        case .totals, .comparison: []
        }
    }

    /// The main amounts: income and spending, which is negative, or the balances at the end.
    var amounts: [ReportAmount] {
        switch self {
        case .totals(let rows): rows.flatMap { [$0.income, $0.expense.negated] }
        case .flow(let flows):
            flows.filter { $0.incomeMinor != 0 || $0.expenseMinor != 0 || $0.endMinor != 0 }
                .map { ReportAmount(money: MoneySum(minor: $0.endMinor, currency: $0.currency)) }
        case .worth(let points, _):
            points.filter { $0.month == points.last?.month }
                .map { ReportAmount(money: MoneySum(minor: $0.balanceMinor, currency: $0.currency)) }
        case .comparison(let comparison):
            // The month before is one of the year.
            (comparison.rows + comparison.rowsOfYear).flatMap { [$0.income, $0.expense.negated] }
        }
    }

    /// The currencies of which amounts are left out of the main figure for want of a rate.
    func missing(_ valuation: Valuation, in base: CurrencyCode, _ days: ClosedRange<CivilDate>?) -> Set<
        CurrencyCode
    > {
        switch valuation {
        case .alone: []
        case .latest(let converter): currencies.filter { $0 != base && !converter.hasRate(of: $0) }
        case .ofDays(let converter):
            switch self {
            case .totals, .comparison:
                Set(
                    amounts.filter { $0.money.currency != base && $0.money.minor != 0 && $0.value == nil }
                        .map(\.money.currency)
                )
            case .flow: []
            case .worth(let points, let accounts):
                // A line that a currency joins in the middle would show a growth that there was not.
                Set(points.map(\.currency) + accounts.map(\.currency)).filter { currency in
                    let one = MoneySum(minor: 1, currency: currency)
                    let ends = points.filter { $0.currency == currency }.map(\.month.lastDay)
                    let beginning = days.map { [$0.lowerBound.adding(days: -1)] } ?? []
                    return (ends + beginning).contains { converter.value(of: one, on: $0) == nil }
                }
            }
        }
    }

    /// The main amounts that are left out of the main figure.
    func leftOut(_ missing: Set<CurrencyCode>, _ valuation: Valuation) -> [ReportAmount] {
        amounts.filter {
            missing.contains($0.money.currency) && (hasWholeCurrencies(valuation) || $0.value == nil)
        }
    }

    /// Whether an amount of another currency counts in the main figure.
    func hasConverted(_ missing: Set<CurrencyCode>, _ valuation: Valuation, in base: CurrencyCode) -> Bool {
        valuation.converts
            && amounts.contains { amount in
                amount.money.currency != base && amount.isSomething
                    && (!missing.contains(amount.money.currency)
                        || (!hasWholeCurrencies(valuation) && amount.value != nil))
            }
    }

    /// The amounts that count in the main figure.
    func without(_ missing: Set<CurrencyCode>, _ valuation: Valuation) -> ReportContent {
        guard hasWholeCurrencies(valuation), case .worth(let points, let accounts) = self else { return self }
        return .worth(
            points.filter { !missing.contains($0.currency) },
            accounts.filter { !missing.contains($0.currency) }
        )
    }

    /// The amounts of the figure of one currency.
    func only(_ currency: CurrencyCode, _ missing: Set<CurrencyCode>, _ valuation: Valuation) -> ReportContent
    {
        let takesAll = hasWholeCurrencies(valuation) || !missing.contains(currency)
        func own(_ rows: [ReportRow]) -> [ReportRow] {
            rows.filter { $0.total.currency == currency && (takesAll || $0.value == nil) }
        }
        return switch self {
        case .totals(let rows): .totals(own(rows))
        case .flow(let flows): .flow(flows.filter { $0.currency == currency })
        case .worth(let points, let accounts):
            .worth(points.filter { $0.currency == currency }, accounts.filter { $0.currency == currency })
        case .comparison(let comparison): .comparison(comparison.with(own))
        }
    }

    /// Whether a currency counts with all its amounts or none. By the rates of each day, some transactions of a currency
    /// may have a rate and others not.
    private func hasWholeCurrencies(_ valuation: Valuation) -> Bool {
        guard case .ofDays = valuation else { return true }
        return switch self {
        case .totals, .comparison: false
        case .flow, .worth: true
        }
    }
}

extension RateHistory {
    /// The first and the last day of the rates that hold on some days, as an interval of ISO 8601.
    func span(in span: ClosedRange<CivilDate>) -> String? {
        guard let first = rates(on: span.lowerBound)?.day ?? days.first?.day,
            let last = rates(on: span.upperBound)?.day ?? days.last?.day, first <= last
        else { return nil }
        return "\(first)/\(last)"
    }
}

extension Formats {
    /// The words about the rates of a report.
    /// - Parameter leftOut: the amounts without a rate.
    func ratesLine(
        isConverted: Bool,
        leftOut: [String],
        dayRates: DayRates,
        _ days: ClosedRange<CivilDate>?
    ) -> RatesLine? {
        switch dayRates {
        case .unused: return ratesLine(isConverted: isConverted, leftOut: leftOut)
        case .missing:
            var line = ratesLine(isConverted: isConverted, leftOut: leftOut)
            line?.hint = Text("reports.day-rates-missing")
            return line
        case .of(let converter):
            guard var line = ratesLine(isConverted: isConverted, leftOut: leftOut) else { return nil }
            let (first, last) = (converter.history.days.first?.day, converter.history.days.last?.day)
            // The newest rates also convert the days after them.
            let isUpToDate = days.map { $0.upperBound <= last ?? $0.lowerBound } ?? true
            let cautions = isUpToDate ? [] : last.flatMap { conversion?.cautions(of: $0, self) } ?? []
            line.notes =
                (isConverted ? [Text("reports.by-day-rates"), Text("reports.lists-at-latest-rates")] : [])
                + cautions
            // A currency may have no rate although all days have rates of others.
            guard !leftOut.isEmpty, let days, first ?? days.upperBound > days.lowerBound else { return line }
            line.hint =
                first.map { Text("reports.day-rates-since", ["day": .string(longDay($0))]) }
                ?? Text("reports.no-day-rates")
            return line
        }
    }
}
