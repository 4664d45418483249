// The storage of a replica, as the sync engine needs it.

public import Ledger

/// The persisted state of a replica: how far a book and the cloud agree.
public struct ReplicaState: Hashable, Sendable {
    /// The id under which the book is attached; nil if it is not.
    public var replica: EntityID?
    /// The epoch of the account's data; nil until the first answer of the cloud.
    public var epoch: Int64?
    /// The cloud's sequence up to which the book reflects every change.
    public var cursor: Int64
    /// The highest sequence in any page or result that the book received.
    public var seen: Int64 = 0
    /// The number of operations without a result.
    public var pending: Int
    /// The number of operations that the cloud refused. The user decides about them.
    public var failed: Int
    /// The number of the last operation with a result.
    public var lastN: Int64
    /// The number of the last operation that was sent or is ready to be sent.
    public var lastNumbered: Int64
    /// The download that is under way.
    public var download: Download?
    /// Whether all rows of the first download are here, but not the changes since it began: the rows are of different times.
    public var isCatchingUp = false
    /// The sequence up to which pages of changes are staged until the last page arrives.
    public var stagedUpTo: Int64?
    /// Whether the account's data was deleted elsewhere. Nothing is sent or loaded until the user decides.
    public var isStopped: Bool
    /// The time of the last applied page or result, in UTC seconds.
    public var syncedAt: Int64?

    /// A download of all rows of an account.
    public struct Download: Hashable, Sendable {
        /// The position at which the next page begins.
        public var next: String
        /// The number of rows received.
        public var done: Int
        /// The number of all rows, as far as it is known.
        public var total: Int
        /// Whether the rows are staged until all of them are there, and then replace the rows of the book.
        public var isStaged: Bool
        /// Whether the book was empty when it was attached: rows that were not received are missing in it.
        public var isFirst: Bool

        /// A download at a position; counts are in rows. It is not the first one of its book unless that is given.
        public init(next: String, done: Int, total: Int, isStaged: Bool, isFirst: Bool = false) {
            self.next = next
            self.done = done
            self.total = total
            self.isStaged = isStaged
            self.isFirst = isFirst
        }
    }

    /// The first download of the book, while rows of the cloud are missing in it; nil if none are.
    public var incomplete: Download? { download.flatMap { $0.isFirst ? $0 : nil } }

    /// Counts are 0 and optional values nil unless given.
    public init(
        replica: EntityID?,
        epoch: Int64? = nil,
        cursor: Int64 = 0,
        pending: Int = 0,
        failed: Int = 0,
        lastN: Int64 = 0,
        lastNumbered: Int64 = 0,
        download: Download? = nil,
        stagedUpTo: Int64? = nil,
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
        self.stagedUpTo = stagedUpTo
        self.isStopped = isStopped
        self.syncedAt = syncedAt
    }
}

/// The reason why all rows are loaded again.
public enum ResyncReason: String, CaseIterable, Hashable, Sendable {
    /// The cloud has forgotten deletions since the cursor. Rows that it does not have are deleted from the
    /// book.
    case cursorExpired
    /// The cloud was restored from a backup. Rows that it does not have are sent again.
    case cursorAhead
    /// The hashes of both sides differ. The cloud's values win, and rows that it does not have are sent
    /// again.
    case diverged
}

/// The storage of a book, as the sync engine needs it. Every change is durable when its call returns, or
/// undone when it throws.
///
/// Each change names the attachment that it belongs to. If the book has another replica id or epoch by then,
/// the call changes nothing: the check and the change are one transaction.
public protocol ReplicaStore: Sendable {
    /// The error that the functions throw.
    associatedtype Failure: Error

    /// Reads the persisted state.
    func replicaState() throws(Failure) -> ReplicaState
    /// Stores the head of the account's data unless one is stored already. A download begins at that head, so
    /// that later deletions are among the changes that follow it.
    func adopt(_ head: Head, as replica: EntityID) throws(Failure)
    /// Returns the next operations without a result, in order and numbered. An operation that was returned
    /// once is returned unchanged until it has a result.
    func nextBatch(operations: Int, bytes: Int) throws(Failure) -> [Operation]
    /// Stores the results of a batch. A second result of the same operation is ignored.
    /// - Parameter isOlder: whether the cloud has lost sequences that the book has seen. The book keeps in mind the
    ///   one that it has seen, until it sends again what was lost.
    func acknowledge(_ results: [OperationResult], of batch: PushBatch, isOlder: Bool) throws(Failure)
    /// Applies or stages a page of changes. All pages are applied together with the cursor of the last one. A
    /// page that does not begin at the end of the applied and staged changes is ignored.
    func apply(changes page: ChangesPage, to query: ChangesQuery) throws(Failure)
    /// Applies or stages a page of a download. A page that is not the next one is ignored.
    func apply(snapshot page: ChangesPage, to query: ChangesQuery) throws(Failure)
    /// Gives the book another replica id. Operations without a result are numbered from 1 again.
    func renameReplica(to replica: EntityID, from former: EntityID) throws(Failure)
    /// Begins to load all rows again.
    func resync(_ reason: ResyncReason, of replica: EntityID) throws(Failure)
    /// Freezes book and outbox until the user decides, because the account's data was deleted elsewhere.
    func stop(_ replica: EntityID) throws(Failure)
    /// Compares the book with the hash of the page of changes that was applied last, if both are of the same
    /// state. On a difference it may begin to load all rows again.
    /// - Returns: the difference to report, or nil.
    func compare(_ page: ChangesPage, to query: ChangesQuery) throws(Failure) -> Divergence?
}

extension ReplicaStore {
    /// The default for stores without rows to compare.
    public func compare(_ page: ChangesPage, to query: ChangesQuery) throws(Failure) -> Divergence? { nil }
}
