// The triggers of the first schema of a book that note each change of other rows in the history. The declaration
// of the fields makes them: see AddingAField.

extension FirstSchema {
    /// The same of the rows that entries refer to, or that refer to entries.
    static let recordingTriggers = """
        CREATE TRIGGER accounts_record_insert AFTER INSERT ON accounts
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'account', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER accounts_record_update AFTER UPDATE OF
            name, type, currency, opening_minor, closed, bank_connection, bank_account, bank_account_type, is_bank,
            last_synced_at, bank_record_from
          ON accounts
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.name IS NOT OLD.name OR NEW.type IS NOT OLD.type OR NEW.currency IS NOT OLD.currency
              OR NEW.opening_minor IS NOT OLD.opening_minor OR NEW.closed IS NOT OLD.closed
              OR NEW.bank_connection IS NOT OLD.bank_connection OR NEW.bank_account IS NOT OLD.bank_account
              OR NEW.bank_account_type IS NOT OLD.bank_account_type OR NEW.is_bank IS NOT OLD.is_bank
              OR NEW.last_synced_at IS NOT OLD.last_synced_at OR NEW.bank_record_from IS NOT OLD.bank_record_from
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'account', NEW.id,
              json_remove(
                json_object(
                  'name', OLD.name, 'type', OLD.type, 'currency', OLD.currency, 'opening', OLD.opening_minor,
                  'closed', OLD.closed, 'bankConnection', OLD.bank_connection, 'bankAccount', OLD.bank_account,
                  'bankAccountType', OLD.bank_account_type, 'isBank', OLD.is_bank, 'lastSyncedAt', OLD.last_synced_at,
                  'bankRecordFrom', OLD.bank_record_from
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'),
                iif(NEW.currency IS OLD.currency, '$.currency', '$.""'),
                iif(NEW.opening_minor IS OLD.opening_minor, '$.opening', '$.""'),
                iif(NEW.closed IS OLD.closed, '$.closed', '$.""'),
                iif(NEW.bank_connection IS OLD.bank_connection, '$.bankConnection', '$.""'),
                iif(NEW.bank_account IS OLD.bank_account, '$.bankAccount', '$.""'),
                iif(NEW.bank_account_type IS OLD.bank_account_type, '$.bankAccountType', '$.""'),
                iif(NEW.is_bank IS OLD.is_bank, '$.isBank', '$.""'),
                iif(NEW.last_synced_at IS OLD.last_synced_at, '$.lastSyncedAt', '$.""'),
                iif(NEW.bank_record_from IS OLD.bank_record_from, '$.bankRecordFrom', '$.""')
              ),
              json_remove(
                json_object(
                  'name', NEW.name, 'type', NEW.type, 'currency', NEW.currency, 'opening', NEW.opening_minor,
                  'closed', NEW.closed, 'bankConnection', NEW.bank_connection, 'bankAccount', NEW.bank_account,
                  'bankAccountType', NEW.bank_account_type, 'isBank', NEW.is_bank, 'lastSyncedAt', NEW.last_synced_at,
                  'bankRecordFrom', NEW.bank_record_from
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'),
                iif(NEW.currency IS OLD.currency, '$.currency', '$.""'),
                iif(NEW.opening_minor IS OLD.opening_minor, '$.opening', '$.""'),
                iif(NEW.closed IS OLD.closed, '$.closed', '$.""'),
                iif(NEW.bank_connection IS OLD.bank_connection, '$.bankConnection', '$.""'),
                iif(NEW.bank_account IS OLD.bank_account, '$.bankAccount', '$.""'),
                iif(NEW.bank_account_type IS OLD.bank_account_type, '$.bankAccountType', '$.""'),
                iif(NEW.is_bank IS OLD.is_bank, '$.isBank', '$.""'),
                iif(NEW.last_synced_at IS OLD.last_synced_at, '$.lastSyncedAt', '$.""'),
                iif(NEW.bank_record_from IS OLD.bank_record_from, '$.bankRecordFrom', '$.""')
              )
            FROM sync;
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

        CREATE TRIGGER categories_record_insert AFTER INSERT ON categories
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'category', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER categories_record_update AFTER UPDATE OF
            name, kind, icon, color, parent
          ON categories
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.name IS NOT OLD.name OR NEW.kind IS NOT OLD.kind OR NEW.icon IS NOT OLD.icon
              OR NEW.color IS NOT OLD.color OR NEW.parent IS NOT OLD.parent
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'category', NEW.id,
              json_remove(
                json_object(
                  'name', OLD.name, 'kind', OLD.kind, 'icon', OLD.icon, 'color', OLD.color, 'parent', OLD.parent
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'),
                iif(NEW.icon IS OLD.icon, '$.icon', '$.""'), iif(NEW.color IS OLD.color, '$.color', '$.""'),
                iif(NEW.parent IS OLD.parent, '$.parent', '$.""')
              ),
              json_remove(
                json_object(
                  'name', NEW.name, 'kind', NEW.kind, 'icon', NEW.icon, 'color', NEW.color, 'parent', NEW.parent
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'),
                iif(NEW.icon IS OLD.icon, '$.icon', '$.""'), iif(NEW.color IS OLD.color, '$.color', '$.""'),
                iif(NEW.parent IS OLD.parent, '$.parent', '$.""')
              )
            FROM sync;
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

        CREATE TRIGGER budgets_record_insert AFTER INSERT ON budgets
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'budget', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER budgets_record_update AFTER UPDATE OF
            category, limit_minor, currency, from_month, rollover, until_month, carry_from, pace
          ON budgets
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.category IS NOT OLD.category OR NEW.limit_minor IS NOT OLD.limit_minor
              OR NEW.currency IS NOT OLD.currency OR NEW.from_month IS NOT OLD.from_month
              OR NEW.rollover IS NOT OLD.rollover OR NEW.until_month IS NOT OLD.until_month
              OR NEW.carry_from IS NOT OLD.carry_from OR NEW.pace IS NOT OLD.pace
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'budget', NEW.id,
              json_remove(
                json_object(
                  'category', OLD.category, 'limit', OLD.limit_minor, 'currency', OLD.currency, 'from', OLD.from_month,
                  'rollover', OLD.rollover, 'until', OLD.until_month, 'carryFrom', OLD.carry_from, 'pace', OLD.pace
                ),
                iif(NEW.category IS OLD.category, '$.category', '$.""'),
                iif(NEW.limit_minor IS OLD.limit_minor, '$.limit', '$.""'),
                iif(NEW.currency IS OLD.currency, '$.currency', '$.""'),
                iif(NEW.from_month IS OLD.from_month, '$.from', '$.""'),
                iif(NEW.rollover IS OLD.rollover, '$.rollover', '$.""'),
                iif(NEW.until_month IS OLD.until_month, '$.until', '$.""'),
                iif(NEW.carry_from IS OLD.carry_from, '$.carryFrom', '$.""'),
                iif(NEW.pace IS OLD.pace, '$.pace', '$.""')
              ),
              json_remove(
                json_object(
                  'category', NEW.category, 'limit', NEW.limit_minor, 'currency', NEW.currency, 'from', NEW.from_month,
                  'rollover', NEW.rollover, 'until', NEW.until_month, 'carryFrom', NEW.carry_from, 'pace', NEW.pace
                ),
                iif(NEW.category IS OLD.category, '$.category', '$.""'),
                iif(NEW.limit_minor IS OLD.limit_minor, '$.limit', '$.""'),
                iif(NEW.currency IS OLD.currency, '$.currency', '$.""'),
                iif(NEW.from_month IS OLD.from_month, '$.from', '$.""'),
                iif(NEW.rollover IS OLD.rollover, '$.rollover', '$.""'),
                iif(NEW.until_month IS OLD.until_month, '$.until', '$.""'),
                iif(NEW.carry_from IS OLD.carry_from, '$.carryFrom', '$.""'),
                iif(NEW.pace IS OLD.pace, '$.pace', '$.""')
              )
            FROM sync;
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

        CREATE TRIGGER preferences_record_insert AFTER INSERT ON preferences
          WHEN (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'preferences', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER preferences_record_update AFTER UPDATE OF
            base_currency, secondary_currencies, week_start, conflict_policy, theme, locale, time_zone
          ON preferences
          WHEN (
              NEW.base_currency IS NOT OLD.base_currency OR NEW.secondary_currencies IS NOT OLD.secondary_currencies
              OR NEW.week_start IS NOT OLD.week_start OR NEW.conflict_policy IS NOT OLD.conflict_policy
              OR NEW.theme IS NOT OLD.theme OR NEW.locale IS NOT OLD.locale OR NEW.time_zone IS NOT OLD.time_zone
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'preferences', NEW.id,
              json_remove(
                json_object(
                  'baseCurrency', OLD.base_currency, 'secondaryCurrencies', OLD.secondary_currencies,
                  'weekStart', OLD.week_start, 'conflictPolicy', OLD.conflict_policy, 'theme', OLD.theme,
                  'locale', OLD.locale, 'timeZone', OLD.time_zone
                ),
                iif(NEW.base_currency IS OLD.base_currency, '$.baseCurrency', '$.""'),
                iif(NEW.secondary_currencies IS OLD.secondary_currencies, '$.secondaryCurrencies', '$.""'),
                iif(NEW.week_start IS OLD.week_start, '$.weekStart', '$.""'),
                iif(NEW.conflict_policy IS OLD.conflict_policy, '$.conflictPolicy', '$.""'),
                iif(NEW.theme IS OLD.theme, '$.theme', '$.""'), iif(NEW.locale IS OLD.locale, '$.locale', '$.""'),
                iif(NEW.time_zone IS OLD.time_zone, '$.timeZone', '$.""')
              ),
              json_remove(
                json_object(
                  'baseCurrency', NEW.base_currency, 'secondaryCurrencies', NEW.secondary_currencies,
                  'weekStart', NEW.week_start, 'conflictPolicy', NEW.conflict_policy, 'theme', NEW.theme,
                  'locale', NEW.locale, 'timeZone', NEW.time_zone
                ),
                iif(NEW.base_currency IS OLD.base_currency, '$.baseCurrency', '$.""'),
                iif(NEW.secondary_currencies IS OLD.secondary_currencies, '$.secondaryCurrencies', '$.""'),
                iif(NEW.week_start IS OLD.week_start, '$.weekStart', '$.""'),
                iif(NEW.conflict_policy IS OLD.conflict_policy, '$.conflictPolicy', '$.""'),
                iif(NEW.theme IS OLD.theme, '$.theme', '$.""'), iif(NEW.locale IS OLD.locale, '$.locale', '$.""'),
                iif(NEW.time_zone IS OLD.time_zone, '$.timeZone', '$.""')
              )
            FROM sync;
        END;

        CREATE TRIGGER bank_notes_record_insert AFTER INSERT ON bank_notes
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'bankNote', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER bank_notes_record_update AFTER UPDATE OF
            bank_transaction, category, payee, note, tags, hidden
          ON bank_notes
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.bank_transaction IS NOT OLD.bank_transaction OR NEW.category IS NOT OLD.category
              OR NEW.payee IS NOT OLD.payee OR NEW.note IS NOT OLD.note OR NEW.tags IS NOT OLD.tags
              OR NEW.hidden IS NOT OLD.hidden
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'bankNote', NEW.id,
              json_remove(
                json_object(
                  'bankTransaction', OLD.bank_transaction, 'category', OLD.category, 'payee', OLD.payee,
                  'note', OLD.note, 'tags', OLD.tags, 'hidden', OLD.hidden
                ),
                iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""'),
                iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'),
                iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'),
                iif(NEW.hidden IS OLD.hidden, '$.hidden', '$.""')
              ),
              json_remove(
                json_object(
                  'bankTransaction', NEW.bank_transaction, 'category', NEW.category, 'payee', NEW.payee,
                  'note', NEW.note, 'tags', NEW.tags, 'hidden', NEW.hidden
                ),
                iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""'),
                iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'),
                iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'),
                iif(NEW.hidden IS OLD.hidden, '$.hidden', '$.""')
              )
            FROM sync;
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

        CREATE TRIGGER receipts_record_insert AFTER INSERT ON receipts
          WHEN NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'receipt', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER receipts_record_update AFTER UPDATE OF
            transaction_id, name, type, size, sha256, width, height, created
          ON receipts
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.transaction_id IS NOT OLD.transaction_id OR NEW.name IS NOT OLD.name OR NEW.type IS NOT OLD.type
              OR NEW.size IS NOT OLD.size OR NEW.sha256 IS NOT OLD.sha256 OR NEW.width IS NOT OLD.width
              OR NEW.height IS NOT OLD.height OR NEW.created IS NOT OLD.created
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'receipt', NEW.id,
              json_remove(
                json_object(
                  'transaction', OLD.transaction_id, 'name', OLD.name, 'type', OLD.type, 'size', OLD.size,
                  'sha256', OLD.sha256, 'width', OLD.width, 'height', OLD.height, 'created', OLD.created
                ),
                iif(NEW.transaction_id IS OLD.transaction_id, '$.transaction', '$.""'),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'),
                iif(NEW.size IS OLD.size, '$.size', '$.""'), iif(NEW.sha256 IS OLD.sha256, '$.sha256', '$.""'),
                iif(NEW.width IS OLD.width, '$.width', '$.""'), iif(NEW.height IS OLD.height, '$.height', '$.""'),
                iif(NEW.created IS OLD.created, '$.created', '$.""')
              ),
              json_remove(
                json_object(
                  'transaction', NEW.transaction_id, 'name', NEW.name, 'type', NEW.type, 'size', NEW.size,
                  'sha256', NEW.sha256, 'width', NEW.width, 'height', NEW.height, 'created', NEW.created
                ),
                iif(NEW.transaction_id IS OLD.transaction_id, '$.transaction', '$.""'),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'),
                iif(NEW.size IS OLD.size, '$.size', '$.""'), iif(NEW.sha256 IS OLD.sha256, '$.sha256', '$.""'),
                iif(NEW.width IS OLD.width, '$.width', '$.""'), iif(NEW.height IS OLD.height, '$.height', '$.""'),
                iif(NEW.created IS OLD.created, '$.created', '$.""')
              )
            FROM sync;
        END;
        CREATE TRIGGER receipts_record_delete AFTER UPDATE OF deleted_at ON receipts
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'delete', 'receipt', NEW.id, NULL, NULL FROM sync;
        END;
        CREATE TRIGGER receipts_record_restore AFTER UPDATE OF deleted_at ON receipts
          WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'create', 'receipt', NEW.id, NULL, NULL FROM sync;
        END;
        """
}
