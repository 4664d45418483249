// Looks the device store over from outside: for the doctor, for backups, and after a restore.
import GRDB
public import Ledger
import Storage

extension DeviceStore {
    /// A device, as far as its book is concerned.
    public struct BookEntry: Hashable, Sendable {
        /// The device.
        public let device: EntityID
        /// Whether its book was made and was not removed since; nil where the device store is of a schema that does not say.
        public let hasBook: Bool?
        /// Whether somebody is signed in on it.
        public let isSignedIn: Bool
    }

    /// Every device of a device store that a server may have open. Nothing is made or changed.
    public static func entries(at path: String, isInUse: Bool, now: Int64) throws(DeviceStoreError)
        -> [BookEntry]
    {
        do {
            return try Examination.run(path, isInUse: isInUse, now: now) { db in
                let schema = try db.number("PRAGMA user_version")
                let hasBook = schema >= 4 ? "has_book" : "NULL"
                let session = schema >= 2 ? "EXISTS (SELECT 1 FROM sessions WHERE device = devices.id)" : "0"
                return try db.all("SELECT id, \(hasBook), \(session) FROM devices ORDER BY id") {
                    BookEntry(
                        device: try $0.id(0),
                        hasBook: $0.isNull(1) ? nil : $0.int(1) == 1,
                        isSignedIn: $0.int(2) == 1
                    )
                }
            }
        } catch { throw DeviceStoreError(error) }
    }

    /// Checks the file without changing it, also while it is in use: its pages, indexes and references.
    /// - Parameters:
    ///   - isInUse: whether a server may have it open.
    ///   - now: UTC seconds; `.max` where nothing else can be writing to it.
    /// - Returns: what is wrong, a line each; empty where all is well.
    /// - Throws: `storage`, where nothing can be read at all.
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
