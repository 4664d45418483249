// The form of the preferences.

import Ledger
import Links
import Templates
import Texts

/// The fields of the preferences. It posts `csrf`, `base_currency`, `secondary_currencies` (repeated), `week_start`,
/// `theme`, `locale`, `time_zone`, for premium users `conflict_policy`, and after the question about budgets
/// `budgets` = `keep` or (premium) `convert`.
struct PreferencesForm: TemplateModel {
    let state: FormState
    let formats: Formats
    let locales: [Choice]
    let zones: [Choice]
    let budgetQuestion: BudgetQuestion?

    /// The question that is asked if the base currency changes while budgets have limits in the old one.
    struct BudgetQuestion: Sendable {
        let new: CurrencyCode
        let budgets: [Answer]
        /// The day of the rates; nil if there are none.
        let day: CivilDate?

        /// A budget with what each answer makes of its limit.
        struct Answer: Sendable {
            let name: Text
            let category: EntityID?
            let from: YearMonth
            let limit: Money
            let kept: Money?
            let converted: Money?

            /// - Parameters:
            ///   - kept: the limit with the same number; nil if the new currency has too few decimals for it.
            ///   - converted: the limit at the latest rate; nil without a rate.
            init(_ budget: Budget, catalog: Catalog, kept: Money?, converted: Money?) {
                name = budget.displayName(catalog)
                category = budget.category
                from = budget.from
                limit = budget.limit
                self.kept = kept
                self.converted = converted
            }
        }

        /// Whether each limit can be converted.
        var canConvert: Bool { budgets.allSatisfy { $0.converted != nil } }
    }

    /// - Parameters:
    ///   - state: `values(of:)`, or the values of a refused form.
    ///   - locales: tags and names of the locales that can be chosen, in the order shown.
    ///   - zones: names of time zones to suggest.
    ///   - budgetQuestion: the question to answer before the base currency changes; nil for none.
    init(
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
    static func values(
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

    static let keys = Keys<PreferencesForm>()
        .optional("seen") { $0.state.seen }
        .optionalMessage("notice") { $0.state.notice }
        .optional("back") { $0.state.back?.text }
        .link("cancel_href") { $0.state.back ?? .settings }
        .flag("is_refused") { $0.state.isRefused || $0.state.notice != nil }
        .flag("is_unsaved") { $0.state.isUnsaved }
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
                    [
                        // A limit that has changed is a further row of the same budget.
                        "count": .count(Set(question.budgets.map(\.category)).count),
                        "currency": .string("\(form.formats.base)"),
                    ]
                )
            }
        }
        .list("asked_budgets", of: AskedBudget.self) { form in
            guard let question = form.budgetQuestion else { return [] }
            return question.budgets.map {
                AskedBudget($0, converts: question.canConvert, formats: form.formats)
            }
        }
        .optionalMessage("rates_text") { form in
            guard let question = form.budgetQuestion, question.canConvert, let day = question.day else {
                return nil
            }
            return Text("rates.of-day", ["day": .string(form.formats.longDay(day))])
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

/// A budget in the question about a new base currency, with its limit in words.
struct AskedBudget: TemplateModel {
    let name: Text
    let from: String
    let limit: Text

    init(_ answer: PreferencesForm.BudgetQuestion.Answer, converts: Bool, formats: Formats) {
        name = answer.name
        from = formats.monthTitle(answer.from)
        let old = formats.money(answer.limit)
        let kept = answer.kept.map { formats.money($0) } ?? "–"
        limit =
            if converts, let converted = answer.converted {
                Text(
                    "settings.limit-kept-or-converted",
                    [
                        "old": .string(old), "kept": .string(kept),
                        "converted": .string(formats.money(converted)),
                    ]
                )
            } else {
                Text("settings.limit-kept", ["old": .string(old), "kept": .string(kept)])
            }
    }

    static let keys = Keys<AskedBudget>()
        .message("name") { $0.name }
        .text("from") { $0.from }
        .message("limit") { $0.limit }
}
