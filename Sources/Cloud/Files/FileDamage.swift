// Files that the disk of the cloud has damaged: they are found out, displaced, and asked for by devices that have them.

import CloudProtocol
import FileStore
import Foundation
import Ledger
import Synchronization

extension FileService {
    /// The bytes that one call of `examine` reads at most, except for the end of its last file.
    static let examinedBytes: Int64 = 256 << 20

    /// Opens a file of an account for reading. A damaged one is displaced, so that it counts as missing.
    /// - Returns: nil if it does not exist, or is damaged.
    /// - Throws: `failed` if it may be there nevertheless: a device takes a file that the cloud does not have for lost.
    func file(_ hash: ContentHash, of user: EntityID) throws(CloudError) -> StoredFile? {
        let folder = folder(of: user)
        let stored: StoredFile?
        do throws(FileStoreError) { stored = try folder.file(hash) } catch {
            throw CloudFailure(error).asCloudError
        }
        guard let stored, !sound.isSound(stored, hash, at: directory.now) else { return stored }
        // A request that writes to it at this time finds out as well.
        try? writes.only(hash, of: user) { () throws(CloudError) in folder.displace(hash, stored) }
        return nil
    }

    /// Reads files that no request has read for a day, and displaces damaged files. It begins behind the last file of
    /// the call before, so that each file is read at some time, whether or not a device asks for it.
    /// - Returns: the number of damaged files that no device has sent again, of all accounts.
    public func examine() -> Int { examine(upTo: Self.examinedBytes) }

    func examine(upTo most: Int64) -> Int {
        let start = examination.position.withLock { $0 }
        var (position, bytes): (FileExamination.Position?, Int64) = (nil, 0)
        let users = FileFolder.names(in: root).filter { EntityID($0) != nil }.sorted()
        reading: for name in users where name >= start?.user ?? "" {
            guard let user = EntityID(name) else { continue }
            let folder = folder(of: user)
            for hash in folder.contents().sorted(by: { $0.description < $1.description }) {
                if let start, (name, hash.description) <= (start.user, start.hash) { continue }
                guard let file = folder.open(hash), !sound.isKnown(file, at: directory.now) else { continue }
                _ = try? self.file(hash, of: user)
                bytes += Int64(file.size)
                guard bytes < most else {
                    position = FileExamination.Position(user: name, hash: hash.description)
                    break reading
                }
            }
        }
        examination.position.withLock { $0 = position }
        return users.reduce(0) { $0 + FileFolder("\(root)/\($1)").displaced().count }
    }
}

/// The end of the last examination.
final class FileExamination: Sendable {
    struct Position: Sendable {
        let user: String
        let hash: String
    }

    /// Nil at the beginning.
    let position = Mutex<Position?>(nil)
}
