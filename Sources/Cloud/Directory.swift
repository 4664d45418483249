// The directory of user accounts: identities, sessions and holdings.

public import CloudProtocol
import Crypto
import Foundation
import GRDB
public import Ledger
public import Storage
import Synchronization

/// The user accounts of a cloud, in `cloud.sqlite`. Safe to use from any thread.
///
/// Every change is durable when its call returns.
public final class Directory: Sendable {
    /// SQLite's `application_id` of the file.
    static let applicationID: Int32 = 0x4272_636C
    /// The shortest interval of writing that a device was seen, in seconds.
    static let seenEverySeconds: Int64 = 3_600
    /// The time without use after which a session ends, in seconds: the lifetime of a browser's cookie.
    static let unusedSeconds: Int64 = 400 * 86_400
    /// The greatest number of sessions of one user. A further one ends the least recently used.
    static let mostSessions = 50
    /// The time for which the reason of a session's end is stored, in seconds. Later, a device is only asked
    /// to sign in.
    static let endedKeptSeconds: Int64 = 400 * 86_400

    /// The path of the file.
    var path: String { store.path }
    private let store: Store<CloudFailure>
    private let dependencies: Dependencies
    private let recounts = Atomic(0)
    /// The number of hashes of accounts that did not match their rows.
    var recountCount: Int { recounts.load(ordering: .relaxed) }
    /// Whether a sign-in with an unknown identity creates a user account.
    public let acceptsNewAccounts: Bool

    /// The sources of time and randomness.
    public struct Dependencies: Sendable {
        /// The current time in UTC seconds.
        public let now: @Sendable () -> Int64
        /// A new id of the current time.
        public let newID: @Sendable () -> EntityID
        /// 256 random bits.
        public let newToken: @Sendable () -> SessionToken

        /// Sources of a server, or fixed ones of a test.
        public init(
            now: @escaping @Sendable () -> Int64,
            newID: @escaping @Sendable () -> EntityID,
            newToken: @escaping @Sendable () -> SessionToken
        ) {
            self.now = now
            self.newID = newID
            self.newToken = newToken
        }
    }

    /// Opens the directory, and creates it if it is missing.
    /// - Parameter acceptsNewAccounts: whether a sign-in with an unknown identity creates a user account.
    /// - Throws: `failed` with the obstacle.
    public init(
        at path: String,
        acceptsNewAccounts: Bool,
        dependencies: Dependencies
    ) throws(CloudError) {
        do {
            store = try Store.open(
                at: path,
                applicationID: Self.applicationID,
                migrations: Migration.cloud,
                fingerprint: { db in
                    ["users": Int64(try db.number("SELECT count(*) FROM users"))]
                }
            )
        } catch {
            throw error.asCloudError
        }
        self.dependencies = dependencies
        self.acceptsNewAccounts = acceptsNewAccounts
    }

    /// The upgrade at opening; nil if there was none.
    public var upgrade: SchemaUpgrade? { store.upgrade }

    /// Whether opening a directory would upgrade its file. The check changes nothing.
    /// - Throws: `failed`.
    public static func needsUpgrade(at path: String, now: Int64) throws(CloudError) -> Bool {
        do { return try Examination.schema(of: path, now: now) < (Migration.cloud.last?.number ?? 0) } catch {
            throw CloudFailure(error).asCloudError
        }
    }

    /// Counts an account whose hash did not match its rows.
    func noteRecount() { recounts.add(1, ordering: .relaxed) }

    /// Closes the file. Every later call throws `failed`.
    public func close() { store.close() }

    /// Signs a device in. The insert of the identity tells whether the account is new, so that exactly one of
    /// two concurrent sign-ins is the first.
    /// - Throws: `signUpClosed`, `malformed`, `failed`.
    public func signIn(_ identity: Identity, device: NewDevice) throws(CloudError) -> Admission {
        guard Self.isUsable(identity.issuer), Self.isUsable(identity.subject) else { throw .malformed }
        let now = dependencies.now()
        let token = dependencies.newToken()
        return try changing { db in
            let fresh = dependencies.newID()
            // The account may have been deleted during the check of its password; the sign-in must not
            // recreate it without one.
            guard try identity.issuer != Identity.localIssuer || db.hasPassword(identity.subject) else {
                throw CloudFailure(.wrongCredentials)
            }
            let isNew = try db.claim(identity, for: fresh, by: device.guest)
            guard !isNew || acceptsNewAccounts else { throw CloudFailure(.signUpClosed) }
            let (id, maker) = isNew ? (fresh, device.guest) : try db.account(of: identity)
            if isNew {
                try db.change(
                    "INSERT INTO users (id, email, name, created_at) VALUES (?, ?, ?, ?)",
                    [id.column, identity.email, identity.name, now]
                )
            } else {
                // The provider's current values replace the stored ones, except for fields that it omits.
                try db.change(
                    "UPDATE users SET email = ifnull(?, email), name = ifnull(?, name) WHERE id = ?",
                    [identity.email, identity.name, id.column]
                )
            }
            try db.change(
                "INSERT INTO sessions (hash, id, user, name, created_at, seen_at) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    token.hash, dependencies.newID().column, id.column, String(device.name.prefix(100)), now,
                    now,
                ]
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
            return Admission(user: try db.user(id), token: token, isExistingAccount: maker != device.guest)
        }
    }

