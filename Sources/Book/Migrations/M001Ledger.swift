// The first schema: the tables of the ledger, the sums that triggers maintain, and the search index.
import Storage

/// Accounts, categories, transactions, budgets, preferences, and all data derived from them.
///
/// Amounts are minor units; `date` is days since 1970-01-01, `month` is `YearMonth.index`, `deleted_at` is
/// UTC seconds and null on a live row. The book never removes rows, it only marks them as deleted.
let ledgerMigration = Migration(
    number: 1,
    name: "ledger",
    since: "0.1.0",
    sql: ([entityTables, sumTables, searchPages] + sumTriggers).joined(separator: ";\n")
)

/// Foreign keys are deferred to the commit, so that related rows may come in any order. Constraints that one
/// device cannot violate but two devices can together (two budgets for one month, a parent that has a parent)
/// are checked by the functions of the book and not here, because a merged row must always fit.
private let entityTables = """
    CREATE TABLE accounts (
      id            TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
      name          TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 400),
      type          TEXT    NOT NULL CHECK (type IN ('cash', 'bank', 'card', 'savings', 'investment', 'loan')),
      currency      TEXT    NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
      opening_minor INTEGER NOT NULL,
      deleted_at    INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE categories (
      id            TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
      name          TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 400),
      kind          TEXT    NOT NULL CHECK (kind IN ('expense', 'income')),
      icon          TEXT    NOT NULL CHECK (length(icon) <= 100),
      color         TEXT    NOT NULL CHECK (length(color) <= 100),
      parent        TEXT    REFERENCES categories (id) DEFERRABLE INITIALLY DEFERRED CHECK (parent <> id),
      deleted_at    INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX categories_parent ON categories (parent) WHERE parent IS NOT NULL;

    CREATE TABLE transactions (
      seq           INTEGER NOT NULL PRIMARY KEY,
      id            TEXT    NOT NULL UNIQUE CHECK (length(id) = 26),
      kind          TEXT    NOT NULL CHECK (kind IN ('expense', 'income', 'transfer')),
      date          INTEGER NOT NULL CHECK (date BETWEEN -719162 AND 2932896),
      amount_minor  INTEGER NOT NULL CHECK (amount_minor > 0),
      currency      TEXT    NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
      account       TEXT    NOT NULL REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED,
      account_minor INTEGER NOT NULL CHECK (account_minor > 0),
      to_account    TEXT    REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED,
      to_minor      INTEGER CHECK (to_minor > 0),
      category      TEXT    REFERENCES categories (id) DEFERRABLE INITIALLY DEFERRED,
      payee         TEXT    NOT NULL CHECK (length(payee) <= 1000),
      note          TEXT    NOT NULL CHECK (length(note) <= 10000),
      tags          TEXT    NOT NULL CHECK (length(tags) <= 5000),
      deleted_at    INTEGER,
      month         INTEGER NOT NULL GENERATED ALWAYS AS (
                      CAST(strftime('%Y', date * 86400, 'unixepoch') AS INTEGER) * 12
                      + CAST(strftime('%m', date * 86400, 'unixepoch') AS INTEGER) - 1
                    ) STORED,
      CHECK ((kind = 'transfer') = (to_account IS NOT NULL)),
      CHECK ((to_account IS NULL) = (to_minor IS NULL)),
      CHECK (to_account <> account),
      CHECK (kind <> 'transfer' OR category IS NULL)
    ) STRICT;
    CREATE INDEX transactions_by_date ON transactions (date, id) WHERE deleted_at IS NULL;
    CREATE INDEX transactions_by_kind ON transactions (kind, date, id) WHERE deleted_at IS NULL;
    CREATE INDEX transactions_by_account ON transactions (account, date, id) WHERE deleted_at IS NULL;
    CREATE INDEX transactions_by_to_account ON transactions (to_account, date, id)
      WHERE deleted_at IS NULL AND to_account IS NOT NULL;
    CREATE INDEX transactions_by_category ON transactions (category, date, id)
      WHERE deleted_at IS NULL AND category IS NOT NULL;
    CREATE INDEX transactions_by_payee ON transactions (payee, date, id)
      WHERE deleted_at IS NULL AND payee <> '';

    CREATE TABLE budgets (
      id            TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
      category      TEXT    REFERENCES categories (id) DEFERRABLE INITIALLY DEFERRED,
      limit_minor   INTEGER NOT NULL CHECK (limit_minor > 0),
      currency      TEXT    NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
      from_month    INTEGER NOT NULL CHECK (from_month BETWEEN 12 AND 119999),
      rollover      INTEGER NOT NULL CHECK (rollover IN (0, 1)),
      deleted_at    INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE preferences (
      id                   TEXT NOT NULL PRIMARY KEY CHECK (id = '00000000000000000000000000'),
      base_currency        TEXT CHECK (base_currency GLOB '[A-Z][A-Z][A-Z]'),
      secondary_currencies TEXT CHECK (length(secondary_currencies) <= 2000),
      week_start           TEXT CHECK (week_start IN ('monday', 'sunday')),
      conflict_policy      TEXT CHECK (conflict_policy IN ('newest', 'ask')),
      theme                TEXT CHECK (theme IN ('system', 'light', 'dark')),
      locale               TEXT CHECK (length(locale) <= 100),
      time_zone            TEXT CHECK (length(time_zone) <= 100)
    ) STRICT, WITHOUT ROWID;
    """

