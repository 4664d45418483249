// The use of budgets in a month, and what earlier months tell about them.
import GRDB
import Ledger
import Storage

/// The use of all budgets in one month.
struct BudgetProgress {
    private let db: BookDatabase
    private let lookups: Lookups
    private let month: YearMonth
    /// The present month. The months before it are full.
    private let current: YearMonth
    private let converter: CurrencyConverter?
    /// The rows of banks that are added; nil for none.
    private let bank: BankRows?

    /// The number of full months from which paces and suggestions are derived.
    private static let fullMonths = 3

    init(
        _ db: BookDatabase,
        _ lookups: Lookups,
        month: YearMonth,
        current: YearMonth,
        converter: CurrencyConverter?,
        bank: BankRows? = nil
    ) {
        self.db = db
        self.lookups = lookups
        self.month = month
        self.current = current
        self.converter = converter
        self.bank = bank
    }

    /// The charges of a range of months, including the charges of the rows of banks.
    func charges(in months: ClosedRange<YearMonth>) throws -> [Charge] {
        try db.charges(in: months) + (bank?.charges(in: months) ?? [])
    }

    /// The charges of the month up to a day, and after it if the day is in the month.
    func charges(through today: CivilDate) throws -> DatedCharges {
        let all = try charges(in: month...month)
        guard
            let days = lookups.daysToCome(in: month.firstDay...month.lastDay, after: today, beside: bank)
        else { return DatedCharges(soFar: all) }
        let later = try db.charges(of: days) + (bank?.open.of(days).charges ?? [])
        return DatedCharges(soFar: all.without(later), toCome: later)
    }

    /// The budgets that are in effect in the month: the budget for all spending first, then by id.
    /// - Parameter charges: the charges of the month.
    func statuses(_ charges: DatedCharges) throws -> [BudgetStatus] {
        var rows: [EntityID?: [Budget]] = [:]
        let sql = """
            SELECT \(Budget.columns) FROM budgets WHERE deleted_at IS NULL AND from_month <= ?
            ORDER BY from_month, id
            """
        try db.forEach(sql, [month.index]) { row in
            let budget = try Budget(row)
            rows[budget.category, default: []].append(budget)
        }
        let chains = rows.values.map(BudgetChain.init).filter { $0.rows.last?.isOpen(in: month) ?? false }
        let payments = try paymentCounts(for: chains.compactMap(\.rows.last))
        let statuses = try chains.compactMap { chain -> BudgetStatus? in
            guard let budget = chain.rows.last else { return nil }
            let covered = budget.category.map(lookups.family(of:))
            let spent = spending(of: charges.soFar, among: covered, in: budget.limit.currency)
            let toCome = spending(of: charges.toCome, among: covered, in: budget.limit.currency)
            var status = BudgetStatus(
                budget: budget,
                carriedMinor: try carried(in: chain, covered),
                spentMinor: spent.minor,
                leftOutCount: spent.leftOutCount,
                convertedCount: spent.convertedCount,
                pace: pace(of: budget, payments)
            )
            status.toComeMinor = toCome.minor
            return status
        }
        return statuses.sorted { left, right in
            let (first, second) = (left.budget, right.budget)
            return (first.category == nil ? 0 : 1, first.id) < (second.category == nil ? 0 : 1, second.id)
        }
    }

    private func spending(of charges: [Charge], among covered: [EntityID]?, in currency: CurrencyCode)
        -> SpendingTotal
    {
        var sum = SpendingSum(in: currency)
        for charge in charges where charge.counts(among: covered) { charge.add(to: &sum) }
        return sum.total(converter)
    }

    /// The way of spending of one budget.
    func pace(of budget: Budget) throws -> BudgetPace { pace(of: budget, try paymentCounts(for: [budget])) }

