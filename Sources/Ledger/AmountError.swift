/// Why an amount that was typed cannot be taken.
public enum AmountError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing was typed.
    case empty
    /// Longer than any amount.
    case tooLong
    /// Not an amount, or a sum that is not complete.
    case unreadable
    /// A separator stands where neither thousands nor decimals would have one.
    case unclear
    /// More digits after the decimal sign than the currency has.
    case tooManyDecimals(CurrencyCode, allowed: Int)
    /// More than can be kept.
    case tooLarge
    /// A division by zero.
    case divisionByZero
    /// Parentheses inside one another too deeply.
    case tooDeep

    /// A sentence for the person who typed it.
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
