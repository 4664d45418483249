import Book
import Devices
import HTTPServer
import Ledger
import Texts

/// `GET /transactions`: the transactions of a month, or the results of a search.
enum TransactionsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let formats = try context.formats()
        return try page(context, try query(context, formats), nil, .ok)
    }

    /// The list.
    /// - Parameter refused: the entered values of a quick form that was refused; nil for none.
    static func page(
        _ context: RequestContext,
        _ query: TransactionQuery,
        _ refused: FormState?,
        _ status: Status
    )
        throws
        -> Response
    {
        let formats = try context.formats()
        let bank = try context.bankRows()
        let view = try context.book().transactions(
            query,
            knownIn: formats.base,
            beside: bank,
            through: formats.today
        )
        let catalog = context.catalog(view.choices)
        let blank = TransactionForm.blank(
            account: query.account ?? view.choices.lastAccount,
            catalog: catalog,
            formats: formats
        )
        var state = refused ?? blank
        // A transaction that was added beside a list is looked for in that list.
        if state.back == nil, !context.request.query.names.isEmpty {
            state.back = TransactionsPage.href(query)
        }
        let form = TransactionForm(
            state: state,
            editing: nil,
            once: "\(context.newID())",
            catalog: catalog,
            formats: formats,
            payees: try context.payees(),
            offersEveryCurrency: false
        )
        return context.page(
            TransactionsPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: catalog,
                query: query,
                result: view.page,
                bank: bank?.marks(of: view.page.rows) ?? [:],
                form: form,
                bookIsEmpty: view.counts.transactions == 0 && view.page.rows.isEmpty,
                unknownCount: bank?.unknownAccounts.count { id in
                    query.isOfDailyUse
                        ? catalog.account(id)?.type.isForDailyUse == true
                        : query.account == nil || query.account == id
                } ?? 0,
                isSelecting: context.request.query.first(TransactionsPage.select) == "on"
            ),
            status
        )
    }

    /// Reads the filters of an address. A month is the current one unless something else narrows the list.
    /// - Parameters:
    ///   - fields: the filters; nil for those of the address.
    ///   - account: the account that the page is about; nil if the address may name one.
    static func query(
        _ context: RequestContext,
        _ formats: Formats,
        _ fields: FormFields? = nil,
        of account: EntityID? = nil
    ) throws -> TransactionQuery {
        let fields = fields ?? context.request.query
        var query = TransactionQuery()
        query.decimalSign = try context.decimalSign()
        func value(_ name: String) -> String? { fields.first(name).flatMap { $0.isEmpty ? nil : $0 } }
        query.text = value("q")
        if let kind = value("kind") {
            query.isSpending = kind == TransactionForm.spending
            query.kind = TransactionKind(rawValue: kind)
            if query.kind == nil, !query.isSpending { throw Refusal.malformed }
        }
        if let counts = value("counts") {
            query.counts = CountFilter(counts)
            if query.counts == nil { throw Refusal.malformed }
        }
        if let account {
            query.account = account
        } else if value("account") == TransactionsPage.ofDailyUse {
            query.isOfDailyUse = true
        } else if let account = value("account") {
            query.account = EntityID(account)
            if query.account == nil { throw Refusal.notFound }
        }
        if let category = value("category") {
            query.category = CategoryFilter(category)
            if query.category == nil { throw Refusal.notFound }
        }
        if let after = value("after") {
            query.after = TransactionCursor(after)
            if query.after == nil { throw Refusal.malformed }
        }
        if let amounts = value("amounts") {
            guard amounts == TransactionsPage.asCharged else { throw Refusal.malformed }
            query.isAsCharged = true
        }
        if let payee = value("payee") {
            guard payee.fits(TextLimit.payee) else { throw Refusal.malformed }
            query.payee = payee
        }
        if let without = value(TransactionsPage.withoutPayee.0) {
            guard without == TransactionsPage.withoutPayee.1 else { throw Refusal.malformed }
            query.payee = ""
        }
        if account == nil, value("from") != nil || value("to") != nil {
            query.days = try days(from: value("from"), to: value("to"))
            return try checked(query)
        }
        // A search covers all months, independent of the page's month, unless the request names one.
        switch value("month") ?? (query.text == nil ? value("shown") : nil) {
        case "all": break
        case let text?:
            query.month = YearMonth(iso: text)
            if query.month == nil { throw Refusal.malformed }
        case nil
        where query.text == nil && query.account == nil && query.category == nil && query.payee == nil
            && !query.isOfDailyUse:
            query.month = formats.today.yearMonth
        case nil: break
        }
        return try checked(query)
    }

    private static func checked(_ query: TransactionQuery) throws -> TransactionQuery {
        if let text = query.text, !text.fits(TextLimit.payee) { throw Refusal.malformed }
        return query
    }

    /// The days from one to the other, in either order. A range without an end includes all later days.
    private static func days(from: String?, to: String?) throws -> ClosedRange<CivilDate> {
        func day(_ text: String?, else end: Int32) throws -> CivilDate {
            guard let text else { return CivilDate(dayNumber: end) }
            guard let day = CivilDate(typed: text) else { throw Refusal.malformed }
            return day
        }
        let (first, last) = (try day(from, else: .min), try day(to, else: .max))
        return min(first, last)...max(first, last)
    }
}

