// A file with its ways in: to open it at the newest schema, to read it, to change it. Everything that keeps a file shares it.
package import GRDB
import Synchronization

/// One SQLite file. One change runs at a time, and readings beside it.
package final class Store<Failure: StorageFailure>: Sendable {
    package let path: String
    /// Reads and changes.
    private let queue: DatabaseQueue
    /// Whether somebody is at `queue`: then a reading does better with a connection of its own. Only a hint.
    private let isBusy = Atomic(false)
    private let readers: Readers
    /// Whether a change is under way, or waits for its turn. Only a hint.
    private let changes = Atomic(0)
    private let closed = Atomic(false)
    /// The upgrade that opening it has made; nil where there was nothing to do.
    package let upgrade: SchemaUpgrade?
    /// Whether every later call throws `closed`.
    package var isClosed: Bool { closed.load(ordering: .acquiring) }

    private init(path: String, queue: DatabaseQueue, upgrade: SchemaUpgrade?) {
        self.path = path
        self.queue = queue
        self.upgrade = upgrade
        readers = Readers(of: path)
    }

    /// Opens the file, made if there is none, and brings it to the last of `migrations`.
    ///
    /// Before an upgrade a copy is put beside the file, as `PATH.schema-N`, and stays there; see `SchemaCopies`.
    package static func open(
        at path: String,
        applicationID: Int32,
        migrations: [Migration],
        fingerprint: @escaping @Sendable (Database) throws -> [String: Int64]
    ) throws(Failure) -> Store {
        let queue: DatabaseQueue
        do { queue = try DatabaseFile.open(at: path) } catch { throw Failure(error) }
        do {
            let migrator = Migrator(
                migrations: migrations,
                applicationID: applicationID,
                fingerprint: fingerprint
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

    /// Folds the log into the file and closes it; again it does nothing.
    package func close() {
        // What can fail here is a checkpoint or a second close: the content is durable already.
        closed.store(true, ordering: .releasing)
        readers.close()
        try? queue.close()
    }

    /// Whether a change is under way: another one would have to wait for it.
    package var isChanging: Bool { changes.load(ordering: .relaxed) > 0 }

    /// Returns when the changes that are under way now are over. It holds its thread meanwhile.
    package func waitForChanges() { queue.inDatabase { _ in } }

    /// One consistent reading.
    ///
    /// Not GRDB's `read`: its `PRAGMA query_only` makes SQLite compile every cached statement anew.
    package func reading<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
        guard isBusy.exchange(true, ordering: .relaxed) else {
            defer { isBusy.store(false, ordering: .relaxed) }
            return try transaction("BEGIN", on: queue, body)
        }
        guard let reader = readers.take() else { return try transaction("BEGIN", on: queue, body) }
        defer { readers.giveBack(reader) }
        return try transaction("BEGIN", on: reader, body)
    }

    /// One change: all of it or nothing. Durable when it returns.
    package func changing<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
        changes.add(1, ordering: .relaxed)
        isBusy.store(true, ordering: .relaxed)
        defer {
            isBusy.store(false, ordering: .relaxed)
            changes.subtract(1, ordering: .relaxed)
        }
        return try transaction("BEGIN IMMEDIATE", on: queue, body)
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
                    // SQLite itself rolls back on some failures, such as a full disk.
                    if db.isInsideTransaction { try db.rollback() }
                    throw error
                }
            }
        } catch {
            throw Failure(error)
        }
    }

    /// Lets the file grow no larger than that: a change beyond it fails as on a full disk.
    package func limit(bytes: Int64) throws(Failure) {
        try inDatabase { db in
            let page = try db.number("PRAGMA page_size")
            try db.execute(sql: "PRAGMA max_page_count = \(max(1, bytes / Int64(max(1, page))))")
        }
    }

    /// Whether there is hardly any room left below that limit. A change needs some pages at once.
    package func isAtLimit() throws(Failure) -> Bool {
        try inDatabase { db in
            let (most, count) = (try db.number("PRAGMA max_page_count"), try db.number("PRAGMA page_count"))
            return count - (try db.number("PRAGMA freelist_count")) >= most - 32
        }
    }

    /// Work outside of a transaction.
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

    /// Writes a consistent, compact copy to a new file over a connection of its own: nobody waits.
    package func backup(to target: String) throws(Failure) {
        guard !isClosed else { throw Failure(StorageError.closed) }
        do { try DatabaseFile.copy(at: path, to: target) } catch { throw Failure(error) }
    }
}
