// The files that were fetched from the cloud. The files that were not looked at for longest make room for others.
import GRDB
import Ledger
import Storage

extension Book {
    /// Records a file that was fetched from the cloud, and makes room for it. Does nothing if the receipt was deleted in
    /// the meantime.
    ///
    /// No receipt can be added during the call, so that no file is removed that is about to get another row.
    /// - Parameters:
    ///   - limit: the greatest number of bytes of all fetched files. The new one stays also if it is larger than that.
    ///   - place: gives the file its name. It is called before the row is durable; an error undoes all.
    ///   - remove: removes a fetched file of the given hash.
    /// - Returns: whether the file was placed.
    /// - Throws: an error of `place` as `failed`, unless it is a `BookError`.
    public func cacheReceiptFile(
        _ sha256: String,
        size: Int64,
        limit: Int64,
        placing place: () throws -> Void,
        removing remove: (String) -> Void
    ) throws(BookError) -> Bool {
        let now = clock()
        var isPlaced = false
        try updateLocalState { db in
            guard try db.needsFile(sha256) else { return }
            try place()
            try db.noteFile(sha256, size, isCached: true, now)
            isPlaced = true
            for other in try db.surplusOfCache(beside: sha256, limit: limit) {
                try db.change("DELETE FROM receipt_files WHERE sha256 = ?", [other])
                remove(other)
            }
        }
        return isPlaced
    }

    /// Notes that a fetched file was looked at, so that others make room before it. Days are precise enough: a page with
    /// files does not write into the book each time.
    public func noteUse(ofReceiptFile sha256: String) throws(BookError) {
        let now = clock()
        let isDue = try reading { db in
            try db.number(
                "SELECT count(*) FROM receipt_files WHERE sha256 = ? AND is_cached = 1 AND used_at < ?",
                [sha256, now - 86_400]
            ) > 0
        }
        guard isDue else { return }
        try updateLocalState { db in
            try db.change("UPDATE receipt_files SET used_at = ? WHERE sha256 = ?", [now, sha256])
        }
    }
}

extension BookDatabase {
    /// The fetched files that have to go, the files that were not looked at for longest first. A file that the cloud
    /// has lost since stays until it is there again.
    fileprivate func surplusOfCache(beside sha256: String, limit: Int64) throws -> [String] {
        let sql = """
            SELECT sha256, size FROM receipt_files WHERE is_cached = 1 AND status = 'uploaded'
            ORDER BY sha256 = ?, used_at, sha256
            """
        let cached = try all(sql, [sha256]) { ($0.text(0), $0.int64(1)) }
        var bytes = cached.reduce(Int64(0)) { $0.addingClamped($1.1) }
        var surplus: [String] = []
        for (other, size) in cached where other != sha256 && bytes > limit {
            surplus.append(other)
            bytes -= size
        }
        return surplus
    }
}
