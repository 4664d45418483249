// Finds payees by parts of their names.
import Encoding
import GRDB
import Ledger
import Storage

/// The names of the payees of live expenses and income, folded once for a search: in which neither case nor accents nor
/// forms of letters count.
///
/// A name that is the text comes first, then the names that begin with it, those with a word that does, and those that
/// contain it elsewhere; among these, those with the most transactions.
struct PayeeNames: Sendable {
    private struct Name {
        let text: String
        let folded: [UInt8]
    }

    /// The most used first.
    private let names: [Name]

    /// - Parameter spellings: the name of each spelling that is not the name itself.
    init(_ db: BookDatabase, spellings: [String: String]) throws {
        var counts: [String: Int64] = [:]
        let sql = """
            SELECT payee, sum(count) FROM payee_years WHERE year = 0 AND payee <> ''
            GROUP BY payee HAVING sum(count) > 0
            """
        try db.forEach(sql) { row in
            let payee = row.text(0)
            counts[spellings[payee] ?? payee, default: 0] += row.int64(1)
        }
        names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { Name(text: $0.key, folded: Array($0.key.searchForm.utf8)) }
    }

    /// The first names that contain all words of a text; none for a text without words.
    func matching(_ text: String, limit: Int) -> [String] {
        let words = text.searchForm.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
        guard let first = words.first else { return [] }
        let whole = Array(words.joined(separator: [UInt8(ascii: " ")]))
        var found: [[String]] = Array(repeating: [], count: 4)
        for name in names {
            guard let place = Self.place(of: first, in: name.folded),
                words.dropFirst().allSatisfy({ Self.place(of: $0, in: name.folded) != nil })
            else { continue }
            let rank =
                name.folded == whole ? 0 : place == 0 ? 1 : Self.isWordStart(place, name.folded) ? 2 : 3
            found[rank].append(name.text)
        }
        return Array(found.joined().prefix(limit))
    }

    /// The place of a word: where a word of the name begins, if it does anywhere; nil if the name does not contain it.
    private static func place(of word: [UInt8], in name: [UInt8]) -> Int? {
        guard word.count <= name.count else { return nil }
        var inner: Int?
        for start in 0...(name.count - word.count) where name[start] == word[0] {
            guard word.indices.allSatisfy({ name[start + $0] == word[$0] }) else { continue }
            if isWordStart(start, name) { return start }
            inner = inner ?? start
        }
        return inner
    }

    /// Whether no letter and no digit is before a place. Bytes above ASCII are parts of letters.
    private static func isWordStart(_ place: Int, _ name: [UInt8]) -> Bool {
        guard place > 0 else { return true }
        let before = name[place - 1]
        return before < 0x80 && !(0x30...0x39).contains(before) && !(0x61...0x7A).contains(before)
    }
}
