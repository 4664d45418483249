// Checks of the device store from outside: for the doctor, for backups, and after a restore.
import GRDB
public import Ledger
import Storage

extension DeviceStore {
    /// The facts about the book of a device.
    public struct BookEntry: Hashable, Sendable {
        /// The device's id.
        public let device: EntityID
        /// Whether its book was created and was not removed since.
        public let hasBook: Bool
        /// Whether a user is signed in on it.
        public let isSignedIn: Bool
    }

    /// Every device of a device store that a server may have open. Nothing is changed.
    public static func entries(at path: String, isInUse: Bool, now: Int64) throws(DeviceStoreError)
        -> [BookEntry]
    {
        do {
            return try Examination.run(path, isInUse: isInUse, now: now) { db in
                try Migrator.check(db, found: try db.number("PRAGMA user_version"), Migration.deviceStore)
                let session = "EXISTS (SELECT 1 FROM sessions WHERE device = devices.id)"
                return try db.all("SELECT id, has_book, \(session) FROM devices ORDER BY id") {
                    BookEntry(device: try $0.id(0), hasBook: $0.int(1) == 1, isSignedIn: $0.int(2) == 1)
                }
            }
        } catch { throw DeviceStoreError(error) }
    }

    /// Checks the file without changing it, also while it is in use: its pages, indexes and references.
    /// - Parameters:
    ///   - isInUse: whether a server may have it open.
    ///   - now: UTC seconds; `.max` if no other process can be writing to it.
    /// - Returns: the faults, a line each; empty for an intact file.
    /// - Throws: `storage` if the file cannot be read at all.
    public static func checkIntegrity(at path: String, isInUse: Bool = true, now: Int64 = .max)
        throws(DeviceStoreError) -> [String]
    {
        do {
            return try Examination.integrity(
                of: path,
                applicationID: applicationID,
                migrations: Migration.deviceStore,
                isInUse: isInUse,
                now: now
            )
        } catch { throw DeviceStoreError(error) }
    }
}
