// The pages of categories.

import Book
import HTTPServer
import Ledger
import Texts

/// `GET /categories`: all categories, and the form that adds one.
enum CategoriesShow {
    static func answer(_ context: RequestContext) throws -> Response {
        try page(context, CategoryForm.blank, .ok)
    }

    static func page(_ context: RequestContext, _ state: FormState, _ status: Status) throws -> Response {
        let categories = try context.book().categoryUses()
        let form = CategoryForm(
            state: state,
            editing: nil,
            once: "\(context.newID())",
            catalog: Catalog(BookChoices(accounts: [], categories: categories.map(\.category)))
        )
        return context.page(
            CategoriesPage(chrome: context.chrome(), categories: categories, form: form),
            status
        )
    }
}

extension CategoryEntry {
    static func page(
        _ context: RequestContext,
        _ state: FormState,
        editing: EntityID?,
        obstacle: Text?,
        _ status: Status
    ) throws -> Response {
        guard let editing else { return try CategoriesShow.page(context, state, status) }
        let all = try context.book().categoryUses()
        guard let use = all.first(where: { $0.category.id == editing }) else { throw Refusal.notFound }
        let form = CategoryForm(
            state: state,
            editing: editing,
            once: "\(context.newID())",
            catalog: Catalog(BookChoices(accounts: [], categories: all.map(\.category)))
        )
        let page = CategoryEditPage(
            chrome: context.chrome(),
            category: use,
            form: form,
            deleteError: obstacle
        )
        return context.page(page, status)
    }
}
