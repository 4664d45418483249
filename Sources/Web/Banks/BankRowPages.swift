import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `GET /banks/rows/ID`: a transaction of a bank, with the user's writing on it.
enum BankRowShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let row = try row(context, id)
        var state = try BankRowChange.shown(row, context).state
        state.back = context.originList
        return try page(context, row, state, .ok)
    }

    /// A row that this device shows, also if its bank has named it anew since the page was opened. Its cache may have been
    /// removed since.
    static func row(_ context: RequestContext, _ id: EntityID) throws -> BankRow {
        guard let row = try context.bankRows()?.row(everUnder: id) else { throw Refusal.notFound }
        return row
    }

    /// The other side of a transfer, of which a row is perhaps one.
    static func side(of row: BankRow, _ context: RequestContext) throws -> BankCounterpart? {
        guard let rows = try context.bankRows() else { return nil }
        return try context.book().bankCounterparts(of: rows)[row]
    }

    static func page(_ context: RequestContext, _ row: BankRow, _ state: FormState, _ status: Status) throws
        -> Response
    {
        let (formats, catalog) = (try context.formats(), try context.catalog())
        let condition: BankRowPage.Condition
        var other: EntityID?
        switch row.state {
        case .open: condition = .open
        case .hidden: condition = .hidden
        case .recorded(let id): (condition, other) = (.recorded, id)
        case .entered(let id): (condition, other) = (.entered, id)
        }
        let side = try side(of: row, context)
        return context.page(
            BankRowPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: catalog,
                row: row.transaction,
                reported: row.reported.payee,
                isPending: row.reported.isPending,
                condition: condition,
                facts: facts(row, catalog, formats),
                state: state,
                other: try other.flatMap { try context.book().transaction($0) }.map { transaction in
                    BankRowPage.Other(
                        transaction,
                        label: label(transaction, catalog, formats),
                        isQuestion: condition == .entered,
                        hasFormerAmount: transaction.kind == row.transaction.kind
                            && transaction.accountMinor != row.transaction.accountMinor
                    )
                },
                transfer: try side.map { side in
                    BankRowPage.OtherSide(
                        side.id,
                        account: catalog.account(side.account)?.name ?? "",
                        day: formats.longDay(side.date),
                        isRecorded: side.isRecorded,
                        losses: try losses(row, side, context).map { words(for: $0, row, catalog, formats) }
                            ?? []
                    )
                },
                list: state.back ?? Link.accountTransactions(row.transaction.account),
                rule: try RuleMark.of(row.transaction.rule, context.book())
            ),
            status
        )
    }

    private static func losses(_ row: BankRow, _ side: BankCounterpart, _ context: RequestContext) throws
        -> TransferLosses?
    {
        let other =
            side.isRecorded
            ? try context.book().transaction(side.id) : try context.bankRows()?[side.id]?.transaction
        return other.map { TransferLosses(row.transaction, $0, isRecorded: side.isRecorded) }
    }

    /// The values that a transfer would not have, each as it is shown elsewhere: `Rent €80.00 (for March)`.
    private static func words(
        for losses: TransferLosses,
        _ row: BankRow,
        _ catalog: Catalog,
        _ formats: Formats
    ) -> [Text] {
        let currency = losses.paid?.currency ?? row.transaction.amount.currency
        let parts = losses.parts.map { part in
            let values: [String: Text.Argument] = [
                "category": .text(catalog.categoryName(part.category).isolated),
                "amount": .string(formats.money(Money(minor: part.minor, currency: currency))),
                "note": .string(part.note.isolated),
            ]
            return part.note.isEmpty
                ? Text("bankrows.part-lost", values) : Text("bankrows.part-with-note-lost", values)
        }
        return (losses.paid.map { [.verbatim(formats.money($0))] } ?? [])
            + (losses.hasUnreadableParts ? [Text("bankrows.parts-lost")] : []) + parts
            + losses.categories.map(catalog.categoryName)
            + ([losses.note].filter { !$0.isEmpty } + losses.tags).map { .verbatim($0) }
    }

    /// `Bakery · 21 Nov 2026 · €3.20`.
    private static func label(_ transaction: Transaction, _ catalog: Catalog, _ formats: Formats) -> String {
        let account = catalog.account(transaction.account)?.name ?? ""
        let name = transaction.payee.isEmpty ? account : transaction.payee
        return [name, formats.longDay(transaction.date), formats.money(transaction.amount)]
            .filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private static func facts(_ row: BankRow, _ catalog: Catalog, _ formats: Formats) -> [BankFact] {
        let reported = row.reported
        var facts: [BankFact] = []
        func add(_ label: Text, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            facts.append(BankFact(label, .verbatim(value)))
        }
        add(Text("bankrows.day"), formats.longDay(reported.date))
        add(Text("bankrows.account"), catalog.account(row.transaction.account)?.name)
        add(Text("bankrows.words"), reported.description)
        add(Text("bankrows.counterparty"), reported.counterparty)
        let state = reported.isPending ? Text("bankrows.not-booked") : Text("bankrows.booked")
        return facts + [BankFact(Text("bankrows.state"), state)]
    }
}

