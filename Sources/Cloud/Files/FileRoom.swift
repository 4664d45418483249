// The room for files that arrive: the quota of the account, the number of its unfinished files, and the disk.

import CloudProtocol
import FileStore
import Ledger
import Storage
import Synchronization

extension FileService {
    /// The time after which an unfinished file that does not grow makes room for others, in seconds. Its device sends it
    /// again from its beginning.
    static let staleSeconds: Int64 = 600
    /// The pause that a device is asked for while the disk has no room, in seconds.
    static let fullDiskPause: Int64 = 30

    /// Checks that a part fits on the disk, and its file beside the other files of the account. Unfinished files count
    /// with their final size. Files that receipts do not need make room first, then files that do not grow any more. A
    /// file of which bytes arrive is entered until `UnfinishedFiles.leave`.
    /// - Throws: `quotaExceeded`; `busy` if too many other files are arriving, or if the disk has no room.
    func requireRoom(
        for part: FilePart,
        _ hash: ContentHash,
        of user: EntityID,
        _ folder: FileFolder
    ) throws(CloudError) {
        var hasCollected = false
        var discarded: Set<ContentHash> = []
        while true {
            let parts = folder.parts().filter { $0.hash != hash }
            // A file that was lost or damaged has its row.
            let stored = try usage(of: user, without: hash).used
            let refusal = unfinished.enter(part, hash, of: user, beside: parts, stored: stored, limits)
            guard let refusal else { break }
            if case .file(.quotaExceeded) = refusal, !hasCollected {
                // The user may just have deleted receipts in order to make room.
                try collect(user)
                hasCollected = true
                continue
            }
            let stale = parts.filter { $0.changedAt < directory.now - Self.staleSeconds }
            guard let oldest = stale.min(by: { $0.changedAt < $1.changedAt }),
                discarded.insert(oldest.hash).inserted
            else { throw refusal }
            // If a request writes to it at this time, this one is sent again a moment later.
            try writes.only(oldest.hash, of: user) { () throws(CloudError) in
                folder.discardPart(of: oldest.hash)
            }
        }
        if !part.bytes.isEmpty, let space = space(directory.path),
            space.bytes - Int64(part.bytes.count) < space.entriesReserve
        {
            unfinished.leave(hash, of: user)
            throw .busy(retryAfterSeconds: Self.fullDiskPause)
        }
    }

    /// The error for a part that could not be written. A device sends it again after a full disk has got room.
    static func error(writing error: FileStoreError) -> CloudError {
        error == .diskFull
            ? .busy(retryAfterSeconds: fullDiskPause) : CloudFailure(error).asCloudError
    }
}

/// The sizes that the unfinished files of accounts will have, as their parts announce them. A process that has just
/// started counts with what has arrived, until the next part of a file.
final class UnfinishedFiles: Sendable {
    private struct Entry {
        let total: Int64
        /// Whether a request is about to write to it. Perhaps nothing of it is on the disk yet.
        var isWritten: Bool
    }

    private let entries = Mutex<[EntityID: [ContentHash: Entry]]>([:])

    /// Enters a file until `leave` if its part has bytes and it fits.
    /// - Parameters:
    ///   - parts: the other unfinished files of the account on the disk.
    ///   - stored: the bytes of the account's files that are complete and count.
    /// - Returns: the reason why it does not fit; nil if it does.
    func enter(
        _ part: FilePart,
        _ hash: ContentHash,
        of user: EntityID,
        beside parts: [(hash: ContentHash, size: Int, changedAt: Int64)],
        stored: Int64,
        _ limits: FileLimits
    ) -> CloudError? {
        entries.withLock { entries -> CloudError? in
            var others = Dictionary(parts.map { ($0.hash, Int64($0.size)) }, uniquingKeysWith: max)
            var current = entries[user] ?? [:]
            // The others have come to their end.
            current = current.filter { $0.value.isWritten || others[$0.key] != nil || $0.key == hash }
            for (other, entry) in current where other != hash {
                others[other] = max(entry.total, others[other] ?? 0)
            }
            defer { entries[user] = current.isEmpty ? nil : current }
            let used = others.values.reduce(stored) { $0.addingClamped($1) }
            guard used.addingClamped(part.total) <= limits.accountBytes else {
                return .file(.quotaExceeded(used: used, quota: limits.accountBytes))
            }
            guard others.count < limits.unfinishedFiles else { return .busy(retryAfterSeconds: 60) }
            if !part.bytes.isEmpty { current[hash] = Entry(total: part.total, isWritten: true) }
            return nil
        }
    }

    /// Notes that no request writes to a file any more. What has arrived of it counts as before.
    func leave(_ hash: ContentHash, of user: EntityID) {
        entries.withLock { $0[user]?[hash]?.isWritten = false }
    }
}
