// The files of receipts on this device: their status, and which of them are still needed. Nothing here is synced.
import GRDB
public import Ledger
import Storage

extension ReceiptFile {
    /// Decodes `size, status, sent, failure, is_cached` of the current row of a statement.
    init(_ sha256: String, _ row: Columns, from index: Int32) {
        self.init(
            sha256: sha256,
            size: row.int64(index),
            status: ReceiptStatus(rawValue: row.text(index + 1)) ?? .localOnly,
            sent: row.int64(index + 2),
            failure: row.optionalText(index + 3),
            isCached: row.int64(index + 4) == 1
        )
    }
}

/// The numbers of files of live receipts that the cloud does not have.
public struct UnsentReceiptFiles: Hashable, Sendable {
    /// Files that are about to be sent.
    public var waiting = 0
    /// Sound files that are not sent: they were refused and wait for their user, or the cloud is outdated and accepts none.
    public var refused = 0
    /// Files that the disk of this device has damaged: there is no good copy of them.
    public var damaged = 0
    /// Whether the cloud is outdated and accepts no files.
    public var isCloudOutdated = false

    /// The number of sound files, which only this device has.
    public var sound: Int { waiting.addingClamped(refused) }
}

extension Book {
    /// The files that the cloud does not have: the files under way first, then the files that wait, the oldest first,
    /// and at the end the files that the cloud has refused. The files of deleted transactions are among them: a
    /// transaction can be restored, on another device as well, and its files would be lost.
    public func receiptFilesOnlyHere(limit: Int) throws(BookError) -> [ReceiptFile] {
        try reading { db in
            let sql = """
                SELECT sha256, size, status, sent, failure, is_cached
                FROM receipt_files INDEXED BY receipt_files_by_status
                WHERE status IN ('local_only', 'uploading', 'failed') AND failure IS NOT ?
                  AND EXISTS (SELECT 1 FROM receipts r INDEXED BY receipts_by_content
                    WHERE r.sha256 = receipt_files.sha256 AND r.deleted_at IS NULL)
                ORDER BY status = 'uploading' DESC, status = 'failed', used_at, sha256 LIMIT ?
                """
            return try db.all(sql, [ReceiptFile.missing, limit]) { ReceiptFile($0.text(0), $0, from: 1) }
        }
    }

    /// The numbers of files of live receipts that the cloud does not have.
    public func unsentReceiptFiles() throws(BookError) -> UnsentReceiptFiles {
        try reading { db in try db.unsentReceiptFiles() }
    }

    /// Whether a file of a live receipt is on this device.
    public func hasReceiptFiles() throws(BookError) -> Bool {
        try reading { db in
            guard db.schema.table(Receipt.entityKind) != nil else { return false }
            let sql = """
                SELECT EXISTS (SELECT 1 FROM receipt_files f WHERE failure IS NOT ?
                  AND EXISTS (SELECT 1 FROM receipts r INDEXED BY receipts_by_content
                    WHERE r.sha256 = f.sha256 AND r.deleted_at IS NULL))
                """
            return try db.number(sql, [ReceiptFile.missing]) == 1
        }
    }

    /// The number of files of live receipts that the cloud has or gets from other devices.
    public func receiptFilesInCloud() throws(BookError) -> Int {
        try reading { db in
            guard db.schema.table(Receipt.entityKind) != nil else { return 0 }
            let sql = """
                SELECT count(DISTINCT r.sha256) FROM receipts r JOIN transactions t ON t.id = r.transaction_id
                WHERE r.deleted_at IS NULL AND t.deleted_at IS NULL
                  AND NOT EXISTS (SELECT 1 FROM receipt_files f WHERE f.sha256 = r.sha256 AND f.status <> 'uploaded')
                """
            return try db.number(sql)
        }
    }

    /// Whether there are live receipts.
    public func hasReceipts() throws(BookError) -> Bool {
        try reading { db in
            guard db.schema.table(Receipt.entityKind) != nil else { return false }
            let sql =
                "SELECT EXISTS (SELECT 1 FROM receipts INDEXED BY receipts_by_creation WHERE deleted_at IS NULL)"
            return try db.number(sql) == 1
        }
    }

    /// The hashes of the files of live receipts of live transactions that this device does not have, because it never
    /// fetched them, or has lost them.
    public func receiptHashesElsewhere() throws(BookError) -> [String] {
        try reading { db in
            guard db.schema.table(Receipt.entityKind) != nil else { return [] }
            let sql = """
                SELECT DISTINCT r.sha256 FROM receipts r JOIN transactions t ON t.id = r.transaction_id
                WHERE r.deleted_at IS NULL AND t.deleted_at IS NULL
                  AND NOT EXISTS (SELECT 1 FROM receipt_files f WHERE f.sha256 = r.sha256 AND f.failure IS NOT ?)
                """
            return try db.all(sql, [ReceiptFile.missing]) { $0.text(0) }
        }
    }

