// The twelfth schema of a book: accounts can be closed.
import Storage

/// `closed` is 1, or null for an open account.
let closingMigration = Migration(
    number: 12,
    name: "closing",
    since: "0.1.0",
    sql: """
        ALTER TABLE accounts ADD COLUMN closed INTEGER CHECK (closed IN (0, 1));
        DROP TRIGGER accounts_record_update;
        CREATE TRIGGER accounts_record_update AFTER UPDATE OF name, type, currency, opening_minor, closed ON accounts
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.name IS NOT OLD.name OR NEW.type IS NOT OLD.type OR NEW.currency IS NOT OLD.currency OR NEW.opening_minor IS NOT OLD.opening_minor OR NEW.closed IS NOT OLD.closed)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'account', NEW.id, json_remove(json_object('name', OLD.name, 'type', OLD.type, 'currency', OLD.currency, 'opening', OLD.opening_minor, 'closed', OLD.closed), iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.opening_minor IS OLD.opening_minor, '$.opening', '$.""'), iif(NEW.closed IS OLD.closed, '$.closed', '$.""')), json_remove(json_object('name', NEW.name, 'type', NEW.type, 'currency', NEW.currency, 'opening', NEW.opening_minor, 'closed', NEW.closed), iif(NEW.name IS OLD.name, '$.name', '$.""'), iif(NEW.type IS OLD.type, '$.type', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.opening_minor IS OLD.opening_minor, '$.opening', '$.""'), iif(NEW.closed IS OLD.closed, '$.closed', '$.""')) FROM sync;
        END;
        """
)
