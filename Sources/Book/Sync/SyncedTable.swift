// The table of a declared kind of row: the statements that read and store its rows.
import GRDB
import Ledger
import Storage
import SyncCore

/// A table that is kept in step, made of its declaration.
final class SyncedTable: Sendable {
    let entity: SyncedEntity
    /// Its place among the tables: rows are queued table by table.
    let rank: Int
    /// The columns of the fields, in their order.
    let columns: String
    /// Whether a row is deleted, as an expression.
    let isDeleted: String
    /// The number of live rows, as a query.
    let liveCount: String
    /// Reads a row: its fields, and whether it is deleted.
    let select: String
    /// Stores a row that is not there; one that is stays as it is.
    let insert: String
    /// Stores a row, whether it is there or not.
    let upsert: String
    /// The fields in the order of their names, in which `Fields` keeps them, each with its place among the columns.
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
        // There may be many transactions: their number is read from the sums.
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

    /// The current row of a statement that selects `columns` from an index on.
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
    /// The columns of the fields, in their order.
    var columns: String { fields.map(\.column).joined(separator: ", ") }
    /// A question mark for the id and for each field.
    var marks: String { Array(repeating: "?", count: fields.count + 1).joined(separator: ", ") }
}

/// Expressions that the capture of changes and the editing of rows share.
enum Capture {
    /// The sequence of the cloud that a row reflects, as an expression over `sync`: that of the book, or where the row
    /// has come with a download that is not at its end, that of the download. What a restored cloud has in the place of
    /// what the book reflects is not known until it is there: rather a question too many than a value lost from sight.
    static func reflected(kind: String, id: String) -> String {
        """
        iif(download_aside IS 'cursorAhead', 0,
          max(cursor, ifnull((SELECT seq FROM ahead WHERE kind = \(kind) AND id = \(id)), 0)))
        """
    }
}
