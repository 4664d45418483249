// The text of the migration that a declared field or kind needs: its column or table, and the triggers anew. An engineer
// pastes it; a test prints it where it is missing.
//
// Released migrations are frozen text, so that nothing in the program makes triggers of the declaration. These are the
// triggers that a book of the newest schema must have.
import Storage
import SyncCore

@testable import Book

struct Trigger {
    let name: String
    let sql: String
}

enum CaptureSQL {
    /// The text of a migration that adds the parts of its declaration which a book lacks; empty where it lacks none.
    static func missing(in book: Book) throws -> String {
        let schema = book.schema
        let (found, columns) = try book.reading { db in
            (
                Dictionary(
                    uniqueKeysWithValues: try db.all(
                        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
                    ) { ($0.text(0), $0.text(1)) }
                ),
                try schema.tables.map { table in
                    Set(try db.all("SELECT name FROM pragma_table_info('\(table.name)')") { $0.text(0) })
                }
            )
        }
        var statements: [String] = []
        for (table, columns) in zip(schema.tables, columns) {
            guard !columns.isEmpty else {
                statements.append(table.creation)
                // A book that is being queued table by table stays where it is.
                statements.append(
                    "UPDATE sync SET walk_rank = walk_rank + 1, walk_after = '' WHERE walk_rank >= \(table.rank)"
                )
                continue
            }
            for field in table.fields where !columns.contains(field.column) {
                // It may be NULL, and has no default: rows that are here already have no value of it on the cloud.
                let type = field.form.isInteger ? "INTEGER" : "TEXT"
                statements.append("ALTER TABLE \(table.name) ADD COLUMN \(field.column) \(type)")
            }
        }
        for trigger in triggers(of: schema) where found[trigger.name] != trigger.sql {
            if found[trigger.name] != nil { statements.append("DROP TRIGGER \(trigger.name)") }
            statements.append(trigger.sql)
        }
        return statements.map { $0 + ";" }.joined(separator: "\n")
    }

    /// All triggers that capture changes and note which rows have to be hashed anew.
    static func triggers(of schema: BookSchema) -> [Trigger] {
        schema.tables.filter(\.isRecorded).flatMap(\.recordingTriggers)
            + schema.tables.flatMap(\.hashTriggers)
            + outboxTriggers(of: schema)
    }

    /// Triggers that put each change into the outbox, in the transaction that makes it.
    ///
    /// A change is noted in the history by triggers of its table, and what is noted there goes into the outbox by one
    /// trigger more. Each trigger is kept in memory by every connection, so that saying the fields twice would cost a
    /// good part of a book's memory. Of a conflict record, which has no history, only the choice is ever changed here.
    private static func outboxTriggers(of schema: BookSchema) -> [Trigger] {
        [
            Trigger(
                name: "history_capture",
                sql: """
                    CREATE TRIGGER history_capture AFTER INSERT ON history
                      WHEN NEW.device IS NULL AND NEW.action IN ('create', 'patch', 'delete')
                        AND (
                          \(isCaptured(rank(in: schema), at: 6))
                          OR (NEW.action = 'delete' AND (SELECT is_capturing FROM sync))
                        )
                        AND NOT (NEW.action = 'patch' AND \(isToBeCreated("NEW.kind"))) BEGIN
                      \(queued("NEW.action", "NEW.kind", "NEW.after", "NEW.before"))
                    END
                    """
            ),
            Trigger(
                name: "conflicts_capture",
                sql: """
                    CREATE TRIGGER conflicts_capture AFTER UPDATE OF choice ON conflicts
                      WHEN NEW.choice IS NOT OLD.choice AND NEW.deleted_at IS NULL
                        AND \(isCaptured("\(schema.table("conflict")?.rank ?? 0)", at: 4))
                        AND NOT \(isToBeCreated("'conflict'")) BEGIN
                      \(queued("'patch'", "'conflict'", "json_object('choice', NEW.choice)", "json_object('choice', OLD.choice)"))
                    END
                    """
            ),
        ]
    }

    private static func rank(in schema: BookSchema) -> String {
        let cases = schema.tables.map { "WHEN '\($0.kind)' THEN \($0.rank)" }
        return """
            CASE NEW.kind
                        \(SetLines.of(cases, at: 12))
                      END
            """
    }

    /// Whether a change of a row is an operation of its own: not where the row is still to be queued as a whole.
    /// - Parameter indentation: of the condition, in spaces.
    private static func isCaptured(_ rank: String, at indentation: Int) -> String {
        let margin = String(repeating: " ", count: indentation)
        return """
            EXISTS (
            \(margin)  SELECT 1 FROM sync
            \(margin)  WHERE is_capturing AND (
            \(margin)    walk_rank IS NULL
            \(margin)    OR walk_rank > \(rank)
            \(margin)    OR (walk_rank = \(rank) AND walk_after >= NEW.id)
            \(margin)  )
            \(margin))
            """
    }

