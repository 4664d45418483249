// The rows of banks in reports: added to the sums of the book.
import Ledger

extension BankRows {
    /// The rows of a report over the open rows of some days.
    /// - Parameters:
    ///   - base: as `knownIn` of a report.
    ///   - converter: gives amounts in other currencies a value.
    ///   - name: the name under which the report shows a payee.
    func report(
        of days: ClosedRange<CivilDate>,
        by group: ReportGroup,
        knownIn base: CurrencyCode?,
        valued converter: DayConverter?,
        isSpendingOnly: Bool = false,
        named name: (String) throws -> String = { $0 }
    ) rethrows -> [ReportRow] {
        var sums = ReportSums()
        for row in open.of(days) {
            if isSpendingOnly, row.kind == .income, !row.isRefund { continue }
            let key: ReportRow.Key
            switch group {
            case .month: key = .month(row.date.yearMonth)
            case .category: key = .category(row.category)
            case .account: key = .account(row.account)
            case .payee: key = .payee(try name(transaction(row).payee))
            }
            let amount = MoneySum(row.amount)
            var value: Int128?
            if let converter, row.amount.currency != base {
                value = converter.value(of: amount, on: row.date)
            }
            sums.add(key, amount, row.kind, count: 1, isRefund: row.isRefund, value: value)
        }
        return sums.rows(valuedIn: base)
    }
}

extension [ReportRow] {
    /// These rows with the names of payees in place of their spellings, rows of one name and currency added up.
    func named(_ names: [String: String]) -> [ReportRow] {
        guard !names.isEmpty else { return self }
        var (kept, moved): ([ReportRow], [ReportRow]) = ([], [])
        for row in self {
            guard case .payee(let payee) = row.key, let name = names[payee] else {
                kept.append(row)
                continue
            }
            moved.append(ReportRow(key: .payee(name), total: row.total, value: row.value))
        }
        return kept.adding(moved)
    }

    /// The same amounts under one subject, added up by currency.
    func together(_ key: ReportRow.Key) -> [ReportRow] {
        [].adding(map { ReportRow(key: key, total: $0.total, value: $0.value) })
    }

    /// These rows and others, added up by subject and currency. Rows with a value and rows without one stay apart.
    func adding(_ others: [ReportRow]) -> [ReportRow] {
        guard !others.isEmpty else { return self }
        var rows = self
        var places: [ReportPlace: Int] = [:]
        for (index, row) in rows.enumerated() { places[ReportPlace(row)] = index }
        for other in others {
            guard let index = places[ReportPlace(other)] else {
                places[ReportPlace(other)] = rows.count
                rows.append(other)
                continue
            }
            rows[index].total.add(other.total)
            if let value = other.value { rows[index].value?.add(value) }
        }
        return rows
    }
}

/// A row of a report by what keeps it apart from others.
private struct ReportPlace: Hashable {
    let key: ReportRow.Key
    let currency: CurrencyCode
    let hasValue: Bool

    init(_ row: ReportRow) {
        (key, currency, hasValue) = (row.key, row.total.currency, row.value != nil)
    }
}
