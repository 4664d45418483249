// The form that sets or changes a budget.

public import Ledger
import Links
public import Templates
import Texts

/// The fields of a budget. It posts `csrf`, `once`, `category`, `limit`, `from` and, where ticked, `rollover=on`.
public struct BudgetForm: TemplateModel {
    let state: FormState
    let editing: EntityID?
    let once: String
    let choices: [Choice]
    let currency: CurrencyCode

    /// - Parameters:
    ///   - state: `blank`, `values(of:)`, or the values of a refused form.
    ///   - editing: the budget that it changes; nil to set a new one.
    ///   - once: an id made for this form, so that sending it twice sets one budget.
    ///   - currency: that of the budget; nil for the base currency.
    public init(
        state: FormState,
        editing: EntityID?,
        once: String,
        catalog: Catalog,
        formats: Formats,
        currency: CurrencyCode? = nil
    ) {
        self.state = state
        self.editing = editing
        self.once = once
        choices = ([Choice("", Text("budgets.all-spending"))] + catalog.categoryChoices(.expense))
            .keeping(state["category"], as: Text("categories.a-deleted-category"))
        self.currency = currency ?? formats.base
    }

    /// A new budget from the given month on.
    public static func blank(month: YearMonth) -> FormState { FormState(values: ["from": "\(month)"]) }

    /// A stored budget as the form would have been typed.
    public static func values(of budget: Budget, formats: Formats) -> FormState {
        FormState(values: [
            "category": budget.category.map { "\($0)" } ?? "",
            "limit": formats.plain(budget.limit.minor, budget.limit.currency),
            "from": "\(budget.from)",
            "rollover": budget.rollover ? "on" : "",
        ])
    }

    /// The values for the template.
    public static let keys = Keys<BudgetForm>()
        .optional("seen") { $0.state.seen }
        .optionalMessage("notice") { $0.state.notice }
        .optional("back") { $0.state.back?.text }
        .link("cancel_href") { $0.state.back ?? .budgets }
        .flag("is_refused") { $0.state.isRefused || $0.state.notice != nil }
        .link("action") { $0.editing.map { Link.budget($0) } ?? .budgets }
        .text("once") { $0.once }
        .flag("is_new") { $0.editing == nil }
        .message("submit") {
            $0.editing == nil ? Text("budgets.add-budget") : Text("common.save")
        }
        .text("currency") { $0.currency.rawValue }
        .model("category", of: Field.self) { $0.state.field("category", options: $0.choices) }
        .model("limit", of: Field.self) { $0.state.field("limit") }
        .model("from", of: Field.self) { $0.state.field("from") }
        .flag("rollover") { $0.state["rollover"] == "on" }
}
