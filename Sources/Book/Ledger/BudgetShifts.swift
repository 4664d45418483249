// Changes of budgets in months that are past, when a category moves into another one or out of it.
import GRDB
public import Ledger
import Storage

/// The change of the past months of a budget. A budget counts the categories that are below its category now, in all
/// months.
public struct BudgetShift: Hashable, Sendable {
    /// The category whose budget gains or loses spending.
    public let category: EntityID
    /// The first and the last month whose spending changes.
    public let months: ClosedRange<YearMonth>
    /// The amount that the budget has spent more in these months; negative if it has spent less.
    public let spent: MoneySum
    /// Whether what was left in one of these months carries over, so that later months change as well.
    public let carriesOver: Bool

    /// Does not check its values.
    public init(category: EntityID, months: ClosedRange<YearMonth>, spent: MoneySum, carriesOver: Bool) {
        self.category = category
        self.months = months
        self.spent = spent
        self.carriesOver = carriesOver
    }
}

extension Book {
    /// The past months of budgets that change if a category moves below another one, or loses its transactions.
    /// - Parameters:
    ///   - parent: the category above it afterwards; nil for none.
    ///   - month: the present month, which is not past.
    ///   - converter: as for `budgets`.
    ///   - bank: the rows of banks that are added.
    public func budgetShifts(
        moving category: EntityID,
        to parent: EntityID?,
        before month: YearMonth,
        converter: CurrencyConverter? = nil,
        beside bank: BankRows? = nil
    ) throws(BookError) -> [BudgetShift] {
        try reading { db, _ in
            let former = try db.liveCategory(category)?.parent
            guard former != parent else { return [] }
            return try [(former, -1), (parent, 1)].flatMap { top, sign in
                guard let top else { return [BudgetShift]() }
                let chain = BudgetChain(try db.liveBudgets(of: top))
                return try db.shifts(of: chain, top, by: [category], before: month, beside: bank) {
                    Int128(sign) * $0.total(converter).minor
                }
            }
        }
    }
}

extension Book {
    /// The past months of budgets that change if a category is merged into another one. Budgets of the two that are added up
    /// are none of them.
    ///
    /// The parameters are as for `budgetShifts(moving:to:)`.
    public func budgetShifts(
        merging source: EntityID,
        into target: EntityID,
        before month: YearMonth,
        converter: CurrencyConverter? = nil,
        beside bank: BankRows? = nil
    ) throws(BookError) -> [BudgetShift] {
        try reading { db, _ in
            guard let from = try db.liveCategory(source), let to = try db.liveCategory(target) else {
                return []
            }
            let all = Set(try db.categories().filter { $0.parent == source }.map(\.id) + [source])
            var changes: [(EntityID, Int64, Set<EntityID>)] = []
            if let former = from.parent, former != to.id, former != to.parent {
                changes.append((former, -1, [source]))
            }
            if let above = to.parent, above != from.parent { changes.append((above, 1, all)) }
            if try from.parent != to.id && db.liveBudgets(of: source).isEmpty {
                changes.append((to.id, 1, to.parent == nil ? all : [source]))
            }
            return try changes.flatMap { top, sign, categories in
                let chain = BudgetChain(try db.liveBudgets(of: top))
                return try db.shifts(of: chain, top, by: categories, before: month, beside: bank) {
                    Int128(sign) * $0.total(converter).minor
                }
            }
        }
    }
}

extension BookDatabase {
    /// - Parameter value: the amount of a sum, with the sign of the change.
    fileprivate func shifts(
        of chain: BudgetChain,
        _ top: EntityID,
        by categories: Set<EntityID>,
        before month: YearMonth,
        beside bank: BankRows?,
        _ value: (SpendingSum) -> Int128
    ) throws -> [BudgetShift] {
        struct Part {
            var sum: SpendingSum
            var months: ClosedRange<YearMonth>
            var carriesOver = false
        }
        var parts: [CurrencyCode: Part] = [:]
        for (index, row) in chain.rows.enumerated() {
            let next = index + 1 < chain.rows.count ? chain.rows[index + 1].from : month
            let end = min(next.index, month.index, row.until.map { $0.index + 1 } ?? month.index)
            guard row.from.index < end else { continue }
            let span = row.from...YearMonth(index: end - 1)
            let charges = (try self.charges(in: span) + (bank?.charges(in: span) ?? []))
                .filter { charge in charge.category.map(categories.contains) ?? false }
            for charge in charges {
                var part =
                    parts[row.limit.currency]
                    ?? Part(sum: SpendingSum(in: row.limit.currency), months: charge.month...charge.month)
                charge.add(to: &part.sum)
                part.months =
                    min(part.months.lowerBound, charge.month)...max(part.months.upperBound, charge.month)
                part.carriesOver = part.carriesOver || row.carries(into: charge.month.next)
                parts[row.limit.currency] = part
            }
        }
        return parts.sorted { $0.key < $1.key }.compactMap { currency, part in
            let minor = value(part.sum)
            guard minor != 0 else { return nil }
            return BudgetShift(
                category: top,
                months: part.months,
                spent: MoneySum(minor: minor, currency: currency),
                carriesOver: part.carriesOver
            )
        }
    }
}
