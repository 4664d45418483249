// The addresses of lists of transactions: each filter is a field, as are the order and the position of the page.

import Ledger
import Links

extension TransactionsPage {
    /// The address of a list.
    /// - Parameter isSelecting: whether its rows can be selected.
    static func href(_ query: TransactionQuery, isSelecting: Bool = false) -> Link {
        Link.transactions.adding(query: items(query) + (isSelecting ? [(select, "on")] : []))
    }

    /// The filters in the address of a list.
    static func items(_ query: TransactionQuery) -> [(String, String)] {
        var items: [(String, String)] = []
        if let period = query.period {
            items.append(("days", period.rawValue))
        } else if query.month == nil, let days = query.days {
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
        if let amount = query.amount { items.append(("amount", "\(amount)")) }
        if !query.tags.isEmpty { items.append(("tag", query.tags.joined(separator: ","))) }
        if query.isWithReceipt { items.append(("receipt", "on")) }
        if query.isFromBank { items.append(("bank", "on")) }
        if let text = query.text, !text.isEmpty { items.append(("q", text)) }
        if query.sort != .newestFirst { items.append(("sort", "\(query.sort)")) }
        if let after = query.after { items.append(("after", "\(after)")) }
        return items
    }

    /// The name of the transaction that is edited in its row.
    static let edit = "edit"

    /// The fields of the address of a list.
    static let fields: Set<String> = [
        "q", "month", "shown", "days", "from", "to", "account", "category", "kind", "counts", "amounts",
        "payee", "without", "amount", "tag", "receipt", "bank", "sort", "after", select, view,
    ]

    /// The name of the mode in which rows are selected.
    static let select = "select"

    /// The name of the field with a saved view, whose filters are in place of those of the address.
    static let view = "view"

    /// The value of `account` in the address of a list of the accounts for daily use.
    static let ofDailyUse = "daily"

    /// The part of the address of a list without payees. An empty `payee` is a filter that was not filled in.
    static let withoutPayee = ("without", "payee")

    /// The value of `amounts` in the address of a list whose totals are as the accounts were charged.
    static let asCharged = "charged"

    /// The query under which a list is saved: its filters and its order. The present month moves on with the days.
    static func savedText(_ query: TransactionQuery, on today: CivilDate) -> String {
        var saved = query
        saved.after = nil
        if saved.month == today.yearMonth { saved.setPeriod(.thisMonth, on: today) }
        return String(href(saved).text.dropFirst(Link.transactions.text.count + 1))
    }

    /// The filters in an address without the order of the rows and the position of the page.
    static func itemsOfFilters(_ query: TransactionQuery) -> [(String, String)] {
        var filters = query
        (filters.sort, filters.after) = (.newestFirst, nil)
        return items(filters)
    }
}
