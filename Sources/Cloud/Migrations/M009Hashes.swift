// The ninth schema of the cloud: a hash of each account's live rows.
import Storage

/// `rows_hash` is the sum of the hashes of an account's live rows, updated by each push; NULL if it has to be
/// computed, as after this migration. `entities.hash` is the hash of a row, 0 if it is deleted, NULL if no
/// push has computed it.
///
/// A change of a row without its hash is not a push: it was made by hand, or by a fault. The triggers then
/// have the hash of the account computed again, so that its devices detect the difference.
let cloudHashesMigration = Migration(
    number: 9,
    name: "hashes",
    since: "0.1.0",
    sql: """
        ALTER TABLE sync_accounts ADD COLUMN rows_hash INTEGER;
        ALTER TABLE entities ADD COLUMN hash INTEGER;
        CREATE TRIGGER entities_changed AFTER UPDATE OF fields, is_deleted ON entities
          WHEN NEW.hash IS OLD.hash AND (NEW.fields <> OLD.fields OR NEW.is_deleted <> OLD.is_deleted) BEGIN
          UPDATE sync_accounts SET rows_hash = NULL WHERE number = NEW.account;
        END;
        CREATE TRIGGER entities_added AFTER INSERT ON entities
          WHEN NEW.hash IS NULL AND NEW.is_deleted = 0 BEGIN
          UPDATE sync_accounts SET rows_hash = NULL WHERE number = NEW.account;
        END;
        CREATE TRIGGER entities_removed AFTER DELETE ON entities WHEN OLD.is_deleted = 0 BEGIN
          UPDATE sync_accounts SET rows_hash = NULL WHERE number = OLD.account AND rows_hash IS NOT NULL;
        END;
        """
)
