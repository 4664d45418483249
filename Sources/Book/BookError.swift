// The errors of a book, in enough detail that a page can tell the user what to do.
public import Ledger
public import Storage

/// The reason for which a book refused a request or failed. Nothing was changed if an error was thrown.
public enum BookError: Error, Hashable, Sendable {
    /// No transaction has this id.
    case unknownTransaction(EntityID)
    /// The transaction was deleted. It must be restored first.
    case deletedTransaction(EntityID)
    /// No live account has this id.
    case unknownAccount(EntityID)
    /// No live category has this id.
    case unknownCategory(EntityID)
    /// No live budget has this id.
    case unknownBudget(EntityID)
    /// No live schedule has this id.
    case unknownSchedule(EntityID)
    /// No saved view has this id.
    case unknownView(EntityID)
    /// No rule has this id.
    case unknownRule(EntityID)
    /// No receipt has this id.
    case unknownReceipt(EntityID)
    /// No undecided conflict has this id.
    case unknownConflict(EntityID)
    /// No pending change is at this position. It may have been sent in the meantime.
    case unknownChange
    /// The row of the change is deleted. The deletion must be undone first.
    case deletedSince(EntityID)
    /// The money of a form and of a later change from elsewhere disagrees in a way that cannot be merged. The
    /// user has to decide.
    case changedMeanwhile(BookField)
    /// Other content was stored under this id before.
    case idTaken(EntityID)
    /// The account cannot be deleted, and its currency cannot change, while it has live transactions.
    case accountInUse(transactions: Int)
    /// The account cannot be deleted, and its currency cannot change, while live schedules use it.
    case accountScheduled(schedules: Int)
    /// The account that this field names is closed. It can be reopened, or the transaction put on another account.
    case accountClosed(BookField)
    /// The category cannot be deleted while a live row refers to it. Its transactions and schedules, which are counted
    /// together, must be moved and its budgets and subcategories deleted first.
    case categoryInUse(transactions: Int, budgets: Int, children: Int)
    /// The category's kind cannot change while a live row refers to it.
    case categoryKindInUse
    /// Categories have one level of parents: a parent has no parent, and a child has no children.
    case categoryNesting
    /// A category fits only transactions and parents of its own kind, except that income may have an expense
    /// category, as a refund. Only expense categories have budgets.
    case categoryKind
    /// The category, or all spending, already has a budget that begins in that month; that budget can be
    /// changed.
    case budgetExists(EntityID)
    /// More transactions were selected than are changed at once.
    case selectionTooLarge
    /// A value cannot be stored.
    case invalid(BookField)
    /// A sum would leave the range of 64 bits of minor units.
    case overflow
    /// The disk is full, or the quota is used up.
    case diskFull
    /// The file or its folder cannot be written. The owner and the permissions should be checked.
    case readOnly
    /// The file is not a book or is damaged. A backup can be restored.
    case damaged(String)
    /// A newer version of the program wrote the file. The program must be upgraded.
    case newerSchema(NewerSchema)
    /// A migration would have changed rows or balances that it must not change. The file has its former
    /// content.
    case migrationRefused(String)
    /// Another program has locked the book for some seconds. A later attempt may succeed.
    case busy
    /// The book was closed.
    case closed
    /// Another failure of the operating system or of SQLite, described for the log.
    case failed(String)
}

/// The field of an entity that cannot be stored with its value.
public enum BookField: String, Hashable, Sendable {
    case amount, accountAmount, toAccount, toAmount, account, category, currency, payee, note, tags, split,
        name, icon
    case color, parent, limit, opening, from, every, end, locale, timeZone, secondaryCurrencies, other
}

extension BookError: StorageFailure {
    /// Maps an error of the storage to an error of the book.
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
