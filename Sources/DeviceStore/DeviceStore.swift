// The file with all devices of a server: their cookies, sessions, lifecycles and notices.
import GRDB
public import Ledger
public import Storage

/// The file `sessions.sqlite`. Safe to use from any thread.
///
/// Every change is durable when its call returns.
public final class DeviceStore: Sendable {
    /// SQLite's `application_id` of the file.
    static let applicationID: Int32 = 0x4272_6473
    /// The shortest interval of writing that a device was seen, in seconds.
    public static let seenEverySeconds: Int64 = 3_600

    let file: Store<DeviceStoreError>

    private init(_ file: Store<DeviceStoreError>) { self.file = file }

    /// Opens the device store, and creates it if it is missing.
    /// - Throws: `storage`: `damaged` for a file that is not a device store, `newerSchema`,
    ///   `migrationRefused`, `diskFull`, `readOnly`, `failed`.
    public static func open(at path: String) throws(DeviceStoreError) -> DeviceStore {
        DeviceStore(
            try Store<DeviceStoreError>.open(
                at: path,
                applicationID: applicationID,
                migrations: Migration.deviceStore
            ) { db in ["devices": Int64(try db.number("SELECT count(*) FROM devices"))] }
        )
    }

    /// The upgrade at opening; nil if there was none.
    public var upgrade: SchemaUpgrade? { file.upgrade }

    /// Whether opening a device store would upgrade its file. The check changes nothing.
    public static func needsUpgrade(at path: String, now: Int64) throws(DeviceStoreError) -> Bool {
        do {
            return try Examination.schema(of: path, now: now) < (Migration.deviceStore.last?.number ?? 0)
        } catch {
            throw DeviceStoreError(error)
        }
    }

    /// Closes the file. Every later call throws `storage(.closed)`.
    public func close() { file.close() }

    /// The device with an id, or nil.
    public func device(_ id: EntityID) throws(DeviceStoreError) -> DeviceRecord? {
        try file.reading { db in
            let sql = "SELECT \(DeviceRecord.read), 0, 0 FROM devices WHERE id = ?"
            return try db.first(sql, [id.column]) { try DeviceRecord($0) }
        }
    }

    /// Adds a device.
    /// - Throws: `idTaken` if its id or its cookie is in use already.
    public func create(_ device: DeviceRecord) throws(DeviceStoreError) {
        try file.changing { db in
            let known = "SELECT 1 FROM devices WHERE id = ?1 OR cookie_hash = ?2 OR previous_hash = ?2"
            guard try db.first(known, [device.id.column, device.cookieHash.column], { _ in true }) == nil
            else {
                throw DeviceStoreError.idTaken(device.id)
            }
            try db.change(
                """
                INSERT INTO devices (\(DeviceRecord.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    device.id.column, device.cookieHash.column, device.createdAt, device.seenAt,
                    device.rotatedAt,
                    device.locale, device.onboarding, device.state.encoded(), device.guest.column,
                    device.isHostBound,
                ]
            )
        }
    }

    /// Whether a device's book was created and was not removed since.
    public func hasBook(_ device: EntityID) throws(DeviceStoreError) -> Bool {
        try bookState(of: device) ?? false
    }

    /// Whether a device's book was created and was not removed since; nil if there is no such device.
    public func bookState(of device: EntityID) throws(DeviceStoreError) -> Bool? {
        try file.reading { db in
            try db.first("SELECT has_book FROM devices WHERE id = ?", [device.column]) { $0.int(0) == 1 }
        }
    }

    /// Records that a device's book was created, or is about to be removed. Its connections to banks are removed
    /// with it.
    /// - Parameter now: UTC seconds.
    public func note(hasBook: Bool, _ device: EntityID, now: Int64) throws(DeviceStoreError) {
        try file.changing { db in
            if !hasBook { try db.removeBankConnections(of: device, now) }
            let sql = "UPDATE devices SET has_book = ? WHERE id = ? AND has_book <> ?"
            try db.change(sql, [hasBook, device.column, hasBook])
        }
    }

    /// Records a use of a device. It is written at most once an hour.
    /// - Returns: whether it was written.
    @discardableResult
    public func touch(_ device: DeviceRecord, now: Int64) throws(DeviceStoreError) -> Bool {
        guard now - Self.seenEverySeconds >= device.seenAt else { return false }
        return try file.changing { db in
            // A concurrent request may have written it since the record was read.
            let sql = "UPDATE devices SET seen_at = ? WHERE id = ? AND seen_at <= ?"
            return try db.change(sql, [now, device.id.column, now - Self.seenEverySeconds]) == 1
        }
    }

    /// Stores the next step of the onboarding.
    /// - Throws: `unknownDevice`.
    public func setOnboarding(_ step: String, of device: EntityID) throws(DeviceStoreError) {
        try file.changing { db in
            guard try db.change("UPDATE devices SET onboarding = ? WHERE id = ?", [step, device.column]) == 1
            else { throw DeviceStoreError.unknownDevice(device) }
        }
    }

    /// The number of devices.
    public func count() throws(DeviceStoreError) -> Int {
        try file.reading { db in try db.number("SELECT count(*) FROM devices") }
    }

    /// Every device, oldest first.
    public func all() throws(DeviceStoreError) -> [DeviceRecord] {
        try file.reading { db in
            try db.all("SELECT \(DeviceRecord.read), 0, 0 FROM devices ORDER BY id") {
                try DeviceRecord($0)
            }
        }
    }

    /// Removes a device with its log and notices; the caller removes its book. A second call does nothing.
    public func forget(_ device: EntityID) throws(DeviceStoreError) {
        _ = try file.deleting { db in try db.change("DELETE FROM devices WHERE id = ?", [device.column]) }
    }

    /// Removes content from the disk that was deleted for good; to be called every second.
    public func dropTraces() throws(DeviceStoreError) { try file.dropTraces() }

    /// Writes a consistent, compact copy to a new file, while the device store is in use.
    /// - Throws: `storage`: `failed` if the file exists already; `diskFull`, `readOnly`.
    public func backup(to target: String) throws(DeviceStoreError) { try file.backup(to: target) }
}

extension Database {
    /// Whether there is a device with this id.
    func contains(_ device: EntityID) throws -> Bool {
        try first("SELECT 1 FROM devices WHERE id = ?", [device.column], { _ in true }) ?? false
    }
}
