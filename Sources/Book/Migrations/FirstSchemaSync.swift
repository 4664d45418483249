// The state of sync in the first schema of a book, with the history and what a comparison with the cloud needs.

extension FirstSchema {
    /// The one row of `owner` is the owner of all other rows: a guest or a user.
    ///
    /// The one row of `sync` holds: whether changes are captured; the replica id of the attachment; the cloud's sequence that
    /// the book reflects (`cursor`); the number and the time of the local transaction; the numbers of operations without a
    /// result and of refused operations; the progress of queueing all rows after an attachment (`walk_…`: kind by kind, by
    /// id); and the progress of loading all rows (`download_…`).
    ///
    /// For a row of a known kind, `foreign_rows` holds only the unknown fields: copies of the known fields would be out of
    /// date after the next change on this device. A row that does not fit is stored as a whole.
    static let sync = """
        CREATE TABLE owner (
          only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
          id       TEXT    NOT NULL CHECK (length(id) = 26)
        ) STRICT;

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
          -- Why a download replaces the rows of the book; all of its pages are staged.
          download_reason  TEXT    CHECK (download_reason IN ('cursorExpired', 'cursorAhead')),
          staged_up_to     INTEGER,
          synced_at        INTEGER,
          is_recording     INTEGER NOT NULL DEFAULT 1 CHECK (is_recording IN (0, 1)),
          seen             INTEGER NOT NULL DEFAULT 0,
          -- Set while the change of a form is written: the cloud's sequence that the form reflected, which may be
          -- older than the sequence that the book reflects by then.
          edit_base        INTEGER,
          known            TEXT    NOT NULL DEFAULT '',
          is_incomplete    INTEGER NOT NULL DEFAULT 0 CHECK (is_incomplete IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        INSERT INTO sync (only_row) VALUES (1);

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
          code             TEXT,
          field            TEXT
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

        CREATE TABLE ahead (
          kind             TEXT    NOT NULL,
          id               TEXT    NOT NULL,
          seq              INTEGER NOT NULL,
          PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE staged_rows (
          position    INTEGER NOT NULL PRIMARY KEY,
          kind        TEXT    NOT NULL,
          id          TEXT    NOT NULL CHECK (length(id) = 26),
          seq         INTEGER NOT NULL,
          is_deleted  INTEGER NOT NULL,
          fields      TEXT    NOT NULL,
          writers     TEXT,
          versions    TEXT
        ) STRICT;

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

    /// All changes of rows, made on any device. `tx` numbers the changes: all rows of one change are undone together.
    ///
    /// A patch has the values of its fields before and after. A creation and a deletion have no values, because they follow
    /// from the row itself and the later patches. `device` is the name of another device, null for this one. The two
    /// milestones, `begin` and `load`, have in `after` the number of rows of each kind that came at once and are not listed
    /// one by one.
    ///
    /// Of a loss, `mine` holds the values that were entered here, `was` the values before them, if they are known. An entity
    /// has at most one loss. Losses do not sync, because they do not concern the device that wrote last.
    static let history = """
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
        CREATE INDEX history_receipts ON history (id, tx) WHERE kind = 'receipt';

        CREATE TABLE losses (
          number  INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
          at      INTEGER NOT NULL,
          kind    TEXT    NOT NULL,
          id      TEXT    NOT NULL CHECK (length(id) = 26),
          device  TEXT    NOT NULL,
          mine    TEXT    NOT NULL,
          was     TEXT    NOT NULL,
          -- 1 where another device deleted the entity, 0 where it overwrote the values.
          is_deletion INTEGER NOT NULL CHECK (is_deletion IN (0, 1)),
          UNIQUE (kind, id)
        ) STRICT;
        """

    /// The one row of `agreement` holds the sum of `row_hashes` and the state of the handling of differences from the cloud.
    /// Triggers record changed rows in `due_hashes`, without their fields, which every connection would have to hold in
    /// memory. The hashes are updated before they are compared.
    static let agreement = """
        CREATE TABLE agreement (
          only_row    INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
          hash        INTEGER NOT NULL DEFAULT 0,
          -- The download under way puts a difference right.
          is_mending  INTEGER NOT NULL DEFAULT 0 CHECK (is_mending IN (0, 1)),
          -- What that download has found: how many rows, and some of them; null where there is nothing to tell.
          found_rows  INTEGER,
          found       TEXT,
          -- When the first of the last `mends` began, in UTC seconds.
          mended_at   INTEGER NOT NULL DEFAULT 0,
          mends       INTEGER NOT NULL DEFAULT 0,
          -- Whether book and cloud have not agreed since the last one, and whether that was told.
          is_doubtful INTEGER NOT NULL DEFAULT 0 CHECK (is_doubtful IN (0, 1)),
          is_told     INTEGER NOT NULL DEFAULT 0 CHECK (is_told IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        INSERT INTO agreement (only_row) VALUES (1);

        CREATE TABLE row_hashes (
          kind        TEXT    NOT NULL,
          id          TEXT    NOT NULL,
          hash        INTEGER NOT NULL,
          PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE due_hashes (
          kind        TEXT    NOT NULL,
          id          TEXT    NOT NULL,
          PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;

        -- Rows that the cloud holds otherwise than this schema can: the hash there less the hash here.
        CREATE TABLE deviations (
          kind        TEXT    NOT NULL,
          id          TEXT    NOT NULL,
          hash        INTEGER NOT NULL,
          PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;
        """
}
