// The check of the files and rows of a cloud against each other, for the doctor.

public import CloudProtocol
import FileStore
import GRDB
import Storage

extension FileService {
    /// The files of a directory that the doctor finds wanting.
    public struct Faults: Hashable, Sendable {
        /// The folders that cannot be listed. Nothing is said about their files.
        public var unreadable: [String] = []
        /// The paths of files that should be there.
        public var missing: [String] = []
        /// The paths of damaged files that were displaced, and of which no device has sent a sound one.
        public var damaged: [String] = []
        /// The paths of files that no row names. A server removes them.
        public var unlisted: [String] = []
        /// The number of files that receipts refer to and that no row names: no device has sent them yet, or the cloud
        /// was restored from a backup that is older than they are.
        public var unsent = 0
        /// The paths of the files of rows. Their content was not read.
        public var stored: [String] = []

        mutating func names(in folder: String) -> [String] {
            do throws(FileStoreError) { return try FileFolder.list(folder) } catch {
                unreadable.append(folder)
                return []
            }
        }
    }

    /// Compares the rows and the files of a cloud without changing either.
    /// - Parameters:
    ///   - path: of the directory's file.
    ///   - isInUse: whether a server may have it open.
    ///   - now: UTC seconds.
    /// - Throws: `failed`.
    public static func faults(besides path: String, isInUse: Bool, now: Int64) throws(CloudError) -> Faults {
        let root = root(besides: path)
        do {
            let (listed, unsent) = try Examination.run(path, isInUse: isInUse, now: now) {
                db -> (Set<String>, Int) in
                guard try db.number("PRAGMA user_version") >= firstMigration.number else {
                    return ([], 0)
                }
                let sql = "SELECT user || '/' || sha256 FROM files JOIN sync_accounts ON number = account"
                let unsent = try db.all("SELECT number FROM sync_accounts") { $0.int64(0) }.reduce(0) {
                    try $0 + db.referencedFiles(of: $1, now).subtracting(db.files(of: $1).keys).count
                }
                return (Set(try db.all(sql) { $0.text(0) }), unsent)
            }
            var faults = Faults(unsent: unsent)
            var (present, displaced): (Set<String>, Set<String>) = ([], [])
            for user in faults.names(in: root) {
                for name in faults.names(in: "\(root)/\(user)") {
                    if ContentHash(name) != nil { present.insert("\(user)/\(name)") }
                    if let hash = FileFolder.hash(ofDisplaced: name) { displaced.insert("\(user)/\(hash)") }
                }
            }
            func paths(_ names: Set<String>) -> [String] { names.sorted().map { "\(root)/\($0)" } }
            let absent = listed.subtracting(present)
            faults.missing = paths(absent.subtracting(displaced)).filter { path in
                !faults.unreadable.contains { path.hasPrefix($0 + "/") }
            }
            faults.damaged = paths(absent.intersection(displaced))
            faults.unlisted = paths(present.subtracting(listed))
            faults.stored = paths(present.intersection(listed))
            return faults
        } catch { throw CloudFailure(error).asCloudError }
    }
}
