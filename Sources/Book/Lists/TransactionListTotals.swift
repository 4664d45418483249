// The totals of a list of transactions: of each day on the page, and of all pages.
import GRDB
import Ledger
import Storage

extension TransactionList {
    /// The totals of each day on the page, with the filters applied. The rows of the page are added up here;
    /// only the first and the last day may have further rows on other pages.
    /// - Parameter bank: all rows of banks that match.
    func dayTotals(_ rows: [Transaction], hasMore: Bool, beside bank: ArraySlice<OpenBankRow>) throws
        -> [DayTotal]
    {
        var result: [DayTotal] = []
        var start = 0
        while start < rows.count {
            let date = rows[start].date
            let end = rows[start...].firstIndex { $0.date != date } ?? rows.count
            let beginsBefore = start == 0 && after?.date == date
            let continues = end == rows.count && hasMore
            if beginsBefore || continues {
                let further = bank.of(date...date).totals
                result.append(DayTotal(date: date, totals: try totals(ofDay: date).adding(further)))
            } else {
                var totals = TotalsByCurrency()
                for row in rows[start..<end] { add(row, to: &totals) }
                result.append(DayTotal(date: date, totals: totals.sorted))
            }
            start = end
        }
        return result
    }

    func add(_ row: Transaction, to totals: inout TotalsByCurrency) {
        let whole = isAsCharged ? lookups.charged(row) : lookups.known(row, in: base)
        let counted = counted(row, of: whole)
        totals.add(row, counted.amount, refundMinor: counted.refundMinor)
    }

    private func totals(ofDay date: CivilDate) throws -> [CurrencyTotal] {
        // The sums of days do not tell the accounts. Only the first and the last day of a page are added up.
        if base == nil, search == .everything, query.category == nil, query.account == nil, !isNarrowed {
            let sql = "SELECT kind, currency, count, minor FROM day_sums WHERE date = ?"
            return try db.totals(sql, [date.dayNumber], only: query.kind) { body in
                try db.refunds(by: "0", ofDays: date.dayNumber...date.dayNumber, body)
            }
        }
        return try addedUp(days: date.dayNumber...date.dayNumber)
    }

    /// The totals of the days that are to come.
    /// - Parameters: as for the totals of all pages.
    func totals(
        of toCome: ClosedRange<CivilDate>,
        _ rows: [Transaction],
        isComplete: Bool,
        beside bank: ArraySlice<OpenBankRow>
    ) throws -> [CurrencyTotal] {
        if isComplete { return totals(of: rows.lazy.filter { toCome.contains($0.date) }) }
        return try addedUp(days: toCome.lowerBound.dayNumber...toCome.upperBound.dayNumber)
            .adding(bank.of(toCome).totals)
    }

    /// The totals of all pages.
    /// - Parameters:
    ///   - rows: the rows of the page.
    ///   - isComplete: whether these are all rows.
    ///   - bank: all rows of banks that match.
    func totals(_ rows: [Transaction], isComplete: Bool, beside bank: ArraySlice<OpenBankRow>) throws
        -> [CurrencyTotal]
    {
        try isComplete ? totals(of: rows) : storedTotals().adding(bank.totals)
    }

    /// The totals of all rows of the book that match.
    private func storedTotals() throws -> [CurrencyTotal] {
        if let base = isNarrowed ? preferred : base, let known = try knownTotals(in: base) { return known }
        guard !isNarrowed else { return try addedUp(days: days) }
        guard let indexes = summedMonths else { return try addedUp(days: days) }
        let span: [any DatabaseValueConvertible] = [indexes.lowerBound, indexes.upperBound]
        let months = query.months
        let columns = "SELECT kind, currency, count, minor FROM"
        switch (search, query.account, query.category) {
        case (.everything, nil, nil):
            if months == nil, query.kind == nil { return lookups.totals }
            let sql = "\(columns) month_sums WHERE month BETWEEN ? AND ?"
            return try db.totals(sql, StatementArguments(span), only: query.kind) {
                try db.refunds(in: months, $0)
            }
        case (.everything, let account?, nil):
            let sql = "\(columns) account_months WHERE month BETWEEN ? AND ? AND account = ?"
            return try db.totals(sql, StatementArguments(span + [account.column]), only: query.kind) {
                try db.refunds(in: months, account: account, $0)
            }
        case (.everything, nil, _?):
            let keys = categories?.map(\.column) ?? ["".databaseValue]
            let list = keys.map { _ in "?" }.joined(separator: ", ")
            var sql = "\(columns) category_months WHERE month BETWEEN ? AND ? AND category IN (\(list))"
            // The sums count transfers as transactions without a category.
            if categories == nil { sql += " AND kind <> 'transfer'" }
            var totals = try db.totals(
                sql,
                StatementArguments(span + keys.map { $0 as any DatabaseValueConvertible }),
                only: query.kind
            ) {
                try db.refunds(in: months, categories: categories ?? [], $0)
            }
            try removeRepeated(from: &totals, in: nil)
            return totals
        default:
            return try addedUp(days: days)
        }
    }

