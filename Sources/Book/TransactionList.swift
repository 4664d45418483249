// The list of transactions: keyset pagination, with the totals of the page's days and of all matches.
import GRDB
public import Ledger
import Storage

extension Book {
    /// A page of the list with all values that it shows, as one consistent read.
    ///
    /// An index finds the rows from the end of the previous page on, and totals come from maintained sums:
    /// the cost does not depend on the size of the book. Two kinds of queries add up their matches: a search,
    /// and a filter by account and category together. A search inside words reads every row that passes the
    /// other filters.
    ///
    /// `text` finds words by their beginnings in payee, note, tags and the names of categories (and their
    /// parents) and accounts (of both ends), without regard to case and accents, and amounts as they are
    /// typed. All words must be found. Words of scripts without spaces are found inside others too. A page
    /// has at most 500 rows.
    public func transactions(_ query: TransactionQuery) throws(BookError) -> TransactionsView {
        try reading { db, lookups in
            TransactionsView(
                page: try TransactionList(db, lookups, query).page(),
                choices: lookups.choices,
                counts: lookups.counts
            )
        }
    }
}

extension BookDatabase {
    /// The account of the transaction that was created last. It may be closed if that was long ago.
    func lastAccount() throws -> EntityID? {
        // Deleted transactions are skipped, but only up to a limit.
        let newest = """
            SELECT account FROM (SELECT id, account, deleted_at FROM transactions ORDER BY id DESC LIMIT 100)
            WHERE deleted_at IS NULL AND account NOT IN (SELECT id FROM accounts WHERE closed = 1)
            ORDER BY id DESC LIMIT 1
            """
        if let account = try first(newest, [], { try $0.id(0) }) { return account }
        let latest = """
            SELECT account FROM transactions INDEXED BY transactions_by_date WHERE deleted_at IS NULL
            ORDER BY date DESC, id DESC LIMIT 1
            """
        return try first(latest) { try $0.id(0) }
    }
}

/// The evaluation of one query.
struct TransactionList {
    let db: BookDatabase
    let query: TransactionQuery
    let search: Search
    /// The category of the filter and its children; nil if the filter names no category.
    let categories: [EntityID]?
    /// The range of days, both ends included.
    let days: ClosedRange<Int32>
    let limit: Int
    private let lookups: Lookups

    /// The parsed text of the query.
    enum Search: Equatable {
        case everything
        case nothing
        case plan(SearchPlan)
    }

    init(_ db: BookDatabase, _ lookups: Lookups, _ query: TransactionQuery) throws {
        self.db = db
        self.lookups = lookups
        self.query = query
        search =
            switch SearchText(query.text) {
            case .everything: .everything
            case .nothing: .nothing
            case .words(let words): .plan(try SearchPlan(words, names: lookups.choices, db))
            }
        limit = min(max(query.limit, 1), 500)
        if let month = query.month {
            days = month.firstDay.dayNumber...month.lastDay.dayNumber
        } else {
            days = CivilDate(dayNumber: .min).dayNumber...CivilDate(dayNumber: .max).dayNumber
        }
        if case .family(let id) = query.category {
            categories = lookups.family(of: id)
        } else {
            categories = nil
        }
    }

    func page() throws -> TransactionPage {
        var rows: [Transaction]
        switch search {
        case .nothing: return TransactionPage(rows: [], days: [], totals: [], next: nil)
        case .everything: rows = try listed(streams)
        case .plan(let plan): rows = try found(by: plan)
        }
        let hasMore = rows.count > limit
        if hasMore { rows.removeSubrange(limit...) }
        let next = hasMore ? rows.last.map { TransactionCursor(date: $0.date, id: $0.id) } : nil
        return TransactionPage(
            rows: rows,
            days: try dayTotals(rows, hasMore: hasMore),
            totals: try totals(rows, isComplete: !hasMore && query.after == nil),
            next: next
        )
    }

    // MARK: Rows by index

    /// A range of an index over live transactions, in the order of the list.
    struct Stream {
        let index: String
        let key: String?
        let value: String?
    }

    /// The index ranges that contain all rows that pass the filters: one for each category or each end of the
    /// account, so that SQLite can merge them without sorting. Empty if no row can pass.
    var streams: [Stream] {
        if let categories { return categories.map(Stream.init(category:)) }
        if let account = query.account { return Stream.ends(of: account) }
        if let kind = query.kind { return [Stream(kind: kind)] }
        // No index selects transactions without a category, or refunds. These two at least exclude transfers.
        if query.category == .uncategorized || query.isSpending {
            return [Stream(kind: .expense), Stream(kind: .income)]
        }
        return [Stream(index: "transactions_by_date", key: nil, value: nil)]
    }

