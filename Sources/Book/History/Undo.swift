// Undoing a change by a new change, whatever its age and whether or not it was sent to the cloud.
import GRDB
import Ledger
import Storage
import SyncCore

/// The result of undoing a change.
public enum Undone: Hashable, Sendable {
    /// The change was undone by a new change, which can be undone in turn.
    case done(by: Int64)
    /// Nothing had to change: all rows were in their former state already.
    case already
    /// Nothing was done: a value of the change was changed again since and would be lost unnoticed.
    case changedSince
}

extension Book {
    /// Undoes a change as a whole: rows that it created are deleted, rows that it deleted are restored, and
    /// fields that it changed get their former values.
    /// - Parameter overriding: whether values that were changed again since are replaced too.
    /// - Throws: `unknownChange` if there is no such change or it cannot be undone; `deletedSince` if a row
    ///   that it changed is deleted; and the errors of the single steps if they no longer fit the book:
    ///   `accountInUse`, `categoryInUse`, `categoryKindInUse`, `unknownAccount`, `unknownCategory`,
    ///   `categoryKind`, `categoryNesting`, `budgetExists`, `invalid`, `overflow`.
    public func undo(_ id: Int64, overriding: Bool) throws(BookError) -> Undone {
        let now = clock()
        return try changeAsUser { db in
            let rows = try db.folded(id).filter { $0.action != nil }
            guard !rows.isEmpty else { throw BookError.unknownChange }
            if !overriding, try rows.contains(where: { try db.wasChangedSince($0) }) { return .changedSince }
            var copies: [EntityID: EntityID] = [:]
            for row in rows.sorted(by: { $0.lastSeq > $1.lastSeq }) {
                try db.undo(row, now, copies)
                if row.action == .delete, let living = try db.living(row.id, row.kind), living != row.id {
                    copies[row.id] = living
                }
            }
            let sql = "SELECT tx FROM history WHERE tx = (SELECT tx FROM sync) LIMIT 1"
            return try db.first(sql) { .done(by: $0.int64(0)) } ?? .already
        }
    }

    /// Whether a field that a change wrote has another value now.
    public func wasChangedSince(_ id: Int64) throws(BookError) -> Bool {
        try reading { db in try db.folded(id).contains { try db.wasChangedSince($0) } }
    }
}

extension BookDatabase {
    fileprivate func wasChangedSince(_ row: FoldedRow) throws -> Bool {
        guard row.action == .patch, let living = try living(row.id, row.kind) else { return false }
        let present = try self.row(row.kind, living.description) ?? [:]
        let entity = schema.declaration[row.kind]
        return row.after.all.contains {
            !(present[$0.name] ?? .null).isSameInNormalForm(as: $0.value)
                && entity?.isAutomatic($0.name) != true
        }
    }

    /// - Parameter copies: the copies of rows that were restored before it, by the ids of these.
    fileprivate func undo(_ row: FoldedRow, _ now: Int64, _ copies: [EntityID: EntityID]) throws {
        switch row.action {
        case .create: try remove(row, now)
        case .delete:
            try bringBack(row.kind, row.id)
            if !row.before.isEmpty { try putBack(row, copies) }
        case .patch: try putBack(row, copies)
        case nil: break
        }
    }

    private func remove(_ row: FoldedRow, _ now: Int64) throws {
        guard let id = try living(row.id, row.kind) else { return }
        switch row.kind {
        case "transaction": try deleteTransaction(id, now)
        case "account": try deleteAccount(id, now)
        case "category": try deleteCategory(id, now)
        case "budget": try deleteBudget(id, now)
        default: try deleteRow(row.kind, id, now)
        }
    }

    /// Restores a deleted row.
    func bringBack(_ kind: String, _ id: EntityID) throws {
        // A live copy may exist already.
        guard try living(id, kind) == nil else { return }
        switch kind {
        case "transaction": _ = try restoreTransaction(id)
        case "account": _ = try restoreAccount(id)
        case "category": _ = try restoreCategory(id)
        case "budget": _ = try restoreBudget(id)
        case "schedule": _ = try restoreSchedule(id)
        default: try restoreRow(kind, id)
        }
    }

    /// Deletes a live row of a kind to which no other rows refer. The fields of a row that cannot be deleted
    /// become null.
    private func deleteRow(_ kind: String, _ id: EntityID, _ now: Int64) throws {
        guard let table = schema.table(kind) else { return }
        guard table.hasTombstones else {
            return try patch(Fields(table.fields.map { ($0.name, .null) }) ?? [:], kind, id)
        }
        try change("UPDATE \(table.name) SET deleted_at = ? WHERE id = ?", [now, id.column])
    }

    /// Restores a deleted row of a kind that does not refer to other rows.
    private func restoreRow(_ kind: String, _ id: EntityID) throws {
        guard let table = schema.table(kind), table.hasTombstones else { return }
        let (living, isDone) = try revivable(id, kind)
        guard !isDone else { return }
        try change("UPDATE \(table.name) SET deleted_at = NULL WHERE id = ?", [living.column])
        if kind == Receipt.entityKind { try doubtUploads("id = ?", living) }
    }

    /// The same fields with the copies of restored rows in the place of rows that stay deleted in the cloud.
    /// - Parameter copies: as for `undo`, for texts in which ids stand among others, such as the effects of a rule.
    private func withCopies(_ fields: Fields, _ kind: String, _ copies: [EntityID: EntityID]) throws -> Fields
    {
        var copied = fields
        for field in schema.declaration[kind]?.fields ?? [] {
            guard case .text(let text)? = fields[field.name] else { continue }
            switch field.form {
            case .reference(let other):
                guard let id = EntityID(text), let living = try living(id, other) else { continue }
                copied[field.name] = .text("\(living)")
            case .parts: copied[field.name] = .text(try withCopies(Split(text: text)).text)
            case .text where !copies.isEmpty:
                let replaced = copies.reduce(text) { $0.replacing("\($1.key)", with: "\($1.value)") }
                copied[field.name] = .text(replaced)
            default: break
            }
        }
        return copied
    }

    /// Gives the patched fields of a live row their former values.
    private func putBack(_ row: FoldedRow, _ copies: [EntityID: EntityID]) throws {
        guard let id = try living(row.id, row.kind) else { throw BookError.deletedSince(row.id) }
        try patch(try withCopies(row.before, row.kind, copies), row.kind, id, checksSplit: true)
        // Otherwise the schedule, which is due again, would find the same payment again.
        if row.before["occurrence"] == .null,
            let key = row.after.text("occurrence").flatMap(OccurrenceKey.init(text:))
        {
            try note(id, isNot: key.transaction)
        }
    }
}
