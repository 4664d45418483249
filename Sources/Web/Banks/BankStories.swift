// The connections to banks, and the page that connects one.

import Ledger
import Texts

enum BankStories {
    /// The other side of a transfer.
    fileprivate enum SideKind { case row, record }

    static let all: [Story] = [
        Story("banks-not-set-up", .banks, "A server without providers") {
            $0.framed(.free).banks([], providers: [])
        },
        Story("banks-guest", .banks, "A guest") { $0.banks([]) },
        Story("banks-none", .banks, "No bank is connected") { $0.framed(.free).banks([]) },
        Story("banks-states", .banks, "Connections in each state") { sample in
            sample.framed(.idle).banks(BankConnectionLine.State.allCases.map { sample.bank($0) })
        },
        Story("banks-long", .banks, "Long names, names from right to left, and large amounts") {
            let sample = $0.of(.longLived).framed(.idle)
            return sample.banks([sample.bank(.connected, minor: 12_345_678_901_234)])
        },
        Story("bank-accounts", .banks, "Choosing the accounts of the book") {
            $0.framed(.idle).choosing(["new", "\(Sample.id(3))", "skip"])
        },
        Story("bank-accounts-refused", .banks, "Choosing the accounts: one was chosen twice") {
            let card = "\(Sample.id(3))"
            return $0.framed(.idle).choosing([card, card, "skip"], error: Text("banks.choose-each-once"))
        },
        Story("bank-accounts-long", .banks, "Choosing the accounts: long names") {
            $0.of(.longLived).framed(.idle).choosing(["new", "\(Sample.id(3))", "skip"])
        },
        Story("bank-row", .banks, "A transaction of a bank") { $0.framed(.idle).row(.open) },
        Story("bank-row-pending", .banks, "A transaction that the bank has not booked") {
            $0.framed(.idle).row(.open, isPending: true)
        },
        Story("bank-row-hidden", .banks, "A hidden transaction") { $0.framed(.idle).row(.hidden) },
        Story("bank-row-recorded", .banks, "A recorded transaction") { $0.framed(.idle).row(.recorded) },
        Story("bank-row-entered", .banks, "A transaction that was perhaps entered already") {
            $0.framed(.idle).row(.entered)
        },
        Story(
            "bank-row-entered-before",
            .banks,
            "A transaction that was perhaps entered with its former amount"
        ) {
            $0.framed(.idle).row(.entered, hasFormerAmount: true)
        },
        Story("bank-row-transfer", .banks, "A transaction that is perhaps a side of a transfer") {
            $0.framed(.idle).row(.open, side: .row)
        },
        Story("bank-row-recorded-side", .banks, "A transaction whose other side is recorded") {
            $0.framed(.idle).row(.open, side: .record)
        },
        Story("bank-row-refused", .banks, "Refused: the name is too long") {
            let error = Text("forms.keep-it-to-limit", ["limit": .count(200)])
            return $0.framed(.idle).row(.open, error: error)
        },
        Story("bank-row-long", .banks, "A transaction of a bank with long texts") {
            $0.of(.longLived).framed(.idle).row(.open)
        },
        Story("bank-record", .banks, "Recording: the preview, with doubtful ones") {
            $0.framed(.idle).recording(
                $0.transactions.suffix(2),
                entered: [($0.transactions[0], $0.transactions[2], .booked)],
                sides: [$0.transactions[1]]
            )
        },
        Story("bank-record-nothing", .banks, "Recording: there is nothing, and it is done without a question")
        {
            $0.framed(.idle).recording([], since: Sample.today)
        },
        Story("bank-record-long", .banks, "Recording: long names") {
            let sample = $0.of(.longLived).framed(.idle)
            return sample.recording(sample.transactions.suffix(2))
        },
        Story("bank-connect", .banks, "Connecting: the providers") {
            $0.framed(.free).connecting($0.framed(.free).bankForms())
        },
        Story("bank-connect-refused", .banks, "Connecting: the token was refused") {
            let state = FormState(errors: ["setup_token": Text("banks.token-refused")])
            return $0.framed(.free).connecting($0.bankForms(state))
        },
        Story("bank-connect-expired", .banks, "Connecting: the consent was used already") {
            $0.framed(.free).connecting($0.bankForms(), message: Text("banks.consent-expired"))
        },
        Story("bank-consent", .banks, "Connecting: the way to the provider's page") {
            let consent = BankConnectPage.Consent(
                provider: "TrueLayer",
                address: "https://auth.truelayer.com/?response_type=code"
            )
            return $0.framed(.free).connecting([], consent: consent)
        },
    ]
}

extension Sample {
    fileprivate func banks(
        _ connections: [BankConnectionLine],
        providers: [String] = ["TrueLayer", "SimpleFIN"]
    ) -> BanksPage {
        BanksPage(chrome: chrome, connections: connections, providers: providers)
    }

