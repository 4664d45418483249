// What an account may hold on a cloud.

/// The most that an account may hold. What is more is refused by itself, and nothing else with it.
public struct AccountLimits: Hashable, Sendable {
    /// Fields of one row.
    public var fields: Int
    /// Bytes of one row: its values and their versions, as JSON.
    public var rowBytes: Int
    /// Live rows. As many deleted ones are kept beside them.
    public var rows: Int
    /// Bytes of all live rows. Deleted ones may take as much again.
    public var bytes: Int64
    /// Books that are attached.
    public var replicas: Int

    /// Limits; those of the cloud unless told otherwise.
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

/// What an account holds, as its limits count it.
public struct AccountUsage: Hashable, Sendable {
    /// Live rows.
    public var rows: Int
    /// Bytes of all live rows.
    public var bytes: Int64
    /// Books that are attached.
    public var replicas: Int

    /// What an account holds.
    public init(rows: Int = 0, bytes: Int64 = 0, replicas: Int = 0) {
        self.rows = rows
        self.bytes = bytes
        self.replicas = replicas
    }
}
