// The grace period in which an account without premium may send the operations that were captured before its
// end.

import CloudProtocol
import GRDB
import Ledger
import Storage
import SyncCore

extension SyncService {
    /// Records the end of an account's premium if its entitlement does not state it: the time of the first
    /// check.
    /// - Parameter entitlement: the user's, verified for this request.
    /// - Throws: `failed`.
    func note(_ entitlement: Entitlement, of user: EntityID) throws(CloudError) {
        let now = directory.now
        let isKnown = try directory.reading { db in
            guard let account = try db.syncRecord(of: user) else { return true }
            return account.ending(entitlement, at: now) == account.endedAt
        }
        guard !isKnown else { return }
        try directory.changing { db in
            guard var account = try db.syncRecord(of: user) else { return }
            try db.note(entitlement, &account, now)
        }
    }

    /// Checks that an account without premium is in the grace period, in which its devices may still send.
    /// - Throws: `subscriptionRequired`, `failed`.
    func requireGracePeriod(of user: EntityID, _ entitlement: Entitlement) throws(CloudError) {
        try note(entitlement, of: user)
        let now = directory.now
        let until = try directory.reading { db in try db.syncRecord(of: user)?.drainUntil(entitlement) }
        guard let until, now < until else { throw .subscriptionRequired(drainUntil: until ?? nil) }
    }

    /// The end of the grace period of a replica, in UTC seconds; nil if it has none.
    func drainUntil(_ replica: EntityID, of user: EntityID, _ entitlement: Entitlement) throws(CloudError)
        -> Int64?
    {
        try note(entitlement, of: user)
        return try directory.reading { db in
            guard let account = try db.syncRecord(of: user),
                try db.replica(replica, of: account.number) != nil
            else { return nil }
            return account.drainUntil(entitlement)
        }
    }
}

extension SyncRecord {
    /// The end of premium to store: the time of the first check, if the entitlement does not state its end.
    func ending(_ entitlement: Entitlement, at now: Int64) -> Int64? {
        guard !entitlement.isPremium else { return nil }
        if let endedAt { return endedAt }
        return entitlement.expiresAt.map { $0 <= now } ?? false ? nil : now
    }

    /// The end of the grace period for replicas that were attached before the end of premium.
    func drainUntil(_ entitlement: Entitlement) -> Int64? {
        guard let end = [entitlement.expiresAt, endedAt].compactMap({ $0 }).min() else { return nil }
        return end.addingClamped(SyncLimits.drainSeconds)
    }
}

extension Database {
    /// Stores the end of an account's premium, or clears it when there is premium again.
    func note(_ entitlement: Entitlement, _ account: inout SyncRecord, _ now: Int64) throws {
        let ending = account.ending(entitlement, at: now)
        guard ending != account.endedAt else { return }
        account.endedAt = ending
        try change("UPDATE sync_accounts SET ended_at = ? WHERE number = ?", [ending, account.number])
    }
}
