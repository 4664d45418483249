// The first schema of the device store. It is never edited: a migration after it corrects its mistakes.
import Storage

/// All tables and indexes of the device store. Times are UTC seconds.
///
/// The numbers below belong to versions that were never released.
let firstMigration = Migration(
    number: 9,
    name: "first",
    since: "0.1.0",
    sql: FirstSchema.parts.joined(separator: "\n")
)

/// The statements of the first schema, by their subjects.
private enum FirstSchema {
    static let parts = [devices, sessions, orders, banks]

    /// Devices with their cookies and lifecycles, the log of transitions, and notices. A cookie is stored as its SHA-256 only.
    ///
    /// `guest` is the id of the device's guest. `has_book`: the device's book was created and was not removed since, so that
    /// a missing file means that the book was lost. `kept_at` is the last use of a guest whose book was found to contain
    /// entries, so that it is not opened repeatedly.
    static let devices = """
        CREATE TABLE devices (
          id                   TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          cookie_hash          BLOB    NOT NULL UNIQUE CHECK (length(cookie_hash) = 32),
          previous_hash        BLOB    UNIQUE CHECK (length(previous_hash) = 32),
          previous_valid_until INTEGER CHECK ((previous_valid_until IS NULL) = (previous_hash IS NULL)),
          created_at           INTEGER NOT NULL,
          seen_at              INTEGER NOT NULL,
          rotated_at           INTEGER NOT NULL,
          locale               TEXT    NOT NULL CHECK (length(locale) <= 100),
          onboarding           TEXT    NOT NULL CHECK (length(onboarding) <= 100),
          state                TEXT    NOT NULL CHECK (length(state) <= 20000),
          guest                TEXT    CHECK (length(guest) = 26),
          has_book             INTEGER NOT NULL DEFAULT 0 CHECK (has_book IN (0, 1)),
          is_host_bound        INTEGER NOT NULL DEFAULT 0 CHECK (is_host_bound IN (0, 1)),
          kept_at              INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX devices_by_seen ON devices (seen_at);

        CREATE TABLE transitions (
          seq                  INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
          device               TEXT    NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
          at                   INTEGER NOT NULL,
          event                TEXT    NOT NULL CHECK (length(event) <= 1000),
          from_state           TEXT    NOT NULL CHECK (length(from_state) <= 1000),
          to_state             TEXT    NOT NULL CHECK (length(to_state) <= 1000)
        ) STRICT;
        CREATE INDEX transitions_by_device ON transitions (device, seq);

        CREATE TABLE notices (
          device               TEXT    NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
          key                  TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
          at                   INTEGER NOT NULL,
          text                 TEXT    NOT NULL CHECK (length(text) <= 4000),
          PRIMARY KEY (device, key)
        ) STRICT, WITHOUT ROWID;
        """

    /// The sessions of devices with the cloud, and the tokens of ended sessions of which the cloud has to be notified. Tokens
    /// and the stored entitlement are sealed with the server's secret.
    static let sessions = """
        CREATE TABLE sessions (
          device               TEXT    NOT NULL PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
          user                 TEXT    NOT NULL CHECK (length(user) = 26),
          email                TEXT    CHECK (length(email) <= 400),
          name                 TEXT    CHECK (length(name) <= 400),
          user_since           INTEGER NOT NULL,
          has_password         INTEGER NOT NULL CHECK (has_password IN (0, 1)),
          token                BLOB    NOT NULL,
          is_revoked           INTEGER NOT NULL CHECK (is_revoked IN (0, 1)),
          is_attached          INTEGER NOT NULL CHECK (is_attached IN (0, 1)),
          wants_sync           INTEGER NOT NULL CHECK (wants_sync IN (0, 1)),
          entitlement          BLOB,
          cloud_accounts       INTEGER NOT NULL,
          cloud_transactions   INTEGER NOT NULL,
          cloud_categories     INTEGER NOT NULL,
          cloud_changed_at     INTEGER,
          -- Another device or the operator ended it: the book stays closed until the same user signs in again.
          is_locked            INTEGER NOT NULL DEFAULT 0 CHECK (is_locked IN (0, 1)),
          -- The cloud did not answer whether it has deleted the user's data, and was not asked since.
          is_unanswered        INTEGER NOT NULL DEFAULT 0 CHECK (is_unanswered IN (0, 1)),
          -- The user has left the page of the download that is under way.
          left_download        INTEGER NOT NULL DEFAULT 0 CHECK (left_download IN (0, 1))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ended_sessions (
          token                BLOB    NOT NULL PRIMARY KEY,
          device               TEXT    NOT NULL CHECK (length(device) = 26),
          at                   INTEGER NOT NULL,
          -- When the cloud was notified of the end; null before.
          told_at              INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX ended_sessions_by_device ON ended_sessions (device, at);
        """

    /// The operator's orders for the server of the folder; each is removed once it is carried out.
    static let orders = """
        CREATE TABLE orders (
          seq                  INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
          what                 TEXT    NOT NULL CHECK (what IN ('lock', 'erase', 'prune')),
          device               TEXT    REFERENCES devices (id) ON DELETE CASCADE,
          idle_seconds         INTEGER CHECK (idle_seconds >= 0),
          at                   INTEGER NOT NULL,
          CHECK ((device IS NULL) = (what = 'prune'))
        ) STRICT;
        """

    /// The connections of each device, and the caches of what their banks have reported.
    ///
    /// `access`, `consent` and `content` are sealed with a key of the device. `consent` is a consent that a user has begun to
    /// give, until it is used; a connection without access is removed after `consent_until`. `version` changes with every
    /// change of the connection, except for that of `consent`.
    ///
    /// `bank_revocations` has the accesses that are used once more, to end their consents. `access` outlives the connection
    /// and the device there, until the provider has answered.
    static let banks = """
        CREATE TABLE bank_connections (
          id                   TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          device               TEXT    NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
          provider             TEXT    NOT NULL CHECK (length(provider) BETWEEN 1 AND 100),
          state                TEXT    NOT NULL CHECK (length(state) <= 1000),
          version              INTEGER NOT NULL,
          access               BLOB,
          consent              BLOB,
          consent_until        INTEGER CHECK (consent IS NULL OR consent_until IS NOT NULL),
          access_ends_at       INTEGER,
          plan                 TEXT    NOT NULL CHECK (length(plan) <= 4000),
          refreshed_at         INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX bank_connections_by_device ON bank_connections (device, id);

        CREATE TABLE bank_caches (
          connection           TEXT    NOT NULL REFERENCES bank_connections (id) ON DELETE CASCADE,
          kind                 TEXT    NOT NULL CHECK (kind IN ('accounts', 'balance', 'transactions')),
          account              TEXT    NOT NULL CHECK (length(account) <= 400),
          at                   INTEGER NOT NULL,
          content              BLOB    NOT NULL,
          PRIMARY KEY (connection, kind, account)
        ) STRICT;

        CREATE TABLE bank_revocations (
          access               BLOB    NOT NULL PRIMARY KEY,
          device               TEXT    NOT NULL CHECK (length(device) = 26),
          connection           TEXT    NOT NULL CHECK (length(connection) = 26),
          provider             TEXT    NOT NULL CHECK (length(provider) BETWEEN 1 AND 100),
          at                   INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
