import Synchronization

/// A clock that only moves when a test advances it.
public final class FixedClock: Sendable {
    private let seconds: Mutex<Int64>

    /// A clock at this many seconds since 1970 (UTC).
    public init(at seconds: Int64) { self.seconds = Mutex(seconds) }

    /// Seconds since 1970 (UTC).
    public var now: Int64 { seconds.withLock { $0 } }

    /// Moves the clock.
    public func advance(by seconds: Int64) { self.seconds.withLock { $0 += seconds } }
}