/// The content that the triggers maintain: each live transaction counts once in each table under each of its
/// months, which are its own and month 0 for all time. Transfers and the empty payee count too; `''` stands
/// for "without a category". A row whose count is zero may stay.
///
/// SQLite turns an integer sum outside of 64 bits into a real. No such real fits a column of a strict table,
/// except for exactly -2^63, which the checks refuse. So an overflow always fails and rolls back the whole
/// change.
private let sumTables = """
    CREATE TABLE day_sums (
      date          INTEGER NOT NULL,
      kind          TEXT    NOT NULL,
      currency      TEXT    NOT NULL,
      count         INTEGER NOT NULL CHECK (count >= 0),
      minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor >= 0),
      PRIMARY KEY (date, kind, currency)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE month_sums (
      month         INTEGER NOT NULL,
      kind          TEXT    NOT NULL,
      currency      TEXT    NOT NULL,
      count         INTEGER NOT NULL CHECK (count >= 0),
      minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor >= 0),
      PRIMARY KEY (month, kind, currency)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE category_months (
      month         INTEGER NOT NULL,
      category      TEXT    NOT NULL,
      kind          TEXT    NOT NULL,
      currency      TEXT    NOT NULL,
      count         INTEGER NOT NULL CHECK (count >= 0),
      minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor >= 0),
      PRIMARY KEY (month, category, kind, currency)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX category_months_by_category ON category_months (category, kind, currency, month);

    -- A transfer is counted at both of its ends. delta_minor is what the account lost or gained, in its own
    -- currency; minor is in the currency of the transactions.
    CREATE TABLE account_months (
      month         INTEGER NOT NULL,
      account       TEXT    NOT NULL,
      kind          TEXT    NOT NULL,
      currency      TEXT    NOT NULL,
      count         INTEGER NOT NULL CHECK (count >= 0),
      minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor >= 0),
      delta_minor   INTEGER NOT NULL CONSTRAINT overflow CHECK (delta_minor > -9223372036854775808),
      PRIMARY KEY (month, account, kind, currency)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE account_sums (
      account       TEXT    NOT NULL PRIMARY KEY,
      count         INTEGER NOT NULL CHECK (count >= 0),
      opening_minor INTEGER NOT NULL,
      delta_minor   INTEGER NOT NULL CONSTRAINT overflow CHECK (delta_minor > -9223372036854775808),
      CONSTRAINT overflow CHECK (typeof(opening_minor + delta_minor) = 'integer')
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE payee_months (
      month         INTEGER NOT NULL,
      payee         TEXT    NOT NULL,
      kind          TEXT    NOT NULL,
      currency      TEXT    NOT NULL,
      count         INTEGER NOT NULL CHECK (count >= 0),
      minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor >= 0),
      PRIMARY KEY (month, payee, kind, currency)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX payees ON payee_months (payee COLLATE NOCASE) WHERE month = 0;

    -- Words of payee, note and tags, found by their beginnings, without regard to case and accents; and the
    -- amount behind a private-use mark, found whole. The row number holds the day above 40 bits of `seq`, so
    -- that the newest matches come out first without sorting.
    CREATE VIRTUAL TABLE transactions_search USING fts5 (
      words,
      content = '',
      columnsize = 0,
      prefix = '1 2 3',
      tokenize = "unicode61 remove_diacritics 2"
    );
    """

