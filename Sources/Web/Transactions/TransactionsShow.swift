import Book
import Devices
import HTTPServer
import Ledger
import Texts

/// `GET /transactions`: the transactions of a month, or the results of a search.
enum TransactionsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let formats = try context.formats()
        let filters = try filters(context, formats)
        let editing = try RowEditing(context, on: TransactionsPage.href(filters.query))
        let status: Status = filters.refusedAmount == nil ? .ok : .unprocessable
        return try page(context, filters, nil, editing: editing, status)
    }

    /// The list.
    /// - Parameters:
    ///   - refused: the entered values of a quick form that was refused; nil for none.
    ///   - editing: the transaction whose form is in the place of its row; nil for none.
    static func page(
        _ context: RequestContext,
        _ filters: ListFilters,
        _ refused: FormState?,
        editing: RowEditing? = nil,
        _ status: Status
    )
        throws
        -> Response
    {
        let query = filters.query
        let formats = try context.formats()
        let bank = try context.bankRows()
        let view = try context.book().transactions(
            query,
            knownIn: formats.base,
            beside: bank,
            through: formats.today
        )
        let catalog = context.catalog(view.choices)
        if let page = try editing?.pageOfItsOwn(context, besides: view.page.rows, catalog, status) {
            return page
        }
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
            repeats: [],
            takesFocus: false,
            offersEveryCurrency: false
        )
        return context.page(
            TransactionsPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: catalog,
                filters: filters,
                result: view.page,
                views: try context.book().savedViews(),
                bank: bank?.marks(of: view.page.rows) ?? [:],
                form: form,
                bookIsEmpty: view.counts.transactions == 0 && view.page.rows.isEmpty,
                unknownCount: bank?.unknownAccounts.count { id in
                    query.isOfDailyUse
                        ? catalog.account(id)?.type.isForDailyUse == true
                        : query.account == nil || query.account == id
                } ?? 0,
                uncategorizedCount: try context.book().uncategorizedCount(),
                isSelecting: context.request.query.first(TransactionsPage.select) == "on",
                editing: try editing.map { ($0.id, try $0.form(context, catalog)) }
            ),
            status
        )
    }
}

/// `GET /transactions/new`: the full form, which the query may fill in.
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
        let lastAccount = try choices?.lastAccount ?? context.book().choices().lastAccount
        let blank = TransactionForm.blank(
            account: context.originList.flatMap(Routes.account(of:)) ?? lastAccount,
            catalog: catalog,
            formats: try context.formats()
        )
        return try TransactionPrefill(blank, context.request.query, catalog, context).state
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
        return context.page(
            TransactionEditPage(
                chrome: chrome,
                form: try form(context, state, editing, once: once, catalog, formats),
                editing: editing,
                isStarred: stored?.isStarred ?? false,
                receipts: try context.receipts(of: editing.map { .recorded($0) } ?? .entered(once), outcome),
                unsaved: unsaved,
                rule: try RuleMark.of(stored?.rule, context.book())
            ),
            status
        )
    }

    /// The full form.
    static func form(
        _ context: RequestContext,
        _ state: FormState,
        _ editing: EntityID?,
        once: EntityID,
        isInRow: Bool = false,
        _ catalog: Catalog,
        _ formats: Formats
    ) throws -> TransactionForm {
        let stored = try editing.flatMap { try context.book().transaction($0) }
        return TransactionForm(
            state: state,
            editing: editing,
            once: "\(once)",
            catalog: catalog,
            formats: formats,
            payees: try context.payees(),
            repeats: editing == nil ? try context.repeats(catalog) : [],
            kept: editing == nil ? [] : TransactionPrefill.fields,
            leftOut: LeftOut.caution(
                context,
                kind: state["kind"],
                currency: state["currency"],
                account: catalog.account(EntityID(state["account"])),
                formats
            ),
            hasParts: true,
            splitCaution: stored.flatMap { TransactionForm.splitCaution($0, formats: formats) },
            isInRow: isInRow
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

    /// The links of the starred transactions and of the most recent payees, which fill in the form of a new transaction.
    func repeats(_ catalog: Catalog) throws -> [PayeeRepeat] {
        let formats = try formats()
        return try book().starredTransactions(limit: 6).map {
            PayeeRepeat(template: $0, catalog: catalog, formats: formats)
        } + repeats(book().recentPayeeUses().prefix(5), catalog)
    }

    /// A link for each of some payees.
    func repeats(_ uses: some Collection<PayeeUse>, _ catalog: Catalog) throws -> [PayeeRepeat] {
        let formats = try formats()
        return uses.map {
            PayeeRepeat($0.latest, category: $0.category, note: $0.note, catalog: catalog, formats: formats)
        }
    }
}
