import Book
import Devices
import HTTPServer
import Ledger
import Pages

/// `GET /transactions`: a month, or what a search finds.
enum TransactionsShow {
    static func answer(_ visit: Visit) throws -> Response {
        let formats = try visit.formats()
        return try page(visit, try query(visit.request.query, formats), nil, .ok)
    }

    /// The list.
    /// - Parameter refused: the quick form as it was typed, where it could not be recorded.
    static func page(_ visit: Visit, _ query: TransactionQuery, _ refused: FormState?, _ status: Status)
        throws
        -> Response
    {
        let formats = try visit.formats()
        let view = try visit.book().transactions(query)
        let catalog = visit.catalog(view.choices)
        let blank = TransactionForm.blank(
            account: query.account ?? view.choices.lastAccount,
            catalog: catalog,
            formats: formats
        )
        let form = TransactionForm(
            state: refused ?? blank,
            editing: nil,
            once: "\(visit.newID())",
            catalog: catalog,
            formats: formats,
            payees: try visit.payees(),
            offersEveryCurrency: false
        )
        return visit.page(
            TransactionsPage(
                chrome: visit.chrome(),
                formats: formats,
                catalog: catalog,
                query: query,
                result: view.page,
                form: form,
                bookIsEmpty: view.counts.transactions == 0
            ),
            status
        )
    }

    /// Reads the filters of an address. A month is the current one unless something else narrows the list.
    static func query(_ fields: FormFields, _ formats: Formats) throws -> TransactionQuery {
        var query = TransactionQuery()
        func value(_ name: String) -> String? { fields.first(name).flatMap { $0.isEmpty ? nil : $0 } }
        query.text = value("q")
        if let kind = value("kind") {
            query.kind = TransactionKind(rawValue: kind)
            if query.kind == nil { throw Refusal.malformed }
        }
        if let account = value("account") {
            query.account = EntityID(account)
            if query.account == nil { throw Refusal.notFound }
        }
        if let category = value("category") {
            query.category = EntityID(category)
            if query.category == nil { throw Refusal.notFound }
        }
        if let after = value("after") {
            query.after = TransactionCursor(after)
            if query.after == nil { throw Refusal.malformed }
        }
        switch value("month") {
        case "all": break
        case let text?:
            query.month = YearMonth(iso: text)
            if query.month == nil { throw Refusal.malformed }
        case nil where query.text == nil && query.account == nil && query.category == nil:
            query.month = formats.today.yearMonth
        case nil: break
        }
        if let text = query.text, !text.fits(TextLimit.payee) { throw Refusal.malformed }
        return query
    }
}

/// `GET /transactions/new`: the whole form. The query may say kind, date and account.
enum TransactionNew {
    static func answer(_ visit: Visit) throws -> Response {
        let formats = try visit.formats()
        let choices = try visit.book().choices()
        let catalog = visit.catalog(choices)
        let query = visit.request.query
        var state = TransactionForm.blank(
            kind: query.first("kind").flatMap(TransactionKind.init(rawValue:)) ?? .expense,
            account: query.first("account").flatMap { EntityID($0) } ?? choices.lastAccount,
            catalog: catalog,
            formats: formats
        )
        if let date = query.first("date").flatMap({ CivilDate(iso: $0) }) { state.values["date"] = "\(date)" }
        return try TransactionPage.make(visit, state, nil, catalog, .ok)
    }
}

/// `GET /transactions/ID`: the form that corrects it.
enum TransactionShow {
    static func answer(_ visit: Visit, _ id: EntityID) throws -> Response {
        let formats = try visit.formats()
        guard let transaction = try visit.book().transaction(id) else { throw Refusal.notFound }
        let catalog = try visit.catalog()
        let state = TransactionForm.values(of: transaction, catalog: catalog, formats: formats)
        return try TransactionPage.make(visit, state, id, catalog, .ok)
    }
}

/// The page with the whole form.
enum TransactionPage {
    static func make(
        _ visit: Visit,
        _ state: FormState,
        _ editing: EntityID?,
        _ catalog: Catalog,
        _ status: Status
    )
        throws -> Response
    {
        let formats = try visit.formats()
        let form = TransactionForm(
            state: state,
            editing: editing,
            once: "\(visit.newID())",
            catalog: catalog,
            formats: formats,
            payees: try visit.payees(),
            leftOut: LeftOut.caution(visit, kind: state["kind"], currency: state["currency"], formats)
        )
        return visit.page(TransactionEditPage(chrome: visit.chrome(), form: form, editing: editing), status)
    }
}

/// The caution about a currency that budgets leave out, for whom more could be had.
enum LeftOut {
    static func caution(_ visit: Visit, kind: String, currency: String, _ formats: Formats) -> String? {
        guard visit.device?.tier != .premium, kind == TransactionKind.expense.rawValue,
            let code = CurrencyCode(currency),
            code != formats.base
        else {
            return nil
        }
        return Chrome.leftOutWarning(currency: code)
    }
}

extension Visit {
    /// The accounts and categories that a page puts names to.
    func catalog() throws -> Catalog { catalog(try book().choices()) }

    /// The same of what was read with something else.
    func catalog(_ choices: BookChoices) -> Catalog {
        guard let device else { return Catalog(choices) }
        return site.catalog(of: device.id, choices)
    }

    /// The payees of late with what each was last for.
    func payees() throws -> [PayeeHint] {
        try knownDevice().recentPayees().map { PayeeHint(payee: $0.payee, category: $0.category) }
    }
}
