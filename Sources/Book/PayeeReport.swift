// Reports by payee, from the sums of whole years where a range covers them.
import GRDB
import Ledger
import Storage

/// Some periods of `payee_charges`: months, or years below zero.
struct PayeePeriods: Equatable {
    let periods: ClosedRange<Int>
    /// Whether these months are taken away from a year.
    var isSubtracted = false
}

extension ClosedRange<YearMonth> {
    /// The periods whose sums are those of the range.
    ///
    /// A year that is covered by more than half is its own sum less the months outside, so that at most six months are
    /// read at each end, however long the range is.
    var payeePeriods: [PayeePeriods] {
        let (first, last) = (lowerBound.year, upperBound.year)
        guard first < last else { return partOfYear(first, lowerBound.index...upperBound.index) }
        let between = last - first > 1 ? [PayeePeriods(periods: -(last - 1) ... -(first + 1))] : []
        return partOfYear(first, lowerBound.index...first * 12 + 11) + between
            + partOfYear(last, last * 12...upperBound.index)
    }

    private func partOfYear(_ year: Int, _ months: ClosedRange<Int>) -> [PayeePeriods] {
        guard months.count > 6 else { return [PayeePeriods(periods: months)] }
        let (january, december) = (year * 12, year * 12 + 11)
        var parts = [PayeePeriods(periods: -year ... -year)]
        if months.lowerBound > january {
            parts.append(PayeePeriods(periods: january...months.lowerBound - 1, isSubtracted: true))
        }
        if months.upperBound < december {
            parts.append(PayeePeriods(periods: months.upperBound + 1...december, isSubtracted: true))
        }
        return parts
    }
}

extension BookDatabase {
    /// The rows of a report by payee, in no particular order. Without transfers and the empty payee.
    /// - Parameter base: as `knownIn` of a report.
    func payees(_ span: ClosedRange<YearMonth>, knownIn base: CurrencyCode?, _ lookups: Lookups) throws
        -> [ReportRow]
    {
        var sums = ReportSums()
        let sql = """
            SELECT payee, kind, account, currency, count, minor, account_minor FROM payee_charges
            WHERE period BETWEEN ? AND ? AND count > 0
            """
        // The rows of a payee come together, so that its text is seldom copied.
        var payee = ""
        for part in span.payeePeriods {
            let sign = part.isSubtracted ? -1 : 1
            try forEach(sql, [part.periods.lowerBound, part.periods.upperBound]) { row in
                if !row.isText(0, payee) { payee = row.text(0) }
                let paid = Money(minor: Int64(sign) * row.int64(5), currency: try row.currency(3))
                sums.add(
                    .payee(payee),
                    try lookups.known(paid, charged: Int64(sign) * row.int64(6), to: row.id(2), in: base),
                    try row.kind(1),
                    count: sign * row.int(4),
                    isRefund: false
                )
            }
        }
        try addRefundsOfPayees(span, knownIn: base, to: &sums)
        return sums.rows()
    }

    /// The sums of payees do not tell the categories. In months with refunds, the income is read.
    private func addRefundsOfPayees(
        _ span: ClosedRange<YearMonth>,
        knownIn base: CurrencyCode?,
        to sums: inout ReportSums
    ) throws {
        var months: Set<YearMonth> = []
        try refunds(by: "month", in: span) { row, _, _ in months.insert(row.month(0)) }
        for month in months.sorted() {
            let days = month.firstDay.dayNumber...month.lastDay.dayNumber
            guard let base else {
                try refunds(by: "payee", ofDays: days) { row, currency, minor in
                    guard !row.text(0).isEmpty else { return }
                    sums.turnIntoRefund(.payee(row.text(0)), Money(minor: minor, currency: currency))
                }
                continue
            }
            let income = SQLPiece(
                """
                SELECT payee AS label, \(BookDatabase.knownColumns(nil))
                FROM transactions INDEXED BY transactions_by_kind
                WHERE deleted_at IS NULL AND kind = 'income' AND date BETWEEN ? AND ? AND payee <> ''
                  AND (split IS NOT NULL OR \(BookDatabase.isOfSpending))
                """,
                [days.lowerBound, days.upperBound]
            )
            try forEachKnownRow(income, in: base) { row, total in
                guard total.refundMinor > 0 else { return }
                let refund = Money(minor: total.refundMinor, currency: total.currency)
                sums.turnIntoRefund(.payee(row.text(0)), refund)
            }
        }
    }
}
