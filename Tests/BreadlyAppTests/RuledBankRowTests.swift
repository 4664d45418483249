// Rules on the transactions of a bank, over a real connection: what they suggest, and where their name stands.
import BankStandIns
import TestKit
import Testing

@Suite struct RowsOfABankWithRules {
    private let running: Running
    private let trueLayer: TrueLayerStandIn
    private let anna: Visitor

    init() throws {
        running = try Running()
        trueLayer = try TrueLayerStandIn()
        try running.setUp(trueLayer)
        anna = try running.userOfBank(trueLayer, joining: ["acc-1"])
    }

    /// The row of the bank for the grocer.
    private func grocer() throws -> HTMLElement? {
        try anna.get("/transactions").rows("transaction").first { $0.text.contains("Planted Grocer") }
    }

    private func add(_ effect: (String, String)) throws -> String {
        let answer = try anna.post(
            "/rules",
            [
                ("enabled", "on"), ("when_field", "text"), ("when_test", "contains"),
                ("when_value", "planted grocer"), effect,
            ]
        )
        #expect(answer.status == 303)
        return String(try #require(answer.header("location")).dropFirst("/rules#t".count))
    }

    private func groceries() throws -> String {
        let options = try anna.get("/rules/new").html.all("option").filter { $0.text == "Groceries" }
        return try #require(options.first?["value"])
    }

    @Test func aRowHasItsCategoryFromARuleAndNamesIt() throws {
        #expect(try grocer()?.text.contains("No category") == true)
        let id = try add(("then_category", try groceries()))
        let row = try #require(try grocer())
        #expect(row["data-rule"] == id && row.text.contains("Groceries"))
        let page = try anna.get("/banks/rows/\(row["data-id"] ?? "")")
        #expect(page.html.first("p", ["data-rule": id])?.text == "Set by the rule planted grocer")
        let recorded = try anna.post("/banks/rows/\(row["data-id"] ?? "")/record")
        #expect(recorded.status == 303)
        let entry = try #require(try grocer())
        #expect(entry["data-bank"] == nil && entry["data-rule"] == id && entry.text.contains("Groceries"))
        #expect(try anna.get("/rules").rows("rule").first?["data-matches"] == "1")
    }

    @Test func aRuleHidesARow() throws {
        let id = try add(("then_hide", "on"))
        #expect(try grocer() == nil)
        #expect(try anna.post("/rules/\(id)/switch").status == 303)
        #expect(try grocer() != nil)
    }

    @Test func thePreviewCountsRowsOfBanks() throws {
        let id = try add(("then_category", try groceries()))
        let preview = try anna.post("/rules/preview", [("id", id)])
        #expect(preview.text.contains("Nothing that you have would change."))
        #expect(preview.text.contains("1 row of a bank matches as well"))
    }
}
