// The fourth schema of the cloud: the sequences that were lost when it was restored from a backup.
import Storage

/// Sequences of each account that a cloud has assigned and lost: the sequences strictly between the two. The
/// account continues after them, so that none of them is assigned again.
let cloudRestoredMigration = Migration(
    number: 4,
    name: "restored",
    since: "0.1.0",
    sql: """
        CREATE TABLE lost_ranges (
          account     INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
          after_seq   INTEGER NOT NULL,
          before_seq  INTEGER NOT NULL,
          at          INTEGER NOT NULL,
          PRIMARY KEY (account, after_seq, before_seq)
        ) STRICT, WITHOUT ROWID;
        """
)
