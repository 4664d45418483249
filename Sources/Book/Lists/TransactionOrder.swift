// The orders of a list by amount and by payee.
import GRDB
import Ledger

extension TransactionList {
    /// The first rows in an order by amount or payee: up to one row more than the page shows.
    ///
    /// An order by payee reads the payees in their order, and stops when the page is full. Where a filter or the search leaves
    /// few rows, and in an order by amount, all matches are read, and those of the page are sorted.
    func sorted() throws -> [Transaction] {
        guard query.sort.key == .payee, readsMost else {
            return try firstRows(of: matches(selecting: sortedColumns, days: days))
        }
        var rows: [Transaction] = []
        if after?.value != .payee("") {
            rows = try rowsByPayee() + rowsOfUnnamedPayees()
            let places = rows.map { (place: query.sort.cursor(after: $0), row: $0) }
            rows = places.sorted { query.sort.precedes($0.place, $1.place) }.map(\.row)
        }
        guard rows.count <= limit else { return Array(rows.prefix(limit + 1)) }
        let rest = all(selecting: sortedColumns, days: days, [SQLPiece("+payee = ''", [])])
        return Array((rows + (try firstRows(of: rest))).prefix(limit + 1))
    }

    /// Whether no filter and no search has an index that leaves few rows.
    private var readsMost: Bool {
        search == .everything && categories == nil && payees == nil && query.account == nil
    }

    // MARK: Payee by payee

    private func rowsByPayee() throws -> [Transaction] {
        try rows(of: byPayee, "s_key \(direction), s_date DESC, s_id DESC")
    }

    /// A query for the rows of the page that have named payees, in their order.
    var byPayee: SQLPiece {
        var piece = SQLPiece(
            """
            SELECT seq AS s_seq, date AS s_date, id AS s_id, n.key AS s_key
            FROM payee_names n
            CROSS JOIN transactions INDEXED BY transactions_by_payee ON transactions.payee = n.payee
            WHERE deleted_at IS NULL AND transactions.payee <> '' AND date >= ? AND date <= ?
            """,
            [days.lowerBound, days.upperBound]
        )
        addFilters(to: &piece)
        if let after, case .payee(let payee)? = after.value {
            piece.and("n.key \(query.sort.isDescending ? "<=" : ">=") ?", [payee])
            piece += SQLPiece(" AND ", []) + follows(after)
        }
        return piece + SQLPiece(" ORDER BY n.key \(direction), date DESC, id DESC LIMIT ?", [limit + 1])
    }

    private var direction: String { query.sort.isDescending ? "DESC" : "ASC" }

    /// Transfers have no sums by payee, so that their payees may be missing among the names.
    private func rowsOfUnnamedPayees() throws -> [Transaction] {
        guard query.kind == nil || query.kind == .transfer else { return [] }
        let unnamed = SQLPiece("+payee <> '' AND +payee NOT IN (SELECT payee FROM payee_names)", [])
        let transfers = [Stream(kind: .transfer)]
        return try firstRows(
            of: scan(transfers, selecting: sortedColumns, within: Self.between(days), [unnamed])
        )
    }

    // MARK: Sorting

    /// The columns of an order: what decides, in one or two columns, then the day and the id.
    private var sortedColumns: String {
        let decisive =
            switch query.sort.key {
            case .date: "0 AS s_key, 0 AS s_rest"
            case .amount:
                // Whole units, and ten-thousandths: their product may be too large for an integer.
                Self.byDecimals { "amount_minor / \(Self.minors(in: $0))" } + " AS s_key, "
                    + Self.byDecimals {
                        "amount_minor % \(Self.minors(in: $0)) * \(10_000 / Self.minors(in: $0))"
                    } + " AS s_rest"
            case .payee:
                """
                iif(payee = '', '', ifnull(
                  (SELECT key FROM payee_names WHERE payee_names.payee = transactions.payee), name_key_1(payee)
                )) AS s_key, 0 AS s_rest
                """
            }
        return "seq AS s_seq, date AS s_date, id AS s_id, \(decisive)"
    }

    private static func minors(in decimals: Int) -> Int {
        (0..<decimals).reduce(1) { minors, _ in minors * 10 }
    }

    /// The first rows of a query for `sortedColumns`.
    private func firstRows(of found: SQLPiece) throws -> [Transaction] {
        guard !found.sql.isEmpty else { return [] }
        let order =
            query.sort.key == .payee
            ? "s_key = '', s_key \(direction), s_date DESC, s_id DESC"
            : "s_key \(direction), s_rest \(direction), s_date DESC, s_id DESC"
        var page = SQLPiece("SELECT * FROM (", []) + found + SQLPiece(") WHERE 1", [])
        if let after { page += SQLPiece(" AND ", []) + follows(after) }
        page += SQLPiece(" ORDER BY \(order) LIMIT ?", [limit + 1])
        return try rows(of: page, order)
    }

    /// The rows of a query that selects their numbers as `s_seq`.
    private func rows(of page: SQLPiece, _ order: String) throws -> [Transaction] {
        let sql = """
            SELECT \(Transaction.columns) FROM (\(page.sql)) CROSS JOIN transactions ON seq = s_seq ORDER BY \(order)
            """
        return try db.all(sql, StatementArguments(page.arguments)) { try Transaction($0) }
    }

    /// The condition that a row comes after a position.
    private func follows(_ place: TransactionCursor) -> SQLPiece {
        let comparison = query.sort.isDescending ? "<" : ">"
        let isOlder = SQLPiece("(s_date, s_id) < (?, ?)", [place.date.dayNumber, place.id.description])
        switch place.value {
        case nil: return isOlder
        case .amount(let amount):
            let (whole, rest) = amount.quotientAndRemainder(dividingBy: 10_000)
            let values: [any DatabaseValueConvertible] = [Int64(clamping: whole), Int64(rest)]
            return SQLPiece(
                "((s_key, s_rest) \(comparison) (?, ?) OR ((s_key, s_rest) = (?, ?) AND ",
                values + values
            ) + isOlder + SQLPiece("))", [])
        case .payee(""): return SQLPiece("(s_key = '' AND ", []) + isOlder + SQLPiece(")", [])
        case .payee(let payee):
            return SQLPiece(
                "(s_key = '' OR s_key \(comparison) ? OR (s_key = ? AND ",
                [payee, payee]
            ) + isOlder + SQLPiece("))", [])
        }
    }
}