    /// Stores the progress or the end of an upload. Does nothing if the file was removed meanwhile.
    /// - Parameters:
    ///   - sent: the number of bytes that the cloud has confirmed.
    ///   - failure: the code of the reason for `failed`, or for a file that waits because the cloud takes none.
    public func setReceiptFile(
        _ sha256: String,
        _ status: ReceiptStatus,
        sent: Int64 = 0,
        failure: String? = nil
    ) throws(BookError) {
        try updateLocalState { db in
            try db.change(
                "UPDATE receipt_files SET status = ?, sent = ?, failure = ? WHERE sha256 = ?",
                [status.rawValue, sent, failure, sha256]
            )
            guard status == .uploaded else { return }
            // There was room for this file, so there may be room for files that had none and are no larger.
            try db.change(
                """
                UPDATE receipt_files INDEXED BY receipt_files_by_status SET status = 'local_only', failure = NULL
                WHERE status = 'failed' AND failure LIKE 'quota %'
                  AND size <= (SELECT size FROM receipt_files WHERE sha256 = ?)
                """,
                [sha256]
            )
        }
    }

    /// Removes files that no receipt needs: `remove` is called for each, and must remove the file if it exists. A file
    /// is needed by a receipt that is not deleted, by one whose deletion or creation the history can still undo, and by
    /// one of a transaction that is still being entered.
    ///
    /// - Parameters:
    ///   - list: the hashes of all files in the folder of the book. It is called again within the transaction that removes
    ///     files: no receipt can be added after that, so that no file is removed that is about to get a row, and none is
    ///     taken for lost that was placed only just before.
    ///   - remove: removes a file.
    /// - Returns: the hashes of the removed files.
    /// - Throws: an error of `list` as `failed`, unless it is a `BookError`. Nothing was changed then.
    @discardableResult
    public func collectReceiptFiles(present list: () throws -> [String], remove: (String) -> Void)
        throws(BookError) -> [String]
    {
        let now = clock()
        let isNeeded = try reading { db in
            let present = try list()
            let known = """
                SELECT count(*) FROM (SELECT sha256 FROM receipt_files WHERE failure IS NOT ?
                UNION SELECT sha256 FROM draft_receipts)
                """
            return try present.allSatisfy { try db.needsFile($0) && (db.hasFile($0) || db.hasDraft($0)) }
                && db.number(known, [ReceiptFile.missing]) == present.count
                && !db.hasForgottenDrafts(now)
        }
        // Without a transaction that changes something, nothing has to reach the disk.
        guard !isNeeded else { return [] }
        var removed: [String] = []
        try updateLocalState { db in
            try db.removeForgottenDrafts(now)
            let present = try list()
            for sha256 in present {
                if try !db.needsFile(sha256) {
                    remove(sha256)
                    removed.append(sha256)
                } else if try !db.hasFile(sha256) && db.needsFileOfReceipt(sha256) {
                    // The file was put back by hand, or belongs to a row that came back with a backup.
                    let size = "SELECT max(size) FROM receipts WHERE sha256 = ?"
                    try db.noteFile(sha256, Int64(db.number(size, [sha256])), isCached: false, now)
                }
                let found = """
                    UPDATE receipt_files SET status = 'local_only', failure = NULL, sent = 0
                    WHERE sha256 = ? AND failure = ?
                    """
                try db.change(found, [sha256, ReceiptFile.missing])
            }
            let stored = try db.all("SELECT sha256 FROM receipt_files") { $0.text(0) }
            for sha256 in Set(stored).subtracting(present).union(removed) {
                // A file that is needed and was not removed here is lost: the page and the doctor say so.
                let lost =
                    "UPDATE receipt_files SET status = 'failed', failure = ? WHERE sha256 = ? AND is_cached = 0"
                guard try !db.needsFile(sha256) || db.change(lost, [ReceiptFile.missing, sha256]) == 0 else {
                    continue
                }
                try db.change("DELETE FROM receipt_files WHERE sha256 = ?", [sha256])
            }
        }
        return removed
    }
}

extension BookDatabase {
    /// As `Book.unsentReceiptFiles`.
    func unsentReceiptFiles() throws -> UnsentReceiptFiles {
        var counts = UnsentReceiptFiles()
        guard schema.table(Receipt.entityKind) != nil else { return counts }
        let sql = """
            SELECT failure, count(*) FROM receipt_files INDEXED BY receipt_files_by_status
            WHERE status IN ('local_only', 'uploading', 'failed') AND failure IS NOT ?
              AND EXISTS (SELECT 1 FROM receipts r INDEXED BY receipts_by_content
                WHERE r.sha256 = receipt_files.sha256 AND r.deleted_at IS NULL)
            GROUP BY 1
            """
        try forEach(sql, [ReceiptFile.missing]) { row in
            let count = row.int(1)
            switch row.optionalText(0) {
            case nil: counts.waiting = count
            case UploadFailure.wrongContent.code: counts.damaged = count
            case let failure:
                counts.refused = counts.refused.addingClamped(count)
                if failure == UploadFailure.notSupported.code { counts.isCloudOutdated = true }
            }
        }
        return counts
    }

