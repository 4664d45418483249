// A stored file that is open for reading.

import Crypto
import Glibc

/// A file that is open for reading. It stays readable if it is removed in the meantime.
public final class StoredFile: ByteSource, Sendable {
    private let descriptor: Int32
    /// The number of bytes.
    public let size: Int
    let identity: FileIdentity

    private init(_ descriptor: Int32, _ status: stat) {
        (self.descriptor, size, identity) = (descriptor, Int(status.st_size), FileIdentity(status))
    }

    /// Opens a file.
    /// - Returns: nil if there is no regular file of that name.
    /// - Throws: an error after which the file may be there nevertheless.
    public static func open(_ path: String) throws(FileStoreError) -> StoredFile? {
        let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else {
            guard errno != ENOENT, errno != ENOTDIR else { return nil }
            throw FileStoreError(errnoAt: path)
        }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            let error = FileStoreError(errnoAt: path)
            close(opened)
            throw error
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            return nil
        }
        return StoredFile(opened, status)
    }

    deinit { close(descriptor) }

    /// The bytes from an offset on.
    public func bytes(at offset: Int, count: Int) -> [UInt8] {
        Self.read(descriptor, at: offset, count: min(count, max(0, size - offset)))
    }

    /// Hashes the content, with little memory; nil if the disk cannot read all of it.
    public func hash() -> ContentHash? {
        var (hasher, offset) = (SHA256(), 0)
        while offset < size {
            let piece = bytes(at: offset, count: 1 << 16)
            guard !piece.isEmpty else { return nil }
            hasher.update(data: piece)
            offset += piece.count
        }
        return ContentHash(hasher.finalize())
    }

    /// Another descriptor of the file, which its receiver closes; nil if the process may not have more.
    public func duplicate() -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
        guard count > 0, offset >= 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                // `pread` fills at most the given number of bytes of the buffer, which has room for `count`.
                let read = pread(
                    descriptor,
                    buffer.baseAddress.map { $0 + filled },
                    count - filled,
                    off_t(offset + filled)
                )
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { return }
                filled += read
            }
        }
    }
}
