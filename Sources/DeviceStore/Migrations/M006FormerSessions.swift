// The sixth schema of the device store: sessions that have ended on a device are remembered.
import Storage

/// When the cloud was told of a session's end, in UTC seconds; nil where it is still to be told.
let formerSessionsMigration = Migration(
    number: 6,
    name: "former sessions",
    since: "0.1.0",
    sql: """
        ALTER TABLE ended_sessions ADD COLUMN told_at INTEGER;
        CREATE INDEX ended_sessions_by_device ON ended_sessions (device, at);
        """
)
