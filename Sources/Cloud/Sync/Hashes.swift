// The hash of each account's live rows: kept by each push, counted anew where something else has changed them.

import GRDB
import Ledger
import Storage
import SyncCore

extension SyncService {
    /// Counts the rows of an account where its hash is not known.
    ///
    /// They are read beside the pushes, however many there are; where one comes meanwhile, the hash stays unknown until it
    /// is asked for again.
    func countRows(of account: SyncAccount) throws(CloudError) {
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

    /// Holds an account's hash against its rows: a device that loads all of them anew may do so because of it.
    func verifyRows(of account: SyncAccount) throws(CloudError) {
        guard account.hash != nil else { return try countRows(of: account) }
        let counted = try directory.reading { db in try db.countedHash(of: account.number) }
        guard counted.hash != counted.kept else { return }
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
    fileprivate func countedHash(of account: Int64) throws -> (hash: RowsHash, kept: RowsHash?, seq: Int64) {
        var hash = RowsHash()
        let sql = "SELECT kind, id, fields FROM entities WHERE account = ? AND is_deleted = 0"
        try forEach(sql, [account]) { row in
            hash.replace(0, by: RowsHash.of(row.text(0), try row.id(1), try Fields(kept: row.text(2))))
        }
        let (kept, seq) =
            try first("SELECT rows_hash, seq FROM sync_accounts WHERE number = ?", [account]) {
                ($0.optionalInt64(0).map { RowsHash(column: $0) }, $0.int64(1))
            } ?? (nil, 0)
        return (hash, kept, seq)
    }
}

extension MergedRow {
    /// Its hash; 0 where it is deleted.
    func hash(_ kind: String, _ id: EntityID) -> Int64 {
        isDeleted ? 0 : RowsHash.of(kind, id, fields)
    }
}
