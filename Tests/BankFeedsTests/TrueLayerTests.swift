// TrueLayer over a real connection to a stand-in.
import BankFeeds
import BankStandIns
import Ledger
import TestKit
import Testing

@Suite struct TrueLayer {
    private let standIn: TrueLayerStandIn
    private let feed: TrueLayerFeed

    init() throws {
        standIn = try TrueLayerStandIn()
        feed = try standIn.feed()
    }

    private func money(_ minor: Int64) throws -> Money {
        Money(minor: minor, currency: try #require(CurrencyCode("GBP")))
    }

    @Test func aConsentGrantsAccessForNinetyDays() async throws {
        let access = try await standIn.access(feed)
        #expect(access.secret == standIn.access && access.renewal == standIn.renewal)
        #expect(access.expiresAt == noon + 3_600 && access.consentEndsAt == noon + 90 * 86_400)
        #expect("\(access)" == "BankAccess")
    }

    @Test func theServiceSaysWhenTheConsentEnds() async throws {
        standIn.server.fail { $0.consentEnd = "\"2027-01-01T01:00:00.5+01:00\"" }
        let access = await feed.withConsent(try await standIn.access(feed))
        #expect(access.consentEndsAt == 1_798_761_600 && access.consentID == "credentials-2")
        standIn.server.fail { $0.consentEnd = "\"2027-03-01T00:00:00Z\"" }
        let renewed = await feed.withConsent(try await feed.renew(access))
        #expect(renewed.consentEndsAt == 1_803_859_200 && renewed.consentID == "credentials-2")
    }

    @Test(arguments: [
        "null", "5", "\"\"", "\"2026-11-21T12:00:00Z\"", "\"2001-01-01T00:00:00Z\"",
        "\"9999-01-01T00:00:00Z\"",
        "\"2027-02-30T00:00:00Z\"", "\"soon\"",
    ])
    func anEndThatCannotBeIsNotBelieved(end: String) async throws {
        standIn.server.fail { $0.consentEnd = end }
        let access = await feed.withConsent(try await standIn.access(feed))
        #expect(access.consentEndsAt == noon + 90 * 86_400 && access.consentID == "credentials-2")
    }

    @Test func aCodeWorksOnceAndOnlyWithItsVerifier() async throws {
        let proof = standIn.proof(feed)
        _ = try await feed.connect(proof)
        await #expect(throws: BankFeedError.proofRefused) { try await feed.connect(proof) }
        let foreign = standIn.proof(feed, verifier: "another")
        await #expect(throws: BankFeedError.proofRefused) { try await feed.connect(foreign) }
    }

    @Test func anotherSecretOfTheOperatorIsRefused() async throws {
        let other = try standIn.feed(secret: "wrong")
        let proof = standIn.proof(other)
        await #expect(throws: BankFeedError.refused(status: 400)) { try await other.connect(proof) }
    }

    @Test func accountsAndCardsAreRead() async throws {
        let report = try await feed.accounts(try await standIn.access(feed), days)
        let account = try #require(report.lines.first?.account)
        let card = try #require(report.lines.last?.account)
        #expect(report.lines.count == 2 && report.leftOut == 0)
        #expect(account.name == "Club Account" && account.kind == .current && account.id == "acc-1")
        #expect(account.institution == "Planted Bank" && account.currency.rawValue == "GBP")
        #expect(card.name == "Gold Card" && card.kind == .card)
    }

    @Test func theDebtOfACardIsBelowZero() async throws {
        let access = try await standIn.access(feed)
        let lines = try await feed.accounts(access, days).lines
        var balances: [Int64?] = []
        for line in lines {
            balances.append(try await feed.balance(of: line.account, access)?.money.minor)
        }
        #expect(balances == [123_456, -5_025])
    }

    @Test func transactionsAreReadWithTheirSigns() async throws {
        let access = try await standIn.access(feed)
        let lines = try await feed.accounts(access, days).lines
        let list = try await feed.transactions(of: lines[0].account, access, days)
        #expect(list.rows.map(\.id) == ["t3", "t2", "n1"])
        #expect(list.rows.map(\.money) == [try money(-320), try money(10_000), try money(-1_250)])
        #expect(list.rows.map(\.isPending) == [true, false, false])
        #expect(
            list.rows[2].counterparty == "Planted Grocer" && list.rows[2].date.description == "2026-11-19"
        )
        #expect(list.leftOut == 0)
        let ofCard = try await feed.transactions(of: lines[1].account, access, days)
        #expect(ofCard.rows.map(\.money) == [try money(-2_000)])
        let asked = standIn.server.requests.last { $0.path.hasSuffix("/acc-1/transactions") }
        #expect(asked?.fields["from"] == "\(days.lowerBound)" && asked?.fields["to"] == "\(days.upperBound)")
    }

    @Test func repeatedAndReorderedRowsChangeNothing() async throws {
        let access = try await standIn.access(feed)
        let account = try await feed.accounts(access, days).lines[0].account
        let usual = try await feed.transactions(of: account, access, days)
        standIn.server.fail { $0.repeatsRows = true }
        #expect(try await feed.transactions(of: account, access, days) == usual)
    }

