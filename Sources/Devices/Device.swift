// One browser: where its lifecycle stands, and the way to its book.

public import Book
import Entitlements
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
    let standing: Mutex<Standing>
    /// The effect that waits for the cloud.
    let errand = Mutex<Task<Void, Never>?>(nil)
    /// The verification of the subscription that is under way.
    let asking = Mutex<Task<Void, Never>?>(nil)
    /// When the subscription is verified.
    let plan = Mutex(VerificationPlan())
    let house: Workshop
    /// How many changes there were when the user decided to sign out after them.
    let leaving = Mutex<Int?>(nil)
    let isDownloadDismissed = Mutex(false)
    let isCookieDue = Mutex(false)
    /// When rows arrived last, in UTC seconds.
    let arrivedAt = Mutex<Int64>(0)
    private let messages = Mutex<[Message]>([])
    private let chosen = Kept<Preferences>()
    private let payees = Kept<[PayeeUse]>()

    /// A payee of late, and what it was last for.
    public struct PayeeUse: Hashable, Sendable {
        /// As it was written.
        public let payee: String
        /// A live category, or nil.
        public let category: EntityID?
    }

    /// What changes under one lock.
    struct Standing {
        var state: State
        var onboarding: OnboardingStep
        var guest: EntityID
        var session: Session?
        /// UTC seconds.
        var enteredAt: Int64
        /// Another number in each state, so that what was asked for in one is not taken over in another.
        var generation = 0
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

    init(_ record: DeviceRecord, state: State, session: Session?, house: Workshop) {
        id = record.id
        locale = record.locale
        self.house = house
        let step = OnboardingStep(rawValue: record.onboarding) ?? .currency
        standing = Mutex(
            Standing(
                state: state,
                onboarding: step,
                guest: record.guest,
                session: session,
                enteredAt: house.surroundings.now
            )
        )
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
            case .welcome: .currency
            case .currency: .secondary
            case .secondary: .calendar
            case .calendar, .done: .done
            }
        guard onboarding < next else { return }
        let register = house.register
        try wrapping { () throws(BookError) in try register.setOnboarding(next.rawValue, of: id) }
        standing.withLock { $0.onboarding = max($0.onboarding, next) }
        if step == .welcome { try dismissFarewell() }
        if next == .done { try handle(.onboardingComplete) }
    }

    /// Leaves a message for the next page.
    public func tell(_ message: Message) {
        messages.withLock { messages in
            messages.removeAll { $0.key == message.key }
            messages.append(message)
            if messages.count > 5 { messages.removeFirst() }
        }
    }

    /// Forgets everything of a book that is gone.
    func forgetWhatWasRead() {
        chosen.changing {}
        payees.changing {}
    }

    /// Takes the messages: of two pages, one shows them.
    @discardableResult
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
