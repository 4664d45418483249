// A file that is written piece by piece and hashed on the way. It has no name until it is complete, so that a process
// that dies leaves nothing behind.

import Crypto
import Glibc

/// A file without a name. Without a call of `FileFolder.place`, it disappears with its descriptor.
///
/// Safe to send: it belongs to one task at a time. The worker that receives an upload writes it, and passes it on when
/// the upload is complete.
public final class IncomingFile: ByteSource, @unchecked Sendable {
    private let descriptor: Int32
    private let folder: String
    /// The name on a file system that has no nameless files; it is removed with the object.
    private let temporaryName: String?
    private var hasher = SHA256()
    /// Whether bytes were changed after they were hashed.
    private var isHashStale = false
    /// The number of bytes.
    public private(set) var size = 0

    /// The beginning of the names of unfinished files on a file system that has no nameless files.
    static let unfinished = "incoming-"

    /// An empty file.
    /// - Parameter folder: an existing folder on the file system of the folder in which the file will be placed.
    public init(in folder: String) throws(FileStoreError) {
        self.folder = folder
        let nameless = open(folder, O_RDWR | O_CLOEXEC | namelessFile, 0o600)
        if nameless >= 0 {
            (descriptor, temporaryName) = (nameless, nil)
            return
        }
        guard errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT || errno == EINVAL else {
            throw FileStoreError(errnoAt: folder)
        }
        var template = Array("\(folder)/\(Self.unfinished)XXXXXX".utf8CString)
        let named = mkstemp(&template)
        guard named >= 0 else { throw FileStoreError(errnoAt: folder) }
        _ = fcntl(named, F_SETFD, FD_CLOEXEC)
        let name = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        (descriptor, temporaryName) = (named, String(decoding: name, as: UTF8.self))
    }

    deinit {
        close(descriptor)
        if let temporaryName { unlink(temporaryName) }
    }

    /// Appends bytes.
    public func write(_ bytes: ArraySlice<UInt8>) throws(FileStoreError) {
        var rest = bytes
        while !rest.isEmpty {
            // The memory is valid during the call, and as long as its count.
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(size)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileStoreError(errnoAt: "a file that arrives") }
            hasher.update(data: rest.prefix(count))
            size += count
            rest = rest.dropFirst(count)
        }
    }

    /// The bytes from an offset on.
    public func bytes(at offset: Int, count: Int) -> [UInt8] {
        StoredFile.read(descriptor, at: offset, count: min(count, max(0, size - offset)))
    }

    /// Changes bytes that were written before.
    func overwrite(at offset: Int, _ bytes: [UInt8]) throws(FileStoreError) {
        guard !bytes.isEmpty else { return }
        isHashStale = true
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        guard count == bytes.count else { throw FileStoreError(errnoAt: "a file that arrives") }
    }

    /// Removes the bytes after a length.
    func truncate(to length: Int) throws(FileStoreError) {
        guard length < size else { return }
        isHashStale = true
        guard ftruncate(descriptor, off_t(length)) == 0 else {
            throw FileStoreError(errnoAt: "a file that arrives")
        }
        size = length
    }

    /// Hashes the content, again if bytes were changed since they arrived.
    public func hash() -> ContentHash {
        guard isHashStale else { return ContentHash(hasher.finalize()) }
        var again = SHA256()
        var offset = 0
        while offset < size {
            let piece = bytes(at: offset, count: 1 << 16)
            guard !piece.isEmpty else { break }
            again.update(data: piece)
            offset += piece.count
        }
        (hasher, isHashStale) = (again, false)
        return ContentHash(again.finalize())
    }

    /// Makes the content durable. It takes as long as the disk needs.
    public func synchronize() throws(FileStoreError) {
        guard fsync(descriptor) == 0 else { throw FileStoreError(errnoAt: "a file that arrives") }
    }

    /// Gives the file a name. An existing file of that name stays if it has the same content. Any other is replaced in one
    /// step, so that there is a file of that name at any time, also if the process dies.
    /// - Returns: false if the existing file stays.
    @discardableResult
    func link(as path: String) throws(FileStoreError) -> Bool {
        let source = temporaryName ?? "/proc/self/fd/\(descriptor)"
        guard linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) != 0 else { return true }
        guard errno == EEXIST else { throw FileStoreError(errnoAt: path) }
        guard !hasContent(of: path) else { return false }
        // `rename` needs a name. The next start removes this name, like the name of an unfinished file, if the process
        // dies before. Its dash is in no name that `mkstemp` makes, and this process has the descriptor once.
        let name = "\(folder)/\(Self.unfinished)of-\(descriptor)"
        unlink(name)
        guard linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
            throw FileStoreError(errnoAt: name)
        }
        guard rename(name, path) == 0 else {
            let error = FileStoreError(errnoAt: path)
            unlink(name)
            throw error
        }
        return true
    }

    /// Whether a file can be read and has the same content. Its length alone says nothing about a damaged one.
    private func hasContent(of path: String) -> Bool {
        guard let other = try? StoredFile.open(path), other.size == size else { return false }
        var offset = 0
        while offset < size {
            let piece = bytes(at: offset, count: 1 << 16)
            guard !piece.isEmpty, piece == other.bytes(at: offset, count: 1 << 16) else { return false }
            offset += piece.count
        }
        return true
    }
}

/// O_TMPFILE, which glibc declares only with _GNU_SOURCE.
private let namelessFile: Int32 = 0o20_000_000 | 0o200_000
