// The saved views of the list of transactions, and the form that saves one.

import Ledger
import Links
import Templates
import Texts

/// All saved views, by name.
struct ViewsPage: Page {
    static let template = "views/index"
    let chrome: Chrome
    let views: [SavedView]
    /// The form that saves the list from which the user came; nil for none.
    let form: ViewForm?

    static let keys = Keys<ViewsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.transactions) }
        .flag("has_views") { !$0.views.isEmpty }
        .list("views", of: ViewLine.self) { $0.views.map(ViewLine.init) }
        .model("form", of: ViewForm.self) { $0.form }
        .message("empty_text") {
            $0.chrome.cloud.isIncomplete ? Text("overview.not-all-is-here") : Text("views.none-yet")
        }
}

/// A saved view as a row.
struct ViewLine: TemplateModel {
    let view: SavedView

    static let keys = Keys<ViewLine>()
        .text("id") { "\($0.view.id)" }
        .text("name") { $0.view.name }
        .link("href") { TransactionsPage.href(of: $0.view) }
        .link("edit_href", to: Link.view) { $0.view.id }
}

/// A saved view on a page of its own, where it gets another name or is deleted.
struct ViewEditPage: Page {
    static let template = "views/edit"
    let chrome: Chrome
    let view: SavedView
    let form: ViewForm

    static let keys = Keys<ViewEditPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.transactions) }
        .text("name") { $0.view.name }
        .link("list_href") { TransactionsPage.href(of: $0.view) }
        .model("form", of: ViewForm.self) { $0.form }
        .link("delete_action", to: Link.viewDelete) { $0.view.id }
        .message("delete_text") { _ in Text("views.transactions-stay") }
}

/// The name of a view with the query that it saves. It posts `csrf`, `once`, `name`, `query`, and `same_name` where a view of
/// that name is to be replaced.
struct ViewForm: EntityForm {
    /// The greatest number of bytes of a query.
    static let longestQuery = 2_000

    let state: FormState
    let editing: EntityID?
    let once: String

    static let keys = Keys<ViewForm>.form(of: .views, Link.view, add: Text("views.save"))
        .model("name", of: Field.self) { $0.state.field("name") }
        .model("query", of: Field.self) { $0.state.field("query") }
}

extension TransactionsPage {
    /// The address of a saved view.
    static func href(of view: SavedView) -> Link {
        Link.transactions.adding(query: [(Self.view, "\(view.id)")])
    }
}
