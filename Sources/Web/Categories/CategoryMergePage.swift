// The page that merges a category into another one: the choice of the other one, and the preview.

import Ledger
import Links
import Templates
import Texts

/// Merging a category, in two steps on one page.
struct CategoryMergePage: Page {
    static let template = "categories/merge"
    let chrome: Chrome
    let category: Ledger.Category
    let state: FormState
    let targets: [Choice]
    let plan: Plan?

    /// - Parameters:
    ///   - category: the category that is deleted.
    ///   - state: the chosen category as `to`, with the reason why it was refused.
    ///   - plan: the effect of the merge; nil as long as no fitting category is chosen.
    ///   - pastMonths: the past months of budgets that change; nil for none.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        category: Ledger.Category,
        state: FormState,
        plan: CategoryMerge?,
        pastMonths: Text? = nil
    ) {
        self.chrome = chrome.on(.categories)
        self.category = category
        self.state = state
        targets = catalog.categoryChoices(category.kind).filter { choice in
            let other = catalog.category(EntityID(choice.value))
            return other?.id != category.id && other?.parent != category.id
        }
        self.plan = plan.map { Plan(merge: $0, formats: formats, catalog: catalog, pastMonths: pastMonths) }
    }

    static let keys = Keys<CategoryMergePage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("name") { $0.category.name }
        .link("action", to: Link.categoryMerge) { $0.category.id }
        .link("back_href", to: Link.category) { $0.category.id }
        .flag("has_targets") { !$0.targets.isEmpty }
        .optionalMessage("notice") { $0.state.notice }
        .model("to", of: Field.self) { $0.state.field("to", options: $0.targets) }
        .list("plan", of: Plan.self) { $0.plan.map { [$0] } ?? [] }

    /// The preview.
    struct Plan: TemplateModel {
        let merge: CategoryMerge
        let formats: Formats
        let catalog: Catalog
        let pastMonths: Text?

        static let keys = Keys<Plan>()
            .text("to") { "\($0.merge.target.id)" }
            .text("count") { "\($0.merge.transactionCount)" }
            .message("summary") {
                Text(
                    "categories.merge-summary",
                    [
                        "source": .string($0.merge.source.name.isolated),
                        "target": .string($0.merge.target.name.isolated),
                    ]
                )
            }
            .list("lines", of: MergeLine.self) { $0.lines.map(MergeLine.init) }

        /// A sentence for each kind of row that changes.
        private var lines: [Text] {
            let target: Text.Argument = .string(merge.target.name.isolated)
            func line(_ count: Int, _ words: (Text.Argument) -> Text) -> Text? {
                count > 0 ? words(.count(count)) : nil
            }
            let rows = [
                line(merge.scheduleCount) { Text("categories.merge-schedules", ["count": $0]) },
                line(merge.bankNoteCount) { Text("categories.merge-bank-notes", ["count": $0]) },
                line(merge.payeeCount) {
                    Text("categories.merge-payees", ["count": $0, "target": target])
                },
                line(merge.ruleCount) { Text("categories.merge-rules", ["count": $0, "target": target]) },
                line(merge.viewCount) { Text("categories.merge-views", ["count": $0, "target": target]) },
                line(merge.children.count) {
                    Text(
                        "categories.merge-children",
                        [
                            "count": $0,
                            "names": .string(merge.children.map(\.name.isolated).joined(separator: ", ")),
                            "parent": .text(catalog.categoryName(merge.newParent).isolated),
                        ]
                    )
                },
            ]
            let transactions = Text(
                "categories.merge-transactions",
                ["count": .count(merge.transactionCount), "target": target]
            )
            return [transactions] + rows.compactMap(\.self) + [budgets, pastMonths].compactMap(\.self)
        }

        private var budgets: Text? {
            let target: [String: Text.Argument] = ["target": .string(merge.target.name.isolated)]
            switch merge.budgets {
            case nil: return nil
            case .moved: return Text("categories.budget-moves", target)
            case .kept: return Text("categories.budget-is-kept", target)
            case .added(let one?, let other?):
                let sum = MoneySum(
                    minor: Int128(one.minor) + Int128(other.minor),
                    currency: one.currency
                )
                return Text(
                    "categories.budgets-are-added-now",
                    [
                        "one": .string(formats.money(other)), "other": .string(formats.money(one)),
                        "sum": .string(formats.money(sum)),
                    ]
                )
            case .added: return Text("categories.budgets-are-added")
            }
        }
    }
}

/// A sentence of the preview.
struct MergeLine: TemplateModel {
    let text: Text

    static let keys = Keys<MergeLine>().message("text") { $0.text }
}
