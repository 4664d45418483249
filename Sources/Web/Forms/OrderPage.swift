// The page on which a list gets an order.

import Ledger
import Links
import Templates
import Texts

/// The rows of a list, each of which can be moved up or down among its siblings.
struct OrderPage: Page {
    static let template = "forms/order"
    let chrome: Chrome
    let title: Text
    let groups: [OrderGroup]
    let action: Link
    let list: Link

    static let keys = Keys<OrderPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .message("title") { $0.title }
        .list("groups", of: OrderGroup.self) { $0.groups }
        .link("action") { $0.action }
        .link("list_href") { $0.list }
}

/// Rows under a label.
struct OrderGroup: TemplateModel {
    let label: Text?
    let rows: [OrderRow]

    static let keys = Keys<OrderGroup>()
        .optionalMessage("label") { $0.label }
        .list("rows", of: OrderRow.self) { $0.rows }
}

/// A row that can be moved.
struct OrderRow: TemplateModel {
    let id: EntityID
    let name: String
    /// The row above it in another level; nil for one at the top.
    let parent: EntityID?
    var isFirst = false
    var isLast = false

    static let keys = Keys<OrderRow>()
        .text("id") { "\($0.id)" }
        .text("name") { $0.name }
        .message("grip_label") { Text("forms.drag-it", ["name": .string($0.name.isolated)]) }
        .flag("is_child") { $0.parent != nil }
        .text("parent") { $0.parent.map { "\($0)" } ?? "" }
        .flag("is_first") { $0.isFirst }
        .flag("is_last") { $0.isLast }
}

extension [OrderRow] {
    /// The same rows, of which the first and the last among those with one parent are marked.
    var marked: [OrderRow] {
        var rows = self
        for parent in Set(rows.map(\.parent)) {
            let places = rows.indices.filter { rows[$0].parent == parent }
            if let first = places.first { rows[first].isFirst = true }
            if let last = places.last { rows[last].isLast = true }
        }
        return rows
    }
}
