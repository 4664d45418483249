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

    // A released migration has made its triggers of this: a field that is added here comes with a migration that makes
    // them anew.
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

// MARK: - Triggers

extension SyncedTable {
    /// Whether an update gives any of the fields another value, as an expression.
    var isChanged: String {
        fields.map { "NEW.\($0.column) IS NOT OLD.\($0.column)" }.joined(separator: " OR ")
    }

    /// The fields that an update changes, as JSON.
    func changed(_ row: String) -> String {
        let values = fields.map { "'\($0.name)', \(row).\($0.column)" }.joined(separator: ", ")
        let same = fields.map {
            "iif(NEW.\($0.column) IS OLD.\($0.column), '$.\($0.name)', '$.\"\"')"
        }
        return "json_remove(json_object(\(values)), \(same.joined(separator: ", ")))"
    }
}

/// Triggers that put each change into the outbox, in the transaction that makes it.
///
/// A change is noted in the history by triggers of its table, and what is noted there goes into the outbox by one
/// trigger more. Each trigger is kept in memory by every connection, so that saying the fields twice would cost a good
/// part of a book's memory.
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

    /// The triggers, with the one of the table that has no history: of a conflict record only the choice is ever
    /// changed here.
    /// - Parameter base: the base of an operation on a row of a kind, as an expression over `sync`.
    static func triggers(base: (_ kind: String) -> String) -> [String] {
        [
            """
            CREATE TRIGGER history_capture AFTER INSERT ON history
              WHEN NEW.device IS NULL AND NEW.action IN ('create', 'patch', 'delete')
                AND (\(isCaptured(rank)) OR (NEW.action = 'delete' AND (SELECT is_capturing FROM sync)))
                AND NOT (NEW.action = 'patch' AND \(isToBeCreated("NEW.kind"))) BEGIN
              \(queued("NEW.action", "NEW.kind", "NEW.after", "NEW.before", base))
            END
            """,
            """
            CREATE TRIGGER conflicts_capture AFTER UPDATE OF choice ON conflicts
              WHEN NEW.choice IS NOT OLD.choice AND NEW.deleted_at IS NULL
                AND \(isCaptured("\(SyncedTable.of("conflict")?.rank ?? 0)"))
                AND NOT \(isToBeCreated("'conflict'")) BEGIN
              \(queued("'patch'", "'conflict'", "json_object('choice', NEW.choice)", "json_object('choice', OLD.choice)", base))
            END
            """,
        ]
    }

    private static var rank: String {
        let cases = SyncedTable.all.map { "WHEN '\($0.kind)' THEN \($0.rank)" }
        return "CASE NEW.kind \(cases.joined(separator: " ")) END"
    }

    /// Whether a change of a row is an operation of its own: not where the row is still to be queued as a whole.
    private static func isCaptured(_ rank: String) -> String {
        """
        EXISTS (SELECT 1 FROM sync WHERE is_capturing
            AND (walk_rank IS NULL OR walk_rank > \(rank) OR (walk_rank = \(rank) AND walk_after >= NEW.id)))
        """
    }

    /// Whether the row waits to be sent as it will be then.
    private static func isToBeCreated(_ kind: String) -> String {
        """
        EXISTS (SELECT 1 FROM outbox WHERE kind = \(kind) AND id = NEW.id AND action = 'create' AND is_cut = 0
                AND status IS NULL)
        """
    }

    private static func queued(
        _ action: String,
        _ kind: String,
        _ fields: String,
        _ before: String,
        _ base: (String) -> String
    ) -> String {
        """
        INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
            SELECT lower(hex(randomblob(16))), tx, now, \(action), \(kind), NEW.id, \(fields), \(before),
              \(base(kind))
            FROM sync;
        """
    }
}
