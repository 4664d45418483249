// Checks of the cloud's file from outside, for the doctor and after a restore.
public import CloudProtocol
import GRDB
import Storage
import SyncCore

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
                try Migrator.check(db, found: found, Migration.cloud)
                let findings = try Examination.findings(db)
                return findings.isEmpty && found == Migration.cloud.last?.number
                    ? try unfitRows(db) : findings
            }
        } catch { throw CloudFailure(error).asCloudError }
    }

    /// Whether this version cannot open a file, because a newer version has written it, or a version before the first
    /// release.
    /// - Parameter header: at least the first hundred bytes of the file.
    public static func isOfOtherVersion(header: some Collection<UInt8>) -> Bool {
        Migrator.isOfOtherVersion(header: header, Migration.cloud)
    }

    /// A line about live rows that do not fit the schema, as an earlier version may have stored them. No device applies
    /// them, and the page of sync names them.
    private static func unfitRows(_ db: Database) throws -> [String] {
        var (count, first): (Int, String?) = (0, nil)
        let sql = """
            SELECT kind, id, fields, account FROM entities WHERE is_deleted = 0 ORDER BY account, kind, id
            """
        try db.forEach(sql) { columns in
            let (kind, id) = (columns.text(0), try columns.id(1))
            guard let entity = SyncedSchema.breadly[kind] else { return }
            let field = entity.unfit(try Fields(encoded: columns.text(2)), isWhole: false)?.name
            guard field != nil || !entity.mayHave(id) else { return }
            count += 1
            let row = field.map { "the \($0) of the \(kind) \(id)" } ?? "the \(kind) \(id)"
            first = first ?? "\(row) of account number \(columns.int(3))"
        }
        guard let first else { return [] }
        return [
            "\(count) row\(count == 1 ? "" : "s") cannot be read by any device: \(first)\(count == 1 ? "" : ", and others")"
        ]
    }
}
