// The connections of devices to banks.
import Foundation
import GRDB
public import Ledger
public import Lifecycle
import Storage

/// A connection to a bank. Times are UTC seconds.
public struct BankConnectionRecord: Hashable, Sendable, Identifiable {
    /// The id in addresses and in the table.
    public var id: EntityID
    /// The key of the provider.
    public var provider: String
    /// The state. A stored state that this version does not understand becomes `needsReconnect`.
    public var state: BankConnectionState
    /// Changes with every change of the record.
    public var version: Int64 = 0
    /// The secrets with which the connection is read, sealed; nil before the first consent.
    public var sealedAccess: [UInt8]?
    /// A consent that the user has begun to give, sealed.
    public var sealedConsent: [UInt8]?
    /// The time until which `sealedConsent` can be used, or until which a connection that has ended is kept; after it, a
    /// connection without access is removed.
    public var consentUntil: Int64?
    /// The time at which the user's consent ends; nil if it does not.
    public var accessEndsAt: Int64?
    /// The plan of refreshes, in the text form of its owner.
    public var plan: String
    /// The time of the last successful refresh.
    public var refreshedAt: Int64?

    /// A connection without access.
    public init(id: EntityID, provider: String, state: BankConnectionState, plan: String) {
        self.id = id
        self.provider = provider
        self.state = state
        self.plan = plan
    }
}

/// A part of a bank's last report. Times are UTC seconds.
public struct BankCacheRecord: Hashable, Sendable {
    /// The content of a cache.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// All accounts of a connection.
        case accounts
        /// The balance of one account.
        case balance
        /// The transactions of one account.
        case transactions
    }

    /// The content of the cache.
    public var kind: Kind
    /// The provider's identifier of the account; empty for `accounts`.
    public var account: String
    /// The time at which it was read.
    public var at: Int64
    /// The sealed content.
    public var content: [UInt8]

    /// - Parameter account: empty for `accounts`.
    public init(kind: Kind, account: String, at: Int64, content: [UInt8]) {
        self.kind = kind
        self.account = account
        self.at = at
        self.content = content
    }
}

