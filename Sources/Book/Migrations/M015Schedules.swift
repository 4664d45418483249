// The fifteenth schema of a book: schedules.
import Storage

/// Transactions that come again and again, and the payees for which the user wants no schedule. Days are days since
/// 1970-01-01; `done_day` is the last day that was recorded or skipped.
let schedulesMigration = Migration(
    number: 15,
    name: "schedules",
    since: "0.1.0",
    sql: """
        CREATE TABLE schedules (
          id            TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          kind          TEXT    NOT NULL CHECK (kind IN ('expense', 'income', 'transfer')),
          start_day     INTEGER NOT NULL CHECK (start_day BETWEEN -719162 AND 2932896),
          amount_minor  INTEGER NOT NULL CHECK (amount_minor > 0),
          currency      TEXT    NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
          account       TEXT    NOT NULL REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED,
          account_minor INTEGER NOT NULL CHECK (account_minor > 0),
          to_account    TEXT    REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED,
          to_minor      INTEGER CHECK (to_minor > 0),
          category      TEXT    REFERENCES categories (id) DEFERRABLE INITIALLY DEFERRED,
          payee         TEXT    NOT NULL CHECK (length(payee) <= 1000),
          note          TEXT    NOT NULL CHECK (length(note) <= 10000),
          tags          TEXT    NOT NULL CHECK (length(tags) <= 5000),
          every         INTEGER NOT NULL CHECK (every BETWEEN 1 AND 999),
          unit          TEXT    NOT NULL CHECK (unit IN ('day', 'week', 'month', 'year')),
          end_day       INTEGER CHECK (end_day BETWEEN -719162 AND 2932896),
          shift         TEXT    NOT NULL CHECK (shift IN ('none', 'before', 'after')),
          record        TEXT    NOT NULL CHECK (record IN ('auto', 'ask')),
          done_day      INTEGER CHECK (done_day BETWEEN -719162 AND 2932896),
          account_currency TEXT CHECK (account_currency GLOB '[A-Z][A-Z][A-Z]'),
          to_currency   TEXT    CHECK (to_currency GLOB '[A-Z][A-Z][A-Z]'),
          series        TEXT    CHECK (length(series) = 26),
          deleted_at    INTEGER,
          CHECK ((kind = 'transfer') = (to_account IS NOT NULL)),
          CHECK ((to_account IS NULL) = (to_minor IS NULL)),
          CHECK (to_account <> account),
          CHECK (kind <> 'transfer' OR category IS NULL)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE dismissed_schedules (
          payee TEXT NOT NULL,
          kind  TEXT NOT NULL CHECK (kind IN ('expense', 'income')),
          PRIMARY KEY (payee, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER schedules_record_insert AFTER INSERT ON schedules
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'schedule', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER schedules_record_update AFTER UPDATE OF kind, start_day, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee, note, tags, every, unit, end_day, shift, record, done_day, account_currency, to_currency, series ON schedules
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.kind IS NOT OLD.kind OR NEW.start_day IS NOT OLD.start_day OR NEW.amount_minor IS NOT OLD.amount_minor OR NEW.currency IS NOT OLD.currency OR NEW.account IS NOT OLD.account OR NEW.account_minor IS NOT OLD.account_minor OR NEW.to_account IS NOT OLD.to_account OR NEW.to_minor IS NOT OLD.to_minor OR NEW.category IS NOT OLD.category OR NEW.payee IS NOT OLD.payee OR NEW.note IS NOT OLD.note OR NEW.tags IS NOT OLD.tags OR NEW.every IS NOT OLD.every OR NEW.unit IS NOT OLD.unit OR NEW.end_day IS NOT OLD.end_day OR NEW.shift IS NOT OLD.shift OR NEW.record IS NOT OLD.record OR NEW.done_day IS NOT OLD.done_day OR NEW.account_currency IS NOT OLD.account_currency OR NEW.to_currency IS NOT OLD.to_currency OR NEW.series IS NOT OLD.series)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'schedule', NEW.id, json_remove(json_object('kind', OLD.kind, 'start', OLD.start_day, 'amount', OLD.amount_minor, 'currency', OLD.currency, 'account', OLD.account, 'accountAmount', OLD.account_minor, 'toAccount', OLD.to_account, 'toAmount', OLD.to_minor, 'category', OLD.category, 'payee', OLD.payee, 'note', OLD.note, 'tags', OLD.tags, 'every', OLD.every, 'unit', OLD.unit, 'end', OLD.end_day, 'shift', OLD.shift, 'record', OLD.record, 'done', OLD.done_day, 'accountCurrency', OLD.account_currency, 'toCurrency', OLD.to_currency, 'series', OLD.series), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.start_day IS OLD.start_day, '$.start', '$.""'), iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.account IS OLD.account, '$.account', '$.""'), iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'), iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'), iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'), iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'), iif(NEW.every IS OLD.every, '$.every', '$.""'), iif(NEW.unit IS OLD.unit, '$.unit', '$.""'), iif(NEW.end_day IS OLD.end_day, '$.end', '$.""'), iif(NEW.shift IS OLD.shift, '$.shift', '$.""'), iif(NEW.record IS OLD.record, '$.record', '$.""'), iif(NEW.done_day IS OLD.done_day, '$.done', '$.""'), iif(NEW.account_currency IS OLD.account_currency, '$.accountCurrency', '$.""'), iif(NEW.to_currency IS OLD.to_currency, '$.toCurrency', '$.""'), iif(NEW.series IS OLD.series, '$.series', '$.""')), json_remove(json_object('kind', NEW.kind, 'start', NEW.start_day, 'amount', NEW.amount_minor, 'currency', NEW.currency, 'account', NEW.account, 'accountAmount', NEW.account_minor, 'toAccount', NEW.to_account, 'toAmount', NEW.to_minor, 'category', NEW.category, 'payee', NEW.payee, 'note', NEW.note, 'tags', NEW.tags, 'every', NEW.every, 'unit', NEW.unit, 'end', NEW.end_day, 'shift', NEW.shift, 'record', NEW.record, 'done', NEW.done_day, 'accountCurrency', NEW.account_currency, 'toCurrency', NEW.to_currency, 'series', NEW.series), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.start_day IS OLD.start_day, '$.start', '$.""'), iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.account IS OLD.account, '$.account', '$.""'), iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'), iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'), iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'), iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'), iif(NEW.every IS OLD.every, '$.every', '$.""'), iif(NEW.unit IS OLD.unit, '$.unit', '$.""'), iif(NEW.end_day IS OLD.end_day, '$.end', '$.""'), iif(NEW.shift IS OLD.shift, '$.shift', '$.""'), iif(NEW.record IS OLD.record, '$.record', '$.""'), iif(NEW.done_day IS OLD.done_day, '$.done', '$.""'), iif(NEW.account_currency IS OLD.account_currency, '$.accountCurrency', '$.""'), iif(NEW.to_currency IS OLD.to_currency, '$.toCurrency', '$.""'), iif(NEW.series IS OLD.series, '$.series', '$.""')) FROM sync;
        END;
        CREATE TRIGGER schedules_record_delete AFTER UPDATE OF deleted_at ON schedules
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'schedule', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER schedules_record_restore AFTER UPDATE OF deleted_at ON schedules
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'schedule', NEW.id, NULL, NULL FROM sync;
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
        DROP TRIGGER history_capture;
        CREATE TRIGGER history_capture AFTER INSERT ON history
          WHEN NEW.device IS NULL AND NEW.action IN ('create', 'patch', 'delete')
            AND (EXISTS (SELECT 1 FROM sync WHERE is_capturing
            AND (walk_rank IS NULL OR walk_rank > CASE NEW.kind WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3 WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 END OR (walk_rank = CASE NEW.kind WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3 WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 END AND walk_after >= NEW.id))) OR (NEW.action = 'delete' AND (SELECT is_capturing FROM sync)))
            AND NOT (NEW.action = 'patch' AND EXISTS (SELECT 1 FROM outbox WHERE kind = NEW.kind AND id = NEW.id AND action = 'create' AND is_cut = 0
                AND status IS NULL)) BEGIN
          INSERT INTO outbox (op_id, tx, at, action, kind, id, fields, before, base)
            SELECT lower(hex(randomblob(16))), tx, now, NEW.action, NEW.kind, NEW.id, NEW.after, NEW.before,
              ifnull(edit_base, iif(download_reason IS 'cursorAhead', 0,
          max(cursor, ifnull((SELECT seq FROM ahead WHERE kind = NEW.kind AND id = NEW.id), 0))))
            FROM sync;
        END;
        """
)
