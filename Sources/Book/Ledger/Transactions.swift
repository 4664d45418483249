// Recording, changing, deleting and restoring transactions.
import GRDB
public import Ledger
import Storage

/// The result of adding a row.
public enum Recorded: Hashable, Sendable {
    /// The row was added.
    case new
    /// The same row existed under the same id: the form was submitted twice.
    case already
}

extension Book {
    /// Stores a new transaction.
    ///
    /// A second call with the same id and the same content changes nothing, even if the transaction was
    /// deleted since.
    /// - Throws: `idTaken` if the id has other content; `unknownAccount`, `accountClosed`, `unknownCategory`,
    ///   `categoryKind`, `invalid`, `overflow`.
    @discardableResult
    public func record(_ transaction: Transaction) throws(BookError) -> Recorded {
        try transaction.checkShape()
        try transaction.checkSplit(before: nil)
        let now = clock()
        return try changeAsUser { db in
            let recorded = try db.record(new: transaction)
            try db.acceptDraftReceipts(of: transaction.id, now)
            return recorded
        }
    }

    /// Stores many transactions as one change: all or none. It is much faster than one call for each.
    /// - Returns: the number of new transactions.
    /// - Throws: as `record`.
    @discardableResult
    public func record(all transactions: [Transaction]) throws(BookError) -> Int {
        for transaction in transactions {
            try transaction.checkShape()
            try transaction.checkSplit(before: nil)
        }
        return try changeAsUser { db in
            let held = try db.number("SELECT ifnull(sum(count), 0) FROM month_sums WHERE month = 0")
            // For a batch that is a large part of the book, computing all sums once is faster than
            // maintaining them row by row.
            let references = try LiveReferences(db)
            func recordAll() throws -> Int {
                var new = 0
                for transaction in transactions {
                    let recorded = try db.record(transaction) { _ in try references.check(transaction) }
                    if recorded == .new { new += 1 }
                }
                return new
            }
            guard transactions.count >= 1_000, transactions.count >= held / 4 else { return try recordAll() }
            return try Sums.suspended(db.connection, withIndexes: transactions.count < held, recordAll)
        }
    }

    /// Marks a transaction as deleted. A repeated call does nothing.
    /// - Throws: `unknownTransaction`; `overflow` if a balance without it would leave the range.
    public func deleteTransaction(_ id: EntityID) throws(BookError) {
        let now = clock()
        try changeAsUser { db in try db.deleteTransaction(id, now) }
    }

    /// Reverts a deletion. The call does nothing on a live transaction. Categories that were deleted in the
    /// meantime are left out.
    /// - Returns: the id of the restored transaction. It is another one if the cloud may know of the
    ///   deletion, because a row that is deleted there stays deleted.
    /// - Throws: `unknownTransaction`; `unknownAccount` if one of its accounts was deleted in the meantime;
    ///   `overflow`.
    @discardableResult
    public func restoreTransaction(_ id: EntityID) throws(BookError) -> EntityID {
        try changeAsUser { db in try db.restoreTransaction(id) }
    }

    /// A live transaction, or nil.
    public func transaction(_ id: EntityID) throws(BookError) -> Transaction? {
        try reading { db in
            guard let (stored, isDeleted) = try db.storedTransaction(id), !isDeleted else { return nil }
            return stored
        }
    }
}

extension BookDatabase {
    /// Stores a new transaction after its references were checked.
    @discardableResult
    func record(new transaction: Transaction) throws -> Recorded {
        try record(transaction) { db in try db.checkReferences(ofNew: transaction) }
    }

    /// Checks that accounts and category are live and fit, and that the accounts are open.
    func checkReferences(ofNew transaction: Transaction) throws {
        try checkReferences(of: transaction, before: nil)
        if try isClosed(transaction.account) { throw BookError.accountClosed(.account) }
        if let arrival = transaction.toAccount, try isClosed(arrival) {
            throw BookError.accountClosed(.toAccount)
        }
    }

    fileprivate func record(
        _ transaction: Transaction,
        checkReferences: (BookDatabase) throws -> Void
    ) throws -> Recorded {
        if try change(Transaction.insert, StatementArguments([transaction.id.column] + transaction.values))
            == 1
        {
            // An error of the check rolls the row back. A transaction that was recorded before is not checked
            // again, because its account or category may have been deleted since.
            try checkReferences(self)
            return .new
        }
        guard let stored = try storedTransaction(transaction.id)?.0, transaction.isEntered(as: stored) else {
            throw BookError.idTaken(transaction.id)
        }
        return .already
    }

    func deleteTransaction(_ id: EntityID, _ now: Int64) throws {
        let sql = "UPDATE transactions SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL"
        guard try change(sql, [now, id.column]) == 0 else { return }
        guard try storedTransaction(id) != nil else { throw BookError.unknownTransaction(id) }
    }

    func restoreTransaction(_ id: EntityID) throws -> EntityID {
        guard let (stored, isDeleted) = try storedTransaction(id) else {
            throw BookError.unknownTransaction(id)
        }
        guard isDeleted else { return id }
        _ = try liveCurrency(ofAccount: stored.account)
        if let toAccount = stored.toAccount { _ = try liveCurrency(ofAccount: toAccount) }
        let (living, isDone) = try revivable(id, "transaction")
        try moveReceipts(from: id, to: living)
        try doubtUploads("transaction_id = ? AND deleted_at IS NULL", living)
        guard !isDone else { return living }
        try change(
            """
            UPDATE transactions SET
              deleted_at = NULL,
              category = (SELECT c.id FROM categories c WHERE c.id = category AND c.deleted_at IS NULL),
              split = ?
            WHERE id = ?
            """,
            [try stored.split.map { try withoutDeletedCategories($0).text }, living.column]
        )
        return living
    }

