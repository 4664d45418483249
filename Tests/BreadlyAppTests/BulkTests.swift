// Selecting transactions and changing all of them at once, without the script. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct BulkChanges {
    private let server: Running
    private let guest: Visitor
    private let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
        for (payee, amount) in [("Shell", "40"), ("Shell", "35.50"), ("Market", "12")] {
            #expect(try guest.record([("payee", payee), ("amount", amount)], account: cash).status == 303)
        }
    }

    /// The ids of the rows of a list, with the titles of the rows.
    private func rows(_ address: String = "/transactions") throws -> [(id: String, title: String)] {
        let page = try guest.get(address)
        return page.rows("transaction").map { ($0["data-id"] ?? "", $0.text) }
    }

    private func send(_ fields: [(String, String)], ids: [String] = []) throws -> Reply {
        try guest.post("/transactions/bulk", fields + ids.map { ("id", $0) })
    }

    private func category(_ name: String) throws -> String {
        let page = try guest.get("/transactions/new").html
        let options = page.all("option").filter { $0.text == name }
        return try #require(options.first?["value"])
    }

    @Test func aListOffersItsRowsForSelection() throws {
        let page = try guest.get("/transactions").html
        let link = try #require(page.first("a", ["data-select": ""])?["href"])
        let list = try guest.get(link).html
        let boxes = list.all("input", ["type": "checkbox", "name": "id"])
        #expect(Set(boxes.map { $0["value"] }) == Set(try rows().map(\.id)))
        #expect(boxes.allSatisfy { $0["form"] == "bulk" && $0["checked"] == nil })
        let bar = try #require(list.first("form", ["id": "bulk"]))
        #expect(bar["data-count"] == "0" && bar["data-sum"] == "0")
        #expect(try guest.get(link).text.contains("All 3 that match"))
    }

    @Test func theCategoryOfTwoIsSetAtOnceAndUndone() throws {
        let (groceries, ids) = (try category("Groceries"), try rows().prefix(2).map(\.id))
        let answer = try send(
            [("action", "category"), ("value", groceries), ("back", "/transactions?select=on")],
            ids: ids
        )
        #expect(answer.status == 303 && answer.header("location") == "/transactions?select=on")
        let page = try guest.get("/transactions")
        #expect(page.text.contains("2 transactions changed."))
        #expect(page.rows("transaction").filter { $0.text.contains("Groceries") }.count == 2)
        let undo = try #require(
            page.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        )
        #expect(try guest.post(undo, []).status == 303)
        #expect(try rows().allSatisfy { !$0.title.contains("Groceries") })
    }

    @Test func allThatMatchAreOfAllPagesAndOfTheFilters() throws {
        let answer = try send([
            ("all", "on"), ("month", "all"), ("payee", "shell"), ("action", "payee"), ("value", "Shell AG"),
        ])
        #expect(answer.status == 303)
        #expect(try rows().filter { $0.title.contains("Shell AG") }.count == 2)
        #expect(try rows().filter { $0.title.contains("Market") }.count == 1)
    }

    @Test func theValueIsAskedForWithTheSelectionInSight() throws {
        let ids = try rows().prefix(2).map(\.id)
        let asked = try send([("ask", "tags-add"), ("back", "/transactions?month=all")], ids: ids)
        #expect(asked.status == 200)
        let form = try #require(asked.html.first("form", ["data-bulk": ""]))
        #expect(form["data-count"] == "2")
        #expect(asked.html.all("li", ["data-selected": ""]).map { $0["data-id"] } == ids)
        let refused = try send([("action", "tags-add"), ("value", " , ")], ids: ids)
        #expect(refused.status == 422 && refused.refused == ["value"])
        #expect(refused.text.contains("Enter at least one tag."))
        #expect(refused.html.all("input", ["name": "id"]).map { $0["value"] } == ids)
        #expect(try send([("action", "tags-add"), ("value", "car, #trip")], ids: ids).status == 303)
        #expect(try rows().filter { $0.title.contains("#car") && $0.title.contains("#trip") }.count == 2)
    }

    @Test func theSumOfTheSelectionIsSaid() throws {
        let ids = try rows("/transactions?payee=Shell&month=all").map(\.id)
        let answer = try send([("ask", "sum")], ids: ids)
        let form = try #require(answer.html.first("form", ["data-bulk": ""]))
        #expect(form["data-count"] == "2" && form["data-sum"] == "-7550")
        #expect(answer.text.contains("2 selected"))
    }

    @Test(arguments: [
        [("action", "category"), ("value", "nonsense")], [("action", "account"), ("value", "")],
        [("action", "date"), ("value", "2026-02-30")], [("action", "date"), ("value", "0026-11-21")],
        [("action", "payee"), ("value", String(repeating: "x", count: 201))],
        [("action", "note"), ("value", String(repeating: "x", count: 2_001))],
        [("action", "tags-remove"), ("value", "")],
        [("action", "tags-add"), ("value", String(repeating: "x", count: 41))],
    ])
    func aValueThatCannotBeIsRefusedBesideItsField(fields: [(String, String)]) throws {
        let before = try rows().map(\.title)
        let answer = try send(fields, ids: try rows().map(\.id))
        #expect(answer.status == 422 && answer.refused == ["value"])
        #expect(try rows().map(\.title) == before)
    }

    @Test func nothingSelectedAndWhatIsNoSelectionIsRefused() throws {
        let nothing = try send([("action", "delete")])
        #expect(nothing.status == 422 && nothing.text.contains("Nothing is selected."))
        #expect(try send([("action", "delete")], ids: ["nonsense"]).status == 400)
        #expect(try send([("action", "explode")], ids: try rows().map(\.id)).status == 400)
        #expect(try send([], ids: try rows().map(\.id)).status == 400)
        #expect(try rows().count == 3)
    }

    @Test func oneThatWasDeletedMeanwhileIsSaidAndTheRestDone() throws {
        let ids = try rows().map(\.id)
        #expect(try guest.post("/transactions/\(ids[0])/delete", []).status == 303)
        #expect(try send([("action", "note"), ("value", "checked")], ids: ids).status == 303)
        let page = try guest.get("/transactions").text
        #expect(page.contains("2 transactions changed. 1 was deleted meanwhile."))
    }

    @Test func theyAreDeletedAndDuplicatedTogether() throws {
        let ids = try rows().map(\.id)
        #expect(try send([("action", "duplicate")], ids: ids).status == 303)
        #expect(try guest.get("/transactions").text.contains("3 copies added, of today."))
        #expect(try rows().count == 6)
        #expect(try send([("action", "delete"), ("all", "on"), ("month", "all")]).status == 303)
        let page = try guest.get("/transactions")
        #expect(page.text.contains("6 transactions deleted."))
        #expect(page.rows("transaction").isEmpty)
    }

    @Test func rowsOfARegisterAreSelectedInTheSameWay() throws {
        let register = "/accounts/\(cash)/transactions"
        let link = try #require(try guest.get(register).html.first("a", ["data-select": ""])?["href"])
        #expect(link.hasPrefix(register))
        let list = try guest.get(link)
        #expect(list.html.all("input", ["type": "checkbox", "name": "id", "form": "bulk"]).count == 3)
        #expect(list.text.contains("All 3 that match"))
        let bar = try #require(list.html.form("/transactions/bulk")).map { ($0.name, $0.value) }
        #expect(bar.contains { $0 == ("account", cash) } && bar.contains { $0 == ("back", link) })
        let fields = bar.filter { $0.0 != "value" && $0.0 != "csrf" }
        let groceries = try category("Groceries")
        let answer = try send(fields + [("all", "on"), ("action", "category"), ("value", groceries)])
        #expect(answer.status == 303 && answer.header("location") == link)
        #expect(try guest.get(register).rows("transaction").allSatisfy { $0.text.contains("Groceries") })
    }
}
