// The fifth schema of the device store: cookies of one host, guests who were looked at, and what the operator orders.
import Storage

/// `kept_at`: when a guest was last seen whose book was found to hold something, so that it is not opened again and again.
///
/// `orders`: what the operator wants done, for the server that has the folder; each is gone once it is carried out.
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
