// The values of the search and the filters above a list of transactions.

import Ledger
import Links
import Templates
import Texts

/// A page with a list of transactions that can be searched and filtered.
protocol FilteredList: TemplateModel {
    var filters: ListFilters { get }
    var chips: [FilterChip] { get }
    var catalog: Catalog { get }
}

extension FilteredList {
    var query: TransactionQuery { filters.query }

    /// Whether the list is one of days that are not a month.
    var isOfDays: Bool { query.days != nil && query.month == nil }

    /// The day of a field; empty for days that a month or a name stands for.
    fileprivate func day(_ end: KeyPath<ClosedRange<CivilDate>, CivilDate>, without far: CivilDate) -> String
    {
        guard isOfDays, query.period == nil, let day = query.days?[keyPath: end], day != far else {
            return ""
        }
        return "\(day)"
    }
}

extension Keys where Model: FilteredList {
    /// The values of every list that can be filtered.
    static func filters() -> Keys<Model> {
        Keys()
            .text("month") { $0.query.month.map { "\($0)" } ?? "all" }
            .text("from") { $0.day(\.lowerBound, without: .distantPast) }
            .text("to") { $0.day(\.upperBound, without: .distantFuture) }
            .optional("period") { $0.query.period?.rawValue }
            .text("q") { $0.query.text ?? "" }
            .text("payee_filter") { $0.query.payee ?? "" }
            .flag("without_payee") { $0.query.isWithoutPayee }
            .text("tag_filter") { $0.query.tags.joined(separator: ", ") }
            .model("amount_filter", of: Field.self) { page in
                let refused = page.filters.refusedAmount
                return Field(
                    name: "amount",
                    id: "f-amount",
                    value: refused?.typed ?? page.query.amount?.typed(decimalSign: page.query.decimalSign)
                        ?? "",
                    error: refused?.error,
                    isFirstError: refused != nil
                )
            }
            .message("amount_examples") { AmountExamples(sign: $0.query.decimalSign).inField }
            .flag("filters_open") { $0.filters.refusedAmount != nil }
            .model("kind_filter", of: Field.self) { page in
                let value = TransactionForm.kindFilter(of: page.query) ?? ""
                return Field(name: "kind", value: value, options: TransactionForm.kindFilters)
            }
            .model("category_filter", of: Field.self) { page in
                let value = page.query.category.map { "\($0)" } ?? ""
                let options = page.catalog.categoryFilters(keeping: page.query.category)
                return Field(name: "category", value: value, options: options)
            }
            .optional("counts") { page in page.query.counts.map { "\($0)" } }
            .optional("amounts") { $0.query.isAsCharged ? TransactionsPage.asCharged : nil }
            .flag("with_receipt") { $0.query.isWithReceipt }
            .flag("from_bank") { $0.query.isFromBank }
            .flag("has_chips") { !$0.chips.isEmpty }
            .list("chips", of: FilterChip.self) { $0.chips }
            .list("notes", of: ListNote.self) { $0.filters.notes.map(ListNote.init) }
    }
}

extension MonthNavigation {
    /// The months beside those of a list. A list of other days is named by them, and has the month of the last one that has
    /// come.
    init(of query: TransactionQuery, formats: Formats, href: (TransactionQuery) -> Link) {
        let last = query.days.map { min($0.upperBound, max($0.lowerBound, formats.today)) }
        self.init(
            month: query.month ?? (last ?? formats.today).yearMonth,
            formats: formats,
            other: query.month == nil ? formats.daysTitle(query.days) : nil
        ) { month in
            var other = query
            other.month = month
            other.after = nil
            return href(other)
        }
    }
}
