// The seventh schema of the device store: connections to banks.
import Storage

/// The connections of each device, and the caches of what their banks have reported.
///
/// `access`, `consent` and `content` are sealed with a key of the device. `consent` is a consent that a user has
/// begun to give, until it is used; a connection without access is removed after `consent_until`. `version` changes with every change of the connection, except for that
/// of `consent`. Times are UTC seconds.
let banksMigration = Migration(
    number: 7,
    name: "banks",
    since: "0.1.0",
    sql: """
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
        """
)
