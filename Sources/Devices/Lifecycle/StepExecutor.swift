// Performs the steps of the devices' machines: one after the other for each device, outside of all locks.

import Book
import CloudProtocol
import DeviceStore
import Ledger
import Lifecycle
import SyncCore
import SyncEngine

/// Performs steps. A test passes its own, in which the process can die.
protocol StepExecutor: Sendable {
    /// - Throws: if the process is about to end: no further step is performed for this device.
    func perform(_ step: DeviceStep, on device: Device) async throws(CancellationError) -> StepOutcome
    /// Sends the request of a cloud task.
    /// - Throws: as `perform`.
    func ask(_ task: CloudTask, of device: Device, with session: Session?) async throws(CancellationError)
        -> CloudTask.Outcome
}

/// Performs the steps on the device store, the book and the cloud.
struct DeviceExecutor: StepExecutor {
    func perform(_ step: DeviceStep, on device: Device) async throws(CancellationError) -> StepOutcome {
        guard !Task.isCancelled else { throw CancellationError() }
        let dependencies = device.services.dependencies
        do { return try await carryOut(step, device) } catch {
            dependencies.log.error("lifecycle: \(step.name) failed: \(error) (device \(device.id))")
            return .failed(error, at: dependencies.now)
        }
    }

    private func carryOut(_ step: DeviceStep, _ device: Device) async throws(DevicesError) -> StepOutcome {
        let services = device.services
        let now = services.dependencies.now
        switch step {
        case .countWaiting(let isAlone): return try await device.countWaiting(isAlone: isAlone)
        case .store(let change):
            try await device.store(change, at: now)
            if case .begin = change.session { device.withdraw(.accountGone) }
            return .stored(at: now)
        case .storeSession(let session):
            try device.store(session, at: now)
            return .stored(at: now)
        case .storeOnboarding(let step):
            try device.keeping { store throws(DeviceStoreError) in
                try store.setOnboarding(step.rawValue, of: device.id)
            }
            return .stored(at: now)
        case .effect(let effect): return try await device.run(effect)
        case .startOver(let how): return .startedOver(guest: try await device.startOver(how), nil)
        case .rejoin:
            let replica = services.dependencies.newID()
            try await device.withBookAlone { book throws(BookError) in try book.rejoin(as: replica) }
            device.withdraw(.dataDeleted)
        case .expireCookie:
            try device.keeping { store throws(DeviceStoreError) in try store.expireCookie(of: device.id) }
        case .revoke(let token): services.revoker.end(token, of: device.id)
        case .revokeEnded: services.revoker.wake()
        case .begin(let task, let session, let generation):
            device.begin { await device.run(task, with: session, generation: generation) }
        case .cancelCloudTask:
            device.cancelCloudTask()
            device.dropNextBook()
        case .stopSync: device.run(nil)
        case .log(let line): services.dependencies.log.debug("\(line) (device \(device.id))")
        case .complete(let ticket, let result): device.complete(ticket, result)
        }
        return .done
    }

    /// The longest pause before a cloud that did not answer is asked again, in milliseconds.
    private static let longestPause: Int64 = 5_000
    /// The same for a cloud that refused the account's data, and for a disk that did not store it: both may last.
    private static let longestRefusedPause: Int64 = 30_000
    /// The longest pause that the cloud itself can ask for, in seconds, because a user waits.
    private static let longestRequestedSeconds: Int64 = 60

    func ask(_ task: CloudTask, of device: Device, with session: Session?) async throws(CancellationError)
        -> CloudTask.Outcome
    {
        let services = device.services
        // Without a session the account is deleted already: the process ended before it could store that.
        if task == .deleteAccount, session == nil { return .done }
        guard let session, let token = session.token else {
            return task.isRepeated ? .sessionEnded(.revoked) : .failed(what: CloudError.sessionRevoked.key)
        }
        var next: Int64 = 500
        while true {
            var requested: Int64 = 0
            do throws(CloudError) {
                let answer = try await outcome(of: task, device, session.user.id, token)
                if let answer { return answer }
            } catch {
                services.dependencies.log.warning("lifecycle: \(task): \(error) (device \(device.id))")
                guard task.isRepeated else {
                    return error == .accountGone ? .sessionEnded(.accountGone) : .failed(what: error.key)
                }
                if let ending = error.sessionEnding { return .sessionEnded(ending) }
                device.note(FirstPageTrouble(error))
                let seconds = min(max(0, error.retryAfterSeconds ?? 0), Self.longestRequestedSeconds)
                requested = seconds * 1_000
            }
            // The user waits for the task: the request is repeated until there is an answer.
            let isLasting = device.firstPageTrouble?.isLasting ?? false
            next = min(next, isLasting ? Self.longestRefusedPause : Self.longestPause)
            await services.dependencies.pause(max(next, requested))
            guard !Task.isCancelled else { throw CancellationError() }
            next *= 2
        }
    }

