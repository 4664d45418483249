// Pull: the rows that changed since a cursor, or all rows.

public import CloudProtocol
import GRDB
import Ledger
import Storage
public import SyncCore

extension SyncService {
    /// Returns a page of changed rows, or of all rows.
    /// - Parameter entitlement: the user's, verified for this request.
    /// - Throws: as `SyncAPI.changes`.
    public func changes(_ query: ChangesQuery, _ token: SessionToken, _ entitlement: Entitlement)
        throws(CloudError) -> ChangesPage
    {
        let now = directory.now
        let limit = min(max(1, query.limit), SyncLimits.rows)
        let (session, account, known) = try directory.reading { db in
            let session = try db.session(token)
            let account = try db.syncRecord(of: session.user)
            return (
                session, account, try account.map { try db.replica(query.replica, of: $0.number) } ?? nil
            )
        }
        guard entitlement.isPremium else {
            throw .subscriptionRequired(
                drainUntil: try drainUntil(query.replica, of: session.user, entitlement)
            )
        }
        if account?.endedAt != nil { try note(entitlement, of: session.user) }
        // An hour is much less than the time after which a replica is forgotten.
        let isNews =
            known.map {
                now - Directory.seenEverySeconds >= $0.seenAt || $0.isDetached || $0.session != session.id
            } ?? true
        if isNews {
            try directory.changing { db in
                let (account, replica, session) = try db.admit(
                    query.replica,
                    token,
                    now,
                    upTo: limits.replicas
                )
                guard account.epoch == query.epoch else {
                    throw CloudFailure(.sync(.epochChanged(account.epoch)))
                }
                guard let replica else { return }
                if known == nil {
                    var told = query.seen
                    if case .since(let cursor) = query.range { told = max(told, cursor) }
                    try db.noteUnknownReplica(replica.number, of: account.number, seen: told)
                }
                var seen: Int64 = 0
                if case .since(let cursor) = query.range { seen = min(cursor, account.seq) }
                try db.change(
                    """
                    UPDATE replicas SET acked_seq = max(acked_seq, ?), seen_at = ?, is_detached = 0, session = ?
                    WHERE number = ?
                    """,
                    [seen, now, session.column, replica.number]
                )
            }
        }
        if let account, account.epoch == query.epoch {
            switch query.range {
            case .since: try countRows(of: account)
            // All rows, including the replica's own: it downloads everything.
            case .snapshot(from: "") where query.lastN < 0: try verifyRows(of: account)
            case .snapshot: break
            }
        }
        return try directory.reading { db in
            let user = try db.session(token).user
            guard let account = try db.syncRecord(of: user) else {
                throw CloudFailure(.sync(.epochChanged(1)))
            }
            guard account.epoch == query.epoch else {
                throw CloudFailure(.sync(.epochChanged(account.epoch)))
            }
            let replica = try db.replica(query.replica, of: account.number)
            if replica?.isBehind == true { throw CloudFailure(.sync(.cursorAhead)) }
            var page = ChangesPage(
                epoch: account.epoch,
                head: account.seq,
                cursor: account.seq,
                hasMore: false,
                remaining: 0,
                lastN: replica?.lastN ?? 0,
                rows: []
            )
            // Rows that only this replica has written are omitted, unless its book is older than the replica
            // claims.
            let own = replica?.lastN == query.lastN ? replica?.number ?? -1 : -1
            var seen = [query.seen]
            if case .since(let cursor) = query.range { seen.append(cursor) }
            // The replica has seen sequences that this cloud has lost: the cloud was restored from a backup.
            // The replica must get `cursorAhead` before it sees any newer sequence, also in a snapshot.
            for known in seen {
                let isAhead = try known > account.seq || db.wasLost(known, of: account.number)
                guard !isAhead else { throw CloudFailure(.sync(.cursorAhead)) }
            }
            switch query.range {
            case .since(let cursor):
                guard cursor >= account.floor else { throw CloudFailure(.sync(.cursorExpired)) }
                try db.readChanges(
                    of: account.number,
                    after: cursor,
                    except: own,
                    for: replica?.number ?? 0,
                    limit,
                    into: &page
                )
                if !page.hasMore, account.hasOneTextForm { page.hash = account.hash }
            case .snapshot(let from):
                try db.readSnapshot(of: account.number, from: from, except: own, limit, into: &page)
            }
            return page
        }
    }
}

extension RowChange {
    static let columns = "seq, kind, id, is_deleted, fields, created_seq, versions"

    init(_ row: Columns) throws {
        self.init(
            seq: row.int64(0),
            kind: row.text(1),
            id: try row.id(2),
            isDeleted: row.int(3) == 1,
            fields: try Fields(encoded: row.text(4)),
            versions: FieldVersion.shown(row.text(6), created: row.int64(5))
        )
    }

    /// The size of a row's values and versions, in bytes.
    static func bytes(_ row: Columns) -> Int { row.byteCount(4) + row.byteCount(6) }
}

/// The names of the devices that wrote the rows of a page.
private struct WriterNames {
    static let columns = "last_writer, created_by, changed_at, last_tx"
    private let db: Database
    private var known: [Int64: String] = [0: ""]

    init(_ db: Database) { self.db = db }

    private mutating func name(_ number: Int64) throws -> String {
        if let name = known[number] { return name }
        let name = try db.first("SELECT name FROM replicas WHERE number = ?", [number]) { $0.text(0) } ?? ""
        known[number] = name
        return name
    }

    /// - Parameters:
    ///   - row: of a statement that selects the columns of `RowChange`, then these.
    ///   - reader: the replica that pulls.
    mutating func writers(_ row: Columns, after cursor: Int64, for reader: Int64) throws -> RowChange.Writers
    {
        let (last, creator) = (row.int64(7), row.int64(8))
        var writers = RowChange.Writers(at: row.int64(9), last: try name(last))
        if last > 0, row.int64(10) > 0 { writers.step = "\(last).\(row.int64(10))" }
        if creator != last, row.int64(5) > cursor { writers.creator = try name(creator) }
        for (field, version) in try FieldVersion.all(encoded: row.text(6)) {
            // A deletion leaves the versions of the fields unchanged.
            let isNew = version.seq > cursor || row.int(3) == 1
            if version.seq > cursor, version.writer != last {
                writers.fields[field] = try name(version.writer)
            }
            if isNew, version.unseen != 0, version.unseen == reader { writers.unseen.insert(field) }
        }
        return writers
    }
}

extension Database {
    fileprivate func readChanges(
        of account: Int64,
        after cursor: Int64,
        except author: Int64,
        for reader: Int64,
        _ limit: Int,
        into page: inout ChangesPage
    ) throws {
        let sql = """
            SELECT \(RowChange.columns), \(WriterNames.columns) FROM entities INDEXED BY entities_by_seq
            WHERE account = ? AND seq > ? AND author <> ? ORDER BY seq LIMIT ?
            """
        var names = WriterNames(self)
        var size = 0
        try forEachWhile(sql, [account, cursor, author, limit + 1]) { row in
            page.hasMore = page.rows.count == limit || size >= SyncLimits.answerBytes
            guard !page.hasMore else { return false }
            var change = try RowChange(row)
            change.writers = try names.writers(row, after: cursor, for: reader)
            page.rows.append(change)
            size += RowChange.bytes(row)
            return true
        }
        guard page.hasMore else { return }
        page.cursor = page.rows.last?.seq ?? cursor
        page.remaining = try number(
            "SELECT count(*) FROM entities INDEXED BY entities_by_seq WHERE account = ? AND seq > ?",
            [account, page.cursor]
        )
    }
}
