// The transactions of an account with the balance after each of them.
import GRDB
public import Ledger
import Storage

extension Book {
    /// A page of the transactions of a live account, as one consistent read; nil if there is no such account.
    ///
    /// The balances are computed from the present one, with the maintained sums of the months after a row and the rows
    /// of its month. The cost depends on the months of the page and not on the size of the book. The filters of the
    /// query choose the rows, and the balances count all transactions.
    /// - Parameters:
    ///   - query: as for `transactions(_:)`; its `account` and its order are ignored.
    ///   - current: the present month, before which the months end that give the pace of a loan; nil for no pace.
    ///   - bank: the rows of banks that are listed among the rows of the book. The balances count the booked rows.
    ///   - today: the day of the account's balance. The balances after rows, also of later days, are of the rows' days.
    public func register(
        of id: EntityID,
        _ query: TransactionQuery,
        current: YearMonth? = nil,
        beside bank: BankRows? = nil,
        through today: CivilDate = .distantFuture
    ) throws(BookError) -> AccountRegister? {
        var query = query
        (query.account, query.sort) = (id, .newestFirst)
        return try reading { [query] db, lookups in
            guard let stored = lookups.accounts.first(where: { $0.account.id == id }),
                let account = try db.balances([stored], lookups, beside: bank).first,
                let shown = try db.balances([stored], lookups, beside: bank, through: today).first
            else { return nil }
            let page = try TransactionList(db, lookups, query, beside: bank).page()
            let marks = bank?.marks(of: page.rows) ?? [:]
            let counted = page.rows.filter { marks[$0.id] != .pending }
            let isFiltered =
                query.text != nil || query.kind != nil || query.category != nil || query.isSpending
                || query.counts != nil || query.payee != nil || query.isOfDetails
                || (query.days != nil && query.month == nil)
            let isWhole = !isFiltered && page.next == nil
            let isKnown = account.unknown == nil
            return AccountRegister(
                account: shown,
                page: page,
                balancesMinor: isKnown ? try db.balances(after: counted, of: account, beside: bank) : [],
                bank: marks,
                beforeMinor: isWhole && isKnown
                    ? try db.balance(before: query.month, of: account, beside: bank) : nil,
                opening: isFiltered || !isKnown
                    ? nil : try db.opening(of: account, among: page, of: query, beside: bank),
                choices: lookups.choices,
                repayment: account.account.type == .loan
                    ? try current.flatMap { try db.repayment(of: id, before: $0, through: today) } : nil
            )
        }
    }
}

extension BookDatabase {
    /// The balances of an account after some of its transactions, which are in the order of the list.
    fileprivate func balances(
        after rows: [Transaction],
        of account: AccountBalance,
        beside bank: BankRows?
    ) throws -> [Int128] {
        guard let oldest = rows.last?.date.yearMonth else { return [] }
        var balances: [Int128] = []
        balances.reserveCapacity(rows.count)
        // The balance at the end of a month. It can exceed 64 bits although the present balance does not.
        var end = account.balanceMinor
        for (month, change) in try changes(of: account, since: oldest, beside: bank) {
            let ids = rows[balances.count...].prefix { $0.date.yearMonth == month }.map(\.id)
            if !ids.isEmpty {
                balances += try self.balances(after: ids, in: month, of: account, end, beside: bank)
            }
            end -= change
        }
        return balances
    }

    /// The balances after some transactions of one month.
    private func balances(
        after ids: [EntityID],
        in month: YearMonth,
        of account: AccountBalance,
        _ end: Int128,
        beside bank: BankRows?
    ) throws -> [Int128] {
        let (opening, account) = (account.opening, account.account.id)
        let sql = """
            SELECT id, date, iif(kind = 'income', account_minor, -account_minor)
            FROM transactions INDEXED BY transactions_by_account
            WHERE deleted_at IS NULL AND account = ? AND date >= ? AND date <= ?
            UNION ALL
            SELECT id, date, to_minor FROM transactions INDEXED BY transactions_by_to_account
            WHERE deleted_at IS NULL AND to_account = ? AND date >= ? AND date <= ?
            ORDER BY date DESC, id DESC
            """
        let (first, last) = (month.firstDay.dayNumber, month.lastDay.dayNumber)
        var balances: [Int128] = []
        var balance = end
        // The opening balance is older than all rows of its day.
        var opened = opening.day.flatMap { $0.yearMonth == month ? $0 : nil }
        func pass(_ id: EntityID, _ date: CivilDate, _ change: Int64) {
            if let day = opened, date < day {
                balance -= opening.minor
                opened = nil
            }
            if balances.count < ids.count, id == ids[balances.count] {
                balances.append(balance)
            }
            balance -= Int128(change)
        }
        var booked = (bank?.booked(on: account, in: month.firstDay...month.lastDay) ?? [])[...]
        try forEachWhile(sql, [account.column, first, last, account.column, first, last]) { row in
            let (id, date) = (try row.id(0), row.date(1))
            while let next = booked.first, (date, id) < (next.date, next.id) {
                pass(next.id, next.date, next.changeMinor)
                booked.removeFirst()
            }
            pass(id, date, row.int64(2))
            return balances.count < ids.count
        }
        for row in booked { pass(row.id, row.date, row.changeMinor) }
        return balances
    }

