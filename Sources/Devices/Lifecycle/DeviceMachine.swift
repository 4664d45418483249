// A device as a value: its state, the events that were sent to it, and the steps that follow from them.
//
//     send(event) ─▶ queue ─▶ next() ─▶ step ─▶ its owner performs it, outside of every lock ─▶ finish(outcome) ─▶ next() …
//
// It does no I/O, reads no clock and calls nothing back: all of that is in the steps.

import DeviceStore
import Entitlements
import Ledger
import Lifecycle
import SyncEngine

/// The state of one device and the work on it.
struct DeviceMachine: Sendable {
    // The device itself. Only the event under way changes it.
    private(set) var state: State
    private(set) var onboarding: OnboardingStep
    /// The guest that the device is, or was before a user signed in.
    private(set) var guest: EntityID
    private(set) var session: Session?
    /// UTC seconds.
    private(set) var enteredAt: Int64

    // Values that pages read and write directly.
    var plan = VerificationPlan()
    /// The number of other devices that sync, by the last report; nil if it is unknown.
    var otherReplicas: Int?
    var rates = RatesPlan()
    var rateHistory = RateHistoryPlan()
    /// Shown on every page until they are dismissed.
    var notices: [Notice] = []
    var toasts = ToastQueue()
    /// How many changes there were when the user decided to sign out after them.
    var leavingTotal: Int?
    /// Whether all of them were changes of transactions.
    var leavingIsOfTransactions = false
    /// Whether the user has left the page of the download, also where that could not be stored.
    var hasLeftDownload = false
    /// The attempts of this state to load the first page of an account.
    var firstPage = FirstPageAttempts()
    var isCookieDue = false
    /// When the user last proved to be who they are, in UTC seconds.
    var confirmedAt: Int64?
    /// When rows arrived last, in UTC seconds.
    var arrivedAt: Int64 = 0
    /// When the length of the history was checked last, in UTC seconds; nil before the first round.
    var historyCheckedAt: Int64?
    /// When a browser last sent a request, in UTC seconds; nil before the first one of this process.
    private var requestedAt: Int64?
    /// Whether the last request came after a pause, and no stream of events was opened since.
    private var isReturning = false
    /// The time without a request after which the next one opens the device, and that after which a page returns, in
    /// seconds.
    private static let openingSeconds: Int64 = 1_800
    private static let returnSeconds: Int64 = 300
    /// The last status of sync; nil before the first.
    var syncStatus: SyncStatus?
    /// The cloud's answers about files that are not on this device.
    var filesElsewhere = FilesElsewhere()

    // Work.
    private var queue: [(event: DeviceEvent, ticket: Int?)] = []
    /// Changed by the machine's own extensions only, like `current`, `failure`, `cloudTask` and `syncRun`.
    var steps: [Work] = []
    var current: (ticket: Int?, isLoad: Bool, isIgnored: Bool)?
    private var inFlight: Work?
    var failure: DevicesError?
    /// How many changes wait for the cloud, and how many it has refused, as counted by the last `countWaiting`.
    private(set) var waiting = (pending: 0, refused: 0)
    /// Changes with each state, so that an answer to a request of an earlier state is not applied.
    private(set) var generation = 0
    var cloudTask: CloudTask?
    /// The number of the current run of sync.
    var syncRun = 0
    /// Whether the stored state was resumed in this process.
    private(set) var isLoaded = false
    /// Whether a task performs the steps.
    private var isDriven = false
    private(set) var isAbandoned = false

    enum Work {
        case step(DeviceStep)
        /// A step whose failure goes to the lifecycle as an event.
        case attempt(DeviceStep)
        /// Uses the session and the state at the time of its turn.
        case begin(CloudTask)
        case decide(Decision)
    }

    /// A decision that needs the outcomes of the steps before it.
    enum Decision {
        case lifecycle(Event, beginning: Session? = nil)
        case syncSwitched(Bool, isPremium: Bool)
        case verified
        case leave
    }

    init(_ state: State, onboarding: OnboardingStep, guest: EntityID, session: Session?, at now: Int64) {
        self.state = state
        self.onboarding = onboarding
        self.guest = guest
        self.session = session
        enteredAt = now
    }

    /// Whether every event is handled, apart from a cloud task.
    var isIdle: Bool { isLoaded && !isDriven }

    /// Whether every event is handled and no cloud task is under way.
    var isCloudIdle: Bool { isIdle && cloudTask == nil }

    /// Notes a request.
    /// - Returns: whether it opens the device: it is the first one of this process, or after half an hour without one.
    mutating func noteRequest(at now: Int64) -> Bool {
        defer { requestedAt = now }
        guard let requestedAt, (0..<Self.openingSeconds).contains(now - requestedAt) else { return true }
        if now - requestedAt >= Self.returnSeconds { isReturning = true }
        return false
    }

    /// Notes a stream of events.
    /// - Returns: whether a page returns with it: pages open their streams when they come to the foreground.
    mutating func noteStream() -> Bool {
        defer { isReturning = false }
        return isReturning
    }

    /// - Parameter ticket: identifies the sender, who gets the result; nil if none waits.
    /// - Returns: whether the caller must start the task that performs the steps.
    mutating func send(_ event: DeviceEvent, ticket: Int?, at now: Int64) -> Bool {
        guard !isAbandoned else { return false }
        if !isLoaded, queue.isEmpty, current == nil { queue.append((.loaded(at: now), nil)) }
        queue.append((event, ticket))
        defer { isDriven = true }
        return !isDriven
    }

