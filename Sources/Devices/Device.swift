// One browser: where its lifecycle stands, and the way to its book.

public import Book
public import Ledger
public import Lifecycle
import Storage
import Synchronization

/// A device of this server. Safe to use from any thread.
public final class Device: Sendable {
    /// Its identity.
    public let id: EntityID
    /// The locale that its browser asked for at first; empty where it asked for none that is known.
    public let locale: String
    private let standing: Mutex<Standing>
    private let messages = Mutex<[Message]>([])
    private let chosen = Kept<Preferences>()
    private let payees = Kept<[PayeeUse]>()
    private let house: Workshop

    /// A payee of late, and what it was last for.
    public struct PayeeUse: Hashable, Sendable {
        /// As it was written.
        public let payee: String
        /// A live category, or nil.
        public let category: EntityID?
    }

    private struct Standing {
        var state: State
        var onboarding: OnboardingStep
    }

    /// A short message for the next page, kept in memory only.
    public struct Message: Hashable, Sendable {
        /// What it is about: `transaction-deleted`.
        public let key: String
        /// What the user reads.
        public let text: String
        /// Where a form that takes it back posts to.
        public let undo: String?

        /// A message.
        public init(key: String, text: String, undo: String? = nil) {
            self.key = key
            self.text = text
            self.undo = undo
        }
    }

    init(_ record: DeviceRecord, state: State, house: Workshop) {
        id = record.id
        locale = record.locale
        self.house = house
        let step = OnboardingStep(rawValue: record.onboarding) ?? .currency
        standing = Mutex(Standing(state: state, onboarding: step))
    }

    /// Where the lifecycle stands.
    public var state: State { standing.withLock { $0.state } }

    /// What is asked next.
    public var onboarding: OnboardingStep { standing.withLock { $0.onboarding } }

    /// The book, opened if need be.
    public func book() throws(DevicesError) -> Book { try house.book(of: id) }

    /// What the user chose, as it is stored.
    public func preferences() throws(DevicesError) -> Preferences {
        try chosen.value { () throws(DevicesError) in
            let book = try book()
            return try wrapping { () throws(BookError) in try book.preferences() }
        }
    }

    /// Stores what the user chose, and with it the budgets that change because of it: all or nothing.
    public func set(_ preferences: Preferences, changing budgets: [Budget] = []) throws(DevicesError) {
        let book = try book()
        try chosen.changing { () throws(DevicesError) in
            try wrapping { () throws(BookError) in try book.set(preferences, changing: budgets) }
        }
    }

    /// The last payees, newest first: read once, until the book changes.
    public func recentPayees() throws(DevicesError) -> [PayeeUse] {
        try payees.value { () throws(DevicesError) in
            let book = try book()
            return try wrapping { () throws(BookError) in
                var uses: [PayeeUse] = []
                for payee in try book.recentPayees(limit: 30) {
                    uses.append(PayeeUse(payee: payee, category: try book.lastCategory(forPayee: payee)))
                }
                return uses
            }
        }
    }

    /// Forgets what was read ahead, because the book has changed.
    public func bookChanged() { payees.changing {} }

    /// Notes that a step of onboarding was answered; the last one ends the onboarding.
    ///
    /// A step that was answered before may be answered again; that takes nobody back.
    public func answered(_ step: OnboardingStep) throws(DevicesError) {
        let next: OnboardingStep =
            switch step {
            case .currency: .secondary
            case .secondary: .calendar
            case .calendar, .done: .done
            }
        guard onboarding < next else { return }
        let register = house.register
        try wrapping { () throws(BookError) in try register.setOnboarding(next.rawValue, of: id) }
        standing.withLock { $0.onboarding = max($0.onboarding, next) }
        if next == .done { try handle(.onboardingComplete) }
    }

    /// Lets an event happen: the state it leads to is stored, then its effects run, and what comes of them is the
    /// next event.
    public func handle(_ event: Event) throws(DevicesError) {
        try standing.withLock { standing throws(DevicesError) in
            try run(event, &standing)
        }
    }

    /// Goes on where the process before this one ended.
    func resume(stored: State) throws(DevicesError) {
        try standing.withLock { standing throws(DevicesError) in
            let (state, effects) = Lifecycle.resume(stored, now: house.surroundings.now)
            standing.state = stored
            try enter(state, effects, by: "RESUME", &standing)
            if state == .uninitialized { try run(.appStart, &standing) }
        }
    }

