// Rules for transactions, and the rule that set values of a transaction.

/// Statements of the schema with rules. A rule may be gone that a transaction names.
enum RulesOfTransactions {
    /// Adds columns and tables, and replaces the triggers that name the columns.
    static let sql = """
        ALTER TABLE transactions ADD COLUMN rule TEXT CHECK (length(rule) <= 26);
        CREATE INDEX transactions_by_rule ON transactions (rule, date, id)
          WHERE deleted_at IS NULL AND rule IS NOT NULL;
        CREATE TABLE rules (
          id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 1000),
          position TEXT CHECK (length(position) <= 64),
          enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
          match_mode TEXT NOT NULL CHECK (match_mode IN ('all', 'any')),
          conditions TEXT NOT NULL CHECK (length(conditions) <= 20000),
          effects TEXT NOT NULL CHECK (length(effects) <= 20000),
          deleted_at INTEGER
        ) STRICT, WITHOUT ROWID;
        UPDATE sync SET walk_rank = walk_rank + 1, walk_after = '' WHERE walk_rank >= 10;
        DROP TRIGGER transactions_record_update;
        CREATE TRIGGER transactions_record_update AFTER UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee, note,
            tags, split, bank_transaction, occurrence, starred, rule
          ON transactions
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.kind IS NOT OLD.kind OR NEW.date IS NOT OLD.date OR NEW.amount_minor IS NOT OLD.amount_minor
              OR NEW.currency IS NOT OLD.currency OR NEW.account IS NOT OLD.account
              OR NEW.account_minor IS NOT OLD.account_minor OR NEW.to_account IS NOT OLD.to_account
              OR NEW.to_minor IS NOT OLD.to_minor OR NEW.category IS NOT OLD.category OR NEW.payee IS NOT OLD.payee
              OR NEW.note IS NOT OLD.note OR NEW.tags IS NOT OLD.tags OR NEW.split IS NOT OLD.split
              OR NEW.bank_transaction IS NOT OLD.bank_transaction OR NEW.occurrence IS NOT OLD.occurrence
              OR NEW.starred IS NOT OLD.starred OR NEW.rule IS NOT OLD.rule
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'transaction', NEW.id,
              json_remove(
                json_object(
                  'kind', OLD.kind, 'date', OLD.date, 'amount', OLD.amount_minor, 'currency', OLD.currency,
                  'account', OLD.account, 'accountAmount', OLD.account_minor, 'toAccount', OLD.to_account,
                  'toAmount', OLD.to_minor, 'category', OLD.category, 'payee', OLD.payee, 'note', OLD.note,
                  'tags', OLD.tags, 'split', OLD.split, 'bankTransaction', OLD.bank_transaction,
                  'occurrence', OLD.occurrence, 'starred', OLD.starred, 'rule', OLD.rule
                ),
                iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.date IS OLD.date, '$.date', '$.""'),
                iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'),
                iif(NEW.currency IS OLD.currency, '$.currency', '$.""'),
                iif(NEW.account IS OLD.account, '$.account', '$.""'),
                iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'),
                iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'),
                iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'),
                iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'),
                iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'),
                iif(NEW.split IS OLD.split, '$.split', '$.""'),
                iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""'),
                iif(NEW.occurrence IS OLD.occurrence, '$.occurrence', '$.""'),
                iif(NEW.starred IS OLD.starred, '$.starred', '$.""'), iif(NEW.rule IS OLD.rule, '$.rule', '$.""')
              ),
              json_remove(
                json_object(
                  'kind', NEW.kind, 'date', NEW.date, 'amount', NEW.amount_minor, 'currency', NEW.currency,
                  'account', NEW.account, 'accountAmount', NEW.account_minor, 'toAccount', NEW.to_account,
                  'toAmount', NEW.to_minor, 'category', NEW.category, 'payee', NEW.payee, 'note', NEW.note,
                  'tags', NEW.tags, 'split', NEW.split, 'bankTransaction', NEW.bank_transaction,
                  'occurrence', NEW.occurrence, 'starred', NEW.starred, 'rule', NEW.rule
                ),
                iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.date IS OLD.date, '$.date', '$.""'),
                iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'),
                iif(NEW.currency IS OLD.currency, '$.currency', '$.""'),
                iif(NEW.account IS OLD.account, '$.account', '$.""'),
                iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'),
                iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'),
                iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'),
                iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'),
                iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'),
                iif(NEW.split IS OLD.split, '$.split', '$.""'),
                iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""'),
                iif(NEW.occurrence IS OLD.occurrence, '$.occurrence', '$.""'),
                iif(NEW.starred IS OLD.starred, '$.starred', '$.""'), iif(NEW.rule IS OLD.rule, '$.rule', '$.""')
              )
            FROM sync;
        END;
        CREATE TRIGGER rules_record_insert AFTER INSERT ON rules
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'rule', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER rules_record_update AFTER UPDATE OF
            name, position, enabled, match_mode, conditions, effects
          ON rules
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.name IS NOT OLD.name OR NEW.position IS NOT OLD.position OR NEW.enabled IS NOT OLD.enabled
              OR NEW.match_mode IS NOT OLD.match_mode OR NEW.conditions IS NOT OLD.conditions
              OR NEW.effects IS NOT OLD.effects
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'rule', NEW.id,
              json_remove(
                json_object(
                  'name', OLD.name, 'position', OLD.position, 'enabled', OLD.enabled, 'match', OLD.match_mode,
                  'conditions', OLD.conditions, 'effects', OLD.effects
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.position IS OLD.position, '$.position', '$.""'),
                iif(NEW.enabled IS OLD.enabled, '$.enabled', '$.""'),
                iif(NEW.match_mode IS OLD.match_mode, '$.match', '$.""'),
                iif(NEW.conditions IS OLD.conditions, '$.conditions', '$.""'),
                iif(NEW.effects IS OLD.effects, '$.effects', '$.""')
              ),
              json_remove(
                json_object(
                  'name', NEW.name, 'position', NEW.position, 'enabled', NEW.enabled, 'match', NEW.match_mode,
                  'conditions', NEW.conditions, 'effects', NEW.effects
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.position IS OLD.position, '$.position', '$.""'),
                iif(NEW.enabled IS OLD.enabled, '$.enabled', '$.""'),
                iif(NEW.match_mode IS OLD.match_mode, '$.match', '$.""'),
                iif(NEW.conditions IS OLD.conditions, '$.conditions', '$.""'),
                iif(NEW.effects IS OLD.effects, '$.effects', '$.""')
              )
            FROM sync;
        END;
        CREATE TRIGGER rules_record_delete AFTER UPDATE OF deleted_at ON rules
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'rule', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER rules_record_restore AFTER UPDATE OF deleted_at ON rules
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'rule', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER rules_due_insert AFTER INSERT ON rules BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('rule', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER rules_due_update AFTER UPDATE ON rules BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('rule', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER rules_due_delete AFTER DELETE ON rules BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('rule', OLD.id) ON CONFLICT DO NOTHING;
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
                    WHEN 'receipt' THEN 8 WHEN 'view' THEN 9 WHEN 'rule' THEN 10
                  END
                  OR (walk_rank = CASE NEW.kind
                    WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3
                    WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 WHEN 'bankNote' THEN 7
                    WHEN 'receipt' THEN 8 WHEN 'view' THEN 9 WHEN 'rule' THEN 10
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
