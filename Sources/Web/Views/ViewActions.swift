// The actions of saved views. A view is opened by the list of transactions.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

extension Link {
    static let views = Link(declared: "/views")
    static let view = LinkTo<EntityID>("/views/*")
    static let viewDelete = LinkTo<EntityID>("/views/*/delete")
    static let viewRestore = LinkTo<EntityID>("/views/*/restore")
}

extension Feature {
    static let views = Feature(
        routes: [get(.views, ViewsShow.answer)]
            + entities(ViewEntry.self, .views, Link.view, add: ViewAdd.answer),
        refills: refills(ViewEntry.self, .views, Link.view),
        pages: [ViewsPage.self, ViewEditPage.self],
        links: ["views": .views]
    )
}

/// `GET /views`: the saved views; with the query of a list as `query`, also the form that saves it.
enum ViewsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let query = context.request.query.first("query") ?? ""
        guard query.utf8.count <= ViewForm.longestQuery else { throw Refusal.malformed }
        return try page(context, FormState(values: ["query": query]), .ok)
    }

    /// - Parameter state: the values of the form, which is left out if there is nothing to save.
    static func page(_ context: RequestContext, _ state: FormState, _ status: Status) throws -> Response {
        let form =
            state["query"].isEmpty && !state.isUnsaved
            ? nil : ViewForm(state: state, editing: nil, once: "\(context.onceID())")
        let views = try context.book().savedViews()
        return context.page(ViewsPage(chrome: context.chrome(), views: views, form: form), status)
    }
}

/// `POST /views`: saves a list under a name. A view of the same name is replaced once the user has said so.
enum ViewAdd {
    static func answer(_ context: RequestContext) throws -> Response {
        let state = FormState(context.request.form, ViewEntry.fields)
        guard context.request.form.first("same_name") == state["name"],
            let value = try ViewEntry(state, id: context.onceID(), context).value,
            var replaced = try context.book().namesake(of: value)
        else { return try EntityAdd<ViewEntry>.answer(context) }
        (replaced.name, replaced.query) = (value.name, value.query)
        let edit = try context.book().change(replaced)
        try EditToast.show(
            edit,
            of: SavedView.entityKind,
            key: "view-changed",
            Text("views.replaced"),
            context
        )
        return ViewEntry.added(replaced, context)
    }
}

extension ViewEntry {
    static func page(
        _ context: RequestContext,
        _ state: FormState,
        editing: EntityID?,
        obstacle: Obstacle?,
        _ status: Status
    ) throws -> Response {
        guard let editing else { return try ViewsShow.page(context, state, status) }
        guard let view = try stored(editing, context.book()) else { throw Refusal.notFound }
        let form = ViewForm(state: state, editing: editing, once: "\(context.newID())")
        return context.page(ViewEditPage(chrome: context.chrome(), view: view, form: form), status)
    }
}

extension Book {
    /// Another view with the name of a view, in any spelling.
    func namesake(of view: SavedView) throws(BookError) -> SavedView? {
        try savedViews().first { $0.id != view.id && $0.name.nameKey == view.name.nameKey }
    }
}
