// Changes of a budget from a month on, or in all months: the months before keep their limits.
import GRDB
public import Ledger
import Storage
import SyncCore

/// The months in which a change of a budget holds.
public enum BudgetSpan: Hashable, Sendable {
    /// A month and all later months, until the next limit of the category.
    case from(YearMonth)
    /// All months of all limits of the category.
    case always
}

extension Book {
    /// Changes the fields of a live budget that the user changed in a form.
    ///
    /// A limit that changes from a month on, later than the budget's first month, becomes a further budget of the
    /// category, whose id follows from the budget in effect and the month: devices that change one limit in one month
    /// change one row. Carry-over and pace change in the rows that exist, so that no row has a limit that its device
    /// did not set. A new category gets a further budget, and the budgets of the former one end. An earlier first
    /// month is adopted; a later one moves the begin of a budget only if that is not before the month of `span`.
    /// - Parameter version: the values that the form showed; nil to write every value.
    /// - Throws: as `change(_:shown:)`.
    public func change(_ budget: Budget, shown version: EntityVersion?, in span: BudgetSpan)
        throws(BookError) -> Edit
    {
        try budget.checkShape()
        return try changeAsUser { db in
            guard let stored = try db.liveBudget(budget.id) else { throw BookError.unknownBudget(budget.id) }
            var (edit, changes) = try db.edited(budget, version)
            // It follows from the months in which carry-over was switched.
            changes["carryFrom"] = nil
            guard !changes.isEmpty else { return edit }
            let rows = try db.liveBudgets(of: stored.category)
            var change = BudgetChange(of: stored, to: budget, changes, rows)
            switch span {
            case .always: change.inAllMonths()
            case .from(let month): change.from(month)
            }
            try db.write(change, version)
            edit.change = try db.writtenChange()
            return edit
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
            return try db.writtenChange()
        }
    }

    /// The live budgets of a budget's category in the order of their months, as they hold.
    public func budgets(like budget: Budget) throws(BookError) -> [Budget] {
        try reading { db in BudgetChain(try db.liveBudgets(of: budget.category)).rows }
    }
}

/// The rows that a change of a budget writes.
private struct BudgetChange {
    private let stored: Budget
    private let budget: Budget
    private let changes: Fields
    /// The rows of the category as they are stored.
    private let rows: [Budget]
    private var chain: BudgetChain
    /// The changed fields of the rows, by id.
    private(set) var writes: [EntityID: Fields] = [:]
    /// The rows that the form showed, or that replaced the shown row since.
    private(set) var shown: Set<EntityID>
    /// The further row. It has the id of the row that it follows.
    private(set) var further: Budget?

    init(of stored: Budget, to budget: Budget, _ changes: Fields, _ rows: [Budget]) {
        self.stored = stored
        self.budget = budget
        self.changes = changes
        self.rows = rows
        chain = BudgetChain(rows)
        shown = [stored.id]
    }

    /// The ids of all rows in the order in which they are written.
    var order: [EntityID] { rows.map(\.id) }

    private var isMoved: Bool { changes["category"] != nil }

    mutating func inAllMonths() {
        for row in rows { write(["category", "limit", "currency", "pace"], to: row) }
        write(["from", "until"], to: stored)
        guard changes["rollover"] != nil else { return }
        chain.carry(budget.rollover)
        writeCarryOver()
    }

    mutating func from(_ month: YearMonth) {
        let hasBegun = stored.from < month
        let isLater = changes["from"] != nil && budget.from > month
        let start = !hasBegun ? stored.from : isLater ? budget.from : month
        guard let index = chain.rows.lastIndex(where: { hasBegun ? $0.from <= start : $0.id == stored.id })
        else { return }
        let holding = chain.rows[index]
        if hasBegun {
            if budget.from < stored.from { write(["from"], to: stored) }
        } else {
            write(["from", "until"], to: stored)
        }
        let limit = ["category", "limit", "currency"]
        if limit.contains(where: { changes[$0] != nil }) {
            if !hasBegun || holding.from == start {
                // The form has not seen later changes of that row either.
                shown.insert(holding.id)
                write(limit, to: holding)
            } else {
                further = continuation(ofRow: index, from: start)
            }
        }
        if isMoved { return move(holding, from: start, endsFormer: stored.from <= month) }
        for row in rows { write(["pace"], to: row) }
        guard changes["rollover"] != nil else { return }
        if let further { chain.add(further) }
        chain.carry(budget.rollover, from: start)
        writeCarryOver()
    }

    /// Moves the limits from a month on to another category.
    /// - Parameter endsFormer: whether the former category has no budget from that month on. The move of a limit that
    ///   is still to come leaves the limit before it as it is.
    private mutating func move(_ holding: Budget, from start: YearMonth, endsFormer: Bool) {
        if further == nil {
            // The further row of another category has what it inherited, and carries nothing over from before.
            set(["pace"], of: changes["pace"] == nil ? holding : budget, holding.id)
            set(["rollover"], of: changes["rollover"] == nil ? holding : budget, holding.id)
            writes[holding.id, default: [:]]["carryFrom"] = .null
        }
        guard endsFormer else { return }
        for row in rows where row.from > start { write(["category"], to: row) }
        guard let last = rows.last(where: { $0.from < start }), last.isOpen(in: start) else { return }
        writes[last.id, default: [:]]["until"] = .integer(Int64(start.index - 1))
    }

