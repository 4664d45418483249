// Files that the cloud is believed to have: it is asked for those that it lacks, regularly by the uploads of a device, and
// once more before the device removes its own.

import Book
import CloudProtocol
import Ledger

extension UploadRunner {
    /// The files of a book, as sync reports them, so that it is not opened once more for that.
    struct FilesOfBook {
        /// Whether there are files to send.
        var hasWaiting = false
        /// Whether there are files that the cloud had, and may have lost.
        var hasUploaded = false
    }
}

extension Device {
    /// Asks the cloud which files it lacks, before this device removes its own, and has those sent again that it has. If
    /// the cloud does not answer in time, what is known from before counts: a device can sign out without a network.
    public func checkFiles(withinMilliseconds limit: Int64) async {
        let pause = services.dependencies.pause
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                do { try await checkFiles() } catch {
                    services.dependencies.log.warning("files: not compared: \(error) (device \(id))")
                }
            }
            group.addTask { await pause(limit) }
            await group.next()
            group.cancelAll()
        }
    }

    private func checkFiles() async throws {
        guard let session, session.isAttached, !session.isRevoked, let token = session.token else { return }
        guard try await withLease({ book throws(BookError) in try book.hasUploadedReceiptFiles() }) else {
            return
        }
        var page = MissingFiles([], isComplete: false)
        while !page.isComplete {
            page = try await services.cloud.missingFiles(after: page.keys.last, token)
            let keys = page.keys
            try await withLease { book throws(BookError) in try doubt(keys, in: book) }
        }
    }

    /// Uses the book for a moment. No lease is held while the cloud is asked: others may wait for exclusive use of the book.
    func withLease<Value>(_ body: (Book) throws(BookError) -> Value) async throws(DevicesError)
        -> Value
    {
        let lease = try await lease()
        defer { lease.giveBack() }
        return try wrapping { () throws(BookError) in try body(lease.book) }
    }

    /// Has files of this device sent again that the cloud lacks.
    func doubt(_ keys: [FileKey], in book: Book) throws(BookError) {
        let count = try book.doubtUploads(of: keys.map(\.description))
        guard count > 0 else { return }
        services.dependencies.log.warning(
            "files: the cloud lacks \(count) that were sent, and gets them again (device \(id))"
        )
        notify(.status)
        runner?.hurry()
    }
}
