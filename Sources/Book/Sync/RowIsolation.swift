// One row that cannot be applied stops no other: rows are applied together, and in ever smaller parts after a failure.
import GRDB
import GRDBSQLite
import Storage
import SyncCore

extension RemoteChangeApplier {
    /// Applies rows in their order. Rows that cannot be applied, for whatever reason of their own, are stored as rows that do not fit.
    mutating func apply(each rows: [RowChange]) throws {
        try apply(each: rows) { applier, row in try applier.apply(row) }
    }

    /// The same with another way of applying a row.
    mutating func apply(each rows: [RowChange], _ body: (inout Self, RowChange) throws -> Void) throws {
        try isolate(rows[...], body) { applier, row, reason in
            guard let table = applier.db.schema.table(row.kind) else { throw reason }
            try applier.setUnfit(row, table, applier.db.present(row.id.description, table), reason)
        }
    }

    /// Does something for each row.
    /// - Parameter otherwise: called instead for each row that fails by itself. What `body` did for it is undone.
    mutating func isolate<Row>(
        _ rows: ArraySlice<Row>,
        _ body: (inout Self, Row) throws -> Void,
        otherwise: (inout Self, Row, any Error) throws -> Void
    ) throws {
        guard let first = rows.first else { return }
        var reason: (any Error)?
        let isDone = try attempt(failed: { reason = $0 }) { applier in
            for row in rows { try body(&applier, row) }
        }
        guard !isDone else { return }
        if rows.count == 1, let reason { return try otherwise(&self, first, reason) }
        let middle = rows.startIndex + rows.count / 2
        try isolate(rows[..<middle], body, otherwise: otherwise)
        try isolate(rows[middle...], body, otherwise: otherwise)
    }

    /// Does something as a whole or not at all.
    /// - Parameter failed: called with the reason if rows are the reason of a failure. Everything is undone then.
    /// - Returns: whether it was done.
    /// - Throws: the failure if the file is the reason of it.
    mutating func attempt(failed: (any Error) -> Void = { _ in }, _ body: (inout Self) throws -> Void) throws
        -> Bool
    {
        let former = self
        do {
            try db.connection.inSavepoint {
                try body(&self)
                // References are checked when the transaction ends, which is too late to tell the rows apart.
                guard try db.hasWholeReferences() else { throw BrokenReference() }
                return .commit
            }
            return true
        } catch  where !error.isOfTheFile {
            self = former
            failed(error)
            return false
        }
    }
}

/// A row refers to a row that does not exist.
private struct BrokenReference: Error {}

extension BookDatabase {
    /// Whether all references point to rows, within a transaction.
    fileprivate func hasWholeReferences() throws -> Bool {
        guard let connection = connection.sqliteConnection else { throw StorageError.closed }
        var (pending, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(connection, SQLITE_DBSTATUS_DEFERRED_FKS, &pending, &highest, 0)
        return pending == 0
    }

    /// A row of this book, and whether it is deleted; nil if there is none.
    func present(_ id: String, _ table: SyncedTable) throws -> (Fields, isDeleted: Bool)? {
        let count = Int32(table.fields.count)
        return try first(table.select, [id]) { (table.read($0), isDeleted: $0.int(count) == 1) }
    }
}

extension Error {
    /// Whether the file or the disk is the reason of a failure, so that it would fail for other rows too.
    fileprivate var isOfTheFile: Bool {
        switch self {
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_ERROR, .SQLITE_RANGE: false
            default: true
            }
        case let error as StorageError:
            switch error {
            case .diskFull, .readOnly, .newerSchema, .busy, .closed: true
            case .damaged, .migrationRefused, .overflow, .refused, .failed: false
            }
        default: false
        }
    }
}
