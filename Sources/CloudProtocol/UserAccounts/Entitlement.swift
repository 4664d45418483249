// The entitlement of a user to premium, as reported by the service that grants or sells it.

/// A user's entitlement, as an entitlement service reports it.
public struct Entitlement: Codable, Hashable, Sendable {
    /// The state in the store that sold it.
    public enum Status: String, CaseIterable, Codable, Hashable, Sendable {
        /// Premium is granted or paid.
        case active
        /// The store is still trying to collect a payment; the user stays premium.
        case grace
        /// An approval or a payment is outstanding; nothing is granted yet.
        case pending
        /// The entitlement has ended.
        case expired
        /// The entitlement was revoked.
        case revoked
        /// The user never had an entitlement.
        case none
    }

    /// Whether it counts as premium at this time, and otherwise the reason.
    public var status: Status
    /// The end of the entitlement in UTC seconds, past or future; nil if it has none.
    public var expiresAt: Int64?
    /// Whether the entitlement is renewed automatically at its end.
    public var willRenew: Bool

    /// An entitlement without an end and renewal unless they are given.
    public init(_ status: Status, expiresAt: Int64? = nil, willRenew: Bool = false) {
        self.status = status
        self.expiresAt = expiresAt
        self.willRenew = willRenew
    }

    /// Whether the user is premium: only with these two statuses.
    public var isPremium: Bool { status == .active || status == .grace }
}

/// A source of entitlements: one for each kind of grant or store.
public protocol EntitlementSource: Sendable {
    /// Returns the user's current entitlement.
    /// - Throws: `unreachable` if the service does not answer; `failed`.
    func entitlement(of user: UserAccount) async throws(CloudError) -> Entitlement
}

/// A source that makes each signed-in user premium, for a private server.
public struct PremiumForEveryone: EntitlementSource {
    /// A source without settings.
    public init() {}

    /// As `EntitlementSource`.
    public func entitlement(of user: UserAccount) async throws(CloudError) -> Entitlement {
        Entitlement(.active)
    }
}
