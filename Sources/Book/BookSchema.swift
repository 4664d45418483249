// The schema of a book: its migrations, and the tables that are synchronised with the cloud.
import Storage
import SyncCore

/// The schema of a book. Tests open books with other schemas than `breadly`, to show what follows from a
/// declaration alone.
final class BookSchema: Sendable {
    /// The schema of this version.
    static let breadly = BookSchema(.breadly, migrations: Migration.book)

    /// The kinds of rows that are synchronised.
    let declaration: SyncedSchema
    /// The migrations that create the tables, in order.
    let migrations: [Migration]
    /// The content of a new book, before its first row.
    let template: SchemaTemplate
    /// The tables of `declaration`, in its order. Rows are queued table by table.
    let tables: [SyncedTable]
    /// The kinds that this version supports, as an SQL list.
    let kinds: String
    private let byKind: [String: SyncedTable]

    init(_ declaration: SyncedSchema, migrations: [Migration]) {
        self.declaration = declaration
        self.migrations = migrations
        template = SchemaTemplate(
            migrations: migrations,
            applicationID: Book.applicationID,
            functions: Self.functions
        )
        let tables = declaration.entities.enumerated().map { SyncedTable($0.element, rank: $0.offset) }
        self.tables = tables
        kinds = tables.map { "'\($0.kind)'" }.joined(separator: ", ")
        byKind = Dictionary(tables.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The table of a kind; nil for a kind of a newer version.
    func table(_ kind: String) -> SyncedTable? { byKind[kind] }
}
