// A value that is read once and cached until its source changes.
import Synchronization

/// A value that is cached between two changes. Safe to use from any thread.
///
/// A value that was read before or during a change is never cached: the reader gets the version first, reads,
/// and stores the value for that version.
package final class VersionedCache<Value: Sendable>: Sendable {
    /// Identifies the time between two changes.
    package struct Version: Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var value: Value?
        var version = 0
        var changesUnderWay = 0
    }

    private let state = Mutex(State())

    /// The cache is empty until the first `keep`.
    package init() {}

    /// The cached value, and the current version.
    package var current: (value: Value?, version: Version) {
        state.withLock { ($0.value, Version(number: $0.version)) }
    }

    /// Whether no change has begun or ended since the version.
    package func isCurrent(_ version: Version) -> Bool { state.withLock { $0.version == version.number } }

    /// Caches a value that was read since a version, unless a change has begun or ended.
    package func keep(_ value: Value, of version: Version) {
        state.withLock { state in
            guard state.version == version.number, state.changesUnderWay == 0 else { return }
            state.value = value
        }
    }

    /// Empties the cache and runs a change, which may become visible at any time until it returns.
    package func changing<Result, Failure>(_ change: () throws(Failure) -> Result) throws(Failure) -> Result {
        state.withLock { state in
            state.value = nil
            state.version += 1
            state.changesUnderWay += 1
        }
        // A read that began during the change may have seen the state before it.
        defer {
            state.withLock { state in
                state.changesUnderWay -= 1
                state.version += 1
            }
        }
        return try change()
    }

    /// Returns the cached value, or reads and caches it.
    package func value<Failure>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
        let (known, version) = current
        if let known { return known }
        let value = try read()
        keep(value, of: version)
        return value
    }
}
