// The entitlement that a device has stored, and for how long it is trusted.

public import CloudProtocol

/// An entitlement with the time of its confirmation.
public struct VerifiedEntitlement: Codable, Hashable, Sendable {
    /// The entitlement as the service confirmed it.
    public var entitlement: Entitlement
    /// The time of the confirmation, in UTC seconds.
    public var verifiedAt: Int64

    /// An entitlement confirmed at a time in UTC seconds.
    public init(_ entitlement: Entitlement, verifiedAt: Int64) {
        self.entitlement = entitlement
        self.verifiedAt = verifiedAt
    }

    /// The degree to which a stored entitlement is trusted.
    public enum Trust: Hashable, Sendable {
        /// It decides at the start of a device.
        case trusted
        /// It is too old to decide: the user is not premium until it is verified.
        case unverified
        /// It is so old that the log mentions it.
        case stale
    }

    /// The age up to which an entitlement decides without a verification, in seconds.
    static let trustedSeconds: Int64 = 3 * 86_400
    /// The age from which an entitlement is stale, in seconds.
    static let staleSeconds: Int64 = 7 * 86_400

    /// The trust at a time. A confirmation in the future is not trusted: a clock was or is wrong.
    /// - Parameter now: UTC seconds.
    public func trust(at now: Int64) -> Trust {
        // A difference that overflows means a damaged time.
        let (age, overflow) = now.subtractingReportingOverflow(verifiedAt)
        if overflow || age < -Self.trustedSeconds || age > Self.staleSeconds { return .stale }
        return age > Self.trustedSeconds ? .unverified : .trusted
    }

    /// Whether the user is premium without a new verification.
    /// - Parameter now: UTC seconds.
    public func isTrustedPremium(at now: Int64) -> Bool {
        trust(at: now) == .trusted && entitlement.isPremium
    }
}
