// The list of transactions by day, with the month, the filters, and the quick form beside it.

import Ledger
import Links
import Templates
import Texts

/// The transactions of a month, or the results of a search. It is an object, so that reading a part of it
/// copies nothing.
final class TransactionsPage: Page, FilteredList {
    static let template = "transactions/index"
    let chrome: Chrome
    let filters: ListFilters
    let chips: [FilterChip]
    let sum: ListSum
    let views: [SavedView]
    let months: MonthNavigation
    let days: [DaySection]
    let totals: [TotalLine]
    /// The transfers to the accounts of the filter, less the transfers from these accounts.
    let moved: [SumLine]
    let rates: RatesLine?
    let upgrade: Text?
    let count: Int
    let older: Link?
    let form: TransactionForm
    let bookIsEmpty: Bool
    /// The words about a list of which all days are to come.
    let allToCome: Text?
    let unknownCount: Int
    /// The link to what has no category in the whole book; nil if there is nothing.
    let uncategorized: UncategorizedLink?
    /// Whether rows are being selected.
    let isSelecting: Bool
    /// Whether a row is being edited in its place. Nothing is added beside it then.
    let isEditing: Bool
    let catalog: Catalog
    let today: YearMonth
    let todayTitle: String

    /// - Parameters:
    ///   - filters: the filters of the result.
    ///   - views: the saved views, by name.
    ///   - bank: the marks of the rows that are transactions of a bank.
    ///   - bookIsEmpty: whether the book contains no transaction; the page has a text of its own for this.
    ///   - unknownCount: the number of accounts of the list of which only recorded transactions are in it.
    ///   - uncategorizedCount: the number of transactions of the book without a category.
    ///   - editing: the transaction whose form is in the place of its row.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        filters: ListFilters,
        result: TransactionPage,
        views: [SavedView] = [],
        bank: [EntityID: BankMark] = [:],
        form: TransactionForm,
        bookIsEmpty: Bool,
        unknownCount: Int = 0,
        uncategorizedCount: Int = 0,
        isSelecting: Bool = false,
        editing: (id: EntityID, form: TransactionForm)? = nil
    ) {
        self.chrome = chrome.on(.transactions)
        self.filters = filters
        self.views = views
        let query = filters.query
        chips = FilterChip.all(of: query, sign: query.decimalSign, catalog: catalog, formats: formats) {
            Self.href($0, isSelecting: isSelecting)
        }
        sum = ListSum(
            result,
            of: query,
            view: filters.view?.name,
            selectHref: isSelecting || result.rows.isEmpty ? nil : Self.href(query, isSelecting: true),
            formats: formats
        )
        self.catalog = catalog
        self.form = editing?.form ?? form
        self.bookIsEmpty = bookIsEmpty
        self.unknownCount = unknownCount
        uncategorized = UncategorizedLink(uncategorizedCount)
        self.isSelecting = isSelecting
        isEditing = editing.map { editing in result.rows.contains { $0.id == editing.id } } ?? false
        today = formats.today.yearMonth
        todayTitle = formats.monthTitle(today)
        months = MonthNavigation(of: query, formats: formats) { Self.href($0, isSelecting: isSelecting) }
        // With rates, one total and the originals; without, a total for each currency.
        let together =
            formats.conversion == nil || result.totals.isEmpty ? nil : formats.together(result.totals)
        let later = together == nil ? nil : formats.together(result.toCome)
        totals =
            together.map { together in
                var line = TotalLine(together, formats: formats)
                line.toCome = later.map {
                    ToComePair($0.total, isConverted: $0.isConverted, of: query, formats)
                }
                return [line]
            }
            ?? result.totals.filter { total in
                total.currency == formats.base || total.hasAmounts
                    || result.toCome.contains { $0.currency == total.currency && $0.hasAmounts }
            }.map { total in
                var line = TotalLine(total, formats: formats)
                line.toCome = result.toCome.first { $0.currency == total.currency }
                    .map { ToComePair($0, of: query, formats) }
                return line
            }
        upgrade = formats.upgradeOffer(
            chrome.tier,
            (result.totals + result.toCome + result.days.flatMap(\.totals)).amounts + result.moved
        )
        let movedTogether = result.moved.isEmpty ? nil : formats.together(result.moved)
        moved = SumLine.moved(result, of: query, formats)
        rates = formats.ratesLine(
            isConverted: together?.isConverted ?? false || later?.isConverted ?? false
                || movedTogether?.isConverted ?? false,
            leftOut: ((together?.leftOut ?? []) + (later?.leftOut ?? [])).map {
                TotalLine($0, formats: formats).text
            }
            .filter { !$0.isEmpty } + (movedTogether?.leftOut ?? []).map { formats.listed($0) }
        )
        count = (result.totals + result.toCome).reduce(0) { $0 + $1.count }
        allToCome = formats.wordsToCome(query.days)
        older = result.next.map { next in
            var further = query
            further.after = next
            return Self.href(further, isSelecting: isSelecting)
        }
        let dayTotals = Dictionary(
            result.days.map { ($0.date, $0.totals) },
            uniquingKeysWith: { first, _ in first }
        )
        var days: [DaySection] = []
        for transaction in result.rows {
            let row = TransactionRow(
                transaction,
                catalog: catalog,
                formats: formats,
                partMinor: result.partMinors[transaction.id],
                mark: bank.isEmpty ? nil : bank[transaction.id],
                hasReceipts: !result.withReceipts.isEmpty && result.withReceipts.contains(transaction.id),
                isSelectable: isSelecting,
                editor: editing?.id == transaction.id ? editing?.form : nil,
                showsDay: query.sort.key != .date
            )
            if query.sort.key != .date, !days.isEmpty {
                days[0].rows.append(row)
            } else if query.sort.key != .date {
                days = [
                    DaySection(date: transaction.date, isToCome: false, title: nil, totals: [], rows: [row])
                ]
            } else if days.last?.date == transaction.date {
                days[days.count - 1].rows.append(row)
            } else {
                let lines = DayLine.lines(dayTotals[transaction.date] ?? [], formats: formats)
                let title = formats.dayTitle(transaction.date)
                days.append(
                    DaySection(
                        date: transaction.date,
                        isToCome: transaction.date > formats.today,
                        title: title,
                        totals: lines,
                        rows: [row]
                    )
                )
            }
        }
        self.days = days
    }

    static let keys = Keys<TransactionsPage>.filters()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .model("months", of: MonthNavigation.self) { $0.months }
        .optionalMessage("all_to_come") { $0.allToCome }
        .model("sort_filter", of: Field.self) {
            Field(name: "sort", value: SortChoices.value(of: $0.query.sort), options: SortChoices.all)
        }
        .model("sum", of: ListSum.self) { $0.sum }
        .list("views", of: ViewLink.self) { $0.views.map(ViewLink.init) }
        .link("save_href") { page in
            let saved = savedText(page.query, on: page.today.firstDay)
            return Link.views.adding(query: [("query", saved)])
        }
        .link("export_href") { page in
            Link.spreadsheet.adding(query: TransactionsPage.itemsOfFilters(page.query))
        }
        .optionalMessage("counts_text") { page in
            switch page.query.counts {
            case .known(let code): Text("transactions.only-what-counts", ["currency": .string("\(code)")])
            case .leftOut(let code): Text("transactions.only-left-out", ["currency": .string("\(code)")])
            case nil: nil
            }
        }
        .model("account_filter", of: Field.self) { page in
            let value =
                page.query.isOfDailyUse ? ofDailyUse : page.query.account.map { "\($0)" } ?? ""
            return Field(name: "account", value: value, options: page.catalog.accountFilters)
        }
        .optionalLink("everywhere_href") { page in
            guard page.query.days != nil, page.isFiltered else { return nil }
            var everywhere = page.query
            everywhere.days = nil
            everywhere.after = nil
            return TransactionsPage.href(everywhere)
        }
        .optionalLink("narrow_href") { page in
            guard page.query.days == nil, !(page.query.text ?? "").isEmpty else { return nil }
            var narrow = page.query
            narrow.month = page.today
            narrow.after = nil
            return TransactionsPage.href(narrow)
        }
        .text("today_title") { $0.todayTitle }
        .link("clear_href") { page in
            var clear = TransactionQuery()
            clear.month = page.query.month
            return TransactionsPage.href(clear)
        }
        .flag("has_rows") { !$0.days.isEmpty }
        .list("days", of: DaySection.self) { $0.days }
        .list("totals", of: TotalLine.self) { $0.totals }
        .list("moved", of: SumLine.self) { $0.moved }
        .list("uncategorized", of: UncategorizedLink.self) { $0.uncategorized.map { [$0] } ?? [] }
        .flag("is_editing") { $0.isEditing }
        .list("list_fields", of: HiddenField.self) { page in
            items(page.query).map { HiddenField(name: $0.0, value: $0.1) }
        }
        .text("list_back") { href($0.query, isSelecting: $0.isSelecting).text }
        .list("bulk", of: BulkBar.self) { page in
            guard page.isSelecting else { return [] }
            let (back, done) = (href(page.query, isSelecting: true), href(page.query))
            return [
                BulkBar(
                    query: page.query,
                    count: page.count,
                    catalog: page.catalog,
                    back: back,
                    done: done
                )
            ]
        }
        .list("rates", of: RatesLine.self) { $0.rates.map { [$0] } ?? [] }
        .optionalMessage("recorded_text") { Text.onlyRecorded($0.unknownCount) }
        .message("count_text") { .transactions($0.count) }
        .optionalMessage("upgrade_text") { $0.upgrade }
        .optionalLink("older_href") { $0.older }
        .model("form", of: TransactionForm.self) { $0.form }
        .text("empty_icon") { $0.bookIsEmpty ? "basket" : "search" }
        .message("empty_text") { $0.emptyText }
        .link("empty_href") {
            $0.bookIsEmpty || !$0.isFiltered ? .newTransaction : .transactions
        }
        .message("empty_label") {
            $0.isFiltered && !$0.bookIsEmpty
                ? Text("transactions.show-everything-of-this-month") : Text("common.add-a-transaction")
        }
        .flag("empty_primary") { !$0.isFiltered || $0.bookIsEmpty }

    private var isFiltered: Bool { hasFilters || !(query.text ?? "").isEmpty }

    private var hasFilters: Bool {
        query.kind != nil || query.isSpending || query.counts != nil || query.account != nil
            || query.category != nil || query.payee != nil || query.isOfDailyUse || query.isAsCharged
            || query.isOfDetails || isOfDays
    }

    private var emptyText: Text {
        if chrome.cloud.isIncomplete { return Text("overview.not-all-is-here") }
        if bookIsEmpty { return Text("transactions.nothing-here-yet") }
        if isFiltered { return Text("transactions.nothing-matches") }
        return Text("transactions.nothing-was-written-down", ["month": .text(months.title)])
    }
}
