// Balances of banks that a device does not know: every page says so, and no sum counts them.
import BankStandIns
import BreadlyApp
import Foundation
import TestKit
import Testing

@Suite struct BalancesThatAreUnknown {
    private let running: Running
    private let trueLayer: TrueLayerStandIn
    private let words = "unknown since 21 Nov 2026"
    private let without = "Without 1 account whose balance is unknown."
    private let recorded = "Of 1 account whose balance is unknown, only what is recorded counts."
    private let fileNote = "The file contains nothing that only your bank reports."

    init() throws {
        running = try Running()
        trueLayer = try TrueLayerStandIn()
        try running.setUp(trueLayer)
    }

    private func account(_ name: String, _ visitor: Visitor) throws -> String {
        let row = try visitor.get("/accounts").rows("account").first { $0.text.hasPrefix(name) }
        return try #require(row?["data-id"])
    }

    /// A user whose current account is joined to that of the bank, with a purchase on it.
    private func anna() throws -> (anna: Visitor, club: String) {
        let anna = try running.userOfBank(trueLayer, joining: ["acc-1"])
        let club = try account("Club Account", anna)
        let coffee = [("kind", "expense"), ("amount", "3.20"), ("account", club), ("date", "2026-11-20")]
        try #require(try anna.post("/transactions", coffee).status == 303)
        return (anna, club)
    }

    private func disconnect(_ anna: Visitor) throws {
        let id = try #require(try anna.banks().first?.id)
        try #require(try anna.post("/banks/\(id)/disconnect").status == 303)
    }

    private func unknown(_ page: Reply) -> [String] { page.html.all(nil, ["data-unknown": ""]).map(\.text) }

    /// Every page that shows the balance of an account, or a sum of balances.
    private func expectUnknown(_ account: String, _ visitor: Visitor) throws {
        let register = "/accounts/\(account)/transactions"
        let past = "/?month=2026-10"
        for path in ["/accounts", "/", past, register, "/accounts/\(account)"] {
            let page = try visitor.get(path)
            // The end of a month before the last refresh is not unknown since that.
            #expect(unknown(page).contains(path == past ? "unknown" : words), "\(path)")
            #expect(path != past || !page.text.contains(words))
            let pounds = page.html.all(nil, ["data-amount": "0", "data-currency": "GBP"])
            #expect(pounds.isEmpty, "\(path)")
        }
        let list = try visitor.get("/accounts")
        #expect(list.text.contains("whose balance"))
        #expect(list.html.first("dl")?.text.contains("GBP") == false)
        let rows = try visitor.get(register)
        #expect(rows.html.all(nil, ["data-balance": ""]).isEmpty)
        #expect(rows.html.all("ul", ["id": "before"]).isEmpty)
        #expect(!rows.text.contains("The last number of each row"))
        let worth = try visitor.get("/reports?group=worth&from=2026-10&to=2026-11")
        #expect(unknown(worth).contains(words) && worth.text.contains("whose balance"))
        #expect(!worth.text.contains("£0.00"))
        let flow = try visitor.get("/reports?group=flow&from=2026-10&to=2026-11")
        #expect(flow.text.contains("whose balance"))
        let spending = "/reports?group=month&from=2026-10&to=2026-11"
        for path in ["/", past, "/transactions?month=2026-11", spending] {
            #expect(try visitor.get(path).text.contains(recorded), "\(path)")
        }
        #expect(try visitor.get(spending + "&format=csv").text.contains(recorded))
        let file = try visitor.get("/reports?group=worth&from=2026-10&to=2026-11&format=csv")
        #expect(file.text.contains("Club Account,unknown,GBP,\(words),GBP,unknown,GBP"))
    }

    @Test func afterDisconnectingNoPageHasANumber() throws {
        let (anna, club) = try self.anna()
        #expect(unknown(try anna.get("/accounts")).isEmpty)
        // A file has nothing of the bank, on a device that can read it as well.
        let file = try anna.get("/reports?group=worth&from=2026-10&to=2026-11&format=csv")
        #expect(file.text.contains("Club Account,unknown") && !file.text.contains("1234.56"))
        // The totals of a file are not those of its page, and say so; so does the page.
        for group in ["worth", "flow"] {
            let path = "/reports?group=\(group)&from=2026-10&to=2026-11"
            let page = try anna.get(path)
            #expect(page.text.contains(fileNote) && !page.text.contains(without), "\(group)")
            #expect(try anna.get(path + "&format=csv").text.contains(without), "\(group)")
        }
        #expect(try !anna.get("/").text.contains(recorded))
        try disconnect(anna)
        try expectUnknown(club, anna)
        // Without the bank, it is an ordinary account with the sum of its transactions.
        _ = try anna.get("/accounts/\(club)")
        try #require(try anna.post("/accounts/\(club)/leave-bank").status == 303)
        for path in ["/accounts", "/accounts/\(club)", "/accounts/\(club)/transactions"] {
            let page = try anna.get(path)
            #expect(unknown(page).isEmpty && page.text.contains("−£3.20"), "\(path)")
        }
    }

