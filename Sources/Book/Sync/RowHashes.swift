// The hash of the book's rows as the cloud should have them, updated for rows that have changed.
import GRDB
import Ledger
import Storage
import SyncCore

extension Book {
    /// The maximum number of rows that are hashed in one change, so that other changes do not wait long.
    private static let countedAtOnce = 2_000

    /// Updates the hashes of the rows that have changed since the last call.
    /// - Returns: the number of hashes that have changed.
    @discardableResult
    func countDueRows() throws(BookError) -> Int {
        var changed = 0
        while try reading({ db in try db.number("SELECT EXISTS (SELECT 1 FROM due_hashes)") == 1 }) {
            changed += try updateSyncState { db in try db.countDueRows(atMost: Self.countedAtOnce) }
        }
        return changed
    }

    /// Computes the hashes of all rows anew.
    /// - Returns: the number of hashes that were wrong.
    func recountRows() throws(BookError) -> Int {
        try countDueRows()
        try updateSyncState { db in
            for table in db.schema.tables {
                try db.due("SELECT '\(table.kind)', id FROM \(table.name) WHERE NOT (\(table.isDeleted))")
            }
            for source in ["foreign_rows", "deviations", "row_hashes"] {
                try db.due("SELECT kind, id FROM \(source) WHERE true")
            }
        }
        let wrong = try countDueRows()
        return try updateSyncState { db in
            var hash = RowsHash()
            try db.forEach("SELECT hash FROM row_hashes") { hash.replace(0, by: $0.int64(0)) }
            let isOther = try db.change(
                "UPDATE agreement SET hash = ? WHERE hash <> ?",
                [hash.column, hash.column]
            )
            return wrong + isOther
        }
    }
}

extension BookDatabase {
    /// Marks the rows of a query for kinds and ids as due for hashing.
    func due(_ selection: String, _ arguments: StatementArguments = []) throws {
        try change("INSERT INTO due_hashes (kind, id) \(selection) ON CONFLICT DO NOTHING", arguments)
    }

    fileprivate func countDueRows(atMost most: Int) throws -> Int {
        // In the order of the key, so that one statement can delete the processed entries.
        let sql = """
            SELECT due.kind, due.id, ifnull(row_hashes.hash, 0), ifnull(deviations.hash, 0) FROM due_hashes due
            LEFT JOIN row_hashes ON row_hashes.kind = due.kind AND row_hashes.id = due.id
            LEFT JOIN deviations ON deviations.kind = due.kind AND deviations.id = due.id
            ORDER BY due.kind, due.id LIMIT ?
            """
        let due = try all(sql, [most]) {
            (kind: $0.text(0), id: $0.text(1), hash: $0.int64(2), deviation: $0.int64(3))
        }
        guard let last = due.last else { return 0 }
        var hash = RowsHash(column: try first("SELECT hash FROM agreement") { $0.int64(0) } ?? 0)
        var changed = 0
        let hasForeignRows = try number("SELECT EXISTS (SELECT 1 FROM foreign_rows)") == 1
        for row in due {
            let new = try rowHash(row.kind, row.id, hasForeignRows) &+ row.deviation
            guard row.hash != new else { continue }
            changed += 1
            hash.replace(row.hash, by: new)
            if new == 0 {
                try change("DELETE FROM row_hashes WHERE kind = ? AND id = ?", [row.kind, row.id])
            } else {
                let insert = "INSERT OR REPLACE INTO row_hashes (kind, id, hash) VALUES (?, ?, ?)"
                try change(insert, [row.kind, row.id, new])
            }
        }
        try change("DELETE FROM due_hashes WHERE (kind, id) <= (?, ?)", [last.kind, last.id])
        try change("UPDATE agreement SET hash = ?", [hash.column])
        return changed
    }

    /// The hash of a row of this book, including its unknown fields; 0 if it is not live.
    private func rowHash(_ kind: String, _ text: String, _ hasForeignRows: Bool) throws -> Int64 {
        guard let id = EntityID(text) else { return 0 }
        guard let table = schema.table(kind) else {
            return try whole(kind, text).map { RowsHash.of(kind, id, $0) } ?? 0
        }
        let count = Int32(table.fields.count)
        let present = try first(table.select, [text]) { $0.int(count) == 1 ? nil : table.read($0) } ?? nil
        return try present.map {
            RowsHash.of(kind, id, hasForeignRows ? $0.with(try unknownFields(table, text)) : $0)
        } ?? 0
    }

