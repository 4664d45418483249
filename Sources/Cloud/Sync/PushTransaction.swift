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
    private let limits: UserAccountLimits
    /// The rows that were referred to, and are of no other kind.
    private var fitting: Set<ReferredRow> = []

    private struct ReferredRow: Hashable {
        let kind: String
        let id: EntityID
    }

    init(
        _ db: Database,
        account: Int64,
        replica: Replica,
        seq: Int64,
        usage: StoredUsage,
        hash: RowsHash?,
        limits: UserAccountLimits,
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
    mutating func apply(_ received: Operation, _ newID: () -> EntityID) throws -> OperationResult {
        // Of what was sent, because a repetition sends the same.
        let digest = received.digest
        var operation = received
        if let entity = SyncedSchema.breadly[operation.kind] {
            operation.fields = entity.inNormalForm(operation.fields)
        }
        if operation.n <= replica.lastN {
            let known = try repeated(operation, digest)
            try touch(operation)
            return known
        }
        let next = replica.lastN.addingClamped(1)
        guard operation.n == next else { throw CloudFailure(.sync(.opGap(expected: next))) }
        if var known = try db.result(of: operation.opID, account) {
            if known.digest == digest {
                // The operation was sent before, by a replica of which this one is a copy.
                known.result.n = operation.n
                try record(known.result, operation, digest)
                try touch(operation)
                return known.result
            }
            // Two copies of one book may each have changed an operation that was not sent before.
            guard known.replica != replica.number else { throw CloudFailure(.sync(.opReused)) }
        }
        try advance()
        let stored = try db.storedRow(operation.kind, operation.id, account)
        let row = stored?.row
        let isDead = try row == nil && db.isBuried(operation.id, of: account)
        var outcome: Merge.Outcome
        if let field = try misdirected(operation) {
            outcome = .invalid(row, field: field)
        } else {
            outcome = Merge.apply(
                operation,
                to: row,
                isDead: isDead,
                seq: seq,
                writer: replica.number,
                holds: try holdsBack()
            )
        }
        if let merged = outcome.row, merged != row {
            let after = StoredRow(merged)
            if let code = usage.refusal(stored, after, records: outcome.overwritings.count, limits) {
                outcome.row = row
                (outcome.status, outcome.code, outcome.overwritings) = (.rejected, code, [])
            } else {
                try store(after, operation.kind, operation.id, insteadOf: row, tx: operation.tx)
                usage.count(stored, after)
                count(operation.kind, from: row, to: merged)
            }
        }
        var result = OperationResult(
            n: operation.n,
            seq: seq,
            status: outcome.status,
            code: outcome.code,
            field: outcome.field
        )
        for overwriting in outcome.overwritings {
            let id = newID()
            try record(overwriting, id, operation, isHeld: outcome.code == .held)
            result.conflict = result.conflict ?? id
        }
        try record(result, operation, digest)
        return result
    }

    /// The first field that refers to a row which is of another kind; nil if there is none. A row that the cloud does not
    /// have may still come.
    private mutating func misdirected(_ operation: Operation) throws -> String? {
        guard let entity = SyncedSchema.breadly[operation.kind] else { return nil }
        for reference in entity.references(in: operation.fields) {
            let key = ReferredRow(kind: reference.kind, id: reference.id)
            // Most rows of a push refer to the same few.
            if fitting.contains(key) { continue }
            if try !db.hasRow(key.kind, key.id, account) {
                for other in SyncedSchema.breadly.entities
                where try other.kind != key.kind && db.hasRow(other.kind, key.id, account) {
                    return reference.field.name
                }
            }
            fitting.insert(key)
        }
        return nil
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
        insteadOf before: MergedRow?,
        tx: Int64? = nil
    )
        throws
    {
        let new = stored.row.hash(kind, id)
        try db.store(stored, hash: new, kind, id, account, now, tx: tx)
        hash?.replace(before?.hash(kind, id) ?? 0, by: new)
    }

    private func repeated(_ operation: Operation, _ digest: Int64) throws -> OperationResult {
        guard let known = try db.result(of: operation.n, replica.number, account),
            known.opID == operation.opID, known.digest == digest
        else { throw CloudFailure(.sync(.opReused)) }
        return known.result
    }

    private mutating func record(_ result: OperationResult, _ operation: Operation, _ digest: Int64) throws {
        replica.lastN = operation.n
        try db.change(
            """
            INSERT INTO op_results (account, replica, n, op_id, digest, seq, status, conflict, code, at, field)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                account, replica.number, operation.n, operation.opID, digest, result.seq,
                result.status.rawValue, result.conflict.column, result.code?.rawValue, now,
                result.field,
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
    fileprivate var json: String { String(decoding: JSONWriter.encode { $0.value(self) }, as: UTF8.self) }
}

/// The type of the protocol and not Foundation's.
typealias Operation = SyncCore.Operation
