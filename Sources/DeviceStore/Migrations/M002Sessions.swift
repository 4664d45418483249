// The second schema of the device store: sessions.
import Storage

/// A device's session with the cloud, the tokens of ended sessions of which the cloud has to be notified, and
/// the id of each guest.
///
/// Times are UTC seconds. Tokens and the stored entitlement are sealed with the server's secret.
let sessionsMigration = Migration(
    number: 2,
    name: "sessions",
    since: "0.1.0",
    sql: """
        ALTER TABLE devices ADD COLUMN guest TEXT CHECK (length(guest) = 26);
        UPDATE devices SET guest = id;

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
          cloud_changed_at     INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ended_sessions (
          token                BLOB    NOT NULL PRIMARY KEY,
          device               TEXT    NOT NULL CHECK (length(device) = 26),
          at                   INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
)
