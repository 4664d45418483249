// A part of a query that is put together from several.
import GRDB
import Ledger

/// Text of SQL with the values of its question marks.
struct SQLPiece {
    var sql: String
    var arguments: [any DatabaseValueConvertible]

    init(_ sql: String, _ arguments: [any DatabaseValueConvertible]) {
        self.sql = sql
        self.arguments = arguments
    }

    static func + (one: SQLPiece, other: SQLPiece) -> SQLPiece {
        SQLPiece(one.sql + other.sql, one.arguments + other.arguments)
    }

    static func += (one: inout SQLPiece, other: SQLPiece) { one = one + other }

    /// Adds a condition that must hold as well.
    mutating func and(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) {
        self += SQLPiece(" AND \(sql)", arguments)
    }

    /// A list of ids as one value, for `json_each`: the text of the query is the same however many there are.
    static func json(_ ids: [EntityID]) -> String {
        "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }
}

extension [SQLPiece] {
    func joined(separator: String) -> SQLPiece {
        SQLPiece(map(\.sql).joined(separator: separator), flatMap(\.arguments))
    }
}
