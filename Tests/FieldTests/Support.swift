// Shared by the tests of declared fields: a folder, ids, a later version's schema, and a cloud in memory.
import Foundation
import Ledger
import Storage
import SyncCore

@testable import Book

let noon: Int64 = 1_763_726_400

func id(_ number: UInt64) -> EntityID { EntityID(high: 1, low: number) }

/// A folder that is removed with its value.
final class Folder {
    private let path = FileManager.default.temporaryDirectory.path + "/field-tests-\(UUID())"

    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }
}

extension SyncedEntity {
    /// The same kind of row with more fields.
    fileprivate func adding(_ more: [SyncedField]) -> SyncedEntity {
        SyncedEntity(
            kind,
            table: table,
            title: title,
            hasTombstones: hasTombstones,
            isRecorded: isRecorded,
            isEnteredByHand: isEnteredByHand,
            isCountedFirst: isCountedFirst,
            fields: fields + more
        )
    }

    /// A purpose that money is put aside for.
    static let goal = SyncedEntity(
        "goal",
        table: "goals",
        title: .fields(["name"]),
        fields: [
            SyncedField("name", or: "?"),
            SyncedField(
                "target",
                .money(in: .field("currency")),
                column: "target_minor",
                or: 1,
                isGuarded: true,
                isMain: true
            ),
            SyncedField("currency", or: "XXX"),
            SyncedField("account", .reference(to: "account")),
            SyncedField("due", .day),
            SyncedField("urgency", .choice),
            SyncedField("reached", .flag, or: 0),
        ]
    )
}

extension SyncedSchema {
    /// A version that is to come: accounts have nicknames, transactions a place, and there are goals.
    static let later = SyncedSchema([
        .account.adding([SyncedField("nickname")]), .category, .budget, .preferences,
        .conflict,
        .transaction.adding([SyncedField("place")]), .goal,
    ])
}

extension BookSchema {
    /// That version's book: its one new migration is the text that is printed for the declaration.
    static func later(_ folder: Folder) throws -> BookSchema {
        let bare = BookSchema(.later, migrations: Migration.book)
        let book = try Book.open(at: folder("bare-\(UUID()).sqlite"), clock: { noon }, schema: bare)
        defer { book.close() }
        let number = (Migration.book.map(\.number).max() ?? 0) + 1
        let text = try CaptureSQL.missing(in: book)
        let migration = Migration(number: number, name: "later", since: "9.9.9", sql: text)
        return BookSchema(.later, migrations: Migration.book + [migration])
    }
}

/// A cloud for some devices, in memory: the real merge over rows that it knows nothing of.
final class SmallCloud {
    private var rows: [String: (kind: String, id: EntityID, row: MergedRow)] = [:]
    private var head: Int64 = 0
    /// The guarded values that met.
    private(set) var overwritings: [Overwriting] = []

    /// Attaches a device's book, which has nothing yet.
    func attach(_ book: Book, as replica: EntityID) throws {
        try book.attach(as: replica, .download)
        try book.adopt(Head(epoch: 1, seq: head))
        try book.apply(snapshot: page())
        try book.apply(changes: page(since: head))
    }

    /// Sends what a device has, and gives it what others have sent.
    func sync(_ book: Book, writer: Int64) throws {
        while case let operations = try book.nextBatch(operations: 100, bytes: 1 << 20), !operations.isEmpty {
            try book.acknowledge(operations.map { accept($0, writer) })
        }
        try book.apply(changes: page(since: try book.replicaState().cursor))
    }

    private func accept(_ operation: SyncCore.Operation, _ writer: Int64) -> OperationResult {
        head += 1
        let key = "\(operation.kind) \(operation.id)"
        let outcome = Merge.apply(
            operation,
            to: rows[key]?.row,
            isDead: false,
            seq: head,
            writer: writer,
            holds: false,
            schema: .later
        )
        overwritings += outcome.overwritings
        if let row = outcome.row { rows[key] = (operation.kind, operation.id, row) }
        return OperationResult(n: operation.n, seq: head, status: outcome.status, code: outcome.code)
    }

    /// Rows that have changed since a cursor; all of them for a download.
    private func page(since cursor: Int64? = nil) -> ChangesPage {
        let changed = rows.values.filter { $0.row.seq > cursor ?? 0 }.sorted { $0.row.seq < $1.row.seq }
        var hash = RowsHash()
        for entry in rows.values where !entry.row.isDeleted {
            hash.replace(0, by: RowsHash.of(entry.kind, entry.id, entry.row.fields))
        }
        return ChangesPage(
            epoch: 1,
            head: head,
            cursor: head,
            hasMore: false,
            remaining: 0,
            lastN: 0,
            rows: changed.map { kind, id, row in
                var change = RowChange(
                    seq: row.seq,
                    kind: kind,
                    id: id,
                    isDeleted: row.isDeleted,
                    fields: row.fields
                )
                if cursor != nil { change.writers = RowChange.Writers(at: noon, last: "Phone") }
                return change
            },
            hash: hash
        )
    }

    /// Whether a device that is in step holds what the cloud holds.
    func agrees(with book: Book, as replica: EntityID) throws -> Bool {
        let query = ChangesQuery(replica: replica, epoch: 1, range: .since(head), limit: 100, lastN: 0)
        guard try book.replicaState().pending == 0 else { return false }
        guard try book.compare(page(since: head), to: query) == nil else { return false }
        let hash = try book.reading { db in try db.first("SELECT hash FROM agreement") { $0.int64(0) } }
        return hash == page().hash?.column
    }
}
