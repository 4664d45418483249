// The tenth schema of the cloud: marks that tell whether the file is older than its server left it.
import Storage

/// Each mark is a number and random text. The newest one is also in a file beside this one; see `FileMark`.
///
/// `replicas.is_behind`: the replica has seen changes that this file may have lost, and gets `cursorAhead` at
/// its next request.
let cloudMarksMigration = Migration(
    number: 10,
    name: "marks",
    since: "0.1.0",
    sql: """
        CREATE TABLE file_marks (
          number  INTEGER NOT NULL PRIMARY KEY,
          chance  TEXT    NOT NULL
        ) STRICT;
        -- Whether the file was once found to be older: replicas that are not known here may have seen more of it.
        ALTER TABLE sync_accounts ADD COLUMN was_older INTEGER NOT NULL DEFAULT 0 CHECK (was_older IN (0, 1));
        ALTER TABLE replicas ADD COLUMN is_behind INTEGER NOT NULL DEFAULT 0 CHECK (is_behind IN (0, 1));
        """
)
