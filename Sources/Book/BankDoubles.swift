// Bank transactions of which the book has two records: one device has recorded one, and another device has it entered by
// hand, before either knew of the other.
import Ledger
import Storage

extension Book {
    /// Makes one transaction of the records of the same bank transaction. Each device chooses alike: a transfer before
    /// others, what was entered by hand before what was recorded, and then the least id.
    /// - Returns: the number of records that were deleted for another one.
    @discardableResult
    public func mergeBankRecords() throws(BookError) -> Int {
        // Rarely there is one, and looking needs no change of the book.
        guard try reading({ db in try !db.keysWithTwoRecords().isEmpty }) else { return 0 }
        let now = clock()
        return try changeAsUser { db in
            var count = 0
            for key in try db.keysWithTwoRecords() {
                var records = try db.records(ofKey: key).sorted { $0.precedes($1, as: key) }
                guard var chosen = records.first else { continue }
                records.removeFirst()
                for record in records {
                    try db.replace(record, by: chosen, at: now)
                    chosen = try db.records(ofKey: key).first { $0.id == chosen.id } ?? chosen
                    count += 1
                }
            }
            return count
        }
    }
}

extension BookDatabase {
    fileprivate func keysWithTwoRecords() throws -> [String] {
        let sql = """
            SELECT bank_transaction FROM transactions INDEXED BY transactions_by_bank
            WHERE bank_transaction IS NOT NULL AND deleted_at IS NULL
            GROUP BY bank_transaction HAVING COUNT(*) > 1
            """
        return try all(sql) { $0.text(0) }
    }

    fileprivate func records(ofKey key: String) throws -> [Transaction] {
        let sql = """
            SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_by_bank
            WHERE bank_transaction = ? AND deleted_at IS NULL ORDER BY id
            """
        return try all(sql, [key]) { try Transaction($0) }
    }
}

extension Transaction {
    /// Whether it stays when there is another record of the same key.
    fileprivate func precedes(_ other: Transaction, as key: String) -> Bool {
        let derived = EntityID.derived(from: "transaction", key)
        func rank(_ one: Transaction) -> Int { one.kind == .transfer ? 0 : one.id == derived ? 2 : 1 }
        return (rank(self), id) < (rank(other), other.id)
    }
}
