// The expected rows of an account, in the simplest form: the fold of the accepted operations.
import Ledger
import SyncCore

/// A row by its kind and id.
struct Key: Hashable, CustomStringConvertible {
    let kind: String
    let id: EntityID

    var description: String { "\(kind) \(id.description.suffix(4))" }
}

/// An operation that the cloud has accepted, in the account's order.
struct Accepted {
    let seq: Int64
    let operation: SyncCore.Operation
    let device: Int
    let status: OperationResult.Status
    let code: OperationResult.Code?
}

/// One account as it must be.
struct Model {
    struct Written {
        let seq: Int64
        let value: FieldValue
        let replica: EntityID
        let isCreation: Bool
    }

    struct Row {
        var fields: [String: [Written]] = [:]
        var createdAt: Int64?
        var deletedAt: Int64?
        var creator: EntityID?

        func value(_ name: String, at seq: Int64) -> FieldValue {
            fields[name]?.last { $0.seq <= seq }?.value ?? .null
        }

        func isLive(at seq: Int64) -> Bool {
            createdAt.map { $0 <= seq } ?? false && deletedAt.map { $0 > seq } ?? true
        }
    }

    private(set) var rows: [Key: Row] = [:]
    private(set) var accepted: [Accepted] = []
    /// How many conflict records there must be, by the sequence of the operation.
    private(set) var conflicts: [Int64: Int] = [:]
    private var seen: Set<Int64> = []

    static let guarded: [String: Set<String>] = [
        "transaction": [
            "kind", "amount", "currency", "account", "accountAmount", "toAccount", "toAmount", "category",
            "split",
        ],
        "account": ["opening", "currency"], "budget": ["limit"],
    ]

    /// Takes over an operation that the cloud says it has accepted; the same again changes nothing.
    mutating func accept(
        _ operation: SyncCore.Operation,
        _ result: OperationResult,
        from replica: EntityID,
        device: Int
    ) {
        guard seen.insert(result.seq).inserted else { return }
        accepted.append(
            Accepted(
                seq: result.seq,
                operation: operation,
                device: device,
                status: result.status,
                code: result.code
            )
        )
        let key = Key(kind: operation.kind, id: operation.id)
        var row = rows[key] ?? Row()
        let holds =
            rows[Key(kind: "preferences", id: EntityID(high: 0, low: 0))]?
            .value("conflictPolicy", at: .max) == .text("ask")
        guard row.deletedAt == nil else { return }
        switch operation.action {
        case .delete: row.deletedAt = result.seq
        case .create, .patch:
            guard operation.action == .create || row.createdAt != nil else { return }
            let isFirst = row.createdAt == nil
            if isFirst { row.createdAt = result.seq }
            for field in operation.fields.all {
                let last = row.fields[field.name]?.last
                let lastReplica = last?.replica ?? row.creator
                let present = last?.value ?? .null
                let wasPatched = last.map { !$0.isCreation } ?? false
                let base = operation.base.integer(field.name) ?? 0
                let differs = present != field.value
                let isForeign = !isFirst && lastReplica != replica && differs
                let isGuarded = Self.guarded[operation.kind]?.contains(field.name) ?? false
                let lastSeq = last?.seq ?? row.createdAt ?? 0
                let meets = isGuarded && isForeign && lastSeq > base
                if meets { conflicts[result.seq, default: 0] += 1 }
                let grows =
                    operation.kind == "schedule" && field.name == "done"
                    || operation.kind == "account" && field.name == "lastSyncedAt"
                if operation.action == .patch, grows, isForeign,
                    lastSeq > operation.base.integer(field.name) ?? .max,
                    present.integer ?? .min > field.value.integer ?? .min
                {
                    continue
                }
                if operation.action == .create, !isFirst {
                    // Of two creations, the greater number stays, of either device.
                    let isGreater = field.value.integer ?? .min > present.integer ?? .min
                    if grows ? !isGreater : wasPatched || !differs { continue }
                }
                if operation.action == .patch, meets, holds { continue }
                row.fields[field.name, default: []].append(
                    Written(
                        seq: result.seq,
                        value: field.value,
                        replica: replica,
                        isCreation: isFirst
                    )
                )
            }
            if isFirst { row.creator = replica }
        }
        rows[key] = row
    }

    /// A row as a device must show it once everything up to a sequence is reflected; nil where there is none.
    func shown(_ key: Key, at seq: Int64) -> [String: FieldValue]? {
        guard let row = rows[key], row.isLive(at: seq) else { return nil }
        var fields: [String: FieldValue] = [:]
        for name in row.fields.keys { fields[name] = row.value(name, at: seq) }
        return fields
    }

    /// The form in which a device stores a row that two devices have written together.
    static func fitted(_ kind: String, _ fields: [String: FieldValue]) -> [String: FieldValue] {
        var fields = fields
        guard ["transaction", "schedule"].contains(kind) else { return fields }
        let to = fields["toAccount"] ?? .null
        if fields["kind"] == .text("transfer"), to != .null, to != fields["account"] {
            if fields["toAmount"] ?? .null == .null { fields["toAmount"] = fields["accountAmount"] }
            fields["category"] = .null
            if kind == "transaction" { fields["split"] = .null }
        } else {
            if fields["kind"] == .text("transfer") { fields["kind"] = "expense" }
            fields["toAccount"] = .null
            fields["toAmount"] = .null
        }
        return fields
    }
}
