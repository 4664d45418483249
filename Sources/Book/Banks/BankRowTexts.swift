// The texts of the open rows of banks, in which a search finds words.
import GRDB
import Ledger

/// The texts of the open rows in the form in which a search compares them.
struct BankRowTexts {
    private let texts: [[IndexedText]]

    init(_ rows: some Collection<Transaction>, _ tokenizer: any FTS5Tokenizer) throws {
        texts = try rows.map { row in
            try ([row.payee, row.note] + row.tags).map { try IndexedText($0, tokenizer) }
        }
    }

    /// Whether each of some rows contains a word in one of its texts.
    func rows(_ rows: Range<Int>, with word: IndexedText) -> [Bool] {
        rows.map { texts[$0].contains { $0.holds(word) } }
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
