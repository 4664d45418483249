// The seventh schema of the cloud: the amount of data of each account, and the session of each replica.
import Storage

/// Rows and bytes of each account, updated by each push, so that no push has to count. The bytes of a row
/// are the bytes of its `fields` and its `versions`.
let cloudUsageMigration = Migration(
    number: 7,
    name: "usage",
    since: "0.1.0",
    sql: """
        ALTER TABLE sync_accounts ADD COLUMN rows INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sync_accounts ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sync_accounts ADD COLUMN dead_rows INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sync_accounts ADD COLUMN dead_bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE sync_accounts SET (rows, bytes, dead_rows, dead_bytes) = (
          SELECT ifnull(sum(is_deleted = 0), 0), ifnull(sum(iif(is_deleted = 0, size, 0)), 0),
            ifnull(sum(is_deleted), 0), ifnull(sum(iif(is_deleted = 1, size, 0)), 0)
          FROM (SELECT is_deleted, length(CAST(fields AS BLOB)) + length(CAST(versions AS BLOB)) AS size
                FROM entities WHERE account = sync_accounts.number)
        );
        -- The session that a replica came by last; null until it comes again.
        ALTER TABLE replicas ADD COLUMN session TEXT;
        """
)
