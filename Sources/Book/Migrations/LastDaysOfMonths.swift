// Schedules of the last day of each month, whatever its number.

/// Statements of the schema that has them.
enum LastDaysOfMonths {
    /// The column, and the trigger that notes its changes.
    static let sql = """
        ALTER TABLE schedules ADD COLUMN month_end INTEGER CHECK (month_end IN (0, 1));

        DROP TRIGGER schedules_record_update;
        CREATE TRIGGER schedules_record_update AFTER UPDATE OF
            kind, start_day, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee,
            note, tags, every, unit, end_day, shift, record, done_day, account_currency, to_currency, series, month_end
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
              OR NEW.series IS NOT OLD.series OR NEW.month_end IS NOT OLD.month_end
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
                  'toCurrency', OLD.to_currency, 'series', OLD.series, 'monthEnd', OLD.month_end
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
                iif(NEW.series IS OLD.series, '$.series', '$.""'),
                iif(NEW.month_end IS OLD.month_end, '$.monthEnd', '$.""')
              ),
              json_remove(
                json_object(
                  'kind', NEW.kind, 'start', NEW.start_day, 'amount', NEW.amount_minor, 'currency', NEW.currency,
                  'account', NEW.account, 'accountAmount', NEW.account_minor, 'toAccount', NEW.to_account,
                  'toAmount', NEW.to_minor, 'category', NEW.category, 'payee', NEW.payee, 'note', NEW.note,
                  'tags', NEW.tags, 'every', NEW.every, 'unit', NEW.unit, 'end', NEW.end_day, 'shift', NEW.shift,
                  'record', NEW.record, 'done', NEW.done_day, 'accountCurrency', NEW.account_currency,
                  'toCurrency', NEW.to_currency, 'series', NEW.series, 'monthEnd', NEW.month_end
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
                iif(NEW.series IS OLD.series, '$.series', '$.""'),
                iif(NEW.month_end IS OLD.month_end, '$.monthEnd', '$.""')
              )
            FROM sync;
        END;
        """
}
