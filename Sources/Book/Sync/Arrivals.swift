// Rows that come from the cloud, laid over what is here: own changes stay on top, and what two devices made together is
// made to fit.
import GRDB
import Ledger
import Storage
import SyncCore

/// Lays rows over what is here: a field with a change of its own that is not reflected yet keeps its value.
struct Arrivals {
    private let db: Database
    private let now: Int64
    private let walk: (rank: Int, after: String)?
    private let hasOverlay: Bool
    /// Accounts and categories that are known to be here.
    private var known: Set<String> = []

    init(_ db: Database, _ now: Int64) {
        self.db = db
        self.now = now
        let found = try? db.first("SELECT walk_rank, walk_after FROM sync WHERE walk_rank IS NOT NULL") {
            ($0.int(0), $0.text(1))
        }
        walk = found.map { (rank: $0.0, after: $0.1) }
        hasOverlay = ((try? db.number("SELECT EXISTS (SELECT 1 FROM outbox)")) ?? 1) == 1
    }

    /// What the outbox says of a row.
    private struct Overlay {
        var fields: Set<String> = []
        var isWhole = false
    }

    private func overlay(_ kind: String, _ id: String) throws -> Overlay {
        var overlay = Overlay()
        guard hasOverlay else { return overlay }
        try db.forEach("SELECT action, fields FROM outbox WHERE kind = ? AND id = ?", [kind, id]) { row in
            if row.text(0) == Operation.Action.patch.rawValue {
                overlay.fields.formUnion(try Fields(stored: row.text(1)).all.map(\.name))
            } else {
                overlay.isWhole = true
            }
        }
        return overlay
    }

    /// Lays a page of a download: many rows, most of them not here yet. Adding up what is new once beats keeping the
    /// sums row by row.
    mutating func lay(all rows: [RowChange]) throws {
        var new: [RowChange] = []
        for row in rows {
            let sql = "SELECT EXISTS (SELECT 1 FROM transactions WHERE id = ?)"
            let isNew =
                try row.kind == "transaction" && !row.isDeleted && db.number(sql, [row.id.column]) == 0
                && !overlay(row.kind, row.id.description).isWhole
            if isNew { new.append(row) } else { try lay(row) }
        }
        guard new.count >= 100 else {
            for row in new { try lay(row) }
            return
        }
        let known = known
        do {
            try db.inSavepoint {
                try Sums.adding(db) { for row in new { try lay(row) } }
                return .commit
            }
        } catch let error as DatabaseError where error.isOfTheRow {
            // One of them leads a sum out of its range: each for itself, so that only that one is set aside.
            self.known = known
            for row in new { try lay(row) }
        }
    }

    /// Lays what was kept aside of a download.
    mutating func layAside() throws {
        let isNew = """
            kind = 'transaction' AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.id = aside.id)
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = 'transaction' AND o.id = aside.id)
            """
        let new = try db.number("SELECT count(*) FROM aside WHERE \(isNew)")
        let held = try db.number("SELECT ifnull(sum(count), 0) FROM month_sums WHERE month = 0")
        let isMost = new >= 1_000 && new >= held / 4
        if isMost {
            let isAll = try db.number("SELECT count(*) FROM aside WHERE kind = 'transaction'") == new
            try db.eachAside(isAll ? "kind <> 'transaction'" : "NOT (\(isNew))") { try lay($0) }
            let known = known
            do {
                try db.inSavepoint {
                    try Sums.suspended(db, withIndexes: new < held, cacheKilobytes: 6_144) {
                        // They came newest first: so their ids ascend, which files like.
                        try db.eachAside("kind = 'transaction'", latestFirst: true) { try layNew($0) }
                    }
                    return .commit
                }
            } catch let error as DatabaseError where error.isOfTheRow {
                self.known = known
                try db.eachAside { try lay($0) }
            }
        } else {
            try db.eachAside { try lay($0) }
        }
        try db.change("DELETE FROM aside")
    }

    /// Lays a row that is not here, or was laid a moment ago: its place is not looked at.
    private mutating func layNew(_ row: RowChange) throws {
        let id = row.id.description
        guard let table = SyncedTable.of(row.kind), !row.isDeleted else { return try lay(row) }
        if hasOverlay {
            let overlay = try overlay(row.kind, id)
            guard !overlay.isWhole, overlay.fields.isEmpty else { return try lay(row) }
        }
        if row.fields.all.contains(where: { !table.names.contains($0.name) }) { try keepForeign(row, id) }
        try store(row, id, row.fields, table, before: nil, isDeleted: false)
    }

    mutating func lay(_ row: RowChange) throws {
        let id = row.id.description
        guard let table = SyncedTable.of(row.kind) else { return try keepForeign(row, id) }
        if row.fields.all.contains(where: { !table.names.contains($0.name) }) { try keepForeign(row, id) }
        let count = Int32(table.fields.count)
        let present = try db.first(table.select, [id]) { (table.read($0), isDeleted: $0.int(count) == 1) }
        if row.isDeleted {
            // A deletion counts whatever is on its way.
            if let present {
                guard !present.isDeleted, table.hasTombstones else {
                    if let device = row.writers?.last { try db.name(deleter: device, of: row.kind, row.id) }
                    return
                }
                try db.change("UPDATE \(table.name) SET deleted_at = ? WHERE id = ?", [now, id])
                return try db.note(row, table, before: present.0, after: nil, now)
            }
            guard !row.fields.isEmpty else { return }
            return try store(row, id, row.fields, table, before: nil, isDeleted: true)
        }
        var fields = row.fields
        if let present {
            if let walk, (walk.rank, walk.after) < (table.rank, id), !present.isDeleted { return }
            let overlay = try overlay(row.kind, id)
            guard !overlay.isWhole else { return }
            for name in overlay.fields { fields[name] = present.0[name] ?? .null }
        } else if try overlay(row.kind, id).isWhole {
            return
        }
        try store(row, id, fields, table, before: present, isDeleted: false)
    }

