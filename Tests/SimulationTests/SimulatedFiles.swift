// The bytes of receipts: files beside the books, the machine that sends them after the operations, and a line that loses,
// cuts, damages and repeats their parts.
import CloudProtocol
import FileStore
import Foundation
import Ledger
import SyncCore
import SyncEngine
import TestKit

@testable import Book
@testable import Cloud

/// The uploads of one run of a device's sync, with the machine that the product runs.
final class SimulatedUploader {
    let device: SimulatedDevice
    let token: SessionToken
    private weak var runner: SimulatedRunner?
    var machine: UploadMachine
    var wakesAt: Int64?
    var isOver = false
    /// Whether sync or a change of the book has said that there may be files.
    var mayLook = false
    /// Whether the cloud has not answered since the start, or since it was last away.
    var isConnecting = true

    init(_ runner: SimulatedRunner, _ machine: UploadMachine) {
        self.runner = runner
        (device, token) = (runner.device, runner.token)
        self.machine = machine
    }

    var isStopped: Bool { isOver || runner?.isStopped ?? true }
}

/// The contents of the files of all receipts. They are few, so that devices add the same ones.
struct SimulatedContents {
    let hashes: [ContentHash]
    private let bytes: [ContentHash: [UInt8]]

    init(_ random: inout SplitMix) {
        let all = (0..<6).map { _ in
            (0..<Int.random(in: 1...450, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
        }
        hashes = all.map { ContentHash(of: $0) }
        bytes = Dictionary(zip(hashes, all), uniquingKeysWith: { first, _ in first })
    }

    subscript(_ hash: ContentHash) -> [UInt8] { bytes[hash] ?? [] }
}

extension SimulatedDevice {
    var files: FileFolder { FileFolder(besides: path) }

    func hasSound(_ hash: ContentHash) -> Bool { files.open(hash)?.hash() == hash }
}

extension World {
    /// Small, so that most files have several.
    static let partBytes = 100

    /// The files of the cloud. It is made anew for each use, because a cloud may be opened again at any time.
    var files: FileService { FileService(directory) }

    func fileChance(_ one: Int, in many: Int) -> Bool { Int.random(in: 0..<many, using: &fileRandom) < one }

    // MARK: - Files of devices

    /// Writes the file of a receipt that is being added. The process may die between the file and its row.
    func place(_ hash: ContentHash, on device: SimulatedDevice) throws {
        let file = try IncomingFile(in: folder)
        try file.write(contents[hash][...])
        try file.synchronize()
        try device.files.place(file)
        guard !isHealing, fileChance(1, in: 12) else { return }
        count("death before the row of a file")
        throw SimulatedFailure.died
    }

    /// Removes files that no receipt needs, as the server does when it opens a book and after it has shortened a history.
    /// - Returns: whether the process died half-way.
    @discardableResult
    func collectFiles(of device: SimulatedDevice, mayDie: Bool = true) throws -> Bool {
        guard device.life != .gone, !device.isFull else { return false }
        let (folder, book) = (device.files, device.book)
        let present = folder.contents().map(\.description)
        if mayDie, fileChance(1, in: 6) {
            count("death during a collection of files")
            let unneeded = try book.reading { db in try present.filter { try !db.needsFile($0) } }
            let removed = unneeded.prefix(1).compactMap { ContentHash($0) }
            for hash in removed { folder.remove(hash) }
            try noteLostBesideDamage(removed, of: device.account)
            die(device)
            return true
        }
        let removed = try book.collectReceiptFiles {
            try folder.list().map(\.description)
        } remove: { name in
            if let hash = ContentHash(name) { folder.remove(hash) }
        }
        try noteLostBesideDamage(fileHashes(removed), of: device.account)
        if bug == .collectsFilesOfLiveReceipts, let hash = folder.contents().min(by: { "\($0)" < "\($1)" }) {
            folder.remove(hash)
        }
        return false
    }

    /// A receipt is looked at on a device that does not have its file, or on which it is damaged.
    func fetchFile(on device: SimulatedDevice) throws {
        guard device.isOnline, isCloudUp, !device.isFull, !device.isClosed else { return }
        let missing = fileHashes(try device.book.fileReferences()).filter { !device.hasSound($0) }
        guard let hash = missing.randomElement(using: &fileRandom) else { return }
        try open(hash, on: device)
    }

    func open(_ hash: ContentHash, on device: SimulatedDevice) throws {
        let isDamaged = device.files.size(of: hash) != nil
        guard let bytes = try fetched(hash, of: device.account) else {
            if isDamaged { try device.book.noteDamage(ofReceiptFile: "\(hash)") }
            return
        }
        count(isDamaged ? "damaged file that is fetched again" : "fetched file")
        let file = try IncomingFile(in: folder)
        try file.write(bytes[...])
        try file.synchronize()
        let folder = device.files
        var unnoted: [ContentHash] = []
        // The real limit is greater than all of these contents.
        _ = try device.book.cacheReceiptFile("\(hash)", size: Int64(bytes.count), limit: 500) {
            do throws(FileStoreError) { try folder.place(file) } catch { throw BookError.failed("\(error)") }
        } removing: { name in
            guard let other = ContentHash(name) else { return }
            folder.remove(other)
            unnoted.append(other)
        }
        // It may have been the last one, if the cloud has lost its own since the last question.
        try noteLost(unnoted, of: device.account)
        guard device.files.size(of: hash) == nil || device.hasSound(hash) else {
            throw Violation(description: "20: device \(device.number) still has a damaged file \(hash)")
        }
    }

    func fileHashes(_ names: [String]) -> [ContentHash] { names.compactMap { ContentHash($0) } }

    /// The content of a file in the cloud, read range by range; nil if the cloud does not have it.
    func fetched(_ hash: ContentHash, of account: Int) throws -> [UInt8]? {
        guard let key = FileKey("\(hash)") else { return nil }
        let size = contents[hash].count
        var bytes: [UInt8] = []
        while bytes.count < size {
            let range = FileRange(key, offset: Int64(bytes.count), count: Self.partBytes)
            do throws(CloudError) { bytes += try files.bytes(range, of: users[account].id) } catch {
                guard error == .file(.noSuchFile) else { throw error }
                return nil
            }
        }
        guard bytes == contents[hash] else {
            throw Violation(description: "20: the cloud has another content under \(hash)")
        }
        return bytes
    }

    // MARK: - Uploads

    func makeUploader(_ runner: SimulatedRunner) {
        let machine = UploadMachine(partBytes: Self.partBytes, random: SplitMix(seed: fileRandom.next()))
        runner.uploader = SimulatedUploader(runner, machine)
    }

    /// Passes on the status of sync, as the server does.
    func note(_ status: SyncStatus, of runner: SimulatedRunner) throws {
        guard let uploader = runner.uploader else { return }
        let isIdle = status.phase == .idle
        if isIdle, !runner.device.isClosed, try runner.device.book.unsentReceiptFiles().waiting > 0 {
            try drive(uploader, .hurry)
        }
        let isDone = isIdle || status.phase == .failed(.refusedChanges)
        switch status.phase {
        case .connecting, .offline: uploader.isConnecting = true
        default: break
        }
        if isDone, !runner.device.isClosed, try runner.device.book.hasReceipts() {
            let hasReceived = runner.device.store.hasReceived
            let isBack = uploader.isConnecting
            (runner.device.store.hasReceived, uploader.isConnecting) = (false, false)
            if isBack || hasReceived {
                uploader.mayLook = true
                try drive(uploader, isBack ? .connected : .awaited)
            }
        }
        try drive(uploader, .operations(pending: isDone ? status.pending : max(1, status.pending)))
    }

    func drive(_ uploader: SimulatedUploader, _ event: UploadMachine.Event? = nil) throws {
        let device = uploader.device
        guard !uploader.isStopped, device.life == .running || device.life == .draining else { return }
        switch event {
        case .hurry, .retry: uploader.mayLook = true
        default: break
        }
        if let event { uploader.machine.handle(event, at: milliseconds) }
        guard uploader.mayLook else { return }
        while !uploader.isStopped, let effect = uploader.machine.next(at: milliseconds) {
            guard let answer = try perform(effect, uploader) else { continue }
            uploader.machine.handle(answer, at: milliseconds)
        }
        guard let time = uploader.machine.wakeAt, time != uploader.wakesAt else { return }
        uploader.wakesAt = time
        agenda.add(at: max(time, milliseconds + 1)) { [unowned self] in
            guard uploader.wakesAt == time else { return }
            uploader.wakesAt = nil
            try drive(uploader)
        }
    }

    /// - Returns: the event that answers the effect; nil if it has no answer yet.
    private func perform(_ effect: UploadMachine.Effect, _ uploader: SimulatedUploader) throws
        -> UploadMachine.Event?
    {
        let device = uploader.device
        switch effect {
        case .look:
            guard !device.isClosed else { return .unavailable }
            let waiting = try device.book.receiptFilesOnlyHere(limit: 10).first { $0.status != .failed }
            return .found(
                waiting.flatMap { file in
                    FileKey(file.sha256).map { UploadMachine.File($0, size: file.size) }
                }
            )
        case .check(let after, let number):
            guard !device.isClosed else { return .unavailable }
            try check(after, number, uploader)
        case .doubt(let keys):
            // The question would mend the other fault as well.
            guard bug != .believesUploadsForEver, bug != .takesACutFileForWhole else { return nil }
            guard !device.isClosed else { return .unavailable }
            do throws(BookError) { try device.book.doubtUploads(of: keys.map(\.description)) } catch {
                guard device.isFull, error == .diskFull else { throw error }
                // The next question finds them again.
                return .unavailable
            }
        case .ask(let file, let number):
            guard !device.isClosed else { return .unavailable }
            guard try areOperationsSent(device) else { return .postponed }
            send(FilePart(file.key, total: file.size), number, uploader)
        case .send(let file, let offset, let count, let number):
            guard !device.isClosed else { return .unavailable }
            guard try areOperationsSent(device) else { return .postponed }
            guard let hash = ContentHash(file.key.description), let stored = device.files.open(hash) else {
                return .unreadable
            }
            guard stored.hash() == hash || bug == .sendsDamagedFiles else { return .damaged }
            let bytes = stored.bytes(at: Int(offset), count: count)
            guard bytes.count == count else { return .unreadable }
            send(FilePart(file.key, total: file.size, offset: offset, bytes: bytes), number, uploader)
        case .record(let key, let outcome):
            guard !device.isClosed else { return .unavailable }
            do throws(BookError) { try record(outcome, of: key.description, in: device.book) } catch {
                guard device.isFull, error == .diskFull else { throw error }
                // The machine looks at the file again.
                return .unavailable
            }
        case .end: uploader.isOver = true
        }
        return nil
    }

    private func areOperationsSent(_ device: SimulatedDevice) throws -> Bool {
        try device.book.replicaState().pending == 0
    }

    private func record(_ outcome: UploadMachine.Outcome, of sha256: String, in book: Book) throws(BookError)
    {
        switch outcome {
        case .sent(let bytes, wasRead: false): try book.noteArrived(bytes, ofReceiptFile: sha256)
        case .sent(let bytes, wasRead: true): try book.setReceiptFile(sha256, .uploading, sent: bytes)
        case .uploaded: try book.setReceiptFile(sha256, .uploaded)
        case .unsupported:
            try book.setReceiptFile(sha256, .localOnly, failure: UploadFailure.notSupported.code)
        case .failed(let failure): try book.setReceiptFile(sha256, .failed, failure: failure.code)
        }
    }

    // MARK: - Questions and parts on their way

    private func check(_ after: FileKey?, _ number: Int, _ uploader: SimulatedUploader) throws {
        let (device, isLost) = (uploader.device, !isHealing && fileChance(1, in: 6))
        if after == nil { device.filesElsewhere.begin(try device.book.receiptHashesElsewhere()) }
        fileLater(1...100) { [unowned self] in
            guard !uploader.isStopped else { return }
            var result: Result<MissingFiles, CloudError> = .failure(.unreachable("lost"))
            if device.isOnline, isCloudUp, !isLost {
                do throws(CloudError) {
                    result = .success(try missingFiles(after: after, uploader.token))
                } catch {
                    result = .failure(error)
                }
            }
            if case .success(let files) = result {
                let isFaulty = bug == .takesRowsForFiles
                let answer = isFaulty ? MissingFiles([], isComplete: files.isComplete) : files
                device.filesElsewhere.note(answer, at: clock.now)
            }
            let isExpecting = device.filesElsewhere.isExpecting
            // The rule comes last: a cloud without room cannot say its head, and the answer would be lost with that.
            try drive(uploader, .missing(result, to: number, isExpecting: isExpecting))
            if case .success = result { try checkElsewhere(device) }
        }
    }

    /// 20: what a device takes to be in the cloud has arrived there.
    private func checkElsewhere(_ device: SimulatedDevice) throws {
        // A row of which the cloud knows nothing, or nothing any more, is not named either until the device is in step.
        let (state, head) = (try device.book.replicaState(), try service.head(token(device.account)).head)
        guard state.epoch == head.epoch, state.cursor == head.seq, state.pending == 0, state.download == nil,
            try !device.walks()
        else { return }
        for name in try device.book.receiptHashesElsewhere()
        where device.filesElsewhere.isInCloud(name) == true {
            guard let hash = ContentHash(name), arrivedFiles[device.account]?.contains(hash) == true else {
                throw Violation(description: "20: device \(device.number) says that \(name) is in the cloud")
            }
            count("file that is known to be in the cloud")
        }
    }

    /// Answers in small pages.
    func missingFiles(after: FileKey?, _ token: SessionToken) throws(CloudError) -> MissingFiles {
        var answer = try files.missing(after: after, of: try directory.user(token).id)
        if answer.keys.count > 2 { answer = MissingFiles(Array(answer.keys.prefix(2)), isComplete: false) }
        return answer
    }

    private func send(_ part: FilePart, _ number: Int, _ uploader: SimulatedUploader) {
        let device = uploader.device
        func answer(_ result: Result<FileProgress, CloudError>, within delay: ClosedRange<Int64> = 1...100) {
            fileLater(delay) { [unowned self] in
                try drive(
                    uploader,
                    .answer(device.isOnline ? result : .failure(.unreachable("cut")), to: number)
                )
            }
        }
        func arrive(_ part: FilePart) -> Result<FileProgress, CloudError> {
            self.arrive(part, uploader)
        }
        guard device.isOnline, isCloudUp else { return answer(.failure(.unreachable("cut"))) }
        switch isHealing ? 99 : Int.random(in: 0..<24, using: &fileRandom) {
        case 0, 1:
            count("lost part")
            answer(.failure(.unreachable("lost")))
        case 2, 3:
            count("lost answer to a part")
            _ = arrive(part)
            answer(.failure(.timedOut("silent")), within: Self.silence...Self.silence)
        case 4 where part.bytes.count > 1, 5 where part.bytes.count > 1:
            count("cut part")
            var cut = part
            cut.bytes = Array(part.bytes.prefix(Int.random(in: 1..<part.bytes.count, using: &fileRandom)))
            let result = arrive(cut)
            guard bug == .takesACutFileForWhole, part.offset + Int64(part.bytes.count) == part.total else {
                return answer(.failure(.unreachable("cut")))
            }
            answer(result.map { _ in FileProgress(received: part.total, isComplete: true) })
        case 6 where !part.bytes.isEmpty:
            count("damaged part")
            var damaged = part
            damaged.bytes[0] ^= 1
            _ = arrive(damaged)
            answer(.failure(.unreachable("damaged")))
        case 7:
            count("repeated part")
            _ = arrive(part)
            answer(arrive(part))
        case 8, 9, 10:
            count("late part")
            answer(arrive(part))
            fileLater(500...60_000) { [unowned self] in _ = self.arrive(part, uploader) }
        case 11:
            count("busy cloud")
            answer(.failure(.busy(retryAfterSeconds: Int64.random(in: 1...3, using: &fileRandom))))
        case 12:
            count("death after a part")
            _ = arrive(part)
            die(device)
        default: answer(arrive(part))
        }
    }

    /// A part is at the cloud.
    private func arrive(_ part: FilePart, _ uploader: SimulatedUploader) -> Result<FileProgress, CloudError> {
        guard isCloudUp else { return .failure(.unreachable("away")) }
        do throws(CloudError) {
            let user = try directory.user(uploader.token).id
            guard isPremium[uploader.device.account] else { throw .subscriptionRequired(drainUntil: nil) }
            let progress = try files.put(part, of: user)
            if progress.isComplete, let hash = ContentHash(part.key.description) {
                arrivedFiles[uploader.device.account, default: []].insert(hash)
            }
            return .success(progress)
        } catch { return .failure(error) }
    }

    private func fileLater(_ delay: ClosedRange<Int64>, _ work: @escaping Agenda.Work) {
        agenda.add(at: milliseconds + Int64.random(in: isHealing ? 1...10 : delay, using: &fileRandom), work)
    }
}

extension Book {
    /// The hashes of the files to which live receipts of live transactions refer, in order.
    func fileReferences() throws -> [String] {
        try reading { db in
            let sql = """
                SELECT DISTINCT r.sha256 FROM receipts r
                JOIN transactions t ON t.id = r.transaction_id AND t.deleted_at IS NULL
                WHERE r.deleted_at IS NULL ORDER BY 1
                """
            return try db.all(sql) { $0.text(0) }
        }
    }
}
