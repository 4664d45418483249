// The actions of budgets.

import Book
import HTTPServer
import Ledger
package import Links
import Texts

extension Link {
    package static let budgets = Link(declared: "/budgets")
    static let budget = LinkTo<EntityID>("/budgets/*")
    static let budgetDelete = LinkTo<EntityID>("/budgets/*/delete")
    static let budgetRestore = LinkTo<EntityID>("/budgets/*/restore")
}

extension Feature {
    static let budgets = Feature(
        routes: [get(.budgets, BudgetsShow.answer)]
            + entities(BudgetEntry.self, .budgets, Link.budget),
        refills: refills(BudgetEntry.self, .budgets, Link.budget),
        pages: [BudgetsPage.self, BudgetEditPage.self],
        links: ["budgets": .budgets]
    )
}

/// `GET /budgets`: the status of the budgets of a month, and the form that sets one.
enum BudgetsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        var month = try context.formats().today.yearMonth
        if let text = context.request.query.first("month"), !text.isEmpty {
            guard let asked = YearMonth(iso: text) else { throw Refusal.malformed }
            month = asked
        }
        return try page(context, month, nil, .ok)
    }

    /// A new budget. The query may fill in a category and a limit.
    private static func blank(_ context: RequestContext, _ month: YearMonth) -> FormState {
        let query = context.request.query
        let category = query.first("category").flatMap { EntityID($0) }.map { "\($0)" } ?? ""
        let limit = query.first("limit") ?? ""
        return BudgetForm.blank(
            month: month,
            category: category,
            limit: limit.fits(TextLimit.tag) ? limit : ""
        )
    }

    static func page(_ context: RequestContext, _ month: YearMonth, _ refused: FormState?, _ status: Status)
        throws
        -> Response
    {
        let (formats, bank) = (try context.formats(), try context.bankRows())
        let view = try context.book().budgets(
            month: month,
            current: formats.today.yearMonth,
            base: formats.base,
            converter: formats.conversion?.converter,
            beside: bank,
            through: formats.today
        )
        let catalog = context.catalog(view.choices)
        let form = BudgetForm(
            state: refused ?? blank(context, month),
            editing: nil,
            once: "\(context.newID())",
            catalog: catalog,
            formats: formats,
            suggestions: view.suggestions
        )
        return context.page(
            BudgetsPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: catalog,
                month: month,
                statuses: view.statuses,
                upcoming: view.upcoming,
                suggestions: view.suggestions,
                leftOutCount: view.leftOutCount,
                unknownCount: bank?.unknownAccounts.count ?? 0,
                form: form
            ),
            status
        )
    }
}

extension BudgetEntry {
    static func page(
        _ context: RequestContext,
        _ state: FormState,
        editing: EntityID?,
        obstacle: Obstacle?,
        _ status: Status
    ) throws -> Response {
        let formats = try context.formats()
        guard let editing else {
            let month = YearMonth(typed: state["from"]) ?? formats.today.yearMonth
            return try BudgetsShow.page(context, month, state, status)
        }
        let book = try context.book()
        guard let budget = try book.budget(editing) else { throw Refusal.notFound }
        let catalog = try context.catalog()
        let today = formats.today.yearMonth
        let limits = try book.budgets(like: budget)
        let present = limits.last { $0.from <= today }
        let history = BudgetForm.History(
            // A limit that is still to come changes and goes alone.
            hasBegun: budget.from <= today && limits.contains { $0.from < today },
            hasEarlierLimit: limits.contains { $0.from < budget.from },
            ended: limits.last?.from ?? today <= today && present?.isOpen(in: today) == false
                ? present?.until : nil,
            guess: budget.pace == nil ? try book.pace(of: budget, current: today) : nil
        )
        let form = BudgetForm(
            state: state,
            editing: editing,
            once: "\(context.newID())",
            catalog: catalog,
            formats: formats,
            currency: budget.limit.currency,
            history: history
        )
        return context.page(
            BudgetEditPage(
                chrome: context.chrome(),
                budget: budget,
                catalog: catalog,
                formats: formats,
                form: form
            ),
            status
        )
    }
}
