// The sessions of devices: sign-in, use, and their end.

public import CloudProtocol
import Crypto
import Foundation
import GRDB
public import Ledger
import Storage

extension Directory {
    /// The shortest interval of writing that a device was seen, in seconds.
    static let seenEverySeconds: Int64 = 3_600
    /// The time without use after which a session ends, in seconds: the lifetime of a browser's cookie.
    static let unusedSeconds: Int64 = 400 * 86_400
    /// The greatest number of sessions of one user. A further one ends the least recently used.
    static let mostSessions = 50
    /// The time for which the reason of a session's end is stored, in seconds. Later, a device is only asked
    /// to sign in.
    static let endedKeptSeconds: Int64 = 400 * 86_400

    /// Signs a device in. The insert of the identity decides whether the user account is new, so that exactly
    /// one of two concurrent sign-ins is the first.
    /// - Throws: `signUpClosed`, `malformed`, `failed`.
    public func signIn(_ identity: Identity, device: NewDevice) throws(CloudError) -> OpenedSession {
        guard Self.isUsable(identity.issuer), Self.isUsable(identity.subject) else { throw .malformed }
        let now = self.now
        let token = newToken()
        return try changing { db in
            let fresh = newID()
            // The account may have been deleted during the check of its password; the sign-in must not
            // recreate it without one.
            guard try identity.issuer != Identity.localIssuer || db.hasPassword(identity.subject) else {
                throw CloudFailure(.signIn(.wrongCredentials))
            }
            let isNew = try db.claim(identity, for: fresh, by: device.guest)
            guard !isNew || acceptsNewAccounts else { throw CloudFailure(.signIn(.signUpClosed)) }
            let (id, maker) = isNew ? (fresh, device.guest) : try db.account(of: identity)
            if isNew {
                try db.change(
                    "INSERT INTO users (id, email, name, created_at) VALUES (?, ?, ?, ?)",
                    [id.column, identity.email, identity.name, now]
                )
            } else {
                // The provider's current values replace the stored values, except for fields that it omits.
                try db.change(
                    "UPDATE users SET email = ifnull(?, email), name = ifnull(?, name) WHERE id = ?",
                    [identity.email, identity.name, id.column]
                )
            }
            try db.change(
                "INSERT INTO sessions (hash, id, user, name, created_at, seen_at) VALUES (?, ?, ?, ?, ?, ?)",
                [token.hash, newID().column, id.column, String(device.name.prefix(100)), now, now]
            )
            // The new session counts as the one seen last.
            try db.endSessions(
                """
                user = ? AND (seen_at < ? OR hash NOT IN (
                  SELECT hash FROM sessions WHERE user = ? ORDER BY seen_at DESC, id DESC LIMIT ?
                ))
                """,
                [id.column, now - Self.unusedSeconds, id.column, Self.mostSessions],
                .revoked,
                now
            )
            // A guest whose first answer was lost repeats the request, and must get the same answer: the
            // account is new.
            return OpenedSession(
                user: try db.user(id),
                token: token,
                isExistingAccount: maker != device.guest
            )
        }
    }

    /// The result of a sign-in.
    public struct OpenedSession: Hashable, Sendable {
        /// The owner of the session.
        public let user: UserAccount
        /// The session's token.
        public let token: SessionToken
        /// False if this guest's sign-in created the account.
        public let isExistingAccount: Bool
    }

    /// The user of a session. Records that the device was seen, and ends a session after `unusedSeconds`
    /// without use.
    /// - Throws: `sessionRevoked`, `accountGone`, `failed`.
    public func user(_ token: SessionToken) throws(CloudError) -> UserAccount {
        let now = self.now
        let (session, user) = try reading { db in
            let session = try db.session(token)
            return (session, try db.user(session.user))
        }
        guard session.seenAt >= now - Self.unusedSeconds else {
            try changing { db in try db.endSessions("hash = ?", [token.hash], .revoked, now) }
            throw .sessionRevoked
        }
        if now - Self.seenEverySeconds >= session.seenAt {
            _ = try changing { db in
                try db.change("UPDATE sessions SET seen_at = ? WHERE hash = ?", [now, token.hash])
            }
        }
        return user
    }

    /// The subjects of the local accounts of sessions, including sessions that have ended.
    package func localSubjects(of tokens: [SessionToken]) throws(CloudError) -> Set<String> {
        guard !tokens.isEmpty else { return [] }
        let places = tokens.map { _ in "?" }.joined(separator: ", ")
        return try reading { db in
            let sql = """
                SELECT subject FROM identities WHERE issuer = ? AND user IN (
                  SELECT user FROM sessions WHERE hash IN (\(places))
                  UNION SELECT user FROM ended_sessions WHERE hash IN (\(places))
                )
                """
            let hashes = StatementArguments(tokens.map(\.hash))
            return Set(try db.all(sql, [Identity.localIssuer] + hashes + hashes) { $0.text(0) })
        }
    }

    /// The number of open sessions of all users.
    /// - Throws: `failed`.
    package func sessionCount() throws(CloudError) -> Int {
        try reading { db in try db.number("SELECT count(*) FROM sessions") }
    }