    /// The limits less the spending of the months before, from the first month that carries over.
    /// - Parameter chain: the budgets of one category up to the month. Each holds until the next one begins.
    private func carried(in chain: BudgetChain, _ covered: [EntityID]?) throws -> Int128 {
        let rows = chain.rows
        guard let budget = rows.last, budget.carries(into: month) else { return 0 }
        let first = chain.carryStart(rows.endIndex - 1)
        guard first < month else { return 0 }
        // 128 bits suffice for the longest calendar at the highest limit.
        var carried: Int128 = 0
        for (index, row) in rows.enumerated() where row.limit.currency == budget.limit.currency {
            let next = index + 1 < rows.count ? rows[index + 1].from.index : month.index
            let start = max(row.from.index, first.index)
            let end = min(next, month.index, row.until.map { $0.index + 1 } ?? month.index)
            guard start < end else { continue }
            let span = YearMonth(index: start)...YearMonth(index: end - 1)
            var spent = try db.spending(in: span, of: covered, currency: row.limit.currency)
            for charge in bank?.charges(in: span) ?? [] where charge.counts(among: covered) {
                charge.add(to: &spent)
            }
            carried += Int128(row.limit.minor) * Int128(end - start) - spent.total(converter).minor
        }
        return carried
    }

    /// The numbers of expenses in the last full months, by category and month; none if no budget needs them. What came
    /// back is no payment.
    private func paymentCounts(for budgets: [Budget]) throws -> [EntityID: [Int: Int]] {
        guard budgets.contains(where: { $0.pace == nil && $0.category != nil }), let months = lastFullMonths
        else { return [:] }
        let sql = """
            SELECT category, month, sum(count) FROM category_months
            WHERE month BETWEEN ? AND ? AND kind = 'expense' AND count > 0 AND minor > 0 AND category <> '' GROUP BY 1, 2
            """
        var counts: [EntityID: [Int: Int]] = [:]
        try db.forEach(sql, [months.lowerBound.index, months.upperBound.index]) { row in
            counts[try row.id(0), default: [:]][row.int(1)] = row.int(2)
        }
        return counts
    }

    /// Unless the user chose: paid at once, if the last three full months had one expense each, or two of them one and
    /// the other none.
    private func pace(of budget: Budget, _ payments: [EntityID: [Int: Int]]) -> BudgetPace {
        if let chosen = budget.pace { return chosen }
        guard let category = budget.category else { return .spread }
        var counts: [Int: Int] = [:]
        for category in lookups.family(of: category) {
            counts.merge(payments[category] ?? [:]) { $0.addingClamped($1) }
        }
        return counts.count >= 2 && counts.values.allSatisfy { $0 == 1 } ? .once : .spread
    }

    /// The average spending of the last full months, for all spending and each spending category that is not archived.
    /// - Parameter budgeted: the categories that have a budget already.
    func suggestions(base: CurrencyCode, without budgeted: Set<EntityID?>) throws -> [BudgetSuggestion] {
        guard let months = lastFullMonths else { return [] }
        let charges = try self.charges(in: months).filter { $0.kind != .income }
        guard !charges.isEmpty, let first = try db.firstMonth(beside: bank) else { return [] }
        // A month without spending is one of them, and a month before the first transaction is not.
        let count = current.index - max(first, months.lowerBound).index
        let byCategory = Dictionary(grouping: charges, by: \.category)
        let all = lookups.choices.categories
        let archived = Set(all.filter(\.isArchived).map(\.id))
        let offered = all.filter { category in
            category.kind == .expense && !archived.contains(category.id)
                && !(category.parent.map(archived.contains) ?? false)
        }
        let categories: [EntityID?] = [nil] + offered.map(\.id)
        return categories.filter { !budgeted.contains($0) }.compactMap { category in
            var sum = SpendingSum(in: base)
            if let category {
                for id in lookups.family(of: category) {
                    for charge in byCategory[id] ?? [] { charge.add(to: &sum) }
                }
            } else {
                for charge in charges { charge.add(to: &sum) }
            }
            return BudgetSuggestion(
                category: category,
                spentMinor: sum.total(converter).minor,
                currency: base,
                monthCount: count
            )
        }
        .sorted { left, right in
            guard left.average.minor == right.average.minor else {
                return left.average.minor > right.average.minor
            }
            return (left.category?.description ?? "") < (right.category?.description ?? "")
        }
    }

    /// The three months before the present one; nil at the beginning of the calendar.
    private var lastFullMonths: ClosedRange<YearMonth>? {
        let first = YearMonth(index: current.index - Self.fullMonths)
        return first < current ? first...current.previous : nil
    }
}

extension Charge {
    /// Whether the charge is spending in one of the categories; nil for all spending.
    fileprivate func counts(among covered: [EntityID]?) -> Bool {
        guard let covered else { return true }
        return category.map(covered.contains) ?? false
    }
}
