// Filtered lists of transactions are saved under names.

/// Statements of the schema with saved views.
enum ViewsOfTransactions {
    /// Adds columns and tables, and replaces the triggers that name the columns.
    static let sql = """
        CREATE TABLE views (
          id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 500),
          query TEXT NOT NULL CHECK (length(query) <= 2000),
          deleted_at INTEGER
        ) STRICT, WITHOUT ROWID;
        UPDATE sync SET walk_rank = walk_rank + 1, walk_after = '' WHERE walk_rank >= 9;
        CREATE TRIGGER views_record_insert AFTER INSERT ON views
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'view', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER views_record_update AFTER UPDATE OF
            name, query
          ON views
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.name IS NOT OLD.name OR NEW.query IS NOT OLD.query
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'view', NEW.id,
              json_remove(
                json_object(
                  'name', OLD.name, 'query', OLD.query
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.query IS OLD.query, '$.query', '$.""')
              ),
              json_remove(
                json_object(
                  'name', NEW.name, 'query', NEW.query
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.query IS OLD.query, '$.query', '$.""')
              )
            FROM sync;
        END;
        CREATE TRIGGER views_record_delete AFTER UPDATE OF deleted_at ON views
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'view', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER views_record_restore AFTER UPDATE OF deleted_at ON views
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'view', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER views_due_insert AFTER INSERT ON views BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('view', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER views_due_update AFTER UPDATE ON views BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('view', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER views_due_delete AFTER DELETE ON views BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('view', OLD.id) ON CONFLICT DO NOTHING;
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
                    WHEN 'receipt' THEN 8 WHEN 'view' THEN 9
                  END
                  OR (walk_rank = CASE NEW.kind
                    WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3
                    WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 WHEN 'bankNote' THEN 7
                    WHEN 'receipt' THEN 8 WHEN 'view' THEN 9
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
