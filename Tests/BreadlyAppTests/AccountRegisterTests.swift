// The pages of one account, as a guest reads them. The clock shows 21 November 2026.
import Foundation
import TestKit
import Testing

extension Reply {
    /// The rows of a register with their balances, newest first: title, amount and balance.
    fileprivate var register: [String] {
        // Without the script, each row has a button for its form.
        rows("transaction").map { $0.text.replacing(#/ Edit here .*/#, with: "") }
    }

    fileprivate var main: String { html.first("main")?.text ?? "" }

    fileprivate func toast(_ key: String) -> String? { html.first("div", ["data-toast": key])?.text }

    /// The labels of a select.
    fileprivate func options(_ name: String) -> [String] {
        guard let start = html.elements.firstIndex(where: { $0.tag == "select" && $0["name"] == name }) else {
            return []
        }
        return html.elements[(start + 1)...].prefix { $0.tag == "option" }.map(\.text)
    }

    fileprivate func error(_ field: String) -> String? {
        html.first("p", ["role": "alert", "data-field": field])?.text
    }
}

/// A guest with entries on Bank and Card.
private struct RegisterGuest {
    let visitor: Visitor
    let cash: String
    let bank: String
    let card: String

    init(_ server: Running) throws {
        visitor = try server.guest()
        let accounts = try visitor.accounts()
        cash = try #require(accounts["Cash"])
        bank = try #require(accounts["Bank"])
        card = try #require(accounts["Card"])
    }

    func path(_ account: String) -> String { "/accounts/\(account)/transactions" }

    func record(_ fields: [(String, String)], _ account: String) throws {
        try #require(try visitor.record(fields, account: account).status == 303)
    }

    /// A salary, a bill and a transfer to the card, which pays for a purchase in dollars.
    func fill() throws {
        let opening = [("name", "Bank"), ("type", "bank"), ("currency", "EUR"), ("opening", "100")]
        try #require(try visitor.post("/accounts/\(bank)", opening).status == 303)
        try record([("kind", "income"), ("amount", "1000"), ("payee", "Work"), ("date", "2026-10-01")], bank)
        try record([("amount", "40"), ("payee", "Power"), ("date", "2026-11-05")], bank)
        let transfer = [("kind", "transfer"), ("amount", "200"), ("payee", ""), ("to_account", card)]
        try record(transfer + [("date", "2026-11-10")], bank)
        let dollars = [("amount", "20"), ("currency", "USD"), ("to_amount", "18.50"), ("payee", "Books")]
        try record(dollars + [("date", "2026-11-12")], card)
    }
}

@Suite struct RegistersOfAccountsOnPages {
    private let server: Running
    private let guest: RegisterGuest

    init() throws {
        server = try Running()
        guest = try RegisterGuest(server)
        try guest.fill()
    }

    @Test func eachRowHasItsBalance() throws {
        let bank = try guest.visitor.get(guest.path(guest.bank))
        #expect(
            bank.register == [
                "To Card Transfer −€200.00 Balance €860.00", "Power No category −€40.00 Balance €1,060.00",
                "Work No category +€1,000.00 Balance €1,100.00",
            ]
        )
        #expect(bank.html.first("ul", ["id": "before"])?.text == "Opening balance €100.00")
        #expect(bank.html.first("div", ["id": "totals"])?.text == "Bank, EUR €860.00 3 transactions")
        let card = try guest.visitor.get(guest.path(guest.card))
        #expect(
            card.register == [
                "Books No category −€18.50 −US$20.00 Balance €181.50",
                "From Bank Transfer +€200.00 Balance €200.00",
            ]
        )
        let amount = card.html.elements.first { $0["data-balance"] != nil }
        #expect(amount?["data-balance"] == "18150")
        let empty = try guest.visitor.get(guest.path(guest.cash))
        #expect(empty.main.contains("There are no transactions on this account yet."))
    }

