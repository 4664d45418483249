// Runs a device's lifecycle: an event leads to a state, the state is stored, its effects run, and what comes of them
// is the next event.

import Book
import Entitlements
import Ledger
public import Lifecycle
import SyncCore

extension Device {
    /// Lets an event happen: the state it leads to is stored, then its effects run, and what comes of them is the
    /// next event. What has to wait for the cloud goes on by itself.
    public func handle(_ event: Event) throws(DevicesError) {
        try standing.withLock { standing throws(DevicesError) in
            try run(event, &standing)
            try startAnew(&standing)
        }
    }

    /// Goes on where the process before this one ended.
    func resume(stored: State) throws(DevicesError) {
        try standing.withLock { standing throws(DevicesError) in
            let (state, effects) = Lifecycle.resume(stored, now: house.surroundings.now)
            // That a device at rest is looked at anew needs no storing: the next process would do the same.
            standing.state = state == .initializing ? state : stored
            try enter(state, effects, by: "RESUME", &standing)
            try startAnew(&standing)
        }
    }

    /// A fresh guest's life begins at once.
    func startAnew(_ standing: inout Standing) throws(DevicesError) {
        if standing.state == .uninitialized { try run(.appStart, &standing) }
    }

    func run(_ event: Event, _ standing: inout Standing, beginning session: Session? = nil)
        throws(DevicesError)
    {
        let (next, effects) = step(standing.state, event)
        if next == standing.state, effects.isEmpty {
            house.surroundings.log("lifecycle: \(event.name) changes nothing in \(next.name) (device \(id))")
            return
        }
        try enter(next, effects, by: event.name, &standing, beginning: session)
    }

    private func enter(
        _ next: State,
        _ effects: [Effect],
        by event: String,
        _ standing: inout Standing,
        beginning session: Session? = nil
    ) throws(DevicesError) {
        if next != standing.state {
            let skips = effects.contains(.skipOnboarding)
            try store(next, by: event, &standing, beginning: session, skipsOnboarding: skips)
        }
        for effect in effects {
            if effect.asksTheCloud {
                start(effect, standing)
                continue
            }
            guard house.mayBegin(effect) else { return }
            let result = outcome(of: effect, &standing)
            guard house.mayEnd(effect) else { return }
            guard let result else { continue }
            // It leads on, or says that this effect failed: what was to come after it is not to be done any more.
            return try run(result, &standing)
        }
    }

    /// Stores a state with the session that begins or ends with it, and that the onboarding is done where it is
    /// skipped: a state is not entered again with the effects of the way to it.
    private func store(
        _ next: State,
        by event: String,
        _ standing: inout Standing,
        beginning session: Session?,
        skipsOnboarding: Bool
    ) throws(DevicesError) {
        let before = standing.state
        let (now, register) = (house.surroundings.now, house.register)
        let record = TransitionRecord(at: now, event: event, from: before.name, to: next.name)
        let change: SessionChange =
            if let session { .begin(session.record(of: id, house.seal)) } else {
                next.isGuests ? .end : .keep
            }
        try wrapping { () throws(BookError) in
            try register.persist(
                state: next.stored,
                transition: record,
                of: id,
                session: change,
                onboarding: skipsOnboarding ? OnboardingStep.done.rawValue : nil
            )
        }
        if skipsOnboarding { standing.onboarding = .done }
        house.surroundings.log("lifecycle: \(before.name) → \(next.name) (\(event), device \(id))")
        standing.state = next
        standing.enteredAt = now
        standing.generation += 1
        stopErrand()
        if !next.keepsSyncing(since: before) { house.runners.stop(id) }
        if let session { standing.session = session }
        if next.isGuests, standing.session != nil {
            standing.session = nil
            house.farewells.tell()
        }
    }

    /// Runs an effect that needs no cloud. What fails for good becomes an event too.
    private func outcome(of effect: Effect, _ standing: inout Standing) -> Event? {
        do {
            switch effect {
            case .gatherContext: return try gather(from: try book(), standing)
            case .seedDefaults: return try seed(try book(), standing)
            case .clearBook: try clearBook()
            case .moveToAccount: return try move(to: standing)
            case .signOut(_, let why):
                try becomeGuest(&standing, isEnded: why == .accountGone, why)
                return .signOutComplete
            case .tell(let news): tell(Message(key: news.rawValue, text: news.words))
            // The session was ended together with the state; what is left is to tell the cloud.
            case .endSession: house.farewells.tell()
            // Stored together with the state.
            case .skipOnboarding: break
            case .attachSync(_, let how): return try attachSync(how, &standing)
            case .detachSync: return try detachSync(&standing)
            case .runSync(let user): runSync(.run, user)
            case .drainQueue(let user): runSync(.drain, user)
            case .verifyAccount, .deleteServerData, .deleteAccount: break
            }
            return nil
        } catch {
            house.surroundings.log("lifecycle: \(effect) failed: \(error) (device \(id))")
            return .error(what: error.key, at: house.surroundings.now)
        }
    }

