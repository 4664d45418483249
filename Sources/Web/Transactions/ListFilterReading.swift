// Reading the filters of a list of transactions from its address, and from the words of its search.

import Book
import Encoding
import HTTPServer
import Ledger
import Links
import Texts

extension TransactionsShow {
    /// The filters of an address for a list that has nothing to say about them.
    /// - Throws: `Refusal.malformed` for an amount that cannot be read too.
    static func query(
        _ context: RequestContext,
        _ formats: Formats,
        _ fields: FormFields? = nil,
        of account: EntityID? = nil
    ) throws -> TransactionQuery {
        let filters = try filters(context, formats, fields, of: account)
        guard filters.refusedAmount == nil else { throw Refusal.malformed }
        return filters.query
    }

    /// Reads the filters of an address. A month is the current one unless something else narrows the list.
    /// - Parameters:
    ///   - sent: the filters; nil for those of the address.
    ///   - account: the account that the page is about; nil if the address may name one.
    static func filters(
        _ context: RequestContext,
        _ formats: Formats,
        _ sent: FormFields? = nil,
        of account: EntityID? = nil
    ) throws -> ListFilters {
        var reading = FilterReading(context: context, formats: formats, fields: sent ?? context.request.query)
        if account == nil, let id = reading.value(TransactionsPage.view) { try reading.open(view: id) }
        do {
            try reading.read(of: account)
        } catch let refusal as Refusal {
            guard reading.filters.view != nil else { throw refusal }
            // Written by another version, which may know other filters.
            reading.filters.query = TransactionQuery()
            reading.filters.notes = [Text("views.cannot-be-read")]
        }
        if reading.filters.view != nil { try reading.leaveOutDeleted() }
        return reading.filters
    }

    /// The days from one to the other, in either order. A range without an end includes all later days.
    static func days(from: String?, to: String?) throws -> ClosedRange<CivilDate> {
        func day(_ text: String?, else end: CivilDate) throws -> CivilDate {
            guard let text else { return end }
            guard let day = CivilDate(typed: text) else { throw Refusal.malformed }
            return day
        }
        let (first, last) = (try day(from, else: .distantPast), try day(to, else: .distantFuture))
        return min(first, last)...max(first, last)
    }
}

/// The filters of one address while they are read.
private struct FilterReading {
    let context: RequestContext
    let formats: Formats
    var fields: FormFields
    /// The position of the page, which a saved view does not have.
    var after: String?
    var filters = ListFilters()

    init(context: RequestContext, formats: Formats, fields: FormFields) {
        (self.context, self.formats, self.fields) = (context, formats, fields)
        after = fields.first("after")
    }

