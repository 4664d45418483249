// The triggers of the first schema of a book that maintain its sums, and its search index.

extension FirstSchema {
    /// The sums of days, months, categories and accounts. The numbers are changed by differences, and never computed anew.
    static let sumTriggers = """
        CREATE TRIGGER accounts_insert AFTER INSERT ON accounts BEGIN
          INSERT INTO account_sums (account, count, opening_minor, delta_minor)
            VALUES (NEW.id, 0, NEW.opening_minor, 0)
            ON CONFLICT DO UPDATE SET opening_minor = excluded.opening_minor;
        END;
        CREATE TRIGGER accounts_update AFTER UPDATE OF opening_minor ON accounts BEGIN
          UPDATE account_sums SET opening_minor = NEW.opening_minor WHERE account = NEW.id;
        END;

        CREATE TRIGGER transactions_insert AFTER INSERT ON transactions WHEN NEW.deleted_at IS NULL BEGIN
          INSERT INTO day_sums VALUES (NEW.date, NEW.kind, NEW.currency, 1, NEW.amount_minor)
            ON CONFLICT DO UPDATE SET count = count + 1, minor = minor + excluded.minor;
          INSERT INTO month_sums
            VALUES (0, NEW.kind, NEW.currency, 1, NEW.amount_minor), (NEW.month, NEW.kind, NEW.currency, 1, NEW.amount_minor)
            ON CONFLICT DO UPDATE SET count = count + 1, minor = minor + excluded.minor;
          INSERT INTO category_months
            SELECT 0, ifnull(NEW.category, ''), NEW.kind, NEW.currency, 1, NEW.amount_minor WHERE NEW.split IS NULL
            UNION ALL
            SELECT NEW.month, ifnull(NEW.category, ''), NEW.kind, NEW.currency, 1, NEW.amount_minor WHERE NEW.split IS NULL
            ON CONFLICT DO UPDATE SET count = count + 1, minor = minor + excluded.minor;
          INSERT INTO account_months
            VALUES
              (
                0, NEW.account, NEW.kind, NEW.currency, 1, NEW.amount_minor,
                CASE NEW.kind WHEN 'income' THEN NEW.account_minor ELSE -NEW.account_minor END
              ),
              (
                NEW.month, NEW.account, NEW.kind, NEW.currency, 1, NEW.amount_minor,
                CASE NEW.kind WHEN 'income' THEN NEW.account_minor ELSE -NEW.account_minor END
              )
            ON CONFLICT DO UPDATE SET
              count = count + 1, minor = minor + excluded.minor, delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_months
            SELECT 0, NEW.to_account, NEW.kind, NEW.currency, 1, NEW.amount_minor, NEW.to_minor
              WHERE NEW.to_account IS NOT NULL
            UNION ALL
            SELECT NEW.month, NEW.to_account, NEW.kind, NEW.currency, 1, NEW.amount_minor, NEW.to_minor
              WHERE NEW.to_account IS NOT NULL
            ON CONFLICT DO UPDATE SET
              count = count + 1, minor = minor + excluded.minor, delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_sums
            VALUES (NEW.account, 1, 0, CASE NEW.kind WHEN 'income' THEN NEW.account_minor ELSE -NEW.account_minor END)
            ON CONFLICT DO UPDATE SET count = count + 1, delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_sums
            SELECT NEW.to_account, 1, 0, NEW.to_minor WHERE NEW.to_account IS NOT NULL
            ON CONFLICT DO UPDATE SET count = count + 1, delta_minor = delta_minor + excluded.delta_minor;
        END;

        CREATE TRIGGER transactions_update_out BEFORE UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, split, deleted_at
          ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          UPDATE day_sums SET count = count - 1, minor = minor - OLD.amount_minor
            WHERE date = OLD.date AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE month_sums SET count = count - 1, minor = minor - OLD.amount_minor
            WHERE month IN (0, OLD.month) AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE category_months SET count = count - 1, minor = minor - OLD.amount_minor
            WHERE OLD.split IS NULL AND month IN (0, OLD.month) AND category = ifnull(OLD.category, '')
              AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE account_months
            SET count = count - 1, minor = minor - OLD.amount_minor,
              delta_minor = delta_minor - CASE OLD.kind WHEN 'income' THEN OLD.account_minor ELSE -OLD.account_minor END
            WHERE month IN (0, OLD.month) AND account = OLD.account AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE account_months
            SET count = count - 1, minor = minor - OLD.amount_minor, delta_minor = delta_minor - OLD.to_minor
            WHERE month IN (0, OLD.month) AND account = OLD.to_account AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE account_sums
            SET count = count - 1,
              delta_minor = delta_minor - CASE OLD.kind WHEN 'income' THEN OLD.account_minor ELSE -OLD.account_minor END
            WHERE account = OLD.account;
          UPDATE account_sums SET count = count - 1, delta_minor = delta_minor - OLD.to_minor
            WHERE account = OLD.to_account;
        END;

        CREATE TRIGGER transactions_update_in AFTER UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, split, deleted_at
          ON transactions WHEN NEW.deleted_at IS NULL BEGIN
          INSERT INTO day_sums VALUES (NEW.date, NEW.kind, NEW.currency, 1, NEW.amount_minor)
            ON CONFLICT DO UPDATE SET count = count + 1, minor = minor + excluded.minor;
          INSERT INTO month_sums
            VALUES (0, NEW.kind, NEW.currency, 1, NEW.amount_minor), (NEW.month, NEW.kind, NEW.currency, 1, NEW.amount_minor)
            ON CONFLICT DO UPDATE SET count = count + 1, minor = minor + excluded.minor;
          INSERT INTO category_months
            SELECT 0, ifnull(NEW.category, ''), NEW.kind, NEW.currency, 1, NEW.amount_minor WHERE NEW.split IS NULL
            UNION ALL
            SELECT NEW.month, ifnull(NEW.category, ''), NEW.kind, NEW.currency, 1, NEW.amount_minor WHERE NEW.split IS NULL
            ON CONFLICT DO UPDATE SET count = count + 1, minor = minor + excluded.minor;
          INSERT INTO account_months
            VALUES
              (
                0, NEW.account, NEW.kind, NEW.currency, 1, NEW.amount_minor,
                CASE NEW.kind WHEN 'income' THEN NEW.account_minor ELSE -NEW.account_minor END
              ),
              (
                NEW.month, NEW.account, NEW.kind, NEW.currency, 1, NEW.amount_minor,
                CASE NEW.kind WHEN 'income' THEN NEW.account_minor ELSE -NEW.account_minor END
              )
            ON CONFLICT DO UPDATE SET
              count = count + 1, minor = minor + excluded.minor, delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_months
            SELECT 0, NEW.to_account, NEW.kind, NEW.currency, 1, NEW.amount_minor, NEW.to_minor
              WHERE NEW.to_account IS NOT NULL
            UNION ALL
            SELECT NEW.month, NEW.to_account, NEW.kind, NEW.currency, 1, NEW.amount_minor, NEW.to_minor
              WHERE NEW.to_account IS NOT NULL
            ON CONFLICT DO UPDATE SET
              count = count + 1, minor = minor + excluded.minor, delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_sums
            VALUES (NEW.account, 1, 0, CASE NEW.kind WHEN 'income' THEN NEW.account_minor ELSE -NEW.account_minor END)
            ON CONFLICT DO UPDATE SET count = count + 1, delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_sums
            SELECT NEW.to_account, 1, 0, NEW.to_minor WHERE NEW.to_account IS NOT NULL
            ON CONFLICT DO UPDATE SET count = count + 1, delta_minor = delta_minor + excluded.delta_minor;
        END;

        CREATE TRIGGER transactions_delete BEFORE DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          UPDATE day_sums SET count = count - 1, minor = minor - OLD.amount_minor
            WHERE date = OLD.date AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE month_sums SET count = count - 1, minor = minor - OLD.amount_minor
            WHERE month IN (0, OLD.month) AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE category_months SET count = count - 1, minor = minor - OLD.amount_minor
            WHERE OLD.split IS NULL AND month IN (0, OLD.month) AND category = ifnull(OLD.category, '')
              AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE account_months
            SET count = count - 1, minor = minor - OLD.amount_minor,
              delta_minor = delta_minor - CASE OLD.kind WHEN 'income' THEN OLD.account_minor ELSE -OLD.account_minor END
            WHERE month IN (0, OLD.month) AND account = OLD.account AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE account_months
            SET count = count - 1, minor = minor - OLD.amount_minor, delta_minor = delta_minor - OLD.to_minor
            WHERE month IN (0, OLD.month) AND account = OLD.to_account AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE account_sums
            SET count = count - 1,
              delta_minor = delta_minor - CASE OLD.kind WHEN 'income' THEN OLD.account_minor ELSE -OLD.account_minor END
            WHERE account = OLD.account;
          UPDATE account_sums SET count = count - 1, delta_minor = delta_minor - OLD.to_minor
            WHERE account = OLD.to_account;
        END;
        """

