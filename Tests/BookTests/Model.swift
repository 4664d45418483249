// A naive book in memory that adds everything up anew at every question: what the real one is held against.
import Ledger

@testable import Book

struct Model {
    struct Held {
        var transaction: Transaction
        var isDeleted = false
    }

    var accounts: [EntityID: Account] = [:]
    var categories: [EntityID: Ledger.Category] = [:]
    var transactions: [EntityID: Held] = [:]
    var budgets: [EntityID: Budget] = [:]
    /// The day after which nothing counts.
    var today = CivilDate.distantFuture
    var withReceipts: Set<EntityID> = []

    var live: [Transaction] {
        transactions.values.filter { !$0.isDeleted }.map(\.transaction).sorted {
            ($0.date, $0.id) > ($1.date, $1.id)
        }
    }

    var totals: [CurrencyTotal] { totals(live) }

    func isRefund(_ row: Transaction) -> Bool {
        row.kind == .income && row.category.flatMap { categories[$0]?.kind } == .expense
    }

    /// A transaction as one without a split for each of its parts, with the part's category and its share of what the
    /// account was charged.
    func pieces(_ row: Transaction) -> [Transaction] {
        guard case .parts(let parts)? = row.split else { return [row] }
        var upTo: Int64 = 0
        // Parts below zero are divided at the end.
        return (parts.filter { $0.minor > 0 } + parts.filter { $0.minor < 0 }).map { part in
            var piece = row
            piece.split = nil
            (piece.category, piece.amount.minor) = (part.category, part.minor)
            let before = row.accountMinor * upTo / row.amount.minor
            upTo += part.minor
            piece.accountMinor = row.accountMinor * upTo / row.amount.minor - before
            return piece
        }
    }

    /// A transaction in one category.
    private struct Use: Hashable {
        let id: EntityID
        let category: EntityID?
    }

    /// The amount in a currency in which it is known, preferably the given one.
    func charged(_ row: Transaction, _ base: CurrencyCode) -> Money {
        let held = accounts[row.account]?.currency ?? base
        if held != base, row.amount.currency == base { return row.amount }
        return Money(minor: row.accountMinor, currency: held)
    }

    /// The totals of charges and receipts of accounts, without transfers. A transaction counts once in each category.
    func chargedTotals(_ rows: [Transaction], _ base: CurrencyCode) -> [CurrencyTotal] {
        totals(rows.filter { $0.kind != .transfer }, knownIn: base, byCategory: true)
    }

    /// The totals of rows: in the currencies paid, or else in one currency where the amount is known in it.
    func totals(
        _ rows: [Transaction],
        knownIn base: CurrencyCode? = nil,
        byCategory: Bool = false,
        asCharged: Bool = false
    ) -> [CurrencyTotal] {
        let rows = rows.flatMap(pieces).map { row in
            var row = row
            guard row.kind != .transfer else { return row }
            if asCharged {
                let currency = accounts[row.account]?.currency ?? row.amount.currency
                row.amount = Money(minor: row.accountMinor, currency: currency)
            } else if let base {
                row.amount = charged(row, base)
            }
            return row
        }
        var totals: [CurrencyCode: CurrencyTotal] = [:]
        var uses: Set<Use> = []
        for row in rows {
            let currency = row.amount.currency
            var total =
                totals[currency]
                ?? CurrencyTotal(currency: currency, incomeMinor: 0, expenseMinor: 0, count: 0)
            if uses.insert(Use(id: row.id, category: byCategory ? row.category : nil)).inserted {
                total.count += 1
            }
            if row.kind == .income, !isRefund(row) { total.incomeMinor += Int128(row.amount.minor) }
            if isRefund(row) { total.expenseMinor -= Int128(row.amount.minor) }
            if row.kind == .expense { total.expenseMinor += Int128(row.amount.minor) }
            totals[currency] = total
        }
        return totals.values.sorted { $0.currency < $1.currency }
    }

    func balances(upTo month: YearMonth? = nil) -> [EntityID: Int128] {
        let last = min(month?.lastDay ?? today, today)
        var balances = accounts.mapValues { account in
            account.openingDay.map { $0 > last } ?? false ? 0 : Int128(account.openingMinor)
        }
        for row in live where row.date <= last {
            let minor = Int128(row.accountMinor)
            balances[row.account, default: 0] += row.kind == .income ? minor : -minor
            if let toAccount = row.toAccount { balances[toAccount, default: 0] += Int128(row.toMinor ?? 0) }
        }
        return balances
    }

