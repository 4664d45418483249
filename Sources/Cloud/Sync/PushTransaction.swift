// One push inside the cloud's transaction: merges each operation into the rows of the account, and records
// its result.

import CloudProtocol
import Crypto
import Encoding
import Foundation
import GRDB
import Ledger
import Storage
import SyncCore

/// A push inside a transaction of the cloud's file.
struct PushTransaction {
    private let db: Database
    private let account: Int64
    private let now: Int64
    private(set) var replica: Replica
    /// The number of the replica's last operation before the push.
    let firstN: Int64
    /// The account's last sequence.
    private(set) var seq: Int64
    /// Whether guarded values are held back; read when it is first needed.
    private var holds: Bool?
    private var counts: [String: Int] = [:]
    /// The live rows and bytes of the account.
    private(set) var usage: StoredUsage
    /// The hash of the account's live rows; nil if it has to be computed.
    private(set) var hash: RowsHash?
    private let limits: AccountLimits

    init(
        _ db: Database,
        account: Int64,
        replica: Replica,
        seq: Int64,
        usage: StoredUsage,
        hash: RowsHash?,
        limits: AccountLimits,
        now: Int64
    ) {
        self.db = db
        self.account = account
        self.replica = replica
        self.firstN = replica.lastN
        self.seq = seq
        self.usage = usage
        self.hash = hash
        self.limits = limits
        self.now = now
    }

    /// Advances to the next sequence. Only a damaged file has none left.
    private mutating func advance() throws {
        guard seq < .max else { throw StorageError.damaged("no sequence is left") }
        seq += 1
    }

    /// Applies an operation, or returns the earlier result of a repeated one.
    mutating func apply(_ operation: Operation, _ newID: () -> EntityID) throws -> OperationResult {
        let digest = operation.digest
        if operation.n <= replica.lastN {
            let known = try repeated(operation, digest)
            try touch(operation)
            return known
        }
        let next = replica.lastN.addingClamped(1)
        guard operation.n == next else { throw CloudFailure(.opGap(expected: next)) }
        if var known = try db.result(of: operation.opID, account) {
            if known.digest == digest {
                // The operation was sent before, by a replica of which this one is a copy.
                known.result.n = operation.n
                try record(known.result, operation, digest)
                try touch(operation)
                return known.result
            }
            // Two copies of one book may each have changed an operation that was not sent before.
            guard known.replica != replica.number else { throw CloudFailure(.opReused) }
        }
        try advance()
        let stored = try db.storedRow(operation.kind, operation.id, account)
        let row = stored?.row
        let isDead = try row == nil && db.isBuried(operation.id, of: account)
        var outcome = Merge.apply(
            operation,
            to: row,
            isDead: isDead,
            seq: seq,
            writer: replica.number,
            holds: try holdsBack()
        )
        if let merged = outcome.row, merged != row {
            let after = StoredRow(merged)
            if let code = usage.refusal(stored, after, records: outcome.overwritings.count, limits) {
                outcome.row = row
                (outcome.status, outcome.code, outcome.overwritings) = (.rejected, code, [])
            } else {
                try store(after, operation.kind, operation.id, insteadOf: row)
                usage.count(stored, after)
                count(operation.kind, from: row, to: merged)
            }
        }
        var result = OperationResult(n: operation.n, seq: seq, status: outcome.status, code: outcome.code)
        for overwriting in outcome.overwritings {
            let id = newID()
            try record(overwriting, id, operation, isHeld: outcome.code == .held)
            result.conflict = result.conflict ?? id
        }
        try record(result, operation, digest)
        return result
    }

    /// A replica that repeats an operation may be a copy of a book without the row's deletion, and its cursor
    /// may be after the deletion. The row gets a new sequence, so that the replica receives the deletion
    /// again.
    private mutating func touch(_ operation: Operation) throws {
        guard operation.action != .delete, var row = try db.row(operation.kind, operation.id, account),
            row.isDeleted
        else { return }
        try advance()
        row.seq = seq
        row.author = 0
        try store(StoredRow(row), operation.kind, operation.id, insteadOf: row)
    }

    /// Stores a row in place of another one, and updates the hash.
    private mutating func store(
        _ stored: StoredRow,
        _ kind: String,
        _ id: EntityID,
        insteadOf before: MergedRow?
    )
        throws
    {
        let new = stored.row.hash(kind, id)
        try db.store(stored, hash: new, kind, id, account, now)
        hash?.replace(before?.hash(kind, id) ?? 0, by: new)
    }

    private func repeated(_ operation: Operation, _ digest: Int64) throws -> OperationResult {
        guard let known = try db.result(of: operation.n, replica.number, account),
            known.opID == operation.opID, known.digest == digest
        else { throw CloudFailure(.opReused) }
        return known.result
    }

