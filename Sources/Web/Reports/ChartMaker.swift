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

    /// The day of the balances at the end: a report that has today in it ends today.
    var lastDay: CivilDate? {
        days.map { $0.daysToCome(after: formats.today) == nil ? $0.upperBound : formats.today }
    }

    var valuation = Valuation.alone
    /// Whether the report was asked for by the rates of each day.
    var asksForDays = false

    /// A line of a report in the currency of the figure.
    struct Line {
        let key: ReportRow.Key
        let total: CurrencyTotal
        let isConverted: Bool
        /// The amounts of each currency.
        let received: [ReportAmount]
        let spent: [ReportAmount]
    }

    /// The rows of each subject in one line, in the order of the first of them.
    func together(_ rows: [ReportRow], _ currency: CurrencyCode) -> [Line] {
        let counted = valuation.converts ? rows : rows.filter { $0.total.currency == currency }
        let bySubject = Dictionary(grouping: counted, by: \.key)
        var seen: Set<ReportRow.Key> = []
        return counted.map(\.key).filter { seen.insert($0).inserted }.compactMap { key in
            let own = bySubject[key] ?? []
            let together = valuation.total(own, in: currency)
            // A subject whose only currency has no rate has a figure of its own.
            guard together.leftOut.count < own.count else { return nil }
            return Line(
                key: key,
                total: together.total,
                isConverted: together.isConverted,
                received: own.map(\.income),
                spent: own.map(\.expense)
            )
        }
    }

    func sum(_ amounts: [ReportAmount], _ currency: CurrencyCode) -> ConvertedSum {
        valuation.sum(amounts, in: currency)
    }

    // MARK: Cells

    func incomeCell(_ line: Line) -> TableCell {
        cell(line.received, line.total.currency, minor: line.total.incomeMinor) {
            href(line.key) { $0.kind = .income }
        }
    }

    func expenseCell(_ line: Line) -> TableCell {
        cell(line.spent, line.total.currency, minor: line.total.expenseMinor) {
            href(line.key) { $0.isSpending = true }
        }
    }

    private func cell(_ amounts: [ReportAmount], _ currency: CurrencyCode, minor: Int128, href: () -> Link)
        -> TableCell
    {
        var cell = cell(amounts, currency)
        cell.href = minor == 0 ? nil : href()
        return cell
    }

    /// The cell of a sum of amounts, with the amounts of each currency if some were converted.
    func cell(_ amounts: [ReportAmount], _ currency: CurrencyCode, href: Link? = nil) -> TableCell {
        let sum = sum(amounts, currency)
        let included = amounts.filter { amount in
            amount.money.currency == currency || amount.value != nil
                || !sum.leftOut.contains { $0.currency == amount.money.currency }
        }
        let originals = included.map(\.money).ofEachCurrency.filter { $0.minor != 0 }
        var cell = TableCell(
            sum.sum,
            formats,
            isConverted: sum.isConverted,
            originals: sum.isConverted ? originals.map { formats.listed($0) }.joined(separator: " + ") : nil
        )
        cell.href = href
        return cell
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

    /// All spending of some days.
    func spendingHref(_ days: ClosedRange<CivilDate>?) -> Link {
        var query = TransactionQuery()
        query.days = days
        query.isSpending = true
        return TransactionsPage.href(query)
    }

    /// The report that has the balances of each account at the beginning and the end of a month.
    func balancesHref(_ month: YearMonth, _ currency: CurrencyCode) -> Link {
        let query = [("group", ReportKind.worth.rawValue), ("from", "\(month)"), ("to", "\(month)")]
        return Link.reports.adding(query: query + (asksForDays ? [("rates", ReportsPage.ofDays)] : []))
            .adding(fragment: Self.balancesID(currency))
    }

    /// The id of the figure with the balances of each account.
    static func balancesID(_ currency: CurrencyCode) -> String { "accounts-\(currency)" }

    /// The register of an account in the month of a day.
    func registerHref(_ account: EntityID, _ day: CivilDate?) -> Link {
        var query = TransactionQuery()
        query.month = day?.yearMonth
        return AccountRegisterPage.href(account, query)
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
    func distance(_ first: Int128, _ second: Int128) -> Int128 { abs(first - second) }
}