    func storedTransaction(_ id: EntityID) throws -> (Transaction, isDeleted: Bool)? {
        let sql = "SELECT \(Transaction.columns), deleted_at FROM transactions WHERE id = ?"
        return try first(sql, [id.column]) { (try Transaction($0), !$0.isNull(Transaction.columnCount)) }
    }

    /// Checks that accounts and category are live. References that the transaction had before are not checked
    /// again.
    func checkReferences(of transaction: Transaction, before: Transaction?) throws {
        if transaction.account != before?.account || transaction.amount.currency != before?.amount.currency
            || transaction.accountMinor != before?.accountMinor || transaction.amount != before?.amount
            || transaction.kind != before?.kind
        {
            let isUnchanged = transaction.account == before?.account
            let currency = try liveCurrency(ofAccount: transaction.account, orDeleted: isUnchanged)
            try transaction.checkAmount(onAccountIn: currency)
        }
        if let toAccount = transaction.toAccount, toAccount != before?.toAccount {
            _ = try liveCurrency(ofAccount: toAccount)
        }
        if let category = transaction.category,
            category != before?.category || transaction.kind != before?.kind
        {
            try checkCategory(category, of: transaction, wasKept: category == before?.category)
        }
        guard transaction.split != before?.split || transaction.kind != before?.kind else { return }
        let kept = Set((before?.split?.parts ?? []).compactMap(\.category))
        for category in Set((transaction.split?.parts ?? []).compactMap(\.category)).sorted() {
            try checkCategory(category, of: transaction, wasKept: kept.contains(category))
        }
    }

    /// Checks that a category is live and of a fitting kind.
    /// - Parameter wasKept: whether the transaction had the category before, which may be deleted then.
    private func checkCategory(_ category: EntityID, of transaction: Transaction, wasKept: Bool) throws {
        let sql = "SELECT kind FROM categories WHERE id = ? AND (deleted_at IS NULL OR ?)"
        guard let kind = try first(sql, [category.column, wasKept], { $0.text(0) }) else {
            // Parts of another device may refer to a category that this book has never had.
            if wasKept { return }
            throw BookError.unknownCategory(category)
        }
        guard transaction.kind.fits(category: kind) else { throw BookError.categoryKind }
    }

    /// Whether a category is live and fits transactions of a kind.
    func isLiveCategory(_ category: EntityID, for kind: Ledger.TransactionKind) throws -> Bool {
        try categoryKind(category).map { kind.fits(category: $0) } ?? false
    }

    fileprivate func liveCurrency(ofAccount id: EntityID, orDeleted: Bool = false) throws -> String {
        let sql = "SELECT currency FROM accounts WHERE id = ? AND (deleted_at IS NULL OR ?)"
        guard let currency = try first(sql, [id.column, orDeleted], { $0.text(0) }) else {
            throw BookError.unknownAccount(id)
        }
        return currency
    }
}

extension Transaction {
    /// Whether a stored transaction is what was entered. A schedule may have noted since that it is its payment, a rule
    /// may have set a value, and the user may have starred it.
    public func isEntered(as stored: Transaction) -> Bool {
        var entered = self
        if entered.occurrence == nil { entered.occurrence = stored.occurrence }
        (entered.isStarred, entered.rule) = (stored.isStarred, stored.rule)
        return entered == stored
    }
}

extension Ledger.TransactionKind {
    /// Whether a transaction of this kind may have a category of a kind. Income of a spending category is a refund.
    fileprivate func fits(category kind: String) -> Bool {
        kind == rawValue || (self == .income && kind == CategoryKind.expense.rawValue)
    }
}

/// The live accounts and categories, read once for many transactions.
private struct LiveReferences {
    private var currencies: [EntityID: String] = [:]
    private var closed: Set<EntityID> = []
    private var kinds: [EntityID: String] = [:]

    init(_ db: BookDatabase) throws {
        try db.forEach("SELECT id, currency, closed IS 1 FROM accounts WHERE deleted_at IS NULL") {
            currencies[try $0.id(0)] = $0.text(1)
            if $0.int(2) == 1 { closed.insert(try $0.id(0)) }
        }
        try db.forEach("SELECT id, kind FROM categories WHERE deleted_at IS NULL") {
            kinds[try $0.id(0)] = $0.text(1)
        }
    }

    func check(_ transaction: Transaction) throws(BookError) {
        guard let currency = currencies[transaction.account] else {
            throw .unknownAccount(transaction.account)
        }
        guard !closed.contains(transaction.account) else { throw .accountClosed(.account) }
        try transaction.checkAmount(onAccountIn: currency)
        if let toAccount = transaction.toAccount {
            guard currencies[toAccount] != nil else { throw .unknownAccount(toAccount) }
            guard !closed.contains(toAccount) else { throw .accountClosed(.toAccount) }
        }
        let parts = transaction.split?.parts ?? []
        for category in [transaction.category] + parts.map(\.category) {
            guard let category else { continue }
            guard let kind = kinds[category] else { throw .unknownCategory(category) }
            guard transaction.kind.fits(category: kind) else { throw .categoryKind }
        }
    }
}
