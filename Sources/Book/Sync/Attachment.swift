// Attaching a book to the cloud and letting it go again.
import GRDB
public import Ledger
import Storage
public import SyncCore

/// How a book is attached.
public enum Attachment: Hashable, Sendable {
    /// The rows of the book are uploaded, then those of the cloud downloaded. A book that was attached before has
    /// captured its changes since and sends those alone.
    case upload
    /// The book is empty: the rows of the cloud are downloaded.
    case download
}

extension Book {
    /// Attaches the book: from now on its changes are captured. One small change, however much is in the book; again it
    /// does nothing.
    /// - Parameter replica: an id that no book was attached by before.
    public func attach(as replica: EntityID, _ how: Attachment) throws(BookError) {
        try updateSyncState { db in
            let (isAttached, isCapturing, isStopped) =
                try db.first("SELECT replica IS NOT NULL, is_capturing, is_stopped FROM sync") {
                    ($0.int(0) == 1, $0.int(1) == 1, $0.int(2) == 1)
                } ?? (false, false, false)
            // A book that was stopped is attached anew only when its user asks for it, not at the next start.
            guard !isAttached else { return }
            if isCapturing, !isStopped {
                try db.renumber(as: replica)
                return
            }
            try db.begin(as: replica, queuesRows: how == .upload)
            if isStopped, how == .upload { try db.queueDeletions(seen: 0) }
        }
    }

    /// Attaches anew to a cloud whose data was deleted: all rows of the book are uploaded, and its deletions, since another
    /// device may still have the rows and send them.
    public func rejoin(as replica: EntityID) throws(BookError) {
        try updateSyncState { db in
            try db.begin(as: replica, queuesRows: true)
            try db.queueDeletions(seen: 0)
        }
    }

    /// Detaches the book. Changes are still captured, for the next attachment.
    public func detach() throws(BookError) {
        _ = try updateSyncState { db in try db.change("UPDATE sync SET replica = NULL, synced_at = NULL") }
    }

    /// How many changes are in this book and nowhere else, as far as it knows: those that were captured since it was last
    /// attached, or all rows of a book that never was.
    public func changesOnlyHere() throws(BookError) -> Int {
        try reading { db in
            let sql = """
                SELECT is_capturing, pending + failed + iif(walk_rank IS NULL, 0, max(1, walk_left)) FROM sync
                """
            let (isCapturing, waiting) = try db.first(sql, [], { ($0.int(0) == 1, $0.int(1)) }) ?? (false, 0)
            guard !isCapturing else { return waiting }
            return try db.schema.tables.filter { $0.hasTombstones && $0.isRecorded }.reduce(0) {
                $0.addingClamped(try db.number($1.liveCount))
            }
        }
    }

    /// The state of the book's replication.
    public func replicaState() throws(BookError) -> ReplicaState {
        try reading { db in
            let sql = """
                SELECT replica, epoch, cursor, pending + iif(walk_rank IS NULL, 0, max(1, walk_left)), failed, last_n, last_numbered, download_next,
                  download_done, download_total, download_aside IS NOT NULL, aside_up_to, is_stopped, synced_at,
                  -- After `cursorAhead` the cloud has lost what the cursor reflects.
                  iif(download_aside IS 'cursorAhead', seen, max(seen, cursor))
                FROM sync
                """
            let state = try db.first(sql) { row in
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
                        isStaged: row.int(10) == 1
                    )
                }
                state.stagedUpTo = row.optionalInt64(11)
                state.isStopped = row.int(12) == 1
                state.syncedAt = row.optionalInt64(13)
                state.seen = row.int64(14)
                return state
            }
            return state ?? ReplicaState(replica: nil)
        }
    }

    /// As `ReplicaStore`.
    /// - Parameter replica: nil, here and below, for the one that the book is attached by.
    public func adopt(_ head: Head, as replica: EntityID? = nil) throws(BookError) {
        try updateSyncState { db in
            guard try db.isAttached(replica) else { return }
            try db.change(
                "UPDATE sync SET epoch = ?, download_head = ? WHERE epoch IS NULL",
                [head.epoch, head.seq]
            )
        }
    }

    /// As `ReplicaStore`.
    public func renameReplica(to replica: EntityID, from former: EntityID? = nil) throws(BookError) {
        try updateSyncState { db in
            if try db.isAttached(former) { try db.renumber(as: replica) }
        }
    }

    /// As `ReplicaStore`.
    public func stop(_ replica: EntityID? = nil) throws(BookError) {
        try updateSyncState { db in
            if try db.isAttached(replica) { try db.change("UPDATE sync SET is_stopped = 1") }
        }
    }

    /// As `ReplicaStore`.
    public func resync(_ reason: ResyncReason, of replica: EntityID? = nil) throws(BookError) {
        try updateSyncState { db in
            if try db.isAttached(replica) { try db.beginResync(reason) }
        }
    }
}

extension BookDatabase {
    /// Begins to load all rows anew.
    func beginResync(_ reason: ResyncReason) throws {
        let isMending = reason == .diverged
        try change("DELETE FROM aside")
        try change("UPDATE agreement SET is_mending = ?", [isMending])
        try change(
            """
            UPDATE sync SET download_next = '', download_head = NULL, download_done = 0, download_total = 0,
              download_aside = ?, aside_up_to = NULL, seen = iif(?, 0, seen)
            """,
            // The column knows of two reasons only: a third is told by `is_mending`.
            [(isMending ? .cursorExpired : reason).rawValue, reason == .cursorAhead]
        )
    }

    /// Whether the book is attached by a replica and knows an epoch; nil stands for any.
    func isAttached(_ replica: EntityID?, epoch: Int64? = nil) throws -> Bool {
        let sql = "SELECT replica IS ifnull(?, replica) AND epoch IS ifnull(?, epoch) FROM sync"
        return try number(sql, [replica?.column, epoch]) == 1
    }

    /// Operations without a result count from 1 again, under another id.
    fileprivate func renumber(as replica: EntityID) throws {
        try change("UPDATE outbox SET n = NULL WHERE n IS NOT NULL")
        try change(
            "UPDATE sync SET replica = ?, last_n = 0, last_numbered = 0, is_stopped = 0",
            [replica.column]
        )
    }

    fileprivate func begin(as replica: EntityID, queuesRows: Bool) throws {
        try change("DELETE FROM outbox")
        try change("DELETE FROM aside")
        try change("DELETE FROM ahead")
        // The rows of the cloud come again, of whichever account it is.
        try change("DELETE FROM deviations")
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
              download_head = NULL, download_done = 0, download_total = 0, download_aside = NULL,
              aside_up_to = NULL, synced_at = NULL
            """,
            [replica.column, queuesRows ? 0 : nil, left]
        )
    }
}
