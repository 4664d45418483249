// The fifth schema of the device store: host-bound cookies, inspected guests, and the operator's orders.
import Storage

/// `kept_at`: the last use of a guest whose book was found to contain entries, so that it is not opened
/// repeatedly.
///
/// `orders`: the operator's orders for the server of the folder; each is removed once it is carried out.
let guestsMigration = Migration(
    number: 5,
    name: "guests",
    since: "0.1.0",
    sql: """
        ALTER TABLE devices ADD COLUMN is_host_bound INTEGER NOT NULL DEFAULT 0 CHECK (is_host_bound IN (0, 1));
        ALTER TABLE devices ADD COLUMN kept_at INTEGER;

        CREATE TABLE orders (
          seq                  INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
          what                 TEXT    NOT NULL CHECK (what IN ('lock', 'erase', 'prune')),
          device               TEXT    REFERENCES devices (id) ON DELETE CASCADE,
          idle_seconds         INTEGER CHECK (idle_seconds >= 0),
          at                   INTEGER NOT NULL,
          CHECK ((device IS NULL) = (what = 'prune'))
        ) STRICT;
        """
)
