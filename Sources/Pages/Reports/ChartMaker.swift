// Makes charts, titled with their main result, from the amounts of a report.

import Ledger
import Links
import Texts

/// Makes the figures of a report, each in one currency.
struct ChartMaker {
    let formats: Formats
    let catalog: Catalog
    /// The days of the report, to whose transactions its rows lead.
    let days: ClosedRange<CivilDate>?

    /// Converts the amounts of other currencies; nil for a figure of one currency alone.
    var converter: CurrencyConverter?

    /// A line of a report in the currency of the figure.
    struct Line {
        let key: ReportRow.Key
        let total: CurrencyTotal
        let isConverted: Bool
        /// The amounts of each currency that are in the line.
        let received: [Money]
        let spent: [Money]
    }

    /// The rows of each subject in one line, in the order of the first of them.
    func together(_ rows: [ReportRow], _ currency: CurrencyCode) -> [Line] {
        guard let converter else {
            return rows.filter { $0.total.currency == currency }.map { row in
                let spent = Money(minor: row.total.expenseMinor, currency: currency)
                return Line(key: row.key, total: row.total, isConverted: false, received: [], spent: [spent])
            }
        }
        let bySubject = Dictionary(grouping: rows, by: \.key)
        var seen: Set<ReportRow.Key> = []
        return rows.map(\.key).filter { seen.insert($0).inserted }.compactMap { key in
            let totals = (bySubject[key] ?? []).map(\.total)
            let together = converter.total(totals, in: currency)
            let included = totals.filter { $0.currency == currency } + together.originals
            // A subject whose only currency has no rate has a figure of its own.
            guard together.leftOut.count < totals.count else { return nil }
            return Line(
                key: key,
                total: together.total,
                isConverted: together.isConverted,
                received: included.map { Money(minor: $0.incomeMinor, currency: $0.currency) },
                spent: included.map { Money(minor: $0.expenseMinor, currency: $0.currency) }
            )
        }
    }

    /// The sum of amounts: in all currencies with a rate, or in that of the figure alone.
    func sum(_ amounts: [Money], _ currency: CurrencyCode) -> ConvertedSum {
        if let converter { return converter.sum(amounts, in: currency) }
        let own = amounts.filter { $0.currency == currency }
        return ConvertedSum(of: Money(minor: sum(own.map(\.minor)), currency: currency), in: currency)
    }

    func sum(_ values: some Sequence<Int64>) -> Int64 {
        values.reduce(0) { $0.addingClamped($1) }
    }

    // MARK: Cells

    func incomeCell(_ line: Line) -> TableCell {
        var cell = cell(line.total.incomeMinor, line.total.currency, line.isConverted ? line.received : [])
        cell.href = line.total.incomeMinor == 0 ? nil : href(line.key) { $0.kind = .income }
        return cell
    }

    func expenseCell(_ line: Line) -> TableCell {
        var cell = cell(line.total.expenseMinor, line.total.currency, line.isConverted ? line.spent : [])
        cell.href = line.total.expenseMinor == 0 ? nil : href(line.key) { $0.isSpending = true }
        return cell
    }

    /// - Parameter originals: the amounts of each currency in a converted amount. It is exact if there is none of
    ///   another currency.
    func cell(_ minor: Int64, _ currency: CurrencyCode, _ originals: [Money] = []) -> TableCell {
        let others = originals.filter { $0.minor != 0 }
        let isConverted = others.contains { $0.currency != currency }
        return TableCell(
            Money(minor: minor, currency: currency),
            formats,
            isConverted: isConverted,
            originals: isConverted ? others.map { formats.money($0) }.joined(separator: " + ") : nil
        )
    }

    /// The cell of a sum of amounts.
    func cell(_ amounts: [Money], _ currency: CurrencyCode, href: Link? = nil) -> TableCell {
        let sum = sum(amounts, currency)
        let missing = Set(sum.leftOut.map(\.currency))
        var cell = cell(
            sum.sum.minor,
            currency,
            sum.isConverted ? byCurrency(amounts).filter { !missing.contains($0.currency) } : []
        )
        cell.href = href
        return cell
    }

    func byCurrency(_ amounts: [Money]) -> [Money] {
        var sums: [CurrencyCode: Int64] = [:]
        for amount in amounts {
            sums[amount.currency] = (sums[amount.currency] ?? 0).addingClamped(amount.minor)
        }
        return sums.sorted { $0.key < $1.key }.map { Money(minor: $0.value, currency: $0.key) }
    }

    // MARK: Words and links

    /// The transactions of a subject of the report.
    func href(_ key: ReportRow.Key, _ narrow: (inout TransactionQuery) -> Void = { _ in }) -> Link {
        var query = TransactionQuery()
        query.days = days
        switch key {
        case .category(let id): query.category = id.map { .family($0) } ?? .uncategorized
        case .month(let month): query.month = month
        case .account(let id): query.account = id
        case .payee(let payee): query.payee = payee
        }
        narrow(&query)
        return TransactionsPage.href(query)
    }

    func isAccount(_ key: ReportRow.Key) -> Bool {
        if case .account = key { true } else { false }
    }

    func name(_ key: ReportRow.Key) -> Text {
        switch key {
        case .category(let id): catalog.categoryName(id)
        case .month(let month): .verbatim(formats.monthTitle(month))
        case .account(let id): catalog.accountName(id)
        case .payee(let payee): payee.isEmpty ? Text("reports.no-payee") : .verbatim(payee)
        }
    }

    /// The distance between two amounts.
    func distance(_ first: Int64, _ second: Int64) -> Int64 {
        let difference = first.subtractingClamped(second)
        return difference == .min ? .max : abs(difference)
    }
}