    /// A row that the provider could send, and whether it is used.
    @Test(arguments: [
        (#""amount":1.005,"currency":"GBP""#, "2026-11-20", 0),
        (#""amount":1E2,"currency":"GBP""#, "2026-11-20", 1),
        (#""amount":1.00,"currency":"XXX""#, "2026-11-20", 0),
        (#""amount":1.00,"currency":"gbp""#, "2026-11-20", 0),
        (#""amount":1E20,"currency":"GBP""#, "2026-11-20", 0),
        (#""amount":"1.00","currency":"GBP""#, "2026-11-20", 0),
        (#""amount":null,"currency":"GBP""#, "2026-11-20", 0), (#""currency":"GBP""#, "2026-11-20", 0),
        (#""amount":1.00"#, "2026-11-20", 0), (#""amount":1.00,"currency":"GBP""#, "2026-11-22", 1),
        (#""amount":1.00,"currency":"GBP""#, "2026-11-23", 0),
        (#""amount":1.00,"currency":"GBP""#, "2026-02-30", 0),
        (#""amount":1.00,"currency":"GBP""#, "1970-01-01", 1),
        (#""amount":1.00,"currency":"GBP""#, "1969-12-31", 0),
        (#""amount":1.00,"currency":"GBP""#, "0026-11-20", 0),
        (#""amount":5.5,"currency":"JPY""#, "2026-11-20", 0),
        (#""amount":5.0,"currency":"JPY""#, "2026-11-20", 1),
    ])
    func anUnusableRowIsLeftOutAndCounted(fields: String, day: String, used: Int) async throws {
        let access = try await standIn.access(feed)
        let account = try await feed.accounts(access, days).lines[0].account
        standIn.server.fail {
            $0.extraRows = [#"{"transaction_id":"x","timestamp":"\#(day)T00:00:00Z",\#(fields)}"#]
        }
        let list = try await feed.transactions(of: account, access, days)
        #expect(list.rows.count == 3 + used && list.leftOut == 1 - used)
    }

    @Test func aRowIsTheSameIfTheFirstIdentifierThatBothHaveIs() async throws {
        let access = try await standIn.access(feed)
        let account = try await feed.accounts(access, days).lines[0].account
        let usual = try await feed.transactions(of: account, access, days).rows.map(\.id)
        @Sendable func row(_ ids: String, _ amount: String) -> String {
            """
            {\(ids),"timestamp":"2026-11-20T00:00:00Z","amount":\(amount),"currency":"GBP"}
            """
        }
        standIn.server.fail {
            $0.extraRows = [
                row(#""transaction_id":"x1""#, "-1.5"),
                row(#""normalised_provider_transaction_id":"y","transaction_id":"x1""#, "-1.5"),
                row(#""normalised_provider_transaction_id":"z","transaction_id":"x2""#, "-2.5"),
                row(#""transaction_id":"x2""#, "-2.5"),
                // Another transaction under the same identifier, and two that share the least stable one.
                row(#""transaction_id":"x2""#, "-3.5"),
                row(#""normalised_provider_transaction_id":"v","transaction_id":"x3""#, "-4.5"),
                row(#""normalised_provider_transaction_id":"w","transaction_id":"x3""#, "-4.5"),
            ]
        }
        let list = try await feed.transactions(of: account, access, days)
        #expect(Set(list.rows.map(\.id)) == Set(usual + ["y", "z", "v", "w"]))
        #expect(list.rows.count == usual.count + 4 && list.leftOut == 1)
    }

    @Test func aPendingRowThatWasBookedAppearsOnce() async throws {
        let access = try await standIn.access(feed)
        let account = try await feed.accounts(access, days).lines[0].account
        standIn.server.fail { $0.extraRows = [TrueLayerStandIn.pending[0]] }
        let list = try await feed.transactions(of: account, access, days)
        #expect(list.rows.filter { $0.id == "t3" }.map(\.isPending) == [false])
    }

    @Test func accessIsRenewedUntilTheConsentEnds() async throws {
        let access = try await standIn.access(feed)
        let renewed = try await feed.renew(access)
        #expect(renewed.secret != access.secret && renewed.secret == standIn.access)
        #expect(renewed.consentEndsAt == access.consentEndsAt)
        await #expect(throws: BankFeedError.unauthorised) { try await feed.accounts(access, days) }
        standIn.server.fail { $0.hasEndedConsent = true }
        await #expect(throws: BankFeedError.consentEnded) { try await feed.renew(renewed) }
    }

    @Test func aRevokedConsentIsEnded() async throws {
        let access = try await standIn.access(feed)
        try await feed.revoke(access)
        #expect(standIn.isRevoked)
        await #expect(throws: BankFeedError.consentEnded) { try await feed.renew(access) }
        // It has ended already.
        try await feed.revoke(access)
    }

    @Test func theConsentPageGetsPKCEAndState() throws {
        let consent = BankConsent(state: "s&1", verifier: "v", redirect: "http://x/?a=b", expiresAt: noon)
        let address = try #require(feed.consentAddress(consent))
        #expect(address.hasPrefix(standIn.server.address + "/?response_type=code&client_id=breadly-test"))
        #expect(
            address.contains("&state=s%261") && address.contains("redirect_uri=http%3A%2F%2Fx%2F%3Fa%3Db")
        )
        #expect(address.contains("code_challenge_method=S256") && !address.contains("v&"))
        #expect(!address.contains("providers="))
        let sandbox = TrueLayerFeed.Client(id: "a", secret: "b", environment: .sandbox)
        #expect(sandbox.authAddress == "https://auth.truelayer-sandbox.com")
        #expect(sandbox.apiAddress == "https://api.truelayer-sandbox.com")
    }
}
