// A file with its operations: opening at the newest schema, reading, changing. Books, devices and the cloud
// share it.
package import GRDB
import Synchronization

/// One SQLite file. Changes run one at a time, and reads beside them.
package final class Store<Failure: StorageFailure>: Sendable {
    package let path: String
    /// The main connection, for changes and reads.
    private let queue: DatabaseQueue
    /// Whether the main connection is in use, so that a read is faster on a connection of its own. Only a
    /// hint.
    private let isBusy = Atomic(false)
    private let readers: Readers
    /// The number of changes that run or wait. Only a hint.
    private let changes = Atomic(0)
    private let closed = Atomic(false)
    /// Whether the log may have content that was deleted for good. True at first: a process that died may have left it.
    private let hasTraces = Atomic(true)
    /// The upgrade at opening; nil if there was none.
    package let upgrade: SchemaUpgrade?
    /// Whether every later call throws `closed`.
    package var isClosed: Bool { closed.load(ordering: .acquiring) }

    private init(path: String, queue: DatabaseQueue, upgrade: SchemaUpgrade?) {
        self.path = path
        self.queue = queue
        self.upgrade = upgrade
        readers = Readers(of: path)
    }

    /// Opens the file, creates it if it is missing, and upgrades it to the last of `migrations`.
    ///
    /// Before an upgrade, a copy is saved beside the file as `PATH.schema-N`; see `SchemaCopies`.
    /// - Parameters:
    ///   - template: the content of a new file, with the same migrations; for files of which there are many.
    ///   - functions: the functions that the triggers of the file call.
    package static func open(
        at path: String,
        applicationID: Int32,
        migrations: [Migration],
        template: SchemaTemplate? = nil,
        functions: [DatabaseFunction] = [],
        fingerprint: @escaping @Sendable (Database) throws -> [String: Int64]
    ) throws(Failure) -> Store {
        let queue: DatabaseQueue
        do { queue = try DatabaseFile.open(at: path, functions: functions) } catch { throw Failure(error) }
        do {
            let migrator = Migrator(
                migrations: migrations,
                applicationID: applicationID,
                fingerprint: fingerprint,
                template: template
            )
            let upgrade = try migrator.migrate(queue) { found in
                try DatabaseFile.copy(queue, to: SchemaCopies.path(of: path, schema: found), replacing: true)
            }
            return Store(path: path, queue: queue, upgrade: upgrade)
        } catch {
            try? queue.close()
            throw Failure(error)
        }
    }

    /// Checkpoints the log into the file and closes it. A second call does nothing.
    package func close() {
        // Only a checkpoint or a second close can fail here, and the content is durable already.
        closed.store(true, ordering: .releasing)
        readers.close()
        try? queue.close()
    }

    /// Gives back the memory that only makes the next use faster: prepared statements, cached pages, and the connections
    /// for reads beside the main one. It blocks its thread during a change.
    package func releaseMemory() {
        readers.closeIdle()
        queue.releaseMemory()
    }

    /// Whether a change runs: another one would have to wait for it.
    package var isChanging: Bool { changes.load(ordering: .relaxed) > 0 }

    /// Returns when the current changes have ended. It blocks its thread.
    package func waitForChanges() { queue.inDatabase { _ in } }

    /// Reads a consistent snapshot.
    ///
    /// It is not GRDB's `read`, whose `PRAGMA query_only` makes SQLite recompile every cached statement.
    package func reading<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
        guard isBusy.exchange(true, ordering: .relaxed) else {
            defer { isBusy.store(false, ordering: .relaxed) }
            return try transaction("BEGIN", on: queue, body)
        }
        guard let reader = readers.borrow() else { return try transaction("BEGIN", on: queue, body) }
        defer { readers.giveBack(reader) }
        return try transaction("BEGIN", on: reader, body)
    }

    /// Runs one change, atomically. It is durable when the call returns.
    package func changing<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
        changes.add(1, ordering: .relaxed)
        isBusy.store(true, ordering: .relaxed)
        defer {
            isBusy.store(false, ordering: .relaxed)
            changes.subtract(1, ordering: .relaxed)
        }
        return try transaction("BEGIN IMMEDIATE", on: queue, body)
    }

    /// Runs a change that deletes for good, as the deletion of an account does. The next `dropTraces` removes the content
    /// from the log.
    package func deleting<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
        let value = try changing(body)
        noteTraces()
        return value
    }

    /// Notes that the log may have content that another process has deleted for good.
    package func noteTraces() { hasTraces.store(true, ordering: .releasing) }

    /// Empties the log if it may have content that was deleted for good; to be called every second. SQLite itself overwrites
    /// deleted content in the file, but keeps the log at its full length. While a reader needs the log, the call does nothing.
    package func dropTraces() throws(Failure) {
        guard hasTraces.exchange(false, ordering: .acquiring) else { return }
        do throws(Failure) {
            let isBusy = try inDatabase { db in
                // The usual patience would keep all changes waiting for a reader that takes its time.
                let patience = try db.number("PRAGMA busy_timeout")
                try db.execute(sql: "PRAGMA busy_timeout = 0")
                defer { try? db.execute(sql: "PRAGMA busy_timeout = \(patience)") }
                return try db.number("PRAGMA wal_checkpoint(TRUNCATE)") != 0
            }
            if isBusy { noteTraces() }
        } catch {
            noteTraces()
            throw error
        }
    }

    private func transaction<Value>(
        _ begin: String,
        on queue: DatabaseQueue,
        _ body: (Database) throws -> Value
    ) throws(Failure) -> Value {
        do {
            return try queue.inDatabase { db in
                guard !isClosed else { throw StorageError.closed }
                try db.cachedStatement(sql: begin).execute()
                do {
                    let value = try body(db)
                    try db.cachedStatement(sql: "COMMIT").execute()
                    return value
                } catch {
                    // SQLite itself rolls back after some failures, such as a full disk.
                    if db.isInsideTransaction { try db.rollback() }
                    throw error
                }
            }
        } catch {
            throw Failure(error)
        }
    }

    /// Limits the size of the file. A change beyond it fails as on a full disk.
    package func limit(bytes: Int64) throws(Failure) {
        try inDatabase { db in
            let page = try db.number("PRAGMA page_size")
            try db.execute(sql: "PRAGMA max_page_count = \(max(1, bytes / Int64(max(1, page))))")
        }
    }

    /// Whether a change that found no room met the limit of the file rather than the end of the disk: which of them
    /// is nearer. SQLite reports both alike.
    package func isLimitNearerThanDiskEnd() throws(Failure) -> Bool {
        try inDatabase { db in
            let most = try db.number("PRAGMA max_page_count")
            let used = try db.number("PRAGMA page_count") - db.number("PRAGMA freelist_count")
            let left = (most - used).multipliedReportingOverflow(by: try db.number("PRAGMA page_size"))
            guard !left.overflow, let disk = DiskSpace(path), disk.files != 0 else { return false }
            return left.partialValue <= disk.bytes
        }
    }

    /// Runs `body` outside of a transaction.
    package func inDatabase<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
        do {
            return try queue.inDatabase { db in
                guard !isClosed else { throw StorageError.closed }
                return try body(db)
            }
        } catch {
            throw Failure(error)
        }
    }

    /// Writes a consistent, compact copy to a new file over a separate connection, which blocks no other
    /// call.
    package func backup(to target: String) throws(Failure) {
        guard !isClosed else { throw Failure(StorageError.closed) }
        do { try DatabaseFile.copy(at: path, to: target) } catch { throw Failure(error) }
    }
}
