// Looks a book over from outside: for the doctor, and after a restore.
import GRDB
public import Ledger
import Storage

extension Book {
    /// Checks the file of a book or of the register without changing it, also while it is in use: its pages, indexes and
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
            return try Examination.run(path, isInUse: isInUse, now: now) { db in
                if try Examination.isBlank(db) { return [blank] }
                let application = try Int32.fetchOne(db, sql: "PRAGMA application_id")
                let migrations =
                    switch application {
                    case applicationID: Migration.book
                    case DeviceRegister.applicationID: Migration.register
                    default: throw StorageError.damaged("another program's file")
                    }
                let (found, known) = (try db.number("PRAGMA user_version"), migrations.last?.number ?? 0)
                try Migrator.check(db, found: found, known: known)
                var findings = try Examination.findings(db)
                if application == applicationID, found == known, findings.isEmpty {
                    findings += try Sums.verify(db).map { "the sums in \($0) are wrong" }
                }
                return findings
            }
        } catch {
            throw BookError(error)
        }
    }

    /// The finding about a file that holds nothing yet: its server is about to make it, or was killed before.
    public static let blank = "it is empty"

    /// Whether the bytes of a file are those of one that holds nothing yet.
    /// - Parameter header: the first hundred bytes, or more.
    public static func isBlank(header: some Collection<UInt8>) -> Bool {
        // SQLite's `user_version` and `application_id`; https://sqlite.org/fileformat.html.
        let bytes = Array(header.prefix(72))
        return bytes.count < 72
            || (bytes[60..<64].allSatisfy { $0 == 0 } && bytes[68..<72].allSatisfy { $0 == 0 })
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
        try changing { db in try Sums.rebuild(db) }
    }
}

extension DeviceRegister {
    /// A device, as far as its book is concerned.
    public struct BookEntry: Hashable, Sendable {
        /// The device.
        public let device: EntityID
        /// Whether its book was made and was not removed since; nil where the register is of a schema that does not say.
        public let hasBook: Bool?
        /// Whether somebody is signed in on it.
        public let isSignedIn: Bool
    }

    /// Every device of a register that a server may have open. Nothing is made or changed.
    public static func entries(at path: String, isInUse: Bool, now: Int64) throws(BookError) -> [BookEntry] {
        do {
            return try Examination.run(path, isInUse: isInUse, now: now) { db in
                let schema = try db.number("PRAGMA user_version")
                let hasBook = schema >= 4 ? "has_book" : "NULL"
                let session = schema >= 2 ? "EXISTS (SELECT 1 FROM sessions WHERE device = devices.id)" : "0"
                return try db.all("SELECT id, \(hasBook), \(session) FROM devices ORDER BY id") {
                    BookEntry(
                        device: try $0.id(0),
                        hasBook: $0.isNull(1) ? nil : $0.int(1) == 1,
                        isSignedIn: $0.int(2) == 1
                    )
                }
            }
        } catch { throw BookError(error) }
    }
}
