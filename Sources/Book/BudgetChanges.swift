// Changes of a budget from a month on, or in all months: the months before keep their limits.
import GRDB
public import Ledger
import Storage
import SyncCore

/// The months in which a change of a budget holds.
public enum BudgetSpan: Hashable, Sendable {
    /// A month and all later ones, until the next limit of the category.
    case from(YearMonth)
    /// All months of all limits of the category.
    case always
}

extension Book {
    /// Changes the fields of a live budget that the user changed in a form.
    ///
    /// A change from a month on that is later than the budget's first month becomes a further budget of the category,
    /// whose id follows from the budget in effect and the month: devices that change one limit in one month change one
    /// row. A new category gets the further budget, and the budgets of the former one end. An earlier first month is
    /// adopted; a later one moves the begin of a budget only if that is not before the month of `span`.
    /// - Parameter version: the values that the form showed; nil to write every value.
    /// - Throws: as `change(_:shown:)`.
    public func change(_ budget: Budget, shown version: EntityVersion?, in span: BudgetSpan)
        throws(BookError) -> Edit
    {
        try budget.checkShape()
        let now = clock()
        return try changeAsUser { db in
            switch span {
            case .always: try db.changeAlways(budget, version)
            case .from(let month): try db.change(budget, version, from: month, now)
            }
        }
    }

    /// Ends the budgets of a budget's category.
    ///
    /// From a month on: budgets that begin then or later are deleted, and the one in effect before gets its last
    /// month. Of a budget that begins after the month, only that one is deleted.
    /// - Returns: the number of the change in the history; nil if nothing changed.
    /// - Throws: `unknownBudget`.
    public func deleteBudget(_ id: EntityID, in span: BudgetSpan) throws(BookError) -> Int64? {
        let now = clock()
        return try changeAsUser { db in
            guard let budget = try db.liveBudget(id) else {
                guard try db.isDeleted(id, in: "budgets") != nil else { throw BookError.unknownBudget(id) }
                return nil
            }
            switch span {
            case .always:
                for row in try db.liveBudgets(of: budget.category) { try db.deleteBudget(row.id, now) }
            case .from(let month) where budget.from > month: try db.deleteBudget(id, now)
            case .from(let month): try db.endBudgets(of: budget.category, before: month, now)
            }
            return try db.first("SELECT tx FROM history WHERE tx = (SELECT tx FROM sync) LIMIT 1") {
                $0.int64(0)
            }
        }
    }

    /// The first month in which the category of a budget has one, with that limit or an earlier one.
    public func firstMonth(ofBudgetsLike budget: Budget) throws(BookError) -> YearMonth {
        try reading { db in try db.liveBudgets(of: budget.category).first?.from ?? budget.from }
    }
}

extension EntityID {
    /// The id of the budget that replaces this one from a month on. It is always the same.
    fileprivate func continued(in month: YearMonth) -> EntityID {
        EntityID(high: high, low: (low ^ UInt64(month.index)) &* 0xD6E8_FEB8_6659_FD93 &+ 3)
    }
}

extension BookDatabase {
    /// The live budgets of a category, or for all spending, in the order of their months. Each holds until the next one
    /// begins.
    fileprivate func liveBudgets(of category: EntityID?) throws -> [Budget] {
        let sql = """
            SELECT \(Budget.columns) FROM budgets WHERE category IS ? AND deleted_at IS NULL ORDER BY from_month, id
            """
        return try all(sql, [category.column]) { try Budget($0) }
    }

    fileprivate func changeAlways(_ budget: Budget, _ version: EntityVersion?) throws -> Edit {
        guard let stored = try liveBudget(budget.id) else { throw BookError.unknownBudget(budget.id) }
        let (_, changes) = try edited(budget, version)
        let others = try liveBudgets(of: stored.category).filter { $0.id != stored.id }
        let edit = try edit(budget, version)
        let shared = Self.shared(changes)
        guard !shared.isEmpty else { return edit }
        for other in others { try patch(shared, Budget.entityKind, other.id) }
        return edit
    }

    /// The changes that hold for several limits of a category. The other fields are months of one limit.
    private static func shared(_ changes: Fields) -> Fields {
        var shared: Fields = [:]
        for name in ["category", "limit", "currency", "rollover", "pace"] { shared[name] = changes[name] }
        return shared
    }

    fileprivate func change(
        _ budget: Budget,
        _ version: EntityVersion?,
        from month: YearMonth,
        _ now: Int64
    ) throws -> Edit {
        guard let stored = try liveBudget(budget.id) else { throw BookError.unknownBudget(budget.id) }
        guard stored.from < month else { return try edit(budget, version) }
        let (seen, changes) = try edited(budget, version)
        var edit = seen
        guard !changes.isEmpty else { return edit }
        edit.change = try first("SELECT tx FROM sync") { $0.int64(0) }
        if changes["from"] != nil, budget.from < stored.from {
            try patch(["from": .integer(Int64(budget.from.index))], Budget.entityKind, stored.id)
        }
        let shared = Self.shared(changes)
        guard !shared.isEmpty else { return edit }
        let start = changes["from"] != nil ? max(month, budget.from) : month
        let rows = try liveBudgets(of: stored.category)
        let holding = rows.last { $0.from <= start } ?? stored
        if holding.from == start, shared["category"] == nil {
            // The form has not seen later changes of that row either.
            try withBase(of: version, Budget.entityKind, holding.id) {
                try patch(shared, Budget.entityKind, holding.id)
            }
        } else {
            try insert(try continuation(of: holding, with: budget, shared, from: start))
            if shared["category"] != nil { try endBudgets(of: stored.category, before: start, now) }
        }
        return edit
    }

    /// The budget that replaces one in effect from a month on.
    /// - Parameter changed: the names of the fields whose values come from `budget`.
    private func continuation(
        of holding: Budget,
        with budget: Budget,
        _ changed: Fields,
        from month: YearMonth
    ) throws -> Budget {
        var new = holding
        new.id = holding.id.continued(in: month)
        // A row that was deleted stays deleted in the cloud.
        while try isDeleted(new.id, in: "budgets") != nil { new.id = new.id.copy }
        new.from = month
        if changed["category"] != nil { new.category = budget.category }
        if changed["limit"] != nil { new.limit.minor = budget.limit.minor }
        if changed["currency"] != nil { new.limit.currency = budget.limit.currency }
        if changed["rollover"] != nil { new.rollover = budget.rollover }
        if changed["pace"] != nil { new.pace = budget.pace }
        // A budget that has ended begins again.
        if !holding.isOpen(in: month) { new.until = nil }
        let isOneBudget =
            holding.rollover && new.rollover && holding.isOpen(in: month.previous)
            && holding.category == new.category && holding.limit.currency == new.limit.currency
        new.carryFrom = isOneBudget ? holding.carryFrom ?? holding.from : nil
        return new
    }

    /// Ends the budgets of a category before a month.
    fileprivate func endBudgets(of category: EntityID?, before month: YearMonth, _ now: Int64) throws {
        let rows = try liveBudgets(of: category)
        for row in rows where row.from >= month { try deleteBudget(row.id, now) }
        guard let last = rows.last(where: { $0.from < month }), last.isOpen(in: month) else { return }
        try patch(["until": .integer(Int64(month.index - 1))], Budget.entityKind, last.id)
    }
}
