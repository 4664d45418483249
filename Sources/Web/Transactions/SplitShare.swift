// A share of an amount, as it is typed for a part of a split: `40%`.

/// A share of a whole, above zero and at most the whole.
struct SplitShare {
    /// In hundredths of a percent.
    private let hundredths: Int64

    /// Parses digits with at most two decimals after either decimal sign, before a percent sign; nil for any other text.
    init?(_ text: String) {
        guard let last = text.last, "%％٪".contains(last) else { return nil }
        let number = text.dropLast().filter { !$0.isWhitespace }
        let parts = number.split(omittingEmptySubsequences: false) { ".,٫".contains($0) }
        guard (1...2).contains(parts.count), let whole = Self.digits(parts[0], most: 3) else { return nil }
        var hundredths = whole * 100
        if parts.count == 2 {
            guard let decimals = Self.digits(parts[1], most: 2) else { return nil }
            hundredths += parts[1].count == 1 ? decimals * 10 : decimals
        }
        guard (1...10_000).contains(hundredths) else { return nil }
        self.hundredths = hundredths
    }

    private static func digits(_ text: Substring, most: Int) -> Int64? {
        guard (1...most).contains(text.count) else { return nil }
        return text.reduce(0) { number, character in
            guard let number, let digit = character.wholeNumberValue, (0...9).contains(digit) else {
                return nil
            }
            return number * 10 + Int64(digit)
        }
    }

    /// The share of an amount above zero, rounded half up.
    func minor(of whole: Int64) -> Int64 {
        Int64((Int128(whole) * Int128(hundredths) + 5_000) / 10_000)
    }

    /// Whether shares together are the whole.
    static func areWhole(_ shares: [SplitShare]) -> Bool {
        shares.reduce(0) { $0 + $1.hundredths } == 10_000
    }
}
