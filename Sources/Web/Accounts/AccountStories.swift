// The accounts: the list, the form, the register of one, and the move of its transactions.

import Ledger
import Links
import Texts

enum AccountStories {
    static let all = lists + forms + registers + moves

    private static let lists: [Story] = [
        Story("accounts", .accounts, "All accounts, one of them closed") { $0.accounts($0.withOneClosed) },
        Story("accounts-to-come", .accounts, "Transactions were entered for later days") {
            $0.accounts($0.balancesToCome)
        },
        Story("accounts-empty", .accounts, "None yet") { $0.accounts([]) },
        Story("accounts-arriving", .accounts, "Not all data is here yet") {
            var balances = $0.balances
            (balances[0].balanceMinor, balances[0].transactionCount) = (0, 0)
            return $0.framed(.incomplete).accounts(balances)
        },
        Story("accounts-all-closed", .accounts, "All of them are closed") {
            $0.accounts($0.balances.map { $0.closed })
        },
        Story("accounts-fresh", .accounts, "Several currencies, converted") { $0.mixedAccounts(.fresh) },
        Story("accounts-guest", .accounts, "Several currencies of a guest") { $0.mixedAccounts(.guest) },
        Story("accounts-refused", .accounts, "Refused: an error beside each field") {
            var state = FormState(values: ["name": "", "type": "purse", "currency": "XXX", "opening": "ten"])
            state.errors = [
                "name": Text("accounts.give-it-a-name"), "type": Text("accounts.choose-its-kind"),
                "currency": Text("forms.choose-a-currency"), "opening": Text("amounts.unreadable"),
                "owed": Text("forms.tick-it-or-leave-it"),
            ]
            return $0.accounts($0.balances, state)
        },
        Story("accounts-asked", .accounts, "A name that there is already") {
            let name = $0.balances[0].account.name
            var state = AccountForm.blank(formats: $0.formats)
            state.values["name"] = name
            state.errors["name"] = Text("accounts.name-in-use", ["name": .string(name)])
            state.confirmations["name"] = FieldConfirmation(name: "same_name", value: name)
            return $0.accounts($0.balances, state)
        },
        Story("accounts-owed", .accounts, "Refused: a debt without a name") {
            var state = AccountForm.blank(formats: $0.formats)
            state.values.merge(["type": "loan", "opening": "500", "owed": "on"]) { $1 }
            state.errors["name"] = Text("accounts.give-it-a-name")
            return $0.accounts($0.balances, state)
        },
        Story("accounts-bank", .accounts, "Accounts of banks: their ages, and one to reconnect") {
            $0.framed(.idle).bankAccounts()
        },
        Story("accounts-long", .accounts, "Long names, names from right to left, and large amounts") {
            let sample = $0.of(.longLived)
            return sample.accounts(sample.withOneClosed)
        },
        Story("accounts-bank-long", .accounts, "Accounts of banks with long names") {
            $0.of(.longLived).framed(.idle).bankAccounts()
        },
        Story("accounts-too-large", .accounts, "Balances whose sum no amount can hold") {
            var balances = $0.balances
            for place in 0..<3 { balances[place].balanceMinor = 4_000_000_000_000_000_000 }
            return $0.accounts(balances)
        },
    ]

