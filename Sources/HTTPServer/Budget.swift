// A limit for memory that all requests share.

import Synchronization

/// A number of bytes for all requests, half of which is available to clients that the server does not know.
/// Safe to use from any thread.
final class Budget: Sendable {
    private let limit: Int
    private let taken = Atomic(0)

    init(bytes limit: Int) { self.limit = limit }

    /// The number of reserved bytes.
    var bytesTaken: Int { taken.load(ordering: .relaxed) }

    /// Reserves bytes.
    /// - Parameter isKnown: called only if the half for unknown clients is used up.
    /// - Returns: false, without a reservation, if too few bytes are left.
    func reserve(_ bytes: Int, isKnown: () -> Bool) -> Bool {
        let sum = taken.add(bytes, ordering: .relaxed).newValue
        if sum <= limit / 2 || (sum <= limit && isKnown()) { return true }
        giveBack(bytes)
        return false
    }

    func giveBack(_ bytes: Int) { taken.subtract(bytes, ordering: .relaxed) }
}

/// The reservations of one request, which end when this object is freed.
final class Share: Sendable {
    private let budget: Budget
    private let bytes = Atomic(0)

    init(of budget: Budget) { self.budget = budget }

    deinit { budget.giveBack(bytes.load(ordering: .relaxed)) }

    /// As `Budget.reserve`.
    func reserve(_ more: Int, isKnown: () -> Bool) -> Bool {
        guard budget.reserve(more, isKnown: isKnown) else { return false }
        bytes.add(more, ordering: .relaxed)
        return true
    }
}
