// Guarded values that were overwritten or held back, until the user decides.
import Encoding
import GRDB
public import Ledger
import Storage
public import SyncCore

/// Two values of one field that two devices gave it without knowing of each other.
public struct Conflict: Hashable, Sendable, Identifiable {
    /// Its identity.
    public let id: EntityID
    /// The kind of row, as the wire names it.
    public let kind: String
    /// The row that has the field.
    public let entity: EntityID
    /// The field, as the wire names it.
    public let field: String
    /// The value that stands.
    public let kept: FieldValue
    /// The other one.
    public let lost: FieldValue
    /// The replica that wrote the value that stands, and what its device is called.
    public let keptBy: (replica: EntityID?, name: String)
    /// The same of the other one.
    public let lostBy: (replica: EntityID?, name: String)
    /// When they met, in UTC seconds.
    public let at: Int64
    /// Whether the other value was held back: the policy is to ask.
    public let isHeld: Bool

    /// By identity.
    public static func == (left: Conflict, right: Conflict) -> Bool { left.id == right.id }
    /// By identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The decision about a conflict.
public enum ConflictChoice: String, CaseIterable, Hashable, Sendable {
    /// Keep the value that stands.
    case kept
    /// The other one.
    case lost
}

extension Book {
    /// The conflicts that wait for a decision, newest first, without those of deleted rows.
    public func openConflicts(limit: Int = 200) throws(BookError) -> [Conflict] {
        try reading { db in try db.openConflicts(limit) }
    }

    /// The fields of a row as it is here, by the names of the wire; none where there is no such row.
    public func synced(_ kind: String, _ id: EntityID) throws(BookError) -> Fields {
        try reading { db in try db.row(kind, id.description) ?? [:] }
    }

    /// How many wait for a decision; kept in memory between two changes.
    public func openConflictCount() throws(BookError) -> Int {
        try current { $0.toReview }
    }

    /// Decides: the chosen value stands from now on, as a change like any other.
    /// - Throws: `unknownConflict` where there is none, or it was decided; and as `change(_:)` where the other value
    ///   does not fit into the book any more.
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
                        // Only a transfer goes somewhere.
                        fields["toAccount"] = .null
                        fields["toAmount"] = .null
                    }
                    fields = try db.inOneCurrency(fields, conflict.entity) ?? fields
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
        // Another device gave it, which may have been wrong about the time by any number.
        at = max(0, row.int64(10))
        isHeld = row.int(11) == 1
    }
}

extension FieldValue {
    /// Reads a value that is kept as JSON; what is none is nothing.
    fileprivate init(stored json: String) {
        do throws(MalformedJSON) {
            self = try JSONReader.read(Array(json.utf8)) { reader throws(MalformedJSON) in try reader.value()
            }
        } catch { self = .null }
    }

    /// As it is bound.
    var column: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .text(let text), .other(let text): text.databaseValue
        }
    }
}

extension Conflict {
    /// Whether the other goes along with this one: in one currency an amount is also what the account gains or loses,
    /// and nobody is asked about it twice.
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

    /// Whether a row is there and not deleted.
    func isLive(_ kind: String, _ id: EntityID) throws -> Bool {
        guard let table = schema.table(kind) else { return false }
        let sql = "SELECT NOT (\(table.isDeleted)) FROM \(table.name) WHERE id = ?"
        return try number(sql, [id.column]) == 1
    }
}
