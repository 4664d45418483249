// Filters in words, orders and saved views of the list of transactions. The clock shows 21 November 2026.
import Foundation
import TestKit
import Testing

@Suite struct FiltersInWords {
    private let server: Running
    private let guest: Visitor
    private let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
        for fields in [
            [("payee", "Bread"), ("amount", "4.50"), ("tags", "home")],
            [("payee", "Fridge"), ("amount", "450"), ("tags", "home, big")],
            [("payee", "Oven"), ("amount", "120.50"), ("date", "2026-10-05")],
            [("payee", "Lamp"), ("amount", "12.50"), ("date", "2025-03-31")],
        ] {
            #expect(try guest.record(fields, account: cash).status == 303)
        }
    }

    private static func address(_ fields: [(String, String)]) -> String {
        var address = URLComponents()
        address.path = "/transactions"
        address.queryItems = fields.map { URLQueryItem(name: $0.0, value: $0.1) }
        return (address.string ?? "").replacingOccurrences(of: "+", with: "%2B")
    }

    private func page(_ fields: [(String, String)]) throws -> Reply { try guest.get(Self.address(fields)) }

    /// The payees in the order of the rows.
    private static func payees(_ reply: Reply) -> [String] {
        reply.rows("transaction").compactMap { row in
            ["Bread", "Fridge", "Oven", "Lamp"].first { row.text.contains($0) }
        }
    }

    private func chips(_ reply: Reply) -> [String] {
        reply.html.all("a").compactMap { $0["data-filter"] }
    }

    static let searches: [(String, [String], [String])] = [
        (">100", ["Fridge", "Oven"], ["amount"]), ("> 100 fri", ["Fridge"], ["amount"]),
        ("4..13", ["Bread", "Lamp"], ["amount"]), ("=12.50", ["Lamp"], ["amount"]),
        ("2025", ["Lamp"], ["days"]), ("2025-03", ["Lamp"], []), ("last month", ["Oven"], ["days"]),
        ("2025-01-01..2026-10-31", ["Oven", "Lamp"], ["days"]), ("#home", ["Bread", "Fridge"], ["tag"]),
        ("#home #big", ["Fridge"], ["tag", "tag"]), ("payee:oven", ["Oven"], ["payee"]),
        ("account:cash >400", ["Fridge"], ["amount", "account"]),
        ("uncategorised <5", ["Bread"], ["amount", "category"]),
        ("kind:income", [], ["kind"]), ("with receipt", [], ["receipt"]), ("from a bank", [], ["bank"]),
        ("12.50", ["Lamp"], []), ("bread", ["Bread"], []),
    ]

    @Test(arguments: searches)
    func wordsOfTheSearchAreFilters(text: String, payees: [String], chips: [String]) throws {
        let reply = try page([("q", text)])
        #expect(reply.status == 200 && Set(Self.payees(reply)) == Set(payees))
        #expect(self.chips(reply) == chips)
        // The sum is of the same rows.
        let total = reply.html.first("p", ["data-total": ""])
        #expect(payees.isEmpty || total?["data-count"] == "\(payees.count)")
        for chip in reply.html.all("a") where chip["data-filter"] != nil {
            let wider = try guest.get(try #require(chip["href"]))
            #expect(wider.status == 200 && Set(Self.payees(wider)).isSuperset(of: payees))
            #expect(self.chips(wider).count == chips.count - 1)
        }
    }

    @Test func theFilterIsInTheFieldsAndInTheSum() throws {
        let reply = try page([("q", ">100 fri"), ("month", "all")])
        #expect(reply.html.first("input", ["id": "q"])?["value"] == "fri")
        #expect(reply.html.first("input", ["id": "f-amount"])?["value"] == ">100")
        let total = try #require(reply.html.first("p", ["data-total": ""]))
        #expect(total["data-count"] == "1" && total.text.contains("450.00"))
        let filters = "month=all&amount=%3E100&q=fri"
        #expect(reply.html.first("a", ["data-select": ""])?["href"] == "/transactions?\(filters)&select=on")
        #expect(reply.html.first("a", ["href": "/export/transactions.csv?\(filters)"]) != nil)
    }

    static let unread = [
        (">>5", "is no filter"), ("20..10", "The smaller amount comes first"),
        ("2025-13", "is no day or month"),
        ("account:nowhere", "Nothing here is called that"), ("1...5", "is no filter"),
    ]

    @Test(arguments: unread)
    func whatIsNoFilterIsSearchedForAndSaid(text: String, words: String) throws {
        let reply = try page([("q", text)])
        #expect(reply.status == 200 && reply.text.contains(words) && chips(reply).isEmpty)
        #expect(reply.html.first("input", ["id": "q"])?["value"] == text)
    }

    static let refused = [">>5", "20..10", "ten", "..", "-5", "1..2..3", "100%", "\"5\"", "5 EUR"]

    @Test(arguments: refused)
    func anAmountThatIsNoFilterIsRefusedBesideItsField(text: String) throws {
        let reply = try page([("amount", text), ("month", "all")])
        #expect(reply.status == 422 && reply.refused == ["amount"])
        #expect(reply.html.first("input", ["id": "f-amount"])?["value"] == text)
        #expect(reply.html.first("details", ["open": ""]) != nil)
        #expect(Self.payees(reply).count == 4, "the other filters count")
        let bulk = [("all", "on"), ("amount", text), ("action", "payee"), ("value", "x")]
        #expect(try guest.post("/transactions/bulk", bulk).status == 400)
    }

    static let malformed = [
        "sort=foo", "sort=-", "days=ever", "receipt=x", "bank=x", "after=2026-11-21.x", "month=2026-13",
        "sort=amount&after=2026-11-21.00000000000000000000000001",
        "tag=" + String(repeating: "x", count: 41),
    ]

    @Test(arguments: malformed)
    func otherFieldsAreRefused(query: String) throws {
        #expect(try guest.get("/transactions?\(query)").status == 400)
    }

    @Test func unknownViewsAndNamesAreNotFound() throws {
        for query in ["view=x", "view=00000000000000000000000001", "account=x", "category=x"] {
            #expect(try guest.get("/transactions?\(query)").status == 404, "\(query)")
        }
        for text in ["", " ", "%", "\u{200F}>100\u{200F}", "'\"<b>", String(repeating: ">1 ", count: 66)] {
            #expect(try page([("q", text)]).status == 200, "\(text)")
        }
        let long = String(repeating: "9", count: 10_000)
        #expect([400, 414, 422, 431].contains(try page([("amount", long)]).status))
        #expect([400, 414, 431].contains(try page([("q", long)]).status))
    }

    static let orders: [(String, [String])] = [
        ("date", ["Lamp", "Oven"]), ("-date", ["Oven", "Lamp"]),
        ("amount", ["Bread", "Lamp", "Oven", "Fridge"]),
        ("-amount", ["Fridge", "Oven", "Lamp", "Bread"]), ("payee", ["Bread", "Fridge", "Lamp", "Oven"]),
        ("-payee", ["Oven", "Lamp", "Fridge", "Bread"]),
    ]

    @Test(arguments: orders)
    func theListHasOrders(order: String, payees: [String]) throws {
        let reply = try page([("month", "all"), ("sort", order)])
        let found = Self.payees(reply)
        #expect(found.filter(payees.contains) == payees)
        let list = try #require(reply.html.first("div", ["id": "list"]))
        #expect(list.text.contains("Monday 5 October 2026") == order.hasSuffix("date"))
        #expect(list.text.contains("5 Oct 2026") != order.hasSuffix("date"), "rows have it without headings")
        #expect(chips(reply) == (order == "-date" ? [] : ["sort"]))
    }

    @Test func allThatMatchFollowTheFiltersAndIgnoreTheOrder() throws {
        let reply = try page([("month", "all"), ("amount", ">100"), ("sort", "amount"), ("select", "on")])
        let form = try #require(reply.html.form("/transactions/bulk"))
        #expect(form.contains { $0.name == "amount" && $0.value == ">100" })
        #expect(!form.contains { $0.name == "sort" || $0.name == "after" })
        #expect(reply.text.contains("All 2 that match"))
        let fields = form.map { ($0.name, $0.value) }.filter { ["month", "amount"].contains($0.0) }
        let answer = try guest.post(
            "/transactions/bulk",
            fields + [("all", "on"), ("action", "note"), ("value", "dear")]
        )
        #expect(answer.status == 303)
        #expect(try Set(Self.payees(page([("q", "dear")]))) == ["Fridge", "Oven"])
    }

    @Test func theSpreadsheetHasWhatTheListHas() throws {
        let sheet = try guest.get("/export/transactions.csv?month=all&amount=%3E100").text
        #expect(sheet.contains("Fridge") && sheet.contains("Oven"))
        #expect(!sheet.contains("Bread") && !sheet.contains("Lamp"))
        #expect(try guest.get("/export/transactions.csv").text.contains("Lamp"))
        #expect(try guest.get("/export/transactions.csv?sort=foo").status == 400)
    }
}

