// Notifies long polls of changes of an account.

import Ledger
import Synchronization

/// The notification streams of the long polls. A waiting poll occupies no thread.
final class Heads: Sendable {
    private struct Waiting {
        var next = 0
        var byUser: [EntityID: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let waiting = Mutex(Waiting())

    /// The number of waiting polls.
    var count: Int { waiting.withLock { $0.byUser.values.reduce(0) { $0 + $1.count } } }

    /// Notifies the polls of an account of a change.
    func moved(_ user: EntityID) {
        let streams = waiting.withLock { $0.byUser[user] ?? [:] }
        for stream in streams.values { stream.yield() }
    }

    /// A stream with an element for each change of an account from now on, until the consuming task is
    /// cancelled or the stream is freed. Changes since the last read count as one.
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