/// `POST /banks/rows/ID`: changes the values of the user's writing that the form has changed. A field that is not sent
/// stays as it is.
enum BankRowChange {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let row = try context.bankRows()?.row(everUnder: id) else { return try withoutRow(context, id) }
        let shown = try shown(row, context)
        var state = FormState(context.request.form, BankNote.typed + ["hidden"])
        for (name, value) in shown.state.values where state.values[name] == nil {
            state.values[name] = value
        }
        state.back = context.postedList
        state.seen = context.request.form.first("seen")
        let version = state.seen.map { EntityVersion($0) }
        if case .some(nil) = version {
            state.seen = shown.state.seen
            state.notice = EntityVersion.unreadable
            return try BankRowShow.page(context, row, state, .unprocessable)
        }
        guard let note = try read(&state, row, shown.note, context) else {
            return try BankRowShow.page(context, row, state, .unprocessable)
        }
        // A row that a rule hides is shown again by a note, even by an empty one.
        let isShownAgain = row.state == .hidden && !note.isHidden
        let edit = try context.book().write(note, shown: version ?? nil, isKeptEmpty: isShownAgain)
        let isHiding = note.isHidden != shown.note.isHidden
        var done = isHiding ? Text("bankrows.shown") : Text("bankrows.changed")
        if isHiding, note.isHidden { done = Text("bankrows.hidden") }
        if edit.change == nil { done = Text("forms.nothing-was-changed") }
        try EditToast.show(edit, of: BankNote.entityKind, key: "bank-row-changed", done, context)
        let list = Link.accountTransactions(row.transaction.account)
        return context.redirect(to: context.list(of: row.transaction.id, or: context.originList ?? list))
    }

    /// Stores what was typed on a row that the bank does not report any more, or that this device cannot read any more.
    private static func withoutRow(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let (book, form) = (try context.book(), context.request.form)
        guard let key = form.first("key").map({ BankTransactionKey(text: $0) }), key.rowID == id else {
            throw Refusal.notFound
        }
        var state = FormState(form, BankNote.typed)
        var note = try book.bankNote(of: key)
        let payee = state.readLine("payee", TextLimit.payee)
        note.payee = payee == form.first("reported")?.asLine ? "" : payee
        for text in BankNote.extras { text.read(&state)(&note) }
        note.category = try EntityID(state["category"]).flatMap { try context.catalog().category($0)?.id }
        guard !state.isRefused else { throw Refusal.notFound }
        let edit = try book.write(note, shown: form.first("seen").flatMap { EntityVersion($0) })
        let done = Text("bankrows.saved-without-row")
        try EditToast.show(edit, of: BankNote.entityKind, key: "bank-row-changed", done, context)
        return context.redirect(to: context.originList ?? .transactions)
    }

    /// The writing as its form shows it, with the version of the shown values.
    static func shown(_ row: BankRow, _ context: RequestContext) throws -> (note: BankNote, state: FormState)
    {
        let (book, key) = (
            try context.book(), BankTransactionKey(text: row.transaction.bankTransaction ?? "")
        )
        // The version is requested before the note is read.
        let version = try book.versions(of: BankNote.self, try book.bankNote(of: key).id)
        var note = try book.bankNote(of: key)
        // The values that rules have set are shown as those of the row.
        var state = FormState(values: [
            "category": row.transaction.category.map { "\($0)" } ?? "",
            "payee": row.transaction.payee,
            "hidden": row.state == .hidden ? "on" : "off",
        ])
        for text in BankNote.extras { state.values[text.name] = text.shown(note) }
        state.seen = version(note).text
        note.isHidden = row.state == .hidden
        return (note, state)
    }

    /// Parses the form.
    /// - Returns: nil if a field has an error.
    private static func read(
        _ state: inout FormState,
        _ row: BankRow,
        _ stored: BankNote,
        _ context: RequestContext
    ) throws -> BankNote? {
        var note = stored
        state.order = BankNote.typed
        let payee = state.readLine("payee", TextLimit.payee)
        // The bank's own name is not the user's text: neither the present name, nor the name that the form has shown.
        var reported = [row.reported.payee, context.request.form.first("reported")].compactMap { $0?.asLine }
        // Neither is the name that a rule has set.
        if stored.payee.isEmpty { reported.append(row.transaction.payee.asLine) }
        note.payee = reported.contains(payee) ? "" : payee
        for text in BankNote.extras { text.read(&state)(&note) }
        note.isHidden = state["hidden"] == "on"
        let chosen = EntityID(state["category"])
        let isOfRule = stored.category == nil && chosen == row.transaction.category
        if chosen != stored.category && !isOfRule || chosen == nil {
            note.category = nil
            if !state["category"].isEmpty {
                let category = try chosen.flatMap { try context.catalog().category($0) }
                if let category, row.transaction.kind == .expense, category.kind != .expense {
                    let name: [String: Text.Argument] = ["name": .string(category.name)]
                    state.refuse("category", Text("transactions.category-of-income", name))
                } else if category == nil {
                    state.refuse("category", Text("forms.choose-a-category"))
                }
                note.category = category?.id
            }
        }
        return state.isRefused ? nil : note
    }
}

