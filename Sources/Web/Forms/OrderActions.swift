// Orders of lists: of accounts, of categories, and of rules.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

extension Link {
    static let accountsOrder = Link(declared: "/accounts/order")
    static let categoriesOrder = Link(declared: "/categories/order")
}

extension Feature {
    static let order = Feature(
        routes: [OrderedList.accounts, .categories].flatMap { list in
            [get(list.page) { try list.show($0) }, post(list.page) { try list.save($0) }]
        },
        pages: [OrderPage.self],
        links: ["accounts_order": .accountsOrder, "categories_order": .categoriesOrder]
    )
}

/// A list that the user can order.
enum OrderedList {
    case accounts
    case categories
    /// The list of rules has the buttons that move them in its rows.
    case rules

    /// The address to which an order is sent. Of accounts and categories, it also shows the rows.
    var page: Link {
        switch self {
        case .accounts: .accountsOrder
        case .categories: .categoriesOrder
        case .rules: .rulesOrder
        }
    }

    private var list: Link {
        switch self {
        case .accounts: .accounts
        case .categories: .categories
        case .rules: .rules
        }
    }

    /// `GET /accounts/order` and `/categories/order`: the rows, each with buttons to move it.
    fileprivate func show(_ context: RequestContext) throws -> Response {
        context.page(
            OrderPage(
                chrome: context.chrome().on(self == .accounts ? .accounts : .categories),
                title: self == .accounts ? Text("accounts.order-title") : Text("categories.order-title"),
                groups: try groups(context),
                action: page,
                list: list
            )
        )
    }

    /// `POST` to an order: gives the list the order of the fields `id`, of which `up` or `down` names one that goes before or
    /// after its neighbour. Ids of rows that are gone count for nothing, and a row that is not named stays behind the one that
    /// it followed.
    func save(_ context: RequestContext) throws -> Response {
        let form = context.request.form
        var ids = try form.all("id").map { text in
            guard let id = EntityID(text) else { throw Refusal.malformed }
            return id
        }
        let rows = try groups(context).flatMap(\.rows)
        let moved = form.first("up") ?? form.first("down")
        guard moved != nil || !ids.isEmpty else { throw Refusal.malformed }
        if ids.isEmpty { ids = rows.map(\.id) }
        if let moved {
            guard let id = EntityID(moved) else { throw Refusal.malformed }
            ids.move(id, isUp: form.first("up") != nil, among: rows)
        }
        let count = try order(ids, context.book())
        if let moved {
            return context.redirect(to: (self == .rules ? list : page).adding(fragment: "t\(moved)"))
        }
        let text = count == 0 ? Text("forms.nothing-was-changed") : Text("forms.order-saved")
        try context.knownDevice().show(Device.Toast(key: "order-saved", text: text, undo: nil))
        return context.redirect(to: list)
    }

    /// - Returns: the number of rows with another place.
    private func order(_ ids: [EntityID], _ book: Book) throws(BookError) -> Int {
        switch self {
        case .accounts: try book.order(accounts: ids)
        case .categories: try book.order(categories: ids)
        case .rules: try book.order(rules: ids)
        }
    }

    private func groups(_ context: RequestContext) throws -> [OrderGroup] {
        switch self {
        case .accounts:
            let rows = try context.catalog().accounts.filter { !$0.isClosed }.map {
                OrderRow(id: $0.id, name: $0.name, parent: nil)
            }
            return [OrderGroup(label: nil, rows: rows.marked)]
        case .categories:
            let catalog = try context.catalog()
            return [(CategoryKind.expense, Text("overview.spending")), (.income, Text("overview.income"))].map
            {
                kind,
                label in
                let rows = catalog.ordered(kind).filter { !catalog.isArchived($0) }.map { category in
                    OrderRow(
                        id: category.id,
                        name: category.name,
                        parent: catalog.category(category.parent)?.id
                    )
                }
                return OrderGroup(label: label, rows: rows.marked)
            }
        case .rules:
            let rows = try context.book().rules().map { OrderRow(id: $0.id, name: $0.name, parent: nil) }
            return [OrderGroup(label: nil, rows: rows)]
        }
    }
}

extension [EntityID] {
    /// Exchanges an id with the one before or after it among those with the same parent.
    fileprivate mutating func move(_ id: EntityID, isUp: Bool, among rows: [OrderRow]) {
        guard let row = rows.first(where: { $0.id == id }) else { return }
        let siblings = Set(rows.filter { $0.parent == row.parent }.map(\.id))
        let places = indices.filter { siblings.contains(self[$0]) }
        guard let place = places.firstIndex(where: { self[$0] == id }) else { return }
        let other = isUp ? place - 1 : place + 1
        guard places.indices.contains(other) else { return }
        swapAt(places[place], places[other])
    }
}