    /// The changes of an account's balance by month, newest first, with its opening balance in the month of its day.
    private func changes(of account: AccountBalance, since month: YearMonth, beside bank: BankRows?) throws
        -> [(YearMonth, Int128)]
    {
        let (opening, id) = (account.opening, account.account.id)
        let recorded = try changes(of: id, since: month)
        let booked = bank?.changes(after: YearMonth(index: month.index - 1)) ?? [:]
        var further = Dictionary(
            booked.compactMap { month, changed in changed[id].map { (month, $0) } },
            uniquingKeysWith: +
        )
        if let opened = opening.day?.yearMonth, opened >= month {
            further[opened, default: 0] += opening.minor
        }
        guard !further.isEmpty else { return recorded }
        let all = further.merging(recorded, uniquingKeysWith: +)
        return all.sorted { $0.key > $1.key }.map { ($0.key, $0.value) }
    }

    /// The changes by the transactions of the book.
    private func changes(of account: EntityID, since month: YearMonth) throws -> [(YearMonth, Int128)] {
        // Month 0 stands for all time.
        let sql = """
            SELECT month, delta_minor FROM account_months WHERE month >= ? AND account = ? ORDER BY month DESC
            """
        var changes: [(YearMonth, Int128)] = []
        try forEach(sql, [max(month.index, 1), account.column]) { row in
            let (month, change) = (row.month(0), Int128(row.int64(1)))
            if changes.last?.0 == month {
                changes[changes.count - 1].1 += change
            } else {
                changes.append((month, change))
            }
        }
        return changes
    }

    /// The change of a loan in the full months before one, up to twelve, since the debt has last grown; nil without any.
    /// - Parameter today: the day up to which a payment counts for the month itself.
    fileprivate func repayment(of loan: EntityID, before month: YearMonth, through today: CivilDate) throws
        -> Repayment?
    {
        let since = YearMonth(index: month.index - 12)
        let changes = try changes(of: loan, since: since)
        let rest =
            try (month.firstDay...month.lastDay).daysToCome(after: today)
            .map { try self.changes(of: $0)[loan] ?? 0 } ?? 0
        let isPaid = changes.contains { $0.0 == month && $0.1 > rest }
        let full = changes.filter { $0.0 < month }
        // The month in which a loan is paid out is none of repayment.
        let repaid = full.prefix { $0.1 >= 0 }
        guard let first = repaid.last?.0 else {
            return full.isEmpty ? nil : Repayment(changeMinor: 0, monthCount: 1, isPaidThisMonth: isPaid)
        }
        return Repayment(
            changeMinor: repaid.reduce(0) { $0 + $1.1 },
            monthCount: month.index - first.index,
            isPaidThisMonth: isPaid
        )
    }

    /// The balance of an account at the beginning of a month; without a month, before the first transaction, or nil if
    /// the opening balance has a row of its own.
    fileprivate func balance(before month: YearMonth?, of account: AccountBalance, beside bank: BankRows?)
        throws -> Int128?
    {
        guard month != nil || account.opening.day == nil else { return nil }
        let isOfBank = bank?.accounts.contains(account.account.id) ?? false
        guard let month = month ?? (isOfBank ? YearMonth(index: .min) : nil) else {
            return account.opening.minor
        }
        return try balance(beforeMonth: month, of: account, beside: bank)
    }

    private func balance(beforeMonth month: YearMonth, of account: AccountBalance, beside bank: BankRows?)
        throws -> Int128
    {
        let changes = try changes(of: account, since: month, beside: bank)
        return changes.reduce(account.balanceMinor) { $0 - $1.1 }
    }

    /// The row of the opening balance, if its day is among the rows of a page.
    fileprivate func opening(
        of account: AccountBalance,
        among page: TransactionPage,
        of query: TransactionQuery,
        beside bank: BankRows?
    ) throws -> OpeningRow? {
        let id = account.account.id
        guard let day = account.opening.day, query.month.map({ $0 == day.yearMonth }) ?? true else {
            return nil
        }
        // The row is older than all transactions of its day, some of which may be on the next page.
        if let after = query.after, after.date < day { return nil }
        if page.next != nil, let last = page.rows.last, last.date >= day { return nil }
        let first = day.yearMonth.firstDay
        var balance =
            try balance(beforeMonth: day.yearMonth, of: account, beside: bank) + account.opening.minor
        if first < day {
            let before = first...day.adding(days: -1)
            balance += try change(of: id, in: before)
            for row in bank?.booked(on: id, in: before) ?? [] { balance += Int128(row.changeMinor) }
        }
        return OpeningRow(day: day, minor: account.opening.minor, balanceMinor: balance)
    }
}
