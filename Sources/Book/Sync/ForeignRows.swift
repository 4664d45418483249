// Rows and fields of a newer version that this version does not support: they are stored and sent unchanged,
// and adopted into the tables once this version supports them.
import Encoding
import GRDB
import Ledger
import Storage
import SyncCore

extension Book {
    /// Adopts the rows and fields of `foreign_rows` that this version supports, once for each version that
    /// opens the book.
    func adoptForeignRows() throws(BookError) {
        let states = TextState.allCases.map { schema.known($0) }
        let isDone = try reading { db in
            try db.first("SELECT known FROM sync") { states.contains($0.text(0)) } ?? true
        }
        guard !isDone else { return }
        let now = clock()
        try applyRemoteRows { db in
            // In the order of the tables, so that a row comes after the rows that it refers to.
            for table in db.schema.tables { try db.adoptForeignRows(of: table, now) }
            // The texts of a new or small book are looked at now. Those of others must not delay the first page.
            guard try db.mayHaveOtherForms(atMost: 500) else { return try db.endTextForms() }
            try db.change("UPDATE sync SET known = ?", [db.schema.known(.awaited)])
        }
    }
}

extension BookSchema {
    /// The text of `sync.known` in a book that this version has opened.
    func known(_ texts: TextState) -> String { signature + texts.rawValue }

    /// The kinds and fields that this version supports, the values that fit, and that texts have one form.
    private var signature: String {
        // The number of the schema is included, because a later schema may allow more values of a field.
        let kinds = tables.map {
            "\($0.kind): \($0.fields.map { "\($0.name) \($0.bounds)" }.joined(separator: " "))"
        }
        return (["\(migrations.last?.number ?? 0)", "one form of text"] + kinds).joined(separator: "; ")
    }

    /// An SQL expression for whether a row of `foreign_rows` is in no table: its kind is unknown, or it has
    /// never fitted.
    fileprivate var isOutsideTables: String {
        let cases = tables.map { table in
            "WHEN '\(table.kind)' THEN problem IS NOT NULL AND foreign_rows.id NOT IN (SELECT id FROM \(table.name))"
        }
        return "(CASE kind \(cases.joined(separator: " ")) ELSE true END)"
    }
}

extension SyncedTable {
    /// The fields that have no column.
    func unknown(of fields: Fields) -> Fields {
        // This is the usual case.
        guard fields.all.contains(where: { !names.contains($0.name) }) else { return [:] }
        return Fields(fields.all.filter { !names.contains($0.name) }.map { ($0.name, $0.value) }) ?? [:]
    }
}

private struct ForeignRow {
    static let columns = "id, is_deleted, fields, problem IS NOT NULL"
    let id: EntityID
    let isDeleted: Bool
    /// All fields of a row of an unknown kind, or of a row that does not fit; otherwise only the unknown
    /// fields.
    let fields: Fields
    let hasProblem: Bool

    init(_ row: Columns) throws {
        id = try row.id(0)
        isDeleted = row.int(1) == 1
        fields = try Fields(stored: row.text(2))
        hasProblem = row.int(3) == 1
    }
}

extension BookDatabase {
    /// Stores a whole row in `foreign_rows`, because its kind is unknown or it does not fit.
    /// - Parameter problem: why it does not fit; nil for an unknown kind.
    func storeForeign(_ row: RowChange, isDeleted: Bool, problem: RowProblem? = nil) throws {
        try change(
            "INSERT OR REPLACE INTO foreign_rows (kind, id, is_deleted, fields, problem) VALUES (?, ?, ?, ?, ?)",
            [row.kind, row.id.column, isDeleted, JSONWriter.text(row.fields), problem?.text]
        )
    }

    /// Stores the fields of a row that its table has no column for.
    /// - Parameter mayExist: whether such fields of an earlier state of the row may be stored.
    /// - Returns: whether the row has such fields.
    func storeUnknown(_ row: RowChange, _ table: SyncedTable, mayExist: Bool) throws -> Bool {
        let unknown = table.unknown(of: row.fields)
        if !unknown.isEmpty {
            try change(
                "INSERT OR REPLACE INTO foreign_rows (kind, id, is_deleted, fields) VALUES (?, ?, ?, ?)",
                [row.kind, row.id.column, row.isDeleted, JSONWriter.text(unknown)]
            )
        } else if mayExist {
            // A deletion may be reverted, and the deleted row comes without its fields.
            let condition = row.isDeleted ? "problem IS NOT NULL" : "true"
            try change(
                "DELETE FROM foreign_rows WHERE kind = ? AND id = ? AND \(condition)",
                [row.kind, row.id.column]
            )
        }
        return !unknown.isEmpty
    }

