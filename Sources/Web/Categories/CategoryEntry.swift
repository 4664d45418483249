// Parses the form of a category into a valid value, or into errors by field.

import Book
import Ledger
import Links
import Texts

/// The parsed form of a category.
struct CategoryEntry: EntityEntry {
    var state: FormState
    var value: Ledger.Category?

    static let texts = EntityTexts(
        added: Text("categories.added"),
        changed: Text("categories.changed"),
        deleted: Text("categories.category-deleted"),
        restored: Text("categories.restored"),
        lost: Text("categories.cannot-come-back"),
        gone: Text("categories.was-deleted"),
        deletedMeanwhile: { Text("categories.deleted-meanwhile", ["place": $0]) }
    )
    static let fields = ["name", "kind", "icon", "color", "parent"]
    static let pageLink = Link.category
    static let deleteLink = Link.categoryDelete
    static let restoreLink = Link.categoryRestore

    init(_ state: FormState, id: EntityID, _ context: RequestContext) throws {
        self.state = state
        let name = state["name"].asLine
        if name.isEmpty { refuse("name", Text("categories.give-it-a-name")) }
        if !name.fits(TextLimit.name) {
            refuse("name", Text("forms.keep-it-to-limit", ["limit": .count(TextLimit.name)]))
        }
        let kind = CategoryKind(rawValue: state["kind"])
        if kind == nil { refuse("kind", Text("categories.choose-spending-or-income")) }
        let icon = state["icon"].isEmpty ? "tag" : state["icon"]
        if !CategoryForm.icons.contains(icon) { refuse("icon", Text("categories.choose-a-picture")) }
        let color = state["color"].isEmpty ? "slate" : state["color"]
        if !CategoryForm.colors.contains(color) { refuse("color", Text("categories.choose-a-colour")) }
        let book = try context.book()
        let stored = try book.category(id)
        let parent =
            if let kept = stored?.parent, state["parent"] == "\(kept)" {
                EntityID?.some(kept)
            } else {
                readParent(kind, id, try book.choices().categories)
            }
        guard let kind, !self.state.isRefused else { return }
        if stored != nil { try ask(aboutPastMonthsOf: id, movedTo: parent, context) }
        guard !self.state.isRefused else { return }
        value = Ledger.Category(
            id: id,
            name: name,
            kind: kind,
            icon: icon,
            color: color,
            parent: parent,
            position: stored?.position,
            isArchived: stored?.isArchived ?? false
        )
    }

    /// Asks whether to change budgets of months that are past, unless the user has confirmed this place of the category.
    private mutating func ask(
        aboutPastMonthsOf id: EntityID,
        movedTo parent: EntityID?,
        _ context: RequestContext
    ) throws {
        let confirmed = context.request.form.first("past_months")
        guard confirmed != parent?.description ?? "top",
            let changes = try context.pastMonths(moving: id, to: parent)
        else { return }
        refuse("parent", Text("categories.changes-past-months", ["changes": .text(changes)]))
        state.confirmations["parent"] = FieldConfirmation(
            name: "past_months",
            value: parent?.description ?? "top"
        )
    }

    private mutating func readParent(_ kind: CategoryKind?, _ id: EntityID, _ existing: [Ledger.Category])
        -> EntityID?
    {
        guard !state["parent"].isEmpty else { return nil }
        let chosen = EntityID(state["parent"])
        guard let parent = existing.first(where: { $0.id == chosen }), parent.id != id else {
            refuse("parent", Text("forms.choose-a-category"))
            return nil
        }
        if let kind, parent.kind != kind { refuse("parent", Text("categories.choose-the-same-kind")) }
        if parent.parent != nil {
            refuse("parent", Text("categories.choose-one-at-the-top"))
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

    static func refusal(_ error: BookError) -> (field: String, text: Text)? {
        switch error {
        case .categoryKindInUse:
            ("kind", Text("categories.its-kind-cannot-change"))
        case .categoryNesting:
            ("parent", Text("categories.it-has-subcategories"))
        case .categoryKind: ("parent", Text("categories.choose-the-same-kind"))
        case .unknownCategory: ("parent", Text("forms.category-deleted-meanwhile"))
        case .invalid(.name): ("name", Text("forms.keep-it-to-limit", ["limit": .count(TextLimit.name)]))
        default: nil
        }
    }

    static func nameQuestion(about value: Ledger.Category, shown version: EntityVersion?, _ book: Book)
        throws(BookError) -> Text?
    {
        guard let namesake = try book.namesake(of: value, shown: version) else { return nil }
        return Text("categories.name-in-use", ["name": .string(namesake.name)])
    }

    static func add(_ value: Ledger.Category, to book: Book) throws(BookError) { try book.add(value) }

    /// The category's transactions have no category afterwards, as its page says.
    static func delete(_ id: EntityID, _ book: Book, _ form: DeletionForm) throws(BookError) -> Link? {
        do { try book.deleteCategory(id) } catch {
            guard case .categoryInUse(_, budgets: 0, children: 0) = error else { throw error }
            return try book.deleteCategoryOfTransactions(id).map { Link.historyUndo($0) }
        }
        return restoreLink(id)
    }

    static func obstacle(_ error: BookError, to id: EntityID, _ book: Book) throws(BookError) -> Obstacle? {
        guard case .categoryInUse(_, let budgets, let children) = error else { return nil }
        if children > 0 {
            return Obstacle(
                text: Text("categories.delete-its-subcategories-first"),
                // They are listed below it.
                way: Way(Link.categories.adding(fragment: "t\(id)"), Text("common.categories"))
            )
        }
        guard budgets > 0 else { return nil }
        // One that has ended is on no page of the present month.
        let last = try book.allBudgets().filter { $0.category == id }.max { $0.from < $1.from }
        return Obstacle(
            text: last?.until == nil
                ? Text("categories.delete-its-budget-first") : Text("categories.its-budget-has-ended"),
            way: Way(last.map { Link.budget($0.id) } ?? .budgets, Text("categories.its-budget"))
        )
    }

    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID {
        try book.restoreCategory(id)
    }

    static func list(around value: Ledger.Category?) -> Link { .categories }
}
