// The first schema of the cloud. It is never edited: a migration after it corrects its mistakes.
import Storage

/// All tables, indexes and triggers of the cloud. Times are UTC seconds.
///
/// The numbers below belong to versions that were never released.
let firstMigration = Migration(
    number: 17,
    name: "first",
    since: "0.1.0",
    sql: FirstSchema.parts.joined(separator: "\n")
)

/// The statements of the first schema, by their subjects.
private enum FirstSchema {
    static let parts = [users, sync, marks, rates, files]

    /// Users by issuer and subject with the guest whose sign-in created each, sessions by the hash of their token, the
    /// operator's grants, and the holdings of each user.
    ///
    /// A token is stored as its SHA-256 only. The foreign key from an identity to its user is checked at the end of the
    /// transaction, because the insert that decides whether the user is new precedes the user's own.
    ///
    /// For a session that has ended: the way in which it ended and, if they are known, its id, user and name. `locked` and
    /// `erased` mean that another device or the operator ended it.
    static let users = """
        CREATE TABLE users (
          id         TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          email      TEXT    CHECK (length(email) BETWEEN 1 AND 320),
          name       TEXT    CHECK (length(name) BETWEEN 1 AND 200),
          created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE identities (
          issuer     TEXT    NOT NULL CHECK (length(issuer) BETWEEN 1 AND 255),
          subject    TEXT    NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
          user       TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          maker      TEXT    NOT NULL CHECK (length(maker) = 26),
          PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX identities_by_user ON identities (user);

        CREATE TABLE sessions (
          hash       BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
          id         TEXT    NOT NULL UNIQUE CHECK (length(id) = 26),
          user       TEXT    NOT NULL REFERENCES users (id),
          name       TEXT    NOT NULL CHECK (length(name) <= 100),
          created_at INTEGER NOT NULL,
          seen_at    INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sessions_by_user ON sessions (user, seen_at);

        CREATE TABLE ended_sessions (
          hash       BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
          why        TEXT    NOT NULL CHECK (why IN ('revoked', 'locked', 'erased', 'gone')),
          at         INTEGER NOT NULL,
          id         TEXT    CHECK (length(id) = 26),
          user       TEXT    CHECK (length(user) = 26),
          name       TEXT    CHECK (length(name) <= 100),
          created_at INTEGER,
          seen_at    INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX ended_sessions_by_time ON ended_sessions (at);
        CREATE INDEX ended_sessions_by_user ON ended_sessions (user) WHERE user IS NOT NULL;

        CREATE TABLE passwords (
          email_key  TEXT    NOT NULL PRIMARY KEY CHECK (length(email_key) BETWEEN 3 AND 254),
          email      TEXT    NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
          subject    TEXT    NOT NULL UNIQUE CHECK (length(subject) BETWEEN 1 AND 255),
          hash       TEXT    NOT NULL CHECK (length(hash) BETWEEN 1 AND 500),
          changed_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE grants (
          user       TEXT    NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
          expires_at INTEGER,
          granted_at INTEGER NOT NULL,
          revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE holdings (
          user         TEXT    NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
          accounts     INTEGER NOT NULL CHECK (accounts >= 0),
          transactions INTEGER NOT NULL CHECK (transactions >= 0),
          categories   INTEGER NOT NULL CHECK (categories >= 0),
          changed_at   INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Rows by account, with the sequence of each account; the results of operations. The account is the first column of
    /// every key, so that the rows of an account are adjacent and no query reaches another account's.
    ///
    /// `rows`, `bytes` and their dead companions are updated by each push, so that no push has to count. The bytes of a row
    /// are the bytes of its `fields` and its `versions`. `entities.day` is the date of a transaction, in days since 1970, and
    /// 0 for all else. It orders a new device's download and has no other meaning: a wrong one loses nothing.
    ///
    /// `lost_ranges`: sequences of each account that a cloud has assigned and lost when it was restored from a backup, the
    /// sequences strictly between the two. The account continues after them, so that none of them is assigned again.
    ///
    /// `dead_ids` is all that remains of a collected row for as long as its account exists, 16 bytes each; `buried` counts
    /// them for the limits of the account.
    static let sync = """
        CREATE TABLE sync_accounts (
          number      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
          user        TEXT    NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
          epoch       INTEGER NOT NULL,
          seq         INTEGER NOT NULL,
          gc_floor    INTEGER NOT NULL,
          -- The time of the first request without premium of an account whose entitlement does not state its end.
          ended_at    INTEGER,
          rows        INTEGER NOT NULL DEFAULT 0,
          bytes       INTEGER NOT NULL DEFAULT 0,
          dead_rows   INTEGER NOT NULL DEFAULT 0,
          dead_bytes  INTEGER NOT NULL DEFAULT 0,
          rows_hash   INTEGER,
          was_older   INTEGER NOT NULL DEFAULT 0 CHECK (was_older IN (0, 1)),
          buried      INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE replicas (
          number      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
          account     INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
          id          TEXT    NOT NULL CHECK (length(id) = 26),
          name        TEXT    NOT NULL,
          last_n      INTEGER NOT NULL,
          acked_seq   INTEGER NOT NULL,
          seen_at     INTEGER NOT NULL,
          is_detached INTEGER NOT NULL CHECK (is_detached IN (0, 1)),
          session     TEXT,
          -- It has seen changes that this file may have lost, and gets `cursorAhead` at its next request.
          is_behind   INTEGER NOT NULL DEFAULT 0 CHECK (is_behind IN (0, 1)),
          UNIQUE (account, id)
        ) STRICT;

        CREATE TABLE entities (
          account     INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
          kind        TEXT    NOT NULL,
          id          TEXT    NOT NULL CHECK (length(id) = 26),
          seq         INTEGER NOT NULL,
          is_deleted  INTEGER NOT NULL CHECK (is_deleted IN (0, 1)),
          fields      TEXT    NOT NULL,
          created_seq INTEGER NOT NULL,
          created_by  INTEGER NOT NULL,
          versions    TEXT    NOT NULL,
          author      INTEGER NOT NULL,
          changed_at  INTEGER NOT NULL,
          -- For the history on the devices that pull the row; 0 if it is unknown.
          last_writer INTEGER NOT NULL DEFAULT 0,
          hash        INTEGER,
          day         INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (account, kind, id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX entities_by_seq ON entities (account, seq);
        CREATE INDEX entities_dead ON entities (account, seq, changed_at) WHERE is_deleted = 1;
        CREATE INDEX entities_by_day ON entities (account, day, id) WHERE kind = 'transaction' AND is_deleted = 0;
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

        CREATE TABLE op_results (
          account     INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
          replica     INTEGER NOT NULL,
          n           INTEGER NOT NULL,
          op_id       TEXT    NOT NULL,
          digest      INTEGER NOT NULL,
          seq         INTEGER NOT NULL,
          status      TEXT    NOT NULL,
          conflict    TEXT,
          code        TEXT,
          at          INTEGER NOT NULL,
          -- Of a refused operation, the field whose value was refused.
          field       TEXT,
          PRIMARY KEY (account, replica, n)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX op_results_by_op ON op_results (account, op_id, seq);

        CREATE TABLE lost_ranges (
          account     INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
          after_seq   INTEGER NOT NULL,
          before_seq  INTEGER NOT NULL,
          at          INTEGER NOT NULL,
          PRIMARY KEY (account, after_seq, before_seq)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE dead_ids (
          account     INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
          id          BLOB    NOT NULL CHECK (length(id) = 16),
          PRIMARY KEY (account, id)
        ) STRICT, WITHOUT ROWID;
        """

    /// Marks that tell whether the file is older than its server left it. Each is a number and random text. The newest one is
    /// also in a file beside this one; see `FileMark`.
    static let marks = """
        CREATE TABLE file_marks (
          number  INTEGER NOT NULL PRIMARY KEY,
          chance  TEXT    NOT NULL
        ) STRICT;
        """

    /// The exchange rates of every day, and the requests for new rates.
    ///
    /// A row of `rate_days` is the set of one day. `rates` has lines of a currency and its published digits (`USD 1.1172`):
    /// 1 unit of `base` = so many units of the currency. A set is always read and replaced as a whole, and the whole history
    /// has 7,000 days with 30 rates each. `version` is the digest of `RatesVersion`.
    ///
    /// `rate_feed` has one row once rates were requested. `entity_tag` and `last_modified` belong to `address`. Days are
    /// numbers of days since 1970-01-01.
    static let rates = """
        CREATE TABLE rate_days (
          day       INTEGER NOT NULL PRIMARY KEY CHECK (day BETWEEN -719162 AND 2932896),
          source    TEXT    NOT NULL CHECK (length(source) BETWEEN 1 AND 100),
          base      TEXT    NOT NULL CHECK (base GLOB '[A-Z][A-Z][A-Z]'),
          rates     TEXT    NOT NULL CHECK (length(rates) BETWEEN 5 AND 40000),
          version   TEXT    NOT NULL CHECK (length(version) BETWEEN 1 AND 100),
          origin    TEXT    NOT NULL CHECK (origin IN ('bundled', 'feed', 'file')),
          stored_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE implausible_rates (
          day       INTEGER NOT NULL CHECK (day BETWEEN -719162 AND 2932896),
          currency  TEXT    NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
          rate      TEXT    NOT NULL CHECK (length(rate) BETWEEN 1 AND 32),
          earlier   TEXT    NOT NULL CHECK (length(earlier) BETWEEN 1 AND 32),
          stored_at INTEGER NOT NULL,
          PRIMARY KEY (day, currency, rate)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE rate_feed (
          only_row      INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
          attempted_at  INTEGER NOT NULL,
          succeeded_at  INTEGER,
          failures      INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
          not_before    INTEGER,
          address       TEXT    CHECK (length(address) BETWEEN 1 AND 2000),
          entity_tag    TEXT    CHECK (length(entity_tag) BETWEEN 1 AND 300),
          last_modified TEXT    CHECK (length(last_modified) BETWEEN 1 AND 300)
        ) STRICT;
        """

    /// A row is a file that has arrived completely and whose content has the hash `sha256`. Its bytes are in the folder of the
    /// account; a file in the folder without a row is collected.
    ///
    /// `unreferenced_since` is the time at which the collection found no receipt that refers to the file; null while one
    /// does, and before the first collection. A device can bring deleted receipts back, so that the file stays for some time.
    static let files = """
        CREATE TABLE files (
          account            INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
          sha256             TEXT    NOT NULL CHECK (length(sha256) = 64),
          size               INTEGER NOT NULL CHECK (size > 0),
          stored_at          INTEGER NOT NULL,
          unreferenced_since INTEGER,
          PRIMARY KEY (account, sha256)
        ) STRICT, WITHOUT ROWID;
        """
}
