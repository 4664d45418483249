// Changes that the cloud has not confirmed or has refused. Users can view, retry and revert them.
import Encoding
import GRDB
public import Ledger
import Storage
public import SyncCore

/// A change that has no result yet, or was refused.
public struct PendingChange: Hashable, Sendable, Identifiable {
    /// The position in the outbox.
    public let id: Int64
    /// The kind of change.
    public let action: Operation.Action
    /// The name of the kind in the sync protocol.
    public let kind: String
    /// The changed row.
    public let entity: EntityID
    /// The present row of this book.
    public let row: Fields
    /// The new values.
    public let fields: Fields
    /// The values of the same fields before the change.
    public let before: Fields
    /// The time of the change, in UTC seconds.
    public let at: Int64
    /// Whether the change may have reached the cloud. Then only another change can revert it.
    let isSent: Bool
    /// The reason of the cloud's refusal; nil if the change has no result yet.
    public let refusal: OperationResult.Code?
    /// The name of the field whose value is the reason; nil if it is none of a field.
    public let refusedField: String?
}

extension Book {
    /// The changes without a result and the refused changes, in order. The rows of a book that was attached
    /// recently are listed once they are queued.
    public func pendingChanges(limit: Int = 200) throws(BookError) -> [PendingChange] {
        try reading { db in
            let sql = """
                SELECT \(PendingChange.columns) FROM outbox WHERE status IS NULL OR status = 'rejected'
                ORDER BY position LIMIT ?
                """
            return try db.all(sql, [limit]) { try PendingChange($0, db) }
        }
    }

    /// The number of changes of transactions that the cloud has not confirmed or has refused.
    public func unsentTransactionChanges() throws(BookError) -> Int {
        try reading { db in
            let sql = """
                SELECT count(*) FROM outbox WHERE (status IS NULL OR status = 'rejected') AND kind = ?
                """
            return try db.number(sql, [Transaction.entityKind])
        }
    }

    /// Sends a refused change again. The call does nothing on a change without a result.
    /// - Throws: `unknownChange`.
    public func retry(change position: Int64) throws(BookError) {
        try updateSyncState { db in
            let change = try db.pending(position)
            guard change.refusal != nil else { return }
            try db.change("DELETE FROM outbox WHERE position = ?", [position])
            let id = change.entity.description
            if change.action == .patch {
                _ = try db.rebaseLaterChanges(change)
                // Fields that were changed again since are not sent.
                let here = try db.whole(change.kind, id) ?? [:]
                let wanted = change.fields.all.filter {
                    (here[$0.name] ?? .null).isSameInNormalForm(as: $0.value)
                }
                guard !wanted.isEmpty else { return }
                try db.queue(
                    .patch,
                    change.kind,
                    id,
                    fields: Fields(wanted.map { ($0.name, $0.value) }),
                    before: change.before,
                    at: change.at
                )
            } else if change.action == .create {
                try db.requeue(change.kind, id)
            } else {
                try db.queue(.delete, change.kind, id, at: change.at)
            }
        }
        noteChange()
    }

    /// Reverts a change: fields that no other change has written since get their former values. A change that
    /// may have reached the cloud is reverted there too, by another change.
    /// - Throws: `unknownChange`; `overflow`.
    public func revert(change position: Int64) throws(BookError) {
        try changeAsUser { db in
            let change = try db.pending(position)
            if change.isSent {
                if change.refusal != nil {
                    try db.change("DELETE FROM outbox WHERE position = ?", [position])
                }
                return try db.revert(change)
            }
            let mayBeInCloud = """
                SELECT EXISTS (SELECT 1 FROM outbox WHERE kind = ? AND id = ? AND is_cut = 1 AND position < ?)
                """
            if change.action == .create,
                try db.number(mayBeInCloud, [change.kind, change.entity.column, position]) == 1
            {
                try db.change("DELETE FROM outbox WHERE position = ?", [position])
                return try db.revert(change)
            }
            try db.withoutSending {
                try db.revert(change)
                if change.action == .create {
                    let sql = "DELETE FROM outbox WHERE kind = ? AND id = ? AND is_cut = 0"
                    try db.change(sql, [change.kind, change.entity.column])
                }
                try db.change("DELETE FROM outbox WHERE position = ?", [position])
            }
        }
    }
}

extension PendingChange {
    fileprivate static let columns =
        "position, action, kind, id, fields, before, at, is_cut, code, status, field"

    fileprivate init(_ columns: Columns, _ db: BookDatabase) throws {
        id = columns.int64(0)
        action = try columns.word(1)
        kind = columns.text(2)
        entity = try columns.id(3)
        // The change may be from before texts had one form.
        let declared = db.schema.declaration[kind]
        let stored = try [4, 5].map { try Fields(stored: columns.optionalText($0) ?? "{}") }
        fields = declared?.inNormalForm(stored[0]) ?? stored[0]
        before = declared?.inNormalForm(stored[1]) ?? stored[1]
        at = columns.int64(6)
        let isRefused = !columns.isNull(9)
        // A deletion that is sent again may have reached the cloud before.
        let isSentAgain = action == .delete && !columns.isNull(5)
        isSent = isSentAgain || (columns.int(7) == 1 && !isRefused)
        refusal = isRefused ? OperationResult.Code(rawValue: columns.text(8)) ?? .invalid : nil
        refusedField = columns.optionalText(10)
        row = try db.row(kind, entity.description) ?? [:]
    }
}

