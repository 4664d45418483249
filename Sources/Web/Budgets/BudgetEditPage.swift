// The page that changes or deletes a budget.

import Ledger
import Links
import Templates
import Texts

/// A budget on a page of its own.
struct BudgetEditPage: Page {
    static let template = "budgets/edit"
    let chrome: Chrome
    let budget: Budget
    let name: Text
    let form: BudgetForm
    private let monthTitle: @Sendable (YearMonth) -> String

    /// A page around a form.
    init(chrome: Chrome, budget: Budget, catalog: Catalog, formats: Formats, form: BudgetForm) {
        self.chrome = chrome.on(.budgets)
        self.budget = budget
        self.form = form
        monthTitle = { formats.monthTitle($0) }
        name = budget.category.map { catalog.categoryName($0) } ?? Text("budgets.all-spending-in-a-sentence")
    }

    static let keys = Keys<BudgetEditPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .message("name") { $0.name }
        .model("form", of: BudgetForm.self) { $0.form }
        .flag("has_begun") { $0.form.history?.hasBegun == true }
        .flag("can_end") { $0.form.history?.ended == nil }
        .text("last_month") { $0.form.lastMonth }
        .optionalMessage("ended") { page in
            guard let ended = page.form.history?.ended else { return nil }
            let months: [String: Text.Argument] = [
                "last": .string(page.monthTitle(ended)), "now": .string(page.form.today),
            ]
            return Text("budgets.it-has-ended", months)
        }
        .message("delete_text") { page in
            guard let history = page.form.history else { return Text("budgets.transactions-stay-as-they") }
            if history.hasBegun {
                return history.ended == nil
                    ? Text("budgets.earlier-months-keep", ["month": .string(page.form.today)])
                    : Text("budgets.transactions-stay-as-they")
            }
            return history.hasEarlierLimit
                ? Text("budgets.the-limit-before-continues") : Text("budgets.transactions-stay-as-they")
        }
        .link("delete_action", to: Link.budgetDelete) { $0.budget.id }
}
