// The fifth schema of a book: the base of an edit is the version that its form showed.
import Storage

/// `edit_base` is set while the change of a form is written. It is the cloud's sequence that the form
/// reflected, which may be older than the sequence that the book reflects by then.
let editsMigration = Migration(
    number: 5,
    name: "edits",
    since: "0.1.0",
    sql: """
        ALTER TABLE sync ADD COLUMN edit_base INTEGER;
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
              ifnull(edit_base, max(ifnull(download_head, cursor),
                  ifnull((SELECT seq FROM ahead WHERE kind = NEW.kind AND id = NEW.id), 0)))
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
              ifnull(edit_base, max(ifnull(download_head, cursor),
                  ifnull((SELECT seq FROM ahead WHERE kind = 'conflict' AND id = NEW.id), 0)))
            FROM sync;
        END;
        """
)
