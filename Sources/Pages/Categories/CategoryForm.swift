// The form that adds or changes a category.

public import Ledger
import Links
public import Templates

/// The fields of a category. It posts `csrf`, `once`, `name`, `kind`, `icon`, `color`, `parent`.
public struct CategoryForm: TemplateModel {
    /// The symbols of the sprite that a category may carry.
    public static let icons = [
        "basket", "fork", "cup", "home", "bolt", "drop", "wifi", "phone", "car", "bus", "fuel", "heart",
        "pill",
        "shirt", "book", "film", "gift", "plane", "child", "paw", "tools", "shield", "bank", "card", "cash",
        "piggy",
        "chart", "briefcase", "percent", "refund", "star", "tag", "dots",
    ]
    /// The colour tokens that a category may carry.
    public static let colors = [
        "basil", "tomato", "butter", "crust", "plum", "sky", "moss", "clay", "slate", "rose",
    ]

    let state: FormState
    let editing: EntityID?
    let once: String
    let parents: [ChoiceGroup]

    /// - Parameters:
    ///   - state: `blank`, `values(of:)`, or the values of a refused form.
    ///   - editing: the category that it changes; nil to add one.
    ///   - once: an id made for this form, so that sending it twice adds one category.
    public init(state: FormState, editing: EntityID?, once: String, catalog: Catalog) {
        self.state = state
        self.editing = editing
        self.once = once
        func parents(_ kind: CategoryKind) -> [Choice] {
            catalog.categories.filter { $0.kind == kind && $0.parent == nil && $0.id != editing }
                .map { Choice("\($0.id)", $0.name) }.selecting(state["parent"])
        }
        let groups = [
            ChoiceGroup(label: "Spending", options: parents(.expense)),
            ChoiceGroup(label: "Income", options: parents(.income)),
        ]
        let isGone = !state["parent"].isEmpty && catalog.category(EntityID(state["parent"])) == nil
        let lost = Choice(state["parent"], "A deleted category").selected(among: [state["parent"]])
        self.parents = isGone ? groups + [ChoiceGroup(label: "Deleted", options: [lost])] : groups
    }

    /// A new category of spending.
    public static let blank = FormState(values: ["kind": "expense", "color": "crust", "icon": "tag"])

    /// A stored category as the form would have been typed.
    public static func values(of category: Ledger.Category) -> FormState {
        FormState(values: [
            "name": category.name,
            "kind": category.kind.rawValue,
            "icon": category.icon,
            "color": category.color,
            "parent": category.parent.map { "\($0)" } ?? "",
        ])
    }

    /// The values for the template.
    public static let keys = Keys<CategoryForm>()
        .optional("seen") { $0.state.seen }
        .optional("notice") { $0.state.notice }
        .optional("back") { $0.state.back?.text }
        .link("cancel_href") { $0.state.back ?? .categories }
        .flag("is_refused") { $0.state.isRefused || $0.state.notice != nil }
        .link("action") { $0.editing.map { Link.category($0) } ?? .categories }
        .text("once") { $0.once }
        .flag("is_new") { $0.editing == nil }
        .text("submit") { $0.editing == nil ? "Add category" : "Save" }
        .model("name", of: Field.self) { $0.state.field("name") }
        .model("kind", of: Field.self) { $0.state.field("kind") }
        .list("kinds", of: Choice.self) { form in Self.kinds.selecting(form.state["kind"]) }
        .model("parent", of: Field.self) { $0.state.field("parent") }
        .list("parent_groups", of: ChoiceGroup.self) { $0.parents }
        .model("color", of: Field.self) { $0.state.field("color") }
        .list("colors", of: Choice.self) { form in
            Self.colors.map { Choice($0, $0.capitalizedASCII) }.selecting(form.state["color"])
        }
        .model("icon", of: Field.self) { $0.state.field("icon") }
        .list("icons", of: Choice.self) { form in
            Self.icons.map { Choice($0, $0.capitalizedASCII) }.selecting(form.state["icon"])
        }

    private static let kinds = [Choice("expense", "Spending"), Choice("income", "Income")]
}

extension String {
    /// The text with its first letter in upper case.
    var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}
