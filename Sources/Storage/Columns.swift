// Reads the columns of a row directly from SQLite's statement, by index, for pages that are requested often.
//
// The API is public and inlinable, unlike the rest of this module: a call across modules for every column of
// every row would cost a tenth of a page.
public import GRDB
public import GRDBSQLite
public import Ledger

/// The current row of a statement that is being stepped. It is invalid after the next step.
public struct Columns {
    @usableFromInline let statement: SQLiteStatement

    /// The current row of a statement.
    @inlinable
    public init(_ statement: SQLiteStatement) { self.statement = statement }

    /// SQL's NULL, which is neither 0 nor an empty text.
    @inlinable
    public func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }
    /// A 64-bit integer.
    @inlinable
    public func int64(_ index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }
    /// An integer that fits a count.
    @inlinable
    public func int(_ index: Int32) -> Int { Int(sqlite3_column_int64(statement, index)) }
    /// A date, stored as the number of days since 1970-01-01.
    @inlinable
    public func date(_ index: Int32) -> CivilDate {
        CivilDate(dayNumber: sqlite3_column_int(statement, index))
    }
    /// A month, stored as its index.
    @inlinable
    public func month(_ index: Int32) -> YearMonth { YearMonth(index: int(index)) }

    /// A text; empty if the column is NULL.
    @inlinable
    public func text(_ index: Int32) -> String {
        let bytes = utf8(index)
        return bytes.isEmpty ? "" : String(decoding: bytes, as: UTF8.self)
    }

    /// The size of a text or of bytes.
    @inlinable
    public func byteCount(_ index: Int32) -> Int { Int(sqlite3_column_bytes(statement, index)) }

    /// Whether the column has exactly the bytes of a text, without making a string of it.
    @inlinable
    public func isText(_ index: Int32, _ text: String) -> Bool {
        let bytes = utf8(index)
        let isSame = text.utf8.withContiguousStorageIfAvailable { known in
            known.count == bytes.count && known.elementsEqual(bytes)
        }
        return isSame ?? (text == self.text(index))
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

    /// A 64-bit integer, or nil if the column is NULL.
    @inlinable
    public func optionalInt64(_ index: Int32) -> Int64? { isNull(index) ? nil : int64(index) }

    /// A text, or nil if the column is NULL.
    @inlinable
    public func optionalText(_ index: Int32) -> String? { isNull(index) ? nil : text(index) }

    /// An id.
    /// - Throws: `StorageError.damaged` if the column is not a valid id.
    @inlinable
    public func id(_ index: Int32) throws -> EntityID {
        guard let id = optionalID(index) else { throw StorageError.damaged("a malformed id") }
        return id
    }

    /// An id, or nil if the column is NULL, empty, or not a valid id.
    @inlinable
    public func optionalID(_ index: Int32) -> EntityID? {
        let bytes = utf8(index)
        guard bytes.count == 26 else { return nil }
        // As `EntityID.init`, without a generic sequence: a list decodes hundreds of ids.
        return crockford.withUnsafeBufferPointer { values in
            var (upper, lower): (UInt64, UInt64) = (0, 0)
            var all: UInt8 = 0
            // Two halves with a digit of both between them: 64-bit shifts suffice, and none waits for the other half.
            for place in 0..<13 {
                let digit = values[Int(bytes[place])]
                all |= digit
                upper = upper << 5 | UInt64(digit)
            }
            let middle = values[Int(bytes[13])]
            all |= middle
            for place in 14..<26 {
                let digit = values[Int(bytes[place])]
                all |= digit
                lower = lower << 5 | UInt64(digit)
            }
            let (high, low) = (upper << 1 | UInt64(middle >> 4), UInt64(middle) << 60 | lower)
            return all < 32 ? EntityID(high: high, low: low) : nil
        }
    }

    /// A currency, stored as its code.
    /// - Throws: `StorageError.damaged` if the code is malformed.
    @inlinable
    public func currency(_ index: Int32) throws -> CurrencyCode {
        guard let code = CurrencyCode(utf8: utf8(index)) else {
            throw StorageError.damaged("a malformed currency code")
        }
        return code
    }

    /// A kind of transaction, stored as its raw value.
    /// - Throws: `StorageError.damaged` if the value is unknown.
    @inlinable
    public func kind(_ index: Int32) throws -> TransactionKind {
        // The schema allows three words; their first letters differ.
        let bytes = utf8(index)
        switch bytes.first {
        case UInt8(ascii: "e"): return .expense
        case UInt8(ascii: "i"): return .income
        case UInt8(ascii: "t"): return .transfer
        default: throw StorageError.damaged("an unknown kind of transaction")
        }
    }

    /// An enumeration, stored as its raw value.
    /// - Throws: `StorageError.damaged` if the value is unknown.
    @inlinable
    public func word<Word: RawRepresentable>(_ index: Int32, _: Word.Type = Word.self) throws -> Word
    where Word.RawValue == String {
        guard let word = Word(rawValue: text(index)) else {
            throw StorageError.damaged("an unknown \(Word.self)")
        }
        return word
    }

    /// SQLite owns the bytes until the next step or the next read of this column. Every caller above copies
    /// or decodes them before it returns, and reads no column in between.
    @inlinable
    func utf8(_ index: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(statement, index)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    }
}

/// Steps through a statement without GRDB's rows, which look columns up by name and cost as much as a query.
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

    /// An unfinished statement would keep its read transaction open.
    deinit { sqlite3_reset(_statement.sqliteStatement) }

    @usableFromInline
    func _element(sqliteStatement: SQLiteStatement) -> Columns { Columns(sqliteStatement) }
}

extension Database {
    /// Runs a cached statement and calls `body` with each row.
    @inlinable
    public func forEach(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Void
    ) throws {
        let rows = try ColumnsCursor(cachedStatement(sql: sql), arguments)
        try withExtendedLifetime(rows) { try rows.forEach(body) }
    }

    /// Calls `body` with each row until it returns false.
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

    /// The result of `body` for the first row, or nil if there is none.
    @inlinable
    public func first<Value>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ body: (Columns) throws -> Value
    ) throws -> Value? {
        let rows = try ColumnsCursor(cachedStatement(sql: sql), arguments)
        // The row belongs to the statement, which is reset when the cursor is freed.
        return try withExtendedLifetime(rows) { try rows.next().map(body) }
    }

    /// The results of `body` for all rows.
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

    /// The integer in the first row, or 0 if there is none.
    @inlinable
    public func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try first(sql, arguments) { $0.int(0) } ?? 0
    }

    /// Runs a cached statement that changes rows.
    /// - Returns: the number of changed rows.
    @discardableResult
    @inlinable
    public func change(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try cachedStatement(sql: sql).execute(arguments: arguments)
        return changesCount
    }
}

extension EntityID {
    /// The value for statement arguments.
    public var column: DatabaseValue { description.databaseValue }
}

extension Optional<EntityID> {
    /// The value for statement arguments; NULL for nil.
    public var column: DatabaseValue { self?.column ?? .null }
}

@usableFromInline let crockford: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for (value, byte) in "0123456789abcdefghjkmnpqrstvwxyz".utf8.enumerated() {
        table[Int(byte)] = UInt8(value)
    }
    return table
}()
