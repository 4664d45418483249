// The times at which a connection is refreshed without a request of the user, and the ages of cached data.

import DeviceStore
import Entitlements
import Ledger

/// The plan of a connection's refreshes. Times are UTC seconds.
///
/// The value waits for nothing itself. Cached data is shown at once, however old; its reader compares the ages
/// with the plan, and begins a refresh in the background if one is due.
struct BankRefreshPlan: Codable, Hashable, Sendable {
    /// The shortest interval of automatic refreshes.
    static let leastSeconds: Int64 = 3_600
    /// The time after the last refresh at which balances and transactions are removed.
    static let removalSeconds: Int64 = 7 * 86_400
    /// The pauses after failures: a minute, then twice as long each time, up to six hours.
    private static let leastPauseSeconds: Int64 = 60
    private static let mostPauseSeconds: Int64 = 21_600

    /// The automatic refreshes of the last day, the oldest first.
    private(set) var automaticAt: [Int64] = []
    /// The time before which no automatic refresh begins, because the last one failed.
    private(set) var retryAt: Int64?
    /// The number of failures since the last success.
    private(set) var failureCount = 0

    /// Whether an automatic refresh is due.
    /// - Parameters:
    ///   - readAt: the time at which the caches were read; nil if there are none.
    ///   - perDay: the most automatic refreshes within 24 hours.
    func isDue(at now: Int64, readAt: Int64?, perDay: Int) -> Bool {
        if let retryAt, now < retryAt { return false }
        let isStale =
            readAt.map { readAt in
                BankCacheRecord.Kind.allCases.contains { $0.isStale(ageSeconds: now - readAt) }
            } ?? true
        let recent = automaticAt.filter { now - $0 < 86_400 }
        return isStale && recent.count < perDay && recent.allSatisfy { now - $0 >= Self.leastSeconds }
    }

    /// The most automatic refreshes within 24 hours.
    static func perDay(_ tier: Tier) -> Int { tier == .premium ? 4 : 1 }

    /// Records the beginning of an automatic refresh.
    mutating func began(at now: Int64) {
        automaticAt = automaticAt.filter { now - $0 < 86_400 } + [now]
    }

    /// Records a failure.
    /// - Parameter until: the time before which the provider accepts no request; nil if it named none.
    mutating func failed(at now: Int64, until: Int64?) {
        let pause = Self.leastPauseSeconds << min(Int64(failureCount), 10)
        retryAt = until ?? now + min(pause, Self.mostPauseSeconds)
        failureCount += 1
    }

    /// Records a success.
    mutating func succeeded() { (retryAt, failureCount) = (nil, 0) }
}

extension BankCacheRecord.Kind {
    /// The time for which a cache counts as current.
    var timeToLiveSeconds: Int64 {
        switch self {
        case .balance: 1_800
        case .accounts, .transactions: 21_600
        }
    }

    /// Whether half of the time to live has passed, after which the data is refreshed in the background. A time
    /// in the future, of a clock that was set back, counts as passed.
    func isStale(ageSeconds: Int64) -> Bool { ageSeconds < 0 || ageSeconds * 2 > timeToLiveSeconds }
}
