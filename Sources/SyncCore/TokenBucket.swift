// A limit of a rate: far above human speed, so that no script monopolises a disk or another server.

/// A token bucket, so that a burst after a long pause is accepted.
package struct TokenBucket: Sendable {
    /// The rate and the burst of a bucket.
    package struct Limit: Sendable {
        let perSecond: Double
        let burst: Double

        /// - Parameters:
        ///   - perSecond: on average, over a long time.
        ///   - burst: at once after a long pause; nil for as many as within a hundred seconds.
        package init(perSecond: Double, burst: Double? = nil) {
            (self.perSecond, self.burst) = (perSecond, burst ?? perSecond * 100)
        }
    }

    private var used = 0.0
    private var at: Int64 = 0

    /// A full bucket.
    package init() {}

    /// Counts a further event.
    /// - Parameter now: in milliseconds.
    /// - Returns: false if there were too many; the event is not counted then.
    package mutating func count(at now: Int64, _ limit: Limit) -> Bool {
        refill(at: now, limit)
        guard used < limit.burst else { return false }
        used += 1
        return true
    }

    /// Whether all tokens are there again, so that a new bucket would be the same.
    func isFull(at now: Int64, _ limit: Limit) -> Bool {
        var bucket = self
        bucket.refill(at: now, limit)
        return bucket.used == 0
    }

    private mutating func refill(at now: Int64, _ limit: Limit) {
        used = max(0, used - max(0, Double(now - at) / 1_000) * limit.perSecond)
        at = now
    }
}

/// The buckets of many clients. Full buckets are forgotten once there are many buckets.
package struct TokenBuckets<Client: Hashable & Sendable>: Sendable {
    private static var most: Int { 10_000 }

    private let limit: TokenBucket.Limit
    private var buckets: [Client: TokenBucket] = [:]

    /// All buckets are full.
    package init(_ limit: TokenBucket.Limit) { self.limit = limit }

    /// As `TokenBucket.count`.
    package mutating func count(_ client: Client, at now: Int64) -> Bool {
        if buckets.count >= Self.most { buckets = buckets.filter { !$0.value.isFull(at: now, limit) } }
        return buckets[client, default: TokenBucket()].count(at: now, limit)
    }
}
