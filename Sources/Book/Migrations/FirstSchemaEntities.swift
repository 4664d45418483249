// The tables of the first schema of a book that are synced, and the tables of rates, which are not.

extension FirstSchema {
    /// Amounts are minor units; `date` is days since 1970-01-01, `deleted_at` is UTC seconds and null on a live row. The
    /// book never removes rows, it only marks them as deleted.
    ///
    /// Foreign keys are deferred to the commit, so that related rows may come in any order. Constraints that one device
    /// cannot violate but two devices can together (two budgets for one month, a parent that has a parent) are checked by
    /// the functions of the book and not here, because a merged row must always fit.
    static let entities = """
        CREATE TABLE accounts (
          id                TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          name              TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 400),
          type              TEXT    NOT NULL CHECK (type IN ('cash', 'bank', 'card', 'savings', 'investment', 'loan')),
          currency          TEXT    NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
          opening_minor     INTEGER NOT NULL,
          deleted_at        INTEGER,
          -- 1, or null for an open account.
          closed            INTEGER CHECK (closed IN (0, 1)),
          bank_connection   TEXT    CHECK (length(bank_connection) <= 200),
          -- The text of a `BankAccountKey`.
          bank_account      TEXT    CHECK (length(bank_account) <= 1000),
          bank_account_type TEXT    CHECK (length(bank_account_type) <= 200),
          is_bank           INTEGER CHECK (is_bank IN (0, 1)),
          last_synced_at    INTEGER,
          bank_record_from  INTEGER CHECK (bank_record_from BETWEEN -719162 AND 2932896)
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
          seq              INTEGER NOT NULL PRIMARY KEY,
          id               TEXT    NOT NULL UNIQUE CHECK (length(id) = 26),
          kind             TEXT    NOT NULL CHECK (kind IN ('expense', 'income', 'transfer')),
          date             INTEGER NOT NULL CHECK (date BETWEEN -719162 AND 2932896),
          amount_minor     INTEGER NOT NULL CHECK (amount_minor > 0),
          currency         TEXT    NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
          account          TEXT    NOT NULL REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED,
          account_minor    INTEGER NOT NULL CHECK (account_minor > 0),
          to_account       TEXT    REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED,
          to_minor         INTEGER CHECK (to_minor > 0),
          category         TEXT    REFERENCES categories (id) DEFERRABLE INITIALLY DEFERRED,
          payee            TEXT    NOT NULL CHECK (length(payee) <= 1000),
          note             TEXT    NOT NULL CHECK (length(note) <= 10000),
          tags             TEXT    NOT NULL CHECK (length(tags) <= 5000),
          deleted_at       INTEGER,
          month            INTEGER NOT NULL GENERATED ALWAYS AS (
                             CAST(strftime('%Y', date * 86400, 'unixepoch') AS INTEGER) * 12
                             + CAST(strftime('%m', date * 86400, 'unixepoch') AS INTEGER) - 1
                           ) STORED,
          -- The text of a `Split`, or null.
          split            TEXT    CHECK (length(split) <= 110000) CHECK (split IS NULL OR kind <> 'transfer'),
          -- The text of a `BankTransactionKey`: the transaction is the record of the transaction of a bank.
          bank_transaction TEXT    CHECK (length(bank_transaction) <= 1000),
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
        CREATE INDEX transactions_split ON transactions (seq) WHERE split IS NOT NULL;
        CREATE INDEX transactions_by_bank ON transactions (bank_transaction, deleted_at, id)
          WHERE bank_transaction IS NOT NULL;

        CREATE TABLE budgets (
          id            TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          category      TEXT    REFERENCES categories (id) DEFERRABLE INITIALLY DEFERRED,
          limit_minor   INTEGER NOT NULL CHECK (limit_minor > 0),
          currency      TEXT    NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
          from_month    INTEGER NOT NULL CHECK (from_month BETWEEN 12 AND 119999),
          rollover      INTEGER NOT NULL CHECK (rollover IN (0, 1)),
          deleted_at    INTEGER,
          until_month   INTEGER CHECK (until_month BETWEEN 12 AND 119999),
          carry_from    INTEGER CHECK (carry_from BETWEEN 12 AND 119999),
          pace          TEXT    CHECK (pace IN ('spread', 'once'))
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

    /// Transactions that come again and again, and the payees for which the user wants no schedule. `done_day` is the last
    /// day that was recorded or skipped.
    static let schedules = """
        CREATE TABLE schedules (
          id            TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          kind          TEXT    NOT NULL CHECK (kind IN ('expense', 'income', 'transfer')),
          start_day     INTEGER NOT NULL CHECK (start_day BETWEEN -719162 AND 2932896),
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
          every         INTEGER NOT NULL CHECK (every BETWEEN 1 AND 999),
          unit          TEXT    NOT NULL CHECK (unit IN ('day', 'week', 'month', 'year')),
          end_day       INTEGER CHECK (end_day BETWEEN -719162 AND 2932896),
          shift         TEXT    NOT NULL CHECK (shift IN ('none', 'before', 'after')),
          record        TEXT    NOT NULL CHECK (record IN ('auto', 'ask')),
          done_day      INTEGER CHECK (done_day BETWEEN -719162 AND 2932896),
          account_currency TEXT CHECK (account_currency GLOB '[A-Z][A-Z][A-Z]'),
          to_currency   TEXT    CHECK (to_currency GLOB '[A-Z][A-Z][A-Z]'),
          series        TEXT    CHECK (length(series) = 26),
          deleted_at    INTEGER,
          CHECK ((kind = 'transfer') = (to_account IS NOT NULL)),
          CHECK ((to_account IS NULL) = (to_minor IS NULL)),
          CHECK (to_account <> account),
          CHECK (kind <> 'transfer' OR category IS NULL)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE dismissed_schedules (
          payee TEXT NOT NULL,
          kind  TEXT NOT NULL CHECK (kind IN ('expense', 'income')),
          PRIMARY KEY (payee, kind)
        ) STRICT, WITHOUT ROWID;
        """

    /// The user's notes on bank transactions, and answers to the question whether two transactions are the same: a
    /// transaction that was entered otherwise, and the record of a bank. `is_two` is 1 if the user has said that they are
    /// not the same, and 0 if they are perhaps the same although the amounts differ, because the bank has booked another
    /// amount than it had reported before. The answers are not synced.
    static let bankNotes = """
        CREATE TABLE bank_notes (
          id               TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          bank_transaction TEXT    NOT NULL CHECK (length(bank_transaction) <= 1000),
          category         TEXT    CHECK (length(category) = 26),
          payee            TEXT    NOT NULL CHECK (length(payee) <= 1000),
          note             TEXT    NOT NULL CHECK (length(note) <= 10000),
          tags             TEXT    NOT NULL CHECK (length(tags) <= 5000),
          hidden           INTEGER CHECK (hidden IN (0, 1)),
          deleted_at       INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX bank_notes_by_transaction ON bank_notes (bank_transaction);

        CREATE TABLE bank_answers (
          entered TEXT NOT NULL CHECK (length(entered) = 26),
          record  TEXT NOT NULL CHECK (length(record) = 26),
          is_two  INTEGER NOT NULL CHECK (is_two IN (0, 1)),
          PRIMARY KEY (entered, record)
        ) STRICT, WITHOUT ROWID;
        """

    /// `size` and `sent` are bytes, `created` and `used_at` UTC seconds. `receipt_files` is not synced. It has a row for each
    /// file that is on this device: `is_cached` is 1 for a file that was fetched from the cloud and may be removed to make
    /// room, `sent` the number of bytes of an unfinished upload, `failure` the code of the reason why an upload failed.
    ///
    /// A draft is the receipt of a transaction that is not recorded yet, and not synced: `transaction_id` is the id that the
    /// transaction gets then.
    static let receipts = """
        CREATE TABLE receipts (
          id             TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          transaction_id TEXT    CHECK (length(transaction_id) = 26),
          name           TEXT    NOT NULL CHECK (length(name) <= 1000),
          type           TEXT    NOT NULL CHECK (length(type) <= 200),
          size           INTEGER NOT NULL,
          sha256         TEXT    NOT NULL CHECK (length(sha256) <= 64),
          width          INTEGER,
          height         INTEGER,
          created        INTEGER NOT NULL,
          deleted_at     INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX receipts_by_transaction ON receipts (transaction_id, created, id) WHERE deleted_at IS NULL;
        CREATE INDEX receipts_by_creation ON receipts (created, id) WHERE deleted_at IS NULL;
        CREATE INDEX receipts_by_content ON receipts (sha256, deleted_at);

        CREATE TABLE receipt_files (
          sha256    TEXT    NOT NULL PRIMARY KEY CHECK (length(sha256) = 64),
          size      INTEGER NOT NULL CHECK (size >= 0),
          status    TEXT    NOT NULL CHECK (status IN ('local_only', 'uploading', 'uploaded', 'failed')),
          sent      INTEGER NOT NULL CHECK (sent >= 0),
          failure   TEXT    CHECK (length(failure) <= 200),
          is_cached INTEGER NOT NULL CHECK (is_cached IN (0, 1)),
          used_at   INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX receipt_files_by_status ON receipt_files (status, used_at);

        CREATE TABLE draft_receipts (
          id             TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          transaction_id TEXT    NOT NULL CHECK (length(transaction_id) = 26),
          name           TEXT    NOT NULL CHECK (length(name) <= 1000),
          type           TEXT    NOT NULL CHECK (length(type) <= 200),
          size           INTEGER NOT NULL,
          sha256         TEXT    NOT NULL CHECK (length(sha256) = 64),
          width          INTEGER,
          height         INTEGER,
          created        INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX draft_receipts_by_transaction ON draft_receipts (transaction_id, created, id);
        CREATE INDEX draft_receipts_by_content ON draft_receipts (sha256);
        """

    /// Not synced. A row of `rates` is a part of one set: `rate` has the published digits, 1 unit of `base` = `rate` units of
    /// `currency`. `rate_history` has one row once a history was received: its version, and the range that was asked for,
    /// with the currencies separated by spaces; source and base currency are absent if the history has no days. A row of
    /// `rate_days` has lines of a currency and its published digits (`USD 1.1172`). The history is always replaced as a
    /// whole.
    static let rates = """
        CREATE TABLE rates (
          currency TEXT    NOT NULL PRIMARY KEY CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
          rate     TEXT    NOT NULL CHECK (length(rate) BETWEEN 1 AND 32),
          day      INTEGER NOT NULL CHECK (day BETWEEN -719162 AND 2932896),
          source   TEXT    NOT NULL CHECK (length(source) BETWEEN 1 AND 100),
          base     TEXT    NOT NULL CHECK (base GLOB '[A-Z][A-Z][A-Z]')
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE rate_history (
          only_row   INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
          version    TEXT    NOT NULL CHECK (length(version) <= 100),
          from_day   INTEGER NOT NULL CHECK (from_day BETWEEN -719162 AND 2932896),
          currencies TEXT    NOT NULL CHECK (length(currencies) <= 2000),
          source     TEXT    CHECK (length(source) BETWEEN 1 AND 100),
          base       TEXT    CHECK (base GLOB '[A-Z][A-Z][A-Z]')
        ) STRICT;

        CREATE TABLE rate_days (
          day   INTEGER NOT NULL PRIMARY KEY CHECK (day BETWEEN -719162 AND 2932896),
          rates TEXT    NOT NULL CHECK (length(rates) <= 40000)
        ) STRICT;
        """
}