    /// The fields of a live row that does not fit, with the cloud's values; nil if there is no such row.
    func unfit(_ kind: String, _ id: String) throws -> Fields? {
        let sql =
            "SELECT fields FROM foreign_rows WHERE kind = ? AND id = ? AND is_deleted = 0 AND problem IS NOT NULL"
        return try first(sql, [kind, id]) { try Fields(stored: $0.text(0)) }
    }

    /// The fields of a row of a known kind that its table has no column for.
    func unknownFields(_ table: SyncedTable, _ id: String) throws -> Fields {
        let sql = "SELECT fields FROM foreign_rows WHERE kind = ? AND id = ? AND problem IS NULL"
        let stored = try first(sql, [table.kind, id]) { try Fields(stored: $0.text(0)) }
        return stored.map { table.unknown(of: $0) } ?? [:]
    }

    /// A row as the cloud should have it, including unknown fields; nil if it is not in this book. Deleted
    /// rows of known kinds are included.
    func whole(_ kind: String, _ id: String) throws -> Fields? {
        guard let table = schema.table(kind) else {
            let sql = "SELECT fields FROM foreign_rows WHERE kind = ? AND id = ? AND is_deleted = 0"
            return try first(sql, [kind, id]) { try Fields(stored: $0.text(0)) }
        }
        // The table may have an earlier state of a row that does not fit.
        return try unfit(kind, id) ?? row(kind, id)?.with(unknownFields(table, id))
    }

    /// Whether a row of any kind is live in this book.
    func isLive(_ kind: String, _ id: String) throws -> Bool {
        guard let table = schema.table(kind) else { return try whole(kind, id) != nil }
        let sql = "SELECT EXISTS (SELECT 1 FROM \(table.name) WHERE id = ? AND NOT (\(table.isDeleted)))"
        return try number(sql, [id]) == 1 || (!isHere(id, table) && unfit(kind, id) != nil)
    }

    private func isHere(_ id: String, _ table: SyncedTable) throws -> Bool {
        try number("SELECT EXISTS (SELECT 1 FROM \(table.name) WHERE id = ?)", [id]) == 1
    }

    /// Marks a row of an unknown kind as deleted.
    func markForeignRowDeleted(_ kind: String, _ id: String) throws {
        guard schema.table(kind) == nil else { return }
        try change("UPDATE foreign_rows SET is_deleted = 1 WHERE kind = ? AND id = ?", [kind, id])
    }

    /// Queues the deletions of rows of unknown kinds, as `queueDeletions` does for known kinds.
    func queueForeignDeletions(seen: Int64) throws {
        try change(
            """
            INSERT INTO outbox (op_id, tx, at, action, kind, id, before, base)
            SELECT lower(hex(randomblob(16))), tx, now, 'delete', kind, id, '{}', ?
            FROM sync, foreign_rows
            WHERE is_deleted = 1 AND kind NOT IN (\(schema.kinds)) AND (kind, id) NOT IN (
              SELECT kind, id FROM outbox WHERE action = 'delete' AND status IS NULL
            )
            """,
            [seen]
        )
    }

    /// Copies the unknown fields of a row to a copy of the row.
    func copyUnknown(_ kind: String, from id: EntityID, to copy: EntityID) throws {
        try change(
            """
            INSERT OR REPLACE INTO foreign_rows (kind, id, is_deleted, fields)
            SELECT kind, ?, 0, fields FROM foreign_rows WHERE kind = ? AND id = ? AND problem IS NULL
            """,
            [copy.column, kind, id.column]
        )
    }

