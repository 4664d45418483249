// A part of a query that is composed of several.
import Encoding
import GRDB
import Ledger

/// SQL text with the values of its question marks.
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

    /// Adds a further condition with AND.
    mutating func and(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) {
        self += SQLPiece(" AND \(sql)", arguments)
    }

    /// A list of texts, such as ids, as one value for `json_each`. The text of the query does not depend on their number.
    static func json(_ texts: [some CustomStringConvertible]) -> String {
        JSON.list(texts.map { .text($0.description) }).description
    }
}

extension [SQLPiece] {
    func joined(separator: String) -> SQLPiece {
        SQLPiece(map(\.sql).joined(separator: separator), flatMap(\.arguments))
    }
}
