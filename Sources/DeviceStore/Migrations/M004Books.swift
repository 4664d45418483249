// The fourth schema of the device store: which devices have a book.
import Storage

/// Whether a device's book was made and was not removed since: where its file is missing then, it was lost.
///
/// Of devices from before, those are known to have one that had come to rest with it.
let booksMigration = Migration(
    number: 4,
    name: "books",
    since: "0.1.0",
    sql: """
        ALTER TABLE devices ADD COLUMN has_book INTEGER NOT NULL DEFAULT 0 CHECK (has_book IN (0, 1));
        UPDATE devices SET has_book = 1
        WHERE state LIKE 'local_only%' OR state LIKE 'synced%' OR state LIKE 'draining_upload_queue%';
        """
)
