// Forms that are left before they are saved: what their pages tell the script that keeps them, and what stands there for
// browsers without it. The clock shows 21 November 2026.
import BreadlyApp
import Foundation
import TestKit
import Testing

@Suite struct HalfFilledForms {
    let server: Running

    init() throws { server = try Running() }

    /// The form of a page that is sent to an address, by its start tag.
    private func form(_ page: Reply, _ action: String) throws -> HTMLElement {
        try #require(page.html.all("form", ["action": action]).first { $0["data-once"] != nil }, "\(action)")
    }

    @Test(
        arguments: [
            ("/transactions/new", "/transactions"), ("/transactions", "/transactions"),
            ("/accounts", "/accounts"), ("/categories", "/categories"), ("/budgets", "/budgets"),
            ("/schedules", "/schedules"), ("/rules/new", "/rules"), ("/settings", "/settings/preferences"),
        ]
    )
    func sayThatALinkLeavesWithoutSavingOnlyWhereThereIsNoScript(path: String, action: String) throws {
        let page = try server.guest().get(path)
        let form = try form(page, action)
        #expect(form["data-typed"] == nil)
        #expect(form.text.contains("This is what you had typed here. It is not saved yet. Start over"))
        #expect(page.html.first("div", ["data-resumed": "", "hidden": ""]) != nil)
        let sentence = "What you type is kept once you save it. A link on this page leaves without saving."
        #expect(page.html.all("noscript").filter { $0.text == sentence }.count == 1)
    }

    @Test(
        arguments: [
            ("/transactions", [("amount", "much"), ("payee", "Kiosk")]),
            ("/transactions", [("amount", "5"), ("more_parts", "on")]),
            ("/accounts", [("name", ""), ("opening", "7")]), ("/categories", [("name", "")]),
            ("/budgets", [("limit", "much")]), ("/schedules", [("amount", "much")]),
            ("/rules", [("match", "any")]), ("/rules", [("match", "any"), ("more_parts", "on")]),
            ("/settings/preferences", [("time_zone", "Mars/Olympus")]),
        ]
    )
    func areMarkedIfTheyComeBackWithWhatWasTyped(action: String, fields: [(String, String)]) throws {
        let guest = try server.guest()
        let page = try guest.post(action, fields)
        #expect([200, 422].contains(page.status))
        #expect(try form(page, action)["data-typed"] != nil)
        // A token of another session.
        let stale = try guest.post(action, fields + [("csrf", "of an earlier session")], csrf: false)
        #expect(stale.status == 403)
        #expect(try form(stale, action)["data-typed"] != nil)
    }

    @Test func haveNoOtherBookThanThatOfTheirPage() throws {
        let (guest, other) = (try server.guest(), try server.guest())
        let name = try #require(try guest.get("/").html.body("data-book"))
        for path in ["/transactions/new", "/settings", "/sign-in"] {
            #expect(try guest.get(path).html.body("data-book") == name)
        }
        #expect(try other.get("/").html.body("data-book") != name)
        #expect(try server.visitor().get("/onboarding/welcome").html.body("data-book") == nil)
        try guest.signUp()
        try until("she is signed in") { try guest.get("/").status == 200 }
        #expect(try guest.get("/").html.body("data-book") != name)
    }

    @Test func keepAllOfTheirFieldsWhenASuggestedLimitIsFilledIn() throws {
        let guest = try server.guest()
        let cash = try #require(try guest.accounts()["Cash"])
        for month in ["08", "09", "10"] {
            _ = try guest.record([("amount", "30"), ("date", "2026-\(month)-09")], account: cash)
        }
        let page = try guest.get("/budgets")
        let buttons = page.html.all("button").filter { $0["type"] == "submit" }
        let use = try #require(buttons.first { $0["name"] == "suggested" })
        #expect(use["value"] == "30.00" && use["formnovalidate"] != nil)
        // The Enter key presses the first button of a form.
        let place = page.html.elements.firstIndex { $0["data-once"] != nil } ?? 0
        let first = page.html.elements[place...].first { $0.tag == "button" && $0["type"] == "submit" }
        #expect(first?["name"] == nil && first?["tabindex"] == "-1")
        let typed = [
            ("category", ""), ("limit", ""), ("from", "2027-01"), ("rollover", "on"), ("pace", "once"),
        ]
        let filled = try guest.post("/budgets", typed + [("suggested", "30.00")])
        #expect(filled.status == 200)
        let fields = try #require(filled.html.form("/budgets"))
        for (name, value) in typed where name != "limit" {
            #expect(fields.contains { $0.name == name && $0.value == value }, "\(name)")
        }
        #expect(fields.contains { $0.name == "limit" && $0.value == "30.00" })
        #expect(try form(filled, "/budgets")["data-typed"] != nil)
        #expect(try guest.get("/budgets?month=2027-01").rows("budget").isEmpty)
    }
}