    /// The sums of reports. In the tables of years, the differences are computed first: both numbers are at least zero, so that
    /// these cannot overflow.
    static let reportTriggers = """
        CREATE TRIGGER transactions_charged_insert AFTER INSERT ON transactions
          WHEN NEW.deleted_at IS NULL AND NEW.kind <> 'transfer' AND NEW.split IS NULL BEGIN
          INSERT INTO charged_months
            VALUES (
              NEW.month, ifnull(NEW.category, ''), NEW.kind, NEW.account, NEW.currency, 1, NEW.amount_minor, NEW.account_minor
            )
            ON CONFLICT DO UPDATE SET
              count = count + 1, minor = minor + excluded.minor, account_minor = account_minor + excluded.account_minor;
        END;

        CREATE TRIGGER transactions_charged_update_out BEFORE UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, category, split, deleted_at
          ON transactions WHEN OLD.deleted_at IS NULL AND OLD.kind <> 'transfer' AND OLD.split IS NULL BEGIN
          UPDATE charged_months
            SET count = count - 1, minor = minor - OLD.amount_minor, account_minor = account_minor - OLD.account_minor
            WHERE month = OLD.month AND category = ifnull(OLD.category, '') AND kind = OLD.kind
              AND account = OLD.account AND currency = OLD.currency;
        END;

        CREATE TRIGGER transactions_charged_update_in AFTER UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, category, split, deleted_at
          ON transactions WHEN NEW.deleted_at IS NULL AND NEW.kind <> 'transfer' AND NEW.split IS NULL BEGIN
          INSERT INTO charged_months
            VALUES (
              NEW.month, ifnull(NEW.category, ''), NEW.kind, NEW.account, NEW.currency, 1, NEW.amount_minor, NEW.account_minor
            )
            ON CONFLICT DO UPDATE SET
              count = count + 1, minor = minor + excluded.minor, account_minor = account_minor + excluded.account_minor;
        END;

        CREATE TRIGGER transactions_charged_delete BEFORE DELETE ON transactions
          WHEN OLD.deleted_at IS NULL AND OLD.kind <> 'transfer' AND OLD.split IS NULL BEGIN
          UPDATE charged_months
            SET count = count - 1, minor = minor - OLD.amount_minor, account_minor = account_minor - OLD.account_minor
            WHERE month = OLD.month AND category = ifnull(OLD.category, '') AND kind = OLD.kind
              AND account = OLD.account AND currency = OLD.currency;
        END;

        CREATE TRIGGER transactions_payee_insert AFTER INSERT ON transactions
          WHEN NEW.deleted_at IS NULL AND NEW.kind <> 'transfer' AND NEW.payee <> '' BEGIN
          INSERT INTO payee_months
            VALUES (NEW.month, NEW.payee, NEW.kind, NEW.account, NEW.currency, 1, NEW.amount_minor, NEW.account_minor)
            ON CONFLICT DO UPDATE SET
              count = count + 1, minor = minor + excluded.minor, account_minor = account_minor + excluded.account_minor;
        END;

        CREATE TRIGGER transactions_payee_update_out BEFORE UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, payee, deleted_at
          ON transactions WHEN OLD.deleted_at IS NULL AND OLD.kind <> 'transfer' AND OLD.payee <> '' BEGIN
          UPDATE payee_months
            SET count = count - 1, minor = minor - OLD.amount_minor, account_minor = account_minor - OLD.account_minor
            WHERE month = OLD.month AND payee = OLD.payee AND kind = OLD.kind AND account = OLD.account
              AND currency = OLD.currency;
        END;

        CREATE TRIGGER transactions_payee_update_in AFTER UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, payee, deleted_at
          ON transactions WHEN NEW.deleted_at IS NULL AND NEW.kind <> 'transfer' AND NEW.payee <> '' BEGIN
          INSERT INTO payee_months
            VALUES (NEW.month, NEW.payee, NEW.kind, NEW.account, NEW.currency, 1, NEW.amount_minor, NEW.account_minor)
            ON CONFLICT DO UPDATE SET
              count = count + 1, minor = minor + excluded.minor, account_minor = account_minor + excluded.account_minor;
        END;

        CREATE TRIGGER transactions_payee_delete BEFORE DELETE ON transactions
          WHEN OLD.deleted_at IS NULL AND OLD.kind <> 'transfer' AND OLD.payee <> '' BEGIN
          UPDATE payee_months
            SET count = count - 1, minor = minor - OLD.amount_minor, account_minor = account_minor - OLD.account_minor
            WHERE month = OLD.month AND payee = OLD.payee AND kind = OLD.kind AND account = OLD.account
              AND currency = OLD.currency;
        END;

        CREATE TRIGGER charged_months_insert AFTER INSERT ON charged_months BEGIN
          INSERT INTO charged_years
            VALUES
              (0, NEW.category, NEW.kind, NEW.account, NEW.currency, NEW.count, NEW.minor, NEW.account_minor),
              (NEW.month / 12, NEW.category, NEW.kind, NEW.account, NEW.currency, NEW.count, NEW.minor, NEW.account_minor)
            ON CONFLICT DO UPDATE SET
              count = count + excluded.count, minor = minor + excluded.minor,
              account_minor = account_minor + excluded.account_minor;
        END;
        CREATE TRIGGER charged_months_update AFTER UPDATE OF count, minor, account_minor ON charged_months BEGIN
          UPDATE charged_years
            SET count = count + (NEW.count - OLD.count), minor = minor + (NEW.minor - OLD.minor),
              account_minor = account_minor + (NEW.account_minor - OLD.account_minor)
            WHERE year IN (0, NEW.month / 12) AND category = NEW.category AND kind = NEW.kind AND account = NEW.account
              AND currency = NEW.currency;
        END;

        CREATE TRIGGER payee_months_insert AFTER INSERT ON payee_months BEGIN
          INSERT INTO payee_years
            VALUES
              (0, NEW.payee, NEW.kind, NEW.account, NEW.currency, NEW.count, NEW.minor, NEW.account_minor),
              (NEW.month / 12, NEW.payee, NEW.kind, NEW.account, NEW.currency, NEW.count, NEW.minor, NEW.account_minor)
            ON CONFLICT DO UPDATE SET
              count = count + excluded.count, minor = minor + excluded.minor,
              account_minor = account_minor + excluded.account_minor;
        END;
        CREATE TRIGGER payee_months_update AFTER UPDATE OF count, minor, account_minor ON payee_months BEGIN
          UPDATE payee_years
            SET count = count + (NEW.count - OLD.count), minor = minor + (NEW.minor - OLD.minor),
              account_minor = account_minor + (NEW.account_minor - OLD.account_minor)
            WHERE year IN (0, NEW.month / 12) AND payee = NEW.payee AND kind = NEW.kind AND account = NEW.account
              AND currency = NEW.currency;
        END;

        CREATE TRIGGER transactions_month_insert AFTER INSERT ON transactions BEGIN
          INSERT INTO month_changes VALUES (NEW.month, 1) ON CONFLICT DO UPDATE SET changes = changes + 1;
        END;
        CREATE TRIGGER transactions_month_update AFTER UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, category, payee, split, deleted_at
          ON transactions BEGIN
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

    /// The text of a transaction is removed from the index as it was added: SQLite does not keep it there.
    static let searchTriggers = """
        CREATE TRIGGER transactions_search_insert AFTER INSERT ON transactions WHEN NEW.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (rowid, words)
            VALUES (
              (NEW.date + 719162 << 40) | NEW.seq,
              NEW.payee || ' ' || NEW.note || ' ' || NEW.tags || CASE
                WHEN NEW.split IS NULL OR NOT json_valid(NEW.split) THEN ''
                ELSE ifnull((
                  SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(NEW.split)
                  WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
                ), '') END || ' ' || char(57344) || NEW.amount_minor
            );
        END;

