// Looks a book over from outside: for the doctor, and after a restore.
import GRDB
import Storage

extension Book {
    /// Checks the file of a book, of the register or of the cloud without changing it, also while it is in use: its pages, indexes and references,
    /// and that every maintained sum is right.
    /// - Returns: what is wrong, a line each; empty where all is well.
    /// - Throws: `damaged` where nothing can be read at all; `newerSchema`, `readOnly`, `failed`.
    public static func checkIntegrity(at path: String) throws(BookError) -> [String] {
        do {
            let reader = try DatabaseFile.openForReading(at: path)
            defer { try? reader.close() }
            return try reader.inDatabase { db in
                // The register of devices and the cloud's file are looked over too; they have neither sums nor a book's
                // schema numbers.
                let application = try Int32.fetchOne(db, sql: "PRAGMA application_id")
                let isBook = application == Book.applicationID
                let known =
                    switch application {
                    case Book.applicationID: Migration.book.last?.number ?? 0
                    case DeviceRegister.applicationID: Migration.register.last?.number ?? 0
                    default: Int.max
                    }
                let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                guard found <= known else { throw BookError.newerSchema(found: found, known: known) }
                var findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter {
                    $0 != "ok"
                }
                guard findings.isEmpty else { return findings }
                let orphans = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
                if orphans > 0 { findings.append("\(orphans) references lead nowhere") }
                if isBook, found == known {
                    findings += try Sums.verify(db).map { "the sums in \($0) are wrong" }
                }
                return findings
            }
        } catch {
            throw BookError(error)
        }
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
