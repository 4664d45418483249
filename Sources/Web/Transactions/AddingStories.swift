// The form of a new transaction, and what fills it in.

import Ledger
import Texts

enum AddingStories {
    static let all: [Story] = [
        Story("transaction-new-repeats", .transactions, "A new one beside a template and earlier payees") {
            sample in
            let template = PayeeRepeat(
                template: sample.transactions[1],
                catalog: sample.catalog,
                formats: sample.formats
            )
            return sample.edit(sample.blankEntry(), repeats: [template] + sample.repeats)
        },
        Story("transaction-new-filled", .transactions, "A new one that a link has filled in") {
            var state = $0.blankEntry()
            state.isPrefilled = true
            state.values.merge([
                "payee": $0.typed("Brotzeit"), "amount": "4.10", "category": "\(Sample.id(10))",
                "note": $0.typed("two & a coffee"), "date": "\(Sample.today.adding(days: -1))",
            ]) { $1 }
            return $0.edit(state)
        },
        Story("transaction-new-unknown", .transactions, "A link with names that the book does not have") {
            var state = $0.blankEntry()
            state.isPrefilled = true
            state.values["payee"] = $0.typed("Brotzeit")
            let name: [String: Text.Argument] = ["name": .string($0.typed("Yachts & more"))]
            state.errors = [
                "account": Text("transactions.no-account-named", name),
                "category": Text("transactions.no-category-named", name),
            ]
            return $0.edit(state)
        },
        Story("transaction-starred", .transactions, "Correcting a template") { sample in
            var page = sample.edit(sample.transactions[0])
            page.isStarred = true
            return page
        },
    ]
}

extension Sample {
    var payees: [PayeeHint] {
        transactions.filter { !$0.payee.isEmpty }
            .map { PayeeHint(payee: $0.payee, category: $0.category) }
    }

    var repeats: [PayeeRepeat] {
        transactions.filter { !$0.payee.isEmpty }.prefix(6)
            .map { PayeeRepeat($0, category: $0.category, catalog: catalog, formats: formats) }
    }

    /// The catalog with all accounts closed.
    var closedCatalog: Catalog {
        let accounts = balances.map { entry in
            var account = entry.account
            account.isClosed = true
            return account
        }
        return Catalog(BookChoices(accounts: accounts, categories: uses.map(\.category)))
    }

    /// The values of a new transaction on the card.
    func blankEntry(_ kind: TransactionKind = .expense) -> FormState {
        TransactionForm.blank(kind: kind, account: Self.id(3), catalog: catalog, formats: formats)
    }

    /// The short form beside a list.
    func quickForm(_ formats: Formats, on account: EntityID = Sample.id(3), catalog: Catalog? = nil)
        -> TransactionForm
    {
        let catalog = catalog ?? self.catalog
        return TransactionForm(
            state: TransactionForm.blank(account: account, catalog: catalog, formats: formats),
            editing: nil,
            once: Self.once,
            catalog: catalog,
            formats: formats,
            payees: payees,
            repeats: [],
            takesFocus: false,
            offersEveryCurrency: false
        )
    }
}
