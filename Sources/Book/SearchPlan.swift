// Decides how a search is carried out: names are few, so they are resolved to ids before a transaction is read.
import GRDB
import Ledger

/// Accounts and categories by their ids.
struct NamedEntities: Equatable {
    var accounts: [EntityID] = []
    /// Each category that is named so, with its children.
    var categories: [EntityID] = []

    var isEmpty: Bool { accounts.isEmpty && categories.isEmpty }
    /// How many stretches of indexes hold their transactions: an account has one for each end of a transfer.
    var streamCount: Int { accounts.count * 2 + categories.count }
}

/// Where the candidates of a search come from, and what each of them must hold besides.
struct SearchPlan: Equatable {
    enum Source: Equatable {
        /// The matches of an FTS5 expression.
        case index(String)
        /// The same, and every transaction with one of these accounts or categories.
        case indexAndNames(String, NamedEntities)
        /// Every transaction that the other filters let through: a word may stand inside another.
        case list
    }

    let source: Source
    /// The words that the source does not answer for, every one of which a candidate must hold.
    let conditions: [SearchCondition]

    /// More indexes are not read at once: SQLite takes 500.
    private static let streamLimit = 100

    /// The best plan for words, of which there is at least one.
    init(_ words: [SearchWord], names: BookChoices, _ db: BookDatabase) throws {
        let resolver = try NameResolver(names, db)
        let all = try words.map { SearchCondition(word: $0, names: try resolver.names(of: $0)) }
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

/// Whether a transaction holds a word, in its texts, its amount or the names of its account, accounts or category.
struct SearchCondition: Equatable {
    let word: SearchWord
    let names: NamedEntities

    /// The condition on a row of `transactions`.
    /// - Parameter numbers: the first and the last row number that the search index is asked for.
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
            piece += SQLPiece(
                " OR transactions.category IN (SELECT value FROM json_each(?))",
                [SQLPiece.json(names.categories)]
            )
        }
        if let pattern = word.patternWithin {
            piece += SQLPiece(
                #" OR payee LIKE ? ESCAPE '\' OR note LIKE ? ESCAPE '\' OR tags LIKE ? ESCAPE '\'"#,
                [pattern, pattern, pattern]
            )
        }
        return SQLPiece("(", []) + piece + SQLPiece(")", [])
    }
}

/// Finds accounts and categories by words of their names, as the search index finds transactions by theirs.
private struct NameResolver {
    private let names: BookChoices
    private let tokenizer: any FTS5Tokenizer
    private let accounts: [[String]]
    private let categories: [[String]]

    init(_ names: BookChoices, _ db: BookDatabase) throws {
        self.names = names
        // That of the search index: what folds there folds here.
        let tokenizer = try db.connection.makeTokenizer(.unicode61(diacritics: .remove))
        self.tokenizer = tokenizer
        accounts = try names.accounts.map { try tokenizer.words(of: $0.name) }
        categories = try names.categories.map { try tokenizer.words(of: $0.name) }
    }

    func names(of word: SearchWord) throws -> NamedEntities {
        let tokens = try tokenizer.words(of: word.text)
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

    /// Whether the words stand next to each other in a name, the last of them perhaps only begun.
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
    fileprivate func words(of text: String) throws -> [String] {
        try tokenize(document: text).map(\.token)
    }
}
