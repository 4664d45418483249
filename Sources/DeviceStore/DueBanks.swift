// The bank connections of all devices that may have to be refreshed, or whose consent ends soon.
import GRDB
public import Ledger
import Storage

extension DeviceStore {
    /// The devices with a connection that was not refreshed for some time, the device of the least recently
    /// refreshed connection first. Times are UTC seconds.
    /// - Parameters:
    ///   - readBefore: the time of the last successful refresh.
    ///   - seenAfter: devices that were not used since then are left out.
    ///   - now: a refresh after it, by a clock that was set back, counts as none.
    public func devicesWithBanks(readBefore: Int64, seenAfter: Int64, now: Int64) throws(DeviceStoreError)
        -> [EntityID]
    {
        try file.reading { db in
            let sql = """
                SELECT d.id FROM devices d JOIN bank_connections b ON b.device = d.id
                WHERE d.seen_at > ?1 AND b.access IS NOT NULL
                AND (b.refreshed_at IS NULL OR b.refreshed_at <= ?2 OR b.refreshed_at > ?3)
                GROUP BY d.id ORDER BY min(coalesce(b.refreshed_at, 0)), d.id
                """
            return try db.all(sql, [seenAfter, readBefore, now]) { try $0.id(0) }
        }
    }

    /// The connections whose consent ends before a time, in UTC seconds, with their devices.
    public func bankConsentsEnding(before time: Int64) throws(DeviceStoreError)
        -> [(device: EntityID, connection: EntityID)]
    {
        try file.reading { db in
            let sql = """
                SELECT device, id FROM bank_connections
                WHERE access IS NOT NULL AND access_ends_at <= ? ORDER BY access_ends_at, id
                """
            return try db.all(sql, [time]) { (try $0.id(0), try $0.id(1)) }
        }
    }
}
