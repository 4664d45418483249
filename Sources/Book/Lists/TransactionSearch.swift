// The search in the list of transactions.
import GRDB
import Ledger

extension TransactionList {
    /// The first rows of a search: up to one row more than the page shows.
    func found(by plan: SearchPlan) throws -> [Transaction] {
        let conditions = plan.conditions.map { $0.sql(numbers: Self.numbers(of: days)) }
        switch plan.source {
        case .index(let expression): return try matched(expression, conditions)
        case .list: return try listed(streams, conditions)
        case .indexAndNames(let expression, let names):
            let rows = try matched(expression, conditions) + listed(Stream.all(of: names), conditions)
            var seen: Set<EntityID> = []
            return Array(inOrder(rows.filter { seen.insert($0.id).inserted }).prefix(limit + 1))
        }
    }

    /// The index returns its matches in the order of the days. The rows of one day are sorted here.
    private func matched(_ expression: String, _ conditions: [SQLPiece]) throws -> [Transaction] {
        var (first, last) = (days.lowerBound, days.upperBound)
        if let day = after?.date.dayNumber {
            if isAscending { first = max(first, day) } else { last = min(last, day) }
        }
        guard last >= first else { return [] }
        let matches = matches(expression, selecting: Transaction.columns, days: first...last, conditions)
        var rows: [Transaction] = []
        let after = after
        try db.forEachWhile(
            "\(matches.sql) ORDER BY transactions_search.rowid \(isAscending ? "ASC" : "DESC")",
            StatementArguments(matches.arguments)
        ) {
            let row = try Transaction($0)
            if rows.count > limit, let last = rows.last, last.date != row.date { return false }
            if let after, !query.sort.precedes(after, query.sort.cursor(after: row)) { return true }
            rows.append(row)
            return true
        }
        return Array(inOrder(rows).prefix(limit + 1))
    }

    private func inOrder(_ rows: [Transaction]) -> [Transaction] {
        rows.sorted { one, other in
            isAscending
                ? (one.date, one.id) < (other.date, other.id) : (one.date, one.id) > (other.date, other.id)
        }
    }

    /// A query for all rows that the search and the filters find in these days, in no particular order. Empty if no row
    /// passes.
    func matches(selecting columns: String, days: ClosedRange<Int32>) -> SQLPiece {
        switch search {
        case .nothing: SQLPiece("", [])
        case .everything: all(selecting: columns, days: days)
        case .plan(let plan): matches(plan, selecting: columns, days: days)
        }
    }

    /// A query for all rows that a search finds in these days, in no particular order. Empty if no row passes
    /// the filters.
    func matches(_ plan: SearchPlan, selecting columns: String, days: ClosedRange<Int32>) -> SQLPiece {
        let conditions = plan.conditions.map { $0.sql(numbers: Self.numbers(of: days)) }
        switch plan.source {
        case .index(let expression):
            return matches(expression, selecting: columns, days: days, conditions)
        case .list:
            return all(selecting: columns, days: days, conditions)
        case .indexAndNames(let expression, let names):
            let numbers = Self.numbers(of: days)
            let byText = SQLPiece(
                """
                SELECT rowid & 1099511627775 AS found FROM transactions_search
                WHERE transactions_search MATCH ? AND rowid >= ? AND rowid <= ?
                """,
                [expression, numbers.lowerBound, numbers.upperBound]
            )
            let byName = scan(Stream.all(of: names), selecting: "seq", within: Self.between(days))
            // Each row comes once, however many of its words and names match.
            var piece = SQLPiece("SELECT \(columns) FROM (SELECT found FROM (", []) + byText
            piece += SQLPiece(" UNION ALL ", []) + byName
            piece += SQLPiece(
                ") GROUP BY found) CROSS JOIN transactions ON seq = found WHERE deleted_at IS NULL",
                []
            )
            addFilters(to: &piece)
            for condition in conditions { piece.and(condition.sql, condition.arguments) }
            return piece
        }
    }

    private func matches(
        _ expression: String,
        selecting columns: String,
        days: ClosedRange<Int32>,
        _ conditions: [SQLPiece]
    ) -> SQLPiece {
        let numbers = Self.numbers(of: days)
        var piece = SQLPiece(
            """
            SELECT \(columns) FROM transactions_search
            CROSS JOIN transactions ON seq = transactions_search.rowid & 1099511627775
            WHERE transactions_search MATCH ?
              AND transactions_search.rowid >= ? AND transactions_search.rowid <= ?
            """,
            [expression, numbers.lowerBound, numbers.upperBound]
        )
        addFilters(to: &piece)
        for condition in conditions { piece.and(condition.sql, condition.arguments) }
        return piece
    }

    /// The row numbers of the search index for a range of days. The day is in the bits above the lower 40.
    private static func numbers(of days: ClosedRange<Int32>) -> ClosedRange<Int64> {
        func first(_ day: Int32) -> Int64 { (Int64(day) + 719_162) << 40 }
        return first(days.lowerBound)...(first(days.upperBound) + (1 << 40) - 1)
    }
}

extension TransactionList.Stream {
    /// All transactions with one of these accounts, at either end, or categories, also of a part.
    static func all(of names: NamedEntities) -> [Self] {
        names.accounts.flatMap { ends(of: $0) } + names.categories.flatMap { all(of: $0) }
    }
}
