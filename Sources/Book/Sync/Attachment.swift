// Attaching a book to the cloud and detaching it.
import GRDB
public import Ledger
import Storage
public import SyncCore

/// The direction in which an attachment begins.
public enum Attachment: Hashable, Sendable {
    /// The rows of the book are uploaded, then the rows of the cloud are downloaded. A book that was attached
    /// before has captured its changes since then and sends only these changes.
    case upload
    /// The book is empty, and the rows of the cloud are downloaded.
    case download
}

extension Book {
    /// Attaches the book, so that its changes are captured. It is one small change, whatever the size of the
    /// book. A repeated call does nothing.
    /// - Parameter replica: an id that no book was attached with before.
    public func attach(as replica: EntityID, _ how: Attachment) throws(BookError) {
        try updateSyncState { db in
            let (isAttached, isCapturing, isStopped) =
                try db.first("SELECT replica IS NOT NULL, is_capturing, is_stopped FROM sync") {
                    ($0.int(0) == 1, $0.int(1) == 1, $0.int(2) == 1)
                } ?? (false, false, false)
            // A stopped book is attached again only when its user asks for it, not at the next start.
            guard !isAttached else { return }
            if isCapturing, !isStopped {
                try db.renumber(as: replica)
                return
            }
            try db.begin(as: replica, queuesRows: how == .upload)
            if isStopped, how == .upload { try db.queueDeletions(seen: 0) }
        }
    }

    /// Attaches the book to a cloud whose data was deleted. All rows of the book are uploaded. So are its
    /// deletions, because another device may still have the rows and send them.
    public func rejoin(as replica: EntityID) throws(BookError) {
        try updateSyncState { db in
            try db.begin(as: replica, queuesRows: true)
            try db.queueDeletions(seen: 0)
        }
    }

    /// Detaches the book. Its changes are still captured, for the next attachment.
    public func detach() throws(BookError) {
        _ = try updateSyncState { db in try db.change("UPDATE sync SET replica = NULL, synced_at = NULL") }
    }

    /// The state of the book's replication.
    public func replicaState() throws(BookError) -> ReplicaState {
        try reading { db in try db.replicaState().state }
    }

    /// See `ReplicaStore`.
    /// - Parameter replica: the expected replica id of the attachment, here and below; nil for any.
    public func adopt(_ head: Head, as replica: EntityID? = nil) throws(BookError) {
        try updateSyncState { db in
            guard try db.isAttached(replica) else { return }
            try db.change(
                "UPDATE sync SET epoch = ?, download_head = ? WHERE epoch IS NULL",
                [head.epoch, head.seq]
            )
        }
    }

    /// See `ReplicaStore`.
    public func renameReplica(to replica: EntityID, from former: EntityID? = nil) throws(BookError) {
        try updateSyncState { db in
            if try db.isAttached(former) { try db.renumber(as: replica) }
        }
    }

    /// See `ReplicaStore`.
    public func stop(_ replica: EntityID? = nil) throws(BookError) {
        try updateSyncState { db in
            if try db.isAttached(replica) { try db.change("UPDATE sync SET is_stopped = 1") }
        }
    }

    /// See `ReplicaStore`.
    public func resync(_ reason: ResyncReason, of replica: EntityID? = nil) throws(BookError) {
        try updateSyncState { db in
            if try db.isAttached(replica) { try db.beginResync(reason) }
        }
    }
}

