// The actions of payees.

import Book
import Devices
import Encoding
import HTTPServer
import Ledger
import Links
import Texts

extension Link {
    static let payees = Link(declared: "/payees")
    fileprivate static let payeeShow = Link(declared: "/payees/show")
    static let payeesRename = Link(declared: "/payees/rename")
    static let payeesDefault = Link(declared: "/payees/default")
    fileprivate static let payeeSuggestions = Link(declared: "/payees/suggestions")

    /// The page of a payee.
    static func payee(_ name: String) -> Link { payeeShow.adding(query: [("name", name)]) }
}

extension Feature {
    static let payees = Feature(
        routes: [
            get(.payees, PayeesShow.answer),
            get(.payeeShow, PayeeShow.answer),
            get(.payeeSuggestions, PayeeSuggestionsShow.answer),
            post(.payeesRename, PayeesRename.answer),
            post(.payeesDefault, PayeesDefault.answer),
        ],
        pages: [PayeesPage.self, PayeePage.self, PayeeRenamingPage.self, PayeeSuggestionsPage.self],
        links: [
            "payees": .payees,
            "payees_rename": .payeesRename,
            "payees_default": .payeesDefault,
            "payee_suggestions": .payeeSuggestions,
        ]
    )
}

/// `GET /payees`: all payees, of which a search and an order choose.
enum PayeesShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let (query, formats) = (context.request.query, try context.formats())
        let search = query.first("q") ?? ""
        guard search.fits(TextLimit.payee) else { throw Refusal.malformed }
        let order = query.first("sort").flatMap(PayeeOrder.init(rawValue:)) ?? .name
        let skipped = max(0, query.first("first").flatMap { Int($0) } ?? 0)
        let all = try context.book().payees(through: formats.today)
        let words = search.searchForm.split(whereSeparator: \.isWhitespace)
        var found = all
        if !words.isEmpty {
            found = all.filter { payee in
                let name = payee.name.searchForm
                return words.allSatisfy { name.contains($0) }
            }
        }
        // The order by name stays among equals.
        if order != .name {
            found = found.enumerated().sorted { one, other in
                if order.precedes(one.element, other.element) { return true }
                return !order.precedes(other.element, one.element) && one.offset < other.offset
            }.map(\.element)
        }
        let shown = found.dropFirst(skipped).prefix(PayeesPage.most)
        let totals = try PayeeFacts.totals(context)
        return context.page(
            PayeesPage(
                chrome: context.chrome(),
                search: search,
                order: order,
                lines: try shown.map { try PayeeFacts.line($0, totals[$0.name] ?? [], context) },
                alike: words.isEmpty && skipped == 0 ? AlikePayees.groups(of: all) : [],
                count: found.count,
                skipped: skipped
            )
        )
    }
}

/// `GET /payees/show`: one payee, by `name` in any spelling.
enum PayeeShow {
    /// The number of transactions on the page.
    private static let mostRows = 20

    static func answer(_ context: RequestContext) throws -> Response {
        let name = context.request.query.first("name") ?? ""
        return try page(context, name, FormState(values: ["to": name]), .ok)
    }

    /// - Parameters:
    ///   - state: another name, as `to`.
    ///   - refused: usual values that were refused, as `category` and `note`; nil for those that are set.
    static func page(
        _ context: RequestContext,
        _ name: String,
        _ state: FormState,
        usual refused: FormState? = nil,
        _ status: Status
    ) throws -> Response {
        let formats = try context.formats()
        let (book, catalog, bank) = (try context.book(), try context.catalog(), try context.bankRows())
        guard let summary = try book.payees(named: name, through: formats.today).first else {
            throw Refusal.notFound
        }
        var query = TransactionQuery()
        (query.payee, query.limit) = (summary.name, mostRows)
        func page(of query: TransactionQuery) throws -> TransactionPage {
            try book.transactions(query, beside: bank, through: formats.today).page
        }
        let rows = try page(of: query).rows
        let marks = bank?.marks(of: rows) ?? [:]
        let months = try PayeeFacts.months(formats).reversed().compactMap { month -> PayeeMonth? in
            (query.month, query.limit) = (month, 1)
            let sums = PayeeLine.lines(try page(of: query).totals, formats)
            guard !sums.isEmpty else { return nil }
            return PayeeMonth(
                title: formats.monthTitle(month),
                sums: sums,
                href: TransactionsPage.href(query)
            )
        }
        let set = try book.payeeDefault(of: summary.name)
        let shown = ["category": set?.category.map { "\($0)" } ?? "", "note": set?.note ?? ""]
        return context.page(
            PayeePage(
                chrome: context.chrome(),
                line: try PayeeFacts.line(summary, [], context),
                months: months,
                rows: rows.map {
                    TransactionRow($0, catalog: catalog, formats: formats, mark: marks[$0.id])
                },
                state: state,
                usual: refused ?? FormState(values: shown),
                catalog: catalog,
                payees: try context.payees(),
                rules: try RuleFacts.lines(ofPayee: summary.name, context)
            ),
            status
        )
    }
}

