// The first schema of the cloud: user accounts, their identities and sessions.
import Storage

/// Users by issuer and subject with the guest whose sign-in created each, sessions by the hash of their
/// token, the operator's grants, and the holdings of each user.
///
/// Times are UTC seconds; a token is stored as its SHA-256 only. The foreign key from an identity to its user
/// is checked at the end of the transaction, because the insert that decides whether the user is new precedes
/// the user's own.
let directoryMigration = Migration(
    number: 1,
    name: "directory",
    since: "0.1.0",
    sql: """
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
          why        TEXT    NOT NULL CHECK (why IN ('revoked', 'gone')),
          at         INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX ended_sessions_by_time ON ended_sessions (at);

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
)
