// The eighteenth schema of a book: the number of changes of each month, for cached sums.
import Storage

/// `month_changes` counts the changes of the transactions of each month: of what reports add up, and of the accounts
/// and categories that decide how it counts. The numbers only grow, so that equal numbers mean equal transactions. Not
/// synced.
let monthChangesMigration = Migration(
    number: 18,
    name: "changes of months",
    since: "0.1.0",
    sql: """
        CREATE TABLE month_changes (
          month   INTEGER NOT NULL PRIMARY KEY,
          changes INTEGER NOT NULL CHECK (changes > 0)
        ) STRICT;

        CREATE TRIGGER transactions_month_insert AFTER INSERT ON transactions BEGIN
          INSERT INTO month_changes VALUES (NEW.month, 1) ON CONFLICT DO UPDATE SET changes = changes + 1;
        END;
        CREATE TRIGGER transactions_month_update AFTER UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, category, payee, split, deleted_at ON transactions
        BEGIN
          INSERT INTO month_changes VALUES (OLD.month, 1), (NEW.month, 1)
            ON CONFLICT DO UPDATE SET changes = changes + 1;
        END;
        CREATE TRIGGER transactions_month_delete AFTER DELETE ON transactions BEGIN
          INSERT INTO month_changes VALUES (OLD.month, 1) ON CONFLICT DO UPDATE SET changes = changes + 1;
        END;

        CREATE TRIGGER accounts_month_insert AFTER INSERT ON accounts BEGIN
          UPDATE month_changes SET changes = changes + 1;
        END;
        CREATE TRIGGER accounts_month_update AFTER UPDATE OF currency ON accounts
          WHEN NEW.currency <> OLD.currency BEGIN
          UPDATE month_changes SET changes = changes + 1;
        END;
        CREATE TRIGGER categories_month_insert AFTER INSERT ON categories BEGIN
          UPDATE month_changes SET changes = changes + 1;
        END;
        CREATE TRIGGER categories_month_update AFTER UPDATE OF kind ON categories WHEN NEW.kind <> OLD.kind BEGIN
          UPDATE month_changes SET changes = changes + 1;
        END;
        """
)
