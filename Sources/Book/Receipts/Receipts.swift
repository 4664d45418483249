// Receipts: files beside transactions. The rows are synced. The bytes are files beside the book, which this file never
// touches itself: it passes on which of them are needed.
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// Deletes a receipt. Its file stays as long as the deletion can be undone. A repeated call does nothing.
    /// - Returns: the number of the change in the history; nil if the receipt was deleted before.
    /// - Throws: `unknownReceipt`.
    public func deleteReceipt(_ id: EntityID) throws(BookError) -> Int64? {
        let now = clock()
        return try changeAsUser { db in
            let sql = "UPDATE receipts SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL"
            guard try db.change(sql, [now, id.column]) == 0 else { return try db.presentChange() }
            guard try db.isDeleted(id, in: "receipts") != nil else { throw BookError.unknownReceipt(id) }
            return nil
        }
    }

    /// A live receipt, also of a deleted transaction; nil if there is none.
    public func receipt(_ id: EntityID) throws(BookError) -> ShownReceipt? {
        try reading { db in
            let sql = """
                SELECT \(ShownReceipt.columns) FROM receipts r \(ShownReceipt.file)
                WHERE r.id = ? AND r.deleted_at IS NULL
                """
            return try db.first(sql, [id.column]) { try ShownReceipt($0) }
        }
    }

    /// One of the live receipts with a content, also of a deleted transaction; nil if there is none.
    public func receipt(withContent sha256: String) throws(BookError) -> ShownReceipt? {
        try reading { db in
            guard db.schema.table(Receipt.entityKind) != nil else { return nil }
            let sql = """
                SELECT \(ShownReceipt.columns)
                FROM receipts r INDEXED BY receipts_by_content \(ShownReceipt.file)
                WHERE r.sha256 = ? AND r.deleted_at IS NULL LIMIT 1
                """
            return try db.first(sql, [sha256]) { try ShownReceipt($0) }
        }
    }

    /// The transaction of a receipt, also if either of them was deleted; nil for an unknown receipt.
    public func transaction(ofReceipt id: EntityID) throws(BookError) -> EntityID? {
        try reading { db in
            try db.first("SELECT transaction_id FROM receipts WHERE id = ?", [id.column]) { $0.optionalID(0) }
                ?? nil
        }
    }

    /// The receipts of a transaction, the oldest first.
    public func receipts(of transaction: EntityID) throws(BookError) -> [ShownReceipt] {
        try reading { db in
            let sql = """
                SELECT \(ShownReceipt.columns)
                FROM receipts r INDEXED BY receipts_by_transaction \(ShownReceipt.file)
                WHERE r.transaction_id = ? AND r.deleted_at IS NULL ORDER BY r.created, r.id
                """
            return try db.all(sql, [transaction.column]) { try ShownReceipt($0) }
        }
    }

    /// The bytes that the files of receipts take on this device.
    public func receiptSpace() throws(BookError) -> ReceiptSpace {
        try reading { db in try db.receiptSpace() }
    }
}

extension Receipt: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "receipt"

    static let columns = "id, \(SyncedEntity.receipt.columns)"
    static let columnCount: Int32 = 9

    /// Decodes `columns` of the current row of a statement.
    init(_ row: Columns, from index: Int32 = 0) throws {
        self.init(
            id: try row.id(index),
            transaction: row.optionalID(index + 1),
            name: row.text(index + 2),
            type: row.text(index + 3),
            size: row.int64(index + 4),
            sha256: row.text(index + 5),
            width: row.optionalInt64(index + 6),
            height: row.optionalInt64(index + 7),
            created: row.int64(index + 8)
        )
    }

    /// The values of `columns` without the id.
    var values: [(any DatabaseValueConvertible)?] {
        [transaction.column, name, type, size, sha256, width, height, created]
    }

    /// Checks that the name can be stored.
    public func checkShape() throws(BookError) {
        guard name.isStorable(upTo: Receipt.longestName) else { throw .invalid(.name) }
    }
}

extension ShownReceipt {
    /// The columns of a receipt `r` and of its file `f`.
    static let columns =
        SyncedEntity.receipt.fields.reduce(into: "r.id") { $0 += ", r.\($1.column)" }
        + ", f.size, f.status, f.sent, f.failure, f.is_cached"
    static let file = "LEFT JOIN receipt_files f ON f.sha256 = r.sha256"

    /// Decodes `columns` of the current row of a statement.
    init(_ row: Columns, from index: Int32 = 0) throws {
        let receipt = try Receipt(row, from: index)
        let first = index + Receipt.columnCount
        self.init(receipt, file: row.isNull(first) ? nil : ReceiptFile(receipt.sha256, row, from: first))
    }
}

extension BookDatabase {
    func receipts(of transaction: EntityID) throws -> [Receipt] {
        let sql = """
            SELECT \(Receipt.columns) FROM receipts INDEXED BY receipts_by_transaction
            WHERE transaction_id = ? AND deleted_at IS NULL
            """
        return try all(sql, [transaction.column]) { try Receipt($0) }
    }

    func insert(_ receipt: Receipt) throws {
        try change(
            "INSERT INTO receipts (\(Receipt.columns)) VALUES (\(SyncedEntity.receipt.marks))",
            StatementArguments([receipt.id.column] + receipt.values)
        )
    }

    /// The receipts of a transaction that returns under another id follow it.
    func moveReceipts(from deleted: EntityID, to living: EntityID) throws {
        guard schema.table(Receipt.entityKind) != nil else { return }
        var id = deleted
        // The copies in between were deleted again.
        while id != living {
            try change(
                "UPDATE receipts SET transaction_id = ? WHERE transaction_id = ? AND deleted_at IS NULL",
                [living.column, id.column]
            )
            guard try isDeleted(id.copy, in: "transactions") != nil else { return }
            id = id.copy
        }
    }
}