    /// Whether this device has the file of a receipt, which takes room then.
    func hasFileOnDisk(_ sha256: String) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM receipt_files WHERE sha256 = ? AND failure IS NOT ?)"
        return try number(sql, [sha256, ReceiptFile.missing]) == 1
    }

    /// Whether a file of a receipt should be on this device. It may be missing.
    func hasFile(_ sha256: String) throws -> Bool {
        try number("SELECT EXISTS (SELECT 1 FROM receipt_files WHERE sha256 = ?)", [sha256]) == 1
    }

    /// A file that is there already keeps its status. If it is added again, the cloud is asked for it again, because it
    /// does not store files for ever that no receipt refers to. A file that was missing or damaged is whole now.
    func noteFile(_ sha256: String, _ size: Int64, isCached: Bool, _ now: Int64) throws {
        try change(
            """
            INSERT INTO receipt_files (sha256, size, status, sent, is_cached, used_at) VALUES (?, ?, ?, 0, ?, ?)
            ON CONFLICT (sha256) DO UPDATE SET is_cached = min(is_cached, excluded.is_cached),
              status = iif(failure IN (?, ?) OR (status = 'uploaded' AND excluded.is_cached = 0),
                excluded.status, status),
              failure = iif(failure IN (?, ?), NULL, failure)
            """,
            [
                sha256, size, isCached ? "uploaded" : "local_only", isCached, now, ReceiptFile.missing,
                UploadFailure.wrongContent.code, ReceiptFile.missing, UploadFailure.wrongContent.code,
            ]
        )
    }

    func needsFile(_ sha256: String) throws -> Bool { try needsFileOfReceipt(sha256) || hasDraft(sha256) }

    fileprivate func needsFileOfReceipt(_ sha256: String) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM receipts r INDEXED BY receipts_by_content
              LEFT JOIN transactions t ON t.id = r.transaction_id
              WHERE r.sha256 = ? AND iif(r.deleted_at IS NULL, \(Self.transactionCanReturn), \(Self.canReturn)))
            """
        return try number(sql, [sha256]) == 1
    }

    /// Whether the history can still restore a deleted receipt `r`.
    private static let canReturn = """
        EXISTS (SELECT 1 FROM history h WHERE h.kind = 'receipt' AND h.id = r.id AND h.seq > 0
          AND h.tx > ifnull((SELECT tx FROM history WHERE seq = 0), 0))
        """

    /// Whether the transaction `t` of a receipt is live, has not arrived yet, or can be restored by the history.
    private static let transactionCanReturn = """
        (t.deleted_at IS NULL OR t.deleted_at >= ifnull((SELECT at FROM history
          WHERE seq = (SELECT min(seq) FROM history WHERE seq > 0) AND EXISTS (SELECT 1 FROM history WHERE seq = 0)), 0))
        """

    /// The sum of `receiptSpace`. Telling live files from others takes a look-up for each, and each new file is held
    /// against the sum.
    func receiptBytes() throws -> Int64 {
        let sql = "SELECT ifnull(sum(size), 0) FROM receipt_files WHERE is_cached = 0 AND failure IS NOT ?"
        let stored = try first(sql, [ReceiptFile.missing]) { $0.int64(0) }
        return try (stored ?? 0) + draftSpace().bytes
    }

    func receiptSpace() throws -> ReceiptSpace {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM receipts r INDEXED BY receipts_by_content
                LEFT JOIN transactions t ON t.id = r.transaction_id
                WHERE r.sha256 = f.sha256 AND r.deleted_at IS NULL AND t.deleted_at IS NULL), count(*), sum(f.size)
            FROM receipt_files f WHERE f.is_cached = 0 AND f.failure IS NOT ? GROUP BY 1
            UNION ALL SELECT 2, count(*), ifnull(sum(size), 0) FROM receipt_files WHERE is_cached = 1
            """
        var space = ReceiptSpace(live: .init(count: 0, bytes: 0), deleted: .init(count: 0, bytes: 0))
        try forEach(sql, [ReceiptFile.missing]) { row in
            let part = ReceiptSpace.Part(count: row.int(1), bytes: row.int64(2))
            switch row.int(0) {
            case 0: space.deleted = part
            case 1: space.live = part
            default: space.cached = part
            }
        }
        let drafts = try draftSpace()
        space.live.count += drafts.count
        space.live.bytes += drafts.bytes
        return space
    }
}
