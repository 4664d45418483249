// How a book leaves the server: written to a file beside the requests, one for a device at a time, and sent from there.

import Book
import Devices
import Encoding
import HTTPServer
import Templates

enum Export {
    /// Makes a download while the connection rests: no worker and little memory are taken up by it, however long the book
    /// is and however slowly it is read.
    static func answer(
        _ context: RequestContext,
        _ type: String,
        _ name: String,
        _ write: @escaping @Sendable (Book, Site, ExportWriter) throws -> Void
    ) throws -> Response {
        let (device, site) = (try context.knownDevice(), context.site)
        // It must have a book to show.
        _ = try context.book()
        guard let turn = device.exportTurn() else { throw Refusal.exportUnderWay }
        return context.later { () async -> Result<SpoolFile, any Error> in
            do {
                let lease = try await device.lease()
                defer { lease.giveBack() }
                let writer = try ExportWriter()
                try write(lease.book, site, writer)
                return .success(try writer.end())
            } catch { return .failure(error) }
        } then: { _, result in
            // Whoever hangs up before this leaves a file that goes away with what holds it.
            var response = Response(
                .ok,
                headers: [
                    ("Content-Type", type), ("Content-Disposition", "attachment; filename=\"\(name)\""),
                ],
                body: try result.get().body()
            )
            response.owner = turn
            return response
        }
    }
}

/// The output of an export: some of it in memory, the rest in a file that has no name. It belongs to one task at a time.
final class ExportWriter {
    private var buffer = ByteBuffer(capacity: 80 << 10)
    private let file: SpoolFile
    private var failure: (any Error)?

    init() throws { file = try SpoolFile() }

    /// Adds text as it is.
    func append(_ text: String) {
        buffer.append(text)
        flushWhereFull()
    }

    /// Adds a whole number in decimal digits.
    func append(_ number: Int64) {
        buffer.append(number)
        flushWhereFull()
    }

    /// Adds a text of JSON, in quotation marks.
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

    /// The whole.
    /// - Throws: what the last writing or an earlier one failed with.
    func end() throws -> SpoolFile {
        try flush()
        return file
    }

    private func flush() throws {
        if let failure { throw failure }
        let (memory, count) = buffer.release()
        buffer = ByteBuffer(capacity: 80 << 10)
        try file.write(OwnedMemory(memory, count: count))
    }
}
