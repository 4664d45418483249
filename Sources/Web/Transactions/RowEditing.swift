// Editing a transaction in its row of a list.

import Book
import HTTPServer
import Ledger
import Links

/// A transaction whose form is in the place of its row. It is sent to the same address as the form on a page of its own,
/// with `place` = `row`.
struct RowEditing {
    let id: EntityID
    let state: FormState

    init(_ id: EntityID, _ state: FormState) { (self.id, self.state) = (id, state) }

    /// The transaction that the address of a list asks for.
    /// - Parameter list: the list to return to.
    /// - Returns: nil if the address asks for none, or for one that is deleted.
    init?(_ context: RequestContext, on list: Link) throws {
        guard let id = context.request.query.first(TransactionsPage.edit).flatMap({ EntityID($0) }),
            try context.book().transaction(id) != nil
        else { return nil }
        self.id = id
        var state = try EntityChange<TransactionEntry>.shown(id, context).state
        state.back = list
        self.state = state
    }

    func form(_ context: RequestContext, _ catalog: Catalog) throws -> TransactionForm {
        try TransactionFormPage.form(
            context,
            state,
            id,
            once: context.newID(),
            isInRow: true,
            catalog,
            context.formats()
        )
    }

    /// The list with a form that was sent from it and comes back; nil for a form that was not sent from a list.
    func answer(_ context: RequestContext, _ status: Status) throws -> Response? {
        guard context.request.form.first("place") == "row", let list = state.back,
            let fields = FormFields(queryOf: list.text)
        else { return nil }
        let (account, formats) = (Routes.account(of: list), try context.formats())
        guard account != nil || list.path == Link.transactions.path,
            let query = try? TransactionsShow.query(context, formats, fields, of: account)
        else { return nil }
        guard let account else {
            return try TransactionsShow.page(context, ListFilters(query: query), nil, editing: self, status)
        }
        return try AccountRegisterShow.page(
            context,
            account,
            ListFilters(query: query),
            nil,
            editing: self,
            status
        )
    }

    /// The page with the form alone, if the list has no row in whose place a form that was sent could be.
    func pageOfItsOwn(
        _ context: RequestContext,
        besides rows: [Transaction],
        _ catalog: Catalog,
        _ status: Status
    ) throws -> Response? {
        guard context.request.method == "POST", !rows.contains(where: { $0.id == id }) else { return nil }
        return try TransactionFormPage.make(context, state, id, catalog, status)
    }
}
