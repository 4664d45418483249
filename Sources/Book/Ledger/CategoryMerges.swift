// Making two categories one, as a single change that one step undoes.
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// The effect of `mergeCategory`, without it.
    /// - Parameter month: the present month, whose limits are named.
    /// - Throws: as `mergeCategory`.
    public func planMerge(of source: EntityID, into target: EntityID, in month: YearMonth) throws(BookError)
        -> CategoryMerge
    {
        try reading { db in try db.planMerge(of: source, into: target, in: month) }
    }

    /// Gives all that has one category another one, and deletes the first: transactions, parts of transactions, schedules,
    /// notes on transactions of banks, budgets, usual categories of payees, rules, saved views, and the categories below
    /// it. These come below the target, or beside it if it is below another category itself.
    /// - Parameters:
    ///   - month: as for `planMerge`.
    ///   - count: the number of transactions that the user agreed to change; nil for any.
    /// - Throws: `unknownCategory` for the one that is not live; `invalid(.category)` for a merge of a category into itself;
    ///   `categoryNesting` if the target is below the source; `categoryKind` if the two are of different kinds;
    ///   `changedMeanwhile(.other)` if the number of transactions is another one by now; `overflow`.
    public func mergeCategory(
        _ source: EntityID,
        into target: EntityID,
        in month: YearMonth,
        expecting count: Int? = nil
    ) throws(BookError) -> CategoryMerge {
        let now = clock()
        return try changeAsUser { db in
            var plan = try db.planMerge(of: source, into: target, in: month)
            guard count == nil || count == plan.transactionCount else {
                throw BookError.changedMeanwhile(.other)
            }
            _ = try db.moveTransactions(of: source, to: target)
            try db.mergeBudgets(of: plan.source, into: plan.target, now)
            try db.change(
                "UPDATE payee_defaults SET category = ? WHERE category = ? AND deleted_at IS NULL",
                [target.column, source.column]
            )
            for (table, columns) in CategoryMerge.texts {
                let sets = columns.map { "\($0) = replace(\($0), ?1, ?2)" }.joined(separator: ", ")
                let sql = "UPDATE \(table) SET \(sets) WHERE \(CategoryMerge.isNamed(in: columns))"
                try db.change(sql, [source.column, target.column])
            }
            for child in plan.children {
                try db.patch(["parent": .text("\(plan.newParent)")], Category.entityKind, child.id)
            }
            // The last step is the first one that Undo takes back: the others need the category.
            try db.deleteCategory(source, now)
            plan.change = try db.presentChange()
            return plan
        }
    }
}

extension CategoryMerge {
    /// The texts in which ids of categories stand among others, by table.
    fileprivate static let texts = [("rules", ["conditions", "effects"]), ("views", ["query"])]

    /// A condition on a row of such a table, with the id as its first parameter.
    fileprivate static func isNamed(in columns: [String]) -> String {
        "deleted_at IS NULL AND (\(columns.map { "instr(\($0), ?1) > 0" }.joined(separator: " OR ")))"
    }
}

extension BookDatabase {
    fileprivate func planMerge(of source: EntityID, into target: EntityID, in month: YearMonth) throws
        -> CategoryMerge
    {
        guard let from = try liveCategory(source) else { throw BookError.unknownCategory(source) }
        guard source != target else { throw BookError.invalid(.category) }
        guard let to = try liveCategory(target) else { throw BookError.unknownCategory(target) }
        guard from.kind == to.kind else { throw BookError.categoryKind }
        guard to.parent != source else { throw BookError.categoryNesting }
        var plan = CategoryMerge(source: from, target: to)
        func count(_ table: String, _ condition: String = "category = ?1 AND deleted_at IS NULL") throws
            -> Int
        {
            try number("SELECT count(*) FROM \(table) WHERE \(condition)", [source.column])
        }
        plan.transactionCount = try number(
            "SELECT ifnull(sum(count), 0) FROM category_months WHERE month = 0 AND category = ?",
            [source.column]
        )
        plan.scheduleCount = try count("schedules")
        plan.bankNoteCount = try count("bank_notes")
        plan.payeeCount = try payeeDefaults().count { $0.category == source }
        for (table, columns) in CategoryMerge.texts {
            let count = try count(table, CategoryMerge.isNamed(in: columns))
            if table == "rules" { plan.ruleCount = count } else { plan.viewCount = count }
        }
        plan.children = try categories().filter { $0.parent == source }
        plan.budgets = try planBudgets(of: from, into: to, in: month)
        return plan
    }
}
