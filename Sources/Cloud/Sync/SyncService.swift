// Keeps each account's rows: takes operations, gives out changes.

import GRDB
public import Ledger
import Storage
public import SyncCore

/// The rows of the accounts of a directory. Safe to use from any thread; what a call returns is durable.
public struct SyncService: Sendable {
    /// Deletions and results are kept for so long, in seconds, and a replica that was not seen for longer is not waited
    /// for.
    public static let keptSeconds: Int64 = 90 * 86_400
    /// So many results of a replica are kept, where they are not older than that.
    static let keptResults: Int64 = 10_000
    /// How long after the end of a subscription a replica that was attached before it may still send, in seconds.
    public static let drainSeconds: Int64 = 90 * 86_400

    let directory: Directory
    /// The most that an account may hold.
    public let limits: AccountLimits

    /// The rows of a directory's accounts.
    /// - Parameter limits: the most that an account may hold.
    public init(_ directory: Directory, limits: AccountLimits = AccountLimits()) {
        self.directory = directory
        self.limits = limits
    }

    /// Takes operations, and tells what others have changed, where the replica asks.
    /// - Parameter entitlement: the user's, verified just now.
    /// - Throws: as `SyncAPI.push`.
    public func push(_ batch: PushBatch, _ token: SessionToken, _ entitlement: Entitlement)
        throws(CloudError) -> PushAnswer
    {
        var answer = try take(batch, token, entitlement)
        if let query = batch.changes, !answer.isOlder {
            // The operations are taken, whatever comes of this: the replica asks by itself for what is not here.
            answer.changes = try? changes(query, token, entitlement)
        }
        return answer
    }

    /// Takes operations. The first statement of the change takes the account's lock, so that the order of commits and
    /// that of sequences are one.
    private func take(_ batch: PushBatch, _ token: SessionToken, _ entitlement: Entitlement)
        throws(CloudError) -> PushAnswer
    {
        guard batch.operations.count <= SyncLimits.operations else {
            throw .tooLarge(max: SyncLimits.operations)
        }
        let schemas = SyncLimits.schemas
        guard schemas.contains(batch.schema) else {
            throw .upgradeRequired(oldest: schemas.lowerBound, newest: schemas.upperBound)
        }
        let now = directory.moment
        return try directory.changing { db in
            // A replica is known by its first contact, and only premium admits one: so each that is known was attached
            // before the end, and one that comes later is not.
            var (account, admitted, session) = try db.admit(
                batch.replica,
                token,
                now,
                upTo: entitlement.isPremium ? limits.replicas : nil
            )
            guard account.epoch == batch.epoch else { throw CloudFailure(.epochChanged(account.epoch)) }
            try db.note(entitlement, &account, now)
            let until = account.drainUntil(entitlement)
            guard var replica = admitted, entitlement.isPremium || until.map({ now < $0 }) ?? false else {
                throw CloudFailure(.subscriptionRequired(drainUntil: admitted == nil ? nil : until))
            }
            if replica.isNew {
                try db.noteStranger(replica.number, of: account.number, seen: batch.seen)
                replica = try db.replica(replica.id, of: account.number) ?? replica
            }
            var ledger = AccountLedger(
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
                results.append(try ledger.take(operation, directory.newID))
            }
            replica = ledger.replica
            if ledger.seq != account.seq || replica.lastN != ledger.firstN {
                let usage = ledger.usage
                try db.change(
                    """
                    UPDATE sync_accounts SET seq = ?, rows = ?, bytes = ?, dead_rows = ?, dead_bytes = ?, rows_hash = ?
                    WHERE number = ?
                    """,
                    [
                        ledger.seq, usage.rows, usage.bytes, usage.deadRows, usage.deadBytes,
                        ledger.hash?.column, account.number,
                    ]
                )
                try db.change(
                    "UPDATE replicas SET last_n = ?, seen_at = ?, is_detached = 0, session = ? WHERE number = ?",
                    [replica.lastN, now, session.column, replica.number]
                )
                try ledger.noteHoldings(of: account.user)
            }
            let isOlder =
                try replica.isBehind || batch.seen > account.seq
                || db.wasLost(batch.seen, of: account.number)
            account.seq = ledger.seq
            return PushAnswer(
                epoch: account.epoch,
                head: account.seq,
                lastN: replica.lastN,
                results: results,
                isOlder: isOlder
            )
        }
    }

