// Reports over ranges of months, from the maintained sums.
import GRDB
public import Ledger
import Storage

extension Book {
    /// Income and spending of a range of months, both ends included, grouped by `group`.
    ///
    /// Rows by month are in order of time. Otherwise the currency with the most transactions comes first, and
    /// in each currency the highest spending, then the highest income. A transfer counts for both accounts in
    /// a report by account, once in a report by month, and not at all by category and payee. What has no payee
    /// is a row of the empty one. Refunds reduce the spending, which may be below zero, and are no income.
    /// - Parameters:
    ///   - base: nil for amounts in the currencies in which they were paid. Otherwise amounts that are known in this
    ///     currency count in it, and all others in the currency of their account; transfers are then not counted. If
    ///     everything was paid in this currency, the result is the same as for nil.
    ///   - days: gives the others a value in the currency; its target must be `base`. The transactions on accounts in
    ///     other currencies are then read, except in years and months whose sums are cached.
    ///   - bank: the rows of banks that are added.
    ///   - today: the day at whose end a range that contains it ends.
    public func report(
        from: YearMonth,
        to: YearMonth,
        group: ReportGroup,
        knownIn base: CurrencyCode? = nil,
        valued days: DayConverter? = nil,
        beside bank: BankRows? = nil,
        through today: CivilDate = .distantFuture
    ) throws(BookError) -> [ReportRow] {
        guard from <= to else { return [] }
        return try reading { db, lookups in
            let endsToday = lookups.daysToCome(in: (from...to).days, after: today, beside: bank) != nil
            let span = ReportSpan(
                from...(endsToday ? min(to, today.yearMonth) : to),
                through: endsToday ? today : nil
            )
            var rows = try db.report(span, group, knownIn: base, valued: days, lookups, cachedSums)
            if let bank {
                rows = rows.adding(
                    try bank.report(of: span.days, by: group, knownIn: base, valued: days) {
                        try lookups.payees.name(ofReported: $0, db)
                    }
                )
            }
            return group == .month ? rows.inOrder : rows.ranked
        }
    }
}

extension Book {
    /// The month of the oldest transaction; nil if there is none.
    /// - Parameter bank: the rows of banks that count as well.
    public func firstMonth(beside bank: BankRows? = nil) throws(BookError) -> YearMonth? {
        try reading { db in try db.firstMonth(beside: bank) }
    }
}

extension BookDatabase {
    /// The day of the oldest transaction; nil if there is none.
    func dayOfFirstTransaction() throws -> CivilDate? {
        try first("SELECT min(date) FROM transactions WHERE deleted_at IS NULL") {
            $0.isNull(0) ? nil : $0.date(0)
        } ?? nil
    }

    /// The month of the oldest transaction; nil if there is none.
    func firstMonth(beside bank: BankRows?) throws -> YearMonth? {
        [try dayOfFirstTransaction(), bank?.open.last?.date].compactMap(\.self).min()?.yearMonth
    }
}

/// The months of a report, the last of which may end today.
private struct ReportSpan {
    let months: ClosedRange<YearMonth>
    let days: ClosedRange<CivilDate>
    /// The days of the last month that are to come.
    let rest: ClosedRange<CivilDate>?

    /// - Parameter today: a day of the last month, with which the report ends; nil for the last day.
    init(_ months: ClosedRange<YearMonth>, through today: CivilDate?) {
        self.months = months
        days = months.lowerBound.firstDay...(today ?? months.upperBound.lastDay)
        rest = today.flatMap { months.days.daysToCome(after: $0) }
    }
}

extension BookDatabase {
    /// The rows of a report without the rows of banks, in no particular order.
    fileprivate func report(
        _ span: ReportSpan,
        _ group: ReportGroup,
        knownIn base: CurrencyCode?,
        valued days: DayConverter?,
        _ lookups: Lookups,
        _ cache: CachedSums
    ) throws -> [ReportRow] {
        let isPaid = base.map(lookups.isPaid(only:)) ?? true
        let base = isPaid ? nil : base
        var rows = try report(span.months, group, knownIn: base, lookups)
        // Sums of single days and cached sums have each spelling of a payee by itself.
        let names = group == .payee ? try lookups.payees.names(self) : [:]
        if let rest = span.rest {
            rows = rows.without(try report(ofDays: rest, by: group, knownIn: base).named(names))
        }
        if let days, base != nil {
            rows = rows.filter { $0.total.currency == base }
            rows += try valued(span.days, by: group, days, cache).named(names)
        }
        return rows
    }

    /// The same of whole months, without values.
    private func report(
        _ span: ClosedRange<YearMonth>,
        _ group: ReportGroup,
        knownIn base: CurrencyCode?,
        _ lookups: Lookups
    ) throws -> [ReportRow] {
        if let base { return try known(span, group, in: base, lookups) }
        switch group {
        case .month: return try reportedByMonth(span)
        case .category:
            return try reported("category", "category_months", span, withTransfers: false) {
                .category($0.optionalID(0))
            } refunds: {
                try refunds(by: "category", in: span, $0)
            }
        case .account:
            return try reported("account", "account_months", span) {
                .account(try $0.id(0))
            } refunds: {
                try refunds(by: "account", in: span, $0)
            }
        case .payee: return try byPayee(span, knownIn: nil, lookups)
        }
    }

