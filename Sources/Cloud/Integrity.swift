// Checks of the cloud's file from outside, for the doctor and after a restore.
public import CloudProtocol
import Storage

extension Directory {
    /// Checks the cloud's file without changing it, also while it is in use.
    /// - Parameters:
    ///   - isInUse: whether a server may have it open.
    ///   - now: UTC seconds.
    /// - Returns: the faults, a line each; empty for an intact file.
    /// - Throws: `failed`.
    public static func checkIntegrity(at path: String, isInUse: Bool, now: Int64) throws(CloudError)
        -> [String]
    {
        do {
            return try Examination.run(path, isInUse: isInUse, now: now) { db in
                guard try db.number("PRAGMA application_id") == Int(applicationID) else {
                    throw StorageError.damaged("another program's file")
                }
                let found = try db.number("PRAGMA user_version")
                try Migrator.check(db, found: found, known: Migration.cloud.last?.number ?? 0)
                return try Examination.findings(db)
            }
        } catch { throw CloudFailure(error).asCloudError }
    }
}
