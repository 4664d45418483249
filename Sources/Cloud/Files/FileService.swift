// The bytes of files: parts that arrive, and ranges that are sent. Files are on the disk and their names in the database.

public import CloudProtocol
import FileStore
import GRDB
public import Ledger
import Storage
import Synchronization

/// The files of the user accounts of a directory. Safe to use from any thread.
///
/// The files of an account are in a folder of their own beside the directory's file, so that no request reaches the
/// files of another account. A row in `files` is written with the name of the file, in one transaction, and removed
/// before or with it.
public struct FileService: Sendable {
    /// The time for which the bytes of a file stay that no receipt refers to, in seconds: as long as the deletions of
    /// receipts and transactions.
    static let retentionSeconds = SyncService.retentionSeconds
    /// The time after which what has arrived of an unfinished file is removed, in seconds.
    static let unfinishedSeconds: Int64 = 7 * 86_400

    let directory: Directory
    let limits: FileLimits
    let writes = FileWrites()
    let unfinished = UnfinishedFiles()
    let sound = SoundFiles()
    let examination = FileExamination()
    /// The free bytes of the disk of a path; nil if the system does not report them.
    let space: @Sendable (_ path: String) -> DiskSpace?

    /// The files of the user accounts of a directory.
    public init(_ directory: Directory, limits: FileLimits = FileLimits()) {
        self.init(directory, limits: limits) { DiskSpace($0) }
    }

    init(_ directory: Directory, limits: FileLimits, space: @escaping @Sendable (String) -> DiskSpace?) {
        self.directory = directory
        self.limits = limits
        self.space = space
    }

    /// The folder with the folders of all accounts.
    static func root(besides directory: String) -> String {
        (directory.hasSuffix(".sqlite") ? String(directory.dropLast(7)) : directory) + ".files"
    }

    var root: String { Self.root(besides: directory.path) }

    /// The files of an account.
    func folder(of user: EntityID) -> FileFolder { FileFolder("\(root)/\(user)") }

    /// Receives a part of a file, or only says how much has arrived.
    /// - Throws: as `FilesAPI.put`.
    public func put(_ part: FilePart, of user: EntityID) throws(CloudError) -> FileProgress {
        guard let hash = ContentHash(part.key.description) else { throw .malformed }
        guard part.total <= limits.fileBytes else { throw .file(.fileTooLarge(max: limits.fileBytes)) }
        return try writes.only(hash, of: user) { () throws(CloudError) -> FileProgress in
            let folder = folder(of: user)
            if let size = try stored(hash, of: user, folder) {
                return FileProgress(received: size, isComplete: true)
            }
            let received = Int64(folder.received(hash))
            // Another length was announced before.
            guard received <= part.total else {
                folder.discardPart(of: hash)
                throw .file(.fileGap(received: 0))
            }
            try requireRoom(for: part, hash, of: user, folder)
            defer { unfinished.leave(hash, of: user) }
            // A process that died after the last part has left a whole file without its name.
            guard received < part.total else { return try complete(hash, part.total, of: user, folder) }
            guard !part.bytes.isEmpty else { return FileProgress(received: received, isComplete: false) }
            guard part.offset <= received else { throw .file(.fileGap(received: received)) }
            let known = Int(min(received - part.offset, Int64(part.bytes.count)))
            do throws(FileStoreError) {
                try FileFolder.makeRoot(root)
                if known < part.bytes.count {
                    try folder.append(part.bytes[known...], at: Int(received), of: hash)
                    folder.notePart(of: hash, at: directory.now)
                }
            } catch { throw Self.error(writing: error) }
            let arrived = received + Int64(part.bytes.count - known)
            guard arrived == part.total else { return FileProgress(received: arrived, isComplete: false) }
            return try complete(hash, part.total, of: user, folder)
        }
    }

    /// Reads bytes of a file of an account.
    /// - Throws: `noSuchFile`, `failed`.
    public func bytes(_ range: FileRange, of user: EntityID) throws(CloudError) -> [UInt8] {
        guard let hash = ContentHash(range.key.description) else { throw .malformed }
        let isListed = try directory.reading { db in try db.file(hash, of: user) != nil }
        guard isListed, let file = try file(hash, of: user), range.count > 0, range.offset < Int64(file.size)
        else { throw .file(.noSuchFile) }
        let bytes = file.bytes(at: Int(range.offset), count: min(range.count, FilePart.mostBytes))
        guard !bytes.isEmpty else { throw .failed("a file of the cloud cannot be read") }
        return bytes
    }

    /// Names the files of an account that receipts refer to and that are not here, or not whole.
    /// - Throws: `failed`.
    func missing(after key: FileKey?, of user: EntityID) throws(CloudError) -> MissingFiles {
        let (needed, listed) = try directory.reading { db -> (Set<String>, [String: Int64]) in
            guard let account = try db.syncRecord(of: user)?.number else { return ([], [:]) }
            return (try db.referencedFiles(of: account, directory.now), try db.files(of: account))
        }
        let folder = folder(of: user)
        let absent = needed.filter { name in
            guard let size = listed[name], let hash = ContentHash(name) else { return true }
            return folder.size(of: hash) != Int(size)
        }
        let keys = absent.compactMap { FileKey($0) }.sorted { $0.description < $1.description }
        let rest = key.map { key in keys.drop { $0.description <= key.description } } ?? keys[...]
        return MissingFiles(
            Array(rest.prefix(MissingFiles.most)),
            isComplete: rest.count <= MissingFiles.most
        )
    }

