// Looks into a file from outside, without making or changing anything beside it.
import Encoding
package import GRDB
import Glibc

/// Reads a file that a server may have open.
package enum Examination {
    /// Runs `body` on a consistent snapshot of the file. Neither the file nor its folder is changed, except
    /// that an open file may get its (empty) log back during the call.
    ///
    /// - A file that was closed properly is read directly (`immutable`). If a server may have written to it
    ///   during the call, it is read again in the second way.
    /// - A file that a server has open is read through its log.
    /// - A file with a log and without a server was left by a crash: a copy of both files, in the folder for
    ///   temporary files, is recovered and read.
    /// - Parameters:
    ///   - isInUse: whether a server works on the folder of the file.
    ///   - now: UTC seconds: a file that was written to within the last seconds may be written to again
    ///     within the current one.
    package static func run<Value>(
        _ path: String,
        isInUse: Bool,
        now: Int64,
        _ body: (Database) throws -> Value
    ) throws(StorageError) -> Value {
        guard DatabaseFile.size(of: path) >= 0 else { throw .failed("\(path): no such file") }
        if DatabaseFile.size(of: path + "-wal") <= 0 {
            let before = FileState(path)
            let result = Result { try reading(uri(path) ?? path, body) }
            let isConsistent = !isInUse || before.map { $0.isQuiet(path, now: now) } == true
            if isConsistent { return try value(result) }
        }
        if isInUse { return try value(Result { try reading(path, body) }) }
        let copy = try TemporaryCopy(of: path)
        return try value(Result { try reading(copy.path, readonly: false, body) })
    }

    /// The schema number of a file that a server may have open.
    package static func schema(of path: String, now: Int64) throws(StorageError) -> Int {
        try run(path, isInUse: true, now: now) { db in try db.number("PRAGMA user_version") }
    }

    /// Checks a file without changing it, also while it is in use: its `application_id`, pages, indexes and references.
    /// - Parameter more: further checks of an intact file with the newest schema.
    /// - Returns: the faults, a line each; empty for an intact file.
    /// - Throws: `damaged` if the file cannot be read at all, and for another program's file; `newerSchema`, `migrationRefused`.
    package static func integrity(
        of path: String,
        applicationID: Int32,
        migrations: [Migration],
        isInUse: Bool,
        now: Int64,
        more: (Database) throws -> [String] = { _ in [] }
    ) throws(StorageError) -> [String] {
        try run(path, isInUse: isInUse, now: now) { db in
            if try isBlank(db) { return [blank] }
            guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
                throw StorageError.damaged("another program's file")
            }
            let found = try db.number("PRAGMA user_version")
            try Migrator.check(db, found: found, migrations)
            let findings = try findings(db)
            return findings.isEmpty && found == migrations.last?.number ? try more(db) : findings
        }
    }

    /// The finding about an empty file: its server is about to create the tables, or was killed before it did.
    package static let blank = "it is empty"

    /// Whether a file that begins with these bytes is empty.
    /// - Parameter header: the first hundred bytes, or more.
    package static func isBlank(header: some Collection<UInt8>) -> Bool {
        // SQLite's `user_version` and `application_id`; https://sqlite.org/fileformat.html.
        let bytes = Array(header.prefix(72))
        return bytes.count < 72
            || (bytes[60..<64].allSatisfy { $0 == 0 } && bytes[68..<72].allSatisfy { $0 == 0 })
    }

    /// Whether a file is empty: its server is about to create the tables, or was killed before it did.
    private static func isBlank(_ db: Database) throws -> Bool {
        try db.number("PRAGMA application_id") == 0 && db.number("PRAGMA user_version") == 0
            && db.number("SELECT count(*) FROM sqlite_schema") == 0
    }

    /// The faults in the pages, indexes and references of a file, a line each.
    package static func findings(_ db: Database) throws -> [String] {
        let faults = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").flatMap { text in
            text.split(separator: "\n").filter { !$0.hasPrefix("***") && $0 != "ok" }
        }
        guard faults.isEmpty else {
            let more = faults.count > 3 ? "; and \(faults.count - 3) more" : ""
            return ["the file is damaged: " + faults.prefix(3).joined(separator: "; ") + more]
        }
        var findings: [String] = []
        let orphans = try db.number("SELECT count(*) FROM pragma_foreign_key_check")
        if orphans > 0 { findings.append("\(orphans) references lead nowhere") }
        return findings
    }

    /// The bytes of a file that was closed properly and is not open anywhere. Nil if it is open, too large,
    /// or may have been written to during the call: then the caller has to copy it through SQLite.
    /// - Parameter isChecked: whether SQLite checks all pages. Header and length are checked in any case.
    /// - Throws: `StorageError.damaged`.
    package static func image(
        of path: String,
        mostBytes: Int,
        isChecked: Bool,
        now: Int64
    ) throws(StorageError) -> [UInt8]? {
        let size = DatabaseFile.size(of: path)
        guard size >= 0 else { throw .failed("\(path): no such file") }
        guard size > 0 else { throw .damaged(blank) }
        guard size <= mostBytes, let before = FileState(path), before.isQuiet(path, now: now),
            let uri = uri(path)
        else { return nil }
        let result = Result {
            if isChecked { try reading(uri) { db in try DatabaseFile.quickCheck(db) } }
            let bytes = try DatabaseFile.bytes(of: path)
            guard isWhole(bytes) else { throw StorageError.damaged("its header does not fit its length") }
            return bytes
        }
        return before.isQuiet(path, now: now) ? try value(result) : nil
    }

    /// Whether a file has SQLite's header and the length that the header states;
    /// https://sqlite.org/fileformat.html.
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return false }
        let page = Int(bytes[16]) << 8 | Int(bytes[17])
        let pages = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
        return pages * (page == 1 ? 65_536 : page) == bytes.count
    }

    private static func reading<Value>(
        _ path: String,
        readonly: Bool = true,
        _ body: (Database) throws -> Value
    ) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.inDatabase(body)
    }

    private static func value<Value>(_ result: Result<Value, any Error>) throws(StorageError) -> Value {
        do { return try result.get() } catch { throw StorageError(error) }
    }

    /// The SQLite of Debian and Ubuntu accepts URIs (`SQLITE_USE_URI`); nil if this one does not.
    private static func uri(_ path: String) -> String? {
        guard acceptsURIs else { return nil }
        let path = PercentEncoding.encode(path) { byte in
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0..<0x21, 0x7F...: false
            default: true
            }
        }
        return "file:\(path)?immutable=1"
    }

    private static let acceptsURIs: Bool = {
        let queue = try? DatabaseQueue()
        let isSet = try? queue?.inDatabase { db in
            try Bool.fetchOne(db, sql: "SELECT sqlite_compileoption_used('USE_URI')")
        }
        return isSet == true
    }()
}

/// The attributes of a file that change with every write.
struct FileState: Hashable, Sendable {
    private let inode: UInt64
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil if there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }

    /// Whether the file was not written to since, and is not open for writing.
    ///
    /// The system stores the time of a write in steps of some milliseconds: a file whose last write is that
    /// recent is never quiet.
    func isQuiet(_ path: String, now: Int64) -> Bool {
        FileState(path) == self && DatabaseFile.size(of: path + "-wal") <= 0 && Int64(seconds) < now - 1
    }
}

/// A temporary copy of a file and its log, removed when the object is freed.
private final class TemporaryCopy {
    private let folder: String
    var path: String { folder + "/copy.sqlite" }

    init(of path: String) throws(StorageError) {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        folder = "\(base)/breadly-\(getpid())-\(UInt64.random(in: .min ... .max))"
        guard mkdir(folder, 0o700) == 0 else { throw DatabaseFile.systemError(folder) }
        try DatabaseFile.copyBytes(from: path, to: self.path)
        if DatabaseFile.size(of: path + "-wal") > 0 {
            try DatabaseFile.copyBytes(from: path + "-wal", to: self.path + "-wal")
        }
    }

    deinit {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        rmdir(folder)
    }
}