    private func run(_ event: Event, _ standing: inout Standing) throws(DevicesError) {
        let (next, effects) = step(standing.state, event)
        if next == standing.state, effects.isEmpty {
            house.surroundings.log("lifecycle: \(event.name) changes nothing in \(next.name) (device \(id))")
            return
        }
        try enter(next, effects, by: event.name, &standing)
    }

    private func enter(
        _ next: State,
        _ effects: [Effect],
        by event: String,
        _ standing: inout Standing
    ) throws(DevicesError) {
        let before = standing.state
        if next != before {
            let register = house.register
            let record = TransitionRecord(
                at: house.surroundings.now,
                event: event,
                from: before.name,
                to: next.name
            )
            try wrapping { () throws(BookError) in
                try register.persist(state: next.stored, transition: record, of: id)
            }
            house.surroundings.log("lifecycle: \(before.name) → \(next.name) (\(event), device \(id))")
            standing.state = next
        }
        for effect in effects {
            if effect == .skipOnboarding { standing.onboarding = .done }
            guard house.mayBegin(effect) else { return }
            let result = try outcome(of: effect, standing.onboarding)
            guard house.mayEnd(effect) else { return }
            guard let result else { continue }
            // It leads on, or says that this effect failed: what was to come after it is not to be done any more.
            return try run(result, &standing)
        }
    }

    /// Runs an effect. What fails for good becomes an event too.
    private func outcome(of effect: Effect, _ step: OnboardingStep) throws(DevicesError) -> Event? {
        do {
            return switch effect {
            case .gatherContext: try gather(from: try house.book(of: id), step)
            case .seedDefaults: try seed(try house.book(of: id))
            case .clearBook: try clearBook()
            case .skipOnboarding: try skipOnboarding()
            case .tell(let news): tell(news)
            case .verifyAccount, .moveToAccount, .attachSync, .detachSync, .runSync, .drainQueue, .endSession,
                .signOut, .deleteServerData, .deleteAccount:
                // They are questions to a cloud, and this server has none.
                .error(what: "no_cloud", at: house.surroundings.now)
            }
        } catch {
            guard case .book(let reason) = error else { throw error }
            house.surroundings.log("lifecycle: \(effect) failed: \(reason) (device \(id))")
            return .error(what: reason.key, at: house.surroundings.now)
        }
    }

    private func gather(from book: Book, _ step: OnboardingStep) throws(DevicesError) -> Event {
        let counts = try wrapping { () throws(BookError) in try book.counts() }
        var findings = Findings()
        findings.needsOnboarding = step < .done
        findings.needsSeed = counts.accounts == 0 && counts.categories == 0 && counts.transactions == 0
        return .initComplete(findings)
    }

    private func seed(_ book: Book) throws(DevicesError) -> Event {
        try wrapping { () throws(BookError) in
            let base = try book.preferences().resolved(browser: house.locale(locale), timeZone: "")
                .baseCurrency
            try book.seed(
                categories: Seed.categories(of: id),
                accounts: Seed.accounts(of: id, currency: base)
            )
        }
        return .seedingComplete(isPremium: false)
    }

    /// Puts an empty book in the place of what is there.
    private func clearBook() throws(DevicesError) -> Event? {
        try house.clearBook(of: id)
        chosen.changing {}
        payees.changing {}
        return nil
    }

    private func skipOnboarding() throws(DevicesError) -> Event? {
        let register = house.register
        try wrapping { () throws(BookError) in
            try register.setOnboarding(OnboardingStep.done.rawValue, of: id)
        }
        return nil
    }

    private func tell(_ news: News) -> Event? {
        tell(Message(key: news.rawValue, text: news.words))
        return nil
    }

    /// Leaves a message for the next page.
    public func tell(_ message: Message) {
        messages.withLock { messages in
            messages.removeAll { $0.key == message.key }
            messages.append(message)
            if messages.count > 5 { messages.removeFirst() }
        }
    }

    /// Takes the messages: of two pages, one shows them.
    public func takeMessages() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    /// The last hundred transitions, oldest first.
    public func transitions() throws(DevicesError) -> [TransitionRecord] {
        let register = house.register
        return try wrapping { () throws(BookError) in try register.transitions(of: id) }
    }
}

/// The same failure, as one of this module's.
func wrapping<Value>(_ body: () throws(BookError) -> Value) throws(DevicesError) -> Value {
    do { return try body() } catch { throw .book(error) }
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
