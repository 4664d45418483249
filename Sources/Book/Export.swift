// The whole book, row by row, for files that are written elsewhere; and a copy of the file itself.
import GRDB
import Ledger
import Storage
public import SyncCore

/// One live row of a book. It must not outlive the call that hands it out.
public struct ExportedRow {
    let columns: Columns

    /// Its id.
    public var id: String { columns.text(0) }

    /// The number in a field, by the field's place in its declaration; nil where it has no value.
    public func integer(_ field: Int) -> Int64? { columns.optionalInt64(Int32(field + 1)) }

    /// The text in a field, by the field's place in its declaration; nil where it has no value.
    public func text(_ field: Int) -> String? { columns.optionalText(Int32(field + 1)) }
}

extension Book {
    /// Hands out every live row of every exported kind, of one moment: kinds of one row first, then the others in the
    /// order of the declaration, each by id, transactions by date and id, oldest first.
    ///
    /// It reads over a connection of its own: pages and changes go on meanwhile, however slow the visits are.
    /// - Parameter begin: begins a kind. What it returns is handed the rows; nil where they are not wanted.
    /// - Throws: `BookError`, or what a visit throws, as `failed`.
    public func export(
        _ begin: (SyncedEntity) throws -> ((ExportedRow) throws -> Void)?
    ) throws(BookError) {
        do {
            let reader = try DatabaseFile.openForReading(at: path)
            defer { try? reader.close() }
            let tables = schema.tables.filter { $0.entity.export != .none }
            try reader.read { db in
                for table in tables.filter(\.isOneRow) + tables.filter({ !$0.isOneRow }) {
                    guard let visit = try begin(table.entity) else { continue }
                    try db.forEach(table.exported) { try visit(ExportedRow(columns: $0)) }
                }
            }
        } catch {
            throw BookError(error)
        }
    }

    /// Writes a consistent, compact copy of the book to a new file, while the book is in use.
    /// - Throws: `failed` where the file exists already; `diskFull`, `readOnly`.
    public func backup(to target: String) throws(BookError) {
        try store.backup(to: target)
    }
}

extension SyncedTable {
    fileprivate var isOneRow: Bool {
        if case .object = entity.export { true } else { false }
    }

    /// The live rows, each with its id before its fields, as a query.
    fileprivate var exported: String {
        let (hint, order) =
            kind == Transaction.entityKind ? ("INDEXED BY transactions_by_date", "date, id") : ("", "id")
        let live = hasTombstones ? "WHERE deleted_at IS NULL" : ""
        return "SELECT id, \(columns) FROM \(name) \(hint) \(live) ORDER BY \(order)"
    }
}
