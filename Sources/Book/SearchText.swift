// Turns what a user typed into the search field into an expression of the search index.

/// Words to be found, every one, at the beginnings of words of payee, note or tags, or as an amount.
enum SearchText: Equatable {
    /// Nothing was typed: no limit.
    case everything
    /// What was typed cannot stand in any transaction.
    case nothing
    /// An FTS5 expression made of quoted strings, AND and OR only: no character of the input has a meaning.
    case expression(String)

    /// More words than the longest note has room for match nothing.
    private static let wordLimit = 400

    init(_ text: String?) {
        guard let text, text.contains(where: { !$0.isWhitespace }) else {
            self = .everything
            return
        }
        var seen: Set<String> = []
        var terms: [String] = []
        for word in text.unicodeScalars.split(whereSeparator: { $0.properties.isWhitespace || $0.value == 0 })
        {
            let cleaned = String(String.UnicodeScalarView(word.filter { $0.value != Self.amountMark.value }))
            guard cleaned.unicodeScalars.contains(where: \.isWordPart), seen.insert(cleaned).inserted else {
                continue
            }
            guard terms.count < Self.wordLimit, cleaned.utf8.count <= 2_000 else {
                self = .nothing
                return
            }
            terms.append(Self.term(for: cleaned))
        }
        self = terms.isEmpty ? .nothing : .expression(terms.joined(separator: " AND "))
    }

    /// Stands before an amount in the index; from the private use area, which nobody types.
    private static let amountMark = Unicode.Scalar(0xE000 as UInt32) ?? " "

    private static func term(for word: String) -> String {
        let quoted =
            "\"" + word.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        let amounts = amounts(of: word).map { "\"\(amountMark)\($0)\"" }
        let alternatives = [quoted + "\" *"] + amounts
        return alternatives.count == 1 ? alternatives[0] : "(" + alternatives.joined(separator: " OR ") + ")"
    }

    /// The minor units that a number may mean: its digits as they are (`1250`, `12.50`), and filled up to two
    /// decimals (`12`, `12.5`). Currencies with other exponents are found by typing all their digits.
    static func amounts(of word: String) -> [String] {
        // A sign or a currency's symbol may stand around it, letters may not.
        let scalars = Array(word.unicodeScalars)
        guard let start = scalars.firstIndex(where: \.isWordPart),
            let end = scalars.lastIndex(where: \.isWordPart),
            scalars[start...end].allSatisfy({ $0.isDigit || ".,'’".unicodeScalars.contains($0) })
        else { return [] }
        let groups = scalars[start...end].split(whereSeparator: { !$0.isDigit })
        let digits = groups.joined().drop { $0 == "0" }
        guard !digits.isEmpty, digits.count <= 19 else { return [] }
        let minor = String(String.UnicodeScalarView(digits))
        let decimals = groups.count > 1 ? groups.last?.count ?? 0 : 0
        switch decimals {
        case 0: return [minor, minor + "00"]
        case 1: return [minor + "0"]
        case 2: return [minor]
        // Three digits after a separator are thousands or a third decimal.
        default: return [minor, minor + "00"]
        }
    }
}

extension Unicode.Scalar {
    /// What the index makes words of: letters, numbers, private use.
    fileprivate var isWordPart: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
