// The list of transactions: a page of it by key, with the totals of its days and of all that it finds.
import GRDB
public import Ledger
import Storage

extension Book {
    /// A page of the list with all that its page shows, as one reading.
    ///
    /// A page is found by an index from where the last one ended, and totals come from maintained sums: the
    /// cost does not depend on the size of the book. Two exceptions add up what they find: a search, and
    /// account and category together.
    ///
    /// `text` finds words by their beginnings in payee, note and tags, without regard to case and accents, and
    /// amounts as they are typed; every word must be found. At most 500 rows are given.
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

extension Database {
    /// The account of the transaction that was made last.
    func lastAccount() throws -> EntityID? {
        // Deleted ones are skipped, but not without end.
        let newest = """
            SELECT account FROM (SELECT id, account, deleted_at FROM transactions ORDER BY id DESC LIMIT 100)
            WHERE deleted_at IS NULL ORDER BY id DESC LIMIT 1
            """
        if let account = try first(newest, [], { try $0.id(0) }) { return account }
        let latest = """
            SELECT account FROM transactions INDEXED BY transactions_by_date WHERE deleted_at IS NULL
            ORDER BY date DESC, id DESC LIMIT 1
            """
        return try first(latest) { try $0.id(0) }
    }
}

/// One query on its way to a page.
struct TransactionList {
    private let db: Database
    private let lookups: Lookups
    private let query: TransactionQuery
    private let text: SearchText
    /// The category asked for and its children; nil: any or none.
    private let categories: [EntityID]?
    /// Days, both included.
    private let days: ClosedRange<Int32>
    private let limit: Int

    init(_ db: Database, _ lookups: Lookups, _ query: TransactionQuery) {
        self.db = db
        self.lookups = lookups
        self.query = query
        text = SearchText(query.text)
        limit = min(max(query.limit, 1), 500)
        if let month = query.month {
            days = month.firstDay.dayNumber...month.lastDay.dayNumber
        } else {
            days = CivilDate(dayNumber: .min).dayNumber...CivilDate(dayNumber: .max).dayNumber
        }
        categories = query.category.map(lookups.family(of:))
    }

