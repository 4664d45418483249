// The requests for new exchange rates, stored so that a restart does not repeat one too early.

public import CloudProtocol
import GRDB
public import Ledger
import Storage

/// The last request for rates. Times are UTC seconds.
public struct RateFeedRecord: Hashable, Sendable {
    /// The time of the last request, answered or not. It is stored before the request is sent.
    public var attemptedAt: Int64
    /// The time of the last request whose response could be used; nil if there was none.
    public var succeededAt: Int64?
    /// The number of failed requests since then.
    public var failures: Int
    /// The time before which the source asked not to be requested again; nil if it did not ask.
    public var notBefore: Int64?
    /// The address to which the validators belong.
    public var address: String?
    /// The entity tag of the last file; nil if there is none.
    public var entityTag: String?
    /// The time at which the last file was modified, as the source spells it; nil if it is unknown.
    public var lastModified: String?
}

extension Directory {
    /// The last request for rates; nil if there was none.
    /// - Throws: `failed`.
    public func rateFeed() throws(CloudError) -> RateFeedRecord? {
        try reading { db in try db.rateFeed() }
    }

    /// Records that rates are about to be requested, unless the last request is too recent. Of two processes,
    /// only one may send its request.
    /// - Parameters:
    ///   - seconds: the shortest interval.
    ///   - isFirst: whether the interval does not count while no request has succeeded.
    /// - Returns: the seconds to wait; nil if the request may be sent.
    /// - Throws: `failed`.
    public func beginRateRequest(every seconds: Int64, unlessFirst isFirst: Bool = false)
        throws(CloudError) -> Int64?
    {
        let now = self.now
        return try changing { db in
            if let last = try db.rateFeed(), last.succeededAt != nil || !isFirst {
                // The clock may have been set back.
                let age = now - min(last.attemptedAt, now)
                guard age >= seconds else { return seconds - age }
            }
            try db.change(
                """
                INSERT INTO rate_feed (only_row, attempted_at) VALUES (1, ?)
                ON CONFLICT DO UPDATE SET attempted_at = excluded.attempted_at
                """,
                [now]
            )
            return nil
        }
    }

    /// Corrects the time of the last request after the clock was set back, so that the next request is at most
    /// one interval away.
    /// - Throws: `failed`.
    public func correctRateRequest() throws(CloudError) {
        let now = self.now
        _ = try changing { db in
            try db.change("UPDATE rate_feed SET attempted_at = ? WHERE attempted_at > ?", [now, now])
        }
    }

    /// Records that the last request has succeeded.
    /// - Parameters:
    ///   - address: the address to which the validators belong.
    ///   - entityTag: the entity tag of the file; nil if there is none.
    ///   - lastModified: as `entityTag`.
    /// - Throws: `failed`.
    public func noteRateSuccess(_ address: String, entityTag: String?, lastModified: String?)
        throws(CloudError)
    {
        let now = self.now
        _ = try changing { db in
            try db.change(
                """
                UPDATE rate_feed SET succeeded_at = ?, failures = 0, not_before = NULL,
                  address = ?, entity_tag = ?, last_modified = ?
                """,
                [now, address, entityTag, lastModified]
            )
        }
    }

    /// Records that the last request has failed.
    /// - Parameter notBefore: the time before which the source asked not to be requested again.
    /// - Throws: `failed`.
    public func noteRateFailure(notBefore: Int64?) throws(CloudError) {
        _ = try changing { db in
            try db.change("UPDATE rate_feed SET failures = failures + 1, not_before = ?", [notBefore])
        }
    }
}

extension Directory {
    /// The day of the newest rates, if requests are sent and the rates are old nevertheless; nil otherwise. The
    /// examination does not change the file, also while it is in use.
    /// - Parameters:
    ///   - age: the greatest age in days.
    ///   - now: UTC seconds.
    /// - Throws: `failed`.
    public static func staleRates(at path: String, olderThan age: Int, isInUse: Bool, now: Int64)
        throws(CloudError) -> CivilDate?
    {
        do {
            return try Examination.run(path, isInUse: isInUse, now: now) { db in
                guard try db.number("PRAGMA user_version") >= firstMigration.number,
                    let last = try db.rateFeed(), now - last.attemptedAt < Int64(age) * 86_400,
                    let day = try db.first(
                        "SELECT day FROM rate_days ORDER BY day DESC LIMIT 1",
                        [],
                        { $0.date(0) }
                    ),
                    now / 86_400 - Int64(day.dayNumber) > Int64(age)
                else { return nil }
                return day
            }
        } catch { throw CloudFailure(error).asCloudError }
    }
}

extension Database {
    fileprivate func rateFeed() throws -> RateFeedRecord? {
        let sql = """
            SELECT attempted_at, succeeded_at, failures, not_before, address, entity_tag, last_modified
            FROM rate_feed
            """
        return try first(sql) {
            RateFeedRecord(
                attemptedAt: $0.int64(0),
                succeededAt: $0.optionalInt64(1),
                failures: $0.int(2),
                notBefore: $0.optionalInt64(3),
                address: $0.optionalText(4),
                entityTag: $0.optionalText(5),
                lastModified: $0.optionalText(6)
            )
        }
    }
}
