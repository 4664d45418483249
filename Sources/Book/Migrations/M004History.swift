// The fourth schema of a book: what has happened to it.
import Storage

/// Every change of a row, by whoever made it. `tx` is what was one change: all of its rows are undone together.
///
/// A patch says what the fields held before and after; a creation and a deletion say nothing, for the row itself does,
/// with what was patched since taken off it. `device` is the name of another device, null for this one. The two
/// milestones, `begin` and `load`, say in `after` how many rows of each kind came at once and are not listed one by
/// one.
let historyMigration = Migration(number: 4, name: "history") { db in
    try db.execute(
        sql: """
            ALTER TABLE sync ADD COLUMN is_recording INTEGER NOT NULL DEFAULT 1 CHECK (is_recording IN (0, 1));
            ALTER TABLE aside ADD COLUMN writers TEXT;

            CREATE TABLE history (
              seq         INTEGER NOT NULL PRIMARY KEY,
              tx          INTEGER NOT NULL,
              at          INTEGER NOT NULL,
              device      TEXT,
              action      TEXT    NOT NULL CHECK (action IN ('create', 'patch', 'delete', 'begin', 'load')),
              kind        TEXT    NOT NULL,
              id          TEXT    NOT NULL CHECK (length(id) = 26),
              before      TEXT,
              after       TEXT
            ) STRICT;
            CREATE INDEX history_by_tx ON history (tx);
            CREATE INDEX history_patches ON history (id) WHERE action = 'patch';
            """
    )
    for table in SyncedTable.all where table.isRecorded {
        for trigger in table.recordingTriggers { try db.execute(sql: trigger) }
    }
}
