// Opening balances with a day: the form of an account, the register, and the question about an earlier transaction.

import Ledger
import Texts

enum OpeningStories {
    static let all: [Story] = [
        Story("accounts-opening-to-come", .accounts, "Refused: an opening balance of tomorrow") { sample in
            sample.adding(openingDay: "2026-11-22") {
                $0.errors["opening_day"] = Text("accounts.opening-is-not-to-come")
            }
        },
        Story("accounts-opening-asked", .accounts, "An opening balance of an unusual year") { sample in
            sample.adding(openingDay: "0026-11-21") { $0.ask(aboutYear: 26, of: "opening_day") }
        },
        Story("account-opening", .accounts, "An opening balance with a day") { $0.editing($0.opened) },
        Story("account-opening-suggested", .accounts, "The day of the first transaction is suggested") {
            $0.editing($0.balances[2], firstDay: Sample.today.adding(days: -400))
        },
        Story("account-register-opening", .accounts, "The opening balance is between the transactions") {
            sample in
            let rows = sample.transactions.filter { $0.account == Sample.id(3) }
            let day = rows.dropFirst().first?.date ?? Sample.today
            return sample.openedRegister(rows, OpeningRow(day: day, minor: -30_000, balanceMinor: -31_000))
        },
        Story("account-register-opened", .accounts, "The opening balance of today, and no transactions") {
            $0.openedRegister([], OpeningRow(day: Sample.today, minor: -30_000, balanceMinor: -30_000))
        },
    ]

    static let ofTransactions: [Story] = [
        Story("transaction-before-opening", .transactions, "It is perhaps in the opening balance") { sample in
            sample.asking(about: [sample.opened.account]) { state, question in
                state.refuse(OpeningQuestion.fieldName, question.words(sample.formats))
            }
        },
        Story("transaction-before-openings", .transactions, "It is perhaps in two opening balances") {
            sample in
            var other = sample.balances[0].account
            other.openingDay = Sample.today
            return sample.asking(about: [sample.opened.account, other]) { state, question in
                state.refuse(OpeningQuestion.fieldName, question.words(sample.formats))
            }
        },
        Story("transaction-in-opening", .transactions, "Refused: it is in the opening balance") { sample in
            sample.asking(about: [sample.opened.account]) { state, question in
                state.values[OpeningQuestion.fieldName] = question.choices[0].value
                state.errors["amount"] = Text("amounts.empty")
            }
        },
    ]
}

extension Sample {
    /// A card with 300.00 owed at the beginning of a day.
    fileprivate var opened: AccountBalance {
        var account = balances[2].account
        (account.openingMinor, account.openingDay) = (-30_000, Self.today.adding(days: -30))
        return AccountBalance(account: account, balanceMinor: balances[2].balanceMinor, transactionCount: 38)
    }

    /// The accounts with a form of a new one that was refused.
    fileprivate func adding(openingDay: String, _ refuse: (inout FormState) -> Void) -> AccountsPage {
        var state = AccountForm.blank(formats: formats)
        state.values.merge(["name": "Purse", "opening": "100", "opening_day": openingDay]) { $1 }
        refuse(&state)
        return AccountsPage(chrome: chrome, formats: formats, accounts: balances, form: form(state))
    }

    private func form(_ state: FormState, _ id: EntityID? = nil, firstDay: CivilDate? = nil) -> AccountForm {
        AccountForm(
            state: state,
            editing: id,
            once: Self.once,
            catalog: catalog,
            formats: formats,
            firstDay: firstDay
        )
    }

    fileprivate func editing(_ account: AccountBalance, firstDay: CivilDate? = nil) -> AccountEditPage {
        let state = AccountForm.values(of: account.account, formats: formats)
        return AccountEditPage(
            chrome: chrome,
            formats: formats,
            account: account,
            form: form(state, account.account.id, firstDay: firstDay)
        )
    }

    fileprivate func openedRegister(_ rows: [Transaction], _ opening: OpeningRow) -> AccountRegisterPage {
        AccountRegisterPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            filters: ListFilters(),
            register: AccountRegister(
                account: opened,
                page: TransactionPage(
                    rows: rows,
                    days: [],
                    totals: rows.isEmpty ? [] : totals,
                    next: nil
                ),
                balancesMinor: rows.indices.map { -31_240 + Int128($0) * 100 },
                beforeMinor: nil,
                opening: opening,
                choices: catalog.source
            ),
            form: quickForm(formats)
        )
    }

    /// The form of a new transaction with a question.
    fileprivate func asking(
        about accounts: [Account],
        _ change: (inout FormState, OpeningQuestion) -> Void
    ) -> TransactionEditPage {
        var state = blankEntry(accounts.count > 1 ? .transfer : .expense)
        state.values.merge(["amount": "8.40", "date": "2026-10-20"]) { $1 }
        if let question = OpeningQuestion(accounts) {
            state.choices[OpeningQuestion.fieldName] = question.choices
            change(&state, question)
        }
        return edit(state)
    }
}
