// The triggers that a book of the newest schema must have, made of the fields that are kept in step: a field that is added
// without a migration which makes them anew is found out.
@testable import Book

extension SyncedTable {
    /// The triggers that note each change of the table, in the transaction that makes it.
    var recordingTriggers: [String] {
        let isRecording = "(SELECT is_recording FROM sync)"
        var triggers = [
            """
            CREATE TRIGGER \(name)_record_insert AFTER INSERT ON \(name)
              WHEN \(hasTombstones ? "NEW.deleted_at IS NULL AND " : "")\(isRecording) BEGIN
              \(noted("create"))
            END
            """,
            """
            CREATE TRIGGER \(name)_record_update AFTER UPDATE OF \(columns) ON \(name)
              WHEN \(hasTombstones ? "OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND " : "")(\(isChanged))
                AND \(isRecording) BEGIN
              \(noted("patch", changed("OLD"), changed("NEW")))
            END
            """,
        ]
        guard hasTombstones else { return triggers }
        triggers += [
            """
            CREATE TRIGGER \(name)_record_delete AFTER UPDATE OF deleted_at ON \(name)
              WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND \(isRecording) BEGIN
              \(noted("delete"))
            END
            """,
            """
            CREATE TRIGGER \(name)_record_restore AFTER UPDATE OF deleted_at ON \(name)
              WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND \(isRecording) BEGIN
              \(noted("create"))
            END
            """,
        ]
        return triggers
    }

    private func noted(_ action: String, _ before: String = "NULL", _ after: String = "NULL") -> String {
        """
        INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, '\(action)', '\(kind)', NEW.id, \(before), \(after) FROM sync;
        """
    }

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
enum ExpectedTriggers {
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
