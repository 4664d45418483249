// Accounts of the book that are joined to accounts at a bank: their balances on this device and on another one.
import BankFeeds
import BankStandIns
import BreadlyApp
import Foundation
import HTTPServer
import TestKit
import Testing

extension Visitor {
    /// The rows of the page of the accounts, by the names of the accounts.
    fileprivate func accountRows() throws -> [String: HTMLElement] {
        var rows: [String: HTMLElement] = [:]
        let page = try get("/accounts")
        for name in page.html.all("span", ["class": "t"]) {
            guard let row = page.rows("account").first(where: { $0.text.hasPrefix(name.text) }) else {
                continue
            }
            rows[name.text] = row
        }
        return rows
    }
}

@Suite struct AccountsOfABank {
    private let running: Running
    private let trueLayer: TrueLayerStandIn

    init() throws {
        running = try Running()
        trueLayer = try TrueLayerStandIn()
        try running.setUp(trueLayer)
    }

    /// A user whose bank is connected and read.
    private func anna() throws -> Visitor { try running.userOfBank(trueLayer) }

    /// The ids of the accounts by the beginnings of their names.
    private func account(_ name: String, _ visitor: Visitor) throws -> String {
        try #require(try visitor.accountRows()[name]?["data-id"])
    }

    @Test func accountsOfTheBookShowTheBalancesOfTheBank() throws {
        let anna = try anna()
        _ = try anna.get("/accounts")
        let pounds = [("name", "Pounds"), ("type", "card"), ("currency", "GBP"), ("opening", "0")]
        try #require(try anna.post("/accounts", pounds).status == 303)
        let card = try account("Pounds", anna)
        let id = try #require(try anna.banks().first?.id)
        #expect(try anna.get("/banks").text.contains("not joined to an account"))
        let page = try anna.get("/banks/\(id)/accounts")
        #expect(page.text.contains("Club Account") && page.text.contains("Current account, GBP"))
        let fields = page.html.all("select").compactMap { $0["name"] }
        #expect(fields == ["account-acc-1", "account-card-1"])
        // Only accounts in the bank's currency are offered.
        let options = Set(page.html.all("option").compactMap { $0["value"] })
        #expect(options == ["new", "skip", card])

        let joined = try anna.joinBank([("acc-1", "new"), ("card-1", card)])
        #expect(joined.header("location") == "/accounts")
        let shown = try anna.get("/accounts")
        #expect(shown.toasts == ["bank-accounts-joined"])
        let rows = try anna.accountRows()
        #expect(rows["Club Account"]?.text.contains("as of today, 12:00") == true)
        #expect(rows["Club Account"]?.text.contains("£1,234.56") == true)
        #expect(rows["Club Account"]?.text.contains("Recorded transactions add up to £0.00") == true)
        #expect(rows["Pounds"]?.text.contains("−£50.25") == true)
        #expect(shown.text.contains("£1,184.31"), "the sum of all accounts")
        #expect(try anna.get("/").text.contains("as of today, 12:00"))
        let club = try account("Club Account", anna)
        let register = try anna.get("/accounts/\(club)/transactions")
        #expect(register.text.contains("£1,234.56") && register.text.contains("as of today, 12:00"))
        #expect(try anna.get("/banks").text.contains("joined to Club Account"))

        // The same choices once more.
        #expect(try anna.joinBank([("acc-1", "new"), ("card-1", card)]).status == 303)
        #expect(try anna.get("/accounts").rows("account").count == rows.count)
    }

    @Test func wrongChoicesAreRefused() throws {
        let anna = try anna()
        _ = try anna.get("/accounts")
        for (name, currency) in [("Pounds", "GBP"), ("Euros", "EUR")] {
            let fields = [("name", name), ("type", "bank"), ("currency", currency), ("opening", "0")]
            try #require(try anna.post("/accounts", fields).status == 303)
            _ = try anna.get("/accounts")
        }
        let (pounds, euros) = (try account("Pounds", anna), try account("Euros", anna))
        for (choices, refused, words) in [
            ([("acc-1", euros)], "account-acc-1", "Choose an account in GBP."),
            ([("acc-1", pounds), ("card-1", pounds)], "account-card-1", "Choose each account once."),
            ([("acc-1", "nothing")], "account-acc-1", "Choose another account from the list."),
        ] {
            let reply = try anna.joinBank(choices)
            #expect(reply.status == 422 && reply.refused == [refused] && reply.text.contains(words))
        }
        #expect(try !anna.get("/accounts").text.contains("as of"))
        let id = try #require(try anna.banks().first?.id)
        let bob = try running.guest()
        #expect(try bob.get("/banks/\(id)/accounts").status == 404)
        #expect(try bob.post("/banks/\(id)/accounts", [("account-acc-1", "new")]).status == 404)
    }

    @Test func accountsStayWhenTheBankIsDisconnected() throws {
        let anna = try anna()
        _ = try anna.joinBank([("acc-1", "new"), ("card-1", "skip")])
        let club = try account("Club Account", anna)
        _ = try anna.get("/accounts")
        let coffee = [("kind", "expense"), ("amount", "3.20"), ("account", club), ("date", "2026-11-20")]
        try #require(try anna.post("/transactions", coffee).status == 303)
        let page = try anna.get("/banks")
        #expect(
            page.text.contains(
                "Club Account stays in your book with its transaction. Until you connect the bank "
                    + "again, its balance is unknown and counts in no total."
            )
        )
        let id = try #require(try anna.banks().first?.id)
        _ = try anna.post("/banks/\(id)/disconnect")
        var row = try #require(try anna.accountRows()["Club Account"])
        #expect(row.text.contains("Reconnect") && row.text.contains("unknown since 21 Nov 2026"))
        #expect(row.text.contains("Not connected on this device"))
        #expect(try anna.get("/transactions?month=all").rows("transaction").count == 1, "what is recorded")
        let register = try anna.get("/accounts/\(club)/transactions")
        #expect(register.html.all("a").contains { $0["href"] == "/banks/connect" })

