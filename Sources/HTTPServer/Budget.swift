// What strangers may take up of a memory that all share.

import Synchronization

/// So many bytes for all, of which whoever is not known may take half. Safe to use from any thread.
final class Budget: Sendable {
    private let limit: Int
    private let taken = Atomic(0)

    init(bytes limit: Int) { self.limit = limit }

    /// How many bytes are taken.
    var bytesTaken: Int { taken.load(ordering: .relaxed) }

    /// Takes so many bytes.
    /// - Parameter isKnown: asked only where strangers have had their half.
    /// - Returns: false where there are no more; nothing is taken then.
    func take(_ bytes: Int, isKnown: () -> Bool) -> Bool {
        let sum = taken.add(bytes, ordering: .relaxed).newValue
        if sum <= limit / 2 || (sum <= limit && isKnown()) { return true }
        giveBack(bytes)
        return false
    }

    func giveBack(_ bytes: Int) { taken.subtract(bytes, ordering: .relaxed) }
}

/// What one request has taken of a budget; it gives back when it goes away.
final class Share: Sendable {
    private let budget: Budget
    private let bytes = Atomic(0)

    init(of budget: Budget) { self.budget = budget }

    deinit { budget.giveBack(bytes.load(ordering: .relaxed)) }

    /// As `Budget.take`.
    func take(_ more: Int, isKnown: () -> Bool) -> Bool {
        guard budget.take(more, isKnown: isKnown) else { return false }
        bytes.add(more, ordering: .relaxed)
        return true
    }
}
