// The balances of accounts at the end of months, and the cash flow between them.
import GRDB
public import Ledger
import Storage

extension Book {
    /// The total balance of all live accounts at the end of each month of a range, by currency, without accounts whose
    /// balance is unknown; oldest month first, currencies alphabetically. Values outside of 64 bits are clamped.
    /// - Parameter bank: the rows of banks that are added, with the balances from which to go back.
    public func netWorth(from: YearMonth, to: YearMonth, beside bank: BankRows? = nil) throws(BookError)
        -> [NetWorthPoint]
    {
        guard from <= to else { return [] }
        return try reading { db, lookups in
            var points: [NetWorthPoint] = []
            let accounts = try db.balances(lookups.accounts, beside: bank).filter { $0.unknown == nil }
            try db.forEachMonth(of: from...to, backwards: accounts, beside: bank) { month, balances in
                var worth: [CurrencyCode: (balance: Int128, debt: Int128)] = [:]
                for balance in balances {
                    worth[balance.currency, default: (0, 0)].balance += balance.minor
                    worth[balance.currency, default: (0, 0)].debt += min(balance.minor, 0)
                }
                points += worth.sorted { $0.key > $1.key }.map { currency, sums in
                    NetWorthPoint(
                        month: month,
                        currency: currency,
                        balanceMinor: Int64(clamping: sums.balance),
                        debtMinor: Int64(clamping: sums.debt)
                    )
                }
            }
            return points.reversed()
        }
    }

    /// The balance of each live account before a range of months and at its end, in no particular order. Values outside of
    /// 64 bits are clamped.
    /// - Parameter bank: as for `netWorth`.
    public func accountWorth(from: YearMonth, to: YearMonth, beside bank: BankRows? = nil) throws(BookError)
        -> [AccountWorth]
    {
        guard from <= to else { return [] }
        return try reading { db, lookups in
            var (before, after): ([EntityID: Int64], [EntityID: Int64]) = ([:], [:])
            let accounts = try db.balances(lookups.accounts, beside: bank)
            // The month before the first one there is has no balance but the opening one.
            let months = YearMonth(index: from.index - 1)...to
            try db.forEachMonth(of: months, backwards: accounts, beside: bank) { month, balances in
                guard month == to || month < from else { return }
                for balance in balances {
                    let minor = Int64(clamping: balance.minor)
                    if month == to { after[balance.account] = minor }
                    if month < from { before[balance.account] = minor }
                }
            }
            return accounts.map { item in
                AccountWorth(
                    account: item.account.id,
                    currency: item.account.currency,
                    beforeMinor: before[item.account.id] ?? item.account.openingMinor,
                    afterMinor: after[item.account.id] ?? item.balanceMinor,
                    unknown: item.unknown
                )
            }
        }
    }

