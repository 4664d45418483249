// The twenty-first schema of a book: answers about transactions that look alike.
import Storage

/// A row is about two transactions: a transaction that was entered otherwise, and the record of a bank, which has the
/// id of its row. `is_two` is 1 if the user has said that they are not the same, and 0 if they are perhaps the same
/// although the amounts differ, because the bank has booked another amount than it had reported before. It is not
/// synced.
let bankAnswersMigration = Migration(
    number: 21,
    name: "bank answers",
    since: "0.1.0",
    sql: """
        CREATE TABLE bank_answers (
          entered TEXT NOT NULL CHECK (length(entered) = 26),
          record  TEXT NOT NULL CHECK (length(record) = 26),
          is_two  INTEGER NOT NULL CHECK (is_two IN (0, 1)),
          PRIMARY KEY (entered, record)
        ) STRICT, WITHOUT ROWID;
        """
)
