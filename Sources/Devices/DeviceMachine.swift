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
    private var steps: [Work] = []
    private var current: (ticket: Int?, isLoad: Bool, isIgnored: Bool)?
    private var inFlight: Work?
    private var failure: DevicesError?
    private var waiting = (pending: 0, refused: 0)
    /// Another number in each state, so that what was asked for in one is not applied in another.
    private(set) var generation = 0
    private(set) var cloudTask: CloudTask?
    /// Which run of sync is the present one.
    private(set) var syncRun = 0
    /// Whether the lifecycle goes on in this process.
    private(set) var isLoaded = false
    /// Whether somebody performs its steps.
    private var isDriven = false
    private(set) var isAbandoned = false

    private enum Work {
        case step(DeviceStep)
        /// A step whose failure the lifecycle hears of, as an event like any other.
        case attempt(DeviceStep)
        /// With the session and the state of the moment at which its turn comes.
        case begin(CloudTask)
        case decide(Decision)
    }

    /// A decision that needs the outcomes of the steps before it.
    private enum Decision {
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

    // MARK: - Being told

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

    // MARK: - Beginning an event

    private mutating func begin(_ event: DeviceEvent) {
        switch event {
        case .loaded(let now):
            guard !isLoaded else { return }
            current?.isLoad = true
            load(at: now)
        case .lifecycle(let event): steps = [.decide(.lifecycle(event))]
        case .answered(let step):
            let next = step.next
            guard onboarding < next else { return }
            if next == .done, case .onboarding = state {
                // Its end is stored with the state that follows from it.
                steps = [.decide(.lifecycle(.onboardingComplete))]
            } else {
                steps = [.step(.storeOnboarding(next))]
            }
        case .signedIn(let session, let isExisting): signIn(session, isExisting)
        case .syncSwitched(let isOn, let now):
            guard var session, session.wantsSync != isOn else { return }
            session.wantsSync = isOn
            let isPremium = session.isPremium(at: now)
            steps = [
                .step(.storeSession(session)), .step(.countWaiting),
                .decide(.syncSwitched(isOn, isPremium: isPremium)),
            ]
        case .verified(let report, let token, let now):
            guard let session, session.token == token else { return }
            let noted = session.noting(report, at: now)
            // Asked every minute, and told the same: that is not worth a write.
            if !noted.saysTheSame(as: session) { steps.append(.step(.storeSession(noted))) }
            // What waits is counted in the book, which is not opened where nothing follows.
            if consequence(of: noted) != nil { steps += [.step(.countWaiting), .decide(.verified)] }
        case .tokenRefused(let token, let isAccountGone):
            guard let session, session.token == token else { return }
            isAccountGone ? steps = [.decide(.lifecycle(.accountGone))] : endSession()
        case .cloudTaskEnded(let task, let outcome, let generation, let now):
            guard generation == self.generation, task == cloudTask else { return }
            cloudTask = nil
            end(task, outcome, at: now)
        case .cloudTaskHurried:
            if case .verifyingAccount = state { steps = [.begin(.verifyAccount)] }
        case .syncEnded(let end, let run):
            guard run == syncRun else { return }
            switch end {
            case .drained: steps = [.decide(.lifecycle(.queueDrained))]
            case .accountGone: steps = [.decide(.lifecycle(.accountGone))]
            case .sessionRevoked: endSession()
            case .dataDeleted:
                steps = [.step(.effect(.tell(.dataDeleted)))]
                // There is nothing left to upload to: the device detaches, with book and outbox as they are.
                if case .draining = state { steps.append(.decide(.lifecycle(.queueDrained))) }
            case .notAttached:
                if case .draining = state { steps = [.decide(.lifecycle(.queueDrained))] }
            }
        case .drainStalled(let run):
            if run == syncRun { steps = [.decide(.lifecycle(.queueDrainTimeout))] }
        case .leftOnceSent:
            guard leavingTotal != nil else { return }
            steps = [.step(.countWaiting), .decide(.leave)]
        case .syncStartedAnew:
            guard case .synced(let user, mustSignIn: false) = state else { return }
            syncRun += 1
            steps = [.step(.stopSync), .step(.rejoin), .attempt(.effect(.runSync(user)))]
        }
    }

    /// A state at rest is looked at anew: that needs no storing, the next process would do the same.
    private mutating func load(at now: Int64) {
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

    private mutating func signIn(_ new: Session, _ isExisting: Bool) {
        guard let token = new.token else { return }
        guard let user = new.userID else { return refuse(token, .notNow) }
        var session = new
        guard let present = self.session else {
            guard state.letsIn else { return refuse(token, .notNow) }
            let who = SignIn(user: user, isExisting: isExisting)
            steps = [.decide(.lifecycle(.userAuthenticated(who), beginning: session))]
            return
        }
        // Signed in already, perhaps in another tab a moment ago: the newer token takes over.
        guard present.user.id == new.user.id else { return refuse(token, .otherUser) }
        (session.isAttached, session.wantsSync) = (present.isAttached, present.wantsSync)
        session.holdings = present.holdings
        steps = [
            .step(.storeSession(session)),
            .decide(.lifecycle(.userAuthenticated(SignIn(user: user, isExisting: true)))),
        ]
        // A verification or a sync that is under way asks with the new token from now on.
        switch state {
        case .verifyingAccount: steps.append(.begin(.verifyAccount))
        case .synced(_, mustSignIn: false): steps += restartSync(.runSync(user))
        case .draining(_, _, mustSignIn: false): steps += restartSync(.drainQueue(user))
        default: break
        }
        steps.append(.step(.revokeEnded))
    }

    private mutating func restartSync(_ effect: Effect) -> [Work] {
        syncRun += 1
        return [.step(.stopSync), .attempt(.effect(effect))]
    }

    private mutating func refuse(_ token: SessionToken, _ refusal: SignInRefusal) {
        failure = .signInRefused(refusal)
        steps = [.step(.revoke(token))]
    }

    /// The token is not accepted any more; all goes on locally.
    private mutating func endSession() {
        guard var session else { return }
        session.isRevoked = true
        steps = [.step(.storeSession(session)), .decide(.lifecycle(.sessionRevoked))]
    }

    private mutating func end(_ task: CloudTask, _ outcome: CloudTask.Outcome, at now: Int64) {
        switch (task, outcome) {
        case (.verifyAccount, .report(let report)):
            guard let session else { return }
            let event = Event.accountVerified(
                hasServerData: report.holdings.isServerData,
                isPremium: report.entitlement.isPremium
            )
            steps = [.attempt(.storeSession(session.noting(report, at: now))), .decide(.lifecycle(event))]
        case (.verifyAccount, .accountGone): steps = [.decide(.lifecycle(.accountGone))]
        case (.verifyAccount, _):
            // The session ended before the account was verified: the guest goes on as before.
            toasts.add(.signedOutElsewhere)
            steps = [.decide(.lifecycle(.verificationCancelled))]
        case (.deleteServerData, .done):
            guard var session else { return }
            session.holdings = Holdings()
            steps = [.attempt(.storeSession(session)), .decide(.lifecycle(.serverDataDeleted))]
        case (.deleteAccount, .done), (.deleteAccount, .accountGone):
            steps = [
                .attempt(.startOver(StartOver(reason: .chosen, isSessionEnded: true))),
                .decide(.lifecycle(.accountDeleteComplete)),
            ]
        case (_, .failed(let what)): steps = [.decide(.lifecycle(.error(what: what, at: now)))]
        case (_, .accountGone): steps = [.decide(.lifecycle(.error(what: "account_gone", at: now)))]
        case (_, .sessionRevoked): steps = [.decide(.lifecycle(.error(what: "session_revoked", at: now)))]
        case (_, .report), (_, .done): break
        }
    }

    // MARK: - Deciding

    private mutating func decide(_ decision: Decision) {
        switch decision {
        case .lifecycle(let event, let session):
            let (next, effects) = step(state, event)
            guard next != state || !effects.isEmpty else {
                steps = [.step(.log("lifecycle: \(event.name) changes nothing in \(next.name)"))] + steps
                current?.isIgnored = true
                return
            }
            enter(next, effects, by: event.name, beginning: session)
        case .syncSwitched(let isOn, let isPremium):
            let event = Event.syncPreferenceChanged(on: isOn, isPremium: isPremium, pending: waiting.pending)
            steps = [.decide(.lifecycle(event))]
        case .verified:
            if let session, let event = consequence(of: session) { steps = [.decide(.lifecycle(event))] }
        case .leave:
            // Refused changes would be lost like those that were not sent.
            guard leavingTotal != nil, waiting.pending + waiting.refused == 0 else { return }
            leavingTotal = nil
            // Nobody is there to be given another cookie now: the next visit is.
            isCookieDue = true
            steps = [.step(.expireCookie), .decide(.lifecycle(.userSignedOut))]
        }
    }

    /// The event that follows from a status that was verified just now.
    private func consequence(of session: Session) -> Event? {
        guard let isPremium = session.entitlement?.entitlement.isPremium else { return nil }
        switch state {
        case .localOnly(_, let isAttached):
            if isPremium { return session.wantsSync ? .subscriptionActivated : nil }
            return isAttached ? .subscriptionExpired(pending: waiting.pending) : nil
        case .blocked: return isPremium ? .subscriptionActivated : nil
        case .draining: return isPremium && session.wantsSync ? .subscriptionActivated : nil
        case .synced: return isPremium ? nil : .subscriptionExpired(pending: waiting.pending)
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .verifyingAccount, .migratingGuest,
            .deletingServerData, .switchingToSync, .switchingToLocal, .signingOut, .deletingAccount, .error:
            return nil
        }
    }

    /// Goes to a state: it is stored, then its effects run. What was left of the way to it comes last.
    private mutating func enter(
        _ next: State,
        _ effects: [Effect],
        by event: String,
        beginning session: Session? = nil
    ) {
        var work: [Work] = []
        if next != state {
            let change = StateChange(
                from: state,
                to: next,
                event: event,
                session: session.map { .begin($0) } ?? (next.isGuests ? .end : .keep),
                completesOnboarding: effects.contains(.skipOnboarding)
                    || event == Event.onboardingComplete.name
            )
            work.append(.step(.store(change)))
            work.append(.step(.cancelCloudTask))
            if !next.keepsSyncing(since: state) { work.append(.step(.stopSync)) }
            if next.isGuests, self.session != nil { work.append(.step(.revokeEnded)) }
        }
        for effect in effects {
            work.append(effect.cloudTask.map { .begin($0) } ?? .attempt(.effect(effect)))
        }
        steps = work + steps
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

extension OnboardingStep {
    /// The step that comes after it.
    fileprivate var next: OnboardingStep {
        switch self {
        case .welcome: .currency
        case .currency: .secondary
        case .secondary: .calendar
        case .calendar, .done: .done
        }
    }
}

extension Session {
    /// The same session with what the cloud says of the account.
    fileprivate func noting(_ report: AccountReport, at now: Int64) -> Session {
        var session = self
        session.user = report.user
        session.holdings = report.holdings
        session.entitlement = VerifiedEntitlement(report.entitlement, verifiedAt: now)
        return session
    }

    /// Whether nothing but the moment is new, and that by less than an hour.
    fileprivate func saysTheSame(as known: Session) -> Bool {
        guard let entitlement, let before = known.entitlement else { return false }
        let age = entitlement.verifiedAt.subtractingReportingOverflow(before.verifiedAt).partialValue
        var same = self
        same.entitlement = before
        return entitlement.entitlement == before.entitlement && (0..<3_600).contains(age) && same == known
    }
}

extension State {
    /// Whether a guest can sign in in it.
    fileprivate var letsIn: Bool {
        switch self {
        case .onboarding(nil), .localOnly(nil, _): true
        case .seedingGuest(let seeding): seeding.user == nil && seeding.pendingAuth == nil
        default: false
        }
    }

    /// Whether the device is a guest's in it: nobody is signed in, and nobody is about to be.
    fileprivate var isGuests: Bool {
        switch self {
        case .uninitialized, .onboarding(nil), .localOnly(nil, _): true
        case .seedingGuest(let seeding): seeding.user == nil && seeding.pendingAuth == nil
        default: false
        }
    }

    /// Whether its effect leads on by itself: a device cannot stay in it.
    fileprivate var isPassedThrough: Bool {
        switch self {
        case .uninitialized, .initializing, .seedingGuest, .migratingGuest, .switchingToSync,
            .switchingToLocal,
            .signingOut, .deletingAccount, .deletingServerData:
            true
        case .onboarding, .localOnly, .verifyingAccount, .blocked, .synced, .draining, .error: false
        }
    }

    /// Whether the sync of the state before goes on in it.
    fileprivate func keepsSyncing(since before: State) -> Bool {
        if case .draining(_, _, mustSignIn: false) = self, case .draining(_, _, mustSignIn: false) = before {
            return true
        }
        return false
    }
}

extension Effect {
    /// The cloud task that it is; nil for an effect that needs no answer of the cloud.
    fileprivate var cloudTask: CloudTask? {
        switch self {
        case .verifyAccount: .verifyAccount
        case .deleteServerData: .deleteServerData
        case .deleteAccount: .deleteAccount
        case .gatherContext, .seedDefaults, .clearBook, .skipOnboarding, .moveToAccount, .endSession,
            .signOut, .tell, .attachSync, .detachSync, .runSync, .drainQueue:
            nil
        }
    }
}
