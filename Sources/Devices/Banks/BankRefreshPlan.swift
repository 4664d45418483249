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
    /// The longest wait after a failure: the longest that a provider may ask for.
    static let mostWaitSeconds: Int64 = daySeconds
    private static let daySeconds: Int64 = 86_400
    /// The most automatic refreshes within 24 hours for every user, including failed refreshes: banks allow four a
    /// day without their customer.
    static let mostPerDay = 4

    /// The automatic refreshes of the last day, the oldest first.
    private(set) var automaticAt: [Int64] = []
    /// The failed refreshes of `automaticAt`; nil for none. The limit of the day does not count them.
    private(set) var failedAt: [Int64]?
    /// The time before which no automatic refresh begins, because the last one failed.
    private(set) var retryAt: Int64?
    /// The number of failures since the last success.
    private(set) var failureCount = 0
    /// The end of the consent for which a renewal was suggested last.
    private(set) var suggestedFor: Int64?

    /// Whether an automatic refresh is due.
    ///
    /// The timer spreads the refreshes evenly over the day. A use of the device has one as soon as the caches are stale,
    /// while some are left. A refresh that failed counts for the hour, and for the number that banks allow at most.
    /// - Parameters:
    ///   - readAt: the time at which the caches were read; nil if there are none.
    ///   - perDay: the most automatic refreshes within 24 hours that have read the accounts.
    func isDue(on occasion: BankOccasion, at now: Int64, readAt: Int64?, perDay: Int) -> Bool {
        // A time that is far in the future was stored before the clock was set back.
        if let retryAt, now < retryAt, retryAt - now <= Self.mostWaitSeconds { return false }
        let recent = recent(at: now)
        let read = recent.filter { failedAt?.contains($0) != true }
        guard read.count < perDay, recent.count < max(perDay, Self.mostPerDay),
            recent.allSatisfy({ now - $0 >= Self.leastSeconds })
        else { return false }
        switch occasion {
        case .use:
            guard let readAt else { return true }
            return BankCacheRecord.Kind.allCases.contains { $0.isStale(ageSeconds: now - readAt) }
        case .timer:
            let tried = read + [readAt].compactMap { $0 }
            return tried.allSatisfy { $0 > now || now - $0 >= Self.spreadSeconds(perDay: perDay) }
        }
    }

    /// The earliest time at which the timer has the next refresh, which may be now. The parameters are as in `isDue`.
    /// - Returns: nil where a clock that was set back leaves it open.
    func nextAt(after now: Int64, readAt: Int64?, perDay: Int) -> Int64? {
        // A refresh becomes due when one of its intervals ends, and at no other time.
        let spread = Self.spreadSeconds(perDay: perDay)
        let ends = automaticAt.flatMap { [$0 + Self.leastSeconds, $0 + spread, $0 + Self.daySeconds] }
        let times = ends + [now, retryAt, readAt.map { $0 + spread }].compactMap { $0 }
        return times.filter { $0 >= now }.sorted()
            .first { isDue(on: .timer, at: $0, readAt: readAt, perDay: perDay) }
    }

    /// The interval of refreshes by the timer.
    static func spreadSeconds(perDay: Int) -> Int64 { daySeconds / Int64(max(1, perDay)) }

    /// The most automatic refreshes within 24 hours.
    static func perDay(_ tier: Tier) -> Int { tier == .premium ? mostPerDay : 1 }

    /// The automatic refreshes of the last day, without times that are far in the future.
    private func recent(at now: Int64) -> [Int64] {
        automaticAt.filter { now - $0 < Self.daySeconds && $0 - now < Self.leastSeconds }
    }

    /// Records the beginning of an automatic refresh.
    mutating func began(at now: Int64) {
        automaticAt = recent(at: now) + [now]
        failedAt = failedAt?.filter(automaticAt.contains)
    }

    /// The time before the end of a consent at which its renewal is suggested, in seconds.
    static let suggestionSeconds: Int64 = 14 * daySeconds

    /// Whether to suggest the renewal of a consent: it ends within two weeks, and was renewed since the last suggestion,
    /// if there was one. A provider may report an end that differs by hours without a renewal.
    func mustSuggestRenewal(_ end: Int64?, at now: Int64) -> Bool {
        guard let end, Self.endsSoon(end, at: now) else { return false }
        return suggestedFor.map { end - $0 > Self.daySeconds } ?? true
    }

    /// Whether a consent ends within two weeks.
    static func endsSoon(_ end: Int64, at now: Int64) -> Bool { end - now <= suggestionSeconds }

    /// Records that the renewal of a consent was suggested.
    mutating func suggested(_ end: Int64) { suggestedFor = end }

    /// Records a failure.
    /// - Parameters:
    ///   - until: the time before which the provider accepts no request; nil if it named none.
    ///   - isAutomatic: whether the refresh is the last refresh that `began(at:)` has recorded.
    mutating func failed(at now: Int64, until: Int64?, isAutomatic: Bool) {
        if isAutomatic, let last = automaticAt.last { failedAt = (failedAt ?? []) + [last] }
        let pause = Self.leastPauseSeconds << min(Int64(failureCount), 10)
        retryAt = until ?? now + min(pause, Self.mostPauseSeconds)
        failureCount += 1
    }

    /// The plan of two connections that become one: none of their refreshes is forgotten.
    func joined(with other: BankRefreshPlan) -> BankRefreshPlan {
        var plan = BankRefreshPlan()
        plan.automaticAt = (automaticAt + other.automaticAt).sorted()
        plan.failedAt = (failedAt ?? []) + (other.failedAt ?? [])
        plan.suggestedFor = [suggestedFor, other.suggestedFor].compactMap { $0 }.max()
        return plan
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
