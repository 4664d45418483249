// Forgetting what nobody needs any more: deletions that every replica has seen, results that were told long ago.

import GRDB
import Ledger
import Storage
public import SyncCore

extension SyncService {
    /// Forgets what is old enough and seen by all. A compact list of dead ids stays for as long as the account.
    /// - Returns: how many deletions were forgotten.
    /// - Throws: `failed`.
    @discardableResult
    public func collect() throws(CloudError) -> Int {
        let cutoff = directory.moment - Self.keptSeconds
        let accounts = try directory.reading { db in
            try db.all("SELECT number, seq FROM sync_accounts", []) { ($0.int64(0), $0.int64(1)) }
        }
        var forgotten = 0
        for (account, head) in accounts {
            forgotten += try directory.changing { db in
                try db.collect(account, head: head, olderThan: cutoff)
            }
        }
        return forgotten
    }
}

extension Database {
    fileprivate func collect(_ account: Int64, head: Int64, olderThan cutoff: Int64) throws -> Int {
        try change("DELETE FROM op_results WHERE account = ? AND at < ?", [account, cutoff])
        let seen = try first(
            "SELECT min(acked_seq) FROM replicas WHERE account = ? AND is_detached = 0 AND seen_at >= ?",
            [account, cutoff]
        ) { $0.optionalInt64(0) }
        let floor = (seen ?? nil) ?? head
        let dead = """
            FROM entities INDEXED BY entities_dead
            WHERE account = ? AND is_deleted = 1 AND seq <= ? AND changed_at < ?
            """
        guard
            let last = try first(
                "SELECT max(seq) \(dead)",
                [account, floor, cutoff],
                { $0.optionalInt64(0) }
            ) ?? nil
        else { return 0 }
        let (rows, bytes) =
            try first(
                """
                SELECT count(*), ifnull(sum(length(CAST(fields AS BLOB)) + length(CAST(versions AS BLOB))), 0)
                \(dead)
                """,
                [account, floor, cutoff]
            ) { ($0.int64(0), $0.int64(1)) } ?? (0, 0)
        try change(
            "INSERT OR IGNORE INTO dead_ids (account, id) SELECT account, id \(dead)",
            [account, floor, cutoff]
        )
        let count = try change(
            "DELETE FROM entities WHERE account = ? AND is_deleted = 1 AND seq <= ? AND changed_at < ?",
            [account, floor, cutoff]
        )
        try change(
            """
            UPDATE sync_accounts SET gc_floor = max(gc_floor, ?), dead_rows = dead_rows - ?,
              dead_bytes = dead_bytes - ?
            WHERE number = ?
            """,
            [last, rows, bytes, account]
        )
        return count
    }
}
