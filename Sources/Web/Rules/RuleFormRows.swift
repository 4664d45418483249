// The rows of the form of a rule: its conditions, and the parts of a split.

import Ledger
import Templates
import Texts

/// A row with the fields of one condition.
struct RuleConditionRow: TemplateModel {
    private let number: Int
    private let field: Field
    private let test: Field
    private let value: Field

    /// The rows with values and one more; three rows of a new rule. All rows that were sent are shown again.
    static func rows(_ state: FormState) -> [RuleConditionRow] {
        let filled = state.lists["when_value"]?.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
        let sent = state.lists["when_value"]?.count ?? 0
        let wanted = filled == 0 ? 3 : filled + 1
        let count = min(
            max(wanted, state.isUnsaved ? sent : 0, state.conditionRowCount),
            max(filled, Rule.mostConditions)
        )
        return (1...max(1, count)).map { RuleConditionRow(number: $0, state) }
    }

    private init(number: Int, _ state: FormState) {
        self.number = number
        func field(_ name: String, usual: String, _ options: [Choice]) -> Field {
            let field = state.field(name, row: number)
            return Field(
                name: name,
                id: field.id,
                value: field.value.isEmpty ? usual : field.value,
                error: field.error,
                isFirstError: field.isFirstError,
                options: options
            )
        }
        self.field = field(
            "when_field",
            usual: RuleField.payee.rawValue,
            RuleField.allCases.map { Choice($0.rawValue, RuleWords.heading($0)) }
        )
        test = field(
            "when_test",
            usual: RuleTest.equals.rawValue,
            RuleTest.allCases.map { Choice($0.rawValue, RuleWords.label($0)) }
        )
        value = state.field("when_value", row: number)
    }

    static let keys = Keys<RuleConditionRow>()
        .message("legend") { Text("rules.condition-number", ["number": .count($0.number)]) }
        .model("field", of: Field.self) { $0.field }
        .model("test", of: Field.self) { $0.test }
        .model("value", of: Field.self) { $0.value }
}

/// A row with the fields of one part of a split.
struct RulePartRow: TemplateModel {
    private let number: Int
    private let category: Field
    private let share: Field
    private let categoryGroups: [ChoiceGroup]

    /// The rows with values and some empty ones.
    static func rows(_ state: FormState, catalog: Catalog) -> [RulePartRow] {
        func value(_ name: String, _ index: Int) -> String {
            let values = state.lists[name] ?? []
            return index < values.count ? values[index] : ""
        }
        var filled = RuleForm.partFields.map { state.lists[$0]?.count ?? 0 }.max() ?? 0
        while filled > 0, RuleForm.partFields.allSatisfy({ value($0, filled - 1).isEmpty }) { filled -= 1 }
        let most = max(filled, Split.counts.upperBound)
        let count = min(max(2, filled == 0 ? 2 : filled + 1, state.partRowCount), most)
        return (1...count).map { number in
            let category = state.field("then_split_category", row: number)
            return RulePartRow(
                number: number,
                category: category,
                share: state.field("then_split_share", row: number),
                categoryGroups: catalog.categoryGroups(keeping: category.value)
            )
        }
    }

    static let keys = Keys<RulePartRow>()
        .message("legend") { Text("splits.part-number", ["number": .count($0.number)]) }
        .model("category", of: Field.self) { $0.category }
        .model("share", of: Field.self) { $0.share }
        .list("category_groups", of: ChoiceGroup.self) { $0.categoryGroups }
}