    func page() throws -> TransactionPage {
        var rows: [Transaction]
        switch text {
        case .nothing: return TransactionPage(rows: [], days: [], totals: [], next: nil)
        case .everything: rows = try listed()
        case .expression(let expression): rows = try found(by: expression)
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

    /// One row more than the page takes, if there are so many.
    private func listed() throws -> [Transaction] {
        guard days.upperBound >= days.lowerBound else { return [] }
        var upper = (date: days.upperBound + 1, id: "")
        if let after = query.after, after.date.dayNumber < upper.date {
            upper = (after.date.dayNumber, after.id.description)
        }
        let (sql, arguments) = scan(
            selecting: Transaction.columns,
            within: "date >= ? AND (date, id) < (?, ?)",
            [days.lowerBound, upper.date, upper.id]
        )
        var rows: [Transaction] = []
        rows.reserveCapacity(limit + 1)
        try db.forEach(
            "\(sql) ORDER BY date DESC, id DESC LIMIT ?",
            StatementArguments(arguments + [limit + 1])
        ) { rows.append(try Transaction($0)) }
        return rows
    }

    /// The live rows that account, category and kind let through, without the text: one stretch of an index for
    /// each category or each end of the account, in order, so that SQLite can merge them without sorting.
    private func scan(
        selecting columns: String,
        within condition: String,
        _ bounds: [any DatabaseValueConvertible]
    ) -> (sql: String, arguments: [any DatabaseValueConvertible]) {
        var streams: [String] = []
        var arguments: [any DatabaseValueConvertible] = []
        func stream(_ index: String, _ key: String?, _ value: String?, account: EntityID? = nil) {
            var sql = "SELECT \(columns) FROM transactions INDEXED BY \(index) WHERE deleted_at IS NULL"
            if let key, let value {
                sql += " AND \(key) = ?"
                arguments.append(value)
            }
            sql += " AND \(condition)"
            arguments += bounds
            if let account {
                sql += " AND account = ?"
                arguments.append(account.description)
            }
            if let kind = query.kind, key != "kind" {
                // The plus keeps the planner at the index that was chosen.
                sql += " AND +kind = ?"
                arguments.append(kind.rawValue)
            }
            streams.append(sql)
        }
        if let categories {
            for id in categories {
                stream("transactions_by_category", "category", id.description, account: query.account)
            }
        } else if let account = query.account {
            stream("transactions_by_account", "account", account.description)
            stream("transactions_by_to_account", "to_account", account.description)
        } else if let kind = query.kind {
            stream("transactions_by_kind", "kind", kind.rawValue)
        } else {
            stream("transactions_by_date", nil, nil)
        }
        return (streams.joined(separator: " UNION ALL "), arguments)
    }

    // MARK: Rows by search

    /// The index gives its matches newest day first; only within a day they are put in order here.
    private func found(by expression: String) throws -> [Transaction] {
        var last = days.upperBound
        if let after = query.after { last = min(last, after.date.dayNumber) }
        guard last >= days.lowerBound else { return [] }
        let (sql, arguments) = matches(
            selecting: Transaction.columns,
            expression,
            days: days.lowerBound...last
        )
        var rows: [Transaction] = []
        try db.forEachWhile("\(sql) ORDER BY transactions_search.rowid DESC", StatementArguments(arguments)) {
            let row = try Transaction($0)
            if rows.count > limit, let newest = rows.last, newest.date != row.date { return false }
            if let after = query.after, row.date == after.date, row.id >= after.id { return true }
            rows.append(row)
            return true
        }
        rows.sort { ($0.date, $0.id) > ($1.date, $1.id) }
        return Array(rows.prefix(limit + 1))
    }

    private func matches(
        selecting columns: String,
        _ expression: String,
        days: ClosedRange<Int32>
    ) -> (sql: String, arguments: [any DatabaseValueConvertible]) {
        // The row number of the index: the day above 40 bits.
        func number(_ day: Int32) -> Int64 { (Int64(day) + 719_162) << 40 }
        var sql = """
            SELECT \(columns) FROM transactions_search
            CROSS JOIN transactions ON seq = transactions_search.rowid & 1099511627775
            WHERE transactions_search MATCH ?
              AND transactions_search.rowid >= ? AND transactions_search.rowid < ?
            """
        var arguments: [any DatabaseValueConvertible] = [
            expression, number(days.lowerBound), number(days.upperBound) + (1 << 40),
        ]
        if let kind = query.kind {
            sql += " AND kind = ?"
            arguments.append(kind.rawValue)
        }
        if let account = query.account {
            sql += " AND (account = ? OR to_account = ?)"
            arguments += [account.description, account.description]
        }
        if let categories {
            sql += " AND category IN (\(categories.map { _ in "?" }.joined(separator: ", ")))"
            arguments += categories.map(\.description)
        }
        return (sql, arguments)
    }

    // MARK: Totals

    /// Of each day on the page, as filtered. What is on the page is added up here; only the first and the last
    /// day may have rows beyond its ends.
    private func dayTotals(_ rows: [Transaction], hasMore: Bool) throws -> [DayTotal] {
        var result: [DayTotal] = []
        var start = 0
        while start < rows.count {
            let date = rows[start].date
            let end = rows[start...].firstIndex { $0.date != date } ?? rows.count
            let beginsBefore = start == 0 && query.after?.date == date
            let goesOn = end == rows.count && hasMore
            if beginsBefore || goesOn {
                result.append(DayTotal(date: date, totals: try totals(ofDay: date)))
            } else {
                var totals = TotalsByCurrency()
                for row in rows[start..<end] { totals.add(row) }
                result.append(DayTotal(date: date, totals: totals.sorted))
            }
            start = end
        }
        return result
    }

    private func totals(ofDay date: CivilDate) throws -> [CurrencyTotal] {
        if text == .everything, categories == nil, query.account == nil {
            let sql = "SELECT kind, currency, count, minor FROM day_sums WHERE date = ?"
            return try db.totals(sql, [date.dayNumber], only: query.kind)
        }
        return try addedUp(days: date.dayNumber...date.dayNumber)
    }

    private func totals(_ rows: [Transaction], isComplete: Bool) throws -> [CurrencyTotal] {
        if isComplete {
            var totals = TotalsByCurrency()
            for row in rows { totals.add(row) }
            return totals.sorted
        }
        // Month 0 stands for all time.
        let month = query.month?.index ?? 0
        let columns = "SELECT kind, currency, count, minor FROM"
        switch (text, query.account, categories) {
        case (.everything, nil, nil):
            if query.month == nil, query.kind == nil { return lookups.totals }
            return try db.totals("\(columns) month_sums WHERE month = ?", [month], only: query.kind)
        case (.everything, let account?, nil):
            let sql = "\(columns) account_months WHERE month = ? AND account = ?"
            return try db.totals(sql, [month, account.column], only: query.kind)
        case (.everything, nil, let categories?):
            let list = categories.map { _ in "?" }.joined(separator: ", ")
            let sql = "\(columns) category_months WHERE month = ? AND category IN (\(list))"
            let arguments = StatementArguments([month.databaseValue] + categories.map(\.column))
            return try db.totals(sql, arguments, only: query.kind)
        default:
            return try addedUp(days: days)
        }
    }

    /// Reads every row that the query finds in these days.
    private func addedUp(days: ClosedRange<Int32>) throws -> [CurrencyTotal] {
        let rows: (sql: String, arguments: [any DatabaseValueConvertible])
        switch text {
        case .nothing: return []
        case .everything:
            rows = scan(
                selecting: "kind, currency, amount_minor",
                within: "date >= ? AND date <= ?",
                [days.lowerBound, days.upperBound]
            )
        case .expression(let expression):
            rows = matches(selecting: "kind, currency, amount_minor", expression, days: days)
        }
        let sql =
            "SELECT kind, currency, count(*), sum(amount_minor) FROM (\(rows.sql)) GROUP BY kind, currency"
        return try db.totals(sql, StatementArguments(rows.arguments))
    }
}
