// A bank that changes while its pages are open, and one balance on all of them.
import BankStandIns
import BreadlyApp
import Foundation
import HTTPServer
import TestKit
import Testing

@Suite struct TruthsOfABank {
    private let running: Running
    private let trueLayer: TrueLayerStandIn

    init() throws {
        running = try Running()
        trueLayer = try TrueLayerStandIn()
        try running.setUp(trueLayer)
    }

    /// A user whose current account is joined to that of the bank.
    private func anna() throws -> Visitor { try running.userOfBank(trueLayer, joining: ["acc-1"]) }

    private func refresh(_ anna: Visitor) throws {
        let id = try #require(try anna.banks().first?.id)
        try #require(try anna.post("/banks/\(id)/refresh").status == 303)
        try anna.waitForBanks()
    }

    private func row(_ name: String, _ anna: Visitor) throws -> HTMLElement? {
        try anna.get("/transactions").rows("transaction").first {
            $0["data-bank"] != nil && $0.text.contains(name)
        }
    }

    /// The pending row of the coffee under another identifier.
    private func coffee(_ id: String) -> String {
        """
        {"transaction_id":"\(id)","timestamp":"2026-11-21T00:00:00Z","description":"Coffee","amount":-3.20,\
        "currency":"GBP","transaction_type":"DEBIT"}
        """
    }

    @Test func whatIsTypedOnARowThatTheBankNamesAnewIsStored() throws {
        let anna = try anna()
        let id = try #require(try row("Coffee", anna)?["data-id"])
        let seen = try #require(try anna.get("/banks/rows/\(id)").html.hidden("seen"))
        // In another tab, twice.
        for name in ["t4", "t5"] {
            let row = coffee(name)
            trueLayer.server.fail { $0.pendingRows = [row] }
            try refresh(anna)
        }
        _ = try anna.get("/banks")
        let writing = [("seen", seen), ("note", "with Ben"), ("tags", "treat"), ("payee", "Coffee")]
        #expect(try anna.post("/banks/rows/\(id)", writing).status == 303)
        let shown = try #require(try row("Coffee", anna))
        #expect(shown.text.contains("with Ben") && shown.text.contains("#treat") && shown["data-id"] != id)
        #expect(try anna.get("/banks/rows/\(id)").text.contains("with Ben"))
        // After a restart as well.
        try running.setUp(trueLayer)
        anna.port = Int(running.app.port)
        #expect(try anna.get("/banks/rows/\(id)").text.contains("with Ben"))
        // The page of a row that the bank has dropped is gone, and what was typed on it is stored.
        let present = try #require(try row("Coffee", anna)?["data-id"])
        let open = try anna.get("/banks/rows/\(present)").html
        let (key, shown5) = (try #require(open.hidden("key")), try #require(open.hidden("seen")))
        trueLayer.server.fail { $0.pendingRows = [] }
        try refresh(anna)
        #expect(try anna.get("/banks/rows/\(id)").status == 404)
        _ = try anna.get("/banks")
        let late = [
            ("key", key), ("seen", shown5), ("payee", "Coffee"), ("note", "with Ben and Cleo"),
            ("tags", "treat"),
        ]
        #expect(try anna.post("/banks/rows/\(present)", late).status == 303)
        #expect(
            try anna.get("/transactions").text.contains(
                "Saved. The bank does not report this transaction any more."
            )
        )
        _ = try anna.get("/banks")
        #expect(try anna.post("/banks/rows/\(id)", late).status == 404)
        let again = coffee("t5")
        trueLayer.server.fail { $0.pendingRows = [again] }
        try refresh(anna)
        #expect(try row("Coffee", anna)?.text.contains("with Ben and Cleo") == true)
    }

    @Test func anOldBalanceAndWhatWasEnteredSinceAreOneNumberOnAllPages() throws {
        let anna = try anna()
        let account = try #require(
            try anna.get("/accounts").rows("account").first { $0.text.contains("Club Account") }?["data-id"]
        )
        trueLayer.server.fail { $0.status = .unavailable }
        running.clock.advance(by: 86_400)
        _ = try anna.get("/transactions")
        let purchase = [
            ("kind", "expense"), ("amount", "1000"), ("account", account), ("date", "2026-11-22"),
            ("payee", "Bicycle"),
        ]
        try #require(try anna.post("/transactions", purchase).status == 303)
        let words = "£1,234.56 as of Saturday 21 November 2026, 12:00, and what you entered for later days"
        for path in ["/accounts", "/", "/accounts/\(account)/transactions"] {
            let text = try anna.get(path).text
            #expect(text.contains("£234.56") && text.contains(words), "\(path)")
        }
        #expect(try anna.get("/reports?group=worth").text.contains("£234.56"))
    }

    /// An entry of next week is neither in the balance, nor a difference from the report of the bank.
    @Test func anEntryOfNextWeekDoesNotMakeTheBankDiffer() throws {
        let anna = try anna()
        let account = try #require(
            try anna.get("/accounts").rows("account").first { $0.text.contains("Club Account") }?["data-id"]
        )
        func differences() throws -> [String] {
            try anna.get("/accounts/\(account)/transactions").html.elements.map(\.text)
                .filter { $0.hasPrefix("Recorded transactions add up to") }
        }
        let before = try differences()
        _ = try anna.get("/transactions")
        let purchase = [
            ("kind", "expense"), ("amount", "1000"), ("account", account), ("date", "2026-11-28"),
            ("payee", "Bicycle"),
        ]
        try #require(try anna.post("/transactions", purchase).status == 303)
        #expect(try differences() == before)
        for path in ["/accounts", "/", "/accounts/\(account)/transactions"] {
            let text = try anna.get(path).text
            #expect(text.contains("£1,234.56") && text.contains("and −£1,000.00 to come"), "\(path)")
        }
    }

    @Test func aDeletedRecordSaysThatTheBanksOwnIsListedAgain() throws {
        let anna = try anna()
        let id = try #require(try row("Planted Grocer", anna)?["data-id"])
        _ = try anna.get("/banks/rows/\(id)")
        try #require(try anna.post("/banks/rows/\(id)/record").status == 303)
        _ = try anna.get("/transactions/\(id)")
        try #require(try anna.post("/transactions/\(id)/delete").status == 303)
        let page = try anna.get("/transactions")
        #expect(page.toasts == ["transaction-deleted"])
        #expect(page.text.contains("Transaction deleted. The bank’s own is listed and counted again."))
        let button = try #require(page.html.first("button", ["name": "hidden"]))
        #expect(button.text == "Hide it as well" && button["value"] == "on")
        try #require(page.html.all("form").contains { $0["action"] == "/banks/rows/\(id)" })
        #expect(try anna.post("/banks/rows/\(id)", [("hidden", "on")]).status == 303)
        #expect(try row("Planted Grocer", anna) == nil)
    }

    @Test func theHelpSaysWhereABanksDataStays() throws {
        let page = try running.guest().get("/help")
        #expect(page.text.contains("What it reports stays on this device"))
        #expect(page.html.elements.contains { $0["href"] == "/banks" })
    }
}