/// A segment of the index fits one page of the file. With the default of 4,050 bytes each segment would take
/// two pages.
private let searchPages = "INSERT INTO transactions_search (transactions_search, rank) VALUES ('pgsz', 1900)"

private let sumTriggers: [String] = [
    """
    CREATE TRIGGER accounts_insert AFTER INSERT ON accounts BEGIN
      INSERT INTO account_sums (account, count, opening_minor, delta_minor) VALUES (NEW.id, 0, NEW.opening_minor, 0)
        ON CONFLICT DO UPDATE SET opening_minor = excluded.opening_minor;
    END
    """,
    """
    CREATE TRIGGER accounts_update AFTER UPDATE OF opening_minor ON accounts BEGIN
      UPDATE account_sums SET opening_minor = NEW.opening_minor WHERE account = NEW.id;
    END
    """,
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
    """
    CREATE TRIGGER transactions_search_insert AFTER INSERT ON transactions WHEN NEW.deleted_at IS NULL BEGIN
    \(searchAdded("NEW"))
    END
    """,
    """
    CREATE TRIGGER transactions_search_update_out BEFORE UPDATE OF \(searched) ON transactions
      WHEN OLD.deleted_at IS NULL BEGIN
    \(searchRemoved("OLD"))
    END
    """,
    """
    CREATE TRIGGER transactions_search_update_in AFTER UPDATE OF \(searched) ON transactions
      WHEN NEW.deleted_at IS NULL BEGIN
    \(searchAdded("NEW"))
    END
    """,
    """
    CREATE TRIGGER transactions_search_delete BEFORE DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
    \(searchRemoved("OLD"))
    END
    """,
]

private let summed = """
    kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee, deleted_at
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
            VALUES
              (0, ifnull(\(row).category, ''), \(what)),
              (\(row).month, ifnull(\(row).category, ''), \(what))
            \(count);
          INSERT INTO payee_months VALUES (0, \(row).payee, \(what)), (\(row).month, \(row).payee, \(what))
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
            WHERE \(months) AND category = ifnull(\(row).category, '') AND \(same);
          UPDATE payee_months SET \(count) WHERE \(months) AND payee = \(row).payee AND \(same);
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

private let searched = "date, payee, note, tags, amount_minor, deleted_at"

private func searchAdded(_ row: String) -> String {
    """
      INSERT INTO transactions_search (rowid, words)
        VALUES (\(searchNumber(row)), \(searchWords(row)));
    """
}

private func searchRemoved(_ row: String) -> String {
    """
      INSERT INTO transactions_search (transactions_search, rowid, words)
        VALUES ('delete', \(searchNumber(row)), \(searchWords(row)));
    """
}

private func searchNumber(_ row: String) -> String { "(\(row).date + 719162 << 40) | \(row).seq" }

private func searchWords(_ row: String) -> String {
    "\(row).payee || ' ' || \(row).note || ' ' || \(row).tags || ' ' || char(57344) || \(row).amount_minor"
}
