// The texts of the open rows of banks, in which a search finds words.
import GRDB
import Ledger

/// The texts of the open rows in the forms in which a search compares them.
struct BankRowTexts {
    /// The words of each row as the search index folds them, with a space before each and a line end after each text.
    private let folded: [[UInt8]]
    /// In small letters, for words that are found within others.
    private let small: [String]

    init(_ rows: some Collection<Transaction>, _ tokenizer: any FTS5Tokenizer) throws {
        func texts(_ row: Transaction) -> [String] { [row.payee, row.note] + row.tags }
        folded = try rows.map { row in
            var bytes: [UInt8] = []
            for text in texts(row) {
                for word in try tokenizer.words(of: text) { bytes += " \(word)".utf8 }
                bytes.append(UInt8(ascii: "\n"))
            }
            return bytes
        }
        small = rows.map { texts($0).joined(separator: "\n").lowercased() }
    }

    /// Whether each of some rows contains words one after another. The last one may be the beginning of a word.
    func rows(_ rows: Range<Int>, with words: [String]) -> [Bool] {
        let wanted = words.flatMap { Array(" \($0)".utf8) }
        return rows.map { !wanted.isEmpty && folded[$0].contains(wanted) }
    }

    /// Whether each of some rows contains a text without spaces.
    func rows(_ rows: Range<Int>, containing text: String) -> [Bool] {
        let text = text.lowercased()
        return rows.map { small[$0].contains(text) }
    }
}

extension [UInt8] {
    /// Whether some bytes occur one after another.
    fileprivate func contains(_ wanted: [UInt8]) -> Bool {
        guard let first = wanted.first, count >= wanted.count else { return false }
        return (0...count - wanted.count).contains { start in
            self[start] == first && self[start..<start + wanted.count].elementsEqual(wanted)
        }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The place of the first element of which a condition holds, as it does of all after it; the end if there is none.
    func firstPlace(_ isReached: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isReached(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
