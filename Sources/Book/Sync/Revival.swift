// Taking a deletion back where the cloud may know of it: what is dead there stays dead, so that a copy lives on.
import GRDB
import Ledger
import Storage

extension Database {
    /// Makes a deleted row ready to be restored. Where its deletion was sent, or may have been, that is a copy under
    /// another id, always the same, so that a restoring that is asked for twice, or on two devices, makes one copy;
    /// where it still waits, it is forgotten.
    /// - Returns: the id of the row to restore, and whether it is a copy that lives already.
    func revivable(_ id: EntityID, _ kind: String) throws -> (id: EntityID, isDone: Bool) {
        guard let table = SyncedTable.of(kind), try number("SELECT is_capturing FROM sync") == 1 else {
            return (id, false)
        }
        let waiting = """
            DELETE FROM outbox
            WHERE kind = ? AND id = ? AND action = 'delete' AND is_cut = 0 AND status IS NULL
            """
        if try change(waiting, [kind, id.column]) > 0 {
            // The cloud has it alive: nothing is to be said of it.
            _ = try uncaptured {
                try change("UPDATE \(table.name) SET deleted_at = NULL WHERE id = ?", [id.column])
            }
            return (id, false)
        }
        let copy = EntityID(high: id.high, low: id.low &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        if let isDeleted = try isDeleted(copy, in: table.name) {
            return isDeleted ? try revivable(copy, kind) : (copy, true)
        }
        try change(
            """
            INSERT INTO \(table.name) (id, \(table.columns), deleted_at)
            SELECT ?, \(table.columns), deleted_at FROM \(table.name) WHERE id = ?
            """,
            [copy.column, id.column]
        )
        return (copy, false)
    }
}