    /// Whether the row waits to be sent as it will be then.
    private static func isToBeCreated(_ kind: String) -> String {
        """
        EXISTS (
              SELECT 1 FROM outbox
              WHERE kind = \(kind) AND id = NEW.id AND action = 'create' AND is_cut = 0 AND status IS NULL
            )
        """
    }

    private static func queued(_ action: String, _ kind: String, _ fields: String, _ before: String) -> String
    {
        """
        INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
            SELECT lower(hex(randomblob(16))), tx, now, \(action), \(kind), NEW.id,
              \(fields), \(before),
              ifnull(edit_base, \(Capture.reflected(kind: kind, id: "NEW.id").replacing("\n  ", with: "\n        ")))
            FROM sync;
        """
    }
}

extension SyncedTable {
    /// A table for the declared fields, to which checks and references are to be added.
    fileprivate var creation: String {
        let columns = fields.map { field in
            let type = field.form.isInteger ? "INTEGER" : "TEXT"
            return "  \(field.column) \(type)\(field.fallback == nil ? "" : " NOT NULL"),\n"
        }
        return """
            CREATE TABLE \(name) (
              id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 26),
            \(columns.joined())  deleted_at INTEGER
            ) STRICT, WITHOUT ROWID
            """
    }

    /// The triggers that note each change of the table, in the transaction that makes it.
    fileprivate var recordingTriggers: [Trigger] {
        let isRecording = "(SELECT is_recording FROM sync)"
        var triggers = [
            trigger(
                "record_insert",
                """
                AFTER INSERT ON \(name)
                  WHEN \(hasTombstones ? "NEW.deleted_at IS NULL AND " : "")\(isRecording) BEGIN
                  \(noted("create"))
                END
                """
            ),
            trigger(
                "record_update",
                """
                AFTER UPDATE OF
                    \(SetLines.of(fields.map(\.column), separator: ",", at: 4))
                  ON \(name)
                  WHEN \(hasTombstones ? "OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND " : "")(
                      \(isChanged)
                    )
                    AND \(isRecording) BEGIN
                  \(notedPatch)
                END
                """
            ),
        ]
        guard hasTombstones else { return triggers }
        triggers += [
            trigger(
                "record_delete",
                """
                AFTER UPDATE OF deleted_at ON \(name)
                  WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND \(isRecording) BEGIN
                  \(noted("delete"))
                END
                """
            ),
            trigger(
                "record_restore",
                """
                AFTER UPDATE OF deleted_at ON \(name)
                  WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND \(isRecording) BEGIN
                  \(noted("create"))
                END
                """
            ),
        ]
        return triggers
    }

    /// The triggers that note which rows of the table have to be hashed anew.
    fileprivate var hashTriggers: [Trigger] {
        [("insert", "NEW"), ("update", "NEW"), ("delete", "OLD")].map { event, row in
            trigger(
                "due_\(event)",
                """
                AFTER \(event.uppercased()) ON \(name) BEGIN
                  INSERT INTO due_hashes (kind, id) VALUES ('\(kind)', \(row).id) ON CONFLICT DO NOTHING;
                END
                """
            )
        }
    }

    private func trigger(_ suffix: String, _ text: String) -> Trigger {
        Trigger(name: "\(name)_\(suffix)", sql: "CREATE TRIGGER \(name)_\(suffix) \(text)")
    }

    private func noted(_ action: String) -> String {
        """
        INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, '\(action)', '\(kind)', NEW.id, NULL, NULL FROM sync;
        """
    }

    private var notedPatch: String {
        """
        INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', '\(kind)', NEW.id,
              \(changed("OLD")),
              \(changed("NEW"))
            FROM sync;
        """
    }

    /// Whether an update gives any of the fields another value, as an expression.
    private var isChanged: String {
        let conditions = fields.enumerated().map { index, field in
            (index == 0 ? "" : "OR ") + "NEW.\(field.column) IS NOT OLD.\(field.column)"
        }
        return SetLines.of(conditions, at: 6)
    }

    /// The fields that an update changes, as JSON.
    private func changed(_ row: String) -> String {
        let values = fields.map { "'\($0.name)', \(row).\($0.column)" }
        let same = fields.map {
            "iif(NEW.\($0.column) IS OLD.\($0.column), '$.\($0.name)', '$.\"\"')"
        }
        return """
            json_remove(
                    json_object(
                      \(SetLines.of(values, separator: ",", at: 10))
                    ),
                    \(SetLines.of(same, separator: ",", at: 8))
                  )
            """
    }
}

/// A list that is set in lines of limited length.
private enum SetLines {
    /// The greatest length of a line with its indentation.
    private static let width = 112

    /// - Parameters:
    ///   - separator: stands after each item but the last.
    ///   - indentation: of the lines after the first, in spaces.
    static func of(_ items: [String], separator: String = "", at indentation: Int) -> String {
        var lines: [String] = []
        for (index, item) in items.enumerated() {
            let item = index == items.count - 1 ? item : item + separator
            if let line = lines.last, indentation + line.count + 1 + item.count <= width {
                lines[lines.count - 1] = "\(line) \(item)"
            } else {
                lines.append(item)
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indentation))
    }
}
