// The rate of pushes of each session.

import CloudProtocol
import SyncCore
import Synchronization

/// Limits the pushes of each session, so that no client keeps the disk of the cloud busy. Safe to use from any thread.
final class PushRates: Sendable {
    /// The pause that a client which pushes too fast is asked for, in seconds.
    static let pauseSeconds: Int64 = 5

    private let now: @Sendable () -> Int64
    private let buckets: Mutex<TokenBuckets<SessionToken>>

    /// - Parameters:
    ///   - perSecond: on average; bursts of a hundred times as many are accepted.
    ///   - now: UTC seconds.
    init(perSecond: Int, now: @escaping @Sendable () -> Int64) {
        self.now = now
        buckets = Mutex(TokenBuckets(TokenBucket.Limit(perSecond: Double(perSecond))))
    }

    /// Counts a push.
    /// - Parameter token: of a session that exists: others would fill the memory.
    /// - Throws: `busy` if there were too many.
    func count(_ token: SessionToken) throws(CloudError) {
        let milliseconds = now() * 1_000
        guard buckets.withLock({ $0.count(token, at: milliseconds) }) else {
            throw .busy(retryAfterSeconds: Self.pauseSeconds)
        }
    }
}
