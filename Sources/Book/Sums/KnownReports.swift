// Reports with the amounts that are known in a currency, from the maintained sums.
import GRDB
import Ledger
import Storage

extension BookDatabase {
    /// The rows of a report with the amounts that are known in a currency, in no particular order.
    func known(
        _ span: ClosedRange<YearMonth>,
        _ group: ReportGroup,
        in base: CurrencyCode,
        _ lookups: Lookups
    ) throws -> [ReportRow] {
        switch group {
        case .category: try knownByCategory(span, in: base, lookups)
        case .month: try knownByAccount(span, in: base, lookups, "month") { .month($0.month(0)) }
        case .account: try knownByAccount(span, in: base, lookups, "account") { .account(try $0.id(0)) }
        case .payee: try byPayee(span, knownIn: base, lookups)
        }
    }

    /// The rows of a report by payee, in no particular order, without transfers.
    ///
    /// No sum is maintained for the empty payee: it has what the others leave of the months.
    /// - Parameter base: as `knownIn` of a report.
    func byPayee(_ span: ClosedRange<YearMonth>, knownIn base: CurrencyCode?, _ lookups: Lookups) throws
        -> [ReportRow]
    {
        let named = try payees(span, knownIn: base, lookups)
        let months =
            if let base {
                try known(span, .month, in: base, lookups)
            } else {
                try reportedByMonth(span, withTransfers: false)
            }
        return named + months.together(.payee("")).without(named.together(.payee("")))
    }

    /// The same without the empty payee.
    private func payees(_ span: ClosedRange<YearMonth>, knownIn base: CurrencyCode?, _ lookups: Lookups)
        throws
        -> [ReportRow]
    {
        var sums = ReportSums()
        let names = try lookups.payees.names(self)
        // The rows of a payee come together, so that its text is seldom copied.
        var (spelling, payee) = ("", "")
        try forEachCharge("payee", "payee", span) { row, sign in
            if !row.isText(0, spelling) {
                spelling = row.text(0)
                payee = names[spelling] ?? spelling
            }
            let paid = Money(minor: Int64(sign) * row.int64(4), currency: try row.currency(3))
            sums.add(
                .payee(payee),
                MoneySum(
                    try lookups.known(paid, charged: Int64(sign) * row.int64(5), to: row.id(2), in: base)
                ),
                try row.kind(1),
                count: sign * row.int(6),
                isRefund: false
            )
        }
        try addRefundsOfPayees(span, knownIn: base, names, to: &sums)
        return sums.rows()
    }

    private func knownByCategory(_ span: ClosedRange<YearMonth>, in base: CurrencyCode, _ lookups: Lookups)
        throws
        -> [ReportRow]
    {
        var sums = ReportSums()
        try forEachCharge("charged", "category", span) { row, sign in
            let (category, kind) = (row.optionalID(0), try row.kind(1))
            let paid = Money(minor: Int64(sign) * row.int64(4), currency: try row.currency(3))
            sums.add(
                .category(category),
                MoneySum(
                    try lookups.known(paid, charged: Int64(sign) * row.int64(5), to: row.id(2), in: base)
                ),
                kind,
                count: sign * row.int(6),
                isRefund: kind == .income && lookups.isOfSpending(category)
            )
        }
        return sums.rows()
    }

    /// By month or account: what an account gained or lost is what it was charged.
    private func knownByAccount(
        _ span: ClosedRange<YearMonth>,
        in base: CurrencyCode,
        _ lookups: Lookups,
        _ column: String,
        _ key: (Columns) throws -> ReportRow.Key
    ) throws -> [ReportRow] {
        var sums = ReportSums()
        let bounds: StatementArguments = [span.lowerBound.index, span.upperBound.index]
        let all = """
            SELECT \(column), kind, account, currency, minor, abs(delta_minor), count FROM account_months
            WHERE month BETWEEN ? AND ? AND kind <> 'transfer' AND count > 0
            """
        try forEach(all, bounds) { row in
            let paid = Money(minor: row.int64(4), currency: try row.currency(3))
            sums.add(
                try key(row),
                MoneySum(try lookups.known(paid, charged: row.int64(5), to: row.id(2), in: base)),
                try row.kind(1),
                count: row.int(6),
                isRefund: false
            )
        }
        let refunds = """
            SELECT \(column), account, currency, minor, account_minor
            FROM charged_months INDEXED BY charged_months_by_category
            WHERE \(BookDatabase.isOfSpending) AND kind = 'income' AND month BETWEEN ? AND ? AND count > 0
            """
        try forEach(refunds, bounds) { row in
            let paid = Money(minor: row.int64(3), currency: try row.currency(2))
            sums.turnIntoRefund(
                try key(row),
                MoneySum(try lookups.known(paid, charged: row.int64(4), to: row.id(1), in: base))
            )
        }
        return sums.rows()
    }

    /// Passes subject, kind, account, currency, `minor`, `account_minor` and count of the charges in a range, and the
    /// sign with which they count.
    /// - Parameter name: of the tables of months and years.
    private func forEachCharge(
        _ name: String,
        _ subject: String,
        _ span: ClosedRange<YearMonth>,
        _ body: (Columns, Int) throws -> Void
    ) throws {
        // Two queries of one row each: SQLite reads the whole table for both in one.
        func year(_ place: String) throws -> Int {
            try number("SELECT ifnull(\(place)(year), 0) FROM \(name)_years WHERE year > 0")
        }
        let (first, last) = (try year("min"), try year("max"))
        guard first > 0 else { return }
        for part in ReportPeriods.of(span, among: first...last) {
            let (table, period) =
                part.unit == .years ? ("\(name)_years", "year") : ("\(name)_months", "month")
            let sql = """
                SELECT \(subject), kind, account, currency, minor, account_minor, count FROM \(table)
                WHERE \(period) BETWEEN ? AND ? AND count > 0
                """
            try forEach(sql, [part.numbers.lowerBound, part.numbers.upperBound]) { try body($0, part.sign) }
        }
    }

    /// The sums of payees do not tell the categories. In months with refunds, the income is read.
    private func addRefundsOfPayees(
        _ span: ClosedRange<YearMonth>,
        knownIn base: CurrencyCode?,
        _ names: [String: String],
        to sums: inout ReportSums
    ) throws {
        func key(_ payee: String) -> ReportRow.Key { .payee(names[payee] ?? payee) }
        var months: Set<YearMonth> = []
        try refunds(by: "month", in: span) { row, _, _ in months.insert(row.month(0)) }
        for month in months.sorted() {
            let days = month.firstDay.dayNumber...month.lastDay.dayNumber
            guard let base else {
                try refunds(by: "payee", ofDays: days) { row, currency, minor in
                    guard !row.text(0).isEmpty else { return }
                    sums.turnIntoRefund(key(row.text(0)), MoneySum(minor: minor, currency: currency))
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
                guard total.refundMinor != 0 else { return }
                let refund = MoneySum(minor: total.refundMinor, currency: total.currency)
                sums.turnIntoRefund(key(row.text(0)), refund)
            }
        }
    }
}
