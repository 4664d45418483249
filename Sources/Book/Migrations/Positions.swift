// Accounts and categories have places in lists, and categories can be archived.

/// Statements of the schema in which lists have an order that the user has chosen.
enum Positions {
    /// Adds columns and tables, and replaces the triggers that name the columns.
    static let sql = """
        ALTER TABLE accounts ADD COLUMN position TEXT CHECK (length(position) <= 64);
        ALTER TABLE categories ADD COLUMN position TEXT CHECK (length(position) <= 64);
        ALTER TABLE categories ADD COLUMN archived INTEGER CHECK (archived IN (0, 1));
        DROP TRIGGER accounts_record_update;
        CREATE TRIGGER accounts_record_update AFTER UPDATE OF
            name, type, currency, opening_minor, closed, bank_connection, bank_account, bank_account_type, is_bank,
            last_synced_at, bank_record_from, opening_day, position
          ON accounts
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.name IS NOT OLD.name OR NEW.type IS NOT OLD.type OR NEW.currency IS NOT OLD.currency
              OR NEW.opening_minor IS NOT OLD.opening_minor OR NEW.closed IS NOT OLD.closed
              OR NEW.bank_connection IS NOT OLD.bank_connection OR NEW.bank_account IS NOT OLD.bank_account
              OR NEW.bank_account_type IS NOT OLD.bank_account_type OR NEW.is_bank IS NOT OLD.is_bank
              OR NEW.last_synced_at IS NOT OLD.last_synced_at OR NEW.bank_record_from IS NOT OLD.bank_record_from
              OR NEW.opening_day IS NOT OLD.opening_day OR NEW.position IS NOT OLD.position
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'account', NEW.id,
              json_remove(
                json_object(
                  'name', OLD.name, 'type', OLD.type, 'currency', OLD.currency, 'opening', OLD.opening_minor,
                  'closed', OLD.closed, 'bankConnection', OLD.bank_connection, 'bankAccount', OLD.bank_account,
                  'bankAccountType', OLD.bank_account_type, 'isBank', OLD.is_bank, 'lastSyncedAt', OLD.last_synced_at,
                  'bankRecordFrom', OLD.bank_record_from, 'openingDay', OLD.opening_day, 'position', OLD.position
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
                iif(NEW.bank_record_from IS OLD.bank_record_from, '$.bankRecordFrom', '$.""'),
                iif(NEW.opening_day IS OLD.opening_day, '$.openingDay', '$.""'),
                iif(NEW.position IS OLD.position, '$.position', '$.""')
              ),
              json_remove(
                json_object(
                  'name', NEW.name, 'type', NEW.type, 'currency', NEW.currency, 'opening', NEW.opening_minor,
                  'closed', NEW.closed, 'bankConnection', NEW.bank_connection, 'bankAccount', NEW.bank_account,
                  'bankAccountType', NEW.bank_account_type, 'isBank', NEW.is_bank, 'lastSyncedAt', NEW.last_synced_at,
                  'bankRecordFrom', NEW.bank_record_from, 'openingDay', NEW.opening_day, 'position', NEW.position
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
                iif(NEW.bank_record_from IS OLD.bank_record_from, '$.bankRecordFrom', '$.""'),
                iif(NEW.opening_day IS OLD.opening_day, '$.openingDay', '$.""'),
                iif(NEW.position IS OLD.position, '$.position', '$.""')
              )
            FROM sync;
        END;
        DROP TRIGGER categories_record_update;
        CREATE TRIGGER categories_record_update AFTER UPDATE OF
            name, kind, icon, color, parent, position, archived
          ON categories
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.name IS NOT OLD.name OR NEW.kind IS NOT OLD.kind OR NEW.icon IS NOT OLD.icon
              OR NEW.color IS NOT OLD.color OR NEW.parent IS NOT OLD.parent OR NEW.position IS NOT OLD.position
              OR NEW.archived IS NOT OLD.archived
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'category', NEW.id,
              json_remove(
                json_object(
                  'name', OLD.name, 'kind', OLD.kind, 'icon', OLD.icon, 'color', OLD.color, 'parent', OLD.parent,
                  'position', OLD.position, 'archived', OLD.archived
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'),
                iif(NEW.icon IS OLD.icon, '$.icon', '$.""'), iif(NEW.color IS OLD.color, '$.color', '$.""'),
                iif(NEW.parent IS OLD.parent, '$.parent', '$.""'),
                iif(NEW.position IS OLD.position, '$.position', '$.""'),
                iif(NEW.archived IS OLD.archived, '$.archived', '$.""')
              ),
              json_remove(
                json_object(
                  'name', NEW.name, 'kind', NEW.kind, 'icon', NEW.icon, 'color', NEW.color, 'parent', NEW.parent,
                  'position', NEW.position, 'archived', NEW.archived
                ),
                iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'),
                iif(NEW.icon IS OLD.icon, '$.icon', '$.""'), iif(NEW.color IS OLD.color, '$.color', '$.""'),
                iif(NEW.parent IS OLD.parent, '$.parent', '$.""'),
                iif(NEW.position IS OLD.position, '$.position', '$.""'),
                iif(NEW.archived IS OLD.archived, '$.archived', '$.""')
              )
            FROM sync;
        END;
        """
}
