// Integrity checks of a book: for the doctor command, and after a restore.
import Storage

extension Book {
    /// Checks the file of a book without changing it, even while it is in use: its pages, indexes and
    /// references, and that every maintained sum is right.
    /// - Parameters:
    ///   - isInUse: whether a server may have the file open.
    ///   - now: UTC seconds; `.max` if no other process can write to the file.
    /// - Returns: one line for each fault; empty if there is none.
    /// - Throws: `damaged` if the file cannot be read at all; `newerSchema`, `migrationRefused`,
    ///   `readOnly`, `failed`.
    public static func checkIntegrity(at path: String, isInUse: Bool = true, now: Int64 = .max)
        throws(BookError)
        -> [String]
    {
        do {
            return try Examination.integrity(
                of: path,
                applicationID: applicationID,
                migrations: Migration.book,
                isInUse: isInUse,
                now: now
            ) { db in try Sums.verify(db).map { "the sums in \($0) are wrong" } }
        } catch {
            throw BookError(error)
        }
    }

    /// Whether this version cannot open a file, because a newer version has written it, or a version before the first
    /// release.
    /// - Parameter header: at least the first hundred bytes of the file.
    public static func isOfOtherVersion(header: some Collection<UInt8>) -> Bool {
        Migrator.isOfOtherVersion(header: header, Migration.book)
    }

    /// The tables of maintained sums that disagree with the transactions; empty if all are right.
    package func verifySums() throws(BookError) -> [String] {
        try store.inDatabase { db in try Sums.verify(db) }
    }

    /// Computes all maintained sums and the search index anew.
    /// - Throws: `overflow`, `diskFull`.
    package func rebuildSums() throws(BookError) {
        try changeAsUser { db in try Sums.rebuild(db.connection) }
    }
}