    private mutating func record(_ result: OperationResult, _ operation: Operation, _ digest: Int64) throws {
        replica.lastN = operation.n
        try db.change(
            """
            INSERT INTO op_results (account, replica, n, op_id, digest, seq, status, conflict, code, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                account, replica.number, operation.n, operation.opID, digest, result.seq,
                result.status.rawValue, result.conflict.column, result.code?.rawValue, now,
            ]
        )
    }

    /// Stores a record of two values in conflict: a row like any other, written by the cloud itself.
    private mutating func record(
        _ overwriting: Overwriting,
        _ id: EntityID,
        _ operation: Operation,
        isHeld: Bool
    ) throws {
        try advance()
        let (kept, lost) = (try db.writer(overwriting.keptBy), try db.writer(overwriting.lostBy))
        let fields: Fields = [
            "kind": .text(operation.kind),
            "entity": .text(operation.id.description),
            "field": .text(overwriting.field),
            "kept": .text(overwriting.kept.json),
            "lost": .text(overwriting.lost.json),
            "keptBy": .text(kept.id),
            "keptName": .text(kept.name),
            "lostBy": .text(lost.id),
            "lostName": .text(lost.name),
            "at": .integer(now),
            "held": .integer(isHeld ? 1 : 0),
        ]
        let version = FieldVersion(seq: seq, writer: 0)
        let row = StoredRow(MergedRow(seq: seq, fields: fields, created: version, author: 0))
        try store(row, "conflict", id, insteadOf: nil)
        usage.count(nil, row)
    }

    private mutating func holdsBack() throws -> Bool {
        if let holds { return holds }
        let id = EntityID(high: 0, low: 0)
        let policy = try db.row("preferences", id, account)?.fields.text("conflictPolicy")
        holds = policy == "ask"
        return policy == "ask"
    }

    private mutating func count(_ kind: String, from before: MergedRow?, to after: MergedRow) {
        // The operation may have changed the policy.
        if kind == "preferences" { holds = nil }
        let wasLive = before.map { !$0.isDeleted } ?? false
        guard wasLive == after.isDeleted else { return }
        counts[kind, default: 0] += after.isDeleted ? -1 : 1
    }

    /// Updates the counts of the user's entities.
    func noteHoldings(of user: EntityID) throws {
        try db.change(
            """
            INSERT INTO holdings (user, accounts, transactions, categories, changed_at)
            VALUES (?, max(0, ?), max(0, ?), max(0, ?), ?)
            ON CONFLICT DO UPDATE SET
              accounts = max(0, accounts + ?), transactions = max(0, transactions + ?),
              categories = max(0, categories + ?), changed_at = excluded.changed_at
            """,
            [
                user.column, counts["account"] ?? 0, counts["transaction"] ?? 0, counts["category"] ?? 0, now,
                counts["account"] ?? 0, counts["transaction"] ?? 0, counts["category"] ?? 0,
            ]
        )
    }
}

extension Operation {
    /// The digest that tells operations with the same id apart. It omits the number and the local
    /// transaction, which change when the operation is sent again by another replica.
    fileprivate var digest: Int64 {
        var same = self
        same.n = 0
        same.tx = 0
        return SHA256.hash(data: same.encoded).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension FieldValue {
    /// The value as JSON.
    fileprivate var json: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

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

/// A stored result of an operation.
private struct StoredResult {
    let opID: String
    let digest: Int64
    let replica: Int64
    var result: OperationResult

    static let columns = "n, op_id, digest, seq, status, conflict, code, replica"

    init(_ row: Columns) throws {
        opID = row.text(1)
        digest = row.int64(2)
        replica = row.int64(7)
        result = OperationResult(
            n: row.int64(0),
            seq: row.int64(3),
            status: try row.word(4),
            conflict: row.optionalID(5),
            code: row.optionalText(6).flatMap(OperationResult.Code.init(rawValue:))
        )
    }
}

extension Database {
    fileprivate func result(of n: Int64, _ replica: Int64, _ account: Int64) throws -> StoredResult? {
        let sql = "SELECT \(StoredResult.columns) FROM op_results WHERE account = ? AND replica = ? AND n = ?"
        return try first(sql, [account, replica, n]) { try StoredResult($0) }
    }

    fileprivate func result(of opID: String, _ account: Int64) throws -> StoredResult? {
        let sql = """
            SELECT \(StoredResult.columns) FROM op_results INDEXED BY op_results_by_op
            WHERE account = ? AND op_id = ? ORDER BY seq LIMIT 1
            """
        return try first(sql, [account, opID]) { try StoredResult($0) }
    }

    fileprivate func writer(_ number: Int64) throws -> (id: String, name: String) {
        try first("SELECT id, name FROM replicas WHERE number = ?", [number]) { ($0.text(0), $0.text(1)) }
            ?? ("", "")
    }

    fileprivate func row(_ kind: String, _ id: EntityID, _ account: Int64) throws -> MergedRow? {
        try storedRow(kind, id, account)?.row
    }

    fileprivate func storedRow(_ kind: String, _ id: EntityID, _ account: Int64) throws -> StoredRow? {
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

    fileprivate func store(
        _ stored: StoredRow,
        hash: Int64,
        _ kind: String,
        _ id: EntityID,
        _ account: Int64,
        _ now: Int64
    ) throws {
        let row = stored.row
        try change(
            """
            INSERT INTO entities (
              account, kind, id, seq, is_deleted, fields, created_seq, created_by, versions, author, last_writer, changed_at,
              hash
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET seq = excluded.seq, is_deleted = excluded.is_deleted,
              fields = excluded.fields, versions = excluded.versions, author = excluded.author,
              last_writer = excluded.last_writer, changed_at = excluded.changed_at,
              hash = excluded.hash
            """,
            [
                account, kind, id.column, row.seq, row.isDeleted, stored.fields, row.created.seq,
                row.created.writer, stored.versions, row.author, row.lastWriter, now, hash,
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
    /// The stored form: `amount 9 2,note 11 3 2`.
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

/// The type of the protocol and not Foundation's.
typealias Operation = SyncCore.Operation
