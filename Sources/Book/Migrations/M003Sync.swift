// The third schema of a book: the state of its synchronisation with a cloud.
import Storage

/// The sync state, the outbox, staged rows, and the user's decisions about conflicts.
///
/// The one row of `sync` holds: whether changes are captured; the replica id of the attachment; the cloud's
/// sequence that the book reflects (`cursor`); the number and the time of the local transaction; the numbers
/// of operations without a result and of refused operations; the progress of queueing all rows after an
/// attachment (`walk_…`: kind by kind, by id); and the progress of loading all rows (`download_…`).
let syncMigration = Migration(
    number: 3,
    name: "sync",
    since: "0.1.0",
    sql: """
        CREATE TABLE sync (
          only_row         INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
          is_capturing     INTEGER NOT NULL DEFAULT 0 CHECK (is_capturing IN (0, 1)),
          is_stopped       INTEGER NOT NULL DEFAULT 0 CHECK (is_stopped IN (0, 1)),
          replica          TEXT    CHECK (length(replica) = 26),
          epoch            INTEGER,
          cursor           INTEGER NOT NULL DEFAULT 0,
          tx               INTEGER NOT NULL DEFAULT 0,
          now              INTEGER NOT NULL DEFAULT 0,
          last_n           INTEGER NOT NULL DEFAULT 0,
          last_numbered    INTEGER NOT NULL DEFAULT 0,
          pending          INTEGER NOT NULL DEFAULT 0,
          failed           INTEGER NOT NULL DEFAULT 0,
          walk_rank        INTEGER,
          walk_after       TEXT    NOT NULL DEFAULT '',
          walk_left        INTEGER NOT NULL DEFAULT 0,
          download_next    TEXT,
          download_head    INTEGER,
          download_done    INTEGER NOT NULL DEFAULT 0,
          download_total   INTEGER NOT NULL DEFAULT 0,
          download_aside   TEXT    CHECK (download_aside IN ('cursorExpired', 'cursorAhead')),
          aside_up_to      INTEGER,
          synced_at        INTEGER
        ) STRICT, WITHOUT ROWID;
        INSERT INTO sync (only_row) VALUES (1);

        -- `is_cut`: it has had a number, so that the cloud may know it. `fields` of a creation is null until then: it
        -- is sent as the row is at that moment. `base` is what was reflected of the cloud when the change was made.
        -- With a result the row stays until that is reflected.
        CREATE TABLE outbox (
          position         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
          op_id            TEXT    NOT NULL CHECK (length(op_id) = 32),
          tx               INTEGER NOT NULL,
          at               INTEGER NOT NULL,
          action           TEXT    NOT NULL CHECK (action IN ('create', 'patch', 'delete')),
          kind             TEXT    NOT NULL,
          id               TEXT    NOT NULL CHECK (length(id) = 26),
          fields           TEXT,
          before           TEXT,
          base             INTEGER NOT NULL,
          n                INTEGER UNIQUE,
          is_cut           INTEGER NOT NULL DEFAULT 0 CHECK (is_cut IN (0, 1)),
          status           TEXT    CHECK (status IN ('applied', 'superseded', 'rejected')),
          seq              INTEGER,
          code             TEXT
        ) STRICT;
        CREATE INDEX outbox_by_row ON outbox (kind, id);
        CREATE INDEX outbox_open ON outbox (position) WHERE status IS NULL;
        CREATE INDEX outbox_closed ON outbox (status, seq) WHERE status IS NOT NULL;
        CREATE TRIGGER outbox_insert AFTER INSERT ON outbox BEGIN
          UPDATE sync SET pending = pending + (NEW.status IS NULL), failed = failed + (NEW.status IS 'rejected');
        END;
        CREATE TRIGGER outbox_update AFTER UPDATE OF status ON outbox BEGIN
          UPDATE sync SET
            pending = pending + (NEW.status IS NULL) - (OLD.status IS NULL),
            failed = failed + (NEW.status IS 'rejected') - (OLD.status IS 'rejected');
        END;
        CREATE TRIGGER outbox_delete AFTER DELETE ON outbox BEGIN
          UPDATE sync SET pending = pending - (OLD.status IS NULL), failed = failed - (OLD.status IS 'rejected');
        END;

        -- Pages that wait for the last one.
        CREATE TABLE aside (
          kind             TEXT    NOT NULL,
          id               TEXT    NOT NULL CHECK (length(id) = 26),
          seq              INTEGER NOT NULL,
          is_deleted       INTEGER NOT NULL,
          fields           TEXT    NOT NULL,
          PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;

        -- Rows of a download that are newer than its head: what was seen of them.
        CREATE TABLE ahead (
          kind             TEXT    NOT NULL,
          id               TEXT    NOT NULL,
          seq              INTEGER NOT NULL,
          PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;

        -- What a newer version wrote and this one has no place for, and rows that do not fit the schema.
        CREATE TABLE foreign_rows (
          kind             TEXT    NOT NULL,
          id               TEXT    NOT NULL,
          is_deleted       INTEGER NOT NULL,
          fields           TEXT    NOT NULL,
          problem          TEXT,
          PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE conflicts (
          id               TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 26),
          kind             TEXT    NOT NULL,
          entity           TEXT    NOT NULL CHECK (length(entity) = 26),
          field            TEXT    NOT NULL,
          kept             TEXT    NOT NULL,
          lost             TEXT    NOT NULL,
          kept_by          TEXT    NOT NULL,
          lost_by          TEXT    NOT NULL,
          kept_name        TEXT    NOT NULL,
          lost_name        TEXT    NOT NULL,
          at               INTEGER NOT NULL,
          is_held          INTEGER NOT NULL CHECK (is_held IN (0, 1)),
          choice           TEXT    CHECK (choice IN ('kept', 'lost')),
          deleted_at       INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX conflicts_open ON conflicts (at) WHERE choice IS NULL AND deleted_at IS NULL;
        """
)
