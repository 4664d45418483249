// The eighth schema of a book: a hash of its rows, to compare with the cloud's.
import Storage

/// The one row of `agreement` holds the sum of `row_hashes` and how differences from the cloud were dealt with.
/// Triggers note the rows that have changed in `due_hashes`, without their fields, which every connection would keep in
/// memory: the hashes are brought up to date before they are compared.
let hashesMigration = Migration(number: 8, name: "hashes") { db in
    try db.execute(
        sql: """
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
    )
    let tables = SyncedTable.all.map { (name: $0.name, kind: "'\($0.kind)'") }
    for (name, kind) in tables {
        for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
            try db.execute(
                sql: """
                    CREATE TRIGGER \(name)_due_\(event.lowercased()) AFTER \(event) ON \(name) BEGIN
                      INSERT INTO due_hashes (kind, id) VALUES (\(kind), \(row).id) ON CONFLICT DO NOTHING;
                    END
                    """
            )
        }
        try db.execute(sql: "INSERT INTO due_hashes (kind, id) SELECT \(kind), id FROM \(name)")
    }
    for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
        for name in ["foreign_rows", "deviations"] {
            try db.execute(
                sql: """
                    CREATE TRIGGER \(name)_due_\(event.lowercased()) AFTER \(event) ON \(name) BEGIN
                      INSERT INTO due_hashes (kind, id) VALUES (\(row).kind, \(row).id) ON CONFLICT DO NOTHING;
                    END
                    """
            )
        }
    }
    try db.execute(
        sql:
            "INSERT INTO due_hashes (kind, id) SELECT kind, id FROM foreign_rows WHERE true ON CONFLICT DO NOTHING"
    )
}
