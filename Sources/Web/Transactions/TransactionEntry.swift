// Parses the form of a transaction into a valid value, or into errors by field.

import Book
import HTTPServer
import Ledger
import Links
import Texts

/// The parsed form of a transaction.
struct TransactionEntry: EntityEntry {
    var state: FormState
    var value: Transaction?

    private let catalog: Catalog
    private let currencies: CurrencyTable
    private let amounts: AmountParser
    /// With the rates, if there are any, that estimate the amount at the other end.
    private let formats: Formats
    /// The transaction that the form corrects; nil for a new one.
    private let stored: Transaction?
    private let book: Book
    /// The two amounts that the form had in answer to an earlier question.
    private let offered: AmountPair?
    /// The accounts whose opening balances contain the transaction.
    private(set) var openings: Set<EntityID> = []

    static let texts = EntityTexts(
        added: Text("transactions.added"),
        changed: Text("transactions.changed"),
        deleted: Text("transactions.deleted"),
        restored: Text("transactions.restored"),
        lost: Text("transactions.cannot-come-back"),
        gone: Text("transactions.was-deleted"),
        safe: Text("errors.receipts-come-back-with-it"),
        deletedMeanwhile: { Text("transactions.deleted-meanwhile", ["place": $0]) }
    )
    static let pageLink = Link.transaction
    static let deleteLink = Link.transactionDelete
    static let restoreLink = Link.transactionRestore

    static let fields =
        [
            "kind", "amount", "currency", "account", "date", OpeningQuestion.fieldName, "to_account",
            "to_amount",
            "category", "payee", "split",
        ] + Transaction.extras.map(\.name)
    static let lists = SplitEntry.lists

    init(_ state: FormState, id: EntityID, _ context: RequestContext) throws {
        try self.init(state, id: id, stored: context.book().transaction(id), context)
        askAboutOpenings()
    }

    /// - Parameter stored: the transaction that the form corrects; nil for a new one.
    init(_ state: FormState, id: EntityID, stored: Transaction?, _ context: RequestContext) throws {
        self.state = state
        self.stored = stored
        catalog = try context.catalog()
        currencies = context.site.tables.currencies
        amounts = try context.amounts()
        formats = try context.formats()
        book = try context.book()
        offered = context.request.form.first(AmountPair.fieldName).flatMap { AmountPair(fieldValue: $0) }
        if let offered { confirm(offered) }
        value = read(id, context)
    }

    private mutating func read(_ id: EntityID, _ context: RequestContext) -> Transaction? {
        let kind = readKind()
        let date = readDate(context)
        let account = readAccount("account", Text("transactions.choose-an-account"))
        let amount = account.flatMap { readAmount(defaultCurrency: $0.currency) }
        if kind == .transfer { refuseCategories() }
        let chosen = kind == .transfer ? nil : readCategory(kind)
        let split = kind == .transfer ? nil : readSplit(kind, amount, rest: chosen)
        let category = readWhole(chosen, beside: split)
        let payee = state.readLine("payee", TextLimit.payee)
        let extras = Transaction.extras.map { $0.read(&state) }
        guard let kind, let date, let account, let amount else { return nil }
        var transaction = Transaction(
            id: id,
            kind: kind,
            date: date,
            amount: amount,
            account: account.id,
            accountMinor: amount.minor,
            category: category,
            payee: payee,
            split: split,
            bankTransaction: stored?.bankTransaction,
            occurrence: stored?.occurrence,
            isStarred: stored?.isStarred ?? false,
            rule: stored?.rule
        )
        for store in extras { store(&transaction) }
        switch kind {
        case .transfer:
            guard let arrival = readArrival(from: account, amount) else { return nil }
            transaction.toAccount = arrival.account
            transaction.toMinor = arrival.minor
        case .expense, .income:
            // An account that the money goes to is ignored: its list is hidden, begins with an account, and has no empty
            // choice, so that browsers send one with every expense.
            guard amount.currency != account.currency else {
                refuseOther(than: amount)
                break
            }
            let currency: Text.Argument = "\(account.currency)"
            let question =
                kind == .expense
                ? Text("transactions.what-was-charged", ["currency": currency])
                : Text("transactions.what-was-received", ["currency": currency])
            guard let minor = readOther(account.currency, question, amount, kind) else { return nil }
            transaction.accountMinor = minor
        }
        return state.isRefused ? nil : transaction
    }

    /// Asks whether opening balances of later days contain the transaction, unless the user has said it.
    private mutating func askAboutOpenings() {
        let name = OpeningQuestion.fieldName
        guard let value else {
            // The answer stays beside the errors of other fields.
            state.choices[name] = OpeningQuestion(answer: state[name], catalog)?.choices
            return
        }
        let accounts = value.perhapsInOpenings(of: catalog.accounts, inPlaceOf: stored)
        guard let question = OpeningQuestion(accounts) else { return }
        state.choices[name] = question.choices
        switch question.isContained(state[name]) {
        case true?: openings = Set(accounts.map(\.id))
        case false?: break
        case nil: refuse(name, question.words(formats))
        }
    }

