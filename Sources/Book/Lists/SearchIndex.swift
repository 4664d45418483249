// The words and symbols of a text in the search index.
import Encoding
import GRDB
import Ledger

/// The words of texts, as the index of transactions has them and as a search asks for them.
enum SearchIndex {
    /// Marks an amount in the index. It is in a private use area, so that users do not type it.
    static let amountMark = Unicode.Scalar(0xE000 as UInt32) ?? " "
    /// Marks a symbol in the index, whose number follows.
    static let symbolMark = Unicode.Scalar(0xE001 as UInt32) ?? " "

    /// The words of a text with a space between them: folded, the signs of scripts without spaces between words as a word
    /// each, and each symbol behind them as a word of its own, because the index has only letters and digits.
    static func words(of text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }), !text.unicodeScalars.contains(where: \.isIndexedSymbol) {
            return text
        }
        var words = String.UnicodeScalarView()
        var symbols: [Unicode.Scalar] = []
        for scalar in text.searchForm.unicodeScalars where !isMark(scalar) {
            if scalar.isIndexedSymbol, !symbols.contains(scalar) { symbols.append(scalar) }
            let isAlone = scalar.isOfUnspacedScript
            if isAlone { words.append(" ") }
            words.append(scalar)
            if isAlone { words.append(" ") }
        }
        return symbols.reduce(into: String(words)) { $0 += " \(symbolMark)\(String($1.value, radix: 16))" }
    }

    /// Whether a character is one of the marks of the index.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar == amountMark || scalar == symbolMark }
}

extension Money {
    /// The amount as the index has it, without the mark: in ten-thousandths of its currency, so that one number means one
    /// value in each currency.
    var tenThousandths: String { "\(minor)" + String(repeating: "0", count: 4 - currency.decimals) }
}

/// A text as the index has it: its words in order, and its symbols.
struct IndexedText: Equatable {
    let words: [String]
    let symbols: [String]

    init(_ text: String, _ tokenizer: any FTS5Tokenizer) throws {
        var (words, symbols): ([String], [String]) = ([], [])
        for (token, _) in try tokenizer.tokenize(document: SearchIndex.words(of: text)) {
            if token.unicodeScalars.first == SearchIndex.symbolMark {
                symbols.append(token)
            } else {
                words.append(token)
            }
        }
        (self.words, self.symbols) = (words, symbols)
    }

    /// Whether it has the words of another text one after another, of which the last one may be the beginning of a word,
    /// and its symbols.
    func holds(_ wanted: IndexedText) -> Bool {
        guard wanted.symbols.allSatisfy(symbols.contains) else { return false }
        guard let last = wanted.words.last else { return !wanted.symbols.isEmpty }
        guard words.count >= wanted.words.count else { return false }
        return (0...(words.count - wanted.words.count)).contains { start in
            words[start..<(start + wanted.words.count - 1)].elementsEqual(wanted.words.dropLast())
                && words[start + wanted.words.count - 1].hasPrefix(last)
        }
    }
}

extension Unicode.Scalar {
    /// Whether a search can ask for the character although it is no letter and no digit. Signs that people put between words
    /// are no such characters.
    var isIndexedSymbol: Bool {
        if value < 0x80 { return "#$%&*+<=>@|~".unicodeScalars.contains(self) }
        return switch properties.generalCategory {
        case .currencySymbol, .mathSymbol, .otherSymbol, .modifierSymbol: true
        default: false
        }
    }

    /// Whether it is a letter of Thai, Lao, Burmese, Khmer, Korean, Japanese, Chinese or Bopomofo. Korean has spaces between
    /// words, but joins nouns freely.
    var isOfUnspacedScript: Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x2FDF,
            0x3005...0x3007, 0x3031...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F, 0xA9E0...0xA9FF,
            0xAA60...0xAA7F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1B000...0x1B16F,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
