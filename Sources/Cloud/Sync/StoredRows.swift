// Rows and results of operations in the cloud's file: their encoding, and the statements that read and write
// them.

import Encoding
import GRDB
import Ledger
import Storage
import SyncCore

/// A row in the form in which the file stores it.
struct StoredRow {
    let row: MergedRow
    /// The size of its values and their versions, in bytes.
    let bytes: Int64
    fileprivate let fields: String
    fileprivate let versions: String

    /// Encodes a row.
    init(_ row: MergedRow) {
        self.init(row, fields: JSONWriter.text(row.fields), versions: FieldVersion.encoded(row.versions))
    }

    fileprivate init(_ row: MergedRow, fields: String, versions: String) {
        self.row = row
        self.fields = fields
        self.versions = versions
        bytes = Int64(fields.utf8.count + versions.utf8.count)
    }
}

/// A stored result of an operation, with the digest of the operation and the replica that sent it.
struct StoredResult {
    let opID: String
    let digest: Int64
    let replica: Int64
    var result: OperationResult

    static let columns = "n, op_id, digest, seq, status, conflict, code, replica, field"

    init(_ row: Columns) throws {
        opID = row.text(1)
        digest = row.int64(2)
        replica = row.int64(7)
        result = OperationResult(
            n: row.int64(0),
            seq: row.int64(3),
            status: try row.word(4),
            conflict: row.optionalID(5),
            code: row.optionalText(6).flatMap(OperationResult.Code.init(rawValue:)),
            field: row.optionalText(8)
        )
    }
}

extension Database {
    func result(of n: Int64, _ replica: Int64, _ account: Int64) throws -> StoredResult? {
        let sql = "SELECT \(StoredResult.columns) FROM op_results WHERE account = ? AND replica = ? AND n = ?"
        return try first(sql, [account, replica, n]) { try StoredResult($0) }
    }

    func result(of opID: String, _ account: Int64) throws -> StoredResult? {
        let sql = """
            SELECT \(StoredResult.columns) FROM op_results INDEXED BY op_results_by_op
            WHERE account = ? AND op_id = ? ORDER BY seq LIMIT 1
            """
        return try first(sql, [account, opID]) { try StoredResult($0) }
    }

    func writer(_ number: Int64) throws -> (id: String, name: String) {
        try first("SELECT id, name FROM replicas WHERE number = ?", [number]) { ($0.text(0), $0.text(1)) }
            ?? ("", "")
    }

    /// Whether an account has a row of this kind, also a deleted one.
    func hasRow(_ kind: String, _ id: EntityID, _ account: Int64) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM entities WHERE account = ? AND kind = ? AND id = ?)"
        return try number(sql, [account, kind, id.column]) == 1
    }

    func row(_ kind: String, _ id: EntityID, _ account: Int64) throws -> MergedRow? {
        try storedRow(kind, id, account)?.row
    }

    func storedRow(_ kind: String, _ id: EntityID, _ account: Int64) throws -> StoredRow? {
        let sql = """
            SELECT seq, is_deleted, fields, created_seq, created_by, versions, author, last_writer FROM entities
            WHERE account = ? AND kind = ? AND id = ?
            """
        return try first(sql, [account, kind, id.column]) { row in
            let (fields, versions) = (row.text(2), row.text(5))
            let merged = MergedRow(
                seq: row.int64(0),
                isDeleted: row.int(1) == 1,
                fields: try Fields(encoded: fields),
                created: FieldVersion(seq: row.int64(3), writer: row.int64(4)),
                versions: try FieldVersion.all(encoded: versions),
                author: row.int64(6),
                lastWriter: row.int64(7)
            )
            return StoredRow(merged, fields: fields, versions: versions)
        }
    }

    /// - Parameter tx: the number of the change in the book of the replica that wrote last; nil to keep the stored one.
    func store(
        _ stored: StoredRow,
        hash: Int64,
        _ kind: String,
        _ id: EntityID,
        _ account: Int64,
        _ now: Int64,
        tx: Int64? = nil
    ) throws {
        let row = stored.row
        try change(
            """
            INSERT INTO entities (
              account, kind, id, seq, is_deleted, fields, created_seq, created_by, versions, author, last_writer, changed_at,
              hash, day, last_tx
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ifnull(?15, 0))
            ON CONFLICT DO UPDATE SET seq = excluded.seq, is_deleted = excluded.is_deleted,
              fields = excluded.fields, versions = excluded.versions, author = excluded.author,
              last_writer = excluded.last_writer, changed_at = excluded.changed_at,
              hash = excluded.hash, day = excluded.day, last_tx = ifnull(?15, last_tx)
            """,
            [
                account, kind, id.column, row.seq, row.isDeleted, stored.fields, row.created.seq,
                row.created.writer, stored.versions, row.author, row.lastWriter, now, hash,
                row.snapshotDay(of: kind), tx,
            ]
        )
    }
}

extension Fields {
    /// Decodes the stored form.
    init(encoded json: String) throws {
        do {
            self = try JSONReader.read(Array(json.utf8)) { reader throws(MalformedJSON) in try reader.fields()
            }
        } catch { throw StorageError.damaged("a row with malformed JSON") }
    }
}

extension FieldVersion {
    /// The stored form: `amount 9 2,note 11 3 2`. It is not JSON, because each operation of a push
    /// decodes and encodes one.
    fileprivate static func encoded(_ versions: [String: FieldVersion]) -> String {
        versions.sorted { $0.key < $1.key }
            .map { name, version in
                "\(name) \(version.seq) \(version.writer)" + (version.unseen == 0 ? "" : " \(version.unseen)")
            }
            .joined(separator: ",")
    }

    static func all(encoded text: String) throws -> [String: FieldVersion] {
        guard !text.isEmpty else { return [:] }
        var versions: [String: FieldVersion] = [:]
        for part in text.split(separator: ",") {
            let words = part.split(separator: " ")
            guard (3...4).contains(words.count), let seq = Int64(words[1]), let writer = Int64(words[2]),
                let unseen = words.count == 4 ? Int64(words[3]) : 0
            else { throw StorageError.damaged("a malformed version") }
            versions[String(words[0])] = FieldVersion(seq: seq, writer: writer, unseen: unseen)
        }
        return versions
    }

    /// The form for devices: the sequences only.
    static func shown(_ stored: String, created: Int64) -> String {
        guard !stored.isEmpty else { return "{\"*\":\(created)}" }
        let named = stored.split(separator: ",").map { part in
            let words = part.split(separator: " ")
            return "\"\(words.first ?? "")\":\(words.dropFirst().first ?? "0")"
        }
        return "{\"*\":\(created),\(named.joined(separator: ","))}"
    }
}
