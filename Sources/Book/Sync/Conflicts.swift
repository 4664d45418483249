// Guarded values that were overwritten or held back, until the user decides.
import Encoding
import GRDB
public import Ledger
import Storage
public import SyncCore

/// Two values that two devices gave to one field without having seen each other's value.
public struct Conflict: Hashable, Sendable, Identifiable {
    /// The id of the conflict record.
    public let id: EntityID
    /// The name of the kind in the sync protocol.
    public let kind: String
    /// The row that has the field.
    public let entity: EntityID
    /// The field name of the sync protocol.
    public let field: String
    /// The value that has the higher sequence number, and that all devices show.
    public let kept: FieldValue
    /// The value that was overwritten or held back.
    public let lost: FieldValue
    /// The replica that wrote the kept value, and the name of its device.
    public let keptBy: (replica: EntityID?, name: String)
    /// The replica that wrote the lost value, and the name of its device.
    public let lostBy: (replica: EntityID?, name: String)
    /// The time of the conflict, in UTC seconds.
    public let at: Int64
    /// Whether the lost value was held back because the policy is to ask.
    public let isHeld: Bool

    /// Compares the ids only.
    public static func == (left: Conflict, right: Conflict) -> Bool { left.id == right.id }
    /// Hashes the id only.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The decision about a conflict.
public enum ConflictChoice: String, CaseIterable, Hashable, Sendable {
    /// The kept value.
    case kept
    /// The lost value.
    case lost
}

extension Book {
    /// The undecided conflicts of live rows, newest first.
    public func openConflicts(limit: Int = 200) throws(BookError) -> [Conflict] {
        try reading { db in try db.openConflicts(limit) }
    }

    /// The fields of a row of this book, by the field names of the sync protocol; empty if there is no such
    /// row.
    public func synced(_ kind: String, _ id: EntityID) throws(BookError) -> Fields {
        try reading { db in try db.row(kind, id.description) ?? [:] }
    }

    /// The number of undecided conflicts of live rows; cached between two changes.
    public func openConflictCount() throws(BookError) -> Int {
        try current { $0.toReview }
    }

    /// Decides a conflict. If the lost value is chosen, it is written as a change like any other.
    /// - Throws: `unknownConflict` if there is no such conflict or it is decided already; as `change(_:)` if
    ///   the lost value no longer fits the book.
    public func resolve(_ id: EntityID, _ choice: ConflictChoice) throws(BookError) {
        try changeAsUser { db in
            let sql =
                "SELECT \(Conflict.columns) FROM conflicts WHERE id = ? AND choice IS NULL AND deleted_at IS NULL"
            guard let conflict = try db.first(sql, [id.column], { try Conflict($0) }) else {
                throw BookError.unknownConflict(id)
            }
            let companions = try db.undecided().filter { conflict.brings($0, db.schema.declaration) }
            if choice == .lost, try db.isLive(conflict.kind, conflict.entity) {
                var fields: Fields = [conflict.field: conflict.lost]
                for companion in companions { fields[companion.field] = companion.lost }
                if conflict.kind == Transaction.entityKind {
                    if conflict.field == "kind",
                        conflict.lost != .text(Ledger.TransactionKind.transfer.rawValue)
                    {
                        // Only a transfer has a second account.
                        fields["toAccount"] = .null
                        fields["toAmount"] = .null
                    }
                    fields = try db.inOneCurrency(fields, conflict.entity) ?? fields
                    // A transaction has a category or parts, and a transfer has none.
                    if fields.text("split") != nil, fields["category"] == nil { fields["category"] = .null }
                    let unsplit =
                        fields.text("category") != nil
                        || fields.text("kind") == Ledger.TransactionKind.transfer.rawValue
                    if unsplit, fields["split"] == nil { fields["split"] = .null }
                }
                try db.patch(fields, conflict.kind, conflict.entity)
            }
            for decided in [conflict] + companions {
                try db.change(
                    "UPDATE conflicts SET choice = ? WHERE id = ?",
                    [choice.rawValue, decided.id.column]
                )
            }
        }
    }
}

extension Conflict {
    fileprivate static let columns = """
        id, kind, entity, field, kept, lost, kept_by, kept_name, lost_by, lost_name, at, is_held
        """

    fileprivate init(_ row: Columns) throws {
        id = try row.id(0)
        kind = row.text(1)
        entity = try row.id(2)
        field = row.text(3)
        kept = FieldValue(stored: row.text(4))
        lost = FieldValue(stored: row.text(5))
        keptBy = (row.optionalID(6), row.text(7))
        lostBy = (row.optionalID(8), row.text(9))
        // Another device recorded the time, and its clock may be wrong by any amount.
        at = max(0, row.int64(10))
        isHeld = row.int(11) == 1
    }
}

extension FieldValue {
    /// Decodes a value that is stored as JSON. Malformed JSON becomes null.
    fileprivate init(stored json: String) {
        do throws(MalformedJSON) {
            self = try JSONReader.read(Array(json.utf8)) { reader throws(MalformedJSON) in try reader.value()
            }
        } catch { self = .null }
    }

    /// The value for binding to a column.
    var column: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .text(let text), .other(let text): text.databaseValue
        }
    }
}

extension Conflict {
    /// Whether the other conflict is decided together with this one: in one currency an amount equals the
    /// amount on the account, so the user decides about both at once.
    fileprivate func brings(_ other: Conflict, _ declaration: SyncedSchema) -> Bool {
        declaration[kind]?.field(other.field)?.follows == field
            && (other.kind, other.entity, other.at) == (kind, entity, at)
            && (other.kept, other.lost, other.isHeld) == (kept, lost, isHeld)
            && (other.keptBy.replica, other.lostBy.replica) == (keptBy.replica, lostBy.replica)
    }
}

extension BookDatabase {
    func openConflicts(_ limit: Int) throws -> [Conflict] {
        let all = try undecided().filter { try isLive($0.kind, $0.entity) }
        let ofRow = Dictionary(grouping: all, by: \.entity)
        let asked = all.filter { conflict in
            !(ofRow[conflict.entity] ?? []).contains { $0.brings(conflict, schema.declaration) }
        }
        return Array(asked.prefix(limit))
    }

    fileprivate func undecided() throws -> [Conflict] {
        let sql = """
            SELECT \(Conflict.columns) FROM conflicts WHERE choice IS NULL AND deleted_at IS NULL
            ORDER BY at DESC, id DESC LIMIT 1000
            """
        return try self.all(sql) { try Conflict($0) }
    }

    /// Whether a row exists and is not deleted.
    func isLive(_ kind: String, _ id: EntityID) throws -> Bool {
        guard let table = schema.table(kind) else { return false }
        let sql = "SELECT NOT (\(table.isDeleted)) FROM \(table.name) WHERE id = ?"
        return try number(sql, [id.column]) == 1
    }
}
