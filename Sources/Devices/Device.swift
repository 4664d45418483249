// One browser: its machine, the one lock around it, and the task that performs what the machine wants done.

import Book
public import DeviceStore
import Entitlements
public import Ledger
public import Lifecycle
import SyncEngine
import Synchronization

/// A device of this server. Safe to use from any thread.
///
/// Every event goes to its machine, which handles one after the other. The lock guards what the machine knows; its
/// steps are performed by one task outside of the lock, so that nobody who only asks ever waits for a disk or a network.
public final class Device: Sendable {
    /// Its identity.
    public let id: EntityID
    /// The locale that its browser asked for at first; empty where it asked for none that is known.
    public let locale: String
    let services: DeviceServices
    private let owned: Mutex<Owned>

    private struct Owned {
        var machine: DeviceMachine
        var senders: [Int: CheckedContinuation<SendResult, Never>] = [:]
        var lastTicket = 0
        var cloudTask: Task<Void, Never>?
        var runner: SyncRunner?
        var streams = NotificationStreams()
        var isExporting = false
        var writes = WriteRate()
    }

    init(
        _ record: DeviceRecord,
        state: State,
        session: Session?,
        notices: [Notice],
        services: DeviceServices
    ) {
        id = record.id
        locale = record.locale
        self.services = services
        var machine = DeviceMachine(
            state,
            onboarding: OnboardingStep(rawValue: record.onboarding) ?? .currency,
            guest: record.guest,
            session: session,
            at: services.dependencies.now
        )
        machine.notices = notices
        owned = Mutex(Owned(machine: machine))
    }

    // MARK: - What it is

    /// Where the lifecycle stands.
    public var state: State { owned.withLock { $0.machine.state } }

    /// The next question of the onboarding.
    public var onboarding: OnboardingStep { owned.withLock { $0.machine.onboarding } }

    /// The session of the user who is signed in; nil for a guest.
    public var session: Session? { owned.withLock { $0.machine.session } }

    /// The guest that the device is, or was before somebody signed in.
    public var guest: EntityID { owned.withLock { $0.machine.guest } }

    /// Since when the lifecycle is where it is, as far as this process knows, in UTC seconds.
    public var enteredAt: Int64 { owned.withLock { $0.machine.enteredAt } }

    /// Whether everything that it was told is done, but for what waits for the cloud.
    public var isIdle: Bool { owned.withLock { $0.machine.isIdle } }

    /// Reads or notes something small: pure, and over at once.
    func machine<Value: Sendable>(_ body: (inout DeviceMachine) -> Value) -> Value {
        owned.withLock { body(&$0.machine) }
    }

    // MARK: - What it is told

    /// Lets an event happen, and waits until it is handled with all that follows from it without the cloud.
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

    /// Lets an event happen; nobody waits for it.
    func post(_ event: DeviceEvent) { post(event, nil) }

    /// Lets the lifecycle have a decision of the user's.
    /// - Returns: whether it changed anything.
    @discardableResult
    public func handle(_ event: Event) async throws(DevicesError) -> Bool {
        try await send(.lifecycle(event))
    }