    private static let forms: [Story] = [
        Story("account-edit", .accounts, "A card below zero") { $0.edit($0.balances[2]) },
        Story("account-to-come", .accounts, "A card with expenses of later days") {
            $0.edit($0.balancesToCome[2])
        },
        Story("account-closed", .accounts, "A closed account with a balance") {
            $0.edit($0.balances[4].closed)
        },
        Story("account-unused", .accounts, "An account without transactions") {
            var unused = $0.balances[0]
            (unused.balanceMinor, unused.transactionCount) = (0, 0)
            return $0.edit(unused)
        },
        Story("account-bank", .accounts, "An account of a bank") {
            var account = $0.balances[1]
            account.account.bank.isUsed = true
            return $0.framed(.idle).edit(account)
        },
        Story("account-unread", .accounts, "An account of a bank that this device cannot read") {
            var account = $0.balances[1].unread
            account.account.bank.isUsed = true
            return $0.framed(.idle).edit(account, recordedMinor: 220_000)
        },
        Story("account-in-use", .accounts, "It could not be deleted: transactions are on it") {
            let card = $0.balances[2]
            let count: [String: Text.Argument] = ["count": .count(card.transactionCount)]
            let obstacle = Obstacle(
                text: Text("accounts.transactions-are-on-it", count),
                way: Way(Link.accountTransactions(card.account.id), Text("accounts.its-transactions"))
            )
            return $0.edit(card, deleteError: obstacle)
        },
        Story("account-refused", .accounts, "Refused: its currency cannot change") {
            var state = AccountForm.values(of: $0.balances[2].account, formats: $0.formats)
            state.values["currency"] = "USD"
            state.errors["currency"] = Text("accounts.its-currency-cannot-change")
            return $0.edit($0.balances[2], state)
        },
        Story("account-meanwhile", .accounts, "It was changed while its page was open") {
            var state = AccountForm.values(of: $0.balances[2].account, formats: $0.formats)
            (state.seen, state.notice) = ("3", Text("forms.changed-meanwhile"))
            return $0.edit($0.balances[2], state)
        },
    ]

    private static let registers: [Story] = [
        Story("account-register", .accounts, "The register with its opening balance") {
            $0.register($0.balances[2], before: 0)
        },
        Story("account-register-more", .accounts, "A register of transfers, with older pages") {
            $0.register($0.balances[4], [$0.transactions[2]], before: nil)
        },
        Story("account-register-selecting", .accounts, "Rows of a register are being selected") {
            $0.register($0.balances[2], before: 0, isSelecting: true)
        },
        Story("account-register-none", .accounts, "A search in a register without results") { sample in
            sample.register(sample.balances[2], [], before: -500) {
                ($0.month, $0.text) = (sample.formats.today.yearMonth, sample.typed("market"))
            }
        },
        Story("account-register-filtered", .accounts, "A register with filters") { sample in
            sample.register(sample.balances[2], before: nil) {
                ($0.category, $0.tags, $0.isWithReceipt) = (.uncategorized, ["trip"], true)
            }
        },
        Story("account-register-new", .accounts, "An account without transactions") {
            $0.register($0.balances[0], [], before: 8_350)
        },
        Story("account-register-bank", .accounts, "The register of an account of a bank") {
            let sample = $0.framed(.idle)
            return sample.register(sample.balances[2], before: 0, bank: sample.badge(minor: 12_000))
        },
        Story("account-register-twice", .accounts, "An entry that was perhaps recorded from the bank as well")
        {
            let sample = $0.framed(.idle)
            let (entered, record) = (sample.transactions[0], sample.transactions[1])
            return sample.register(
                sample.balances[2],
                before: 0,
                bank: sample.badge(minor: 12_000),
                doubles: [BankDoubleLine(entered: entered, record: record, formats: sample.formats)],
                undecided: 3
            )
        },
        Story(
            "account-register-reconnect",
            .accounts,
            "The register of an account that this device cannot read"
        ) {
            let sample = $0.framed(.idle)
            let bank = sample.badge(Text("banks.not-connected-here"), needsReconnect: true)
            return sample.register(sample.balances[2].unread, before: 0, bank: bank)
        },
        Story("account-register-closed", .accounts, "The register of a closed account") {
            $0.register($0.balances[2].closed, before: 12)
        },
        Story("account-register-loan", .accounts, "A loan that is paid back") {
            $0.register($0.loan, [], before: -900_000, Repayment(changeMinor: 90_000, monthCount: 3))
        },
        Story("account-register-loan-idle", .accounts, "A loan that does not shrink") {
            $0.register($0.loan, [], before: -900_000, Repayment(changeMinor: 0, monthCount: 3))
        },
        Story("account-register-loan-new", .accounts, "A loan without a pace") {
            $0.register($0.loan, [], before: -900_000)
        },
        Story("account-register-to-come", .accounts, "A payment was entered for a later day") {
            $0.register($0.balancesToCome[2], [$0.laterExpense] + $0.transactions.prefix(1), before: 0)
        },
        Story("account-register-later", .accounts, "A later month, for which something was entered") {
            sample in
            sample.register(sample.balancesToCome[2], [sample.expenseOfNextMonth], before: 0) {
                $0.month = sample.formats.today.yearMonth.next
            }
        },
        Story("account-register-long", .accounts, "Long names, names from right to left, and large amounts") {
            let sample = $0.of(.longLived)
            return sample.register(sample.balances[2], before: 0)
        },
    ]

