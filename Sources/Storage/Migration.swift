// Brings a file from the schema it has to the one that this version knows, or leaves it as it was.
package import GRDB

/// One step of the schema. Once released it is never edited: what it got wrong, the next one puts right.
///
/// A step is text, not code: a file of any age goes through the very statements that it went through when they were new.
package struct Migration: Sendable {
    /// The schema's number afterwards: 1, 2, 3 and so on, kept in the file as `user_version`.
    package let number: Int
    /// For the log and for people.
    package let name: String
    /// The first version of the program that knows this schema.
    package let since: String
    /// The statements, which run inside the transaction of the whole upgrade.
    package let sql: String

    /// A step.
    package init(number: Int, name: String, since: String, sql: String) {
        self.number = number
        self.name = name
        self.since = since
        self.sql = sql
    }
}

/// A file that was brought to a newer schema when it was opened.
public struct SchemaUpgrade: Hashable, Sendable, CustomStringConvertible {
    /// The schema that it had.
    public let from: Int
    /// The schema that it has now.
    public let to: Int

    /// An upgrade.
    package init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

    /// For the log.
    public var description: String {
        "brought from schema \(from) to \(to); a copy from before is kept for 30 days"
    }
}

/// A file's upgrade to the newest of a list of migrations.
package struct Migrator {
    package let migrations: [Migration]
    /// Marks the file as ours (SQLite's `application_id`).
    package let applicationID: Int32
    /// What must be the same before and after: a name and a number for each.
    package let fingerprint: @Sendable (Database) throws -> [String: Int64]

    /// - Parameter beforeUpgrade: called with the schema's number before a file that has one is changed, to
    ///   put a copy aside.
    /// - Returns: nil where the file is new or was at the newest schema.
    /// - Throws: `StorageError`; the file is unchanged then.
    package func migrate(_ queue: DatabaseQueue, beforeUpgrade: (Int) throws -> Void) throws -> SchemaUpgrade?
    {
        let newest = migrations.last
        let known = newest?.number ?? 0
        let found = try queue.inDatabase { db in
            let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard application == applicationID || (application == 0 && found == 0 && tables == 0) else {
                throw StorageError.damaged("another program's file")
            }
            try Self.check(db, found: found, known: known)
            return found
        }
        guard found < known else { return nil }
        if found > 0 { try beforeUpgrade(found) }

        try queue.inDatabase { db in
            try db.inTransaction(.immediate) {
                let before = found > 0 ? try fingerprint(db) : [:]
                for migration in migrations where migration.number > found {
                    try db.execute(sql: migration.sql)
                }
                if found > 0 {
                    let after = try fingerprint(db)
                    for (name, value) in before where after[name] != value {
                        throw StorageError.migrationRefused("\(name): \(value) became \(after[name] ?? 0)")
                    }
                }
                try db.execute(sql: "PRAGMA application_id = \(applicationID)")
                try db.execute(sql: "PRAGMA user_version = \(known)")
                try Self.note(db, needed: newest?.since ?? "")
                return .commit
            }
        }
        return found > 0 ? SchemaUpgrade(from: found, to: known) : nil
    }

    /// - Throws: `StorageError.newerSchema` where a newer version has written the file.
    package static func check(_ db: Database, found: Int, known: Int) throws {
        guard found > known else { return }
        let isNoted = try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'needed_program')"
        )
        let needed =
            isNoted == true ? try String.fetchOne(db, sql: "SELECT version FROM needed_program") : nil
        throw StorageError.newerSchema(NewerSchema(found: found, known: known, needed: needed))
    }

    /// Leaves word for a program that is too old for the file. No migration makes this table, so that a file which is
    /// as new as can be gets it with the next schema, before anybody needs it.
    private static func note(_ db: Database, needed version: String) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS needed_program (
                  only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
                  version  TEXT    NOT NULL
                ) STRICT
                """
        )
        let sql = "INSERT OR REPLACE INTO needed_program (only_row, version) VALUES (1, ?)"
        try db.execute(sql: sql, arguments: [version])
    }
}

/// A file that a newer version of the program has written. The numbers are those of schemas.
public struct NewerSchema: Hashable, Sendable, CustomStringConvertible {
    /// The schema of the file.
    public let found: Int
    /// The newest that this version knows.
    public let known: Int
    /// The first version of the program that can open it; nil where the file does not say.
    public let needed: String?

    /// A file of a newer schema.
    public init(found: Int, known: Int, needed: String?) {
        self.found = found
        self.known = known
        self.needed = needed
    }

    /// For the operator: what to do.
    public var description: String {
        "a newer version of Breadly has written it (schema \(found), this one knows \(known)): "
            + (needed.map { "install Breadly \($0) or newer" } ?? "install the newer version again")
    }
}
