// The messages of sync as values: pushes, queries, and their answers.

public import Ledger

/// The limits of the messages of sync.
public enum SyncLimits {
    /// The maximum number of operations in one push.
    public static let operations = 500
    /// The maximum size of one push in bytes, inflated.
    public static let bytes = 1 << 20
    /// The maximum number of rows in one answer.
    public static let rows = 2_000
    /// The number of rows in one answer that a replica asks for before it knows that they come quickly.
    public static let usualRows = 1_000
    /// The size of the rows in one answer, in bytes, with which it ends. The last row may exceed it.
    public static let answerBytes = 8 << 20
    /// The maximum number of rows in the answer to a push.
    static let rowsBesideResults = 100
    /// The grace period after the end of a subscription, in seconds, in which a replica that was attached
    /// before may still send.
    public static let drainSeconds: Int64 = 90 * 86_400
    /// The version of the schema that this program writes.
    public static let schema: Int64 = 1
    /// The versions of the schema that this program accepts. Unknown kinds and fields are stored as they are,
    /// but a newer schema may have changed the meaning of a field.
    public static let schemas: ClosedRange<Int64> = 1...schema
}

/// Operations of one replica, in the order of their numbers.
public struct PushBatch: Hashable, Sendable {
    /// The replica: an attached book, identified by an id of its own that it gets when it is attached.
    public var replica: EntityID
    /// The epoch of the account's data, as the replica has stored it.
    public var epoch: Int64
    /// The schema version of the fields.
    public var schema: Int64
    /// The highest sequence that the replica has received from the cloud.
    public var seen: Int64
    /// The cursor from which the answer includes changes; nil if the replica pulls them separately.
    public var cursor: Int64?
    /// The operations, numbered without gaps.
    public var operations: [Operation]

    /// A batch in the schema of this version, without a query for changes unless a cursor is given.
    public init(
        replica: EntityID,
        epoch: Int64,
        schema: Int64 = SyncLimits.schema,
        seen: Int64 = 0,
        cursor: Int64? = nil,
        operations: [Operation]
    ) {
        self.replica = replica
        self.epoch = epoch
        self.schema = schema
        self.seen = seen
        self.cursor = cursor
        self.operations = operations
    }

    /// The query for the changes after the cursor, as the replica would send it after it has the results of
    /// these operations; nil if there is no cursor. If the cloud already has later operations of the replica,
    /// because its book was restored from a copy, the answer includes the rows that only this replica has
    /// written.
    public var changes: ChangesQuery? {
        guard let cursor, let last = operations.last else { return nil }
        return ChangesQuery(
            replica: replica,
            epoch: epoch,
            range: .since(cursor),
            limit: SyncLimits.rowsBesideResults,
            lastN: last.n,
            seen: seen
        )
    }
}

/// A result for each operation, and the changes of others meanwhile.
public struct PushAnswer: Hashable, Sendable {
    /// The epoch of the account's data.
    public var epoch: Int64
    /// The account's last sequence.
    public var head: Int64
    /// The number of the replica's last operation that the cloud has.
    public var lastN: Int64
    /// The result of each operation, in the order of the operations.
    public var results: [OperationResult]
    /// Whether the cloud was restored from a backup that is older than what the replica has seen. The replica
    /// then sends again what the cloud has lost.
    public var isOlder: Bool
    /// The rows that changed after the replica's cursor, if it asked for them and the cloud returns them.
    public var changes: ChangesPage?

    /// Without changes, from a cloud that has lost nothing, unless given.
    public init(
        epoch: Int64,
        head: Int64,
        lastN: Int64,
        results: [OperationResult],
        isOlder: Bool = false,
        changes: ChangesPage? = nil
    ) {
        self.changes = changes
        self.epoch = epoch
        self.head = head
        self.lastN = lastN
        self.results = results
        self.isOlder = isOlder
    }
}

/// A query of a replica for rows.
public struct ChangesQuery: Hashable, Sendable {
    /// The selection of rows.
    public enum Range: Hashable, Sendable {
        /// All rows that changed after the cursor, in the order of their sequences.
        case since(Int64)
        /// All live rows from a position on: preferences, accounts, categories, budgets, and so on; transactions
        /// come last, the newest days first. The empty text is the beginning.
        case snapshot(from: String)
    }

    /// The replica that sends the query.
    public var replica: EntityID
    /// The epoch that the replica has stored.
    public var epoch: Int64
    /// The selection of rows.
    public var range: Range
    /// The maximum number of rows in the answer.
    public var limit: Int
    /// The number of the last operation whose result the replica has received. If it is the last operation that
    /// the cloud has, the answer omits rows that only this replica has written.
    public var lastN: Int64
    /// The highest sequence that the replica has received from the cloud, in a page or in a result.
    public var seen: Int64

