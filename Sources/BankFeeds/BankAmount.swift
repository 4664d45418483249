// Amounts as banks write them, read exactly from the digits of the text.

/// Reads decimal numbers as whole minor units. No amount passes through floating point, and none is rounded.
enum BankAmount {
    /// The greatest amount in minor units. Thousands of such amounts can be added in 64 bits.
    private static let mostMinor: Int64 = 1_000_000_000_000_000
    /// The greatest number of digits that are read.
    private static let mostDigits = 40

    /// The minor units of a number, such as `-12.5`, `1E2` or `0.10`.
    /// - Parameter exponent: the number of decimals of the currency.
    /// - Returns: nil for other text, for an amount with more decimals than the currency has (zeros do not
    ///   count), and for one above the greatest amount.
    static func minor(_ text: String, exponent: Int) -> Int64? {
        var rest = Substring(text).utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        let whole = digits(&rest)
        var fraction: [UInt8] = []
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = digits(&rest)
            guard !fraction.isEmpty else { return nil }
        }
        guard let power = power(&rest), rest.isEmpty, !whole.isEmpty,
            whole.count + fraction.count <= mostDigits
        else { return nil }
        var significant = (whole + fraction).drop { $0 == 0 }
        guard !significant.isEmpty else { return 0 }
        // The value is `significant` × 10^shift minor units.
        var shift = power - fraction.count + exponent
        while shift < 0 {
            guard significant.popLast() == 0 else { return nil }
            shift += 1
        }
        guard significant.count + shift <= 18 else { return nil }
        let magnitude = (significant + Array(repeating: 0, count: shift)).reduce(Int64(0)) {
            $0 * 10 + Int64($1)
        }
        guard magnitude <= mostMinor else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    private static func digits(_ rest: inout Substring.UTF8View) -> [UInt8] {
        let digits = rest.prefix { (48...57).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.map { $0 - 48 }
    }

    /// The power of ten after `E`; 0 without one.
    /// - Returns: nil for a power without digits or with more than two.
    private static func power(_ rest: inout Substring.UTF8View) -> Int? {
        guard let first = rest.first, first | 32 == UInt8(ascii: "e") else { return 0 }
        rest = rest.dropFirst()
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let digits = digits(&rest)
        guard (1...2).contains(digits.count) else { return nil }
        let power = digits.reduce(0) { $0 * 10 + Int($1) }
        return isNegative ? -power : power
    }
}
