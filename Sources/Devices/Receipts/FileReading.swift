// The regular reading of the files of all devices: damage that no request meets is found while there may be a sound copy.

public import Book
import DeviceStore
import FileStore
import Ledger
import Synchronization
import Texts

/// The end of the last reading, and the damage that it has logged.
final class FileReading: Sendable {
    struct Position: Hashable, Sendable {
        let device: EntityID
        let hash: String
    }

    /// Nil for the beginning.
    let position = Mutex<Position?>(nil)

    /// The times at which the damage of files was logged, in UTC seconds.
    private let logged = Mutex<[Position: Int64]>([:])

    /// Whether the damage of a file is to be logged, which counts as done: each reading finds it again, and it is logged
    /// once a day.
    /// - Parameter now: UTC seconds.
    func isNews(_ file: Position, at now: Int64) -> Bool {
        logged.withLock { logged in
            logged = logged.filter { now - $0.value < 86_400 }
            guard logged[file] == nil else { return false }
            logged[file] = now
            return true
        }
    }
}

extension DeviceManager {
    /// The pause before the first reading, in milliseconds: a server that is started each day is not read at once, and read
    /// before it is stopped.
    private static let firstReadingMilliseconds: Int64 = 600_000
    /// The interval of readings, in milliseconds.
    private static let readingMilliseconds: Int64 = 3_600_000
    /// The bytes that one reading reads at most, except for the end of its last file.
    private static let readBytes = 256 << 20

    /// Reads files that no request has read for a day, ten minutes after the start and then each hour.
    public func watchFiles() {
        services.tasks.run { [weak self, pause = dependencies.pause] in
            await pause(Self.firstReadingMilliseconds)
            self?.beginReadingAnywhere()
            while !Task.isCancelled {
                await self?.readFiles(upTo: Self.readBytes)
                await pause(Self.readingMilliseconds)
            }
        }
    }

    /// Chooses where the first reading begins. The place of the last one is not stored: a server that is stopped after each
    /// reading would read the same files each time if all began with the first one.
    func beginReadingAnywhere() {
        guard let ids = try? services.store.all().map(\.id), !ids.isEmpty else { return }
        let random = dependencies.random.bytes(16)
        let number = Int(random[0]) << 8 | Int(random[1])
        let start = FileReading.Position(
            device: ids[number % ids.count],
            hash: ContentHash(of: random).description
        )
        services.fileReading.position.withLock { $0 = start }
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
                if !sound.isSound(file, hash, at: now) { await replace(hash, of: id) }
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
    private func replace(_ hash: ContentHash, of id: EntityID) async {
        do {
            guard let device = try self.device(id) else { return }
            let shown = try await device.withBook { book throws(BookError) in
                try book.receipt(withContent: hash.description)
            }
            guard let shown, shown.file != nil else { return }
            let trouble: FileFetchError
            do throws(FileFetchError) {
                _ = try await device.fetchFile(of: shown.receipt, limit: limits.receipts.cacheBytes)
                dependencies.log.warning(
                    "files: \(hash) was damaged on the disk, and is fetched again (device \(id))"
                )
                return
            } catch { trouble = error }
            let file = FileReading.Position(device: id, hash: hash.description)
            if services.fileReading.isNews(file, at: dependencies.now) {
                dependencies.log.error(
                    "files: \(hash) is damaged on the disk, and cannot be fetched: \(trouble) (device \(id))"
                )
            }
            guard trouble.leavesDamage else { return }
            try await device.announceDamage(of: shown.receipt, isAvailable: trouble != .notAvailable)
        } catch {
            dependencies.log.error(
                "files: \(hash) is damaged on the disk, which cannot be noted: \(error) (device \(id))"
            )
        }
    }
}

extension Device {
    /// Says on each page that a file is damaged, until the user dismisses it, and then notes it. A process that ends in
    /// between, or a notice that cannot be stored, has the next reading do both. Does nothing if the damage is noted, or if
    /// the next reading can fetch what the cloud has.
    fileprivate func announceDamage(of receipt: Receipt, isAvailable: Bool) async throws(DevicesError) {
        let noted = try await withBook { book throws(BookError) -> Int? in
            guard let file = try book.receipt(receipt.id)?.file,
                !file.isDamaged, file.status != .uploaded || !isAvailable
            else { return nil }
            return try book.damagedReceiptFiles()
        }
        guard let noted else { return }
        try showDamage(beside: noted)
        try await withBook { book throws(BookError) in
            try noteDamage(of: receipt.sha256, isAvailable: isAvailable, in: book)
        }
    }

    /// The same of a file that the upload has found, and that the upload notes afterwards.
    /// - Returns: whether the upload can note it: it is said, now or before.
    func announceDamage(ofUpload sha256: String) async -> Bool {
        do throws(DevicesError) {
            let (all, others) = try await withBook { book throws(BookError) in
                (try book.damagedReceiptFiles(), try book.damagedReceiptFiles(except: sha256))
            }
            if all == others { try showDamage(beside: others) }
            return true
        } catch {
            services.dependencies.log.error(
                "files: \(sha256) is damaged on the disk, which cannot be noted: \(error) (device \(id))"
            )
            return false
        }
    }

    /// - Parameter noted: the number of other damaged files.
    private func showDamage(beside noted: Int) throws(DevicesError) {
        try showStored(.damagedFiles, Self.damagedFiles(noted + 1))
    }

    /// Notes that a file is damaged, and counts it in the notice if there is one.
    /// - Parameter isAvailable: as of `Book.noteDamage`.
    public func noteDamage(of sha256: String, isAvailable: Bool, in book: Book) throws(BookError) {
        try book.noteDamage(ofReceiptFile: sha256, isAvailable: isAvailable)
        try recountDamage(in: book)
    }

    /// Counts anew what a notice says of damaged files, because some of them are whole again, or were deleted. Does nothing
    /// without such a notice.
    public func recountDamage(in book: Book) throws(BookError) {
        guard let notice = notices.first(where: { $0.key == NoticeKind.damagedFiles.rawValue }) else {
            return
        }
        let count = try book.damagedReceiptFiles()
        guard count > 0 else { return withdraw(.damagedFiles) }
        let text = Self.damagedFiles(count)
        if notice.text != text { show(.damagedFiles, text) }
    }

    private static func damagedFiles(_ count: Int) -> Text {
        Text("notices.files-damaged", ["count": .count(count)])
    }
}