    /// The live rows that are in no table, ordered by kind and id, after a place in this order.
    func foreignRows(after place: (kind: String, id: String), atMost most: Int) throws
        -> [(kind: String, id: String, fields: String)]
    {
        let sql = """
            SELECT kind, id, fields FROM foreign_rows
            WHERE (kind, id) > (?, ?) AND is_deleted = 0 AND \(schema.isOutsideTables)
            ORDER BY kind, id LIMIT ?
            """
        return try all(sql, [place.kind, place.id, most]) { ($0.text(0), $0.text(1), $0.text(2)) }
    }

    /// The number of live rows that are in no table.
    func foreignCount() throws -> Int {
        try number("SELECT count(*) FROM foreign_rows WHERE is_deleted = 0 AND \(schema.isOutsideTables)")
    }

    /// Resolves the state of rows that are in no table and that the cloud lacks, which means that they are
    /// not among the staged rows.
    /// - Parameter isSent: true to send the rows again, false to delete them here too.
    func resolveMissingForeignRows(isSent: Bool) throws {
        let missing = """
            is_deleted = 0 AND \(schema.isOutsideTables)
              AND (kind, id) NOT IN (SELECT kind, id FROM staged_rows)
              AND (kind, id) NOT IN (SELECT kind, id FROM outbox WHERE action = 'create')
            """
        guard isSent else {
            try change("UPDATE foreign_rows SET is_deleted = 1 WHERE \(missing)")
            return
        }
        let rows = try all("SELECT kind, id FROM foreign_rows WHERE \(missing)", []) {
            ($0.text(0), $0.text(1))
        }
        for (kind, id) in rows { try requeue(kind, id) }
    }

    // MARK: - Adoption by a newer version

    fileprivate func adoptForeignRows(of table: SyncedTable, _ now: Int64) throws {
        var applier = RemoteChangeApplier(self, now)
        var last = ""
        while true {
            let sql = """
                SELECT \(ForeignRow.columns) FROM foreign_rows WHERE kind = ? AND id > ? ORDER BY id LIMIT 500
                """
            let rows = try all(sql, [table.kind, last]) { try ForeignRow($0) }
            guard let end = rows.last else { return }
            last = end.id.description
            try applier.isolate(rows[...]) { applier, row in
                try adopt(row, table, &applier)
            } otherwise: { _, _, _ in
                // It stays as it is.
            }
        }
    }

    private func adopt(_ row: ForeignRow, _ table: SyncedTable, _ applier: inout RemoteChangeApplier) throws {
        let id = row.id.description
        let isHere = try isHere(id, table)
        // A placeholder stands for a row that was not in this book.
        let isPlaceholder =
            try isHere && table.hasTombstones
            && number("SELECT deleted_at IS 0 FROM \(table.name) WHERE id = ?", [id]) == 1
        if row.hasProblem || !isHere || isPlaceholder {
            let isDeleted = try row.isDeleted || (isHere && !isPlaceholder && !isLive(table.kind, id))
            try change("DELETE FROM foreign_rows WHERE kind = ? AND id = ?", [table.kind, id])
            guard !isDeleted else { return }
            // A row that still does not fit is stored in `foreign_rows` again.
            return try applier.apply(
                RowChange(seq: 0, kind: table.kind, id: row.id, isDeleted: false, fields: row.fields)
            )
        }
        let adopted = table.fields.filter { row.fields[$0.name] != nil }
        // The next change of the row brings the fields again.
        guard !adopted.isEmpty, table.entity.unfit(row.fields, isWhole: false) == nil else { return }
        let sets = adopted.map { "\($0.column) = ?" }.joined(separator: ", ")
        let values = adopted.map { (row.fields[$0.name] ?? .null).column }
        try change(
            "UPDATE \(table.name) SET \(sets) WHERE id = ?",
            StatementArguments(values + [id.databaseValue])
        )
        let left = table.unknown(of: row.fields)
        if left.isEmpty {
            try change("DELETE FROM foreign_rows WHERE kind = ? AND id = ?", [table.kind, id])
        } else {
            let sql = "UPDATE foreign_rows SET fields = ? WHERE kind = ? AND id = ?"
            try change(sql, [JSONWriter.text(left), table.kind, id])
        }
    }
}

extension Fields {
    /// These fields and other fields. The two must have no name in common.
    func with(_ others: Fields) -> Fields {
        guard !others.isEmpty else { return self }
        var all = self
        for field in others.all { all[field.name] = field.value }
        return all
    }
}
