// The eighth schema of the cloud: dead ids in the bytes that they are made of.
import Ledger
import Storage

/// `dead_ids` is all that stays of a deleted row for as long as its account: 16 bytes each, where there were 26
/// characters.
let cloudDeadIDsMigration = Migration(number: 8, name: "dead-ids") { db in
    try db.execute(
        sql: """
            ALTER TABLE dead_ids RENAME TO dead_ids_before;
            CREATE TABLE dead_ids (
              account     INTEGER NOT NULL REFERENCES sync_accounts (number) ON DELETE CASCADE,
              id          BLOB    NOT NULL CHECK (length(id) = 16),
              PRIMARY KEY (account, id)
            ) STRICT, WITHOUT ROWID;
            """
    )
    try db.forEach("SELECT account, id FROM dead_ids_before") { row in
        try db.bury(try row.id(1), of: row.int64(0))
    }
    try db.execute(sql: "DROP TABLE dead_ids_before")
}