/// `POST /payees/default`: sets the category and the note with which new transactions of a payee begin.
enum PayeesDefault {
    static func answer(_ context: RequestContext) throws -> Response {
        let (form, book) = (context.request.form, try context.book())
        guard let name = form.first("name"), name.fits(TextLimit.payee) else { throw Refusal.malformed }
        guard let payee = try book.payees(named: name, through: context.formats().today).first else {
            throw Refusal.notFound
        }
        var state = FormState(form, ["category", "note"])
        let (chosen, note) = (state["category"], state["note"].asParagraphs)
        let category = EntityID(chosen)
        if !chosen.isEmpty, category == nil { state.refuse("category", Text("forms.choose-a-category")) }
        if !note.fits(TextLimit.note) {
            state.refuse("note", Text("forms.keep-it-to-limit", ["limit": .count(TextLimit.note)]))
        }
        var change: Int64?
        if !state.isRefused {
            let usual = PayeeDefault(id: context.newID(), name: payee.name, category: category, note: note)
            do { change = try book.set(usual) } catch {
                guard case .unknownCategory = error else { throw error }
                state.refuse("category", Text("forms.category-deleted-meanwhile"))
            }
        }
        guard !state.isRefused else {
            let renaming = FormState(values: ["to": payee.name])
            return try PayeeShow.page(context, payee.name, renaming, usual: state, .unprocessable)
        }
        let toast = Device.Toast(
            key: "payee-default-set",
            text: change == nil ? Text("forms.nothing-was-changed") : Text("payees.usual-values-set"),
            undo: change.map { Link.historyUndo($0).text }
        )
        try context.knownDevice().show(toast)
        return context.redirect(to: .payee(payee.name))
    }
}

/// `GET /payees/suggestions`: the payees that the typed text `q` can mean, each with the form of a new transaction like its
/// last one. The script of that form shows them while the payee is typed.
enum PayeeSuggestionsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let text = context.request.query.first("q") ?? ""
        guard text.fits(TextLimit.payee) else { throw Refusal.malformed }
        let catalog = try context.catalog()
        let repeats =
            text.asLine.isEmpty
            ? try context.repeats(catalog)
            : try context.repeats(context.book().payeeUses(matching: text), catalog)
        return context.page(PayeeSuggestionsPage(chrome: context.chrome(), repeats: repeats))
    }
}

/// `POST /payees/rename`: gives payees one name; without `sure`, says what that would change.
enum PayeesRename {
    static func answer(_ context: RequestContext) throws -> Response {
        let (form, book) = (context.request.form, try context.book())
        let from = form.all("from").filter { !$0.isEmpty }
        guard !from.isEmpty, from.allSatisfy({ $0.fits(TextLimit.payee) }) else { throw Refusal.malformed }
        var state = FormState(form, ["to"])
        let to = state.readLine("to", TextLimit.payee)
        if to.isEmpty { state.refuse("to", Text("payees.enter-a-name")) }
        guard !state.isRefused else {
            return try PayeeShow.page(context, from[0], state, .unprocessable)
        }
        guard form.first("sure") == "on" else {
            let plan = try book.planRenaming(from, to: to)
            return context.page(
                PayeeRenamingPage(chrome: context.chrome(), from: from, to: to, plan: plan)
            )
        }
        let always = form.first("always") == "on" ? { context.newID() } : nil
        let done = try book.rename(from, to: to, always: always)
        let count: [String: Text.Argument] = [
            "count": .count(done.transactionCount), "to": .string(to.isolated),
        ]
        let toast = Device.Toast(
            key: "payees-renamed",
            text: done.change == nil ? Text("forms.nothing-was-changed") : Text("payees.renamed", count),
            undo: done.change.map { Link.historyUndo($0).text }
        )
        try context.knownDevice().show(toast)
        let isThere = try !book.payees(named: to, through: context.formats().today).isEmpty
        return context.redirect(to: isThere ? .payee(to) : .payees)
    }
}

/// The facts that the pages of payees show.
private enum PayeeFacts {
    /// The twelve months up to the present one.
    static func months(_ formats: Formats) -> [YearMonth] {
        let month = formats.today.yearMonth
        return (month.index - 11...month.index).map { YearMonth(index: $0) }
    }

    /// The totals of these months by payee, as the report has them.
    static func totals(_ context: RequestContext) throws -> [String: [CurrencyTotal]] {
        let formats = try context.formats()
        let months = months(formats)
        guard let first = months.first, let last = months.last else { return [:] }
        let rows = try context.book().report(
            from: first,
            to: last,
            group: .payee,
            beside: context.bankRows(),
            through: formats.today
        )
        return Dictionary(grouping: rows) { if case .payee(let name) = $0.key { name } else { "" } }
            .mapValues { $0.map(\.total) }
    }

    static func line(_ summary: PayeeSummary, _ totals: [CurrencyTotal], _ context: RequestContext) throws
        -> PayeeLine
    {
        let category = try context.book().usualCategory(ofPayee: summary.name)
        return PayeeLine(
            summary,
            totals,
            category: try context.catalog().category(category),
            formats: try context.formats()
        )
    }
}
