// The life of a connection over real connections: automatic refreshes, two tabs, and the end of the consent.
import BankStandIns
import BreadlyApp
import Foundation
import HTTPServer
import TestKit
import Testing

@Suite struct BankLives {
    private let running: Running
    private let trueLayer: TrueLayerStandIn

    init() throws {
        running = try Running()
        trueLayer = try TrueLayerStandIn()
    }

    private func visitor() throws -> Visitor {
        try running.setUp(trueLayer)
        let visitor = try running.guest()
        try visitor.signUpForBanks("anna")
        return visitor
    }

    private var reads: Int { trueLayer.server.count("/data/v1/accounts") }

    @Test func theFirstRequestAfterHalfAnHourRefreshesTheBanks() throws {
        let anna = try visitor()
        try anna.connectBank(at: trueLayer)
        let before = reads
        running.clock.advance(by: 1_800)
        let begun = ContinuousClock.now
        _ = try anna.get("/settings")
        try until("the bank is read") { reads > before }
        #expect(ContinuousClock.now - begun >= .seconds(2))
        try anna.waitForBanks()
        #expect(try anna.get("/banks").text.contains("as of today, 12:30"))
        #expect(reads == before + 1)
    }

    /// Each page that shows or counts data of the bank refreshes it once half of its time to live has passed.
    @Test(arguments: ["/transactions", "/accounts", "/", "/budgets", "/reports"])
    func aPageWithStaleDataRefreshesIt(path: String) throws {
        let anna = try visitor()
        try anna.connectBank(at: trueLayer)
        _ = try anna.joinBank([("acc-1", "new"), ("card-1", "new")])
        running.clock.advance(by: 890)
        let before = reads
        _ = try anna.get(path)
        running.clock.advance(by: 20)
        _ = try anna.get(path)
        try until("the bank is read") { reads > before }
        try until("the page shows it") { try anna.get("/accounts").text.contains("as of today, 12:15") }
        #expect(reads == before + 1)
    }

