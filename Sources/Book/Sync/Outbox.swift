// The outbox: changes in order, each until the cloud has answered with its result.
import Encoding
import GRDB
import Ledger
import Storage
public import SyncCore

extension Book {
    /// See `ReplicaStore`.
    public func nextBatch(operations most: Int, bytes: Int) throws(BookError) -> [Operation] {
        let sent = try reading { db in try db.numbered(most, bytes) }
        guard sent.isEmpty else { return sent }
        return try updateSyncState { db in
            try db.number(most, bytes)
            return try db.numbered(most, bytes)
        }
    }

    /// See `ReplicaStore`.
    /// - Parameters:
    ///   - batch: the batch of the results; nil for operations of the present attachment.
    ///   - isOlder: as in `ReplicaStore`.
    public func acknowledge(_ results: [OperationResult], of batch: PushBatch? = nil, isOlder: Bool = false)
        throws(BookError)
    {
        let now = clock()
        // Rows change only if a result shows that a row is deleted in the cloud.
        let isPlain = results.allSatisfy { $0.code != .dead }
        let body: (BookDatabase) throws -> Void = { db in
            guard try db.isAttached(batch?.replica, epoch: batch?.epoch) else { return }
            // A page that was read before the operations were sent may still be applied.
            let retains =
                try db.number("SELECT staged_up_to IS NOT NULL OR download_next IS NOT NULL FROM sync") == 1
            for result in results { try db.acknowledge(result, retains: retains, now) }
            try db.askAgain(from: results)
            // A restored cloud continues after the sequences that it has lost. Its own would hide that this book has
            // seen one of them.
            let newest = isOlder ? 0 : results.map(\.seq).max() ?? 0
            try db.change(
                "UPDATE sync SET synced_at = ?, last_n = max(last_n, ?), seen = max(seen, ?)",
                [now, results.map(\.n).max() ?? 0, newest]
            )
        }
        if isPlain { try updateSyncState(body) } else { try applyRemoteRows(body) }
    }
}

extension BookDatabase {
    /// Requests the rows from before the first of these operations again, if the cursor has passed it. This
    /// happens if a copy of the book had sent the operation: a page then brought the rows while the operation
    /// still hid the values that others had written since.
    fileprivate func askAgain(from results: [OperationResult]) throws {
        let accepted = results.filter { $0.status != .rejected }.map(\.seq)
        guard let first = accepted.min() else { return }
        let sql = """
            UPDATE sync SET staged_up_to = min(ifnull(staged_up_to, ?), ?)
            WHERE cursor >= ? AND download_next IS NULL
            """
        try change(sql, [first - 1, first - 1, first])
    }

    /// Operations that have a number and no result.
    fileprivate func numbered(_ most: Int, _ bytes: Int) throws -> [Operation] {
        let sql = """
            SELECT n, op_id, tx, action, kind, id, fields, base FROM outbox INDEXED BY outbox_open
            WHERE status IS NULL AND n IS NOT NULL ORDER BY position LIMIT ?
            """
        var operations: [Operation] = []
        var left = bytes
        try forEachWhile(sql, [most]) { row in
            let json = row.optionalText(6) ?? "{}"
            left -= json.utf8.count + 200
            guard left > 0 || operations.isEmpty else { return false }
            let action: Operation.Action = try row.word(3)
            let kind = row.text(4)
            let fields = try Fields(stored: json)
            var base: Fields = [:]
            if schema.declaration[kind]?.isEnteredByHand == true {
                let seen = FieldValue.integer(row.int64(7))
                switch action {
                case .patch: for field in fields.all { base[field.name] = seen }
                case .delete: base[Operation.allFields] = seen
                case .create: break
                }
            }
            operations.append(
                Operation(
                    n: row.int64(0),
                    opID: row.text(1),
                    tx: row.int64(2),
                    action: action,
                    kind: kind,
                    id: try row.id(5),
                    fields: fields,
                    base: base
                )
            )
            return true
        }
        return operations
    }