    func value(_ name: String) -> String? { fields.first(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// Reads the filters of a saved view in place of those of the address.
    mutating func open(view text: String) throws {
        guard let id = EntityID(text),
            let view = try context.book().savedViews().first(where: { $0.id == id }),
            let query = FormFields(query: view.query)
        else { throw Refusal.notFound }
        filters.view = view
        fields = query
    }

    mutating func read(of account: EntityID?) throws {
        filters.query.decimalSign = try context.decimalSign()
        try readSearch()
        try readKinds()
        try readNames(of: account)
        try readDetails()
        try readDays()
        // A register has its own order.
        if account == nil, let sort = value("sort") {
            guard let sort = TransactionSort(sort) else { throw Refusal.malformed }
            filters.query.sort = sort
        }
        if let after, !after.isEmpty {
            guard let place = TransactionCursor(after), filters.query.sort.has(place) else {
                throw Refusal.malformed
            }
            filters.query.after = place
        }
        // The words come last: they were typed after the filters were chosen.
        for filter in typed {
            if let account, case .account(let other) = filter {
                if other != account { filters.notes.append(Text("filters.of-one-account")) }
                continue
            }
            guard !filters.query.add(filter, on: formats.today), case .amount(let range) = filter else {
                continue
            }
            filters.query.amount = range
            let word = range.word(decimalSign: filters.query.decimalSign)
            filters.notes.append(Text("filters.nothing-passes-both", ["word": .string(word)]))
        }
    }

    /// The filters among the words of the search.
    private var typed: [TypedFilter] = []

    private mutating func readSearch() throws {
        guard let text = value("q") else { return }
        guard text.fits(TextLimit.payee) else { throw Refusal.malformed }
        filters.query.text = text
        let words = try context.filterWords(formats).read(text) {
            FilterNames(try context.book().choices())
        }
        typed = words.filters
        filters.query.text = words.text.isEmpty ? nil : words.text
        let range = AmountExamples(sign: filters.query.decimalSign).range
        filters.notes += words.unread.map { unread in
            let word = Text.Argument.string(unread.word.isolated)
            return switch unread.reason {
            case .unreadable: Text("filters.searched-as-text", ["word": word])
            case .empty:
                Text("filters.smaller-amount-first", ["word": word, "range": .string(range)])
            case .noSuchDay: Text("filters.no-such-day", ["word": word])
            case .unknownName: Text("filters.unknown-name", ["word": word])
            }
        }
    }

    private mutating func readKinds() throws {
        if let kind = value("kind") {
            filters.query.isSpending = kind == TransactionForm.spending
            filters.query.kind = TransactionKind(rawValue: kind)
            if filters.query.kind == nil, !filters.query.isSpending { throw Refusal.malformed }
        }
        if let counts = value("counts") {
            filters.query.counts = CountFilter(counts)
            if filters.query.counts == nil { throw Refusal.malformed }
        }
        if let amounts = value("amounts") {
            guard amounts == TransactionsPage.asCharged else { throw Refusal.malformed }
            filters.query.isAsCharged = true
        }
    }

    private mutating func readNames(of account: EntityID?) throws {
        if let account {
            filters.query.account = account
        } else if value("account") == TransactionsPage.ofDailyUse {
            filters.query.isOfDailyUse = true
        } else if let account = value("account") {
            filters.query.account = EntityID(account)
            if filters.query.account == nil { throw Refusal.notFound }
        }
        if let category = value("category") {
            filters.query.category = CategoryFilter(category)
            if filters.query.category == nil { throw Refusal.notFound }
        }
        if let payee = value("payee")?.asLine, !payee.isEmpty {
            guard payee.fits(TextLimit.payee) else { throw Refusal.malformed }
            filters.query.payee = payee
        }
        if let without = value(TransactionsPage.withoutPayee.0) {
            guard without == TransactionsPage.withoutPayee.1 else { throw Refusal.malformed }
            // A name that was entered beside it is another filter.
            if filters.query.payee == nil { filters.query.payee = "" }
        }
    }

    private mutating func readDetails() throws {
        if let amount = value("amount"), amount.contains(where: { !$0.isWhitespace }) {
            let sign = filters.query.decimalSign
            do throws(AmountFilter.Fault) {
                filters.query.amount = try AmountFilter(amount, decimalSign: sign)
            } catch {
                let examples = AmountExamples(sign: sign)
                filters.refusedAmount = ListFilters.RefusedAmount(
                    typed: amount.utf8.count > 200 ? "" : amount,
                    error: error == .empty ? examples.nothingLiesBetween : examples.enterAnAmount
                )
            }
        }
        if let tags = value("tag")?.asTags {
            guard tags.count <= TextLimit.tags, tags.allSatisfy({ $0.fits(TextLimit.tag) }) else {
                throw Refusal.malformed
            }
            filters.query.tags = tags
        }
        filters.query.isWithReceipt = try isOn("receipt")
        filters.query.isFromBank = try isOn("bank")
    }

    private func isOn(_ name: String) throws -> Bool {
        guard let value = value(name) else { return false }
        guard value == "on" else { throw Refusal.malformed }
        return true
    }

    private mutating func readDays() throws {
        if value("from") != nil || value("to") != nil {
            filters.query.days = try TransactionsShow.days(from: value("from"), to: value("to"))
            return
        }
        let isSearch = value("q") != nil
        // A search covers all months, independent of the page's month, unless the request names one.
        switch value("month") ?? (isSearch || value("days") != nil ? nil : value("shown")) {
        case "all": return
        case let text?:
            guard let month = YearMonth(iso: text) else { throw Refusal.malformed }
            filters.query.month = month
            return
        case nil: break
        }
        if let name = value("days") {
            guard let period = DayPeriod(rawValue: name) else { throw Refusal.malformed }
            filters.query.setPeriod(period, on: formats.today)
            return
        }
        let query = filters.query
        let isNarrow =
            isSearch || query.account != nil || query.category != nil || query.payee != nil
            || query.isOfDailyUse
            || query.isOfDetails || filters.view != nil
        if !isNarrow { filters.query.month = formats.today.yearMonth }
    }

    /// Leaves out what a view names and the book no longer has.
    mutating func leaveOutDeleted() throws {
        let catalog = try context.catalog()
        if let account = filters.query.account, catalog.account(account) == nil {
            filters.query.account = nil
            filters.notes.append(Text("views.account-was-deleted"))
        }
        switch filters.query.category {
        case .family(let id)?, .alone(let id)?:
            guard catalog.category(id) == nil else { break }
            filters.query.category = nil
            filters.notes.append(Text("views.category-was-deleted"))
        case .uncategorized?, nil: break
        }
    }
}

extension RequestContext {
    /// Finds filters among the words of a search.
    fileprivate func filterWords(_ formats: Formats) throws -> FilterWords {
        let phrases: [(Text, TypedFilter)] = [
            (Text("filters.word-this-month"), .period(.thisMonth)),
            (Text("filters.word-last-month"), .period(.lastMonth)),
            (Text("filters.word-this-year"), .period(.thisYear)),
            (Text("filters.word-last-year"), .period(.lastYear)),
            (Text("filters.word-uncategorised"), .category(.uncategorized)),
            (Text("filters.word-uncategorized"), .category(.uncategorized)),
            (Text("filters.word-no-category"), .category(.uncategorized)),
            (Text("filters.word-with-receipt"), .withReceipt),
            (Text("filters.word-from-bank"), .fromBank), (Text("filters.word-from-a-bank"), .fromBank),
        ]
        let kinds = TransactionKind.allCases.map { (string(TransactionForm.label(of: $0)).nameKey, $0) }
        return FilterWords(
            decimalSign: try decimalSign(),
            today: formats.today,
            phrases: Dictionary(
                phrases.map { (string($0).nameKey, $1) },
                uniquingKeysWith: { first, _ in first }
            ),
            kinds: Dictionary(kinds, uniquingKeysWith: { first, _ in first }),
            prefixes: FilterWords.Prefixes(
                account: string(Text("filters.word-account")),
                category: string(Text("filters.word-category")),
                payee: string(Text("filters.word-payee")),
                tag: string(Text("filters.word-tag")),
                kind: string(Text("filters.word-kind"))
            )
        )
    }
}
