// Edits of what makes the daily use easier: the orders of lists, archived categories, stars, saved views, usual values of
// payees, and rules.
import Ledger
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

    /// Adds, changes, orders, applies or deletes a rule, which may name a category that is deleted later.
    private func editRule(_ device: SimulatedDevice, _ categories: [Ledger.Category]) throws {
        let book = device.book
        let rules = try book.rules()
        let effects = RuleEffects(category: pick(categories)?.id, tags: [tag(device, "by rule")])
        guard var rule = pick(rules), !chance(1, in: 3) else {
            let text = pick(["a", "er", "Baker"]) ?? "a"
            try book.add(
                Rule(
                    id: newID(),
                    name: tag(device, "rule \(steps)"),
                    conditions: [RuleCondition(.payee, .contains, .text(text))],
                    effects: effects
                )
            )
            return
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            try book.deleteRule(rule.id)
            if chance(1, in: 3) { try book.restoreRule(rule.id) }
        case 1: _ = try book.order(rules: moved(rules.map(\.id)))
        case 2: _ = try book.apply(rule)
        case 3:
            rule.isEnabled.toggle()
            try book.change(rule: rule)
        default:
            rule.name = tag(device, "rule \(steps)")
            rule.effects = effects
            try book.change(rule: rule)
        }
    }
}
