// The errors of SQLite files, independent of their content.
import GRDB

/// The reason why a file refused an operation. A call that throws has changed nothing.
public enum StorageError: Error, Hashable, Sendable {
    /// The disk is full, or the quota is used up.
    case diskFull
    /// The file or its folder cannot be written: check owner and permissions.
    case readOnly
    /// The file belongs to another program or is damaged: restore a backup.
    case damaged(String)
    /// The file was written by a newer version of the program.
    case newerSchema(NewerSchema)
    /// A migration would have changed data that it must keep, or there is none for so old a file; it is unchanged.
    case migrationRefused(String)
    /// A sum exceeds 64 bits.
    case overflow
    /// The schema does not allow a value; the text names the rule.
    case refused(String)
    /// Another process has locked the file for some seconds.
    case busy
    /// The file was closed.
    case closed
    /// Another failure of the operating system or SQLite, for the log.
    case failed(String)

    /// Translates an error of SQLite or GRDB.
    public init(_ error: any Error) {
        switch error {
        case let error as StorageError: self = error
        case let error as DatabaseError: self.init(database: error)
        default: self = .failed(String(describing: error))
        }
    }

    private init(database error: DatabaseError) {
        let message = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(message)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_MISUSE where message.contains("closed"): self = .closed
        case .SQLITE_CONSTRAINT: self.init(constraint: error, message: message)
        // `sum()` reports an integer overflow itself.
        case .SQLITE_ERROR where message.contains("integer overflow"): self = .overflow
        default: self = .failed(message)
        }
    }

    private init(constraint error: DatabaseError, message: String) {
        switch error.extendedResultCode {
        // No real number is ever bound, so one in an integer column is the result of an integer overflow.
        case .SQLITE_CONSTRAINT_DATATYPE: self = .overflow
        case .SQLITE_CONSTRAINT_CHECK where message.hasSuffix(" overflow"): self = .overflow
        case .SQLITE_CONSTRAINT_CHECK: self = .refused(message)
        default: self = message.contains("cannot store REAL value") ? .overflow : .failed(message)
        }
    }
}

/// The error type of a module that keeps a `Store`.
package protocol StorageFailure: Error, Sendable {
    /// Translates an error: of the module itself, a `StorageError`, or GRDB's.
    init(_ error: any Error)
}
