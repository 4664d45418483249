// Runs a device's upload machine beside its sync: reads parts of files, sends them to the cloud, and stores the progress.

import Book
import CloudProtocol
import FileStore
import Ledger
import SyncEngine
import Synchronization

/// The running uploads of one device. It lives as long as the run of sync that it belongs to, so that it stops with the
/// end of a session, with sync and with the book.
///
/// One task owns the machine and performs its effects one after the other, so that a device sends one part at a time.
final class UploadRunner: Sendable {
    private let device: Device
    /// The number of the run of sync.
    private let run: Int
    private let inbox = Mutex(Inbox())
    private let wakes: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    private struct Inbox {
        var events: [UploadMachine.Event] = []
        var hasSlept = false
        var isStopped = false
        var task: Task<Void, Never>?
        /// Resumed when no file waits any more, or when the runner stops.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isFinishing = false
        /// Whether the cloud has not answered since the start, or since it was last away.
        var isConnecting = true
        /// The error of the last request; nil after an answer.
        var lastError: CloudError?
    }

    init(_ device: Device, run: Int) {
        self.device = device
        self.run = run
        (wakes, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts the task. Nothing is sent before the first status of sync.
    func start() {
        let task = device.services.tasks.run { [self] in
            await work()
            release()
        }
        let isStopped = inbox.withLock { inbox in
            inbox.task = task
            return inbox.isStopped
        }
        if isStopped || task == nil { stop() }
    }

    /// Ends the uploads. The cloud has what has arrived, and the next run continues there.
    func stop() {
        let task = inbox.withLock { inbox in
            inbox.isStopped = true
            return inbox.task
        }
        task?.cancel()
        if task == nil { release() }
    }

    /// Looks for files at once, because the book was changed.
    func hurry() { post(.hurry) }

    /// Asks the cloud soon for the files that other devices are to send, because a page shows one of them.
    func noteFilesViewed() { post(.looked) }

    /// Asks the cloud again, because it lacked a file that another device is to send.
    func noteFilesAwaited() { post(.awaited) }

    /// As `hurry`, because the user asked for another attempt.
    func retry() { post(.retry) }

    /// Passes on the status of sync. Files wait until the operations are sent and the rows have arrived.
    /// - Parameter files: the files of the book, which is open for sync at this time.
    func note(_ status: SyncStatus, files: FilesOfBook) {
        if files.hasWaiting { post(.hurry) }
        switch status.phase {
        case .idle, .failed(.refusedChanges):
            post(.operations(pending: status.pending))
            guard files.hasReceipts else { break }
            let isBack = inbox.withLock { inbox in
                defer { inbox.isConnecting = false }
                return inbox.isConnecting
            }
            if isBack { post(.connected) } else if files.hasArrived { post(.awaited) }
        case .connecting, .offline:
            inbox.withLock { $0.isConnecting = true }
            post(.operations(pending: max(1, status.pending)))
        case .downloading, .uploading, .failed: post(.operations(pending: max(1, status.pending)))
        }
    }

    /// Sends the files that wait after the last operation was sent, and returns when none is left to send or the runner
    /// was stopped. It may be called before `start`: sync can be over before the thread that has started it starts the
    /// uploads.
    func finish() async {
        inbox.withLock { inbox in
            inbox.events += [.operations(pending: 0), .retry]
            inbox.isFinishing = true
        }
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let isOver = inbox.withLock { inbox in
                guard !inbox.isStopped else { return true }
                inbox.waiting.append(done)
                return false
            }
            if isOver { done.resume() } else { wakeUp.yield() }
        }
    }

    private func release() {
        let waiting = inbox.withLock { inbox in
            defer { inbox.waiting = [] }
            inbox.isStopped = true
            return inbox.waiting
        }
        for one in waiting { one.resume() }
    }

    private func post(_ event: UploadMachine.Event) {
        inbox.withLock { $0.events.append(event) }
        wakeUp.yield()
    }

    /// Whether the last request got no answer.
    var isCloudAway: Bool {
        switch inbox.withLock({ $0.lastError }) {
        case .unreachable, .timedOut, .cutOff, .failed: true
        default: false
        }
    }

    private var isStopped: Bool { inbox.withLock { $0.isStopped } }

    /// Whether the last operation of sync was sent, so that sync ends after the files that wait.
    var isFinishing: Bool { inbox.withLock { $0.isFinishing } }

    // MARK: - The loop

    private func work() async {
        let dependencies = device.services.dependencies
        var machine = UploadMachine(random: SystemRandomNumberGenerator())
        var wake = wakes.makeAsyncIterator()
        var time = MonotonicTime(dependencies.milliseconds())
        var mayLook = false
        var stall = Stall()
        while !Task.isCancelled, !isStopped {
            let (events, hasSlept) = inbox.withLock { inbox in
                defer { (inbox.events, inbox.hasSlept) = ([], false) }
                return (inbox.events, inbox.hasSlept)
            }
            time.pass(dependencies.milliseconds(), hasSlept: hasSlept)
            for event in events { machine.handle(event, at: time.now) }
            // Sync says whether there are files. A book is not opened once more for that.
            mayLook = mayLook || events.contains(where: \.causesLook)
            guard mayLook else {
                await wake.next()
                continue
            }
            if let effect = machine.next(at: time.now) {
                if case .end = effect { return }
                guard let event = await perform(effect) else { continue }
                time.pass(dependencies.milliseconds(), hasSlept: false)
                machine.handle(event, at: time.now)
                stall.note(event, steps: machine.steps, at: time.now)
                // The time in which the cloud accepts files after the end of premium is over, or it never took any.
                if event.isFinal, isFinishing { return }
                continue
            }
            let isFinishing = isFinishing
            if !machine.isBusy, isFinishing { return }
            if isFinishing, stall.isReached(at: time.now) { device.post(.drainStalled(run: run)) }
            // A pause that the cloud has asked for does not delay the question whether to wait.
            if let instant = [machine.wakeAt, isFinishing ? stall.endsAt : nil].compactMap({ $0 }).min() {
                let pause = time.sleep(until: instant)
                guard pause > 0 else { continue }
                await wake.next(within: pause, device.services.dependencies.pause) { [self] in
                    inbox.withLock { $0.hasSlept = true }
                    wakeUp.yield()
                }
            } else {
                await wake.next()
            }
        }
    }

    /// The time in which the cloud takes nothing, after which the user is asked whether to wait any longer. It also ends
    /// during a pause that the cloud has asked for, which may take an hour.
    private struct Stall {
        private static let milliseconds: Int64 = 30_000
        /// The end of the time; nil after a part that was taken.
        private(set) var endsAt: Int64?
        private var steps = 0

        /// - Parameter steps: the machine's steps after the event.
        mutating func note(_ event: UploadMachine.Event, steps: Int, at now: Int64) {
            guard case .answer = event else { return }
            // A cloud may answer questions, and take no parts.
            endsAt = steps == self.steps ? endsAt ?? now + Self.milliseconds : nil
            self.steps = steps
        }

        /// Whether the time has ended. It begins anew then.
        mutating func isReached(at now: Int64) -> Bool {
            guard let endsAt, now >= endsAt else { return false }
            self.endsAt = now + Self.milliseconds
            return true
        }
    }

    /// - Returns: the event that answers the effect; nil if it has no answer.
    private func perform(_ effect: UploadMachine.Effect) async -> UploadMachine.Event? {
        switch effect {
        case .look:
            let found = await withBookUnlessStopped { book throws(BookError) in
                try Self.firstWaiting(in: book)
            }
            return found.map { .found($0) } ?? .unavailable
        case .check(let after, let number): return await check(after, number)
        case .doubt(let keys):
            let isNoted: Void? = await withBookUnlessStopped { book throws(BookError) in
                try device.doubt(keys, in: book)
            }
            return isNoted == nil ? .unavailable : nil
        case .ask(let file, let number):
            if let reason = await reasonToWait() { return reason }
            return .answer(await put(FilePart(file.key, total: file.size)), to: number)
        case .send(let file, let offset, let count, let number):
            if let reason = await reasonToWait() { return reason }
            guard let hash = ContentHash(file.key.description) else { return .unreadable }
            let stored: StoredFile?
            // A process may have too many open files for a moment.
            do throws(FileStoreError) { stored = try device.files.file(hash) } catch { return .unavailable }
            guard let stored else { return .unreadable }
            let sound = device.services.soundFiles
            guard sound.isSound(stored, hash, at: device.services.dependencies.now) else { return .damaged }
            guard stored.size == Int(file.size) else { return .unreadable }
            let bytes = stored.bytes(at: Int(offset), count: count)
            guard bytes.count == count else { return .damaged }
            let answer = await put(FilePart(file.key, total: file.size, offset: offset, bytes: bytes))
            // Perhaps the disk has damaged it since it was read.
            if case .failure(.file(.wrongContent)) = answer { sound.forget(stored) }
            return .answer(answer, to: number)
        case .record(let key, let outcome):
            return await record(key, outcome) ? nil : .unavailable
        case .end: return nil
        }
    }

    /// Asks which files the cloud lacks.
    private func check(_ after: FileKey?, _ number: Int) async -> UploadMachine.Event {
        if after == nil {
            let hashes = await withBookUnlessStopped { book throws(BookError) in
                try book.receiptHashesElsewhere()
            }
            guard let hashes else { return .unavailable }
            device.machine { $0.filesElsewhere.begin(hashes) }
        }
        let answer = await request { cloud, token throws(CloudError) in
            try await cloud.missingFiles(after: after, token)
        }
        if case .success(let files) = answer { device.note(missing: files) }
        return .missing(answer, to: number, isExpecting: device.machine { $0.filesElsewhere.isExpecting })
    }

    /// The event that postpones a request; nil if the book has no operation that waits. The status of sync comes later than
    /// a change of the book, and the row of a file precedes its bytes. After the last operation of sync, a new one stays on
    /// the device: no status would say that it was sent.
    private func reasonToWait() async -> UploadMachine.Event? {
        if isFinishing { return nil }
        switch await withBookUnlessStopped({ book throws(BookError) in try book.replicaState().pending }) {
        case nil: return .unavailable
        case 0: return nil
        default: return .postponed
        }
    }

    private func put(_ part: FilePart) async -> Result<FileProgress, CloudError> {
        await request { cloud, token throws(CloudError) in try await cloud.put(part, token) }
    }

    private func request<Value: Sendable>(
        _ send: (any CloudAPI, SessionToken) async throws(CloudError) -> Value
    ) async -> Result<Value, CloudError> {
        guard let session = device.session, let token = session.token, !session.isRevoked else {
            return .failure(.sessionRevoked)
        }
        do throws(CloudError) {
            let answer = try await send(device.services.cloud, token)
            note(nil)
            return .success(answer)
        } catch {
            if !Task.isCancelled { note(error) }
            return .failure(error)
        }
    }

    /// Notes the error of a request; nil for an answer. The pages show it, and the log has it once.
    private func note(_ error: CloudError?) {
        let isNew = inbox.withLock { inbox in
            defer { inbox.lastError = error }
            return inbox.lastError != error
        }
        guard isNew else { return }
        if let error { device.services.dependencies.log.warning("files: \(error) (device \(device.id))") }
        device.notify(.status)
    }

    /// The first file that waits. Failed files wait for their user.
    private static func firstWaiting(in book: Book) throws(BookError) -> UploadMachine.File? {
        try book.receiptFilesOnlyHere(limit: mostLookedAt).lazy.filter { $0.status != .failed }
            .compactMap { file in
                FileKey(file.sha256).map { UploadMachine.File($0, size: file.size) }
            }.first
    }

    /// Waiting files come before failed files, so that one suffices, unless a name is malformed.
    private static let mostLookedAt = 10

    /// - Returns: whether it is stored.
    private func record(_ key: FileKey, _ outcome: UploadMachine.Outcome) async -> Bool {
        if outcome == .failed(.wrongContent), await !device.announceDamage(ofUpload: key.description) {
            return false
        }
        let isStored: Void? = await withBookUnlessStopped { book throws(BookError) in
            switch outcome {
            case .sent(let bytes, wasRead: false): try book.noteArrived(bytes, ofReceiptFile: key.description)
            case .sent(let bytes, wasRead: true):
                try book.setReceiptFile(key.description, .uploading, sent: bytes)
            case .uploaded: try book.setReceiptFile(key.description, .uploaded)
            case .unsupported:
                let code = UploadFailure.notSupported.code
                try book.setReceiptFile(key.description, .localOnly, failure: code)
            case .failed(let failure):
                let code = try failure.counting(book.receiptFilesInCloud()).code
                try book.setReceiptFile(key.description, .failed, failure: code)
            }
            // A good copy may have been put in the place of a damaged one.
            try device.recountDamage(in: book)
        }
        guard isStored != nil else { return false }
        if outcome == .failed(.missing) {
            // The cloud was about to get it.
            device.noteAbsence(of: key.description)
            post(.awaited)
        }
        device.notify(.status)
        if outcome == .uploaded, device.leavingTotal != nil { device.post(.leftOnceSent) }
        return true
    }

    /// Uses the book, unless the runner was stopped: a task that stops it and then asks for exclusive use of the book waits
    /// for this lease, and nothing is stored after that.
    private func withBookUnlessStopped<Value>(_ body: (Book) throws(BookError) -> Value) async -> Value? {
        do throws(DevicesError) {
            return try await device.withBook { book throws(BookError) in
                isStopped ? nil : try body(book)
            }
        } catch {
            device.services.dependencies.log.error(
                "files: the book cannot be used: \(error) (device \(device.id))"
            )
            return nil
        }
    }
}

extension UploadMachine.Event {
    /// Whether there may be files now.
    fileprivate var causesLook: Bool {
        switch self {
        case .hurry, .retry, .connected, .awaited: true
        default: false
        }
    }

    /// Whether no file is accepted for long, so that sync may end without the files that wait.
    fileprivate var isFinal: Bool {
        switch self {
        case .answer(.failure(.subscriptionRequired), _), .answer(.failure(.notSupported), _): true
        default: false
        }
    }
}
