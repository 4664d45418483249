// Collection of obsolete data: deletions that every replica has seen, and results that were delivered long
// ago.
//
// Data that grows with use, and its bounds:
// - rows, and deleted rows that are not collected yet: `UserAccountLimits`;
// - deleted rows in time: collected once they are older than `retentionSeconds` and every replica has seen
//   them, except replicas that are detached or were not seen for as long;
// - dead ids: one for each collected row, 16 bytes each, for as long as the account or its epoch exists; with live and
//   deleted rows they are no more than four times the rows that the account may have;
// - replicas: `UserAccountLimits`;
// - results: `retentionSeconds`, and `retainedResults` of each replica, twice as many until the next push or collection;
//   the last `SyncLimits.operations` of each stay for as long as the replica, independent of their age. Of replicas that
//   were removed these stay as well, for as many replicas as the account may have.

public import CloudProtocol
import Foundation
import GRDB
import Ledger
import Storage
import SyncCore

extension SyncService {
    /// Collects deletions and results that are old enough. A compact list of dead ids stays for as long as
    /// the account.
    /// - Returns: the number of collected deletions.
    /// - Throws: `failed`.
    @discardableResult
    public func collect() throws(CloudError) -> Int {
        let cutoff = directory.now - Self.retentionSeconds
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
        try collectResults(account, olderThan: cutoff)
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
        var buried = 0
        try forEach("SELECT id \(dead)", [account, floor, cutoff]) {
            buried += try bury(try $0.id(0), of: account)
        }
        let count = try change(
            "DELETE FROM entities WHERE account = ? AND is_deleted = 1 AND seq <= ? AND changed_at < ?",
            [account, floor, cutoff]
        )
        try change(
            """
            UPDATE sync_accounts SET gc_floor = max(gc_floor, ?), dead_rows = dead_rows - ?,
              dead_bytes = dead_bytes - ?, buried = buried + ?
            WHERE number = ?
            """,
            [last, rows, bytes, buried, account]
        )
        return count
    }

    /// Collects results that no replica asks for any more. A batch begins with the first operation without a result on
    /// its device, so that all but the last `SyncLimits.operations` of a replica were acknowledged; only a copy of its
    /// book could ask for their results again. The last results stay for any length of time: a device may not have
    /// received them, and would send the operations again under another replica id.
    private func collectResults(_ account: Int64, olderThan cutoff: Int64) throws {
        let replicas = try all("SELECT number, last_n FROM replicas WHERE account = ?", [account]) {
            ($0.int64(0), $0.int64(1))
        }
        for (replica, last) in replicas {
            try change(
                "DELETE FROM op_results WHERE account = ? AND replica = ? AND n <= ? AND (at < ? OR n <= ?)",
                [
                    account, replica, last - Int64(SyncLimits.operations), cutoff,
                    last - SyncService.retainedResults,
                ]
            )
        }
        // The results of replicas that were removed.
        try change(
            """
            DELETE FROM op_results
            WHERE account = ? AND at < ? AND replica NOT IN (SELECT number FROM replicas WHERE account = ?)
            """,
            [account, cutoff, account]
        )
    }
}

extension Database {
    /// Removes the results of a replica's operations up to a number.
    func dropResults(of replica: Int64, _ account: Int64, through last: Int64) throws {
        try change(
            "DELETE FROM op_results WHERE account = ? AND replica = ? AND n <= ?",
            [account, replica, last]
        )
    }

    /// Removes the results of replicas that were removed, except the results of the newest of them.
    func dropResultsOfRemovedReplicas(of account: Int64, exceptNewest most: Int) throws {
        // Steps from replica to replica: an account has a million results, and some hundred replicas.
        let numbers = try all(
            """
            WITH RECURSIVE senders (number) AS (
              SELECT max(replica) FROM op_results WHERE account = ?
              UNION ALL
              SELECT (SELECT max(replica) FROM op_results WHERE account = ? AND replica < number) FROM senders
              WHERE number IS NOT NULL
            )
            SELECT number FROM senders
            WHERE number IS NOT NULL AND number NOT IN (SELECT number FROM replicas WHERE account = ?)
            LIMIT -1 OFFSET ?
            """,
            [account, account, account, most]
        ) { $0.int64(0) }
        for number in numbers { try dropResults(of: number, account, through: .max) }
    }
}

extension Database {
    /// Whether a row was collected, so that only its id is stored.
    func isBuried(_ id: EntityID, of account: Int64) throws -> Bool {
        try first("SELECT 1 FROM dead_ids WHERE account = ? AND id = ?", [account, id.bytes]) { _ in true }
            ?? false
    }

    /// Stores the id of a collected row.
    /// - Returns: 1, or 0 if it is stored already.
    fileprivate func bury(_ id: EntityID, of account: Int64) throws -> Int {
        try change("INSERT OR IGNORE INTO dead_ids (account, id) VALUES (?, ?)", [account, id.bytes])
    }
}

extension EntityID {
    fileprivate var bytes: Data {
        Data(
            [high, low].flatMap { half in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
            }
        )
    }
}
