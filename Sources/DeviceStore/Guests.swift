// Guests in the device store: their number, and the guests that may be removed.
import GRDB
import Ledger
import Storage

extension DeviceStore {
    /// The number of devices without a signed-in user.
    /// - Parameter seenAfter: UTC seconds; the cookies of guests that were not seen since have expired.
    public func guestCount(seenAfter: Int64) throws(DeviceStoreError) -> Int {
        try file.reading { db in
            let sql =
                "SELECT count(*) FROM devices WHERE seen_at > ? AND id NOT IN (SELECT device FROM sessions)"
            return try db.number(sql, [seenAfter])
        }
    }

    /// All guests, the most recently used first.
    public func guests() throws(DeviceStoreError) -> [DeviceRecord] {
        try file.reading { db in
            let sql = """
                SELECT \(DeviceRecord.read), 0, 0 FROM devices WHERE id NOT IN (SELECT device FROM sessions)
                ORDER BY seen_at DESC
                """
            return try db.all(sql) { try DeviceRecord($0) }
        }
    }

    /// Guests who are idle and were not seen since a time, the least recently seen first.
    /// - Parameters:
    ///   - seenBefore: UTC seconds.
    ///   - isUnfinished: only guests who never finished the onboarding, without notices and without an
    ///     earlier user on the device; otherwise all guests, except guests whose book was found to
    ///     contain entries since they were last seen.
    public func idleGuests(seenBefore: Int64, isUnfinished: Bool) throws(DeviceStoreError) -> [DeviceRecord] {
        try file.reading { db in
            let condition =
                isUnfinished
                ? """
                onboarding <> 'done' AND id NOT IN (SELECT device FROM notices)
                AND id NOT IN (SELECT device FROM ended_sessions)
                """ : "kept_at IS NOT seen_at"
            let sql = """
                SELECT \(DeviceRecord.read), 0, 0 FROM devices
                WHERE seen_at < ? AND id NOT IN (SELECT device FROM sessions) AND \(condition) ORDER BY seen_at
                """
            return try db.all(sql, [seenBefore]) { try DeviceRecord($0) }
        }
    }

    /// Records that an idle guest's book contains entries.
    public func keepGuest(_ guest: DeviceRecord) throws(DeviceStoreError) {
        _ = try file.changing { db in
            let sql = "UPDATE devices SET kept_at = seen_at WHERE id = ? AND seen_at = ?"
            return try db.change(sql, [guest.id.column, guest.seenAt])
        }
    }

    /// Removes a guest's device, unless it was used or signed in since its record was read; the caller
    /// removes its book.
    /// - Returns: whether it was removed.
    public func forgetGuest(_ guest: DeviceRecord) throws(DeviceStoreError) -> Bool {
        try file.changing { db in
            let sql = """
                DELETE FROM devices WHERE id = ? AND seen_at = ? AND id NOT IN (SELECT device FROM sessions)
                """
            return try db.change(sql, [guest.id.column, guest.seenAt]) == 1
        }
    }
}
