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

    var totals: [CurrencyTotal] { Self.totals(live) }

    static func totals(_ rows: [Transaction]) -> [CurrencyTotal] {
        var totals: [CurrencyCode: CurrencyTotal] = [:]
        for row in rows {
            let currency = row.amount.currency
            var total =
                totals[currency]
                ?? CurrencyTotal(currency: currency, incomeMinor: 0, expenseMinor: 0, count: 0)
            total.count += 1
            if row.kind == .income { total.incomeMinor += row.amount.minor }
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
                && (query.kind.map { row.kind == $0 } ?? true) && words.allSatisfy { holds(row, $0) }
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
            DayTotal(date: date, totals: Self.totals(all.filter { $0.date == date }))
        }
        let next =
            rest.count > rows.count ? rows.last.map { TransactionCursor(date: $0.date, id: $0.id) } : nil
        return TransactionPage(rows: rows, days: days, totals: Self.totals(all), next: next)
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
        return Set(groups.flatMap { key, rows in Self.totals(rows).map { ReportRow(key: key, total: $0) } })
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

    func statuses(_ month: YearMonth) -> [BudgetStatus] {
        var holding: [EntityID?: Budget] = [:]
        for budget in budgets.values.sorted(by: { ($0.from, $0.id) < ($1.from, $1.id) })
        where budget.from <= month {
            holding[budget.category] = budget
        }
        let expenses = live.filter { $0.kind == .expense }
        return holding.values.sorted {
            ($0.category == nil ? 0 : 1, $0.id) < ($1.category == nil ? 0 : 1, $1.id)
        }.map { budget in
            let family = budget.category.map(family)
            let covered = expenses.filter { row in
                family.map { family in row.category.map(family.contains) ?? false } ?? true
            }
            func spent(_ month: YearMonth) -> [Transaction] { covered.filter { $0.date.yearMonth == month } }
            func sum(_ rows: [Transaction]) -> Int64 {
                rows.reduce(0) { $0 + ($1.amount.currency == budget.limit.currency ? $1.amount.minor : 0) }
            }
            let earlier =
                budget.rollover ? (budget.from.index..<month.index).map { YearMonth(index: $0) } : []
            return BudgetStatus(
                budget: budget,
                carriedMinor: earlier.reduce(0) { $0 + budget.limit.minor - sum(spent($1)) },
                spentMinor: sum(spent(month)),
                leftOutCount: spent(month).filter { $0.amount.currency != budget.limit.currency }.count
            )
        }
    }
}
