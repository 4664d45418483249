// The dashboard, as one read.
import GRDB
public import Ledger
import Storage

extension Book {
    /// The content of the dashboard.
    /// - Parameters:
    ///   - month: the month of the totals, budgets and spending.
    ///   - today: the user's current day. Transactions with a later date are not among the latest.
    ///   - base: the currency whose spending comes first.
    public func overview(month: YearMonth, today: CivilDate, base: CurrencyCode) throws(BookError) -> Overview
    {
        try reading { db, lookups in
            let spending = try db.spending(in: month)
            return Overview(
                month: month,
                totals: try db.totals(of: month),
                budgets: try db.budgetStatuses(month: month, spending: spending, lookups: lookups),
                accounts: lookups.accounts,
                latest: try db.latest(8, upTo: today),
                spending: spending.sorted(base: base),
                choices: lookups.choices,
                counts: lookups.counts
            )
        }
    }

    /// The numbers of live rows in the book.
    public func counts() throws(BookError) -> BookCounts {
        try current { $0.counts }
    }

    /// Whether a transaction or a budget was ever entered, including deleted ones.
    public func hasEverHeldEntries() throws(BookError) -> Bool {
        try reading { db, _ in
            try db.number("SELECT EXISTS (SELECT 1 FROM transactions) OR EXISTS (SELECT 1 FROM budgets)") == 1
        }
    }
}

extension BookDatabase {
    fileprivate func latest(_ limit: Int, upTo day: CivilDate) throws -> [Transaction] {
        let sql = """
            SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_by_date
            WHERE deleted_at IS NULL AND date <= ? ORDER BY date DESC, id DESC LIMIT ?
            """
        return try all(sql, [day.dayNumber, limit]) { try Transaction($0) }
    }
}
