// SimpleFIN over a real connection to a stand-in.
import BankFeeds
import BankStandIns
import Encoding
import Ledger
import Testing

@Suite struct SimpleFIN {
    private let standIn: SimpleFINStandIn
    private let feed: SimpleFINFeed

    init() throws {
        standIn = try SimpleFINStandIn()
        feed = try standIn.feed()
    }

    @Test func aTokenIsClaimedOnce() async throws {
        let token = standIn.token("a")
        let access = try await feed.connect(.setupToken(" \(token)\n"))
        #expect(access.secret.contains(SimpleFINStandIn.password) && access.renewal == nil)
        await #expect(throws: BankFeedError.proofRefused) { try await feed.connect(.setupToken(token)) }
        #expect(standIn.server.requests.filter { $0.line.hasPrefix("POST /claim/") }.count == 2)
    }

    @Test func oneRequestReadsEverything() async throws {
        let access = try await feed.connect(.setupToken(standIn.token("a")))
        let report = try await feed.accounts(access, days)
        let line = try #require(report.lines.first)
        // The points of a shop are no currency in use.
        #expect(report.lines.count == 1 && report.leftOut == 1)
        #expect(line.account.name == "Checking" && line.account.institution == "Planted Credit Union")
        #expect(line.balance?.money.minor == 98_765 && line.balance?.asOf == 1_795_258_800)
        #expect(line.transactions?.rows.map(\.id) == ["s3", "s2", "s1"])
        #expect(line.transactions?.rows.map(\.money.minor) == [-500, 150_000, -4_210])
        #expect(line.transactions?.rows.map(\.isPending) == [true, false, false])
        #expect(line.transactions?.rows.last?.date.description == "2026-11-19")
        #expect(report.messages == ["Sign in at <b>your bank</b> again."])
        let asked = try #require(standIn.server.requests.last)
        #expect(asked.fields["pending"] == "1" && asked.fields["start-date"] == "\(20_689 * 86_400)")
        #expect(asked.fields["end-date"] == "\(20_779 * 86_400)" && !asked.line.contains("access-password"))
    }

    /// Identifiers of accounts are unique within an organisation only.
    @Test func accountsOfTwoOrganisationsWithOneIdentifierAreTwo() async throws {
        let organisations = [
            #"{"domain":"a.example","name":"A"}"#, #"{"domain":"b.example"}"#,
            #"{"sfin-url":"https://c.example"}"#,
            #"{"id":"d","domain":"a.example"}"#, "{}", #"{"domain":"a.example","name":"A"}"#,
        ]
        standIn.server.fail { faults in
            faults.accounts = organisations.map { organisation in
                """
                {"org":\(organisation),"id":"1","name":"Checking","currency":"USD","balance":"1.00",\
                "balance-date":1795258800,"transactions":[]}
                """
            }
        }
        let access = try await feed.connect(.setupToken(standIn.token("a")))
        let report = try await feed.accounts(access, days)
        #expect(
            report.lines.map(\.account.id) == [
                "a.example/1", "b.example/1", "https://c.example/1", "d/1", "1",
            ]
        )
        #expect(report.lines.allSatisfy { $0.account.ownID == "1" } && report.leftOut == 0)
    }

    /// The sentence of the documentation, in an answer of success.
    @Test func anAnswerCanAskForANewConsent() async throws {
        let access = try await feed.connect(.setupToken(standIn.token("a")))
        #expect(try await !feed.accounts(access, days).needsConsent)
        standIn.server.fail { $0.message = #""You must reauthenticate.""# }
        let report = try await feed.accounts(access, days)
        #expect(report.needsConsent && report.lines.count == 1)
        standIn.server.fail { ($0.message, $0.accounts) = (#""You must reauthenticate.""#, []) }
        await #expect(throws: BankFeedError.consentEnded) { try await feed.accounts(access, days) }
    }

    @Test func endedAccessNeedsTheUser() async throws {
        let access = try await feed.connect(.setupToken(standIn.token("a")))
        standIn.revoke()
        await #expect(throws: BankFeedError.consentEnded) { try await feed.accounts(access, days) }
        await #expect(throws: BankFeedError.consentEnded) { try await feed.renew(access) }
    }

    /// Texts that users could paste: no request is sent for any of them.
    @Test(arguments: [
        "", "not base64!", "http://127.0.0.1/claim/a", "http://example.org/claim/a",
        "https://example.org/claim/a",
        "ftp://127.0.0.1/x", "file:///etc/passwd", "http://user:pass@HOST/claim/a",
        "http://HOST.example.org/claim/a",
        "http://HOST@example.org/claim/a", "http://HOST/claim/\u{7}a", "HOST",
    ])
    func aTokenOfAnotherPlaceIsRefused(address: String) async throws {
        let text = address.replacing("HOST", with: standIn.server.host)
        for token in [text, Base64.padded.encode(text.utf8)] {
            await #expect(throws: BankFeedError.proofRefused) { try await feed.connect(.setupToken(token)) }
        }
        #expect(standIn.server.requests.isEmpty)
    }

    @Test func onlyThisMachineIsReachedWithoutTLS() async throws {
        let bridge = try standIn.feed(hosts: SimpleFINFeed.bridge)
        let token = Base64.padded.encode("http://bridge.simplefin.org/claim/a".utf8)
        await #expect(throws: BankFeedError.proofRefused) { try await bridge.connect(.setupToken(token)) }
    }

    @Test(arguments: ["-61330000000", "0", "null"])
    func aBalanceOfAnImpossibleTimeIsOfNow(time: String) async throws {
        standIn.server.fail { faults in
            faults.accounts = [
                #"{"org":{},"id":"1","currency":"USD","balance":"1.00","balance-date":\#(time),"transactions":[]}"#
            ]
        }
        let access = try await feed.connect(.setupToken(standIn.token("a")))
        #expect(try await feed.accounts(access, days).lines.first?.balance?.asOf == noon)
    }

    @Test func repeatedAndReorderedRowsChangeNothing() async throws {
        let access = try await feed.connect(.setupToken(standIn.token("a")))
        let usual = try await feed.accounts(access, days)
        standIn.server.fail { $0.repeatsRows = true }
        #expect(try await feed.accounts(access, days) == usual)
    }

    @Test(arguments: [
        #""posted":1795089600,"amount":"1.005""#, #""posted":1795089600,"amount":12"#,
        #""posted":1795089600"#,
        #""posted":1795500000,"amount":"1.00""#, #""posted":-5,"amount":"1.00""#, #""amount":"1.00""#,
        #""posted":"yesterday","amount":"1.00""#,
    ])
    func anUnusableRowIsLeftOutAndCounted(fields: String) async throws {
        let access = try await feed.connect(.setupToken(standIn.token("a")))
        standIn.server.fail { $0.extraRows = [#"{"id":"x",\#(fields)}"#] }
        let list = try await feed.accounts(access, days).lines.first?.transactions
        #expect(list?.rows.count == 3 && list?.leftOut == 1)
    }
}
