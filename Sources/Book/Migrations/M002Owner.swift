// The second schema of a book: its owner.
import Storage

/// One row with the owner of all other rows: a guest or a user.
let ownerMigration = Migration(
    number: 2,
    name: "owner",
    since: "0.1.0",
    sql: """
        CREATE TABLE owner (
          only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
          id       TEXT    NOT NULL CHECK (length(id) = 26)
        ) STRICT;
        """
)
