// One device's book: opening and closing its file, and the two ways in, to read and to change.
import GRDB
import Ledger
public import Storage
public import SyncCore

/// One device's SQLite file. Safe to use from any thread; one change runs at a time, and readings beside it.
///
/// Every reading is one consistent moment. Every change is one transaction, durable when the call returns, or
/// undone altogether when it throws.
public final class Book: Sendable {
    /// What SQLite keeps in the file's header to say whose it is.
    static let applicationID: Int32 = 0x4272_646C

    /// Where the file is.
    public var path: String { store.path }
    let store: Store<BookError>
    /// UTC seconds, for the moment of a deletion.
    let clock: @Sendable () -> Int64
    let lookups = VersionedCache<Lookups>()
    /// The payees of late, for the forms.
    let payees = VersionedCache<[PayeeUse]>()
    let schema: BookSchema
    /// Called after each change of the user's.
    private let changed: @Sendable () -> Void

    private init(
        store: Store<BookError>,
        clock: @escaping @Sendable () -> Int64,
        schema: BookSchema,
        changed: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.clock = clock
        self.schema = schema
        self.changed = changed
    }

    /// The kinds of rows that are kept in step with the cloud.
    public var declaration: SyncedSchema { schema.declaration }

    /// Opens the book, made if there is none, and brings it to this version's schema.
    ///
    /// A file that was not closed properly is checked first. Before an upgrade a copy is put beside the file,
    /// as `PATH.schema-N`; see `DataFolder.removeSchemaCopies`.
    /// - Parameters:
    ///   - path: the file; its folder is made where missing, for the owner only.
    ///   - clock: UTC seconds now.
    ///   - changed: called after each change, but not for rows that come from the cloud; from any thread.
    /// - Throws: `damaged`, `newerSchema`, `readOnly`, `diskFull`, `migrationRefused`, `failed`. An existing
    ///   file has kept its content then.
    public static func open(
        at path: String,
        clock: @escaping @Sendable () -> Int64,
        mostBytes: Int64? = nil,
        changed: @escaping @Sendable () -> Void = {}
    ) throws(BookError) -> Book {
        let book = try open(at: path, clock: clock, schema: .breadly, changed: changed)
        try book.adoptForeignRows()
        if let mostBytes { try book.store.limit(bytes: mostBytes) }
        return book
    }

    /// The upgrade that opening it has made; nil where there was nothing to do.
    public var upgrade: SchemaUpgrade? { store.upgrade }

    /// Whether the book has grown as large as it may: then a change fails as on a full disk.
    public var isFull: Bool { (try? store.isAtLimit()) ?? false }

    /// Opens a book of any schema. Rows that lay in `foreign_rows` stay there.
    static func open(
        at path: String,
        clock: @escaping @Sendable () -> Int64,
        schema: BookSchema,
        changed: @escaping @Sendable () -> Void = {}
    ) throws(BookError) -> Book {
        let store = try Store<BookError>.open(
            at: path,
            applicationID: applicationID,
            migrations: schema.migrations,
            fingerprint: { try Book.fingerprint($0) }
        )
        return Book(store: store, clock: clock, schema: schema, changed: changed)
    }

    /// Folds the log into the file and closes it. Every later call throws `closed`; closing again does nothing.
    public func close() { store.close() }

    /// Whether a change is under way, such as a page of a download: another one would have to wait for it.
    public var isChanging: Bool { store.isChanging }

    /// Returns when the changes that are under way now are over. It holds its thread meanwhile: not for one that
    /// answers requests.
    public func waitForChanges() { store.waitForChanges() }

    /// One consistent reading.
    func reading<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        let schema = schema
        return try store.reading { try body(BookDatabase(connection: $0, schema: schema)) }
    }

    /// One consistent reading of what every page shows, and more.
    func reading<Value>(_ body: (BookDatabase, Lookups) throws -> Value) throws(BookError) -> Value {
        let (cached, version) = lookups.current
        if let cached {
            let value = try reading { db in try body(db, cached) }
            // Where a change came in between, the one may be from before it and the other from after it.
            if lookups.isCurrent(version) { return value }
        }
        return try reading { db in
            let read = try Lookups(db)
            lookups.keep(read, of: version)
            return try body(db, read)
        }
    }

    /// A part of the lookups; reads them first where they are not in memory.
    func current<Value>(_ part: (Lookups) -> Value) throws(BookError) -> Value {
        let (cached, version) = lookups.current
        if let cached, !store.isClosed { return part(cached) }
        return part(
            try reading { db in
                let read = try Lookups(db)
                lookups.keep(read, of: version)
                return read
            }
        )
    }

    /// Says that there is something to send.
    func noteChange() { changed() }

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
            guard let id = String.fromDatabaseValue(row[0]) else {
                throw StorageError.damaged("an account without an id")
            }
            // An integer, unless it left 64 bits on the way: then there is nothing exact to compare.
            if let balance = Int64.fromDatabaseValue(row[1]) { values["balance of \(id)"] = balance }
        }
        return values
    }
}
