// What a device remembers of its user's entitlement, and for how long that is believed.

public import SyncCore

/// An entitlement with the moment at which its service confirmed it.
public struct VerifiedEntitlement: Hashable, Sendable {
    /// What was confirmed.
    public var entitlement: Entitlement
    /// When, in UTC seconds.
    public var verifiedAt: Int64

    /// What was confirmed at a moment.
    public init(_ entitlement: Entitlement, verifiedAt: Int64) {
        self.entitlement = entitlement
        self.verifiedAt = verifiedAt
    }

    /// How far a remembered status is believed.
    public enum Trust: Hashable, Sendable {
        /// It decides at the start.
        case trusted
        /// Too old to decide anything: not premium until verified.
        case unverified
        /// So old that the operator should read of it.
        case stale
    }

    /// For so long a status decides by itself, in seconds.
    public static let trustedSeconds: Int64 = 3 * 86_400
    /// After so long without a verification it is stale, in seconds.
    public static let staleSeconds: Int64 = 7 * 86_400

    /// How far it is believed at a moment. One from the future is not: a clock was wrong then, or is now.
    /// - Parameter now: UTC seconds.
    public func trust(at now: Int64) -> Trust {
        // A moment too far off to be subtracted is a damaged one.
        let (age, overflow) = now.subtractingReportingOverflow(verifiedAt)
        if overflow || age < -Self.trustedSeconds || age > Self.staleSeconds { return .stale }
        return age > Self.trustedSeconds ? .unverified : .trusted
    }

    /// Whether the user is premium as far as is known without asking.
    /// - Parameter now: UTC seconds.
    public func isTrustedPremium(at now: Int64) -> Bool {
        trust(at: now) == .trusted && entitlement.isPremium
    }
}

extension VerifiedEntitlement {
    /// What is kept, before it is sealed.
    public var written: [UInt8] {
        var words = ["1", entitlement.status.rawValue, String(verifiedAt)]
        words.append(entitlement.expiresAt.map(String.init) ?? "-")
        if entitlement.willRenew { words.append("renews") }
        return Array(words.joined(separator: " ").utf8)
    }

    /// Reads what `written` wrote; nil for anything else, which counts as no status.
    public init?(written: [UInt8]) {
        let words = String(decoding: written, as: UTF8.self)
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
