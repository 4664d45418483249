// The user accounts of the directory: reading them, their holdings, and their deletion.

public import CloudProtocol
import GRDB
public import Ledger
import Storage

extension Directory {
    /// The user of an identity; nil if it has no account.
    public func user(of identity: Identity) throws(CloudError) -> EntityID? {
        try reading { db in
            let sql = "SELECT user FROM identities WHERE issuer = ? AND subject = ?"
            return try db.first(sql, [identity.issuer, identity.subject]) { try $0.id(0) }
        }
    }

    /// The holdings of the user of a session.
    /// - Throws: `sessionRevoked`, `accountGone`, `failed`.
    public func holdings(_ token: SessionToken) throws(CloudError) -> Holdings {
        try reading { db in try db.holdings(of: try db.session(token).user) }
    }

    /// The holdings of a user.
    /// - Throws: `failed`.
    public func holdings(of user: EntityID) throws(CloudError) -> Holdings {
        try reading { db in try db.holdings(of: user) }
    }

    /// Stores the holdings of a user, after each change of them.
    /// - Throws: `accountGone`, `failed`.
    public func note(_ holdings: Holdings, of user: EntityID) throws(CloudError) {
        let now = self.now
        try changing { db in
            _ = try db.user(user)
            try db.change(
                """
                INSERT INTO holdings (user, accounts, transactions, categories, changed_at)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET accounts = excluded.accounts,
                  transactions = excluded.transactions, categories = excluded.categories,
                  changed_at = excluded.changed_at
                """,
                [
                    user.column, holdings.accounts, holdings.transactions, holdings.categories,
                    holdings.changedAt ?? now,
                ]
            )
        }
    }

    /// Deletes all data of the user; the account and its sessions remain.
    /// - Throws: `sessionRevoked`, `accountGone`, `failed`.
    public func deleteData(_ token: SessionToken) throws(CloudError) {
        try deleting { db in
            let user = try db.session(token).user
            try db.change("DELETE FROM holdings WHERE user = ?", [user.column])
            try db.beginEpoch(of: user)
        }
    }

    /// Deletes the account with its data and sessions.
    /// - Throws: `sessionRevoked`, `failed`.
    public func deleteAccount(_ token: SessionToken) throws(CloudError) {
        let now = self.now
        do {
            try deleting { db in
                let user = try db.session(token).user
                _ = try db.remove(user, now)
            }
        } catch {
            // The request was repeated; the first one succeeded.
            guard error == .accountGone else { throw error }
        }
    }

    /// All user accounts, oldest first, for the operator.
    /// - Throws: `failed`.
    public func users() throws(CloudError) -> [UserAccount] {
        try reading { db in
            try db.all("SELECT \(UserAccount.columns) FROM users ORDER BY id") { try UserAccount($0) }
        }
    }

    /// Deletes a user account, for the operator.
    /// - Returns: whether it existed.
    /// - Throws: `failed`.
    @discardableResult
    public func remove(_ user: EntityID) throws(CloudError) -> Bool {
        let now = self.now
        return try deleting { db in try db.remove(user, now) }
    }
}

extension Database {
    fileprivate func holdings(of user: EntityID) throws -> Holdings {
        let sql = "SELECT accounts, transactions, categories, changed_at FROM holdings WHERE user = ?"
        return try first(sql, [user.column]) {
            Holdings(
                accounts: $0.int(0),
                transactions: $0.int(1),
                categories: $0.int(2),
                changedAt: $0.int64(3)
            )
        } ?? Holdings()
    }

    func user(_ id: EntityID) throws -> UserAccount {
        let sql = "SELECT \(UserAccount.columns) FROM users WHERE id = ?"
        guard let user = try first(sql, [id.column], { try UserAccount($0) }) else {
            throw CloudFailure(.accountGone)
        }
        return user
    }

    /// - Returns: whether the account existed.
    fileprivate func remove(_ user: EntityID, _ now: Int64) throws -> Bool {
        try endSessions("user = ?", [user.column], .accountGone, now)
        // The user's devices still hold books.
        try change("UPDATE ended_sessions SET why = 'gone', name = '' WHERE user = ?", [user.column])
        try change(
            """
            DELETE FROM passwords
            WHERE subject IN (SELECT subject FROM identities WHERE user = ? AND issuer = ?)
            """,
            [user.column, Identity.localIssuer]
        )
        // Identities and holdings are deleted with the user.
        return try change("DELETE FROM users WHERE id = ?", [user.column]) == 1
    }
}

extension UserAccount {
    static let columns = """
        users.id, users.email, users.name, users.created_at,
        EXISTS (SELECT 1 FROM identities WHERE identities.user = users.id AND issuer = 'local')
        """

    init(_ row: Columns) throws {
        self.init(
            id: try row.id(0),
            email: row.optionalText(1),
            name: row.optionalText(2),
            createdAt: row.int64(3),
            hasPassword: row.int(4) == 1
        )
    }
}