    /// Counts a transaction with several parts that pass once. The sums by category count it in each of them.
    /// - Parameter base: as for `Lookups.known`.
    private func removeRepeated(from totals: inout [CurrencyTotal], in base: CurrencyCode?) throws {
        guard query.category == nil || (categories?.count ?? 0) > 1 else { return }
        let currency = base.map { "iif(t.currency = '\($0)', t.currency, a.currency)" } ?? "t.currency"
        var piece = SQLPiece(
            """
            SELECT \(currency) AS known, count(*) - 1 AS repeated FROM split_shares s
            CROSS JOIN transactions t ON t.seq = s.seq CROSS JOIN accounts a ON a.id = t.account
            WHERE s.date BETWEEN ? AND ?
            """,
            [days.lowerBound, days.upperBound]
        )
        if let categories {
            piece.and("s.category IN (SELECT value FROM json_each(?))", [SQLPiece.json(categories)])
        }
        if query.isSpending { piece.and("(t.kind = 'expense' OR s.\(BookDatabase.isOfSpending))") }
        if let kind = query.kind { piece.and("t.kind = ?", [kind.rawValue]) }
        if let account = query.account { piece.and("t.account = ?", [account.column]) }
        if let counts = query.counts {
            piece.and(counts.condition(on: "t"), [counts.currency.rawValue, counts.currency.rawValue])
        }
        try db.forEach(
            "SELECT known, sum(repeated) FROM (\(piece.sql) GROUP BY s.seq HAVING count(*) > 1) GROUP BY 1",
            StatementArguments(piece.arguments)
        ) { row in
            let currency = try row.currency(0)
            guard let place = totals.firstIndex(where: { $0.currency == currency }) else { return }
            totals[place].count -= row.int(1)
        }
    }

    /// The totals from the charges of accounts, which tell what is known in a currency; nil for a query without
    /// maintained sums.
    private func knownTotals(in base: CurrencyCode) throws -> [CurrencyTotal]? {
        guard search == .everything, query.account == nil || query.category == nil else { return nil }
        // The sums of transfers do not tell which of them a filter by currency passes.
        guard query.counts == nil || query.isSpending, query.payee == nil, !isAsCharged, !query.isOfDetails,
            let indexes = summedMonths
        else { return nil }
        var totals = TotalsByCurrency()
        if query.kind != .transfer {
            var charges = SQLPiece("m.count > 0", [])
            if query.days != nil {
                charges.and("m.month BETWEEN ? AND ?", [indexes.lowerBound, indexes.upperBound])
            }
            if let account = query.account { charges.and("m.account = ?", [account.column]) }
            if let kind = query.kind { charges.and("m.kind = ?", [kind.rawValue]) }
            if let categories {
                charges.and("m.category IN (SELECT value FROM json_each(?))", [SQLPiece.json(categories)])
            }
            if query.category == .uncategorized { charges.and("m.category = ''") }
            if query.isSpending { charges.and("(m.kind = 'expense' OR m.\(BookDatabase.isOfSpending))") }
            if let counts = query.counts {
                charges.and(counts.condition(on: "m"), [counts.currency.rawValue, counts.currency.rawValue])
            }
            try db.forEachKnown(charges, in: base) { _, total in totals.add(total) }
        }
        // Transfers only count.
        if query.kind == nil || query.kind == .transfer, query.category == nil, !query.isSpending {
            let table = query.account == nil ? "month_sums" : "account_months"
            var transfers = SQLPiece(
                "SELECT currency, count FROM \(table) WHERE month BETWEEN ? AND ? AND kind = 'transfer'",
                [indexes.lowerBound, indexes.upperBound]
            )
            if let account = query.account { transfers.and("account = ?", [account.column]) }
            try db.forEach(transfers.sql, StatementArguments(transfers.arguments)) { row in
                totals.add(.transfer, try row.currency(0), count: row.int(1), minor: 0)
            }
        }
        var sorted = totals.sorted
        try removeRepeated(from: &sorted, in: base)
        return sorted
    }

    /// The sum of the transfers to the accounts of the filter, less the transfers from these accounts: up to today, and of
    /// the days that are to come.
    func moved() throws -> (soFar: [MoneySum], toCome: [MoneySum]) {
        guard !accounts.isEmpty, search == .everything, query.kind == nil || query.kind == .transfer,
            !query.isSpending, query.category == nil, query.payee == nil, query.counts == nil,
            !query.isOfDetails
        else { return ([], []) }
        func money(_ sums: [CurrencyCode: Int128]) -> [MoneySum] {
            sums.sorted { $0.key < $1.key }.filter { $0.value != 0 }
                .map { MoneySum(minor: $0.value, currency: $0.key) }
        }
        let all = try movedSums()
        guard let toCome else { return (money(all), []) }
        let later = try movedSums(on: toCome.lowerBound.dayNumber...toCome.upperBound.dayNumber)
        return (money(all.merging(later.mapValues { -$0 }, uniquingKeysWith: +)), money(later))
    }