/// `POST /banks/rows/ID/record`: makes the row a transaction of the book. If it was perhaps entered already, `same` names
/// that transaction, and `another` records the row beside it. `transfer` names the row, or the transaction, that is the other
/// side of a transfer.
enum BankRowRecord {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let row = try BankRowShow.row(context, id)
        let (book, form) = (try context.book(), context.request.form)
        if case .entered(let entered) = row.state {
            if form.first("same") == "\(entered)" {
                let change = try book.connect(entered, to: row)
                return try done(context, row, change, Text("bankrows.connected"))
            }
            // The question is shown first.
            guard form.first("another") == "on" else {
                return context.redirect(to: Link.bankRow(id))
            }
            try book.note(entered, isNot: row.transaction.id)
            if row.reported.isPending {
                let toast = Device.Toast(key: "bank-rows-are-two", text: Text("bankrows.noted-two"))
                try context.knownDevice().show(toast)
            }
        }
        guard row.state != .hidden, !row.reported.isPending else {
            return context.redirect(to: Link.bankRow(id))
        }
        if let transfer = form.first("transfer") {
            // The page that named it may be old.
            guard let side = try BankRowShow.side(of: row, context), "\(side.id)" == transfer else {
                return context.redirect(to: Link.bankRow(id))
            }
            let change =
                side.isRecorded
                ? try book.recordTransfer(row, besideRecord: side.id)
                : try context.bankRows()?[side.id].flatMap { try book.recordTransfer(row, $0) }
            let text = change == nil ? Text("bankrows.nothing-recorded") : Text("bankrows.recorded")
            return try done(context, row, change, text)
        }
        let records = try book.record([row], again: true)
        let text = records.count > 0 ? Text("bankrows.recorded") : Text("bankrows.nothing-recorded")
        return try done(context, row, records.change, text)
    }

    private static func done(_ context: RequestContext, _ row: BankRow, _ change: Int64?, _ text: Text) throws
        -> Response
    {
        let undo = change.map { Link.historyUndo($0).text }
        try context.knownDevice().show(Device.Toast(key: "bank-row-recorded", text: text, undo: undo))
        let list = Link.accountTransactions(row.transaction.account)
        return context.redirect(to: context.list(of: row.transaction.id, or: context.originList ?? list))
    }
}