    @Test func theSumIsThatOfTheOtherAccounts() throws {
        let (anna, club) = try self.anna()
        _ = try anna.get("/accounts")
        let pounds = [("name", "Pounds"), ("type", "cash"), ("currency", "GBP"), ("opening", "7")]
        try #require(try anna.post("/accounts", pounds).status == 303)
        #expect(try anna.get("/accounts").text.contains("£1,241.56"))
        try disconnect(anna)
        let list = try anna.get("/accounts")
        let sum = list.html.first("a", ["id": "in-GBP"])
        #expect(sum?["data-amount"] == "700" && sum?["href"] == "/reports?group=worth")
        #expect(list.text.contains(without))
        // The report behind the sum has the same one.
        let worth = try anna.get("/reports?group=worth&from=2026-11&to=2026-11")
        #expect(worth.html.all("td", ["data-amount": "700", "data-currency": "GBP"]).count > 1)
        #expect(worth.text.contains("Pounds holds the most: £7.00"))
        let flow = try anna.get("/reports?group=flow&from=2026-11&to=2026-11")
        let cells = flow.html.all("td", ["data-currency": "GBP"]).compactMap { $0["data-amount"] }
        // The purchase is in the list behind the number.
        #expect(cells == ["700", "0", "320", "0", "700"])
        let spent = try anna.listTotals("/transactions?month=2026-11&account=daily&kind=spending")
        #expect(spent["Out, GBP"] == -320)
        #expect(flow.text.contains(fileNote))
        for group in ["worth", "flow"] {
            let file = try anna.get("/reports?group=\(group)&from=2026-11&to=2026-11&format=csv")
            #expect(file.text.contains("7.00,GBP") && file.text.contains(without), "\(group)")
        }
        // A budget and the rest of a month count as the overview does; the list of another account is whole.
        let budget = [("category", ""), ("limit", "100"), ("from", "2026-11")]
        _ = try anna.get("/budgets")
        try #require(try anna.post("/budgets", budget).status == 303)
        #expect(try anna.get("/budgets").text.contains(recorded))
        let target = try account("Pounds", anna)
        #expect(try !anna.get("/transactions?month=2026-11&account=\(target)").text.contains(recorded))

        let path = "/accounts/\(club)/move?to=\(target)"
        let move = try anna.get(path)
        #expect(move.html.all("dd", ["data-unknown": ""]).map(\.text) == [words])
        #expect(move.html.all("dd").compactMap { $0["data-amount"] } == ["-320", "380"])
        // The balance of a bank that is read does not follow what moves.
        try anna.connectBank(at: trueLayer)
        let connected = try anna.get(path)
        #expect(unknown(connected).isEmpty)
        #expect(connected.html.all("dd").compactMap { $0["data-amount"] } == ["-320", "380"])
    }

    @Test func closingNamesTheSumThatCountsFromThenOn() throws {
        let (anna, club) = try self.anna()
        let becomes = "Its balance is the sum of its recorded transactions then, −£3.20, and counts"
        let connected = try anna.get("/accounts/\(club)")
        #expect(connected.html.first("main")?.text.contains(becomes) == true)
        #expect(connected.text.contains("£1,234.56"))
        try disconnect(anna)
        let page = try anna.get("/accounts/\(club)")
        #expect(page.html.first("main")?.text.contains(becomes) == true && unknown(page) == [words])
        try #require(try anna.post("/accounts/\(club)/close").status == 303)
        let list = try anna.get("/accounts")
        let toast = list.html.first("div", ["data-toast": "account-closed"])?.text
        #expect(
            toast?.hasPrefix(
                "Account closed. Its balance is the sum of its recorded transactions now, −£3.20, and counts"
            ) == true
        )
        #expect(unknown(list).isEmpty && list.html.first("a", ["id": "in-GBP"])?["data-amount"] == "-320")
    }

    @Test func aCacheThatWasRemovedLeavesNoNumber() throws {
        let (anna, club) = try self.anna()
        trueLayer.server.fail { $0.status = .unavailable }
        running.clock.advance(by: 8 * 86_400)
        try running.setUp(trueLayer)
        anna.port = Int(running.app.port)
        try until("the cache is removed") { try !unknown(anna.get("/accounts")).isEmpty }
        try expectUnknown(club, anna)
    }

    @Test func aSecondDeviceHasNoNumberUntilItsBankIsConnected() throws {
        let cloudFolder = running.folder + "-cloud"
        defer { try? FileManager.default.removeItem(atPath: cloudFolder) }
        let cloud = try running.cloud(in: cloudFolder, premiumForEveryone: true)
        defer { cloud.stop() }
        let address = cloud.url
        try running.setUp(trueLayer) { $0.cloudAddress = address }
        let (phone, club) = try self.anna()
        try phone.waitUntilInStep()
        let laptop = running.visitor()
        try laptop.signIn()
        try until("the accounts arrive") {
            try laptop.get("/accounts").rows("account").contains { $0.text.hasPrefix("Club Account") }
        }
        try laptop.waitUntilInStep()
        try expectUnknown(club, laptop)
        try laptop.connectBank(at: trueLayer)
        let accounts = try laptop.get("/accounts")
        #expect(unknown(accounts).isEmpty && accounts.text.contains("£1,234.56"))
        let worth = try laptop.get("/reports?group=worth&from=2026-10&to=2026-11")
        #expect(unknown(worth).isEmpty && !worth.text.contains("whose balance"))
    }
}
