// A device as a value: what it is, what it was told, and what is to be done about it, one step at a time.
//
//     send(event) ─▶ queue ─▶ next() ─▶ step ─▶ its owner performs it, outside of every lock ─▶ finish(outcome) ─▶ next() …
//
// It does no I/O, reads no clock and calls nothing back: all of that is in the steps.

import Book
import Entitlements
import Ledger
import Lifecycle
import SyncCore
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

    // Small things that pages note and ask for.
    var plan = VerificationPlan()
    /// What stays on every page until it is dismissed.
    var notices: [Notice] = []
    var toasts = ToastQueue()
    /// How many changes there were when the user decided to sign out after them.
    var leavingTotal: Int?
    var isDownloadDismissed = false
    var isCookieDue = false
    /// When rows arrived last, in UTC seconds.
    var arrivedAt: Int64 = 0
    /// How sync went last; nil before it began.
    var syncStatus: SyncStatus?

    // Work.
    private var queue: [(event: DeviceEvent, ticket: Int?)] = []
    /// Written by the machine's own extensions alone, as are `current`, `failure`, `cloudTask` and `syncRun`.
    var steps: [Work] = []
    var current: (ticket: Int?, isLoad: Bool, isIgnored: Bool)?
    private var inFlight: Work?
    var failure: DevicesError?
    /// How many changes wait for the cloud, and how many it has refused, as counted by the last `countWaiting`.
    private(set) var waiting = (pending: 0, refused: 0)
    /// Another number in each state, so that what was asked for in one is not applied in another.
    private(set) var generation = 0
    var cloudTask: CloudTask?
    /// Which run of sync is the present one.
    var syncRun = 0
    /// Whether the lifecycle goes on in this process.
    private(set) var isLoaded = false
    /// Whether somebody performs its steps.
    private var isDriven = false
    private(set) var isAbandoned = false

    enum Work {
        case step(DeviceStep)
        /// A step whose failure the lifecycle hears of, as an event like any other.
        case attempt(DeviceStep)
        /// With the session and the state of the moment at which its turn comes.
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

    /// Whether everything that it was told is done, but for what waits for the cloud.
    var isIdle: Bool { isLoaded && !isDriven }

    /// Whether nothing waits for the cloud either.
    var isCloudIdle: Bool { isIdle && cloudTask == nil }

    /// - Parameter ticket: whom to tell what became of it; nil for nobody.
    /// - Returns: whether the caller must see to it that the steps are performed.
    mutating func send(_ event: DeviceEvent, ticket: Int?, at now: Int64) -> Bool {
        guard !isAbandoned else { return false }
        if !isLoaded, queue.isEmpty, current == nil { queue.append((.loaded(at: now), nil)) }
        queue.append((event, ticket))
        defer { isDriven = true }
        return !isDriven
    }

    /// The next step; nil where nothing is left to do, and whoever performed the steps need not go on.
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
                    // An answer to an earlier question of the same state no longer counts.
                    generation += 1
                    return .begin(task, session, generation: generation)
                case .decide(let decision): decide(decision)
                }
            } else if current != nil, state == .uninitialized, failure == nil {
                // A fresh guest's life begins at once.
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

    /// Takes the outcome of the step that `next` gave.
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
            if case .attached(let isAttached) = update { session?.isAttached = isAttached }
            guard let event else { return }
            // It leads on, or says that the effect failed: what was to come after it is not to be done any more.
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
                // The way on is lost: the next request or event takes it up again from what is stored.
                if case .step(.store) = work, state.isPassedThrough { isLoaded = false }
            }
        }
    }

    /// The book could not be opened although nothing is under way: the lifecycle looks at it anew, and says what is wrong.
    mutating func reload() { if isIdle { isLoaded = false } }

    /// Nothing is done any more: the process is about to end, or is said to.
    /// - Returns: the tickets of those who wait.
    mutating func abandon() -> [Int] {
        let tickets = ([current?.ticket] + queue.map(\.ticket)).compactMap { $0 }
        (isAbandoned, queue, steps, current, inFlight) = (true, [], [], nil, nil)
        return tickets
    }

    /// Without its load nothing that it was told can be done. The next one to come tries again.
    private mutating func failQueue() {
        for (_, ticket) in queue {
            if let ticket { steps.append(.step(.complete(ticket: ticket, .failed(failure ?? .busy)))) }
        }
        queue = []
    }

    /// A state at rest is looked at anew: that needs no storing, the next process would do the same.
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

    /// Nothing that one user wanted or saw is left for the next one.
    private mutating func forgetUser() {
        plan = VerificationPlan()
        leavingTotal = nil
        arrivedAt = 0
    }

    /// The state was stored.
    private mutating func enter(_ change: StateChange, at now: Int64) {
        state = change.to
        enteredAt = now
        generation += 1
        cloudTask = nil
        if change.completesOnboarding { onboarding = .done }
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