    /// Sends what is here to a cloud that has an older state of the row. What was written there later than all that is
    /// known here is taken over.
    /// - Parameter cursor: the sequence of the cloud that was reflected here.
    mutating func sendAgain(_ row: RowChange, seen cursor: Int64) throws {
        let id = row.id.description
        guard let table = SyncedTable.of(row.kind), let here = try db.row(row.kind, id) else {
            return try lay(row)
        }
        let overlay = try overlay(row.kind, id)
        guard !overlay.isWhole else { return }
        // Its own deletion would be in the outbox: this only stands for it until it is here.
        let isPlaceholder =
            try db.number("SELECT \(table.isDeleted) FROM \(table.name) WHERE id = ?", [id]) == 1
        guard !isPlaceholder else { return try lay(row) }
        let versions = try Fields(stored: row.versions)
        var fields: Fields = [:]
        var merged = row
        for field in table.fields where !overlay.fields.contains(field.name) {
            let value = here[field.name] ?? .null
            guard value != row.fields[field.name] ?? .null else { continue }
            let written = versions.integer(field.name) ?? versions.integer("*") ?? 0
            guard written <= cursor else { continue }
            fields[field.name] = value
            merged.fields[field.name] = value
        }
        try lay(merged)
        if !fields.isEmpty { try db.queue(.patch, row.kind, id, fields: fields, before: row.fields) }
    }

    private mutating func store(
        _ row: RowChange,
        _ id: String,
        _ arrived: Fields,
        _ table: SyncedTable,
        before: (Fields, isDeleted: Bool)?,
        isDeleted: Bool
    ) throws {
        var fields = arrived
        for field in table.fields where (fields[field.name] ?? .null) == .null {
            if let fallback = field.fallback { fields[field.name] = fallback }
        }
        try fit(&fields, table.kind)
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
            try db.note(row, table, before: before.flatMap { $0.isDeleted ? nil : $0.0 }, after: fields, now)
        } catch let error as DatabaseError where error.isOfTheRow {
            // One row that does not fit must not hold up all others. It waits here for its next change.
            try keepForeign(row, id, problem: "\(StorageError(error))")
        }
    }

    /// What two devices can make of a row together and one alone cannot: the same everywhere, whatever came first.
    private mutating func fit(_ fields: inout Fields, _ kind: String) throws {
        switch kind {
        case "category":
            if let parent = fields.text("parent") {
                try placeholder(category: parent, fields.text("kind") ?? "expense")
            }
        case "budget":
            if let category = fields.text("category") { try placeholder(category: category, "expense") }
        case "transaction": try fitTransaction(&fields)
        default: break
        }
    }

    private mutating func fitTransaction(_ fields: inout Fields) throws {
        let currency = fields.text("currency") ?? "XXX"
        guard let account = fields.text("account") else { return }
        try placeholder(account: account, currency)
        if fields.text("kind") == "transfer" {
            if let to = fields.text("toAccount"), to != account {
                try placeholder(account: to, currency)
                if fields.integer("toAmount") == nil { fields["toAmount"] = fields["accountAmount"] }
                fields["category"] = .null
            } else {
                fields["kind"] = "expense"
            }
        }
        if fields.text("kind") != "transfer" {
            fields["toAccount"] = .null
            fields["toAmount"] = .null
            if let category = fields.text("category") {
                try placeholder(category: category, fields.text("kind") ?? "expense")
            }
        }
    }

    private mutating func placeholder(account id: String, _ currency: String) throws {
        guard !known.contains(id), id.utf8.count == 26 else { return }
        try db.change(
            """
            INSERT INTO accounts (id, name, type, currency, opening_minor, deleted_at)
            VALUES (?, '?', 'cash', ?, 0, 0) ON CONFLICT DO NOTHING
            """,
            [id, currency]
        )
        known.insert(id)
    }

    /// What a row refers to and is not here: it may still arrive, or was forgotten after it was deleted.
    private mutating func placeholder(category id: String, _ kind: String) throws {
        guard !known.contains(id), id.utf8.count == 26 else { return }
        try db.change(
            """
            INSERT INTO categories (id, name, kind, icon, color, parent, deleted_at)
            VALUES (?, '?', ?, '', '', NULL, 0) ON CONFLICT DO NOTHING
            """,
            [id, kind]
        )
        known.insert(id)
    }

    private func keepForeign(_ row: RowChange, _ id: String, problem: String? = nil) throws {
        try db.change(
            """
            INSERT OR REPLACE INTO foreign_rows (kind, id, is_deleted, fields, problem) VALUES (?, ?, ?, ?, ?)
            """,
            [row.kind, id, row.isDeleted, JSONWriter.text(row.fields), problem]
        )
    }
}

extension DatabaseError {
    /// Whether it is about what was to be stored, and not about the file.
    fileprivate var isOfTheRow: Bool {
        switch resultCode {
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG: true
        case .SQLITE_ERROR: message?.contains("integer overflow") ?? false
        default: false
        }
    }
}
