// Sync of the rows of user accounts: applies pushes, serves pulls.

public import CloudProtocol
import GRDB
public import Ledger
import Storage
public import SyncCore

/// The rows of the user accounts of a directory. Safe to use from any thread; a result is durable when its
/// call returns.
public struct SyncService: Sendable {
    /// The time for which deletions and results are stored, in seconds. The collection ignores replicas that
    /// were not seen for longer.
    static let retentionSeconds: Int64 = 90 * 86_400
    /// The number of results that are stored for a replica, unless they are older than `retentionSeconds`.
    static let retainedResults: Int64 = 10_000

    let directory: Directory
    /// The limits of each user account.
    public let limits: UserAccountLimits

    /// Serves the user accounts of a directory.
    /// - Parameter limits: the limits of each user account.
    public init(_ directory: Directory, limits: UserAccountLimits = UserAccountLimits()) {
        self.directory = directory
        self.limits = limits
    }

    /// Applies a batch of operations, and returns others' changes if the replica asks for them.
    /// - Parameter entitlement: the user's, verified for this request.
    /// - Throws: as `SyncAPI.push`.
    public func push(_ batch: PushBatch, _ token: SessionToken, _ entitlement: Entitlement)
        throws(CloudError) -> PushAnswer
    {
        var answer = try apply(batch, token, entitlement)
        if let query = batch.changes, !answer.isOlder {
            // The batch is committed. If the changes cannot be read, the replica pulls them itself.
            answer.changes = try? changes(query, token, entitlement)
        }
        return answer
    }

    /// Applies a batch. The first statement of the transaction locks the account, so that commits and
    /// sequences have the same order.
    private func apply(_ batch: PushBatch, _ token: SessionToken, _ entitlement: Entitlement)
        throws(CloudError) -> PushAnswer
    {
        guard batch.operations.count <= SyncLimits.operations else {
            throw .sync(.tooLarge(max: SyncLimits.operations))
        }
        let schemas = SyncLimits.schemas
        guard schemas.contains(batch.schema) else {
            throw .sync(.upgradeRequired(oldest: schemas.lowerBound, newest: schemas.upperBound))
        }
        let now = directory.now
        return try directory.changing { db in
            // A replica is admitted at its first contact, and only with premium. So every known one was
            // attached before the end of premium, and a later one is refused.
            var (account, admitted, session) = try db.admit(
                batch.replica,
                token,
                now,
                upTo: entitlement.isPremium ? limits.replicas : nil
            )
            guard account.epoch == batch.epoch else {
                throw CloudFailure(.sync(.epochChanged(account.epoch)))
            }
            try db.note(entitlement, &account, now)
            let until = account.drainUntil(entitlement)
            guard var replica = admitted, entitlement.isPremium || until.map({ now < $0 }) ?? false else {
                throw CloudFailure(.subscriptionRequired(drainUntil: admitted == nil ? nil : until))
            }
            if replica.isNew {
                try db.noteUnknownReplica(replica.number, of: account.number, seen: batch.seen)
                replica = try db.replica(replica.id, of: account.number) ?? replica
            }
            var transaction = PushTransaction(
                db,
                account: account.number,
                replica: replica,
                seq: account.seq,
                usage: account.usage,
                hash: account.hash,
                limits: limits,
                now: now
            )
            var results: [OperationResult] = []
            results.reserveCapacity(batch.operations.count)
            for operation in batch.operations {
                results.append(try transaction.apply(operation, directory.newID))
            }
            replica = transaction.replica
            let retained = SyncService.retainedResults
            // A replica that pushes without a pause would have many until the next collection.
            if replica.lastN / retained != transaction.firstN / retained {
                try db.dropResults(of: replica.number, account.number, through: replica.lastN - retained)
            }
            if transaction.seq != account.seq || replica.lastN != transaction.firstN {
                let usage = transaction.usage
                try db.change(
                    """
                    UPDATE sync_accounts SET seq = ?, rows = ?, bytes = ?, dead_rows = ?, dead_bytes = ?, rows_hash = ?
                    WHERE number = ?
                    """,
                    [
                        transaction.seq, usage.rows, usage.bytes, usage.deadRows, usage.deadBytes,
                        transaction.hash?.column, account.number,
                    ]
                )
                try db.change(
                    "UPDATE replicas SET last_n = ?, seen_at = ?, is_detached = 0, session = ? WHERE number = ?",
                    [replica.lastN, now, session.column, replica.number]
                )
                try transaction.noteHoldings(of: account.user)
            }
            let isOlder =
                try replica.isBehind || batch.seen > account.seq
                || db.wasLost(batch.seen, of: account.number)
            account.seq = transaction.seq
            return PushAnswer(
                epoch: account.epoch,
                head: account.seq,
                lastN: replica.lastN,
                results: results,
                isOlder: isOlder
            )
        }
    }

    /// The head of an account's data.
    /// - Throws: `sessionRevoked`, `accountGone`, `failed`.
    public func head(_ token: SessionToken) throws(CloudError) -> (user: EntityID, head: Head) {
        let found = try directory.reading { db in
            let user = try db.session(token).user
            return (user, try db.syncRecord(of: user))
        }
        if let account = found.1 { return (found.0, Head(epoch: account.epoch, seq: account.seq)) }
        let account = try directory.changing { db in try db.openSyncRecord(of: found.0) }
        return (found.0, Head(epoch: account.epoch, seq: account.seq))
    }

