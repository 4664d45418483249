// Guests in the device store: how many there are, and which of them may be forgotten.
import GRDB
import Ledger
import Storage

extension DeviceStore {
    /// How many devices are guests': nobody is signed in on them.
    /// - Parameter seenAfter: UTC seconds; whoever was not seen since cannot come back.
    public func guestCount(seenAfter: Int64) throws(DeviceStoreError) -> Int {
        try file.reading { db in
            let sql =
                "SELECT count(*) FROM devices WHERE seen_at > ? AND id NOT IN (SELECT device FROM sessions)"
            return try db.number(sql, [seenAfter])
        }
    }

    /// Every guest, the one used last first.
    public func guests() throws(DeviceStoreError) -> [DeviceRecord] {
        try file.reading { db in
            let sql = """
                SELECT \(DeviceRecord.read), 0, 0 FROM devices WHERE id NOT IN (SELECT device FROM sessions)
                ORDER BY seen_at DESC
                """
            return try db.all(sql) { try DeviceRecord($0) }
        }
    }

    /// Guests who are not in the middle of anything and were not seen since, the one seen least lately first.
    /// - Parameters:
    ///   - seenBefore: UTC seconds.
    ///   - isUnfinished: only those who never answered the whole onboarding, who have nothing left to be told and on whose
    ///     devices nobody has been signed in; else all but those whose book was found to hold something since they were last seen.
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

    /// Notes that an idle guest's book holds something.
    public func keepGuest(_ guest: DeviceRecord) throws(DeviceStoreError) {
        _ = try file.changing { db in
            let sql = "UPDATE devices SET kept_at = seen_at WHERE id = ? AND seen_at = ?"
            return try db.change(sql, [guest.id.column, guest.seenAt])
        }
    }

    /// Removes a guest's device, unless it was used or signed in since its record was read; its book's file is the
    /// caller's.
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
