// Returns a form with an outdated token (after a restart, a rotated cookie or a sign-in in another window)
// with its values filled in: no input is lost, and nothing is done until the user sends the form again.

import Book
import HTTPServer
import Ledger
import Links
import Texts

/// Answers a form of this server's pages with a token of another session.
enum FormRefill {
    /// The notice above a returned form.
    static let notice = Text("forms.not-saved-yet")

    /// - Parameter isAllowed: whether the state of the device allows the page of the form.
    static func answer(_ context: RequestContext, isAllowed: Bool) throws -> Response {
        let request = context.request
        if isAllowed, context.device != nil,
            case .found(let page) = Routes.refills.match("POST", request.path)
        {
            do { return try page(context) } catch Refusal.notFound {}
        }
        // The data that the phrase was typed for must be checked again.
        let mayRepeat = isAllowed && !request.form.names.contains("confirm")
        let page = StaleFormPage(
            chrome: context.chrome(isBare: true),
            kept: PreservedForm(
                request,
                action: mayRepeat ? Link(path: request.path) : nil,
                csrf: context.csrf,
                formats: try? context.formats()
            ),
            form: heading(of: request.path),
            files: request.namesOfFiles.map(\.shortened)
        )
        return context.page(page, .forbidden)
    }

    /// The heading of the page with the form of a transaction, which is sent to an address.
    private static func heading(of path: String) -> Text? {
        guard path == Link.transactions.path || path == Link.newTransactionReceipts.path else {
            return path.hasPrefix(Link.transaction.head) ? Text("transactions.edit-transaction") : nil
        }
        return Text("help.new-transaction")
    }
}

extension Request {
    /// The names of the files that were chosen in a form, also if it was sent without them.
    var namesOfFiles: [String] {
        let sent = files.filter { $0.field == "file" }.map(\.name)
        return sent.isEmpty ? form.all.filter { $0.name == "file" && !$0.value.isEmpty }.map(\.value) : sent
    }
}

extension EntityAdd {
    static func refilled(_ context: RequestContext) throws -> Response {
        var state = FormState(context.request.form, Entry.fields, lists: Entry.lists)
        state.back = context.postedList
        state.notice = FormRefill.notice
        return try Entry.page(context, state, editing: nil, obstacle: nil, .forbidden)
    }
}

extension EntityChange {
    static func refilled(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard try Entry.stored(id, try context.book()) != nil else {
            return try gone(context, id, .forbidden)
        }
        var state = try sent(over: try shown(id, context).state, context)
        state.notice = FormRefill.notice
        return try Entry.page(context, state, editing: id, obstacle: nil, .forbidden)
    }
}

extension PreferencesChange {
    static func refilled(_ context: RequestContext) throws -> Response {
        let shown = try PreferencesEntry.shown(context)
        let stored = try context.book().preferences()
        let entry = PreferencesEntry(
            context.request.form,
            stored: stored,
            held: try context.preferences(),
            tables: context.site.tables
        )
        var state = entry.completed(by: shown)
        state.seen = context.request.form.first("seen")
        state.notice = FormRefill.notice
        return try SettingsShow.page(context, state, nil, .forbidden)
    }
}