@Suite struct SavedViews {
    private let server: Running
    private let guest: Visitor

    init() throws {
        server = try Running()
        guest = try server.guest()
        let cash = try #require(try guest.accounts()["Cash"])
        for (payee, amount) in [("Bread", "4.50"), ("Fridge", "450")] {
            #expect(try guest.record([("payee", payee), ("amount", amount)], account: cash).status == 303)
        }
    }

    @discardableResult
    private func save(_ name: String, _ query: String, _ more: [(String, String)] = []) throws -> Reply {
        try guest.post("/views", [("name", name), ("query", query)] + more)
    }

    private func views() throws -> [String] {
        try guest.get("/views").rows("view").compactMap { $0["data-id"] }
    }

    @Test func aListIsSavedUnderANameAndOpenedFromTheList() throws {
        let list = try guest.get("/transactions?amount=%3E100&month=all")
        let href = try #require(list.html.all("a").first { $0.text == "Save this list" }?["href"])
        let form = try #require(try guest.get(href).html.form("/views"))
        let query = try #require(form.first { $0.name == "query" }?.value)
        #expect(query == "month=all&amount=%3E100")
        let answer = try save("Large", query)
        #expect(answer.status == 303)
        let address = try #require(answer.header("location"))
        #expect(address.hasPrefix("/transactions?view="))
        let view = try guest.get(address)
        #expect(
            view.rows("transaction").count == 1 && view.text.contains("Fridge")
                && view.text.contains("View saved")
        )
        #expect(try guest.get("/transactions").html.first("a", ["href": address])?.text == "Large")
    }

    @Test func theCurrentMonthIsSavedAsThisMonth() throws {
        let list = try guest.get("/transactions")
        let href = try #require(list.html.all("a").first { $0.text == "Save this list" }?["href"])
        #expect(href == "/views?query=days%3Dthis-month")
    }

    @Test func aNameThatIsInUseIsReplacedAfterAQuestion() throws {
        try save("Large", "month=all&amount=%3E100")
        let asked = try save("LARGE", "month=all&q=bread")
        #expect(asked.status == 422 && asked.refused == ["name"])
        #expect(asked.text.contains("Replace it?"))
        let before = try views()
        #expect(try save("LARGE", "month=all&q=bread", [("same_name", "LARGE")]).status == 303)
        let view = try guest.get("/transactions?view=\(before[0])")
        #expect(try views() == before && before.count == 1)
        #expect(view.rows("transaction").contains { $0.text.contains("Bread") })
        #expect(!view.rows("transaction").contains { $0.text.contains("Fridge") })
        let undo = try #require(
            view.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        )
        #expect(try guest.post(undo).status == 303)
        let again = try guest.get("/transactions?view=\(before[0])").rows("transaction")
        #expect(again.contains { $0.text.contains("Fridge") })
    }

    @Test func itIsRenamedAndDeletedWithUndo() throws {
        try save("Large", "month=all&amount=%3E100")
        try save("Bread", "q=bread")
        let id = try #require(
            try guest.get("/views").rows("view").first { $0.text.contains("Large") }?["data-id"]
        )
        let form = try #require(try guest.get("/views/\(id)").html.form("/views/\(id)"))
        func rename(_ name: String) throws -> Reply {
            try guest.post(
                "/views/\(id)",
                form.filter { !["csrf", "name"].contains($0.name) }.map { ($0.name, $0.value) } + [
                    ("name", name)
                ]
            )
        }
        #expect(try rename("bread").refused == ["name"] && rename("").refused == ["name"])
        #expect(try rename("Dear").status == 303)
        #expect(try guest.get("/views").text.contains("Dear"))
        #expect(try guest.post("/views/\(id)/delete").status == 303)
        let page = try guest.get("/views")
        #expect(page.text.contains("View deleted") && page.rows("view").count == 1)
        #expect(try guest.get("/transactions?view=\(id)").status == 404)
        #expect(try guest.post("/views/\(id)/restore").status == 303)
        #expect(try views().count == 2)
    }

    static let refused = [
        "view=00000000000000000000000001", "nonsense=1", "kind=foo", "amount=ten", "sort=foo", "q=a&q=b",
        "a%ZZ",
        "q=" + String(repeating: "x", count: 2_001),
    ]

    @Test(arguments: refused)
    func aQueryThatIsNoneOfTheListIsRefused(query: String) throws {
        #expect(try save("View", query).status == 400)
        #expect(try views().isEmpty)
    }

    @Test func aNameThatCannotBeIsRefusedBesideItsField() throws {
        for name in ["", "  ", String(repeating: "x", count: 81)] {
            let answer = try save(name, "month=all")
            #expect(answer.status == 422 && answer.refused == ["name"])
            #expect(answer.html.form("/views")?.first { $0.name == "query" }?.value == "month=all")
        }
    }

    @Test func aDeletedAccountOrCategoryIsSaidAndTheRestShown() throws {
        let bank = try #require(try guest.accounts()["Bank"])
        try save("On the bank", "month=all&account=\(bank)&amount=%3E100")
        let id = try #require(try views().first)
        #expect(try guest.get("/transactions?view=\(id)").rows("transaction").isEmpty)
        #expect(try guest.post("/accounts/\(bank)/delete").status == 303)
        let view = try guest.get("/transactions?view=\(id)")
        #expect(view.text.contains("The account of this view was deleted."))
        #expect(view.rows("transaction").count == 1 && view.text.contains("Fridge"))
    }
}
