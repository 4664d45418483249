// The fifteenth schema of the cloud: the number of dead ids of each account, which its limits count.
import Storage

let cloudBuriedMigration = Migration(
    number: 15,
    name: "buried",
    since: "0.1.0",
    sql: """
        ALTER TABLE sync_accounts ADD COLUMN buried INTEGER NOT NULL DEFAULT 0;
        UPDATE sync_accounts SET buried = (SELECT count(*) FROM dead_ids WHERE account = number);
        """
)
