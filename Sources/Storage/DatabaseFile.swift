// SQLite files: created with the owner's permissions, opened with the project's pragmas, checked, copied.
package import GRDB
import Glibc

package enum DatabaseFile {
    /// Affects new files only. A change touches about 25 pages, and small pages cost half as much.
    static let pageSize = "PRAGMA page_size = 2048"

    /// Opens a file for reading and writing with the project's pragmas, and creates it if it is missing.
    /// - Parameter functions: the functions that its triggers call.
    package static func open(at path: String, functions: [DatabaseFunction] = []) throws(StorageError)
        -> DatabaseQueue
    {
        try prepare(path)
        let unclean = size(of: path + "-wal") > 0
        do {
            var configuration = Configuration()
            // Only a backup or the doctor's connection can hold a lock, and only briefly.
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { db in for function in functions { db.add(function: function) } }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            do {
                try queue.inDatabase { db in
                    if unclean { try quickCheck(db) }
                    try db.execute(sql: pageSize)
                    guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                        throw StorageError.failed("the file system cannot keep a write-ahead log at \(path)")
                    }
                    try db.execute(sql: "PRAGMA synchronous = FULL")
                    // Deleted content is overwritten, as Debian's SQLite does by itself.
                    try db.execute(sql: "PRAGMA secure_delete = ON")
                    // About 4 MB of log. Its file keeps that size between checkpoints: overwriting it makes a
                    // commit twice as fast as letting the file grow.
                    try db.execute(sql: "PRAGMA wal_autocheckpoint = 2000")
                    try db.execute(sql: "PRAGMA journal_size_limit = 8388608")
                }
                return queue
            } catch {
                try? queue.close()
                throw error
            }
        } catch {
            throw diagnosed(error, path: path)
        }
    }

    /// Opens a separate connection that reads a consistent snapshot and blocks no writer.
    /// - Parameter readonly: false for copying: SQLite 3.40 fails to copy generated columns over a read-only
    ///   connection.
    package static func openForReading(at path: String, readonly: Bool = true) throws(StorageError)
        -> DatabaseQueue
    {
        guard size(of: path) >= 0 else { throw .failed("\(path): no such file") }
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(5)
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw diagnosed(error, path: path)
        }
    }

    /// Writes a consistent, compact copy. The copy gets its name only when it is complete, and is durable
    /// when the call returns.
    package static func copy(_ queue: DatabaseQueue, to target: String, replacing: Bool) throws(StorageError)
    {
        guard replacing || size(of: target) < 0 else { throw .failed("\(target) exists already") }
        let partial = target + ".partial"
        unlink(partial)
        do {
            try queue.inDatabase { db in try db.execute(sql: "VACUUM INTO ?", arguments: [partial]) }
            guard chmod(partial, 0o600) == 0, synchronize(partial) else { throw systemError(target) }
            guard rename(partial, target) == 0 else { throw systemError(target) }
            _ = synchronize(folder(of: target))
        } catch {
            unlink(partial)
            throw diagnosed(error, path: target)
        }
    }

    /// Writes a consistent, compact copy of a file, also while another process uses it.
    /// - Throws: `failed` if the target exists already, or the file cannot be read; `diskFull`, `readOnly`.
    package static func copy(at path: String, to target: String) throws(StorageError) {
        let reader = try openForReading(at: path, readonly: false)
        defer { try? reader.close() }
        try copy(reader, to: target, replacing: false)
    }

    /// - Throws: `StorageError.damaged` with SQLite's findings.
    static func quickCheck(_ db: Database) throws {
        let findings = try String.fetchAll(db, sql: "PRAGMA quick_check(3)")
        guard findings == ["ok"] else { throw StorageError.damaged(findings.joined(separator: "; ")) }
    }

    /// Creates folder and file with the owner's permissions, and finds obstacles early and exactly.
    private static func prepare(_ path: String) throws(StorageError) {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .failed("no usable path") }
        let folder = folder(of: path)
        if mkdir(folder, 0o700) == 0 {
            _ = synchronize(self.folder(of: folder))
        } else if errno != EEXIST {
            throw systemError(folder)
        }
        let isNew = size(of: path) < 0
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw systemError(path) }
        Glibc.close(descriptor)
        if isNew { _ = synchronize(folder) }
    }

    /// The size in bytes; -1 if there is no such file.
    package static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : -1
    }

    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The error for the current `errno` and a path.
    static func systemError(_ path: String) -> StorageError {
        let code = errno
        switch code {
        case EACCES, EPERM, EROFS: return .readOnly
        case ENOSPC, EDQUOT: return .diskFull
        default: return .failed("\(path): \(String(cString: strerror(code)))")
        }
    }

    /// SQLite reports only "unable to open" if the folder does not allow the log beside the file.
    private static func diagnosed(_ error: any Error, path: String) -> StorageError {
        if let error = error as? DatabaseError, error.resultCode == .SQLITE_CANTOPEN {
            if access(folder(of: path), W_OK) != 0 { return systemError(folder(of: path)) }
        }
        return StorageError(error)
    }

    /// The whole content of a file.
    static func bytes(of path: String) throws(StorageError) -> [UInt8] {
        let input = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw systemError(path) }
        defer { Glibc.close(input) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, size(of: path)))
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(input, &piece, piece.count)
            guard count >= 0 else { throw systemError(path) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }

    /// Copies the bytes of a file, with permissions for the owner alone.
    package static func copyBytes(from source: String, to target: String) throws(StorageError) {
        let input = Glibc.open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw systemError(source) }
        defer { Glibc.close(input) }
        let output = Glibc.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw systemError(target) }
        defer { Glibc.close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &buffer, buffer.count)
            guard count >= 0 else { throw systemError(source) }
            if count == 0 { return }
            // A short write means a full disk.
            guard write(output, buffer, count) == count else { throw systemError(target) }
        }
    }

    /// Flushes a file or a folder to the disk.
    package static func synchronize(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        return fsync(descriptor) == 0
    }
}
