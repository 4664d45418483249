// The sixth schema of the device store: ended sessions of a device stay stored.
import Storage

/// The time at which the cloud was notified of a session's end, in UTC seconds; NULL before.
let formerSessionsMigration = Migration(
    number: 6,
    name: "former sessions",
    since: "0.1.0",
    sql: """
        ALTER TABLE ended_sessions ADD COLUMN told_at INTEGER;
        CREATE INDEX ended_sessions_by_device ON ended_sessions (device, at);
        """
)
