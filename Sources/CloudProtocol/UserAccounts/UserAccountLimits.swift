// The limits of a user account, and its usage.

/// The limits of a user account. A row that exceeds them is refused; other rows of the same push are not.
public struct UserAccountLimits: Hashable, Sendable {
    /// The maximum number of fields in one row.
    public var fields: Int
    /// The maximum size of one row in bytes: its values and their versions, as JSON.
    public var rowBytes: Int
    /// The maximum number of live rows. The same number of deleted rows is stored in addition.
    public var rows: Int
    /// The maximum size of all live rows in bytes. Deleted rows may have the same size in addition.
    public var bytes: Int64
    /// The maximum number of attached books.
    public var replicas: Int

    /// The limits of the cloud unless others are given.
    public init(
        fields: Int = 100,
        rowBytes: Int = 256 << 10,
        rows: Int = 1_000_000,
        bytes: Int64 = 1 << 30,
        replicas: Int = 100
    ) {
        self.fields = fields
        self.rowBytes = rowBytes
        self.rows = rows
        self.bytes = bytes
        self.replicas = replicas
    }
}

/// The usage of a user account, as its limits count it.
public struct UserAccountUsage: Hashable, Sendable {
    /// The number of live rows.
    public var rows: Int
    /// The size of all live rows in bytes.
    public var bytes: Int64
    /// The number of attached books.
    public var replicas: Int
    /// The number of attached books of the user's other signed-in devices; nil if the cloud does not report it.
    public var others: Int?

    /// No usage unless given.
    public init(rows: Int = 0, bytes: Int64 = 0, replicas: Int = 0, others: Int? = nil) {
        self.rows = rows
        self.bytes = bytes
        self.replicas = replicas
        self.others = others
    }
}