    @Test func filtersLeaveTheBalancesAsTheyAre() throws {
        func register(_ query: String) throws -> Reply {
            try guest.visitor.get(guest.path(guest.bank) + query)
        }
        #expect(try register("?q=power").register == ["Power No category −€40.00 Balance €1,060.00"])
        #expect(try register("?kind=income").register == ["Work No category +€1,000.00 Balance €1,100.00"])
        let november = try register("?month=2026-11")
        #expect(november.register.count == 2)
        #expect(november.html.first("ul", ["id": "before"])?.text == "Balance before November 2026 €1,100.00")
        let september = try register("?month=2026-09")
        #expect(september.main.contains("Nothing was written down in September 2026."))
        #expect(september.html.first("ul", ["id": "before"])?.text == "Balance before September 2026 €100.00")
        #expect(try register("?q=nothing").main.contains("Nothing matches."))
        #expect(try register("?kind=gift").status == 400)
        for path in ["/accounts/00000000000000000000000001/transactions", "/accounts/x/transactions"] {
            #expect(try guest.visitor.get(path).status == 404)
        }
    }

    static let searches: [(String, [String], [String])] = [
        ("%3E500", ["Work"], ["amount"]), ("kind:income", ["Work"], ["kind"]),
        ("payee:power", ["Power"], ["payee"]), ("last%20month", ["Work"], ["days"]),
        ("uncategorised%20%3C100", ["Power"], ["amount", "category"]), ("%23trip", [], ["tag"]),
        ("with%20receipt", [], ["receipt"]), ("power", ["Power"], []),
    ]

    @Test(arguments: searches)
    func wordsOfTheSearchAreFiltersHereToo(text: String, titles: [String], chips: [String]) throws {
        let page = try guest.visitor.get(guest.path(guest.bank) + "?q=\(text)")
        #expect(page.register.map { $0.prefix { $0 != " " } } == titles.map { $0[...] })
        let shown = page.html.all("a").filter { $0["data-filter"] != nil }
        #expect(shown.compactMap { $0["data-filter"] }.sorted() == chips.sorted())
        // Without its only filter, the register is whole again.
        if chips.count == 1 { #expect(shown.first?["href"] == guest.path(guest.bank)) }
        // The balance before a month is that of all rows, and before other rows there is none to name.
        if chips != ["days"] { #expect(page.html.first("ul", ["id": "before"]) == nil) }
    }

    @Test func filtersOfARegisterAreItsAddress() throws {
        func register(_ query: String) throws -> Reply {
            try guest.visitor.get(guest.path(guest.bank) + query)
        }
        let days = try register("?from=2026-11-01&to=2026-11-05")
        #expect(days.register == ["Power No category −€40.00 Balance €1,060.00"])
        #expect(days.html.first("ul", ["id": "before"]) == nil)
        #expect(days.html.first("input", ["name": "to"])?["value"] == "2026-11-05")
        let refused = try register("?amount=much")
        #expect(refused.status == 422 && refused.error("amount") != nil)
        #expect(refused.html.first("input", ["name": "amount"])?["value"] == "much")
        // The rows stay those of this account.
        let other = try register("?q=account:cash")
        #expect(other.register.count == 3 && other.main.contains("All of these are of one account"))
        let same = try register("?q=account:bank")
        #expect(same.register.count == 3 && !same.main.contains("All of these are of one account"))
    }

    @Test func itsPagesFollowOneAnother() throws {
        for number in 1...120 {
            try guest.record([("amount", "1"), ("payee", "Shop \(number)")], guest.cash)
        }
        var path: String? = guest.path(guest.cash)
        var balances: [Int] = []
        while let next = path {
            let page = try guest.visitor.get(next)
            balances += page.html.elements.compactMap { $0["data-balance"].flatMap { Int($0) } }
            path = page.html.first("a", ["rel": "next", "class": "btn"])?["href"]
        }
        #expect(balances == (1...120).reversed().map { $0 * -100 })
    }

    @Test func isOneLinkAwayFromTheAccountsAndFromItsForm() throws {
        let path = guest.path(guest.bank)
        for page in ["/", "/accounts", "/accounts/\(guest.bank)"] {
            #expect(try guest.visitor.get(page).html.first("a", ["href": path]) != nil, "\(page)")
        }
        let edit = try guest.visitor.get(path).html.first("a", ["href": "/accounts/\(guest.bank)"])
        #expect(edit?.text == "Edit account")
    }

    @Test func whatIsAddedBesideItComesBackToIt() throws {
        let path = guest.path(guest.bank) + "?month=2026-11"
        let form = try #require(try guest.visitor.get(path).html.form("/transactions"))
        let values = Dictionary(form.map { ($0.name, $0.value) }) { $1 }
        #expect(values["account"] == guest.bank && values["back"] == path)
        let entry = form.filter { !["amount", "payee"].contains($0.name) }.map { ($0.name, $0.value) }
        let wrong = try guest.visitor.post(
            "/transactions",
            entry + [("amount", "x"), ("payee", "Bar")],
            csrf: false
        )
        #expect(wrong.status == 422 && wrong.refused == ["amount"])
        #expect(wrong.html.first("h1")?.text == "Bank" && wrong.register.count == 3)
        let typed = wrong.html.form("/transactions")
        #expect(typed?.last { $0.name == "payee" }?.value == "Bar")
        let saved = try guest.visitor.post(
            "/transactions",
            entry + [("amount", "7"), ("payee", "Bar")],
            csrf: false
        )
        #expect(saved.header("location")?.hasPrefix(path + "#t") == true)
        #expect(
            try guest.visitor.get(path).register.first == "Bar No category −€7.00 Balance €853.00"
        )
    }

    @Test func theFullFormBeginsWithItsAccount() throws {
        let origin = "http://127.0.0.1:\(guest.visitor.port)"
        let headers = [("Sec-Fetch-Site", "same-origin"), ("Referer", origin + guest.path(guest.card))]
        let form = try guest.visitor.get("/transactions/new", headers: headers).html.form("/transactions")
        #expect(form?.last { $0.name == "account" }?.value == guest.card)
        #expect(form?.last { $0.name == "back" }?.value == guest.path(guest.card))
    }
}

@Suite struct ClosedAccountsOnPages {
    private let server: Running
    private let guest: RegisterGuest

