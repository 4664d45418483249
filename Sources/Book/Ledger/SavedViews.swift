// Saved views: their creation and deletion, and how they are read.
import Encoding
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// Adds a view. A second call with the same id and the same content changes nothing.
    /// - Throws: `idTaken`, `invalid`.
    @discardableResult
    public func add(_ view: SavedView) throws(BookError) -> Recorded {
        try view.checkShape()
        return try changeAsUser { db in
            let sql = "SELECT \(SavedView.columns) FROM views WHERE id = ?"
            if let stored = try db.first(sql, [view.id.column], { try SavedView($0) }) {
                guard stored == view else { throw BookError.idTaken(view.id) }
                return .already
            }
            try db.change(
                "INSERT INTO views (\(SavedView.columns)) VALUES (\(SyncedEntity.view.marks))",
                StatementArguments([view.id.column] + view.values)
            )
            return .new
        }
    }

    /// All live views, by name; cached between two changes.
    public func savedViews() throws(BookError) -> [SavedView] { try current { $0.views } }

    /// Marks a view as deleted. A repeated call does nothing.
    /// - Throws: `unknownView`.
    public func deleteView(_ id: EntityID) throws(BookError) {
        let now = clock()
        try changeAsUser { db in
            guard try db.isDeleted(id, in: "views") != nil else { throw BookError.unknownView(id) }
            let sql = "UPDATE views SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL"
            try db.change(sql, [now, id.column])
        }
    }

    /// Reverts a deletion. The call does nothing on a live view.
    /// - Returns: the id of the restored view. It is another one if the cloud may know of the deletion, because a row
    ///   that is deleted there stays deleted.
    /// - Throws: `unknownView`.
    @discardableResult
    public func restoreView(_ id: EntityID) throws(BookError) -> EntityID {
        try changeAsUser { db in
            guard try db.isDeleted(id, in: "views") != nil else { throw BookError.unknownView(id) }
            try db.bringBack(SavedView.entityKind, id)
            return try db.living(id, SavedView.entityKind) ?? id
        }
    }
}

extension BookDatabase {
    /// All live views, by name.
    func savedViews() throws -> [SavedView] {
        try all("SELECT \(SavedView.columns) FROM views WHERE deleted_at IS NULL") { try SavedView($0) }
            .sorted { ($0.name.nameKey, $0.name, $0.id) < ($1.name.nameKey, $1.name, $1.id) }
    }
}

extension SavedView: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "view"

    static let columns = "id, \(SyncedEntity.view.columns)"

    /// Decodes the current row of a statement that selects `columns` first.
    init(_ row: Columns) throws { self.init(id: try row.id(0), name: row.text(1), query: row.text(2)) }

    /// The values of `columns` without the id.
    var values: [(any DatabaseValueConvertible)?] { [name.inNormalForm, query] }

    /// Checks that the name has 1 to 100 characters, and the query at most 2,000, which are ASCII.
    public func checkShape() throws(BookError) {
        guard !name.isEmpty, name.isStorable(upTo: 100) else { throw .invalid(.name) }
        guard query.utf8.count <= 2_000, query.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalid(.other)
        }
    }
}
