import Book
import Devices
import HTTPServer
import Ledger
import Pages

/// `GET /categories`: all of them, and the form that adds one.
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

/// `POST /categories`: adds one.
enum CategoryAdd {
    static func answer(_ context: RequestContext) throws -> Response {
        let book = try context.book()
        var entry = CategoryEntry(
            context,
            id: context.onceID(),
            existing: try book.choices().categories
        )
        if let category = entry.category {
            do {
                try add(category, to: book, otherwise: context.newID())
                return .seeOther(Routes.categories.link)
            } catch {
                guard entry.refuse(error) else { throw error }
            }
        }
        return try CategoriesShow.page(context, entry.state, .unprocessable)
    }

    /// A page that came back through the browser's history and was filled in anew adds another one.
    private static func add(_ category: Ledger.Category, to book: Book, otherwise id: EntityID)
        throws(BookError)
    {
        do { try book.add(category) } catch {
            guard case .idTaken = error else { throw error }
            var other = category
            other.id = id
            try book.add(other)
        }
    }
}

/// `GET /categories/ID`: the form that changes it.
enum CategoryShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        try page(context, id, nil, .ok)
    }

    static func page(
        _ context: RequestContext,
        _ id: EntityID,
        _ refused: FormState?,
        _ status: Status,
        deleteError: String? = nil
    ) throws -> Response {
        let all = try context.book().categoryUses()
        guard let use = all.first(where: { $0.category.id == id }) else { throw Refusal.notFound }
        let form = CategoryForm(
            state: refused ?? CategoryForm.values(of: use.category),
            editing: id,
            once: "\(context.newID())",
            catalog: Catalog(BookChoices(accounts: [], categories: all.map(\.category)))
        )
        let page = CategoryEditPage(
            chrome: context.chrome(),
            category: use,
            form: form,
            deleteError: deleteError
        )
        return context.page(page, status)
    }
}

/// `POST /categories/ID`: changes it.
enum CategoryChange {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        let existing = try book.choices().categories
        guard existing.contains(where: { $0.id == id }) else { throw Refusal.notFound }
        var entry = CategoryEntry(context, id: id, existing: existing)
        if let category = entry.category {
            do {
                try book.change(category)
                let device = try context.knownDevice()
                device.show(Device.Toast(key: "category-changed", text: "Category changed"))
                return .seeOther(Routes.categories.link)
            } catch let error as BookError {
                guard entry.refuse(error) else { throw error }
            }
        }
        return try CategoryShow.page(context, id, entry.state, .unprocessable)
    }
}

/// `POST /categories/ID/delete`: its transactions stand without a category from then on, as its page says.
enum CategoryDelete {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        let device = try context.knownDevice()
        do {
            try book.deleteCategory(id)
        } catch {
            guard case .categoryInUse(_, let budgets, let children) = error else { throw error }
            if let reason = obstacle(budgets: budgets, children: children) {
                return try CategoryShow.page(context, id, nil, .unprocessable, deleteError: reason)
            }
            try book.move(transactionsOf: id, to: nil)
            try book.deleteCategory(id)
            device.show(Device.Toast(key: "category-deleted", text: "Category deleted"))
            return .seeOther(Routes.categories.link)
        }
        let undo = Routes.categoryRestore.link(id)
        device.show(Device.Toast(key: "category-deleted", text: "Category deleted", undo: undo))
        return .seeOther(Routes.categories.link)
    }
}

extension CategoryDelete {
    /// What must go first.
    private static func obstacle(budgets: Int, children: Int) -> String? {
        if children > 0 { return "It has subcategories. Delete them first, or put them elsewhere." }
        return budgets > 0 ? "It has a budget. Delete the budget first." : nil
    }
}

/// `POST /categories/ID/restore`: takes a deletion back.
enum CategoryRestore {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let device = try context.knownDevice()
        let book = try context.book()
        do {
            try book.restoreCategory(id)
            device.show(Device.Toast(key: "category-restored", text: "Category restored"))
        } catch {
            guard error.keepsItDeleted, error != .unknownCategory(id) else { throw error }
            let text = "It cannot come back: the category above it is gone or has changed."
            device.show(Device.Toast(key: "category-not-restored", text: text))
        }
        return .seeOther(Routes.categories.link)
    }
}
