// Files that the cloud is believed to have: it is asked which files it lacks, regularly by the uploads of a device, and
// once more before the device removes its own files.

public import Book
import CloudProtocol
public import Ledger
import SyncEngine

extension UploadRunner {
    /// The files of a book, as sync reports them, so that it is not opened once more for that.
    struct FilesOfBook {
        /// Whether there are files to send.
        var hasWaiting = false
        /// Whether there are receipts, whose files the cloud may have, may have lost, or may get from other devices.
        var hasReceipts = false
        /// Whether rows of receipts have arrived.
        var hasArrived = false
    }
}

extension Device {
    /// Asks the cloud which files it lacks, before this device removes its own, and has it read the files that both
    /// have, so that it finds out which of them its disk has damaged. Missing and damaged files are sent again. If the
    /// cloud does not answer in time, what is known until then counts: a device can sign out without a network.
    public func checkFilesBeforeLeaving() async {
        let (pause, limit) = (services.dependencies.pause, services.leavingCheckMilliseconds)
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
        guard try await withBook({ book throws(BookError) in try book.hasUploadedReceiptFiles() }) else {
            return
        }
        try await checkMissing(token)
        // After that, because it may take longer than there is time.
        if try await checkUploaded(token) { try await checkMissing(token) }
    }

    private func checkMissing(_ token: SessionToken) async throws {
        var page = MissingFiles([], isComplete: false)
        while !page.isComplete {
            page = try await services.cloud.missingFiles(after: page.keys.last, token)
            let keys = page.keys
            try await withBook { book throws(BookError) in try doubt(keys, in: book) }
        }
    }

    /// The number of files that the cloud is asked to read before this device removes its own. A sign-out does not wait for
    /// more.
    private static let mostReadInCloud = 2_000
    /// The number of these questions under way. The embedded cloud reads on the threads of this process.
    private static let readsAtOnce = 2

    /// Has the cloud read the files that it and this device have, unless it did within the last day.
    /// - Returns: whether the answer to a question did not tell whether the file is there.
    private func checkUploaded(_ token: SessionToken) async throws -> Bool {
        let files = try await withBook { book throws(BookError) in
            try book.receiptFilesInBoth(limit: Self.mostReadInCloud)
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for lane in 0..<Self.readsAtOnce {
                group.addTask { [self] in
                    var isUnclear = false
                    for index in stride(from: lane, to: files.count, by: Self.readsAtOnce) {
                        try Task.checkCancellation()
                        guard let key = FileKey(files[index].sha256) else { continue }
                        switch await isInCloud(key, files[index].size, token) {
                        case .success(true): break
                        case .success(false):
                            try await withBook { book throws(BookError) in try doubt([key], in: book) }
                        // There may be no room for another one, or another request writes to it.
                        case .failure(.file(.quotaExceeded)), .failure(.busy), .failure(.file(.fileTooLarge)):
                            isUnclear = true
                        case .failure(let error): throw error
                        }
                    }
                    return isUnclear
                }
            }
            return try await group.reduce(false) { $0 || $1 }
        }
    }

    private func isInCloud(_ key: FileKey, _ size: Int64, _ token: SessionToken) async -> Result<
        Bool, CloudError
    > {
        do throws(CloudError) {
            return .success(try await services.cloud.put(FilePart(key, total: size), token).isComplete)
        } catch { return .failure(error) }
    }

    /// The files that are neither on this device nor in the cloud, by its last answer: another device has to send them,
    /// or they are lost. A file that this device has lost is among them until the cloud has said that it has the file.
    /// The files of deleted transactions are not.
    public func absentFiles(in book: Book) throws(BookError) -> AbsentReceiptFiles {
        let files = machine { $0.filesElsewhere }
        return try book.absentReceiptFiles(
            version: files.version,
            missingFromCloud: { files.missingFromCloud },
            isInCloud: { files.isInCloud($0) }
        )
    }

    /// The numbers of `absentFiles`.
    func countAbsentFiles(in book: Book) throws(BookError) -> AbsentFiles {
        let absent = try absentFiles(in: book)
        let (files, now) = (machine { $0.filesElsewhere }, services.dependencies.now)
        let expected = absent.elsewhere.count { files.isExpected($0, at: now) }
        return AbsentFiles(
            expected: expected,
            overdue: absent.elsewhere.count - expected,
            lost: absent.lost.count
        )
    }

    /// The files of receipts as pages show them: with the cloud's answer about the files that are not on this device.
    /// The cloud is asked again if it lacks a file that is shown.
    public func locate(_ receipts: [ShownReceipt]) -> [ShownReceipt] {
        let files = machine { $0.filesElsewhere }
        let located = receipts.map { shown in
            ShownReceipt(
                shown.receipt,
                file: shown.file,
                isInCloud: shown.isOnDevice ? nil : files.isInCloud(shown.receipt.sha256)
            )
        }
        if located.contains(where: { $0.isInCloud == false }) { runner?.noteFilesViewed() }
        return located
    }

    /// Notes a page of the cloud's answer which files it lacks, and has pages show it.
    func note(missing files: MissingFiles) {
        let now = services.dependencies.now
        let isNew = machine { machine in
            let before = machine.filesElsewhere.version
            machine.filesElsewhere.note(files, at: now)
            return machine.filesElsewhere.version != before
        }
        if isNew { notify(.status) }
    }

    /// Notes that the cloud did not have a file when it was to be fetched, and has pages show it.
    func noteAbsence(of sha256: String) {
        let now = services.dependencies.now
        let isNew = machine { machine in
            let before = machine.filesElsewhere.version
            machine.filesElsewhere.noteAbsence(of: sha256, at: now)
            return machine.filesElsewhere.version != before
        }
        if isNew { notify(.status) }
    }

    /// Notes that a file which this device has added is not here any more. The cloud is asked whether it has the file.
    public func noteMissing(_ sha256: String, in book: Book) throws(BookError) {
        try book.noteLoss(ofReceiptFile: sha256)
        // A question that is under way does not ask for it.
        runner?.noteFilesAwaited()
    }

    /// Notes that a file which this device has added is neither here any more nor in the cloud. Another device may have it.
    public func noteLoss(of sha256: String, in book: Book) throws(BookError) {
        noteAbsence(of: sha256)
        try noteMissing(sha256, in: book)
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
