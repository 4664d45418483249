// Finding transactions again: without a category, by the names of what they are on, inside of words.
import Foundation
import TestKit
import Testing

@Suite struct Finding {
    let server: Running

    init() throws { server = try Running() }

    private func path(_ query: [(String, String)]) -> String {
        var components = URLComponents()
        components.path = "/transactions"
        components.queryItems = query.map { URLQueryItem(name: $0.0, value: $0.1) }
        return components.string ?? ""
    }

    private func payees(_ visitor: Visitor, _ query: (String, String)...) throws -> [String] {
        let reply = try visitor.get(path(query))
        try #require(reply.status == 200)
        return ["Baker", "Landlord", "Savings move", "東京都水道局"].filter { payee in
            reply.rows("transaction").contains { $0.text.contains(payee) }
        }
    }

    /// A baker on Cash for groceries, a landlord on Bank without a category in October, a transfer from Cash to Bank, the
    /// water works on Card without a category.
    private func generated() throws -> Visitor {
        let guest = try server.guest()
        let accounts = try guest.accounts()
        let (cash, bank) = (try #require(accounts["Cash"]), try #require(accounts["Bank"]))
        let groceries = try #require(
            try guest.get("/categories").rows("category").first { $0.text.contains("Groceries") }?["data-id"]
        )
        for (fields, account) in [
            ([("payee", "Baker"), ("category", groceries)], cash),
            ([("payee", "Landlord"), ("date", "2026-10-01")], bank),
            ([("payee", "Savings move"), ("kind", "transfer"), ("to_account", bank)], cash),
            ([("payee", "東京都水道局")], try #require(accounts["Card"])),
        ] {
            try #require(try guest.record(fields, account: account).status == 303)
        }
        return guest
    }

    @Test func whatHasNoCategoryIsAFilterLikeTheOthers() throws {
        let guest = try generated()
        #expect(try payees(guest, ("category", "none")) == ["Landlord", "東京都水道局"])
        #expect(try payees(guest, ("category", "none"), ("month", "2026-10")) == ["Landlord"])
        #expect(try payees(guest, ("category", "none"), ("q", "bank")) == ["Landlord"])
        #expect(try payees(guest, ("category", "none"), ("kind", "transfer")).isEmpty)
        #expect(try guest.get("/transactions?category=never").status == 404)
        let page = try guest.get("/transactions?month=2026-11&category=none")
        #expect(page.html.first("option", ["value": "none", "selected": ""])?.text == "No category")
        #expect(page.html.first("a", ["data-filter": "category"])?.text.contains("No category") == true)
        let previous = try #require(page.html.first("a", ["rel": "prev"])?["href"])
        #expect(previous == "/transactions?month=2026-10&category=none")
        #expect(page.html.first("a", ["href": "/transactions?month=all&category=none"]) != nil)
    }

    @Test func itsPagesGoOn() throws {
        let guest = try generated()
        let account = try #require(try guest.accounts()["Cash"])
        for number in 1...55 { _ = try guest.record([("payee", "N\(number)")], account: account) }
        let first = try guest.get("/transactions?category=none")
        #expect(first.rows("transaction").count == 50)
        let next = try #require(first.html.first("a", ["rel": "next", "class": "btn"])?["href"])
        #expect(next.contains("category=none") && next.contains("after="))
        #expect(try guest.get(next).rows("transaction").count == 7)
    }

    @Test func theLinesThatSayNoCategoryLeadThere() throws {
        let guest = try generated()
        let href = "/transactions?month=2026-11&category=none&kind=spending"
        #expect(try guest.get("/").html.all("a", ["href": href]).contains { $0.text.contains("No category") })
        #expect(try guest.get("/reports").html.first("a", ["href": href])?.text == "No category")
        #expect(
            try payees(guest, ("month", "2026-11"), ("kind", "spending"), ("category", "none")) == ["東京都水道局"]
        )
        let longer = try guest.get("/reports?from=2026-10&to=2026-11")
        #expect(
            longer.html.first(
                "a",
                ["href": "/transactions?from=2026-10-01&to=2026-11-30&category=none&kind=spending"]
            ) != nil
        )
    }

    static let searches: [(String, [String])] = [
        ("groceries", ["Baker"]), ("GROC cash", ["Baker"]), ("cash", ["Baker", "Savings move"]),
        ("bank", ["Landlord", "Savings move"]), ("水道", ["東京都水道局"]), ("水道 card", ["東京都水道局"]),
        ("水道 cash", []), ("land", ["Landlord"]), ("andlord", []), ("baker 12.50", ["Baker"]),
    ]

    @Test func aSearchFindsNamesAndInsideOfWordsInAllMonths() throws {
        let guest = try generated()
        for (text, found) in Self.searches {
            #expect(try payees(guest, ("q", text)) == found, "\(text)")
            #expect(try payees(guest, ("q", text), ("shown", "2026-03")) == found, "\(text)")
        }
        #expect(try payees(guest, ("q", "bank"), ("month", "2026-10")) == ["Landlord"])
        let label = try guest.get("/transactions").html.first("label", ["for": "q"])?.text
        #expect(label == "Search payee, note, tag, category, account or amount")
    }
}