    private mutating func readKind() -> TransactionKind? {
        let kind = TransactionKind(rawValue: state["kind"])
        if kind == nil { refuse("kind", Text("transactions.choose-a-kind")) }
        return kind
    }

    private mutating func readDate(_ context: RequestContext) -> CivilDate? {
        guard let date = CivilDate(typed: state["date"]) else {
            refuse("date", Text("transactions.enter-a-day"))
            return nil
        }
        if date != stored?.date, date.isUnusual(on: formats.today) {
            ask(aboutYear: date.components.year, of: "date", context)
        }
        return date
    }

    private mutating func readAccount(_ field: String, _ error: Text) -> Account? {
        let account = EntityID(state[field]).flatMap { catalog.account($0) ?? kept($0) }
        guard let account else {
            refuse(field, error)
            return nil
        }
        // A transaction stays on its account after that was closed.
        if account.isClosed, stored?.account != account.id, stored?.toAccount != account.id {
            refuse(field, Text("transactions.account-is-closed"))
        }
        return account
    }

    /// A deleted account, if the stored transaction is on it already.
    private func kept(_ id: EntityID) -> Account? {
        guard let stored, stored.account == id || stored.toAccount == id,
            let fields = try? book.synced(Account.entityKind, id),
            let currency = fields.text("currency").flatMap({ CurrencyCode($0) })
        else { return nil }
        return Account(
            id: id,
            name: fields.text("name") ?? "",
            type: .cash,
            currency: currency,
            openingMinor: 0
        )
    }

    private mutating func readAmount(defaultCurrency: CurrencyCode) -> Money? {
        var currency = defaultCurrency
        if !state["currency"].isEmpty {
            guard let typed = CurrencyCode(state["currency"]), isAccepted(typed) else {
                refuse("currency", Text("forms.choose-a-currency"))
                return nil
            }
            currency = typed
        }
        do {
            let money = try amounts.parse(state["amount"], expecting: currency).money
            if money.minor > 0 { return money }
            let isBack = money.minor < 0 && state["kind"] == TransactionKind.expense.rawValue
            refuse("amount", isBack ? Text("transactions.came-back") : Text("amounts.above-zero"))
        } catch {
            refuse("amount", error.text)
        }
        return nil
    }

    /// Whether a currency is in use, or was withdrawn and is still the currency of the transaction or of an account.
    private func isAccepted(_ code: CurrencyCode) -> Bool {
        currencies[code] != nil || stored?.amount.currency == code
            || catalog.accounts.contains { $0.currency == code }
    }

    /// Reads the amount in the currency of the account at the other end of the transaction.
    /// - Parameter question: asks for it if it is empty. With rates, the field is filled with an estimate instead, which
    ///   the user confirms by saving again.
    private mutating func readOther(
        _ currency: CurrencyCode,
        _ question: Text,
        _ amount: Money,
        _ kind: TransactionKind
    ) -> Int64? {
        guard !state["to_amount"].isEmpty else {
            if let conversion = formats.conversion,
                let estimate = try? conversion.converter.convert(amount, to: currency), estimate.minor > 0
            {
                refuse("to_amount", conversion.estimateText(for: kind, formats))
                offer(AmountPair(amount: amount, other: estimate))
            } else {
                refuse("to_amount", question)
            }
            return nil
        }
        do {
            let money = try amounts.parse(state["to_amount"], expecting: currency).money
            if money.currency != currency {
                refuse("to_amount", Text("forms.the-account-is-kept-in", ["currency": "\(currency)"]))
            } else if money.minor <= 0 {
                refuse("to_amount", Text("amounts.above-zero"))
            } else if !asks(about: AmountPair(amount: amount, other: money)) {
                return money.minor
            }
        } catch {
            refuse("to_amount", error.text)
        }
        return nil
    }

    /// Asks about the amount at the other end if it is still that of another amount, and fills in the one at the same rate.
    /// - Returns: whether there is a question. The user answers it by saving again, with any amount at the other end.
    private mutating func asks(about new: AmountPair) -> Bool {
        let stored = storedPair
        guard new != stored,
            !(offered?.amount == new.amount && offered?.other.currency == new.other.currency),
            let known = [offered, stored].compactMap({ $0 }).first(where: { $0.isHalfChanged(in: new) })
        else { return false }
        let currency = new.other.currency
        let isSameRate = known.other.currency == currency && known.amount.currency == new.amount.currency
        let other =
            isSameRate
            ? known.other(for: new.amount)
            : (try? formats.conversion?.converter.convert(new.amount, to: currency)).flatMap {
                $0.minor > 0 ? $0 : nil
            }
        refuse("to_amount", known.question(about: new, offering: other, formats))
        offer(AmountPair(amount: new.amount, other: other ?? new.other))
        return true
    }