/// `GET /transactions/new`: the full form. The query may preset kind, date and account.
enum TransactionNew {
    static func answer(_ context: RequestContext) throws -> Response {
        let choices = try context.book().choices()
        let catalog = context.catalog(choices)
        var state = try blank(context, catalog, choices)
        state.back = context.originList
        let unsaved = try context.knownOnceID == nil ? context.unsavedEntries() : []
        return try TransactionFormPage.make(context, state, nil, catalog, .ok, unsaved: unsaved)
    }

    /// A new transaction, with what the query presets.
    static func blank(_ context: RequestContext, _ catalog: Catalog, _ choices: BookChoices? = nil) throws
        -> FormState
    {
        let query = context.request.query
        let lastAccount = try choices?.lastAccount ?? context.book().choices().lastAccount
        var state = TransactionForm.blank(
            kind: query.first("kind").flatMap(TransactionKind.init(rawValue:)) ?? .expense,
            account: query.first("account").flatMap { EntityID($0) }
                ?? context.originList.flatMap(Routes.account(of:)) ?? lastAccount,
            catalog: catalog,
            formats: try context.formats()
        )
        if let date = query.first("date").flatMap({ CivilDate(iso: $0) }) { state.values["date"] = "\(date)" }
        return state
    }
}

/// The page with the full form.
enum TransactionFormPage {
    /// - Parameters:
    ///   - outcome: the fate of files that were sent along.
    ///   - unsaved: other transactions with files that were not recorded.
    static func make(
        _ context: RequestContext,
        _ state: FormState,
        _ editing: EntityID?,
        _ catalog: Catalog,
        _ status: Status,
        receipts outcome: ReceiptsSection.Outcome = ReceiptsSection.Outcome(),
        unsaved: [UnsavedEntry] = []
    )
        throws -> Response
    {
        let formats = try context.formats()
        var chrome = context.chrome()
        if let editing { chrome.toasts = chrome.toasts.map { HistoryUndo.sendingAlong(editing, $0) } }
        let stored = try editing.flatMap { try context.book().transaction($0) }
        // The files that were added to a form belong to its id.
        let once = editing == nil ? context.onceID() : context.newID()
        let form = TransactionForm(
            state: state,
            editing: editing,
            once: "\(once)",
            catalog: catalog,
            formats: formats,
            payees: try context.payees(),
            leftOut: LeftOut.caution(
                context,
                kind: state["kind"],
                currency: state["currency"],
                account: catalog.account(EntityID(state["account"])),
                formats
            ),
            hasParts: true,
            splitCaution: stored.flatMap { TransactionForm.splitCaution($0, formats: formats) }
        )
        return context.page(
            TransactionEditPage(
                chrome: chrome,
                form: form,
                editing: editing,
                receipts: try context.receipts(of: editing.map { .recorded($0) } ?? .entered(once), outcome),
                unsaved: unsaved
            ),
            status
        )
    }
}

/// The caution about a currency that budgets leave out: for users without premium, and without a rate.
enum LeftOut {
    /// - Parameter account: the account of the transaction. On one in the base currency every expense counts with the
    ///   amount that was charged. Nil for a deleted one, whose currency is not known.
    static func caution(
        _ context: RequestContext,
        kind: String,
        currency: String,
        account: Account?,
        _ formats: Formats
    ) -> Text? {
        guard kind == TransactionKind.expense.rawValue, let code = CurrencyCode(currency),
            code != formats.base, let account, account.currency != formats.base
        else {
            return nil
        }
        guard context.device?.tier == .premium else { return Chrome.leftOutWarning(currency: code) }
        // The amount in the currency of the account is converted.
        let charged = account.currency
        return formats.conversion?.converter.hasRate(of: charged) == true
            ? nil : Chrome.noRateWarning(currency: charged)
    }
}

extension RequestContext {
    /// The accounts and categories whose names pages show.
    func catalog() throws -> Catalog { catalog(try book().choices()) }

    /// The same for choices that were read already.
    func catalog(_ choices: BookChoices) -> Catalog {
        guard let device else { return Catalog(choices) }
        return site.catalog(of: device.id, choices)
    }

    /// The recent payees with the last category of each.
    func payees() throws -> [PayeeHint] {
        try book().recentPayeeUses().map { PayeeHint(payee: $0.payee, category: $0.category) }
    }
}
