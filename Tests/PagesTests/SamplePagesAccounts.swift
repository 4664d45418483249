// The pages of one account, made from the sample.

import Ledger
import Links
import Pages
import Texts

extension Sample {
    var registerPages: [SamplePage] {
        let card = balances[2]
        let rows = transactions.filter { $0.account == card.account.id }
        let (blank, from) = (TransactionQuery(), transactions[2])
        var closed = card
        closed.account.isClosed = true
        var filtered = TransactionQuery()
        (filtered.month, filtered.text) = (formats.today.yearMonth, hostile ?? "market")
        func register(
            _ account: AccountBalance,
            _ query: TransactionQuery,
            _ rows: [Transaction],
            before: Int64?
        ) -> AccountRegisterPage {
            let next = before == nil ? TransactionCursor(date: Self.today, id: Self.id(101)) : nil
            let form = TransactionForm(
                state: TransactionForm.blank(account: account.account.id, catalog: catalog, formats: formats),
                editing: nil,
                once: Self.once,
                catalog: catalog,
                formats: formats,
                offersEveryCurrency: false
            )
            return AccountRegisterPage(
                chrome: chrome,
                formats: formats,
                catalog: catalog,
                query: query,
                register: AccountRegister(
                    account: account,
                    page: TransactionPage(rows: rows, days: [], totals: totals, next: next),
                    balancesMinor: rows.indices.map { account.balanceMinor - Int64($0) * 100 },
                    beforeMinor: before,
                    choices: catalog.source
                ),
                form: account.account.isClosed ? nil : form
            )
        }
        func move(_ state: FormState, _ plan: TransactionMove?, of account: Account) -> AccountMovePage {
            AccountMovePage(
                chrome: chrome,
                formats: formats,
                catalog: catalog,
                account: account,
                state: state,
                plan: plan
            )
        }
        let refused = FormState(errors: ["to": .verbatim("Choose another account from the list.")])
        var stale = FormState(values: ["to": "\(Self.id(2))"])
        stale.notice = .verbatim("The numbers have changed.")
        func plan(count: Int, transfers: [Transaction]) -> TransactionMove {
            TransactionMove(
                source: card,
                target: balances[1],
                count: count,
                sumMinor: -31_240,
                transferCount: transfers.count,
                transfers: transfers
            )
        }
        return [
            SamplePage("account-register", register(card, blank, rows, before: 0)),
            SamplePage("account-register-more", register(balances[4], blank, [from], before: nil)),
            SamplePage("account-register-none", register(card, filtered, [], before: -500)),
            SamplePage("account-register-closed", register(closed, blank, rows, before: 12)),
            SamplePage("account-move", move(FormState(), nil, of: card.account)),
            SamplePage("account-move-refused", move(refused, nil, of: card.account)),
            SamplePage("account-move-alone", move(refused, nil, of: balances[3].account)),
            SamplePage(
                "account-move-plan",
                move(stale, plan(count: 37, transfers: [from]), of: card.account)
            ),
            SamplePage("account-move-nothing", move(stale, plan(count: 0, transfers: []), of: card.account)),
        ]
    }
}
