// Which cookie opens which device, and how one cookie replaces another.
import GRDB
public import Ledger
import Storage

extension DeviceStore {
    /// How long a replaced cookie still works once its successor was used, for requests under way.
    public static let graceSeconds: Int64 = 60

    /// The device that holds a cookie; also by its previous one, until a minute after the new one was first used.
    /// - Parameter now: UTC seconds.
    public func find(cookieHash: CookieHash, now: Int64) throws(DeviceStoreError) -> DeviceRecord? {
        try file.reading { db in
            let bytes = cookieHash.column
            let current =
                "SELECT \(DeviceRecord.read), 0, \(Self.isUnused) FROM devices WHERE cookie_hash = ?"
            if let device = try db.first(current, [bytes], { try DeviceRecord($0) }) { return device }
            let previous = """
                SELECT \(DeviceRecord.read), 1, \(Self.isUnused) FROM devices
                WHERE previous_hash = ? AND previous_valid_until >= ?
                """
            return try db.first(previous, [bytes, now]) { try DeviceRecord($0) }
        }
    }

    /// The device whose cookie this was until a sign-in replaced it by one that was never used: its answer may have been
    /// lost on the way. Such a cookie opens nothing by itself.
    public func find(replacedBySignIn cookieHash: CookieHash) throws(DeviceStoreError) -> DeviceRecord? {
        try file.reading { db in
            let sql = """
                SELECT \(DeviceRecord.read), 1, 1 FROM devices
                WHERE previous_hash = ? AND previous_valid_until = \(Self.dead)
                """
            return try db.first(sql, [cookieHash.column]) { try DeviceRecord($0) }
        }
    }

    /// Replaces a device's cookie. The one before works until the new one was used, and a minute more: an answer that
    /// got lost on its way with the new cookie in it must not cost anybody their book. The one before that dies.
    /// - Parameters:
    ///   - oldHash: replaced only where it still is the device's; nil for whichever is.
    ///   - outlives: false where the one before dies at once: somebody signs in or out, and who knows it from before must
    ///     not come along.
    /// - Returns: whether it was replaced.
    /// - Throws: `unknownDevice`; `idTaken` where the new cookie is known already.
    @discardableResult
    public func rotate(
        _ device: EntityID,
        from oldHash: CookieHash? = nil,
        to newHash: CookieHash,
        outlives: Bool = true,
        now: Int64
    ) throws(DeviceStoreError) -> Bool {
        try file.changing { db in
            if let oldHash {
                let isCurrent = "SELECT 1 FROM devices WHERE id = ? AND cookie_hash = ?"
                if try db.first(isCurrent, [device.column, oldHash.column], { _ in true }) != true {
                    // A form that met the replacement for age came with the one before.
                    guard !outlives else { return false }
                    return try db.endPrevious(oldHash, of: device, newHash, now)
                }
            }
            let known = "SELECT 1 FROM devices WHERE cookie_hash = ?1 OR previous_hash = ?1"
            guard try db.first(known, [newHash.column], { _ in true }) == nil else {
                throw DeviceStoreError.idTaken(device)
            }
            let changed = try db.change(
                """
                UPDATE devices SET
                  previous_hash = cookie_hash, previous_valid_until = ?, cookie_hash = ?, rotated_at = ?
                WHERE id = ?
                """,
                [outlives ? Self.unused : Self.dead, newHash.column, now, device.column]
            )
            guard changed == 1 else { throw DeviceStoreError.unknownDevice(device) }
            return true
        }
    }

    /// Makes a device's cookie due: its next visit gets another one.
    public func expireCookie(of device: EntityID) throws(DeviceStoreError) {
        _ = try file.changing { db in
            try db.change("UPDATE devices SET rotated_at = 0 WHERE id = ?", [device.column])
        }
    }

    /// Notes that a device's new cookie was used: the one before dies in a minute, or is forgotten where it is dead.
    public func confirm(_ device: EntityID, now: Int64) throws(DeviceStoreError) {
        _ = try file.changing { db in
            try db.change(
                """
                UPDATE devices SET previous_hash = NULL, previous_valid_until = NULL
                WHERE id = ? AND previous_valid_until = ?
                """,
                [device.column, Self.dead]
            )
            let sql = "UPDATE devices SET previous_valid_until = ? WHERE id = ? AND previous_valid_until = ?"
            return try db.change(sql, [now + Self.graceSeconds, device.column, Self.unused])
        }
    }

    /// Notes that a device's cookie is one that browsers send over TLS to this host alone.
    public func bindToHost(_ device: EntityID) throws(DeviceStoreError) {
        _ = try file.changing { db in
            try db.change("UPDATE devices SET is_host_bound = 1 WHERE id = ?", [device.column])
        }
    }

    /// Replaces a new cookie that its browser never got by another; the one before stays what it is.
    /// - Parameters:
    ///   - newHash: replaced only where it still is the device's; nil for whichever is.
    ///   - oldHash: the one before.
    /// - Returns: whether it was replaced: not where the new cookie was used in the meantime.
    public func replaceUnused(
        _ device: EntityID,
        from newHash: CookieHash? = nil,
        after oldHash: CookieHash,
        by freshHash: CookieHash,
        now: Int64
    ) throws(DeviceStoreError) -> Bool {
        try file.changing { db in
            let sql = """
                UPDATE devices SET cookie_hash = ?1, rotated_at = ?2
                WHERE id = ?3 AND previous_hash = ?4 AND previous_valid_until IN (\(Self.unused), \(Self.dead))
                  AND cookie_hash = ifnull(?5, cookie_hash)
                """
            let present = newHash?.column ?? .null
            let arguments: StatementArguments = [
                freshHash.column, now, device.column, oldHash.column, present,
            ]
            return try db.change(sql, arguments) == 1
        }
    }

    /// Stands for the end of the previous cookie while the new one was not used yet.
    private static let unused = Int64.max
    /// Stands for the end of a previous cookie that opens nothing any more.
    fileprivate static let dead: Int64 = -1
    private static let isUnused = "ifnull(previous_valid_until IN (\(unused), \(dead)), 0)"
}

extension Database {
    /// Puts a new cookie in the place of the present one and of the one before, from which a browser comes.
    fileprivate func endPrevious(_ old: CookieHash, of device: EntityID, _ new: CookieHash, _ now: Int64)
        throws
        -> Bool
    {
        try change(
            """
            UPDATE devices SET previous_valid_until = ?1, cookie_hash = ?2, rotated_at = ?3
            WHERE id = ?4 AND previous_hash = ?5 AND previous_valid_until >= ?3
            """,
            [DeviceStore.dead, new.column, now, device.column, old.column]
        ) == 1
    }
}
