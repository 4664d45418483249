// Files whose content was found to have the hash of their name. A disk can change a file without changing its size.

import Glibc
import Synchronization

/// A file on a disk, and its last change.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let writtenSeconds: Int
    private let writtenNanoseconds: Int
    private let changedSeconds: Int
    private let changedNanoseconds: Int

    init(_ status: stat) {
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        size = Int64(status.st_size)
        (writtenSeconds, writtenNanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        (changedSeconds, changedNanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
}

/// Remembers which files were read as a whole and are sound, so that each is hashed once a day at most, and not for each
/// part that is sent of it. Safe to use from any thread.
public final class SoundFiles: Sendable {
    /// The time after which a file is read again, in seconds: a disk may damage it without a change that the system sees.
    static let validSeconds: Int64 = 86_400

    private let checked = Mutex<[FileIdentity: Int64]>([:])
    private let most: Int

    /// - Parameter most: the greatest number of files that are remembered. After that, all are forgotten.
    public init(most: Int = 10_000) { self.most = most }

    /// Whether it is remembered that a file is sound. It is not read.
    /// - Parameter now: UTC seconds.
    public func isKnown(_ file: StoredFile, at now: Int64) -> Bool {
        guard let time = checked.withLock({ $0[file.identity] }) else { return false }
        return (time...time.addingClamped(Self.validSeconds)).contains(now)
    }

    /// Whether a file has the content of a hash. It is read as a whole unless that is remembered.
    /// - Parameter now: UTC seconds.
    public func isSound(_ file: StoredFile, _ hash: ContentHash, at now: Int64) -> Bool {
        if isKnown(file, at: now) { return true }
        guard file.hash() == hash else { return false }
        checked.withLock { checked in
            if checked.count >= most { checked.removeAll() }
            checked[file.identity] = now
        }
        return true
    }

    /// Has a file read again at the next question.
    public func forget(_ file: StoredFile) { checked.withLock { $0[file.identity] = nil } }
}
