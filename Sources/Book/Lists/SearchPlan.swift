// Plans a search. Accounts and categories are few, so their names are resolved to ids before any transaction
// is read.
import GRDB
import Ledger

/// Accounts and categories that a word names, by their ids.
struct NamedEntities: Equatable {
    var accounts: [EntityID] = []
    /// The categories that the word names, with their children.
    var categories: [EntityID] = []

    var isEmpty: Bool { accounts.isEmpty && categories.isEmpty }
    /// The number of index ranges that hold their transactions. An account has one for each end of a
    /// transfer, a category one for split transactions.
    var streamCount: Int { (accounts.count + categories.count) * 2 }
}

/// The source of a search's candidates, and the further conditions that each candidate must meet.
struct SearchPlan: Equatable {
    enum Source: Equatable {
        /// The matches of an FTS5 expression.
        case index(String)
        /// The matches of an FTS5 expression, and all transactions with one of these accounts or categories.
        case indexAndNames(String, NamedEntities)
        /// All transactions that pass the other filters, because a word may be inside another word.
        case list
    }

    let source: Source
    /// The words that the source does not check. A candidate must contain all of them.
    let conditions: [SearchCondition]
    /// All words.
    let all: [SearchCondition]

    /// The maximum number of indexes that one query reads. SQLite allows 500.
    private static let streamLimit = 100

    /// Chooses the best plan for a non-empty list of words.
    init(_ words: [SearchWord], names: BookChoices, _ db: BookDatabase) throws {
        let resolver = try NameResolver(names, db)
        let all = try words.map { word in
            let folded = try resolver.tokenizer.words(of: word.text)
            return SearchCondition(word: word, folded: folded, names: resolver.names(of: word, folded))
        }
        self.all = all
        let indexed = all.filter { $0.names.isEmpty && $0.word.patternWithin == nil }
        if !indexed.isEmpty {
            source = .index(indexed.map(\.word.expression).joined(separator: " AND "))
            conditions = all.filter { !indexed.contains($0) }
        } else if let first = all.firstIndex(where: {
            $0.word.patternWithin == nil && $0.names.streamCount <= Self.streamLimit
        }) {
            source = .indexAndNames(all[first].word.expression, all[first].names)
            conditions = Array(all[..<first] + all[(first + 1)...])
        } else {
            source = .list
            conditions = all
        }
    }
}

/// The condition that a transaction contains a word: in its texts, its amount or the names of its accounts or
/// category.
struct SearchCondition: Equatable {
    let word: SearchWord
    /// The words that the index knows it by.
    let folded: [String]
    let names: NamedEntities

    /// The condition on a row of `transactions`.
    /// - Parameter numbers: the first and the last row number for the query of the search index.
    func sql(numbers: ClosedRange<Int64>) -> SQLPiece {
        var piece = SQLPiece(
            """
            (transactions.date + 719162 << 40 | transactions.seq) IN (
              SELECT rowid FROM transactions_search
              WHERE transactions_search MATCH ? AND rowid >= ? AND rowid <= ?)
            """,
            [word.expression, numbers.lowerBound, numbers.upperBound]
        )
        if !names.accounts.isEmpty {
            piece += SQLPiece(
                """
                 OR transactions.account IN (SELECT value FROM json_each(?))
                 OR transactions.to_account IN (SELECT value FROM json_each(?))
                """,
                [SQLPiece.json(names.accounts), SQLPiece.json(names.accounts)]
            )
        }
        if !names.categories.isEmpty {
            let ids = SQLPiece.json(names.categories)
            let hasShare = BookDatabase.hasShare("category IN (SELECT value FROM json_each(?))")
            piece += SQLPiece(" OR \(hasShare)", [ids, ids])
        }
        if let pattern = word.patternWithin {
            piece += SQLPiece(
                #" OR payee LIKE ? ESCAPE '\' OR note LIKE ? ESCAPE '\' OR tags LIKE ? ESCAPE '\'"#
                    + #" OR split LIKE ? ESCAPE '\'"#,
                [pattern, pattern, pattern, pattern]
            )
        }
        return SQLPiece("(", []) + piece + SQLPiece(")", [])
    }
}

/// Finds accounts and categories by words of their names, in the way in which the search index finds
/// transactions by theirs.
private struct NameResolver {
    private let names: BookChoices
    let tokenizer: any FTS5Tokenizer
    private let accounts: [[String]]
    private let categories: [[String]]

    init(_ names: BookChoices, _ db: BookDatabase) throws {
        self.names = names
        // The tokenizer of the search index, so that both fold words in the same way.
        let tokenizer = try db.connection.makeTokenizer(.unicode61(diacritics: .remove))
        self.tokenizer = tokenizer
        accounts = try names.accounts.map { try tokenizer.words(of: $0.name) }
        categories = try names.categories.map { try tokenizer.words(of: $0.name) }
    }

    /// - Parameter tokens: the folded word.
    func names(of word: SearchWord, _ tokens: [String]) -> NamedEntities {
        let isWithin = word.patternWithin != nil
        let inner = Array(word.text.lowercased().unicodeScalars)
        func matches(_ name: String, _ words: [String]) -> Bool {
            Self.holds(words, tokens)
                || (isWithin && Array(name.lowercased().unicodeScalars).contains(inner))
        }
        var found = NamedEntities()
        for (account, words) in zip(names.accounts, accounts) where matches(account.name, words) {
            found.accounts.append(account.id)
        }
        var tops: Set<EntityID> = []
        for (category, words) in zip(names.categories, categories) where matches(category.name, words) {
            tops.insert(category.id)
        }
        guard !tops.isEmpty else { return found }
        found.categories = names.categories.lazy
            .filter { tops.contains($0.id) || ($0.parent.map(tops.contains) ?? false) }
            .map(\.id)
        return found
    }

    /// Whether a name contains the words one after another. The last one may be a prefix.
    private static func holds(_ name: [String], _ words: [String]) -> Bool {
        guard let last = words.last, name.count >= words.count else { return false }
        return (0...(name.count - words.count)).contains { start in
            name[start..<(start + words.count - 1)].elementsEqual(words.dropLast())
                && name[start + words.count - 1].hasPrefix(last)
        }
    }
}

extension FTS5Tokenizer {
    /// The words of a text, folded.
    func words(of text: String) throws -> [String] {
        try tokenize(document: text).map(\.token)
    }
}
