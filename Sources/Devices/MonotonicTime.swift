// The time of a runner that pauses.

/// Time that always advances, even if the system clock is set back: a pause of a second ends after a
/// second.
struct MonotonicTime {
    private(set) var now: Int64
    private var clock: Int64
    /// The end of the last sleep.
    private var wakesAt: Int64

    init(_ clock: Int64) { (now, self.clock, wakesAt) = (clock, clock, clock) }

    /// - Parameters:
    ///   - clock: the reading of the machine's clock.
    ///   - hasSlept: whether a sleep has ended.
    mutating func pass(_ clock: Int64, hasSlept: Bool) {
        now += max(0, clock - self.clock)
        if hasSlept { now = max(now, wakesAt) }
        self.clock = clock
    }

    /// - Returns: the time to sleep until an instant, in milliseconds.
    mutating func sleep(until instant: Int64) -> Int64 {
        wakesAt = instant
        return instant - now
    }
}
