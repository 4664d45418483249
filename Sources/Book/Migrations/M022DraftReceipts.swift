// The twenty-second schema of a book: files for a transaction that is still being entered.
import Storage

/// `transaction_id` is the id that the transaction gets when it is recorded; there is no row of it until then. The
/// other columns are the columns of `receipts`. It is not synced.
let draftReceiptsMigration = Migration(
    number: 22,
    name: "draft receipts",
    since: "0.1.0",
    sql: """
        CREATE TABLE draft_receipts (
          id             TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          transaction_id TEXT    NOT NULL CHECK (length(transaction_id) = 26),
          name           TEXT    NOT NULL CHECK (length(name) <= 1000),
          type           TEXT    NOT NULL CHECK (length(type) <= 200),
          size           INTEGER NOT NULL,
          sha256         TEXT    NOT NULL CHECK (length(sha256) = 64),
          width          INTEGER,
          height         INTEGER,
          created        INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX draft_receipts_by_transaction ON draft_receipts (transaction_id, created, id);
        CREATE INDEX draft_receipts_by_content ON draft_receipts (sha256);
        """
)
