// The third schema of the cloud: who wrote last to a row.
import Storage

/// A row's last writer, for the history of the devices that hear of it; 0 where that is not known.
let cloudWritersMigration = Migration(
    number: 3,
    name: "writers",
    since: "0.1.0",
    sql: "ALTER TABLE entities ADD COLUMN last_writer INTEGER NOT NULL DEFAULT 0"
)
