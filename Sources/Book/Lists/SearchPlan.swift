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
        /// All transactions that pass the other filters, because each word names very many accounts or categories.
        case list
    }

    let source: Source
    /// The words that the source does not check. A candidate must contain all of them.
    let conditions: [SearchCondition]
    /// All words.
    let all: [SearchCondition]

    /// The maximum number of indexes that one query reads. SQLite allows 500.
    private static let streamLimit = 100

    /// Chooses the best plan for words and filters, at least one of either.
    /// - Parameter filters: FTS5 expressions that must match as well.
    init(
        _ words: [SearchWord],
        beside filters: [String] = [],
        names: BookChoices,
        _ tokenizer: any FTS5Tokenizer
    ) throws {
        let resolver = try NameResolver(names, tokenizer)
        let all = words.map { SearchCondition(word: $0, names: resolver.names(of: $0.indexed)) }
        self.all = all
        let indexed = all.filter(\.names.isEmpty)
        let expressions = filters + indexed.map(\.word.expression)
        if !expressions.isEmpty {
            source = .index(expressions.joined(separator: " AND "))
            conditions = all.filter { !indexed.contains($0) }
        } else if let first = all.firstIndex(where: { $0.names.streamCount <= Self.streamLimit }) {
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
        return SQLPiece("(", []) + piece + SQLPiece(")", [])
    }
}

/// Finds accounts and categories by words of their names, in the way in which the search index finds
/// transactions by theirs.
private struct NameResolver {
    private let names: BookChoices
    private let accounts: [IndexedText]
    private let categories: [IndexedText]

    /// - Parameter tokenizer: that of the search index, so that both fold words in the same way.
    init(_ names: BookChoices, _ tokenizer: any FTS5Tokenizer) throws {
        self.names = names
        accounts = try names.accounts.map { try IndexedText($0.name, tokenizer) }
        categories = try names.categories.map { try IndexedText($0.name, tokenizer) }
    }

    func names(of word: IndexedText) -> NamedEntities {
        var found = NamedEntities()
        for (account, name) in zip(names.accounts, accounts) where name.holds(word) {
            found.accounts.append(account.id)
        }
        var tops: Set<EntityID> = []
        for (category, name) in zip(names.categories, categories) where name.holds(word) {
            tops.insert(category.id)
        }
        guard !tops.isEmpty else { return found }
        found.categories = names.categories.lazy
            .filter { tops.contains($0.id) || ($0.parent.map(tops.contains) ?? false) }
            .map(\.id)
        return found
    }
}

extension BookDatabase {
    /// The tokenizer of the search index.
    func searchTokenizer() throws -> any FTS5Tokenizer {
        try connection.makeTokenizer(.unicode61(diacritics: .remove))
    }
}
