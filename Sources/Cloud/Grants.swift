// Premium as the operator grants it.
import GRDB
public import Ledger
import Storage
public import SyncCore

/// A grant of premium by the operator.
public struct Grant: Hashable, Sendable {
    /// The user who is premium by it.
    public let user: User
    /// When it ends, in UTC seconds; nil where it does not.
    public let expiresAt: Int64?
    /// When it was taken back, in UTC seconds.
    public let revokedAt: Int64?

    /// The entitlement that follows from it at a moment.
    /// - Parameter now: UTC seconds.
    public func entitlement(at now: Int64) -> Entitlement {
        if let revokedAt { return Entitlement(.revoked, expiresAt: min(revokedAt, expiresAt ?? revokedAt)) }
        guard let expiresAt, expiresAt <= now else { return Entitlement(.active, expiresAt: expiresAt) }
        return Entitlement(.expired, expiresAt: expiresAt)
    }
}

extension Directory: EntitlementSource {
    /// Makes a user premium, in the place of what was granted before.
    /// - Parameter expiresAt: UTC seconds; nil for ever.
    /// - Throws: `accountGone`, `failed`.
    public func grant(_ user: EntityID, until expiresAt: Int64?) throws(CloudError) {
        let now = moment
        try changing { db in
            _ = try db.user(user)
            try db.change(
                """
                INSERT INTO grants (user, expires_at, granted_at) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET
                  expires_at = excluded.expires_at, granted_at = excluded.granted_at, revoked_at = NULL
                """,
                [user.column, expiresAt, now]
            )
        }
    }

    /// Takes back what was granted.
    /// - Returns: whether there was something to take back.
    /// - Throws: `failed`.
    public func revoke(_ user: EntityID) throws(CloudError) -> Bool {
        let now = moment
        return try changing { db in
            let sql = "UPDATE grants SET revoked_at = ? WHERE user = ? AND revoked_at IS NULL"
            return try db.change(sql, [now, user.column]) == 1
        }
    }

    /// All that was ever granted, by account.
    /// - Throws: `failed`.
    public func grants() throws(CloudError) -> [Grant] {
        try reading { db in
            let sql = """
                SELECT \(User.columns), expires_at, revoked_at
                FROM grants JOIN users ON users.id = grants.user ORDER BY users.id
                """
            return try db.all(sql) {
                Grant(user: try User($0), expiresAt: $0.optionalInt64(5), revokedAt: $0.optionalInt64(6))
            }
        }
    }

    /// As `EntitlementSource`.
    public func entitlement(of user: User) async throws(CloudError) -> Entitlement {
        let now = moment
        let found = try reading { db in
            let sql = "SELECT expires_at, revoked_at FROM grants WHERE user = ?"
            return try db.first(sql, [user.id.column]) {
                Grant(user: user, expiresAt: $0.optionalInt64(0), revokedAt: $0.optionalInt64(1))
            }
        }
        return found?.entitlement(at: now) ?? Entitlement(.none)
    }
}
