// Reads the columns of a row straight from SQLite's statement, by index: what the hot pages are made of.
//
// It is public and inlinable, where the rest of this module is for the package alone: called across modules for every
// column of every row, it would cost a tenth of a page.
public import GRDB
public import GRDBSQLite
public import Ledger

/// The current row of a statement that is being stepped. It must not outlive the step.
public struct Columns {
    @usableFromInline let statement: SQLiteStatement

    /// The row that a statement stands on.
    @inlinable
    public init(_ statement: SQLiteStatement) { self.statement = statement }

    /// Whether the column holds nothing.
    @inlinable
    public func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }
    /// A whole number.
    @inlinable
    public func int64(_ index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }
    /// A whole number that fits a count.
    @inlinable
    public func int(_ index: Int32) -> Int { Int(sqlite3_column_int64(statement, index)) }
    /// A day, kept as days since 1970-01-01.
    @inlinable
    public func date(_ index: Int32) -> CivilDate {
        CivilDate(dayNumber: sqlite3_column_int(statement, index))
    }
    /// A month, kept as its index.
    @inlinable
    public func month(_ index: Int32) -> YearMonth { YearMonth(index: int(index)) }

    /// A text; empty where the column is null.
    @inlinable
    public func text(_ index: Int32) -> String {
        let bytes = utf8(index)
        return bytes.isEmpty ? "" : String(decoding: bytes, as: UTF8.self)
    }

    /// A copy of a blob.
    @inlinable
    public func bytes(_ index: Int32) -> [UInt8] {
        Array(
            UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, index),
                count: Int(sqlite3_column_bytes(statement, index))
            )
        )
    }

    /// An integer, or nil.
    @inlinable
    public func optionalInt64(_ index: Int32) -> Int64? { isNull(index) ? nil : int64(index) }

    /// Nil where the column is null.
    @inlinable
    public func optionalText(_ index: Int32) -> String? { isNull(index) ? nil : text(index) }

    /// An id of a column that the schema keeps at 26 characters.
    @inlinable
    public func id(_ index: Int32) throws -> EntityID {
        guard let id = optionalID(index) else { throw StorageError.damaged("an id that is none") }
        return id
    }

    /// Nil where the column is null, empty, or no id.
    @inlinable
    public func optionalID(_ index: Int32) -> EntityID? {
        let bytes = utf8(index)
        guard bytes.count == 26 else { return nil }
        // The same reading as EntityID's own, without a generic sequence between: a list decodes hundreds.
        return crockford.withUnsafeBufferPointer { values in
            var high: UInt64 = 0
            var low: UInt64 = 0
            var all: UInt8 = 0
            for byte in bytes {
                let digit = values[Int(byte)]
                all |= digit
                high = high << 5 | low >> 59
                low = low << 5 | UInt64(digit)
            }
            return all < 32 ? EntityID(high: high, low: low) : nil
        }
    }

    /// A currency, kept as its code.
    /// - Throws: `StorageError.damaged` where it is none.
    @inlinable
    public func currency(_ index: Int32) throws -> CurrencyCode {
        guard let code = CurrencyCode(utf8: utf8(index)) else {
            throw StorageError.damaged("a currency that is none")
        }
        return code
    }

    /// A kind of transaction, kept as its word.
    /// - Throws: `StorageError.damaged` where it is none.
    @inlinable
    public func kind(_ index: Int32) throws -> TransactionKind {
        // The schema allows these three words only; their lengths and first letters tell them apart.
        let bytes = utf8(index)
        switch bytes.first {
        case UInt8(ascii: "e"): return .expense
        case UInt8(ascii: "i"): return .income
        case UInt8(ascii: "t"): return .transfer
        default: throw StorageError.damaged("a kind of transaction that is none")
        }
    }

    /// The value of an enumeration that is stored by its raw text.
    @inlinable
    public func word<Word: RawRepresentable>(_ index: Int32, _: Word.Type = Word.self) throws -> Word
    where Word.RawValue == String {
        guard let word = Word(rawValue: text(index)) else {
            throw StorageError.damaged("an unknown \(Word.self)")
        }
        return word
    }

    /// The bytes are SQLite's own and valid until the next step or the next reading of this column: every
    /// caller above copies or decodes them before it returns, and reads no column in between.
    @inlinable
    func utf8(_ index: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(statement, index)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    }
}

/// Steps through a statement without GRDB's rows, which know the names of their columns and cost as much as a query.
@usableFromInline
final class ColumnsCursor: DatabaseCursor {
    @usableFromInline typealias Element = Columns
    @usableFromInline let _statement: Statement
    @usableFromInline var _isDone = false

    @usableFromInline
    init(_ statement: Statement, _ arguments: StatementArguments) throws {
        _statement = statement
        try statement.setArguments(arguments)
    }

    /// A statement that was not stepped to its end would hold on to its moment.
    deinit { sqlite3_reset(_statement.sqliteStatement) }

    @usableFromInline
    func _element(sqliteStatement: SQLiteStatement) -> Columns { Columns(sqliteStatement) }
}

extension Database {
    /// Runs a cached statement and hands each of its rows to `body`.
    @inlinable
    public func forEach(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Void
    ) throws {
        let rows = try ColumnsCursor(cachedStatement(sql: sql), arguments)
        try withExtendedLifetime(rows) { try rows.forEach(body) }
    }

    /// Hands the rows to `body` until it answers false.
    @inlinable
    public func forEachWhile(
        _ sql: String,
        _ arguments: StatementArguments,
        _ body: (Columns) throws -> Bool
    ) throws {
        let rows = try ColumnsCursor(cachedStatement(sql: sql), arguments)
        try withExtendedLifetime(rows) {
            while let row = try rows.next() {
                guard try body(row) else { return }
            }
        }
    }

    /// What `body` makes of the first row, or nil where there is none.
    @inlinable
    public func first<Value>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Value
    ) throws -> Value? {
        let rows = try ColumnsCursor(cachedStatement(sql: sql), arguments)
        // The row is the statement's own, which is reset when the cursor goes.
        return try withExtendedLifetime(rows) { try rows.next().map(body) }
    }

    /// The rows, decoded.
    @inlinable
    public func all<Value>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try forEach(sql, arguments) { values.append(try body($0)) }
        return values
    }

    /// The integer in the first row, or 0.
    @inlinable
    public func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try first(sql, arguments) { $0.int(0) } ?? 0
    }

    /// Runs a cached statement that changes something; the number of rows that it changed.
    @discardableResult
    @inlinable
    public func change(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try cachedStatement(sql: sql).execute(arguments: arguments)
        return changesCount
    }
}

extension EntityID {
    /// How the id is bound.
    public var column: DatabaseValue { description.databaseValue }
}

extension Optional<EntityID> {
    /// How the id is bound.
    public var column: DatabaseValue { self?.column ?? .null }
}

@usableFromInline let crockford: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for (value, byte) in "0123456789abcdefghjkmnpqrstvwxyz".utf8.enumerated() {
        table[Int(byte)] = UInt8(value)
    }
    return table
}()