    /// The cash flow of the accounts for daily use (cash, bank and card) in each month of a range, by
    /// currency of the accounts, oldest month first, currencies alphabetically. Values outside of 64 bits are clamped.
    /// - Parameter bank: as for `netWorth`.
    public func cashFlow(from: YearMonth, to: YearMonth, beside bank: BankRows? = nil) throws(BookError)
        -> [CashFlow]
    {
        guard from <= to else { return [] }
        return try reading { db, lookups in
            let accounts = try db.balances(lookups.accounts, beside: bank).filter {
                $0.account.type.isForDailyUse
            }
            let currencies = Dictionary(
                accounts.map { ($0.account.id, $0.account.currency) },
                uniquingKeysWith: { first, _ in first }
            )
            let (known, unknown) = (
                accounts.filter { $0.unknown == nil }, accounts.filter { $0.unknown != nil }
            )
            let knownCurrencies = Set(known.map(\.account.currency))
            let unknownIDs = Set(unknown.map(\.account.id))
            var flows: [YearMonth: [CurrencyCode: CashFlow]] = [:]
            try db.forEachMonth(of: from...to, backwards: known, beside: bank) { month, balances in
                for balance in balances {
                    let none = CashFlow(month: month, currency: balance.currency)
                    let end = flows[month]?[balance.currency]?.endMinor ?? 0
                    flows[month, default: [:]][balance.currency, default: none].endMinor =
                        Int64(clamping: Int128(end) + balance.minor)
                }
                for currency in unknown.map(\.account.currency) {
                    var flow = flows[month]?[currency] ?? CashFlow(month: month, currency: currency)
                    flow.unknownCount += 1
                    flow.isBalanceUnknown = !knownCurrencies.contains(currency)
                    flows[month, default: [:]][currency] = flow
                }
            }
            let span = [from.index, to.index]
            // The changes of the accounts are few. They count refunds as income.
            let changes = """
                SELECT month, account, kind, delta_minor FROM account_months
                WHERE month BETWEEN ? AND ? AND count > 0
                """
            try db.forEach(changes, StatementArguments(span)) { row in
                let account = try row.id(1)
                guard let currency = currencies[account] else { return }
                let (kind, minor) = (try row.kind(2), row.int64(3))
                flows[row.month(0)]?[currency]?.add(
                    income: kind == .income ? minor : 0,
                    expense: kind == .expense ? Int64(0).subtractingClamped(minor) : 0,
                    moved: kind == .transfer ? minor : 0,
                    isUnknown: unknownIDs.contains(account)
                )
            }
            let refunds = """
                SELECT month, account, account_minor FROM charged_months INDEXED BY charged_months_by_category
                WHERE category IN (SELECT id FROM categories WHERE kind = 'expense') AND kind = 'income'
                  AND month BETWEEN ? AND ? AND count > 0
                """
            try db.forEach(refunds, StatementArguments(span)) { row in
                guard let currency = currencies[try row.id(1)] else { return }
                let minor = row.int64(2)
                flows[row.month(0)]?[currency]?.add(income: -minor, expense: -minor, moved: 0)
            }
            for row in bank?.booked.of(from.firstDay...to.lastDay) ?? [] {
                guard let currency = currencies[row.account] else { continue }
                // The balances contain a hidden row, which is neither income nor spending.
                guard !row.isHidden else {
                    flows[row.date.yearMonth]?[currency]?.add(income: 0, expense: 0, moved: row.changeMinor)
                    continue
                }
                let isIncome = row.kind == .income && !row.isRefund
                flows[row.date.yearMonth]?[currency]?.add(
                    income: isIncome ? row.amount.minor : 0,
                    expense: isIncome ? 0 : -row.changeMinor,
                    moved: 0
                )
            }
            return flows.values.flatMap(\.values).sorted { ($0.month, $0.currency) < ($1.month, $1.currency) }
        }
    }
}

/// The balance of an account at the end of a month.
private struct MonthBalance {
    let account: EntityID
    let currency: CurrencyCode
    let minor: Int128
}

extension BookDatabase {
    /// Passes the balances of accounts at the end of each month of a range, the newest month first.
    ///
    /// The calculation goes backwards from the present balances, so that its cost depends on the range and the months
    /// after it.
    fileprivate func forEachMonth(
        of months: ClosedRange<YearMonth>,
        backwards accounts: [AccountBalance],
        beside bank: BankRows?,
        _ body: (YearMonth, [MonthBalance]) throws -> Void
    ) throws {
        var changes: [Int: [EntityID: Int128]] = [:]
        let sql = "SELECT month, account, delta_minor FROM account_months WHERE month > ?"
        try forEach(sql, [months.lowerBound.index]) { row in
            let month = min(row.int(0), months.upperBound.index + 1)
            changes[month, default: [:]][try row.id(1), default: 0] += Int128(row.int64(2))
        }
        for (month, changed) in bank?.changes(after: months.lowerBound) ?? [:] {
            let month = min(month.index, months.upperBound.index + 1)
            changes[month, default: [:]].merge(changed, uniquingKeysWith: +)
        }
        var balances = accounts.map { Int128($0.balanceMinor) }
        for index in (months.lowerBound.index...months.upperBound.index).reversed() {
            if let changed = changes[index + 1] {
                for (place, item) in accounts.enumerated() {
                    if let change = changed[item.account.id] { balances[place] -= change }
                }
            }
            try body(
                YearMonth(index: index),
                zip(accounts, balances).map { item, minor in
                    MonthBalance(account: item.account.id, currency: item.account.currency, minor: minor)
                }
            )
        }
    }
}
