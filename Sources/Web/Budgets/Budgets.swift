// The pages of budgets.

import Book
import HTTPServer
import Ledger
import Pages
import Texts

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

    static func page(_ context: RequestContext, _ month: YearMonth, _ refused: FormState?, _ status: Status)
        throws
        -> Response
    {
        let formats = try context.formats()
        let view = try context.book().budgets(month: month, base: formats.base)
        let catalog = context.catalog(view.choices)
        let form = BudgetForm(
            state: refused ?? BudgetForm.blank(month: month),
            editing: nil,
            once: "\(context.newID())",
            catalog: catalog,
            formats: formats
        )
        return context.page(
            BudgetsPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: catalog,
                month: month,
                statuses: view.statuses,
                upcoming: view.upcoming,
                leftOutCount: view.leftOutCount,
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
        obstacle: Text?,
        _ status: Status
    ) throws -> Response {
        let formats = try context.formats()
        guard let editing else {
            let month = YearMonth(iso: state["from"]) ?? formats.today.yearMonth
            return try BudgetsShow.page(context, month, state, status)
        }
        guard let budget = try context.book().budget(editing) else { throw Refusal.notFound }
        let catalog = try context.catalog()
        let form = BudgetForm(
            state: state,
            editing: editing,
            once: "\(context.newID())",
            catalog: catalog,
            formats: formats,
            currency: budget.limit.currency
        )
        return context.page(
            BudgetEditPage(chrome: context.chrome(), budget: budget, catalog: catalog, form: form),
            status
        )
    }
}
