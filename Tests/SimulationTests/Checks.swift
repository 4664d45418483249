// Invariants. The numbers are those of the rules in the sync chapter of the documentation.
import CloudProtocol
import Ledger
import Storage
import SyncCore
import SyncEngine
import TestKit

@testable import Book
@testable import Cloud

extension World {
    /// 13: no part of another user's data in any answer.
    func checkForeign(_ answer: SyncAnswer, _ device: SimulatedDevice) throws {
        guard case .changes(let page) = answer else { return }
        for row in page.rows {
            for field in row.fields.all {
                guard let text = field.value.text, text.hasPrefix("@") else { continue }
                guard text.hasPrefix("@\(device.account) ") else {
                    throw Violation(description: "13: device \(device.number) was given \(text)")
                }
            }
        }
    }

    /// The rules that hold of a device at any moment: 3, 6, 10, 11, 12.
    func check(_ device: SimulatedDevice) throws {
        let expected: [Divergence.Finding] = device.mixesClouds ? [.mending, .mended] : []
        guard isTamperedWith || device.store.found.allSatisfy({ expected.contains($0.finding) }) else {
            throw Violation(
                description: "19: device \(device.number) differs from the cloud: \(device.store.found)"
            )
        }
        guard device.life != .gone else { return }
        let state = try device.book.replicaState()
        if state.epoch == device.epoch, state.cursor < device.lastCursor {
            throw Violation(
                description:
                    "11: the cursor of device \(device.number) fell from \(device.lastCursor) to \(state.cursor)"
            )
        }
        if state.epoch != device.epoch { device.dead = [] }
        device.epoch = state.epoch
        device.lastCursor = state.cursor
        let rows = try device.rows()
        for (key, row) in rows {
            if !row.isLive {
                device.dead.insert(key)
            } else if device.dead.contains(key), !mayLiveAgain(device, key) {
                throw Violation(description: "6: \(key) lives again on device \(device.number)")
            }
        }
        try checkOutbox(device)
        try checkFiles(of: device)
        try checkOwn(device, rows)
        try checkReflected(device, state, rows)
    }

    /// A deletion that was never sent can be undone, unless another device's was received; and a placeholder
    /// is filled.
    private func mayLiveAgain(_ device: SimulatedDevice, _ key: Key) -> Bool {
        guard let epoch = device.epoch, let model = models[device.account][epoch], let row = model.rows[key]
        else {
            device.dead.remove(key)
            return true
        }
        if let deletedAt = row.deletedAt, device.life != .stopped {
            guard deletedAt > device.lastCursor, !device.own.contains(deletedAt) else { return false }
        }
        device.dead.remove(key)
        return true
    }

    /// 12 and 10: what is here is what the cloud had at the cursor, with this book's own changes over it.
    private func checkReflected(
        _ device: SimulatedDevice,
        _ state: ReplicaState,
        _ rows: [Key: (fields: [String: FieldValue], isLive: Bool)]
    ) throws {
        guard let epoch = state.epoch, let model = models[device.account][epoch], !state.isStopped,
            state.download == nil, state.stagedUpTo == nil, state.replica != nil, device.store.isExact
        else { return }
        guard try !device.walks() else { return }
        let cursor = state.cursor
        var touched: [Key: Set<String>] = [:]
        var whole: Set<Key> = []
        var expected: [Key: [String: FieldValue]] = [:]
        for key in model.rows.keys where BookSchema.breadly.table(key.kind) != nil {
            expected[key] = model.shown(key, at: cursor)
        }
        let own = Set(device.own)
        for accepted in model.accepted where own.contains(accepted.seq) && accepted.seq > cursor {
            let operation = accepted.operation
            let key = Key(kind: operation.kind, id: operation.id)
            if accepted.code == .dead || accepted.status == .rejected {
                whole.insert(key)
                continue
            }
            lay(operation.action, operation.fields, key, &expected, &touched, &whole)
        }
        for open in try device.outbox() {
            if open.isRefused { whole.insert(open.key) }
            lay(open.action, open.fields, open.key, &expected, &touched, &whole)
        }
        for (key, fields) in expected
        where !whole.contains(key) && key.kind != "conflict" && !anything.contains(key) {
            guard let here = rows[key], here.isLive else {
                throw Violation(
                    description: "12: \(key) is missing on device \(device.number) at \(cursor)"
                )
            }
            let fitted = Model.fitted(key.kind, fields)
            for (name, value) in here.fields where value != fitted[name] ?? .null {
                // An overlay of a merged row is adjusted with the row.
                if !(touched[key] ?? []).isEmpty, key.kind == "transaction" { continue }
                if fitted[name] == nil, Self.fallbacks.contains(value) { continue }
                throw Violation(
                    description:
                        "10, 12: \(key).\(name) is \(value) instead of \(fitted[name] ?? .null) on device \(device.number) at \(cursor)"
                )
            }
            for name in touched[key] ?? [] {
                // A field of a newer version is kept beside the row.
                let value = try here.fields[name] ?? device.unknown(key)[name] ?? .null
                guard value != fields[name] ?? .null,
                    key.kind != "transaction" || value != fitted[name] ?? .null
                else { continue }
                throw Violation(
                    description:
                        "10: \(key).\(name) is \(value) instead of the own \(fields[name] ?? .null) on device \(device.number)"
                )
            }
        }
        for (key, row) in rows where row.isLive && expected[key] == nil && !whole.contains(key) {
            guard key.kind != "conflict", !anything.contains(key) else { continue }
            throw Violation(
                description: "12: \(key) is on device \(device.number) at \(cursor) and should not be"
            )
        }
    }