    /// Numbers the next operations. The operations of one local transaction stay together if they fit.
    fileprivate func number(_ most: Int, _ bytes: Int) throws {
        struct Waiting {
            let position: Int64
            let tx: Int64
            let action: String
            let kind: String
            let id: String
            let size: Int
            let wasNumbered: Bool
        }
        let sql = """
            SELECT position, tx, action, kind, id, ifnull(length(CAST(fields AS BLOB)), 0), is_cut
            FROM outbox INDEXED BY outbox_open WHERE status IS NULL ORDER BY position LIMIT ?
            """
        var waiting = try all(sql, [most + 1]) {
            Waiting(
                position: $0.int64(0),
                tx: $0.int64(1),
                action: $0.text(2),
                kind: $0.text(3),
                id: $0.text(4),
                size: $0.int(5),
                wasNumbered: $0.int(6) == 1
            )
        }
        guard !waiting.isEmpty else { return try queueRows(most, bytes) }
        if waiting.count > most {
            let nextTx = waiting[most].tx
            let whole = waiting.prefix { $0.tx != nextTx }
            waiting = whole.isEmpty ? Array(waiting.prefix(most)) : Array(whole)
        }
        var n = Int64(try number("SELECT last_numbered FROM sync"))
        var left = bytes
        for operation in waiting {
            var size = operation.size
            if operation.action == "create", !operation.wasNumbered {
                let fields = try whole(operation.kind, operation.id)
                let json = JSONWriter.text(fields.map { $0.withoutNulls } ?? [:])
                size = json.utf8.count
                try change("UPDATE outbox SET fields = ? WHERE position = ?", [json, operation.position])
            }
            guard size + 200 <= bytes else {
                // Such an operation can never be sent, and must not block the operations after it.
                let sql = "UPDATE outbox SET status = 'rejected', code = ? WHERE position = ?"
                try change(sql, [OperationResult.Code.tooLarge.rawValue, operation.position])
                continue
            }
            left -= size + 200
            guard left > 0 else { break }
            n = try numberAfter(n)
            try change("UPDATE outbox SET n = ?, is_cut = 1 WHERE position = ?", [n, operation.position])
        }
        try change("UPDATE sync SET last_numbered = ?", [n])
    }

    /// The number after `n`.
    /// - Throws: `damaged` at the end of the range, which only a damaged book can reach.
    private func numberAfter(_ n: Int64) throws -> Int64 {
        guard n < .max else { throw StorageError.damaged("an outbox that ran out of numbers") }
        return n + 1
    }

    /// Queues and numbers the next rows of a book that was attached recently.
    private func queueRows(_ most: Int, _ bytes: Int) throws {
        let sql =
            "SELECT walk_rank, walk_after, last_numbered, tx, now, cursor FROM sync WHERE walk_rank IS NOT NULL"
        guard
            let walk = try first(
                sql,
                [],
                { ($0.int(0), $0.text(1), $0.int64(2), $0.int64(3), $0.int64(4), $0.int64(5)) }
            )
        else { return }
        let rows = try rows(at: walk.0, after: walk.1, most, bytes)
        guard let last = rows.last else {
            // The rows that are in no table come after the tables.
            let isLast = walk.0 == schema.tables.count
            try change(
                "UPDATE sync SET walk_rank = ?, walk_after = '', walk_left = iif(?, 0, walk_left)",
                [isLast ? nil : walk.0 + 1, isLast]
            )
            return try queueRows(most, bytes)
        }
        var n = walk.2
        for row in rows {
            n = try numberAfter(n)
            try change(
                """
                INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, base, n, is_cut)
                VALUES (lower(hex(randomblob(16))), ?, ?, 'create', ?, ?, ?, ?, ?, 1)
                """,
                [walk.3, walk.4, row.kind, row.id, row.json, walk.5, n]
            )
        }
        try change(
            "UPDATE sync SET last_numbered = ?, walk_after = ?, walk_left = max(0, walk_left - ?)",
            [n, walk.0 == schema.tables.count ? "\(last.kind) \(last.id)" : last.id, rows.count]
        )
    }

