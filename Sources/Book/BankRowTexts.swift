// The texts of the open rows of banks, in which a search finds words.
import GRDB
import Ledger

/// The texts of the open rows in the forms in which a search compares them.
struct BankRowTexts {
    /// As the search index folds them: a word is found by its beginning.
    let words: BankRowWords
    /// In small letters, for words that are found within others.
    private let small: [String]

    init(_ rows: some Collection<Transaction>, _ tokenizer: any FTS5Tokenizer) throws {
        func texts(_ row: Transaction) -> [String] { [row.payee, row.note] + row.tags }
        words = BankRowWords(try rows.map { try texts($0).map { try tokenizer.words(of: $0) } })
        small = rows.map { texts($0).joined(separator: "\n").lowercased() }
    }

    /// Whether each of some rows contains a text without spaces.
    func rows(_ rows: Range<Int>, containing text: String) -> [Bool] {
        let text = text.lowercased()
        return rows.map { small[$0].contains(text) }
    }
}

/// The words of rows in alphabetical order, so that a search reads the ones that it finds only.
struct BankRowWords {
    /// The texts of all rows one after another, their words separated by spaces.
    private let bytes: [UInt8]
    /// The beginnings of all words, in the order of what follows there.
    private let starts: [Int32]
    /// The row of each of them.
    private let rows: [Int32]

    /// - Parameter texts: the words of each text of each row.
    init(_ texts: [[[String]]]) {
        var bytes: [UInt8] = []
        var found: [(start: Int32, row: Int32)] = []
        for (row, texts) in texts.enumerated() {
            for words in texts {
                for word in words {
                    found.append((Int32(clamping: bytes.count), Int32(clamping: row)))
                    bytes += word.utf8
                    bytes.append(UInt8(ascii: " "))
                }
                // Texts do not run into each other.
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        found.sort { left, right in
            var (place, other) = (Int(left.start), Int(right.start))
            // Equal texts are in the order of the rows, and are not compared beyond their ends.
            while bytes[place] == bytes[other], bytes[place] != UInt8(ascii: "\n") {
                (place, other) = (place + 1, other + 1)
            }
            return (bytes[place], left.start) < (bytes[other], right.start)
        }
        self.bytes = bytes
        starts = found.map(\.start)
        rows = found.map(\.row)
    }

    /// Whether each of some rows contains words one after another. The last one may be the beginning of a word.
    func rows(_ asked: Range<Int>, with words: [String]) -> [Bool] {
        var isFound = asked.map { _ in false }
        let wanted = Array(words.joined(separator: " ").utf8)
        guard !wanted.isEmpty else { return isFound }
        /// The order of the text that begins there: -1 before the wanted words, 0 with them, 1 after them.
        func order(_ start: Int32) -> Int {
            var place = Int(start)
            for byte in wanted {
                if bytes[place] != byte { return bytes[place] < byte ? -1 : 1 }
                place += 1
            }
            return 0
        }
        let found = starts.firstPlace { order($0) >= 0 }..<starts.firstPlace { order($0) > 0 }
        for place in found {
            let row = Int(rows[place])
            if asked.contains(row) { isFound[row - asked.lowerBound] = true }
        }
        return isFound
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