extension BookDatabase {
    fileprivate func pending(_ position: Int64) throws -> PendingChange {
        let sql = """
            SELECT \(PendingChange.columns) FROM outbox
            WHERE position = ? AND (status IS NULL OR status = 'rejected')
            """
        guard let change = try first(sql, [position], { try PendingChange($0, self) }) else {
            throw BookError.unknownChange
        }
        return change
    }

    /// Reverts a change of a row of an unknown kind. Triggers do not capture changes of such rows.
    private func revertForeign(_ pending: PendingChange) throws {
        let id = pending.entity.description
        switch pending.action {
        case .create:
            try markForeignRowDeleted(pending.kind, id)
            if pending.isSent { try queue(.delete, pending.kind, id) }
        case .patch:
            guard var fields = try whole(pending.kind, id) else { return }
            let later = try rebaseLaterChanges(pending)
            var sent: Fields = [:]
            for field in pending.fields.all
            where fields[field.name] == field.value && !later.contains(field.name) {
                let former = pending.before[field.name] ?? .null
                fields[field.name] = former
                sent[field.name] = former
            }
            let row = RowChange(seq: 0, kind: pending.kind, id: pending.entity, fields: fields.withoutNulls)
            try storeForeign(row, isDeleted: false)
            if pending.isSent, !sent.isEmpty { try queue(.patch, pending.kind, id, fields: sent) }
        case .delete: break
        }
    }

    /// The fields of a change that were changed again since. If this change was not sent, the next change of
    /// each such field gets the former value of this change as its own former value.
    fileprivate func rebaseLaterChanges(_ pending: PendingChange) throws -> Set<String> {
        let sql = """
            SELECT position, fields, before FROM outbox
            WHERE kind = ? AND id = ? AND action = 'patch' AND position > ? ORDER BY position
            """
        let changes = try all(sql, [pending.kind, pending.entity.column, pending.id]) {
            (position: $0.int64(0), fields: $0.text(1), before: $0.optionalText(2))
        }
        var found: Set<String> = []
        for change in changes {
            let names = try Fields(stored: change.fields).all.map(\.name).filter {
                pending.fields[$0] != nil && found.insert($0).inserted
            }
            guard !names.isEmpty, !pending.isSent else { continue }
            var before = try Fields(stored: change.before ?? "{}")
            for name in names { before[name] = pending.before[name] ?? .null }
            let sql = "UPDATE outbox SET before = ? WHERE position = ?"
            try self.change(sql, [JSONWriter.text(before), change.position])
        }
        return found
    }

    /// Reverts the fields of a change that the table has no column for. They are stored in `foreign_rows`,
    /// and triggers do not capture their changes.
    private func revertUnknownFields(
        _ pending: PendingChange,
        _ table: SyncedTable,
        _ later: Set<String>
    ) throws {
        var stored = try unknownFields(table, pending.entity.description)
        var former: Fields = [:]
        for field in table.unknown(of: pending.fields).all
        where stored[field.name] ?? .null == field.value && !later.contains(field.name) {
            former[field.name] = pending.before[field.name] ?? .null
            stored[field.name] = former[field.name]
        }
        guard !former.isEmpty else { return }
        let row = RowChange(
            seq: 0,
            kind: pending.kind,
            id: pending.entity,
            isDeleted: false,
            fields: stored.withoutNulls
        )
        _ = try storeUnknown(row, table, mayExist: true)
        if pending.isSent { try queue(.patch, pending.kind, pending.entity.description, fields: former) }
    }

    fileprivate func revert(_ pending: PendingChange) throws {
        guard let table = schema.table(pending.kind) else { return try revertForeign(pending) }
        let id = pending.entity.column
        switch pending.action {
        case .create where table.hasTombstones:
            let sql =
                "UPDATE \(table.name) SET deleted_at = (SELECT max(now, 1) FROM sync) WHERE id = ? AND deleted_at IS NULL"
            try change(sql, [id])
        case .create where pending.isSent:
            let nothing = table.fields.map { "\($0.column) = NULL" }.joined(separator: ", ")
            try change("UPDATE \(table.name) SET \(nothing) WHERE id = ?", [id])
        case .create: try change("DELETE FROM \(table.name) WHERE id = ?", [id])
        case .delete where table.hasTombstones:
            let living = pending.isSent ? try revivable(pending.entity, pending.kind).id : pending.entity
            try change("UPDATE \(table.name) SET deleted_at = NULL WHERE id = ?", [living.column])
        case .patch:
            let present = try row(pending.kind, pending.entity.description) ?? [:]
            let later = try rebaseLaterChanges(pending)
            try revertUnknownFields(pending, table, later)
            var sets: [String] = []
            var values: [DatabaseValue] = []
            for field in table.fields {
                guard let given = pending.fields[field.name], let old = pending.before[field.name],
                    present[field.name]?.isSameInNormalForm(as: given) == true,
                    !later.contains(field.name)
                else { continue }
                sets.append("\(field.column) = ?")
                values.append(old.column)
            }
            guard !sets.isEmpty else { return }
            let sql = "UPDATE \(table.name) SET \(sets.joined(separator: ", ")) WHERE id = ?"
            try change(sql, StatementArguments(values + [id]))
        case .delete: break
        }
    }
}
