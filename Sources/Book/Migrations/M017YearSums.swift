// The seventeenth schema of a book: sums of years, and sums of payees by account.
import Storage

/// `payee_months` counts each live expense and income that has a payee, with the columns of `charged_months`. Its
/// predecessor did not tell the accounts, so that a report in one currency had to read the transactions.
///
/// `charged_years` and `payee_years` add up the months of each year, and the months of all years in year 0. Triggers on
/// the tables of months maintain them. A row whose count is zero may stay.
let yearSumsMigration = Migration(
    number: 17,
    name: "sums of years",
    since: "0.1.0",
    sql: ([tables] + sumTriggers + payeeTriggers + yearTriggers("charged", "category")
        + yearTriggers("payee", "payee"))
        .joined(separator: ";\n")
)

private let tables = """
    DROP TRIGGER transactions_insert;
    DROP TRIGGER transactions_update_out;
    DROP TRIGGER transactions_update_in;
    DROP TRIGGER transactions_delete;
    DROP TABLE payee_months;
    CREATE TABLE payee_months (
    \(columns("month", "payee"))
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE payee_years (
    \(columns("year", "payee"))
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE charged_years (
    \(columns("year", "category"))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO payee_months
      SELECT month, payee, kind, account, currency, count(*), sum(amount_minor), sum(account_minor)
      FROM transactions WHERE deleted_at IS NULL AND kind <> 'transfer' AND payee <> '' GROUP BY 1, 2, 3, 4, 5;
    INSERT INTO payee_years \(years("payee"));
    INSERT INTO payee_years \(allYears("payee"));
    INSERT INTO charged_years \(years("category"));
    INSERT INTO charged_years \(allYears("category"))
    """

private func columns(_ period: String, _ subject: String) -> String {
    """
      \(period) INTEGER NOT NULL,
      \(subject) TEXT NOT NULL,
      kind TEXT NOT NULL,
      account TEXT NOT NULL,
      currency TEXT NOT NULL,
      count INTEGER NOT NULL CHECK (count >= 0),
      minor INTEGER NOT NULL CONSTRAINT overflow CHECK (minor >= 0),
      account_minor INTEGER NOT NULL CONSTRAINT overflow CHECK (account_minor >= 0),
      PRIMARY KEY (\(period), \(subject), kind, account, currency)
    """
}

private func years(_ subject: String) -> String {
    """
    SELECT month / 12, \(subject), kind, account, currency, sum(count), sum(minor), sum(account_minor)
      FROM \(subject == "payee" ? "payee" : "charged")_months GROUP BY 1, 2, 3, 4, 5
    """
}

private func allYears(_ subject: String) -> String {
    """
    SELECT 0, \(subject), kind, account, currency, sum(count), sum(minor), sum(account_minor)
      FROM \(subject == "payee" ? "payee" : "charged")_years GROUP BY 2, 3, 4, 5
    """
}

// MARK: The other sums, as before

private let sumTriggers: [String] = [
    """
    CREATE TRIGGER transactions_insert AFTER INSERT ON transactions WHEN NEW.deleted_at IS NULL BEGIN
    \(added("NEW"))
    END
    """,
    """
    CREATE TRIGGER transactions_update_out BEFORE UPDATE OF \(summed) ON transactions
      WHEN OLD.deleted_at IS NULL BEGIN
    \(removed("OLD"))
    END
    """,
    """
    CREATE TRIGGER transactions_update_in AFTER UPDATE OF \(summed) ON transactions
      WHEN NEW.deleted_at IS NULL BEGIN
    \(added("NEW"))
    END
    """,
    """
    CREATE TRIGGER transactions_delete BEFORE DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
    \(removed("OLD"))
    END
    """,
]

private let summed = """
    kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, split, deleted_at
    """

private func added(_ row: String) -> String {
    let delta = "CASE \(row).kind WHEN 'income' THEN \(row).account_minor ELSE -\(row).account_minor END"
    let what = "\(row).kind, \(row).currency, 1, \(row).amount_minor"
    let count = "ON CONFLICT DO UPDATE SET count = count + 1, minor = minor + excluded.minor"
    return """
          INSERT INTO day_sums VALUES (\(row).date, \(what))
            \(count);
          INSERT INTO month_sums VALUES (0, \(what)), (\(row).month, \(what))
            \(count);
          INSERT INTO category_months
            SELECT 0, ifnull(\(row).category, ''), \(what) WHERE \(row).split IS NULL
            UNION ALL
            SELECT \(row).month, ifnull(\(row).category, ''), \(what) WHERE \(row).split IS NULL
            \(count);
          INSERT INTO account_months
            VALUES (0, \(row).account, \(what), \(delta)), (\(row).month, \(row).account, \(what), \(delta))
            \(count), delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_months
            SELECT 0, \(row).to_account, \(what), \(row).to_minor WHERE \(row).to_account IS NOT NULL
            UNION ALL
            SELECT \(row).month, \(row).to_account, \(what), \(row).to_minor WHERE \(row).to_account IS NOT NULL
            \(count), delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_sums VALUES (\(row).account, 1, 0, \(delta))
            ON CONFLICT DO UPDATE SET count = count + 1, delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_sums
            SELECT \(row).to_account, 1, 0, \(row).to_minor WHERE \(row).to_account IS NOT NULL
            ON CONFLICT DO UPDATE SET count = count + 1, delta_minor = delta_minor + excluded.delta_minor;
        """
}

