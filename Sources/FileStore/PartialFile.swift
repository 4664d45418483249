// A file that arrives in parts, over several requests and restarts: what has arrived is beside the complete files.

import Crypto
import Glibc

extension FileFolder {
    /// The end of the name of a file that has not arrived completely.
    static let partSuffix = ".part"

    private func partPath(of hash: ContentHash) -> String { path(of: hash) + Self.partSuffix }

    /// The number of bytes that have arrived of a file that is not complete; 0 if there are none.
    public func received(_ hash: ContentHash) -> Int {
        var status = stat()
        guard lstat(partPath(of: hash), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        return Int(status.st_size)
    }

    /// Writes bytes behind the bytes that have arrived. If not all new bytes can be written, none of them stays, so
    /// that a full disk has as much room as before.
    /// - Parameter offset: as `received`. One caller at a time may write to a file.
    public func append(_ bytes: ArraySlice<UInt8>, at offset: Int, of hash: ContentHash)
        throws(FileStoreError)
    {
        try makeFolder()
        let path = partPath(of: hash)
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileStoreError(errnoAt: path) }
        defer { close(descriptor) }
        var (rest, place) = (bytes, offset)
        while !rest.isEmpty {
            // The memory is valid during the call, and as long as its count.
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(place)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = FileStoreError(errnoAt: path)
                // Without it the beginning of the part stays, which is as right.
                _ = ftruncate(descriptor, off_t(offset))
                if offset == 0 { unlink(path) }
                throw error
            }
            rest = rest.dropFirst(count)
            place += count
        }
    }

    /// Notes when a file has grown, by another clock than the clock of the disk.
    /// - Parameter now: UTC seconds.
    public func notePart(of hash: ContentHash, at now: Int64) {
        var times = [timespec(tv_sec: Int(now), tv_nsec: 0), timespec(tv_sec: Int(now), tv_nsec: 0)]
        // The array has the two times that the call reads. Without them, the time of the disk stays.
        _ = utimensat(AT_FDCWD, partPath(of: hash), &times, AT_SYMLINK_NOFOLLOW)
    }

    /// Whether what has arrived is the whole file. It is durable when the call returns true.
    public func verifyPart(of hash: ContentHash) throws(FileStoreError) -> Bool {
        let path = partPath(of: hash)
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw FileStoreError(errnoAt: path) }
        defer { close(descriptor) }
        var (hasher, offset) = (SHA256(), 0)
        while true {
            let piece = StoredFile.read(descriptor, at: offset, count: 1 << 16)
            guard !piece.isEmpty else { break }
            hasher.update(data: piece)
            offset += piece.count
        }
        guard ContentHash(hasher.finalize()) == hash else { return false }
        guard fsync(descriptor) == 0 else { throw FileStoreError(errnoAt: path) }
        return true
    }

    /// Gives a file that was verified the name of its content. The name is durable when the call returns.
    public func completePart(of hash: ContentHash) throws(FileStoreError) {
        guard rename(partPath(of: hash), path(of: hash)) == 0 else {
            throw FileStoreError(errnoAt: path(of: hash))
        }
        unlink(displacedPath(of: hash))
        try synchronize()
    }

    /// Removes what has arrived of a file. Does nothing if there is nothing.
    public func discardPart(of hash: ContentHash) { unlink(partPath(of: hash)) }

    /// The files that have not arrived completely.
    public func parts() -> [(hash: ContentHash, size: Int, changedAt: Int64)] {
        names().compactMap { name in
            guard name.hasSuffix(Self.partSuffix), let hash = ContentHash(String(name.dropLast(5))) else {
                return nil
            }
            var status = stat()
            guard lstat(partPath(of: hash), &status) == 0 else { return nil }
            return (hash, Int(status.st_size), Int64(status.st_mtim.tv_sec))
        }
    }
}
