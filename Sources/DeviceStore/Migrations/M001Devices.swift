// The first schema of the device store.
import Storage

/// Devices with their cookies and lifecycles, the log of transitions, and notices.
///
/// Times are UTC seconds; a cookie is stored as its SHA-256 only.
let devicesMigration = Migration(
    number: 1,
    name: "register",
    since: "0.1.0",
    sql: """
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
          state                TEXT    NOT NULL CHECK (length(state) <= 20000)
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
)
