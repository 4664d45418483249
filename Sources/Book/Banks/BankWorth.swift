// The balances of banks, and the booked rows behind them, in the balances that pages show.
import GRDB
public import Ledger
import Storage

extension BankRows {
    /// The changes of accounts by rows that are in the balances of banks, by month and account.
    func changes(after month: YearMonth) -> [YearMonth: [EntityID: Int128]] {
        var changes: [YearMonth: [EntityID: Int128]] = [:]
        for row in booked {
            let rowMonth = row.date.yearMonth
            guard rowMonth > month else { break }
            changes[rowMonth, default: [:]][row.account, default: 0] += Int128(row.changeMinor)
        }
        return changes
    }

    /// The day of the last row that is listed or counted; nil without any.
    var lastDay: CivilDate? { [open.first?.date, booked.first?.date].compactMap(\.self).max() }

    /// The rows in the balance of an account, of a range of days, the newest first.
    func booked(on account: EntityID, in days: ClosedRange<CivilDate>) -> [OpenBankRow] {
        booked.of(days).filter { $0.account == account }
    }
}

extension Book {
    /// All live accounts, oldest first, with their balances at the end of a day, with all booked rows up to it: the
    /// balances of their banks, with what was entered for the days since. The balance of an account is unknown if this
    /// device cannot read its bank, or if the bank reports it in another currency.
    public func balances(beside bank: BankRows?, through today: CivilDate = .distantFuture) throws(BookError)
        -> [AccountBalance]
    {
        try reading { db, lookups in
            try db.balances(lookups.accounts, lookups, beside: bank, through: today)
        }
    }
}

extension BookDatabase {
    /// Accounts with their balances at the end of a day, with all booked rows up to it.
    ///
    /// The balance of a bank does not include the transactions after its day: these transactions are added to it.
    /// Everything before that day is in it, also what is neither in the book nor among the rows.
    /// - Parameter accounts: accounts with their balances after all transactions of the book.
    func balances(
        _ accounts: [AccountBalance],
        _ lookups: Lookups,
        beside bank: BankRows?,
        through today: CivilDate = .distantFuture
    ) throws -> [AccountBalance] {
        guard let bank else { return try accounts.map { try lookups.account($0, through: today, self) } }
        let first = CivilDate(dayNumber: .min)
        let hasLater = max(lookups.lastDay ?? first, bank.lastDay ?? first) > today
        let later = hasLater ? try lookups.changes(after: today, self) : [:]
        return try accounts.map { account in
            let id = account.account.id
            var account = account
            account.unknown = bank.unknown[id]
            guard bank.accounts.contains(id) else {
                account.postpone((later[id] ?? 0) + account.opening.minor(after: today))
                return account
            }
            var toCome = later[id] ?? 0
            var balance = account.balanceMinor
            let recorded = account.balanceMinor - account.opening.minor
            var since = first
            if let reported = bank.balances[id] {
                balance = Int128(reported.money.minor)
                since = reported.day.adding(days: 1)
                let change = try change(of: id, in: since...CivilDate.distantFuture)
                account.recordedMinor =
                    account.balanceMinor - change - account.opening.minor(after: reported.day)
                balance += change
                if hasLater, since > today { toCome = change }
            } else {
                toCome += account.opening.minor(after: today)
            }
            for row in bank.booked(on: id, in: since...CivilDate.distantFuture) {
                balance += Int128(row.changeMinor)
                if row.date > today { toCome += Int128(row.changeMinor) }
            }
            account.balanceMinor = balance
            if let day = account.opening.day, let reported = bank.balances[id] {
                let booked = bank.booked(on: id, in: first...CivilDate.distantFuture)
                account.opening = OpeningBalance(
                    minor: balance - recorded - booked.reduce(0) { $0 + Int128($1.changeMinor) },
                    // The bank's balance contains it already.
                    day: min(day, reported.day)
                )
            }
            account.postpone(toCome)
            return account
        }
    }

    /// The change of an account by the transactions of the book of some days.
    func change(of account: EntityID, in days: ClosedRange<CivilDate>) throws -> Int128 {
        let sql = """
            SELECT iif(kind = 'income', account_minor, -account_minor)
            FROM transactions INDEXED BY transactions_by_account
            WHERE deleted_at IS NULL AND account = ? AND date >= ? AND date <= ?
            UNION ALL
            SELECT to_minor FROM transactions INDEXED BY transactions_by_to_account
            WHERE deleted_at IS NULL AND to_account = ? AND date >= ? AND date <= ?
            """
        let (from, to) = (days.lowerBound.dayNumber, days.upperBound.dayNumber)
        var change: Int128 = 0
        try forEach(sql, [account.column, from, to, account.column, from, to]) { row in
            change += Int128(row.int64(0))
        }
        return change
    }
}
