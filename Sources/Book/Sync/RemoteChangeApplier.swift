// Applies rows of the cloud to the book. Own changes stay on top.
import Encoding
import GRDB
import Ledger
import Storage
import SyncCore

/// The ids of rows to which others may refer.
struct Existing {
    var accounts: Set<String> = []
    var categories: Set<String> = []
}

/// Applies rows of the cloud. A field with an own change that the row does not reflect yet keeps its value.
struct RemoteChangeApplier {
    let db: BookDatabase
    private let now: Int64
    private let walk: (rank: Int, after: String)?
    private let hasOverlay: Bool
    private var hasForeignRows: Bool
    /// Accounts and categories that are known to exist, if only as placeholders.
    var existing = Existing()
    /// The last change of another device in the history.
    var step: RemoteStep?

    init(_ db: BookDatabase, _ now: Int64) {
        self.db = db
        self.now = now
        let found = try? db.first("SELECT walk_rank, walk_after FROM sync WHERE walk_rank IS NOT NULL") {
            ($0.int(0), $0.text(1))
        }
        walk = found.map { (rank: $0.0, after: $0.1) }
        hasOverlay = ((try? db.number("SELECT EXISTS (SELECT 1 FROM outbox)")) ?? 1) == 1
        hasForeignRows = ((try? db.number("SELECT EXISTS (SELECT 1 FROM foreign_rows)")) ?? 1) == 1
    }

    /// The changes of a row that are in the outbox.
    private struct Overlay {
        /// The changed fields, which keep their values.
        var fields: Set<String> = []
        /// For each field whose last change was confirmed under a former replica id and is not reflected yet:
        /// the sequence that the cloud gave to that change. Fields with a later change of any other kind are
        /// not included.
        var confirmed: [String: Int64] = [:]
        /// Whether the row as a whole is created or deleted.
        var isWhole = false
        /// Whether the last of these changes is a deletion.
        var isDeleted = false
    }

    private func overlay(_ kind: String, _ id: String) throws -> Overlay {
        var overlay = Overlay()
        guard hasOverlay else { return overlay }
        let sql =
            "SELECT action, fields, status, seq, n FROM outbox WHERE kind = ? AND id = ? ORDER BY position"
        try db.forEach(sql, [kind, id]) { row in
            let action: Operation.Action = try row.word(0)
            guard action == .patch else {
                (overlay.isWhole, overlay.isDeleted) = (true, action == .delete)
                return
            }
            let isConfirmed = row.optionalText(2) == OperationResult.Status.applied.rawValue && row.isNull(4)
            for field in try Fields(stored: row.text(1)).all {
                overlay.fields.insert(field.name)
                overlay.confirmed[field.name] = isConfirmed ? row.int64(3) : nil
            }
        }
        return overlay
    }

    /// Stores the cloud's values of fields that a change in the outbox hides. They are restored if the change
    /// is reverted.
    private func storeHidden(_ fields: Fields, _ names: Set<String>, _ kind: String, _ id: String) throws {
        var left = names
        let sql = """
            SELECT position, fields, before FROM outbox WHERE kind = ? AND id = ? AND action = 'patch' ORDER BY position
            """
        let changes = try db.all(sql, [kind, id]) { ($0.int64(0), $0.text(1), $0.optionalText(2)) }
        for (position, given, before) in changes {
            var hidden = try Fields(stored: before ?? "{}")
            // A later change of the same field was made on top of this one.
            let first = try Fields(stored: given).all.map(\.name).filter { left.remove($0) != nil }
            let changed = first.filter { hidden[$0] != fields[$0] ?? .null }
            guard !changed.isEmpty else { continue }
            for name in changed { hidden[name] = fields[name] ?? .null }
            let sql = "UPDATE outbox SET before = ? WHERE position = ?"
            try db.change(sql, [JSONWriter.text(hidden), position])
        }
    }

