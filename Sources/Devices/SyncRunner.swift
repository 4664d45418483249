// Runs a device's sync engine beside the requests: one task that talks, and one that waits for news.

import Book
import Ledger
import SyncCore
import SyncEngine
import Synchronization

/// The running engine of one device.
///
/// The engine belongs to the task that talks. What others have to say to it waits in the inbox, and a stream wakes it.
final class SyncRunner: Sendable {
    typealias Engine = SyncEngine<LeasedReplica>

    /// No upload for so long while the queue is to be emptied, in milliseconds: the state says that it waits.
    private static let stallMilliseconds: Int64 = 30_000
    /// How soon a cloud that did not answer is asked again whether it is there, in milliseconds.
    private static let probeMilliseconds: Int64 = 4_000
    /// A cloud that has no news takes at least so long to say it, in milliseconds.
    private static let shortestPoll: Int64 = 1_000

    private let device: Device
    private let mode: Engine.Mode
    /// Which run of the device's sync it is: what comes of an earlier one no longer counts.
    private let run: Int
    private let inbox = Mutex(Inbox())
    private let wakes: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    private struct Inbox {
        var isHurried = false
        var isCloudAway = false
        var head: Head?
        var isStopped = false
        var task: Task<Void, Never>?
    }

    init(_ device: Device, mode: Engine.Mode, run: Int) {
        self.device = device
        self.mode = mode
        self.run = run
        // One wake-up is as good as many: what there is to do is in the inbox and in the book.
        (wakes, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Begins to talk and to listen.
    func start() {
        let task = device.services.tasks.run { [self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [self] in await listen() }
                await talk()
                group.cancelAll()
            }
        }
        let isStopped = inbox.withLock { inbox in
            inbox.task = task
            return inbox.isStopped
        }
        if isStopped { task?.cancel() }
    }

    /// Ends. An answer that is under way is not applied any more.
    func stop() {
        let task = inbox.withLock { inbox in
            inbox.isStopped = true
            return inbox.task
        }
        task?.cancel()
    }

    /// Goes on at once. Nobody waits for what the engine is at.
    func hurry() {
        inbox.withLock { $0.isHurried = true }
        wakeUp.yield()
    }

    // MARK: - Talking

    /// Where a run stands, kept by the task that talks.
    private struct Talk {
        var engine: Engine
        let replica: LeasedReplica
        var published: SyncStatus?
        var progress: (pending: Int, at: Int64)
    }

    private func talk() async {
        let dependencies = device.services.dependencies
        let replica = LeasedReplica(device)
        var talk = Talk(
            engine: Engine(
                replica,
                mode: mode,
                random: SystemRandomNumberGenerator(),
                newReplica: { dependencies.newID() }
            ),
            replica: replica,
            progress: (.max, dependencies.milliseconds())
        )
        var wake = wakes.makeAsyncIterator()
        while !Task.isCancelled {
            guard let step = await next(&talk) else { return }
            switch step {
            case .over(let end):
                dependencies.log("sync: ended: \(end) (device \(device.id))")
                device.post(.syncEnded(end, run: run))
                device.notify(.status)
                return
            case .rest(let until):
                noteStall(&talk)
                await sleep(pause(until), &wake)
            case .ask(let request):
                guard let session = device.session, let token = session.token, !session.isRevoked else {
                    return device.post(.syncEnded(.sessionRevoked, run: run))
                }
                let answer = await request.ask(device.services.cloud, token)
                guard !Task.isCancelled else { return }
                await apply(answer, request, &talk)
                noteStall(&talk)
                if case .refused(.subscriptionRequired) = answer, mode == .run { device.beginVerifying() }
            }
        }
    }

    /// - Returns: nil where the run was stopped.
    private func next(_ talk: inout Talk) async -> SyncStep? {
        let now = device.services.dependencies.milliseconds()
        let (isHurried, isAway, head) = inbox.withLock { inbox in
            defer { (inbox.isHurried, inbox.isCloudAway, inbox.head) = (false, false, nil) }
            return (inbox.isHurried, inbox.isCloudAway, inbox.head)
        }
        if let head { _ = talk.engine.note(head) }
        if isAway { talk.engine.unreachable(at: now) }
        if isHurried { talk.engine.hurry() }
        return await leased(&talk) { talk throws(DevicesError) in
            try talk.engine.next(at: now)
        } failed: {
            .rest(until: now + 1_000)
        }
    }

    private func apply(_ answer: SyncAnswer, _ request: SyncRequest, _ talk: inout Talk) async {
        let now = device.services.dependencies.milliseconds()
        if case .refused(let error) = answer {
            device.services.dependencies.log("sync: \(error) (device \(device.id))")
        }
        _ = await leased(&talk) { talk throws(DevicesError) in
            try talk.engine.take(answer, to: request, at: now)
        } failed: {
        }
    }

    /// Lets the engine work on the book, and says how it goes then.
    /// - Returns: nil where the run was stopped.
    private func leased<Value>(
        _ talk: inout Talk,
        _ work: (inout Talk) throws(DevicesError) -> Value,
        failed: () -> Value
    ) async -> Value? {
        let value: Value
        do throws(DevicesError) {
            try await talk.replica.lease()
            // Asked with the lease in hand: whoever stops the run and then wants the book alone waits for this lease, and
            // nothing is applied afterwards.
            guard !inbox.withLock({ $0.isStopped }) else {
                talk.replica.giveBack()
                return nil
            }
            value = try work(&talk)
        } catch {
            device.services.dependencies.log("sync: the book cannot be used: \(error) (device \(device.id))")
            talk.engine.storeFailed(at: device.services.dependencies.milliseconds())
            value = failed()
        }
        publish(&talk)
        talk.replica.giveBack()
        return value
    }

    /// Waits until it is woken, or a time is over.
    private func sleep(_ milliseconds: Int64, _ wake: inout AsyncStream<Void>.Iterator) async {
        let (pause, wakeUp) = (device.services.dependencies.pause, wakeUp)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await pause(milliseconds)
                if !Task.isCancelled { wakeUp.yield() }
            }
            await wake.next()
            group.cancelAll()
        }
    }

    private func pause(_ until: Int64?) -> Int64 {
        let most = mode == .drain ? Self.stallMilliseconds : 3_600_000
        return min(most, max(1, until.map { $0 - device.services.dependencies.milliseconds() } ?? most))
    }

    /// A queue that is to be emptied and does not get shorter is said to wait.
    private func noteStall(_ talk: inout Talk) {
        guard mode == .drain else { return }
        let now = device.services.dependencies.milliseconds()
        let pending = talk.published?.pending ?? 0
        if pending < talk.progress.pending { talk.progress = (pending, now) }
        guard now - talk.progress.at >= Self.stallMilliseconds else { return }
        talk.progress.at = now
        device.post(.drainStalled(run: run))
    }

    private func publish(_ talk: inout Talk) {
        guard let status = try? talk.engine.status(), status != talk.published else { return }
        talk.published = status
        device.syncMoved(status, run: run)
    }

    // MARK: - Listening

    /// Waits for news of the cloud. Where it cannot be reached, it is asked every few seconds whether it is back.
    private func listen() async {
        var seen: Head?
        var wasAway = false
        while !Task.isCancelled {
            guard let token = device.session?.token else { return }
            let asked = device.services.dependencies.milliseconds()
            do throws(CloudError) {
                let head = try await device.services.cloud.signal(
                    seen: seen,
                    waitSeconds: SyncLimits.waitSeconds,
                    token
                )
                guard !Task.isCancelled else { return }
                let isBack = wasAway
                inbox.withLock { inbox in
                    inbox.head = head
                    inbox.isCloudAway = false
                    if isBack { inbox.isHurried = true }
                }
                if isBack || head != seen {
                    wakeUp.yield()
                } else if device.services.dependencies.milliseconds() - asked < Self.shortestPoll {
                    // A cloud that does not wait is not asked without end.
                    await device.services.dependencies.pause(Self.shortestPoll)
                }
                (seen, wasAway) = (head, false)
            } catch {
                switch error {
                case .sessionRevoked, .accountGone:
                    // The task that talks may have nothing to ask for an hour. A newer token has a runner of its own.
                    return device.post(.tokenRefused(token, isAccountGone: error == .accountGone))
                case .subscriptionRequired: device.beginVerifying()
                case .unreachable where !wasAway && !Task.isCancelled:
                    // The task that talks may have nothing to ask for an hour, and the pages say what it knows.
                    inbox.withLock { $0.isCloudAway = true }
                    wakeUp.yield()
                default: break
                }
                wasAway = true
                await device.services.dependencies.pause(Self.probeMilliseconds)
            }
        }
    }
}

