// A category as it was typed: either it is valid, or it says field by field what is wrong.

import Book
import HTTPServer
import Ledger
import Links
import Pages

/// The parsed form of a category.
struct CategoryEntry: EntityEntry {
    var state: FormState
    var value: Ledger.Category?

    static let entityName = "Category"
    static let fields = ["name", "kind", "icon", "color", "parent"]
    static let deleteLink = Link.categoryDelete
    static let restoreLink = Link.categoryRestore

    init(_ state: FormState, id: EntityID, _ context: RequestContext) throws {
        self.state = state
        let name = state["name"].asLine
        if name.isEmpty { refuse("name", "Give the category a name.") }
        if !name.fits(TextLimit.name) { refuse("name", "Keep it to \(TextLimit.name) characters.") }
        let kind = CategoryKind(rawValue: state["kind"])
        if kind == nil { refuse("kind", "Choose spending or income.") }
        let icon = state["icon"].isEmpty ? "tag" : state["icon"]
        if !CategoryForm.icons.contains(icon) { refuse("icon", "Choose a picture from the list.") }
        let color = state["color"].isEmpty ? "slate" : state["color"]
        if !CategoryForm.colors.contains(color) { refuse("color", "Choose a colour from the list.") }
        let book = try context.book()
        let parent =
            if let kept = try book.category(id)?.parent, state["parent"] == "\(kept)" {
                EntityID?.some(kept)
            } else {
                readParent(kind, id, try book.choices().categories)
            }
        guard let kind, !self.state.isRefused else { return }
        value = Ledger.Category(id: id, name: name, kind: kind, icon: icon, color: color, parent: parent)
    }

    private mutating func readParent(_ kind: CategoryKind?, _ id: EntityID, _ existing: [Ledger.Category])
        -> EntityID?
    {
        guard !state["parent"].isEmpty else { return nil }
        let chosen = EntityID(state["parent"])
        guard let parent = existing.first(where: { $0.id == chosen }), parent.id != id else {
            refuse("parent", "Choose a category from the list.")
            return nil
        }
        if let kind, parent.kind != kind { refuse("parent", "Choose a category of the same kind.") }
        if parent.parent != nil {
            refuse("parent", "Categories have one level: choose one that is not below another.")
        }
        return parent.id
    }
}

extension CategoryEntry {
    static func stored(_ id: EntityID, _ book: Book) throws(BookError) -> Ledger.Category? {
        try book.category(id)
    }

    static func state(of value: Ledger.Category, _ context: RequestContext) -> FormState {
        CategoryForm.values(of: value)
    }

    static func refusal(_ error: BookError) -> (field: String, text: String)? {
        switch error {
        case .categoryKindInUse:
            ("kind", "It is in use, so that it cannot change between spending and income.")
        case .categoryNesting:
            ("parent", "Categories have one level: one with subcategories cannot be below another.")
        case .categoryKind: ("parent", "Choose a category of the same kind.")
        case .unknownCategory: ("parent", "This category was deleted in the meantime. Choose another.")
        case .invalid(.name): ("name", "Keep it to \(TextLimit.name) characters.")
        default: nil
        }
    }

    static func namesake(of value: Ledger.Category, shown version: EntityVersion?, _ book: Book)
        throws(BookError) -> String?
    { try book.namesake(of: value, shown: version)?.name }

    static func add(_ value: Ledger.Category, to book: Book) throws(BookError) { try book.add(value) }

    static func added(_ value: Ledger.Category, _ context: RequestContext) -> Response {
        context.redirect(to: context.list(of: value.id, or: list(around: value)))
    }

    /// Its transactions stand without a category from then on, as its page says.
    static func delete(_ id: EntityID, _ book: Book) throws(BookError) -> Bool {
        do { try book.deleteCategory(id) } catch {
            guard case .categoryInUse = error, obstacle(error) == nil else { throw error }
            try book.move(transactionsOf: id, to: nil)
            try book.deleteCategory(id)
            return false
        }
        return true
    }

    static func obstacle(_ error: BookError) -> String? {
        guard case .categoryInUse(_, let budgets, let children) = error else { return nil }
        if children > 0 { return "It has subcategories. Delete them first, or put them elsewhere." }
        return budgets > 0 ? "It has a budget. Delete the budget first." : nil
    }

    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID {
        try book.restoreCategory(id)
    }

    static let lostFor = "It cannot come back: the category above it is gone or has changed."

    static func list(around value: Ledger.Category?) -> Link { .categories }
}
