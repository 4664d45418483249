// The sessions of devices in the device store.
public import CloudProtocol
import Foundation
import GRDB
public import Ledger
import Storage

/// A device's session with the cloud.
public struct SessionRecord: Hashable, Sendable {
    /// The signed-in user.
    public var user: UserAccount
    /// The token that proves the session to the cloud, sealed.
    public var sealedToken: [UInt8]
    /// Whether the cloud rejects the token.
    public var isRevoked: Bool
    /// Whether another device or the operator ended it.
    public var isLocked: Bool
    /// Whether sync is attached to the book.
    public var isAttached: Bool
    /// Whether the user has sync turned on.
    public var wantsSync: Bool
    /// The last verified entitlement, sealed.
    public var sealedEntitlement: [UInt8]?
    /// The user's holdings in the cloud's last answer.
    public var holdings: Holdings
    /// Whether a deletion of the user's data in the cloud was not answered, and the cloud was not asked since.
    public var isDeletionUnanswered: Bool
    /// Whether the user has left the page of the download that is under way.
    public var hasLeftDownload: Bool

    /// Flags are false and optional values nil unless given.
    public init(
        user: UserAccount,
        sealedToken: [UInt8],
        isRevoked: Bool,
        isLocked: Bool = false,
        isAttached: Bool,
        wantsSync: Bool,
        sealedEntitlement: [UInt8]?,
        holdings: Holdings,
        isDeletionUnanswered: Bool = false,
        hasLeftDownload: Bool = false
    ) {
        self.user = user
        self.sealedToken = sealedToken
        self.isRevoked = isRevoked
        self.isLocked = isLocked
        self.isAttached = isAttached
        self.wantsSync = wantsSync
        self.sealedEntitlement = sealedEntitlement
        self.holdings = holdings
        self.isDeletionUnanswered = isDeletionUnanswered
        self.hasLeftDownload = hasLeftDownload
    }
}

/// The change of a device's session in a transition of its lifecycle: of the sealed `SessionRecord` in the device store,
/// of the opened session above it.
package enum SessionChange<Session: Sendable>: Sendable {
    /// The session is unchanged.
    case keep
    /// A user signed in.
    case begin(Session)
    /// The session ended; the cloud has to be notified. Nothing happens without a session.
    case end

    /// The same change of a session in another form.
    package func map<Other>(_ transform: (Session) -> Other) -> SessionChange<Other> {
        switch self {
        case .keep: .keep
        case .begin(let session): .begin(transform(session))
        case .end: .end
        }
    }
}

extension DeviceStore {
    /// A device's session; nil for a guest's.
    public func session(of device: EntityID) throws(DeviceStoreError) -> SessionRecord? {
        try file.reading { db in
            let sql = "SELECT \(SessionRecord.columns) FROM sessions WHERE device = ?"
            return try db.first(sql, [device.column]) { try SessionRecord($0) }
        }
    }

    /// The devices with signed-in users, the most recently used first.
    /// - Parameters:
    ///   - isAttached: whether only devices with attached books are listed.
    ///   - seenAfter: only devices that were used since then, in UTC seconds.
    public func signedInDevices(isAttached: Bool = false, seenAfter: Int64) throws(DeviceStoreError)
        -> [EntityID]
    {
        try file.reading { db in
            let sql = """
                SELECT d.id FROM devices d JOIN sessions s ON s.device = d.id
                WHERE s.is_attached >= ? AND d.seen_at > ? ORDER BY d.seen_at DESC
                """
            return try db.all(sql, [isAttached, seenAfter]) { try $0.id(0) }
        }
    }

    /// The devices on which a user is signed in.
    public func devices(of user: EntityID) throws(DeviceStoreError) -> [EntityID] {
        try file.reading { db in
            let sql = "SELECT device FROM sessions WHERE user = ?"
            return try db.all(sql, [user.column]) { try $0.id(0) }
        }
    }

    /// Stores a session, which may replace another one; the token of the replaced one has to be ended.
    /// - Throws: `unknownDevice`.
    public func keep(_ session: SessionRecord, of device: EntityID, now: Int64) throws(DeviceStoreError) {
        try file.changing { db in
            try db.endSession(of: device, now, unless: session.sealedToken)
            try db.keep(session, of: device, now)
        }
    }

    /// Resets a device for a new guest: no session, the first page of the onboarding, no notice except this
    /// one.
    /// - Parameters:
    ///   - guest: the id of the new guest.
    ///   - isEnded: whether the cloud knows already that the session has ended.
    /// - Throws: `unknownDevice`.
    public func welcome(
        guest: EntityID,
        to device: EntityID,
        onboarding: String,
        telling notice: Notice?,
        isEnded: Bool,
        now: Int64
    ) throws(DeviceStoreError) {
        try file.deleting { db in
            try db.removeBankConnections(of: device, now)
            if isEnded {
                try db.change("DELETE FROM sessions WHERE device = ?", [device.column])
            } else {
                try db.endSession(of: device, now)
            }
            let sql = "UPDATE devices SET guest = ?, onboarding = ? WHERE id = ?"
            guard try db.change(sql, [guest.column, onboarding, device.column]) == 1 else {
                throw DeviceStoreError.unknownDevice(device)
            }
            try db.change("DELETE FROM notices WHERE device = ?", [device.column])
            if let notice {
                try db.change(
                    "INSERT INTO notices (device, key, at, text) VALUES (?, ?, ?, ?)",
                    [device.column, notice.key, notice.at, notice.text.encoded()]
                )
            }
        }
    }

