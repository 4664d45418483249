// The store of the lab: subscriptions that cost nothing, with everything that can happen to one.

import CloudProtocol
import Ledger
import Synchronization

/// An event at the store.
enum StoreAction: String, CaseIterable, Sendable {
    case subscribe
    case approvalPending = "approval_pending"
    case renew
    case paymentFailing = "payment_failing"
    case cancel
    case expire
    case refund
}

/// The subscriptions of one world by user.
final class DemoStore: EntitlementSource, SubscriptionStore {
    /// A subscription as the store keeps it. Times are UTC seconds.
    enum Subscription: Hashable, Sendable {
        case pending
        case active(until: Int64, renews: Bool)
        /// The payment fails: premium until the store gives up.
        case failing(until: Int64)
        case expired(at: Int64)
        case refunded(at: Int64)
    }

    /// A paid month, in seconds.
    static let month: Int64 = 30 * 86_400
    /// The time during which the store retries a payment, in seconds.
    static let grace: Int64 = 16 * 86_400

    private let clock: WorldClock
    private let subscriptions: Mutex<[EntityID: Subscription]>
    private let webhook = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ clock: WorldClock, subscriptions: [EntityID: Subscription] = [:]) {
        self.clock = clock
        self.subscriptions = Mutex(subscriptions)
    }

    /// Calls a webhook after each event from now on.
    func tell(_ receiver: @escaping @Sendable () -> Void) { webhook.withLock { $0 = receiver } }

    /// All subscriptions, for a copy of the world.
    var all: [EntityID: Subscription] { subscriptions.withLock { $0 } }

    /// As `EntitlementSource`.
    func entitlement(of user: UserAccount) async throws(CloudError) -> Entitlement {
        entitlement(of: user.id)
    }

    /// As `SubscriptionStore`.
    func subscribe(_ user: UserAccount) async throws(CloudError) {
        guard !entitlement(of: user.id).isPremium else { return }
        perform(.subscribe, for: user.id)
    }

    /// The entitlement of a user at the present time.
    func entitlement(of user: EntityID) -> Entitlement {
        let now = clock.milliseconds / 1_000
        guard let subscription = subscriptions.withLock({ $0[user] }) else { return Entitlement(.none) }
        switch subscription {
        case .pending: return Entitlement(.pending)
        case .active(let until, renews: true):
            // Paid again at the end of each month.
            let renewals = now < until ? 0 : (now - until) / Self.month + 1
            return Entitlement(.active, expiresAt: until + renewals * Self.month, willRenew: true)
        case .active(let until, renews: false):
            return now < until
                ? Entitlement(.active, expiresAt: until) : Entitlement(.expired, expiresAt: until)
        case .failing(let until):
            return now < until
                ? Entitlement(.grace, expiresAt: until) : Entitlement(.expired, expiresAt: until)
        case .expired(let at): return Entitlement(.expired, expiresAt: at)
        case .refunded(let at): return Entitlement(.revoked, expiresAt: at)
        }
    }

    /// Whether a user has bought something that was not refunded yet.
    func canRefund(_ user: EntityID) -> Bool {
        switch subscriptions.withLock({ $0[user] }) {
        case .active?, .failing?, .expired?: true
        case .pending?, .refunded?, nil: false
        }
    }

    /// Lets something happen to a user's subscription. An action that needs a subscription, such as a renewal, begins
    /// one first if there is none: a reviewer needs one step to each situation. A refund alone needs a purchase, which
    /// the caller checks.
    func perform(_ action: StoreAction, for user: EntityID) {
        let now = clock.milliseconds / 1_000
        let end = entitlement(of: user).isPremium ? entitlement(of: user).expiresAt : nil
        let next: Subscription =
            switch action {
            case .subscribe: .active(until: now + Self.month, renews: true)
            case .approvalPending: .pending
            case .renew: .active(until: (end ?? now) + Self.month, renews: true)
            case .paymentFailing: .failing(until: now + Self.grace)
            case .cancel: .active(until: end ?? now + Self.month, renews: false)
            case .expire: .expired(at: now)
            case .refund: .refunded(at: now)
            }
        subscriptions.withLock { $0[user] = next }
        let receiver = webhook.withLock { $0 }
        receiver?()
    }
}
