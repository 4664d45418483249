// The regular reading of the files of all devices: damage that no request meets is found while there may be a sound copy.

public import Book
import DeviceStore
import FileStore
import Ledger
import Synchronization
import Texts

/// The end of the last reading.
final class FileReading: Sendable {
    struct Position: Sendable {
        let device: EntityID
        let hash: String
    }

    /// Nil at the beginning.
    let position = Mutex<Position?>(nil)
}

extension DeviceManager {
    /// The interval of readings, in milliseconds.
    private static let readingMilliseconds: Int64 = 3_600_000
    /// The bytes that one reading reads at most, except for the end of its last file.
    private static let readBytes = 256 << 20

    /// Reads files that no request has read for a day, each hour.
    public func watchFiles() {
        services.tasks.run { [weak self, pause = dependencies.pause] in
            while !Task.isCancelled {
                await pause(Self.readingMilliseconds)
                guard !Task.isCancelled else { return }
                await self?.readFiles(upTo: Self.readBytes)
            }
        }
    }

    /// Reads files behind the last one of the call before. A damaged one is fetched from the cloud; where that is not
    /// possible, the pages of its device say so.
    func readFiles(upTo most: Int) async {
        let start = services.fileReading.position.withLock { $0 }
        var (position, bytes): (FileReading.Position?, Int) = (nil, 0)
        let devices: [EntityID]
        do { devices = try services.store.all().map(\.id).sorted() } catch {
            dependencies.log.error("files are not read: \(error)")
            return
        }
        reading: for id in devices where start.map({ $0.device <= id }) ?? true {
            let folder = services.files(of: id)
            for hash in folder.contents().sorted(by: { $0.description < $1.description }) {
                guard !Task.isCancelled else { return }
                if let start, (id, hash.description) <= (start.device, start.hash) { continue }
                let (sound, now) = (services.soundFiles, dependencies.now)
                guard let file = folder.open(hash), !sound.isKnown(file, at: now) else { continue }
                if !sound.isSound(file, hash, at: now) { await replace(file, hash, of: id) }
                bytes += file.size
                guard bytes < most else {
                    position = FileReading.Position(device: id, hash: hash.description)
                    break reading
                }
            }
        }
        let end = position
        services.fileReading.position.withLock { $0 = end }
    }

    /// Has a damaged file fetched again, or has its device say that there is no other one. A file that no live receipt has
    /// is left to the first request for it.
    private func replace(_ file: StoredFile, _ hash: ContentHash, of id: EntityID) async {
        do {
            guard let device = try self.device(id) else { return }
            let shown = try await device.withLease { book throws(BookError) in
                try book.receipt(withContent: hash.description)
            }
            // Otherwise the pages say so already.
            guard let shown, shown.file?.failure != UploadFailure.wrongContent.code else { return }
            // The log has the outcome.
            _ = try? await device.file(of: shown.receipt, file, limit: limits.receipts.cacheBytes)
            try await device.withLease { book throws(BookError) in
                let failure = try book.receipt(shown.receipt.id)?.file?.failure
                if failure == UploadFailure.wrongContent.code { try device.announceDamage(in: book) }
            }
        } catch {
            dependencies.log.error(
                "files: \(hash) is damaged on the disk, and the book cannot be used: \(error) (device \(id))"
            )
        }
    }
}

extension Device {
    /// Says on each page how many files are damaged, until the user dismisses it.
    fileprivate func announceDamage(in book: Book) throws(BookError) {
        let count = try book.damagedReceiptFiles()
        guard count > 0 else { return withdraw(.damagedFiles) }
        show(.damagedFiles, Text("notices.files-damaged", ["count": .count(count)]))
    }

    /// Counts anew what a notice says of damaged files, because some of them were added again or deleted. Does nothing
    /// without such a notice.
    public func recountDamage(in book: Book) throws(BookError) {
        guard notices.contains(where: { $0.key == NoticeKind.damagedFiles.rawValue }) else { return }
        try announceDamage(in: book)
    }
}
