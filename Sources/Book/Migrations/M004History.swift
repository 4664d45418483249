// The fourth schema of a book: its history. Staged rows keep their order.
import Storage

/// All changes of rows, made on any device. `tx` numbers the changes: all rows of one change are undone
/// together.
///
/// A patch has the values of its fields before and after. A creation and a deletion have no values, because
/// they follow from the row itself and the later patches. `device` is the name of another device, null for
/// this one. The two milestones, `begin` and `load`, have in `after` the number of rows of each kind that
/// came at once and are not listed one by one.
let historyMigration = Migration(
    number: 4,
    name: "history",
    since: "0.1.0",
    sql: """
        ALTER TABLE sync ADD COLUMN is_recording INTEGER NOT NULL DEFAULT 1 CHECK (is_recording IN (0, 1));
        -- The highest sequence that the cloud has told of, also by the result of an operation.
        ALTER TABLE sync ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
        UPDATE sync SET seen = cursor;

        -- Pages that wait for the last one, in the order in which they came: rows are only ever added.
        ALTER TABLE aside RENAME TO aside_before;
        CREATE TABLE aside (
          position    INTEGER NOT NULL PRIMARY KEY,
          kind        TEXT    NOT NULL,
          id          TEXT    NOT NULL CHECK (length(id) = 26),
          seq         INTEGER NOT NULL,
          is_deleted  INTEGER NOT NULL,
          fields      TEXT    NOT NULL,
          writers     TEXT,
          versions    TEXT
        ) STRICT;
        INSERT INTO aside (kind, id, seq, is_deleted, fields)
          SELECT kind, id, seq, is_deleted, fields FROM aside_before ORDER BY seq;
        DROP TABLE aside_before;

        CREATE TABLE history (
          seq         INTEGER NOT NULL PRIMARY KEY,
          tx          INTEGER NOT NULL,
          at          INTEGER NOT NULL,
          device      TEXT,
          action      TEXT    NOT NULL CHECK (action IN ('create', 'patch', 'delete', 'begin', 'load')),
          kind        TEXT    NOT NULL,
          id          TEXT    NOT NULL CHECK (length(id) = 26),
          before      TEXT,
          after       TEXT
        ) STRICT;
        CREATE INDEX history_by_tx ON history (tx);
        CREATE INDEX history_patches ON history (id) WHERE action = 'patch';
        -- What the third schema captured by itself goes through the history from now on.
        DROP TRIGGER IF EXISTS accounts_capture_insert;
        DROP TRIGGER IF EXISTS accounts_capture_update;
        DROP TRIGGER IF EXISTS accounts_capture_delete;
        DROP TRIGGER IF EXISTS accounts_capture_restore;
        CREATE TRIGGER accounts_record_insert AFTER INSERT ON accounts
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'account', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER accounts_record_update AFTER UPDATE OF name, type, currency, opening_minor ON accounts
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.name IS NOT OLD.name OR NEW.type IS NOT OLD.type OR NEW.currency IS NOT OLD.currency OR NEW.opening_minor IS NOT OLD.opening_minor)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'account', NEW.id, json_remove(json_object('name', OLD.name, 'type', OLD.type, 'currency', OLD.currency, 'opening', OLD.opening_minor), iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.opening_minor IS OLD.opening_minor, '$.opening', '$.""')), json_remove(json_object('name', NEW.name, 'type', NEW.type, 'currency', NEW.currency, 'opening', NEW.opening_minor), iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.opening_minor IS OLD.opening_minor, '$.opening', '$.""')) FROM sync;
        END;
        CREATE TRIGGER accounts_record_delete AFTER UPDATE OF deleted_at ON accounts
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'account', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER accounts_record_restore AFTER UPDATE OF deleted_at ON accounts
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'account', NEW.id, NULL, NULL FROM sync;
        END;
        DROP TRIGGER IF EXISTS categories_capture_insert;
        DROP TRIGGER IF EXISTS categories_capture_update;
        DROP TRIGGER IF EXISTS categories_capture_delete;
        DROP TRIGGER IF EXISTS categories_capture_restore;
        CREATE TRIGGER categories_record_insert AFTER INSERT ON categories
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'category', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER categories_record_update AFTER UPDATE OF name, kind, icon, color, parent ON categories
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.name IS NOT OLD.name OR NEW.kind IS NOT OLD.kind OR NEW.icon IS NOT OLD.icon OR NEW.color IS NOT OLD.color OR NEW.parent IS NOT OLD.parent)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'category', NEW.id, json_remove(json_object('name', OLD.name, 'kind', OLD.kind, 'icon', OLD.icon, 'color', OLD.color, 'parent', OLD.parent), iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.icon IS OLD.icon, '$.icon', '$.""'), iif(NEW.color IS OLD.color, '$.color', '$.""'), iif(NEW.parent IS OLD.parent, '$.parent', '$.""')), json_remove(json_object('name', NEW.name, 'kind', NEW.kind, 'icon', NEW.icon, 'color', NEW.color, 'parent', NEW.parent), iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.icon IS OLD.icon, '$.icon', '$.""'), iif(NEW.color IS OLD.color, '$.color', '$.""'), iif(NEW.parent IS OLD.parent, '$.parent', '$.""')) FROM sync;
        END;
        CREATE TRIGGER categories_record_delete AFTER UPDATE OF deleted_at ON categories
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'category', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER categories_record_restore AFTER UPDATE OF deleted_at ON categories
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'category', NEW.id, NULL, NULL FROM sync;
        END;
        DROP TRIGGER IF EXISTS budgets_capture_insert;
        DROP TRIGGER IF EXISTS budgets_capture_update;
        DROP TRIGGER IF EXISTS budgets_capture_delete;
        DROP TRIGGER IF EXISTS budgets_capture_restore;
        CREATE TRIGGER budgets_record_insert AFTER INSERT ON budgets
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'budget', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER budgets_record_update AFTER UPDATE OF category, limit_minor, currency, from_month, rollover ON budgets
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.category IS NOT OLD.category OR NEW.limit_minor IS NOT OLD.limit_minor OR NEW.currency IS NOT OLD.currency OR NEW.from_month IS NOT OLD.from_month OR NEW.rollover IS NOT OLD.rollover)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'budget', NEW.id, json_remove(json_object('category', OLD.category, 'limit', OLD.limit_minor, 'currency', OLD.currency, 'from', OLD.from_month, 'rollover', OLD.rollover), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.limit_minor IS OLD.limit_minor, '$.limit', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.from_month IS OLD.from_month, '$.from', '$.""'), iif(NEW.rollover IS OLD.rollover, '$.rollover', '$.""')), json_remove(json_object('category', NEW.category, 'limit', NEW.limit_minor, 'currency', NEW.currency, 'from', NEW.from_month, 'rollover', NEW.rollover), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.limit_minor IS OLD.limit_minor, '$.limit', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.from_month IS OLD.from_month, '$.from', '$.""'), iif(NEW.rollover IS OLD.rollover, '$.rollover', '$.""')) FROM sync;
        END;
        CREATE TRIGGER budgets_record_delete AFTER UPDATE OF deleted_at ON budgets
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'budget', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER budgets_record_restore AFTER UPDATE OF deleted_at ON budgets
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'budget', NEW.id, NULL, NULL FROM sync;
        END;
        DROP TRIGGER IF EXISTS preferences_capture_insert;
        DROP TRIGGER IF EXISTS preferences_capture_update;
        DROP TRIGGER IF EXISTS preferences_capture_delete;
        DROP TRIGGER IF EXISTS preferences_capture_restore;
        CREATE TRIGGER preferences_record_insert AFTER INSERT ON preferences
          WHEN (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'preferences', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER preferences_record_update AFTER UPDATE OF base_currency, secondary_currencies, week_start, conflict_policy, theme, locale, time_zone ON preferences
          WHEN (NEW.base_currency IS NOT OLD.base_currency OR NEW.secondary_currencies IS NOT OLD.secondary_currencies OR NEW.week_start IS NOT OLD.week_start OR NEW.conflict_policy IS NOT OLD.conflict_policy OR NEW.theme IS NOT OLD.theme OR NEW.locale IS NOT OLD.locale OR NEW.time_zone IS NOT OLD.time_zone)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'preferences', NEW.id, json_remove(json_object('baseCurrency', OLD.base_currency, 'secondaryCurrencies', OLD.secondary_currencies, 'weekStart', OLD.week_start, 'conflictPolicy', OLD.conflict_policy, 'theme', OLD.theme, 'locale', OLD.locale, 'timeZone', OLD.time_zone), iif(NEW.base_currency IS OLD.base_currency, '$.baseCurrency', '$.""'), iif(NEW.secondary_currencies IS OLD.secondary_currencies, '$.secondaryCurrencies', '$.""'), iif(NEW.week_start IS OLD.week_start, '$.weekStart', '$.""'), iif(NEW.conflict_policy IS OLD.conflict_policy, '$.conflictPolicy', '$.""'), iif(NEW.theme IS OLD.theme, '$.theme', '$.""'), iif(NEW.locale IS OLD.locale, '$.locale', '$.""'), iif(NEW.time_zone IS OLD.time_zone, '$.timeZone', '$.""')), json_remove(json_object('baseCurrency', NEW.base_currency, 'secondaryCurrencies', NEW.secondary_currencies, 'weekStart', NEW.week_start, 'conflictPolicy', NEW.conflict_policy, 'theme', NEW.theme, 'locale', NEW.locale, 'timeZone', NEW.time_zone), iif(NEW.base_currency IS OLD.base_currency, '$.baseCurrency', '$.""'), iif(NEW.secondary_currencies IS OLD.secondary_currencies, '$.secondaryCurrencies', '$.""'), iif(NEW.week_start IS OLD.week_start, '$.weekStart', '$.""'), iif(NEW.conflict_policy IS OLD.conflict_policy, '$.conflictPolicy', '$.""'), iif(NEW.theme IS OLD.theme, '$.theme', '$.""'), iif(NEW.locale IS OLD.locale, '$.locale', '$.""'), iif(NEW.time_zone IS OLD.time_zone, '$.timeZone', '$.""')) FROM sync;
        END;
        DROP TRIGGER IF EXISTS conflicts_capture_insert;
        DROP TRIGGER IF EXISTS conflicts_capture_update;
        DROP TRIGGER IF EXISTS conflicts_capture_delete;
        DROP TRIGGER IF EXISTS conflicts_capture_restore;
        DROP TRIGGER IF EXISTS transactions_capture_insert;
        DROP TRIGGER IF EXISTS transactions_capture_update;
        DROP TRIGGER IF EXISTS transactions_capture_delete;
        DROP TRIGGER IF EXISTS transactions_capture_restore;
        CREATE TRIGGER transactions_record_insert AFTER INSERT ON transactions
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'transaction', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER transactions_record_update AFTER UPDATE OF kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee, note, tags ON transactions
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.kind IS NOT OLD.kind OR NEW.date IS NOT OLD.date OR NEW.amount_minor IS NOT OLD.amount_minor OR NEW.currency IS NOT OLD.currency OR NEW.account IS NOT OLD.account OR NEW.account_minor IS NOT OLD.account_minor OR NEW.to_account IS NOT OLD.to_account OR NEW.to_minor IS NOT OLD.to_minor OR NEW.category IS NOT OLD.category OR NEW.payee IS NOT OLD.payee OR NEW.note IS NOT OLD.note OR NEW.tags IS NOT OLD.tags)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'transaction', NEW.id, json_remove(json_object('kind', OLD.kind, 'date', OLD.date, 'amount', OLD.amount_minor, 'currency', OLD.currency, 'account', OLD.account, 'accountAmount', OLD.account_minor, 'toAccount', OLD.to_account, 'toAmount', OLD.to_minor, 'category', OLD.category, 'payee', OLD.payee, 'note', OLD.note, 'tags', OLD.tags), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.date IS OLD.date, '$.date', '$.""'), iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.account IS OLD.account, '$.account', '$.""'), iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'), iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'), iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'), iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""')), json_remove(json_object('kind', NEW.kind, 'date', NEW.date, 'amount', NEW.amount_minor, 'currency', NEW.currency, 'account', NEW.account, 'accountAmount', NEW.account_minor, 'toAccount', NEW.to_account, 'toAmount', NEW.to_minor, 'category', NEW.category, 'payee', NEW.payee, 'note', NEW.note, 'tags', NEW.tags), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.date IS OLD.date, '$.date', '$.""'), iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.account IS OLD.account, '$.account', '$.""'), iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'), iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'), iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'), iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""')) FROM sync;
        END;
        CREATE TRIGGER transactions_record_delete AFTER UPDATE OF deleted_at ON transactions
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'transaction', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER transactions_record_restore AFTER UPDATE OF deleted_at ON transactions
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'transaction', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER history_capture AFTER INSERT ON history
          WHEN NEW.device IS NULL AND NEW.action IN ('create', 'patch', 'delete')
            AND (EXISTS (SELECT 1 FROM sync WHERE is_capturing
            AND (walk_rank IS NULL OR walk_rank > CASE NEW.kind WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3 WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 END OR (walk_rank = CASE NEW.kind WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3 WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 END AND walk_after >= NEW.id))) OR (NEW.action = 'delete' AND (SELECT is_capturing FROM sync)))
            AND NOT (NEW.action = 'patch' AND EXISTS (SELECT 1 FROM outbox WHERE kind = NEW.kind AND id = NEW.id AND action = 'create' AND is_cut = 0
                AND status IS NULL)) BEGIN
          INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
            SELECT lower(hex(randomblob(16))), tx, now, NEW.action, NEW.kind, NEW.id, NEW.after, NEW.before,
              max(ifnull(download_head, cursor),
                  ifnull((SELECT seq FROM ahead WHERE kind = NEW.kind AND id = NEW.id), 0))
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
              max(ifnull(download_head, cursor),
                  ifnull((SELECT seq FROM ahead WHERE kind = 'conflict' AND id = NEW.id), 0))
            FROM sync;
        END;
        """
)