    /// The book could not be opened although nothing is under way: the lifecycle looks at it anew.
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
        notify(.idle)
    }

    /// The process is about to end: the next one goes on from what is stored.
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

    /// Waits until the device is at rest, but not for longer than that.
    /// - Throws: why its lifecycle cannot go on.
    public func waitUntilIdle(withinMilliseconds limit: Int64) async throws(DevicesError) {
        if !machine({ $0.isLoaded }) {
            // The first caller loads it; the others wait for the same events.
            try await send(.loaded(at: services.dependencies.now))
        }
        await wait(withinMilliseconds: limit) { $0.machine { $0.isIdle || $0.isAbandoned } }
        if machine({ $0.isAbandoned }) { throw .book(.closed) }
    }

    /// Waits until nothing is under way with the cloud, but not for longer than that.
    public func waitForCloudTask(withinMilliseconds limit: Int64) async {
        await wait(withinMilliseconds: limit) { $0.machine { $0.isCloudIdle } }
    }

    /// Waits until something is so, but not for longer than that. Each notification is a reason to look again.
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

    /// Hears of everything that changes from now on, until the task that listens is cancelled or the subscription is
    /// finished.
    public func notifications() -> (
        stream: AsyncStream<DeviceNotification>, subscription: AsyncStream<DeviceNotification>.Continuation
    ) {
        let (stream, subscription) = AsyncStream.makeStream(of: DeviceNotification.self)
        let key = owned.withLock { $0.streams.add(subscription) }
        subscription.onTermination = { [weak self] _ in self?.owned.withLock { $0.streams.remove(key) } }
        return (stream, subscription)
    }

    /// Whether a page of it is open in a browser that hears of changes.
    var isWatched: Bool { owned.withLock { !$0.streams.all.isEmpty } }

    func notify(_ notification: DeviceNotification) {
        for stream in owned.withLock({ $0.streams.all }) { stream.yield(notification) }
    }

    // MARK: - What runs beside it

    /// Begins a cloud task in the place of another one.
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

    /// The runner that keeps the book in step; nil where sync does not run.
    var runner: SyncRunner? { owned.withLock { $0.runner } }

    /// Lets a runner take the place of the one before; nil for none.
    func run(_ runner: SyncRunner?) {
        owned.withLock { owned in
            defer { owned.runner = runner }
            return owned.runner
        }?.stop()
        runner?.start()
    }

    // MARK: - The book

    /// The right to use the book, which is opened if need be.
    public func lease() async throws(DevicesError) -> BookLease {
        try await services.books.lease(id) { () throws(DevicesError) in try openBook() }
    }

    /// Whether it may send another form now; one that may is counted.
    public func mayWrite() -> Bool {
        let (now, perSecond) = (services.dependencies.milliseconds(), services.writesPerSecond)
        return perSecond == 0 || owned.withLock { $0.writes.take(at: now, perSecond: perSecond) }
    }

    /// The turn to download the book; nil where somebody has it: it takes a core, a reading and room on a disk.
    public func exportTurn() -> ExportTurn? {
        let isFree = owned.withLock { owned in
            defer { owned.isExporting = true }
            return !owned.isExporting
        }
        return isFree ? ExportTurn(of: self) : nil
    }

    fileprivate func endExport() { owned.withLock { $0.isExporting = false } }

    /// The same, without waiting: nil where the book is not open, or somebody has it alone.
    public func leaseIfOpen() -> BookLease? { services.books.leaseIfOpen(id) }

    /// Uses the book while nobody else does.
    func withBookAlone<Value>(_ work: (Book) throws(BookError) -> Value) async throws(DevicesError) -> Value {
        try await services.books.alone(with: id) { () throws(DevicesError) in
            try openBook()
        } _: { book throws(DevicesError) in
            try wrapping { () throws(BookError) in try work(book) }
        }
    }

    private func openBook() throws(DevicesError) -> Book {
        try services.openBook(of: id) { [weak self] in
            guard let self else { return }
            runner?.hurry()
            notify(.status)
        }
    }

    // MARK: - Toasts

    /// Leaves a message for the next page.
    public func show(_ toast: Toast) { machine { $0.toasts.add(toast) } }

    /// Takes one of the messages, where it waits.
    public func consumeToast(_ key: String) -> Toast? { machine { $0.toasts.consume(key) } }

    /// Takes the messages: of two pages, one shows them.
    @discardableResult
    public func consumeToasts(but held: Set<String> = []) -> [Toast] {
        machine { $0.toasts.consume(but: held) }
    }
}

extension Device {
    /// Notes that a step of onboarding was answered; the last one ends the onboarding.
    ///
    /// A step that was answered before may be answered again; that takes nobody back.
    public func answered(_ step: OnboardingStep) async throws(DevicesError) {
        try await send(.answered(step))
    }

    /// The last hundred transitions, oldest first.
    public func transitions() throws(DevicesError) -> [TransitionRecord] {
        let store = services.store
        return try wrapping { () throws(DeviceStoreError) in try store.transitions(of: id) }
    }
}

/// The same failure, as one of this module's.
func wrapping<Value>(_ body: () throws(BookError) -> Value) throws(DevicesError) -> Value {
    do { return try body() } catch { throw .book(error) }
}

/// The same failure, as one of this module's.
func wrapping<Value>(_ body: () throws(DeviceStoreError) -> Value) throws(DevicesError) -> Value {
    do { return try body() } catch { throw .store(error) }
}

/// One download of a book at a time: until it is sent, or given up.
public final class ExportTurn: Sendable {
    private let device: Device

    fileprivate init(of device: Device) { self.device = device }

    deinit { device.endExport() }
}
