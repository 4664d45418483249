// Files that the cloud had and may have lost: with its data, with the disk, or because an earlier backup was restored. They
// are asked for again, and sent if the cloud lacks them.
import GRDB
public import Ledger
import Storage

extension Book {
    /// Whether there are files of which the cloud is believed to have a copy.
    public func hasUploadedReceiptFiles() throws(BookError) -> Bool {
        try reading { db in
            guard db.schema.table(Receipt.entityKind) != nil else { return false }
            let sql = """
                SELECT EXISTS (SELECT 1 FROM receipt_files INDEXED BY receipt_files_by_status WHERE status = 'uploaded')
                """
            return try db.number(sql) == 1
        }
    }

    /// The files of live receipts that are on this device, and of which the cloud is believed to have a copy: first the
    /// files that were added here, and of these files the latest first.
    public func receiptFilesInBoth(limit: Int) throws(BookError) -> [ReceiptFile] {
        try reading { db in
            guard db.schema.table(Receipt.entityKind) != nil else { return [] }
            let sql = """
                SELECT sha256, size, status, sent, failure, is_cached
                FROM receipt_files INDEXED BY receipt_files_by_status
                WHERE status = 'uploaded' AND EXISTS (SELECT 1 FROM receipts r INDEXED BY receipts_by_content
                  WHERE r.sha256 = receipt_files.sha256 AND r.deleted_at IS NULL)
                ORDER BY is_cached, used_at DESC, sha256 LIMIT ?
                """
            return try db.all(sql, [limit]) { ReceiptFile($0.text(0), $0, from: 1) }
        }
    }

    /// Has files sent again that the cloud has refused: its limits may be others now. The upload reads damaged files again as
    /// well, because a good copy may have been put back by hand; until then, they are known to be damaged.
    public func retryRefusedReceiptFiles() throws(BookError) {
        let files = try unsentReceiptFiles()
        guard files.refused + files.damaged > 0 else { return }
        try updateLocalState { db in
            let sql = """
                UPDATE receipt_files SET status = 'local_only', sent = 0, failure = iif(failure = ?, failure, NULL)
                WHERE status = 'failed' AND failure IS NOT ?
                """
            try db.change(sql, [UploadFailure.wrongContent.code, ReceiptFile.missing])
        }
    }

    /// The same for one file.
    public func retryReceiptFile(_ file: ReceiptFile) throws(BookError) {
        try setReceiptFile(file.sha256, .localOnly, failure: file.isDamaged ? file.failure : nil)
    }

    /// Notes how much of a file the cloud has, by its own answer. What was known of a damaged file stays known until the
    /// upload reads it.
    public func noteArrived(_ bytes: Int64, ofReceiptFile sha256: String) throws(BookError) {
        try updateLocalState { db in
            let kept = "iif(failure = ?, failure, NULL)"
            let sql = "UPDATE receipt_files SET status = ?, sent = ?, failure = \(kept) WHERE sha256 = ?"
            let status = ReceiptStatus.uploading.rawValue
            try db.change(sql, [status, bytes, UploadFailure.wrongContent.code, sha256])
        }
    }

    /// Notes that a file of this device is damaged. A file that the cloud is believed to have stays `uploaded`, and is
    /// noted only if it cannot be fetched.
    /// - Parameter isAvailable: whether the cloud would hand it out.
    public func noteDamage(ofReceiptFile sha256: String, isAvailable: Bool = true) throws(BookError) {
        try noteFault(
            UploadFailure.wrongContent.code,
            ofReceiptFile: sha256,
            if: isAvailable ? "status <> 'uploaded'" : "1",
            status: "iif(status = 'uploaded', status, 'failed')"
        )
    }