    /// Up to one row more than the page shows, which tells whether there is a next page.
    func listed(_ streams: [Stream], _ conditions: [SQLPiece] = []) throws -> [Transaction] {
        var rows: [Transaction] = []
        rows.reserveCapacity(limit + 1)
        for days in try spans() where rows.count <= limit && !streams.isEmpty {
            var upper = (date: days.upperBound + 1, id: "")
            if let after = query.after, after.date.dayNumber < upper.date {
                upper = (after.date.dayNumber, after.id.description)
            }
            guard upper.date >= days.lowerBound else { continue }
            let scan = scan(
                streams,
                selecting: Transaction.columns,
                within: SQLPiece(
                    "date >= ? AND (date, id) < (?, ?)",
                    [days.lowerBound, upper.date, upper.id]
                ),
                conditions
            )
            try db.forEachWhile(
                "\(scan.sql) ORDER BY date DESC, id DESC",
                StatementArguments(scan.arguments)
            ) { columns in
                let row = try Transaction(columns)
                // Two streams may contain the same row. It then comes twice in succession.
                if rows.last?.id != row.id { rows.append(row) }
                return rows.count <= limit
            }
        }
        return rows
    }

    /// The ranges of days to read, newest first: that of the query. For transactions without a category, only
    /// the months whose sums have such transactions.
    private func spans() throws -> [ClosedRange<Int32>] {
        guard days.lowerBound <= days.upperBound else { return [] }
        guard query.category == .uncategorized else { return [days] }
        let sql = """
            SELECT DISTINCT month FROM category_months INDEXED BY category_months_by_category
            WHERE category = '' AND kind IN ('expense', 'income') AND count > 0 AND month <> 0
            ORDER BY month DESC
            """
        return try db.all(sql) { $0.month(0) }.compactMap { month in
            let (first, last) = (month.firstDay.dayNumber, month.lastDay.dayNumber)
            return days.contains(first) && days.contains(last) ? first...last : nil
        }
    }

    /// A query for the live rows of some streams that pass the filters and further conditions.
    func scan(
        _ streams: [Stream],
        selecting columns: String,
        within bounds: SQLPiece,
        _ conditions: [SQLPiece] = []
    ) -> SQLPiece {
        streams.map { stream in
            var piece = SQLPiece(
                "SELECT \(columns) FROM transactions INDEXED BY \(stream.index) WHERE deleted_at IS NULL",
                []
            )
            if let key = stream.key, let value = stream.value { piece.and("\(key) = ?", [value]) }
            piece.and(bounds.sql, bounds.arguments)
            addFilters(to: &piece, but: stream.key)
            for condition in conditions { piece.and(condition.sql, condition.arguments) }
            return piece
        }
        .joined(separator: " UNION ALL ")
    }

    /// Adds the conditions of the filters. A unary plus prevents the planner from choosing another index.
    /// - Parameter key: the column that the stream already restricts.
    func addFilters(to piece: inout SQLPiece, but key: String? = nil) {
        if let kind = query.kind, key != "kind" { piece.and("+kind = ?", [kind.rawValue]) }
        if let account = query.account {
            piece.and("(+account = ? OR +to_account = ?)", [account.description, account.description])
        }
        if let categories {
            piece.and("+category IN (SELECT value FROM json_each(?))", [SQLPiece.json(categories)])
        }
        if query.category == .uncategorized { piece.and("+category IS NULL AND +kind <> 'transfer'") }
        if query.isSpending {
            piece.and("(+kind = 'expense' OR (+kind = 'income' AND +\(BookDatabase.isOfSpending)))")
        }
        guard let counts = query.counts else { return }
        let isKnown = "(+currency = ? OR +account IN (SELECT id FROM accounts WHERE currency = ?))"
        switch counts {
        case .known(let code): piece.and(isKnown, [code.rawValue, code.rawValue])
        case .leftOut(let code): piece.and("NOT \(isKnown)", [code.rawValue, code.rawValue])
        }
    }

    // MARK: Totals

    /// The totals of each day on the page, with the filters applied. The rows of the page are added up here;
    /// only the first and the last day may have further rows on other pages.
    private func dayTotals(_ rows: [Transaction], hasMore: Bool) throws -> [DayTotal] {
        var result: [DayTotal] = []
        var start = 0
        while start < rows.count {
            let date = rows[start].date
            let end = rows[start...].firstIndex { $0.date != date } ?? rows.count
            let beginsBefore = start == 0 && query.after?.date == date
            let continues = end == rows.count && hasMore
            if beginsBefore || continues {
                result.append(DayTotal(date: date, totals: try totals(ofDay: date)))
            } else {
                var totals = TotalsByCurrency()
                for row in rows[start..<end] { totals.add(row, isRefund: lookups.isRefund(row)) }
                result.append(DayTotal(date: date, totals: totals.sorted))
            }
            start = end
        }
        return result
    }

