// Whether a user is premium, according to the service that grants or sells it.

/// A user's entitlement, as an entitlement service reports it.
public struct Entitlement: Hashable, Sendable {
    /// How it stands.
    public enum Status: String, CaseIterable, Hashable, Sendable {
        /// Granted or paid.
        case active
        /// The store is still trying to collect a payment: premium goes on meanwhile.
        case grace
        /// An approval or a payment is outstanding: nothing is granted yet.
        case pending
        /// Its time is over.
        case expired
        /// Taken back.
        case revoked
        /// There never was one.
        case none
    }

    /// How it stands.
    public var status: Status
    /// When it ends or ended, in UTC seconds; nil where it has no end.
    public var expiresAt: Int64?
    /// Whether it is renewed by itself then.
    public var willRenew: Bool

    /// An entitlement.
    public init(_ status: Status, expiresAt: Int64? = nil, willRenew: Bool = false) {
        self.status = status
        self.expiresAt = expiresAt
        self.willRenew = willRenew
    }

    /// Only these two are premium.
    public var isPremium: Bool { status == .active || status == .grace }
}

/// A service that knows whether a user is premium: one for each kind of grant or store.
public protocol EntitlementSource: Sendable {
    /// The user's entitlement now.
    /// - Throws: `unreachable` where nobody answers; `failed`.
    func entitlement(of user: UserAccount) async throws(CloudError) -> Entitlement
}

/// Each signed-in user is premium: for a household on its own server.
public struct PremiumForEveryone: EntitlementSource {
    /// For everyone.
    public init() {}

    /// As `EntitlementSource`.
    public func entitlement(of user: UserAccount) async throws(CloudError) -> Entitlement {
        Entitlement(.active)
    }
}
