// Looks a book over from outside: for the doctor, and after a restore.
import Storage

extension Book {
    /// Checks the file of a book without changing it, also while it is in use: its pages, indexes and
    /// references, and that every maintained sum is right.
    /// - Parameters:
    ///   - isInUse: whether a server may have it open.
    ///   - now: UTC seconds; `.max` where nothing else can be writing to it.
    /// - Returns: what is wrong, a line each; empty where all is well.
    /// - Throws: `damaged` where nothing can be read at all; `newerSchema`, `readOnly`, `failed`.
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

    /// Whether the bytes of a file are those of one that a newer version has written.
    /// - Parameter header: the first hundred bytes, or more.
    public static func isOfNewerVersion(header: some Collection<UInt8>) -> Bool {
        let schema = header.dropFirst(60).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return schema > (Migration.book.last?.number ?? 0)
    }

    /// The tables of maintained sums that do not say what the transactions say; empty where all is well.
    public func verifySums() throws(BookError) -> [String] {
        try store.inDatabase { db in try Sums.verify(db) }
    }

    /// Adds every maintained sum up anew and makes the search index anew.
    /// - Throws: `overflow`, `diskFull`.
    public func rebuildSums() throws(BookError) {
        try changeAsUser { db in try Sums.rebuild(db.connection) }
    }
}
