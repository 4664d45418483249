// The list of transactions by day, with the month, the filters, and the quick form beside it.

import Ledger
import Links
import Templates
import Texts

/// The transactions of a month, or the results of a search. It is an object, so that reading a part of it
/// copies nothing.
final class TransactionsPage: Page {
    static let template = "transactions/index"
    let chrome: Chrome
    let query: TransactionQuery
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
    /// Whether rows are being selected.
    let isSelecting: Bool
    let catalog: Catalog
    let today: YearMonth
    let todayTitle: String

    /// - Parameters:
    ///   - query: the query of the result.
    ///   - bank: the marks of the rows that are transactions of a bank.
    ///   - bookIsEmpty: whether the book contains no transaction; the page has a text of its own for this.
    ///   - unknownCount: the number of accounts of the list of which only recorded transactions are in it.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        query: TransactionQuery,
        result: TransactionPage,
        bank: [EntityID: BankMark] = [:],
        form: TransactionForm,
        bookIsEmpty: Bool,
        unknownCount: Int = 0,
        isSelecting: Bool = false
    ) {
        self.chrome = chrome.on(.transactions)
        self.query = query
        self.catalog = catalog
        self.form = form
        self.bookIsEmpty = bookIsEmpty
        self.unknownCount = unknownCount
        self.isSelecting = isSelecting
        today = formats.today.yearMonth
        todayTitle = formats.monthTitle(today)
        let last = query.days.map { min($0.upperBound, max($0.lowerBound, formats.today)) }
        months = MonthNavigation(
            month: query.month ?? (last ?? formats.today).yearMonth,
            formats: formats,
            other: query.month == nil ? formats.daysTitle(query.days) : nil
        ) { month in
            var other = query
            other.month = month
            other.after = nil
            return Self.href(other, isSelecting: isSelecting)
        }
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
                isSelectable: isSelecting
            )
            if days.last?.date == transaction.date {
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

    /// The address of a list.
    /// - Parameter isSelecting: whether its rows can be selected.
    static func href(_ query: TransactionQuery, isSelecting: Bool = false) -> Link {
        Link.transactions.adding(query: items(query) + (isSelecting ? [(select, "on")] : []))
    }

    /// The filters in the address of a list.
    static func items(_ query: TransactionQuery) -> [(String, String)] {
        var items: [(String, String)] = []
        if query.month == nil, let days = query.days {
            items.append(("from", "\(days.lowerBound)"))
            // A list without a last day has all later days.
            if days.upperBound != .distantFuture { items.append(("to", "\(days.upperBound)")) }
        } else {
            items.append(("month", query.month.map { "\($0)" } ?? "all"))
        }
        if query.isOfDailyUse {
            items.append(("account", ofDailyUse))
        } else if let account = query.account {
            items.append(("account", "\(account)"))
        }
        if let category = query.category { items.append(("category", "\(category)")) }
        if let kind = TransactionForm.kindFilter(of: query) { items.append(("kind", kind)) }
        if let counts = query.counts { items.append(("counts", "\(counts)")) }
        if query.isAsCharged { items.append(("amounts", asCharged)) }
        if let payee = query.payee { items.append(payee.isEmpty ? withoutPayee : ("payee", payee)) }
        if let text = query.text, !text.isEmpty { items.append(("q", text)) }
        if let after = query.after { items.append(("after", "\(after)")) }
        return items
    }

    /// The name of the mode in which rows are selected.
    static let select = "select"

    /// The value of `account` in the address of a list of the accounts for daily use.
    static let ofDailyUse = "daily"

    /// The part of the address of a list without payees. An empty `payee` is a filter that was not filled in.
    static let withoutPayee = ("without", "payee")

    /// The value of `amounts` in the address of a list whose totals are as the accounts were charged.
    static let asCharged = "charged"

    static let keys = Keys<TransactionsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .model("months", of: MonthNavigation.self) { $0.months }
        .text("month") { $0.query.month.map { "\($0)" } ?? "all" }
        .text("from") { $0.isOfDays ? $0.query.days.map { "\($0.lowerBound)" } ?? "" : "" }
        .text("to") { page in
            guard page.isOfDays, let last = page.query.days?.upperBound, last != .distantFuture else {
                return ""
            }
            return "\(last)"
        }
        .optionalMessage("all_to_come") { $0.allToCome }
        .optional("payee") { $0.query.isWithoutPayee ? nil : $0.query.payee }
        .flag("without_payee") { $0.query.isWithoutPayee }
        .text("q") { $0.query.text ?? "" }
        .flag("filters_open") { $0.hasFilters }
        .model("kind_filter", of: Field.self) { page in
            let value = TransactionForm.kindFilter(of: page.query) ?? ""
            return Field(name: "kind", value: value, options: TransactionForm.kindFilters)
        }
        .optional("counts") { page in page.query.counts.map { "\($0)" } }
        .optionalMessage("counts_text") { page in
            switch page.query.counts {
            case .known(let code): Text("transactions.only-what-counts", ["currency": .string("\(code)")])
            case .leftOut(let code): Text("transactions.only-left-out", ["currency": .string("\(code)")])
            case nil: nil
            }
        }
        .optional("amounts") { $0.query.isAsCharged ? asCharged : nil }
        .optionalMessage("accounts_text") { page in
            page.query.isOfDailyUse ? Text("transactions.cash-bank-and-cards") : nil
        }
        .optionalMessage("category_text") { page in
            if case .alone(let id)? = page.query.category { page.catalog.nameAlone(id) } else { nil }
        }
        .model("account_filter", of: Field.self) { page in
            let value =
                page.query.isOfDailyUse ? ofDailyUse : page.query.account.map { "\($0)" } ?? ""
            return Field(name: "account", value: value, options: page.catalog.accountFilters)
        }
        .model("category_filter", of: Field.self) { page in
            let value = page.query.category.map { "\($0)" } ?? ""
            let options = page.catalog.categoryFilters(keeping: page.query.category)
            return Field(name: "category", value: value, options: options)
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
        .optionalLink("select_href") { page in
            page.isSelecting || page.days.isEmpty ? nil : href(page.query, isSelecting: true)
        }
        .text("list_back") { href($0.query, isSelecting: $0.isSelecting).text }
        .list("bulk", of: BulkBar.self) { page in page.isSelecting ? [BulkBar(page)] : [] }
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
            || isOfDays
    }

    /// Whether the list is one of days that are not a month.
    private var isOfDays: Bool { query.days != nil && query.month == nil }

    private var emptyText: Text {
        if chrome.cloud.isIncomplete { return Text("overview.not-all-is-here") }
        if bookIsEmpty { return Text("transactions.nothing-here-yet") }
        if isFiltered { return Text("transactions.nothing-matches") }
        return Text("transactions.nothing-was-written-down", ["month": .text(months.title)])
    }
}