    /// Stores the token of an ended session, of which the cloud has to be notified.
    public func end(sealedToken: [UInt8], of device: EntityID, now: Int64) throws(DeviceStoreError) {
        try file.changing { db in try db.noteEnd(sealedToken, of: device, now) }
    }

    /// The tokens of ended sessions of which the cloud has to be notified, with their devices, oldest first.
    public func endedTokens() throws(DeviceStoreError) -> [(device: EntityID, sealedToken: [UInt8])] {
        try file.reading { db in
            try db.all("SELECT device, token FROM ended_sessions WHERE told_at IS NULL ORDER BY at") {
                (try $0.id(0), $0.bytes(1))
            }
        }
    }

    /// Records that the cloud was notified of the end of a token. The last tokens of a device are stored for
    /// the lifetime of a cookie: they prove that their users were signed in there before.
    public func noteTold(sealedToken: [UInt8], now: Int64) throws(DeviceStoreError) {
        try file.changing { db in
            let token = Data(sealedToken)
            try db.change("UPDATE ended_sessions SET told_at = ? WHERE token = ?", [now, token])
            let sql = "SELECT device FROM ended_sessions WHERE token = ?"
            let device = try db.first(sql, [token]) { $0.text(0) }
            try db.change(
                """
                DELETE FROM ended_sessions WHERE told_at IS NOT NULL
                AND (told_at < ? OR device NOT IN (SELECT id FROM devices))
                """,
                [now - Self.formerKeptSeconds]
            )
            try db.change(
                """
                DELETE FROM ended_sessions WHERE device = ?1 AND told_at IS NOT NULL AND token NOT IN (
                  SELECT token FROM ended_sessions WHERE device = ?1 ORDER BY at DESC LIMIT ?2
                )
                """,
                [device, NewDevice.mostFormer]
            )
        }
    }

    /// The lifetime of a browser's cookie.
    private static let formerKeptSeconds: Int64 = 400 * 86_400

    /// The last tokens of ended sessions on a device, the most recent first.
    public func formerTokens(of device: EntityID) throws(DeviceStoreError) -> [[UInt8]] {
        try file.reading { db in
            let sql = "SELECT token FROM ended_sessions WHERE device = ? ORDER BY at DESC LIMIT ?"
            return try db.all(sql, [device.column, NewDevice.mostFormer]) { $0.bytes(0) }
        }
    }
}

extension Database {
    /// Applies a change of a session.
    func change(_ session: SessionChange<SessionRecord>, of device: EntityID, _ now: Int64) throws {
        switch session {
        case .keep: break
        case .begin(let record):
            try endSession(of: device, now, unless: record.sealedToken)
            try keep(record, of: device, now)
        case .end: try endSession(of: device, now)
        }
    }

    fileprivate func endSession(of device: EntityID, _ now: Int64, unless token: [UInt8]? = nil) throws {
        let found = try first("SELECT token FROM sessions WHERE device = ?", [device.column]) { $0.bytes(0) }
        guard let found, found != token else { return }
        try noteEnd(found, of: device, now)
        try change("DELETE FROM sessions WHERE device = ?", [device.column])
        // The next session may be another user's. A newer token of the same user keeps the connections.
        if token == nil { try removeBankConnections(of: device, now) }
    }

    fileprivate func noteEnd(_ token: [UInt8], of device: EntityID, _ now: Int64) throws {
        let sql = "INSERT INTO ended_sessions (token, device, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        try change(sql, [Data(token), device.column, now])
    }

    fileprivate func keep(_ session: SessionRecord, of device: EntityID, _ now: Int64) throws {
        let known = try first("SELECT 1 FROM devices WHERE id = ?", [device.column]) { _ in true }
        guard known == true else { throw DeviceStoreError.unknownDevice(device) }
        if session.isLocked { try removeBankConnections(of: device, now) }
        try change(
            "INSERT OR REPLACE INTO sessions (device, \(SessionRecord.columns)) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                device.column, session.user.id.column, session.user.email, session.user.name,
                session.user.createdAt, session.user.hasPassword, Data(session.sealedToken),
                session.isRevoked, session.isAttached, session.wantsSync,
                session.sealedEntitlement.map { Data($0) }, session.holdings.accounts,
                session.holdings.transactions, session.holdings.categories, session.holdings.changedAt,
                session.isLocked, session.isDeletionUnanswered, session.hasLeftDownload,
            ]
        )
    }
}

extension SessionRecord {
    fileprivate static let columns = """
        user, email, name, user_since, has_password, token, is_revoked, is_attached, wants_sync, entitlement,
        cloud_accounts, cloud_transactions, cloud_categories, cloud_changed_at, is_locked, is_unanswered,
        left_download
        """

    fileprivate init(_ row: Columns) throws {
        self.init(
            user: UserAccount(
                id: try row.id(0),
                email: row.optionalText(1),
                name: row.optionalText(2),
                createdAt: row.int64(3),
                hasPassword: row.int(4) == 1
            ),
            sealedToken: row.bytes(5),
            isRevoked: row.int(6) == 1,
            isLocked: row.int(14) == 1,
            isAttached: row.int(7) == 1,
            wantsSync: row.int(8) == 1,
            sealedEntitlement: row.isNull(9) ? nil : row.bytes(9),
            holdings: Holdings(
                accounts: row.int(10),
                transactions: row.int(11),
                categories: row.int(12),
                changedAt: row.optionalInt64(13)
            ),
            isDeletionUnanswered: row.int(15) == 1,
            hasLeftDownload: row.int(16) == 1
        )
    }
}
