// The balances of accounts at the end of months, and the cash flow between them.
import GRDB
public import Ledger
import Storage

extension Book {
    /// The total balance of all live accounts at the end of each month of a range, by currency, without accounts whose
    /// balance is unknown; oldest month first, currencies alphabetically.
    /// - Parameters:
    ///   - bank: the rows of banks that are added, with the balances from which to go back.
    ///   - today: the day at whose end a range that contains it ends.
    public func netWorth(
        from: YearMonth,
        to: YearMonth,
        beside bank: BankRows? = nil,
        through today: CivilDate = .distantFuture
    ) throws(BookError) -> [NetWorthPoint] {
        guard from <= to else { return [] }
        return try reading { db, lookups in
            var points: [NetWorthPoint] = []
            let ends = try MonthEnds(from...to, db, lookups, beside: bank, through: today)
            let accounts = ends.accounts.filter { $0.unknown == nil }
            try db.forEachMonth(of: ends, backwards: accounts, beside: bank) { month, balances in
                var worth: [CurrencyCode: (balance: Int128, debt: Int128)] = [:]
                for balance in balances {
                    worth[balance.currency, default: (0, 0)].balance += balance.minor
                    worth[balance.currency, default: (0, 0)].debt += min(balance.minor, 0)
                }
                points += worth.sorted { $0.key > $1.key }.map { currency, sums in
                    NetWorthPoint(
                        month: month,
                        currency: currency,
                        balanceMinor: sums.balance,
                        debtMinor: sums.debt
                    )
                }
            }
            return points.reversed()
        }
    }

    /// The balance of each live account before a range of months and at its end, in no particular order.
    /// - Parameters: as for `netWorth`.
    public func accountWorth(
        from: YearMonth,
        to: YearMonth,
        beside bank: BankRows? = nil,
        through today: CivilDate = .distantFuture
    ) throws(BookError) -> [AccountWorth] {
        guard from <= to else { return [] }
        return try reading { db, lookups in
            var (before, after): ([EntityID: Int128], [EntityID: Int128]) = ([:], [:])
            var ends = try MonthEnds(from...to, db, lookups, beside: bank, through: today)
            let (accounts, last) = (ends.accounts, ends.months.upperBound)
            // The month before the first one there is has no balance but the opening one.
            ends.months = YearMonth(index: from.index - 1)...last
            try db.forEachMonth(of: ends, backwards: accounts, beside: bank) { month, balances in
                guard month == last || month < from else { return }
                for balance in balances {
                    if month == last { after[balance.account] = balance.minor }
                    if month < from { before[balance.account] = balance.minor }
                }
            }
            return accounts.map { item in
                AccountWorth(
                    account: item.account.id,
                    currency: item.account.currency,
                    beforeMinor: before[item.account.id] ?? item.opening.minorBeforeEverything,
                    afterMinor: after[item.account.id] ?? item.balanceMinor,
                    openedMinor: item.opening.minor(of: from.firstDay...ends.lastDay),
                    unknown: item.unknown
                )
            }
        }
    }

