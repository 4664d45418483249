// Budgets: their creation, change and deletion, and their statuses in a month.
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// Adds a budget. A second call with the same id and the same content changes nothing.
    /// - Throws: `idTaken`, `budgetExists`, `unknownCategory`, `categoryKind` (only expenses have budgets),
    ///   `invalid`.
    @discardableResult
    public func add(_ budget: Budget) throws(BookError) -> Recorded {
        try changeAsUser { db in
            let sql = "SELECT \(Budget.columns) FROM budgets WHERE id = ?"
            if let stored = try db.first(sql, [budget.id.column], { try Budget($0) }) {
                guard stored == budget else { throw BookError.idTaken(budget.id) }
                return .already
            }
            try db.check(budget)
            try db.change(
                "INSERT INTO budgets (\(Budget.columns)) VALUES (\(SyncedEntity.budget.marks))",
                StatementArguments([budget.id.column] + budget.values)
            )
            return .new
        }
    }

    /// All live budgets, ordered by id.
    public func allBudgets() throws(BookError) -> [Budget] {
        try reading { db in
            let sql = "SELECT \(Budget.columns) FROM budgets WHERE deleted_at IS NULL ORDER BY id"
            return try db.all(sql) { try Budget($0) }
        }
    }

    /// Marks a budget as deleted. A repeated call does nothing. An earlier budget of the category takes
    /// effect again.
    /// - Throws: `unknownBudget`.
    public func deleteBudget(_ id: EntityID) throws(BookError) {
        let now = clock()
        try changeAsUser { db in try db.deleteBudget(id, now) }
    }

    /// Reverts a deletion. The call does nothing on a live budget.
    /// - Returns: the id of the restored budget. It is another one if the cloud may know of the deletion,
    ///   because a row that is deleted there stays deleted.
    /// - Throws: `unknownBudget`; `budgetExists` or `unknownCategory` if the budget no longer fits.
    @discardableResult
    public func restoreBudget(_ id: EntityID) throws(BookError) -> EntityID {
        try changeAsUser { db in try db.restoreBudget(id) }
    }

    /// A live budget, or nil.
    public func budget(_ id: EntityID) throws(BookError) -> Budget? {
        try reading { db in try db.liveBudget(id) }
    }

    /// The page of budgets. For each category, and for all spending, the budget with the latest first month
    /// up to `month` is in effect.
    public func budgets(month: YearMonth, base: CurrencyCode) throws(BookError) -> BudgetsView {
        try reading { db, lookups in
            let totals = try db.totals(of: month)
            let spending = try db.spending(in: month)
            return BudgetsView(
                month: month,
                statuses: try db.budgetStatuses(month: month, spending: spending, lookups: lookups),
                upcoming: try db.all(
                    """
                    SELECT \(Budget.columns) FROM budgets WHERE deleted_at IS NULL AND from_month > ?
                    ORDER BY from_month, id
                    """,
                    [month.index]
                ) { try Budget($0) },
                totals: totals,
                spending: spending.sorted(base: base),
                leftOutCount: spending.reduce(0) { count, row in
                    count.addingClamped(row.total.currency == base ? 0 : row.total.count)
                },
                choices: lookups.choices
            )
        }
    }
}

extension Budget {
    static let columns = "id, \(SyncedEntity.budget.columns)"
    /// The number of `columns`.
    static let columnCount = Int32(SyncedEntity.budget.fields.count + 1)

    /// Decodes the current row of a statement that selects `columns` first.
    init(_ row: Columns) throws {
        self.init(
            id: try row.id(0),
            category: row.optionalID(1),
            limit: Money(minor: row.int64(2), currency: try row.currency(3)),
            from: row.month(4),
            rollover: row.int(5) != 0
        )
    }

    /// The values of `columns` without the id.
    var values: [(any DatabaseValueConvertible)?] {
        [category.column, limit.minor, limit.currency.rawValue, from.index, rollover]
    }

    /// Checks that the limit is above zero.
    public func checkShape() throws(BookError) {
        guard limit.minor > 0 else { throw .invalid(.limit) }
    }
}

extension BookDatabase {
    func liveBudget(_ id: EntityID) throws -> Budget? {
        let sql = "SELECT \(Budget.columns) FROM budgets WHERE id = ? AND deleted_at IS NULL"
        return try first(sql, [id.column]) { try Budget($0) }
    }

    func deleteBudget(_ id: EntityID, _ now: Int64) throws {
        guard try isDeleted(id, in: "budgets") != nil else { throw BookError.unknownBudget(id) }
        try change("UPDATE budgets SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL", [now, id.column])
    }

