// The parts of recording, changing and deleting that only transactions have.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Pages

extension TransactionEntry {
    static func stored(_ id: EntityID, _ book: Book) throws(BookError) -> Transaction? {
        try book.transaction(id)
    }

    static func state(of value: Transaction, _ context: RequestContext) throws -> FormState {
        TransactionForm.values(of: value, catalog: try context.catalog(), formats: try context.formats())
    }

    static func refusal(_ error: BookError) -> (field: String, text: String)? {
        switch error {
        case .overflow: ("amount", "This amount is too large for the account's balance.")
        case .unknownAccount: ("account", "This account was deleted in the meantime. Choose another.")
        case .unknownCategory: ("category", "This category was deleted in the meantime. Choose another.")
        case .categoryKind: ("category", "This category is for another kind of transaction.")
        case .invalid(.amount), .invalid(.accountAmount): ("amount", "This amount cannot be kept.")
        case .invalid(.toAmount): ("to_amount", "This amount cannot be kept.")
        case .invalid(.toAccount): ("to_account", "The money cannot go there.")
        case .invalid(.payee): ("payee", "Keep it to \(TextLimit.payee) characters.")
        case .invalid(.note): ("note", "Keep it to \(TextLimit.note) characters.")
        case .invalid(.tags): ("tags", "Keep each tag to \(TextLimit.tag) characters.")
        case .invalid: ("kind", "This does not fit together any more.")
        default: nil
        }
    }

    static func add(_ value: Transaction, to book: Book) throws(BookError) {
        // A payee brings its last category along, where none was chosen.
        let isOpen = value.category == nil && value.kind != .transfer && !value.payee.isEmpty
        let usual = isOpen ? try book.lastCategory(forPayee: value.payee, kind: value.kind) : nil
        let completed = usual.map { value.with(category: $0) } ?? value
        do { try book.record(completed) } catch {
            // Sent twice, while the usual category of its payee has become another: that is the same one.
            guard case .idTaken = error, let known = try book.transaction(value.id),
                known == value.with(category: known.category), isOpen
            else { throw error }
        }
    }

    static func added(_ value: Transaction, _ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        let count = try context.book().counts().transactions
        if device.session == nil, let reminder = Chrome.guestReminder(afterRecording: count) {
            device.show(Device.Toast(key: RequestContext.reminder, text: reminder))
        }
        let currency = value.amount.currency.rawValue
        let formats = try context.formats()
        if let caution = LeftOut.caution(context, kind: value.kind.rawValue, currency: currency, formats) {
            device.show(Device.Toast(key: RequestContext.caution, text: caution))
        }
        guard context.request.form.first("again") == nil else {
            return context.redirect(
                to:
                    .newTransaction.adding(query: [
                        ("kind", value.kind.rawValue), ("date", "\(value.date)"),
                        ("account", "\(value.account)"),
                    ])
            )
        }
        return context.redirect(to: context.list(of: value.id, or: list(around: value)))
    }

    static func delete(_ id: EntityID, _ book: Book) throws(BookError) -> Bool {
        try book.deleteTransaction(id)
        return true
    }

    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID {
        try book.restoreTransaction(id)
    }

    static let lostFor = "It cannot come back: its account is gone, or the balance would grow too large."

    /// The month of a transaction in the list.
    static func list(around value: Transaction?) -> Link {
        Link.transactions.adding(query: value.map { [("month", "\($0.date.yearMonth)")] } ?? [])
    }

    static func page(
        _ context: RequestContext,
        _ state: FormState,
        editing: EntityID?,
        obstacle: String?,
        _ status: Status
    ) throws -> Response {
        // The quick form beside the list has no note.
        if editing == nil, context.request.method == "POST", !context.request.form.names.contains("note") {
            var query = TransactionQuery()
            query.month = try (CivilDate(iso: state["date"]) ?? context.formats().today).yearMonth
            return try TransactionsShow.page(context, query, state, status)
        }
        return try TransactionPage.make(context, state, editing, try context.catalog(), status)
    }
}

extension Transaction {
    fileprivate func with(category: EntityID?) -> Transaction {
        var copy = self
        copy.category = category
        return copy
    }
}
