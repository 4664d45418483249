// The tables of sums in the first schema of a book, and its search index.

extension FirstSchema {
    /// The content that triggers maintain: each live transaction counts once in each table under each of its months, which
    /// are its own (`YearMonth.index`) and month 0 for all time. Transfers count too; `''` stands for "without a category". A
    /// row whose count is zero may stay.
    ///
    /// SQLite turns an integer sum outside of 64 bits into a real. No such real fits a column of a strict table, except for
    /// exactly -2^63, which the checks refuse. So an overflow always fails and rolls back the whole change.
    static let sums = """
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

        -- A transfer is counted at both of its ends. delta_minor is what the account lost or gained, in its own currency;
        -- minor is in the currency of the transactions.
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
        """

    /// `charged_months` counts each live expense and income once, `payee_months` each that has a payee: `minor` in the
    /// currency of the transaction, `account_minor` in the currency of the account, which may change and is therefore not
    /// stored here. `charged_years` and `payee_years` add up the months of each year, and the months of all years in year 0.
    ///
    /// `split_shares` holds what each live transaction with a split counts in each of its categories: the shares that
    /// `Transaction.shares` computes, added up by category. From there they go to `category_months` and `charged_months`, in
    /// place of the whole.
    ///
    /// `month_changes` counts the changes of the transactions of each month: of what reports add up, and of the accounts and
    /// categories that decide how it counts. The numbers only grow, so that equal numbers mean equal transactions.
    static let reportSums = """
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

        CREATE TABLE charged_years (
          year          INTEGER NOT NULL,
          category      TEXT    NOT NULL,
          kind          TEXT    NOT NULL,
          account       TEXT    NOT NULL,
          currency      TEXT    NOT NULL,
          count         INTEGER NOT NULL CHECK (count >= 0),
          minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor >= 0),
          account_minor INTEGER NOT NULL CONSTRAINT overflow CHECK (account_minor >= 0),
          PRIMARY KEY (year, category, kind, account, currency)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE payee_months (
          month         INTEGER NOT NULL,
          payee         TEXT    NOT NULL,
          kind          TEXT    NOT NULL,
          account       TEXT    NOT NULL,
          currency      TEXT    NOT NULL,
          count         INTEGER NOT NULL CHECK (count >= 0),
          minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor >= 0),
          account_minor INTEGER NOT NULL CONSTRAINT overflow CHECK (account_minor >= 0),
          PRIMARY KEY (month, payee, kind, account, currency)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE payee_years (
          year          INTEGER NOT NULL,
          payee         TEXT    NOT NULL,
          kind          TEXT    NOT NULL,
          account       TEXT    NOT NULL,
          currency      TEXT    NOT NULL,
          count         INTEGER NOT NULL CHECK (count >= 0),
          minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor >= 0),
          account_minor INTEGER NOT NULL CONSTRAINT overflow CHECK (account_minor >= 0),
          PRIMARY KEY (year, payee, kind, account, currency)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE split_shares (
          category      TEXT    NOT NULL,
          date          INTEGER NOT NULL,
          id            TEXT    NOT NULL,
          seq           INTEGER NOT NULL,
          minor         INTEGER NOT NULL CHECK (minor > 0),
          account_minor INTEGER NOT NULL CHECK (account_minor >= 0),
          PRIMARY KEY (category, date, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX split_shares_by_seq ON split_shares (seq);

        CREATE TABLE month_changes (
          month   INTEGER NOT NULL PRIMARY KEY,
          changes INTEGER NOT NULL CHECK (changes > 0)
        ) STRICT;
        """

    /// Words of payee, note and tags, found by their beginnings, without regard to case and accents; and the amount behind
    /// a private-use mark, found whole. The row number holds the day above 40 bits of `seq`, so that the newest matches come
    /// out first without sorting. A segment of the index fits one page of the file; with the default of 4,050 bytes each
    /// segment would take two pages.
    static let search = """
        CREATE VIRTUAL TABLE transactions_search USING fts5 (
          words,
          content = '',
          columnsize = 0,
          prefix = '1 2 3',
          tokenize = "unicode61 remove_diacritics 2"
        );
        INSERT INTO transactions_search (transactions_search, rank) VALUES ('pgsz', 1900);
        """
}
