// Rules that are held against each step rather than the end; their numbers are those of the sync chapter.
import Ledger
import Storage
import SyncCore
import SyncEngine
import TestKit

@testable import Book
@testable import Cloud

extension World {
    /// 3: a change and its operation are both there. Of each field that an edit has changed, the outbox holds the change.
    func checkCaptured(
        _ device: SimulatedDevice,
        _ before: [Key: (fields: [String: FieldValue], isLive: Bool)],
        _ after: [Key: (fields: [String: FieldValue], isLive: Bool)]
    ) throws {
        let state = try device.book.replicaState()
        guard state.replica != nil, try !device.walks() else { return }
        let open = Dictionary(grouping: try device.outbox(), by: \.key)
        let model = state.epoch.flatMap { models[device.account][$0] }
        for (key, row) in after {
            let old = before[key]
            if let old, old.isLive == row.isLive, old.fields == row.fields { continue }
            let operations = open[key] ?? []
            // As the cloud has it, or had it at this device's last contact.
            let cloud = model?.shown(key, at: .max) ?? model?.shown(key, at: state.cursor)
            if row.isLive {
                for (name, value) in row.fields
                where value != old?.fields[name] || old?.isLive != true {
                    let isQueued = operations.contains {
                        $0.action == .create || $0.action == .patch && $0.fields[name] != nil
                    }
                    // An undone change restores the cloud's value, as of the last contact.
                    let had = model?.rows[key]?.fields[name]?.map(\.value) ?? []
                    guard isQueued || wasCloudRestored || cloud != nil && (had + [.null]).contains(value)
                    else {
                        throw Violation(
                            description:
                                "3: \(key).\(name) is \(value), and no operation of device \(device.number) says so"
                        )
                    }
                }
            } else if old?.isLive == true {
                // A row that no other device knows leaves no trace.
                let isKnown = model?.rows[key] != nil
                let isThere = model?.shown(key, at: .max) != nil
                guard operations.contains(where: { $0.action == .delete }) || !isKnown || !isThere else {
                    throw Violation(
                        description:
                            "3: \(key) is deleted, and no operation of device \(device.number) says so"
                    )
                }
            }
        }
    }

    /// 3: what was sent leaves the outbox only for a result that the cloud keeps.
    func checkOutbox(_ device: SimulatedDevice) throws {
        let state = try device.book.replicaState()
        let name = "\(state.epoch ?? 0) \(state.replica.map { "\($0)" } ?? "")"
        let numbers = try device.book.reading { db in
            try db.all("SELECT n FROM outbox WHERE n IS NOT NULL AND status IS NULL", []) { $0.int64(0) }
        }
        defer { device.sent = (name, Set(numbers)) }
        guard device.sent.name == name, !wasCloudRestored else { return }
        for n in device.sent.numbers.subtracting(numbers)
        where results["\(device.account) \(name) \(n)"] == nil {
            throw Violation(
                description: "3: operation \(n) of device \(device.number) is gone without a result"
            )
        }
    }

    /// 5: the operations of a replica are applied in their order, without a gap.
    func checkOrder(_ batch: PushBatch, _ answer: PushAnswer, _ device: SimulatedDevice) throws {
        let name = "\(device.account) \(answer.epoch) \(batch.replica)"
        for operation in batch.operations.prefix(answer.results.count) {
            guard results["\(name) \(operation.n)"] == nil else { continue }
            let last = lastNumbers[name] ?? operation.n - 1
            // A restored cloud tells results of before again.
            guard operation.n == last + 1 || wasCloudRestored && operation.n <= last else {
                throw Violation(description: "5: \(operation.n) follows \(last) of \(batch.replica)")
            }
            lastNumbers[name] = max(last, operation.n)
        }
    }

    /// The replicas that a restored cloud knows.
    func noteNumbers() throws {
        lastNumbers = [:]
        for account in users.indices {
            try directory.reading { db in
                guard let kept = try db.syncRecord(of: users[account].id) else { return }
                let sql = "SELECT id, last_n FROM replicas WHERE account = ?"
                try db.forEach(sql, [kept.number]) { row in
                    lastNumbers["\(account) \(kept.epoch) \(try row.id(0))"] = row.int64(1)
                }
            }
        }
    }

    /// 8: in each page, each field is that of its highest sequence.
    func checkPages(_ answer: SyncAnswer, _ device: SimulatedDevice) throws {
        switch answer {
        case .changes(let page): try checkPage(page, device)
        case .pushed(let answer): if let page = answer.changes { try checkPage(page, device) }
        default: break
        }
    }

