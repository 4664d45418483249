// Collection of files that no receipt needs any more.
//
// Files are removed within a transaction of the directory, as they are named in one. So a receipt or a file that arrives
// during a collection is either seen by it, or finds the file removed and has it sent again.

public import CloudProtocol
import FileStore
import GRDB
public import Ledger
import Storage

extension FileService {
    /// Removes files that no receipt has referred to for `retentionSeconds`, the oldest unreferenced files above the
    /// quota, files without a row, and unfinished files that have not grown for `unfinishedSeconds`.
    /// - Returns: the number of removed files that had a row.
    /// - Throws: `failed`; if the folder of an account cannot be read, after the others were collected.
    @discardableResult
    public func collect() throws(CloudError) -> Int {
        let users = try directory.reading { db in
            try db.all("SELECT user FROM sync_accounts WHERE number IN (SELECT account FROM files)") {
                try $0.id(0)
            }
        }
        var removed = 0
        for user in users { removed += try collect(user) }
        let names: [String]
        do { names = try FileFolder.list(root) } catch { throw CloudFailure(error).asCloudError }
        var failure: CloudError?
        for name in names {
            guard let user = EntityID(name) else { continue }
            do throws(CloudError) { try removeUnlisted(of: user) } catch {
                failure = failure ?? error
                continue
            }
            let folder = folder(of: user)
            for part in folder.parts() where part.changedAt < directory.now - Self.unfinishedSeconds {
                // A request that writes to it at this time saves it.
                try? writes.only(part.hash, of: user) { () throws(CloudError) in
                    folder.discardPart(of: part.hash)
                }
            }
        }
        if let failure { throw failure }
        return removed
    }

    /// Notes which files of an account no receipt refers to, and removes the files whose time is over.
    /// - Returns: the number of removed files.
    @discardableResult
    func collect(_ user: EntityID) throws(CloudError) -> Int {
        let (now, folder, most) = (directory.now, folder(of: user), limits.accountBytes)
        let plan = try directory.reading { db in try db.collection(of: user, now, most: most) }
        // Without a transaction that changes something, nothing has to reach the disk.
        guard !plan.isEmpty else { return 0 }
        return try directory.changing { db in
            // A receipt may have arrived since.
            let plan = try db.collection(of: user, now, most: most)
            for (sha256, since) in plan.marks {
                try db.change(
                    "UPDATE files SET unreferenced_since = ? WHERE account = ? AND sha256 = ?",
                    [since, plan.account, sha256]
                )
            }
            for sha256 in plan.removals {
                try db.change("DELETE FROM files WHERE account = ? AND sha256 = ?", [plan.account, sha256])
                if let hash = ContentHash(sha256) { folder.remove(hash) }
            }
            return plan.removals.count
        }
    }

    /// Removes files of an account that have no row, such as the files of deleted data; also unfinished files and the
    /// folder if the account does not exist any more.
    /// - Throws: `failed`.
    public func removeUnlisted(of user: EntityID) throws(CloudError) {
        let folder = folder(of: user)
        let unlisted = try directory.reading { db in try db.unlisted(folder, of: user) }
        if !unlisted.isEmpty {
            try directory.changing { db in
                // A file that has got its row in the meantime is not among them.
                for hash in try db.unlisted(folder, of: user) { folder.remove(hash) }
                // Before the transaction ends, so that it is one: an empty one would not lock the file.
                try db.change("UPDATE files SET size = size WHERE 0", [])
            }
        }
        let exists = try directory.reading { db in
            try db.first("SELECT 1 FROM users WHERE id = ?", [user.column]) { _ in true } ?? false
        }
        guard !exists else { return }
        do { try folder.removeAll() } catch { throw CloudFailure(error).asCloudError }
    }
}

/// The files of an account that a collection changes.
private struct FileCollectionPlan {
    var account: Int64 = 0
    /// New values of `unreferenced_since`, by hash.
    var marks: [(String, Int64?)] = []
    var removals: [String] = []

    var isEmpty: Bool { marks.isEmpty && removals.isEmpty }
}

extension Database {
    /// - Parameter most: the greatest number of bytes of files that no receipt refers to.
    fileprivate func collection(of user: EntityID, _ now: Int64, most: Int64) throws -> FileCollectionPlan {
        guard let account = try syncRecord(of: user)?.number else { return FileCollectionPlan() }
        var plan = FileCollectionPlan(account: account)
        let needed = try referencedFiles(of: account, now)
        var unreferenced: [(sha256: String, size: Int64, since: Int64)] = []
        let sql = "SELECT sha256, size, unreferenced_since FROM files WHERE account = ?"
        for (sha256, size, since) in try all(
            sql,
            [account],
            { ($0.text(0), $0.int64(1), $0.optionalInt64(2)) }
        ) {
            if needed.contains(sha256) {
                if since != nil { plan.marks.append((sha256, nil)) }
            } else {
                if since == nil { plan.marks.append((sha256, now)) }
                unreferenced.append((sha256, size, since ?? now))
            }
        }
        var bytes = unreferenced.reduce(Int64(0)) { $0 + $1.size }
        for file in unreferenced.sorted(by: { ($0.since, $0.sha256) < ($1.since, $1.sha256) }) {
            guard file.since < now - FileService.retentionSeconds || bytes > most else { break }
            plan.removals.append(file.sha256)
            bytes -= file.size
        }
        return plan
    }

    /// The hashes of the files that live receipts refer to. A receipt of a deleted transaction does not count. A
    /// receipt whose transaction has not arrived counts as long as the transaction may still arrive: after the data of
    /// an account was deleted, a device sends its receipts anew, also the receipts of transactions that it has deleted
    /// and does not send.
    func referencedFiles(of account: Int64, _ now: Int64) throws -> Set<String> {
        let sql = """
            SELECT json_extract(r.fields, '$.sha256'), json_extract(r.fields, '$.transaction'), t.is_deleted, r.changed_at
            FROM entities r LEFT JOIN entities t ON t.account = r.account AND t.kind = 'transaction'
              AND t.id = json_extract(r.fields, '$.transaction')
            WHERE r.account = ? AND r.kind = 'receipt' AND r.is_deleted = 0
            """
        var found: Set<String> = []
        try forEach(sql, [account]) { row in
            guard let sha256 = row.optionalText(0), row.optionalInt64(2) != 1 else { return }
            if row.optionalInt64(2) == nil {
                guard row.int64(3) >= now - FileService.retentionSeconds else { return }
                if let id = row.optionalText(1).flatMap({ EntityID($0) }), try isBuried(id, of: account) {
                    return
                }
            }
            found.insert(sha256)
        }
        return found
    }

    /// The files of a folder that have no row.
    fileprivate func unlisted(_ folder: FileFolder, of user: EntityID) throws -> [ContentHash] {
        let present = Set(try folder.list() + folder.displaced())
        guard !present.isEmpty else { return [] }
        guard let account = try syncRecord(of: user)?.number else { return Array(present) }
        let listed = Set(try all("SELECT sha256 FROM files WHERE account = ?", [account]) { $0.text(0) })
        return present.filter { !listed.contains($0.description) }
    }
}
