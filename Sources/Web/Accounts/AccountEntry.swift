// An account as it was typed: either it is valid, or it says field by field what is wrong.

import Book
import HTTPServer
import Ledger
import Pages

/// What the form of an account amounts to.
struct AccountEntry {
    private(set) var state: FormState
    private(set) var account: Account?

    init(_ context: RequestContext, id: EntityID) throws {
        let form = context.request.form
        let names = ["name", "type", "currency", "opening"]
        state = FormState(form, names)
        let name = state["name"].asLine
        if name.isEmpty { refuse("name", "Give the account a name.") }
        if !name.fits(TextLimit.name) { refuse("name", "Keep it to \(TextLimit.name) characters.") }
        let type = AccountType(rawValue: state["type"])
        if type == nil { refuse("type", "Choose what kind of account it is.") }
        let currency = CurrencyCode(state["currency"]).flatMap { context.site.tables.currencies[$0]?.code }
        if currency == nil { refuse("currency", "Choose a currency from the list.") }
        guard let type, let currency else { return }
        guard let opening = try readOpening(context, currency), !state.isRefused else { return }
        account = Account(id: id, name: name, type: type, currency: currency, openingMinor: opening)
    }

    mutating func refuse(_ field: String, _ error: String) {
        state.refuse(field, error)
        account = nil
    }

    /// Puts a refusal of the book beside the field that it is about.
    mutating func refuse(_ error: BookError) -> Bool {
        switch error {
        case .accountInUse:
            refuse("currency", "Transactions are on this account, so that its currency cannot change.")
        case .overflow: refuse("opening", "The balance would grow too large.")
        case .invalid(.name): refuse("name", "Keep it to \(TextLimit.name) characters.")
        default: return false
        }
        return true
    }

    private mutating func readOpening(_ context: RequestContext, _ currency: CurrencyCode) throws -> Int64? {
        guard !state["opening"].asLine.isEmpty else { return 0 }
        do {
            let money = try context.amounts().parse(state["opening"], expecting: currency).money
            if money.currency == currency { return money.minor }
            refuse("opening", "The account is kept in \(currency).")
        } catch let error as AmountError {
            refuse("opening", error.description)
        }
        return nil
    }
}
