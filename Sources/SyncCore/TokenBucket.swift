// A limit of a rate: far above human speed, so that no script monopolises a disk.

/// A token bucket with a hundred seconds' worth of events, so that a burst after a long pause is accepted.
package struct TokenBucket: Sendable {
    private var used = 0.0
    private var at: Int64 = 0
    private static let seconds = 100.0

    /// A full bucket.
    package init() {}

    /// Counts a further event.
    /// - Parameter now: in milliseconds.
    /// - Returns: false if there were too many; the event is not counted then.
    package mutating func count(at now: Int64, perSecond: Int) -> Bool {
        let rate = Double(perSecond)
        refill(at: now, rate)
        guard used < rate * Self.seconds else { return false }
        used += 1
        return true
    }

    /// Whether all tokens are there again, so that a new bucket would be the same.
    package mutating func isFull(at now: Int64, perSecond: Int) -> Bool {
        refill(at: now, Double(perSecond))
        return used == 0
    }

    private mutating func refill(at now: Int64, _ rate: Double) {
        used = max(0, used - max(0, Double(now - at) / 1_000) * rate)
        at = now
    }
}
