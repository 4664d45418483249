// Balances that a device does not know.

/// The balance of an account at a bank that this device cannot read, or that reports it in another currency. The
/// transactions of the book are only a part of it.
public struct UnknownBalance: Hashable, Sendable {
    /// The time of the last known refresh, in UTC seconds; nil if none is known.
    public var since: Int64?
    /// The currency in which the bank reports the account, if it differs from the currency of the book's account.
    public var bankCurrency: CurrencyCode?

    /// - Parameter since: UTC seconds.
    public init(since: Int64? = nil, bankCurrency: CurrencyCode? = nil) {
        self.since = since
        self.bankCurrency = bankCurrency
    }
}