    /// The cash flow of the accounts for daily use (cash, bank and card) in each month of a range, by
    /// currency of the accounts, oldest month first, currencies alphabetically.
    /// - Parameters: as for `netWorth`.
    public func cashFlow(
        from: YearMonth,
        to: YearMonth,
        beside bank: BankRows? = nil,
        through today: CivilDate = .distantFuture
    ) throws(BookError) -> [CashFlow] {
        guard from <= to else { return [] }
        return try reading { db, lookups in
            let ends = try MonthEnds(from...to, db, lookups, beside: bank, through: today)
            let to = ends.months.upperBound
            let accounts = ends.accounts.filter { $0.account.type.isForDailyUse }
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
            try db.forEachMonth(of: ends, backwards: known, beside: bank) { month, balances in
                for balance in balances {
                    let none = CashFlow(month: month, currency: balance.currency)
                    flows[month, default: [:]][balance.currency, default: none].endMinor += balance.minor
                }
                for currency in unknown.map(\.account.currency) {
                    var flow = flows[month]?[currency] ?? CashFlow(month: month, currency: currency)
                    flow.unknownCount += 1
                    flow.isBalanceUnknown = !knownCurrencies.contains(currency)
                    flows[month, default: [:]][currency] = flow
                }
            }
            for account in known {
                guard let day = account.opening.day else { continue }
                flows[day.yearMonth]?[account.account.currency]?.openedMinor += account.opening.minor(
                    of: from.firstDay...ends.lastDay
                )
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
                let (kind, minor) = (try row.kind(2), Int128(row.int64(3)))
                flows[row.month(0)]?[currency]?.add(
                    income: kind == .income ? minor : 0,
                    expense: kind == .expense ? -minor : 0,
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
                let minor = Int128(row.int64(2))
                flows[row.month(0)]?[currency]?.add(income: -minor, expense: -minor, moved: 0)
            }
            if let rest = ends.rest {
                try db.forEachChange(of: rest) { row in
                    let account = try row.id(0)
                    guard let currency = currencies[account] else { return }
                    let (kind, minor) = (try row.kind(1), Int128(row.int64(2)))
                    flows[to]?[currency]?.add(
                        income: kind == .income ? -minor : 0,
                        expense: kind == .expense ? minor : 0,
                        moved: kind == .transfer ? -minor : 0,
                        isUnknown: unknownIDs.contains(account)
                    )
                }
                try db.forEachCharge(of: rest) { row in
                    guard row.isRefund, let currency = currencies[row.account] else { return }
                    let minor = Int128(row.charged.minor)
                    flows[to]?[currency]?.add(income: minor, expense: minor, moved: 0)
                }
            }
            for row in bank?.booked.of(from.firstDay...ends.lastDay) ?? [] {
                guard let currency = currencies[row.account] else { continue }
                // The balances contain a hidden row, which is neither income nor spending.
                guard !row.isHidden else {
                    flows[row.date.yearMonth]?[currency]?.add(
                        income: 0,
                        expense: 0,
                        moved: Int128(row.changeMinor)
                    )
                    continue
                }
                let isIncome = row.kind == .income && !row.isRefund
                flows[row.date.yearMonth]?[currency]?.add(
                    income: isIncome ? Int128(row.amount.minor) : 0,
                    expense: isIncome ? 0 : -Int128(row.changeMinor),
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

/// The months of a report of balances, and the balances from which it goes back.
private struct MonthEnds {
    var months: ClosedRange<YearMonth>
    /// At the end of the last month, or of today; if no month ends today, with the balances after everything.
    let accounts: [AccountBalance]
    /// Whether transactions of the range are to come. The months then end with the present one, which ends today.
    let endsToday: Bool
    /// The days of the present month that are to come.
    let rest: ClosedRange<CivilDate>?
    let lastDay: CivilDate

    /// - Parameters:
    ///   - months: if today is in them or between them, they end with the present month. Otherwise all of them are over,
    ///     or to come.
    init(
        _ months: ClosedRange<YearMonth>,
        _ db: BookDatabase,
        _ lookups: Lookups,
        beside bank: BankRows?,
        through today: CivilDate
    ) throws {
        let present = today.yearMonth
        let last = months.lowerBound <= present ? min(months.upperBound, present) : months.upperBound
        self.months = months.lowerBound...last
        let toCome = lookups.daysToCome(in: months.days, after: today, beside: bank)
        endsToday = toCome != nil
        rest = endsToday ? (present...present).days.daysToCome(after: today) : nil
        lastDay = endsToday ? today : last.lastDay
        accounts = try db.balances(
            lookups.accounts,
            lookups,
            beside: bank,
            through: endsToday ? today : .distantFuture
        )
    }
}

extension BookDatabase {
    /// Passes the balances of accounts at the end of each month of a range, the newest month first.
    ///
    /// The calculation goes backwards from the present balances, so that its cost depends on the range and the months
    /// after it.
    fileprivate func forEachMonth(
        of ends: MonthEnds,
        backwards accounts: [AccountBalance],
        beside bank: BankRows?,
        _ body: (YearMonth, [MonthBalance]) throws -> Void
    ) throws {
        let months = ends.months
        var changes: [Int: [EntityID: Int128]] = [:]
        func add(_ month: Int, _ account: EntityID, _ change: Int128) {
            // The balances of today have nothing of the months after it.
            guard !ends.endsToday || month <= months.upperBound.index else { return }
            changes[min(month, months.upperBound.index + 1), default: [:]][account, default: 0] += change
        }
        let sql = "SELECT month, account, delta_minor FROM account_months WHERE month > ?"
        try forEach(sql, [months.lowerBound.index]) { row in
            add(row.int(0), try row.id(1), Int128(row.int64(2)))
        }
        for (month, changed) in bank?.changes(after: months.lowerBound) ?? [:] {
            for (account, change) in changed { add(month.index, account, change) }
        }
        for account in accounts {
            guard let day = account.opening.day, day.yearMonth > months.lowerBound else { continue }
            // The balances of today have nothing of an opening balance after it.
            if !ends.endsToday || day <= ends.lastDay {
                add(day.yearMonth.index, account.account.id, account.opening.minor)
            }
        }
        if let rest = ends.rest {
            let present = months.upperBound.index
            for (account, change) in try self.changes(of: rest) { add(present, account, -change) }
            for row in bank?.booked.of(rest) ?? [] { add(present, row.account, -Int128(row.changeMinor)) }
        }
        var balances = accounts.map(\.balanceMinor)
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