    init() throws {
        server = try Running()
        guest = try RegisterGuest(server)
        try guest.fill()
    }

    private func close(_ account: String) throws {
        _ = try guest.visitor.get("/accounts")
        try #require(try guest.visitor.post("/accounts/\(account)/close").status == 303)
    }

    @Test func sayWhatBecomesOfTheBalance() throws {
        let edit = try guest.visitor.get("/accounts/\(guest.card)")
        #expect(edit.main.contains("Its balance of €181.50 still counts in your totals."))
        let empty = try guest.visitor.get("/accounts/\(guest.cash)")
        #expect(empty.main.contains("A closed account is kept with its transactions."))
        #expect(!empty.main.contains("still counts"))
        try close(guest.card)
        let list = try guest.visitor.get("/accounts")
        let told = "Account closed. Its balance of €181.50 still counts in your totals Undo"
        #expect(list.toast("account-closed") == told)
        #expect(
            list.html.first("section", ["id": "closed"])?.text.contains("Card Card · 2 transactions €181.50")
                == true
        )
        #expect(list.html.first("dl")?.text == "Together, EUR €1,041.50")
        try close(guest.cash)
        #expect(try guest.visitor.get("/accounts").toast("account-closed") == "Account closed Undo")
        let overview = try guest.visitor.get("/").rows("account").map(\.text)
        #expect(overview.contains("Card Closed €181.50") && !overview.contains { $0.hasPrefix("Cash") })
        #expect(try guest.visitor.get("/history").text.contains("now closed"))
    }

