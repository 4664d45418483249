// The list of all receipts of a book, and which transactions of a list have any.
import Encoding
import GRDB
public import Ledger
import Storage
import SyncCore
import Synchronization

extension Book {
    /// The receipts of live transactions that pass the filters of a query, the latest first. A list of the receipts
    /// whose files are not in the cloud, or are damaged, includes the receipts of deleted transactions:
    /// `unsentReceiptFiles` and `damagedReceiptFiles` count these receipts as well.
    /// - Parameter query: what the cloud has is in its scope: the book does not know.
    public func receipts(_ query: ReceiptQuery) throws(BookError) -> ReceiptPage {
        try reading { db in
            var piece = SQLPiece("r.deleted_at IS NULL", [])
            if let after = query.after {
                piece.and("(r.created, r.id) < (?, ?)", [after.created, after.id.column])
            }
            if let month = query.month {
                piece.and("t.date BETWEEN ? AND ?", [month.firstDay.dayNumber, month.lastDay.dayNumber])
            }
            if let account = query.account {
                piece.and("(t.account = ? OR t.to_account = ?)", [account.column, account.column])
            }
            if let type = query.type { piece.and("r.type = ?", [type.rawValue]) }
            switch query.scope {
            case .present: piece.and("t.deleted_at IS NULL", [])
            case .withDeleted: break
            case .notBackedUp(let absent, let fetchable):
                piece.and(
                    """
                    ((f.status IN ('local_only', 'uploading', 'failed') OR f.failure = ?
                        OR r.sha256 IN (SELECT value FROM json_each(?)))
                      AND NOT (f.failure IS ? AND r.sha256 IN (SELECT value FROM json_each(?))))
                    """,
                    [
                        UploadFailure.wrongContent.code, SQLPiece.json(absent), ReceiptFile.missing,
                        SQLPiece.json(fetchable),
                    ]
                )
            }
            let transaction = SyncedEntity.transaction.fields.reduce(into: "t.id") {
                $0 += ", t.\($1.column)"
            }
            let sql = """
                SELECT \(transaction), t.deleted_at, \(ShownReceipt.columns)
                FROM receipts r INDEXED BY receipts_by_creation
                JOIN transactions t ON t.id = r.transaction_id \(ShownReceipt.file)
                WHERE \(piece.sql) ORDER BY r.created DESC, r.id DESC
                """
            var page = ReceiptPage(entries: [], next: nil)
            let words = (query.text ?? "").searchForm.split(whereSeparator: \.isWhitespace)
            try db.forEachWhile(sql, StatementArguments(piece.arguments)) { row in
                guard page.entries.count < query.limit else {
                    page.next = page.entries.last.map {
                        ReceiptCursor(created: $0.shown.receipt.created, id: $0.shown.receipt.id)
                    }
                    return false
                }
                let entry = ReceiptEntry(
                    try ShownReceipt(row, from: Transaction.columnCount + 1),
                    beside: try Transaction(row),
                    isDeleted: !row.isNull(Transaction.columnCount)
                )
                if entry.has(words) { page.entries.append(entry) }
                return true
            }
            return page
        }
    }
}

extension Book {
    /// The names of the receipts of each transaction, by the text of its id, with semicolons between them.
    public func receiptNames() throws(BookError) -> [String: String] {
        try reading { db in
            let sql = """
                SELECT transaction_id, name FROM receipts INDEXED BY receipts_by_transaction
                WHERE deleted_at IS NULL AND transaction_id IS NOT NULL ORDER BY transaction_id, created, id
                """
            var names: [String: String] = [:]
            try db.forEach(sql) { row in
                let id = row.text(0)
                names[id] = names[id].map { "\($0); \(row.text(1))" } ?? row.text(1)
            }
            return names
        }
    }
}

extension ReceiptEntry {
    /// Whether each word occurs in the name of the file, or in a text of the transaction.
    fileprivate func has(_ words: [Substring]) -> Bool {
        guard !words.isEmpty else { return true }
        let texts = [shown.receipt.name, transaction.payee, transaction.note] + transaction.tags
        let folded = texts.map(\.searchForm)
        // An emoji is found in one that has a tone of skin besides.
        return words.allSatisfy { word in folded.contains { $0.utf8.contains(word.utf8) } }
    }
}

/// The answers to whether transactions have receipts, as far as lists have asked since the last change of rows.
///
/// It belongs to the lookups that a read was given, and is valid as long as they are. Reads of the same lookups share it.
final class ReceiptMarks: Sendable {
    /// More are forgotten; the longest page of a list has half as many.
    static let most = 1_000

    private let known = Mutex<[EntityID: Bool]>([:])

    /// The number of transactions whose answer is cached.
    var count: Int { known.withLock(\.count) }

    /// The given transactions that have receipts. Transactions whose answer is not cached are looked up in one query.
    func among(_ transactions: [EntityID], _ db: BookDatabase) throws -> Set<EntityID> {
        var marked: Set<EntityID> = []
        let unknown = known.withLock { known in
            transactions.filter { id in
                guard let isMarked = known[id] else { return true }
                if isMarked { marked.insert(id) }
                return false
            }
        }
        guard !unknown.isEmpty else { return marked }
        let found = try db.withReceipts(unknown)
        known.withLock { known in
            if known.count + unknown.count > Self.most { known.removeAll() }
            for id in unknown { known[id] = found.contains(id) }
        }
        return marked.union(found)
    }
}

extension BookDatabase {
    fileprivate func withReceipts(_ transactions: [EntityID]) throws -> Set<EntityID> {
        let sql = """
            SELECT id.value FROM json_each(?) id WHERE EXISTS (
              SELECT 1 FROM receipts INDEXED BY receipts_by_transaction
              WHERE transaction_id = id.value AND deleted_at IS NULL)
            """
        return Set(try all(sql, [SQLPiece.json(transactions)]) { try $0.id(0) })
    }
}
