/// The reason why a typed amount is refused.
public enum AmountError: Error, Hashable, Sendable, CustomStringConvertible {
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

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .empty: "Enter an amount."
        case .tooLong: "This is too long for an amount."
        case .unreadable: "This is not an amount. Write it like 12.50, or as a sum like 12.50+3*2."
        case .unclear: "It is not clear where the decimals begin. Write it like 1234.56."
        case .tooManyDecimals(let currency, 0): "\(currency) has no decimals."
        case .tooManyDecimals(let currency, let allowed): "\(currency) has at most \(allowed) decimals."
        case .tooLarge: "This amount is too large."
        case .divisionByZero: "An amount cannot be divided by zero."
        case .tooDeep: "There are too many parentheses."
        }
    }
}
