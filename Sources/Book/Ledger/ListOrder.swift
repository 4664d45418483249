// The orders that the user has given to lists.
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// Puts accounts into an order. Ids that are not of live accounts, and repeated ones, are left out; an account that is
    /// not named stays behind the one that it followed.
    ///
    /// An order is not in the history. If two devices order a list at once, each row has the place that was given to it
    /// last, on all devices.
    /// - Returns: the number of accounts with another place.
    @discardableResult
    public func order(accounts ids: [EntityID]) throws(BookError) -> Int {
        try changeAsUser { db in
            try db.order(ids, Account.entityKind, db.accounts().map { ($0.id, $0.position) })
        }
    }

    /// Puts categories into an order, as accounts: each among those of its kind with the same parent.
    /// - Returns: the number of categories with another place.
    @discardableResult
    public func order(categories ids: [EntityID]) throws(BookError) -> Int {
        try changeAsUser { db in
            struct Group: Hashable {
                let kind: CategoryKind
                let parent: EntityID?
            }
            return try Dictionary(grouping: db.categories()) { Group(kind: $0.kind, parent: $0.parent) }
                .values.reduce(0) { count, siblings in
                    try count
                        + db.order(ids, Category.entityKind, siblings.map { ($0.id, $0.position) })
                }
        }
    }
}

extension BookDatabase {
    /// Puts the rows of a list into an order, by their field `position`.
    /// - Parameters:
    ///   - ids: may name rows of other lists, and need not name all.
    ///   - present: the live rows of the list with their positions, in their present order.
    /// - Returns: the number of rows with another position.
    func order(_ ids: [EntityID], _ kind: String, _ present: [(id: EntityID, position: String?)]) throws
        -> Int
    {
        let places = Dictionary(uniqueKeysWithValues: present.enumerated().map { ($0.element.id, $0.offset) })
        var seen: Set<EntityID> = []
        var order = ids.filter { places[$0] != nil && seen.insert($0).inserted }
        guard order != present.map(\.id).filter(seen.contains) else { return 0 }
        for (place, row) in present.enumerated() where !seen.contains(row.id) {
            let before = place == 0 ? nil : order.firstIndex(of: present[place - 1].id)
            order.insert(row.id, at: before.map { $0 + 1 } ?? 0)
        }
        let changes = FractionalIndex.changes(
            to: order.map { id in
                let place = places[id] ?? 0
                return FractionalIndex.Element(key: present[place].position, rank: place)
            }
        )
        for (index, key) in changes.sorted(by: { $0.key < $1.key }) {
            try patch(["position": .text(key)], kind, order[index])
        }
        return changes.count
    }
}
