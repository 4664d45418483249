// The nineteenth schema of a book: accounts that are joined to accounts at a bank, the user's notes on bank
// transactions, and the bank transaction of which a transaction is the record.
import Storage

/// The texts in `bank_account` and `bank_transaction` are the texts of `BankAccountKey` and `BankTransactionKey`.
/// `last_synced_at` is UTC seconds, `bank_record_from` days since 1970-01-01. `is_bank` and `hidden` are 1 or null.
let banksMigration = Migration(
    number: 19,
    name: "banks",
    since: "0.1.0",
    sql: """
        ALTER TABLE accounts ADD COLUMN bank_connection TEXT CHECK (length(bank_connection) <= 200);
        ALTER TABLE accounts ADD COLUMN bank_account TEXT CHECK (length(bank_account) <= 1000);
        ALTER TABLE accounts ADD COLUMN bank_account_type TEXT CHECK (length(bank_account_type) <= 200);
        ALTER TABLE accounts ADD COLUMN is_bank INTEGER CHECK (is_bank IN (0, 1));
        ALTER TABLE accounts ADD COLUMN last_synced_at INTEGER;
        ALTER TABLE accounts ADD COLUMN bank_record_from INTEGER CHECK (bank_record_from BETWEEN -719162 AND 2932896);
        ALTER TABLE transactions ADD COLUMN bank_transaction TEXT CHECK (length(bank_transaction) <= 1000);
        CREATE INDEX transactions_by_bank ON transactions (bank_transaction, deleted_at, id)
          WHERE bank_transaction IS NOT NULL;
        CREATE TABLE bank_notes (
          id               TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          bank_transaction TEXT    NOT NULL CHECK (length(bank_transaction) <= 1000),
          category         TEXT    CHECK (length(category) = 26),
          payee            TEXT    NOT NULL CHECK (length(payee) <= 1000),
          note             TEXT    NOT NULL CHECK (length(note) <= 10000),
          tags             TEXT    NOT NULL CHECK (length(tags) <= 5000),
          hidden           INTEGER CHECK (hidden IN (0, 1)),
          deleted_at       INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX bank_notes_by_transaction ON bank_notes (bank_transaction);
        DROP TRIGGER accounts_record_update;
        CREATE TRIGGER accounts_record_update AFTER UPDATE OF name, type, currency, opening_minor, closed, bank_connection, bank_account, bank_account_type, is_bank, last_synced_at, bank_record_from ON accounts
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.name IS NOT OLD.name OR NEW.type IS NOT OLD.type OR NEW.currency IS NOT OLD.currency OR NEW.opening_minor IS NOT OLD.opening_minor OR NEW.closed IS NOT OLD.closed OR NEW.bank_connection IS NOT OLD.bank_connection OR NEW.bank_account IS NOT OLD.bank_account OR NEW.bank_account_type IS NOT OLD.bank_account_type OR NEW.is_bank IS NOT OLD.is_bank OR NEW.last_synced_at IS NOT OLD.last_synced_at OR NEW.bank_record_from IS NOT OLD.bank_record_from)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'account', NEW.id, json_remove(json_object('name', OLD.name, 'type', OLD.type, 'currency', OLD.currency, 'opening', OLD.opening_minor, 'closed', OLD.closed, 'bankConnection', OLD.bank_connection, 'bankAccount', OLD.bank_account, 'bankAccountType', OLD.bank_account_type, 'isBank', OLD.is_bank, 'lastSyncedAt', OLD.last_synced_at, 'bankRecordFrom', OLD.bank_record_from), iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.opening_minor IS OLD.opening_minor, '$.opening', '$.""'), iif(NEW.closed IS OLD.closed, '$.closed', '$.""'), iif(NEW.bank_connection IS OLD.bank_connection, '$.bankConnection', '$.""'), iif(NEW.bank_account IS OLD.bank_account, '$.bankAccount', '$.""'), iif(NEW.bank_account_type IS OLD.bank_account_type, '$.bankAccountType', '$.""'), iif(NEW.is_bank IS OLD.is_bank, '$.isBank', '$.""'), iif(NEW.last_synced_at IS OLD.last_synced_at, '$.lastSyncedAt', '$.""'), iif(NEW.bank_record_from IS OLD.bank_record_from, '$.bankRecordFrom', '$.""')), json_remove(json_object('name', NEW.name, 'type', NEW.type, 'currency', NEW.currency, 'opening', NEW.opening_minor, 'closed', NEW.closed, 'bankConnection', NEW.bank_connection, 'bankAccount', NEW.bank_account, 'bankAccountType', NEW.bank_account_type, 'isBank', NEW.is_bank, 'lastSyncedAt', NEW.last_synced_at, 'bankRecordFrom', NEW.bank_record_from), iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.opening_minor IS OLD.opening_minor, '$.opening', '$.""'), iif(NEW.closed IS OLD.closed, '$.closed', '$.""'), iif(NEW.bank_connection IS OLD.bank_connection, '$.bankConnection', '$.""'), iif(NEW.bank_account IS OLD.bank_account, '$.bankAccount', '$.""'), iif(NEW.bank_account_type IS OLD.bank_account_type, '$.bankAccountType', '$.""'), iif(NEW.is_bank IS OLD.is_bank, '$.isBank', '$.""'), iif(NEW.last_synced_at IS OLD.last_synced_at, '$.lastSyncedAt', '$.""'), iif(NEW.bank_record_from IS OLD.bank_record_from, '$.bankRecordFrom', '$.""')) FROM sync;
        END;
        DROP TRIGGER transactions_record_update;
        CREATE TRIGGER transactions_record_update AFTER UPDATE OF kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee, note, tags, split, bank_transaction ON transactions
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.kind IS NOT OLD.kind OR NEW.date IS NOT OLD.date OR NEW.amount_minor IS NOT OLD.amount_minor OR NEW.currency IS NOT OLD.currency OR NEW.account IS NOT OLD.account OR NEW.account_minor IS NOT OLD.account_minor OR NEW.to_account IS NOT OLD.to_account OR NEW.to_minor IS NOT OLD.to_minor OR NEW.category IS NOT OLD.category OR NEW.payee IS NOT OLD.payee OR NEW.note IS NOT OLD.note OR NEW.tags IS NOT OLD.tags OR NEW.split IS NOT OLD.split OR NEW.bank_transaction IS NOT OLD.bank_transaction)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'transaction', NEW.id, json_remove(json_object('kind', OLD.kind, 'date', OLD.date, 'amount', OLD.amount_minor, 'currency', OLD.currency, 'account', OLD.account, 'accountAmount', OLD.account_minor, 'toAccount', OLD.to_account, 'toAmount', OLD.to_minor, 'category', OLD.category, 'payee', OLD.payee, 'note', OLD.note, 'tags', OLD.tags, 'split', OLD.split, 'bankTransaction', OLD.bank_transaction), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.date IS OLD.date, '$.date', '$.""'), iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.account IS OLD.account, '$.account', '$.""'), iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'), iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'), iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'), iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'), iif(NEW.split IS OLD.split, '$.split', '$.""'), iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""')), json_remove(json_object('kind', NEW.kind, 'date', NEW.date, 'amount', NEW.amount_minor, 'currency', NEW.currency, 'account', NEW.account, 'accountAmount', NEW.account_minor, 'toAccount', NEW.to_account, 'toAmount', NEW.to_minor, 'category', NEW.category, 'payee', NEW.payee, 'note', NEW.note, 'tags', NEW.tags, 'split', NEW.split, 'bankTransaction', NEW.bank_transaction), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.date IS OLD.date, '$.date', '$.""'), iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.account IS OLD.account, '$.account', '$.""'), iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'), iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'), iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'), iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'), iif(NEW.split IS OLD.split, '$.split', '$.""'), iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""')) FROM sync;
        END;
        CREATE TRIGGER bank_notes_record_insert AFTER INSERT ON bank_notes
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'bankNote', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER bank_notes_record_update AFTER UPDATE OF bank_transaction, category, payee, note, tags, hidden ON bank_notes
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.bank_transaction IS NOT OLD.bank_transaction OR NEW.category IS NOT OLD.category OR NEW.payee IS NOT OLD.payee OR NEW.note IS NOT OLD.note OR NEW.tags IS NOT OLD.tags OR NEW.hidden IS NOT OLD.hidden)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'bankNote', NEW.id, json_remove(json_object('bankTransaction', OLD.bank_transaction, 'category', OLD.category, 'payee', OLD.payee, 'note', OLD.note, 'tags', OLD.tags, 'hidden', OLD.hidden), iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'), iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'), iif(NEW.hidden IS OLD.hidden, '$.hidden', '$.""')), json_remove(json_object('bankTransaction', NEW.bank_transaction, 'category', NEW.category, 'payee', NEW.payee, 'note', NEW.note, 'tags', NEW.tags, 'hidden', NEW.hidden), iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'), iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'), iif(NEW.hidden IS OLD.hidden, '$.hidden', '$.""')) FROM sync;
        END;
        CREATE TRIGGER bank_notes_record_delete AFTER UPDATE OF deleted_at ON bank_notes
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'bankNote', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER bank_notes_record_restore AFTER UPDATE OF deleted_at ON bank_notes
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'bankNote', NEW.id, NULL, NULL FROM sync;
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
        DROP TRIGGER history_capture;
        CREATE TRIGGER history_capture AFTER INSERT ON history
          WHEN NEW.device IS NULL AND NEW.action IN ('create', 'patch', 'delete')
            AND (EXISTS (SELECT 1 FROM sync WHERE is_capturing
            AND (walk_rank IS NULL OR walk_rank > CASE NEW.kind WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3 WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 WHEN 'bankNote' THEN 7 END OR (walk_rank = CASE NEW.kind WHEN 'account' THEN 0 WHEN 'category' THEN 1 WHEN 'budget' THEN 2 WHEN 'preferences' THEN 3 WHEN 'conflict' THEN 4 WHEN 'transaction' THEN 5 WHEN 'schedule' THEN 6 WHEN 'bankNote' THEN 7 END AND walk_after >= NEW.id))) OR (NEW.action = 'delete' AND (SELECT is_capturing FROM sync)))
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
