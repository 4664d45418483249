// What can go wrong with a book, said so that a page can tell the user what to do.
public import Ledger
public import Storage

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
    /// Nothing waits for a decision under this id.
    case unknownConflict(EntityID)
    /// No change waits there: it may have been sent meanwhile.
    case unknownChange
    /// The row that a change was about is deleted: undo that first.
    case deletedSince(EntityID)
    /// A form and a later change by somebody else disagree about money in a way that cannot be merged: the user has to
    /// decide.
    case changedMeanwhile(BookField)
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
    /// The file was written by a newer version of the program: upgrade it.
    case newerSchema(NewerSchema)
    /// A migration would have changed rows or balances that it must not; the file is as it was.
    case migrationRefused(String)
    /// Another program has kept the book to itself for some seconds: try again.
    case busy
    /// The book was closed.
    case closed
    /// The operating system or SQLite failed in another way; for the log.
    case failed(String)
}

/// The part of a noun that cannot be stored as it is.
public enum BookField: String, Hashable, Sendable {
    case amount, accountAmount, toAccount, toAmount, account, category, currency, payee, note, tags, name,
        icon
    case color, parent, limit, opening, from, locale, timeZone, secondaryCurrencies, other
}

extension BookError: StorageFailure {
    /// The error that a failure from below amounts to.
    package init(_ error: any Error) {
        if let error = error as? BookError {
            self = error
            return
        }
        switch StorageError(error) {
        case .diskFull: self = .diskFull
        case .readOnly: self = .readOnly
        case .damaged(let what): self = .damaged(what)
        case .newerSchema(let schema): self = .newerSchema(schema)
        case .migrationRefused(let what): self = .migrationRefused(what)
        case .overflow: self = .overflow
        case .refused: self = .invalid(.other)
        case .busy: self = .busy
        case .closed: self = .closed
        case .failed(let what): self = .failed(what)
        }
    }
}
