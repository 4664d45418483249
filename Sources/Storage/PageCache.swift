// The cache of pages of a connection, for transactions that change many pages.

public import GRDB

extension Database {
    /// The size that SQLite gives a connection, in kilobytes.
    private static let usualKilobytes = 2_000

    /// Runs a part of a transaction with a greater cache. A cache that is too small writes changed pages to the file
    /// before the end of the transaction, reads them again, and writes them again.
    /// - Parameter kilobytes: the greatest size. It is given back at the end.
    public func cachingPages<Value>(kilobytes: Int, _ body: () throws -> Value) throws -> Value {
        try execute(sql: "PRAGMA cache_size = -\(kilobytes)")
        defer { try? execute(sql: "PRAGMA cache_size = -\(Self.usualKilobytes)") }
        return try body()
    }
}
