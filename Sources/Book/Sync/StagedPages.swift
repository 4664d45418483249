// Pages of rows from the cloud. The pages of a first download are applied as they arrive; other pages are staged until
// the last page is received, and then applied to the book.
import Encoding
import GRDB
import Ledger
import Storage
public import SyncCore

extension Book {
    /// See `ReplicaStore`.
    /// - Parameter query: the request of the page; nil to apply the page in any case.
    public func apply(changes page: ChangesPage, to query: ChangesQuery? = nil) throws(BookError) {
        let now = clock()
        let isFirst = try reading { db in try db.number("SELECT staged_up_to IS NULL FROM sync") == 1 }
        if page.hasMore {
            try updateSyncState { db in
                guard try db.isNext(query) else { return }
                for row in page.rows { try db.stage(row) }
                // The head is stored as well. If the cloud is restored to a state before the head between two
                // pages, its rows below the beginning of the next page have an older state.
                let sql = "UPDATE sync SET staged_up_to = ?, seen = max(seen, ?)"
                try db.change(sql, [page.cursor, page.head])
            }
            return
        }
        if page.rows.isEmpty, isFirst {
            return try updateSyncState { db in
                if try db.isNext(query) { try db.catchUp(to: page.cursor, now) }
            }
        }
        let former = remoteStep.withLock { $0 }
        let last: RemoteStep? = try applyRemoteRows { db in
            guard try db.isNext(query), try db.reaches(page) else { return former }
            try db.forgetSeen(upTo: page.cursor)
            var applier = RemoteChangeApplier(db, now)
            applier.step = former
            if isFirst {
                try applier.apply(each: page.rows)
            } else {
                for row in page.rows { try db.stage(row) }
                try db.eachStaged { try applier.apply(each: $0) }
                try db.change("DELETE FROM staged_rows")
            }
            try db.catchUp(to: page.cursor, now)
            return applier.step
        }
        remoteStep.withLock { $0 = last }
    }

    /// See `ReplicaStore`.
    /// - Parameter query: the request of the page; nil to apply the page in any case.
    public func apply(snapshot page: ChangesPage, to query: ChangesQuery? = nil) throws(BookError) {
        let now = clock()
        let (reason, head, done, isLoading) = try reading { db in
            try db.first(
                "SELECT download_reason, download_head, download_done, download_next IS NOT NULL FROM sync"
            ) {
                (
                    $0.optionalText(0).flatMap(ResyncReason.init(rawValue:)), $0.optionalInt64(1), $0.int(2),
                    $0.int(3) == 1
                )
            } ?? (nil, nil, 0, false)
        }
        guard isLoading else { return }
        let begun = head ?? page.head
        // The number of remaining rows comes from the cloud and is only displayed.
        let received = done.addingClamped(page.rows.count)
        let isStaged = reason != nil
        let body: (BookDatabase) throws -> Void = { db in
            guard try db.isNext(query) else { return }
            // The rows of the download reflect the operations up to the head. If these stayed in the outbox,
            // they would hide values that others wrote to a row before the head, which do not come again. A
            // restored cloud may have lost the operations of a former replica id: they are compared when all
            // rows are staged.
            try db.forgetSeen(upTo: begun, ofThisName: reason == .cursorAhead)
            if isStaged {
                for row in page.rows { try db.stage(row, withVersions: reason == .cursorAhead) }
            } else {
                var applier = RemoteChangeApplier(db, now)
                try applier.apply(all: page.rows)
            }
            // The cursor does not change before all rows are applied.
            if !isStaged {
                for row in page.rows {
                    try db.change(
                        "INSERT OR REPLACE INTO ahead (kind, id, seq) VALUES (?, ?, ?)",
                        [row.kind, row.id.column, max(row.seq, begun)]
                    )
                }
            }
            try db.change(
                """
                UPDATE sync SET download_next = ?, download_head = ?, download_done = ?,
                  download_total = max(?, download_total), synced_at = iif(download_done = 0, ?, synced_at),
                  seen = max(seen, ?)
                """,
                [
                    page.hasMore ? page.next : "", begun, received,
                    received.addingClamped(page.remaining), now,
                    // A page reflects the head at which it was read, which may be after the one at which the
                    // download began. A cloud that is restored to a state before that head must learn that it was seen.
                    page.newest,
                ]
            )
            guard !page.hasMore else { return }
            if let reason {
                let isMending = try db.number("SELECT is_mending FROM agreement") == 1
                try db.swap(isMending ? .diverged : reason, now)
                if isMending { try db.change("UPDATE agreement SET is_mending = 0") }
            }
            try db.change(
                """
                UPDATE sync SET download_next = NULL, download_head = NULL, download_reason = NULL
                """
            )
            if received > 0 { try db.note(.load, try db.liveCounts(), now) }
            // The rows are those of the time at which the download began: later changes follow.
            let beganAt = try db.first("SELECT synced_at FROM sync") { $0.optionalInt64(0) } ?? nil
            try db.advance(to: begun, beganAt ?? now)
        }
        // Staging changes no row of the book.
        if isStaged, page.hasMore { return try updateSyncState(body) }
        try applyRemoteRows { db in try db.connection.cachingPages(kilobytes: 8_192) { try body(db) } }
    }
}

extension BookDatabase {
    /// Whether the book is still in the state in which the page was requested.
    fileprivate func isNext(_ query: ChangesQuery?) throws -> Bool {
        guard let query else { return true }
        guard try isAttached(query.replica, epoch: query.epoch) else { return false }
        switch query.range {
        case .since(let cursor):
            let sql = "SELECT download_next IS NULL AND ifnull(staged_up_to, cursor) = ? FROM sync"
            return try number(sql, [cursor]) == 1
        case .snapshot(let place):
            return try number("SELECT download_next IS ? FROM sync", [place]) == 1
        }
    }

