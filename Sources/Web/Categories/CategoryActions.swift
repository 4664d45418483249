// The actions of categories.

import Book
import Devices
import HTTPServer
import Ledger
package import Links
import Texts

extension Link {
    package static let categories = Link(declared: "/categories")
    static let category = LinkTo<EntityID>("/categories/*")
    static let categoryDelete = LinkTo<EntityID>("/categories/*/delete")
    static let categoryRestore = LinkTo<EntityID>("/categories/*/restore")
    static let categoryArchive = LinkTo<EntityID>("/categories/*/archive")
    static let categoryUnarchive = LinkTo<EntityID>("/categories/*/unarchive")
    static let categoryMerge = LinkTo<EntityID>("/categories/*/merge")
}

extension Feature {
    static let categories = Feature(
        routes: [
            get(.categories, CategoriesShow.answer),
            get(to: Link.categoryMerge, CategoryMergeShow.answer),
            post(to: Link.categoryMerge, CategoryMergeAction.answer),
            post(to: Link.categoryArchive) { try CategoryArchive.answer($0, $1, true) },
            post(to: Link.categoryUnarchive) { try CategoryArchive.answer($0, $1, false) },
        ]
            + entities(CategoryEntry.self, .categories, Link.category),
        refills: refills(CategoryEntry.self, .categories, Link.category),
        pages: [CategoriesPage.self, CategoryEditPage.self, CategoryMergePage.self],
        links: ["categories": .categories]
    )
}

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
        obstacle: Obstacle?,
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

/// `POST /categories/ID/archive` and `/unarchive`.
enum CategoryArchive {
    static func answer(_ context: RequestContext, _ id: EntityID, _ isArchived: Bool) throws -> Response {
        let book = try context.book()
        guard let category = try book.category(id) else {
            return try EntityShow<CategoryEntry>.gone(context, id)
        }
        let change = try book.archiveCategory(id, isArchived)
        let done =
            isArchived
            ? Text("categories.category-archived")
            : Text("categories.taken-out-of-archive", ["name": .string(category.name.isolated)])
        let toast = Device.Toast(
            key: isArchived ? "category-archived" : "category-unarchived",
            text: change == nil ? Text("forms.nothing-was-changed") : done,
            undo: change.map { Link.historyUndo($0).text }
        )
        try context.knownDevice().show(toast)
        return context.redirect(to: context.list(of: id, or: .categories))
    }
}
