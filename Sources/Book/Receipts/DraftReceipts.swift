// Files that are chosen for a transaction before it is recorded. They become its receipts in the moment in which it is.
// They are not synced, and no history knows them.
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// The time after which files are forgotten whose transaction was never recorded, in seconds. A form may stay open on a
    /// phone for days.
    static let draftLifetime: Int64 = 30 * 86_400

    /// The files of a transaction that is still being entered, the oldest first.
    public func draftReceipts(of transaction: EntityID) throws(BookError) -> [Receipt] {
        try reading { db in try db.draftReceipts(of: transaction) }
    }

    /// A file of a transaction that is still being entered; nil if there is none.
    public func draftReceipt(_ id: EntityID) throws(BookError) -> Receipt? {
        try reading { db in
            let sql = "SELECT \(Receipt.columns) FROM draft_receipts WHERE id = ?"
            return try db.first(sql, [id.column]) { try Receipt($0) }
        }
    }

    /// The files of transactions that were not recorded, the latest transaction first, and the files of each in the order in
    /// which they were added.
    public func unsavedReceipts() throws(BookError) -> [(transaction: EntityID, receipts: [Receipt])] {
        let oldest = clock() - Self.draftLifetime
        return try reading { db in
            let sql = """
                SELECT \(Receipt.columns) FROM draft_receipts WHERE created >= ? ORDER BY created, id
                """
            let receipts = try db.all(sql, [oldest]) { try Receipt($0) }
            let byTransaction = Dictionary(grouping: receipts) { $0.transaction }
            return byTransaction.compactMap { transaction, receipts in transaction.map { ($0, receipts) } }
                .sorted { left, right in
                    let (left, right) = (left.1[left.1.count - 1], right.1[right.1.count - 1])
                    return (left.created, left.id) > (right.created, right.id)
                }
        }
    }

    /// Removes the rows of a transaction's files that was not recorded. `collectReceiptFiles` removes their bytes.
    public func deleteDraftReceipts(of transaction: EntityID) throws(BookError) {
        try updateLocalState { db in
            try db.change("DELETE FROM draft_receipts WHERE transaction_id = ?", [transaction.column])
        }
    }

    /// Removes the row of a file of a transaction that is still being entered. `collectReceiptFiles` removes its bytes.
    /// - Returns: whether there was one.
    public func deleteDraftReceipt(_ id: EntityID) throws(BookError) -> Bool {
        var isDeleted = false
        try updateLocalState { db in
            isDeleted = try db.change("DELETE FROM draft_receipts WHERE id = ?", [id.column]) == 1
        }
        return isDeleted
    }

    /// Files follow their transaction, which is recorded under another id than its form had.
    public func moveDraftReceipts(from transaction: EntityID, to other: EntityID) throws(BookError) {
        try updateLocalState { db in
            try db.change(
                "UPDATE draft_receipts SET transaction_id = ? WHERE transaction_id = ?",
                [other.column, transaction.column]
            )
        }
    }
}

extension BookDatabase {
    /// Makes receipts of the files that were added while the transaction was being entered.
    func acceptDraftReceipts(of transaction: EntityID, _ now: Int64) throws {
        guard schema.table(Receipt.entityKind) != nil else { return }
        let drafts = try draftReceipts(of: transaction)
        guard !drafts.isEmpty else { return }
        let present = try Set(receipts(of: transaction).map(\.sha256))
        for draft in drafts where !present.contains(draft.sha256) {
            try insert(draft)
            try noteFile(draft.sha256, draft.size, isCached: false, now)
        }
        try change("DELETE FROM draft_receipts WHERE transaction_id = ?", [transaction.column])
    }

    func hasDraft(_ sha256: String) throws -> Bool {
        try number("SELECT EXISTS (SELECT 1 FROM draft_receipts WHERE sha256 = ?)", [sha256]) == 1
    }

    /// The files that no receipt has yet.
    func draftSpace() throws -> ReceiptSpace.Part {
        let sql = """
            SELECT count(*), ifnull(sum(size), 0) FROM (SELECT DISTINCT sha256, size FROM draft_receipts d
            WHERE NOT EXISTS (SELECT 1 FROM receipt_files
              WHERE sha256 = d.sha256 AND is_cached = 0 AND failure IS NOT ?))
            """
        return try first(sql, [ReceiptFile.missing]) { .init(count: $0.int(0), bytes: $0.int64(1)) }
            ?? .init(count: 0, bytes: 0)
    }

    func hasForgottenDrafts(_ now: Int64) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM draft_receipts WHERE created < ?)"
        return try number(sql, [now - Book.draftLifetime]) == 1
    }

    func removeForgottenDrafts(_ now: Int64) throws {
        try change("DELETE FROM draft_receipts WHERE created < ?", [now - Book.draftLifetime])
    }

    func draftReceipts(of transaction: EntityID) throws -> [Receipt] {
        let sql = """
            SELECT \(Receipt.columns) FROM draft_receipts WHERE transaction_id = ? ORDER BY created, id
            """
        return try all(sql, [transaction.column]) { try Receipt($0) }
    }

    func insertDraft(_ receipt: Receipt, of transaction: EntityID) throws {
        var receipt = receipt
        receipt.transaction = transaction
        try change(
            "INSERT INTO draft_receipts (\(Receipt.columns)) VALUES (\(SyncedEntity.receipt.marks))",
            StatementArguments([receipt.id.column] + receipt.values)
        )
    }
}
