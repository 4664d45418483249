// Providers that fail in the middle of a refresh, and what a person sees of it.
import BankStandIns
import BreadlyApp
import Foundation
import HTTPServer
import TestKit
import Testing

@Suite struct FaultsOfABank {
    private let running: Running
    private let trueLayer: TrueLayerStandIn
    private let anna: Visitor
    private let id: String

    /// A user whose accounts are joined to those of the bank.
    init() throws {
        running = try Running()
        trueLayer = try TrueLayerStandIn()
        try running.setUp(trueLayer)
        anna = try running.guest()
        try anna.signUpForBanks("anna")
        id = try anna.connectBank(at: trueLayer)
        try #require(try anna.joinBank([("acc-1", "new"), ("card-1", "new")]).status == 303)
        _ = try anna.get("/accounts")
    }

    private func refresh() throws {
        _ = try anna.get("/banks")
        #expect(try anna.post("/banks/\(id)/refresh").status == 303)
    }

    private func rows() throws -> [HTMLElement] {
        try anna.get("/transactions").rows("transaction").filter { $0["data-bank"] != nil }
    }

    /// 401 after some of the answers of a refresh: one renewal, and everything is read.
    @Test(arguments: 1...7)
    func accessThatEndsInTheMiddleIsRenewedOnce(answers: Int) throws {
        let renewals = trueLayer.server.count("/connect/token")
        trueLayer.expire(afterAnswers: answers)
        try refresh()
        #expect(try anna.banks().map(\.state) == ["connected"])
        #expect(trueLayer.server.count("/connect/token") == renewals + 1)
        #expect(try anna.balances() == ["123456", "-5025"] && rows().count == 4)
    }

    /// The consent ends after some of the answers: nothing of them is used, and what was known stays.
    @Test(arguments: [1, 2, 4, 6])
    func aConsentThatEndsBetweenTwoRequestsLeavesWhatIsKnown(answers: Int) throws {
        trueLayer.server.fail { ($0.hasEndedConsent, $0.extraRows) = (true, ["{}"]) }
        trueLayer.expire(afterAnswers: answers)
        try refresh()
        let page = try anna.get("/banks")
        #expect(page.rows("bank-connection").map { $0["data-bank-state"] } == ["needs_reconnect"])
        #expect(page.notices == ["bank-consent-ended"])
        #expect(!page.text.contains("could not be read"))
        #expect(try anna.balances() == ["123456", "-5025"] && rows().count == 4)
    }

    /// It can be added to no balance of the account; the page says that it is left out.
    @Test func aTransactionInAnotherCurrencyThanItsAccountIsLeftOutAndCounted() throws {
        trueLayer.server.fail {
            $0.extraRows = [
                """
                {"transaction_id":"e1","timestamp":"2026-11-20T00:00:00Z","description":"Kiosk","amount":-9.99,\
                "currency":"EUR","transaction_type":"DEBIT"}
                """
            ]
        }
        try refresh()
        #expect(try anna.get("/banks").text.contains("1 entry of the bank could not be read and is left out"))
        #expect(try rows().count == 4)
        trueLayer.server.fail { _ in }
        try refresh()
        #expect(try !anna.get("/banks").text.contains("left out"))
    }

    /// One text of the bank that is no text makes none of the others unreadable.
    @Test func aNULInATextIsReplacedAndEverythingElseIsRead() throws {
        trueLayer.server.fail {
            $0.extraRows = [
                #"{"transaction_id":"e1","timestamp":"2026-11-20T00:00:00Z","description":"Kio\u0000sk \ud83c!","#
                    + #""amount":-9.99,"currency":"GBP","transaction_type":"DEBIT"}"#
            ]
        }
        try refresh()
        #expect(try anna.banks().map(\.state) == ["connected"])
        let texts = try rows().map(\.text)
        #expect(texts.count == 5 && texts.contains { $0.contains("Kio\u{fffd}sk") }, "\(texts)")
    }

    /// A provider that does not answer holds up no other page, and the button for a few seconds only.
    @Test func aSilentProviderHoldsUpNoPage() throws {
        trueLayer.server.fail { $0.isSilent = true }
        let begun = ContinuousClock.now
        try refresh()
        #expect(ContinuousClock.now - begun < .seconds(30))
        let page = try anna.get("/banks")
        #expect(page.rows("bank-connection").map { $0["data-bank-state"] } == ["refreshing"])
        #expect(page.text.contains("Refreshing…") && page.text.contains("£1,234.56"))
        #expect(try rows().count == 4)
        // The refresh that runs is the only one.
        let requests = trueLayer.server.requests.count
        _ = try anna.get("/banks")
        #expect(trueLayer.server.requests.count == requests)
        _ = try anna.get("/banks")
        #expect(try anna.post("/banks/\(id)/disconnect").status == 303)
        #expect(try rows().isEmpty)
    }

