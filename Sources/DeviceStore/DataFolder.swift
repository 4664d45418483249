// The data folder of a server: private, writable, and locked against a second server.
import FileStore
import Glibc
public import Ledger
import Storage

/// A data folder that this process has locked until it releases it.
public final class DataFolder: Sendable {
    /// The path, without a slash at its end.
    public let path: String
    /// The open lock file. The system releases the lock at the end of the process.
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    /// Allows another process to lock the folder. A second call does nothing.
    public func release() { _ = flock(descriptor, LOCK_UN) }

    /// Creates the folder if it is missing (with its parents; for the owner only) and locks it for this
    /// process.
    ///
    /// The lock is released when the value is freed, or the process ends in any way.
    public static func lock(_ path: String) throws(DataFolderError) -> DataFolder {
        var trimmed = Substring(path)
        while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
        let path = String(trimmed)
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusable("The data folder has no name.") }
        try make(path)
        let descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        guard isTaken(descriptor) else {
            let isTaken = errno == EWOULDBLOCK
            let error = failure(path)
            Glibc.close(descriptor)
            throw isTaken ? .inUse(path) : error
        }
        return DataFolder(path: path, descriptor: descriptor)
    }

    /// An inspecting command holds the lock briefly: the call waits for it.
    private static func isTaken(_ descriptor: Int32) -> Bool {
        for _ in 0..<10 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK else { return false }
            usleep(20_000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// The file of the device store.
    public var deviceStorePath: String { path + "/sessions.sqlite" }

    /// The folder of all books, which exists once a book was created.
    public var booksPath: String { path + "/devices" }

    /// The path of a device's book: `devices/<aa>/<id>.sqlite`. `aa` is the end of the id, which is random.
    /// (Its beginning is the time, so that a folder named by it would hold all books of a period.)
    public func bookPath(of device: EntityID) -> String {
        let id = device.description
        return "\(path)/devices/\(id.suffix(2))/\(id).sqlite"
    }

    /// Whether the file of a device's book exists and is not empty.
    public func hasBook(of device: EntityID) -> Bool {
        var status = stat()
        return stat(bookPath(of: device), &status) == 0 && status.st_size > 0
    }

    /// Whether any book exists, and so a server has used this folder before.
    public var hasBooks: Bool {
        let folders = DatabaseFile.names(in: path + "/devices")
        return folders.contains { folder in
            DatabaseFile.names(in: "\(path)/devices/\(folder)").contains { $0.hasSuffix(".sqlite") }
        }
    }

    /// The books in a data folder, as `devices/AA/NAME.sqlite`, and other files in `devices` with such names.
    /// - Throws: `unusable` if a folder cannot be read: a list without its books would look complete.
    public static func books(in path: String) throws(DataFolderError) -> [String] {
        do throws(StorageError) {
            guard DatabaseFile.size(of: path + "/devices") >= 0 else { return [] }
            var books: [String] = []
            for name in try DatabaseFile.listing(of: path + "/devices") {
                if name.hasSuffix(".sqlite") { books.append("devices/" + name) }
                // Any other folder is not Breadly's: `lost+found` on a file system of its own.
                var status = stat()
                guard name.utf8.count == 2, stat("\(path)/devices/\(name)", &status) == 0,
                    status.st_mode & S_IFMT == S_IFDIR
                else { continue }
                books += try DatabaseFile.listing(of: "\(path)/devices/\(name)")
                    .filter { $0.hasSuffix(".sqlite") }.map { "devices/\(name)/\($0)" }
            }
            return books.sorted()
        } catch { throw .unusable("\(error)") }
    }

    /// Whether the file of the device store exists.
    public var hasDeviceStore: Bool { access(deviceStorePath, F_OK) == 0 }

    /// Creates the folders above a device's book.
    public func prepareBookFolder(of device: EntityID) throws(DataFolderError) {
        for folder in ["\(path)/devices", "\(path)/devices/\(device.description.suffix(2))"] {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.failure(folder) }
        }
    }

    /// Removes a device's book, which must not be open, and the files beside it. Does nothing if there is none.
    public func removeBook(of device: EntityID) throws(DataFolderError) {
        let path = bookPath(of: device)
        // The log comes first: beside a new file it would restore the old content.
        try Self.remove(path, ["-wal", "-shm", ""])
        // A copy from before an upgrade also contains the user's data.
        do { try SchemaCopies.remove(of: path) } catch { throw .unusable("\(error)") }
        try removeNextBooks(of: device)
        // They come last: a file without its row is removed when the next book opens.
        do { try FileFolder(besides: path).removeAll() } catch { throw .unusable("\(error)") }
    }

    /// Removes the copies from before upgrades, of books and of the server's own files, that are older than a
    /// time.
    /// - Parameter moment: UTC seconds.
    /// - Returns: the number of removed copies.
    public func removeSchemaCopies(madeBefore moment: Int64) throws(DataFolderError) -> Int {
        let books = DatabaseFile.names(in: path + "/devices").map { "\(path)/devices/\($0)" }
        var count = 0
        for folder in [path] + books {
            for name in DatabaseFile.names(in: folder) where SchemaCopies.original(of: name) != nil {
                var status = stat()
                guard stat("\(folder)/\(name)", &status) == 0, Int64(status.st_mtim.tv_sec) < moment else {
                    continue
                }
                guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
                    throw Self.failure("\(folder)/\(name)")
                }
                count += 1
            }
        }
        return count
    }

    /// Whether a server works on a folder. The check creates nothing.
    public static func isInUse(_ path: String) -> Bool {
        let descriptor = open(path + "/lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        return false
    }

    private static func make(_ path: String) throws(DataFolderError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder(path) }
            return
        }
        guard errno == ENOENT else { throw failure(path) }
        let parent = DatabaseFile.folder(of: path)
        if parent != path { try make(parent) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path) }
    }

    /// Removes the files with some endings, in their order, as far as they exist.
    static func remove(_ path: String, _ endings: [String]) throws(DataFolderError) {
        for ending in endings {
            guard unlink(path + ending) == 0 || errno == ENOENT else { throw failure(path + ending) }
        }
    }

    static func failure(_ path: String) -> DataFolderError {
        let code = errno
        switch code {
        case EACCES, EPERM, EROFS: return .readOnly(path)
        case ENOSPC, EDQUOT: return .diskFull(path)
        case ENOTDIR: return .notAFolder(path)
        default: return .unusable("\(path): \(String(cString: strerror(code)))")
        }
    }
}
