// Receipts: files beside transactions. The rows are synced. The bytes are files beside the book, which this file never
// touches itself: it passes on which of them are needed.
import GRDB
public import Ledger
import Storage
import SyncCore

/// The reason why a receipt was not added.
public enum ReceiptRefusal: Error, Hashable, Sendable {
    /// The transaction has as many receipts as it may have.
    case tooManyOfTransaction
    /// The files of the book would take more bytes than they may.
    case quota(ReceiptSpace)
}

extension Book {
    /// Adds receipts to a transaction. Their files must be durable; `place` gives each its name, and the rows follow in
    /// the same transaction. A process that dies in between leaves a file without a row, and never a row without its
    /// file.
    ///
    /// A content that the transaction has already is no further receipt. Its file is placed nevertheless: the one that is
    /// there may be missing or damaged, and is whole then.
    /// - Parameters:
    ///   - quota: the greatest number of bytes of all files of the book.
    ///   - place: gives the file of a receipt its name. It is called before the rows are durable; an error undoes all.
    /// - Returns: the number of new receipts. The same content is added to a transaction only once.
    /// - Throws: `unknownTransaction`; an error of `place` as `failed`, unless it is a `BookError`.
    public func add(
        _ receipts: [Receipt],
        to transaction: EntityID,
        quota: Int64,
        placing place: (Receipt) throws -> Void
    ) throws(BookError) -> Result<Int, ReceiptRefusal> {
        for receipt in receipts { try receipt.checkShape() }
        let now = clock()
        return try changeAsUser { db -> Result<Int, ReceiptRefusal> in
            guard let (_, isDeleted) = try db.storedTransaction(transaction), !isDeleted else {
                throw BookError.unknownTransaction(transaction)
            }
            return try db.place(
                receipts,
                beside: db.receipts(of: transaction),
                quota: quota,
                placing: place
            ) { receipt, isNew in
                if isNew { try db.insert(receipt) }
                try db.noteFile(receipt.sha256, receipt.size, isCached: false, now)
            }
        }
    }

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
    /// Places files beside others, if their number and their bytes allow it.
    /// - Parameters:
    ///   - present: the receipts that are there.
    ///   - store: stores a receipt whose file was placed. Its second argument tells whether its content is new there.
    /// - Returns: the number of new receipts.
    func place(
        _ receipts: [Receipt],
        beside present: [Receipt],
        quota: Int64,
        placing place: (Receipt) throws -> Void,
        store: (Receipt, _ isNew: Bool) throws -> Void
    ) throws -> Result<Int, ReceiptRefusal> {
        let present = Set(present.map(\.sha256))
        var sent: [Receipt] = []
        for receipt in receipts where !sent.contains(where: { $0.sha256 == receipt.sha256 }) {
            sent.append(receipt)
        }
        let new = sent.filter { !present.contains($0.sha256) }
        // There may be more than that: devices that add some at the same time do not know of each other.
        guard new.isEmpty || present.count + new.count <= Receipt.mostOfTransaction else {
            return .failure(.tooManyOfTransaction)
        }
        let more = try sent.filter { try !hasFile($0.sha256) && !hasDraft($0.sha256) }.reduce(0) {
            $0 + $1.size
        }
        // A file that is here already takes no further room.
        guard try (new.isEmpty && more == 0) || receiptBytes() + more <= quota else {
            return .failure(.quota(try receiptSpace()))
        }
        for receipt in sent {
            try place(receipt)
            try store(receipt, !present.contains(receipt.sha256))
        }
        return .success(new.count)
    }

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
