// The sixth schema of a book: what its user had entered and another device's change took the place of.
import Storage

/// `mine` are the values that were entered here, `was` those that stood before them, where that is known. One row of
/// another table has one of these. They are this device's alone: the device that wrote last has nothing to be told.
let lossesMigration = Migration(number: 6, name: "losses") { db in
    try db.execute(
        sql: """
            CREATE TABLE losses (
              number  INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
              at      INTEGER NOT NULL,
              kind    TEXT    NOT NULL,
              id      TEXT    NOT NULL CHECK (length(id) = 26),
              device  TEXT    NOT NULL,
              mine    TEXT    NOT NULL,
              was     TEXT    NOT NULL,
              UNIQUE (kind, id)
            ) STRICT;
            """
    )
}
