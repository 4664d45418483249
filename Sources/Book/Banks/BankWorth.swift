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

    /// The rows in the balance of an account, of a range of days, the newest first.
    func booked(on account: EntityID, in days: ClosedRange<CivilDate>) -> [OpenBankRow] {
        booked.of(days).filter { $0.account == account }
    }
}

extension Book {
    /// Accounts with their balances after all transactions of the book and all booked rows: the balances of their
    /// banks, with what was entered for later days. The balance of an account is unknown if this device cannot read its
    /// bank, or if the bank reports it in another currency.
    public func balances(_ accounts: [AccountBalance], beside bank: BankRows?) throws(BookError)
        -> [AccountBalance]
    {
        try reading { db in try db.balances(accounts, beside: bank) }
    }
}

extension BookDatabase {
    /// Accounts with their balances after all transactions of the book and all booked rows.
    ///
    /// The balance of a bank does not include the transactions after its day: these transactions are added to it.
    /// Everything before that day is in it, also what is neither in the book nor among the rows.
    func balances(_ accounts: [AccountBalance], beside bank: BankRows?) throws -> [AccountBalance] {
        guard let bank else { return accounts }
        let first = CivilDate(dayNumber: .min)
        return try accounts.map { account in
            let id = account.account.id
            var account = account
            account.unknown = bank.unknown[id]
            guard bank.accounts.contains(id) else { return account }
            var balance = Int128(account.balanceMinor)
            var since = first
            if let reported = bank.balances[id] {
                balance = Int128(reported.money.minor)
                since = CivilDate(dayNumber: Int32(clamping: reported.asOf / 86_400)).adding(days: 1)
                balance += try change(of: id, since: since)
            }
            for row in bank.booked(on: id, in: since...CivilDate(dayNumber: .max)) {
                balance += Int128(row.changeMinor)
            }
            account.balanceMinor = Int64(clamping: balance)
            return account
        }
    }

    /// The change of an account by the transactions of the book from a day on.
    private func change(of account: EntityID, since day: CivilDate) throws -> Int128 {
        let sql = """
            SELECT iif(kind = 'income', account_minor, -account_minor)
            FROM transactions INDEXED BY transactions_by_account
            WHERE deleted_at IS NULL AND account = ? AND date >= ?
            UNION ALL
            SELECT to_minor FROM transactions INDEXED BY transactions_by_to_account
            WHERE deleted_at IS NULL AND to_account = ? AND date >= ?
            """
        var change: Int128 = 0
        try forEach(sql, [account.column, day.dayNumber, account.column, day.dayNumber]) { row in
            change += Int128(row.int64(0))
        }
        return change
    }
}