    private func checkPage(_ page: ChangesPage, _ device: SimulatedDevice) throws {
        guard let model = models[device.account][page.epoch] else { return }
        for row in page.rows where !row.isDeleted && row.kind != "conflict" {
            let key = Key(kind: row.kind, id: row.id)
            guard let expected = model.shown(key, at: .max) else {
                throw Violation(
                    description: "8: \(key) is told to device \(device.number) and should not be there"
                )
            }
            for name in Set(expected.keys).union(row.fields.all.map(\.name))
            where row.fields[name] ?? .null != expected[name] ?? .null {
                throw Violation(
                    description:
                        "8: \(key).\(name) is told as \(row.fields[name] ?? .null) instead of \(expected[name] ?? .null)"
                )
            }
        }
    }

    /// 10: pending changes are shown, independent of changes that arrive.
    func checkOwn(_ device: SimulatedDevice, _ rows: [Key: (fields: [String: FieldValue], isLive: Bool)])
        throws
    {
        var own: [Key: [String: FieldValue]] = [:]
        var gone: Set<Key> = []
        for open in try device.outbox() where !open.hasResult {
            switch open.action {
            case .create: gone.remove(open.key)
            case .delete:
                gone.insert(open.key)
                own[open.key] = nil
            case .patch:
                for field in open.fields.all { own[open.key, default: [:]][field.name] = field.value }
            }
        }
        for key in gone where rows[key]?.isLive == true && key.kind != "preferences" {
            throw Violation(
                description: "10: \(key) is shown on device \(device.number), which has deleted it"
            )
        }
        for (key, fields) in own {
            // Another device's deletion counts, and values that contradict each other are adjusted.
            guard let row = rows[key], row.isLive, key.kind != "transaction" || fields["kind"] == nil else {
                continue
            }
            let fitted = Model.fitted(key.kind, row.fields.merging(fields) { $1 })
            for (name, value) in fields {
                // A field of a newer version has no place here.
                guard let here = row.fields[name], here != value, here != fitted[name] ?? .null else {
                    continue
                }
                throw Violation(
                    description:
                        "10: \(key).\(name) is \(here) instead of \(value) on device \(device.number), which has not sent it"
                )
            }
        }
    }

    /// 15: what a book holds when it is attached again is in the union.
    func noteUnion(_ device: SimulatedDevice) throws {
        // A cloud that is restored has a rule of its own.
        guard !isCloudRestored else { return }
        let rows = try device.rows().filter { $0.value.isLive && $0.key.kind != "conflict" }.keys
        kept[device.account, default: []].formUnion(rows)
    }

    /// 16: an account that was deleted answers nothing but 401, and nothing of it is made again.
    func checkGone(_ account: Int) throws {
        for device in devices where device.account == account {
            let replica = newID()
            let operation = SyncCore.Operation(
                n: 1,
                opID: String(repeating: "0", count: 32),
                tx: 1,
                action: .create,
                kind: "account",
                id: newID(),
                fields: ["name": "again"],
                base: [:]
            )
            let requests: [SyncRequest] = [
                .head(replica), .detach(replica, lastN: 0),
                .push(PushBatch(replica: replica, epoch: 1, operations: [operation])),
                .changes(ChangesQuery(replica: replica, epoch: 1, range: .since(0), limit: 5, lastN: 0)),
                .changes(
                    ChangesQuery(replica: replica, epoch: 1, range: .snapshot(from: ""), limit: 5, lastN: 0)
                ),
            ]
            for request in requests {
                guard case .refused(let error) = try serve(request, device.token, device), error.status == 401
                else {
                    throw Violation(description: "16: \(request) is answered after the account was deleted")
                }
            }
        }
        let left = try directory.reading { db in
            try db.number(
                "SELECT count(*) FROM entities WHERE account NOT IN (SELECT number FROM sync_accounts)"
            )
        }
        let known = try directory.reading { db in try db.syncRecord(of: users[account].id) }
        guard left == 0, known == nil else {
            throw Violation(description: "16: \(left) rows of a deleted account are left")
        }
    }
}

extension SimulatedDevice {
    /// Whether the rows of a book that was attached lately are still being queued.
    func walks() throws -> Bool {
        try book.reading { db in try db.number("SELECT walk_rank IS NOT NULL FROM sync") == 1 }
    }
}
