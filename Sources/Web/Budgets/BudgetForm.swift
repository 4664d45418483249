// The form that sets or changes a budget.

import Ledger
import Links
import Templates
import Texts

/// The fields of a budget. It posts `csrf`, `once`, `category`, `limit`, `from`, `pace` and, where ticked, `rollover=on`;
/// to change a budget that has begun in an earlier month also `since`, and `suggested`, a limit, to have it filled in.
struct BudgetForm: EntityForm {
    let state: FormState
    let editing: EntityID?
    let once: String
    let choices: [Choice]
    let currency: CurrencyCode
    let history: History?
    let today: String
    let lastMonth: String
    private(set) var suggestion: Text?
    private(set) var suggestedLimit: String

    /// The earlier months of the budget that the form changes.
    struct History: Sendable {
        /// Whether the budget has begun before the current month, so that a change may hold from this month on.
        let hasBegun: Bool
        /// Whether another limit of the category begins earlier.
        var hasEarlierLimit: Bool = false
        /// The last month of a budget that has ended and does not begin again; nil for another one.
        var ended: YearMonth? = nil
        /// The way of spending that is derived from earlier months; nil if the user chose one.
        let guess: BudgetPace?
    }

    /// - Parameters:
    ///   - state: `blank`, `values(of:)`, or the values of a refused form.
    ///   - editing: the budget that it changes; nil to set a new one.
    ///   - once: an id made for this form, so that sending it twice sets one budget.
    ///   - currency: the currency of the budget; nil for the base currency.
    ///   - history: the earlier months of the budget that it changes; nil for a new one.
    ///   - suggestions: the suggested limits, offered for the chosen category while the limit is empty.
    init(
        state: FormState,
        editing: EntityID?,
        once: String,
        catalog: Catalog,
        formats: Formats,
        currency: CurrencyCode? = nil,
        history: History? = nil,
        suggestions: [BudgetSuggestion] = []
    ) {
        self.state = state
        self.editing = editing
        self.once = once
        self.history = history
        let archived = catalog.archivedChoice(state["category"]).map { [$0] } ?? []
        choices =
            ([Choice("", Text("budgets.all-spending"))] + catalog.categoryChoices(.expense) + archived)
            .keeping(state["category"], as: Text("categories.a-deleted-category"))
        self.currency = currency ?? formats.base
        let offered = suggestions.first { ($0.category.map { "\($0)" } ?? "") == state["category"] }
        today = formats.monthTitle(formats.today.yearMonth)
        lastMonth = formats.monthTitle(formats.today.yearMonth.previous)
        suggestion =
            state["limit"].isEmpty
            ? offered.map { offered in
                let name = offered.category.map { catalog.categoryName($0) } ?? Text("budgets.all-spending")
                return Text(
                    "budgets.suggestion-for-name",
                    ["name": .text(name), "suggestion": .text(offered.words(formats))]
                )
            } : nil
        suggestedLimit = offered.map { $0.limit(formats) } ?? ""
    }

    /// The same form without an average, which is too low while not all months are here.
    var withoutSuggestion: BudgetForm {
        var form = self
        (form.suggestion, form.suggestedLimit) = (nil, "")
        return form
    }

    /// A new budget from the given month on.
    /// - Parameters:
    ///   - category: the id of a category; empty for all spending.
    ///   - limit: a limit as it would be typed.
    static func blank(month: YearMonth, category: String = "", limit: String = "") -> FormState {
        FormState(values: ["from": "\(month)", "category": category, "limit": limit])
    }

    /// A stored budget as the form would have been typed.
    static func values(of budget: Budget, formats: Formats) -> FormState {
        FormState(values: [
            "category": budget.category.map { "\($0)" } ?? "",
            "limit": formats.plain(budget.limit.minor, budget.limit.currency),
            "from": "\(budget.from)",
            "rollover": budget.rollover ? "on" : "",
            "pace": budget.pace?.rawValue ?? "",
        ])
    }

    static let keys = Keys<BudgetForm>.form(of: .budgets, Link.budget, add: Text("budgets.add-budget"))
        .text("currency") { $0.currency.rawValue }
        .model("category", of: Field.self) { $0.state.field("category", options: $0.choices) }
        .model("limit", of: Field.self) { $0.state.field("limit") }
        .model("from", of: Field.self) { $0.state.field("from") }
        .flag("rollover") { $0.state["rollover"] == "on" }
        .model("pace", of: Field.self) { $0.state.field("pace", options: $0.paces) }
        .flag("asks_since") { $0.history?.hasBegun == true }
        .list("since", of: Choice.self) { form in
            form.spans.selecting(form.state["since"].isEmpty ? "now" : form.state["since"])
        }
        .model("since_field", of: Field.self) { $0.state.field("since") }
        .optionalMessage("suggestion") { $0.suggestion }
        .text("suggested_category") { $0.state["category"] }
        .text("suggested_limit") { $0.suggestedLimit }

    private var spans: [Choice] {
        [
            Choice("now", Text("budgets.from-month-on", ["month": .string(today)])),
            Choice("beginning", Text("budgets.from-the-beginning")),
        ]
    }

    private var paces: [Choice] {
        let guess: Text =
            switch history?.guess {
            case .spread?: Text("budgets.pace-guessed-spread")
            case .once?: Text("budgets.pace-guessed-once")
            case nil: Text("budgets.pace-guessed")
            }
        return [
            Choice("", guess), Choice(BudgetPace.spread.rawValue, Text("budgets.pace-spread")),
            Choice(BudgetPace.once.rawValue, Text("budgets.pace-once")),
        ]
    }
}