        CREATE TRIGGER transactions_search_update_out BEFORE UPDATE OF
            date, payee, note, tags, amount_minor, split, deleted_at
          ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (transactions_search, rowid, words)
            VALUES (
              'delete', (OLD.date + 719162 << 40) | OLD.seq,
              OLD.payee || ' ' || OLD.note || ' ' || OLD.tags || CASE
                WHEN OLD.split IS NULL OR NOT json_valid(OLD.split) THEN ''
                ELSE ifnull((
                  SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(OLD.split)
                  WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
                ), '') END || ' ' || char(57344) || OLD.amount_minor
            );
        END;

        CREATE TRIGGER transactions_search_update_in AFTER UPDATE OF
            date, payee, note, tags, amount_minor, split, deleted_at
          ON transactions WHEN NEW.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (rowid, words)
            VALUES (
              (NEW.date + 719162 << 40) | NEW.seq,
              NEW.payee || ' ' || NEW.note || ' ' || NEW.tags || CASE
                WHEN NEW.split IS NULL OR NOT json_valid(NEW.split) THEN ''
                ELSE ifnull((
                  SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(NEW.split)
                  WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
                ), '') END || ' ' || char(57344) || NEW.amount_minor
            );
        END;

        CREATE TRIGGER transactions_search_delete BEFORE DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (transactions_search, rowid, words)
            VALUES (
              'delete', (OLD.date + 719162 << 40) | OLD.seq,
              OLD.payee || ' ' || OLD.note || ' ' || OLD.tags || CASE
                WHEN OLD.split IS NULL OR NOT json_valid(OLD.split) THEN ''
                ELSE ifnull((
                  SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(OLD.split)
                  WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
                ), '') END || ' ' || char(57344) || OLD.amount_minor
            );
        END;
        """
}