    @Test func areHiddenFromFormsAndKeptInTheirTransactions() throws {
        let id = try #require(
            try guest.visitor.get(guest.path(guest.card)).rows("transaction").first?["data-id"]
        )
        try close(guest.card)
        #expect(try guest.visitor.get("/transactions/new").options("account") == ["Cash", "Bank"])
        #expect(try guest.visitor.get("/transactions?month=all").options("account").last == "Card (closed)")
        let edit = try guest.visitor.get("/transactions/\(id)")
        #expect(edit.options("account") == ["Cash", "Bank", "Card (closed)"])
        let form = try #require(edit.html.form("/transactions/\(id)")).filter { $0.name != "note" }
        let fields = form.map { ($0.name, $0.value) } + [("note", "about bread")]
        #expect(try guest.visitor.post("/transactions/\(id)", fields, csrf: false).status == 303)
        let register = try guest.visitor.get(guest.path(guest.card))
        #expect(register.text.contains("about bread"))
        #expect(register.main.contains("This account is closed: it is kept with its transactions"))
        #expect(register.html.form("/transactions") == nil)
    }

    @Test func refuseAStaleFormAndKeepWhatWasTyped() throws {
        let form = try #require(try guest.visitor.get(guest.path(guest.card)).html.form("/transactions"))
        try close(guest.card)
        let typed = form.filter { !["amount", "payee"].contains($0.name) }.map { ($0.name, $0.value) }
        let reply = try guest.visitor.post(
            "/transactions",
            typed + [("amount", "3"), ("payee", "Late")],
            csrf: false
        )
        #expect(reply.status == 422)
        #expect(reply.error("account") == "This account is closed. Choose another, or reopen it first.")
        let again = try #require(reply.html.form("/transactions"))
        #expect(again.last { $0.name == "payee" }?.value == "Late")
        #expect(again.last { $0.name == "account" }?.value == guest.card)
        #expect(reply.options("account").last == "Card (closed)")
        // Through the full form, and to the account of a transfer.
        let full = try guest.visitor.record(account: guest.card)
        #expect(full.status == 422 && full.refused == ["account"])
        let fields = [("kind", "transfer"), ("to_account", guest.card), ("payee", "Late")]
        let transfer = try guest.visitor.record(fields, account: guest.bank)
        #expect(transfer.status == 422 && transfer.refused == ["to_account"])
        #expect(try guest.visitor.get(guest.path(guest.card)).register.count == 2)
    }

    @Test func areReopenedAndClosingIsUndone() throws {
        try close(guest.card)
        let undo = try guest.visitor.get("/accounts").html.all("form").compactMap { $0["action"] }
            .first { $0.hasSuffix("/undo") }
        #expect(try guest.visitor.post(try #require(undo)).status == 303)
        #expect(try guest.visitor.get("/transactions/new").options("account").contains("Card"))
        try close(guest.card)
        #expect(try guest.visitor.get("/accounts/\(guest.card)").main.contains("Reopen account"))
        #expect(try guest.visitor.post("/accounts/\(guest.card)/reopen").status == 303)
        #expect(try guest.visitor.get("/accounts").toast("account-reopened") == "Account reopened Undo")
        try guest.record([("payee", "Again")], guest.card)
        #expect(try guest.visitor.get("/history").text.contains("no longer closed"))
        #expect(try guest.visitor.post("/accounts/00000000000000000000000001/close").status == 404)
    }

    @Test func areNotReopenedByAFormThatWasOpenedBefore() throws {
        let path = "/accounts/\(guest.card)"
        let form = try #require(try guest.visitor.get(path).html.form(path)).filter { $0.name != "name" }
        try close(guest.card)
        _ = try guest.visitor.get("/accounts")
        let fields = form.map { ($0.name, $0.value) } + [("name", "Old card")]
        #expect(try guest.visitor.post(path, fields, csrf: false).status == 303)
        let list = try guest.visitor.get("/accounts")
        #expect(
            list.toast("account-changed")?.contains("Closed was changed to yes in another window") == true
        )
        #expect(list.html.first("section", ["id": "closed"])?.text.contains("Old card") == true)
    }
}

@Suite struct MovingTransactionsOnPages {
    private let server: Running
    private let guest: RegisterGuest

    init() throws {
        server = try Running()
        guest = try RegisterGuest(server)
        try guest.fill()
    }

    private func move(_ account: String, to target: String) throws -> Reply {
        try guest.visitor.get("/accounts/\(account)/move?to=\(target)")
    }

