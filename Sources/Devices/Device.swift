// One browser: its machine, the lock around it, and the task that performs the machine's steps.

import Book
public import DeviceStore
import Entitlements
public import Ledger
public import Lifecycle
import SyncCore
import SyncEngine
import Synchronization

/// A device of this server. Safe to use from any thread.
///
/// Every event goes to the machine, which handles one after the other. The lock guards the machine's state;
/// one task performs its steps outside of the lock, so that no reader of the state waits for a disk or a
/// network.
public final class Device: Sendable {
    /// The id in the device store.
    public let id: EntityID
    /// The locale of the browser's first request; empty if it asked for no known one.
    public let locale: String
    let services: DeviceServices
    private let owned: Mutex<Owned>
    private let exports = Exports()

    private struct Owned {
        var machine: DeviceMachine
        var senders: [Int: CheckedContinuation<SendResult, Never>] = [:]
        var lastTicket = 0
        var cloudTask: Task<Void, Never>?
        var runner: SyncRunner?
        var streams = NotificationStreams()
        var writes = TokenBucket()
    }

    init(
        _ record: DeviceRecord,
        session: Session?,
        notices: [Notice],
        services: DeviceServices
    ) {
        id = record.id
        locale = record.locale
        self.services = services
        var machine = DeviceMachine(
            record.state,
            onboarding: OnboardingStep(rawValue: record.onboarding) ?? .currency,
            guest: record.guest,
            session: session,
            at: services.dependencies.now
        )
        machine.notices = notices.filter { !Announcement.isPassing($0.key) }
        for notice in notices where Announcement.isPassing(notice.key) {
            machine.toasts.add(Toast(key: notice.key, text: notice.text))
        }
        owned = Mutex(Owned(machine: machine))
    }

    // MARK: - State

    /// The state of the lifecycle.
    public var state: State { owned.withLock { $0.machine.state } }

    /// The next question of the onboarding.
    public var onboarding: OnboardingStep { owned.withLock { $0.machine.onboarding } }

    /// The session of the user who is signed in; nil for a guest.
    public var session: Session? { owned.withLock { $0.machine.session } }

    /// The guest of the device: the present one, or the last one before a user signed in.
    public var guest: EntityID { owned.withLock { $0.machine.guest } }

    /// The time at which the lifecycle entered its state in this process, in UTC seconds.
    public var enteredAt: Int64 { owned.withLock { $0.machine.enteredAt } }

    /// Whether all events are handled, apart from a cloud task.
    public var isIdle: Bool { owned.withLock { $0.machine.isIdle } }

    /// Reads or changes the machine. The closure must be short and free of side effects.
    func machine<Value: Sendable>(_ body: (inout DeviceMachine) -> Value) -> Value {
        owned.withLock { body(&$0.machine) }
    }

    // MARK: - Events

    /// Sends an event, and waits until it and its consequences are handled, apart from cloud tasks.
    /// - Returns: whether it changed anything.
    @discardableResult
    func send(_ event: DeviceEvent) async throws(DevicesError) -> Bool {
        let result = await withCheckedContinuation { (sender: CheckedContinuation<SendResult, Never>) in
            post(event, sender)
        }
        switch result {
        case .handled: return true
        case .ignored: return false
        case .failed(let error): throw error
        }
    }

    /// Sends an event without waiting.
    func post(_ event: DeviceEvent) { post(event, nil) }

    /// Sends a decision of the user to the lifecycle.
    /// - Returns: whether it changed anything.
    @discardableResult
    public func handle(_ event: Event) async throws(DevicesError) -> Bool {
        try await send(.lifecycle(event))
    }

    /// Resumes the lifecycle, because the book could not be opened although no operation is running.
    public func reload() { machine { $0.reload() } }

