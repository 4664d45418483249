// The consents that the user has ended, and that the provider has not ended yet.
import Foundation
import GRDB
public import Ledger
import Storage

/// Access with which a consent is ended at the provider.
public struct BankRevocation: Hashable, Sendable {
    /// The device that has sealed the access.
    public var device: EntityID
    /// The connection that used the access; it may exist no more.
    public var connection: EntityID
    /// The key of the provider.
    public var provider: String
    /// It can be opened with the key of the device only.
    public var sealedAccess: [UInt8]
    /// The time at which the user ended the consent, in UTC seconds.
    public var at: Int64
}

extension DeviceStore {
    /// The consents that have to be ended at their providers, the oldest first.
    public func bankRevocations() throws(DeviceStoreError) -> [BankRevocation] {
        try file.reading { db in
            let sql =
                "SELECT device, connection, provider, access, at FROM bank_revocations ORDER BY at, access"
            return try db.all(sql) { row in
                BankRevocation(
                    device: try row.id(0),
                    connection: try row.id(1),
                    provider: row.text(2),
                    sealedAccess: row.bytes(3),
                    at: row.int64(4)
                )
            }
        }
    }

    /// Stores that the consent of an access has to be ended, which came too late for its connection. Nothing happens if
    /// a connection has the access.
    /// - Parameter now: UTC seconds.
    public func revoke(
        late sealed: [UInt8],
        of connection: EntityID,
        at provider: String,
        _ device: EntityID,
        now: Int64
    ) throws(DeviceStoreError) {
        try file.changing { db in
            let sql = "SELECT 1 FROM bank_connections WHERE device = ? AND access = ?"
            guard try db.first(sql, [device.column, Data(sealed)], { _ in true }) == nil else { return }
            var record = BankConnectionRecord(
                id: connection,
                provider: provider,
                state: .disconnected,
                plan: ""
            )
            record.sealedAccess = sealed
            try db.revoke(record, of: device, at: now)
        }
    }

    /// Stores a connection with renewed access. If the connection was changed or removed since it was read, the renewed
    /// access takes the place of the former one, which the renewal may have made invalid: in the connection, or among the
    /// consents that have to be ended.
    /// - Parameters:
    ///   - former: the sealed access that was renewed.
    ///   - now: UTC seconds.
    /// - Returns: nil if the connection was changed or removed.
    public func keep(
        renewed record: BankConnectionRecord,
        inPlaceOf former: [UInt8],
        of device: EntityID,
        at now: Int64
    ) throws(DeviceStoreError) -> BankConnectionRecord? {
        try file.changing { db in
            if let stored = try db.keep(record, of: device) { return stored }
            guard let sealed = record.sealedAccess else { return nil }
            let inConnection = """
                UPDATE bank_connections SET access = ?, version = version + 1 WHERE device = ? AND access = ?
                """
            let connections = try db.change(inConnection, [Data(sealed), device.column, Data(former)])
            let revocations = try db.change(
                "UPDATE bank_revocations SET access = ? WHERE access = ?",
                [Data(sealed), Data(former)]
            )
            if connections + revocations == 0 { try db.revoke(record, of: device, at: now) }
            return nil
        }
    }

    /// Removes a revocation that the provider has answered.
    public func remove(_ revocation: BankRevocation) throws(DeviceStoreError) {
        _ = try file.changing { db in
            try db.change(
                "DELETE FROM bank_revocations WHERE access = ?",
                [Data(revocation.sealedAccess)]
            )
        }
    }

    /// Replaces the access of a revocation by renewed access. The renewal has made the former access invalid.
    /// - Returns: the revocation with the new access.
    public func renew(_ revocation: BankRevocation, with sealed: [UInt8]) throws(DeviceStoreError)
        -> BankRevocation
    {
        _ = try file.changing { db in
            try db.change(
                "UPDATE bank_revocations SET access = ? WHERE access = ?",
                [Data(sealed), Data(revocation.sealedAccess)]
            )
        }
        var renewed = revocation
        renewed.sealedAccess = sealed
        return renewed
    }
}

extension Database {
    /// Stores that a consent has to be ended. A connection without access has none.
    func revoke(_ connection: BankConnectionRecord, of device: EntityID, at now: Int64) throws {
        guard let access = connection.sealedAccess else { return }
        try change(
            """
            INSERT INTO bank_revocations (access, device, connection, provider, at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [Data(access), device.column, connection.id.column, connection.provider, now]
        )
    }
}