    private func totals(ofDay date: CivilDate) throws -> [CurrencyTotal] {
        if search == .everything, query.category == nil, query.account == nil, !isNarrowed {
            let sql = "SELECT kind, currency, count, minor FROM day_sums WHERE date = ?"
            return try db.totals(sql, [date.dayNumber], only: query.kind) { body in
                try db.refunds(by: "0", ofDays: date.dayNumber...date.dayNumber, body)
            }
        }
        return try addedUp(days: date.dayNumber...date.dayNumber)
    }

    private func totals(_ rows: [Transaction], isComplete: Bool) throws -> [CurrencyTotal] {
        if isComplete {
            var totals = TotalsByCurrency()
            for row in rows { totals.add(row, isRefund: lookups.isRefund(row)) }
            return totals.sorted
        }
        guard !isNarrowed else { return try addedUp(days: days) }
        // Month 0 stands for all time.
        let month = query.month?.index ?? 0
        let months = query.month.map { $0...$0 }
        let columns = "SELECT kind, currency, count, minor FROM"
        switch (search, query.account, query.category) {
        case (.everything, nil, nil):
            if query.month == nil, query.kind == nil { return lookups.totals }
            return try db.totals("\(columns) month_sums WHERE month = ?", [month], only: query.kind) {
                try db.refunds(in: months, $0)
            }
        case (.everything, let account?, nil):
            let sql = "\(columns) account_months WHERE month = ? AND account = ?"
            return try db.totals(sql, [month, account.column], only: query.kind) {
                try db.refunds(in: months, account: account, $0)
            }
        case (.everything, nil, _?):
            let keys = categories?.map(\.column) ?? ["".databaseValue]
            let list = keys.map { _ in "?" }.joined(separator: ", ")
            var sql = "\(columns) category_months WHERE month = ? AND category IN (\(list))"
            // The sums count transfers as transactions without a category.
            if categories == nil { sql += " AND kind <> 'transfer'" }
            return try db.totals(sql, StatementArguments([month.databaseValue] + keys), only: query.kind) {
                try db.refunds(in: months, categories: categories ?? [], $0)
            }
        default:
            return try addedUp(days: days)
        }
    }

    /// Whether the query has a filter for which there are no maintained sums.
    private var isNarrowed: Bool { query.isSpending || query.counts != nil }

    /// Reads and adds up all rows that match the query in these days.
    private func addedUp(days: ClosedRange<Int32>) throws -> [CurrencyTotal] {
        let columns = "kind, currency, amount_minor, category"
        let rows: SQLPiece
        switch search {
        case .nothing: return []
        case .everything: rows = scan(streams, selecting: columns, within: Self.between(days))
        case .plan(let plan): rows = matches(plan, selecting: columns, days: days)
        }
        guard !rows.sql.isEmpty else { return [] }
        let sql = """
            SELECT kind, currency, count(*), sum(amount_minor), kind = 'income' AND \(BookDatabase.isOfSpending) IS TRUE
            FROM (\(rows.sql)) GROUP BY 1, 2, 5
            """
        var totals = TotalsByCurrency()
        try db.forEach(sql, StatementArguments(rows.arguments)) { row in
            let (currency, minor) = (try row.currency(1), row.int64(3))
            totals.add(try row.kind(0), currency, count: row.int(2), minor: minor)
            if row.int(4) != 0 { totals.refund(currency, minor: minor) }
        }
        return totals.sorted
    }

    static func between(_ days: ClosedRange<Int32>) -> SQLPiece {
        SQLPiece("date >= ? AND date <= ?", [days.lowerBound, days.upperBound])
    }
}

extension TransactionList.Stream {
    init(category: EntityID) {
        self.init(index: "transactions_by_category", key: "category", value: category.description)
    }

    init(kind: TransactionKind) {
        self.init(index: "transactions_by_kind", key: "kind", value: kind.rawValue)
    }

    /// Both ends of an account.
    static func ends(of account: EntityID) -> [Self] {
        [
            Self(index: "transactions_by_account", key: "account", value: account.description),
            Self(index: "transactions_by_to_account", key: "to_account", value: account.description),
        ]
    }
}
