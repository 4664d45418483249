// The fourth schema of a book: what has happened to it. Pages that wait are kept in their order.
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
            -- The highest sequence that the cloud has told of, also by the result of an operation.
            ALTER TABLE sync ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
            UPDATE sync SET seen = cursor;

            -- Pages that wait for the last one, in the order in which they came: rows are only ever added.
            ALTER TABLE aside RENAME TO aside_before;
            CREATE TABLE aside (
              position    INTEGER NOT NULL PRIMARY KEY,
              kind        TEXT    NOT NULL,
              id          TEXT    NOT NULL CHECK (length(id) = 26),
              seq         INTEGER NOT NULL,
              is_deleted  INTEGER NOT NULL,
              fields      TEXT    NOT NULL,
              writers     TEXT,
              versions    TEXT
            ) STRICT;
            INSERT INTO aside (kind, id, seq, is_deleted, fields)
              SELECT kind, id, seq, is_deleted, fields FROM aside_before ORDER BY seq;
            DROP TABLE aside_before;

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
    // What the third schema captured by itself goes through the history from now on.
    for table in SyncedTable.all {
        for change in ["insert", "update", "delete", "restore"] {
            try db.execute(sql: "DROP TRIGGER IF EXISTS \(table.name)_capture_\(change)")
        }
        guard table.isRecorded else { continue }
        for trigger in table.recordingTriggers { try db.execute(sql: trigger) }
    }
    for trigger in Capture.triggers(base: { reflectedOfOld(kind: $0) }) {
        try db.execute(sql: trigger)
    }
}

/// The sequence of the cloud that a row reflects, as the fourth and the fifth schema have it.
func reflectedOfOld(kind: String) -> String {
    """
    max(ifnull(download_head, cursor),
              ifnull((SELECT seq FROM ahead WHERE kind = \(kind) AND id = NEW.id), 0))
    """
}
