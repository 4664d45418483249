// The page that changes or deletes a budget.

public import Ledger
import Links
public import Templates
import Texts

/// A budget on a page of its own.
public struct BudgetEditPage: Page {
    /// The name of the page's template.
    public static let template = "budgets/edit"
    let chrome: Chrome
    let budget: Budget
    let name: Text
    let form: BudgetForm

    /// A page around a form.
    public init(chrome: Chrome, budget: Budget, catalog: Catalog, form: BudgetForm) {
        self.chrome = chrome.on(.budgets)
        self.budget = budget
        self.form = form
        name = budget.category.map { catalog.categoryName($0) } ?? Text("budgets.all-spending-in-a-sentence")
    }

    /// The values for the template.
    public static let keys = Keys<BudgetEditPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .message("name") { $0.name }
        .model("form", of: BudgetForm.self) { $0.form }
        .flag("has_begun") { $0.form.history?.hasBegun == true }
        .link("delete_action", to: Link.budgetDelete) { $0.budget.id }
}
