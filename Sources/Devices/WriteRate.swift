// A limit of a device's writes: far above human speed, so that no script monopolises a disk.

/// A token bucket with a hundred seconds' worth of forms, so that a burst after a long pause is accepted.
struct WriteRate {
    private var used = 0.0
    private var at: Int64 = 0
    private static let seconds = 100.0

    /// Counts a further write.
    /// - Parameter now: in milliseconds.
    /// - Returns: false if there were too many; the write is not counted then.
    mutating func count(at now: Int64, perSecond: Int) -> Bool {
        let rate = Double(perSecond)
        used = max(0, used - max(0, Double(now - at) / 1_000) * rate)
        at = now
        guard used < rate * Self.seconds else { return false }
        used += 1
        return true
    }
}
