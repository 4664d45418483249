// Parses the text of the search field into words. A transaction must contain all of them.
import GRDB
import Ledger

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

    /// - Parameter decimalSign: the sign of the user's locale, for amounts.
    init(_ text: String?, decimalSign: Character, _ tokenizer: any FTS5Tokenizer) throws {
        guard let text, text.contains(where: { !$0.isWhitespace }) else {
            self = .everything
            return
        }
        var seen: Set<String> = []
        var words: [SearchWord] = []
        for text in Self.parts(of: text, decimalSign) {
            guard seen.insert(text).inserted else { continue }
            guard words.count < Self.wordLimit, text.utf8.count <= 2_000 else {
                self = .nothing
                return
            }
            let word = try SearchWord(text, decimalSign: decimalSign, tokenizer)
            if word.canBeFound { words.append(word) }
        }
        // Beside an amount, its currency is no word of the text.
        if words.contains(where: { $0.amount != nil }) { words.removeAll(where: \.isCurrency) }
        self = words.isEmpty ? .nothing : .words(words)
    }

    /// The parts of a text between white space. A number whose digits are grouped by spaces is one of them.
    private static func parts(of text: String, _ decimalSign: Character) -> [String] {
        let scalars = text.unicodeScalars.filter { !SearchIndex.isMark($0) }
        let parts = scalars.split(whereSeparator: { $0.properties.isWhitespace || $0.value == 0 }).map {
            String(String.UnicodeScalarView($0))
        }
        let joined = parts.joined(separator: "\u{A0}")
        let isGrouped =
            parts.count > 1
            && parts.allSatisfy { $0.contains(where: \.isNumber) && !$0.contains(where: \.isLetter) }
        return isGrouped && SearchWord.amount(of: joined, decimalSign) != nil ? [joined] : parts
    }
}

/// One word of a search.
struct SearchWord: Equatable {
    /// The words and symbols that the index has of it. If it has letters or digits, symbols between them are not asked for, apart from
    /// emoji.
    let indexed: IndexedText
    /// The amount that the word may mean, in ten-thousandths of whatever currency a row has; nil if it is no amount.
    let amount: String?
    /// Whether it is a sign or a code of a currency, and nothing else.
    let isCurrency: Bool

    init(_ text: String, decimalSign: Character, _ tokenizer: any FTS5Tokenizer) throws {
        amount = Self.amount(of: text, decimalSign)
        isCurrency =
            CurrencyCode(text)?.rawValue == text
            || text.unicodeScalars.allSatisfy { $0.properties.generalCategory == .currencySymbol }
        let whole = try IndexedText(text, tokenizer)
        guard !whole.words.isEmpty, !whole.symbols.isEmpty else {
            indexed = whole
            return
        }
        // The index divides words there as well.
        let kept = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            let isLeftOut = scalar.isIndexedSymbol && scalar.properties.generalCategory != .otherSymbol
            return isLeftOut ? " " : scalar
        }
        indexed = try IndexedText(String(String.UnicodeScalarView(kept)), tokenizer)
    }

    /// Whether the index can have it.
    var canBeFound: Bool { !indexed.words.isEmpty || !indexed.symbols.isEmpty || amount != nil }

    /// An FTS5 expression that finds the word in the search index, at the beginnings of words of payee, note
    /// or tags, or as an amount. It consists of quoted words, AND and OR only, so that no character of the input
    /// has a special meaning.
    var expression: String {
        var parts: [String] = []
        // The tokens of the index have no quotation marks.
        if !indexed.words.isEmpty { parts.append("\"\(indexed.words.joined(separator: " "))\" *") }
        parts += indexed.symbols.map { "\"\($0)\"" }
        let text = parts.count > 1 ? "(\(parts.joined(separator: " AND ")))" : parts.first
        let amount = amount.map { "\"\(SearchIndex.amountMark)\($0)\"" }
        switch (text, amount) {
        case (let text?, let amount?): return "(\(text) OR \(amount))"
        default: return text ?? amount ?? "\"\""
        }
    }

    /// The amount that a word means as a form would read it, in ten-thousandths; nil for other words.
    static func amount(of word: String, _ decimalSign: Character) -> String? {
        // A sign or a currency symbol may precede or follow the number; letters may not.
        let scalars = Array(word.unicodeScalars)
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .decimalNumber }
        guard let first = scalars.firstIndex(where: isDigit),
            let end = scalars.lastIndex(where: isDigit)
        else { return nil }
        // A number below one may begin with its decimal sign.
        let hasSign = first > 0 && ".,\u{66B}\u{FF0E}\u{FF0C}".unicodeScalars.contains(scalars[first - 1])
        let start = hasSign ? first - 1 : first
        guard !(scalars[..<start] + scalars[(end + 1)...]).contains(where: \.properties.isAlphabetic) else {
            return nil
        }
        let number = String(String.UnicodeScalarView(scalars[start...end]))
        guard let amount = AmountParser.tenThousandths(of: number, decimalSign: decimalSign), amount > 0
        else { return nil }
        return String(amount)
    }
}
