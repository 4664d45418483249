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
    let archived: [CategoryLine]
    let form: CategoryForm

    /// Categories, children beneath their parents; archived ones in a list of their own.
    init(chrome: Chrome, categories: [CategoryUse], form: CategoryForm) {
        self.chrome = chrome.on(.categories)
        self.form = form
        let catalog = Catalog(BookChoices(accounts: [], categories: categories.map(\.category)))
        let uses = Dictionary(
            categories.map { ($0.category.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        func lines(_ kind: CategoryKind, areArchived: Bool) -> [CategoryLine] {
            catalog.ordered(kind).filter { catalog.isArchived($0) == areArchived }.compactMap { category in
                uses[category.id].map {
                    CategoryLine(
                        use: $0,
                        parent: catalog.category(category.parent)?.name,
                        isPart: chrome.cloud.isIncomplete
                    )
                }
            }
        }
        groups = [
            CategoryGroup(label: Text("overview.spending"), lines: lines(.expense, areArchived: false)),
            CategoryGroup(label: Text("overview.income"), lines: lines(.income, areArchived: false)),
        ]
        archived = CategoryKind.allCases.flatMap { lines($0, areArchived: true) }
    }

    static let keys = Keys<CategoriesPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("groups", of: CategoryGroup.self) { $0.groups }
        .flag("can_be_ordered") { $0.groups.contains { $0.lines.count > 1 } }
        .list("archived", of: CategoryLine.self) { $0.archived }
        .flag("has_archived") { !$0.archived.isEmpty }
        .message("archived_text") { Text("categories.archived-count", ["count": .count($0.archived.count)]) }
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
    let use: CategoryUse
    let parent: String?
    /// Whether entries that use the category may still be on their way.
    let isPart: Bool

    private var category: Ledger.Category { use.category }

    static let keys = Keys<CategoryLine>()
        .text("id") { "\($0.category.id)" }
        .link("href") { $0.category.transactionsLink }
        .link("edit_href", to: Link.category) { $0.category.id }
        .text("name") { $0.category.name }
        .text("icon") { $0.category.icon }
        .text("color") { $0.category.color }
        .flag("is_child") { $0.parent != nil }
        .optional("parent") { $0.parent }
        .optionalMessage("count_text") { line in
            let count = line.use.countWithChildren
            // Budgets, schedules and notes that refer to it are on other pages.
            if count == 0, line.isPart || !line.use.isUnused { return nil }
            return Text("categories.use-count", ["count": .count(count)])
        }
}

extension Ledger.Category {
    /// The list of its transactions of all months, with those of the categories below it.
    var transactionsLink: Link {
        var query = TransactionQuery()
        query.category = .family(id)
        return TransactionsPage.href(query)
    }
}
