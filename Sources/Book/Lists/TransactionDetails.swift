// The filters of a list by amount, tags, receipts and banks, and the orders by amount and payee. No index has them, apart from
// the search index, which has tags and single amounts.
import Encoding
import GRDB
import Ledger

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
    private static func byDecimals(_ expression: (Int) -> String) -> String {
        let unusual = Dictionary(grouping: CurrencyCode.unusualDecimals, by: \.value)
        let cases = unusual.sorted { $0.key < $1.key }.map { decimals, codes in
            let list = codes.map { "'\($0.key)'" }.sorted().joined(separator: ", ")
            return "WHEN +currency IN (\(list)) THEN \(expression(decimals))"
        }
        return "CASE \(cases.joined(separator: " ")) ELSE \(expression(2)) END"
    }

    // MARK: Orders that no index has

    /// The columns of an order: what decides, in one or two columns, then the day and the id.
    private var sortedColumns: String {
        let decisive =
            switch query.sort.key {
            case .date: "0 AS s_key, 0 AS s_rest"
            case .amount:
                // Whole units, and ten-thousandths: their product may be too large for an integer.
                Self.byDecimals { "amount_minor / \(Self.minors(in: $0))" } + " AS s_key, "
                    + Self.byDecimals {
                        "amount_minor % \(Self.minors(in: $0)) * \(10_000 / Self.minors(in: $0))"
                    }
                    + " AS s_rest"
            case .payee:
                // Transfers may have names that no sum has.
                """
                iif(payee = '', '', ifnull(
                  (SELECT key FROM payee_names WHERE payee_names.payee = transactions.payee), name_key_1(payee)
                )) AS s_key, 0 AS s_rest
                """
            }
        return "seq AS s_seq, date AS s_date, id AS s_id, \(decisive)"
    }

    private static func minors(in decimals: Int) -> Int {
        (0..<decimals).reduce(1) { minors, _ in minors * 10 }
    }

    /// The first rows of an order by amount or payee: up to one row more than the page shows. All matches are read, and
    /// those of the page are sorted.
    func sorted() throws -> [Transaction] {
        let found = matches(selecting: sortedColumns, days: days)
        guard !found.sql.isEmpty else { return [] }
        let direction = query.sort.isDescending ? "DESC" : "ASC"
        let order =
            query.sort.key == .payee
            ? "s_key = '', s_key \(direction), s_date DESC, s_id DESC"
            : "s_key \(direction), s_rest \(direction), s_date DESC, s_id DESC"
        var page = SQLPiece("SELECT * FROM (", []) + found + SQLPiece(") WHERE 1", [])
        if let after { page += SQLPiece(" AND ", []) + follows(after) }
        page += SQLPiece(" ORDER BY \(order) LIMIT ?", [limit + 1])
        let sql = """
            SELECT \(Transaction.columns) FROM (\(page.sql)) CROSS JOIN transactions ON seq = s_seq ORDER BY \(order)
            """
        return try db.all(sql, StatementArguments(page.arguments)) { try Transaction($0) }
    }

    /// The condition that a row comes after a position.
    private func follows(_ place: TransactionCursor) -> SQLPiece {
        let comparison = query.sort.isDescending ? "<" : ">"
        let isOlder = SQLPiece("(s_date, s_id) < (?, ?)", [place.date.dayNumber, place.id.description])
        switch place.value {
        case nil: return isOlder
        case .amount(let amount):
            let (whole, rest) = amount.quotientAndRemainder(dividingBy: 10_000)
            let values: [any DatabaseValueConvertible] = [Int64(clamping: whole), Int64(rest)]
            return SQLPiece(
                "((s_key, s_rest) \(comparison) (?, ?) OR ((s_key, s_rest) = (?, ?) AND ",
                values + values
            ) + isOlder + SQLPiece("))", [])
        case .payee(""): return SQLPiece("(s_key = '' AND ", []) + isOlder + SQLPiece(")", [])
        case .payee(let payee):
            return SQLPiece(
                "(s_key = '' OR s_key \(comparison) ? OR (s_key = ? AND ",
                [payee, payee]
            ) + isOlder + SQLPiece("))", [])
        }
    }
}
