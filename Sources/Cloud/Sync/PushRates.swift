// The rate of pushes of each session.

import CloudProtocol
import SyncCore
import Synchronization

/// Limits the pushes of each session, so that no client keeps the disk of the cloud busy. Safe to use from any thread.
final class PushRates: Sendable {
    /// The most sessions that are remembered with what they have used.
    private static let mostSessions = 10_000
    /// The pause that a client which pushes too fast is asked for, in seconds.
    static let pauseSeconds: Int64 = 5

    private let perSecond: Int
    private let now: @Sendable () -> Int64
    private let buckets = Mutex<[SessionToken: TokenBucket]>([:])

    /// - Parameters:
    ///   - perSecond: on average; bursts of a hundred times as many are accepted.
    ///   - now: UTC seconds.
    init(perSecond: Int, now: @escaping @Sendable () -> Int64) {
        (self.perSecond, self.now) = (perSecond, now)
    }

    /// Counts a push.
    /// - Parameter token: of a session that exists: others would fill the memory.
    /// - Throws: `busy` if there were too many.
    func count(_ token: SessionToken) throws(CloudError) {
        let milliseconds = now() * 1_000
        let isAccepted = buckets.withLock { buckets in
            if buckets.count >= Self.mostSessions {
                buckets = buckets.filter { _, bucket in
                    var bucket = bucket
                    return !bucket.isFull(at: milliseconds, perSecond: perSecond)
                }
            }
            return buckets[token, default: TokenBucket()].count(at: milliseconds, perSecond: perSecond)
        }
        guard isAccepted else { throw .busy(retryAfterSeconds: Self.pauseSeconds) }
    }
}
