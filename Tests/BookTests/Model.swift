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

    var live: [Transaction] {
        transactions.values.filter { !$0.isDeleted }.map(\.transaction).sorted {
            ($0.date, $0.id) > ($1.date, $1.id)
        }
    }

    var totals: [CurrencyTotal] { totals(live) }

    func isRefund(_ row: Transaction) -> Bool {
        row.kind == .income && row.category.flatMap { categories[$0]?.kind } == .expense
    }

    /// The amount in a currency in which it is known, preferably the given one.
    func charged(_ row: Transaction, _ base: CurrencyCode) -> Money {
        let held = accounts[row.account]?.currency ?? base
        if held != base, row.amount.currency == base { return row.amount }
        return Money(minor: row.accountMinor, currency: held)
    }

    /// The totals of charges and receipts of accounts, without transfers.
    func chargedTotals(_ rows: [Transaction], _ base: CurrencyCode) -> [CurrencyTotal] {
        totals(
            rows.filter { $0.kind != .transfer }.map { row in
                var row = row
                row.amount = charged(row, base)
                return row
            }
        )
    }

    func totals(_ rows: [Transaction]) -> [CurrencyTotal] {
        var totals: [CurrencyCode: CurrencyTotal] = [:]
        for row in rows {
            let currency = row.amount.currency
            var total =
                totals[currency]
                ?? CurrencyTotal(currency: currency, incomeMinor: 0, expenseMinor: 0, count: 0)
            total.count += 1
            if row.kind == .income, !isRefund(row) { total.incomeMinor += row.amount.minor }
            if isRefund(row) { total.expenseMinor -= row.amount.minor }
            if row.kind == .expense { total.expenseMinor += row.amount.minor }
            totals[currency] = total
        }
        return totals.values.sorted { $0.currency < $1.currency }
    }

    func balances(upTo month: YearMonth? = nil) -> [EntityID: Int64] {
        var balances = accounts.mapValues(\.openingMinor)
        for row in live where month.map({ row.date.yearMonth <= $0 }) ?? true {
            balances[row.account, default: 0] += row.kind == .income ? row.accountMinor : -row.accountMinor
            if let toAccount = row.toAccount { balances[toAccount, default: 0] += row.toMinor ?? 0 }
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
        return live.filter { row in
            (query.month.map { row.date.yearMonth == $0 } ?? true)
                && (query.account.map { row.account == $0 || row.toAccount == $0 } ?? true)
                && isWanted(row, query.category)
                && (!query.isSpending || row.kind == .expense || isRefund(row))
                && isWanted(row, query.counts)
                && (query.kind.map { row.kind == $0 } ?? true) && words.allSatisfy { holds(row, $0) }
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
        }
    }

    /// For the plain ASCII words and amounts that the random tests search for, and Japanese.
    private func holds(_ row: Transaction, _ word: String) -> Bool {
        let category = row.category.flatMap { categories[$0] }
        let names = [
            accounts[row.account]?.name, row.toAccount.flatMap { accounts[$0]?.name }, category?.name,
            category?.parent.flatMap { categories[$0]?.name },
        ].compactMap(\.self)
        let texts = [row.payee, row.note] + row.tags + names
        if !word.utf8.allSatisfy({ $0 < 128 }) { return texts.contains { $0.contains(word) } }
        let words = texts.flatMap { $0.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) }
        if words.contains(where: { $0.hasPrefix(word.lowercased()) }) { return true }
        guard word.allSatisfy(\.isNumber) else { return false }
        return [word, word + "00"].contains(String(row.amount.minor))
    }

    func page(_ query: TransactionQuery) -> TransactionPage {
        let all = found(query)
        let rest = all.filter { row in query.after.map { (row.date, row.id) < ($0.date, $0.id) } ?? true }
        let rows = Array(rest.prefix(query.limit))
        let days = Set(rows.map(\.date)).sorted(by: >).map { date in
            DayTotal(date: date, totals: totals(all.filter { $0.date == date }))
        }
        let next =
            rest.count > rows.count ? rows.last.map { TransactionCursor(date: $0.date, id: $0.id) } : nil
        return TransactionPage(rows: rows, days: days, totals: totals(all), next: next)
    }

    func report(_ span: ClosedRange<YearMonth>, _ group: ReportGroup) -> Set<ReportRow> {
        var groups: [ReportRow.Key: [Transaction]] = [:]
        for row in live where span.contains(row.date.yearMonth) {
            switch group {
            case .month: groups[.month(row.date.yearMonth), default: []].append(row)
            case .account:
                groups[.account(row.account), default: []].append(row)
                if let toAccount = row.toAccount { groups[.account(toAccount), default: []].append(row) }
            case .category where row.kind != .transfer:
                groups[.category(row.category), default: []].append(row)
            case .payee where row.kind != .transfer && !row.payee.isEmpty:
                groups[.payee(row.payee), default: []].append(row)
            default: break
            }
        }
        return Set(groups.flatMap { key, rows in totals(rows).map { ReportRow(key: key, total: $0) } })
    }

    func netWorth(_ span: ClosedRange<YearMonth>) -> [NetWorthPoint] {
        (span.lowerBound.index...span.upperBound.index).flatMap { index in
            let month = YearMonth(index: index)
            var worth: [CurrencyCode: Int64] = [:]
            for (id, balance) in balances(upTo: month) {
                guard let currency = accounts[id]?.currency else { continue }
                worth[currency, default: 0] += balance
            }
            return worth.sorted { $0.key < $1.key }.map {
                NetWorthPoint(month: month, currency: $0.key, balanceMinor: $0.value)
            }
        }
    }

    /// The budget in effect, month by month.
    func budget(_ category: EntityID?, in month: YearMonth) -> Budget? {
        let rows = budgets.values.filter { $0.category == category && $0.from <= month }
        guard let last = rows.max(by: { ($0.from, $0.id) < ($1.from, $1.id) }) else { return nil }
        return last.until.map { month <= $0 } ?? true ? last : nil
    }

    /// The spending of a month by a budget: exact, and the rows that are left out.
    func spent(_ budget: Budget, in month: YearMonth) -> (minor: Int64, leftOut: Int) {
        let family = budget.category.map(family)
        var (minor, leftOut) = (Int64(0), 0)
        for row in live where row.date.yearMonth == month && (row.kind == .expense || isRefund(row)) {
            if let family, !(row.category.map(family.contains) ?? false) { continue }
            let amount = charged(row, budget.limit.currency)
            if amount.currency != budget.limit.currency {
                leftOut += 1
            } else {
                minor += isRefund(row) ? -amount.minor : amount.minor
            }
        }
        return (minor, leftOut)
    }

    func pace(_ budget: Budget, current: YearMonth) -> BudgetPace {
        if let pace = budget.pace { return pace }
        guard let family = budget.category.map(family) else { return .spread }
        let counts = (1...3).map { back in
            live.count { row in
                row.kind == .expense && (row.category.map(family.contains) ?? false)
                    && row.date.yearMonth.index == current.index - back
            }
        }
        return counts.max() == 1 && counts.reduce(0, +) >= 2 ? .once : .spread
    }

    func statuses(_ month: YearMonth, current: YearMonth) -> [BudgetStatus] {
        let categories = Set(budgets.values.map(\.category))
        return categories.compactMap { budget($0, in: month) }.sorted {
            ($0.category == nil ? 0 : 1, $0.id) < ($1.category == nil ? 0 : 1, $1.id)
        }.map { budget in
            var carried: Int64 = 0
            let start = budget.carryFrom ?? budget.from
            if budget.rollover, start < month {
                for index in start.index..<month.index {
                    let earlier = YearMonth(index: index)
                    guard let held = self.budget(budget.category, in: earlier),
                        held.limit.currency == budget.limit.currency
                    else { continue }
                    carried += held.limit.minor - spent(held, in: earlier).minor
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
