// The twenty-first schema of a book: answers about transactions that look alike.
import Storage

/// A row says that two transactions are not the same: one that was entered otherwise, and the record of a bank, which has
/// the id of its row. It is not synced.
let bankAnswersMigration = Migration(
    number: 21,
    name: "bank answers",
    since: "0.1.0",
    sql: """
        CREATE TABLE bank_answers (
          entered TEXT NOT NULL CHECK (length(entered) = 26),
          record  TEXT NOT NULL CHECK (length(record) = 26),
          PRIMARY KEY (entered, record)
        ) STRICT, WITHOUT ROWID;
        """
)
