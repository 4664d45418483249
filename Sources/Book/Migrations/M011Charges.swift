// The eleventh schema of a book: budgets that end, carry over and have a pace, and sums of what accounts were charged.
import Storage

/// `charged_months` counts each live expense and income once: `minor` in the currency of the transaction,
/// `account_minor` in the currency of the account, which may change and is therefore not stored here. A row whose
/// count is zero may stay.
let chargesMigration = Migration(
    number: 11,
    name: "charges",
    since: "0.1.0",
    sql: """
        ALTER TABLE budgets ADD COLUMN until_month INTEGER CHECK (until_month BETWEEN 12 AND 119999);
        ALTER TABLE budgets ADD COLUMN carry_from INTEGER CHECK (carry_from BETWEEN 12 AND 119999);
        ALTER TABLE budgets ADD COLUMN pace TEXT CHECK (pace IN ('spread', 'once'));
        DROP TRIGGER budgets_record_update;
        CREATE TRIGGER budgets_record_update AFTER UPDATE OF category, limit_minor, currency, from_month, rollover, until_month, carry_from, pace ON budgets
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.category IS NOT OLD.category OR NEW.limit_minor IS NOT OLD.limit_minor OR NEW.currency IS NOT OLD.currency OR NEW.from_month IS NOT OLD.from_month OR NEW.rollover IS NOT OLD.rollover OR NEW.until_month IS NOT OLD.until_month OR NEW.carry_from IS NOT OLD.carry_from OR NEW.pace IS NOT OLD.pace)
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'budget', NEW.id, json_remove(json_object('category', OLD.category, 'limit', OLD.limit_minor, 'currency', OLD.currency, 'from', OLD.from_month, 'rollover', OLD.rollover, 'until', OLD.until_month, 'carryFrom', OLD.carry_from, 'pace', OLD.pace), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.limit_minor IS OLD.limit_minor, '$.limit', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.from_month IS OLD.from_month, '$.from', '$.""'), iif(NEW.rollover IS OLD.rollover, '$.rollover', '$.""'), iif(NEW.until_month IS OLD.until_month, '$.until', '$.""'), iif(NEW.carry_from IS OLD.carry_from, '$.carryFrom', '$.""'), iif(NEW.pace IS OLD.pace, '$.pace', '$.""')), json_remove(json_object('category', NEW.category, 'limit', NEW.limit_minor, 'currency', NEW.currency, 'from', NEW.from_month, 'rollover', NEW.rollover, 'until', NEW.until_month, 'carryFrom', NEW.carry_from, 'pace', NEW.pace), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.limit_minor IS OLD.limit_minor, '$.limit', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.from_month IS OLD.from_month, '$.from', '$.""'), iif(NEW.rollover IS OLD.rollover, '$.rollover', '$.""'), iif(NEW.until_month IS OLD.until_month, '$.until', '$.""'), iif(NEW.carry_from IS OLD.carry_from, '$.carryFrom', '$.""'), iif(NEW.pace IS OLD.pace, '$.pace', '$.""')) FROM sync;
        END;

        CREATE TABLE charged_months (
          month         INTEGER NOT NULL,
          category      TEXT    NOT NULL,
          kind          TEXT    NOT NULL,
          account       TEXT    NOT NULL,
          currency      TEXT    NOT NULL,
          count         INTEGER NOT NULL CHECK (count >= 0),
          minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor >= 0),
          account_minor INTEGER NOT NULL CONSTRAINT overflow CHECK (account_minor >= 0),
          PRIMARY KEY (month, category, kind, account, currency)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX charged_months_by_category ON charged_months (category, kind, month);
        INSERT INTO charged_months
          SELECT month, ifnull(category, ''), kind, account, currency, count(*), sum(amount_minor), sum(account_minor)
          FROM transactions WHERE deleted_at IS NULL AND kind <> 'transfer' GROUP BY 1, 2, 3, 4, 5;
        CREATE TRIGGER transactions_charged_insert AFTER INSERT ON transactions
          WHEN NEW.deleted_at IS NULL AND NEW.kind <> 'transfer' BEGIN
          INSERT INTO charged_months
            VALUES (NEW.month, ifnull(NEW.category, ''), NEW.kind, NEW.account, NEW.currency, 1, NEW.amount_minor, NEW.account_minor)
            ON CONFLICT DO UPDATE SET
              count = count + 1, minor = minor + excluded.minor, account_minor = account_minor + excluded.account_minor;
        END;
        CREATE TRIGGER transactions_charged_update_out BEFORE UPDATE OF
          kind, date, amount_minor, currency, account, account_minor, category, deleted_at ON transactions
          WHEN OLD.deleted_at IS NULL AND OLD.kind <> 'transfer' BEGIN
          UPDATE charged_months
            SET count = count - 1, minor = minor - OLD.amount_minor, account_minor = account_minor - OLD.account_minor
            WHERE month = OLD.month AND category = ifnull(OLD.category, '') AND kind = OLD.kind
              AND account = OLD.account AND currency = OLD.currency;
        END;
        CREATE TRIGGER transactions_charged_update_in AFTER UPDATE OF
          kind, date, amount_minor, currency, account, account_minor, category, deleted_at ON transactions
          WHEN NEW.deleted_at IS NULL AND NEW.kind <> 'transfer' BEGIN
          INSERT INTO charged_months
            VALUES (NEW.month, ifnull(NEW.category, ''), NEW.kind, NEW.account, NEW.currency, 1, NEW.amount_minor, NEW.account_minor)
            ON CONFLICT DO UPDATE SET
              count = count + 1, minor = minor + excluded.minor, account_minor = account_minor + excluded.account_minor;
        END;
        CREATE TRIGGER transactions_charged_delete BEFORE DELETE ON transactions
          WHEN OLD.deleted_at IS NULL AND OLD.kind <> 'transfer' BEGIN
          UPDATE charged_months
            SET count = count - 1, minor = minor - OLD.amount_minor, account_minor = account_minor - OLD.account_minor
            WHERE month = OLD.month AND category = ifnull(OLD.category, '') AND kind = OLD.kind
              AND account = OLD.account AND currency = OLD.currency;
        END;
        """
)