    static let fallbacks: Set<FieldValue> = ["?", "cash", "XXX", 0, "expense", "", 1, 12]

    private func lay(
        _ action: SyncCore.Operation.Action,
        _ fields: Fields,
        _ key: Key,
        _ expected: inout [Key: [String: FieldValue]],
        _ touched: inout [Key: Set<String>],
        _ whole: inout Set<Key>
    ) {
        switch action {
        case .create: whole.insert(key)
        case .delete:
            expected[key] = nil
            whole.insert(key)
        case .patch:
            guard expected[key] != nil else {
                whole.insert(key)
                return
            }
            for field in fields.all {
                expected[key]?[field.name] = field.value
                touched[key, default: []].insert(field.name)
            }
        }
    }

    /// Invariants after all faults have ended and all queues are empty: 1, 5, 9, 15, 18, 21.
    func checkEnd() throws {
        for account in users.indices where !isGone[account] {
            let admission = try token(account)
            let head = try service.head(admission).head
            let model = models[account][head.epoch] ?? Model()
            try checkCloud(account, model, admission, head)
            for device in devices where device.account == account && device.life == .running {
                let state = try device.book.replicaState()
                guard state.epoch == head.epoch else {
                    throw Violation(
                        description: "1: device \(device.number) is in epoch \(state.epoch ?? 0)"
                    )
                }
                guard state.cursor == head.seq, state.pending == 0 else {
                    throw Violation(
                        description:
                            "17: device \(device.number) is at \(state.cursor) of \(head.seq) with \(state.pending) pending"
                    )
                }
                try check(device)
                try checkOccurrences(device)
                let sums = try device.book.verifySums()
                guard sums.isEmpty else {
                    throw Violation(description: "18: \(sums) on device \(device.number)")
                }
                let foreign = try device.book.reading { db in
                    try db.all("SELECT kind, id, problem FROM foreign_rows WHERE problem IS NOT NULL", []) {
                        (Key(kind: $0.text(0), id: try $0.id(1)), problem: $0.text(2))
                    }
                }
                .filter { !anything.contains($0.0) }
                guard foreign.isEmpty else {
                    throw Violation(description: "1: does not fit on device \(device.number): \(foreign)")
                }
            }
            let buried = try devices.filter { $0.account == account && $0.life != .gone }.map {
                try $0.rows()
            }
            for key in kept[account] ?? [] where model.rows[key]?.deletedAt == nil {
                // Another device may have deleted the row before the operation was sent.
                let isBuried = buried.contains { $0[key].map { !$0.isLive } ?? false }
                guard isBuried || model.shown(key, at: .max) != nil else {
                    throw Violation(
                        description: "15: \(key) was lost with the cloud, and every device had it"
                    )
                }
            }
            for key in self.buried[account] ?? [] where model.shown(key, at: .max) != nil {
                throw Violation(
                    description:
                        "6: \(key) lives again: the cloud had lost its deletion, and a device had not"
                )
            }
            try checkEqual(devices.filter { $0.account == account && $0.life == .running })
            try checkHashes(account)
        }
    }

