// The book of one device: opening and closing its file, and the two kinds of access, read and change.
import GRDB
import Ledger
public import Storage
public import SyncCore
import Synchronization

/// The SQLite file of one device. Safe to use from any thread. One change runs at a time; reads run beside
/// it.
///
/// Each read sees one consistent state. Each change is one transaction: durable when the call returns, rolled
/// back as a whole when it throws.
public final class Book: Sendable {
    /// The number in the header of an SQLite file that marks the file as a book.
    static let applicationID: Int32 = 0x4272_646C

    /// The path of the file.
    public var path: String { store.path }
    let store: Store<BookError>
    /// UTC seconds, for the time of a deletion.
    let clock: @Sendable () -> Int64
    let lookups = VersionedCache<Lookups>()
    /// The payees of the newest transactions, for the forms.
    let payees = VersionedCache<[PayeeUse]>()
    /// The names of all payees, for suggestions.
    let payeeNames = VersionedCache<PayeeNames>()
    /// The cached exchange rates. No change of rows alters them.
    let latestRates = VersionedCache<ExchangeRates?>()
    let storedRateHistory = VersionedCache<StoredRateHistory?>()
    let cachedSums = CachedSums()
    /// Emptied by each write, also by a write that changes no row of a page.
    let knownSyncFacts = VersionedCache<SyncFacts>()
    /// The same.
    let knownAbsentFiles = VersionedCache<CachedAbsence>()
    /// Compared with the stored rules at each use.
    let compiledRules = Mutex<CompiledRules?>(nil)
    /// The progress of `normaliseTexts`.
    let textPlace = Mutex(TextPlace())
    /// The last change of another device in the history; nil if this process has applied none.
    let remoteStep = Mutex<RemoteStep?>(nil)
    let schema: BookSchema
    /// Called after each change that the user made.
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

    /// The kinds of rows that are synchronised with the cloud.
    public var declaration: SyncedSchema { schema.declaration }

    /// Opens the book, creates it if there is none, and upgrades it to the schema of this version.
    ///
    /// A file that was not closed properly is checked first. Before an upgrade the file is copied to
    /// `PATH.schema-N` beside it; see `DataFolder.removeSchemaCopies`.
    /// - Parameters:
    ///   - path: the file. A missing folder is created with access for its owner only.
    ///   - clock: the present time in UTC seconds.
    ///   - changed: called after each change except the application of remote rows; from any thread.
    /// - Throws: `damaged`, `newerSchema`, `readOnly`, `diskFull`, `migrationRefused`, `failed`. An existing
    ///   file then has its former content.
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

    /// The upgrade that ran when the book was opened; nil if none was needed.
    public var upgrade: SchemaUpgrade? { store.upgrade }

    /// Whether a change that failed with `diskFull` met the book's size limit, and not the end of the disk.
    public var isFull: Bool { (try? store.isLimitNearerThanDiskEnd()) ?? false }

    /// Opens a book with any schema. The rows of `foreign_rows` stay there.
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
            template: schema.template,
            functions: BookSchema.functions,
            fingerprint: { try Book.fingerprint($0) }
        )
        return Book(store: store, clock: clock, schema: schema, changed: changed)
    }

    /// Checkpoints the write-ahead log into the file and closes the file. Every later call throws `closed`; a
    /// repeated close does nothing.
    public func close() { store.close() }

    /// Gives back the memory that only makes the next use faster. It blocks its thread during a change.
    public func releaseMemory() { store.releaseMemory() }

    /// Whether a change is under way, such as a page of a download. Another change would have to wait for it.
    public var isChanging: Bool { store.isChanging }

    /// Returns when all changes that are under way have ended. It blocks its thread, so it must not be called
    /// on a thread that answers requests.
    public func waitForChanges() { store.waitForChanges() }

    /// Runs a read that sees one consistent state.
    func reading<Value>(_ body: (BookDatabase) throws -> Value) throws(BookError) -> Value {
        let schema = schema
        return try store.reading { try body(BookDatabase(connection: $0, schema: schema)) }
    }

    /// Runs a read that sees one consistent state, with the values that every page shows.
    func reading<Value>(_ body: (BookDatabase, Lookups) throws -> Value) throws(BookError) -> Value {
        let (cached, version) = lookups.current
        if let cached {
            let value = try reading { db in try body(db, cached) }
            // If a change came in between, the cached values may be from before it and the read from after
            // it.
            if lookups.isCurrent(version) { return value }
        }
        return try reading { db in
            let read = try Lookups(db)
            let value = try body(db, read)
            // Cached last: the marks that the body has filled in are the marks of this state only as long as no other
            // read has the same lookups.
            lookups.keep(read, of: version)
            return value
        }
    }

    /// A part of the lookups. They are read first if they are not cached.
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

    /// Reports that there are changes to send.
    func noteChange() { changed() }

    /// The values that a migration must not change: the number of live rows of each table and the balance of
    /// each account.
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
            // The sum is an integer unless it left the range of 64 bits. Then there is no exact value to
            // compare.
            if let balance = Int64.fromDatabaseValue(row[1]) { values["balance of \(id)"] = balance }
        }
        return values
    }
}
