// A value that is read once and kept in memory until something changes.
import Synchronization

/// A value that is kept between two changes. Safe to use from any thread.
///
/// A reading that a change has overtaken is never kept: whoever reads takes the version first, reads, and keeps what
/// was read for that version.
package final class VersionedCache<Value: Sendable>: Sendable {
    /// Between two changes.
    package struct Version: Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var value: Value?
        var version = 0
        var changesUnderWay = 0
    }

    private let state = Mutex(State())

    /// Nothing is known yet.
    package init() {}

    /// What is known, and the version that it is of.
    package var current: (value: Value?, version: Version) {
        state.withLock { ($0.value, Version(number: $0.version)) }
    }

    /// Whether nothing has begun or ended to change since.
    package func isCurrent(_ version: Version) -> Bool { state.withLock { $0.version == version.number } }

    /// Keeps what was read since a version, unless something changes.
    package func keep(_ value: Value, of version: Version) {
        state.withLock { state in
            guard state.version == version.number, state.changesUnderWay == 0 else { return }
            state.value = value
        }
    }

    /// Forgets it before a change, which may be seen at any version until it returns.
    package func changing<Result, Failure>(_ change: () throws(Failure) -> Result) throws(Failure) -> Result {
        state.withLock { state in
            state.value = nil
            state.version += 1
            state.changesUnderWay += 1
        }
        // A reading that began while it was under way may be of the state before it.
        defer {
            state.withLock { state in
                state.changesUnderWay -= 1
                state.version += 1
            }
        }
        return try change()
    }

    /// What is known, or what `read` gives.
    package func value<Failure>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
        let (known, version) = current
        if let known { return known }
        let value = try read()
        keep(value, of: version)
        return value
    }
}
