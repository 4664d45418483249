// The eighth schema of a book: a hash of its rows, for the comparison with the cloud's.
import Storage

/// The one row of `agreement` holds the sum of `row_hashes` and the state of the handling of differences from
/// the cloud. Triggers record changed rows in `due_hashes`, without their fields, which every connection
/// would have to hold in memory. The hashes are updated before they are compared.
let hashesMigration = Migration(
    number: 8,
    name: "hashes",
    since: "0.1.0",
    sql: """
        CREATE TABLE agreement (
          only_row    INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
          hash        INTEGER NOT NULL DEFAULT 0,
          -- The download under way puts a difference right.
          is_mending  INTEGER NOT NULL DEFAULT 0 CHECK (is_mending IN (0, 1)),
          -- What that download has found: how many rows, and some of them; null where there is nothing to tell.
          found_rows  INTEGER,
          found       TEXT,
          -- When the first of the last `mends` began, in UTC seconds.
          mended_at   INTEGER NOT NULL DEFAULT 0,
          mends       INTEGER NOT NULL DEFAULT 0,
          -- Whether book and cloud have not agreed since the last one, and whether that was told.
          is_doubtful INTEGER NOT NULL DEFAULT 0 CHECK (is_doubtful IN (0, 1)),
          is_told     INTEGER NOT NULL DEFAULT 0 CHECK (is_told IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        INSERT INTO agreement (only_row) VALUES (1);

        CREATE TABLE row_hashes (
          kind        TEXT    NOT NULL,
          id          TEXT    NOT NULL,
          hash        INTEGER NOT NULL,
          PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE due_hashes (
          kind        TEXT    NOT NULL,
          id          TEXT    NOT NULL,
          PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;
        -- Rows that the cloud holds otherwise than this schema can: the hash there less the hash here.
        CREATE TABLE deviations (
          kind        TEXT    NOT NULL,
          id          TEXT    NOT NULL,
          hash        INTEGER NOT NULL,
          PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER accounts_due_insert AFTER INSERT ON accounts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('account', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER accounts_due_update AFTER UPDATE ON accounts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('account', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER accounts_due_delete AFTER DELETE ON accounts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('account', OLD.id) ON CONFLICT DO NOTHING;
        END;
        INSERT INTO due_hashes (kind, id) SELECT 'account', id FROM accounts;
        CREATE TRIGGER categories_due_insert AFTER INSERT ON categories BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('category', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER categories_due_update AFTER UPDATE ON categories BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('category', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER categories_due_delete AFTER DELETE ON categories BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('category', OLD.id) ON CONFLICT DO NOTHING;
        END;
        INSERT INTO due_hashes (kind, id) SELECT 'category', id FROM categories;
        CREATE TRIGGER budgets_due_insert AFTER INSERT ON budgets BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('budget', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER budgets_due_update AFTER UPDATE ON budgets BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('budget', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER budgets_due_delete AFTER DELETE ON budgets BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('budget', OLD.id) ON CONFLICT DO NOTHING;
        END;
        INSERT INTO due_hashes (kind, id) SELECT 'budget', id FROM budgets;
        CREATE TRIGGER preferences_due_insert AFTER INSERT ON preferences BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('preferences', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER preferences_due_update AFTER UPDATE ON preferences BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('preferences', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER preferences_due_delete AFTER DELETE ON preferences BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('preferences', OLD.id) ON CONFLICT DO NOTHING;
        END;
        INSERT INTO due_hashes (kind, id) SELECT 'preferences', id FROM preferences;
        CREATE TRIGGER conflicts_due_insert AFTER INSERT ON conflicts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('conflict', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER conflicts_due_update AFTER UPDATE ON conflicts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('conflict', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER conflicts_due_delete AFTER DELETE ON conflicts BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('conflict', OLD.id) ON CONFLICT DO NOTHING;
        END;
        INSERT INTO due_hashes (kind, id) SELECT 'conflict', id FROM conflicts;
        CREATE TRIGGER transactions_due_insert AFTER INSERT ON transactions BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('transaction', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER transactions_due_update AFTER UPDATE ON transactions BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('transaction', NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER transactions_due_delete AFTER DELETE ON transactions BEGIN
          INSERT INTO due_hashes (kind, id) VALUES ('transaction', OLD.id) ON CONFLICT DO NOTHING;
        END;
        INSERT INTO due_hashes (kind, id) SELECT 'transaction', id FROM transactions;
        CREATE TRIGGER foreign_rows_due_insert AFTER INSERT ON foreign_rows BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (NEW.kind, NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER deviations_due_insert AFTER INSERT ON deviations BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (NEW.kind, NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER foreign_rows_due_update AFTER UPDATE ON foreign_rows BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (NEW.kind, NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER deviations_due_update AFTER UPDATE ON deviations BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (NEW.kind, NEW.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER foreign_rows_due_delete AFTER DELETE ON foreign_rows BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (OLD.kind, OLD.id) ON CONFLICT DO NOTHING;
        END;
        CREATE TRIGGER deviations_due_delete AFTER DELETE ON deviations BEGIN
          INSERT INTO due_hashes (kind, id) VALUES (OLD.kind, OLD.id) ON CONFLICT DO NOTHING;
        END;
        INSERT INTO due_hashes (kind, id) SELECT kind, id FROM foreign_rows WHERE true ON CONFLICT DO NOTHING;
        """
)