    /// The sessions of the user's devices, the most recently seen first.
    /// - Throws: `sessionRevoked`, `accountGone`, `failed`.
    public func devices(_ token: SessionToken) throws(CloudError) -> [DeviceSession] {
        try reading { db in
            let own = try db.session(token)
            let sql = """
                SELECT id, name, created_at, seen_at, 0 AS is_locked FROM sessions WHERE user = ?
                UNION ALL
                SELECT id, name, created_at, seen_at, 1 FROM ended_sessions WHERE user = ? AND why = 'locked'
                ORDER BY is_locked, seen_at DESC, id DESC
                """
            return try db.all(sql, [own.user.column, own.user.column]) {
                let id = try $0.id(0)
                return DeviceSession(
                    id: id,
                    name: $0.text(1),
                    signedInAt: $0.int64(2),
                    seenAt: $0.int64(3),
                    isThisDevice: id == own.id,
                    isLocked: $0.int(4) == 1
                )
            }
        }
    }

    /// Ends the session of one of the user's devices and locks the device, or has it erased. A locked device
    /// can still be erased.
    /// - Throws: `sessionRevoked`, `accountGone`, `failed`.
    public func signOut(device: EntityID, erases: Bool, _ token: SessionToken) throws(CloudError) {
        let now = self.now
        try changing { db in
            let user = try db.session(token).user
            let condition: StatementArguments = [device.column, user.column]
            try db.endSessions("id = ? AND user = ?", condition, erases ? .erased : .locked, now)
            guard erases else { return }
            let sql = "UPDATE ended_sessions SET why = 'erased' WHERE id = ? AND user = ? AND why = 'locked'"
            try db.change(sql, condition)
        }
    }

    /// Ends the sessions of the user's other devices and locks them.
    /// - Throws: `sessionRevoked`, `accountGone`, `failed`.
    func lockOthers(_ token: SessionToken) throws(CloudError) {
        let now = self.now
        try changing { db in
            let user = try db.session(token).user
            try db.endSessions("user = ? AND hash <> ?", [user.column, token.hash], .locked, now)
        }
    }

    /// Ends all sessions of a user and locks the devices, for the operator.
    /// - Returns: the number of sessions.
    /// - Throws: `failed`.
    public func lock(_ user: EntityID) throws(CloudError) -> Int {
        let now = self.now
        return try changing { db in
            let count = try db.number("SELECT count(*) FROM sessions WHERE user = ?", [user.column])
            try db.endSessions("user = ?", [user.column], .locked, now)
            return count
        }
    }

    /// Ends this session. A locked one is removed from the list: a user has signed in on its device again.
    /// - Throws: `failed`.
    public func signOut(_ token: SessionToken) throws(CloudError) {
        let now = self.now
        try changing { db in
            try db.endSessions("hash = ?", [token.hash], .revoked, now)
            let sql = "UPDATE ended_sessions SET why = 'revoked' WHERE hash = ? AND why = 'locked'"
            try db.change(sql, [token.hash])
        }
    }

    private static func isUsable(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && !text.utf8.contains { $0 < 32 || $0 == 127 }
    }
}

extension Database {
    /// Links an identity to an account.
    /// - Returns: false if the identity is linked already.
    fileprivate func claim(_ identity: Identity, for user: EntityID, by guest: EntityID) throws -> Bool {
        let sql = """
            INSERT INTO identities (issuer, subject, user, maker) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """
        return try change(sql, [identity.issuer, identity.subject, user.column, guest.column]) == 1
    }

    /// The account of an identity, and the guest whose sign-in created it.
    fileprivate func account(of identity: Identity) throws -> (EntityID, maker: EntityID) {
        let sql = "SELECT user, maker FROM identities WHERE issuer = ? AND subject = ?"
        let found = try first(sql, [identity.issuer, identity.subject]) { (try $0.id(0), try $0.id(1)) }
        guard let found else { throw StorageError.damaged("an identity row vanished after the conflict") }
        return found
    }

    func session(_ token: SessionToken) throws -> (id: EntityID, user: EntityID, seenAt: Int64) {
        let sql = "SELECT id, user, seen_at FROM sessions WHERE hash = ?"
        if let found = try first(sql, [token.hash], { (try $0.id(0), try $0.id(1), $0.int64(2)) }) {
            return found
        }
        let ended = try first("SELECT why FROM ended_sessions WHERE hash = ?", [token.hash]) { $0.text(0) }
        throw CloudFailure(CloudError(ended.flatMap { SessionEnding(rawValue: $0) } ?? .revoked))
    }

    /// Ends the sessions that match a condition, and stores the reason for as long as a device may use one of
    /// them.
    func endSessions(
        _ condition: String,
        _ arguments: StatementArguments,
        _ why: SessionEnding,
        _ now: Int64
    ) throws {
        let sql = """
            INSERT INTO ended_sessions (hash, why, at, id, user, name, created_at, seen_at)
            SELECT hash, ?, ?, id, user, name, created_at, seen_at FROM sessions WHERE \(condition)
            """
        try change(sql, [why.rawValue, now] + arguments)
        try change("DELETE FROM sessions WHERE \(condition)", arguments)
        try change("DELETE FROM ended_sessions WHERE at < ?", [now - Directory.endedKeptSeconds])
    }
}

extension SessionToken {
    /// The SHA-256 of the token's text, the only stored form.
    fileprivate var hash: DatabaseValue { Data(SHA256.hash(data: Data(text.utf8))).databaseValue }
}
