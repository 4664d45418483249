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
            try db.insert(budget)
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

    /// A live budget with the carry-over and the pace that hold in it, or nil.
    public func budget(_ id: EntityID) throws(BookError) -> Budget? {
        try reading { db in try db.shownBudget(id) }
    }

    /// The pace of a budget: the chosen pace, or the pace of the full months before the present month.
    public func pace(of budget: Budget, current: YearMonth) throws(BookError) -> BudgetPace {
        try reading { db, lookups in
            try BudgetProgress(db, lookups, month: current, current: current, converter: nil).pace(of: budget)
        }
    }

    /// The page of budgets. For each category, and for all spending, the budget with the latest first month
    /// up to `month` is in effect, unless it has ended.
    /// - Parameters:
    ///   - current: the present month, before which the full months of suggestions and paces end; nil for `month`.
    ///   - converter: the latest rates, for expenses on accounts in other currencies than a budget; nil to leave them
    ///     out.
    ///   - bank: the rows of banks that are added.
    ///   - today: the day up to which its month counts.
    public func budgets(
        month: YearMonth,
        current: YearMonth? = nil,
        base: CurrencyCode,
        converter: CurrencyConverter? = nil,
        beside bank: BankRows? = nil,
        through today: CivilDate = .distantFuture
    ) throws(BookError) -> BudgetsView {
        try reading { db, lookups in
            let progress = BudgetProgress(
                db,
                lookups,
                month: month,
                current: current ?? month,
                converter: converter,
                bank: bank
            )
            let charges = try progress.charges(through: today)
            let statuses = try progress.statuses(charges)
            var all = SpendingSum(in: base)
            for charge in charges.soFar { charge.add(to: &all) }
            return BudgetsView(
                month: month,
                statuses: statuses,
                upcoming: try db.all(
                    """
                    SELECT \(Budget.columns) FROM budgets WHERE deleted_at IS NULL AND from_month > ?
                    ORDER BY from_month, id
                    """,
                    [month.index]
                ) { try Budget($0) },
                spending: db.spending(of: charges.soFar, base: base).sorted(base: base),
                leftOutCount: all.total(converter).leftOutCount,
                suggestions: try progress.suggestions(
                    base: base,
                    without: Set(statuses.map(\.budget.category))
                ),
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
            rollover: row.int(5) != 0,
            until: row.isNull(6) ? nil : row.month(6),
            carryFrom: row.isNull(7) ? nil : row.month(7),
            pace: row.optionalText(8).flatMap(BudgetPace.init(rawValue:))
        )
    }

    /// The values of `columns` without the id.
    var values: [(any DatabaseValueConvertible)?] {
        [
            category.column, limit.minor, limit.currency.rawValue, from.index, rollover, until?.index,
            carryFrom?.index, pace?.rawValue,
        ]
    }

    /// Checks that the limit is above zero.
    public func checkShape() throws(BookError) {
        guard limit.minor > 0 else { throw .invalid(.limit) }
    }
}

extension BookDatabase {
    func insert(_ budget: Budget) throws {
        try check(budget)
        try change(
            "INSERT INTO budgets (\(Budget.columns)) VALUES (\(SyncedEntity.budget.marks))",
            StatementArguments([budget.id.column] + budget.values)
        )
    }

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
        // Its category may have been restored before it, as a copy.
        restored.category = try stored.category.map { try self.living($0, Category.entityKind) ?? $0 }
        try check(restored)
        try change(
            "UPDATE budgets SET deleted_at = NULL, category = ? WHERE id = ?",
            [restored.category.column, living.column]
        )
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
}