private func removed(_ row: String) -> String {
    let delta = "CASE \(row).kind WHEN 'income' THEN \(row).account_minor ELSE -\(row).account_minor END"
    let months = "month IN (0, \(row).month)"
    let same = "kind = \(row).kind AND currency = \(row).currency"
    let count = "count = count - 1, minor = minor - \(row).amount_minor"
    return """
          UPDATE day_sums SET \(count) WHERE date = \(row).date AND \(same);
          UPDATE month_sums SET \(count) WHERE \(months) AND \(same);
          UPDATE category_months SET \(count)
            WHERE \(row).split IS NULL AND \(months) AND category = ifnull(\(row).category, '') AND \(same);
          UPDATE account_months SET \(count), delta_minor = delta_minor - \(delta)
            WHERE \(months) AND account = \(row).account AND \(same);
          UPDATE account_months SET \(count), delta_minor = delta_minor - \(row).to_minor
            WHERE \(months) AND account = \(row).to_account AND \(same);
          UPDATE account_sums SET count = count - 1, delta_minor = delta_minor - \(delta)
            WHERE account = \(row).account;
          UPDATE account_sums SET count = count - 1, delta_minor = delta_minor - \(row).to_minor
            WHERE account = \(row).to_account;
        """
}

// MARK: The sums of payees

private let payeeTriggers: [String] = [
    """
    CREATE TRIGGER transactions_payee_insert AFTER INSERT ON transactions
      WHEN NEW.deleted_at IS NULL AND NEW.kind <> 'transfer' AND NEW.payee <> '' BEGIN
    \(payeeAdded)
    END
    """,
    """
    CREATE TRIGGER transactions_payee_update_out BEFORE UPDATE OF \(payeeSummed) ON transactions
      WHEN OLD.deleted_at IS NULL AND OLD.kind <> 'transfer' AND OLD.payee <> '' BEGIN
    \(payeeRemoved)
    END
    """,
    """
    CREATE TRIGGER transactions_payee_update_in AFTER UPDATE OF \(payeeSummed) ON transactions
      WHEN NEW.deleted_at IS NULL AND NEW.kind <> 'transfer' AND NEW.payee <> '' BEGIN
    \(payeeAdded)
    END
    """,
    """
    CREATE TRIGGER transactions_payee_delete BEFORE DELETE ON transactions
      WHEN OLD.deleted_at IS NULL AND OLD.kind <> 'transfer' AND OLD.payee <> '' BEGIN
    \(payeeRemoved)
    END
    """,
]

private let payeeSummed = "kind, date, amount_minor, currency, account, account_minor, payee, deleted_at"

private let payeeAdded = """
      INSERT INTO payee_months
        VALUES (NEW.month, NEW.payee, NEW.kind, NEW.account, NEW.currency, 1, NEW.amount_minor, NEW.account_minor)
        ON CONFLICT DO UPDATE SET
          count = count + 1, minor = minor + excluded.minor, account_minor = account_minor + excluded.account_minor;
    """

private let payeeRemoved = """
      UPDATE payee_months
        SET count = count - 1, minor = minor - OLD.amount_minor, account_minor = account_minor - OLD.account_minor
        WHERE month = OLD.month AND payee = OLD.payee AND kind = OLD.kind AND account = OLD.account
          AND currency = OLD.currency;
    """

// MARK: The sums of years

/// The differences are computed first: both numbers are at least zero, so that these cannot overflow.
private func yearTriggers(_ name: String, _ subject: String) -> [String] {
    let what = "NEW.\(subject), NEW.kind, NEW.account, NEW.currency, NEW.count, NEW.minor, NEW.account_minor"
    return [
        """
        CREATE TRIGGER \(name)_months_insert AFTER INSERT ON \(name)_months BEGIN
          INSERT INTO \(name)_years
            VALUES (0, \(what)),
              (NEW.month / 12, \(what))
            ON CONFLICT DO UPDATE SET
              count = count + excluded.count, minor = minor + excluded.minor,
              account_minor = account_minor + excluded.account_minor;
        END
        """,
        """
        CREATE TRIGGER \(name)_months_update AFTER UPDATE OF count, minor, account_minor ON \(name)_months BEGIN
          UPDATE \(name)_years
            SET count = count + (NEW.count - OLD.count), minor = minor + (NEW.minor - OLD.minor),
              account_minor = account_minor + (NEW.account_minor - OLD.account_minor)
            WHERE year IN (0, NEW.month / 12) AND \(subject) = NEW.\(subject) AND kind = NEW.kind AND account = NEW.account
              AND currency = NEW.currency;
        END
        """,
    ]
}