    /// Income and spending by month and currency, with a row for months with nothing but transfers.
    /// - Parameter withTransfers: whether transfers count, in the numbers of transactions.
    func reportedByMonth(_ span: ClosedRange<YearMonth>, withTransfers: Bool = true) throws -> [ReportRow] {
        try reported("month", "month_sums", span, withTransfers: withTransfers) {
            .month($0.month(0))
        } refunds: {
            try refunds(by: "month", in: span, $0)
        }
    }
}

extension Book {
    /// The spending of some days by category, less refunds: the rows with `knownIn` of a report by category, without
    /// income.
    ///
    /// Whole months come from the maintained sums. For other days, their transactions are read, if a cached sum does not
    /// hold any more.
    /// - Parameters:
    ///   - converter: as `valued` of a report.
    ///   - bank: the rows of banks that are added.
    ///   - today: the day with which days end that contain it.
    public func spending(
        of days: ClosedRange<CivilDate>,
        knownIn base: CurrencyCode,
        valued converter: DayConverter? = nil,
        beside bank: BankRows? = nil,
        through today: CivilDate = .distantFuture
    ) throws(BookError) -> [ReportRow] {
        let days = days.daysToCome(after: today) == nil ? days : days.lowerBound...today
        var query = TransactionQuery()
        query.days = days
        if let months = query.months {
            return try report(
                from: months.lowerBound,
                to: months.upperBound,
                group: .category,
                knownIn: base,
                valued: converter,
                beside: bank
            )
        }
        return try reading { db, lookups in
            var rows = try db.spending(of: days, in: base, cachedSums).rows()
            if let converter {
                rows = rows.filter { $0.total.currency == base }
                // As above, without income.
                rows += try db.valued(days, by: .category, converter, cachedSums).filter {
                    $0.total.expenseMinor != 0 || $0.value?.expenseMinor ?? 0 != 0
                }
            }
            if let bank {
                rows = rows.adding(
                    try bank.report(
                        of: days,
                        by: .category,
                        knownIn: base,
                        valued: converter,
                        isSpendingOnly: true
                    )
                )
            }
            return rows.ranked
        }
    }
}

extension BookDatabase {
    func spending(of days: ClosedRange<CivilDate>, in base: CurrencyCode, _ cache: CachedSums) throws
        -> ReportSums
    {
        let query = CachedSums.Query(days: days, content: .spending, currency: base)
        return try sums(query, rates: nil, in: cache) { try spending(of: $0, in: base) }
    }

    private func spending(of days: ClosedRange<CivilDate>, in base: CurrencyCode) throws -> ReportSums {
        var sums = ReportSums()
        try forEachKnown(of: days.lowerBound.dayNumber...days.upperBound.dayNumber, in: base) { row, total in
            guard total.kind == .expense || total.isRefund else { return }
            sums.add(
                .category(row.optionalID(0)),
                MoneySum(minor: total.minor, currency: total.currency),
                total.kind,
                count: total.count,
                isRefund: total.isRefund
            )
        }
        return sums
    }

    private func reported(
        _ column: String,
        _ table: String,
        _ span: ClosedRange<YearMonth>,
        withTransfers: Bool = true,
        _ key: @escaping (Columns) throws -> ReportRow.Key,
        refunds: ((Columns, CurrencyCode, Int128) throws -> Void) throws -> Void
    ) throws -> [ReportRow] {
        let sql = """
            SELECT \(column), kind, currency, count, minor FROM \(table) WHERE month BETWEEN ? AND ? AND count > 0
            """
        var collected: [ReportRow.Key: TotalsByCurrency] = [:]
        try forEach(sql, [span.lowerBound.index, span.upperBound.index]) { row in
            guard try withTransfers || row.kind(1) != .transfer else { return }
            collected[try key(row), default: TotalsByCurrency()]
                .add(try row.kind(1), try row.currency(2), count: row.int(3), minor: Int128(row.int64(4)))
        }
        try refunds { row, currency, minor in
            collected[try key(row), default: TotalsByCurrency()].refund(currency, minor: minor)
        }
        return collected.flatMap { key, totals in totals.sorted.map { ReportRow(key: key, total: $0) } }
    }
}

extension [ReportRow] {
    /// By subject, and then by currency.
    fileprivate var inOrder: Self {
        sorted {
            $0.key == $1.key ? $0.total.currency < $1.total.currency : $0.key.precedes($1.key)
        }
    }

    /// The currency with the most transactions first, and in each currency the highest spending, then the highest income.
    fileprivate var ranked: Self {
        var uses: [CurrencyCode: Int] = [:]
        for row in self {
            let counted = uses[row.total.currency] ?? 0
            uses[row.total.currency] = counted.addingClamped(row.total.count)
        }
        return sorted { left, right in
            let (leftUses, rightUses) = (uses[left.total.currency] ?? 0, uses[right.total.currency] ?? 0)
            if leftUses != rightUses { return leftUses > rightUses }
            if left.total.currency != right.total.currency {
                return left.total.currency < right.total.currency
            }
            if left.total.expenseMinor != right.total.expenseMinor {
                return left.total.expenseMinor > right.total.expenseMinor
            }
            if left.total.incomeMinor != right.total.incomeMinor {
                return left.total.incomeMinor > right.total.incomeMinor
            }
            return left.key.precedes(right.key)
        }
    }
}
