// One device's book: opening and closing its file, and the two ways in, to read and to change.
import GRDB
import Ledger
import Synchronization

/// One device's SQLite file. Safe to use from any thread; one reading or change runs at a time.
///
/// Every reading is one consistent moment. Every change is one transaction, durable when the call returns, or
/// undone altogether when it throws.
public final class Book: Sendable {
    /// Where the file is.
    public let path: String
    let queue: DatabaseQueue
    /// UTC seconds, for the moment of a deletion.
    let clock: @Sendable () -> Int64
    /// Filled in a reading and emptied in a change, so always within the queue.
    private let lookups = Mutex<Lookups?>(nil)

    private init(path: String, queue: DatabaseQueue, clock: @escaping @Sendable () -> Int64) {
        self.path = path
        self.queue = queue
        self.clock = clock
    }

    /// Opens the book, made if there is none, and brings it to this version's schema.
    ///
    /// A file that was not closed properly is checked first. Before an upgrade a copy is put beside the file,
    /// as `PATH.schema-N`, and stays there.
    /// - Parameters:
    ///   - path: the file; its folder is made where missing, for the owner only.
    ///   - clock: UTC seconds now.
    /// - Throws: `damaged`, `newerSchema`, `readOnly`, `diskFull`, `migrationRefused`, `failed`. An existing
    ///   file has kept its content then.
    public static func open(
        at path: String,
        clock: @escaping @Sendable () -> Int64
    ) throws(BookError) -> Book {
        try open(at: path, clock: clock, migrations: Migration.book)
    }

    static func open(
        at path: String,
        clock: @escaping @Sendable () -> Int64,
        migrations: [Migration]
    ) throws(BookError) -> Book {
        let queue = try BookFile.open(at: path)
        do {
            let migrator = Migrator(
                migrations: migrations,
                applicationID: BookFile.applicationID,
                fingerprint: { try Book.fingerprint($0) }
            )
            try migrator.migrate(queue) { found in
                try BookFile.copy(queue, to: "\(path).schema-\(found)", replacing: true)
            }
            return Book(path: path, queue: queue, clock: clock)
        } catch {
            try? queue.close()
            throw BookError(error)
        }
    }

    /// Folds the log into the file and closes it. Every later call throws `closed`; closing again does nothing.
    public func close() {
        // What can fail here is a checkpoint or a second close: the content is durable already.
        try? queue.close()
    }

    /// One consistent reading.
    ///
    /// Not GRDB's `read`: its `PRAGMA query_only` makes SQLite compile every cached statement anew.
    func reading<Value>(_ body: (Database) throws -> Value) throws(BookError) -> Value {
        do {
            return try queue.inDatabase { db in
                try db.cachedStatement(sql: "BEGIN").execute()
                do {
                    let value = try body(db)
                    try db.cachedStatement(sql: "COMMIT").execute()
                    return value
                } catch {
                    try db.rollbackIfOpen()
                    throw error
                }
            }
        } catch {
            throw BookError(error)
        }
    }

    /// One consistent reading of what every page shows, and more.
    func reading<Value>(_ body: (Database, Lookups) throws -> Value) throws(BookError) -> Value {
        try reading { db in
            if let known = lookups.withLock({ $0 }) { return try body(db, known) }
            let read = try Lookups(db)
            lookups.withLock { $0 = read }
            return try body(db, read)
        }
    }

    /// One change: all of it or nothing.
    func changing<Value>(_ body: (Database) throws -> Value) throws(BookError) -> Value {
        do {
            return try queue.inDatabase { db in
                try db.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
                do {
                    let value = try body(db)
                    // Before the commit: where that fails they are only read again.
                    lookups.withLock { $0 = nil }
                    try db.cachedStatement(sql: "COMMIT").execute()
                    return value
                } catch {
                    try db.rollbackIfOpen()
                    throw error
                }
            }
        } catch {
            throw BookError(error)
        }
    }

    /// What a migration must leave as it is: the number of live rows, and each account's balance.
    static func fingerprint(_ db: Database) throws -> [String: Int64] {
        var values: [String: Int64] = [:]
        for table in ["accounts", "categories", "transactions", "budgets"] {
            let live = try Int64.fetchOne(db, sql: "SELECT count(*) FROM \(table) WHERE deleted_at IS NULL")
            values["live \(table)"] = live
        }
        let balances = try Row.fetchCursor(
            db,
            sql: """
                SELECT a.id,
                  a.opening_minor
                  + ifnull((SELECT sum(iif(kind = 'income', account_minor, -account_minor))
                            FROM transactions WHERE account = a.id AND deleted_at IS NULL), 0)
                  + ifnull((SELECT sum(to_minor)
                            FROM transactions WHERE to_account = a.id AND deleted_at IS NULL), 0)
                FROM accounts a
                """
        )
        while let row = try balances.next() {
            let id: String = row[0]
            // An integer, unless it left 64 bits on the way: then there is nothing exact to compare.
            if let balance = Int64.fromDatabaseValue(row[1]) { values["balance of \(id)"] = balance }
        }
        return values
    }
}

extension Database {
    /// SQLite itself rolls back on some failures, such as a full disk.
    fileprivate func rollbackIfOpen() throws {
        if isInsideTransaction { try rollback() }
    }
}