    private static let moves: [Story] = [
        Story("account-move", .accounts, "Moving transactions: the choice") {
            $0.move(FormState(), of: $0.balances[2])
        },
        Story("account-move-refused", .accounts, "Moving transactions: nothing was chosen") {
            $0.move(FormState(errors: ["to": Text("accounts.choose-another")]), of: $0.balances[2])
        },
        Story("account-move-alone", .accounts, "Moving transactions: no other account fits") {
            $0.move(FormState(), of: $0.balances[3])
        },
        Story("account-move-plan", .accounts, "Moving transactions: the question, with a transfer that stays")
        {
            $0.move(FormState(values: ["to": "\(Sample.id(2))"]), count: 37, [$0.transactions[2]])
        },
        Story("account-move-to-come", .accounts, "Moving transactions: some of them are to come") {
            $0.move(FormState(values: ["to": "\(Sample.id(2))"]), count: 37, toCome: -900, [])
        },
        Story(
            "account-move-before-opening",
            .accounts,
            "Moving transactions: some are before an opening balance"
        ) {
            $0.move(FormState(values: ["to": "\(Sample.id(2))"]), count: 37, beforeOpening: 3, [])
        },
        Story("account-move-unread", .accounts, "Moving transactions: an account has an unknown balance") {
            let state = FormState(values: ["to": "\(Sample.id(2))"])
            return $0.framed(.idle).move(state, of: $0.balances[2].unread, count: 37, [])
        },
        Story("account-move-stale", .accounts, "Moving transactions: the numbers have changed") {
            var state = FormState(values: ["to": "\(Sample.id(2))"])
            state.notice = Text("accounts.numbers-have-changed")
            return $0.move(state, count: 37, [])
        },
        Story("account-move-nothing", .accounts, "Moving transactions: there are none") {
            $0.move(FormState(values: ["to": "\(Sample.id(2))"]), count: 0, [])
        },
    ]
}

extension AccountBalance {
    fileprivate var closed: AccountBalance {
        var copy = self
        copy.account.isClosed = true
        return copy
    }

    fileprivate var unread: AccountBalance {
        var copy = self
        copy.unknown = Sample.unknown
        return copy
    }
}

extension Sample {
    fileprivate var withOneClosed: [AccountBalance] { balances.dropLast() + balances.suffix(1).map(\.closed) }

    fileprivate var loan: AccountBalance {
        var loan = balances[4]
        (loan.account.type, loan.balanceMinor) = (.loan, -810_000)
        return loan
    }

    /// - Parameters:
    ///   - detail: by default the age of a balance.
    ///   - minor: the sum of the recorded transactions, if it is another one.
    fileprivate func badge(_ detail: Text? = nil, minor: Int64? = nil, needsReconnect: Bool = false)
        -> BankBadge
    {
        let at = Text("banks.today-at", ["time": .string("14:05")])
        return BankBadge(
            detail: detail ?? Text("banks.as-of", ["at": .text(at)]),
            difference: minor.map {
                Text("banks.recorded-differs", ["recorded": .string(formats.money($0, Self.eur))])
            },
            needsReconnect: needsReconnect,
            connection: nil
        )
    }