    func accountBalances() -> [AccountBalance] {
        let balances = balances()
        return accounts.values.sorted { $0.id < $1.id }.map { account in
            AccountBalance(
                account: account,
                balanceMinor: balances[account.id] ?? 0,
                transactionCount: live.filter { $0.account == account.id || $0.toAccount == account.id }.count
            )
        }
    }

    func family(_ id: EntityID) -> Set<EntityID> {
        Set([id] + categories.values.filter { $0.parent == id }.map(\.id))
    }

    func found(_ query: TransactionQuery) -> [Transaction] {
        let words = (query.text ?? "").split(whereSeparator: \.isWhitespace).map { String($0) }
        let rows = live.filter { row in
            (query.days.map { $0.contains(row.date) } ?? true)
                && (query.payee.map { row.payee == $0 } ?? true)
                && (query.account.map { row.account == $0 || row.toAccount == $0 } ?? true)
                && (!query.isOfDailyUse || isForDailyUse(row.account) || isForDailyUse(row.toAccount))
                && !wanted(row, query).isEmpty
                && isWanted(row, query.counts)
                && (query.amount?.passes(row.amount) ?? true)
                && query.tags.allSatisfy { tag in row.tags.contains { $0.lowercased() == tag.lowercased() } }
                && (!query.isWithReceipt || withReceipts.contains(row.id))
                && (!query.isFromBank || row.bankTransaction != nil)
                && (query.kind.map { row.kind == $0 } ?? true) && words.allSatisfy { holds(row, $0) }
        }
        return sorted(rows, by: query.sort)
    }

    /// The rows, which are the newest first, in another order.
    private func sorted(_ rows: [Transaction], by sort: TransactionSort) -> [Transaction] {
        func units(_ row: Transaction) -> Double {
            Double(row.amount.minor)
                / [0: 1, 2: 100, 3: 1_000][row.amount.currency.decimals, default: 10_000]
        }
        func precedes(_ one: Transaction, _ other: Transaction) -> Bool? {
            switch sort.key {
            case .date: nil
            case .amount where units(one) == units(other): nil
            case .amount: (units(one) < units(other)) != sort.isDescending
            case .payee where one.payee.lowercased() == other.payee.lowercased(): nil
            case .payee where one.payee.isEmpty || other.payee.isEmpty: other.payee.isEmpty
            case .payee: (one.payee.lowercased() < other.payee.lowercased()) != sort.isDescending
            }
        }
        if sort.key == .date { return sort.isDescending ? rows : rows.reversed() }
        return rows.enumerated().sorted { one, other in
            precedes(one.element, other.element) ?? (one.offset < other.offset)
        }.map(\.element)
    }

    private func isForDailyUse(_ account: EntityID?) -> Bool {
        [.cash, .bank, .card].contains(account.flatMap { accounts[$0]?.type })
    }

    /// The transfers of a page, as the accounts of its filter see them.
    func moved(_ rows: [Transaction], _ query: TransactionQuery) -> [MoneySum] {
        let isWithout =
            query.category != nil || query.isSpending || query.payee != nil || query.counts != nil
            || query.isOfDetails || !(query.text ?? "").allSatisfy(\.isWhitespace)
        guard !isWithout else { return [] }
        var sums: [CurrencyCode: Int128] = [:]
        for row in rows where row.kind == .transfer {
            for (account, minor) in [(row.account, -row.accountMinor), (row.toAccount, row.toMinor ?? 0)] {
                guard let account, let currency = accounts[account]?.currency,
                    query.isOfDailyUse ? isForDailyUse(account) : query.account == account
                else { continue }
                sums[currency, default: 0] += Int128(minor)
            }
        }
        return sums.filter { $0.value != 0 }.sorted { $0.key < $1.key }
            .map { MoneySum(minor: $0.value, currency: $0.key) }
    }

    /// The pieces of a row that pass the filters by category and by spending.
    func wanted(_ row: Transaction, _ query: TransactionQuery) -> [Transaction] {
        pieces(row).filter { piece in
            isWanted(piece, query.category)
                && (!query.isSpending || piece.kind == .expense || isRefund(piece))
        }
    }