    /// The next step; nil if none is left, so that the task that performs the steps can end.
    mutating func next() -> DeviceStep? {
        while !isAbandoned {
            if !steps.isEmpty {
                let work = steps.removeFirst()
                switch work {
                case .step(let step), .attempt(let step):
                    inFlight = work
                    return step
                case .begin(let task):
                    cloudTask = task
                    // An answer to an earlier request of the same state does not count.
                    generation += 1
                    return .begin(task, session, generation: generation)
                case .decide(let decision): decide(decision)
                }
            } else if current != nil, state == .uninitialized, failure == nil {
                // The lifecycle of a fresh guest starts at once.
                decide(.lifecycle(.appStart))
            } else if let ended = current {
                current = nil
                if ended.isLoad { isLoaded = failure == nil }
                if !isLoaded { failQueue() }
                if let ticket = ended.ticket {
                    return .complete(
                        ticket: ticket,
                        failure.map { .failed($0) } ?? (ended.isIgnored ? .ignored : .handled)
                    )
                }
            } else if !queue.isEmpty {
                let (event, ticket) = queue.removeFirst()
                failure = nil
                current = (ticket, false, false)
                begin(event)
            } else {
                isDriven = false
                return nil
            }
        }
        return nil
    }

    /// Applies the outcome of the step that `next` returned.
    mutating func finish(_ outcome: StepOutcome) {
        guard let work = inFlight else { return }
        inFlight = nil
        switch outcome {
        case .done: break
        case .counted(let pending, let refused): waiting = (pending, refused)
        case .stored(let now):
            switch work {
            case .step(.store(let change)): enter(change, at: now)
            case .step(.storeSession(let session)), .attempt(.storeSession(let session)):
                self.session = session
            case .step(.storeOnboarding(let step)): onboarding = max(onboarding, step)
            default: break
            }
        case .ran(let event, let update):
            if case .attached(let isAttached, let held, let beginsDownload) = update {
                session?.noteAttached(isAttached, leaving: held, beginsDownload: beginsDownload)
                if beginsDownload { hasLeftDownload = false }
            }
            guard let event else { return }
            // The event continues the lifecycle or reports that the effect failed: the remaining steps are dropped.
            steps = [.decide(.lifecycle(event))]
        case .startedOver(let guest, let event):
            self.guest = guest
            onboarding = .welcome
            session = nil
            toasts = ToastQueue()
            forgetUser()
            if let event { steps = [.decide(.lifecycle(event))] }
        case .failed(let error, let now):
            if case .attempt = work {
                steps = [.decide(.lifecycle(.error(what: error.key, at: now)))]
            } else {
                steps = []
                failure = error
                // The remaining steps are lost: the next request or event resumes from the stored state.
                if case .step(.store) = work, state.isPassedThrough { isLoaded = false }
            }
        }
    }

    /// Shows a notice in place of an earlier one of its kind.
    mutating func show(_ notice: Notice) {
        notices.removeAll { $0.key == notice.key }
        notices.append(notice)
    }

    /// Resumes the lifecycle, because the book could not be opened although no operation is running; it
    /// reports the error.
    mutating func reload() { if isIdle { isLoaded = false } }

    /// Drops all work, because the process is about to end.
    /// - Returns: the tickets of the senders that wait.
    mutating func abandon() -> [Int] {
        let tickets = ([current?.ticket] + queue.map(\.ticket)).compactMap { $0 }
        (isAbandoned, queue, steps, current, inFlight) = (true, [], [], nil, nil)
        return tickets
    }

    /// Fails all events, because the stored state could not be resumed. The next event tries again.
    private mutating func failQueue() {
        for (_, ticket) in queue {
            if let ticket { steps.append(.step(.complete(ticket: ticket, .failed(failure ?? .busy)))) }
        }
        queue = []
    }

    /// Resumes the stored state. Entering `initializing` is not stored, since the next process would do the same.
    mutating func load(at now: Int64) {
        let stored = state
        if case .onboarding = stored, onboarding == .done {
            // An earlier version stored the two apart, and its process ended in between.
            steps = [.decide(.lifecycle(.onboardingComplete))]
            return
        }
        let (state, effects) = Lifecycle.resume(stored, now: now)
        if state == .initializing { self.state = state }
        enter(state, effects, by: "RESUME")
    }

    /// Resets what belongs to one user, for the next one.
    private mutating func forgetUser() {
        confirmedAt = nil
        plan = VerificationPlan()
        otherReplicas = nil
        rates = RatesPlan()
        rateHistory = RateHistoryPlan()
        leavingTotal = nil
        arrivedAt = 0
    }

    /// The state was stored.
    private mutating func enter(_ change: StateChange, at now: Int64) {
        state = change.to
        enteredAt = now
        generation += 1
        cloudTask = nil
        firstPage = FirstPageAttempts()
        if change.completesOnboarding { onboarding = .done }
        // Without uploads, the next subscription must not end in the sign-out that was chosen for this one.
        if !change.to.uploads { leavingTotal = nil }
        if !change.to.keepsSyncing(since: change.from) {
            syncRun += 1
            syncStatus = nil
        }
        switch change.session {
        case .keep: break
        case .begin(let session):
            forgetUser()
            self.session = session
        case .end:
            forgetUser()
            session = nil
        }
    }
}
