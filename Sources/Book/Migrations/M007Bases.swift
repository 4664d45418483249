// The seventh schema of a book: the base of a change that is made during a download.
import Storage

/// Before, such a change had the head of the download as its base, even if its row had not been received yet.
let basesMigration = Migration(
    number: 7,
    name: "bases",
    since: "0.1.0",
    sql: """
        DROP TRIGGER history_capture;
        DROP TRIGGER conflicts_capture;
        CREATE TRIGGER history_capture AFTER INSERT ON history
          WHEN NEW.device IS NULL AND NEW.action IN ('create', 'patch', 'delete')
            AND (EXISTS (SELECT 1 FROM sync WHERE is_capturing
            AND (walk_rank IS NULL OR walk_rank > CASE NEW.kind WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3 WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 END OR (walk_rank = CASE NEW.kind WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3 WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 END AND walk_after >= NEW.id))) OR (NEW.action = 'delete' AND (SELECT is_capturing FROM sync)))
            AND NOT (NEW.action = 'patch' AND EXISTS (SELECT 1 FROM outbox WHERE kind = NEW.kind AND id = NEW.id AND action = 'create' AND is_cut = 0
                AND status IS NULL)) BEGIN
          INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
            SELECT lower(hex(randomblob(16))), tx, now, NEW.action, NEW.kind, NEW.id, NEW.after, NEW.before,
              ifnull(edit_base, iif(download_aside IS 'cursorAhead', 0,
          max(cursor, ifnull((SELECT seq FROM ahead WHERE kind = NEW.kind AND id = NEW.id), 0))))
            FROM sync;
        END;
        CREATE TRIGGER conflicts_capture AFTER UPDATE OF choice ON conflicts
          WHEN NEW.choice IS NOT OLD.choice AND NEW.deleted_at IS NULL
            AND EXISTS (SELECT 1 FROM sync WHERE is_capturing
            AND (walk_rank IS NULL OR walk_rank > 4 OR (walk_rank = 4 AND walk_after >= NEW.id)))
            AND NOT EXISTS (SELECT 1 FROM outbox WHERE kind = 'conflict' AND id = NEW.id AND action = 'create' AND is_cut = 0
                AND status IS NULL) BEGIN
          INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
            SELECT lower(hex(randomblob(16))), tx, now, 'patch', 'conflict', NEW.id, json_object('choice', NEW.choice), json_object('choice', OLD.choice),
              ifnull(edit_base, iif(download_aside IS 'cursorAhead', 0,
          max(cursor, ifnull((SELECT seq FROM ahead WHERE kind = 'conflict' AND id = NEW.id), 0))))
            FROM sync;
        END;
        """
)