    /// - Parameter minor: the balance of the first account.
    fileprivate func bank(_ state: BankConnectionLine.State, minor: Int64 = 123_456) -> BankConnectionLine {
        let at: [String: Text.Argument] = [
            "at": .text(Text("banks.today-at", ["time": .string("14:05")])),
            "since": .text(Text("banks.today-at", ["time": .string("13:50")])),
            "why": .text(Text("banks.why-unreachable")),
        ]
        let status =
            switch state {
            case .connecting: Text("banks.connecting")
            case .connected: Text("banks.connected", at)
            case .refreshing: Text("banks.refreshing-since", at)
            case .needsReconnect: Text("banks.needs-reconnect")
            case .failing: Text("banks.failing", at)
            case .disconnected: Text("banks.disconnected")
            }
        let count: [String: Text.Argument] = ["count": .count(37)]
        let hasAccounts = state != .connecting && state != .disconnected
        let day: [String: Text.Argument] = ["day": .string(formats.longDay(Self.today))]
        return BankConnectionLine(
            id: Self.id(900),
            title: state == .disconnected ? Text("banks.a-bank") : .verbatim(typed("First Bank")),
            state: state,
            status: status,
            notes: state == .connected
                ? [
                    Text("banks.consent-ends-soon", day), Text("banks.left-out", ["count": .count(2)]),
                    Text("banks.provider-says", ["message": .string(typed("Sign in at your bank."))]),
                ] : [],
            accounts: hasAccounts
                ? [
                    BankAccountLine(
                        name: typed("Current account"),
                        details: Text("banks.as-of-with-count", at.merging(count) { $1 }),
                        balance: Money(minor: minor, currency: Self.eur),
                        formats: formats
                    ),
                    BankAccountLine(
                        name: typed("Card"),
                        details: Text("banks.as-of-with-count", at.merging(count) { $1 }),
                        balance: Money(minor: -4_210, currency: Self.eur),
                        formats: formats
                    ),
                    BankAccountLine(
                        name: typed("Savings"),
                        details: state == .needsReconnect
                            ? Text("banks.not-refreshed-since", day)
                            : Text("banks.no-balance-with-count", count),
                        balance: nil,
                        formats: formats
                    ),
                ] : [],
            isUnused: state == .connected,
            afterDisconnecting: state == .failing
                ? [
                    Text(
                        "banks.account-stays",
                        ["account": .string(typed("Current account")), "count": .count(12)]
                    )
                ] : []
        )
    }

    /// - Parameters:
    ///   - values: the chosen value of each account.
    ///   - error: the reason why the second choice was refused.
    fileprivate func choosing(_ values: [String], error: Text? = nil) -> BankAccountsPage {
        let accounts: [(String, BankAccountKind)] = [
            ("Current account", .current), ("Card", .card), ("Savings", .savings),
        ]
        return BankAccountsPage(
            chrome: chrome,
            title: .verbatim(typed("First Bank")),
            connection: Self.id(900),
            accounts: zip(accounts, values).enumerated().map { number, line in
                let account = BankAccount(
                    id: "a\(number)",
                    name: typed(line.0.0),
                    kind: line.0.1,
                    currency: Self.eur,
                    institution: typed("First Bank")
                )
                return BankAccountChoice(
                    account,
                    among: [account],
                    number: number,
                    accounts: balances.map(\.account).filter { $0.currency == Self.eur },
                    value: line.1,
                    error: number == 1 ? error : nil,
                    isFirstError: number == 1 && error != nil
                )
            }
        )
    }

    fileprivate func row(
        _ condition: BankRowPage.Condition,
        isPending: Bool = false,
        hasFormerAmount: Bool = false,
        side: BankStories.SideKind? = nil,
        error: Text? = nil
    ) -> BankRowPage {
        let transaction = transactions[0]
        var state = TransactionForm.values(of: transaction, catalog: catalog, formats: formats)
        state.seen = "1.1"
        if let error { state.errors["payee"] = error }
        let hasOther = condition == .recorded || condition == .entered
        return BankRowPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            row: transaction,
            reported: transaction.payee,
            isPending: isPending,
            condition: condition,
            facts: [
                BankFact(Text("bankrows.day"), .verbatim(formats.longDay(transaction.date))),
                BankFact(Text("bankrows.account"), .verbatim(balances[2].account.name)),
                BankFact(Text("bankrows.words"), .verbatim(typed("LIDL 4711 SOFIA"))),
                BankFact(
                    Text("bankrows.state"),
                    isPending ? Text("bankrows.not-booked") : Text("bankrows.booked")
                ),
            ],
            state: state,
            other: hasOther
                ? BankRowPage.Other(
                    transaction,
                    label: typed("Lidl") + " · " + formats.money(transaction.amount),
                    isQuestion: condition == .entered,
                    hasFormerAmount: hasFormerAmount
                ) : nil,
            transfer: side.map { side in
                BankRowPage.OtherSide(
                    Self.id(901),
                    account: balances[1].account.name,
                    day: formats.longDay(transaction.date),
                    isRecorded: side == .record,
                    losses: side == .record ? [.verbatim(typed("Rent €80.00 (March)"))] : []
                )
            },
            list: .transactions
        )
    }

    /// - Parameter since: the first day that is recorded without a question; nil for none.
    fileprivate func recording(
        _ rows: some Sequence<Transaction>,
        entered: [(row: Transaction, transaction: Transaction, mark: BankMark)] = [],
        sides: [Transaction] = [],
        since: CivilDate? = nil
    )
        -> BankRecordPage
    {
        var account = balances[2].account
        account.bank = AccountBank(isUsed: true, recordsFrom: since)
        return BankRecordPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            account: account,
            days: Self.date(2026, 9, 1)...Self.today,
            rows: Array(rows),
            entered: entered,
            sides: sides
        )
    }

    fileprivate func bankForms(_ state: FormState = FormState()) -> [BankProviderForm] {
        [
            BankProviderForm(
                key: "truelayer",
                name: "TrueLayer",
                hasToken: false,
                connection: nil,
                state: state
            ),
            BankProviderForm(
                key: "simplefin",
                name: "SimpleFIN",
                hasToken: true,
                connection: nil,
                state: state
            ),
        ]
    }

    fileprivate func connecting(
        _ providers: [BankProviderForm],
        consent: BankConnectPage.Consent? = nil,
        message: Text? = nil
    ) -> BankConnectPage {
        BankConnectPage(chrome: chrome, providers: providers, consent: consent, message: message)
    }
}
