// Receipts that arrive for a transaction that was deleted and restored in the meantime.
import Ledger
import Storage

extension Book {
    /// Moves receipts of deleted transactions to the copies that took the place of these: another device added such a
    /// receipt before the copy reached it.
    /// - Returns: the number of transactions whose receipts were moved.
    public func moveStrayReceipts() throws(BookError) -> Int {
        // Without a transaction that changes something, nothing has to reach the disk.
        guard try !reading({ db in try db.strayReceipts() }).isEmpty else { return 0 }
        return try changeAsUser { db in
            let strays = try db.strayReceipts()
            for (deleted, living) in strays {
                try db.moveReceipts(from: deleted, to: living)
                try db.doubtUploads("transaction_id = ? AND deleted_at IS NULL", living)
            }
            return strays.count
        }
    }
}

extension BookDatabase {
    /// The deleted transactions with live receipts, each with its live copy.
    fileprivate func strayReceipts() throws -> [(deleted: EntityID, living: EntityID)] {
        guard schema.table(Receipt.entityKind) != nil else { return [] }
        let sql = """
            SELECT DISTINCT r.transaction_id FROM receipts r INDEXED BY receipts_by_transaction
            JOIN transactions t ON t.id = r.transaction_id AND t.deleted_at IS NOT NULL
            WHERE r.deleted_at IS NULL
            """
        let deleted = try all(sql) { try $0.id(0) }
        return try deleted.compactMap { id in try living(id, Transaction.entityKind).map { (id, $0) } }
    }
}
