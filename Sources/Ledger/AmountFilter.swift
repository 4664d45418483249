// A filter by the amounts of transactions, as people type it: `12.50`, `>100`, `<5`, `10..20`.

/// A range of amounts without a currency: 35 is 35.00 of whatever currency a transaction was paid in.
///
/// Its text form is readable whatever the user's decimal sign: numbers have up to two decimals behind a point, or more behind
/// the Arabic decimal sign, which nothing else can be.
public struct AmountFilter: Hashable, Sendable, CustomStringConvertible {
    /// The reason why a text is no filter.
    public enum Fault: Error, Hashable, Sendable {
        /// Not a number, or not a range of numbers.
        case unreadable
        /// No amount is in the range: `20..10`.
        case empty
    }

    /// One end of a range.
    struct Bound: Hashable, Sendable {
        /// In ten-thousandths of a unit of whatever currency.
        var value: Int128
        /// Whether the amount itself passes.
        var isIncluded: Bool
    }

    /// Nil if all smaller amounts pass.
    private var lower: Bound?
    /// Nil if all greater amounts pass.
    private var upper: Bound?

    /// Reads what a user typed, or a text form.
    /// - Parameter decimalSign: the sign of the user's locale.
    public init(_ text: String, decimalSign: Character) throws(Fault) {
        guard text.utf8.count <= 200 else { throw .unreadable }
        let narrow = String(text.filter { !$0.isFormat }).narrow
            .replacing("\u{2265}", with: ">=").replacing("\u{2264}", with: "<=")
        func number(_ text: some StringProtocol) throws(Fault) -> Int128 {
            let digits = String(text.filter { !$0.isWhitespace || $0 == " " }.filter { !$0.isCurrencySign })
                .narrow
            guard let value = AmountParser.tenThousandths(of: digits, decimalSign: decimalSign) else {
                throw .unreadable
            }
            return value
        }
        func bound(_ text: some StringProtocol, isIncluded: Bool = true) throws(Fault) -> Bound {
            Bound(value: try number(text), isIncluded: isIncluded)
        }
        if let dots = narrow.firstRange(of: "..") {
            let (first, last) = (narrow[..<dots.lowerBound], narrow[dots.upperBound...])
            guard last.first != "." else { throw .unreadable }
            lower = first.allSatisfy(\.isWhitespace) ? nil : try bound(first)
            upper = last.allSatisfy(\.isWhitespace) ? nil : try bound(last)
        } else if let first = narrow.first, "<>=".contains(first) {
            for part in Self.comparisons(narrow) {
                let isIncluded = part.dropFirst().first == "="
                let end = try bound(
                    part.dropFirst(isIncluded ? 2 : 1),
                    isIncluded: isIncluded || first == "="
                )
                if part.first != "<" { lower = lower.map { Self.narrower($0, end, isLower: true) } ?? end }
                if part.first != ">" { upper = upper.map { Self.narrower($0, end, isLower: false) } ?? end }
            }
        } else {
            (lower, upper) = (try bound(narrow), try bound(narrow))
        }
        guard lower != nil || upper != nil else { throw .unreadable }
        guard let lower, let upper else { return }
        guard lower.value < upper.value || (lower == upper && lower.isIncluded) else { throw .empty }
    }

    /// The parts of a text of comparisons, each with its sign: `>10` and `<20` of `>10 <20`.
    private static func comparisons(_ text: String) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        for index in text.indices.dropFirst() where "<>".contains(text[index]) {
            parts.append(text[start..<index])
            start = index
        }
        return parts + [text[start...]]
    }

    private static func narrower(_ one: Bound, _ other: Bound, isLower: Bool) -> Bound {
        guard one.value != other.value else { return one.isIncluded ? other : one }
        return (one.value > other.value) == isLower ? one : other
    }

    /// The amounts that pass this filter and another one; nil if there are none.
    public func and(_ other: AmountFilter) -> AmountFilter? {
        var both = self
        if let end = other.lower { both.lower = lower.map { Self.narrower($0, end, isLower: true) } ?? end }
        if let end = other.upper { both.upper = upper.map { Self.narrower($0, end, isLower: false) } ?? end }
        guard let lower = both.lower, let upper = both.upper else { return both }
        return lower.value < upper.value
            || (lower.value == upper.value && lower.isIncluded && upper.isIncluded)
            ? both : nil
    }

    /// The amounts that pass, in minor units of a currency with a number of decimals; nil if no amount does.
    package func minors(decimals: Int) -> ClosedRange<Int64>? {
        let unit = (decimals..<4).reduce(Int128(1)) { unit, _ in unit * 10 }
        var (first, last) = (Int128(0), Int128(Int64.max))
        if let lower {
            let whole = lower.value / unit
            first = lower.isIncluded && whole * unit == lower.value ? whole : whole + 1
        }
        if let upper {
            let whole = upper.value / unit
            last = min(last, !upper.isIncluded && whole * unit == upper.value ? whole - 1 : whole)
        }
        guard first <= last, let first = Int64(exactly: first), let last = Int64(exactly: last) else {
            return nil
        }
        return first...last
    }

    /// Whether an amount is within the bounds, read with as many decimals as its currency has.
    package func passes(_ money: Money) -> Bool {
        minors(decimals: money.currency.decimals)?.contains(money.minor) ?? false
    }

    /// The filter as a user would type it in the search, where a single amount has a sign before it.
    public func word(decimalSign: Character) -> String {
        let text = written { Self.number($0, decimalSign) }
        return single != nil ? "=" + text : text
    }

    /// The filter as a user would type it in a field of its own.
    public func typed(decimalSign: Character) -> String { written { Self.number($0, decimalSign) } }

    /// The text form.
    public var description: String {
        written { Self.number($0, $0 % 100 == 0 ? "." : "\u{66B}") }
    }

    /// The only amount that passes, in ten-thousandths of a unit; nil for a range.
    package var single: Int128? { lower != nil && lower == upper ? lower?.value : nil }

    private func written(_ number: (Int128) -> String) -> String {
        if let single { return number(single) }
        if let lower, let upper, lower.isIncluded, upper.isIncluded {
            return "\(number(lower.value))..\(number(upper.value))"
        }
        return [
            lower.map { (">", $0) }, upper.map { ("<", $0) },
        ].compactMap { end in end.map { "\($0.0)\($0.1.isIncluded ? "=" : "")\(number($0.1.value))" } }
            .joined(separator: " ")
    }

    /// A number without grouping: whole, or with two to four decimals.
    private static func number(_ value: Int128, _ decimalSign: Character) -> String {
        let (whole, rest) = value.quotientAndRemainder(dividingBy: 10_000)
        guard rest > 0 else { return "\(whole)" }
        var decimals = String("\(rest + 10_000)".dropFirst())
        while decimals.count > 2, decimals.last == "0" { decimals.removeLast() }
        return "\(whole)\(decimalSign)\(decimals)"
    }
}

extension Character {
    /// Whether it is a sign of a currency, such as `€`.
    fileprivate var isCurrencySign: Bool {
        unicodeScalars.allSatisfy { $0.properties.generalCategory == .currencySymbol }
    }
}