    private func isWanted(_ row: Transaction, _ filter: CountFilter?) -> Bool {
        let currencies = [row.amount.currency, accounts[row.account]?.currency]
        return switch filter {
        case nil: true
        case .known(let code): currencies.contains(code)
        case .leftOut(let code): !currencies.contains(code)
        }
    }

    private func isWanted(_ row: Transaction, _ filter: CategoryFilter?) -> Bool {
        switch filter {
        case nil: true
        case .uncategorized: row.kind != .transfer && row.category == nil
        case .family(let id): row.category.map(family(id).contains) ?? false
        case .alone(let id): row.category == id
        }
    }

    /// For the plain ASCII words and amounts that the random tests search for, and Japanese.
    private func holds(_ row: Transaction, _ word: String) -> Bool {
        let used = pieces(row).compactMap { $0.category.flatMap { categories[$0] } }
        let names =
            [accounts[row.account]?.name, row.toAccount.flatMap { accounts[$0]?.name }].compactMap(\.self)
            + used.flatMap { [$0.name, $0.parent.flatMap { categories[$0]?.name }].compactMap(\.self) }
        let notes = (row.split?.parts ?? []).map(\.note)
        let texts = [row.payee, row.note] + row.tags + names + notes
        if !word.utf8.allSatisfy({ $0 < 128 }) { return texts.contains { $0.contains(word) } }
        let words = texts.flatMap { $0.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) }
        if words.contains(where: { $0.hasPrefix(word.lowercased()) }) { return true }
        return amounts(row).contains { [word, word + ".00"].contains($0.typed) }
    }

    /// The amounts that a row shows in lists and registers.
    func amounts(_ row: Transaction) -> [Money] {
        let ends = [(row.account, row.accountMinor), (row.toAccount, row.toMinor)] as [(EntityID?, Int64?)]
        return [row.amount]
            + ends.compactMap { end, minor in
                guard let minor, let currency = end.flatMap({ accounts[$0]?.currency }) else { return nil }
                return Money(minor: minor, currency: currency)
            }
            + (row.split?.parts ?? []).map { Money(minor: $0.minor, currency: row.amount.currency) }
    }

    /// - Parameter found: what the query finds, for callers that read page after page.
    func page(
        _ query: TransactionQuery,
        of found: [Transaction]? = nil,
        knownIn base: CurrencyCode? = nil
    ) -> TransactionPage {
        let all = found ?? self.found(query)
        // The row that was the last may be gone, but not in these tests.
        let place = query.after.flatMap { after in all.firstIndex { $0.id == after.id } }
        let rest = all[(place.map { $0 + 1 } ?? 0)...]
        let rows = Array(rest.prefix(query.limit))
        let isNewestFirst = query.sort.isDescending
        let dates = query.sort.key == .date ? Set(rows.map(\.date)) : []
        let days = dates.sorted { ($0 > $1) == isNewestFirst }.map { date in
            let ofDay = all.filter { $0.date == date }
            return DayTotal(
                date: date,
                totals: totals(
                    ofDay.flatMap { wanted($0, query) },
                    knownIn: base,
                    asCharged: query.isOfDailyUse || query.isAsCharged
                )
            )
        }
        let next =
            rest.count > rows.count ? rows.last.map { query.sort.cursor(after: $0) } : nil
        var page = TransactionPage(
            rows: rows,
            days: days,
            totals: totals(
                all.flatMap { wanted($0, query) },
                knownIn: base,
                asCharged: query.isOfDailyUse || query.isAsCharged
            ),
            moved: moved(all, query),
            next: next
        )
        for row in rows {
            let minor = wanted(row, query).reduce(0) { $0 + $1.amount.minor }
            if minor != row.amount.minor { page.partMinors[row.id] = minor }
        }
        return page
    }

    func report(_ span: ClosedRange<YearMonth>, _ group: ReportGroup, knownIn base: CurrencyCode? = nil)
        -> Set<ReportRow>
    {
        // If everything was paid in the currency, the report is the one by currencies.
        let base = live.allSatisfy { $0.amount.currency == base } ? nil : base
        var groups: [ReportRow.Key: [Transaction]] = [:]
        for row in live where span.contains(row.date.yearMonth) && (base == nil || row.kind != .transfer) {
            switch group {
            case .month: groups[.month(row.date.yearMonth), default: []].append(row)
            case .account:
                groups[.account(row.account), default: []].append(row)
                if let toAccount = row.toAccount { groups[.account(toAccount), default: []].append(row) }
            case .category where row.kind != .transfer:
                for piece in pieces(row) { groups[.category(piece.category), default: []].append(piece) }
            case .payee where row.kind != .transfer:
                groups[.payee(row.payee), default: []].append(row)
            default: break
            }
        }
        return Set(
            groups.flatMap { key, rows in
                totals(rows, knownIn: base).map { ReportRow(key: key, total: $0) }
            }
        )
    }

    func netWorth(_ span: ClosedRange<YearMonth>) -> [NetWorthPoint] {
        (span.lowerBound.index...span.upperBound.index).flatMap { index in
            let month = YearMonth(index: index)
            var worth: [CurrencyCode: (balance: Int128, debt: Int128)] = [:]
            for (id, balance) in balances(upTo: month) {
                guard let currency = accounts[id]?.currency else { continue }
                worth[currency, default: (0, 0)].balance += balance
                if balance < 0 { worth[currency, default: (0, 0)].debt += balance }
            }
            return worth.sorted { $0.key < $1.key }.map {
                NetWorthPoint(
                    month: month,
                    currency: $0.key,
                    balanceMinor: $0.value.balance,
                    debtMinor: $0.value.debt
                )
            }
        }
    }

    func accountWorth(_ span: ClosedRange<YearMonth>) -> Set<AccountWorth> {
        let before = balances(upTo: span.lowerBound.previous)
        let after = balances(upTo: span.upperBound)
        return Set(
            accounts.values.map { account in
                AccountWorth(
                    account: account.id,
                    currency: account.currency,
                    beforeMinor: before[account.id] ?? 0,
                    afterMinor: after[account.id] ?? 0,
                    openedMinor: opened(account, in: span)
                )
            }
        )
    }

    /// The opening balance that counts from a day of some months on.
    private func opened(_ account: Account, in span: ClosedRange<YearMonth>) -> Int128 {
        guard let day = account.openingDay, span.contains(day.yearMonth), day <= today else { return 0 }
        return Int128(account.openingMinor)
    }

    func cashFlow(_ span: ClosedRange<YearMonth>) -> [CashFlow] {
        let daily = accounts.values.filter { [.cash, .bank, .card].contains($0.type) }
        return (span.lowerBound.index...span.upperBound.index).flatMap { index in
            let month = YearMonth(index: index)
            let balances = balances(upTo: month)
            return Set(daily.map(\.currency)).sorted().map { currency in
                var flow = CashFlow(month: month, currency: currency)
                for account in daily where account.currency == currency {
                    flow.endMinor += balances[account.id] ?? 0
                    flow.openedMinor += opened(account, in: month...month)
                    for row in live where row.date.yearMonth == month { add(row, on: account.id, to: &flow) }
                }
                return flow
            }
        }
    }

    private func add(_ row: Transaction, on account: EntityID, to flow: inout CashFlow) {
        if row.kind == .transfer {
            if row.account == account { flow.movedMinor -= Int128(row.accountMinor) }
            if row.toAccount == account { flow.movedMinor += Int128(row.toMinor ?? 0) }
        } else if row.account == account {
            for piece in pieces(row) {
                let minor = Int128(piece.accountMinor)
                if piece.kind == .expense {
                    flow.expenseMinor += minor
                } else if isRefund(piece) {
                    flow.expenseMinor -= minor
                } else {
                    flow.incomeMinor += minor
                }
            }
        }
    }

    /// The spending in each category and currency.
    func spending(_ days: ClosedRange<CivilDate>) -> Set<ReportRow> {
        let rows = live.filter { days.contains($0.date) }.flatMap(pieces)
            .filter { $0.kind == .expense || isRefund($0) }
        return Set(
            Dictionary(grouping: rows, by: \.category).flatMap { category, rows in
                chargedTotals(rows, .eur).filter { $0.expenseMinor != 0 }
                    .map { ReportRow(key: .category(category), total: $0) }
            }
        )
    }

    /// The budget in effect, month by month.
    func budget(_ category: EntityID?, in month: YearMonth) -> Budget? {
        let rows = budgets.values.filter { $0.category == category && $0.from <= month }
        guard let last = rows.max(by: { ($0.from, $0.id) < ($1.from, $1.id) }) else { return nil }
        return last.until.map { month <= $0 } ?? true ? last : nil
    }

    /// The spending of a month by a budget: exact, and the rows that are left out.
    func spent(_ budget: Budget, in month: YearMonth) -> (minor: Int128, leftOut: Int) {
        let family = budget.category.map(family)
        var (minor, leftOut) = (Int128(0), 0)
        var uses: Set<Use> = []
        for row in live.flatMap(pieces)
        where row.date.yearMonth == month && (row.kind == .expense || isRefund(row)) {
            if let family, !(row.category.map(family.contains) ?? false) { continue }
            let amount = charged(row, budget.limit.currency)
            if amount.currency != budget.limit.currency {
                if uses.insert(Use(id: row.id, category: row.category)).inserted { leftOut += 1 }
            } else {
                minor += Int128(isRefund(row) ? -amount.minor : amount.minor)
            }
        }
        return (minor, leftOut)
    }

    func pace(_ budget: Budget, current: YearMonth) -> BudgetPace {
        if let pace = budget.pace { return pace }
        guard let family = budget.category.map(family) else { return .spread }
        let counts = (1...3).map { back in
            let paid = live.flatMap(pieces).filter { row in
                row.kind == .expense && (row.category.map(family.contains) ?? false)
                    && row.date.yearMonth.index == current.index - back
            }
            // A category to which as much came back was not paid.
            let sums = Dictionary(grouping: paid) { "\($0.amount.currency) \($0.category?.low ?? 0)" }
            let counted = sums.values.filter { $0.reduce(0) { $0 + $1.amount.minor } > 0 }.flatMap(\.self)
            return Set(counted.map { Use(id: $0.id, category: $0.category) }).count
        }
        return counts.max() == 1 && counts.reduce(0, +) >= 2 ? .once : .spread
    }

    /// The budget of the same category that holds until this one begins.
    private func before(_ budget: Budget) -> Budget? {
        budgets.values.filter { $0.category == budget.category && $0.from < budget.from }
            .max { $0.from < $1.from }.map { asItHolds($0) }
    }

    /// The month within a budget in which carry-over was switched on or off.
    private func switched(_ budget: Budget) -> YearMonth? {
        budget.carryFrom.flatMap { $0 > budget.from ? $0 : nil }
    }

    private func carries(_ budget: Budget, into month: YearMonth) -> Bool {
        guard let switched = switched(budget) else { return budget.rollover }
        return budget.rollover ? month > switched : month < switched
    }

    /// The first month that carries over, in the months of a budget that do.
    private func carryStart(_ budget: Budget) -> YearMonth {
        guard switched(budget) != nil, !budget.rollover else { return budget.carryFrom ?? budget.from }
        guard let before = before(budget), before.limit.currency == budget.limit.currency,
            before.isOpen(in: budget.from.previous), carries(before, into: budget.from)
        else { return budget.from }
        return carryStart(before)
    }

    /// A budget with the pace of the one before it, and with a switch of that one in months of this one.
    private func asItHolds(_ stored: Budget) -> Budget {
        var budget = stored
        guard let before = before(stored) else { return budget }
        budget.pace = stored.pace ?? before.pace
        guard let month = switched(before), month >= stored.from, before.isOpen(in: stored.from.previous)
        else {
            return budget
        }
        budget.rollover = before.rollover
        if month > stored.from {
            budget.carryFrom = month
        } else {
            let start = carryStart(before)
            budget.carryFrom = before.rollover || start >= stored.from ? nil : start
        }
        return budget
    }

    func statuses(_ month: YearMonth, current: YearMonth) -> [BudgetStatus] {
        let categories = Set(budgets.values.map(\.category))
        return categories.compactMap { budget($0, in: month) }.map { asItHolds($0) }.sorted {
            ($0.category == nil ? 0 : 1, $0.id) < ($1.category == nil ? 0 : 1, $1.id)
        }.map { budget in
            var carried: Int128 = 0
            let start = carryStart(budget)
            if carries(budget, into: month), start < month {
                for index in start.index..<month.index {
                    let earlier = YearMonth(index: index)
                    guard let held = self.budget(budget.category, in: earlier),
                        held.limit.currency == budget.limit.currency
                    else { continue }
                    carried += Int128(held.limit.minor) - spent(held, in: earlier).minor
                }
            }
            let spent = spent(budget, in: month)
            return BudgetStatus(
                budget: budget,
                carriedMinor: carried,
                spentMinor: spent.minor,
                leftOutCount: spent.leftOut,
                pace: pace(budget, current: current)
            )
        }
    }
}
