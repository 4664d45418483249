// What is read once and kept in memory until something changes.
import Synchronization

/// A value that is kept between two changes. Safe to use from any thread.
///
/// A reading that a change has overtaken is never kept: whoever reads takes the moment first, reads, and keeps what
/// was read for that moment.
package final class Kept<Value: Sendable>: Sendable {
    /// Between two changes.
    package struct Moment: Sendable {
        fileprivate let number: Int
    }

    private struct Shelf {
        var value: Value?
        var moment = 0
        var changesUnderWay = 0
    }

    private let shelf = Mutex(Shelf())

    /// Nothing is known yet.
    package init() {}

    /// What is known, and the moment that it is of.
    package var current: (value: Value?, moment: Moment) {
        shelf.withLock { ($0.value, Moment(number: $0.moment)) }
    }

    /// Whether nothing has begun or ended to change since.
    package func isStill(_ moment: Moment) -> Bool { shelf.withLock { $0.moment == moment.number } }

    /// Keeps what was read since a moment, unless something changes.
    package func keep(_ value: Value, of moment: Moment) {
        shelf.withLock { shelf in
            guard shelf.moment == moment.number, shelf.changesUnderWay == 0 else { return }
            shelf.value = value
        }
    }

    /// Forgets it before a change, which may be seen at any moment until it returns.
    package func changing<Result, Failure>(_ change: () throws(Failure) -> Result) throws(Failure) -> Result {
        shelf.withLock { shelf in
            shelf.value = nil
            shelf.moment += 1
            shelf.changesUnderWay += 1
        }
        // Who began to read while it was under way may have read what was there before it.
        defer {
            shelf.withLock { shelf in
                shelf.changesUnderWay -= 1
                shelf.moment += 1
            }
        }
        return try change()
    }

    /// What is known, or what `read` gives.
    package func value<Failure>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
        let (known, moment) = current
        if let known { return known }
        let value = try read()
        keep(value, of: moment)
        return value
    }
}