    private func post(_ event: DeviceEvent, _ sender: CheckedContinuation<SendResult, Never>?) {
        let now = services.dependencies.now
        let mustDrive = owned.withLock { owned in
            var ticket: Int?
            if let sender {
                owned.lastTicket += 1
                ticket = owned.lastTicket
                owned.senders[owned.lastTicket] = sender
            }
            return owned.machine.send(event, ticket: ticket, at: now)
        }
        if mustDrive {
            if services.tasks.run({ [self] in await drive() }) == nil { abandon() }
        } else if machine({ $0.isAbandoned }) {
            abandon()
        }
    }

    /// Performs steps until none is left.
    private func drive() async {
        while let step = machine({ $0.next() }) {
            do throws(CancellationError) {
                let outcome = try await services.executor.perform(step, on: self)
                machine { $0.finish(outcome) }
                if step.changesPages { notify(.status) }
            } catch { return abandon() }
        }
        refreshRates()
        notify(.idle)
    }

    /// Drops all work, because the process is about to end. The next process resumes the stored state.
    private func abandon() {
        let senders = owned.withLock { owned in
            _ = owned.machine.abandon()
            defer { owned.senders = [:] }
            return Array(owned.senders.values)
        }
        for sender in senders { sender.resume(returning: .failed(.book(.closed))) }
        notify(.idle)
    }

    func complete(_ ticket: Int, _ result: SendResult) {
        owned.withLock { $0.senders.removeValue(forKey: ticket) }?.resume(returning: result)
    }

    // MARK: - Waiting

    /// Waits until all events are handled, up to a limit.
    /// - Throws: the error that stops the lifecycle.
    public func waitUntilIdle(withinMilliseconds limit: Int64) async throws(DevicesError) {
        if !machine({ $0.isLoaded }) {
            // The first caller loads the device; the others wait for the same events.
            try await send(.loaded(at: services.dependencies.now))
        }
        await wait(withinMilliseconds: limit) { $0.machine { $0.isIdle || $0.isAbandoned } }
        if machine({ $0.isAbandoned }) { throw .book(.closed) }
    }

    /// Waits until no cloud task is under way, up to a limit.
    public func waitForCloudTask(withinMilliseconds limit: Int64) async {
        await wait(withinMilliseconds: limit) { $0.machine { $0.isCloudIdle } }
    }

