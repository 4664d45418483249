// The whole book, row by row, for the writers of exported files, and a copy of the file itself.
import GRDB
import Ledger
import Storage
public import SyncCore

/// One live row of a book. It is valid only during the call that passes it.
public struct ExportedRow {
    let columns: Columns

    /// The text of the row's id.
    public var id: String { columns.text(0) }

    /// The number of a field, by the field's index in its declaration; nil if it has no value.
    public func integer(_ field: Int) -> Int64? { columns.optionalInt64(Int32(field + 1)) }

    /// The text of a field, by the field's index in its declaration; nil if it has no value.
    public func text(_ field: Int) -> String? { columns.optionalText(Int32(field + 1)) }
}

extension Book {
    /// Passes on all live rows of all kinds that the history records, in one consistent state: first the kinds with a
    /// single row, then the others in the order of the declaration. Rows are ordered by id, transactions by date and
    /// id, oldest first.
    ///
    /// The export has its own connection: reads and changes continue during it, however slow its caller is.
    /// - Parameter begin: called for each kind. It returns a function that gets the rows, or nil to skip the
    ///   kind.
    /// - Throws: `BookError`; an error of the functions is thrown as `failed`.
    public func export(
        _ begin: (SyncedEntity) throws -> ((ExportedRow) throws -> Void)?
    ) throws(BookError) {
        do {
            let reader = try DatabaseFile.openForReading(at: path)
            defer { try? reader.close() }
            let tables = schema.tables.filter(\.entity.isRecorded)
            try reader.read { db in
                for table in tables.filter(\.entity.isOneRow) + tables.filter({ !$0.entity.isOneRow }) {
                    guard let write = try begin(table.entity) else { continue }
                    try db.forEach(table.exported) { try write(ExportedRow(columns: $0)) }
                }
            }
        } catch {
            throw BookError(error)
        }
    }

    /// Writes a consistent, compact copy of the book to a new file, while the book is in use.
    /// - Throws: `failed` if the file exists already; `diskFull`, `readOnly`.
    public func backup(to target: String) throws(BookError) {
        try store.backup(to: target)
    }
}

extension SyncedTable {
    /// A query for the live rows, each with its id before its fields.
    fileprivate var exported: String {
        let (hint, order) =
            kind == Transaction.entityKind ? ("INDEXED BY transactions_by_date", "date, id") : ("", "id")
        let live = hasTombstones ? "WHERE deleted_at IS NULL" : ""
        // The receipts of a deleted transaction have no tombstones: they return with it.
        let owned =
            kind == Receipt.entityKind
            ? "AND EXISTS (SELECT 1 FROM transactions t WHERE t.id = transaction_id AND t.deleted_at IS NULL)"
            : ""
        return "SELECT id, \(columns) FROM \(name) \(hint) \(live) \(owned) ORDER BY \(order)"
    }
}
