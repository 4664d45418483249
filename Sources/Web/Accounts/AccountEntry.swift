// An account as it was typed: either it is valid, or it says field by field what is wrong.

import Book
import HTTPServer
import Ledger
import Links
import Pages

/// The parsed form of an account.
struct AccountEntry: EntityEntry {
    var state: FormState
    var value: Account?

    static let entityName = "Account"
    static let fields = ["name", "type", "currency", "opening"]
    static let deleteLink = Link.accountDelete
    static let restoreLink = Link.accountRestore

    init(_ state: FormState, id: EntityID, _ context: RequestContext) throws {
        self.state = state
        let name = state["name"].asLine
        if name.isEmpty { refuse("name", "Give the account a name.") }
        if !name.fits(TextLimit.name) { refuse("name", "Keep it to \(TextLimit.name) characters.") }
        let type = AccountType(rawValue: state["type"])
        if type == nil { refuse("type", "Choose what kind of account it is.") }
        let currency = CurrencyCode(state["currency"]).flatMap { context.site.tables.currencies[$0]?.code }
        if currency == nil { refuse("currency", "Choose a currency from the list.") }
        guard let type, let currency else { return }
        guard let opening = try readOpening(context, currency), !self.state.isRefused else { return }
        value = Account(id: id, name: name, type: type, currency: currency, openingMinor: opening)
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

extension AccountEntry {
    static func stored(_ id: EntityID, _ book: Book) throws(BookError) -> Account? {
        try book.account(id)?.account
    }

    static func state(of value: Account, _ context: RequestContext) throws -> FormState {
        AccountForm.values(of: value, formats: try context.formats())
    }

    static func refusal(_ error: BookError) -> (field: String, text: String)? {
        switch error {
        case .accountInUse:
            ("currency", "Transactions are on this account, so that its currency cannot change.")
        case .overflow: ("opening", "The balance would grow too large.")
        case .invalid(.name): ("name", "Keep it to \(TextLimit.name) characters.")
        default: nil
        }
    }

    static func namesake(of value: Account, shown version: EntityVersion?, _ book: Book) throws(BookError)
        -> String?
    { try book.namesake(of: value, shown: version)?.name }

    static func add(_ value: Account, to book: Book) throws(BookError) { try book.add(value) }

    static func added(_ value: Account, _ context: RequestContext) -> Response {
        context.redirect(to: context.list(of: value.id, or: list(around: value)))
    }

    static func delete(_ id: EntityID, _ book: Book) throws(BookError) -> Bool {
        try book.deleteAccount(id)
        return true
    }

    static func obstacle(_ error: BookError) -> String? {
        guard case .accountInUse(let count) = error else { return nil }
        let what = count == 1 ? "1 transaction is" : "\(count) transactions are"
        return "\(what) on this account. Move or delete them first."
    }

    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID {
        try book.restoreAccount(id)
    }

    static let lostFor = "It cannot come back: it does not fit into the book any more."

    static func list(around value: Account?) -> Link { .accounts }
}