        // The same account is found again.
        try anna.connectBank(at: trueLayer)
        row = try #require(try anna.accountRows()["Club Account"])
        #expect(row.text.contains("£1,234.56") && !row.text.contains("Reconnect"))

        _ = try anna.get("/accounts/\(club)")
        #expect(try anna.post("/accounts/\(club)/leave-bank").status == 303)
        #expect(try anna.get("/accounts").toasts == ["account-left-bank"])
        #expect(try anna.accountRows()["Club Account"]?.text.contains("−£3.20") == true)
        #expect(try anna.accountRows()["Club Account"]?.text.contains("as of") == false)
        // The list has one connection: that which was ended has the access of the new one.
        #expect(try anna.banks().map(\.state) == ["connected"])
        let connected = try #require(try anna.banks().first?.id)
        let choices = try anna.get("/banks/\(connected)/accounts")
        #expect(
            choices.html.all("option").filter { $0["selected"] != nil }.map { $0["value"] } == [
                "skip", "new",
            ]
        )
    }

    @Test func anOldBalanceIsShownWithItsAgeAndThenRemoved() throws {
        let anna = try anna()
        _ = try anna.joinBank([("acc-1", "new")])
        trueLayer.server.fail { $0.status = .unavailable }
        running.clock.advance(by: 3 * 86_400)
        #expect(
            try anna.accountRows()["Club Account"]?.text.contains("as of Saturday 21 November 2026, 12:00")
                == true
        )
        running.clock.advance(by: 5 * 86_400)
        try running.setUp(trueLayer)
        anna.port = Int(running.app.port)
        try until("the cache is removed") {
            try anna.accountRows()["Club Account"]?.text.contains(
                "Not refreshed since Saturday 21 November 2026"
            ) == true
        }
        #expect(try anna.accountRows()["Club Account"]?.text.contains("unknown since 21 Nov 2026") == true)
        // The names of the bank were removed as well: the account of the book stands in their place.
        let page = try anna.get("/banks")
        #expect(page.text.contains("Club Account") && page.text.contains("Not refreshed since Saturday"))
        #expect(!page.text.contains("Planted Bank") && !page.text.contains("Gold Card"))
        // The bank is connected anew: it is one connection with its account.
        trueLayer.server.fail { _ in }
        _ = try anna.get(try anna.consent(at: trueLayer))
        try anna.waitForBanks()
        try until("they are one") { try anna.banks().map(\.state) == ["connected"] }
        #expect(try anna.accountRows()["Club Account"]?.text.contains("£1,234.56") == true)
    }

    /// The second device sees the account with its badge, connects by itself, and finds the same account.
    @Test func anotherDeviceConnectsByItself() throws {
        let cloudFolder = running.folder + "-cloud"
        defer { try? FileManager.default.removeItem(atPath: cloudFolder) }
        let cloud = try running.cloud(in: cloudFolder, premiumForEveryone: true)
        defer { cloud.stop() }
        let address = cloud.url
        try running.setUp(trueLayer) { $0.cloudAddress = address }
        let phone = try anna()
        _ = try phone.joinBank([("acc-1", "new"), ("card-1", "new")])
        let club = try account("Club Account", phone)
        let salary = try phone.get("/transactions").rows("transaction").first { $0.text.contains("Salary") }
        let written = try #require(salary?["data-id"])
        _ = try phone.get("/banks/rows/\(written)")
        try #require(try phone.post("/banks/rows/\(written)", [("payee", "Wages")]).status == 303)
        try phone.waitUntilInStep()

        let laptop = running.visitor()
        _ = try laptop.get("/sign-in")
        let fields = Visitor.anna
        try #require(try laptop.post("/sign-in", fields).status == 303)
        try until("the accounts arrive") { try laptop.get("/accounts").rows("account").count >= 2 }
        let row = try #require(try laptop.accountRows()["Club Account"])
        #expect(
            row.text.contains("Reconnect") && row.text.contains("Last refreshed on Saturday 21 November 2026")
        )
        #expect(!row.text.contains("1,234.56"))
        #expect(try laptop.banks().isEmpty)
        #expect(try laptop.get("/transactions?month=all").rows("transaction").isEmpty)

        try laptop.connectBank(at: trueLayer)
        #expect(try laptop.accountRows()["Club Account"]?.text.contains("£1,234.56") == true)
        try until("what was written on a row arrives") {
            try laptop.get("/transactions").rows("transaction").contains { $0.text.contains("Wages") }
        }
        let id = try #require(try laptop.banks().first?.id)
        let chosen = try laptop.get("/banks/\(id)/accounts").html.all("option")
            .filter { $0["selected"] != nil }.compactMap { $0["value"] }
        #expect(chosen.contains(club) && !chosen.contains("new"))
        #expect(try laptop.joinBank([("acc-1", "new"), ("card-1", "new")]).status == 303)
        #expect(try laptop.get("/accounts").toasts == ["bank-accounts-joined"])
        #expect(
            try laptop.get("/accounts").rows("account").count == phone.get("/accounts").rows("account").count
        )
    }
}
