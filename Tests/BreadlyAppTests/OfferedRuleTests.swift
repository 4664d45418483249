// Rules that are offered after a correction was made twice. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct OfferedRules {
    private let server: Running
    private let guest: Visitor
    private let ids: [String]

    init() throws {
        server = try Running()
        let guest = try server.guest()
        let cash = try #require(try guest.accounts()["Cash"])
        for amount in ["40", "35.50", "12"] {
            let fields = [("payee", "LIDL"), ("amount", amount)]
            #expect(try guest.record(fields, account: cash).status == 303)
        }
        ids = try guest.get("/transactions").rows("transaction").compactMap { $0["data-id"] }
        self.guest = guest
    }

    private func category(_ name: String) throws -> String {
        let options = try guest.get("/rules/new").html.all("option").filter { $0.text == name }
        return try #require(options.first?["value"])
    }

    /// Sets the category of the first rows, one after the other, by hand.
    private func correct(_ count: Int) throws {
        let groceries = try category("Groceries")
        for id in ids.prefix(count) {
            let fields = [("action", "category"), ("value", groceries), ("id", id)]
            #expect(try guest.post("/transactions/bulk", fields).status == 303)
        }
    }

    private func offer(_ path: String = "/transactions") throws -> HTMLElement? {
        try guest.get(path).html.first("div", ["data-notice": "rule-offer"])
    }

    private func answer(_ answer: String) throws -> Reply {
        let form = try #require(try guest.get("/transactions").html.form("/rules/offer"))
        return try guest.post("/rules/offer", form.filter { $0.name != "csrf" } + [("answer", answer)])
    }

    @Test func comeAfterTheSecondCorrectionAndStay() throws {
        try correct(1)
        #expect(try offer() == nil)
        try correct(2)
        for path in ["/transactions", "/transactions", "/", "/rules"] {
            let offer = try #require(try offer(path), "\(path)")
            #expect(offer.text.contains("Always Groceries for LIDL? 1 of your transactions would change."))
            #expect(offer["data-count"] == "1")
        }
    }

    @Test func becomeARuleThatChangesTheRestAfterYes() throws {
        try correct(2)
        #expect(try answer("yes").status == 303)
        let page = try guest.get("/transactions")
        #expect(page.html.first("div", ["data-notice": "rule-offer"]) == nil)
        #expect(page.rows("transaction").filter { $0.text.contains("Groceries") }.count == 3)
        #expect(page.toasts.contains("rule-added") && page.toasts.contains("rule-applied"))
        let rules = try guest.get("/rules").rows("rule")
        #expect(rules.count == 1 && rules[0].text.contains("When the payee is LIDL: Groceries"))
        #expect(rules[0]["data-matches"] == "1")
    }

    @Test func neverComeAgainAfterNo() throws {
        try correct(2)
        #expect(try answer("no").status == 303)
        #expect(try offer() == nil)
        try correct(3)
        #expect(try offer() == nil && guest.get("/rules").rows("rule").isEmpty)
    }

    @Test func canBeSeenFirst() throws {
        try correct(2)
        let form = try #require(try guest.get("/transactions").html.form("/rules/offer"))
        let preview = try guest.post("/rules/preview", form.filter { $0.name != "csrf" })
        #expect(preview.status == 200 && preview.html.first("form", ["data-count": "1"]) != nil)
        #expect(try guest.get("/rules").rows("rule").isEmpty)
    }
}
