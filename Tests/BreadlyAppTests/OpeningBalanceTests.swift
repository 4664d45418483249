// The opening balance of an account: a debt is a tick, because the keypads of phones have no minus.
import TestKit
import Testing

@Suite struct OpeningBalances {
    private let server: Running
    private let guest: Visitor

    init() throws {
        server = try Running()
        guest = try server.guest()
        _ = try guest.get("/accounts")
    }

    private func add(_ fields: [(String, String)]) throws -> Reply {
        try guest.post("/accounts", [("type", "loan"), ("currency", "EUR")] + fields)
    }

    private func page(_ name: String) throws -> String {
        "/accounts/\(try #require(try guest.accounts()[name]))"
    }

    /// The balance of an account on its page, in minor units.
    private func balance(_ page: String) throws -> String? {
        try guest.get(page).html.first("span", ["data-currency": "EUR"])?["data-amount"]
    }

    @Test(
        arguments: [
            ("500", "on", "-50000"), ("-500", "on", "-50000"), ("\u{2212}500", "on", "-50000"),
            ("200+300", "on", "-50000"), ("0", "on", "0"), ("", "on", "0"),
            ("500", nil, "50000"), ("500", "", "50000"), ("-500", nil, "-50000"),
        ] as [(String, String?, String)]
    )
    func aTickMakesADebtOfIt(opening: String, owed: String?, balance: String) throws {
        let ticks = owed.map { [("owed", $0)] } ?? []
        #expect(try add([("name", "House"), ("opening", opening)] + ticks).status == 303)
        let page = try page("House")
        #expect(try self.balance(page) == balance)
        // The form has the amount with its sign, which changing another field keeps, also with a few fields only.
        let shown = try #require(try guest.get(page).html.form(page)).map { ($0.name, $0.value) }
        #expect(!shown.contains { $0.0 == "owed" })
        let renamed = shown.filter { $0.0 != "name" } + [("name", "Home")]
        #expect(try guest.post(page, renamed, csrf: false).status == 303)
        #expect(try self.balance(page) == balance)
        _ = try guest.get(page)
        #expect(try guest.post(page, [("name", "Hut")]).status == 303)
        #expect(try self.balance(page) == balance)
    }

    @Test func aStoredBalanceBecomesADebt() throws {
        try #require(try add([("name", "House"), ("opening", "500")]).status == 303)
        let page = try page("House")
        let shown = try #require(try guest.get(page).html.form(page)).map { ($0.name, $0.value) }
        #expect(try guest.post(page, shown + [("owed", "on")], csrf: false).status == 303)
        #expect(try balance(page) == "-50000")
    }

    @Test func aRefusedFormKeepsItsTick() throws {
        let refused = try add([("name", ""), ("opening", "500"), ("owed", "on")])
        #expect(refused.status == 422 && refused.refused == ["name"])
        #expect(refused.html.form("/accounts")?.contains { $0 == ("owed", "on") } == true)
        let unknown = try add([("name", "House"), ("opening", "500"), ("owed", "maybe")])
        #expect(unknown.status == 422 && unknown.refused == ["owed"])
    }
}
