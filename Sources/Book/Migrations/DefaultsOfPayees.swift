// Payees have usual categories and notes.

/// Statements of the schema in which users set what a new transaction of a payee begins with.
enum DefaultsOfPayees {
    /// Adds columns and tables, and replaces the triggers that name the columns.
    static let sql = """
        CREATE TABLE payee_defaults (
          id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 1000),
          category TEXT CHECK (length(category) = 26),
          note TEXT NOT NULL CHECK (length(note) <= 10000),
          deleted_at INTEGER
        ) STRICT, WITHOUT ROWID;
        UPDATE sync SET walk_rank = walk_rank + 1, walk_after = '' WHERE walk_rank >= 11;
        CREATE TRIGGER payee_defaults_record_insert AFTER INSERT ON payee_defaults
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'payeeDefault', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER payee_defaults_record_update AFTER UPDATE OF
            name, category, note
          ON payee_defaults
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.name IS NOT OLD.name OR NEW.category IS NOT OLD.category OR NEW.note IS NOT OLD.note
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'payeeDefault', NEW.id,
              json_remove(
                json_object(
                  'name', OLD.name, 'category', OLD.category, 'note', OLD.note
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'),
                iif(NEW.note IS OLD.note, '$.note', '$.""')
              ),
              json_remove(
                json_object(
                  'name', NEW.name, 'category', NEW.category, 'note', NEW.note
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'),
                iif(NEW.note IS OLD.note, '$.note', '$.""')
              )
            FROM sync;
        END;
        CREATE TRIGGER payee_defaults_record_delete AFTER UPDATE OF deleted_at ON payee_defaults
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'payeeDefault', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER payee_defaults_record_restore AFTER UPDATE OF deleted_at ON payee_defaults
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'payeeDefault', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER payee_defaults_due_insert AFTER INSERT ON payee_defaults BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('payeeDefault', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER payee_defaults_due_update AFTER UPDATE ON payee_defaults BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('payeeDefault', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER payee_defaults_due_delete AFTER DELETE ON payee_defaults BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('payeeDefault', OLD.id) ON CONFLICT DO NOTHING;
        END;
        DROP TRIGGER history_capture;
        CREATE TRIGGER history_capture AFTER INSERT ON history
          WHEN NEW.device IS NULL AND NEW.action IN ('create', 'patch', 'delete')
            AND (
              EXISTS (
                SELECT 1 FROM sync
                WHERE is_capturing AND (
                  walk_rank IS NULL
                  OR walk_rank > CASE NEW.kind
                    WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3
                    WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 WHEN 'bankNote' THEN 7
                    WHEN 'receipt' THEN 8 WHEN 'view' THEN 9 WHEN 'rule' THEN 10 WHEN 'payeeDefault' THEN 11
                  END
                  OR (walk_rank = CASE NEW.kind
                    WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3
                    WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 WHEN 'bankNote' THEN 7
                    WHEN 'receipt' THEN 8 WHEN 'view' THEN 9 WHEN 'rule' THEN 10 WHEN 'payeeDefault' THEN 11
                  END AND walk_after >= NEW.id)
                )
              )
              OR (NEW.action = 'delete' AND (SELECT is_capturing FROM sync))
            )
            AND NOT (NEW.action = 'patch' AND EXISTS (
              SELECT 1 FROM outbox
              WHERE kind = NEW.kind AND id = NEW.id AND action = 'create' AND is_cut = 0 AND status IS NULL
            )) BEGIN
          INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
            SELECT lower(hex(randomblob(16))), tx, now, NEW.action, NEW.kind, NEW.id,
              NEW.after, NEW.before,
              ifnull(edit_base, iif(download_reason IS 'cursorAhead', 0,
                max(cursor, ifnull((SELECT seq FROM ahead WHERE kind = NEW.kind AND id = NEW.id), 0))))
            FROM sync;
        END;
        """
}