    /// The next rows of the walk over the whole book.
    private func rows(at rank: Int, after place: String, _ most: Int, _ bytes: Int) throws
        -> [(kind: String, id: String, json: String)]
    {
        var rows: [(kind: String, id: String, json: String)] = []
        var left = bytes
        func append(_ kind: String, _ id: String, _ json: String) -> Bool {
            left -= json.utf8.count + 200
            guard left > 0 || rows.isEmpty else { return false }
            rows.append((kind, id, json))
            return true
        }
        guard rank != schema.tables.count else {
            let end = place.lastIndex(of: " ") ?? place.endIndex
            let last = (kind: String(place[..<end]), id: String(place[end...].dropFirst()))
            for row in try foreignRows(after: last, atMost: most) {
                guard append(row.kind, row.id, row.fields) else { break }
            }
            return rows
        }
        guard schema.tables.indices.contains(rank) else {
            throw StorageError.damaged("a walk over a table that is none")
        }
        let table = schema.tables[rank]
        let live = table.hasTombstones ? "AND deleted_at IS NULL" : ""
        let query = "SELECT id, \(table.columns) FROM \(table.name) WHERE id > ? \(live) ORDER BY id LIMIT ?"
        let hasUnknown =
            try number("SELECT EXISTS (SELECT 1 FROM foreign_rows WHERE kind = ?)", [table.kind]) == 1
        try forEachWhile(query, [place, most]) { row in
            var fields = table.read(row, from: 1).withoutNulls
            if hasUnknown { fields = try whole(table.kind, row.text(0))?.withoutNulls ?? fields }
            return append(table.kind, row.text(0), JSONWriter.text(fields))
        }
        return rows
    }

    /// The fields of a row of a known kind, deleted or not; nil if there is none.
    func row(_ kind: String, _ id: String) throws -> Fields? {
        guard let table = schema.table(kind) else { return nil }
        return try first("SELECT \(table.columns) FROM \(table.name) WHERE id = ?", [id]) { table.read($0) }
    }

    fileprivate func acknowledge(_ result: OperationResult, retains: Bool, _ now: Int64) throws {
        let sql =
            "SELECT position, action, kind, id, fields, before FROM outbox WHERE n = ? AND status IS NULL"
        guard
            let operation = try first(
                sql,
                [result.n],
                {
                    (
                        $0.int64(0), action: $0.text(1), kind: $0.text(2), id: $0.text(3),
                        fields: $0.optionalText(4), before: $0.optionalText(5)
                    )
                }
            )
        else { return }
        let remove = "DELETE FROM outbox WHERE position = ?"
        switch (result.status, result.code) {
        case (.rejected, .unknownRow) where operation.action == Operation.Action.patch.rawValue:
            // The cloud never had the row or has lost it, so it gets the whole row.
            try change(remove, [operation.0])
            try requeue(operation.kind, operation.id)
        case (.rejected, _):
            try change(
                "UPDATE outbox SET status = 'rejected', seq = ?, code = ?, field = ? WHERE position = ?",
                [result.seq, result.code?.rawValue, result.field, operation.0]
            )
        case (.superseded, .dead):
            if let id = EntityID(operation.id) { try forgetDeviation(operation.kind, id) }
            try markForeignRowDeleted(operation.kind, operation.id)
            if let table = schema.table(operation.kind), table.hasTombstones {
                let markDeleted =
                    "UPDATE \(table.name) SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL"
                if try change(markDeleted, [now, operation.id]) > 0, let id = EntityID(operation.id) {
                    var row = RowChange(seq: 0, kind: operation.kind, id: id, isDeleted: true, fields: [:])
                    row.writers = RowChange.Writers(at: now, last: "")
                    var step: RemoteStep?
                    try note(row, table, before: nil, after: nil, now, &step)
                }
            }
            if operation.action == Operation.Action.patch.rawValue, let id = EntityID(operation.id) {
                // The user already knows of the deletion if it was made on this device.
                if let device = try deletingDevice(of: id, operation.kind) {
                    let mine = try Fields(stored: operation.fields ?? "{}")
                    let was = try Fields(stored: operation.before ?? "{}")
                    try note(lost: mine, was: was, operation.kind, id, by: device, isDeletion: true, now)
                }
            }
            try change(remove, [operation.0])
        case (.applied, _), (.superseded, _):
            if operation.action == Operation.Action.delete.rawValue {
                // Refused changes of a deleted row need no decision.
                try forgetRefused(operation.kind, operation.id, "true")
            } else if result.status == .applied {
                if operation.action == Operation.Action.create.rawValue {
                    try noteSentUnfit(operation.kind, operation.id)
                }
                try noteAccepted(
                    Fields(stored: operation.fields ?? "{}"),
                    isWhole: operation.action == Operation.Action.create.rawValue,
                    operation.kind,
                    operation.id
                )
            }
            // A patch or deletion stays in the outbox until the cursor has passed it, so that a cloud that is
            // restored to an earlier state gets it again. A creation need not stay, because such a cloud
            // lacks the whole row.
            if retains || operation.action != Operation.Action.create.rawValue {
                let sql = "UPDATE outbox SET status = ?, seq = ? WHERE position = ?"
                try change(sql, [result.status.rawValue, result.seq, operation.0])
            } else {
                try change(remove, [operation.0])
            }
        }
    }

