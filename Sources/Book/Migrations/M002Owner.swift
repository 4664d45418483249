// The second schema of a book: whose it is.
import Storage

/// The one row that says whose rows all others are: a guest's, or a user's.
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
