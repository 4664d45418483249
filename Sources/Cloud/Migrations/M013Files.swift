// The thirteenth schema of the cloud: the files of each account, whose bytes are beside the database.
import Storage

/// A row of `files` is a file that has arrived completely and whose content has the hash `sha256`. Its bytes are in
/// the folder of the account; a file in the folder without a row is collected.
///
/// `unreferenced_since` is the time at which the collection found no receipt that refers to the file; null while one
/// does, and before the first collection. A device can bring deleted receipts back, so that the file stays for some time.
let cloudFilesMigration = Migration(
    number: 13,
    name: "files",
    since: "0.1.0",
    sql: """
        CREATE TABLE files (
          account            INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
          sha256             TEXT    NOT NULL CHECK (length(sha256) = 64),
          size               INTEGER NOT NULL CHECK (size > 0),
          stored_at          INTEGER NOT NULL,
          unreferenced_since INTEGER,
          PRIMARY KEY (account, sha256)
        ) STRICT, WITHOUT ROWID;
        """
)
