// A faulty or hostile client of an account: it pushes whatever it likes, and no device stops.
import CloudProtocol
import CloudSamples
import Ledger
import SyncCore

@testable import Cloud

extension World {
    /// Whether this is a world in which a faulty client pushes too.
    var isHostile: Bool { seed % 5 == 2 }

    /// Creates rows with any values, and gives rows of the devices values that they cannot have.
    func pushAnything(_ account: Int) throws {
        guard isPremium[account], !isGone[account] else { return }
        let token = try token(account)
        let epoch = try service.head(token).head.epoch
        let rows = models[account][epoch, default: Model()]
        let live = rows.rows.keys.sorted { "\($0)" < "\($1)" }.filter { rows.shown($0, at: .max) != nil }
        var operations: [SyncCore.Operation] = []
        for n in 1...Int64.random(in: 1...4, using: &random) {
            guard let entity = pick(SyncedSchema.breadly.entities) else { return }
            var operation = SyncCore.Operation(
                n: n,
                opID: String((0..<32).compactMap { _ in pick(Array("0123456789abcdef")) }),
                tx: 1,
                action: .create,
                kind: entity.kind,
                id: newID()
            )
            if chance(1, in: 2), let known = pick(live.filter { $0.kind == entity.kind }) {
                // A value that fits would be a change like any other, which other rules are about.
                (operation.action, operation.id) = (.patch, known.id)
                guard let field = pick(entity.fields),
                    let value = pick(FieldValue.odd.filter { !field.accepts($0) })
                else { continue }
                operation.fields[field.name] = value
            } else {
                for field in entity.fields where chance(2, in: 3) {
                    operation.fields[field.name] = pick(FieldValue.odd)
                    // An id of a row of any kind.
                    if !field.form.isInteger, chance(1, in: 4), let other = pick(live) {
                        operation.fields[field.name] = .text("\(other.id)")
                    }
                }
            }
            operation.n = Int64(operations.count + 1)
            operations.append(operation)
        }
        guard !operations.isEmpty else { return }
        let batch = PushBatch(replica: newID(), epoch: epoch, operations: operations)
        let answer = try service.push(batch, token, Entitlement(.active))
        for (operation, result) in zip(operations, answer.results) {
            count(result.status == .rejected ? "refused push" : "push of anything")
            if operation.action == .patch, result.status == .applied {
                throw Violation(description: "20: the cloud took \(operation.fields) of a \(operation.kind)")
            }
            guard result.status != .rejected else { continue }
            models[account][epoch, default: Model()].accept(
                operation,
                result,
                from: batch.replica,
                device: -1
            )
            // Whether a device can read it is not this rule's concern: it must be able to read the others.
            anything.insert(Key(kind: operation.kind, id: operation.id))
        }
        note("a faulty client pushes \(operations.map { "\($0.action) \($0.kind)" })")
        try tellWaiters(of: account)
    }
}
