// Totals in a currency for the amounts that are known in it, and in the currencies of the accounts for all others.
import GRDB
import Ledger
import Storage

/// Expenses or income of one currency. Transfers count, without an amount.
struct KnownTotal {
    let kind: Ledger.TransactionKind
    let currency: CurrencyCode
    let count: Int
    let minor: Int128
    /// The part of the amount that is income with a category of spending.
    let refundMinor: Int128
    /// Whether all of it is. The parts of a refund can add up to nothing.
    var isRefund = false
}

extension BookDatabase {
    /// The totals of some charges, in the same amounts as `Charge.known(in:)`.
    /// - Parameter charges: a condition on `charged_months m`.
    func forEachKnown(
        _ charges: SQLPiece,
        in base: CurrencyCode,
        _ body: (Columns, KnownTotal) throws -> Void
    ) throws {
        let rows = """
            SELECT 0 AS label, m.kind, m.currency, m.minor, m.account_minor, m.account, m.category, m.count
            FROM charged_months m WHERE \(charges.sql)
            """
        try forEachKnown(rows, charges.arguments, in: base, body)
    }

    /// The same totals of some days, by category. The transactions of these days are read.
    func forEachKnown(
        of days: ClosedRange<Int32>,
        in base: CurrencyCode,
        _ body: (Columns, KnownTotal) throws -> Void
    ) throws {
        let rows = """
            SELECT ifnull(category, '') AS label, kind, currency, minor, account_minor, account, category, 1 AS count
            FROM (\(BookDatabase.charges(where: "kind <> 'transfer' AND date BETWEEN ? AND ?")))
            """
        let bounds: [any DatabaseValueConvertible] = [days.lowerBound, days.upperBound]
        try forEachKnown(rows, bounds + bounds, in: base, body)
    }

    private func forEachKnown(
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
            let minor = row.halves(4)
            let total = KnownTotal(
                kind: try row.kind(1),
                currency: try row.currency(2),
                count: row.int(3),
                minor: minor,
                refundMinor: row.int(6) != 0 ? minor : 0,
                isRefund: row.int(6) != 0
            )
            try body(row, total)
        }
    }

    /// The columns of transactions for `forEachKnownRow`.
    /// - Parameter condition: a condition on the category of a share, as for `counted`.
    static func knownColumns(_ condition: String?) -> String {
        """
        kind, currency, account, \(counted(condition)) AS minor, \(counted(condition, .account)) AS account_minor,
          \(refunded(condition)) AS refund, \(refunded(condition, .account)) AS account_refund
        """
    }

    /// The same totals of transactions.
    /// - Parameters:
    ///   - rows: a query for `knownColumns` and a column named `label`.
    ///   - base: nil for the currencies of the accounts.
    func forEachKnownRow(
        _ rows: SQLPiece,
        in base: CurrencyCode?,
        _ body: (Columns, KnownTotal) throws -> Void
    ) throws {
        let isPaid = "r.kind = 'transfer'" + (base.map { " OR r.currency = '\($0)'" } ?? "")
        let sql = """
            SELECT label, kind, known, count(*), sum(minor >> 32), sum(minor & 4294967295), sum(refund >> 32),
              sum(refund & 4294967295)
            FROM (SELECT r.label, r.kind, iif(\(isPaid), r.currency, a.currency) AS known,
                    iif(\(isPaid), r.minor, r.account_minor) AS minor,
                    iif(\(isPaid), r.refund, r.account_refund) AS refund
                  FROM (\(rows.sql)) r CROSS JOIN accounts a ON a.id = r.account)
            GROUP BY label, kind, known
            """
        try forEach(sql, StatementArguments(rows.arguments)) { row in
            let total = KnownTotal(
                kind: try row.kind(1),
                currency: try row.currency(2),
                count: row.int(3),
                minor: row.halves(4),
                refundMinor: row.halves(6)
            )
            try body(row, total)
        }
    }
}

extension Columns {
    /// A sum whose halves are in this column and the next one.
    func halves(_ column: Int32) -> Int128 {
        Int128(int64(column)) << 32 + Int128(int64(column + 1))
    }
}
