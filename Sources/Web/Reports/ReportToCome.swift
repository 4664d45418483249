// The amounts to come of a report that has today in it, and ends today.

import Ledger
import Texts

/// The transactions after today of the span of a report.
struct ReportToCome: Sendable {
    let totals: [CurrencyTotal]
    let query: TransactionQuery

    /// The words that the report ends today; nil if nothing is to come.
    func untilToday(_ formats: Formats) -> Text? {
        guard totals.contains(where: { $0.count > 0 }) else { return nil }
        return Text("reports.until-today", ["day": .string(formats.longDay(formats.today))])
    }

    /// The income and spending that are to come, in the base currency for a user with rates.
    func lines(_ formats: Formats) -> [ToComeLine] {
        guard formats.conversion != nil else {
            return totals.flatMap { lines(of: $0, isConverted: false, formats) }
        }
        let together = formats.together(totals)
        return lines(of: together.total, isConverted: together.isConverted, formats)
            + together.leftOut.flatMap { lines(of: $0, isConverted: false, formats) }
    }

    private func lines(of total: CurrencyTotal, isConverted: Bool, _ formats: Formats) -> [ToComeLine] {
        let pair = ToComePair(total, isConverted: isConverted, of: query, formats)
        return [pair.income, pair.expense].compactMap(\.self)
    }
}
