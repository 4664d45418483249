// The pages on which lists get an order.

import Ledger
import Links
import Texts

enum OrderStories {
    static let all: [Story] = [
        Story("order-accounts", .accounts, "Accounts with long names, and names from right to left") {
            let sample = $0.of(.longLived)
            let rows = sample.catalog.accounts.map { OrderRow(id: $0.id, name: $0.name, parent: nil) }
            return OrderPage(
                chrome: sample.chrome.on(.accounts),
                title: Text("accounts.order-title"),
                groups: [OrderGroup(label: nil, rows: rows.marked)],
                action: .accountsOrder,
                list: .accounts
            )
        },
        Story("order-categories", .categories, "Categories, each of which goes up or down among its siblings")
        {
            let rows = $0.catalog.ordered(.expense).map { category in
                OrderRow(id: category.id, name: category.name, parent: category.parent)
            }
            return OrderPage(
                chrome: $0.chrome.on(.categories),
                title: Text("categories.order-title"),
                groups: [OrderGroup(label: Text("overview.spending"), rows: rows.marked)],
                action: .categoriesOrder,
                list: .categories
            )
        },
    ]
}