    @Test func theTimeThatAProviderNamesIsShownAndKept() throws {
        trueLayer.server.fail { ($0.status, $0.retryAfter) = (.tooManyRequests, "600") }
        try refresh()
        #expect(try anna.get("/banks").text.contains("accepts no more requests until today, 12:10"))
        trueLayer.server.fail { _ in }
        let requests = trueLayer.server.requests.count
        running.clock.advance(by: 599)
        try refresh()
        #expect(trueLayer.server.requests.count == requests)
        #expect(try anna.get("/banks").text.contains("accepts no more requests until today, 12:10"))
        running.clock.advance(by: 1)
        try refresh()
        #expect(try anna.banks().map(\.state) == ["connected"])
    }

    @Test func pagesThatComeTwiceAndInAnotherOrderChangeNothing() throws {
        let before = try rows().map(\.text)
        trueLayer.server.fail { $0.repeatsRows = true }
        try refresh()
        #expect(try rows().map(\.text) == before)
        #expect(try anna.get("/transactions").text.contains("4 transactions"))
    }

    /// Rows with 5 decimals, an unknown currency and a far day are left out; the others stay.
    @Test func unusableRowsAreCountedBesideTheConnection() throws {
        @Sendable func row(_ fields: String, _ day: String = "2026-11-20") -> String {
            """
            {"transaction_id":"x\(fields.count)","timestamp":"\(day)T00:00:00Z","description":"X",\(fields)}
            """
        }
        trueLayer.server.fail {
            $0.extraRows = [
                row(#""amount":-1.00005,"currency":"GBP""#), row(#""amount":-1.0,"currency":"XYZ""#),
                row(#""amount":-1.000,"currency":"GBP""#, "2027-03-01"),
            ]
        }
        try refresh()
        #expect(try anna.get("/banks").text.contains("3 entries of the bank could not be read"))
        #expect(try rows().count == 4)
    }

    /// The bank changes its words between the opening of a page and its saving: none of them become the user's writing,
    /// which is synced.
    @Test func theWordsOfTheBankAreNoWritingOfTheUser() throws {
        func report(_ words: String) throws {
            trueLayer.server.fail {
                $0.pendingRows = [
                    """
                    {"transaction_id":"t3","timestamp":"2026-11-21T00:00:00Z","description":"\(words)",\
                    "amount":-3.20,"currency":"GBP","transaction_type":"DEBIT"}
                    """
                ]
            }
            try refresh()
        }
        func payee(_ page: Reply) throws -> String {
            try #require(page.html.first("input", ["name": "payee"])?["value"])
        }
        try report("Quince bar\u{a0}")
        let id = try #require(try rows().first { $0["data-bank"] == "pending" }?["data-id"])
        let page = try anna.get("/banks/rows/\(id)")
        let fields = [
            ("seen", try #require(page.html.hidden("seen"))),
            ("reported", try #require(page.html.hidden("reported"))), ("payee", try payee(page)),
            ("tags", "treat"),
        ]
        #expect(try anna.post("/banks/rows/\(id)", fields).status == 303)
        try report("Corner cafe")
        let row = try #require(try rows().first { $0["data-bank"] == "pending" })
        #expect(row.text.contains("#treat") && row.text.contains("Corner cafe"))
        // A page that was opened before the words changed.
        #expect(try anna.post("/banks/rows/\(id)", fields + [("note", "hot")]).status == 303)
        #expect(try payee(anna.get("/banks/rows/\(id)")) == "Corner cafe")
        let export = try anna.get("/export/breadly.json").text
        #expect(export.contains("treat") && !export.contains("Quince") && !export.contains("Corner cafe"))
    }

    /// The user's writing on a pending row stays when the bank books it under another identifier, also if it has reported
    /// it under none for a while.
    @Test(arguments: [false, true])
    func aPendingRowThatChangesItsIdentifierIsThereOnce(isLate: Bool) throws {
        let pending = try #require(try rows().first { $0["data-bank"] == "pending" }?["data-id"])
        _ = try anna.get("/banks/rows/\(pending)")
        #expect(try anna.post("/banks/rows/\(pending)", [("payee", "With Ben")]).status == 303)
        if isLate {
            for _ in 1...2 {
                trueLayer.server.fail { $0.pendingRows = [] }
                try refresh()
                #expect(try rows().count == 3)
            }
        }
        trueLayer.server.fail {
            $0.pendingRows = []
            $0.extraRows = [
                """
                {"transaction_id":"b1","timestamp":"2026-11-21T00:00:00Z","description":"Coffee","amount":-3.2,\
                "currency":"GBP","transaction_type":"DEBIT"}
                """
            ]
        }
        try refresh()
        let after = try rows()
        #expect(after.count == 4 && after.filter { $0.text.contains("3.20") }.count == 1)
        #expect(after.first { $0.text.contains("With Ben") }?["data-bank"] == "booked")
        // A page that was open under the former identifier leads to the booked one.
        #expect(try anna.get("/banks/rows/\(pending)").text.contains("With Ben"))
    }
}
