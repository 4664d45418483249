// Whether a device's book lacks the latest exchange rates, and when to request them from the cloud.

import CloudProtocol

/// Tracks the rates of a device's book. Times are UTC seconds.
///
/// A report of the account, which comes every 40 seconds while the cloud is reachable, states the version of
/// the cloud's rates. A request that fails is repeated after the next event of the device that follows the
/// pause, at the latest with the next report. A cloud that states no version, because it is older, is sent no
/// request.
struct RatesPlan: Hashable, Sendable {
    /// The version in the cloud's last report.
    private(set) var reported: RatesVersion?
    /// The version in the book; nil if it is unknown.
    private(set) var stored: RatesVersion?
    /// Whether a request is under way.
    private(set) var isAsking = false
    private var failures = 0
    private var retryAt = Int64.min
    /// The longest pause after a failed request.
    static let longestRetrySeconds: Int64 = 3_600
    private static let retrySeconds: Int64 = 60

    /// Records a report of the account.
    mutating func note(_ version: RatesVersion?) {
        guard let version, version != reported else { return }
        reported = version
        (failures, retryAt) = (0, .min)
    }

    /// Begins to bring the rates to the book, if it lacks them.
    /// - Returns: the version to bring; nil if there is nothing to do. Otherwise `end` must follow.
    mutating func begin(at now: Int64) -> RatesVersion? {
        // A retry that is far in the future was planned before the clock was set back.
        let isPaused = now < retryAt && retryAt - now <= Self.longestRetrySeconds
        guard !isAsking, let reported, reported != stored, !isPaused else { return nil }
        isAsking = true
        return reported
    }

    /// Records that the book has a version.
    mutating func noteStored(_ version: RatesVersion) { stored = version }

    /// Records that the book is a new one.
    mutating func forgetStored() { stored = nil }

    /// Ends the request.
    mutating func end(failed: Bool, at now: Int64) {
        isAsking = false
        failures = failed ? failures + 1 : 0
        let pause = min(Self.longestRetrySeconds, Self.retrySeconds << Int64(min(max(0, failures - 1), 6)))
        retryAt = failed ? now.addingClamped(pause) : .min
    }
}
