// The files of receipts that are neither beside a book nor in the cloud. The book does not know what the cloud has: its
// caller says so.
import GRDB
import Ledger
import Storage

/// The hashes of files of live receipts of live transactions that are not on a device.
public struct AbsentReceiptFiles: Hashable, Sendable {
    /// The files that the cloud lacks, and that this device never had.
    public var elsewhere: [String] = []
    /// The files that this device has lost, unless the cloud is known to have them.
    public var lost: [String] = []
    /// The files that this device has lost, and that the cloud has.
    public var fetchable: [String] = []

    /// The files that are neither on this device nor in the cloud.
    public var all: [String] { elsewhere + lost }
}

/// The absent files by one answer of the cloud.
struct CachedAbsence: Sendable {
    var version: Int
    var files: AbsentReceiptFiles
}

extension Book {
    /// The files that are not on this device, as the header of each page counts them. They are read once after each change
    /// of the book, and of what is known of the cloud.
    /// - Parameters:
    ///   - version: identifies the answer of the cloud that the other parameters come from.
    ///   - missingFromCloud: the hashes that the cloud lacks.
    ///   - isInCloud: whether the cloud has a file; nil if that is not known.
    public func absentReceiptFiles(
        version: Int,
        missingFromCloud: () -> [String],
        isInCloud: (String) -> Bool?
    ) throws(BookError) -> AbsentReceiptFiles {
        let (known, cacheVersion) = knownAbsentFiles.current
        if let known, known.version == version, !store.isClosed { return known.files }
        let files = try reading { db -> AbsentReceiptFiles in
            guard db.schema.table(Receipt.entityKind) != nil else { return AbsentReceiptFiles() }
            let lost = Set(try db.lostReceiptFiles())
            var files = AbsentReceiptFiles()
            for name in try db.absent(lost.union(missingFromCloud())) {
                if !lost.contains(name) {
                    files.elsewhere.append(name)
                } else if isInCloud(name) == true {
                    files.fetchable.append(name)
                } else {
                    files.lost.append(name)
                }
            }
            return files
        }
        knownAbsentFiles.keep(CachedAbsence(version: version, files: files), of: cacheVersion)
        return files
    }
}

extension BookDatabase {
    fileprivate func lostReceiptFiles() throws -> [String] {
        let sql = """
            SELECT sha256 FROM receipt_files INDEXED BY receipt_files_by_status
            WHERE status = 'failed' AND failure = ?
            """
        return try all(sql, [ReceiptFile.missing]) { $0.text(0) }
    }

    /// The given files that live receipts of live transactions have, and this device has not.
    fileprivate func absent(_ names: Set<String>) throws -> [String] {
        guard !names.isEmpty else { return [] }
        let sql = """
            SELECT name.value FROM json_each(?) name
            WHERE EXISTS (SELECT 1 FROM receipts r INDEXED BY receipts_by_content
                JOIN transactions t ON t.id = r.transaction_id
                WHERE r.sha256 = name.value AND r.deleted_at IS NULL AND t.deleted_at IS NULL)
              AND NOT EXISTS (SELECT 1 FROM receipt_files f
                WHERE f.sha256 = name.value AND f.failure IS NOT ?)
            """
        return try all(sql, [SQLPiece.json(names.sorted()), ReceiptFile.missing]) { $0.text(0) }
    }
}