    /// 19: the hash of each book, without refused changes of its own, is that of the cloud's rows.
    func checkHashes(_ account: Int) throws {
        let (kept, counted) = try directory.reading { db in
            var counted = RowsHash()
            let number = try db.syncRecord(of: users[account].id)
            let sql = "SELECT kind, id, fields FROM entities WHERE account = ? AND is_deleted = 0"
            try db.forEach(sql, [number?.number]) { row in
                let fields = try Fields(encoded: row.text(2))
                counted.replace(0, by: RowsHash.of(row.text(0), try row.id(1), fields))
            }
            return (number?.hash, counted)
        }
        guard kept == nil || kept == counted else {
            throw Violation(
                description: "19: the cloud has counted \(String(describing: kept)), not \(counted)"
            )
        }
        for device in devices where device.account == account && device.life == .running {
            try device.book.countDueRows()
            let hash = try device.book.reading { db -> RowsHash? in
                guard let refused = try db.refusedRows() else { return nil }
                var hash = try db.first("SELECT hash FROM agreement") { RowsHash(column: $0.int64(0)) }
                for row in refused.values { hash?.replace(row.here, by: row.cloud) }
                return hash
            }
            guard let hash else { continue }
            guard hash == counted else {
                throw Violation(description: "19: device \(device.number) has another hash than the cloud")
            }
        }
    }

    /// The cloud is about to lose what it knows: deletions that it has accepted and that a device knows of must come back
    /// to it.
    func noteBuried(_ account: Int) throws {
        for device in devices where device.account == account && device.life == .running {
            guard let epoch = device.epoch, let model = models[account][epoch] else { continue }
            for key in try device.tombstones() where model.rows[key]?.deletedAt != nil {
                buried[account, default: []].insert(key)
            }
        }
    }

    func checkEqual(_ devices: [SimulatedDevice]) throws {
        guard let first = devices.first else { return }
        let expected = try first.rows().filter { $0.value.isLive }.mapValues(\.fields)
        for device in devices.dropFirst() {
            let rows = try device.rows().filter { $0.value.isLive }.mapValues(\.fields)
            guard rows != expected else { continue }
            let keys = Set(rows.keys).union(expected.keys).filter { rows[$0] != expected[$0] }
            let shown = keys.map { "\($0): \(expected[$0] ?? [:]) and \(rows[$0] ?? [:])" }
            throw Violation(
                description:
                    "1: devices \(first.number) and \(device.number) differ in \(shown.joined(separator: "; "))"
            )
        }
    }

    /// The cloud's rows are the fold of what it accepted, and its conflict records are exactly those of the rule.
    private func checkCloud(_ account: Int, _ model: Model, _ token: SessionToken, _ head: Head) throws {
        var rows: [Key: [String: FieldValue]] = [:]
        var conflicts = 0
        var place = ""
        repeat {
            let query = ChangesQuery(
                replica: newID(),
                epoch: head.epoch,
                range: .snapshot(from: place),
                limit: 7,
                lastN: 0
            )
            let page = try service.changes(query, token, Entitlement(.active))
            for row in page.rows {
                if row.kind == "conflict" { conflicts += 1 }
                var fields: [String: FieldValue] = [:]
                for field in row.fields.all where field.value != .null { fields[field.name] = field.value }
                rows[Key(kind: row.kind, id: row.id)] = fields
            }
            place = page.hasMore ? page.next : ""
        } while !place.isEmpty
        // Those of an earlier epoch may have been sent again with the rest of a book.
        let sent = model.rows.keys.filter { $0.kind == "conflict" }.count
        // A cloud that was put back to before a deletion of its data has them still.
        let made = model.conflicts.values.reduce(0, +)
        guard (wasCloudRestored ? made...made + sent : made + sent...made + sent).contains(conflicts) else {
            throw Violation(
                description: "9: \(conflicts) conflicts instead of \(model.conflicts) and \(sent)"
            )
        }
        for key in Set(rows.keys).union(model.rows.keys) where key.kind != "conflict" {
            let expected = model.shown(key, at: .max)?.filter { $0.value != .null }
            guard rows[key] == expected else {
                throw Violation(
                    description:
                        "1, 8: the cloud has \(rows[key] ?? [:]) for \(key) instead of \(expected ?? [:])"
                )
            }
        }
    }
}
