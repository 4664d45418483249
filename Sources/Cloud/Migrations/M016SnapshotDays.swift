// The sixteenth schema of the cloud: the days by which a snapshot sorts transactions.
import Storage

/// `entities.day` is the date of a transaction, in days since 1970, and 0 for all else. It orders a new device's download
/// and has no other meaning: a wrong one loses nothing.
let cloudSnapshotDaysMigration = Migration(
    number: 16,
    name: "snapshot days",
    since: "0.1.0",
    sql: """
        ALTER TABLE entities ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
        UPDATE entities SET day = CASE
          WHEN json_valid(fields) AND json_type(fields, '$.date') = 'integer'
            AND json_extract(fields, '$.date') BETWEEN -719162 AND 2932896
          THEN json_extract(fields, '$.date') ELSE 0 END
          WHERE kind = 'transaction';
        CREATE INDEX entities_by_day ON entities (account, day, id) WHERE kind = 'transaction' AND is_deleted = 0;
        """
)
