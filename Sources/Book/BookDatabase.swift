// A connection to the file of a book.
import GRDB
import Storage

/// A connection to the file of a book, together with the book's schema. Its methods are the methods of
/// `Database` that run cached statements.
struct BookDatabase {
    let connection: Database
    let schema: BookSchema

    /// Runs a cached statement and passes each of its rows to `body`.
    func forEach(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Void
    ) throws { try connection.forEach(sql, arguments, body) }

    /// Passes the rows to `body` until it returns false.
    func forEachWhile(
        _ sql: String,
        _ arguments: StatementArguments,
        _ body: (Columns) throws -> Bool
    ) throws { try connection.forEachWhile(sql, arguments, body) }

    /// The first row, decoded; nil if there is none.
    func first<Value>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Value
    ) throws -> Value? { try connection.first(sql, arguments, body) }

    /// All rows, decoded.
    func all<Value>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Value
    ) throws -> [Value] { try connection.all(sql, arguments, body) }

    /// The integer in the first row; 0 if there is no row.
    func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try connection.number(sql, arguments)
    }

    /// Runs a cached statement that changes rows, and returns the number of changed rows.
    @discardableResult
    func change(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try connection.change(sql, arguments)
    }
}
