// Totals by currency: the collector, and the sums of a month that several pages share.
import GRDB
import Ledger
import Storage

/// Collects amounts by currency. The currencies are few, so a linear search is the fastest.
struct TotalsByCurrency {
    private var totals: [CurrencyTotal] = []

    mutating func add(_ kind: TransactionKind, _ currency: CurrencyCode, count: Int, minor: Int128) {
        guard count > 0 else { return }
        let place = place(of: currency)
        totals[place].count = totals[place].count.addingClamped(count)
        switch kind {
        case .expense: totals[place].expenseMinor += minor
        case .income: totals[place].incomeMinor += minor
        case .transfer: break
        }
    }

    /// - Parameters:
    ///   - counted: what counts of the transaction.
    ///   - refundMinor: what of that is income that reduces spending.
    mutating func add(_ transaction: Transaction, _ counted: Money, refundMinor: Int64) {
        add(transaction.kind, counted.currency, count: 1, minor: Int128(counted.minor))
        if refundMinor != 0 { refund(counted.currency, minor: Int128(refundMinor)) }
    }

    mutating func add(_ known: KnownTotal) {
        add(known.kind, known.currency, count: known.count, minor: known.minor)
        if known.refundMinor != 0 { refund(known.currency, minor: known.refundMinor) }
    }

    mutating func add(_ charge: Charge, base: CurrencyCode) {
        let amount = charge.known(in: base)
        let kind: TransactionKind = charge.kind == .expense ? .expense : .income
        add(kind, amount.currency, count: charge.count, minor: amount.minor)
        if charge.kind == .refund { refund(amount.currency, minor: amount.minor) }
    }

    /// Turns income that was added before into a reduction of spending.
    mutating func refund(_ currency: CurrencyCode, minor: Int128) {
        let place = place(of: currency)
        totals[place].incomeMinor -= minor
        totals[place].expenseMinor -= minor
    }

    private mutating func place(of currency: CurrencyCode) -> Int {
        if let found = totals.firstIndex(where: { $0.currency == currency }) { return found }
        totals.append(CurrencyTotal(currency: currency, incomeMinor: 0, expenseMinor: 0, count: 0))
        return totals.count - 1
    }

    /// The totals, alphabetically by currency.
    var sorted: [CurrencyTotal] { totals.sorted { $0.currency < $1.currency } }
}

extension BookDatabase {
    /// Adds up the rows of a query for kind, currency, count and minor units.
    /// - Parameter refunds: passes the refunds among these rows to a function.
    func totals(
        _ sql: String,
        _ arguments: StatementArguments = [],
        only kind: Ledger.TransactionKind? = nil,
        refunds: ((Columns, CurrencyCode, Int128) throws -> Void) throws -> Void
    ) throws -> [CurrencyTotal] {
        var totals = TotalsByCurrency()
        try forEach(sql, arguments) { row in
            let rowKind = try row.kind(0)
            guard kind == nil || kind == rowKind else { return }
            totals.add(rowKind, try row.currency(1), count: row.int(2), minor: Int128(row.int64(3)))
        }
        if kind == nil || kind == .income { try refunds { totals.refund($1, minor: $2) } }
        return totals.sorted
    }

    /// Income and spending of a month, without transfers: what accounts were charged and what they received.
    func totals(of charges: [Charge], base: CurrencyCode) -> [CurrencyTotal] {
        var totals = TotalsByCurrency()
        for charge in charges { totals.add(charge, base: base) }
        return totals.sorted
    }

    /// The spending of a month by category and currency, less refunds, in no particular order.
    func spending(of charges: [Charge], base: CurrencyCode) -> [ReportRow] {
        var collected: [EntityID?: TotalsByCurrency] = [:]
        for charge in charges where charge.kind != .income {
            collected[charge.category, default: TotalsByCurrency()].add(charge, base: base)
        }
        return collected.flatMap { category, totals in
            totals.sorted.map { ReportRow(key: .category(category), total: $0) }
        }
    }

    func counts() throws -> BookCounts {
        var counts = BookCounts()
        let sql = """
            SELECT
              (SELECT ifnull(sum(count), 0) FROM month_sums WHERE month = 0),
              (SELECT count(*) FROM accounts WHERE deleted_at IS NULL),
              (SELECT count(*) FROM categories WHERE deleted_at IS NULL),
              (SELECT count(DISTINCT ifnull(category, '')) FROM budgets WHERE deleted_at IS NULL),
              (SELECT count(*) FROM schedules WHERE deleted_at IS NULL)
            """
        try forEach(sql) { row in
            counts.transactions = row.int(0)
            counts.accounts = row.int(1)
            counts.categories = row.int(2)
            counts.schedules = row.int(4)
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
            return left.key.precedes(right.key)
        }
    }
}

extension ReportRow.Key {
    /// The order among subjects of one kind.
    func precedes(_ other: Self) -> Bool {
        switch (self, other) {
        case (.category(let one), .category(let other)):
            guard let other else { return false }
            return one.map { $0 < other } ?? true
        case (.month(let one), .month(let other)): return one < other
        case (.account(let one), .account(let other)): return one < other
        case (.payee(let one), .payee(let other)): return one < other
        // The rows of a report are of one kind.
        case (.category, _), (.month, _), (.account, _), (.payee, _): return false
        }
    }
}
