// Parses amounts as users type them: `12,50`, `1.234,56`, `€ 12`, `12.50+3*2`.
//
// Characters of other keyboards are read as their ASCII counterparts. Separators: if both `.` and `,` occur, the
// last one is the decimal sign. If one of them occurs several times, it groups digits. If it occurs once, it is
// the decimal sign if it is that of the user's locale, if less than three digits follow it, or if a number below
// one or groups with another sign precede it. It groups digits if exactly three digits follow it and one to three
// precede it. Anything else is unclear: `1,0000` with a decimal point. Spaces and apostrophes only group digits. A single
// number must fit the currency's decimals; a sum is computed exactly and rounded half-even once, at its end.
// Parentheses around a single number, or a minus behind it, make it negative, as in statements: `(12.50)`, `12.50-`.

/// Parses amounts for a user.
public struct AmountParser: Sendable {
    /// The decimal sign of the user's locale.
    public let decimalSign: Character
    private let currencies: CurrencyTable
    private let locale: LocaleFacts

    /// - Parameters:
    ///   - decimalSign: the decimal sign with which the form was shown.
    ///   - locale: the user's locale, whose signs of currencies have precedence.
    public init(decimalSign: Character, currencies: CurrencyTable, locale: LocaleFacts) {
        self.decimalSign = decimalSign
        self.currencies = currencies
        self.locale = locale
    }

    /// The result of parsing.
    public struct Entry: Hashable, Sendable {
        /// The amount, in the typed currency or else the expected one.
        public var money: Money
        /// The currency that the text names, if it names one.
        public var typedCurrency: CurrencyCode?
    }

    /// Parses an amount.
    /// - Parameter currency: the currency, unless the text names another one.
    /// - Throws: `AmountError`.
    public func parse(_ text: String, expecting currency: CurrencyCode) throws(AmountError) -> Entry {
        guard text.utf8.count <= 200 else { throw .tooLong }
        var characters = Array(text.filter { !$0.isFormat }.map(\.narrow)[...].trimmed)
        guard !characters.isEmpty else { throw .empty }
        let currencyMarks = TypedCurrency(currencies: currencies, locale: locale, expected: currency)
        var typed = currencyMarks.remove(from: &characters)
        var isNegated = false
        if var number = Self.withoutStatementMinus(characters) {
            let inner = typed ?? currencyMarks.remove(from: &number)
            if Self.isLoneNumber(number, isBracketed: characters.last == ")") {
                (characters, typed, isNegated) = (number, inner, true)
            }
        }
        let code = typed ?? currency
        let exponent = currencies.exponent(of: code)
        var sum = Sum(characters, decimalSign: decimalSign)
        let value = isNegated ? try sum.value().negated : try sum.value()
        let scale = (0..<exponent).reduce(Int128(1)) { unit, _ in unit * 10 }
        let minor = try value.multiplied(by: Fraction(scale))
        if sum.isSingleNumber, minor.denominator != 1 { throw .tooManyDecimals(code, allowed: exponent) }
        if exponent == 0, sum.isSingleNumber, hasThreeDecimals(characters) { throw .unclear }
        guard let whole = Int64(exactly: minor.rounded), whole != .min else { throw .tooLarge }
        return Entry(money: Money(minor: whole, currency: code), typedCurrency: typed)
    }

    /// The text within its outer parentheses, or before the minus at its end; nil if it has neither.
    private static func withoutStatementMinus(_ characters: [Character]) -> [Character]? {
        var inner = characters[...]
        if inner.last == "-" {
            inner = inner.dropLast()
        } else {
            while inner.first == "(", inner.last == ")" { inner = inner.dropFirst().dropLast().trimmed }
            guard inner.count < characters.count else { return nil }
        }
        return Array(inner.trimmed)
    }

    /// Whether nothing but a number stands there. Before a minus, it ends with a digit: `12,-` is a price without cents.
    private static func isLoneNumber(_ characters: [Character], isBracketed: Bool) -> Bool {
        characters.contains { digit($0) != nil } && (isBracketed || characters.last.flatMap(digit) != nil)
            && characters.allSatisfy {
                digit($0) != nil || $0.isWhitespace || TypedNumber.separators.contains($0)
            }
    }