    /// The budget that replaces one in effect from a month on.
    private func continuation(ofRow index: Int, from month: YearMonth) -> Budget {
        let holding = chain.rows[index]
        var new = holding
        new.from = month
        if changes["limit"] != nil { new.limit.minor = budget.limit.minor }
        if changes["currency"] != nil { new.limit.currency = budget.limit.currency }
        // A budget that has ended begins again.
        if !holding.isOpen(in: month) { new.until = nil }
        guard !isMoved else {
            new.category = budget.category
            if changes["pace"] != nil { new.pace = budget.pace }
            if changes["rollover"] != nil { new.rollover = budget.rollover }
            new.carryFrom = nil
            return new
        }
        new.pace = nil
        let isOneBudget =
            holding.isOpen(in: month.previous) && holding.limit.currency == new.limit.currency
        // If carry-over was switched off in this month, its start is kept: the user may switch it on again.
        let hasCarried = holding.rollover || holding.switchMonth == month
        let start = chain.carryStart(index)
        new.carryFrom = isOneBudget && hasCarried && start < month ? start : nil
        return new
    }

    private mutating func writeCarryOver() {
        for row in chain.rows {
            if row.id == further?.id, row.from == further?.from {
                further = row
            } else if let before = rows.first(where: { $0.id == row.id }) {
                if row.rollover != before.rollover { set(["rollover"], of: row, row.id) }
                if row.carryFrom != before.carryFrom { set(["carryFrom"], of: row, row.id) }
            }
        }
    }

    /// Writes the given fields that the user changed.
    private mutating func write(_ names: [String], to row: Budget) {
        set(names.filter { changes[$0] != nil }, of: budget, row.id)
    }

    private mutating func set(_ names: [String], of values: Budget, _ id: EntityID) {
        for name in names { writes[id, default: [:]][name] = values.fields[name] ?? .null }
    }
}

extension EntityID {
    /// The id of the budget that replaces this one from a month on. It is always the same, and another one for each
    /// category that the budget is moved to.
    fileprivate func continued(in month: YearMonth, for category: EntityID?, after former: EntityID?)
        -> EntityID
    {
        var mark = low ^ UInt64(month.index)
        if category != former {
            mark ^= ((category?.high ?? 1) &+ (category?.low ?? 0)) &* 0x9E37_79B9_7F4A_7C15
        }
        return EntityID(high: high, low: mark &* 0xD6E8_FEB8_6659_FD93 &+ 3)
    }
}

extension BookDatabase {
    /// The live budgets of a category, or for all spending, in the order of their months. Each holds until the next one
    /// begins.
    func liveBudgets(of category: EntityID?) throws -> [Budget] {
        let sql = """
            SELECT \(Budget.columns) FROM budgets WHERE category IS ? AND deleted_at IS NULL ORDER BY from_month, id
            """
        return try all(sql, [category.column]) { try Budget($0) }
    }

    /// A live budget with the carry-over and the pace that hold in it.
    func shownBudget(_ id: EntityID) throws -> Budget? {
        guard let stored = try liveBudget(id) else { return nil }
        return BudgetChain(try liveBudgets(of: stored.category)).rows.first { $0.id == id }
    }

    /// Writes the rows of a change. The operations of shown rows get the base of the form.
    fileprivate func write(_ change: BudgetChange, _ version: EntityVersion?) throws {
        for id in change.order {
            guard let fields = change.writes[id], !fields.isEmpty else { continue }
            if change.shown.contains(id) {
                try withBase(of: version, Budget.entityKind, id) { try patch(fields, Budget.entityKind, id) }
            } else {
                try patch(fields, Budget.entityKind, id)
            }
        }
        guard var further = change.further, let former = try liveBudget(further.id) else { return }
        further.id = further.id.continued(in: further.from, for: further.category, after: former.category)
        // A row that was deleted stays deleted in the cloud.
        while try isDeleted(further.id, in: "budgets") != nil { further.id = further.id.copy }
        try insert(further)
    }

    /// The number of the change that is being made; nil if it has changed nothing so far.
    fileprivate func writtenChange() throws -> Int64? {
        try first("SELECT tx FROM history WHERE tx = (SELECT tx FROM sync) LIMIT 1") { $0.int64(0) }
    }

    fileprivate func endBudgets(of category: EntityID?, before month: YearMonth, _ now: Int64) throws {
        let rows = try liveBudgets(of: category)
        for row in rows where row.from >= month { try deleteBudget(row.id, now) }
        guard let last = rows.last(where: { $0.from < month }), last.isOpen(in: month) else { return }
        try patch(["until": .integer(Int64(month.index - 1))], Budget.entityKind, last.id)
    }
}