    /// Whether a last page was made after all changes that the book reflects. If rows are requested again, an
    /// older answer may begin at the same place, and would revert newer values.
    fileprivate func reaches(_ page: ChangesPage) throws -> Bool {
        try number("SELECT cursor <= ? FROM sync", [page.cursor]) == 1
    }

    /// The number of live rows of this book, by kind.
    fileprivate func liveCounts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in schema.tables where table.isRecorded && table.hasTombstones {
            counts[table.kind] = try number(table.liveCount)
        }
        return counts
    }

    fileprivate func stage(_ row: RowChange, withVersions: Bool = false) throws {
        try change(
            """
            INSERT INTO staged_rows (kind, id, seq, is_deleted, fields, writers, versions)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                row.kind, row.id.column, row.seq, row.isDeleted, JSONWriter.text(row.fields),
                row.writers.map(\.json), withVersions ? row.versions : nil,
            ]
        )
    }

    /// Calls `body` for the staged rows, some hundred at a time, in the order in which they came.
    func eachStaged(_ body: ([RowChange]) throws -> Void) throws {
        // Applying a row writes to other tables, and one statement over all rows would hold many of them in memory.
        var last: Int64 = 0
        let sql = """
            SELECT kind, id, seq, is_deleted, fields, writers, position, versions FROM staged_rows
            WHERE position > ? ORDER BY position LIMIT 500
            """
        while true {
            let rows = try all(sql, [last]) { row in
                last = row.int64(6)
                var change = RowChange(
                    seq: row.int64(2),
                    kind: row.text(0),
                    id: try row.id(1),
                    isDeleted: row.int(3) == 1,
                    fields: try Fields(stored: row.text(4))
                )
                change.versions = row.optionalText(7) ?? "{}"
                change.writers = row.optionalText(5).flatMap { RowChange.Writers(json: $0) }
                return change
            }
            guard !rows.isEmpty else { return }
            try body(rows)
        }
    }

    /// Deletes operations from the outbox that the rows up to the cursor reflect.
    /// - Parameter ofThisName: whether to delete only operations that were sent under the present replica id.
    fileprivate func forgetSeen(upTo cursor: Int64, ofThisName: Bool = false) throws {
        let sql = """
            DELETE FROM outbox
            WHERE status IN ('applied', 'superseded') AND seq <= ? \(ofThisName ? "AND n IS NOT NULL" : "")
            """
        try change(sql, [cursor])
    }

    /// Notes that the book reflects all changes up to a cursor, those since the beginning of a download among them.
    fileprivate func catchUp(to cursor: Int64, _ now: Int64) throws {
        try advance(to: cursor, now)
        try change("UPDATE sync SET is_incomplete = 0")
    }

    fileprivate func advance(to cursor: Int64, _ now: Int64) throws {
        try forgetSeen(upTo: cursor)
        let sql = "UPDATE sync SET cursor = max(cursor, ?), staged_up_to = NULL, synced_at = ?"
        try change(sql, [cursor, now])
        try change("DELETE FROM ahead WHERE seq <= ?", [cursor])
    }

    /// Replaces the rows of the book with the staged rows.
    fileprivate func swap(_ reason: ResyncReason, _ now: Int64) throws {
        // The cloud may have lost changes that it confirmed under a former replica id. Lost rows and
        // deletions are found by comparing the book with the cloud, lost fields by these changes.
        if reason == .diverged { try noteDifferences() }
        // All rows of the cloud are staged.
        try change("DELETE FROM deviations")
        let former = "DELETE FROM outbox WHERE status IN ('applied', 'superseded') AND n IS NULL"
        if reason == .cursorAhead { try change("\(former) AND action <> 'patch'") }
        // A row that was confirmed under a former replica id is sent again nevertheless.
        try resolveMissingForeignRows(isSent: reason != .cursorExpired)
        for table in schema.tables {
            let missing = """
                SELECT id FROM \(table.name) WHERE NOT (\(table.isDeleted))
                  AND id NOT IN (SELECT id FROM staged_rows WHERE kind = '\(table.kind)')
                  AND id NOT IN (SELECT id FROM outbox WHERE kind = '\(table.kind)' AND action = 'create')
                """
            switch reason {
            case .cursorExpired where table.hasTombstones:
                try change("UPDATE \(table.name) SET deleted_at = ? WHERE id IN (\(missing))", [now])
            case .cursorExpired: break
            case .cursorAhead, .diverged:
                for id in try all(missing, [], { $0.text(0) }) { try requeue(table.kind, id) }
            }
        }
        let cursor = Int64(try number("SELECT cursor FROM sync"))
        // Deletions win over all later changes, even if another device has sent the row again since.
        if reason == .cursorAhead { try queueDeletions(seen: cursor) }
        var applier = RemoteChangeApplier(self, now)
        if reason == .cursorAhead {
            // The book is newer than the backup. Where they differ, the cloud gets the book's values, except
            // for fields that others have written since.
            try eachStaged { rows in
                try applier.apply(each: rows) { applier, row in try applier.sendAgain(row, seen: cursor) }
            }
            try change(former)
            try change("UPDATE sync SET cursor = 0")
        } else {
            try eachStaged { rows in
                try applier.apply(each: rows) { applier, row in
                    var row = row
                    if reason == .diverged, let differing = try differing(row) {
                        row.writers = RowChange.Writers(at: now, last: "", unseen: differing)
                    }
                    try applier.apply(row)
                }
            }
        }
        try change("DELETE FROM staged_rows")
    }
}