    /// Applies a page of a download, which has many rows, most of them new. The sums of the new rows are
    /// added up once, which is faster than row by row.
    mutating func apply(all rows: [RowChange]) throws {
        var (new, others): ([RowChange], [RowChange]) = ([], [])
        for row in rows {
            let sql = "SELECT EXISTS (SELECT 1 FROM transactions WHERE id = ?)"
            let isNew =
                try row.kind == "transaction" && !row.isDeleted && db.number(sql, [row.id.column]) == 0
                && !overlay(row.kind, row.id.description).isWhole
            if isNew { new.append(row) } else { others.append(row) }
        }
        try apply(each: others)
        guard new.count >= 100 else { return try apply(each: new) }
        let isDone = try attempt { applier in
            try Sums.adding(applier.db.connection) { for row in new { try applier.apply(row) } }
        }
        // One of the rows does not fit, or leads a sum out of its range.
        if !isDone { try apply(each: new) }
    }

    /// A row in which fields that no table has a column for have the values of this book's own changes.
    private func withOwnFields(_ row: RowChange) throws -> RowChange {
        guard hasOverlay, hasForeignRows, !row.isDeleted else { return row }
        let (id, table) = (row.id.description, db.schema.table(row.kind))
        let own = try overlay(row.kind, id).fields.subtracting(table?.names ?? [])
        guard !own.isEmpty,
            let here = try table.map({ try db.unknownFields($0, id) }) ?? db.whole(row.kind, id)
        else { return row }
        var merged = row
        for name in own { merged.fields[name] = here[name] }
        return merged
    }

    /// Applies a row.
    mutating func apply(_ row: RowChange) throws {
        let id = row.id.description
        guard let table = db.schema.table(row.kind) else {
            // A deletion that the cloud does not reflect yet stays in effect.
            let isDeleted = try row.isDeleted || overlay(row.kind, id).isDeleted
            return try db.storeForeign(withOwnFields(row), isDeleted: isDeleted)
        }
        if try db.storeUnknown(withOwnFields(row), table, mayExist: hasForeignRows) { hasForeignRows = true }
        let present = try db.present(id, table)
        if row.isDeleted {
            try db.forgetDeviation(row.kind, row.id)
            // A deletion takes precedence over own changes that were not sent yet.
            if let present {
                guard !present.isDeleted, table.hasTombstones else {
                    if let device = row.writers?.last { try db.name(deleter: device, of: row.kind, row.id) }
                    return
                }
                try db.change("UPDATE \(table.name) SET deleted_at = ? WHERE id = ?", [now, id])
                return try db.note(row, table, before: present.0, after: nil, now, &step)
            }
            guard !row.fields.isEmpty else { return }
            return try store(row, id, row.fields, table, before: nil, isDeleted: true)
        }
        var fields = row.fields
        var isHidden = false
        if let present {
            if let walk, (walk.rank, walk.after) < (table.rank, id), !present.isDeleted { return }
            let overlay = try overlay(row.kind, id)
            guard !overlay.isWhole else {
                // If the own deletion is reverted, the row must have its latest values.
                guard overlay.isDeleted, present.isDeleted else { return }
                return try store(row, id, row.fields, table, before: present, isDeleted: true)
            }
            isHidden = !overlay.fields.isEmpty
            if isHidden { try storeHidden(row.fields, overlay.fields, row.kind, id) }
            for name in overlay.fields { fields[name] = present.0[name] ?? .null }
        } else if try overlay(row.kind, id).isWhole {
            return
        }
        try store(row, id, fields, table, before: present, isDeleted: false, isHidden: isHidden)
    }

