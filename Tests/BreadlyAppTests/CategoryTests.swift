// The categories' own pages: figures of a row, merging, archiving and orders. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct Categories {
    private let server: Running
    private let guest: Visitor
    private let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
    }

    private func row(_ name: String) throws -> HTMLElement? {
        try guest.get("/categories").rows("category").first { $0.text.hasPrefix(name) }
    }

    private func id(_ name: String) throws -> String { try #require(try row(name)?["data-id"]) }

    private func add(_ name: String, in parent: String = "") throws -> String {
        let fields = [
            ("name", name), ("kind", "expense"), ("icon", "tag"), ("color", "sky"), ("parent", parent),
        ]
        try #require(try guest.post("/categories", fields).status == 303)
        return try id(name)
    }

    private func record(_ category: String, _ amount: String = "5", on day: String = "2026-11-20") throws {
        let fields = [("category", category), ("amount", amount), ("date", day)]
        try #require(try guest.record(fields, account: cash).status == 303)
    }

    /// The elements inside the first one with some attributes.
    private func inside(_ page: Reply, _ tag: String, _ wanted: [String: String], _ inner: String)
        -> [HTMLElement]
    {
        let elements = page.html.elements
        let place = elements.firstIndex { element in
            element.tag == tag && wanted.allSatisfy { element[$0] == $1 }
        }
        guard let place else { return [] }
        return elements.filter { $0.tag == inner && $0.ancestors.contains(place) }
    }

    private func names(_ page: Reply) -> [String] {
        page.html.all("li").filter { $0["data-id"] != nil }.map(\.text)
    }

    @Test func aRowLeadsToItsTransactionsOfAllMonthsAndToItsForm() throws {
        let parent = try add("Garden")
        let child = try add("Seeds", in: parent)
        #expect(try row("Garden")?.text.contains("unused") == true)
        try record(child, on: "2026-02-01")
        let shown = try #require(try row("Garden"))
        #expect(shown.text.contains("1 transaction") && !shown.text.contains("unused"))
        let page = try guest.get("/categories")
        let links = inside(page, "li", ["data-id": parent], "a").compactMap { $0["href"] }
        #expect(links.count == 2 && links[1] == "/categories/\(parent)")
        #expect(try guest.get(links[0]).rows("transaction").count == 1)
    }

    @Test func aMergeIsPreviewedDoneAndUndone() throws {
        let (garden, plants) = (try add("Garden"), try add("Plants"))
        let seeds = try add("Seeds", in: garden)
        for category in [garden, garden, seeds] { try record(category) }
        let budget = [("category", garden), ("limit", "30"), ("from", "2026-11")]
        try #require(try guest.post("/budgets", budget).status == 303)
        let other = [("category", plants), ("limit", "70"), ("from", "2026-11")]
        try #require(try guest.post("/budgets", other).status == 303)
        let choice = try guest.get("/categories/\(garden)/merge")
        #expect(choice.html.first("option", ["value": plants]) != nil)
        #expect(choice.html.first("option", ["value": garden]) == nil)
        #expect(choice.html.first("option", ["value": seeds]) == nil, "it is inside")
        let asked = try guest.post("/categories/\(garden)/merge", [("to", plants)])
        #expect(asked.status == 200 && asked.html.first("form", ["data-count": "2"]) != nil)
        #expect(asked.text.contains("2 transactions get Plants."))
        #expect(asked.text.contains("Seeds is inside Plants then."))
        #expect(asked.text.contains("€70.00 + €30.00 = €100.00"))
        #expect(try row("Garden") != nil, "nothing was merged so far")
        let stale = [("to", plants), ("sure", "on"), ("count", "1")]
        #expect(try guest.post("/categories/\(garden)/merge", stale).status == 422)
        let sure = [("to", plants), ("sure", "on"), ("count", "2")]
        #expect(try guest.post("/categories/\(garden)/merge", sure).status == 303)
        let list = try guest.get("/categories")
        #expect(list.rows("category").allSatisfy { !$0.text.hasPrefix("Garden") })
        let toast = try #require(list.html.first("div", ["data-toast": "category-merged"]))
        #expect(toast.text.contains("Garden was merged into Plants"))
        #expect(try row("Plants")?.text.contains("3 transactions") == true)
        #expect(try row("Seeds")?.text.contains("in Plants") == true)
        #expect(try guest.get("/budgets").rows("budget").contains { $0.text.contains("€100.00") })
        let undo = list.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        #expect(try guest.post(try #require(undo)).status == 303)
        #expect(try row("Garden")?.text.contains("3 transactions") == true)
        #expect(try row("Seeds")?.text.contains("in Garden") == true)
    }

    @Test func mergesThatMakeNoSenseAreRefused() throws {
        let (garden, gone) = (try add("Garden"), try add("Gone"))
        let seeds = try add("Seeds", in: garden)
        let salary = try id("Salary")
        _ = try guest.get("/categories/\(gone)")
        try #require(try guest.post("/categories/\(gone)/delete").status == 303)
        for (target, words) in [
            (garden, "Choose another category"), (seeds, "is inside this category"),
            (salary, "of the same kind"), (gone, "deleted in the meantime"), ("", "Choose another category"),
            ("x", "Choose another category"),
        ] {
            for sure in [[], [("sure", "on")]] {
                let reply = try guest.post("/categories/\(garden)/merge", [("to", target)] + sure)
                #expect(reply.status == 422 && reply.text.contains(words), "\(target): \(reply.text)")
            }
        }
        #expect(try guest.post("/categories/\(gone)/merge", [("to", garden)]).status == 404)
        #expect(try guest.get("/categories/\(gone)/merge").status == 404)
        #expect(try row("Garden") != nil)
    }

    @Test func anArchivedCategoryIsFoldedAwayAndOfferedNoMore() throws {
        let garden = try add("Garden")
        try record(garden)
        _ = try guest.get("/categories/\(garden)")
        #expect(try guest.post("/categories/\(garden)/archive").status == 303)
        let list = try guest.get("/categories")
        let folded = try #require(list.html.first("details", ["id": "archived"]))
        #expect(folded.text.contains("1 archived category") && folded.text.contains("Garden"))
        #expect(list.html.first("div", ["data-toast": "category-archived"]) != nil)
        let form = try guest.get("/transactions/new")
        #expect(form.html.first("option", ["value": garden]) == nil)
        // Its transaction keeps it, and its figures are there.
        let entries = try guest.get("/transactions?category=\(garden)")
        let entry = try #require(entries.rows("transaction").first?["data-id"])
        #expect(entries.html.first("option", ["value": garden]) != nil, "filters offer it")
        let edit = try guest.get("/transactions/\(entry)")
        #expect(edit.html.first("option", ["value": garden])?["selected"] != nil)
        #expect(try guest.get("/reports").text.contains("Garden"))
        #expect(try guest.post("/categories/\(garden)/unarchive").status == 303)
        #expect(try guest.get("/transactions/new").html.first("option", ["value": garden]) != nil)
        #expect(try guest.post("/categories/00000000000000000000000009/archive").status == 404)
    }

    @Test func onlyACategoryThatNothingUsesCanBeDeleted() throws {
        let id = try add("Unused")
        #expect(
            try guest.get("/categories/\(id)").html.first("form", ["action": "/categories/\(id)/delete"])
                != nil
        )
        #expect(
            try guest.post("/budgets", [("category", id), ("limit", "5"), ("from", "2026-11")]).status == 303
        )
        let used = try guest.get("/categories/\(id)")
        #expect(used.html.first("form", ["action": "/categories/\(id)/delete"]) == nil)
        #expect(used.html.first("form", ["action": "/categories/\(id)/archive"]) != nil)
        // An older page may still offer it, and gets the reason why not.
        #expect(try guest.post("/categories/\(id)/delete").refused == ["delete"])
    }

    @Test func accountsAndCategoriesGetAnOrder() throws {
        let page = try guest.get("/accounts/order")
        let ids = page.html.all("input", ["name": "id"]).compactMap { $0["value"] }
        let shown = names(page)
        try #require(ids.count >= 2)
        // Each row can be dragged.
        #expect(page.html.all("button", ["data-grip": ""]).count == ids.count)
        #expect(page.html.first("ul", ["data-order": ""]) != nil)
        let fields = ids.map { ("id", $0) }
        #expect(try guest.post("/accounts/order", fields + [("up", ids[1])]).status == 303)
        #expect(names(try guest.get("/accounts/order")).prefix(2) == [shown[1], shown[0]])
        // Everywhere: in the list, and in the forms.
        let list = try guest.get("/accounts").rows("account").compactMap { $0["data-id"] }
        #expect(list.prefix(2) == [ids[1], ids[0]])
        let form = try guest.get("/transactions/new")
        let options = inside(form, "select", ["name": "account"], "option").compactMap { $0["value"] }
        #expect(options.filter(ids.contains).prefix(2) == [ids[1], ids[0]])
        #expect(try guest.post("/accounts/order", fields).status == 303)
        #expect(names(try guest.get("/accounts/order")) == shown)
        // A row that is gone, one twice, and one that is missing.
        let odd = [("id", "00000000000000000000000009"), ("id", ids[1]), ("id", ids[1]), ("id", ids[0])]
        #expect(try guest.post("/accounts/order", odd).status == 303)
        #expect(names(try guest.get("/accounts/order")).count == shown.count)
        for bad in [[], [("id", "x")], [("up", "x")]] as [[(String, String)]] {
            #expect(try guest.post("/accounts/order", bad).status == 400)
        }
        let categories = try guest.get("/categories/order")
        // A row moves with those below it.
        for child in categories.html.all("li", ["class": "child"]) {
            let parent = try #require(child["data-parent"])
            #expect(categories.html.first("li", ["id": "t\(parent)"]) != nil)
        }
        let first = try #require(categories.html.all("button", ["name": "down"]).first)
        #expect(try guest.post("/categories/order", [("down", first["value"] ?? "")]).status == 303)
        let before = names(categories)
        #expect(names(try guest.get("/categories/order")).sorted() == before.sorted())
        #expect(names(try guest.get("/categories/order")) != before)
    }
}
