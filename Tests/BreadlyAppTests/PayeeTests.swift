// The payees: their list, the page of one, and other names. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct Payees {
    private let server: Running
    private let guest: Visitor
    private let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
        for (payee, amount) in [
            ("Shell", "40"), ("Shell", "35.50"), ("SHELL 4711", "12"), ("O'Neil \"&\" <b>", "3"),
        ] {
            #expect(try guest.record([("payee", payee), ("amount", amount)], account: cash).status == 303)
        }
    }

    private func names(_ address: String = "/payees") throws -> [String] {
        try guest.get(address).html.all("li", ["data-kind": "payee"]).compactMap { $0["data-name"] }
    }

    @Test func theListHasEachWithItsNumberAndIsSearchedAndSorted() throws {
        #expect(try names() == ["O'Neil \"&\" <b>", "Shell", "SHELL 4711"])
        #expect(try names("/payees?sort=-count") == ["Shell", "O'Neil \"&\" <b>", "SHELL 4711"])
        #expect(try names("/payees?q=hell") == ["Shell", "SHELL 4711"])
        let shell = try guest.get("/payees").html.first("li", ["data-name": "Shell"])
        #expect(shell?["data-count"] == "2" && shell?.text.contains("75.50") == true)
        #expect(try guest.get("/payees?q=nothing").text.contains("No payee matches."))
    }

    @Test func aPayeeHasAPageWithItsTransactionsAndMonths() throws {
        let page = try guest.get("/payees/show?name=shell")
        #expect(page.status == 200 && page.rows("transaction").count == 2)
        #expect(page.text.contains("November 2026"))
        #expect(try guest.get("/payees/show?name=nobody").status == 404)
        #expect(try guest.get("/payees/show").status == 404)
    }

    @Test func sumsAndLastDaysAreOfDaysUpToToday() throws {
        #expect(try guest.record([("payee", "Shell"), ("date", "2026-11-22")], account: cash).status == 303)
        let row = try guest.get("/payees").html.first("li", ["data-name": "Shell"])
        #expect(row?["data-count"] == "3" && row?.text.contains("75.50") == true, "the day is to come")
        #expect(row?.text.contains("21 Nov 2026") == true)
    }

    @Test func namesThatDifferInANumberAtTheEndAreOfferedAsOne() throws {
        let form = try #require(try guest.get("/payees").html.form("/payees/rename"))
        #expect(form.filter { $0.name == "from" }.map(\.value) == ["Shell", "SHELL 4711"])
        #expect(form.first { $0.name == "to" }?.value == "Shell")
    }

    @Test func severalBecomeOneAfterTheNumberWasSaidAndCanBeUndone() throws {
        let fields = [("from", "Shell"), ("from", "SHELL 4711"), ("to", "Shell AG")]
        let asked = try guest.post("/payees/rename", fields)
        #expect(asked.status == 200)
        #expect(asked.html.first("form", ["data-count": "3"]) != nil)
        #expect(asked.text.contains("3 transactions of"))
        #expect(try names().contains("Shell"))
        #expect(try guest.post("/payees/rename", fields + [("sure", "on")]).status == 303)
        let page = try guest.get("/payees")
        #expect(page.text.contains("3 transactions are now of"))
        #expect(try names() == ["O'Neil \"&\" <b>", "Shell AG"])
        let undo = page.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        #expect(try guest.post(try #require(undo)).status == 303)
        #expect(try names() == ["O'Neil \"&\" <b>", "Shell", "SHELL 4711"])
    }

    @Test func aNameThatCannotBeIsRefusedBesideItsField() throws {
        for name in ["", "  ", String(repeating: "x", count: 201)] {
            let answer = try guest.post("/payees/rename", [("from", "Shell"), ("to", name)])
            #expect(answer.status == 422 && answer.refused == ["to"])
        }
        #expect(try guest.post("/payees/rename", [("to", "x")]).status == 400)
    }

    @Test func newTransactionsBeginWithWhatIsSetForThePayee() throws {
        let page = try guest.get("/payees/show?name=Shell")
        let options = page.html.all("option").filter { $0.text == "Groceries" }
        let groceries = try #require(options.first?["value"])
        let fields = [("name", "shell"), ("category", groceries), ("note", "Full tank")]
        let answer = try guest.post("/payees/default", fields)
        #expect(answer.status == 303 && answer.header("location") == "/payees/show?name=Shell")
        let shown = try guest.get("/payees/show?name=Shell")
        #expect(shown.toasts == ["payee-default-set"])
        let form = try #require(shown.html.form("/payees/default"))
        #expect(form.first { $0.name == "category" }?.value == groceries)
        #expect(form.first { $0.name == "note" }?.value == "Full tank")
        #expect(try guest.record([("payee", "SHELL"), ("amount", "77")], account: cash).status == 303)
        let row = try guest.get("/transactions").rows("transaction").first { $0.text.contains("77.00") }
        #expect(row?.text.contains("Groceries") == true)
        let undo = shown.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        #expect(try guest.post(try #require(undo)).status == 303)
        let before = try #require(try guest.get("/payees/show?name=Shell").html.form("/payees/default"))
        #expect(before.first { $0.name == "note" }?.value == "")
    }

    @Test func usualValuesThatCannotBeAreRefusedBesideTheirFields() throws {
        let long = String(repeating: "x", count: 2_001)
        for (category, note, field) in [
            ("x", "", "category"), ("00000000000000000000000001", "kept", "category"), ("", long, "note"),
        ] {
            let fields = [("name", "Shell"), ("category", category), ("note", note)]
            let answer = try guest.post("/payees/default", fields)
            #expect(answer.status == 422 && answer.refused == [field])
            let form = try #require(answer.html.form("/payees/default"))
            #expect(form.first { $0.name == "note" }?.value == note)
        }
        #expect(try guest.post("/payees/default", [("name", "nobody")]).status == 404)
        #expect(try guest.post("/payees/default", []).status == 400)
    }
}
