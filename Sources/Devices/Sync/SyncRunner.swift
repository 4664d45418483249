// Runs a device's sync machine beside the requests: sends its requests to the cloud, and passes the answers
// back.

import CloudProtocol
import SyncCore
import SyncEngine
import Synchronization

/// The running sync of one device.
///
/// One task owns the machine. Events wait in the inbox, and a stream wakes the task.
final class SyncRunner: Sendable {
    typealias Machine = SyncMachine<LeasedReplica>

    private let device: Device
    private let mode: SyncEngine<LeasedReplica>.Mode
    /// The number of the run: results of earlier runs do not count.
    private let run: Int
    private let inbox = Mutex(Inbox())
    /// The uploads of files, which follow the operations.
    private let uploads: UploadRunner
    private let wakes: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    private struct Inbox {
        var events: [Machine.Event] = []
        var isHurried = false
        var hasSlept = false
        var isStopped = false
        var task: Task<Void, Never>?
    }

    init(_ device: Device, mode: SyncEngine<LeasedReplica>.Mode, run: Int) {
        self.device = device
        self.mode = mode
        self.run = run
        uploads = UploadRunner(device, run: run)
        // One wake-up suffices for several events: the work is in the inbox and in the book.
        (wakes, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts the requests and the listener.
    func start() {
        let task = device.services.tasks.run { [self] in await work() }
        let isStopped = inbox.withLock { inbox in
            inbox.task = task
            return inbox.isStopped
        }
        if isStopped { task?.cancel() }
        uploads.start()
    }

    /// Ends the sync. An answer that is under way is not applied any more.
    func stop() {
        let task = inbox.withLock { inbox in
            inbox.isStopped = true
            return inbox.task
        }
        task?.cancel()
        uploads.stop()
    }

    /// Ends the machine's pause, without waiting.
    /// - Parameter isByUser: whether the user asked for it. Otherwise the book was changed.
    func hurry(isByUser: Bool = false) {
        if isByUser { uploads.retry() } else { uploads.hurry() }
        inbox.withLock { $0.isHurried = true }
        wakeUp.yield()
    }

    /// As `UploadRunner.noteFilesViewed`.
    func noteFilesViewed() { uploads.noteFilesViewed() }

    /// As `UploadRunner.noteFilesAwaited`.
    func noteFilesAwaited() { uploads.noteFilesAwaited() }

    /// Whether the last request with a file got no answer.
    var isCloudAwayForFiles: Bool { uploads.isCloudAway }

    private func post(_ event: Machine.Event) {
        inbox.withLock { $0.events.append(event) }
        wakeUp.yield()
    }

    private func events(_ time: inout MonotonicTime) -> [Machine.Event] {
        let (events, hasSlept) = inbox.withLock { inbox in
            defer { (inbox.events, inbox.isHurried, inbox.hasSlept) = ([], false, false) }
            // Each round checks the time.
            return (inbox.events + [inbox.isHurried ? .hurry : .time], inbox.hasSlept)
        }
        time.pass(device.services.dependencies.milliseconds(), hasSlept: hasSlept)
        return events
    }

    /// The listener's open poll.
    private struct Listener {
        var task: Task<Void, Never>?
        var token: SessionToken?
    }

    // MARK: - The loop

    private func work() async {
        let dependencies = device.services.dependencies
        defer { uploads.stop() }
        let replica = LeasedReplica(device)
        var machine = Machine(
            replica,
            mode: mode,
            waitSeconds: device.services.cloud.waitSeconds,
            random: SystemRandomNumberGenerator(),
            newReplica: { dependencies.newID() }
        )
        var wake = wakes.makeAsyncIterator()
        var published: SyncStatus?
        var failures = LastingFailure()
        var time = MonotonicTime(dependencies.milliseconds())
        var listener = Listener()
        await withDiscardingTaskGroup { group in
            defer {
                listener.task?.cancel()
                group.cancelAll()
            }
            while !Task.isCancelled {
                let events = events(&time)
                let now = time.now
                // A request for the next page leaves before the present one is applied.
                for effect in events.flatMap({ machine.handle($0, at: now) }) {
                    guard perform(effect, &listener, in: &group) else { return }
                }
                if machine.isDue(at: now) {
                    guard
                        let effects = await proceed(&machine, replica, &published, &failures, at: now)
                    else { return }
                    for effect in effects {
                        // The cloud has all changes; the files that wait follow before sync ends.
                        if case .end(.drained) = effect { await uploads.finish() }
                        guard perform(effect, &listener, in: &group) else { return }
                    }
                }
                if let instant = machine.wakeAt {
                    let pause = time.sleep(until: instant)
                    guard pause > 0 else { continue }
                    await wake.next(within: pause, dependencies.pause) { [self] in
                        inbox.withLock { $0.hasSlept = true }
                        wakeUp.yield()
                    }
                } else {
                    await wake.next()
                }
            }
        }
        await listener.task?.value
    }

    /// Lets the engine work on the book.
    /// - Returns: nil if the run was stopped.
    private func proceed(
        _ machine: inout Machine,
        _ replica: LeasedReplica,
        _ published: inout SyncStatus?,
        _ failures: inout LastingFailure,
        at now: Int64
    ) async -> [Machine.Effect]? {
        let dependencies = device.services.dependencies
        do throws(DevicesError) { try await replica.lease() } catch {
            if failures.isNews("\(error)", at: now) {
                dependencies.log.error("sync: the book cannot be used: \(error) (device \(device.id))")
            }
            if var status = published, status.phase != .failed(.storage) {
                status.phase = .failed(.storage)
                published = status
                device.syncMoved(status, run: run)
                uploads.note(status, files: UploadRunner.FilesOfBook())
            }
            return machine.handle(.storeFailed, at: now)
        }
        defer { replica.giveBack() }
        // The check follows the lease: a task that stops the run and then asks for exclusive use waits for this
        // lease, and no answer is applied after that.
        guard !inbox.withLock({ $0.isStopped }) else { return nil }
        let outcome = machine.proceed(at: now)
        if let failure = outcome.failure {
            if failures.isNews("\(failure)", at: now) {
                dependencies.log.error("sync: the book cannot be used: \(failure) (device \(device.id))")
            }
        }
        if let status = outcome.status {
            let isNew = status != published
            // The limits of the cloud may have changed while this was not running.
            if published == nil { replica.retryRefusedFiles() }
            if isNew {
                published = status
                device.syncMoved(status, run: run)
            }
            // Rows may have arrived without another status: the rows of restored receipts have files to send.
            if [.idle, .failed(.refusedChanges)].contains(status.phase) {
                uploads.note(status, files: replica.files)
            } else if isNew {
                uploads.note(status, files: UploadRunner.FilesOfBook())
            }
        }
        return outcome.effects
    }

    /// - Returns: false at the end of the run.
    private func perform(
        _ effect: Machine.Effect,
        _ listener: inout Listener,
        in group: inout DiscardingTaskGroup
    ) -> Bool {
        let cloud = device.services.cloud
        switch effect {
        case .ask(let request, let number):
            guard let token = usableToken() else { return false }
            group.addTask { [self] in
                let answer = await request.ask(cloud, token)
                if case .refused(let error) = answer {
                    device.services.dependencies.log.warning("sync: \(error) (device \(device.id))")
                }
                post(.answer(answer, to: number))
            }
        case .listen(let seen, let seconds, let number):
            guard let token = usableToken() else { return false }
            let task = Background.run { [self] in await listen(seen, seconds, number, token) }
            listener = Listener(task: task, token: token)
        case .stopListening:
            guard let task = listener.task else { break }
            task.cancel()
            // The next poll may start before this one has ended.
            group.addTask { await task.value }
        case .tokenRefused(let ending):
            // The engine may have no request for an hour. A newer token has a runner of its own.
            guard let token = listener.token else { return false }
            device.post(.tokenRefused(token, ending))
        case .subscriptionRefused: device.beginVerifying()
        case .stalled: device.post(.drainStalled(run: run))
        case .end(let end):
            device.services.dependencies.log("sync: ended: \(end) (device \(device.id))")
            device.post(.syncEnded(end, run: run))
            device.notify(.status)
            return false
        }
        return true
    }

    private func listen(_ seen: Head?, _ seconds: Int64, _ number: Int, _ token: SessionToken) async {
        do throws(CloudError) {
            let head = try await device.services.cloud.signal(seen: seen, waitSeconds: seconds, token)
            post(.news(head, to: number))
        } catch {
            post(.noNews(error, to: number))
        }
    }

    /// The token of the session; nil if the session has ended, which is reported.
    private func usableToken() -> SessionToken? {
        if let session = device.session, let token = session.token, !session.isRevoked { return token }
        device.post(.syncEnded(.sessionEnded(.revoked), run: run))
        return nil
    }
}

/// A failure that may last for days, with an attempt every few seconds: it is logged when it begins, and every hour.
private struct LastingFailure {
    private var told: (text: String, at: Int64)?

    /// Whether the failure is to be logged, which counts as done.
    /// - Parameter now: milliseconds.
    mutating func isNews(_ text: String, at now: Int64) -> Bool {
        if let told, told.text == text, now - told.at < 3_600_000 { return false }
        told = (text, now)
        return true
    }
}