    /// Fills in the amount at the other end.
    private mutating func offer(_ pair: AmountPair) {
        state.values["to_amount"] = formats.plain(pair.other.minor, pair.other.currency)
        confirm(pair)
    }

    /// Lets the form say, when it is sent again, that the user has seen these amounts.
    private mutating func confirm(_ pair: AmountPair) {
        state.confirmations["to_amount"] = FieldConfirmation(
            name: AmountPair.fieldName,
            value: pair.fieldValue
        )
    }

    /// The two amounts of the stored transaction; nil if it has one.
    private var storedPair: AmountPair? {
        guard let stored else { return nil }
        let (end, minor) =
            stored.kind == .transfer
            ? (stored.toAccount, stored.toMinor) : (stored.account, stored.accountMinor)
        guard let end, let minor, let currency = (catalog.account(end) ?? kept(end))?.currency,
            currency != stored.amount.currency
        else { return nil }
        return AmountPair(amount: stored.amount, other: Money(minor: minor, currency: currency))
    }

    /// Refuses a second amount where both ends have one currency, unless it says the same as the first.
    private mutating func refuseOther(than amount: Money) {
        guard state.isSent("to_amount") else { return }
        do {
            let other = try amounts.parse(state["to_amount"], expecting: amount.currency).money
            guard other != amount else { return }
            let currency: Text.Argument = "\(amount.currency)"
            refuse("to_amount", Text("transactions.one-currency-has-one-amount", ["currency": currency]))
        } catch {
            refuse("to_amount", error.text)
        }
    }

    private mutating func readArrival(from account: Account, _ amount: Money) -> (
        account: EntityID, minor: Int64
    )? {
        let question = Text("transactions.choose-the-other-account")
        guard let arrival = readAccount("to_account", question) else { return nil }
        guard arrival.id != account.id else {
            refuse("to_account", Text("transactions.choose-two-accounts"))
            return nil
        }
        guard amount.currency == account.currency else {
            refuse(
                "currency",
                Text("transactions.currency-of-a-transfer", ["currency": "\(account.currency)"])
            )
            return nil
        }
        guard arrival.currency != amount.currency else {
            refuseOther(than: amount)
            return (arrival.id, amount.minor)
        }
        let howMuch = Text("transactions.how-much-arrives", ["currency": "\(arrival.currency)"])
        return readOther(arrival.currency, howMuch, amount, .transfer).map { (arrival.id, $0) }
    }

    /// Refuses the category and the parts of a transfer, unless they are those of the expense or income that it was: the
    /// page hides them for a transfer.
    private mutating func refuseCategories() {
        if state.isEntered("category") {
            refuse("category", Text("transactions.a-transfer-has-no-category"))
        }
        if SplitEntry.isEntered(in: state) { refuse("split", Text("splits.a-transfer-has-none")) }
    }

    /// - Parameter rest: the category of what is in no part.
    private mutating func readSplit(_ kind: TransactionKind?, _ amount: Money?, rest: EntityID?) -> Split? {
        let entry = SplitEntry(
            state.lists,
            kind: kind,
            amount: amount,
            rest: rest,
            stored: stored?.split,
            catalog: catalog,
            amounts: amounts,
            formats: formats
        )
        for (field, error) in entry.errors {
            refuse(field, error)
            if !state.order.contains(field) { state.order.append(field) }
        }
        return entry.split
    }

    /// The category of the whole, which a split transaction does not have: it is that of one of the parts.
    private mutating func readWhole(_ category: EntityID?, beside split: Split?) -> EntityID? {
        guard split != nil, let category else { return split == nil ? category : nil }
        // The parts of a newer version, of which the form has no rows, may be beside a category.
        guard !SplitEntry.isFilled(in: state) else { return nil }
        if category == stored?.category { return category }
        refuse("category", Text("transactions.each-part-has-its-category"))
        return nil
    }

    private mutating func readCategory(_ kind: TransactionKind?) -> EntityID? {
        guard !state["category"].isEmpty else { return nil }
        // A category that was not sent beside parts is that of the time before them.
        if SplitEntry.isFilled(in: state), !state.isSent("category") { return nil }
        if let stored, let kept = stored.category, stored.kind == kind, state["category"] == "\(kept)" {
            return kept
        }
        guard let category = EntityID(state["category"]).flatMap({ catalog.category($0) }) else {
            refuse("category", Text("forms.choose-a-category"))
            return nil
        }
        // Income with a category of spending is a refund.
        guard kind != .expense || category.kind == .expense else {
            refuse("category", Text("transactions.category-of-income", ["name": .string(category.name)]))
            return nil
        }
        return category.id
    }
}
