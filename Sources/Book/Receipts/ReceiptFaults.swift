// The check of receipts and of the files beside a book against each other, for the doctor.
import GRDB
import Ledger
import Storage

extension Book {
    /// The receipts of a book that have no file, and the files without receipts.
    public struct ReceiptFaults: Hashable, Sendable {
        /// The names of live receipts whose files should be on this device and are not.
        public var missing: [String] = []
        /// The hashes of files that no receipt needs.
        public var unneeded: [String] = []
        /// The names of receipts by the hashes of their files, which are there and needed.
        public var stored: [String: String] = [:]
    }

    /// Compares the receipts and the files of a book, also while it is in use. The check changes nothing.
    /// - Parameters:
    ///   - present: the hashes of all files in the folder of the book.
    ///   - isInUse: whether a server may have the file open.
    ///   - now: UTC seconds.
    public static func receiptFaults(at path: String, present: Set<String>, isInUse: Bool, now: Int64)
        throws(BookError) -> ReceiptFaults
    {
        do {
            return try Examination.run(path, isInUse: isInUse, now: now) { db in
                var faults = ReceiptFaults()
                guard try db.number("PRAGMA user_version") >= firstMigration.number else {
                    return faults
                }
                let database = BookDatabase(connection: db, schema: .breadly)
                let needed = try present.filter { try database.needsFile($0) }
                faults.unneeded = present.subtracting(needed).sorted()
                let sql = """
                    SELECT r.sha256, min(r.name), max(r.deleted_at IS NULL AND f.sha256 IS NOT NULL)
                    FROM receipts r LEFT JOIN receipt_files f ON f.sha256 = r.sha256 GROUP BY r.sha256
                    UNION ALL SELECT sha256, min(name), 1 FROM draft_receipts GROUP BY sha256
                    """
                try database.forEach(sql) { row in
                    if needed.contains(row.text(0)) {
                        faults.stored[row.text(0)] = row.text(1)
                    } else if row.int(2) == 1, !present.contains(row.text(0)) {
                        faults.missing.append(row.text(1))
                    }
                }
                return faults
            }
        } catch { throw BookError(error) }
    }
}
