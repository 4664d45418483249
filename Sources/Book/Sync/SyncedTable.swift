// The one declaration of what is kept in step with the cloud: capture, the rows of an attached book, what is sent and
// how a row that arrives is stored all come from it.
import GRDB
import Ledger
import Storage
import SyncCore

/// A field that is kept in step.
struct SyncedField: Sendable {
    enum Kind: Sendable { case integer, text }

    /// As the wire names it.
    let name: String
    let column: String
    let kind: Kind
    /// The value for a row that arrives without this field; nil where the column may be NULL.
    let fallback: FieldValue?

    static func text(_ name: String, _ column: String? = nil, or fallback: FieldValue? = nil) -> SyncedField {
        SyncedField(name: name, column: column ?? name, kind: .text, fallback: fallback)
    }

    static func integer(_ name: String, _ column: String? = nil, or fallback: FieldValue? = nil)
        -> SyncedField
    {
        SyncedField(name: name, column: column ?? name, kind: .integer, fallback: fallback)
    }
}

/// A table that is kept in step.
struct SyncedTable: Sendable {
    /// As the wire names its rows.
    let kind: String
    let name: String
    let fields: [SyncedField]
    /// Whether its rows can be deleted: preferences cannot.
    let hasTombstones: Bool
    /// The columns of `fields`, in their order.
    let columns: String
    /// The names of `fields`.
    let names: Set<String>
    /// Whether a row is deleted, as an expression.
    let isDeleted: String
    /// Reads a row: its fields, and whether it is deleted.
    let select: String
    /// Stores a row that is not there; one that is stays as it is.
    let insert: String
    /// Stores a row, whether it is there or not.
    let upsert: String

    init(kind: String, name: String, fields: [SyncedField], hasTombstones: Bool = true) {
        self.kind = kind
        self.name = name
        self.fields = fields
        self.hasTombstones = hasTombstones
        columns = fields.map(\.column).joined(separator: ", ")
        names = Set(fields.map(\.name))
        isDeleted = hasTombstones ? "deleted_at IS NOT NULL" : "0"
        let deletion = hasTombstones ? ", deleted_at" : ""
        let marks = Array(repeating: "?", count: fields.count + (hasTombstones ? 2 : 1)).joined(
            separator: ", "
        )
        var sets = fields.map { "\($0.column) = excluded.\($0.column)" }
        if hasTombstones { sets.append("deleted_at = excluded.deleted_at") }
        select = "SELECT \(columns), \(isDeleted) FROM \(name) WHERE id = ?"
        let values = "INSERT INTO \(name) (id, \(columns)\(deletion)) VALUES (\(marks))"
        insert = "\(values) ON CONFLICT (id) DO NOTHING"
        upsert = "\(values) ON CONFLICT (id) DO UPDATE SET \(sets.joined(separator: ", "))"
    }

    // The triggers of released migrations name these fields: one that is added here comes with a migration that makes them
    // anew.
    // swift-format-ignore
    static let all: [SyncedTable] = [
        SyncedTable(kind: "account", name: "accounts", fields: [
            .text("name", or: "?"), .text("type", or: "cash"), .text("currency", or: "XXX"), .integer("opening", "opening_minor", or: 0),
        ]),
        SyncedTable(kind: "category", name: "categories", fields: [
            .text("name", or: "?"), .text("kind", or: "expense"), .text("icon", or: ""), .text("color", or: ""), .text("parent"),
        ]),
        SyncedTable(kind: "budget", name: "budgets", fields: [
            .text("category"), .integer("limit", "limit_minor", or: 1), .text("currency", or: "XXX"),
            .integer("from", "from_month", or: 12), .integer("rollover", or: 0),
        ]),
        SyncedTable(kind: "preferences", name: "preferences", fields: [
            .text("baseCurrency", "base_currency"), .text("secondaryCurrencies", "secondary_currencies"),
            .text("weekStart", "week_start"), .text("conflictPolicy", "conflict_policy"), .text("theme"), .text("locale"),
            .text("timeZone", "time_zone"),
        ], hasTombstones: false),
        SyncedTable(kind: "conflict", name: "conflicts", fields: [
            .text("kind", or: ""), .text("entity", or: "00000000000000000000000000"), .text("field", or: ""),
            .text("kept", or: "null"), .text("lost", or: "null"), .text("keptBy", "kept_by", or: ""), .text("lostBy", "lost_by", or: ""),
            .text("keptName", "kept_name", or: ""), .text("lostName", "lost_name", or: ""),
            .integer("at", or: 0), .integer("held", "is_held", or: 0), .text("choice"),
        ]),
        SyncedTable(kind: "transaction", name: "transactions", fields: [
            .text("kind", or: "expense"), .integer("date", or: 0), .integer("amount", "amount_minor", or: 1), .text("currency", or: "XXX"),
            .text("account"), .integer("accountAmount", "account_minor", or: 1), .text("toAccount", "to_account"),
            .integer("toAmount", "to_minor"), .text("category"), .text("payee", or: ""), .text("note", or: ""), .text("tags", or: ""),
        ]),
    ]

    private static let byKind = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })

    static func of(_ kind: String) -> SyncedTable? { byKind[kind] }

    /// Its place among the kinds: rows are queued kind by kind, what others refer to first.
    var rank: Int { Self.all.firstIndex { $0.kind == kind } ?? 0 }

    /// The current row of a statement that selects `columns` from an index on.
    func read(_ row: Columns, from index: Int32 = 0) -> Fields {
        var values: [(name: String, value: FieldValue)] = []
        values.reserveCapacity(fields.count)
        for (offset, field) in fields.enumerated() {
            let column = index + Int32(offset)
            if row.isNull(column) {
                values.append((field.name, .null))
            } else {
                let value: FieldValue =
                    field.kind == .integer ? .integer(row.int64(column)) : .text(row.text(column))
                values.append((field.name, value))
            }
        }
        return Fields(values) ?? [:]
    }
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
