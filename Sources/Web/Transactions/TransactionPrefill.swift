// Fills in the form of a new transaction from its address: `/transactions/new?payee=Kiosk&amount=4.10`.

import Book
import Encoding
import HTTPServer
import Ledger
import Texts

/// The values that the query of an address gives to the form of a new transaction.
///
/// A known payee brings the kind, the account, the category and the amount of its last transaction, unless the address says
/// them. Accounts and categories are named by their ids or their names. A value that means nothing here has an error
/// beside its field, and stays there if the field can show it.
struct TransactionPrefill {
    /// The fields that a payee brings with it.
    static let fields = ["kind", "account", "to_account", "currency", "category", "note", "amount"]
    /// The fields that are the same in many transactions after each other. The others make a form that a draft must
    /// not replace.
    private static let lasting: Set = ["kind", "account", "date"]

    private(set) var state: FormState
    private let query: FormFields
    private let catalog: Catalog
    private let context: RequestContext

    /// - Parameter blank: the form without any of them.
    init(_ blank: FormState, _ query: FormFields, _ catalog: Catalog, _ context: RequestContext) throws {
        (state, self.query, self.catalog, self.context) = (blank, query, catalog, context)
        state.order = TransactionEntry.fields
        let named = (Self.fields + ["payee", "date", "tags"]).filter { value($0) != nil }
        state.isPrefilled = named.contains { !Self.lasting.contains($0) }
        let use = try value("payee").flatMap { try context.book().payeeUse(of: $0) }
        fillInKind(use)
        fillInAccounts(use)
        fillInCategory(use)
        try fillInAmount(use)
        if let note = use?.note, !note.isEmpty { state.values["note"] = note }
        for (field, limit) in [("payee", TextLimit.payee), ("note", TextLimit.note)] {
            guard let text = value(field) else { continue }
            state.values[field] = text
            if !text.fits(limit) {
                state.refuse(field, Text("forms.keep-it-to-limit", ["limit": .count(limit)]))
            }
        }
        state.values["tags"] = value("tags")
        if let date = value("date") {
            state.values["date"] = CivilDate(typed: date).map { "\($0)" } ?? date
            if CivilDate(typed: date) == nil { state.refuse("date", Text("transactions.enter-a-day")) }
        }
    }

    private func value(_ name: String) -> String? {
        query.first(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    private mutating func fillInKind(_ use: PayeeUse?) {
        if let kind = value("kind") {
            guard let known = TransactionKind(rawValue: kind) else {
                state.refuse("kind", Text("transactions.choose-a-kind"))
                return
            }
            state.values["kind"] = known.rawValue
        } else if let category = value("category").flatMap({ category($0) }) {
            state.values["kind"] = category.kind.rawValue
        } else if let use {
            state.values["kind"] = use.latest.kind.rawValue
        }
    }

    private mutating func fillInAccounts(_ use: PayeeUse?) {
        for (field, usual) in [("account", use?.latest.account), ("to_account", use?.latest.toAccount)] {
            if let name = value(field) {
                guard let account = account(name) else {
                    let text = Text("transactions.no-account-named", ["name": .string(name.isolated)])
                    state.refuse(field, text)
                    continue
                }
                state.values[field] = "\(account.id)"
                if account.isClosed { state.refuse(field, Text("transactions.account-is-closed")) }
            } else if let usual, catalog.isOpen(usual) {
                state.values[field] = "\(usual)"
            }
        }
        // Money does not go where it comes from.
        if value("to_account") == nil, state["to_account"] == state["account"] {
            let other = catalog.accounts.first { !$0.isClosed && "\($0.id)" != state["account"] }
            state.values["to_account"] = other.map { "\($0.id)" }
        }
        if let account = catalog.account(EntityID(state["account"])) {
            state.values["currency"] = account.currency.rawValue
        }
        guard let currency = value("currency") else { return }
        guard let code = CurrencyCode(currency), context.site.tables.currencies[code] != nil else {
            state.refuse("currency", Text("forms.choose-a-currency"))
            return
        }
        state.values["currency"] = code.rawValue
    }

    private mutating func fillInCategory(_ use: PayeeUse?) {
        let kind = TransactionKind(rawValue: state["kind"])
        guard let name = value("category") else {
            guard let usual = catalog.category(use?.category), kind != .transfer,
                kind != .expense || usual.kind == .expense
            else { return }
            state.values["category"] = "\(usual.id)"
            return
        }
        guard let category = category(name) else {
            state.refuse("category", Text("transactions.no-category-named", ["name": .string(name.isolated)]))
            return
        }
        if kind == .transfer {
            state.refuse("category", Text("transactions.a-transfer-has-no-category"))
        } else if kind == .expense, category.kind == .income {
            let text = Text("transactions.category-of-income", ["name": .string(category.name)])
            state.refuse("category", text)
        }
        state.values["category"] = "\(category.id)"
    }

    private mutating func fillInAmount(_ use: PayeeUse?) throws {
        guard let amount = value("amount") else {
            guard let money = use?.latest.amount else { return }
            state.values["amount"] = try context.formats().plain(money.minor, money.currency)
            if value("currency") == nil { state.values["currency"] = money.currency.rawValue }
            return
        }
        state.values["amount"] = amount
        guard let currency = CurrencyCode(state["currency"]) else { return }
        do {
            let money = try context.amounts().parse(amount, expecting: currency).money
            if money.minor <= 0 { state.refuse("amount", Text("amounts.above-zero")) }
        } catch let error as AmountError {
            state.refuse("amount", error.text)
        }
    }

    private func account(_ name: String) -> Account? {
        catalog.account(EntityID(name)) ?? catalog.accounts.first { $0.name.nameKey == name.nameKey }
    }

    /// A category by its id or its name, with that of its parent before it or not. Of two with one name it is the one of
    /// the kind.
    private func category(_ name: String) -> Ledger.Category? {
        if let category = catalog.category(EntityID(name)) { return category }
        let wanted = value("kind") == TransactionKind.income.rawValue ? CategoryKind.income : .expense
        let found = catalog.categories.filter { category in
            let parent = catalog.category(category.parent).map { "\($0.name) › " } ?? ""
            return [category.name, parent + category.name].contains { $0.nameKey == name.nameKey }
        }
        return found.first { $0.kind == wanted } ?? found.first
    }
}
