// The rows that a rule would change, before it does.

import Ledger
import Links
import Templates
import Texts

/// A rule tried on the transactions of the book.
struct RulePreviewPage: Page {
    static let template = "rules/preview"
    /// The greatest number of rows that are listed.
    static let mostRows = 50

    let chrome: Chrome
    /// The address of the form that makes the change, or saves the rule that was typed.
    let action: Link
    /// The rule, as its id or as what was typed.
    let fields: [HiddenField]
    /// Whether the rule was typed and is not stored in this form.
    let isUnsaved: Bool
    /// The rule as a sentence.
    let words: Text
    /// The number of rows that it would change.
    let count: Int
    let rows: [RuleChangeLine]
    /// Sentences about rows of banks, and about rows that stay as they are.
    let remarks: [Text]
    /// The page of the stored rule.
    let back: Link

    static let keys = Keys<RulePreviewPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.rules) }
        .link("action") { $0.action }
        .list("fields", of: HiddenField.self) { $0.fields }
        .flag("is_unsaved") { $0.isUnsaved }
        .message("words") { $0.words }
        .text("count") { "\($0.count)" }
        .flag("can_change") { $0.count > 0 && $0.count <= TransactionSelection.limit }
        .message("count_text") { Text("rules.would-change", ["count": .count($0.count)]) }
        .message("change_text") { page in
            let count: [String: Text.Argument] = ["count": .count(page.count)]
            return page.isUnsaved
                ? Text("rules.save-and-change-these", count) : Text("rules.change-these", count)
        }
        .messages("remarks") { $0.remarks }
        .flag("has_rows") { !$0.rows.isEmpty }
        .list("rows", of: RuleChangeLine.self) { $0.rows }
        .optionalMessage("more") { page in
            let more = page.count - page.rows.count
            return more > 0 ? Text("rules.and-more", ["count": .count(more)]) : nil
        }
        .link("back_href") { $0.back }
}

/// A transaction as it is, and each value that a rule would change.
struct RuleChangeLine: TemplateModel {
    let row: TransactionRow
    private let id: EntityID
    private let changes: [Text]

    init(before: Transaction, after: Transaction, catalog: Catalog, formats: Formats) {
        id = before.id
        row = TransactionRow(before, catalog: catalog, formats: formats)
        changes = Self.changes(before, after, catalog, formats)
    }

    private static func changes(
        _ before: Transaction,
        _ after: Transaction,
        _ catalog: Catalog,
        _ formats: Formats
    ) -> [Text] {
        var changes: [Text] = []
        func add(_ field: Text, _ former: Text, _ present: Text) {
            guard former != present else { return }
            changes.append(
                Text(
                    "changes.field-before-and-after",
                    ["field": .text(field), "before": .text(former), "after": .text(present)]
                )
            )
        }
        func said(_ text: String) -> Text {
            text.isEmpty ? Text("changes.nothing") : .verbatim(text.isolated)
        }
        func categories(_ transaction: Transaction) -> Text {
            let parts = PartLine.lines(of: transaction, catalog: catalog, style: formats.style).map(\.text)
            let joined = Text.joined(parts) {
                Text("rules.one-after-another", ["first": .text($0), "next": .text($1)])
            }
            return joined ?? catalog.categoryName(transaction.category).isolated
        }
        add(Text("transactions.payee"), said(before.payee), said(after.payee))
        add(
            Text("transactions.kind"),
            TransactionForm.label(of: before.kind),
            TransactionForm.label(of: after.kind)
        )
        if after.toAccount != before.toAccount {
            add(
                Text("transactions.to-account"),
                before.toAccount.map { catalog.accountName($0).isolated } ?? Text("changes.nothing"),
                after.toAccount.map { catalog.accountName($0).isolated } ?? Text("changes.nothing")
            )
        }
        if after.kind != .transfer {
            add(Text("transactions.category"), categories(before), categories(after))
        }
        add(Text("transactions.note"), said(before.note), said(after.note))
        add(
            Text("transactions.tags"),
            said(before.tags.joined(separator: ", ")),
            said(after.tags.joined(separator: ", "))
        )
        return changes
    }

    static let keys = Keys<RuleChangeLine>()
        .text("id") { "\($0.id)" }
        .model("row", of: TransactionRow.self) { $0.row }
        .messages("changes") { $0.changes }
}
