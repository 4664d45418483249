// Reports by the rates of each day: the amounts that are not known in the base currency, each with its value.
import GRDB
import Ledger
import Storage

extension BookDatabase {
    /// The income and spending of days that is not known in a currency, with its value in it.
    ///
    /// Each transaction, and each part of a split one, is converted and rounded by itself, so that all groups of the
    /// same transactions have the same sum. Amounts of a day without rates have rows of their own, without a value.
    func valued(
        _ days: ClosedRange<CivilDate>,
        by group: ReportGroup,
        _ converter: DayConverter,
        _ cache: CachedSums
    ) throws -> [ReportRow] {
        let query = CachedSums.Query(days: days, content: .valued(group), currency: converter.target)
        return try sums(query, rates: converter.history, in: cache) { try valued($0, by: group, converter) }
            .rows(valuedIn: converter.target)
    }

    private func valued(_ days: ClosedRange<CivilDate>, by group: ReportGroup, _ converter: DayConverter)
        throws
        -> ReportSums
    {
        var sums = ReportSums()
        // The transactions of a day come together.
        var (day, ofDay): (CivilDate?, CurrencyConverter?) = (nil, nil)
        // So do the parts of one, which counts once, and by category once for each of them.
        var last: Int64?
        try forEachUnknown(of: days, in: converter.target) { row in
            let date = row.date(0)
            if date != day { (day, ofDay) = (date, converter.converter(on: date)) }
            let key: ReportRow.Key
            switch group {
            case .month: key = .month(date.yearMonth)
            case .category: key = .category(row.optionalID(1))
            case .account: key = .account(try row.id(2))
            case .payee: key = .payee(row.text(3))
            }
            let amount = MoneySum(minor: Int128(row.int64(6)), currency: try row.currency(5))
            let isCounted = group == .category || row.int64(8) != last
            last = row.int64(8)
            sums.add(
                key,
                amount,
                try row.kind(4),
                count: isCounted ? 1 : 0,
                isRefund: row.int(7) != 0,
                value: ofDay?.value(of: amount, in: converter.target)
            )
        }
        return sums
    }

    /// Passes date, category, account, payee, kind, currency of the account, charged amount, whether it is a refund,
    /// and `seq`, of each transaction, or part of a transaction, that is not known in a currency.
    private func forEachUnknown(
        of days: ClosedRange<CivilDate>,
        in base: CurrencyCode,
        _ body: (Columns) throws -> Void
    ) throws {
        let rows = BookDatabase.charges(
            where: "kind <> 'transfer' AND currency <> ? AND date BETWEEN ? AND ?"
        )
        let sql = """
            SELECT r.date, r.category, r.account, r.payee, r.kind, a.currency, r.account_minor,
              r.kind = 'income' AND r.category IN (SELECT id FROM categories WHERE kind = 'expense') IS TRUE, r.seq
            FROM (\(rows)) r CROSS JOIN accounts a ON a.id = r.account
            WHERE a.currency <> ?
            """
        let bounds: [any DatabaseValueConvertible] = [
            base.rawValue, days.lowerBound.dayNumber, days.upperBound.dayNumber,
        ]
        try forEach(sql, StatementArguments(bounds + bounds + [base.rawValue]), body)
    }
}
