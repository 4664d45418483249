// The triggers of the first schema of a book that note changed rows for the hashes, and put changes into the outbox. The
// declaration of the fields makes them: see AddingAField.

extension FirstSchema {
    /// Rows whose hash has to be computed anew.
    static let hashTriggers = """
        CREATE TRIGGER accounts_due_insert AFTER INSERT ON accounts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('account', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER accounts_due_update AFTER UPDATE ON accounts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('account', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER accounts_due_delete AFTER DELETE ON accounts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('account', OLD.id) ON CONFLICT DO NOTHING;
        END;

        CREATE TRIGGER categories_due_insert AFTER INSERT ON categories BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('category', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER categories_due_update AFTER UPDATE ON categories BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('category', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER categories_due_delete AFTER DELETE ON categories BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('category', OLD.id) ON CONFLICT DO NOTHING;
        END;

        CREATE TRIGGER budgets_due_insert AFTER INSERT ON budgets BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('budget', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER budgets_due_update AFTER UPDATE ON budgets BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('budget', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER budgets_due_delete AFTER DELETE ON budgets BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('budget', OLD.id) ON CONFLICT DO NOTHING;
        END;

        CREATE TRIGGER preferences_due_insert AFTER INSERT ON preferences BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('preferences', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER preferences_due_update AFTER UPDATE ON preferences BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('preferences', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER preferences_due_delete AFTER DELETE ON preferences BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('preferences', OLD.id) ON CONFLICT DO NOTHING;
        END;

        CREATE TRIGGER conflicts_due_insert AFTER INSERT ON conflicts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('conflict', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER conflicts_due_update AFTER UPDATE ON conflicts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('conflict', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER conflicts_due_delete AFTER DELETE ON conflicts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('conflict', OLD.id) ON CONFLICT DO NOTHING;
        END;

        CREATE TRIGGER transactions_due_insert AFTER INSERT ON transactions BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('transaction', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER transactions_due_update AFTER UPDATE ON transactions BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('transaction', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER transactions_due_delete AFTER DELETE ON transactions BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('transaction', OLD.id) ON CONFLICT DO NOTHING;
        END;

        CREATE TRIGGER schedules_due_insert AFTER INSERT ON schedules BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('schedule', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER schedules_due_update AFTER UPDATE ON schedules BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('schedule', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER schedules_due_delete AFTER DELETE ON schedules BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('schedule', OLD.id) ON CONFLICT DO NOTHING;
        END;

        CREATE TRIGGER bank_notes_due_insert AFTER INSERT ON bank_notes BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('bankNote', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER bank_notes_due_update AFTER UPDATE ON bank_notes BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('bankNote', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER bank_notes_due_delete AFTER DELETE ON bank_notes BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('bankNote', OLD.id) ON CONFLICT DO NOTHING;
        END;

        CREATE TRIGGER receipts_due_insert AFTER INSERT ON receipts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('receipt', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER receipts_due_update AFTER UPDATE ON receipts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('receipt', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER receipts_due_delete AFTER DELETE ON receipts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('receipt', OLD.id) ON CONFLICT DO NOTHING;
        END;

        CREATE TRIGGER foreign_rows_due_insert AFTER INSERT ON foreign_rows BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (NEW.kind, NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER foreign_rows_due_update AFTER UPDATE ON foreign_rows BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (NEW.kind, NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER foreign_rows_due_delete AFTER DELETE ON foreign_rows BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (OLD.kind, OLD.id) ON CONFLICT DO NOTHING;
        END;

        CREATE TRIGGER deviations_due_insert AFTER INSERT ON deviations BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (NEW.kind, NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER deviations_due_update AFTER UPDATE ON deviations BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (NEW.kind, NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER deviations_due_delete AFTER DELETE ON deviations BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (OLD.kind, OLD.id) ON CONFLICT DO NOTHING;
        END;
        """

    /// Each change that the history notes goes into the outbox. Of a record of a conflict, which has no history, only the
    /// choice is ever changed on this device.
    static let outboxTriggers = """
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
                    WHEN 'receipt' THEN 8
                  END
                  OR (walk_rank = CASE NEW.kind
                    WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3
                    WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 WHEN 'bankNote' THEN 7
                    WHEN 'receipt' THEN 8
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

        CREATE TRIGGER conflicts_capture AFTER UPDATE OF choice ON conflicts
          WHEN NEW.choice IS NOT OLD.choice AND NEW.deleted_at IS NULL
            AND EXISTS (
              SELECT 1 FROM sync
              WHERE is_capturing AND (
                walk_rank IS NULL
                OR walk_rank > 4
                OR (walk_rank = 4 AND walk_after >= NEW.id)
              )
            )
            AND NOT EXISTS (
              SELECT 1 FROM outbox
              WHERE kind = 'conflict' AND id = NEW.id AND action = 'create' AND is_cut = 0 AND status IS NULL
            ) BEGIN
          INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
            SELECT lower(hex(randomblob(16))), tx, now, 'patch', 'conflict', NEW.id,
              json_object('choice', NEW.choice), json_object('choice', OLD.choice),
              ifnull(edit_base, iif(download_reason IS 'cursorAhead', 0,
                max(cursor, ifnull((SELECT seq FROM ahead WHERE kind = 'conflict' AND id = NEW.id), 0))))
            FROM sync;
        END;
        """
}
