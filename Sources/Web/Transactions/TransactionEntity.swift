// The parts of recording, changing and deleting that only transactions have.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

extension TransactionEntry {
    static func stored(_ id: EntityID, _ book: Book) throws(BookError) -> Transaction? {
        try book.transaction(id)
    }

    static func state(of value: Transaction, _ context: RequestContext) throws -> FormState {
        TransactionForm.values(of: value, catalog: try context.catalog(), formats: try context.formats())
    }

    static func refusal(_ error: BookError) -> (field: String, text: Text)? {
        switch error {
        case .overflow: ("amount", Text("transactions.too-large-for-the-balance"))
        case .accountClosed(let field):
            (
                field == .toAccount ? "to_account" : "account",
                Text("transactions.account-is-closed")
            )
        case .unknownAccount: ("account", Text("transactions.account-deleted-meanwhile"))
        case .unknownCategory: ("category", Text("forms.category-deleted-meanwhile"))
        case .categoryKind: ("category", Text("transactions.category-of-another-kind"))
        case .invalid(.amount), .invalid(.accountAmount): ("amount", Text("forms.amount-cannot-be-kept"))
        case .invalid(.toAmount): ("to_amount", Text("forms.amount-cannot-be-kept"))
        case .invalid(.toAccount): ("to_account", Text("transactions.money-cannot-go-there"))
        case .invalid(.payee): ("payee", Text("forms.keep-it-to-limit", ["limit": .count(TextLimit.payee)]))
        case .invalid(.split): ("split", Text("splits.do-not-add-up"))
        case .invalid(let field):
            Transaction.extras.first { $0.name == field.rawValue }.map { ($0.name, $0.tooLong) }
                ?? ("kind", Text("transactions.does-not-fit-together"))
        default: nil
        }
    }

    static func fillIn(_ state: inout FormState, _ form: FormFields) -> Bool {
        guard form.contains("more_parts") else { return false }
        state.partRowCount = SplitEntry.rowCount(state.lists) + 3
        return true
    }

    static func add(_ value: Transaction, to book: Book) throws(BookError) {
        _ = try add(value, to: book) { completed throws(BookError) in
            try book.record(completed)
            return nil
        }
    }

    func add(_ value: Transaction, to book: Book) throws(BookError) -> Link {
        let change = try Self.add(value, to: book) { completed throws(BookError) -> Int64? in
            if !openings.isEmpty { return try book.record(completed, containedInOpeningsOf: openings) }
            try book.record(completed)
            return nil
        }
        // The opening balances get back what was taken out of them.
        return change.map { Link.historyUndo($0) } ?? Self.undoOfAdding(value.id)
    }

    func save(_ value: Transaction, shown version: EntityVersion?, to book: Book) throws(BookError) -> Edit {
        try openings.isEmpty
            ? book.change(value, shown: version)
            : book.change(value, shown: version, containedInOpeningsOf: openings)
    }

    /// Adds a transaction with the category that its payee suggests.
    /// - Parameter record: stores it, and returns the number of the change that Undo takes back as a whole.
    private static func add(
        _ value: Transaction,
        to book: Book,
        _ record: (Transaction) throws(BookError) -> Int64?
    ) throws(BookError) -> Int64? {
        // Without a chosen category, the payee's usual category is used.
        let isOpen = value.category == nil && value.split == nil && value.kind != .transfer
        let usual = isOpen ? try book.usualCategory(ofPayee: value.payee, kind: value.kind) : nil
        let completed = usual.map { value.with(category: $0) } ?? value
        do { return try record(completed) } catch {
            // The same form was sent twice, and the payee's usual category changed in between: it is the same
            // transaction.
            guard case .idTaken = error, let known = try book.transaction(value.id),
                value.with(category: known.category).isEntered(as: known), isOpen
            else { throw error }
            return nil
        }
    }

    static func move(from id: EntityID, to other: EntityID, _ book: Book) throws(BookError) {
        try book.moveDraftReceipts(from: id, to: other)
    }

