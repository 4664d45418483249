// Changing many transactions at once.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `POST /transactions/bulk`: makes one change to each selected transaction. With `ask` in place of `action`, it asks for the
/// value.
enum TransactionsBulk {
    /// Fields that may be repeated.
    private static let id = "id"
    private static let all = "all"
    /// The value of `ask` for a rule like the selected transactions.
    private static let rule = "rule"

    static func answer(_ context: RequestContext) throws -> Response {
        let form = context.request.form
        if let asked = form.first("ask") {
            if asked == rule { return try makeRule(context) }
            return try page(context, BulkAction(rawValue: asked), FormState(), .ok)
        }
        guard let name = form.first("action") else { throw Refusal.malformed }
        guard let action = BulkAction(rawValue: name) else { throw Refusal.malformed }
        var state = FormState(values: ["value": form.first("value") ?? ""])
        guard try hasSelection(context) else {
            state.notice = Text("bulk.nothing-is-selected")
            return try page(context, action, state, .unprocessable)
        }
        let result: BulkResult
        do {
            guard let made = try make(action, &state, context) else {
                return try page(context, action, state, .unprocessable)
            }
            result = made
        } catch let error as BookError {
            guard refuse(error, action, &state) else { throw error }
            return try page(context, action, state, .unprocessable)
        }
        let undo = result.change.map { Link.historyUndo($0).text }
        let toast = Device.Toast(key: "transactions-changed", text: words(result, action), undo: undo)
        try context.knownDevice().show(toast)
        return context.redirect(to: context.postedList ?? .transactions)
    }

    /// Leads to the form of a rule for the payees of the selection, with the category that they share.
    private static func makeRule(_ context: RequestContext) throws -> Response {
        var state = FormState()
        do {
            let rows = try context.book().selected(selection(context)).rows
            if let link = Link.newRule(like: rows) { return context.redirect(to: link) }
            state.notice =
                rows.isEmpty ? Text("bulk.nothing-is-selected") : Text("rules.have-no-payee")
        } catch let error as BookError {
            guard refuse(error, .category, &state) else { throw error }
        }
        return try page(context, nil, state, .unprocessable)
    }

    private static func hasSelection(_ context: RequestContext) throws -> Bool {
        switch try selection(context) {
        case .rows(let ids): !ids.isEmpty
        case .all: true
        }
    }

    private static func selection(_ context: RequestContext) throws -> TransactionSelection {
        let form = context.request.form
        guard form.first(all) == "on" else {
            return .rows(
                try form.all(id).map { text in
                    guard let id = EntityID(text) else { throw Refusal.malformed }
                    return id
                }
            )
        }
        return .all(try TransactionsShow.query(context, try context.formats(), form))
    }

    /// Makes the change.
    /// - Returns: nil if the value was refused.
    private static func make(_ action: BulkAction, _ state: inout FormState, _ context: RequestContext) throws
        -> BulkResult?
    {
        let (book, selection) = (try context.book(), try selection(context))
        switch action {
        case .delete: return try book.delete(selection)
        case .duplicate:
            return try book.duplicate(selection, on: context.formats().today) { context.newID() }
        default:
            guard let change = try change(action, &state, context) else { return nil }
            return try book.change(selection, by: change)
        }
    }

    /// The change with the entered value; nil if that was refused.
    private static func change(_ action: BulkAction, _ state: inout FormState, _ context: RequestContext)
        throws -> BulkChange?
    {
        let (text, catalog) = (state["value"], try context.catalog())
        switch action {
        case .category:
            if text.isEmpty { return .category(nil) }
            if let category = catalog.category(EntityID(text)) { return .category(category) }
            state.refuse("value", Text("forms.choose-a-category"))
        case .account:
            if let account = catalog.account(EntityID(text)) { return .account(account) }
            state.refuse("value", Text("transactions.choose-an-account"))
        case .date:
            let today = try context.formats().today
            guard let date = CivilDate(typed: text) else {
                state.refuse("value", Text("transactions.enter-a-day"))
                break
            }
            if date.isUnusual(on: today), context.request.form.first("unusual_value") != text {
                state.ask(aboutYear: date.components.year, of: "value")
            } else {
                return .date(date)
            }
        case .payee:
            let payee = state.readLine("value", TextLimit.payee)
            if !state.isRefused { return .payee(payee) }
        case .note:
            let note = text.asParagraphs
            if note.fits(TextLimit.note) { return .note(note) }
            state.refuse("value", Text("forms.keep-it-to-limit", ["limit": .count(TextLimit.note)]))
        case .tagsAdd, .tagsRemove:
            let tags = text.asTags
            if tags.isEmpty {
                state.refuse("value", Text("bulk.enter-a-tag"))
            } else if tags.contains(where: { !$0.fits(TextLimit.tag) }) {
                state.refuse("value", Text("forms.keep-each-tag-to-limit", ["limit": .count(TextLimit.tag)]))
            } else {
                return action == .tagsAdd ? .tagsAdded(tags) : .tagsRemoved(tags)
            }
        case .duplicate, .delete: break
        }
        return nil
    }

