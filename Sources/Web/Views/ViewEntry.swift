// Parses the form of a saved view into a valid value, or into errors by field.

import Book
import Encoding
import HTTPServer
import Ledger
import Links
import Texts

extension SavedView: Renumbered {}

/// The parsed form of a saved view.
struct ViewEntry: EntityEntry {
    var state: FormState
    var value: SavedView?

    static let texts = EntityTexts(
        added: Text("views.saved"),
        changed: Text("views.changed"),
        deleted: Text("views.deleted"),
        restored: Text("views.restored"),
        lost: Text("views.cannot-come-back"),
        gone: Text("views.was-deleted"),
        deletedMeanwhile: { Text("views.deleted-meanwhile", ["place": $0]) }
    )
    static let fields = ["name", "query"]
    static let pageLink = Link.view
    static let deleteLink = Link.viewDelete
    static let restoreLink = Link.viewRestore

    /// - Throws: `Refusal.malformed` for a query that is none of the list of transactions.
    init(_ state: FormState, id: EntityID, _ context: RequestContext) throws {
        self.state = state
        let name = self.state.readLine("name", TextLimit.name)
        if name.isEmpty { refuse("name", Text("views.give-it-a-name")) }
        let stored = try context.book().savedViews().first { $0.id == id }
        // A query that another version has saved stays as it is.
        let query = state["query"]
        let saved = try query == stored?.query ? query : Self.read(query, context)
        if saved.utf8.count > ViewForm.longestQuery { refuse("name", Text("views.too-many-filters")) }
        let view = SavedView(id: id, name: name, query: saved)
        if stored != nil, try context.book().namesake(of: view) != nil {
            refuse("name", Text("views.name-in-use"))
        }
        if !self.state.isRefused { value = view }
    }

    /// The filters and the order of a query in the form in which they are saved.
    private static func read(_ query: String, _ context: RequestContext) throws -> String {
        guard query.utf8.count <= ViewForm.longestQuery, let fields = FormFields(query: query),
            fields.names.allSatisfy({ $0 != TransactionsPage.view && TransactionsPage.fields.contains($0) }),
            !fields.repeatsAny(besides: [])
        else { throw Refusal.malformed }
        let formats = try context.formats()
        return TransactionsPage.savedText(
            try TransactionsShow.query(context, formats, fields),
            on: formats.today
        )
    }
}

extension ViewEntry {
    static func stored(_ id: EntityID, _ book: Book) throws(BookError) -> SavedView? {
        try book.savedViews().first { $0.id == id }
    }

    static func state(of value: SavedView, _ context: RequestContext) -> FormState {
        FormState(values: ["name": value.name, "query": value.query])
    }

    static func refusal(_ error: BookError) -> (field: String, text: Text)? {
        guard case .invalid(.name) = error else { return nil }
        return ("name", Text("forms.keep-it-to-limit", ["limit": .count(TextLimit.name)]))
    }

    static func nameQuestion(about value: SavedView, shown version: EntityVersion?, _ book: Book)
        throws(BookError) -> Text?
    {
        guard let namesake = try book.namesake(of: value) else { return nil }
        return Text("views.replace-it", ["name": .string(namesake.name.isolated)])
    }

    static func add(_ value: SavedView, to book: Book) throws(BookError) { try book.add(value) }

    static func added(_ value: SavedView, _ context: RequestContext) -> Response {
        context.redirect(to: TransactionsPage.href(of: value))
    }

    static func delete(_ id: EntityID, _ book: Book, _ form: DeletionForm) throws(BookError) -> Link? {
        try book.deleteView(id)
        return restoreLink(id)
    }

    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID {
        try book.restoreView(id)
    }

    static func list(around value: SavedView?) -> Link { .views }
}
