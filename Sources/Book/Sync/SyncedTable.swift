// The table of a declared kind of row: the statements that read and store its rows.
import GRDB
import Ledger
import Storage
import SyncCore

/// A synchronised table, derived from its declaration.
final class SyncedTable: Sendable {
    let entity: SyncedEntity
    /// The index among the tables. Rows are queued table by table.
    let rank: Int
    /// The columns of the fields, in order.
    let columns: String
    /// An SQL expression for whether a row is deleted.
    let isDeleted: String
    /// A query for the number of live rows.
    let liveCount: String
    /// A query for the fields of a row and whether it is deleted.
    let select: String
    /// Inserts a row. An existing one stays as it is.
    let insert: String
    /// Inserts a row or replaces an existing one.
    let upsert: String
    /// The fields in the order of their names, as in `Fields`, each with the index of its column.
    private let byName: [(name: String, column: Int32, isInteger: Bool)]

    var kind: String { entity.kind }
    var name: String { entity.table }
    var fields: [SyncedField] { entity.fields }
    var names: Set<String> { entity.names }
    var hasTombstones: Bool { entity.hasTombstones }
    var isRecorded: Bool { entity.isRecorded }

    init(_ entity: SyncedEntity, rank: Int) {
        self.entity = entity
        self.rank = rank
        let (name, fields, hasTombstones) = (entity.table, entity.fields, entity.hasTombstones)
        columns = entity.columns
        isDeleted = hasTombstones ? "deleted_at IS NOT NULL" : "0"
        // There may be many transactions, so their number is read from the sums.
        liveCount =
            entity.kind == Transaction.entityKind
            ? "SELECT ifnull(sum(count), 0) FROM month_sums WHERE month = 0"
            : "SELECT count(*) FROM \(name) WHERE NOT (\(isDeleted))"
        let deletion = hasTombstones ? ", deleted_at" : ""
        var sets = fields.map { "\($0.column) = excluded.\($0.column)" }
        if hasTombstones { sets.append("deleted_at = excluded.deleted_at") }
        select = "SELECT \(columns), \(isDeleted) FROM \(name) WHERE id = ?"
        let marks = entity.marks + (hasTombstones ? ", ?" : "")
        let values = "INSERT INTO \(name) (id, \(columns)\(deletion)) VALUES (\(marks))"
        insert = "\(values) ON CONFLICT (id) DO NOTHING"
        upsert = "\(values) ON CONFLICT (id) DO UPDATE SET \(sets.joined(separator: ", "))"
        byName = fields.enumerated().map { ($0.element.name, Int32($0.offset), $0.element.form.isInteger) }
            .sorted { $0.0 < $1.0 }
    }

    /// Decodes the current row of a statement that selects `columns` from an index on.
    func read(_ row: Columns, from index: Int32 = 0) -> Fields {
        var values: [(name: String, value: FieldValue)] = []
        values.reserveCapacity(byName.count)
        for field in byName {
            let column = index + field.column
            if row.isNull(column) {
                values.append((field.name, .null))
            } else {
                values.append(
                    (field.name, field.isInteger ? .integer(row.int64(column)) : .text(row.text(column)))
                )
            }
        }
        return Fields(values) ?? [:]
    }
}

extension SyncedEntity {
    /// The columns of the fields, in order.
    var columns: String { fields.map(\.column).joined(separator: ", ") }
    /// A question mark for the id and for each field.
    var marks: String { Array(repeating: "?", count: fields.count + 1).joined(separator: ", ") }
}

/// SQL expressions that the capture of changes and the editing of rows share.
enum Capture {
    /// The cloud's sequence that a row reflects, as an expression over `sync`: the sequence of the book, or
    /// the sequence of an unfinished download for a row that it has brought. While rows of a restored cloud
    /// are loaded, its state is not known, and the sequence is 0: an unnecessary conflict is better than a
    /// value that is lost unnoticed.
    static func reflected(kind: String, id: String) -> String {
        """
        iif(download_reason IS 'cursorAhead', 0,
          max(cursor, ifnull((SELECT seq FROM ahead WHERE kind = \(kind) AND id = \(id)), 0)))
        """
    }
}
