// The amount of data of each account, and the checks against its limits.

public import CloudProtocol
import GRDB
public import Ledger
import Storage
import SyncCore

/// The amount of data of an account, updated with every change of its rows.
struct StoredUsage: Hashable {
    var rows: Int64 = 0
    var bytes: Int64 = 0
    /// Deleted rows that are not collected yet.
    var deadRows: Int64 = 0
    var deadBytes: Int64 = 0
    /// Collected rows, of which the account keeps the ids.
    var buriedRows: Int64 = 0

    static let columns = "rows, bytes, dead_rows, dead_bytes, buried"
    /// The number of the columns.
    static let columnCount: Int32 = 5

    init() {}

    /// - Parameter index: of the first of the columns.
    init(_ row: Columns, from index: Int32) {
        (rows, bytes) = (row.int64(index), row.int64(index + 1))
        (deadRows, deadBytes) = (row.int64(index + 2), row.int64(index + 3))
        buriedRows = row.int64(index + 4)
    }

    /// Counts a row that replaces another one, or none.
    mutating func count(_ before: StoredRow?, _ after: StoredRow) {
        if let before { add(before, -1) }
        add(after, 1)
    }

    private mutating func add(_ row: StoredRow, _ sign: Int64) {
        if row.row.isDeleted {
            deadRows += sign
            deadBytes += sign * row.bytes
        } else {
            rows += sign
            bytes += sign * row.bytes
        }
    }

    /// The reason why a row may not replace another one; nil if it may. A change that makes an account
    /// smaller is always allowed, also above the limits.
    /// - Parameter records: the number of conflict records that the cloud adds with the row.
    func refusal(_ before: StoredRow?, _ after: StoredRow, records: Int, _ limits: UserAccountLimits)
        -> OperationResult.Code?
    {
        // A deletion frees space, unless the row never existed.
        if after.row.isDeleted, before != nil { return nil }
        if !after.row.isDeleted {
            let fields = (before?.row.fields.all.count ?? 0, after.row.fields.all.count)
            if fields.1 > limits.fields, fields.1 > fields.0 { return .rowTooLarge }
            if after.bytes > limits.rowBytes, after.bytes > before?.bytes ?? 0 { return .rowTooLarge }
        }
        let newRows = (before == nil ? 1 : 0) + Int64(records)
        if newRows > 0 {
            let live = rows + newRows - (after.row.isDeleted ? 1 : 0)
            let dead = deadRows.addingClamped(buriedRows)
            if live > limits.rows || rows + deadRows + newRows > 2 * Int64(limits.rows)
                || rows + dead + newRows > 4 * Int64(limits.rows)
            {
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
    /// The amount of data of an account, as the limits count it.
    /// - Parameter token: of the device that asks, whose own books are not among the others.
    /// - Throws: `failed`, and with a token the errors of a session.
    public func usage(of user: EntityID, _ token: SessionToken? = nil) throws(CloudError) -> UserAccountUsage
    {
        try directory.reading { db in
            guard let account = try db.syncRecord(of: user) else { return UserAccountUsage() }
            let sql = "SELECT count(*) FROM replicas WHERE account = ? AND is_detached = 0"
            // A session that has ended uploads nothing any more.
            let others = """
                SELECT count(*) FROM replicas WHERE account = ? AND is_detached = 0
                  AND session IN (SELECT id FROM sessions WHERE user = ? AND id <> ?)
                """
            return UserAccountUsage(
                rows: Int(account.usage.rows),
                bytes: account.usage.bytes,
                replicas: try db.number(sql, [account.number]),
                others: try token.map {
                    try db.number(others, [account.number, user.column, try db.session($0).id.column])
                }
            )
        }
    }
}

extension Database {
    /// Makes room for one more replica if the limit is reached. Detached replicas are removed first, then
    /// replicas that were not seen for long, replicas of ended sessions, and replicas of the requesting
    /// device itself under earlier ids. A removed replica that returns sends and downloads everything again.
    ///
    /// If the others are all of signed-in devices in use, their user has to sign one out.
    func makeRoom(in account: Int64, for session: EntityID, _ most: Int, _ now: Int64) throws {
        let count = try number("SELECT count(*) FROM replicas WHERE account = ?", [account])
        guard count >= most else { return }
        let surplus = count - most + 1
        let removable = try all(
            """
            SELECT number, last_n FROM (
              SELECT number, last_n, seen_at, CASE WHEN is_detached = 1 THEN 0 WHEN seen_at < ? THEN 1
                WHEN session NOT IN (SELECT id FROM sessions WHERE user = (
                       SELECT user FROM sync_accounts WHERE number = account)) THEN 2
                WHEN session = ? THEN 3 END AS place
              FROM replicas WHERE account = ?
            ) WHERE place IS NOT NULL ORDER BY place, seen_at, number LIMIT ?
            """,
            [now - SyncService.retentionSeconds, session.column, account, surplus]
        ) { (number: $0.int64(0), last: $0.int64(1)) }
        guard removable.count == surplus else { throw CloudFailure(.sync(.tooManyReplicas(max: most))) }
        for replica in removable {
            try change("DELETE FROM replicas WHERE number = ?", [replica.number])
            try dropResults(of: replica.number, account, through: replica.last - Int64(SyncLimits.operations))
        }
        try dropResultsOfRemovedReplicas(of: account, exceptNewest: most)
    }
}
