// Transactions that the user has starred, as templates for others.
import GRDB
public import Ledger
import Storage

extension Book {
    /// The starred transactions, the newest first.
    public func starredTransactions(limit: Int) throws(BookError) -> [Transaction] {
        try reading { db in
            let sql = """
                SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_starred
                WHERE starred = 1 AND deleted_at IS NULL ORDER BY date DESC, id DESC LIMIT ?
                """
            return try db.all(sql, [limit]) { try Transaction($0) }
        }
    }

    /// Stars a transaction, or removes its star.
    /// - Returns: the number of the change in the history; nil if all was so already.
    /// - Throws: `unknownTransaction`.
    public func star(_ id: EntityID, _ isStarred: Bool) throws(BookError) -> Int64? {
        try changeAsUser { db in
            guard let (stored, isDeleted) = try db.storedTransaction(id), !isDeleted else {
                throw BookError.unknownTransaction(id)
            }
            var changed = stored
            changed.isStarred = isStarred
            return try db.edit(changed, nil).change
        }
    }
}
