// Tells the devices that wait that an account has something new.

import Ledger
import SyncCore
import Synchronization

/// The devices that wait for news of an account, as streams. No waiting device holds a thread.
final class Heads: Sendable {
    private struct Waiting {
        var next = 0
        var byUser: [EntityID: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let waiting = Mutex(Waiting())

    /// How many wait.
    var count: Int { waiting.withLock { $0.byUser.values.reduce(0) { $0 + $1.count } } }

    /// An account has something new.
    func moved(_ user: EntityID) {
        let streams = waiting.withLock { $0.byUser[user] ?? [:] }
        for stream in streams.values { stream.yield() }
    }

    /// An element for each time that an account has something new from now on, until the task that listens is cancelled or
    /// the stream is let go. Several that nobody has looked at count as one.
    func moves(of user: EntityID) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let key = waiting.withLock { waiting in
            waiting.next += 1
            waiting.byUser[user, default: [:]][waiting.next] = continuation
            return waiting.next
        }
        continuation.onTermination = { [weak self] _ in self?.leave(user, key) }
        return stream
    }

    private func leave(_ user: EntityID, _ key: Int) {
        waiting.withLock { waiting in
            waiting.byUser[user]?[key] = nil
            if waiting.byUser[user]?.isEmpty == true { waiting.byUser[user] = nil }
        }
    }
}
