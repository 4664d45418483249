// A category as it was typed: either it is valid, or it says field by field what is wrong.

import Book
import HTTPServer
import Ledger
import Pages

/// What the form of a category amounts to.
struct CategoryEntry {
    private(set) var state: FormState
    private(set) var category: Ledger.Category?

    init(_ context: RequestContext, id: EntityID, existing: [Ledger.Category]) {
        let form = context.request.form
        let names = ["name", "kind", "icon", "color", "parent"]
        state = FormState(form, names)
        let name = state["name"].asLine
        if name.isEmpty { refuse("name", "Give the category a name.") }
        if !name.fits(TextLimit.name) { refuse("name", "Keep it to \(TextLimit.name) characters.") }
        let kind = CategoryKind(rawValue: state["kind"])
        if kind == nil { refuse("kind", "Choose spending or income.") }
        let icon = state["icon"].isEmpty ? "tag" : state["icon"]
        if !CategoryForm.icons.contains(icon) { refuse("icon", "Choose a picture from the list.") }
        let color = state["color"].isEmpty ? "slate" : state["color"]
        if !CategoryForm.colors.contains(color) { refuse("color", "Choose a colour from the list.") }
        let parent = readParent(kind, id, existing)
        guard let kind, !state.isRefused else { return }
        category = Ledger.Category(id: id, name: name, kind: kind, icon: icon, color: color, parent: parent)
    }

    mutating func refuse(_ field: String, _ error: String) {
        state.refuse(field, error)
        category = nil
    }

    /// Puts a refusal of the book beside the field that it is about.
    mutating func refuse(_ error: BookError) -> Bool {
        switch error {
        case .categoryKindInUse:
            refuse("kind", "It is in use, so that it cannot change between spending and income.")
        case .categoryNesting:
            refuse("parent", "Categories have one level: one with subcategories cannot be below another.")
        case .categoryKind: refuse("parent", "Choose a category of the same kind.")
        case .unknownCategory: refuse("parent", "This category was deleted in the meantime. Choose another.")
        case .invalid(.name): refuse("name", "Keep it to \(TextLimit.name) characters.")
        default: return false
        }
        return true
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
