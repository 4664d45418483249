// The export of a book: written to a file outside of the request threads, one at a time for each device, and
// sent from that file.

import Book
import Devices
import Encoding
import HTTPServer
import SyncCore
import Templates

/// A book, and the first download of it while that is not complete: rows of the cloud are missing then.
struct ExportedBook {
    let book: Book
    let incomplete: ReplicaState.Download?
    /// Whether only the changes since the beginning of that download are missing.
    let isCatchingUp: Bool

    /// Whether not all of the book is here.
    var isPart: Bool { incomplete != nil || isCatchingUp }

    /// - Throws: `BookError`.
    init(_ book: Book) throws {
        self.book = book
        let state = try book.replicaState()
        (incomplete, isCatchingUp) = (state.incomplete, state.isCatchingUp)
    }
}

/// The name of a file that leaves the device. It says so if rows of the cloud are missing in the file, which stays when
/// the page that said so is long gone.
struct ExportName {
    /// `breadly-transactions`.
    let base: String
    /// `csv`.
    let type: String

    /// The header with the name: `breadly-transactions-incomplete.csv` for a part.
    func header(isPart: Bool) -> (String, String) {
        ("Content-Disposition", "attachment; filename=\"\(base)\(isPart ? "-incomplete" : "").\(type)\"")
    }
}

enum Export {
    /// Both end when the download is sent or abandoned.
    private final class Owner: Sendable {
        private let place: ExportSlot
        private let passing: DiskRoom.Passing?

        init(place: ExportSlot, passing: DiskRoom.Passing?) { (self.place, self.passing) = (place, passing) }
    }

    /// Creates a download while the connection is suspended. It occupies no request thread and little memory,
    /// regardless of the size of the book and the speed of the client.
    static func answer(
        _ context: RequestContext,
        _ type: String,
        _ name: ExportName,
        _ write: @escaping @Sendable (ExportedBook, Site, ExportWriter) throws -> Void
    ) throws -> Response {
        let (device, site) = (try context.knownDevice(), context.site)
        // Throws if the device has no book to show.
        _ = try context.book()
        let (room, isGuest) = (site.devices.room, device.isGuest)
        let passing = isGuest ? room.passing(isDownload: true) : nil
        let hasRoom: @Sendable (Int) throws -> Void = { count in
            guard room.acceptsDownload(in: SpoolFile.folder, ofGuest: isGuest) else {
                throw Refusal.noRoomForDownload
            }
            passing?.add(count)
        }
        try hasRoom(0)
        guard let place = device.exportSlot() else { throw Refusal.tooManyExports }
        return context.later { () async -> Result<(file: SpoolFile, isPart: Bool), any Error> in
            do {
                let written = try await place.write {
                    let lease = try await device.lease()
                    defer { lease.giveBack() }
                    let writer = try ExportWriter(hasRoom: hasRoom)
                    // Read before the rows: one that arrives meanwhile makes the note too careful, not untrue.
                    let book = try ExportedBook(lease.book)
                    try write(book, site, writer)
                    return (try writer.end(), book.isPart)
                }
                return .success(written)
            } catch { return .failure(error) }
        } then: { _, result in
            // If the client disconnects before this, the file is removed together with its owner.
            let (file, isPart) = try result.get()
            var response = Response(
                .ok,
                headers: [("Content-Type", type), name.header(isPart: isPart)],
                body: try file.body()
            )
            response.owner = Owner(place: place, passing: passing)
            return response
        }
    }
}

/// The output of an export: the beginning in memory, the rest in an unnamed file. Only one task may use it at
/// a time.
final class ExportWriter {
    private var buffer = ByteBuffer(capacity: 80 << 10)
    private let file: SpoolFile
    private let hasRoom: (Int) throws -> Void
    private var failure: (any Error)?

    /// - Parameter hasRoom: called before each write with the number of its bytes; throws if the disk has too little room.
    init(hasRoom: @escaping (Int) throws -> Void = { _ in }) throws {
        self.hasRoom = hasRoom
        file = try SpoolFile()
    }

    /// Appends text without change.
    func append(_ text: String) {
        buffer.append(text)
        flushWhereFull()
    }

    /// Appends bytes without change.
    func append(_ bytes: [UInt8]) {
        buffer.append(bytes)
        flushWhereFull()
    }

    /// The offset of the bytes that are appended next.
    func position() throws -> UInt64 {
        try flush()
        return file.size
    }

    /// Runs a closure that appends.
    /// - Returns: the number of the appended bytes, and their CRC-32.
    func measure(_ write: () throws -> Void) throws -> (size: UInt64, checksum: UInt32) {
        let start = try position()
        file.restartChecksum()
        try write()
        return (try position() - start, file.checksum)
    }

    /// Replaces bytes that were appended before.
    func overwrite(_ bytes: [UInt8], at offset: UInt64) throws {
        try flush()
        try file.overwrite(bytes, at: offset)
    }

    /// Appends a whole number in decimal digits.
    func append(_ number: Int64) {
        buffer.append(number)
        flushWhereFull()
    }

    /// Appends a JSON string, in quotation marks.
    func append(quoted text: String) {
        let isPlain = text.utf8.allSatisfy {
            $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        guard isPlain else { return append(JSON.text(text).description) }
        buffer.append(UInt8(ascii: "\""))
        buffer.append(text)
        buffer.append(UInt8(ascii: "\""))
        flushWhereFull()
    }

    private func flushWhereFull() {
        guard buffer.count >= 64 << 10 else { return }
        do { try flush() } catch { failure = failure ?? error }
    }

    /// Completes the output.
    /// - Throws: the error of this or an earlier write.
    func end() throws -> SpoolFile {
        try flush()
        return file
    }

    private func flush() throws {
        if let failure { throw failure }
        let (memory, count) = buffer.release()
        buffer = ByteBuffer(capacity: 80 << 10)
        try hasRoom(count)
        try file.write(OwnedMemory(memory, count: count))
    }
}
