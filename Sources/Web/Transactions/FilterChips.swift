// The filters of a list of transactions that are on, each with the way to the list without it.

import Ledger
import Links
import Templates
import Texts

/// The filters of a list as its address has them, and sentences about them.
struct ListFilters: Sendable {
    var query = TransactionQuery()
    /// The text of an amount that is no filter, and the error beside it.
    var refusedAmount: RefusedAmount?
    /// Sentences about words and names that were not understood.
    var notes: [Text] = []
    /// The saved view that the address names.
    var view: SavedView?

    struct RefusedAmount: Sendable {
        let typed: String
        let error: Text
    }
}

/// A filter that is on. Following it removes the filter.
struct FilterChip: TemplateModel {
    /// The name of the filter's field.
    let name: String
    let label: Text
    let href: Link

    static let keys = Keys<FilterChip>()
        .text("name") { $0.name }
        .message("label") { $0.label }
        .link("href") { $0.href }

    /// The chips of a list, in the order of its form.
    /// - Parameters:
    ///   - sign: the decimal sign of the user's locale.
    ///   - link: the address of the list with other filters.
    static func all(
        of query: TransactionQuery,
        sign: Character,
        catalog: Catalog,
        formats: Formats,
        link: (TransactionQuery) -> Link
    ) -> [FilterChip] {
        var chips: [FilterChip] = []
        func add(_ name: String, _ label: Text, without change: (inout TransactionQuery) -> Void) {
            var rest = query
            change(&rest)
            rest.after = nil
            chips.append(FilterChip(name: name, label: label, href: link(rest)))
        }
        if query.days != nil, query.month == nil || query.period != nil {
            add("days", formats.daysTitle(query.days)) { $0.days = nil }
        }
        if let amount = query.amount {
            // From left to right also between words of the other direction.
            let word = "\u{2066}\(amount.word(decimalSign: sign))\u{2069}"
            add("amount", .verbatim(word)) { $0.amount = nil }
        }
        if let kind = TransactionForm.kindFilter(of: query),
            let label = TransactionForm.kindFilters.first(where: { $0.value == kind })?.label
        {
            add("kind", label) { ($0.kind, $0.isSpending) = (nil, false) }
        }
        if query.isOfDailyUse {
            add("account", Text("transactions.cash-bank-and-cards")) { $0.isOfDailyUse = false }
        } else if let account = query.account {
            add("account", catalog.accountName(account)) { $0.account = nil }
        }
        if let category = query.category {
            let label =
                switch category {
                case .uncategorized: Catalog.noCategory
                case .family(let id): catalog.categoryName(id)
                case .alone(let id): catalog.nameAlone(id)
                }
            add("category", label) { $0.category = nil }
        }
        if let payee = query.payee {
            add("payee", payee.isEmpty ? Text("filters.without-payee") : .verbatim(payee)) { $0.payee = nil }
        }
        for (place, tag) in query.tags.enumerated() {
            add("tag", Text("filters.tag", ["tag": .string(tag)])) { $0.tags.remove(at: place) }
        }
        if query.isWithReceipt { add("receipt", Text("filters.with-receipt")) { $0.isWithReceipt = false } }
        if query.isFromBank { add("bank", Text("filters.from-a-bank")) { $0.isFromBank = false } }
        if query.sort != .newestFirst, let label = SortChoices.label(of: query.sort) {
            add("sort", label) { $0.sort = .newestFirst }
        }
        return chips
    }
}

/// Amounts of a filter as the user types them.
struct AmountExamples {
    let sign: Character

    var range: String { "10..20" }

    /// The words within the empty field.
    var inField: Text {
        Text("filters.amount-examples", ["example": example, "more": more, "range": .string(range)])
    }

    /// The error beside what is no amount.
    var enterAnAmount: Text {
        Text(
            "filters.enter-an-amount",
            ["example": example, "more": more, "less": .string("<5"), "range": .string(range)]
        )
    }

    /// The error beside a range in which nothing lies.
    var nothingLiesBetween: Text { Text("filters.nothing-lies-between", ["range": .string(range)]) }

    private var example: Text.Argument { .string("12\(sign)50") }
    private var more: Text.Argument { .string(">100") }
}

/// The orders that a list offers.
enum SortChoices {
    static let all: [Choice] = [
        Choice("", Text("filters.newest-first")),
        Choice("date", Text("filters.oldest-first")),
        Choice("-amount", Text("filters.largest-first")),
        Choice("amount", Text("filters.smallest-first")),
        Choice("payee", Text("filters.payees-from-a")),
        Choice("-payee", Text("filters.payees-from-z")),
    ]

    static func value(of sort: TransactionSort) -> String { sort == .newestFirst ? "" : "\(sort)" }

    static func label(of sort: TransactionSort) -> Text? { all.first { $0.value == value(of: sort) }?.label }
}

/// A sentence above a list.
struct ListNote: TemplateModel {
    let text: Text

    static let keys = Keys<ListNote>().message("text") { $0.text }
}

/// The number of the transactions of a list and what they come to: income less spending up to today, and to come.
struct ListSum: TemplateModel {
    let count: Int
    let sums: [SumLine]
    let view: String?
    let selectHref: Link?

    /// - Parameters:
    ///   - result: what the query finds.
    ///   - view: the name of the saved view that the list is.
    ///   - selectHref: the list with rows that can be selected.
    init(
        _ result: TransactionPage,
        of query: TransactionQuery,
        view: String?,
        selectHref: Link?,
        formats: Formats
    ) {
        (self.view, self.selectHref) = (view, selectHref)
        count = (result.totals + result.toCome).reduce(0) { $0 + $1.count }
        func net(_ total: CurrencyTotal?) -> Int128 { total.map { $0.incomeMinor - $0.expenseMinor } ?? 0 }
        func line(_ currency: CurrencyCode, _ minor: Int128, _ later: Int128, isConverted: Bool = false)
            -> SumLine
        {
            SumLine(
                MoneySum(minor: minor, currency: currency),
                formats: formats,
                isConverted: isConverted,
                toCome: ToComeLine(
                    MoneySum(minor: later, currency: currency),
                    isConverted: isConverted,
                    of: query,
                    formats
                )
            )
        }
        if formats.conversion != nil {
            let (sum, later) = (formats.together(result.totals), formats.together(result.toCome))
            let isConverted = sum.isConverted || later.isConverted
            let leftOut = Set((sum.leftOut + later.leftOut).map(\.currency)).sorted()
            sums =
                [line(formats.base, net(sum.total), net(later.total), isConverted: isConverted)]
                + leftOut.map { currency in
                    line(
                        currency,
                        net(sum.leftOut.first { $0.currency == currency }),
                        net(later.leftOut.first { $0.currency == currency })
                    )
                }
        } else {
            let currencies = Set((result.totals + result.toCome).filter(\.hasAmounts).map(\.currency))
            sums = currencies.sorted().map { currency in
                line(
                    currency,
                    net(result.totals.first { $0.currency == currency }),
                    net(result.toCome.first { $0.currency == currency })
                )
            }
        }
    }

    static let keys = Keys<ListSum>()
        .text("count") { "\($0.count)" }
        .message("count_text") { .transactions($0.count) }
        .list("sums", of: SumLine.self) { $0.sums }
        .optional("view") { $0.view }
        .optionalLink("select_href") { $0.selectHref }
}

/// A saved view among the others.
struct ViewLink: TemplateModel {
    let view: SavedView

    static let keys = Keys<ViewLink>()
        .text("name") { $0.view.name }
        .link("href") { TransactionsPage.href(of: $0.view) }
}
