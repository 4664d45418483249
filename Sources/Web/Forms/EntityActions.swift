// Adding, changing, deleting and restoring an entity of any kind.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `POST` to the list: adds an entity.
enum EntityAdd<Entry: EntityEntry> {
    static func answer(_ context: RequestContext) throws -> Response {
        let book = try context.book()
        var state = FormState(context.request.form, Entry.fields, lists: Entry.lists)
        state.back = context.postedList
        if Entry.fillIn(&state, context.request.form) {
            state.isFilledIn = true
            return try Entry.page(context, state, editing: nil, obstacle: nil, .ok)
        }
        var entry = try Entry(state, id: context.onceID(), context)
        if let value = entry.value {
            do {
                if let (added, undo) = try add(value, to: book, asking: &entry, context) {
                    let key = "\(Entry.Value.entityKind)-added"
                    let text = try Entry.addedText(added, context)
                    try context.knownDevice().show(Device.Toast(key: key, text: text, undo: undo.text))
                    return try Entry.added(added, context)
                }
            } catch let error as BookError {
                guard entry.refuse(error) else { throw error }
            }
        }
        return try Entry.page(context, entry.state, editing: nil, obstacle: nil, .unprocessable)
    }

    /// Adds the entity. A page from the browser's history that was filled in again adds another entity.
    /// - Returns: the added entity, and the address that undoes it; nil if the user must answer a question first.
    private static func add(
        _ value: Entry.Value,
        to book: Book,
        asking entry: inout Entry,
        _ context: RequestContext
    ) throws(BookError) -> (Entry.Value, undo: Link)? {
        guard try !entry.asks(about: value, shown: nil, book, context) else { return nil }
        do {
            return (value, try entry.add(value, to: book))
        } catch {
            guard case .idTaken = error else { throw error }
            var another = value
            another.id = context.newID()
            guard try !entry.asks(about: another, shown: nil, book, context) else { return nil }
            try Entry.move(from: value.id, to: another.id, book)
            return (another, try entry.add(another, to: book))
        }
    }
}

/// `GET` of an entity: the form that changes it.
enum EntityShow<Entry: EntityEntry> {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard try Entry.stored(id, context.book()) != nil else { return try gone(context, id) }
        var state = try EntityChange<Entry>.shown(id, context).state
        state.back = context.originList
        return try Entry.page(context, state, editing: id, obstacle: nil, .ok)
    }

    /// The answer for a row that is not there: the row that took its place when it was restored, a page about its deletion,
    /// or that there is none.
    static func gone(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let deletion = try context.book().deletion(of: Entry.Value.self, id) else {
            throw Refusal.notFound
        }
        guard let copy = deletion.copy else {
            throw Refusal.deleted(Entry.texts.gone(restoring: Entry.restoreLink(id), on: deletion.device))
        }
        return context.redirect(to: Entry.pageLink(copy))
    }
}

