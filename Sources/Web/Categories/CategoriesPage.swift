// The categories of spending and income, and the form that adds one.

import Ledger
import Links
import Templates
import Texts

/// All categories.
struct CategoriesPage: Page {
    static let template = "categories/index"
    let chrome: Chrome
    let groups: [CategoryGroup]
    let form: CategoryForm

    /// Categories, children beneath their parents.
    init(chrome: Chrome, categories: [CategoryUse], form: CategoryForm) {
        self.chrome = chrome.on(.categories)
        self.form = form
        let catalog = Catalog(BookChoices(accounts: [], categories: categories.map(\.category)))
        let uses = Dictionary(
            categories.map { ($0.category.id, $0.transactionCount) },
            uniquingKeysWith: { first, _ in first }
        )
        func lines(_ kind: CategoryKind) -> [CategoryLine] {
            catalog.ordered(kind).map { category in
                CategoryLine(
                    category: category,
                    parent: catalog.category(category.parent)?.name,
                    count: uses[category.id] ?? 0,
                    isPart: chrome.cloud.isIncomplete
                )
            }
        }
        groups = [
            CategoryGroup(label: Text("overview.spending"), lines: lines(.expense)),
            CategoryGroup(label: Text("overview.income"), lines: lines(.income)),
        ]
    }

    static let keys = Keys<CategoriesPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("groups", of: CategoryGroup.self) { $0.groups }
        .model("form", of: CategoryForm.self) { $0.form }
}

struct CategoryGroup: TemplateModel {
    let label: Text
    let lines: [CategoryLine]

    static let keys = Keys<CategoryGroup>()
        .message("label") { $0.label }
        .flag("has_categories") { !$0.lines.isEmpty }
        .list("categories", of: CategoryLine.self) { $0.lines }
}

struct CategoryLine: TemplateModel {
    let category: Ledger.Category
    let parent: String?
    let count: Int
    /// Whether entries that use the category may still be on their way.
    let isPart: Bool

    static let keys = Keys<CategoryLine>()
        .text("id") { "\($0.category.id)" }
        .link("href", to: Link.category) { $0.category.id }
        .text("name") { $0.category.name }
        .text("icon") { $0.category.icon }
        .text("color") { $0.category.color }
        .flag("is_child") { $0.parent != nil }
        .optional("parent") { $0.parent }
        .optionalMessage("count_text") { line in
            line.count == 0 && line.isPart
                ? nil : Text("categories.use-count", ["count": .count(line.count)])
        }
}
