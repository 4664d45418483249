// A connection to a book's file, as the functions of a book are given it.
import GRDB
import Storage

/// A connection to a book's file, with what the book stores. It passes on what `Database` does with cached statements.
struct BookDatabase {
    let connection: Database
    let schema: BookSchema

    /// Runs a cached statement and hands each of its rows to `body`.
    func forEach(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Void
    ) throws { try connection.forEach(sql, arguments, body) }

    /// Hands the rows to `body` until it answers false.
    func forEachWhile(
        _ sql: String,
        _ arguments: StatementArguments,
        _ body: (Columns) throws -> Bool
    ) throws { try connection.forEachWhile(sql, arguments, body) }

    /// The first row, decoded; nil where there is none.
    func first<Value>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Value
    ) throws -> Value? { try connection.first(sql, arguments, body) }

    /// The rows, decoded.
    func all<Value>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Value
    ) throws -> [Value] { try connection.all(sql, arguments, body) }

    /// The integer in the first row, or 0.
    func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try connection.number(sql, arguments)
    }

    /// Runs a cached statement that changes something; the number of rows that it changed.
    @discardableResult
    func change(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try connection.change(sql, arguments)
    }
}
