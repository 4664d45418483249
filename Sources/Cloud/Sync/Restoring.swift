// Detection of replicas that have seen sequences which the cloud lost when it was restored from a backup.

public import CloudProtocol
import GRDB
import Storage

extension Directory {
    /// Records that this directory was restored from a backup. Changes since the backup are lost here;
    /// devices that have seen them send them again.
    ///
    /// Each account continues at a sequence that was never assigned, so that a cursor alone tells whether it
    /// is in the lost range; the same holds for epochs. The sequence depends on the time and on a random
    /// number, because a backup may be restored twice.
    /// - Throws: `failed`.
    public func noteRestored() throws(CloudError) {
        let now = self.now
        // Reaching it would take a million operations a second; numbers in JSON represent it exactly.
        let next = now << 20 + Int64(newID().low & 0x7_FFFF)
        try changing { db in
            // Users without sync data in the backup may have sent some since.
            try db.change(
                """
                INSERT INTO sync_accounts (user, epoch, seq, gc_floor, text_form) SELECT id, 1, 0, 0, ? FROM users
                WHERE id NOT IN (SELECT user FROM sync_accounts)
                """,
                [SyncService.textForm]
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
    /// Whether a cursor is in a lost range of sequences.
    func wasLost(_ cursor: Int64, of account: Int64) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM lost_ranges WHERE account = ? AND after_seq < ? AND before_seq > ?)
            """
        return try number(sql, [account, cursor, cursor]) == 1
    }
}
