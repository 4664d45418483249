// Restoring a deleted row whose deletion may have reached the cloud: the row stays deleted there, and a copy
// replaces it.
import GRDB
import Ledger
import Storage

extension EntityID {
    /// The id of the copy that replaces a row whose deletion may have reached the cloud. It is always the
    /// same.
    var copy: EntityID { EntityID(high: high, low: low &* 0x9E37_79B9_7F4A_7C15 &+ 1) }
    /// The id of which this is the copy.
    var original: EntityID { EntityID(high: high, low: (low &- 1) &* 0xF1DE_83E1_9937_733D) }
}

extension BookDatabase {
    /// The live row that represents a row now: the row itself, or a copy that was made when its deletion was
    /// reverted; nil if it is deleted.
    func living(_ id: EntityID, _ kind: String) throws -> EntityID? {
        guard let table = schema.table(kind) else { return nil }
        guard table.hasTombstones else {
            return try first("SELECT 1 FROM \(table.name) WHERE id = ?", [id.column]) { _ in id }
        }
        var id = id
        while let isDeleted = try isDeleted(id, in: table.name) {
            if !isDeleted { return id }
            id = id.copy
        }
        return nil
    }

    /// Prepares a deleted row to be restored. If its deletion was sent, or may have been sent, the result is
    /// a copy under another id. That id is always the same, so that a row that is restored twice, or on two
    /// devices, has one copy. If the deletion is still in the outbox, it is removed from there.
    /// - Returns: the id of the row to restore, and whether it is a copy that is live already.
    func revivable(_ id: EntityID, _ kind: String) throws -> (id: EntityID, isDone: Bool) {
        guard let table = schema.table(kind), try number("SELECT is_capturing FROM sync") == 1 else {
            return (id, false)
        }
        let waiting = """
            DELETE FROM outbox
            WHERE kind = ? AND id = ? AND action = 'delete' AND is_cut = 0 AND status IS NULL AND before IS NULL
            """
        // Each reverted deletion that was sent has left a deleted copy, so there may be any number of them.
        var last = id
        while true {
            if try change(waiting, [kind, last.column]) > 0 {
                // The row is live in the cloud, so nothing has to be sent.
                let revive = "UPDATE \(table.name) SET deleted_at = NULL WHERE id = ?"
                _ = try withoutSending { try change(revive, [last.column]) }
                return (last, false)
            }
            let copy = last.copy
            guard let isDead = try isDeleted(copy, in: table.name) else {
                try change(
                    """
                    INSERT INTO \(table.name) (id, \(table.columns), deleted_at)
                    SELECT ?, \(table.columns), deleted_at FROM \(table.name) WHERE id = ?
                    """,
                    [copy.column, last.column]
                )
                try copyUnknown(kind, from: last, to: copy)
                return (copy, false)
            }
            guard isDead else { return (copy, true) }
            last = copy
        }
    }
}
