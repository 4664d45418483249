// The third schema of the device store: devices that were locked from elsewhere.
import Storage

/// Whether another device or the operator ended a session: the book stays closed until the same user signs in
/// again.
let locksMigration = Migration(
    number: 3,
    name: "locks",
    since: "0.1.0",
    sql: """
        ALTER TABLE sessions ADD COLUMN is_locked INTEGER NOT NULL DEFAULT 0 CHECK (is_locked IN (0, 1));
        """
)
