// The filters of a list by amount, tags, receipts and banks. No index has them, apart from the search index, which has tags and
// single amounts.
import Encoding
import GRDB
public import Ledger

extension TransactionQuery {
    /// FTS5 expressions that all transactions with the tags and the amount of the query match, and possibly others.
    func indexedFilters(_ tokenizer: any FTS5Tokenizer) throws -> [String] {
        var expressions: [String] = []
        for tag in tags {
            let indexed = try IndexedText(tag, tokenizer)
            if !indexed.words.isEmpty { expressions.append("\"\(indexed.words.joined(separator: " "))\"") }
            expressions += indexed.symbols.map { "\"\($0)\"" }
        }
        if let single = amount?.single, single > 0 {
            expressions.append("\"\(SearchIndex.amountMark)\(single)\"")
        }
        return expressions
    }
}

extension TransactionList {
    /// Adds the conditions on amount, tags, receipts and banks.
    func addDetails(to piece: inout SQLPiece) {
        if let amount = query.amount { piece += SQLPiece(" AND ", []) + Self.condition(amount) }
        for tag in query.tags {
            piece.and(
                "+tags <> '' AND instr(',' || name_key_1(tags) || ',', ?) > 0",
                [",\(tag.nameKey),"]
            )
        }
        // The ids are collected once, and are in the indexes that sort the rows.
        if query.isWithReceipt {
            piece.and("+id IN (SELECT transaction_id FROM receipts WHERE deleted_at IS NULL)")
        }
        if query.isFromBank {
            piece.and(
                """
                +id IN (SELECT id FROM transactions INDEXED BY transactions_by_bank
                  WHERE bank_transaction IS NOT NULL AND deleted_at IS NULL)
                """
            )
        }
    }

    private static func condition(_ amount: AmountFilter) -> SQLPiece {
        var arguments: [Int64] = []
        let sql = byDecimals { decimals in
            guard let minors = amount.minors(decimals: decimals) else { return "0" }
            arguments += [minors.lowerBound, minors.upperBound]
            return "amount_minor BETWEEN ? AND ?"
        }
        return SQLPiece(sql, arguments)
    }

    /// An expression that depends on the number of decimals of a row's currency.
    static func byDecimals(_ expression: (Int) -> String) -> String {
        let unusual = Dictionary(grouping: CurrencyCode.unusualDecimals, by: \.value)
        let cases = unusual.sorted { $0.key < $1.key }.map { decimals, codes in
            let list = codes.map { "'\($0.key)'" }.sorted().joined(separator: ", ")
            return "WHEN +currency IN (\(list)) THEN \(expression(decimals))"
        }
        return "CASE \(cases.joined(separator: " ")) ELSE \(expression(2)) END"
    }
}

extension Book {
    /// The ids of all transactions of the book that pass the filters of a query, in no particular order. Its position and its
    /// limit are ignored.
    public func ids(of query: TransactionQuery) throws(BookError) -> [EntityID] {
        try reading { db, lookups in
            let list = try TransactionList(db, lookups, query)
            let found = list.matches(selecting: "id", days: list.days)
            guard !found.sql.isEmpty else { return [] }
            return try db.all(found.sql, StatementArguments(found.arguments)) { try $0.id(0) }
        }
    }
}
