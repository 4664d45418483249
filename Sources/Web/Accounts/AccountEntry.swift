// Parses the form of an account into a valid value, or into errors by field.

import Book
import Ledger
import Links
import Texts

/// The parsed form of an account.
struct AccountEntry: EntityEntry {
    var state: FormState
    var value: Account?

    static let texts = EntityTexts(
        added: Text("accounts.added"),
        changed: Text("accounts.changed"),
        deleted: Text("accounts.deleted"),
        restored: Text("accounts.restored"),
        lost: Text("accounts.cannot-come-back"),
        gone: Text("accounts.was-deleted"),
        deletedMeanwhile: { Text("accounts.deleted-meanwhile", ["place": $0]) }
    )
    static let fields = ["name", "type", "currency", "opening", "owed", "opening_day", "closed"]
    static let ticks: Set = ["owed"]
    static let pageLink = Link.account
    static let deleteLink = Link.accountDelete
    static let restoreLink = Link.accountRestore

    init(_ state: FormState, id: EntityID, _ context: RequestContext) throws {
        self.state = state
        let name = state["name"].asLine
        if name.isEmpty { refuse("name", Text("accounts.give-it-a-name")) }
        if !name.fits(TextLimit.name) {
            refuse("name", Text("forms.keep-it-to-limit", ["limit": .count(TextLimit.name)]))
        }
        let type = AccountType(rawValue: state["type"])
        if type == nil { refuse("type", Text("accounts.choose-its-kind")) }
        // An account may have a currency from before it was withdrawn.
        let stored = try context.catalog().account(id)
        let currency = CurrencyCode(state["currency"]).flatMap { code in
            context.site.tables.currencies[code] != nil || code == stored?.currency ? code : nil
        }
        if currency == nil { refuse("currency", Text("forms.choose-a-currency")) }
        let day = readDay(try context.formats().today, stored: stored, context)
        guard let type, let currency else { return }
        guard let opening = try readOpening(context, currency), !self.state.isRefused else { return }
        value = Account(
            id: id,
            name: name,
            type: type,
            currency: currency,
            openingMinor: opening,
            openingDay: day,
            isClosed: state["closed"] == "1",
            bank: stored?.bank ?? AccountBank(),
            position: stored?.position
        )
    }

    /// The day of the opening balance; nil for none, and after an error.
    private mutating func readDay(_ today: CivilDate, stored: Account?, _ context: RequestContext)
        -> CivilDate?
    {
        let text = state["opening_day"].asLine
        guard !text.isEmpty else { return nil }
        guard let day = CivilDate(typed: text) else {
            refuse("opening_day", Text("accounts.enter-the-day"))
            return nil
        }
        if day > today, day != stored?.openingDay {
            refuse("opening_day", Text("accounts.opening-is-not-to-come"))
        } else if day != stored?.openingDay, day.isUnusual(on: today) {
            ask(aboutYear: day.components.year, of: "opening_day", context)
        }
        // The day was only suggested: without an amount, transactions of earlier days are in no balance.
        if stored == nil, day == today, state["opening"].asLine.isEmpty { return nil }
        return day
    }

    private mutating func readOpening(_ context: RequestContext, _ currency: CurrencyCode) throws -> Int64? {
        if !["", "on"].contains(state["owed"]) { refuse("owed", Text("forms.tick-it-or-leave-it")) }
        guard !state["opening"].asLine.isEmpty else { return 0 }
        do {
            let money = try context.amounts().parse(state["opening"], expecting: currency).money
            if money.currency == currency {
                // A debt may be typed with its minus too.
                return state["owed"] == "on" && money.minor > 0 ? -money.minor : money.minor
            }
            refuse("opening", Text("forms.the-account-is-kept-in", ["currency": "\(currency)"]))
        } catch let error as AmountError {
            refuse("opening", error.text)
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

    static func refusal(_ error: BookError) -> (field: String, text: Text)? {
        switch error {
        case .accountInUse:
            ("currency", Text("accounts.its-currency-cannot-change"))
        case .accountScheduled:
            ("currency", Text("accounts.its-schedules-need-its-currency"))
        case .overflow: ("opening", Text("accounts.balance-too-large"))
        case .invalid(.name): ("name", Text("forms.keep-it-to-limit", ["limit": .count(TextLimit.name)]))
        default: nil
        }
    }

    static func nameQuestion(about value: Account, shown version: EntityVersion?, _ book: Book)
        throws(BookError) -> Text?
    {
        guard let namesake = try book.namesake(of: value, shown: version) else { return nil }
        return Text("accounts.name-in-use", ["name": .string(namesake.name)])
    }

    static func add(_ value: Account, to book: Book) throws(BookError) { try book.add(value) }

    static func delete(_ id: EntityID, _ book: Book, _ form: DeletionForm) throws(BookError) -> Link? {
        try book.deleteAccount(id)
        return restoreLink(id)
    }

    static func obstacle(_ error: BookError, to id: EntityID, _ book: Book) -> Obstacle? {
        switch error {
        case .accountInUse(let count):
            Obstacle(
                text: Text("accounts.transactions-are-on-it", ["count": .count(count)]),
                way: Way(Link.accountTransactions(id), Text("accounts.its-transactions"))
            )
        case .accountScheduled(let count):
            Obstacle(
                text: Text("accounts.schedules-use-it", ["count": .count(count)]),
                way: Way(.schedules, Text("schedules.schedules"))
            )
        default: nil
        }
    }

    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID {
        try book.restoreAccount(id)
    }

    static func list(around value: Account?) -> Link { .accounts }
}