    /// Queues the book's values for a cloud that has an older state of the row. Fields that were written
    /// there after the cursor get the cloud's values.
    /// - Parameter cursor: the sequence of the cloud that the book reflects.
    mutating func sendAgain(_ row: RowChange, seen cursor: Int64) throws {
        let id = row.id.description
        // The cloud's values of a row that does not fit must not be replaced by earlier values that fit.
        guard try db.unfit(row.kind, id) == nil, let here = try db.whole(row.kind, id) else {
            return try apply(row)
        }
        let overlay = try overlay(row.kind, id)
        guard !overlay.isWhole else { return }
        if let table = db.schema.table(row.kind) {
            // An own deletion would be in the outbox, so the row is only a placeholder until the row itself
            // comes.
            let isPlaceholder =
                try db.number("SELECT \(table.isDeleted) FROM \(table.name) WHERE id = ?", [id]) == 1
            guard !isPlaceholder else { return try apply(row) }
        }
        // Their effect is evaluated by now, and they would hide values that others have written since.
        try db.change(
            "DELETE FROM outbox WHERE kind = ? AND id = ? AND status IN ('applied', 'superseded') AND n IS NULL",
            [row.kind, id]
        )
        let versions = try Fields(stored: row.versions)
        var fields: Fields = [:]
        var merged = row
        var given: Set<String> = []
        for name in Set(here.all.map(\.name)).union(row.fields.all.map(\.name)).sorted() {
            // A change that the cloud confirmed may be lost there. It is compared by the sequence that it
            // had.
            let confirmed = overlay.confirmed[name]
            guard confirmed != nil || !overlay.fields.contains(name) else { continue }
            let value = here[name] ?? .null
            guard !value.isSameInNormalForm(as: row.fields[name] ?? .null) else { continue }
            let written = versions.integer(name) ?? versions.integer("*") ?? 0
            guard written <= max(cursor, confirmed ?? 0) else {
                given.insert(name)
                continue
            }
            fields[name] = value
            merged.fields[name] = value
        }
        // Another device wrote first, perhaps an older value. The rows of a download do not name it.
        if !given.isEmpty { merged.writers = RowChange.Writers(at: now, last: "", unseen: given) }
        try apply(merged)
        if !fields.isEmpty { try db.queue(.patch, row.kind, id, fields: fields, before: row.fields) }
    }

    private mutating func store(
        _ row: RowChange,
        _ id: String,
        _ received: Fields,
        _ table: SyncedTable,
        before: (Fields, isDeleted: Bool)?,
        isDeleted: Bool,
        isHidden: Bool = false
    ) throws {
        let complete = table.complete(received)
        if let unfit = table.entity.unfit(complete, isWhole: true) {
            return try setUnfit(row, table, before, RowProblem.field(unfit.name))
        }
        let fields = try fitted(complete, table)
        if !row.isDeleted {
            // A value that a change of this book hides is not a difference from the cloud.
            try db.noteDeviation(
                row,
                table,
                stored: isHidden ? fitted(table.complete(row.fields), table) : fields
            )
            if isHidden, fields.all.contains(where: { $0.value != received[$0.name] ?? .null }) {
                try db.noteAdaptation(row.kind, row.id)
            }
        }
        if let before, before.isDeleted == isDeleted,
            table.fields.allSatisfy({ (fields[$0.name] ?? .null) == (before.0[$0.name] ?? .null) })
        {
            return
        }
        var values: [(any DatabaseValueConvertible)?] = [id]
        for field in table.fields {
            switch fields[field.name] {
            case .integer(let value): values.append(value)
            case .text(let text): values.append(text)
            case .other(let json): values.append(json)
            case .null, nil: values.append(nil)
            }
        }
        if table.hasTombstones { values.append(isDeleted ? now : nil) }
        do {
            try db.change(before == nil ? table.insert : table.upsert, StatementArguments(values))
            guard !isDeleted else { return }
            // The cloud may have removed the file since another device has deleted the receipt, which brings it back now.
            if row.kind == Receipt.entityKind, before?.isDeleted ?? true {
                try db.doubtUploads("id = ?", row.id)
            }
            let former = before.flatMap { $0.isDeleted ? nil : $0.0 }
            try db.note(row, table, before: former, after: fields, now, &step)
        } catch let error as DatabaseError where error.isOfTheRow {
            try setUnfit(row, table, before, error)
        }
    }

    /// Stores a row that does not fit in `foreign_rows`, where it stays until its next change, or until a version that
    /// can read it opens the book. It must not block the others.
    mutating func setUnfit(
        _ row: RowChange,
        _ table: SyncedTable,
        _ before: (Fields, isDeleted: Bool)?,
        _ reason: any Error
    ) throws {
        let problem = reason as? RowProblem ?? .other("\(StorageError(reason))")
        try db.storeForeign(row, isDeleted: row.isDeleted, problem: problem)
        hasForeignRows = true
        guard !row.isDeleted else { return }
        let here = before.flatMap { $0.isDeleted ? nil : $0.0 }
        try db.noteDeviation(row, table, stored: here, fits: false)
    }
}

extension DatabaseError {
    /// Whether the values of a row caused the error, and not the file.
    fileprivate var isOfTheRow: Bool {
        switch resultCode {
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG: true
        case .SQLITE_ERROR: message?.contains("integer overflow") ?? false
        default: false
        }
    }
}