    /// The number of files of live receipts that were noted as damaged.
    /// - Parameter sha256: a file that is not counted.
    public func damagedReceiptFiles(except sha256: String? = nil) throws(BookError) -> Int {
        try reading { db in
            guard db.schema.table(Receipt.entityKind) != nil else { return 0 }
            let sql = """
                SELECT count(*) FROM receipt_files INDEXED BY receipt_files_by_status
                WHERE status IN ('local_only', 'uploading', 'failed', 'uploaded') AND failure = ?
                  AND sha256 IS NOT ? AND EXISTS (SELECT 1 FROM receipts r INDEXED BY receipts_by_content
                    WHERE r.sha256 = receipt_files.sha256 AND r.deleted_at IS NULL)
                """
            return try db.number(sql, [UploadFailure.wrongContent.code, sha256])
        }
    }

    /// Notes that a file is neither on this device, which has added it, nor in the cloud.
    public func noteLoss(ofReceiptFile sha256: String) throws(BookError) {
        try noteFault(ReceiptFile.missing, ofReceiptFile: sha256, if: "is_cached = 0")
    }

    /// - Parameter status: the SQL of the new status.
    private func noteFault(
        _ code: String,
        ofReceiptFile sha256: String,
        if condition: String,
        status: String = "'failed'"
    ) throws(BookError) {
        let condition = "sha256 = ? AND \(condition) AND failure IS NOT ?"
        let isNew = try reading { db in
            try db.number("SELECT count(*) FROM receipt_files WHERE \(condition)", [sha256, code]) > 0
        }
        // Each request for the file finds it out again. Without a transaction, nothing has to reach the disk.
        guard isNew else { return }
        try updateLocalState { db in
            let sql = "UPDATE receipt_files SET status = \(status), sent = 0, failure = ? WHERE \(condition)"
            try db.change(sql, [code, sha256, code])
        }
    }

    /// Has files sent again that the cloud had and says that it lacks. Files that are not on this device do not matter. One
    /// that was fetched may be the last one, and makes no room before it was sent.
    /// - Parameter hashes: of the files that the cloud lacks.
    /// - Returns: the number of files that are sent again.
    @discardableResult
    public func doubtUploads(of hashes: [String]) throws(BookError) -> Int {
        let condition = "status = 'uploaded' AND sha256 IN (SELECT value FROM json_each(?))"
        let list = SQLPiece.json(hashes)
        let count = try reading { db in
            try db.number("SELECT count(*) FROM receipt_files WHERE \(condition)", [list])
        }
        // Without a transaction that changes something, nothing has to reach the disk.
        guard count > 0 else { return 0 }
        try updateLocalState { db in
            let sql = "UPDATE receipt_files SET \(BookDatabase.isSentAgain), sent = 0 WHERE \(condition)"
            try db.change(sql, [UploadFailure.wrongContent.code, list])
        }
        return Int(count)
    }
}

extension BookDatabase {
    /// Has a file sent again unless it was noted as damaged, by the code of that.
    fileprivate static let isSentAgain = "status = iif(failure IS ?, 'failed', 'local_only')"

    /// Forgets which files the cloud has: another cloud, or one whose data was deleted, has none of them. A file that was
    /// fetched may be the last one, so that it is sent like the others, and does not make room before.
    func forgetUploads() throws {
        guard schema.table(Receipt.entityKind) != nil else { return }
        let kept = "iif(failure IN (?, ?), failure, NULL)"
        try change(
            """
            UPDATE receipt_files SET status = iif(failure IS ?, 'failed', 'local_only'), sent = 0, failure = \(kept)
            """,
            [ReceiptFile.missing, ReceiptFile.missing, UploadFailure.wrongContent.code]
        )
    }

    /// Has the cloud asked again for files to which receipts refer that have come back: it does not store files for ever
    /// that no receipt refers to. A file that was fetched may be the last one, and does not make room any more.
    /// - Parameter condition: the receipts, by an id.
    func doubtUploads(_ condition: String, _ id: EntityID) throws {
        guard schema.table(Receipt.entityKind) != nil else { return }
        try change(
            """
            UPDATE receipt_files SET \(Self.isSentAgain), sent = 0, is_cached = 0
            WHERE status = 'uploaded' AND sha256 IN (SELECT sha256 FROM receipts WHERE \(condition))
            """,
            [UploadFailure.wrongContent.code, id.column]
        )
    }
}
