// Upgrades a file from its schema to the newest one of this version, or leaves it unchanged.
package import GRDB

/// One step of the schema. A released step is never edited: a later step corrects its mistakes.
///
/// A step is text and not code, so that a file of any age goes through the same statements as files did when
/// the step was new.
package struct Migration: Sendable {
    /// The number of the schema after the step: 1, 2, 3 and so on, stored in the file as `user_version`.
    package let number: Int
    /// A short description for the log.
    package let name: String
    /// The first version of the program with this schema.
    package let since: String
    /// The statements, which run inside the transaction of the whole upgrade.
    package let sql: String

    /// - Parameter number: one more than the number of the migration before.
    package init(number: Int, name: String, since: String, sql: String) {
        self.number = number
        self.name = name
        self.since = since
        self.sql = sql
    }
}

/// The upgrade of a file when it was opened.
public struct SchemaUpgrade: Hashable, Sendable, CustomStringConvertible {
    /// The schema before the upgrade.
    public let from: Int
    /// The schema after the upgrade.
    public let to: Int

    /// - Parameter from: above 0: a new file is not upgraded.
    package init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

    /// A line for the log.
    public var description: String {
        "upgraded from schema \(from) to \(to); a copy of the old file is kept for 30 days"
    }
}

/// Upgrades a file to the newest of a list of migrations.
package struct Migrator: Sendable {
    package let migrations: [Migration]
    /// The mark of this program's files (SQLite's `application_id`).
    package let applicationID: Int32
    /// Figures that an upgrade must not change, by name.
    package let fingerprint: @Sendable (Database) throws -> [String: Int64]
    /// The content of a new file; nil if the migrations run in each new file.
    var template: SchemaTemplate?

    /// - Parameter beforeUpgrade: called with the current schema number before an existing file is changed,
    ///   to save a copy.
    /// - Returns: nil if the file is new or has the newest schema already.
    /// - Throws: `StorageError`; the file is unchanged then.
    func migrate(_ queue: DatabaseQueue, beforeUpgrade: (Int) throws -> Void) throws -> SchemaUpgrade? {
        let newest = migrations.last
        let known = newest?.number ?? 0
        let found = try queue.inDatabase { db in
            let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard application == applicationID || (application == 0 && found == 0 && tables == 0) else {
                throw StorageError.damaged("another program's file")
            }
            try Self.check(db, found: found, migrations)
            return found
        }
        guard found < known else { return nil }
        if found == 0, let template {
            try template.copy(to: queue)
            return nil
        }
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
                        throw StorageError.migrationRefused(
                            "the migration was refused: \(name): \(value) became \(after[name] ?? 0)"
                        )
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

    /// - Throws: `StorageError.newerSchema` if a newer version of the program has written the file; `migrationRefused` if a
    ///   version before the first release has.
    package static func check(_ db: Database, found: Int, _ migrations: [Migration]) throws {
        if let first = migrations.first?.number, found > 0, found < first {
            throw StorageError.migrationRefused(
                "a version of Breadly before the first release has written it (schema \(found), this one begins with "
                    + "\(first)): export it with that version"
            )
        }
        let known = migrations.last?.number ?? 0
        guard found > known else { return }
        let isNoted = try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'needed_program')"
        )
        let needed =
            isNoted == true ? try String.fetchOne(db, sql: "SELECT version FROM needed_program") : nil
        throw StorageError.newerSchema(NewerSchema(found: found, known: known, needed: needed))
    }

    /// Whether the program cannot open a file, because a newer version has written it, or a version before the first release.
    /// - Parameter header: at least the first hundred bytes of the file.
    package static func isOfOtherVersion(header: some Collection<UInt8>, _ migrations: [Migration]) -> Bool {
        // SQLite's `user_version`; https://sqlite.org/fileformat.html.
        let schema = header.dropFirst(60).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard let first = migrations.first?.number, let last = migrations.last?.number else { return false }
        return schema > last || (schema > 0 && schema < first)
    }

    /// Stores the version of the program that a later, older program needs for this file. No migration
    /// creates this table, so that a file with the newest schema gets it with the next upgrade, before any
    /// program reads it.
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

/// A file that a newer version of the program has written. The numbers are schema numbers.
public struct NewerSchema: Hashable, Sendable, CustomStringConvertible {
    /// The schema of the file.
    public let found: Int
    /// The newest schema of this version.
    public let known: Int
    /// The first version of the program that can open the file; nil if the file does not state it.
    public let needed: String?

    /// The schemas of the file and of this version.
    public init(found: Int, known: Int, needed: String?) {
        self.found = found
        self.known = known
        self.needed = needed
    }

    /// Tells the operator what to do.
    public var description: String {
        "a newer version of Breadly has written it (schema \(found), this one knows \(known)): "
            + (needed.map { "install Breadly \($0) or newer" } ?? "install the newer version again")
    }
}