    /// Detaches a replica.
    /// - Throws: as `SyncAPI.detach`.
    public func detach(_ replica: EntityID, lastN: Int64, _ token: SessionToken) throws(CloudError) {
        try directory.changing { db in
            let user = try db.session(token).user
            guard let account = try db.syncRecord(of: user),
                let found = try db.replica(replica, of: account.number)
            else { return }
            guard found.lastN == lastN else {
                throw CloudFailure(.sync(.opGap(expected: found.lastN.addingClamped(1))))
            }
            try db.change("UPDATE replicas SET is_detached = 1 WHERE number = ?", [found.number])
        }
    }
}

/// The row of a user account in `sync_accounts`: the epoch, the head, and the counts of its data.
struct SyncRecord {
    let number: Int64
    let user: EntityID
    let epoch: Int64
    var seq: Int64
    let floor: Int64
    /// The end of its premium, if only the cloud has observed it; nil while there is premium.
    var endedAt: Int64?
    /// The stored amount of data.
    var usage = StoredUsage()
    /// The hash of its live rows; nil if it has to be computed.
    var hash: RowsHash?
    /// Whether the texts of its live rows have the one form. Until then its hash is not that of a device.
    var hasOneTextForm = true
}

/// A book that is attached to a user account.
struct Replica {
    let number: Int64
    let id: EntityID
    let name: String
    var lastN: Int64
    let seenAt: Int64
    let isDetached: Bool
    /// The session of its last request; nil if it is unknown.
    let session: EntityID?
    /// Whether it may have seen changes that the cloud's file has lost, and has not got `cursorAhead` yet.
    let isBehind: Bool
    /// Whether this request admitted it.
    var isNew = false
}

extension Database {
    func syncRecord(of user: EntityID) throws -> SyncRecord? {
        let sql = """
            SELECT number, epoch, seq, gc_floor, ended_at, \(StoredUsage.columns), rows_hash, text_form
            FROM sync_accounts WHERE user = ?
            """
        return try first(sql, [user.column]) {
            SyncRecord(
                number: $0.int64(0),
                user: user,
                epoch: $0.int64(1),
                seq: $0.int64(2),
                floor: $0.int64(3),
                endedAt: $0.optionalInt64(4),
                usage: StoredUsage($0, from: 5),
                hash: $0.optionalInt64(5 + StoredUsage.columnCount).map { RowsHash(column: $0) },
                hasOneTextForm: $0.int64(6 + StoredUsage.columnCount) >= SyncService.textForm
            )
        }
    }

    func openSyncRecord(of user: EntityID) throws -> SyncRecord {
        if let account = try syncRecord(of: user) { return account }
        let sql = """
            INSERT INTO sync_accounts (user, epoch, seq, gc_floor, rows_hash, text_form) VALUES (?, 1, 0, 0, 0, ?)
            """
        try change(sql, [user.column, SyncService.textForm])
        return SyncRecord(
            number: lastInsertedRowID,
            user: user,
            epoch: 1,
            seq: 0,
            floor: 0,
            hash: RowsHash()
        )
    }

    func replica(_ id: EntityID, of account: Int64) throws -> Replica? {
        let sql = """
            SELECT number, name, last_n, seen_at, is_detached, session, is_behind FROM replicas
            WHERE account = ? AND id = ?
            """
        return try first(sql, [account, id.column]) {
            Replica(
                number: $0.int64(0),
                id: id,
                name: $0.text(1),
                lastN: $0.int64(2),
                seenAt: $0.int64(3),
                isDetached: $0.int(4) == 1,
                session: $0.optionalID(5),
                isBehind: $0.int(6) == 1
            )
        }
    }

    /// The account of a session, and its replica.
    /// - Parameter most: the limit of replicas for admitting an unknown one; nil admits none.
    func admit(_ id: EntityID, _ token: SessionToken, _ now: Int64, upTo most: Int?) throws -> (
        SyncRecord, Replica?, session: EntityID
    ) {
        let session = try session(token)
        let account = try openSyncRecord(of: session.user)
        if let replica = try replica(id, of: account.number) { return (account, replica, session.id) }
        guard let most else { return (account, nil, session.id) }
        try makeRoom(in: account.number, for: session.id, most, now)
        let name = try first("SELECT name FROM sessions WHERE id = ?", [session.id.column]) { $0.text(0) }
        try change(
            """
            INSERT INTO replicas (account, id, name, last_n, acked_seq, seen_at, is_detached, session)
            VALUES (?, ?, ?, 0, 0, ?, 0, ?)
            """,
            [account.number, id.column, name ?? "", now, session.id.column]
        )
        var made = try replica(id, of: account.number)
        made?.isNew = true
        return (account, made, session.id)
    }

    /// Deletes all rows of an account. Each replica gets `epochChanged` at its next contact.
    func beginEpoch(of user: EntityID) throws {
        let account = try openSyncRecord(of: user).number
        // Before the rows, so that their triggers need not update the hash.
        try change("UPDATE sync_accounts SET rows_hash = NULL WHERE number = ?", [account])
        for table in ["entities", "op_results", "dead_ids", "replicas", "files"] {
            try change("DELETE FROM \(table) WHERE account = ?", [account])
        }
        // Epochs that a restored cloud has lost are not assigned again either.
        try change(
            """
            UPDATE sync_accounts SET
              epoch = epoch + 1 + ifnull((SELECT max(at) FROM lost_ranges WHERE account = number), 0),
              seq = seq + 1, gc_floor = 0, rows = 0, bytes = 0, dead_rows = 0, dead_bytes = 0,
              buried = 0, rows_hash = 0, text_form = ?
            WHERE number = ?
            """,
            [SyncService.textForm, account]
        )
    }
}