    /// - Parameter some: days whose transactions are read; nil for all days of the query.
    private func movedSums(on some: ClosedRange<Int32>? = nil) throws -> [CurrencyCode: Int128] {
        var sums: [CurrencyCode: Int128] = [:]
        func add(_ minor: Int64, to account: EntityID?) {
            guard let currency = account.flatMap({ accounts[$0] }) else { return }
            sums[currency, default: 0] += Int128(minor)
        }
        if some == nil, let months = summedMonths, query.account == nil || !query.isOfDailyUse {
            var piece = SQLPiece(
                "SELECT account, delta_minor FROM account_months WHERE month BETWEEN ? AND ? AND kind = 'transfer'",
                [months.lowerBound, months.upperBound]
            )
            if let account = query.account { piece.and("account = ?", [account.column]) }
            try db.forEach(piece.sql, StatementArguments(piece.arguments)) { row in
                add(row.int64(1), to: try row.id(0))
            }
        } else {
            let columns = "account, -account_minor, to_account, to_minor"
            let rows = all(selecting: columns, days: some ?? days, [SQLPiece("+kind = 'transfer'", [])])
            try db.forEach(rows.sql, StatementArguments(rows.arguments)) { row in
                add(row.int64(1), to: row.optionalID(0))
                add(row.int64(3), to: row.optionalID(2))
            }
        }
        return sums
    }

    /// The months by which the sums of the query are found; 0 stands for all time. Nil if it begins or ends within a
    /// month.
    private var summedMonths: ClosedRange<Int>? {
        guard query.days != nil else { return 0...0 }
        return query.months.map { $0.lowerBound.index...$0.upperBound.index }
    }

    /// Whether the query has a filter for which there are no sums, or only the sums of the charges of accounts.
    private var isNarrowed: Bool {
        query.isSpending || query.counts != nil || query.payee != nil || isAsCharged || query.isOfDetails
    }

    private var isAsCharged: Bool { query.isAsCharged || query.isOfDailyUse }

    /// Reads and adds up all rows that match the query in these days.
    private func addedUp(days: ClosedRange<Int32>) throws -> [CurrencyTotal] {
        let condition = shareCondition
        let isAsPaid = base == nil && !isAsCharged
        let columns =
            isAsPaid
            ? """
            kind, currency, \(BookDatabase.counted(condition)) AS minor, \(BookDatabase.refunded(condition)) AS refund
            """ : "0 AS label, \(BookDatabase.knownColumns(condition))"
        let rows = matches(selecting: columns, days: days)
        guard !rows.sql.isEmpty else { return [] }
        if !isAsPaid {
            var totals = TotalsByCurrency()
            try db.forEachKnownRow(rows, in: isAsCharged ? nil : base) { _, total in
                totals.add(total)
            }
            return totals.sorted
        }
        let sql = """
            SELECT kind, currency, count(*), sum(minor >> 32), sum(minor & 4294967295), sum(refund >> 32),
              sum(refund & 4294967295)
            FROM (\(rows.sql)) GROUP BY 1, 2
            """
        var totals = TotalsByCurrency()
        try db.forEach(sql, StatementArguments(rows.arguments)) { row in
            let currency = try row.currency(1)
            totals.add(try row.kind(0), currency, count: row.int(2), minor: row.halves(3))
            totals.refund(currency, minor: row.halves(5))
        }
        return totals.sorted
    }

    /// A query for all rows of these days that pass the filters and further conditions, in no particular order. Each of
    /// them comes once. Empty if no row can pass.
    func all(selecting columns: String, days: ClosedRange<Int32>, _ conditions: [SQLPiece] = []) -> SQLPiece {
        let all = streams
        let rows = scan(
            all.filter { !$0.isOfShares },
            selecting: columns,
            within: Self.between(days),
            conditions
        )
        guard let categories, all.contains(where: \.isOfShares) else { return rows }
        var split = split(among: categories, selecting: columns, days: days)
        for condition in conditions { split.and(condition.sql, condition.arguments) }
        return rows + SQLPiece(" UNION ALL ", []) + split
    }

    /// A query for the split transactions with a part in one of these categories, each of which comes once.
    private func split(among categories: [EntityID], selecting columns: String, days: ClosedRange<Int32>)
        -> SQLPiece
    {
        var piece = SQLPiece(
            """
            SELECT \(columns) FROM transactions WHERE deleted_at IS NULL AND seq IN (
              SELECT seq FROM split_shares
              WHERE category IN (SELECT value FROM json_each(?)) AND date >= ? AND date <= ?)
            """,
            [SQLPiece.json(categories), days.lowerBound, days.upperBound]
        )
        addFilters(to: &piece)
        return piece
    }
}

extension CountFilter {
    var currency: CurrencyCode {
        switch self {
        case .known(let code), .leftOut(let code): code
        }
    }

    /// The condition on rows with a currency and an account, with the currency as its two arguments. A unary plus
    /// prevents the planner from choosing another index.
    func condition(on table: String) -> String {
        let isKnown = """
            (+\(table).currency = ? OR +\(table).account IN (SELECT id FROM accounts WHERE currency = ?))
            """
        return if case .known = self { isKnown } else { "NOT \(isKnown)" }
    }
}