    /// Stores the difference between the cloud's row and the part of it that this schema can store.
    /// - Parameters:
    ///   - stored: the row as it would be stored without changes of this book that hide values; nil if it is
    ///     not stored.
    ///   - fits: whether the fields without a column are stored in `foreign_rows`.
    func noteDeviation(_ row: RowChange, _ table: SyncedTable, stored: Fields?, fits: Bool = true) throws {
        let here = stored.map { table.stored($0).with(fits ? table.unknown(of: row.fields) : [:]) }
        var isSame =
            here != nil && row.fields.all.allSatisfy { $0.value == .null || here?[$0.name] == $0.value }
        isSame =
            isSame && here?.all.allSatisfy { $0.value == .null || row.fields[$0.name] == $0.value } ?? false
        guard !isSame else { return try forgetDeviation(row.kind, row.id) }
        let own = here.map { RowsHash.of(row.kind, row.id, $0) } ?? 0
        try change(
            "INSERT OR REPLACE INTO deviations (kind, id, hash) VALUES (?, ?, ?)",
            [row.kind, row.id.column, RowsHash.of(row.kind, row.id, row.fields) &- own]
        )
    }

    /// Notes how a row that does not fit counts in the cloud after this book has sent it as a whole: the cloud does not send
    /// an own row back, so `noteDeviation` is not called for it otherwise.
    func noteSentUnfit(_ kind: String, _ id: String) throws {
        guard let table = schema.table(kind), let entity = EntityID(id), let fields = try unfit(kind, id)
        else { return }
        let row = RowChange(seq: 0, kind: kind, id: entity, isDeleted: false, fields: fields)
        let here = try present(id, table).flatMap { $0.isDeleted ? nil : $0.0 }
        try noteDeviation(row, table, stored: here, fits: false)
    }

    /// Notes that a row was adapted because of own changes that hide values of the cloud: the cloud's row does not
    /// follow from it any more.
    func noteAdaptation(_ kind: String, _ id: EntityID) throws {
        let sql = "INSERT INTO deviations (kind, id, hash) VALUES (?, ?, 0) ON CONFLICT DO NOTHING"
        try change(sql, [kind, id.column])
    }

    /// Keeps what a row counts as in the cloud while its form changes here, if it is there otherwise than here.
    func keepDeviation(_ table: SyncedTable, _ id: String, from before: Fields, to after: Fields) throws {
        let sql = "SELECT hash FROM deviations WHERE kind = ? AND id = ?"
        guard let deviation = try first(sql, [table.kind, id], { $0.int64(0) }), let entity = EntityID(id)
        else { return }
        let unknown = try unknownFields(table, id)
        let difference =
            RowsHash.of(table.kind, entity, before.with(unknown))
            &- RowsHash.of(table.kind, entity, after.with(unknown))
        try change(
            "UPDATE deviations SET hash = ? WHERE kind = ? AND id = ?",
            [deviation &+ difference, table.kind, id]
        )
    }

    /// Removes the difference: the row is the same on both sides, or deleted on both.
    func forgetDeviation(_ kind: String, _ id: EntityID) throws {
        try change("DELETE FROM deviations WHERE kind = ? AND id = ?", [kind, id.column])
    }
}

extension SyncedTable {
    /// The fields as the columns store them: only fields of this schema, with the types of their columns.
    fileprivate func stored(_ fields: Fields) -> Fields {
        var stored: [(name: String, value: FieldValue)] = []
        for field in self.fields {
            let value = fields[field.name] ?? .null
            switch (field.form.isInteger, value) {
            case (false, .integer(let number)): stored.append((field.name, .text(String(number))))
            case (false, .other(let json)): stored.append((field.name, .text(json)))
            case (true, .text(let text)):
                stored.append((field.name, Int64(text).map { .integer($0) } ?? value))
            default: stored.append((field.name, value))
            }
        }
        return Fields(stored) ?? [:]
    }
}