/// `POST` to an entity: changes the fields that the sender of the form has changed, and none that were
/// changed elsewhere in the meantime.
enum EntityChange<Entry: EntityEntry> {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        guard try Entry.stored(id, book) != nil else { return try gone(context, id) }
        let shown = try shown(id, context)
        var state = try sent(over: shown.state, context)
        let version = state.seen.map { EntityVersion($0) }
        if case .some(nil) = version {
            state.seen = shown.state.seen
            state.notice = EntityVersion.unreadable
            return try Entry.page(context, state, editing: id, obstacle: nil, .unprocessable)
        }
        if Entry.fillIn(&state, context.request.form) {
            state.isFilledIn = true
            return try Entry.page(context, state, editing: id, obstacle: nil, .ok)
        }
        var entry = try Entry(state, id: id, context)
        guard let value = entry.value,
            try !entry.asks(about: value, shown: version ?? nil, book, context)
        else {
            return try Entry.page(context, entry.state, editing: id, obstacle: nil, .unprocessable)
        }
        do {
            let edit = try entry.save(value, shown: version ?? nil, to: book)
            let done = edit.change == nil ? Text("forms.nothing-was-changed") : Entry.texts.changed
            let kind = Entry.Value.entityKind
            try EditToast.show(edit, of: kind, key: "\(kind)-changed", done, context)
            if edit.change != nil { try Entry.changed(value, from: shown.value, context) }
            let list = context.postedList ?? Entry.list(around: value)
            let row = try Entry.row(of: value, on: list, context)
            return context.redirect(to: context.list(of: row, or: list))
        } catch let error as BookError {
            if try Entry.stored(id, book) == nil { return try gone(context, id) }
            guard entry.refuse(error) else { throw error }
            if case .some(let version?) = version {
                let changes = try book.changes(of: Entry.Value.self, id, since: version)
                if !changes.isEmpty {
                    // The two changes do not fit together: the form shows the other one, and the sender
                    // decides.
                    let words = try MeanwhileWords(context)
                    entry.state.notice = words.sentences(changes, of: Entry.Value.entityKind)
                    entry.state.seen = shown.state.seen
                }
            }
            return try Entry.page(context, entry.state, editing: id, obstacle: nil, .unprocessable)
        }
    }

    /// The entered values; a field that is not sent stays unchanged.
    static func sent(over shown: FormState, _ context: RequestContext) throws -> FormState {
        var state = FormState(context.request.form, Entry.fields, lists: Entry.lists)
        // The lists belong together: row by row.
        if state.lists.isEmpty { state.lists = shown.lists }
        for (name, value) in shown.values where state.values[name] == nil && !Entry.ticks.contains(name) {
            state.values[name] = value
            state.carried.insert(name)
        }
        (state.shown, state.shownLists) = (shown.values, shown.lists)
        state.seen = context.request.form.first("seen")
        state.back = context.postedList
        return state
    }

    /// An entity as its form shows it, with the version of the shown values.
    static func shown(_ id: EntityID, _ context: RequestContext) throws -> (
        value: Entry.Value, state: FormState
    ) {
        let book = try context.book()
        let version = try book.versions(of: Entry.Value.self, id)
        guard let value = try Entry.stored(id, book) else { throw Refusal.notFound }
        var state = try Entry.state(of: value, context)
        state.seen = version(value).text
        return (value, state)
    }

    /// The page for a row that was deleted while its form was open: the entered values can be added as a new
    /// row.
    static func gone(_ context: RequestContext, _ id: EntityID, _ status: Status = .unprocessable) throws
        -> Response
    {
        let book = try context.book()
        guard let deletion = try book.deletion(of: Entry.Value.self, id),
            context.request.form.names.contains(where: Entry.fields.contains)
        else { return try EntityShow<Entry>.gone(context, id) }
        var state = FormState(context.request.form, Entry.fields, lists: Entry.lists)
        try Entry.renew(&state, of: id, book)
        state.notice = Entry.texts.deletedMeanwhile(.text(MeanwhileWords.place(deletion.device)))
        return try Entry.page(context, state, editing: nil, obstacle: nil, status)
    }

}

/// The toast after an edit: the edit, the changes of others in the meantime, and Undo.
enum EditToast {
    static func show(_ edit: Edit, of kind: String, key: String, _ done: Text, _ context: RequestContext)
        throws
    {
        let others = try MeanwhileWords(context).sentences(edit.meanwhile, of: kind)
        let text =
            others.map { others in
                Text("changes.done-and-meanwhile", ["done": .text(done), "meanwhile": .text(others)])
            } ?? done
        let undo = edit.change.map { Link.historyUndo($0).text }
        try context.knownDevice().show(Device.Toast(key: key, text: text, undo: undo))
    }
}

/// `POST …/delete`: deletes the entity; the next page offers Undo.
enum EntityDelete<Entry: EntityEntry> {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        let value = try Entry.stored(id, book)
        let form = try DeletionForm(context)
        let undo: Link?
        do throws(BookError) { undo = try Entry.delete(id, book, form) } catch {
            guard value != nil, let reason = try Entry.obstacle(error, to: id, book) else { throw error }
            let state = try EntityChange<Entry>.shown(id, context).state
            return try Entry.page(context, state, editing: id, obstacle: reason, .unprocessable)
        }
        let key = "\(Entry.Value.entityKind)-deleted"
        let text = try Entry.deleted(value, form, undo: undo, context)
        let hide = try value.flatMap { try Entry.hideAfterDeletion(of: $0, context) }
        try context.knownDevice().show(
            Device.Toast(key: key, text: text, undo: undo?.text, hide: hide?.text)
        )
        return context.redirect(to: context.originList ?? Entry.list(around: value))
    }
}

/// `POST …/restore`: undoes a deletion.
enum EntityRestore<Entry: EntityEntry> {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let (book, device) = (try context.book(), try context.knownDevice())
        let name = Entry.Value.entityKind
        do throws(BookError) {
            let living = try Entry.restore(id, book)
            device.show(Device.Toast(key: "\(name)-restored", text: Entry.texts.restored))
            return context.redirect(to: Entry.list(around: try Entry.stored(living, book)))
        } catch {
            // If the book has no deletion of this entity, there is nothing to report.
            guard error.keepsItDeleted, try book.deletion(of: Entry.Value.self, id) != nil else {
                throw error
            }
            device.show(Device.Toast(key: "\(name)-not-restored", text: Entry.texts.lost))
            return context.redirect(to: Entry.list(around: nil))
        }
    }
}
