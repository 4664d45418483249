// The third schema of the cloud: the last writer of a row.
import Storage

/// The last writer of a row, for the history on the devices that pull it; 0 if it is unknown.
let cloudWritersMigration = Migration(
    number: 3,
    name: "writers",
    since: "0.1.0",
    sql: "ALTER TABLE entities ADD COLUMN last_writer INTEGER NOT NULL DEFAULT 0"
)
