// How fast a device may write: no person types so fast, and no script shall keep a disk from others.

/// A bucket that holds a hundred seconds' worth of forms, so that what comes at once after a long rest is taken.
struct WriteRate {
    private var used = 0.0
    private var at: Int64 = 0
    private static let seconds = 100.0

    /// Counts one more.
    /// - Parameter now: in milliseconds.
    /// - Returns: false where there were too many; it is not counted then.
    mutating func take(at now: Int64, perSecond: Int) -> Bool {
        let rate = Double(perSecond)
        used = max(0, used - max(0, Double(now - at) / 1_000) * rate)
        at = now
        guard used < rate * Self.seconds else { return false }
        used += 1
        return true
    }
}
