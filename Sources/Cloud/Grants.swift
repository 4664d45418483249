// Premium granted by the operator.
public import CloudProtocol
import GRDB
public import Ledger
import Storage

/// A grant of premium by the operator.
public struct Grant: Hashable, Sendable {
    /// This user is premium until the end or the revocation.
    public let user: UserAccount
    /// The end of the grant, in UTC seconds; nil if it has none.
    public let expiresAt: Int64?
    /// The time of its revocation, in UTC seconds.
    let revokedAt: Int64?

    /// The entitlement at a time.
    /// - Parameter now: UTC seconds.
    public func entitlement(at now: Int64) -> Entitlement {
        if let revokedAt { return Entitlement(.revoked, expiresAt: min(revokedAt, expiresAt ?? revokedAt)) }
        guard let expiresAt, expiresAt <= now else { return Entitlement(.active, expiresAt: expiresAt) }
        return Entitlement(.expired, expiresAt: expiresAt)
    }
}

extension Directory: EntitlementSource {
    /// Grants premium to a user, in place of an earlier grant.
    /// - Parameter expiresAt: UTC seconds; nil for no end.
    /// - Throws: `accountGone`, `failed`.
    public func grant(_ user: EntityID, until expiresAt: Int64?) throws(CloudError) {
        let now = self.now
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

    /// Revokes a grant.
    /// - Returns: whether there was one.
    /// - Throws: `failed`.
    public func revoke(_ user: EntityID) throws(CloudError) -> Bool {
        let now = self.now
        return try changing { db in
            let sql = "UPDATE grants SET revoked_at = ? WHERE user = ? AND revoked_at IS NULL"
            return try db.change(sql, [now, user.column]) == 1
        }
    }

    /// All grants by user account, including revoked grants.
    /// - Throws: `failed`.
    public func grants() throws(CloudError) -> [Grant] {
        try reading { db in
            let sql = """
                SELECT \(UserAccount.columns), expires_at, revoked_at
                FROM grants JOIN users ON users.id = grants.user ORDER BY users.id
                """
            return try db.all(sql) {
                Grant(
                    user: try UserAccount($0),
                    expiresAt: $0.optionalInt64(5),
                    revokedAt: $0.optionalInt64(6)
                )
            }
        }
    }

    /// As `EntitlementSource`.
    public func entitlement(of user: UserAccount) async throws(CloudError) -> Entitlement {
        let now = self.now
        let found = try reading { db in
            let sql = "SELECT expires_at, revoked_at FROM grants WHERE user = ?"
            return try db.first(sql, [user.id.column]) {
                Grant(user: user, expiresAt: $0.optionalInt64(0), revokedAt: $0.optionalInt64(1))
            }
        }
        return found?.entitlement(at: now) ?? Entitlement(.none)
    }
}
