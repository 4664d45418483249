// The sixth schema of a book: values of this device that another device overwrote without having seen them.
import Storage

/// `mine` holds the values that were entered here, `was` the values before them, if they are known. An entity
/// has at most one loss. Losses do not sync, because they do not concern the device that wrote last.
let lossesMigration = Migration(
    number: 6,
    name: "losses",
    since: "0.1.0",
    sql: """
        CREATE TABLE losses (
          number  INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
          at      INTEGER NOT NULL,
          kind    TEXT    NOT NULL,
          id      TEXT    NOT NULL CHECK (length(id) = 26),
          device  TEXT    NOT NULL,
          mine    TEXT    NOT NULL,
          was     TEXT    NOT NULL,
          -- 1 where another device deleted the entity, 0 where it overwrote the values.
          is_deletion INTEGER NOT NULL CHECK (is_deletion IN (0, 1)),
          UNIQUE (kind, id)
        ) STRICT;
        """
)
