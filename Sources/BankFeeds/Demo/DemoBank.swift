// The bank of `breadly demo`: its consents, and everything that can go wrong with it. `breadly serve` has no such bank.

public import Ledger
import Synchronization

/// The bank of one world of the demo. Safe to use from any thread.
public final class DemoBank: Sendable {
    /// The ways in which the bank behaves.
    public enum Behaviour: String, CaseIterable, Sendable {
        /// Every request is answered at once.
        case works
        /// Every answer takes two seconds.
        case slow
        /// No request is answered.
        case down
        /// The present consents have ended. New consents can be given.
        case consentEnds = "consent_ends"
        /// The bank accepts no requests for a quarter of an hour.
        case tooManyRequests = "too_many_requests"
        /// Answers are pages instead of data.
        case wrongContentType = "wrong_content_type"
        /// Every transaction is reported twice, in the opposite order.
        case duplicates
        /// Pending transactions have another identifier in each report.
        case changingPending = "changing_pending"
    }

    /// The access that a consent has granted.
    struct Grant: Sendable {
        var secret: String
        var renewal: String
        /// UTC seconds.
        var expiresAt: Int64
        /// UTC seconds.
        let consentEndsAt: Int64
        let id: String
    }

    private struct State {
        var behaviour = Behaviour.works
        var last = 0
        /// The consents that users have begun to give, the oldest first.
        var begun: [(state: String, redirect: String)] = []
        var codes: Set<String> = []
        var grants: [Grant] = []
    }

    private let state = Mutex(State())
    let now: @Sendable () -> Int64
    let ledger: DemoLedger
    private static let mostBegun = 20
    /// The time for which access is valid, and that for which a consent is, in seconds.
    private static let accessSeconds: Int64 = 3_600
    private static let consentSeconds: Int64 = 90 * 86_400
    /// The number of days before the first one of a world that have entries.
    private static let pastDays = 400

    /// - Parameters:
    ///   - seed: the same seed makes the same transactions.
    ///   - firstDay: the day on which the world begins; there are transactions before it.
    ///   - now: UTC seconds.
    public init(seed: UInt64, firstDay: CivilDate, now: @escaping @Sendable () -> Int64) {
        self.now = now
        ledger = DemoLedger(seed: seed, firstDay: firstDay.adding(days: -Self.pastDays))
    }

    /// The present behaviour.
    public var behaviour: Behaviour { state.withLock { $0.behaviour } }

    /// Changes the behaviour from now on.
    public func set(_ behaviour: Behaviour) {
        state.withLock { state in
            state.behaviour = behaviour
            if behaviour == .consentEnds { state.grants = [] }
        }
    }

    // MARK: - Consents

    /// Notes a consent that a user has begun to give.
    func begin(_ consent: BankConsent) {
        state.withLock { state in
            guard !state.begun.contains(where: { $0.state == consent.state }) else { return }
            state.begun.append((consent.state, consent.redirect))
            if state.begun.count > Self.mostBegun { state.begun.removeFirst() }
        }
    }

    /// The address to which a consent returns; nil if it has not begun here.
    public func redirect(of consent: String) -> String? {
        state.withLock { state in state.begun.first { $0.state == consent }?.redirect }
    }

    /// The code that proves a consent, once the user has given it.
    public func allow() -> String {
        state.withLock { state in
            state.last += 1
            let code = "demo-code-\(state.last)"
            state.codes.insert(code)
            return code
        }
    }

    /// Exchanges a code for access. Each code works once.
    func grant(_ code: String) -> Grant? {
        state.withLock { state in
            guard state.codes.remove(code) != nil else { return nil }
            state.last += 1
            let number = state.last
            let grant = Grant(
                secret: "demo-access-\(number)",
                renewal: "demo-renewal-\(number)",
                expiresAt: now() + Self.accessSeconds,
                consentEndsAt: now() + Self.consentSeconds,
                id: "demo-consent-\(number)"
            )
            state.grants.append(grant)
            return grant
        }
    }

    /// Replaces the access of a token for renewal; nil if its consent has ended.
    func renew(_ renewal: String) -> Grant? {
        state.withLock { state in
            guard let place = state.grants.firstIndex(where: { $0.renewal == renewal }),
                state.grants[place].consentEndsAt > now()
            else { return nil }
            state.last += 1
            state.grants[place].secret = "demo-access-\(state.last)"
            state.grants[place].renewal = "demo-renewal-\(state.last)"
            state.grants[place].expiresAt = now() + Self.accessSeconds
            return state.grants[place]
        }
    }

    /// The grant of an access; nil if its consent has ended.
    func grant(of secret: String) -> Grant? {
        state.withLock { state in
            state.grants.first { $0.secret == secret && $0.consentEndsAt > now() }
        }
    }

    /// Ends a consent.
    func revoke(_ secret: String) { state.withLock { $0.grants.removeAll { $0.secret == secret } } }
}
