// Removal of the oldest changes from the history, so that a book does not grow without bound.
//
// The end of the history is an entry with the sequence 0, which no change has. Its number is the number of the last
// removed change. All changes up to it disappear at once, and their entries are deleted in steps.
//
// The end depends on nothing but the history: the outbox, conflicts and losses have their own values, and a row
// as it was after a kept change follows from the present row and the later changes.
import GRDB
import Storage

/// The changes that the history of a book keeps. A change of several rows is kept or removed as a whole.
public struct HistoryRetention: Hashable, Sendable {
    /// The age up to which a change is kept, in seconds: two years, so that a year can be compared with the one
    /// before.
    public var seconds: Int64 = 731 * 86_400
    /// The number of the newest entries that are kept whatever their age: years of entering by hand.
    public var fewest: Int64 = 20_000
    /// The number of entries beyond which changes are removed whatever their age. They take 60 MB.
    public var most: Int64 = 200_000

    /// The limits above.
    public init() {}
}

extension Book {
    /// The number of changes and of entries that one step looks at. It takes some milliseconds.
    private static let step = 500

    /// Removes some of the changes that are not kept. The newest change is always kept.
    /// - Returns: whether there may be more to remove.
    public func shortenHistory(_ retention: HistoryRetention = HistoryRetention()) throws(BookError) -> Bool {
        let now = clock()
        // Without a transaction that changes something, nothing has to reach the disk.
        let (end, isUnfinished) = try reading { db in
            let end = try db.historyEnd()
            let sql = "SELECT EXISTS (SELECT 1 FROM history WHERE tx <= ? AND seq > 0)"
            return (
                try db.newHistoryEnd(after: end, retention, now, atMost: Self.step),
                try db.number(sql, [end]) == 1
            )
        }
        guard end != nil || isUnfinished else { return false }
        try updateLocalState { db in
            if let end, try end > db.historyEnd() {
                // Without the change that resolved it, a loss would be listed again.
                try db.forgetResolvedLosses()
                try db.setHistoryEnd(end, now)
            }
            try db.deleteEndedHistory(atMost: Self.step)
        }
        return true
    }

    /// Whether changes were removed from the history because of their age or number.
    public func isHistoryShortened() throws(BookError) -> Bool {
        try reading { db in try db.historyEnd() > 0 }
    }

    /// Whether a change was removed from the history: because of its age, or with receipts that were given up.
    public func wasRemovedFromHistory(_ id: Int64) throws(BookError) -> Bool {
        try reading { db in
            guard try id > db.historyEnd() else { return id > 0 }
            let sql = "SELECT ? <= (SELECT tx FROM sync) AND NOT EXISTS (SELECT 1 FROM history WHERE tx = ?)"
            return try db.number(sql, [id, id]) == 1
        }
    }
}

extension BookDatabase {
    /// The number of the last change that was removed; 0 if there is none.
    func historyEnd() throws -> Int64 {
        try first("SELECT tx FROM history WHERE seq = 0") { $0.int64(0) } ?? 0
    }

    /// The last of the changes after the end that are not kept.
    /// - Parameter most: the number of changes that are looked at.
    /// - Returns: nil if all are kept.
    fileprivate func newHistoryEnd(
        after end: Int64,
        _ retention: HistoryRetention,
        _ now: Int64,
        atMost most: Int
    ) throws -> Int64? {
        let newest = try first("SELECT max(seq) FROM history") { $0.int64(0) } ?? 0
        var found: Int64?
        for _ in 0..<most {
            let next = try first(
                "SELECT tx FROM history INDEXED BY history_by_tx WHERE tx > ? ORDER BY tx LIMIT 1",
                [found ?? end]
            ) { $0.int64(0) }
            guard let next else { break }
            let last = try first(
                "SELECT seq, at FROM history INDEXED BY history_by_tx WHERE tx = ? ORDER BY seq DESC LIMIT 1",
                [next]
            ) { (seq: $0.int64(0), at: $0.int64(1)) }
            guard let last else { break }
            let later = newest - last.seq
            let isOld = later >= max(1, retention.fewest) && now - last.at > retention.seconds
            guard isOld || later >= max(1, retention.most) else { break }
            found = next
        }
        return found
    }

    fileprivate func setHistoryEnd(_ end: Int64, _ now: Int64) throws {
        try change(
            """
            INSERT OR REPLACE INTO history (seq, tx, at, action, kind, id)
            VALUES (0, ?, ?, 'begin', 'history', '00000000000000000000000000')
            """,
            [end, now]
        )
    }

    fileprivate func deleteEndedHistory(atMost most: Int) throws {
        let sql = """
            DELETE FROM history WHERE seq IN (
              SELECT seq FROM history INDEXED BY history_by_tx WHERE tx <= ? AND seq > 0 ORDER BY tx LIMIT ?)
            """
        try change(sql, [try historyEnd(), most])
    }
}