extension DeviceStore {
    /// Adds a connection.
    /// - Throws: `unknownDevice`.
    public func add(_ connection: BankConnectionRecord, to device: EntityID) throws(DeviceStoreError) {
        try file.changing { db in
            guard try db.contains(device) else { throw DeviceStoreError.unknownDevice(device) }
            try db.change(
                """
                INSERT INTO bank_connections (device, \(BankConnectionRecord.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    device.column, connection.id.column, connection.provider,
                    StoredJSON.encode(connection.state), connection.version,
                    connection.sealedAccess.map { Data($0) }, connection.sealedConsent.map { Data($0) },
                    connection.consentUntil, connection.accessEndsAt, connection.plan, connection.refreshedAt,
                ]
            )
        }
    }

    /// A device's connections, the oldest first.
    public func bankConnections(of device: EntityID) throws(DeviceStoreError) -> [BankConnectionRecord] {
        try file.reading { db in
            let sql = """
                SELECT \(BankConnectionRecord.columns) FROM bank_connections WHERE device = ? ORDER BY id
                """
            return try db.all(sql, [device.column]) { try BankConnectionRecord($0) }
        }
    }

    /// A connection of a device; nil for an unknown id, and for the id of a connection of another device.
    public func bankConnection(_ id: EntityID, of device: EntityID) throws(DeviceStoreError)
        -> BankConnectionRecord?
    {
        try file.reading { db in try db.bankConnection(id, of: device) }
    }

    /// Stores a connection, and raises its version. A consent that the user has begun to give is not changed.
    /// - Parameters:
    ///   - caches: replace all caches of the connection; nil to keep them.
    ///   - notice: a notice about the change.
    ///   - consent: a sealed consent that is removed, because the connection has the access which it has led to; nil for
    ///     none.
    ///   - now: if the access replaces another one, the time from which the consent of that waits for its end, in UTC
    ///     seconds; nil if the access belongs to the same consent.
    /// - Returns: the stored record; nil if the connection was changed or removed since it was read, so that
    ///   nothing was stored.
    public func keep(
        _ connection: BankConnectionRecord,
        of device: EntityID,
        replacing caches: [BankCacheRecord]? = nil,
        posting notice: Notice? = nil,
        consuming consent: [UInt8]? = nil,
        revokingFormerAt now: Int64? = nil
    ) throws(DeviceStoreError) -> BankConnectionRecord? {
        try file.changing { db in
            let former = try now.flatMap { _ in try db.bankConnection(connection.id, of: device) }
            guard let stored = try db.keep(connection, of: device) else { return nil }
            if let now, let former, former.sealedAccess != stored.sealedAccess {
                try db.revoke(former, of: device, at: now)
            }
            if let consent { try db.consume(consent, of: connection.id, device) }
            if let caches { try db.replaceCaches(of: connection.id, with: caches) }
            if let notice { try db.post(notice, to: device) }
            return stored
        }
    }

    /// Stores a consent that the user has begun to give, in place of an earlier one.
    /// - Parameter until: UTC seconds.
    /// - Returns: whether the device has such a connection.
    public func keep(consent sealed: [UInt8], until: Int64, of connection: EntityID, _ device: EntityID)
        throws(DeviceStoreError) -> Bool
    {
        try file.changing { db in
            let sql = """
                UPDATE bank_connections SET consent = ?, consent_until = ? WHERE device = ? AND id = ?
                """
            return try db.change(sql, [Data(sealed), until, device.column, connection.column]) == 1
        }
    }

    /// Removes a consent, so that it can be used once.
    /// - Returns: whether this call removed it: false if it was used or replaced already.
    public func consume(consent sealed: [UInt8], of connection: EntityID, _ device: EntityID)
        throws(DeviceStoreError) -> Bool
    {
        try file.changing { db in try db.consume(sealed, of: connection, device) }
    }

    /// The caches of a connection, in the order of the bank's accounts.
    public func bankCaches(of connection: EntityID) throws(DeviceStoreError) -> [BankCacheRecord] {
        try file.reading { db in
            let sql = "SELECT kind, account, at, content FROM bank_caches WHERE connection = ? ORDER BY rowid"
            return try db.all(sql, [connection.column]) { row in
                BankCacheRecord(
                    kind: try row.word(0),
                    account: row.text(1),
                    at: row.int64(2),
                    content: row.bytes(3)
                )
            }
        }
    }

    /// Ends a connection: its secrets and caches are removed, its consent has to be ended at the provider, and its record
    /// is kept until a time. Times are UTC seconds.
    /// - Returns: whether the device has such a connection.
    @discardableResult
    public func end(bank connection: EntityID, of device: EntityID, at now: Int64, keptUntil until: Int64)
        throws(DeviceStoreError) -> Bool
    {
        try file.changing { db in
            if let record = try db.bankConnection(connection, of: device) {
                try db.revoke(record, of: device, at: now)
            }
            let sql = """
                UPDATE bank_connections SET
                  state = ?, version = version + 1, access = NULL, consent = NULL, consent_until = ?,
                  access_ends_at = NULL, refreshed_at = NULL
                WHERE device = ? AND id = ?
                """
            let state = try StoredJSON.encode(BankConnectionState.disconnected)
            let changed = try db.change(sql, [state, until, device.column, connection.column])
            guard changed == 1 else { return false }
            try db.replaceCaches(of: connection, with: [])
            return true
        }
    }

    /// Joins two connections to the same accounts, as one change: the other one is removed.
    /// - Parameters:
    ///   - joined: the connection that remains, with its new values.
    ///   - other: the connection that is removed.
    ///   - takesCaches: whether the caches of the other one replace its own.
    ///   - revoked: the one of them whose consent has to be ended at the provider; nil for none.
    ///   - now: UTC seconds.
    /// - Returns: nil if one of them was changed or removed since it was read, so that nothing was stored.
    public func join(
        _ joined: BankConnectionRecord,
        with other: BankConnectionRecord,
        of device: EntityID,
        takesCaches: Bool,
        revoking revoked: BankConnectionRecord?,
        at now: Int64
    ) throws(DeviceStoreError) -> BankConnectionRecord? {
        try file.changing { db in
            let unchanged = "SELECT 1 FROM bank_connections WHERE device = ? AND id = ? AND version = ?"
            for record in [joined, other] {
                let found = try db.first(unchanged, [device.column, record.id.column, record.version]) { _ in
                    true
                }
                guard found == true else { return nil }
            }
            if let revoked { try db.revoke(revoked, of: device, at: now) }
            if takesCaches {
                try db.replaceCaches(of: joined.id, with: [])
                try db.change(
                    "UPDATE bank_caches SET connection = ? WHERE connection = ?",
                    [joined.id.column, other.id.column]
                )
            }
            try db.change("DELETE FROM bank_connections WHERE id = ?", [other.id.column])
            return try db.keep(joined, of: device)
        }
    }

    /// Removes a connection with its secrets and caches. A second call does nothing.
    public func removeBankConnection(_ id: EntityID, of device: EntityID) throws(DeviceStoreError) {
        _ = try file.changing { db in
            let sql = "DELETE FROM bank_connections WHERE device = ? AND id = ?"
            return try db.change(sql, [device.column, id.column])
        }
    }

    /// Removes outdated bank data: consents that expired, connections that never had another one, and the
    /// caches of connections that were not refreshed for long.
    /// - Parameters:
    ///   - now: UTC seconds.
    ///   - refreshedBefore: UTC seconds.
    public func removeOutdatedBankData(now: Int64, refreshedBefore: Int64) throws(DeviceStoreError) {
        try file.changing { db in
            try db.change("DELETE FROM bank_connections WHERE access IS NULL AND consent_until <= ?", [now])
            try db.change(
                "UPDATE bank_connections SET consent = NULL WHERE consent_until <= ?",
                [now]
            )
            try db.change(
                """
                DELETE FROM bank_caches WHERE connection IN (
                  SELECT id FROM bank_connections WHERE refreshed_at <= ?
                )
                """,
                [refreshedBefore]
            )
        }
    }
}

extension Database {
    /// Removes all connections of a device with their secrets, caches and notices. Their consents have to be ended at the
    /// providers: without the secrets, they would be of no use to the user until they expire.
    func removeBankConnections(of device: EntityID, _ now: Int64) throws {
        try change(
            """
            INSERT INTO bank_revocations (access, device, connection, provider, at)
              SELECT access, device, id, provider, ? FROM bank_connections
              WHERE device = ? AND access IS NOT NULL
            ON CONFLICT DO NOTHING
            """,
            [now, device.column]
        )
        try change("DELETE FROM bank_connections WHERE device = ?", [device.column])
        let sql = "DELETE FROM notices WHERE device = ? AND key IN (?, ?)"
        try change(
            sql,
            [device.column, BankNotice.consentEnded.rawValue, BankNotice.consentEndsSoon.rawValue]
        )
    }

    fileprivate func bankConnection(_ id: EntityID, of device: EntityID) throws -> BankConnectionRecord? {
        let sql = """
            SELECT \(BankConnectionRecord.columns) FROM bank_connections WHERE device = ? AND id = ?
            """
        return try first(sql, [device.column, id.column]) { try BankConnectionRecord($0) }
    }

    /// Stores a connection, unless it was changed or removed since it was read.
    func keep(_ connection: BankConnectionRecord, of device: EntityID) throws
        -> BankConnectionRecord?
    {
        let sql = """
            UPDATE bank_connections SET
              state = ?, version = version + 1, access = ?, access_ends_at = ?, plan = ?, refreshed_at = ?
            WHERE device = ? AND id = ? AND version = ?
            """
        let changed = try change(
            sql,
            [
                StoredJSON.encode(connection.state), connection.sealedAccess.map { Data($0) },
                connection.accessEndsAt, connection.plan, connection.refreshedAt, device.column,
                connection.id.column, connection.version,
            ]
        )
        guard changed == 1 else { return nil }
        var stored = connection
        stored.version += 1
        return stored
    }

    /// - Returns: whether the connection had this consent.
    @discardableResult
    fileprivate func consume(_ consent: [UInt8], of connection: EntityID, _ device: EntityID) throws -> Bool {
        let sql = "UPDATE bank_connections SET consent = NULL WHERE device = ? AND id = ? AND consent = ?"
        return try change(sql, [device.column, connection.column, Data(consent)]) == 1
    }

    fileprivate func replaceCaches(of connection: EntityID, with caches: [BankCacheRecord]) throws {
        try change("DELETE FROM bank_caches WHERE connection = ?", [connection.column])
        for cache in caches {
            try change(
                "INSERT INTO bank_caches (connection, kind, account, at, content) VALUES (?, ?, ?, ?, ?)",
                [connection.column, cache.kind.rawValue, cache.account, cache.at, Data(cache.content)]
            )
        }
    }
}

extension BankConnectionRecord {
    fileprivate static let columns = """
        id, provider, state, version, access, consent, consent_until, access_ends_at, plan, refreshed_at
        """

    fileprivate init(_ row: Columns) throws {
        self.init(
            id: try row.id(0),
            provider: row.text(1),
            state: StoredJSON.decode(BankConnectionState.self, row.text(2)) ?? .needsReconnect,
            plan: row.text(8)
        )
        version = row.int64(3)
        sealedAccess = row.isNull(4) ? nil : row.bytes(4)
        sealedConsent = row.isNull(5) ? nil : row.bytes(5)
        consentUntil = row.optionalInt64(6)
        accessEndsAt = row.optionalInt64(7)
        refreshedAt = row.optionalInt64(9)
    }
}
