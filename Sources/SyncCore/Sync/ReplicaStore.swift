// The book as the sync engine needs it.

public import Ledger

/// Where a book stands with the cloud.
public struct ReplicaStanding: Hashable, Sendable {
    /// The id that it is attached by; nil where it is not attached.
    public var replica: EntityID?
    /// The epoch of the account's data; nil until the cloud was asked for the first time.
    public var epoch: Int64?
    /// The cloud's sequence up to which every change is reflected here.
    public var cursor: Int64
    /// The highest sequence that the cloud has told of: with a page, or with the result of an operation.
    public var seen: Int64 = 0
    /// How many changes have no result yet.
    public var pending: Int
    /// How many the cloud has refused: the user decides.
    public var failed: Int
    /// The last of its operations whose result it has.
    public var lastN: Int64
    /// The last of its operations that has a number.
    public var lastNumbered: Int64
    /// The rows that are being loaded.
    public var download: Download?
    /// Changes kept aside until the last page is there: the sequence up to which there are some.
    public var asideUpTo: Int64?
    /// Whether the account's data was deleted elsewhere: nothing is sent or loaded until the user decides.
    public var isStopped: Bool
    /// When the last page was applied or the last result came, in UTC seconds.
    public var syncedAt: Int64?

    /// All rows of an account on their way here.
    public struct Download: Hashable, Sendable {
        /// Where the next page begins.
        public var next: String
        /// Rows that have arrived.
        public var done: Int
        /// All of them, as far as that is known.
        public var total: Int
        /// Whether they are kept aside until all are there, and then take the place of what is here.
        public var isAside: Bool

        /// A download.
        public init(next: String, done: Int, total: Int, isAside: Bool) {
            self.next = next
            self.done = done
            self.total = total
            self.isAside = isAside
        }
    }

    /// A standing.
    public init(
        replica: EntityID?,
        epoch: Int64? = nil,
        cursor: Int64 = 0,
        pending: Int = 0,
        failed: Int = 0,
        lastN: Int64 = 0,
        lastNumbered: Int64 = 0,
        download: Download? = nil,
        asideUpTo: Int64? = nil,
        isStopped: Bool = false,
        syncedAt: Int64? = nil
    ) {
        self.replica = replica
        self.epoch = epoch
        self.cursor = cursor
        self.pending = pending
        self.failed = failed
        self.lastN = lastN
        self.lastNumbered = lastNumbered
        self.download = download
        self.asideUpTo = asideUpTo
        self.isStopped = isStopped
        self.syncedAt = syncedAt
    }
}

/// Why all rows are loaded anew.
public enum ResyncReason: String, CaseIterable, Hashable, Sendable {
    /// The cloud no longer has the deletions since the cursor: rows that it does not have were deleted.
    case cursorExpired
    /// The cloud was restored from a backup: rows that it does not have are sent again.
    case cursorAhead
    /// The hashes of both sides differ: the cloud's values are taken over, and rows that it does not have are sent again.
    case diverged
}

/// A book, as the sync engine sees it. Every change is durable when its call returns, or undone when it throws.
///
/// Each change names the attachment that it is of. Where the book is attached by another replica or knows another epoch
/// by then, nothing is changed: the check and the change are one transaction.
public protocol ReplicaStore: Sendable {
    /// The error that its functions throw.
    associatedtype Failure: Error

    /// Where it stands.
    func standing() throws(Failure) -> ReplicaStanding
    /// Stores the head of the account's data, where none is stored yet. A download begins at that head, so that later
    /// deletions are among the changes that follow it.
    func know(_ head: Head, as replica: EntityID) throws(Failure)
    /// The next operations without a result, in order, each with its number. An operation that was returned once is
    /// returned again unchanged until it has a result.
    func cut(operations: Int, bytes: Int) throws(Failure) -> [Operation]
    /// Keeps the results of a batch's operations. A second result of one operation is ignored.
    func settle(_ results: [OperationResult], of batch: PushBatch) throws(Failure)
    /// Takes a page of changes. They are applied with the last page's cursor, all at once. A page that does not begin
    /// where the book stands changes nothing.
    func take(changes page: ChangesPage, to query: ChangesQuery) throws(Failure)
    /// Takes a page of a download, where it is the next one.
    func take(snapshot page: ChangesPage, to query: ChangesQuery) throws(Failure)
    /// Gives the book another replica id: operations without a result are numbered from 1 again.
    func become(_ replica: EntityID, insteadOf former: EntityID) throws(Failure)
    /// Begins to load all rows anew.
    func resync(_ reason: ResyncReason, of replica: EntityID) throws(Failure)
    /// Keeps book and outbox as they are until the user decides: the account's data was deleted elsewhere.
    func stop(_ replica: EntityID) throws(Failure)
    /// Compares the book with the hash of the last page of changes, which was taken just now, where both are of one
    /// state. Where they differ, it may begin to load all rows anew.
    /// - Returns: what is to be told; nil where there is nothing.
    func compare(_ page: ChangesPage, to query: ChangesQuery) throws(Failure) -> Divergence?
}

extension ReplicaStore {
    /// A store without rows has nothing to compare.
    public func compare(_ page: ChangesPage, to query: ChangesQuery) throws(Failure) -> Divergence? { nil }
}