extension BookDatabase {
    /// The state of the book's replication, and whether its changes are captured.
    func replicaState() throws -> (state: ReplicaState, isCapturing: Bool) {
        let sql = """
            SELECT replica, epoch, cursor, pending + iif(walk_rank IS NULL, 0, max(1, walk_left)), failed, last_n, last_numbered, download_next,
              download_done, download_total, download_reason IS NOT NULL, staged_up_to, is_stopped, synced_at,
              -- After `cursorAhead` the cloud has lost what the cursor reflects.
              iif(download_reason IS 'cursorAhead', seen, max(seen, cursor)), is_incomplete, is_capturing
            FROM sync
            """
        let found = try first(sql) { row in
            var state = ReplicaState(replica: row.optionalID(0))
            state.epoch = row.optionalInt64(1)
            state.cursor = row.int64(2)
            state.pending = row.int(3)
            state.failed = row.int(4)
            state.lastN = row.int64(5)
            state.lastNumbered = row.int64(6)
            state.download = row.optionalText(7).map {
                ReplicaState.Download(
                    next: $0,
                    done: row.int(8),
                    total: row.int(9),
                    isStaged: row.int(10) == 1,
                    // The rows that are here stay while all are loaded again for another reason.
                    isFirst: row.int(15) == 1 && row.int(10) == 0
                )
            }
            state.stagedUpTo = row.optionalInt64(11)
            state.isStopped = row.int(12) == 1
            state.syncedAt = row.optionalInt64(13)
            state.seen = row.int64(14)
            state.isCatchingUp = row.int(15) == 1 && state.incomplete == nil
            return (state: state, isCapturing: row.int(16) == 1)
        }
        return found ?? (state: ReplicaState(replica: nil), isCapturing: false)
    }

    /// Begins to load all rows again.
    func beginResync(_ reason: ResyncReason) throws {
        let isMending = reason == .diverged
        try change("DELETE FROM staged_rows")
        try change("UPDATE agreement SET is_mending = ?", [isMending])
        // A cloud that was put back to an earlier backup may have lost files as well.
        if reason == .cursorAhead { try forgetUploads() }
        try change(
            """
            UPDATE sync SET download_next = '', download_head = NULL, download_done = 0, download_total = 0,
              download_reason = ?, staged_up_to = NULL, seen = iif(?, 0, seen)
            """,
            // The column allows only two reasons; `is_mending` marks the third.
            [(isMending ? .cursorExpired : reason).rawValue, reason == .cursorAhead]
        )
    }

    /// Whether the book is attached with a replica id and has an epoch; nil matches any.
    func isAttached(_ replica: EntityID?, epoch: Int64? = nil) throws -> Bool {
        let sql = "SELECT replica IS ifnull(?, replica) AND epoch IS ifnull(?, epoch) FROM sync"
        return try number(sql, [replica?.column, epoch]) == 1
    }

    /// Changes the replica id. Operations without a result are numbered from 1 again.
    fileprivate func renumber(as replica: EntityID) throws {
        try change("UPDATE outbox SET n = NULL WHERE n IS NOT NULL")
        try change(
            "UPDATE sync SET replica = ?, last_n = 0, last_numbered = 0, is_stopped = 0",
            [replica.column]
        )
    }

    fileprivate func begin(as replica: EntityID, queuesRows: Bool) throws {
        try change("DELETE FROM outbox")
        try change("DELETE FROM staged_rows")
        try change("DELETE FROM ahead")
        // All rows of the cloud will come again, whatever user account they belong to.
        try change("DELETE FROM deviations")
        try forgetUploads()
        if !queuesRows { try change("DELETE FROM foreign_rows") }
        try change("UPDATE agreement SET is_mending = 0, is_doubtful = 0, is_told = 0, found_rows = NULL")
        var left = 0
        if queuesRows {
            for table in schema.tables { left = left.addingClamped(try number(table.liveCount)) }
            left = left.addingClamped(try foreignCount())
        }
        try change(
            """
            UPDATE sync SET is_capturing = 1, is_stopped = 0, replica = ?, epoch = NULL, cursor = 0, seen = 0, last_n = 0,
              last_numbered = 0, walk_rank = ?, walk_after = '', walk_left = ?, download_next = '',
              download_head = NULL, download_done = 0, download_total = 0, download_reason = NULL,
              staged_up_to = NULL, synced_at = NULL, is_incomplete = ?
            """,
            [replica.column, queuesRows ? 0 : nil, left, !queuesRows]
        )
    }
}
