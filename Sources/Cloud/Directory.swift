// The file of the directory of user accounts: opening, closing, and transactions.

public import CloudProtocol
import GRDB
public import Ledger
public import Storage
import Synchronization

/// The user accounts of a cloud, in `cloud.sqlite`. Safe to use from any thread.
///
/// Every change is durable when its call returns.
public final class Directory: Sendable {
    /// SQLite's `application_id` of the file.
    static let applicationID: Int32 = 0x4272_636C

    /// The path of the file.
    var path: String { store.path }
    private let store: Store<CloudFailure>
    private let dependencies: Dependencies
    private let recounts = Atomic(0)
    /// The number of hashes of accounts that did not match their rows.
    var recountCount: Int { recounts.load(ordering: .relaxed) }
    /// Whether a sign-in with an unknown identity creates a user account.
    public let acceptsNewAccounts: Bool

    /// The sources of time and randomness.
    public struct Dependencies: Sendable {
        /// The current time in UTC seconds.
        public let now: @Sendable () -> Int64
        /// A new id of the current time.
        public let newID: @Sendable () -> EntityID
        /// 256 random bits.
        public let newToken: @Sendable () -> SessionToken

        /// Sources of a server, or fixed sources of a test.
        public init(
            now: @escaping @Sendable () -> Int64,
            newID: @escaping @Sendable () -> EntityID,
            newToken: @escaping @Sendable () -> SessionToken
        ) {
            self.now = now
            self.newID = newID
            self.newToken = newToken
        }
    }

    /// Opens the directory, and creates it if it is missing.
    /// - Parameter acceptsNewAccounts: whether a sign-in with an unknown identity creates a user account.
    /// - Throws: `failed` with the obstacle.
    public init(
        at path: String,
        acceptsNewAccounts: Bool,
        dependencies: Dependencies
    ) throws(CloudError) {
        do {
            store = try Store.open(
                at: path,
                applicationID: Self.applicationID,
                migrations: Migration.cloud,
                fingerprint: { db in
                    ["users": Int64(try db.number("SELECT count(*) FROM users"))]
                }
            )
        } catch {
            throw error.asCloudError
        }
        self.dependencies = dependencies
        self.acceptsNewAccounts = acceptsNewAccounts
    }

    /// The upgrade at opening; nil if there was none.
    public var upgrade: SchemaUpgrade? { store.upgrade }

    /// Whether opening a directory would upgrade its file. The check changes nothing.
    /// - Throws: `failed`.
    public static func needsUpgrade(at path: String, now: Int64) throws(CloudError) -> Bool {
        do { return try Examination.schema(of: path, now: now) < (Migration.cloud.last?.number ?? 0) } catch {
            throw CloudFailure(error).asCloudError
        }
    }

    /// Counts an account whose hash did not match its rows.
    func noteRecount() { recounts.add(1, ordering: .relaxed) }

    /// Closes the file. Every later call throws `failed`.
    public func close() { store.close() }

    /// A number that changes whenever another process has changed the file.
    /// - Throws: `failed`.
    public func outsideChanges() throws(CloudError) -> Int {
        do {
            return try store.inDatabase { db in try db.number("PRAGMA data_version") }
        } catch { throw error.asCloudError }
    }

    /// The current time in UTC seconds.
    var now: Int64 { dependencies.now() }

    /// A new id of the current time.
    func newID() -> EntityID { dependencies.newID() }

    /// 256 random bits.
    func newToken() -> SessionToken { dependencies.newToken() }

    func reading<Value>(_ body: (Database) throws -> Value) throws(CloudError) -> Value {
        do { return try store.reading(body) } catch { throw error.asCloudError }
    }

    /// Runs a change that deletes for good.
    func deleting<Value>(_ body: (Database) throws -> Value) throws(CloudError) -> Value {
        do { return try store.deleting(body) } catch { throw error.asCloudError }
    }

    /// Removes content from the disk that was deleted for good; to be called every second.
    /// - Parameter isOfOthers: whether another process may have deleted.
    /// - Throws: `failed`.
    public func dropTraces(isOfOthers: Bool = false) throws(CloudError) {
        if isOfOthers { store.noteTraces() }
        do { try store.dropTraces() } catch { throw error.asCloudError }
    }

    func changing<Value>(_ body: (Database) throws -> Value) throws(CloudError) -> Value {
        do { return try store.changing(body) } catch { throw error.asCloudError }
    }
}
