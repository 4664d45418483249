// The dashboard, as one reading.
import GRDB
public import Ledger
import Storage

extension Book {
    /// What the dashboard shows.
    /// - Parameters:
    ///   - month: what totals, budgets and spending are of.
    ///   - today: the user's day; transactions dated later are not among the latest.
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

    /// How many live rows the book holds.
    public func counts() throws(BookError) -> BookCounts {
        try current { $0.counts }
    }

    /// Whether a transaction or a budget was ever entered, also one that was deleted since.
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
