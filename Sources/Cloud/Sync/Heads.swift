// Tells whoever waits that an account has something new.

import Ledger
import SyncCore
import Synchronization

/// Those who wait, by account. Nobody who waits holds a thread.
final class Heads: Sendable {
    private struct Waiting {
        var next = 0
        var byUser: [EntityID: [Int: CheckedContinuation<Void, Never>]] = [:]
        /// Who has a place and is not done; and of these, who left before they had begun to wait.
        var places: Set<Int> = []
        var left: Set<Int> = []
    }

    private let waiting = Mutex(Waiting())

    /// How many wait.
    var count: Int { waiting.withLock { $0.byUser.values.reduce(0) { $0 + $1.count } } }

    /// An account has something new.
    func moved(_ user: EntityID) {
        let all = waiting.withLock { $0.byUser.removeValue(forKey: user) }
        for continuation in (all ?? [:]).values { continuation.resume() }
    }

    /// Takes a place, before one looks whether there is something to wait for.
    func place() -> Int {
        waiting.withLock { waiting in
            waiting.next += 1
            waiting.places.insert(waiting.next)
            return waiting.next
        }
    }

    /// Waits until an account has something new, or `leave` says that it is enough.
    /// - Parameter isStill: asked once it is sure that nothing is missed: whether there is nothing new yet.
    func wait(_ user: EntityID, _ place: Int, isStill: () -> Bool) async {
        await withCheckedContinuation { continuation in
            let mayWait = waiting.withLock { waiting in
                guard waiting.left.remove(place) == nil else { return false }
                waiting.byUser[user, default: [:]][place] = continuation
                return true
            }
            guard mayWait else { return continuation.resume() }
            if !isStill() { leave(user, place) }
        }
    }

    /// Lets one go on who waits, or is about to.
    func leave(_ user: EntityID, _ place: Int) {
        let continuation = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard let found = waiting.byUser[user]?.removeValue(forKey: place) else {
                // One that is given back is nobody's any more.
                if waiting.places.contains(place) { waiting.left.insert(place) }
                return nil
            }
            if waiting.byUser[user]?.isEmpty == true { waiting.byUser[user] = nil }
            return found
        }
        continuation?.resume()
    }

    /// Gives a place back.
    func release(_ place: Int) {
        waiting.withLock { waiting in
            waiting.places.remove(place)
            waiting.left.remove(place)
        }
    }

    /// Whether nothing is remembered of anybody.
    var isEmpty: Bool { waiting.withLock { $0.byUser.isEmpty && $0.places.isEmpty && $0.left.isEmpty } }
}
