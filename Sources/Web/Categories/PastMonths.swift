// The amounts that budgets of past months lose or gain when a category is moved or deleted.

import Book
import Ledger
import Texts

extension RequestContext {
    /// The sentences about past months of budgets that change if a category moves below another one, or loses its
    /// transactions; nil if none change.
    /// - Parameter parent: the category above it afterwards; nil for none.
    func pastMonths(moving category: EntityID, to parent: EntityID?) throws -> Text? {
        let formats = try formats()
        let shifts = try book().budgetShifts(
            moving: category,
            to: parent,
            before: formats.today.yearMonth,
            converter: formats.conversion?.converter,
            beside: try bankRows()
        )
        return Text.pastMonths(shifts, try catalog(), formats)
    }
}

extension RequestContext {
    /// The sentences about past months of budgets that change by a merge; nil if none change.
    func pastMonths(merging plan: CategoryMerge) throws -> Text? {
        let formats = try formats()
        let shifts = try book().budgetShifts(
            merging: plan.source.id,
            into: plan.target.id,
            before: formats.today.yearMonth,
            converter: formats.conversion?.converter,
            beside: try bankRows()
        )
        return Text.pastMonths(shifts, try catalog(), formats)
    }
}

extension Text {
    /// The sentences about past months of budgets that change; nil if none do.
    static func pastMonths(_ shifts: [BudgetShift], _ catalog: Catalog, _ formats: Formats) -> Text? {
        guard !shifts.isEmpty else { return nil }
        var sentences = shifts.map { shift in
            let ends = [shift.months.lowerBound, shift.months.upperBound].map(formats.monthTitle)
            let values: [String: Text.Argument] = [
                "category": .text(catalog.categoryName(shift.category).isolated),
                "amount": .string(formats.money(abs(shift.spent.minor), shift.spent.currency)),
                "months": .text(
                    ends[0] == ends[1]
                        ? .verbatim(ends[0])
                        : Text("categories.from-to", ["first": .string(ends[0]), "last": .string(ends[1])])
                ),
            ]
            return shift.spent.minor < 0
                ? Text("categories.budget-has-less-spent", values)
                : Text("categories.budget-has-more-spent", values)
        }
        if shifts.contains(where: \.carriesOver) {
            sentences.append(Text("categories.what-carries-over-changes"))
        }
        return .sentences(sentences)
    }
}
