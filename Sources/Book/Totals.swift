// Totals by currency: the collector, and the sums of a month that several pages share.
import GRDB
import Ledger
import Storage

/// Collects amounts by currency. The currencies are few, so a linear search is the fastest.
struct TotalsByCurrency {
    private var totals: [CurrencyTotal] = []

    mutating func add(_ kind: TransactionKind, _ currency: CurrencyCode, count: Int, minor: Int64) {
        guard count > 0 else { return }
        let place: Int
        if let found = totals.firstIndex(where: { $0.currency == currency }) {
            place = found
        } else {
            place = totals.count
            totals.append(CurrencyTotal(currency: currency, incomeMinor: 0, expenseMinor: 0, count: 0))
        }
        totals[place].count = totals[place].count.addingClamped(count)
        // The book refuses amounts that would overflow: these sums are parts of a sum that fits.
        switch kind {
        case .expense: totals[place].expenseMinor = totals[place].expenseMinor.addingClamped(minor)
        case .income: totals[place].incomeMinor = totals[place].incomeMinor.addingClamped(minor)
        case .transfer: break
        }
    }

    mutating func add(_ transaction: Transaction) {
        add(transaction.kind, transaction.amount.currency, count: 1, minor: transaction.amount.minor)
    }

    /// The totals, alphabetically by currency.
    var sorted: [CurrencyTotal] { totals.sorted { $0.currency < $1.currency } }
}

extension BookDatabase {
    /// Adds up the rows of a query for kind, currency, count and minor units.
    func totals(
        _ sql: String,
        _ arguments: StatementArguments = [],
        only kind: Ledger.TransactionKind? = nil
    ) throws -> [CurrencyTotal] {
        var totals = TotalsByCurrency()
        try forEach(sql, arguments) { row in
            let rowKind = try row.kind(0)
            guard kind == nil || kind == rowKind else { return }
            totals.add(rowKind, try row.currency(1), count: row.int(2), minor: row.int64(3))
        }
        return totals.sorted
    }

    func totals(of month: YearMonth, only kind: Ledger.TransactionKind? = nil) throws -> [CurrencyTotal] {
        try totals(
            "SELECT kind, currency, count, minor FROM month_sums WHERE month = ?",
            [month.index],
            only: kind
        )
    }

    /// A month's expenses by category and currency, in no particular order.
    func spending(in month: YearMonth) throws -> [ReportRow] {
        let sql = """
            SELECT category, currency, count, minor FROM category_months
            WHERE month = ? AND kind = 'expense' AND count > 0
            """
        return try all(sql, [month.index]) { row in
            let total = CurrencyTotal(
                currency: try row.currency(1),
                incomeMinor: 0,
                expenseMinor: row.int64(3),
                count: row.int(2)
            )
            return ReportRow(key: .category(row.optionalID(0)), total: total)
        }
    }

    func counts() throws -> BookCounts {
        var counts = BookCounts()
        let sql = """
            SELECT
              (SELECT ifnull(sum(count), 0) FROM month_sums WHERE month = 0),
              (SELECT count(*) FROM accounts WHERE deleted_at IS NULL),
              (SELECT count(*) FROM categories WHERE deleted_at IS NULL),
              (SELECT count(*) FROM budgets WHERE deleted_at IS NULL)
            """
        try forEach(sql) { row in
            counts.transactions = row.int(0)
            counts.accounts = row.int(1)
            counts.categories = row.int(2)
            counts.budgets = row.int(3)
        }
        return counts
    }
}

extension [ReportRow] {
    /// Sorts the base currency first, then the others alphabetically; in each the highest spending first.
    func sorted(base: CurrencyCode) -> [ReportRow] {
        sorted { left, right in
            if left.total.currency != right.total.currency {
                if left.total.currency == base || right.total.currency == base {
                    return left.total.currency == base
                }
                return left.total.currency < right.total.currency
            }
            if left.total.expenseMinor != right.total.expenseMinor {
                return left.total.expenseMinor > right.total.expenseMinor
            }
            return left.key.order < right.key.order
        }
    }
}

extension ReportRow.Key {
    /// The sort key among keys of one kind.
    var order: String {
        switch self {
        case .category(let id): id?.description ?? ""
        case .month(let month): month.description
        case .account(let id): id.description
        case .payee(let payee): payee
        }
    }
}