    func restoreBudget(_ id: EntityID) throws -> EntityID {
        let sql = "SELECT \(Budget.columns), deleted_at FROM budgets WHERE id = ?"
        let found = try first(sql, [id.column]) { (try Budget($0), !$0.isNull(Budget.columnCount)) }
        guard let (stored, isDeleted) = found else { throw BookError.unknownBudget(id) }
        guard isDeleted else { return id }
        let (living, isDone) = try revivable(id, "budget")
        guard !isDone else { return living }
        var restored = stored
        restored.id = living
        try check(restored)
        try change("UPDATE budgets SET deleted_at = NULL WHERE id = ?", [living.column])
        return living
    }

    /// - Parameter before: the former state of the budget. A category that the budget had before is not
    ///   checked again.
    func check(_ budget: Budget, before: Budget? = nil) throws {
        try budget.checkShape()
        if let category = budget.category, before.map({ $0.category != category }) ?? true {
            guard let kind = try categoryKind(category) else { throw BookError.unknownCategory(category) }
            guard kind == CategoryKind.expense.rawValue else { throw BookError.categoryKind }
        }
        let sql = """
            SELECT id FROM budgets
            WHERE category IS ? AND from_month = ? AND id <> ? AND deleted_at IS NULL LIMIT 1
            """
        if let other = try first(
            sql,
            [budget.category.column, budget.from.index, budget.id.column],
            { try $0.id(0) }
        ) {
            throw BookError.budgetExists(other)
        }
    }

    /// The statuses of all budgets that are in effect in the month. `spending` is that of the same month, by
    /// category and currency.
    func budgetStatuses(
        month: YearMonth,
        spending: [ReportRow],
        lookups: Lookups
    ) throws -> [BudgetStatus] {
        var holding: [EntityID?: Budget] = [:]
        let sql = """
            SELECT \(Budget.columns) FROM budgets WHERE deleted_at IS NULL AND from_month <= ?
            ORDER BY from_month, id
            """
        try forEach(sql, [month.index]) { row in
            let budget = try Budget(row)
            holding[budget.category] = budget
        }
        let budgets = holding.values.sorted {
            ($0.category == nil ? 0 : 1, $0.id) < ($1.category == nil ? 0 : 1, $1.id)
        }
        return try budgets.map { budget in
            let covered = budget.category.map(lookups.family(of:))
            return try status(of: budget, month: month, covered: covered, spending: spending)
        }
    }

    /// - Parameter covered: the categories that the budget limits; nil for all spending.
    private func status(
        of budget: Budget,
        month: YearMonth,
        covered: [EntityID]?,
        spending: [ReportRow]
    ) throws -> BudgetStatus {
        var status = BudgetStatus(budget: budget, carriedMinor: 0, spentMinor: 0, leftOutCount: 0)
        for row in spending {
            guard case .category(let id) = row.key else { continue }
            if let covered {
                guard let id, covered.contains(id) else { continue }
            }
            if row.total.currency == budget.limit.currency {
                status.spentMinor = status.spentMinor.addingClamped(row.total.expenseMinor)
            } else {
                status.leftOutCount = status.leftOutCount.addingClamped(row.total.count)
            }
        }
        if budget.rollover, budget.from < month {
            // 128 bits suffice for the longest calendar at the highest limit. Only the displayed value is
            // clamped.
            let limits = Int128(budget.limit.minor) * Int128(month.index - budget.from.index)
            let spent = try spentBefore(month, budget: budget, covered: covered)
            status.carriedMinor = Int64(clamping: limits - spent)
        }
        return status
    }

    /// The spending from the budget's first month to the month before `month`, in the budget's currency.
    private func spentBefore(_ month: YearMonth, budget: Budget, covered: [EntityID]?) throws -> Int128 {
        let currency = budget.limit.currency.rawValue
        guard let covered else {
            let sql = """
                SELECT ifnull(sum(minor), 0) FROM month_sums
                WHERE month >= ? AND month < ? AND kind = 'expense' AND currency = ?
                """
            return Int128(try number(sql, [budget.from.index, month.index, currency]))
        }
        let sql = """
            SELECT ifnull(sum(minor), 0) FROM category_months INDEXED BY category_months_by_category
            WHERE category = ? AND kind = 'expense' AND currency = ? AND month >= ? AND month < ?
            """
        return try covered.reduce(0) { spent, id in
            spent + Int128(try number(sql, [id.column, currency, budget.from.index, month.index]))
        }
    }
}
