// The form that adds or changes a category.

import Ledger
import Links
import Templates
import Texts

/// The fields of a category. It posts `csrf`, `once`, `name`, `kind`, `icon`, `color`, `parent`.
struct CategoryForm: EntityForm {
    /// The symbols of the sprite that a category may carry.
    static let icons = iconChoices.map(\.value)
    /// The colour tokens that a category may carry.
    static let colors = colorChoices.map(\.value)

    let state: FormState
    let editing: EntityID?
    let once: String
    let parents: [ChoiceGroup]

    /// - Parameters:
    ///   - state: `blank`, `values(of:)`, or the values of a refused form.
    ///   - editing: the category that it changes; nil to add one.
    ///   - once: an id made for this form, so that sending it twice adds one category.
    init(state: FormState, editing: EntityID?, once: String, catalog: Catalog) {
        self.state = state
        self.editing = editing
        self.once = once
        func parents(_ kind: CategoryKind) -> [Choice] {
            catalog.categories.filter {
                $0.kind == kind && $0.parent == nil && $0.id != editing
                    && (!$0.isArchived || "\($0.id)" == state["parent"])
            }
            .map { Choice("\($0.id)", .verbatim($0.name)) }.selecting(state["parent"])
        }
        let groups = [
            ChoiceGroup(label: Text("overview.spending"), options: parents(.expense)),
            ChoiceGroup(label: Text("overview.income"), options: parents(.income)),
        ]
        let isGone = !state["parent"].isEmpty && catalog.category(EntityID(state["parent"])) == nil
        let lost = Choice(state["parent"], Text("categories.a-deleted-category"), isSelected: true)
        let deleted = ChoiceGroup(label: Text("categories.deleted-group"), options: [lost])
        self.parents = isGone ? groups + [deleted] : groups
    }

    /// A new category of spending.
    static let blank = FormState(values: ["kind": "expense", "color": "crust", "icon": "tag"])

    /// A stored category as the form would have been typed.
    static func values(of category: Ledger.Category) -> FormState {
        FormState(values: [
            "name": category.name,
            "kind": category.kind.rawValue,
            "icon": category.icon,
            "color": category.color,
            "parent": category.parent.map { "\($0)" } ?? "",
        ])
    }

    static let keys = Keys<CategoryForm>.form(
        of: .categories,
        Link.category,
        add: Text("categories.add-category")
    )
    .model("name", of: Field.self) { $0.state.field("name") }
    .model("kind", of: Field.self) { $0.state.field("kind") }
    .list("kinds", of: Choice.self) { form in Self.kinds.selecting(form.state["kind"]) }
    .model("parent", of: Field.self) { $0.state.field("parent") }
    .list("parent_groups", of: ChoiceGroup.self) { $0.parents }
    .model("color", of: Field.self) { $0.state.field("color") }
    .list("colors", of: Choice.self) { form in Self.colorChoices.selecting(form.state["color"]) }
    .model("icon", of: Field.self) { $0.state.field("icon") }
    .list("icons", of: Choice.self) { form in Self.iconChoices.selecting(form.state["icon"]) }

    private static let kinds = [
        Choice("expense", Text("overview.spending")), Choice("income", Text("overview.income")),
    ]

    private static let iconChoices: [Choice] = [
        Choice("basket", Text("categories.icon-basket")),
        Choice("fork", Text("categories.icon-fork")),
        Choice("cup", Text("categories.icon-cup")),
        Choice("home", Text("categories.icon-home")),
        Choice("bolt", Text("categories.icon-bolt")),
        Choice("drop", Text("categories.icon-drop")),
        Choice("wifi", Text("categories.icon-wifi")),
        Choice("phone", Text("categories.icon-phone")),
        Choice("car", Text("categories.icon-car")),
        Choice("bus", Text("categories.icon-bus")),
        Choice("fuel", Text("categories.icon-fuel")),
        Choice("heart", Text("categories.icon-heart")),
        Choice("pill", Text("categories.icon-pill")),
        Choice("shirt", Text("categories.icon-shirt")),
        Choice("book", Text("categories.icon-book")),
        Choice("film", Text("categories.icon-film")),
        Choice("gift", Text("categories.icon-gift")),
        Choice("plane", Text("categories.icon-plane")),
        Choice("child", Text("categories.icon-child")),
        Choice("paw", Text("categories.icon-paw")),
        Choice("tools", Text("categories.icon-tools")),
        Choice("shield", Text("categories.icon-shield")),
        Choice("bank", Text("categories.icon-bank")),
        Choice("card", Text("categories.icon-card")),
        Choice("cash", Text("categories.icon-cash")),
        Choice("piggy", Text("categories.icon-piggy")),
        Choice("chart", Text("categories.icon-chart")),
        Choice("briefcase", Text("categories.icon-briefcase")),
        Choice("percent", Text("categories.icon-percent")),
        Choice("refund", Text("categories.icon-refund")),
        Choice("star", Text("categories.icon-star")),
        Choice("tag", Text("categories.icon-tag")),
        Choice("dots", Text("categories.icon-dots")),
    ]

    private static let colorChoices: [Choice] = [
        Choice("basil", Text("categories.color-basil")),
        Choice("tomato", Text("categories.color-tomato")),
        Choice("butter", Text("categories.color-butter")),
        Choice("crust", Text("categories.color-crust")),
        Choice("plum", Text("categories.color-plum")),
        Choice("sky", Text("categories.color-sky")),
        Choice("moss", Text("categories.color-moss")),
        Choice("clay", Text("categories.color-clay")),
        Choice("slate", Text("categories.color-slate")),
        Choice("rose", Text("categories.color-rose")),
    ]
}
