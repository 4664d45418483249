// Counts of the refreshes of bank connections.

import BankFeeds
import Synchronization

/// The result of a refresh.
public enum BankOutcome: String, CaseIterable, Hashable, Sendable {
    /// All accounts were read.
    case read
    case unreachable, refused
    case rateLimited = "rate_limited"
    case malformed
    case consentEnded = "consent_ended"
    /// The accounts were read, and could not be stored.
    case notStored = "not_stored"

    init(_ error: BankFeedError) {
        switch error {
        case .consentEnded, .unauthorised, .proofRefused: self = .consentEnded
        case .rateLimited: self = .rateLimited
        case .unreachable: self = .unreachable
        case .refused: self = .refused
        case .malformed: self = .malformed
        }
    }
}

/// The refreshes of one provider since the start of the process.
public struct BankRefreshCount: Hashable, Sendable {
    /// The key of the provider.
    public let provider: String
    /// The result.
    public let outcome: BankOutcome
    /// Zero for a result that did not occur.
    public let count: Int
}

/// The number of refreshes since the start, by provider and result.
final class BankCounts: Sendable {
    private struct Key: Hashable {
        let provider: String
        let outcome: BankOutcome
    }

    private let counts = Mutex<[Key: Int]>([:])

    func count(_ outcome: BankOutcome, of provider: String) {
        counts.withLock { $0[Key(provider: provider, outcome: outcome), default: 0] += 1 }
    }

    func count(of provider: String, _ outcome: BankOutcome) -> Int {
        counts.withLock { $0[Key(provider: provider, outcome: outcome)] ?? 0 }
    }
}

extension DeviceManager {
    /// The refreshes since the start: one count for each provider that is set up and each result.
    public var bankRefreshes: [BankRefreshCount] {
        services.banks.feeds.flatMap { feed in
            BankOutcome.allCases.map { outcome in
                let key = feed.provider.key
                return BankRefreshCount(
                    provider: key,
                    outcome: outcome,
                    count: services.banks.counts.count(of: key, outcome)
                )
            }
        }
    }
}
