// What can go wrong with a book, said so that a page can tell the user what to do.
import GRDB
public import Ledger

/// Why a book refused or failed. Nothing was changed where one is thrown.
public enum BookError: Error, Hashable, Sendable {
    /// No transaction has this id.
    case unknownTransaction(EntityID)
    /// The transaction was deleted: restore it first.
    case deletedTransaction(EntityID)
    /// No live account has this id.
    case unknownAccount(EntityID)
    /// No live category has this id.
    case unknownCategory(EntityID)
    /// No live budget has this id.
    case unknownBudget(EntityID)
    /// The register knows no device with this id.
    case unknownDevice(EntityID)
    /// Something else was stored under this id before.
    case idTaken(EntityID)
    /// The account cannot be deleted, or its currency changed, while live transactions are on it.
    case accountInUse(transactions: Int)
    /// The category cannot be deleted while something live refers to it: move its transactions, delete its
    /// budgets and subcategories first.
    case categoryInUse(transactions: Int, budgets: Int, children: Int)
    /// The category's kind cannot change while something live refers to it.
    case categoryKindInUse
    /// Categories have one level of parents: a parent has none itself, and a child is nobody's parent.
    case categoryNesting
    /// A category serves its own kind only: of transaction, parent, or budget (expense).
    case categoryKind
    /// The category, or all spending, already has a budget from that month on: change that one.
    case budgetExists(EntityID)
    /// A value cannot be stored.
    case invalid(BookField)
    /// A sum would leave the range of 64-bit minor units.
    case overflow
    /// The disk is full, or the quota used up.
    case diskFull
    /// The file or its folder cannot be written: check owner and permissions.
    case readOnly
    /// The file is not a book or is damaged: restore a backup.
    case damaged(String)
    /// The file was written by a newer version of the program: upgrade it. Both numbers are schema numbers.
    case newerSchema(found: Int, known: Int)
    /// A migration would have changed rows or balances that it must not; the file is as it was.
    case migrationRefused(String)
    /// The book was closed.
    case closed
    /// The operating system or SQLite failed in another way; for the log.
    case failed(String)
}

/// The part of a noun that cannot be stored as it is.
public enum BookField: String, Hashable, Sendable {
    case amount, accountAmount, toAccount, toAmount, account, category, currency, payee, note, tags, name,
        icon
    case color, parent, limit, from, locale, timeZone, secondaryCurrencies, other
}

extension BookError {
    /// The error that a failure from below amounts to.
    init(_ error: any Error) {
        switch error {
        case let error as BookError: self = error
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
        case .SQLITE_CONSTRAINT_CHECK: self = .invalid(.other)
        default: self = message.contains("cannot store REAL value") ? .overflow : .failed(message)
        }
    }
}