    /// The size of a file that is stored; nil if it is not, or if its bytes are lost or damaged. Only a request that writes
    /// to the file may ask.
    private func stored(_ hash: ContentHash, of user: EntityID, _ folder: FileFolder) throws(CloudError)
        -> Int64?
    {
        guard let found = try directory.reading({ db in try db.file(hash, of: user) }),
            folder.size(of: hash) == Int(found.size), let file = folder.open(hash)
        else { return nil }
        guard sound.isSound(file, hash, at: directory.now) else {
            folder.displace(hash, file)
            return nil
        }
        // A device that asks for the file is about to refer to it.
        if found.isUnreferenced {
            let now = directory.now
            let isStill = try directory.changing { db in
                try db.change(
                    "UPDATE files SET unreferenced_since = ? WHERE account = ? AND sha256 = ?",
                    [now, found.account, hash.description]
                ) == 1
            }
            guard isStill else { return nil }
        }
        return found.size
    }

    /// Gives a file whose last byte has arrived its name and its row, if its content has the hash.
    private func complete(_ hash: ContentHash, _ size: Int64, of user: EntityID, _ folder: FileFolder)
        throws(CloudError) -> FileProgress
    {
        let isWhole: Bool
        do throws(FileStoreError) { isWhole = try folder.verifyPart(of: hash) } catch {
            throw Self.error(writing: error)
        }
        guard isWhole else {
            folder.discardPart(of: hash)
            throw .file(.wrongContent)
        }
        let now = directory.now
        try directory.changing { db in
            // The account may have been deleted since the request began.
            _ = try db.user(user)
            let account = try db.openSyncRecord(of: user).number
            try folder.completePart(of: hash)
            try db.change(
                """
                INSERT INTO files (account, sha256, size, stored_at) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET size = excluded.size, stored_at = excluded.stored_at,
                  unreferenced_since = NULL
                """,
                [account, hash.description, size, now]
            )
        }
        return FileProgress(received: size, isComplete: true)
    }

    /// The bytes of the files of an account: of the files that count, and of the files that no receipt refers to.
    /// - Parameter hash: of a file that does not count, because it is about to be replaced.
    func usage(of user: EntityID, without hash: ContentHash? = nil) throws(CloudError) -> (
        used: Int64, unreferenced: Int64
    ) {
        try directory.reading { db in
            guard let account = try db.syncRecord(of: user)?.number else { return (0, 0) }
            let sql = """
                SELECT ifnull(sum(iif(unreferenced_since IS NULL, size, 0)), 0),
                  ifnull(sum(iif(unreferenced_since IS NULL, 0, size)), 0)
                FROM files WHERE account = ? AND sha256 IS NOT ?
                """
            return try db.first(sql, [account, hash?.description]) { ($0.int64(0), $0.int64(1)) } ?? (0, 0)
        }
    }
}

/// A row of `files`.
struct ListedFile {
    let account: Int64
    let size: Int64
    let isUnreferenced: Bool
}

extension Database {
    func file(_ hash: ContentHash, of user: EntityID) throws -> ListedFile? {
        guard let account = try syncRecord(of: user)?.number else { return nil }
        let sql = "SELECT size, unreferenced_since FROM files WHERE account = ? AND sha256 = ?"
        return try first(sql, [account, hash.description]) {
            ListedFile(account: account, size: $0.int64(0), isUnreferenced: $0.optionalInt64(1) != nil)
        }
    }

    /// The sizes of the files of an account, by hash.
    func files(of account: Int64) throws -> [String: Int64] {
        let sql = "SELECT sha256, size FROM files WHERE account = ?"
        return Dictionary(try all(sql, [account]) { ($0.text(0), $0.int64(1)) }) { first, _ in first }
    }
}

/// The files to which a request writes. Another request for the same file is refused until the first one has ended: no
/// thread waits for a disk.
final class FileWrites: Sendable {
    private struct Key: Hashable {
        let user: EntityID
        let hash: ContentHash
    }

    private let current = Mutex<Set<Key>>([])

    /// Runs a closure that writes to a file.
    /// - Throws: `busy` if another one does; the errors of the closure.
    func only<Value>(_ hash: ContentHash, of user: EntityID, _ write: () throws(CloudError) -> Value)
        throws(CloudError) -> Value
    {
        let key = Key(user: user, hash: hash)
        guard current.withLock({ $0.insert(key).inserted }) else { throw .busy(retryAfterSeconds: 1) }
        defer { current.withLock { _ = $0.remove(key) } }
        return try write()
    }
}
