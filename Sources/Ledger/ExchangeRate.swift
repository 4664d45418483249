// The exact decimal number of one exchange rate.

/// A rate as its source publishes it: a decimal number above zero, without floating point.
///
/// The number is `mantissa` ÷ 10^`scale`. Trailing zeros do not count, so `1.50` equals `1.5`.
public struct ExchangeRate: Hashable, Sendable, CustomStringConvertible {
    /// The significant digits as a whole number, from 1 up to 15 digits.
    public let mantissa: UInt64
    /// The number of decimals, from 0 to 12.
    public let scale: Int

    /// The rate of a currency to itself.
    public static let one = ExchangeRate(mantissa: 1, scale: 0)

    private static let mostDigits = 15
    private static let mostDecimals = 12
    /// Longer texts are no rate: 15 digits before the point and 12 behind it fit, with some zeros to spare.
    private static let mostBytes = 32

    private init(mantissa: UInt64, scale: Int) {
        self.mantissa = mantissa
        self.scale = scale
    }

    /// Parses ASCII digits with an optional point between two of them: `136`, `1.0823`.
    ///
    /// Nil for other text, among it signs, exponents, grouping, spaces, a zero before other digits (`01.2`),
    /// and the number zero; nil as well for more than 15 significant digits or 12 decimals.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.mostBytes else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }),
            parts.allSatisfy({ $0.allSatisfy { (48...57).contains($0) } }),
            whole.count == 1 || whole.first != UInt8(ascii: "0")
        else { return nil }
        var decimals = parts.count == 2 ? parts[1] : []
        while decimals.last == UInt8(ascii: "0") { decimals.removeLast() }
        let digits = (whole + decimals).drop { $0 == UInt8(ascii: "0") }
        guard !digits.isEmpty, digits.count <= Self.mostDigits, decimals.count <= Self.mostDecimals else {
            return nil
        }
        // At most 15 digits: the number is below 10^15.
        mantissa = digits.reduce(0) { $0 * 10 + UInt64($1 - 48) }
        scale = decimals.count
    }

    /// The number with a point and without trailing zeros: `1.0823`. `init` parses it to the same rate.
    public var description: String { Decimals.text(Int128(mantissa), scale: scale) }

    /// The exact number.
    var fraction: Fraction {
        get throws(AmountError) { try Fraction(Int128(mantissa), over: Decimals.powerOfTen(scale)) }
    }
}

/// Powers of ten, and decimal numbers as text.
enum Decimals {
    /// 10^`exponent`, and 1 for an exponent below zero. The callers stay below 10^28.
    static func powerOfTen(_ exponent: Int) -> Int128 {
        (0..<max(0, exponent)).reduce(Int128(1)) { power, _ in power * 10 }
    }

    /// `mantissa` ÷ 10^`scale`, with a point if there are decimals.
    static func text(_ mantissa: Int128, scale: Int) -> String {
        let digits = String(mantissa)
        guard scale > 0 else { return digits }
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
        return "\(padded.dropLast(scale)).\(padded.suffix(scale))"
    }
}
