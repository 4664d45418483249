// Editing a transaction in its row of a list, without the script. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct EditingInPlace {
    private static let list = "/transactions?month=2026-11&kind=expense"
    private let server: Running
    private let guest: Visitor
    private let cash: String
    private let id: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
        for payee in ["Shell", "Market", "Bakery"] {
            #expect(try guest.record([("payee", payee)], account: cash).status == 303)
        }
        let row = try guest.get("/transactions").rows("transaction").first { $0.text.contains("Market") }
        id = try #require(row?["data-id"])
    }

    private func form(_ page: Reply, _ changes: [String: String] = [:]) throws -> [(String, String)] {
        let fields = try #require(page.html.form("/transactions/\(id)"))
        return fields.filter { $0.name != "csrf" }.map { ($0.name, changes[$0.name] ?? $0.value) }
    }

    /// The elements in the row of the transaction.
    private func row(_ page: Reply) -> [HTMLElement] { page.html.inside("li", ["data-id": id]) }

    private func value(_ name: String, _ page: Reply) -> String? {
        row(page).first { $0.matches("input", ["name": name]) }?["value"]
    }

    private func send(_ fields: [(String, String)]) throws -> Reply {
        try guest.post("/transactions/\(id)", fields)
    }

    @Test func theFormIsInThePlaceOfTheRow() throws {
        let page = try guest.get(Self.list + "&edit=\(id)")
        #expect(page.status == 200 && page.rows("transaction").count == 3)
        let form = row(page).first { $0.matches("form", ["data-editor": ""]) }
        #expect(form?["action"] == "/transactions/\(id)" && value("payee", page) == "Market")
        #expect(row(page).contains { $0.matches("a", ["href": Self.list]) && $0.text == "Cancel" })
        let amounts = page.html.all("input", ["name": "amount"]).filter { $0["id"] != "f-amount" }
        #expect(amounts.count == 1, "nothing is added beside it")
        // It leads there without the script, with the filters of the list.
        let button = try guest.get(Self.list).html.first("button", ["name": "edit", "value": id])
        #expect(button?.text == "Edit here Market" && button?["form"] == "edit-here")
        let kept = try guest.get(Self.list).html.inside("form", ["id": "edit-here"])
        #expect(kept.contains { $0["name"] == "kind" && $0["value"] == "expense" })
    }

    @Test func savingReturnsToTheSamePlaceOfTheList() throws {
        let fields = try form(
            guest.get(Self.list + "&edit=\(id)"),
            ["payee": "Green Market", "amount": "13"]
        )
        let answer = try send(fields)
        #expect(answer.status == 303 && answer.header("location") == Self.list + "#t\(id)")
        let page = try guest.get(Self.list)
        #expect(page.toasts == ["transaction-changed"])
        let row = page.rows("transaction").first { $0["data-id"] == id }
        #expect(row?.text.contains("Green Market") == true && row?.text.contains("13.00") == true)
    }

    @Test func anErrorIsBesideItsFieldInTheListWithAllThatWasTyped() throws {
        let changes = ["payee": "Green Market", "amount": "nothing"]
        let refused = try send(form(guest.get(Self.list + "&edit=\(id)"), changes))
        #expect(refused.status == 422 && refused.refused == ["amount"])
        #expect(refused.rows("transaction").count == 3)
        for (name, typed) in changes { #expect(value(name, refused) == typed) }
        // The same form can be sent again, and returns to the same list.
        let answer = try send(form(refused, ["amount": "14"]))
        #expect(answer.header("location") == Self.list + "#t\(id)")
    }

    @Test func anEntryThatIsNotInTheListHasAPageOfItsOwn() throws {
        var fields = try form(guest.get(Self.list + "&edit=\(id)"), ["amount": "nothing"])
        for list in ["/transactions?month=2026-10", "/budgets", "//evil.example/transactions"] {
            fields.removeAll { $0.0 == "back" }
            let refused = try send(fields + [("back", list)])
            #expect(refused.status == 422 && refused.refused == ["amount"], "\(list)")
            #expect(refused.rows("transaction").isEmpty)
        }
        fields = try form(guest.get(Self.list + "&edit=\(id)")).filter { $0.0 != "back" }
        let away = try send(fields + [("back", "//evil.example/transactions")])
        #expect(away.header("location")?.hasPrefix("/transactions?") == true)
        #expect(try guest.get("/transactions?edit=nonsense").status == 200)
        #expect(try guest.post("/transactions/\(id)/delete").status == 303)
        let page = try guest.get("/transactions?edit=\(id)")
        #expect(page.status == 200 && page.html.first("form", ["data-editor": ""]) == nil)
    }

    @Test func itIsTheSameInARegister() throws {
        let register = "/accounts/\(cash)/transactions"
        let page = try guest.get(register + "?edit=\(id)")
        #expect(value("payee", page) == "Market")
        let refused = try send(form(page, ["amount": ""]))
        #expect(refused.status == 422 && refused.rows("transaction").count == 3)
        let answer = try send(form(refused, ["amount": "15"]))
        #expect(answer.header("location") == register + "#t\(id)")
    }
}