    /// Sends the requests of a task once.
    /// - Returns: nil if the task has to be repeated, because the disk did not store the first page.
    private func outcome(of task: CloudTask, _ device: Device, _ user: EntityID, _ token: SessionToken)
        async throws(CloudError) -> CloudTask.Outcome?
    {
        let cloud = device.services.cloud
        switch task {
        case .verifyAccount:
            let report = try await cloud.account(token)
            guard report.entitlement.isPremium else { return .report(report) }
            return try await device.loadNextBook(of: report.user.id, token) ? .report(report) : nil
        case .loadFirstPage: return try await device.loadNextBook(of: user, token) ? .done : nil
        case .deleteServerData: try await cloud.deleteData(token)
        case .deleteAccount: try await cloud.deleteAccount(token)
        }
        return .done
    }
}

extension CloudTask {
    /// Whether a request that fails is repeated for as long as its state lasts. Otherwise the lifecycle fails.
    fileprivate var isRepeated: Bool {
        switch self {
        case .verifyAccount, .loadFirstPage: true
        case .deleteServerData, .deleteAccount: false
        }
    }
}

extension DeviceStep {
    /// Whether the step changes what pages show.
    var changesPages: Bool {
        switch self {
        case .store, .storeSession, .storeOnboarding, .effect, .startOver: true
        default: false
        }
    }

    /// The name for the log, without values.
    fileprivate var name: String {
        switch self {
        case .effect(let effect): effect.words
        case .store(let change): "going to \(change.to.name)"
        case .storeSession: "keeping the session"
        case .storeOnboarding: "keeping the step of the onboarding"
        default: "a step"
        }
    }
}

extension Device {
    /// Runs a cloud task, and sends its outcome to the machine.
    func run(_ task: CloudTask, with session: Session?, generation: Int) async {
        guard !Task.isCancelled,
            let outcome = try? await services.executor.ask(task, of: self, with: session),
            !Task.isCancelled
        else { return }
        post(.cloudTaskEnded(task, outcome, generation: generation, at: services.dependencies.now))
    }

    /// Changes the device store.
    func keeping<Value>(_ change: (DeviceStore) throws(DeviceStoreError) -> Value) throws(DevicesError) {
        let store = services.store
        _ = try wrapping { () throws(DeviceStoreError) in try change(store) }
    }

    /// Stores the session in the device store.
    func store(_ session: Session, at now: Int64) throws(DevicesError) {
        let record = session.record(of: id, services.seal)
        try keeping { store throws(DeviceStoreError) in try store.keep(record, of: id, now: now) }
        if session.isLocked { banksWereRemoved() }
    }

    /// Stores a state with the session that begins or ends with it, the messages of its transition, and the end of the
    /// onboarding if the transition ends or skips it: a resumed state does not repeat the effects of its transition.
    func store(_ change: StateChange, at now: Int64) async throws(DevicesError) {
        let record = TransitionRecord(
            at: now,
            event: change.event,
            from: change.from.name,
            to: change.to.name
        )
        let session = change.session.map { $0.record(of: id, services.seal) }
        var notices: [Notice] = []
        for announcement in change.announcements { notices.append(await notice(of: announcement, at: now)) }
        var withdrawn = change.announcements.flatMap(\.withdrawn)
        if case .begin = change.session { withdrawn.append(.accountGone) }
        try keeping { store throws(DeviceStoreError) in
            try store.persist(
                state: change.to,
                transition: record,
                of: id,
                session: session,
                onboarding: change.completesOnboarding ? OnboardingStep.done.rawValue : nil,
                notices: notices,
                withdrawn: withdrawn.map(\.rawValue)
            )
        }
        if case .end = change.session { banksWereRemoved() }
        services.dependencies.log.debug(
            "lifecycle: \(change.from.name) → \(change.to.name) (\(change.event), device \(id))"
        )
    }
}

extension CloudError {
    /// A short key for the lifecycle's store and log, without personal data.
    var key: String {
        switch self {
        case .unreachable, .timedOut, .cutOff: "cloud_unreachable"
        case .sessionRevoked, .sessionLocked, .sessionErased, .signIn(.wrongCredentials): "session_revoked"
        case .accountGone: "account_gone"
        case .failed, .malformed, .subscriptionRequired, .busy, .notSupported, .signIn, .sync, .file:
            "cloud_failed"
        }
    }
}