    /// Whether a number has up to three digits, the decimal sign and three more: in a currency without decimals they may
    /// as well be thousands.
    private func hasThreeDecimals(_ characters: [Character]) -> Bool {
        let number = characters.drop { digit($0) == nil }
        guard let sign = number.firstIndex(of: decimalSign) else { return false }
        let (before, after) = (number[..<sign], number[(sign + 1)...])
        return (1...3).contains(before.count) && after.count == 3
            && (before + after).allSatisfy { digit($0) != nil }
    }
}

/// A sum with `+ − × ÷` and parentheses.
private struct Sum {
    private let characters: [Character]
    private let decimalSign: Character
    private var position = 0
    private var depth = 0
    private var operations = 0

    init(_ characters: [Character], decimalSign: Character) {
        self.characters = characters
        self.decimalSign = decimalSign
    }

    /// Whether the text is one number, with or without a sign.
    var isSingleNumber: Bool { operations == 0 }

    mutating func value() throws(AmountError) -> Fraction {
        let value = try terms()
        guard next == nil else { throw .unreadable }
        return value
    }

    /// The next character that is not a space.
    private var next: Character? {
        mutating get {
            while position < characters.count, characters[position].isWhitespace { position += 1 }
            return position < characters.count ? characters[position] : nil
        }
    }

    private mutating func consume(_ accepted: String) -> Bool {
        guard let character = next, accepted.contains(character) else { return false }
        position += 1
        return true
    }

    private mutating func terms() throws(AmountError) -> Fraction {
        var value = try factors()
        while true {
            if consume("+") {
                value = try value.adding(factors())
            } else if consume("-") {
                value = try value.adding(factors().negated)
            } else {
                return value
            }
            operations += 1
        }
    }

    private mutating func factors() throws(AmountError) -> Fraction {
        var value = try signed()
        while true {
            if consume("*\u{00D7}") {
                value = try value.multiplied(by: signed())
            } else if consume("/\u{00F7}") {
                value = try value.divided(by: signed())
            } else {
                return value
            }
            operations += 1
        }
    }

    private mutating func signed() throws(AmountError) -> Fraction {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 32 else { throw .tooDeep }
        if consume("-") { return try signed().negated }
        if consume("+") { return try signed() }
        guard consume("(") else { return try number() }
        let value = try terms()
        guard consume(")") else { throw .unreadable }
        return value
    }

    private mutating func number() throws(AmountError) -> Fraction {
        guard next != nil else { throw .unreadable }
        let begin = position
        while position < characters.count, isPartOfNumber(position) { position += 1 }
        return try TypedNumber(characters[begin..<position], decimalSign: decimalSign).fraction()
    }

    /// A space belongs to a number only between two digits; elsewhere it surrounds an operator.
    private func isPartOfNumber(_ index: Int) -> Bool {
        let character = characters[index]
        if digit(character) != nil || TypedNumber.separators.contains(character) { return true }
        guard character.isWhitespace, index > 0, index + 1 < characters.count else { return false }
        return digit(characters[index - 1]) != nil && digit(characters[index + 1]) != nil
    }
}

extension ArraySlice<Character> {
    /// The characters without white space around them.
    fileprivate var trimmed: ArraySlice<Character> {
        var inner = self
        while inner.first?.isWhitespace == true { inner.removeFirst() }
        while inner.last?.isWhitespace == true { inner.removeLast() }
        return inner
    }
}

extension AmountParser {
    /// The number of a text that has nothing but digits and their separators, in ten-thousandths; nil if it is none, is
    /// not clear, or has more decimals.
    package static func tenThousandths(of text: String, decimalSign: Character) -> Int128? {
        guard text.utf8.count <= 200 else { return nil }
        let characters = Array(text.narrow)
        guard
            characters.allSatisfy({
                digit($0) != nil || $0.isWhitespace || ".,'’\u{066B}\u{066C}".contains($0)
            }),
            let number = try? TypedNumber(characters[...], decimalSign: decimalSign).fraction(),
            let amount = try? number.multiplied(by: Fraction(10_000)), amount.denominator == 1
        else { return nil }
        return amount.rounded
    }
}

