// An empty database with the newest schema, which new files copy.
package import GRDB
import Synchronization

/// The content of a new file. Most of the time of all migrations goes into steps that change earlier steps; a
/// copy of their result takes a fraction of it, and does not grow with their number.
///
/// The migrations run once, in memory, when the first file is created. They are SQL text without a clock and
/// without random numbers, so that each file would have the same content.
package final class SchemaTemplate: Sendable {
    private let migrator: Migrator
    private let functions: [DatabaseFunction]
    private let content = Mutex<DatabaseQueue?>(nil)

    /// - Parameters:
    ///   - migrations: the migrations of the files.
    ///   - applicationID: the mark of the files (SQLite's `application_id`).
    ///   - functions: the functions that the migrations call.
    package init(migrations: [Migration], applicationID: Int32, functions: [DatabaseFunction] = []) {
        self.functions = functions
        migrator = Migrator(migrations: migrations, applicationID: applicationID, fingerprint: { _ in [:] })
    }

    /// Writes the schema into an empty file, in one transaction.
    func copy(to file: DatabaseQueue) throws {
        // The shared database is in use only while it is copied in memory, and not while the file is written.
        let own = try inMemory()
        try migrated().backup(to: own)
        try own.backup(to: file)
    }

    private func migrated() throws -> DatabaseQueue {
        if let content = content.withLock({ $0 }) { return content }
        let fresh = try inMemory()
        _ = try migrator.migrate(fresh) { _ in }
        return content.withLock { content in
            // Another file may have been created at the same time.
            let first = content ?? fresh
            content = first
            return first
        }
    }

    /// A database with the page size of files, without which SQLite refuses the copy.
    private func inMemory() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.inDatabase { db in
            for function in functions { db.add(function: function) }
            try db.execute(sql: DatabaseFile.pageSize)
        }
        return queue
    }
}
