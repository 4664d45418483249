// Charges and refunds of accounts, by month, category, account and currency.
import GRDB
import Ledger
import Storage

/// Transactions of one month, category, account and currency.
struct Charge {
    enum Kind {
        case expense, income
        /// Income with a spending category.
        case refund
    }

    let month: YearMonth
    let category: EntityID?
    let kind: Kind
    /// In the currency of the transactions.
    let paid: MoneySum
    /// In the currency of the account.
    let charged: MoneySum
    let count: Int

    /// The amount in a currency in which it is known, preferably the given one.
    func known(in base: CurrencyCode) -> MoneySum {
        charged.currency != base && paid.currency == base ? paid : charged
    }

    /// Adds the charge to a sum, unless it is income.
    func add(to sum: inout SpendingSum) {
        guard kind != .income else { return }
        sum.add(
            charged: (charged.minor, charged.currency),
            paid: (paid.minor, paid.currency),
            count: count,
            isRefund: kind == .refund
        )
    }
}

extension BookDatabase {
    /// The charges of a range of months, in no particular order.
    func charges(in months: ClosedRange<YearMonth>) throws -> [Charge] {
        let sql = """
            SELECT m.month, m.category, m.kind, ifnull(c.kind, ''), m.minor, m.currency, m.account_minor, a.currency, m.count
            FROM charged_months m CROSS JOIN accounts a ON a.id = m.account
            LEFT JOIN categories c ON c.id = m.category
            WHERE m.month BETWEEN ? AND ? AND m.count > 0
            """
        return try all(sql, [months.lowerBound.index, months.upperBound.index]) { row in
            let isIncome = try row.kind(2) == .income
            return Charge(
                month: row.month(0),
                category: row.optionalID(1),
                kind: isIncome
                    ? (row.text(3) == CategoryKind.expense.rawValue ? .refund : .income) : .expense,
                paid: MoneySum(minor: Int128(row.int64(4)), currency: try row.currency(5)),
                charged: MoneySum(minor: Int128(row.int64(6)), currency: try row.currency(7)),
                count: row.int(8)
            )
        }
    }

    /// The spending of a range of months in one currency.
    /// - Parameter covered: the categories that count; nil for all spending.
    func spending(
        in months: ClosedRange<YearMonth>,
        of covered: [EntityID]?,
        currency: CurrencyCode
    ) throws -> SpendingSum {
        // The halves of an amount are added up apart, so that no sum of years overflows 64 bits.
        var piece = SQLPiece(
            """
            SELECT a.currency, m.currency, m.kind, sum(m.count),
              sum(m.account_minor >> 32), sum(m.account_minor & 4294967295), sum(m.minor >> 32), sum(m.minor & 4294967295)
            FROM charged_months m\(covered == nil ? "" : " INDEXED BY charged_months_by_category")
            CROSS JOIN accounts a ON a.id = m.account
            WHERE m.month BETWEEN ? AND ? AND m.count > 0
              AND (m.kind = 'expense' OR m.category IN (SELECT id FROM categories WHERE kind = 'expense'))
            """,
            [months.lowerBound.index, months.upperBound.index]
        )
        if let covered {
            piece.and("m.category IN (SELECT value FROM json_each(?))", [SQLPiece.json(covered)])
        }
        var sum = SpendingSum(in: currency)
        try forEach("\(piece.sql) GROUP BY 1, 2, 3", StatementArguments(piece.arguments)) { row in
            sum.add(
                charged: (row.halves(4), try row.currency(0)),
                paid: (row.halves(6), try row.currency(1)),
                count: row.int(3),
                isRefund: try row.kind(2) == .income
            )
        }
        return sum
    }

    /// Refunds by a column of `charged_months`, in the currency in which they were paid.
    /// - Parameters:
    ///   - months: a range of months; nil for all.
    ///   - account: only refunds on this account; nil for all.
    ///   - categories: only refunds of these categories; nil for all.
    func refunds(
        by column: String = "0",
        in months: ClosedRange<YearMonth>? = nil,
        account: EntityID? = nil,
        categories: [EntityID]? = nil,
        _ body: (Columns, CurrencyCode, Int128) throws -> Void
    ) throws {
        var piece = SQLPiece(
            """
            SELECT \(column), currency, sum(minor >> 32), sum(minor & 4294967295) FROM charged_months INDEXED BY charged_months_by_category
            WHERE category IN (SELECT id FROM categories WHERE kind = 'expense') AND kind = 'income' AND count > 0
            """,
            []
        )
        if let months {
            piece.and("month BETWEEN ? AND ?", [months.lowerBound.index, months.upperBound.index])
        }
        if let account { piece.and("account = ?", [account.description]) }
        if let categories {
            piece.and("category IN (SELECT value FROM json_each(?))", [SQLPiece.json(categories)])
        }
        try forEach("\(piece.sql) GROUP BY 1, 2", StatementArguments(piece.arguments)) { row in
            try body(row, try row.currency(1), row.halves(2))
        }
    }

    /// Refunds of a range of days by a column of transactions. It reads all income of these days.
    func refunds(
        by column: String,
        ofDays days: ClosedRange<Int32>,
        _ body: (Columns, CurrencyCode, Int128) throws -> Void
    ) throws {
        let sql = """
            SELECT label, currency, sum(refund >> 32), sum(refund & 4294967295)
            FROM (SELECT \(column) AS label, currency, \(BookDatabase.refunded()) AS refund
                  FROM transactions INDEXED BY transactions_by_kind
                  WHERE deleted_at IS NULL AND kind = 'income' AND date BETWEEN ? AND ?
                    AND (split IS NOT NULL OR \(BookDatabase.isOfSpending)))
            WHERE refund <> 0 GROUP BY 1, 2
            """
        try forEach(sql, [days.lowerBound, days.upperBound]) { row in
            try body(row, try row.currency(1), row.halves(2))
        }
    }

    /// A condition on transactions: the category is one of spending, so that income is a refund.
    static let isOfSpending = "category IN (SELECT id FROM categories WHERE kind = 'expense')"
}
