// The entitlement that a device has stored, and for how long it is trusted.

public import CloudProtocol

/// An entitlement with the time of its confirmation.
public struct VerifiedEntitlement: Hashable, Sendable {
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
    public static let trustedSeconds: Int64 = 3 * 86_400
    /// The age from which an entitlement is stale, in seconds.
    public static let staleSeconds: Int64 = 7 * 86_400

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

extension VerifiedEntitlement {
    /// The encoded form, before it is sealed.
    public var encoded: [UInt8] {
        var words = ["1", entitlement.status.rawValue, String(verifiedAt)]
        words.append(entitlement.expiresAt.map(String.init) ?? "-")
        if entitlement.willRenew { words.append("renews") }
        return Array(words.joined(separator: " ").utf8)
    }

    /// Decodes `encoded`. Nil for any other text, which counts as no entitlement.
    public init?(encoded: [UInt8]) {
        let words = String(decoding: encoded, as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        guard (4...5).contains(words.count), words[0] == "1",
            let status = Entitlement.Status(rawValue: String(words[1])),
            let verifiedAt = Int64(words[2]), words.count == 4 || words[4] == "renews"
        else { return nil }
        let expiresAt = Int64(words[3])
        guard expiresAt != nil || words[3] == "-" else { return nil }
        self.init(
            Entitlement(status, expiresAt: expiresAt, willRenew: words.count == 5),
            verifiedAt: verifiedAt
        )
    }
}
