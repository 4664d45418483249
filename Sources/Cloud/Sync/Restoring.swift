// A cloud that was restored from a backup: replicas that have seen sequences that it has lost are told so.

import GRDB
import Storage
public import SyncCore

extension Directory {
    /// Notes that this directory was restored from a backup. Changes since the backup are lost here; devices that have
    /// seen them send them again.
    ///
    /// Each account goes on at a sequence that was never given out, so that a cursor by itself tells whether it lies in
    /// the lost range; so do epochs. The sequence depends on the time and on chance, because one backup may be restored
    /// twice.
    /// - Throws: `failed`.
    public func noteRestored() throws(CloudError) {
        let now = moment
        // A million operations a second would be needed to catch up with it; numbers in JSON hold it exactly.
        let next = now << 20 + Int64(newID().low & 0x7_FFFF)
        try changing { db in
            // Those that had sent nothing when the backup was made may have since.
            try db.change(
                """
                INSERT INTO sync_accounts (user, epoch, seq, gc_floor) SELECT id, 1, 0, 0 FROM users
                WHERE id NOT IN (SELECT user FROM sync_accounts)
                """
            )
            try db.change(
                """
                INSERT INTO lost_ranges (account, after_seq, before_seq, at)
                SELECT number, seq, max(seq + 1, ?), ? FROM sync_accounts
                """,
                [next, now]
            )
            try db.change("UPDATE sync_accounts SET seq = max(seq + 1, ?)", [next])
        }
    }
}

extension Database {
    /// Whether a cursor lies in a range of sequences that was lost.
    func wasLost(_ cursor: Int64, of account: Int64) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM lost_ranges WHERE account = ? AND after_seq < ? AND before_seq > ?)
            """
        return try number(sql, [account, cursor, cursor]) == 1
    }
}