/// One number with its separators.
private struct TypedNumber {
    /// The characters that group digits or begin decimals, besides spaces.
    static let separators = ".,'\u{2019}\u{066B}\u{066C}\u{060C}"

    private let characters: ArraySlice<Character>
    private let decimalSign: Character

    init(_ characters: ArraySlice<Character>, decimalSign: Character) {
        self.characters = characters
        self.decimalSign = decimalSign
    }

    func fraction() throws(AmountError) -> Fraction {
        guard characters.contains(where: { digit($0) != nil }) else { throw .unreadable }
        let decimal = try decimalIndex()
        let whole = characters[..<(decimal ?? characters.endIndex)]
        let decimals = decimal.map { characters[($0 + 1)...] } ?? []
        try checkGroups(whole)
        guard decimals.allSatisfy({ digit($0) != nil }) else { throw .unclear }
        var numerator: Int128 = 0
        var denominator: Int128 = 1
        for character in whole {
            if let digit = digit(character) { numerator = try Self.appending(digit, to: numerator) }
        }
        for character in decimals {
            guard let digit = digit(character) else { continue }
            numerator = try Self.appending(digit, to: numerator)
            denominator = try Self.appending(0, to: denominator)
        }
        return try Fraction(numerator, over: denominator)
    }

    /// The index of the decimal sign; nil for a number without decimals.
    private func decimalIndex() throws(AmountError) -> Int? {
        if let arabic = characters.firstIndex(of: "\u{066B}") { return arabic }
        let points = characters.indices.filter { characters[$0] == "." }
        let commas = characters.indices.filter { characters[$0] == "," }
        if let point = points.last, let comma = commas.last {
            guard (point > comma ? points : commas).count == 1 else { throw .unclear }
            return max(point, comma)
        }
        let signs = points + commas
        guard let sign = signs.first, signs.count == 1 else { return nil }
        let before = characters[..<sign]
        let after = characters[(sign + 1)...]
        if characters[sign] == decimalSign || after.count < 3 { return sign }
        // Nothing but decimals can follow a zero, nothing at all, or groups with another sign.
        if before.allSatisfy({ digit($0) == 0 }) || before.contains(where: { digit($0) == nil }) {
            return sign
        }
        guard after.count == 3, before.count <= 3, before.first.flatMap(digit) != 0 else { throw .unclear }
        return nil
    }

    /// Groups have three digits; groups left of the last group may have two, as in India.
    private func checkGroups(_ whole: ArraySlice<Character>) throws(AmountError) {
        let separators = Set(whole.filter { digit($0) == nil }.map { $0.isWhitespace ? " " : $0 })
        guard separators.count <= 1 else { throw .unclear }
        let groups = whole.split(omittingEmptySubsequences: false) { digit($0) == nil }
        guard groups.count > 1 else { return }
        let inner = groups.dropFirst().dropLast()
        guard groups.last?.count == 3, let first = groups.first, (1...3).contains(first.count),
            inner.allSatisfy({ $0.count == 3 }) || (first.count < 3 && inner.allSatisfy { $0.count == 2 })
        else { throw .unclear }
    }

    private static func appending(_ digit: Int128, to number: Int128) throws(AmountError) -> Int128 {
        let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
        guard !overflow else { throw .tooLarge }
        let (sum, over) = tens.addingReportingOverflow(digit)
        guard !over else { throw .tooLarge }
        return sum
    }
}

/// The value of a decimal digit of any script.
func digit(_ character: Character) -> Int128? {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1,
        scalar.properties.generalCategory == .decimalNumber
    else { return nil }
    return character.wholeNumberValue.map { Int128($0) }
}
