// One device of the simulation: a real book, a real engine, and what must be true of them at any moment.
import CloudProtocol
import Ledger
import Storage
import SyncCore
import SyncEngine
import TestKit

@testable import Book

final class SimulatedDevice {
    enum Life: String {
        case running, draining, detached, stopped, gone
    }

    let number: Int
    let account: Int
    var token: SessionToken
    var path: String
    let store: SimulatedStore
    /// The runner of sync; nil without one, and between a death and the next start.
    var runner: SimulatedRunner?
    /// That one, and earlier ones that have not heard yet that they are to end.
    var runners: [SimulatedRunner] = []
    var life = Life.running
    var isOnline = true
    /// Whether its disk takes nothing more.
    var isFull = false
    /// Whether its book cannot be opened at the moment.
    var isClosed = false
    /// Whether the cloud was put back during a download: its pages are of two states of the cloud, and the comparison
    /// at its end gives the cloud what it has lost.
    var mixesClouds = false
    /// The cloud's answers about files that are not here. Its process forgets it.
    var filesElsewhere = FilesElsewhere()
    /// Goes up each time that the book's file is replaced by another one.
    var file = 0
    /// Sequences of this book's own operations that were accepted.
    var own: [Int64] = []
    var lastCursor: Int64 = 0
    var epoch: Int64?
    /// The fields that its user has changed, each with its row.
    var meant: Set<String> = []
    /// Rows that were seen to be deleted.
    var dead: Set<Key> = []
    /// The numbers of what was sent and has no result yet, and of which replica.
    var sent: (name: String, numbers: Set<Int64>) = ("", [])
    /// A page that a user has open, as it was shown.
    var form: (shown: Transaction, version: EntityVersion)?

    init(
        number: Int,
        account: Int,
        token: SessionToken,
        path: String,
        store: SimulatedStore
    ) {
        self.number = number
        self.account = account
        self.token = token
        self.path = path
        self.store = store
    }

    var book: Book { store.book }

    /// All rows, and whether each is live.
    func rows() throws -> [Key: (fields: [String: FieldValue], isLive: Bool)] {
        try book.reading { db in
            var rows: [Key: (fields: [String: FieldValue], isLive: Bool)] = [:]
            for table in BookSchema.breadly.tables {
                let count = Int32(table.fields.count)
                try db.forEach("SELECT id, \(table.columns), \(table.isDeleted) FROM \(table.name)") { row in
                    var fields: [String: FieldValue] = [:]
                    for field in table.read(row, from: 1).all { fields[field.name] = field.value }
                    rows[Key(kind: table.kind, id: try row.id(0))] = (fields, row.int(count + 1) == 0)
                }
            }
            return rows
        }
    }

    /// The fields of a row that only a newer version has a place for.
    func unknown(_ key: Key) throws -> Fields {
        guard let table = BookSchema.breadly.table(key.kind) else { return [:] }
        return try book.reading { db in try db.unknownFields(table, key.id.description) }
    }

    /// Rows that were deleted, and not those that only stand for what has not arrived.
    func tombstones() throws -> [Key] {
        try book.reading { db in
            try BookSchema.breadly.tables.filter(\.hasTombstones).flatMap { table in
                try db.all("SELECT id FROM \(table.name) WHERE deleted_at > 0", []) {
                    Key(kind: table.kind, id: try $0.id(0))
                }
            }
        }
    }

    struct Open {
        let key: Key
        let action: SyncCore.Operation.Action
        let fields: Fields
        let isRefused: Bool
        /// Whether it has its result: it is kept until the cursor has passed it.
        let hasResult: Bool
    }

    /// The operations that are in the outbox, in their order.
    func outbox() throws -> [Open] {
        try book.reading { db in
            try db.all("SELECT kind, id, action, fields, status FROM outbox ORDER BY position") { row in
                Open(
                    key: Key(kind: row.text(0), id: try row.id(1)),
                    action: try row.word(2),
                    fields: try row.optionalText(3).map { try Fields(stored: $0) } ?? [:],
                    isRefused: row.optionalText(4) == "rejected",
                    hasResult: row.optionalText(4) != nil
                )
            }
        }
    }
}
