// Until when an account without premium may still send what was captured while it had it.

import GRDB
import Ledger
import Storage
import SyncCore

extension SyncService {
    /// Notes when an account's premium ended, where its entitlement does not say: the first time that anybody looks.
    /// - Parameter entitlement: the user's, verified just now.
    /// - Throws: `failed`.
    func note(_ entitlement: Entitlement, of user: EntityID) throws(CloudError) {
        let now = directory.moment
        let isKnown = try directory.reading { db in
            guard let account = try db.syncAccount(of: user) else { return true }
            return account.ending(entitlement, at: now) == account.endedAt
        }
        guard !isKnown else { return }
        try directory.changing { db in
            guard var account = try db.syncAccount(of: user) else { return }
            try db.note(entitlement, &account, now)
        }
    }

    /// Until when a replica of an account without premium may send, in UTC seconds; nil where it may send nothing.
    func drainUntil(_ replica: EntityID, of user: EntityID, _ entitlement: Entitlement) throws(CloudError)
        -> Int64?
    {
        try note(entitlement, of: user)
        return try directory.reading { db in
            guard let account = try db.syncAccount(of: user),
                try db.replica(replica, of: account.number) != nil
            else { return nil }
            return account.drainUntil(entitlement)
        }
    }
}

extension SyncAccount {
    /// What is to be kept of the end of an entitlement: the moment of the first look at it, where it does not say itself
    /// when it ended.
    func ending(_ entitlement: Entitlement, at now: Int64) -> Int64? {
        guard !entitlement.isPremium else { return nil }
        if let endedAt { return endedAt }
        return entitlement.expiresAt.map { $0 <= now } ?? false ? nil : now
    }

    /// Until when a replica that was attached before the end may send.
    func drainUntil(_ entitlement: Entitlement) -> Int64? {
        guard let end = [entitlement.expiresAt, endedAt].compactMap({ $0 }).min() else { return nil }
        return end.addingClamped(SyncService.drainSeconds)
    }
}

extension Database {
    /// Keeps the end of an account's entitlement, or forgets it where there is premium again.
    func note(_ entitlement: Entitlement, _ account: inout SyncAccount, _ now: Int64) throws {
        let ending = account.ending(entitlement, at: now)
        guard ending != account.endedAt else { return }
        account.endedAt = ending
        try change("UPDATE sync_accounts SET ended_at = ? WHERE number = ?", [ending, account.number])
    }
}
