// The time of a runner that pauses, and its pauses.

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

extension AsyncStream<Void>.Iterator {
    /// Waits for a wake-up, up to a limit.
    /// - Parameters:
    ///   - milliseconds: the limit.
    ///   - pause: suspends for a number of milliseconds.
    ///   - end: called at the limit; it notes that, and wakes the runner up.
    mutating func next(
        within milliseconds: Int64,
        _ pause: @escaping @Sendable (Int64) async -> Void,
        atEnd end: @escaping @Sendable () -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await pause(milliseconds)
                if !Task.isCancelled { end() }
            }
            await next()
            group.cancelAll()
        }
    }
}
