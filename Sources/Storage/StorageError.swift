// What can go wrong with a file of SQLite's, whatever is in it.
import GRDB

/// Why a file refused or failed. Nothing was changed where one is thrown.
public enum StorageError: Error, Hashable, Sendable {
    /// The disk is full, or the quota used up.
    case diskFull
    /// The file or its folder cannot be written: check owner and permissions.
    case readOnly
    /// The file is none of ours or is damaged: restore a backup.
    case damaged(String)
    /// The file was written by a newer version of the program.
    case newerSchema(NewerSchema)
    /// A migration would have changed what it must not; the file is as it was.
    case migrationRefused(String)
    /// A sum would leave 64 bits.
    case overflow
    /// What the schema does not allow; the text says which rule.
    case refused(String)
    /// Another program has kept the file to itself for some seconds.
    case busy
    /// The file was closed.
    case closed
    /// The operating system or SQLite failed in another way; for the log.
    case failed(String)

    /// What a failure from below amounts to.
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
        // sum() says so itself where a sum of integers leaves 64 bits.
        case .SQLITE_ERROR where message.contains("integer overflow"): self = .overflow
        default: self = .failed(message)
        }
    }

    private init(constraint error: DatabaseError, message: String) {
        switch error.extendedResultCode {
        // No real number is ever bound: one in an integer column is an integer sum that overflowed.
        case .SQLITE_CONSTRAINT_DATATYPE: self = .overflow
        case .SQLITE_CONSTRAINT_CHECK where message.hasSuffix(" overflow"): self = .overflow
        case .SQLITE_CONSTRAINT_CHECK: self = .refused(message)
        default: self = message.contains("cannot store REAL value") ? .overflow : .failed(message)
        }
    }
}

/// The errors of whoever keeps something in a `Store`.
package protocol StorageFailure: Error, Sendable {
    /// What a failure from below amounts to: one of its own, a `StorageError`, or GRDB's.
    init(_ error: any Error)
}
