// The currency that is typed beside an amount: `€12`, `12 zł`, `EUR 12`, `12 F CFA`.
//
// A sign precedes the first digit or follows the last digit. Many currencies share a sign. It names the first of these
// currencies that has it: the expected currency, in any locale; the currency of the user's country, likewise; the
// currency that the user's locale shows so; the only currency of the world with this sign; and the currency that is
// shown so in English (`$`, `¥`, `£`).

/// Finds the currency beside an amount.
struct TypedCurrency {
    let currencies: CurrencyTable
    let locale: LocaleFacts
    let expected: CurrencyCode

    /// Removes a code or a sign from either end; a plus or minus may precede it, and a minus may follow the number.
    /// - Parameter characters: a text of `narrow` characters.
    /// - Returns: the currency; nil if none is named, or if it is unclear which one.
    func remove(from characters: inout [Character]) -> CurrencyCode? {
        for range in [leading(characters), trailing(characters)] {
            guard let range, let code = currency(characters[range]) else { continue }
            characters.removeSubrange(range)
            return code
        }
        return nil
    }

    private func leading(_ characters: [Character]) -> Range<Int>? {
        let sign = characters.first == "+" || characters.first == "-" ? 1 : 0
        guard let number = characters[sign...].firstIndex(where: { "(+-".contains($0) || digit($0) != nil })
        else { return nil }
        var end = number
        // `$.50` is half a dollar, and `kr.50` is fifty crowns.
        while end > sign, Self.marks.contains(characters[end - 1]), !isAbbreviated(characters[sign..<end]) {
            end -= 1
        }
        return sign < end ? sign..<end : nil
    }

    private func trailing(_ characters: [Character]) -> Range<Int>? {
        guard let number = characters.lastIndex(where: { $0 == ")" || digit($0) != nil }) else { return nil }
        guard var begin = characters[(number + 1)...].firstIndex(where: { !Self.marks.contains($0) }) else {
            return nil
        }
        // The minus of statements is behind the number: `12,50- €`.
        if characters[begin] == "-" { begin += 1 }
        return begin < characters.count ? begin..<characters.count : nil
    }

    /// The signs of numbers that may stand between the digits and the sign of a currency.
    private static let marks = ".,'\u{2019}\u{066B}\u{066C}"

    /// Whether a point at the end is that of an abbreviation: it follows a letter or stroke, and no code.
    private func isAbbreviated(_ text: ArraySlice<Character>) -> Bool {
        guard text.last == ".", let last = text.dropLast().last, last.isLetter || last == "/" else {
            return false
        }
        return code(text.dropLast()) == nil
    }

    private func code(_ text: ArraySlice<Character>) -> CurrencyCode? {
        CurrencyCode(String(text).narrow).flatMap { currencies[$0]?.code }
    }

    private func currency(_ text: ArraySlice<Character>) -> CurrencyCode? {
        if let code = code(text) { return code }
        let sign = Self.compared(String(text))
        guard !sign.isEmpty else { return nil }
        // `F CFA` is one currency, and `FCFA` is two; `US $` is `US$`.
        return owner(of: sign) ?? owner(of: sign.filter { !$0.isWhitespace })
    }

    private func owner(of sign: String) -> CurrencyCode? {
        let sharing = currencies.all.filter { $0.signs.contains(sign) }
        for code in [expected, locale.currency] {
            if let code, sharing.contains(where: { $0.code == code }) { return code }
        }
        if let shown = sharing.first(where: { Self.compared(locale.signs[$0.code] ?? $0.symbol) == sign }) {
            return shown.code
        }
        // A single letter is rather a slip, a unit or a magnitude (`12k`) than the sign of a foreign currency.
        if let only = sharing.first, sharing.count == 1, sign.count > 1 || !sign.contains(where: \.isCased) {
            return only.code
        }
        return sharing.first { Self.compared($0.symbol) == sign }?.code
    }

    /// A sign in the form in which signs are compared: small, of usual width, with one kind of space, without points and
    /// direction marks. `Resources/data/generate.py` writes the same form.
    static func compared(_ sign: String) -> String {
        let kept = sign.filter { $0 != "." && !$0.isFormat }.narrow
        return String(kept.map { $0.isWhitespace ? "\u{A0}" : $0 }).lowercased()
    }
}

extension Character {
    /// Whether it is invisible, such as the direction marks of amounts that are copied from right-to-left text.
    var isFormat: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory == .format } }
}
