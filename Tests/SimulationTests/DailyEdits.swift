// Edits of what makes the daily use easier: the orders of lists, archived categories, stars, saved views, usual values of
// payees, and rules.
import Ledger
import SyncCore
import TestKit

@testable import Book

extension World {
    /// Orders a list, archives a category, stars a transaction, or changes a row of one of the kinds without figures.
    func editDaily(
        _ device: SimulatedDevice,
        _ accounts: [Account],
        _ categories: [Ledger.Category]
    ) throws {
        let book = device.book
        switch Int.random(in: 0..<8, using: &random) {
        case 0: _ = try book.order(accounts: moved(accounts.map(\.id)))
        case 1: _ = try book.order(categories: moved(categories.map(\.id)))
        case 2:
            guard var category = pick(categories) else { return }
            category.isArchived.toggle()
            try book.change(category)
        case 3, 4:
            guard var transaction = try pickTransaction(device) else { return }
            transaction.isStarred.toggle()
            try book.change(transaction)
        case 5: try editView(device)
        case 6:
            try book.set(
                PayeeDefault(
                    id: newID(),
                    name: pick(["Baker", "BAKER", "Dairy"]) ?? "",
                    category: chance(1, in: 2) ? pick(categories)?.id : nil,
                    note: chance(1, in: 3) ? "" : tag(device, "usual")
                )
            )
        default: try editRule(device, categories)
        }
    }

    /// The ids with one of them elsewhere.
    private func moved(_ ids: [EntityID]) -> [EntityID] {
        var ids = ids
        guard let id = pick(ids) else { return ids }
        ids.removeAll { $0 == id }
        ids.insert(id, at: Int.random(in: 0...ids.count, using: &random))
        return ids
    }

    private func editView(_ device: SimulatedDevice) throws {
        let book = device.book
        let name = tag(device, "view \(steps)")
        guard var view = pick(try book.savedViews()), !chance(1, in: 4) else {
            try book.add(SavedView(id: newID(), name: name, query: "kind=expense"))
            return
        }
        if chance(1, in: 3) {
            try book.deleteView(view.id)
            if chance(1, in: 3) { try book.restoreView(view.id) }
        } else {
            view.name = name
            try book.change(view)
        }
    }

    /// Adds, changes or deletes the row of a rule, which may name a category that is deleted later.
    private func editRule(_ device: SimulatedDevice, _ categories: [Ledger.Category]) throws {
        let name = tag(device, "rule \(steps)")
        let effects = #"[{"field":"category","value":"\#(pick(categories)?.id.description ?? "")"}]"#
        let isOld = !chance(1, in: 3)
        let (new, isDeletion) = (newID(), chance(1, in: 3))
        try device.book.changeAsUser { db in
            let kind = SyncedEntity.rule.kind
            let live = try db.all("SELECT id FROM rules WHERE deleted_at IS NULL ORDER BY id") {
                try $0.id(0)
            }
            guard isOld, let rule = live.last else {
                try db.change(
                    """
                    INSERT INTO rules (id, name, enabled, match_mode, conditions, effects)
                    VALUES (?, ?, 1, 'all', '[]', ?)
                    """,
                    [new.column, name, effects]
                )
                return
            }
            if isDeletion {
                try db.change("UPDATE rules SET deleted_at = 1 WHERE id = ?", [rule.column])
            } else {
                try db.patch(["name": .text(name), "effects": .text(effects)], kind, rule)
            }
        }
    }
}