    /// Queues a live row as a whole, unless it is queued already.
    func requeue(_ kind: String, _ id: String) throws {
        let isQueued = """
            SELECT EXISTS (SELECT 1 FROM outbox WHERE kind = ? AND id = ? AND action = 'create' AND status IS NULL)
            """
        guard try isLive(kind, id), try number(isQueued, [kind, id]) == 0 else { return }
        // One entry for the user suffices: if there is still no room for the row, it is refused again.
        try forgetRefused(kind, id, "action = 'create'")
        try queue(.create, kind, id)
    }

    private func forgetRefused(_ kind: String, _ id: String, _ condition: String) throws {
        let sql = "DELETE FROM outbox WHERE kind = ? AND id = ? AND status = 'rejected' AND \(condition)"
        try change(sql, [kind, id])
    }

    /// Queues the deletions of all rows that are deleted in this book, for a cloud that may have lost them.
    /// Otherwise another device that has not received a deletion would bring its row back.
    ///
    /// Such a deletion was sent before, or came from the cloud. Its `before` is not null, which distinguishes
    /// it from a deletion that can be reverted by removing it from the outbox.
    /// - Parameter seen: the sequence of the cloud that the deletions reflect.
    func queueDeletions(seen: Int64) throws {
        for table in schema.tables where table.hasTombstones {
            // Placeholders stand for rows that may still come. They were never deleted.
            try change(
                """
                INSERT INTO outbox (op_id, tx, at, action, kind, id, before, base)
                SELECT lower(hex(randomblob(16))), tx, now, 'delete', '\(table.kind)', deleted.id, '{}', ?
                FROM sync, \(table.name) deleted
                WHERE deleted.deleted_at > 0 AND NOT EXISTS (
                  SELECT 1 FROM outbox
                  WHERE outbox.kind = '\(table.kind)' AND outbox.id = deleted.id AND action = 'delete' AND status IS NULL
                )
                """,
                [seen]
            )
        }
        try queueForeignDeletions(seen: seen)
    }

    /// Queues an operation that was not captured from a change of a row.
    /// - Parameter at: the time of the change, in UTC seconds; nil for now.
    func queue(
        _ action: Operation.Action,
        _ kind: String,
        _ id: String,
        fields: Fields? = nil,
        before: Fields? = nil,
        at: Int64? = nil
    ) throws {
        try change(
            """
            INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
            SELECT lower(hex(randomblob(16))), tx, ifnull(?, now), ?, ?, ?, ?, ?, ifnull(download_head, cursor) FROM sync
            """,
            [
                at, action.rawValue, kind, id, fields.map { JSONWriter.text($0) },
                before.map { JSONWriter.text($0) },
            ]
        )
    }
}

extension Fields {
    /// Decodes the JSON of a column.
    init(stored json: String) throws {
        do {
            self = try JSONReader.read(Array(json.utf8)) { reader throws(MalformedJSON) in try reader.fields()
            }
        } catch { throw StorageError.damaged("the outbox holds what is no JSON") }
    }

    /// The fields without null values, as in a creation.
    var withoutNulls: Fields { Fields(all.filter { $0.value != .null }.map { ($0.name, $0.value) }) ?? [:] }
}
