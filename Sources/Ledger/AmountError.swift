/// The reason why a typed amount is refused.
public enum AmountError: Error, Hashable, Sendable {
    /// The text is empty.
    case empty
    /// The text is longer than any amount.
    case tooLong
    /// The text is neither an amount nor a complete sum.
    case unreadable
    /// A separator is at a place that fits neither thousands nor decimals.
    case unclear
    /// The amount has more decimals than the currency.
    case tooManyDecimals(CurrencyCode, allowed: Int)
    /// The amount does not fit 64 bits.
    case tooLarge
    /// A sum divides by zero.
    case divisionByZero
    /// Parentheses are nested too deeply.
    case tooDeep
}
