// The eleventh schema of the cloud: the end of each session, and the locked devices.
import Storage

/// For a session that has ended: the way in which it ended and, if they are known, its id, user and name.
/// `locked` and `erased` mean that another device or the operator ended it.
let cloudLocksMigration = Migration(
    number: 11,
    name: "locks",
    since: "0.1.0",
    sql: """
        CREATE TABLE endings (
          hash       BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
          why        TEXT    NOT NULL CHECK (why IN ('revoked', 'locked', 'erased', 'gone')),
          at         INTEGER NOT NULL,
          id         TEXT    CHECK (length(id) = 26),
          user       TEXT    CHECK (length(user) = 26),
          name       TEXT    CHECK (length(name) <= 100),
          created_at INTEGER,
          seen_at    INTEGER
        ) STRICT, WITHOUT ROWID;
        INSERT INTO endings (hash, why, at) SELECT hash, why, at FROM ended_sessions;
        DROP TABLE ended_sessions;
        ALTER TABLE endings RENAME TO ended_sessions;
        CREATE INDEX ended_sessions_by_time ON ended_sessions (at);
        CREATE INDEX ended_sessions_by_user ON ended_sessions (user) WHERE user IS NOT NULL;
        """
)
