// The rows for the parts of a transaction in its form.

import Ledger
import Templates
import Texts

/// A row with the fields of one part.
struct PartRow: TemplateModel {
    private let number: Int
    private let isFilled: Bool
    private let category: Field
    private let amount: Field
    private let note: Field
    private let categoryGroups: [ChoiceGroup]

    /// The rows of a form: the rows with values, and some empty rows.
    static func rows(_ state: FormState, catalog: Catalog) -> [PartRow] {
        func value(_ name: String, _ index: Int) -> String {
            let values = state.lists[name] ?? []
            return index < values.count ? values[index] : ""
        }
        func isEmpty(_ index: Int) -> Bool {
            ["split_category", "split_amount", "split_note"].allSatisfy { value($0, index).isEmpty }
        }
        var filled = state.lists.values.map(\.count).max() ?? 0
        while filled > 0, isEmpty(filled - 1) { filled -= 1 }
        // All rows that were sent are shown again.
        let most = max(filled, Split.counts.upperBound)
        let count = min(max(3, filled + 2, state.partRowCount), most)
        return (0..<count).map { index in
            let category = state.field("split_category", row: index + 1)
            return PartRow(
                number: index + 1,
                isFilled: !isEmpty(index),
                category: category,
                amount: state.field("split_amount", row: index + 1),
                note: state.field("split_note", row: index + 1),
                categoryGroups: catalog.categoryGroups(keeping: category.value)
            )
        }
    }

    static let keys = Keys<PartRow>()
        .integer("number") { Int64($0.number) }
        .message("legend") { Text("splits.part-number", ["number": .count($0.number)]) }
        .flag("is_filled") { $0.isFilled }
        .model("category", of: Field.self) { $0.category }
        .model("amount", of: Field.self) { $0.amount }
        .model("note", of: Field.self) { $0.note }
        .list("category_groups", of: ChoiceGroup.self) { $0.categoryGroups }
}
