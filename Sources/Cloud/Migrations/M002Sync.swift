// The second schema of the cloud: the rows of each account, and the operations of its replicas.
import Storage

/// Rows by account, with the sequence of each account; the results of operations; ids that are permanently
/// dead.
///
/// The account is the first column of every key, so that the rows of an account are adjacent and no query
/// reaches another account's. Times are UTC seconds.
let cloudSyncMigration = Migration(
    number: 2,
    name: "sync",
    since: "0.1.0",
    sql: """
        CREATE TABLE sync_accounts (
          number      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
          user        TEXT    NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
          epoch       INTEGER NOT NULL,
          seq         INTEGER NOT NULL,
          gc_floor    INTEGER NOT NULL
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
          PRIMARY KEY (account, kind, id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX entities_by_seq ON entities (account, seq);
        CREATE INDEX entities_dead ON entities (account, seq, changed_at) WHERE is_deleted = 1;

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
          PRIMARY KEY (account, replica, n)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX op_results_by_op ON op_results (account, op_id, seq);

        CREATE TABLE dead_ids (
          account     INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
          id          TEXT    NOT NULL,
          PRIMARY KEY (account, id)
        ) STRICT, WITHOUT ROWID;
        """
)
