// The form that adds or changes a rule.

import Ledger
import Links
import Templates
import Texts

/// The fields of a rule.
///
/// It posts `name`, `enabled`, `match`, once for each condition `when_field`, `when_test` and `when_value`, then
/// `then_payee`, `then_category`, `then_note`, `then_tags`, `then_account`, `then_hide` and `then_schedule`, and once for each part
/// of a split `then_split_category` and `then_split_share`. `more_conditions` and `more_parts` show it again with more rows.
struct RuleForm: EntityForm {
    let state: FormState
    let editing: EntityID?
    let once: String
    /// Whether this version understands the whole rule. Of another one only the name and whether it is on can be changed.
    let isUnderstood: Bool
    let words: RuleWords
    /// The currencies in use.
    let currencies: [CurrencyCode]
    let payees: [PayeeHint]

    /// The fields of a condition, each of which comes once a row.
    static let conditionFields = ["when_field", "when_test", "when_value"]
    /// The fields of a part, each of which comes once a row.
    static let partFields = ["then_split_category", "then_split_share"]

    /// A new rule with no conditions and no effects.
    static let blank = FormState(values: ["enabled": "on", "match": RuleMatch.all.rawValue])

    /// A stored rule as the form would have been typed. An account is named, unless another one has the same name.
    static func values(of rule: Rule, catalog: Catalog, decimalSign: Character) -> FormState {
        let typed = TypedRule(rule, decimalSign: decimalSign)
        var state = FormState(values: [
            "name": typed.name, "enabled": typed.isEnabled ? "on" : "", "match": typed.match,
            "then_payee": typed.payee, "then_category": typed.category, "then_note": typed.note,
            "then_tags": typed.tags.joined(separator: ", "), "then_account": typed.account,
            "then_hide": typed.hides ? "on" : "", "then_schedule": typed.schedule,
        ])
        state.lists = [
            "when_field": typed.conditions.map(\.field), "when_test": typed.conditions.map(\.test),
            "when_value": rule.conditions.indices.map { index in
                let value = typed.conditions[index].value
                guard case .account(let id) = rule.conditions[index].value else { return value }
                return catalog.uniqueName(of: id) ?? value
            },
            "then_split_category": typed.parts.map(\.category), "then_split_share": typed.parts.map(\.share),
        ].filter { !$0.value.isEmpty }
        return state
    }

    private static let matches = [
        Choice(RuleMatch.all.rawValue, Text("rules.all-of-these")),
        Choice(RuleMatch.any.rawValue, Text("rules.any-of-these")),
    ]

    private var conditions: [RuleConditionRow] { RuleConditionRow.rows(state) }

    /// Whether an effect is set that is used seldom, or has an error.
    private var isMoreOpen: Bool {
        let names = ["then_note", "then_account", "then_hide", "then_schedule"]
        return names.contains { !state[$0].isEmpty }
            || state.errors.keys.contains {
                names.contains($0) || $0.hasPrefix("then_split")
            }
            || state.lists.contains { name, values in
                Self.partFields.contains(name) && values.contains { !$0.isEmpty }
            } || state.partRowCount > 0
    }

    /// The values that a condition can name.
    private var values: [HiddenField] {
        let names = words.catalog.accounts.compactMap { words.catalog.uniqueName(of: $0.id) }
        let all =
            payees.map(\.payee) + names + TransactionKind.allCases.map(\.rawValue)
            + currencies.map(\.rawValue)
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted }.map { HiddenField(name: "", value: $0) }
    }

    private var accountChoices: [Choice] {
        [Choice("", Text("rules.no-transfer"))]
            + words.catalog.accountChoices(keeping: state["then_account"])
    }

    private var scheduleChoices: [Choice] {
        words.scheduleChoices.keeping(state["then_schedule"], as: Text("rules.a-deleted-schedule"))
    }

    static let keys = Keys<RuleForm>.form(of: .rules, Link.rule, add: Text("rules.add-a-rule"))
        .optional("id") { $0.editing.map { "\($0)" } }
        .flag("is_understood") { $0.isUnderstood }
        .model("name", of: Field.self) { $0.state.field("name") }
        .flag("is_on") { $0.state["enabled"] == "on" }
        .list("matches", of: Choice.self) { form in
            let value = form.state["match"]
            return matches.selecting(RuleMatch(rawValue: value) == nil ? RuleMatch.all.rawValue : value)
        }
        .list("conditions", of: RuleConditionRow.self) { $0.conditions }
        .list("values", of: HiddenField.self) { $0.values }
        .model("category", of: Field.self) { $0.state.field("then_category") }
        .list("category_groups", of: ChoiceGroup.self) {
            $0.words.catalog.categoryGroups(keeping: $0.state["then_category"])
        }
        .model("payee", of: Field.self) { $0.state.field("then_payee") }
        .list("payees", of: PayeeHint.self) { $0.payees }
        .model("tags", of: Field.self) { $0.state.field("then_tags") }
        .flag("is_more_open") { $0.isMoreOpen }
        .model("note", of: Field.self) { $0.state.field("then_note") }
        .model("account", of: Field.self) { $0.state.field("then_account", options: $0.accountChoices) }
        .model("schedule", of: Field.self) { $0.state.field("then_schedule", options: $0.scheduleChoices) }
        .flag("is_hiding") { $0.state["then_hide"] == "on" }
        .list("parts", of: RulePartRow.self) { RulePartRow.rows($0.state, catalog: $0.words.catalog) }
}

extension Catalog {
    /// The name of an account, if no other one has it.
    func uniqueName(of id: EntityID) -> String? {
        guard let name = account(id)?.name else { return nil }
        return accounts.count { $0.name.nameKey == name.nameKey } == 1 ? name : nil
    }

    /// The account with a name that no other one has.
    func account(named name: String) -> Account? {
        let found = accounts.filter { $0.name.nameKey == name.nameKey }
        return found.count == 1 ? found.first : nil
    }
}
