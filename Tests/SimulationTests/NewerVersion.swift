// A device of a version that is to come: it writes kinds and fields that all others have no place for.
import CloudProtocol
import Ledger
import SyncCore

@testable import Cloud

extension World {
    /// Whether this is a world of several versions.
    var isOfSeveralVersions: Bool { seed.isMultiple(of: 3) }

    /// Writes a row of an unknown kind, changes or deletes another one, and gives a known row a field more.
    func writeAsNewerVersion(_ account: Int) throws {
        guard isPremium[account], !isGone[account] else { return }
        let token = try token(account)
        let epoch = try service.head(token).head.epoch
        let live = models[account][epoch, default: Model()].rows.keys.sorted { "\($0)" < "\($1)" }.filter {
            models[account][epoch]?.shown($0, at: .max) != nil
        }
        let text = FieldValue.text("@\(account) of step \(steps)")
        var operations: [SyncCore.Operation] = []
        func add(_ action: SyncCore.Operation.Action, _ kind: String, _ id: EntityID, _ fields: Fields = [:])
        {
            let n = Int64(operations.count + 1)
            operations.append(
                SyncCore.Operation(
                    n: n,
                    opID: String((0..<32).compactMap { _ in pick(Array("0123456789abcdef")) }),
                    tx: 1,
                    action: action,
                    kind: kind,
                    id: id,
                    fields: fields,
                    base: [:]
                )
            )
        }
        add(.create, "envelope", newID(), ["label": text, "parts": .other("[1, 2.50]")])
        if let other = pick(live.filter { $0.kind == "envelope" }) {
            if chance(1, in: 2) {
                add(.patch, other.kind, other.id, ["label": text])
            } else {
                add(.delete, other.kind, other.id)
            }
        }
        if let known = pick(live.filter { $0.kind == "account" || $0.kind == "category" }) {
            add(.patch, known.kind, known.id, ["newer": text])
        }
        let batch = PushBatch(replica: newID(), epoch: epoch, operations: operations)
        let answer = try service.push(batch, token, Entitlement(.active))
        count("newer version")
        note(
            "a newer version writes \(operations.map { "\($0.action) \($0.kind) \($0.id.description.suffix(4))" })"
        )
        for (operation, result) in zip(operations, answer.results) {
            models[account][epoch, default: Model()].accept(
                operation,
                result,
                from: batch.replica,
                device: -1
            )
        }
        try tellWaiters(of: account)
    }
}
