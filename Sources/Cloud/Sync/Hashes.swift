// The hash of each account's live rows: updated by each push, and computed again after other changes.

import CloudProtocol
import GRDB
import Ledger
import Storage
import SyncCore

extension SyncService {
    /// Computes the hash of an account's rows if it is unknown.
    ///
    /// The read runs beside pushes. If one commits in the meantime, the hash stays unknown until the next
    /// call.
    func countRows(of account: SyncRecord) throws(CloudError) {
        guard account.hash == nil else { return }
        let counted = try directory.reading { db in try db.countedHash(of: account.number) }
        _ = try directory.changing { db in
            try db.change(
                """
                UPDATE sync_accounts SET rows_hash = ?
                WHERE number = ? AND epoch = ? AND seq = ? AND rows_hash IS NULL
                """,
                [counted.hash.column, account.number, account.epoch, counted.seq]
            )
        }
    }

    /// Compares an account's hash with its rows, because a device that downloads all rows may do so after a
    /// mismatch.
    func verifyRows(of account: SyncRecord) throws(CloudError) {
        guard account.hash != nil else { return try countRows(of: account) }
        let counted = try directory.reading { db in try db.countedHash(of: account.number) }
        guard counted.hash != counted.stored else { return }
        let changed = try directory.changing { db in
            try db.change(
                "UPDATE sync_accounts SET rows_hash = ? WHERE number = ? AND epoch = ? AND seq = ?",
                [counted.hash.column, account.number, account.epoch, counted.seq]
            )
        }
        if changed > 0 { directory.noteRecount() }
    }
}

extension Database {
    fileprivate func countedHash(of account: Int64) throws -> (hash: RowsHash, stored: RowsHash?, seq: Int64)
    {
        var hash = RowsHash()
        let sql = "SELECT kind, id, fields FROM entities WHERE account = ? AND is_deleted = 0"
        try forEach(sql, [account]) { row in
            hash.replace(0, by: RowsHash.of(row.text(0), try row.id(1), try Fields(encoded: row.text(2))))
        }
        let (stored, seq) =
            try first("SELECT rows_hash, seq FROM sync_accounts WHERE number = ?", [account]) {
                ($0.optionalInt64(0).map { RowsHash(column: $0) }, $0.int64(1))
            } ?? (nil, 0)
        return (hash, stored, seq)
    }
}

extension MergedRow {
    /// The row's hash; 0 if it is deleted.
    func hash(_ kind: String, _ id: EntityID) -> Int64 {
        isDeleted ? 0 : RowsHash.of(kind, id, fields)
    }
}
