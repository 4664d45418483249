// The categories and notes that users have set for payees.
import Encoding
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// The defaults of payees, by name. Of several rows of one payee, which devices have added without knowing of each
    /// other, that with the greatest id is meant: the one that was added last. A category that was deleted is nil.
    public func payeeDefaults() throws(BookError) -> [PayeeDefault] {
        try reading { db in try db.payeeDefaults() }
    }

    /// The default of a payee, in any spelling; nil for none.
    public func payeeDefault(of payee: String) throws(BookError) -> PayeeDefault? {
        let key = payee.nameKey
        return try payeeDefaults().first { $0.name.nameKey == key }
    }

    /// Sets category and note of a payee, in any spelling. A default without both removes what was set.
    /// - Parameter new: its id is used if nothing is set for the payee so far.
    /// - Returns: the number of the change in the history; nil if all was so already.
    /// - Throws: `unknownCategory`, `idTaken`, `invalid`.
    @discardableResult
    public func set(_ new: PayeeDefault) throws(BookError) -> Int64? {
        try new.checkShape()
        let now = clock()
        return try changeAsUser { db in try db.set(new, now) }
    }
}

extension BookDatabase {
    /// Sets category and note of a payee, within a change of the user.
    func set(_ new: PayeeDefault, _ now: Int64) throws -> Int64? {
        let rows = try payeeDefaultRows().filter { $0.name.nameKey == new.name.nameKey }
        if new.isEmpty {
            let sql = "UPDATE payee_defaults SET deleted_at = ? WHERE id = ?"
            for row in rows { try change(sql, [now, row.id.column]) }
            return rows.isEmpty ? nil : try presentChange()
        }
        if let category = new.category, category != rows.last?.category, try categoryKind(category) == nil {
            throw BookError.unknownCategory(category)
        }
        if var changed = rows.last {
            (changed.category, changed.note) = (new.category, new.note)
            return try edit(changed, nil).change
        }
        guard try isDeleted(new.id, in: "payee_defaults") == nil else { throw BookError.idTaken(new.id) }
        let marks = SyncedEntity.payeeDefault.marks
        try change(
            "INSERT INTO payee_defaults (\(PayeeDefault.columns)) VALUES (\(marks))",
            StatementArguments([new.id.column] + new.values)
        )
        return try presentChange()
    }

    /// Gives what is set for payees to another name, within a change of the user. A category and a note that are set for
    /// that name stay.
    /// - Parameter payees: in any spelling. Where several have a value, that of the first one is meant.
    /// - Returns: whether anything was changed.
    func moveDefaults(of payees: [String], to name: String, _ now: Int64) throws -> Bool {
        let known = Dictionary(uniqueKeysWithValues: try payeeDefaults().map { ($0.name.nameKey, $0) })
        let keys = payees.map(\.nameKey).filter { $0 != name.nameKey }
        let former = keys.compactMap { known[$0] }
        guard let first = former.first else { return false }
        var moved = known[name.nameKey] ?? PayeeDefault(id: first.id, name: name)
        for one in former {
            moved.category = moved.category ?? one.category
            if moved.note.isEmpty { moved.note = one.note }
        }
        for row in try payeeDefaultRows() where keys.contains(row.name.nameKey) {
            guard moved.isEmpty || row.id != moved.id else { continue }
            try change("UPDATE payee_defaults SET deleted_at = ? WHERE id = ?", [now, row.id.column])
        }
        if !moved.isEmpty { _ = try edit(moved, nil) }
        return true
    }

    func payeeDefaults() throws -> [PayeeDefault] {
        let live = Set(try all("SELECT id FROM categories WHERE deleted_at IS NULL") { try $0.id(0) })
        var byKey: [String: PayeeDefault] = [:]
        for var row in try payeeDefaultRows() {
            if let category = row.category, !live.contains(category) { row.category = nil }
            byKey[row.name.nameKey] = row
        }
        return byKey.values.sorted { ($0.name.nameKey, $0.id) < ($1.name.nameKey, $1.id) }
    }

    /// All live rows, by id.
    func payeeDefaultRows() throws -> [PayeeDefault] {
        let sql = "SELECT \(PayeeDefault.columns) FROM payee_defaults WHERE deleted_at IS NULL ORDER BY id"
        return try all(sql) { try PayeeDefault($0) }
    }
}

extension PayeeDefault: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "payeeDefault"

    static let columns = "id, \(SyncedEntity.payeeDefault.columns)"

    /// Decodes the current row of a statement that selects `columns` first.
    init(_ row: Columns) throws {
        self.init(id: try row.id(0), name: row.text(1), category: row.optionalID(2), note: row.text(3))
    }

    /// The values of `columns` without the id.
    var values: [(any DatabaseValueConvertible)?] {
        [name.inNormalForm, category.column, note.inNormalForm]
    }

    /// Checks that the name has 1 to 200 characters, and the note at most 2,000.
    public func checkShape() throws(BookError) {
        guard !name.isEmpty, name.isStorable(upTo: 200) else { throw .invalid(.payee) }
        guard note.isStorable(upTo: 2_000) else { throw .invalid(.note) }
    }
}