    fileprivate func bankAccounts() -> AccountsPage {
        let day: [String: Text.Argument] = ["day": .string(formats.longDay(Self.today))]
        return AccountsPage(
            chrome: chrome,
            formats: formats,
            accounts: balances.enumerated().map { [2, 4].contains($0) ? $1.unread : $1 },
            banks: [
                Self.id(2): badge(minor: 220_000),
                Self.id(3): badge(Text("banks.last-refreshed-elsewhere", day), needsReconnect: true),
                Self.id(5): badge(Text("banks.not-refreshed-since", day)),
            ],
            form: form(AccountForm.blank(formats: formats), nil)
        )
    }

    private func form(_ state: FormState, _ id: EntityID?) -> AccountForm {
        AccountForm(state: state, editing: id, once: Self.once, catalog: catalog, formats: formats)
    }

    fileprivate func accounts(_ accounts: [AccountBalance], _ state: FormState? = nil) -> AccountsPage {
        AccountsPage(
            chrome: chrome,
            formats: formats,
            accounts: accounts,
            form: form(state ?? AccountForm.blank(formats: formats), nil)
        )
    }

    fileprivate func edit(
        _ account: AccountBalance,
        _ state: FormState? = nil,
        recordedMinor: Int128? = nil,
        deleteError: Obstacle? = nil
    ) -> AccountEditPage {
        AccountEditPage(
            chrome: chrome,
            formats: formats,
            account: account,
            recordedMinor: recordedMinor,
            form: form(
                state ?? AccountForm.values(of: account.account, formats: formats),
                account.account.id
            ),
            deleteError: deleteError
        )
    }

    fileprivate func register(
        _ account: AccountBalance,
        _ rows: [Transaction]? = nil,
        before: Int128?,
        _ repayment: Repayment? = nil,
        bank: BankBadge? = nil,
        doubles: [BankDoubleLine] = [],
        undecided: Int = 0,
        isSelecting: Bool = false,
        _ narrow: (inout TransactionQuery) -> Void = { _ in }
    ) -> AccountRegisterPage {
        var query = TransactionQuery()
        narrow(&query)
        let rows = rows ?? transactions.filter { $0.account == account.account.id }
        let next = before == nil ? TransactionCursor(date: Self.today, id: Self.id(101)) : nil
        return AccountRegisterPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            filters: ListFilters(query: query),
            register: AccountRegister(
                account: account,
                page: TransactionPage(rows: rows, days: [], totals: rows.isEmpty ? [] : totals, next: next),
                balancesMinor: account.knownMinor.map { minor in
                    rows.indices.map { minor - Int128($0) * 100 }
                } ?? [],
                beforeMinor: account.unknown == nil ? before : nil,
                choices: catalog.source,
                repayment: repayment
            ),
            bank: bank,
            doubles: doubles,
            undecidedCount: undecided,
            isSelecting: isSelecting,
            form: account.account.isClosed ? nil : quickForm(formats, on: account.account.id)
        )
    }

    fileprivate func move(_ state: FormState, of account: AccountBalance, _ plan: TransactionMove? = nil)
        -> AccountMovePage
    {
        AccountMovePage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            account: account.account,
            state: state,
            plan: plan
        )
    }

    /// The question before some transactions of an account move, by default transactions of the card.
    fileprivate func move(
        _ state: FormState,
        of account: AccountBalance? = nil,
        count: Int,
        toCome: Int128 = 0,
        beforeOpening: Int = 0,
        _ transfers: [Transaction]
    ) -> AccountMovePage {
        var plan = TransactionMove(
            source: account ?? balances[2],
            target: balances[1],
            count: count,
            sumMinor: count == 0 ? 0 : -31_240,
            transferCount: transfers.count,
            transfers: transfers
        )
        (plan.toComeMinor, plan.beforeOpeningCount) = (toCome, beforeOpening)
        return move(state, of: account ?? balances[2], plan)
    }
}