    /// Waits for a condition, up to a limit. Each notification causes a check.
    func wait(withinMilliseconds limit: Int64, until isSo: @escaping @Sendable (Device) -> Bool) async {
        let (notifications, _) = notifications()
        guard !isSo(self) else { return }
        let pause = services.dependencies.pause
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                for await _ in notifications where isSo(self) { return }
            }
            group.addTask { await pause(limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// A stream of all changes from now on, until the consuming task is cancelled or the subscription is
    /// finished.
    public func notifications() -> (
        stream: AsyncStream<DeviceNotification>, subscription: AsyncStream<DeviceNotification>.Continuation
    ) {
        let (stream, subscription) = AsyncStream.makeStream(of: DeviceNotification.self)
        let key = owned.withLock { $0.streams.add(subscription) }
        subscription.onTermination = { [weak self] _ in self?.owned.withLock { $0.streams.remove(key) } }
        return (stream, subscription)
    }

    /// Whether a page of the device is open in a browser that receives notifications.
    var isWatched: Bool { owned.withLock { !$0.streams.all.isEmpty } }

    func notify(_ notification: DeviceNotification) {
        for stream in owned.withLock({ $0.streams.all }) { stream.yield(notification) }
    }

    // MARK: - Background work

    /// Starts a cloud task in place of an earlier one.
    func begin(_ work: @escaping @Sendable () async -> Void) {
        let task = services.tasks.run(work)
        owned.withLock { owned in
            defer { owned.cloudTask = task }
            return owned.cloudTask
        }?.cancel()
    }

    func cancelCloudTask() {
        owned.withLock { owned in
            defer { owned.cloudTask = nil }
            return owned.cloudTask
        }?.cancel()
    }

    /// The runner that syncs the book; nil if sync does not run.
    var runner: SyncRunner? { owned.withLock { $0.runner } }

    /// Replaces the runner; nil stops sync.
    func run(_ runner: SyncRunner?) {
        owned.withLock { owned in
            defer { owned.runner = runner }
            return owned.runner
        }?.stop()
        runner?.start()
    }

    // MARK: - The book

    /// A lease on the book, which is opened if necessary.
    public func lease() async throws(DevicesError) -> BookLease {
        try await services.books.lease(id) { () throws(DevicesError) in try openBook() }
    }

    /// Whether the device may send a further form now. An accepted one is counted.
    public func mayWrite() -> Bool {
        let (now, perSecond) = (services.dependencies.milliseconds(), services.writesPerSecond)
        return perSecond == 0
            || owned.withLock { $0.writes.count(at: now, TokenBucket.Limit(perSecond: Double(perSecond))) }
    }

    /// A slot for a download of the book; nil if the device has as many downloads as it may.
    public func exportSlot() -> ExportSlot? { exports.slot() }

    /// A lease on the book without waiting; nil if the book is not open, or in exclusive use.
    public func leaseIfOpen() -> BookLease? { services.books.leaseIfOpen(id) }

    /// The same for a glance, which is not a use of the book: a page that is only open lets its memory be released, and the
    /// book be closed before others.
    public func glance() -> BookLease? { services.books.leaseIfOpen(id, isUse: false) }

    /// Uses the book, which is opened if necessary. No lease is held while a network is asked: others may wait for exclusive
    /// use of the book.
    func withBook<Value>(_ work: (Book) throws(BookError) -> Value) async throws(DevicesError) -> Value {
        let lease = try await lease()
        defer { lease.giveBack() }
        return try wrapping { () throws(BookError) in try work(lease.book) }
    }

    /// The time zone of the user of a book.
    func timeZone(in book: Book) throws(BookError) -> String {
        try book.preferences().timeZone ?? services.dependencies.serverZone
    }

    /// The same of this device's book; the server's if the book cannot be read.
    func timeZone() async -> String {
        let known = try? await withBook { book throws(BookError) in try timeZone(in: book) }
        return known ?? services.dependencies.serverZone
    }

    /// Uses the book exclusively.
    func withBookAlone<Value>(_ work: (Book) throws(BookError) -> Value) async throws(DevicesError) -> Value {
        try await services.books.alone(with: id) { () throws(DevicesError) in
            try openBook()
        } _: { book throws(DevicesError) in
            try wrapping { () throws(BookError) in try work(book) }
        }
    }

    private func openBook() throws(DevicesError) -> Book {
        let book = try services.openBook(of: id) { [weak self] in
            guard let self else { return }
            runner?.hurry()
            notify(.status)
        }
        // The first step precedes what sync brings, so that the history of a small book says what has changed.
        if (try? book.awaitsTextForm()) ?? false, (try? book.normaliseTexts()) ?? true { normaliseTexts() }
        return book
    }
}

extension Device {
    /// Records the answer to a step of the onboarding. The last one ends the onboarding.
    ///
    /// An answer to an earlier step may be repeated, which does not repeat the later steps.
    public func answered(_ step: OnboardingStep) async throws(DevicesError) {
        try await send(.answered(step))
    }

    /// The last hundred transitions, oldest first.
    public func transitions() throws(DevicesError) -> [TransitionRecord] {
        let store = services.store
        return try wrapping { () throws(DeviceStoreError) in try store.transitions(of: id) }
    }
}

/// Converts an error of the book into one of this module.
func wrapping<Value>(_ body: () throws(BookError) -> Value) throws(DevicesError) -> Value {
    do { return try body() } catch { throw .book(error) }
}

/// Converts an error of the device store into one of this module.
func wrapping<Value>(_ body: () throws(DeviceStoreError) -> Value) throws(DevicesError) -> Value {
    do { return try body() } catch { throw .store(error) }
}
