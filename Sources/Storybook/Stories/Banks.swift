// The connections to banks, and the page that connects one.

import Ledger
import Pages
import Texts

enum BankStories {
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
                ] : []
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
