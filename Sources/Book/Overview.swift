// The dashboard, as one read.
import GRDB
public import Ledger
import Storage

extension Book {
    /// The content of the dashboard.
    /// - Parameters:
    ///   - month: the month of the totals, budgets and spending.
    ///   - today: the user's current day. Transactions with a later date are not among the latest.
    ///   - base: the currency whose spending comes first, and in which charged amounts are preferred.
    ///   - converter: the latest rates, for expenses on accounts in other currencies than a budget; nil to leave them
    ///     out.
    public func overview(
        month: YearMonth,
        today: CivilDate,
        base: CurrencyCode,
        converter: CurrencyConverter? = nil
    ) throws(BookError) -> Overview {
        try reading { db, lookups in
            let charges = try db.charges(in: month...month)
            let progress = BudgetProgress(
                db,
                lookups,
                month: month,
                current: today.yearMonth,
                converter: converter
            )
            return Overview(
                month: month,
                totals: db.totals(of: charges, base: base),
                budgets: try progress.statuses(charges),
                accounts: lookups.accounts,
                latest: try db.latest(8, upTo: today),
                spending: db.spending(of: charges, base: base).sorted(base: base),
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