    @Test func saysWhatMovesAndWhatStays() throws {
        let refused = try guest.visitor.post("/accounts/\(guest.bank)/delete")
        #expect(refused.status == 422)
        #expect(refused.error("delete") == "3 transactions are on this account. Move or delete them first.")
        let link = try #require(refused.html.first("a", ["href": "/accounts/\(guest.bank)/move"]))
        #expect(link.text == "Move its transactions")
        let edit = try guest.visitor.get("/accounts/\(guest.bank)")
        #expect(edit.html.first("a", ["href": "/accounts/\(guest.bank)/move"]) != nil)
        let choice = try guest.visitor.get("/accounts/\(guest.bank)/move")
        #expect(choice.options("to") == ["Cash", "Card"])
        let plan = try move(guest.bank, to: guest.card)
        #expect(
            plan.main.contains(
                "2 transactions move from Bank to Card. Together €960.00 Bank afterwards −€100.00 "
                    + "Card afterwards €1,141.50 You can undo this as a whole."
            )
        )
        #expect(
            plan.html.first("p", ["data-notice": "staying"])?.text.hasPrefix(
                "1 transfer between the two accounts stays where it is"
            ) == true
        )
        #expect(plan.rows("transaction").map(\.text) == ["Bank → Card Transfer €200.00"])
    }

    @Test func movesThemAsOneChange() throws {
        let path = "/accounts/\(guest.bank)/move"
        let form = try #require(try move(guest.bank, to: guest.cash).html.form(path))
        #expect(try guest.visitor.post(path, form.map { ($0.name, $0.value) }, csrf: false).status == 303)
        let page = try guest.visitor.get("/accounts/\(guest.bank)")
        #expect(page.toast("transactions-moved") == "3 transactions moved to Cash Undo")
        #expect(page.main.contains("It has no transactions."))
        let cash = try guest.visitor.get(guest.path(guest.cash))
        #expect(cash.register.first == "To Card Transfer −€200.00 Balance €760.00")
        let history = try guest.visitor.get("/history")
        #expect(history.text.contains("2 more changes"))
        let undo = try #require(
            page.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        )
        #expect(try guest.visitor.post(undo).status == 303)
        #expect(try guest.visitor.get(guest.path(guest.bank)).register.count == 3)
        #expect(try guest.visitor.get(guest.path(guest.cash)).register.isEmpty)
    }

    @Test func asksAgainWhereTheNumbersHaveChanged() throws {
        let path = "/accounts/\(guest.bank)/move"
        let form = try #require(try move(guest.bank, to: guest.cash).html.form(path))
        try guest.record([("payee", "Late"), ("amount", "1")], guest.bank)
        let reply = try guest.visitor.post(path, form.map { ($0.name, $0.value) }, csrf: false)
        #expect(reply.status == 422)
        #expect(reply.main.contains("Nothing was moved yet: the transactions have changed"))
        #expect(reply.main.contains("4 transactions move from Bank to Cash."))
        #expect(try guest.visitor.get(guest.path(guest.bank)).register.count == 4)
        let again = try #require(reply.html.form(path))
        #expect(try guest.visitor.post(path, again.map { ($0.name, $0.value) }, csrf: false).status == 303)
    }

    @Test func refusesAccountsThatDoNotFit() throws {
        let dollars = [("name", "Wallet"), ("type", "cash"), ("currency", "USD")]
        try #require(try guest.visitor.post("/accounts", dollars).status == 303)
        let wallet = try #require(try guest.visitor.accounts()["Wallet"])
        let sentences = [
            (wallet, "Transactions can only move to an account of the same currency, EUR."),
            (guest.bank, "Choose another account from the list."),
            ("x", "Choose another account from the list."),
            ("0000000000000000000000000z", "Choose another account from the list."),
        ]
        for (target, sentence) in sentences {
            #expect(try move(guest.bank, to: target).error("to") == sentence)
            let reply = try guest.visitor.post("/accounts/\(guest.bank)/move", [("to", target)])
            #expect(reply.status == 422 && reply.error("to") == sentence)
        }
        let alone = try guest.visitor.get("/accounts/\(wallet)/move")
        #expect(alone.main.contains("There is no other open account in USD."))
        _ = try guest.visitor.post("/accounts/\(guest.card)/close")
        let closed = try move(guest.bank, to: guest.card)
        #expect(closed.error("to") == "This account is closed. Choose another, or reopen it first.")
        #expect(try move("0000000000000000000000000z", to: guest.card).status == 404)
        #expect(try guest.visitor.get(guest.path(guest.bank)).register.count == 3)
    }
}
