// Balances that a device does not know.

/// The balance of an account at a bank that this device cannot read. The transactions of the book are only a part of it.
public struct UnknownBalance: Hashable, Sendable {
    /// The time of the last known refresh, in UTC seconds; nil if none is known.
    public var since: Int64?

    /// - Parameter since: UTC seconds.
    public init(since: Int64? = nil) { self.since = since }
}
