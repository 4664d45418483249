// The form of the preferences.

public import Ledger
import Links
public import Templates
import Texts

/// The fields of the preferences. It posts `csrf`, `base_currency`, `secondary_currencies` (repeated), `week_start`,
/// `theme`, `locale`, `time_zone`, for premium users `conflict_policy`, and after the question about budgets
/// `budgets` = `keep` or (premium) `convert`.
public struct PreferencesForm: TemplateModel {
    let state: FormState
    let formats: Formats
    let locales: [Choice]
    let zones: [Choice]
    let budgetQuestion: BudgetQuestion?

    /// The question that is asked if the base currency changes while budgets have limits in the old one.
    public struct BudgetQuestion: Sendable {
        let count: Int
        let new: CurrencyCode
        let canConvert: Bool

        /// A question about a number of budgets.
        /// - Parameter canConvert: whether there are exchange rates to convert the limits.
        public init(count: Int, new: CurrencyCode, canConvert: Bool) {
            self.count = count
            self.new = new
            self.canConvert = canConvert
        }
    }

    /// - Parameters:
    ///   - state: `values(of:)`, or the values of a refused form.
    ///   - locales: tags and names of the locales that can be chosen, in the order shown.
    ///   - zones: names of time zones to suggest.
    ///   - budgetQuestion: the question to answer before the base currency changes; nil for none.
    public init(
        state: FormState,
        formats: Formats,
        locales: [(tag: String, name: String)],
        zones: [String],
        budgetQuestion: BudgetQuestion? = nil
    ) {
        self.budgetQuestion = budgetQuestion
        self.state = state
        self.formats = formats
        self.locales = locales.map { Choice($0.tag, .verbatim($0.name)) }
        self.zones = zones.map { Choice($0, .verbatim($0)) }
    }

    /// The preferences in force: each one set or its fallback.
    public static func values(
        base: CurrencyCode,
        secondary: [CurrencyCode],
        weekStart: WeekStart,
        theme: Theme,
        conflictPolicy: ConflictPolicy,
        locale: String,
        timeZone: String
    ) -> FormState {
        FormState(
            values: [
                "base_currency": base.rawValue,
                "week_start": weekStart.rawValue,
                "theme": theme.rawValue,
                "conflict_policy": conflictPolicy.rawValue,
                "locale": locale,
                "time_zone": timeZone,
            ],
            lists: ["secondary_currencies": secondary.map(\.rawValue)]
        )
    }

    /// The values for the template.
    public static let keys = Keys<PreferencesForm>()
        .optional("seen") { $0.state.seen }
        .optionalMessage("notice") { $0.state.notice }
        .optional("back") { $0.state.back?.text }
        .link("cancel_href") { $0.state.back ?? .settings }
        .flag("is_refused") { $0.state.isRefused || $0.state.notice != nil }
        .model("base_currency", of: Field.self) { form in
            form.state.field("base_currency", options: form.currencies)
        }
        .list("secondary", of: Choice.self) { form in
            form.currencies.map { $0.selected(among: form.chosen) }
        }
        .message("secondary_text") { form in
            form.chosen.isEmpty ? Text("settings.none") : .verbatim(form.chosen.joined(separator: ", "))
        }
        .list("week_start", of: Choice.self) { form in
            Choice.weekStarts.selecting(form.state["week_start"])
        }
        .list("theme", of: Choice.self) { form in
            Self.themes.selecting(form.state["theme"])
        }
        .list("conflict_policy", of: Choice.self) { form in
            Self.conflictPolicies.selecting(form.state["conflict_policy"])
        }
        .model("locale", of: Field.self) { $0.state.field("locale", options: $0.locales) }
        .model("time_zone", of: Field.self) { $0.state.field("time_zone") }
        .list("zones", of: Choice.self) { $0.zones }
        .optionalMessage("budget_question") { form in
            form.budgetQuestion.map { question in
                Text(
                    "settings.budgets-have-their-limits",
                    ["count": .count(question.count), "currency": .string("\(form.formats.base)")]
                )
            }
        }
        .list("budget_choices", of: Choice.self) { form in
            guard let question = form.budgetQuestion else { return [] }
            let new: [String: Text.Argument] = ["currency": .string("\(question.new)")]
            let keep = Choice("keep", Text("settings.keep-the-numbers", new))
            let convert = Choice("convert", Text("settings.convert-them", new))
            return (question.canConvert ? [keep, convert] : [keep])
                .selecting(form.state["budgets"])
        }
        .model("budgets", of: Field.self) { $0.state.field("budgets") }
        .text("sample") { form in
            "\(form.formats.money(-123_456, form.formats.base)), \(form.formats.longDay(form.formats.today))"
        }

    private static let themes = [
        Choice("system", Text("settings.system")), Choice("light", Text("settings.light")),
        Choice("dark", Text("settings.dark")),
    ]
    private static let conflictPolicies = [
        Choice("newest", Text("settings.the-newest-wins")), Choice("ask", Text("settings.ask-me")),
    ]

    private var chosen: [String] { state.lists["secondary_currencies"] ?? [] }

    private var currencies: [Choice] {
        formats.namedCurrencyChoices(first: [formats.base] + formats.secondary)
    }
}