    /// Where an account's data stands.
    /// - Throws: `sessionRevoked`, `accountGone`, `failed`.
    public func head(_ token: SessionToken) throws(CloudError) -> (user: EntityID, head: Head) {
        let found = try directory.reading { db in
            let user = try db.session(token).user
            return (user, try db.syncAccount(of: user))
        }
        if let account = found.1 { return (found.0, Head(epoch: account.epoch, seq: account.seq)) }
        let account = try directory.changing { db in try db.openSyncAccount(of: found.0) }
        return (found.0, Head(epoch: account.epoch, seq: account.seq))
    }

    /// Lets a replica go.
    /// - Throws: as `SyncAPI.detach`.
    public func detach(_ replica: EntityID, lastN: Int64, _ token: SessionToken) throws(CloudError) {
        try directory.changing { db in
            let user = try db.session(token).user
            guard let account = try db.syncAccount(of: user),
                let found = try db.replica(replica, of: account.number)
            else { return }
            guard found.lastN == lastN else {
                throw CloudFailure(.opGap(expected: found.lastN.addingClamped(1)))
            }
            try db.change("UPDATE replicas SET is_detached = 1 WHERE number = ?", [found.number])
        }
    }
}

/// An account as sync knows it.
struct SyncAccount {
    let number: Int64
    let user: EntityID
    let epoch: Int64
    var seq: Int64
    let floor: Int64
    /// When its premium ended, where only the cloud has seen that; nil while there is premium.
    var endedAt: Int64?
    /// How much it holds.
    var usage = KeptUsage()
    /// The hash of its live rows; nil where it is to be counted.
    var hash: RowsHash?
}

/// A book that is attached to an account.
struct Replica {
    let number: Int64
    let id: EntityID
    let name: String
    var lastN: Int64
    let seenAt: Int64
    let isDetached: Bool
    /// The session that it came by last; nil where that is not known.
    let session: EntityID?
    /// Whether it has seen what the cloud's file may have lost, and has not been told.
    let isBehind: Bool
    /// Whether it has just been taken in.
    var isNew = false
}

extension Database {
    func syncAccount(of user: EntityID) throws -> SyncAccount? {
        let sql = """
            SELECT number, epoch, seq, gc_floor, ended_at, \(KeptUsage.columns), rows_hash FROM sync_accounts WHERE user = ?
            """
        return try first(sql, [user.column]) {
            SyncAccount(
                number: $0.int64(0),
                user: user,
                epoch: $0.int64(1),
                seq: $0.int64(2),
                floor: $0.int64(3),
                endedAt: $0.optionalInt64(4),
                usage: KeptUsage($0, from: 5),
                hash: $0.optionalInt64(9).map { RowsHash(column: $0) }
            )
        }
    }

    func openSyncAccount(of user: EntityID) throws -> SyncAccount {
        if let account = try syncAccount(of: user) { return account }
        let sql = "INSERT INTO sync_accounts (user, epoch, seq, gc_floor, rows_hash) VALUES (?, 1, 0, 0, 0)"
        try change(sql, [user.column])
        return SyncAccount(
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
    /// - Parameter most: a replica that is not known is taken in as one of so many; nil where none is.
    func admit(_ id: EntityID, _ token: SessionToken, _ now: Int64, upTo most: Int?) throws -> (
        SyncAccount, Replica?, session: EntityID
    ) {
        let session = try session(token)
        let account = try openSyncAccount(of: session.user)
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

    /// Forgets all rows of an account; the next contact of each replica tells it so.
    func beginEpoch(of user: EntityID) throws {
        let account = try openSyncAccount(of: user).number
        // Before the rows go, so that none of them has to say that it does.
        try change("UPDATE sync_accounts SET rows_hash = NULL WHERE number = ?", [account])
        for table in ["entities", "op_results", "dead_ids", "replicas"] {
            try change("DELETE FROM \(table) WHERE account = ?", [account])
        }
        // Epochs that a restored cloud has lost are not given out again either.
        try change(
            """
            UPDATE sync_accounts SET
              epoch = epoch + 1 + ifnull((SELECT max(at) FROM lost_ranges WHERE account = number), 0),
              seq = seq + 1, gc_floor = 0, rows = 0, bytes = 0, dead_rows = 0, dead_bytes = 0,
              rows_hash = 0
            WHERE number = ?
            """,
            [account]
        )
    }
}
