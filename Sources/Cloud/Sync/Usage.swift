// What each account holds, and what is refused where that is all it may hold.

import GRDB
public import Ledger
import Storage
public import SyncCore

/// What an account holds, kept up to date by everything that changes its rows.
struct KeptUsage: Hashable {
    var rows: Int64 = 0
    var bytes: Int64 = 0
    /// Deleted rows, until they are collected.
    var deadRows: Int64 = 0
    var deadBytes: Int64 = 0

    static let columns = "rows, bytes, dead_rows, dead_bytes"

    init() {}

    /// - Parameter index: of the first of the columns.
    init(_ row: Columns, from index: Int32) {
        (rows, bytes) = (row.int64(index), row.int64(index + 1))
        (deadRows, deadBytes) = (row.int64(index + 2), row.int64(index + 3))
    }

    /// Counts a row that takes the place of another one, or of none.
    mutating func count(_ before: KeptRow?, _ after: KeptRow) {
        if let before { add(before, -1) }
        add(after, 1)
    }

    private mutating func add(_ row: KeptRow, _ sign: Int64) {
        if row.row.isDeleted {
            deadRows += sign
            deadBytes += sign * row.bytes
        } else {
            rows += sign
            bytes += sign * row.bytes
        }
    }

    /// Why a row may not take the place of another one; nil where it may. What makes an account smaller always may, also
    /// where it holds more than it should.
    /// - Parameter records: rows that the cloud itself adds with it.
    func refusal(_ before: KeptRow?, _ after: KeptRow, records: Int, _ limits: AccountLimits)
        -> OperationResult.Code?
    {
        // A deletion makes room; but one of a row that was never there takes some.
        if after.row.isDeleted, before != nil { return nil }
        if !after.row.isDeleted {
            let fields = (before?.row.fields.all.count ?? 0, after.row.fields.all.count)
            if fields.1 > limits.fields, fields.1 > fields.0 { return .rowTooLarge }
            if after.bytes > limits.rowBytes, after.bytes > before?.bytes ?? 0 { return .rowTooLarge }
        }
        let newRows = (before == nil ? 1 : 0) + Int64(records)
        if newRows > 0 {
            let live = rows + newRows - (after.row.isDeleted ? 1 : 0)
            if live > limits.rows || rows + deadRows + newRows > 2 * Int64(limits.rows) {
                return .tooManyRows
            }
        }
        let growth = after.bytes - (before?.bytes ?? 0)
        if growth > 0 || records > 0 {
            let most = limits.bytes.addingClamped(limits.bytes)
            if bytes + growth > limits.bytes || bytes + deadBytes + growth > most { return .accountFull }
        }
        return nil
    }
}

extension SyncService {
    /// What an account holds, as the limits count it.
    /// - Throws: `failed`.
    public func usage(of user: EntityID) throws(CloudError) -> AccountUsage {
        try directory.reading { db in
            guard let account = try db.syncAccount(of: user) else { return AccountUsage() }
            let sql = "SELECT count(*) FROM replicas WHERE account = ? AND is_detached = 0"
            return AccountUsage(
                rows: Int(account.usage.rows),
                bytes: account.usage.bytes,
                replicas: try db.number(sql, [account.number])
            )
        }
    }
}

extension Database {
    /// Makes room for one more replica where there are as many as there may be. Those go first that were let go, then those
    /// that were not seen for long, those of sessions that have ended, and those whose own device has come by another name
    /// since. One that comes back after all sends and loads anew.
    ///
    /// What is left are replicas of other devices that are signed in and in use: their user signs one of them out.
    func makeRoom(in account: Int64, for session: EntityID, _ most: Int, _ now: Int64) throws {
        let count = try number("SELECT count(*) FROM replicas WHERE account = ?", [account])
        guard count >= most else { return }
        let surplus = count - most + 1
        let removed = try change(
            """
            DELETE FROM replicas WHERE number IN (
              SELECT number FROM (
                SELECT number, seen_at, CASE WHEN is_detached = 1 THEN 0 WHEN seen_at < ? THEN 1
                  WHEN session NOT IN (SELECT id FROM sessions WHERE user = (
                         SELECT user FROM sync_accounts WHERE number = account)) THEN 2
                  WHEN session = ? THEN 3 END AS place
                FROM replicas WHERE account = ?
              ) WHERE place IS NOT NULL ORDER BY place, seen_at, number LIMIT ?
            )
            """,
            [now - SyncService.keptSeconds, session.column, account, surplus]
        )
        guard removed == surplus else { throw CloudFailure(.tooManyReplicas(max: most)) }
    }
}