    /// Sets the reason why the book refused a change; false for an error that does not concern it.
    private static func refuse(_ error: BookError, _ action: BulkAction, _ state: inout FormState) -> Bool {
        switch error {
        case .selectionTooLarge:
            state.notice = Text("bulk.too-many", ["limit": .count(TransactionSelection.limit)])
        case .overflow: state.notice = Text("transactions.too-large-for-the-balance")
        case .accountClosed where action == .account:
            state.refuse("value", Text("transactions.account-is-closed"))
        case .accountClosed: state.notice = Text("bulk.some-accounts-are-closed")
        case .unknownAccount where action == .account:
            state.refuse("value", Text("transactions.account-deleted-meanwhile"))
        case .unknownCategory: state.refuse("value", Text("forms.choose-a-category"))
        default: return false
        }
        return true
    }

    /// The page that asks for the value, with the selected transactions.
    private static func page(
        _ context: RequestContext,
        _ action: BulkAction?,
        _ state: FormState,
        _ status: Status
    ) throws -> Response {
        var (state, status) = (state, status)
        state.back = context.postedList
        let formats = try context.formats()
        let catalog = try context.catalog()
        var rows: [Transaction] = []
        do {
            let selected = try context.book().selected(selection(context))
            rows = selected.rows
            if selected.deletedCount > 0, state.notice == nil {
                state.notice = obstacle(.deleted, selected.deletedCount)
            }
            if rows.isEmpty, state.notice == nil { state.notice = Text("bulk.nothing-is-selected") }
        } catch let error as BookError {
            guard refuse(error, .category, &state) else { throw error }
            status = .unprocessable
        }
        let kept = Set(["csrf", "once", "decimal", "action", "ask", "value", "back", "unusual_value"])
        return context.page(
            BulkPage(
                chrome: context.chrome(),
                action: action,
                state: state,
                rows: rows.prefix(BulkPage.mostRows).map {
                    TransactionRow($0, catalog: catalog, formats: formats, isSelected: true)
                },
                selected: SelectionLine(rows, formats: formats),
                fields: context.request.form.all.filter { !kept.contains($0.name) && !$0.value.isEmpty }
                    .map { HiddenField(name: $0.name, value: $0.value) },
                catalog: catalog,
                payees: action == .payee ? try context.payees() : []
            ),
            status
        )
    }

    /// The sentences about the changed transactions and about those that were left out.
    private static func words(_ result: BulkResult, _ action: BulkAction) -> Text {
        let count: [String: Text.Argument] = ["count": .count(result.changedCount)]
        let done =
            switch action {
            case .delete: Text("bulk.deleted", count)
            case .duplicate: Text("bulk.duplicated", count)
            default:
                result.changedCount == 0 ? Text("forms.nothing-was-changed") : Text("bulk.changed", count)
            }
        let leftOut = BulkObstacle.allCases.compactMap { reason in
            result.leftOut[reason].map { obstacle(reason, $0) }
        }
        let earlier = result.beforeOpeningCount
        let beside =
            earlier == 0 ? [] : [Text("bulk.are-before-the-opening", ["count": .count(earlier)])]
        return .sentences([done] + beside + leftOut)
    }

    /// The sentence about the transactions that were left out.
    static func obstacle(_ obstacle: BulkObstacle, _ count: Int) -> Text {
        let count: [String: Text.Argument] = ["count": .count(count)]
        return switch obstacle {
        case .deleted: Text("bulk.were-deleted", count)
        case .transfer: Text("bulk.transfers-have-no-category", count)
        case .split: Text("bulk.splits-keep-their-categories", count)
        case .incomeCategory: Text("bulk.expenses-have-no-income-category", count)
        case .otherCurrency: Text("bulk.in-another-currency", count)
        case .sameAccount: Text("bulk.transfers-to-that-account", count)
        case .tooManyTags: Text("bulk.too-many-tags", count)
        }
    }
}