    /// The replica has seen no sequence unless `seen` is given.
    public init(replica: EntityID, epoch: Int64, range: Range, limit: Int, lastN: Int64, seen: Int64 = 0) {
        self.replica = replica
        self.epoch = epoch
        self.range = range
        self.limit = limit
        self.lastN = lastN
        self.seen = seen
    }
}

/// A row as the cloud stores it.
public struct RowChange: Hashable, Sendable {
    /// The sequence of its last change.
    public var seq: Int64
    /// The kind of row, such as `account`.
    public var kind: String
    /// Made by the device that created the row.
    public var id: EntityID
    /// Whether the row was deleted.
    public var isDeleted: Bool
    /// All values that the cloud has.
    public var fields: Fields
    /// The sequence of each field as JSON: `{"*": 5, "amount": 9}`. `*` stands for all fields that are not
    /// named.
    public var versions: String
    /// The devices that wrote the row, to show to the user; nil in a snapshot.
    public var writers: Writers?

    /// The devices that wrote a row after the cursor of the query.
    public struct Writers: Hashable, Sendable {
        /// The time at which the cloud applied the last write, in UTC seconds.
        public var at: Int64
        /// The name of the device that wrote last; empty if it is unknown.
        public var last: String
        /// The name of the device that created the row, if it differs from the last writer and the row was
        /// created after the cursor.
        public var creator: String?
        /// The names of the devices that wrote single fields, for fields whose writer differs from the last
        /// one.
        public var fields: [String: String]
        /// The fields in which a value of the querying replica was overwritten, or deleted with the row, by a
        /// device that had not seen it. Overwritten guarded fields are not included, because a conflict
        /// records them.
        public var unseen: Set<String>
        /// Identifies the change of the last writer among all changes of all replicas: rows with the same one were changed
        /// together there, and are one step of its history. Nil if it is not known.
        public var step: String?

        /// Only the last writer is required.
        public init(
            at: Int64,
            last: String,
            creator: String? = nil,
            fields: [String: String] = [:],
            unseen: Set<String> = [],
            step: String? = nil
        ) {
            self.at = at
            self.last = last
            self.creator = creator
            self.fields = fields
            self.unseen = unseen
            self.step = step
        }
    }

    /// A live row without versions and writers unless they are given.
    public init(
        seq: Int64,
        kind: String,
        id: EntityID,
        isDeleted: Bool = false,
        fields: Fields,
        versions: String = "{}",
        writers: Writers? = nil
    ) {
        self.seq = seq
        self.kind = kind
        self.id = id
        self.isDeleted = isDeleted
        self.fields = fields
        self.versions = versions
        self.writers = writers
    }
}

/// The next rows after a cursor, in the order of their sequence numbers.
public struct ChangesPage: Hashable, Sendable {
    /// The epoch of the account's data.
    public var epoch: Int64
    /// The account's last sequence when the page was read.
    public var head: Int64
    /// The cursor of the next page. In a range of changes, a book reflects this sequence as soon as all pages
    /// up to the last are applied.
    public var cursor: Int64
    /// The position of the next page of a snapshot.
    public var next: String
    /// Whether another page follows.
    public var hasMore: Bool
    /// The number of rows after this page.
    public var remaining: Int
    /// The number of the replica's last operation that the cloud has.
    public var lastN: Int64
    /// Each row once, in its newest version.
    public var rows: [RowChange]
    /// The hash of all live rows at `head`, whose texts have the one form in which texts are stored. It is in the last page
    /// of a range of changes, if the cloud maintains hashes and all rows of the account have that form.
    public var hash: RowsHash?

    /// The highest sequence that the page reflects, also by rows that are missing in it because they were deleted.
    public var newest: Int64 { rows.map(\.seq).reduce(head, max) }

    /// Without a snapshot position and a hash unless they are given.
    public init(
        epoch: Int64,
        head: Int64,
        cursor: Int64,
        next: String = "",
        hasMore: Bool,
        remaining: Int,
        lastN: Int64,
        rows: [RowChange],
        hash: RowsHash? = nil
    ) {
        self.epoch = epoch
        self.head = head
        self.cursor = cursor
        self.next = next
        self.hasMore = hasMore
        self.remaining = remaining
        self.lastN = lastN
        self.rows = rows
        self.hash = hash
    }
}

/// The version of an account's data.
public struct Head: Hashable, Sendable {
    /// The epoch of the data. A deletion of all data increases it.
    public var epoch: Int64
    /// The last sequence.
    public var seq: Int64

    /// A head of an epoch.
    public init(epoch: Int64, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }
}
