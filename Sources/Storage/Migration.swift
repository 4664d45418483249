// Brings a book's file from the schema it has to the one that this version knows, or leaves it as it was.
package import GRDB

/// One step of the schema. Once released it is never edited: what it got wrong, the next one puts right.
package struct Migration: Sendable {
    /// The schema's number afterwards: 1, 2, 3 and so on, kept in the file as `user_version`.
    package let number: Int
    /// For the log and for people.
    package let name: String
    /// The step itself, inside the transaction of the whole upgrade.
    package let run: @Sendable (Database) throws -> Void

    /// A step.
    package init(number: Int, name: String, run: @escaping @Sendable (Database) throws -> Void) {
        self.number = number
        self.name = name
        self.run = run
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
    /// - Throws: `StorageError`; the file is unchanged then.
    package func migrate(_ queue: DatabaseQueue, beforeUpgrade: (Int) throws -> Void) throws {
        let known = migrations.last?.number ?? 0
        let found = try queue.inDatabase { db in
            let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard application == applicationID || (application == 0 && found == 0 && tables == 0) else {
                throw StorageError.damaged("another program's file")
            }
            return found
        }
        guard found <= known else { throw StorageError.newerSchema(found: found, known: known) }
        guard found < known else { return }
        if found > 0 { try beforeUpgrade(found) }

        try queue.inDatabase { db in
            try db.inTransaction(.immediate) {
                let before = found > 0 ? try fingerprint(db) : [:]
                for migration in migrations where migration.number > found { try migration.run(db) }
                if found > 0 {
                    let after = try fingerprint(db)
                    for (name, value) in before where after[name] != value {
                        throw StorageError.migrationRefused("\(name): \(value) became \(after[name] ?? 0)")
                    }
                }
                try db.execute(sql: "PRAGMA application_id = \(applicationID)")
                try db.execute(sql: "PRAGMA user_version = \(known)")
                return .commit
            }
        }
    }
}
