// The cookies of devices, and their replacement.
import GRDB
public import Ledger
import Storage

extension DeviceStore {
    /// The time for which a replaced cookie is still valid after the first use of its successor, for requests
    /// under way.
    public static let graceSeconds: Int64 = 60

    /// The device that holds a cookie. The previous cookie is valid until a minute after the first use of the
    /// new one.
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

    /// The device whose cookie this was until a sign-in replaced it by a cookie that was never used, perhaps
    /// because the answer was lost. Such a cookie gives no access by itself.
    public func find(replacedBySignIn cookieHash: CookieHash) throws(DeviceStoreError) -> DeviceRecord? {
        try file.reading { db in
            let sql = """
                SELECT \(DeviceRecord.read), 1, 1 FROM devices
                WHERE previous_hash = ? AND previous_valid_until = \(Self.dead)
                """
            return try db.first(sql, [cookieHash.column]) { try DeviceRecord($0) }
        }
    }

    /// Replaces a device's cookie. The previous cookie is valid until a minute after the first use of the new
    /// cookie, because an answer that was lost must not cost users their book. Older cookies become invalid.
    /// - Parameters:
    ///   - oldHash: the expected present cookie, without which nothing is replaced; nil for any.
    ///   - outlives: false if the previous cookie becomes invalid at once: after a sign-in or sign-out, a
    ///     client that knows it must have no access.
    /// - Returns: whether the cookie was replaced.
    /// - Throws: `unknownDevice`; `idTaken` if the new cookie is in use already.
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
                    // A form during the replacement because of age came with the previous cookie.
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

    /// Makes a device's cookie due for replacement at its next request.
    public func expireCookie(of device: EntityID) throws(DeviceStoreError) {
        _ = try file.changing { db in
            try db.change("UPDATE devices SET rotated_at = 0 WHERE id = ?", [device.column])
        }
    }

    /// Records the use of a device's new cookie: the previous one becomes invalid in a minute, or is deleted
    /// if it is invalid already.
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

    /// Records that browsers send a device's cookie over TLS to this host only.
    public func bindToHost(_ device: EntityID) throws(DeviceStoreError) {
        _ = try file.changing { db in
            try db.change("UPDATE devices SET is_host_bound = 1 WHERE id = ?", [device.column])
        }
    }

    /// Replaces a new cookie that its browser never received; the previous one stays as it is.
    /// - Parameters:
    ///   - newHash: the expected present cookie, without which nothing is replaced; nil for any.
    ///   - oldHash: the previous cookie.
    /// - Returns: whether the cookie was replaced; false if the new cookie was used in the meantime.
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

    /// The expiry of the previous cookie before the first use of the new one.
    private static let unused = Int64.max
    /// The expiry of a previous cookie that is invalid.
    fileprivate static let dead: Int64 = -1
    private static let isUnused = "ifnull(previous_valid_until IN (\(unused), \(dead)), 0)"
}

extension Database {
    /// Replaces the present cookie and the previous one, with which the browser came.
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
