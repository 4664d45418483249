// Totals in a currency for the amounts that are known in it, and in the currencies of the accounts for all others.
import GRDB
import Ledger
import Storage

/// Expenses or income of one currency. Transfers count, without an amount.
struct KnownTotal {
    let kind: Ledger.TransactionKind
    let currency: CurrencyCode
    let count: Int
    let minor: Int64
    /// Whether the rows are income with a category of spending.
    let isRefund: Bool
}

extension BookDatabase {
    /// The totals of some charges, in the same amounts as `Charge.known(in:)`.
    /// - Parameters:
    ///   - column: the column of `charged_months` by which to group, which `body` gets as the first one of the row.
    ///   - charges: a condition on `charged_months m`.
    func forEachKnown(
        by column: String,
        _ charges: SQLPiece,
        in base: CurrencyCode,
        _ body: (Columns, KnownTotal) throws -> Void
    ) throws {
        let rows = """
            SELECT \(column) AS label, m.kind, m.currency, m.minor, m.account_minor, m.account, m.category, m.count
            FROM charged_months m WHERE \(charges.sql)
            """
        try forEachKnown(rows, charges.arguments, in: base, body)
    }

    /// The same of any rows.
    /// - Parameter rows: a query for label, kind, currency, minor, account_minor, account, category and count.
    func forEachKnown(
        _ rows: String,
        _ arguments: [any DatabaseValueConvertible],
        in base: CurrencyCode,
        _ body: (Columns, KnownTotal) throws -> Void
    ) throws {
        // The halves of an amount are added up apart, so that no sum of years or accounts overflows 64 bits.
        let sql = """
            SELECT label, kind, known, sum(count), sum(minor >> 32), sum(minor & 4294967295),
              kind = 'income' AND category IN (SELECT id FROM categories WHERE kind = 'expense') IS TRUE AS refund
            FROM (SELECT r.label, r.kind, r.count, r.category,
                    iif(r.kind = 'transfer' OR r.currency = '\(base)', r.currency, a.currency) AS known,
                    iif(r.kind = 'transfer' OR r.currency = '\(base)', r.minor, r.account_minor) AS minor
                  FROM (\(rows)) r CROSS JOIN accounts a ON a.id = r.account)
            GROUP BY label, kind, known, refund
            """
        try forEach(sql, StatementArguments(arguments)) { row in
            let whole = Int128(row.int64(4)) << 32 + Int128(row.int64(5))
            let total = KnownTotal(
                kind: try row.kind(1),
                currency: try row.currency(2),
                count: row.int(3),
                minor: Int64(clamping: whole),
                isRefund: row.int(6) != 0
            )
            try body(row, total)
        }
    }
}