    @Test func aPageThatReturnsRefreshesTheBanks() throws {
        let anna = try visitor()
        try anna.connectBank(at: trueLayer)
        let before = reads
        running.clock.advance(by: 1_000)
        let wire = try Wire(port: anna.port)
        let cookies = anna.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let target = "/events?local_only"
        wire.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookies)\r\n\r\n")
        try until("the bank is read") { reads > before }
        wire.finish()
    }

    /// A round at the start of the server refreshes what was due in the meantime, without any request.
    @Test func theServerRefreshesAtItsStart() throws {
        let anna = try visitor()
        try anna.connectBank(at: trueLayer)
        let before = reads
        running.clock.advance(by: 86_400)
        try running.setUp(trueLayer)
        try until("the bank is read") { reads > before }
        anna.port = Int(running.app.port)
        try until("the time is shown") {
            try anna.get("/banks").text.contains("Refreshed today, 12:00")
        }
        let page = try anna.get("/banks").text
        #expect(page.contains("Breadly reads it again by itself: Monday 23 November 2026, 12:00."))
        #expect(page.contains("Each connection is refreshed by itself, at most once a day."))
        // Nothing is read for a user who is away for a month.
        let after = reads
        running.clock.advance(by: 31 * 86_400)
        try running.setUp(trueLayer)
        anna.port = Int(running.app.port)
        #expect(try running.visitor().get("/healthz").status == 200)
        #expect(reads == after)
    }

    @Test func twoTabsMakeOneConnection() throws {
        let anna = try visitor()
        let first = try anna.consent(at: trueLayer)
        let second = try anna.consent(at: trueLayer)
        let begun = try anna.banks().map(\.id)
        running.clock.advance(by: 1)
        for back in [second, first] { #expect(try anna.get(back).header("location") == "/banks") }
        try until("they are one") { try anna.banks().map(\.state) == ["connected"] }
        try until("one consent is ended") { trueLayer.revocations.count(where: { $0 }) == 1 }
        #expect(try anna.balances() == ["123456", "-5025"])
        // The other tab still shows the connection that was joined.
        let present = try #require(try anna.banks().first?.id)
        let id = try #require(begun.first { $0 != present })
        #expect(begun.count == 2)
        #expect(try anna.get("/banks/\(id)/accounts").status == 200)
        #expect(try anna.post("/banks/\(id)/refresh").header("location") == "/banks")
        #expect(try anna.banks().map(\.state) == ["connected"])
    }

    @Test func theEndOfAConsentIsAnnouncedOnEveryPageUntilItIsDismissed() throws {
        let anna = try visitor()
        trueLayer.server.fail { $0.consentEnd = "\"2026-12-05T12:00:00Z\"" }
        let id = try anna.connectBank(at: trueLayer)
        for path in ["/", "/transactions", "/settings", "/banks"] {
            let page = try anna.get(path)
            #expect(page.notices == ["bank-consent-ends-soon"], "\(path)")
        }
        let page = try anna.get("/banks")
        #expect(page.text.contains("Your consent ends on") && page.text.contains("Reconnect to renew it"))
        #expect(try anna.post("/notices/bank-consent-ends-soon/dismiss").status == 303)
        try running.setUp(trueLayer)
        anna.port = Int(running.app.port)
        running.clock.advance(by: 86_400)
        _ = try anna.get("/banks")
        _ = try anna.post("/banks/\(id)/refresh")
        #expect(try anna.get("/").notices.isEmpty)
        // The page of the banks still says it.
        #expect(try anna.get("/banks").text.contains("Your consent ends on"))

        trueLayer.server.fail { _ in }
        _ = try anna.get(try anna.consent(at: trueLayer, renewing: id))
        try anna.waitForBanks()
        #expect(try anna.get("/banks").text.contains("Your consent is valid until"))
    }

    /// A provider that does not answer, and a stop of the server, leave no consent behind.
    @Test func aConsentIsEndedAsSoonAsTheProviderAnswers() throws {
        let anna = try visitor()
        let id = try anna.connectBank(at: trueLayer)
        trueLayer.server.fail { $0.refusesRevocation = true }
        _ = try anna.get("/banks")
        _ = try anna.post("/banks/\(id)/disconnect")
        try until("the provider is asked") { trueLayer.server.count("/api/delete") > 0 }
        let sentence = "has not confirmed the end of your consent yet"
        #expect(try anna.get("/banks").text.contains(sentence) && !trueLayer.isRevoked)
        try running.setUp(trueLayer)
        anna.port = Int(running.app.port)
        #expect(try anna.get("/banks").text.contains(sentence))
        // The access has expired in the meantime, and is renewed first.
        running.clock.advance(by: 3_600)
        trueLayer.server.fail { _ in }
        try running.setUp(trueLayer)
        anna.port = Int(running.app.port)
        try until("the consent is ended") { trueLayer.isRevoked }
        try until("nothing is left to do") { try !anna.get("/banks").text.contains(sentence) }
    }

    @Test func aServerHasNothingOfTheDemosBank() throws {
        let anna = try visitor()
        #expect(try !anna.get("/banks/connect").text.contains("Lindenbank"))
        #expect(try anna.post("/banks/connect", [("provider", "demo")]).status == 404)
        #expect(try anna.get("/lab/bank?state=x").status == 404)
        #expect(try anna.post("/lab/bank/behaviour", [("state", "down")]).status == 404)
    }

    /// The user's book is the same, and the accounts of the bank can be connected again.
    @Test func aDisconnectedBankIsConnectedAgain() throws {
        let anna = try visitor()
        let id = try anna.connectBank(at: trueLayer)
        _ = try anna.get("/banks")
        _ = try anna.post("/banks/\(id)/disconnect")
        #expect(try anna.banks().map(\.state) == ["disconnected"])
        let back = try anna.consent(at: trueLayer, renewing: id)
        #expect(try anna.get(back).header("location") == "/banks")
        try anna.waitForBanks()
        #expect(try anna.banks().map(\.id) == [id] && anna.banks().map(\.state) == ["connected"])
    }
}
