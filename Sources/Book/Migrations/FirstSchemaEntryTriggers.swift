// The triggers of the first schema of a book that note each change of entries in the history. The declaration
// of the fields makes them: see AddingAField.

extension FirstSchema {
    /// A patch has the fields that differ. Each trigger is kept in memory by every connection, so that the fields are named
    /// here, and not in the triggers of the outbox as well.
    static let entryTriggers = """
        CREATE TRIGGER transactions_record_insert AFTER INSERT ON transactions
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'transaction', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER transactions_record_update AFTER UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee, note,
            tags, split, bank_transaction
          ON transactions
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.kind IS NOT OLD.kind OR NEW.date IS NOT OLD.date OR NEW.amount_minor IS NOT OLD.amount_minor
              OR NEW.currency IS NOT OLD.currency OR NEW.account IS NOT OLD.account
              OR NEW.account_minor IS NOT OLD.account_minor OR NEW.to_account IS NOT OLD.to_account
              OR NEW.to_minor IS NOT OLD.to_minor OR NEW.category IS NOT OLD.category OR NEW.payee IS NOT OLD.payee
              OR NEW.note IS NOT OLD.note OR NEW.tags IS NOT OLD.tags OR NEW.split IS NOT OLD.split
              OR NEW.bank_transaction IS NOT OLD.bank_transaction
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'transaction', NEW.id,
              json_remove(
                json_object(
                  'kind', OLD.kind, 'date', OLD.date, 'amount', OLD.amount_minor, 'currency', OLD.currency,
                  'account', OLD.account, 'accountAmount', OLD.account_minor, 'toAccount', OLD.to_account,
                  'toAmount', OLD.to_minor, 'category', OLD.category, 'payee', OLD.payee, 'note', OLD.note,
                  'tags', OLD.tags, 'split', OLD.split, 'bankTransaction', OLD.bank_transaction
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
                iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""')
              ),
              json_remove(
                json_object(
                  'kind', NEW.kind, 'date', NEW.date, 'amount', NEW.amount_minor, 'currency', NEW.currency,
                  'account', NEW.account, 'accountAmount', NEW.account_minor, 'toAccount', NEW.to_account,
                  'toAmount', NEW.to_minor, 'category', NEW.category, 'payee', NEW.payee, 'note', NEW.note,
                  'tags', NEW.tags, 'split', NEW.split, 'bankTransaction', NEW.bank_transaction
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
                iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""')
              )
            FROM sync;
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

        CREATE TRIGGER schedules_record_insert AFTER INSERT ON schedules
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'schedule', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER schedules_record_update AFTER UPDATE OF
            kind, start_day, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee,
            note, tags, every, unit, end_day, shift, record, done_day, account_currency, to_currency, series
          ON schedules
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.kind IS NOT OLD.kind OR NEW.start_day IS NOT OLD.start_day OR NEW.amount_minor IS NOT OLD.amount_minor
              OR NEW.currency IS NOT OLD.currency OR NEW.account IS NOT OLD.account
              OR NEW.account_minor IS NOT OLD.account_minor OR NEW.to_account IS NOT OLD.to_account
              OR NEW.to_minor IS NOT OLD.to_minor OR NEW.category IS NOT OLD.category OR NEW.payee IS NOT OLD.payee
              OR NEW.note IS NOT OLD.note OR NEW.tags IS NOT OLD.tags OR NEW.every IS NOT OLD.every
              OR NEW.unit IS NOT OLD.unit OR NEW.end_day IS NOT OLD.end_day OR NEW.shift IS NOT OLD.shift
              OR NEW.record IS NOT OLD.record OR NEW.done_day IS NOT OLD.done_day
              OR NEW.account_currency IS NOT OLD.account_currency OR NEW.to_currency IS NOT OLD.to_currency
              OR NEW.series IS NOT OLD.series
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'schedule', NEW.id,
              json_remove(
                json_object(
                  'kind', OLD.kind, 'start', OLD.start_day, 'amount', OLD.amount_minor, 'currency', OLD.currency,
                  'account', OLD.account, 'accountAmount', OLD.account_minor, 'toAccount', OLD.to_account,
                  'toAmount', OLD.to_minor, 'category', OLD.category, 'payee', OLD.payee, 'note', OLD.note,
                  'tags', OLD.tags, 'every', OLD.every, 'unit', OLD.unit, 'end', OLD.end_day, 'shift', OLD.shift,
                  'record', OLD.record, 'done', OLD.done_day, 'accountCurrency', OLD.account_currency,
                  'toCurrency', OLD.to_currency, 'series', OLD.series
                ),
                iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.start_day IS OLD.start_day, '$.start', '$.""'),
                iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'),
                iif(NEW.currency IS OLD.currency, '$.currency', '$.""'),
                iif(NEW.account IS OLD.account, '$.account', '$.""'),
                iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'),
                iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'),
                iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'),
                iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'),
                iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'),
                iif(NEW.every IS OLD.every, '$.every', '$.""'), iif(NEW.unit IS OLD.unit, '$.unit', '$.""'),
                iif(NEW.end_day IS OLD.end_day, '$.end', '$.""'), iif(NEW.shift IS OLD.shift, '$.shift', '$.""'),
                iif(NEW.record IS OLD.record, '$.record', '$.""'), iif(NEW.done_day IS OLD.done_day, '$.done', '$.""'),
                iif(NEW.account_currency IS OLD.account_currency, '$.accountCurrency', '$.""'),
                iif(NEW.to_currency IS OLD.to_currency, '$.toCurrency', '$.""'),
                iif(NEW.series IS OLD.series, '$.series', '$.""')
              ),
              json_remove(
                json_object(
                  'kind', NEW.kind, 'start', NEW.start_day, 'amount', NEW.amount_minor, 'currency', NEW.currency,
                  'account', NEW.account, 'accountAmount', NEW.account_minor, 'toAccount', NEW.to_account,
                  'toAmount', NEW.to_minor, 'category', NEW.category, 'payee', NEW.payee, 'note', NEW.note,
                  'tags', NEW.tags, 'every', NEW.every, 'unit', NEW.unit, 'end', NEW.end_day, 'shift', NEW.shift,
                  'record', NEW.record, 'done', NEW.done_day, 'accountCurrency', NEW.account_currency,
                  'toCurrency', NEW.to_currency, 'series', NEW.series
                ),
                iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.start_day IS OLD.start_day, '$.start', '$.""'),
                iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'),
                iif(NEW.currency IS OLD.currency, '$.currency', '$.""'),
                iif(NEW.account IS OLD.account, '$.account', '$.""'),
                iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'),
                iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'),
                iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'),
                iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'),
                iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'),
                iif(NEW.every IS OLD.every, '$.every', '$.""'), iif(NEW.unit IS OLD.unit, '$.unit', '$.""'),
                iif(NEW.end_day IS OLD.end_day, '$.end', '$.""'), iif(NEW.shift IS OLD.shift, '$.shift', '$.""'),
                iif(NEW.record IS OLD.record, '$.record', '$.""'), iif(NEW.done_day IS OLD.done_day, '$.done', '$.""'),
                iif(NEW.account_currency IS OLD.account_currency, '$.accountCurrency', '$.""'),
                iif(NEW.to_currency IS OLD.to_currency, '$.toCurrency', '$.""'),
                iif(NEW.series IS OLD.series, '$.series', '$.""')
              )
            FROM sync;
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
        """
}