    /// `€4.10 Brotzeit added`.
    static func addedText(_ value: Transaction, _ context: RequestContext) throws -> Text {
        let amount: Text.Argument = .string(try context.formats().money(value.amount))
        guard !value.payee.isEmpty else { return Text("transactions.amount-added", ["amount": amount]) }
        let payee: Text.Argument = .string(value.payee.isolated)
        return Text("transactions.payee-added", ["amount": amount, "payee": payee])
    }

    /// The number of transactions after which a guest is reminded that nothing is backed up.
    private static let remindsEvery = 5

    static func added(_ value: Transaction, _ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        let count = try context.book().counts().transactions
        if device.session == nil, count > 0, count.isMultiple(of: Self.remindsEvery) {
            device.show(.guestCount, Chrome.guestReminder(count))
        }
        let currency = value.amount.currency.rawValue
        let formats = try context.formats()
        let account = try context.catalog().account(value.account)
        let caution = LeftOut.caution(
            context,
            kind: value.kind.rawValue,
            currency: currency,
            account: account,
            formats
        )
        if let caution {
            device.show(Device.Toast(key: RequestContext.caution, text: caution))
        }
        try BankQuestion.ask(about: value, context)
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

    static func deleted(_ value: Transaction?, _ form: DeletionForm, undo: Link?, _ context: RequestContext)
        throws -> Text
    {
        let isListed = try value.flatMap { try hideAfterDeletion(of: $0, context) } != nil
        return isListed ? Text("transactions.deleted-and-listed") : texts.deleted
    }

    static func hideAfterDeletion(of value: Transaction, _ context: RequestContext) throws -> Link? {
        guard let key = value.bankTransaction else { return nil }
        let row = try context.bankRows()?.all.first { row in
            row.transaction.bankTransaction == key && row.state == .open
        }
        return row.map { Link.bankRow($0.transaction.id) }
    }

    static func changed(_ value: Transaction, from former: Transaction, _ context: RequestContext) throws {
        var same = former
        (same.kind, same.date, same.account, same.accountMinor) =
            (value.kind, value.date, value.account, value.accountMinor)
        (same.toAccount, same.toMinor) = (value.toAccount, value.toMinor)
        // An edit that changes nothing by which the two are compared does not ask again.
        if same != former { try BankQuestion.ask(about: value, context) }
    }

    static func delete(_ id: EntityID, _ book: Book, _ form: DeletionForm) throws(BookError) -> Link? {
        try book.deleteTransaction(id)
        return restoreLink(id)
    }

    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID {
        try book.restoreTransaction(id)
    }

    /// The month of a transaction in the list.
    static func list(around value: Transaction?) -> Link {
        Link.transactions.adding(query: value.map { [("month", "\($0.date.yearMonth)")] } ?? [])
    }

    static func page(
        _ context: RequestContext,
        _ state: FormState,
        editing: EntityID?,
        obstacle: Obstacle?,
        _ status: Status
    ) throws -> Response {
        // The quick form beside a list has no note.
        if editing == nil, context.request.method == "POST", !context.request.form.names.contains("note") {
            var query = TransactionQuery()
            if let account = state.back.flatMap(Routes.account(of:)) {
                return try AccountRegisterShow.page(context, account, ListFilters(), state, status)
            }
            query.month = try (CivilDate(typed: state["date"]) ?? context.formats().today).yearMonth
            return try TransactionsShow.page(context, ListFilters(query: query), state, status)
        }
        if let editing, let page = try RowEditing(editing, state).answer(context, status) { return page }
        return try TransactionFormPage.make(
            context,
            state,
            editing,
            try context.catalog(),
            status,
            receipts: status == .forbidden && !context.request.files.isEmpty
                ? AddedFiles.withOutdatedForm(context.request).outcome : ReceiptsSection.Outcome()
        )
    }
}

extension Transaction {
    fileprivate func with(category: EntityID?) -> Transaction {
        var copy = self
        copy.category = category
        return copy
    }
}
