// The fourth schema of the device store: the devices with a book.
import Storage

/// Whether a device's book was created and was not removed since: a missing file then means that the book was
/// lost.
///
/// Existing devices are marked if a device keeps their stored state only with a book.
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
