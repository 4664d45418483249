// Parses the text of the search field into words. A transaction must contain all of them.

/// The words of a search, all of which must be found.
enum SearchText: Equatable {
    /// The text is empty: all transactions match.
    case everything
    /// The text cannot occur in any transaction.
    case nothing
    /// The distinct words, at least one.
    case words([SearchWord])

    /// A longer list matches nothing, because the longest note has no room for more words.
    private static let wordLimit = 400

    init(_ text: String?) {
        guard let text, text.contains(where: { !$0.isWhitespace }) else {
            self = .everything
            return
        }
        var seen: Set<String> = []
        var words: [SearchWord] = []
        for word in text.unicodeScalars.split(whereSeparator: { $0.properties.isWhitespace || $0.value == 0 })
        {
            let cleaned = String(
                String.UnicodeScalarView(word.filter { $0.value != SearchWord.amountMark.value })
            )
            guard cleaned.unicodeScalars.contains(where: \.isWordPart), seen.insert(cleaned).inserted else {
                continue
            }
            guard words.count < Self.wordLimit, cleaned.utf8.count <= 2_000 else {
                self = .nothing
                return
            }
            words.append(SearchWord(text: cleaned))
        }
        self = words.isEmpty ? .nothing : .words(words)
    }
}

/// One word of a search.
struct SearchWord: Equatable {
    /// The word as the user typed it, without spaces.
    let text: String

    /// Marks an amount in the index. It is in a private use area, so that users do not type it.
    static let amountMark = Unicode.Scalar(0xE000 as UInt32) ?? " "

    /// An FTS5 expression that finds the word in the search index, at the beginnings of words of payee, note
    /// or tags, or as an amount. It consists of quoted strings and OR only, so that no character of the input
    /// has a special meaning.
    var expression: String {
        let quoted =
            "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        let amounts = Self.amounts(of: text).map { "\"\(Self.amountMark)\($0)\"" }
        let alternatives = [quoted + "\" *"] + amounts
        return alternatives.count == 1 ? alternatives[0] : "(" + alternatives.joined(separator: " OR ") + ")"
    }

    /// A LIKE pattern that finds the word anywhere in a text, with `\` as its escape; nil if the beginnings
    /// of words suffice.
    ///
    /// The index treats a run of letters as one word. In scripts without spaces between words it would find
    /// only the beginnings of sentences. Korean has spaces, but joins nouns freely.
    var patternWithin: String? {
        guard text.unicodeScalars.contains(where: \.isOfUnspacedScript) else { return nil }
        let escaped = text.unicodeScalars.map { "%_\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }
        return "%" + escaped.joined() + "%"
    }

    /// The minor units that a number may mean: its digits as they are (`1250`, `12.50`), and padded to two
    /// decimals (`12`, `12.5`). For currencies with other exponents, all digits must be typed.
    static func amounts(of word: String) -> [String] {
        // A sign or a currency symbol may precede or follow the number; letters may not.
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
        // Three digits after a separator are thousands or three decimals.
        default: return [minor, minor + "00"]
        }
    }
}

extension Unicode.Scalar {
    /// Whether the index regards the character as a part of a word: letters, numbers, private use.
    fileprivate var isWordPart: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    /// Whether it is a letter of Thai, Lao, Burmese, Khmer, Korean, Japanese, Chinese or Bopomofo.
    fileprivate var isOfUnspacedScript: Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x2FDF,
            0x3005...0x3007, 0x3031...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F, 0xA9E0...0xA9FF,
            0xAA60...0xAA7F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1B000...0x1B16F,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }

    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
