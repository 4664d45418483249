// The dashboard, as one read.
import GRDB
public import Ledger
import Storage

extension Book {
    /// The content of the dashboard.
    /// - Parameters:
    ///   - month: the month of the totals, budgets and spending. If it is not the present month, the latest
    ///     transactions are from this month, and the balances are as of its end.
    ///   - today: the user's current day. In the present month, totals, budgets, spending, balances and the latest
    ///     transactions are up to this day.
    ///   - base: the currency whose spending comes first, and in which charged amounts are preferred.
    ///   - converter: the latest rates, for expenses on accounts in other currencies than a budget; nil to leave them
    ///     out.
    ///   - bank: the rows of banks that are added.
    public func overview(
        month: YearMonth,
        today: CivilDate,
        base: CurrencyCode,
        converter: CurrencyConverter? = nil,
        beside bank: BankRows? = nil
    ) throws(BookError) -> Overview {
        try reading { db, lookups in
            let progress = BudgetProgress(
                db,
                lookups,
                month: month,
                current: today.yearMonth,
                converter: converter,
                bank: bank
            )
            let charges = try progress.charges(through: today)
            let isPresent = month == today.yearMonth
            let latest = try db.latest(
                8,
                in: isPresent ? CivilDate(dayNumber: .min)...today : month.firstDay...month.lastDay,
                beside: bank
            )
            var overview = Overview(
                month: month,
                totals: db.totals(of: charges.soFar, base: base),
                budgets: try progress.statuses(charges),
                accounts: isPresent
                    ? try db.balances(lookups.accounts, lookups, beside: bank, through: today)
                    : try db.balances(lookups, atEndOf: month, beside: bank),
                latest: latest,
                spending: db.spending(of: charges.soFar, base: base).sorted(base: base),
                choices: lookups.choices,
                counts: lookups.counts,
                schedules: isPresent ? lookups.schedules : [],
                repaid: isPresent && !lookups.schedules.isEmpty
                    ? try db.repaid(in: month, through: today, lookups) : Repaid()
            )
            overview.toCome = db.totals(of: charges.toCome, base: base)
            if !overview.schedules.isEmpty {
                let payments = try db.payments(
                    from: month.firstDay,
                    through: month.lastDay,
                    on: today,
                    lookups,
                    beside: bank
                )
                overview.answered = SchedulePayments(payments, beside: bank).answered
            }
            overview.withReceipts = try lookups.receiptMarks.among(latest.map(\.id), db)
            return overview
        }
    }

    /// The numbers of live rows in the book.
    public func counts() throws(BookError) -> BookCounts {
        try current { $0.counts }
    }

    /// Whether a transaction, a budget or a schedule was ever entered, even if it was deleted since.
    public func hasEverHeldEntries() throws(BookError) -> Bool {
        try reading { db, _ in
            let sql = """
                SELECT EXISTS (SELECT 1 FROM transactions) OR EXISTS (SELECT 1 FROM budgets)
                  OR EXISTS (SELECT 1 FROM schedules)
                """
            return try db.number(sql) == 1
        }
    }
}

extension BookDatabase {
    /// Balances without the transactions and the opening balances of later months.
    fileprivate func balances(_ lookups: Lookups, atEndOf month: YearMonth, beside bank: BankRows?) throws
        -> [AccountBalance]
    {
        var later: [EntityID: Int128] = [:]
        for changed in bank?.changes(after: month).values ?? [:].values {
            later.merge(changed, uniquingKeysWith: +)
        }
        try forEach("SELECT account, delta_minor FROM account_months WHERE month > ?", [month.index]) { row in
            later[try row.id(0), default: 0] += Int128(row.int64(1))
        }
        return try balances(lookups.accounts, lookups, beside: bank).map { account in
            var account = account
            account.balanceMinor -= later[account.account.id] ?? 0
            account.balanceMinor -= account.opening.minor(after: month.lastDay)
            return account
        }
    }

    fileprivate func latest(_ limit: Int, in days: ClosedRange<CivilDate>, beside bank: BankRows?) throws
        -> [Transaction]
    {
        let sql = """
            SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_by_date
            WHERE deleted_at IS NULL AND date BETWEEN ? AND ? ORDER BY date DESC, id DESC LIMIT ?
            """
        let rows = try all(sql, [days.lowerBound.dayNumber, days.upperBound.dayNumber, limit]) {
            try Transaction($0)
        }
        guard let bank else { return rows }
        let further = bank.open.of(days).prefix(limit).map(bank.transaction)
        let all = (rows + further).sorted { ($0.date, $0.id) > ($1.date, $1.id) }
        return Array(all.prefix(limit))
    }
}
