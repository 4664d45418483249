// The tenth schema of a book: the table and the columns of staged rows are named after their purpose.
import Storage

/// SQLite renames a column in the triggers `history_capture` and `conflicts_capture` as well.
/// `download_reason` is the reason of a download that replaces the rows of the book; all of its pages are
/// staged.
let stagingMigration = Migration(
    number: 10,
    name: "staging",
    since: "0.1.0",
    sql: """
        ALTER TABLE aside RENAME TO staged_rows;
        ALTER TABLE sync RENAME COLUMN aside_up_to TO staged_up_to;
        ALTER TABLE sync RENAME COLUMN download_aside TO download_reason;
        """
)
