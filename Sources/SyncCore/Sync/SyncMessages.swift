// The messages of sync, as values: what a replica sends, what it asks for, and the answers.

public import Ledger

/// The limits of the messages of sync.
public enum SyncLimits {
    /// The most operations of one push.
    public static let operations = 500
    /// The most bytes of one push, inflated.
    public static let bytes = 1 << 20
    /// The most rows of one answer.
    public static let rows = 1_000
    /// The most rows that come with the answer to a push.
    public static let rowsBesideResults = 100
    /// The schema that this version writes.
    public static let schema: Int64 = 1
    /// The schemas that this version takes: kinds and fields that it does not know it keeps, but a newer schema may
    /// have changed what a field means.
    public static let schemas: ClosedRange<Int64> = 1...schema
}

/// Operations of one replica, in the order of their numbers.
public struct PushBatch: Hashable, Sendable {
    /// The replica: a book that is attached, known by an id of its own that it takes when it attaches.
    public var replica: EntityID
    /// The epoch of the account's data that the replica knows.
    public var epoch: Int64
    /// The schema that the fields are of.
    public var schema: Int64
    /// The highest sequence that the cloud has told the replica of.
    public var seen: Int64
    /// The cursor of a replica that is to hear with the answer what changed after it; nil for one that asks later.
    public var cursor: Int64?
    /// The operations.
    public var operations: [Operation]

    /// A batch.
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

    /// The question for what changed after the cursor, as it stands once the results of these operations are known; nil
    /// for a replica that does not ask. The cloud may have later operations of a book that was restored from a copy: it
    /// is to get the rows of those, its own as they are.
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

/// The answer to a push.
public struct PushAnswer: Hashable, Sendable {
    /// The epoch of the account's data.
    public var epoch: Int64
    /// The account's last sequence.
    public var head: Int64
    /// The last of the replica's operations that the cloud has.
    public var lastN: Int64
    /// The result of each operation, in their order.
    public var results: [OperationResult]
    /// Whether the cloud was restored from a backup that is older than what the replica has seen: it gets again what it
    /// has lost.
    public var isOlder: Bool
    /// The rows that changed after the replica's cursor, where it asked for them and the cloud gives them.
    public var changes: ChangesPage?

    /// An answer.
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

/// Rows that a replica asks for.
public struct ChangesQuery: Hashable, Sendable {
    /// The rows that a query asks for.
    public enum Range: Hashable, Sendable {
        /// All rows that changed after the cursor, in the order of their sequences.
        case since(Int64)
        /// All live rows from a place on: accounts, categories, budgets, preferences, and so on; transactions last, the
        /// newest first. The empty text is the beginning.
        case snapshot(from: String)
    }

    /// The replica that asks.
    public var replica: EntityID
    /// The epoch that the replica knows.
    public var epoch: Int64
    /// The rows that are asked for.
    public var range: Range
    /// The most rows.
    public var limit: Int
    /// The last of its operations whose result the replica has. Rows that it alone has written are left out then.
    public var lastN: Int64
    /// The highest sequence that the cloud has told the replica of: with a page, or with a result of its own.
    public var seen: Int64

    /// A question.
    public init(replica: EntityID, epoch: Int64, range: Range, limit: Int, lastN: Int64, seen: Int64 = 0) {
        self.replica = replica
        self.epoch = epoch
        self.range = range
        self.limit = limit
        self.lastN = lastN
        self.seen = seen
    }
}

/// A row as the cloud holds it.
public struct RowChange: Hashable, Sendable {
    /// The sequence of its last change.
    public var seq: Int64
    /// The kind of row.
    public var kind: String
    /// Which row.
    public var id: EntityID
    /// Whether it was deleted.
    public var isDeleted: Bool
    /// Its values: all that the cloud has.
    public var fields: Fields
    /// The sequence of each field, as JSON: `{"*": 5, "amount": 9}`, where `*` is all that are not named.
    public var versions: String
    /// The devices that wrote to the row, for users to read; nil in a snapshot.
    public var writers: Writers?

    /// The devices that wrote to a row after the cursor that was asked for.
    public struct Writers: Hashable, Sendable {
        /// When the cloud took the last write, in UTC seconds.
        public var at: Int64
        /// The name of the device that wrote last; empty where it is not known.
        public var last: String
        /// The one that created the row, where that is another one and the row is new.
        public var creator: String?
        /// The ones that wrote single fields, where those are others.
        public var fields: [String: String]
        /// The fields in which a value of the replica that asks was written over, or deleted with the row, by one that
        /// had not seen it; of those written over none of the guarded ones, which have a record of their own.
        public var unseen: Set<String>

        /// Writers.
        public init(
            at: Int64,
            last: String,
            creator: String? = nil,
            fields: [String: String] = [:],
            unseen: Set<String> = []
        ) {
            self.at = at
            self.last = last
            self.creator = creator
            self.fields = fields
            self.unseen = unseen
        }
    }

    /// A row.
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

/// A page of rows.
public struct ChangesPage: Hashable, Sendable {
    /// The epoch of the account's data.
    public var epoch: Int64
    /// The account's last sequence when the page was read.
    public var head: Int64
    /// Where the next page begins. Of a range of changes, the sequence that is reflected once all pages up to the last
    /// are applied.
    public var cursor: Int64
    /// Where the next page of a snapshot begins.
    public var next: String
    /// Whether there is another page.
    public var hasMore: Bool
    /// How many rows are left after this page.
    public var remaining: Int
    /// The last of the replica's operations that the cloud has.
    public var lastN: Int64
    /// The rows.
    public var rows: [RowChange]
    /// The hash of all live rows at `head`: with the last page of a range of changes, from clouds that keep it.
    public var hash: RowsHash?

    /// A page.
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
    /// Another number after all data was deleted.
    public var epoch: Int64
    /// The last sequence.
    public var seq: Int64

    /// A place.
    public init(epoch: Int64, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }
}
