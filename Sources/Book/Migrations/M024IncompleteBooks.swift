// The twenty-fourth schema of a book: whether rows of the cloud are missing until the first download is complete.
import Storage

/// A download that has begun before this schema counts as a first one if the book was attached empty, which nothing says: an
/// attachment that uploads first has rows in the outbox, or has seen results.
let incompleteBooksMigration = Migration(
    number: 24,
    name: "incomplete books",
    since: "0.1.0",
    sql: """
        ALTER TABLE sync ADD COLUMN is_incomplete INTEGER NOT NULL DEFAULT 0 CHECK (is_incomplete IN (0, 1));
        UPDATE sync SET is_incomplete = 1
        WHERE download_next IS NOT NULL AND download_reason IS NULL AND walk_rank IS NULL AND last_n = 0
          AND download_done > 0;
        """
)