    /// The result of a sign-in.
    public struct Admission: Hashable, Sendable {
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
        let now = dependencies.now()
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
    public func localSubjects(of tokens: [SessionToken]) throws(CloudError) -> Set<String> {
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

    /// The number of open sessions of all users.
    /// - Throws: `failed`.
    public func sessionCount() throws(CloudError) -> Int {
        try reading { db in try db.number("SELECT count(*) FROM sessions") }
    }

    /// Stores the holdings of a user, after each change of them.
    /// - Throws: `accountGone`, `failed`.
    public func note(_ holdings: Holdings, of user: EntityID) throws(CloudError) {
        let now = dependencies.now()
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
        let now = dependencies.now()
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
    public func lockOthers(_ token: SessionToken) throws(CloudError) {
        let now = dependencies.now()
        try changing { db in
            let user = try db.session(token).user
            try db.endSessions("user = ? AND hash <> ?", [user.column, token.hash], .locked, now)
        }
    }

    /// Ends all sessions of a user and locks the devices, for the operator.
    /// - Returns: the number of sessions.
    /// - Throws: `failed`.
    public func lock(_ user: EntityID) throws(CloudError) -> Int {
        let now = dependencies.now()
        return try changing { db in
            let count = try db.number("SELECT count(*) FROM sessions WHERE user = ?", [user.column])
            try db.endSessions("user = ?", [user.column], .locked, now)
            return count
        }
    }

    /// Ends this session. A locked one is removed from the list: a user has signed in on its device again.
    /// - Throws: `failed`.
    public func signOut(_ token: SessionToken) throws(CloudError) {
        let now = dependencies.now()
        try changing { db in
            try db.endSessions("hash = ?", [token.hash], .revoked, now)
            let sql = "UPDATE ended_sessions SET why = 'revoked' WHERE hash = ? AND why = 'locked'"
            try db.change(sql, [token.hash])
        }
    }

    /// Deletes all data of the user; the account and its sessions remain.
    /// - Throws: `sessionRevoked`, `accountGone`, `failed`.
    public func deleteData(_ token: SessionToken) throws(CloudError) {
        try changing { db in
            let user = try db.session(token).user
            try db.change("DELETE FROM holdings WHERE user = ?", [user.column])
            try db.beginEpoch(of: user)
        }
    }

    /// Deletes the account with its data and sessions.
    /// - Throws: `sessionRevoked`, `failed`.
    public func deleteAccount(_ token: SessionToken) throws(CloudError) {
        let now = dependencies.now()
        do {
            try changing { db in
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
        let now = dependencies.now()
        return try changing { db in try db.remove(user, now) }
    }

    /// A number that changes whenever another process has changed the file.
    /// - Throws: `failed`.
    public func outsideChanges() throws(CloudError) -> Int {
        do {
            return try store.inDatabase { db in try db.number("PRAGMA data_version") }
        } catch { throw error.asCloudError }
    }

    /// The current time in UTC seconds.
    var now: Int64 { dependencies.now() }

    /// A new id of the current time.
    func newID() -> EntityID { dependencies.newID() }

    /// 256 random bits.
    func newToken() -> SessionToken { dependencies.newToken() }

    private static func isUsable(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && !text.utf8.contains { $0 < 32 || $0 == 127 }
    }

    func reading<Value>(_ body: (Database) throws -> Value) throws(CloudError) -> Value {
        do { return try store.reading(body) } catch { throw error.asCloudError }
    }

    func changing<Value>(_ body: (Database) throws -> Value) throws(CloudError) -> Value {
        do { return try store.changing(body) } catch { throw error.asCloudError }
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
    fileprivate func endSessions(
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

    /// - Returns: whether the account existed.
    fileprivate func remove(_ user: EntityID, _ now: Int64) throws -> Bool {
        try endSessions("user = ?", [user.column], .accountGone, now)
        // The user's devices still hold books.
        try change("UPDATE ended_sessions SET why = 'gone' WHERE user = ?", [user.column])
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

extension SessionToken {
    /// The SHA-256 of the token's text, the only stored form.
    fileprivate var hash: DatabaseValue { Data(SHA256.hash(data: Data(text.utf8))).databaseValue }
}