    private func gather(from book: Book, _ standing: Standing) throws(DevicesError) -> Event {
        let counts = try wrapping { () throws(BookError) in try book.counts() }
        var findings = Findings()
        findings.needsOnboarding = standing.onboarding < .done
        // What is on its way from the cloud is not to be mixed with defaults.
        findings.needsSeed =
            counts.accounts == 0 && counts.categories == 0 && counts.transactions == 0
            && standing.session?.isAttached != true
        if let session = standing.session {
            let now = house.surroundings.now
            findings.user = session.userID
            findings.syncs = session.wantsSync && session.isPremium(at: now)
            findings.isAttached = session.isAttached
            if session.entitlement?.trust(at: now) == .stale {
                house.surroundings.log("the entitlement was not verified for over 7 days (device \(id))")
            }
        }
        return .initComplete(findings)
    }

    private func seed(_ book: Book, _ standing: Standing) throws(DevicesError) -> Event {
        // A user's are the same on each of their devices, a guest's are nobody else's.
        let owner = standing.state.isGuests ? standing.guest : standing.session?.user.id ?? standing.guest
        try wrapping { () throws(BookError) in
            let base = try book.preferences().resolved(browser: house.locale(locale), timeZone: "")
                .baseCurrency
            try book.seed(
                categories: Seed.categories(of: owner),
                accounts: Seed.accounts(of: owner, currency: base),
                for: owner
            )
        }
        return .seedingComplete(isPremium: syncs(standing))
    }

    private func move(to standing: Standing) throws(DevicesError) -> Event {
        let book = try book()
        if let user = standing.session?.user.id {
            try wrapping { () throws(BookError) in try book.move(to: user) }
        }
        return .migrationComplete(isPremium: syncs(standing))
    }

    private func syncs(_ standing: Standing) -> Bool {
        standing.session.map { $0.wantsSync && $0.isPremium(at: house.surroundings.now) } ?? false
    }

    /// Puts an empty book in the place of what is there.
    func clearBook() throws(DevicesError) {
        try house.clearBook(of: id)
        forgetWhatWasRead()
    }

    /// Leaves nothing of whoever was signed in: an empty book, another guest, the first page.
    func becomeGuest(_ standing: inout Standing, isEnded: Bool, _ why: Farewell) throws(DevicesError) {
        try clearBook()
        takeMessages()
        let (guest, now) = (house.surroundings.newID(), house.surroundings.now)
        let notice = why.words.map { Notice(key: News.accountGone.rawValue, at: now, text: $0) }
        let register = house.register
        try wrapping { () throws(BookError) in
            try register.welcome(
                guest: guest,
                to: id,
                onboarding: OnboardingStep.welcome.rawValue,
                telling: notice,
                isEnded: isEnded,
                now: now
            )
        }
        standing.guest = guest
        standing.onboarding = .welcome
        standing.session = nil
        house.farewells.tell()
    }
}

extension State {
    /// Whether the device is a guest's in it: nobody is signed in, and nobody is about to be.
    fileprivate var isGuests: Bool {
        switch self {
        case .uninitialized, .onboarding(nil), .localOnly(nil, _): true
        case .seedingGuest(let seeding): seeding.user == nil && seeding.pendingAuth == nil
        default: false
        }
    }
}

extension State {
    /// Whether the sync of the state before goes on in it.
    fileprivate func keepsSyncing(since before: State) -> Bool {
        if case .draining(_, _, mustSignIn: false) = self, case .draining(_, _, mustSignIn: false) = before {
            return true
        }
        return false
    }
}

extension Effect {
    /// Whether its result takes as long as the network does.
    fileprivate var asksTheCloud: Bool {
        switch self {
        case .verifyAccount, .deleteServerData, .deleteAccount: true
        case .gatherContext, .seedDefaults, .clearBook, .skipOnboarding, .moveToAccount, .endSession,
            .signOut,
            .tell, .attachSync, .detachSync, .runSync, .drainQueue:
            false
        }
    }
}

extension Farewell {
    /// What the fresh guest is told; nil for who wanted it so.
    fileprivate var words: String? {
        switch self {
        case .chosen: nil
        case .accountGone:
            "Your account was deleted, so its data was removed from this device as well. You can start anew."
        }
    }
}

extension News {
    /// What the user reads.
    fileprivate var words: String {
        switch self {
        case .noCloudBackup: "No cloud backup found. Your data is stored locally on your other device."
        case .accountGone: "This account was deleted. What is on this device is as it was."
        case .premiumActivated: "Premium activated! Cloud sync is on."
        case .subscriptionEnded:
            "Sync has been disabled because your subscription ended. Don't worry, your data is still on this device. "
                + "Renew your subscription to continue syncing."
        }
    }
}