/// The book of a device as its engine sees it: there while it is leased, and told of when rows arrive.
final class LeasedReplica: ReplicaStore {
    private let device: Device
    private let current = Mutex<BookLease?>(nil)

    init(_ device: Device) { self.device = device }

    func lease() async throws(DevicesError) {
        let lease = try await device.lease()
        current.withLock { $0 = lease }
    }

    func giveBack() {
        current.withLock { current in
            defer { current = nil }
            return current
        }?.giveBack()
    }

    func standing() throws(DevicesError) -> ReplicaStanding {
        try asking { book throws(BookError) in try book.standing() }
    }

    func know(_ head: Head) throws(DevicesError) {
        try asking { book throws(BookError) in try book.know(head) }
    }

    func cut(operations: Int, bytes: Int) throws(DevicesError) -> [Operation] {
        try asking { book throws(BookError) in try book.cut(operations: operations, bytes: bytes) }
    }

    func settle(_ results: [OperationResult]) throws(DevicesError) {
        try asking { book throws(BookError) in try book.settle(results) }
        if results.contains(where: { $0.code != nil }) { device.rowsArrived() }
    }

    func take(changes page: ChangesPage) throws(DevicesError) {
        try asking { book throws(BookError) in try book.take(changes: page) }
        if !page.rows.isEmpty { device.rowsArrived() }
    }

    func take(snapshot page: ChangesPage) throws(DevicesError) {
        try asking { book throws(BookError) in try book.take(snapshot: page) }
        if !page.rows.isEmpty { device.rowsArrived() }
    }

    func become(_ replica: EntityID) throws(DevicesError) {
        try asking { book throws(BookError) in try book.become(replica) }
    }

    func resync(_ reason: ResyncReason) throws(DevicesError) {
        device.services.dependencies.log(
            "sync: all rows are loaded anew: \(reason.rawValue) (device \(device.id))"
        )
        try asking { book throws(BookError) in try book.resync(reason) }
    }

    func stop() throws(DevicesError) {
        try asking { book throws(BookError) in try book.stop() }
    }

    private func asking<Value>(_ body: (Book) throws(BookError) -> Value) throws(DevicesError) -> Value {
        guard let lease = current.withLock({ $0 }) else { throw .book(.closed) }
        return try wrapping { () throws(BookError) in try body(lease.book) }
    }
}
