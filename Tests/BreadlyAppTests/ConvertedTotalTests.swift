// Converted totals on the pages of a real server: who sees them, that they agree to the cent, and what asks before it
// converts.
import Book
import Cloud
import Devices
import Foundation
import Ledger
import TestKit
import Testing

@testable import BreadlyApp

/// The rates of the 20th: published 21 hours before the noon of these tests.
private let rates = [("USD", "1.0823"), ("CHF", "0.9317"), ("JPY", "180.5")]

extension Running {
    /// Starts the server anew with rates in the cloud, and in the book of each device as if they had arrived there.
    /// - Parameters:
    ///   - earlier: earlier days in the cloud, and their rates of the dollar.
    ///   - cloud: the folder of the cloud; nil if it is that of the server.
    ///   - fill: changes the book of each device.
    func restartWithRates(
        _ texts: [(String, String)] = rates,
        earlier: [(String, String)] = [],
        in cloud: String? = nil,
        fill: (Book) throws -> Void = { _ in },
        settings change: (inout Settings) -> Void = { _ in }
    ) throws {
        try restart { settings in
            settings.premiumForEveryone = true
            change(&settings)
            do {
                try Self.store(texts, earlier, in: settings.data, cloud: cloud ?? settings.data, fill)
            } catch {
                Issue.record(error)
            }
        }
    }

    private static func store(
        _ texts: [(String, String)],
        _ earlier: [(String, String)],
        in folder: String,
        cloud cloudFolder: String,
        _ fill: (Book) throws -> Void
    ) throws {
        var rates: [CurrencyCode: ExchangeRate] = [:]
        for (code, text) in texts {
            let rate = try #require(ExchangeRate(text))
            rates[try #require(CurrencyCode(code))] = rate
        }
        let set = ExchangeRates(
            day: try #require(CivilDate(iso: "2026-11-20")),
            source: .europeanCentralBank,
            rates: rates
        )
        let cloud = try Directory.open(
            cloudFolder,
            Dependencies(
                milliseconds: { Running.noon * 1_000 },
                random: Randomness(),
                log: .off,
                zoneOffset: { _, _ in 0 }
            ),
            acceptsNewAccounts: false
        )
        let sets = try earlier.map { day, dollar in
            ExchangeRates(
                day: try #require(CivilDate(iso: day)),
                source: .europeanCentralBank,
                rates: [.usd: try #require(ExchangeRate(dollar))]
            )
        }
        _ = try cloud.store(sets + [set], from: .file)
        cloud.close()
        let devices = folder + "/devices"
        let files = try FileManager.default.subpathsOfDirectory(atPath: devices)
        for path in files where path.hasSuffix(".sqlite") {
            let book = try Book.open(at: "\(devices)/\(path)", clock: { Running.noon })
            try book.store(set)
            try fill(book)
            book.close()
        }
    }
}

@Suite struct ConvertedTotalsOfAServer {
    private let server: Running
    private let guest: Visitor
    private let accounts: [String: String]

    private static let upgrade =
        "Upgrade to Breadly Premium to see converted totals in your base currency."

    init() throws {
        server = try Running()
        guest = try server.guest()
        for (name, code) in [("Dollars", "USD"), ("Francs", "CHF"), ("Roubles", "RUB")] {
            let fields = [("name", name), ("type", "cash"), ("currency", code), ("opening", "100")]
            try #require(try guest.post("/accounts", fields).status == 303)
        }
        accounts = try guest.accounts()
        try record("Cash", [])
        try record("Cash", [("currency", "USD"), ("amount", "10"), ("to_amount", "9.31")])
        try record("Dollars", [("currency", "USD"), ("amount", "7.77")])
        try record("Dollars", [("currency", "USD"), ("amount", "3.33")])
        try record("Francs", [("currency", "CHF"), ("amount", "12.99")])
        try record("Roubles", [("currency", "RUB"), ("amount", "500")])
        let budget = [("limit", "400"), ("from", "2026-11")]
        try #require(try guest.post("/budgets", budget).status == 303)
    }

    private func account(_ name: String) throws -> String { try #require(accounts[name]) }

    private func record(_ name: String, _ fields: [(String, String)]) throws {
        try #require(try guest.record(fields, account: account(name)).status == 303)
        _ = try guest.get("/")
    }

    private func signUp() throws {
        _ = try guest.get("/sign-in")
        let user = Visitor.anna
        try #require(try guest.post("/sign-up", user).status == 303)
    }

    private func premium(_ texts: [(String, String)] = rates) throws -> Visitor {
        try signUp()
        try server.restartWithRates(texts)
        let visitor = server.visitor()
        visitor.cookies = guest.cookies
        try until("premium") { try visitor.get("/budgets").html.body("data-tier") == "premium" }
        return visitor
    }

    /// The amounts of a page that are marked as converted.
    private func converted(_ page: Reply) -> [String] {
        page.html.all(nil, ["data-converted": "", "data-rate-date": "2026-11-20"])
            .compactMap { $0["data-amount"] }
    }

    @Test func guestAndFreeSeeTotalsByCurrency() throws {
        for tier in ["guest", "free"] {
            if tier == "free" { try signUp() }
            for (path, words) in [
                ("/", "Also in USD"), ("/transactions", "Out, USD"), ("/accounts", "Together, USD"),
                ("/reports", "US$11.10"), ("/reports?group=month", "US$11.10"), ("/rates", Self.upgrade),
            ] {
                let page = try guest.get(path)
                #expect(page.html.body("data-tier") == tier)
                #expect(page.text.contains(Self.upgrade), "\(tier) \(path)")
                let offer = page.html.first("p", ["data-upgrade": ""])?.text
                #expect(path == "/rates" || offer?.hasSuffix("See Premium") == true, "\(tier) \(path)")
                #expect(!page.text.contains("data-converted"), "\(tier) \(path)")
                #expect(page.html.first("body")?.text.contains(words) == true, "\(tier) \(path)")
            }
        }
    }

    /// 12.50 + 9.31 + 11.10 dollars + 12.99 francs.
    @Test func thePagesAgreeToTheCent() throws {
        let visitor = try premium()
        let overview = try visitor.get("/")
        #expect(converted(overview).filter { $0 == "-4601" }.count == 2, "the spending, and no category")
        #expect(overview.text.contains("Without a rate, not in the total: −RUB"))
        #expect(overview.html.all("a", ["href": "/rates"]).contains { $0.text.hasPrefix("Rates of ") })
        let list = try visitor.get("/transactions")
        // The sum of the list, the total of the only day, and the total of the list for phones and for desks.
        #expect(converted(list).filter { $0 == "-4601" }.count == 4)
        #expect(!list.text.contains(Self.upgrade))
        for group in ["category", "month", "account"] {
            let report = try visitor.get("/reports?group=\(group)&from=2026-11&to=2026-11")
            #expect(report.html.body("data-tier") == "premium")
            if group != "account" { #expect(converted(report).contains("4601"), "\(group)") }
            #expect(report.text.contains("+ US$11.10") || group == "account", "\(group)")
            guard group != "account" else { continue }
            // The list behind the number has the same sum.
            let spent = report.listedCells.first { $0.cell["data-amount"] == "4601" }
            let (cell, href) = try #require(spent)
            #expect(cell["data-converted"] != nil && cell.text.contains("≈"), "\(group)")
            #expect(try visitor.isSum(4_601, "EUR", of: href), "\(group): \(href)")
        }
        for group in ["category", "account", "month", "flow", "worth"] {
            let report = try visitor.get("/reports?group=\(group)&from=2026-11&to=2026-11")
            #expect(report.text.contains("Rates of ") && !report.text.contains(Self.upgrade), "\(group)")
            let cells = report.html.all("td", ["data-converted": ""]).map(\.text)
            #expect(cells.contains { $0.contains("≈") && $0.contains("$") }, "\(group)")
        }
        let budgets = try visitor.get("/budgets")
        #expect(converted(budgets) == ["4601"])
        let spent = try #require(budgets.html.elements.firstIndex { $0["data-converted"] != nil })
        let spending = try #require(budgets.html.link(of: spent)?["href"])
        #expect(budgets.html.elements[spent].text.contains("≈"))
        #expect(try visitor.isSum(4_601, "EUR", of: spending), "\(spending)")
        #expect(
            budgets.text.contains("With 3 expenses in other currencies, converted at the latest rates.")
        )
        #expect(
            budgets.text.contains(
                "1 expense of this month is in a currency without an exchange rate and is not counted."
            )
        )
        // 100 dollars less 11.10, 100 francs less 12.99, and cash.
        let accounts = try visitor.get("/accounts")
        #expect(converted(accounts) == ["\(-2_181 + 8_214 + 9_339)"])
        #expect(accounts.html.first("body")?.text.contains("Of it in USD") == true)
        let together = accounts.html.first("a", ["data-converted": ""])
        #expect(together?["href"]?.hasPrefix("/reports?group=worth") == true)
        #expect(together?.text.contains("≈") == true)
        let page = try visitor.get("/rates")
        #expect(page.text.contains("published by the European Central Bank."))
        #expect(page.html.first("tr", ["data-rate": "RUB"])?.text.contains("no rate") == true)
    }

    @Test func oldRatesAreTold() throws {
        let visitor = try premium()
        #expect(try !visitor.get("/").text.contains("hours ago"))
        server.clock.advance(by: 10 * 3_600)
        for path in ["/", "/transactions", "/accounts", "/budgets", "/reports", "/rates"] {
            #expect(try visitor.get(path).text.contains("Rates updated 31 hours ago"), "\(path)")
        }
    }

    @Test func aBaseCurrencyWithoutARateKeepsTotalsByCurrency() throws {
        let visitor = try premium()
        _ = try visitor.get("/settings")
        let change = [("base_currency", "RUB"), ("budgets", "keep")]
        try #require(try visitor.post("/settings/preferences", change).status == 303)
        #expect(try !visitor.get("/").text.contains("data-converted"))
        #expect(try visitor.get("/rates").text.contains("There is no rate for your base currency, RUB"))
    }

    @Test func anAmountThatIsNotKnownIsEstimatedAndConfirmed() throws {
        let visitor = try premium()
        let fields = [("currency", "USD"), ("amount", "20"), ("payee", "Diner")]
        let asked = try visitor.record(fields, account: account("Cash"))
        #expect(asked.status == 422 && asked.refused == ["to_amount"])
        #expect(asked.html.first("input", ["name": "to_amount"])?["value"] == "18.48")
        let sentence =
            "Estimate by the rate of Friday 20 November 2026: correct it if you know what was charged, then save"
        #expect(asked.text.contains(sentence))
        #expect(try !visitor.get("/transactions").text.contains("Diner"), "nothing is stored before")
        // The estimate is that of the amount which it was made for.
        let offered = try #require(asked.html.hidden("offered_amounts"))
        let other = [("currency", "USD"), ("amount", "40"), ("payee", "Diner"), ("to_amount", "18.48")]
        let again = try visitor.record(other + [("offered_amounts", offered)], account: account("Cash"))
        #expect(again.html.first("input", ["name": "to_amount"])?["value"] == "36.96")
        let saved = try visitor.record(fields + [("to_amount", "18.48")], account: account("Cash"))
        #expect(saved.status == 303)
        #expect(try visitor.get("/transactions").text.contains("Diner"))
        let transfer = [
            ("kind", "transfer"), ("to_account", try account("Dollars")), ("amount", "50"), ("payee", ""),
        ]
        let moved = try visitor.record(transfer, account: account("Cash"))
        #expect(moved.html.first("input", ["name": "to_amount"])?["value"] == "54.12")
        #expect(moved.text.contains("correct it if you know what arrives, then save"))
        // Without a rate, the question stays as it is.
        let roubles = try visitor.record([("currency", "RUB")], account: account("Cash"))
        #expect(roubles.text.contains("What was the account charged, in EUR?"))
    }

    /// Two withdrawn currencies, one of which the euro has replaced at a fixed rate. A book may have an account from before.
    @Test(arguments: [("ZWL", 0), ("BGN", 4_482)])
    func anAccountInAWithdrawnCurrencyIsKept(code: String, value: Int) throws {
        try signUp()
        let currency = try #require(CurrencyCode(code))
        let account = Account(
            id: EntityID(high: 7, low: 1),
            name: "Old purse",
            type: .cash,
            currency: currency,
            openingMinor: 10_000
        )
        try server.restartWithRates(fill: { book in
            try book.add(account)
            try book.record(
                Transaction(
                    id: EntityID(high: 7, low: 2),
                    kind: .expense,
                    date: try #require(CivilDate(iso: "2026-11-20")),
                    amount: Money(minor: 1_234, currency: currency),
                    account: account.id,
                    accountMinor: 1_234,
                    payee: "Sofia"
                )
            )
        })
        let visitor = server.visitor()
        visitor.cookies = guest.cookies
        try until("premium") { try visitor.get("/budgets").html.body("data-tier") == "premium" }
        let flow = "/reports?group=flow&from=2026-11&to=2026-11"
        for path in ["/", "/accounts", "/transactions", "/reports", flow, "/reports?group=worth"] {
            let page = try visitor.get(path)
            // The account in roubles has no rate either, and is named on each page.
            let leftOut = page.text.components(separatedBy: "Without a rate, not in the total: ")
                .dropFirst().map { $0.prefix { $0 != "<" } }
            #expect(page.status == 200 && !leftOut.isEmpty, "\(path)")
            #expect(leftOut.contains { $0.contains(code) } == (value == 0), "\(path): \(leftOut)")
            #expect(page.text.contains(code), "\(path)")
        }
        // Without a rate, the total is that of a book without the account.
        #expect(converted(try visitor.get("/accounts")) == ["\(-2_181 + 8_214 + 9_339 + value)"])
        let rate = try #require(try visitor.get("/rates").html.first("tr", ["data-rate": code])?.text)
        #expect(rate.contains(value == 0 ? "no rate" : "1.9558"))
        let register = try visitor.get("/accounts/\(account.id)/transactions")
        #expect(register.text.contains("\(code)\u{a0}87.66"), "its balance")
        #expect(register.html.first("span", ["data-balance": "8766"]) != nil)
        // The form of its transaction still saves, and no new account can be in the currency.
        let page = "/transactions/\(EntityID(high: 7, low: 2))"
        let shown = try #require(try visitor.get(page).html.form(page))
        let fields = shown.map { ($0.name, $0.name == "note" ? "Lunch" : $0.value) }
        #expect(try visitor.post(page, fields, csrf: false).status == 303)
        #expect(try visitor.get(page).text.contains("Lunch"))
        let form = "/accounts/\(account.id)"
        let ownFields = try #require(try visitor.get(form).html.form(form))
            .map { ($0.name, $0.name == "name" ? "Drawer" : $0.value) }
        #expect(try visitor.post(form, ownFields, csrf: false).status == 303)
        #expect(try visitor.get("/accounts").text.contains("Drawer"))
        let another = [("name", "New"), ("type", "cash"), ("currency", code), ("opening", "0")]
        let refused = try visitor.post("/accounts", another)
        #expect(refused.status == 422 && refused.refused == ["currency"])
        let export = try visitor.get("/export/transactions.csv").text
        #expect(export.contains("12.34") && export.contains(code))
    }

    @Test func theListsBehindAConvertedCashFlowHaveTheSameSums() throws {
        try record("Dollars", [("amount", "20"), ("to_amount", "22")])
        let cash = try account("Cash")
        for (from, to, arrives) in [("Dollars", "Francs", "18.20"), ("Francs", "Cash", "21")] {
            let fields = [
                ("kind", "transfer"), ("amount", "20"), ("payee", ""), ("to_amount", arrives),
                ("to_account", to == "Cash" ? cash : try account(to)),
                ("currency", from == "Dollars" ? "USD" : "CHF"),
            ]
            try record(from, fields)
        }
        let visitor = try premium()
        let page = try visitor.get("/reports?group=flow&from=2026-11&to=2026-11")
        let cells = page.listedCells
        #expect(cells.filter { $0.cell["data-converted"] != nil }.count >= 2)
        for (cell, href) in cells {
            let minor = try #require(cell["data-amount"].flatMap { Int64($0) })
            let currency = try #require(cell["data-currency"])
            // A currency without a rate has a figure of its own; its list tells the amount beside the total.
            guard currency == "EUR" else { continue }
            let isRight = try visitor.isSum(minor, currency, of: href)
            let totals = try visitor.listTotals(href)
            #expect(isRight, "\(minor) opens \(href): \(totals)")
        }
    }

    @Test func onlyWhatHasNoRateIsCautionedAbout() throws {
        let visitor = try premium()
        func caution(_ name: String, _ code: String) throws -> String {
            let reply = try visitor.record([("currency", code)], account: account(name))
            #expect(reply.status == 303)
            return try visitor.get("/").text
        }
        let sentence =
            "There is no exchange rate for RUB yet, so this transaction is not included in your budget totals."
        #expect(try !caution("Dollars", "USD").contains("budget totals"))
        let roubles = try caution("Roubles", "RUB")
        #expect(roubles.contains(sentence) && !roubles.contains("Upgrade to Premium"))
    }

    @Test func aNewBaseCurrencyAsksAboutTheBudgets() throws {
        let visitor = try premium()
        _ = try visitor.get("/settings")
        let change = [("base_currency", "USD"), ("theme", "dark")]
        let asked = try visitor.post("/settings/preferences", change)
        #expect(asked.status == 422 && asked.refused == ["budgets"])
        #expect(asked.html.all("input", ["name": "budgets"]).map { $0["value"] } == ["keep", "convert"])
        #expect(asked.text.contains("€400.00 becomes US$400.00, or US$432.92 if you convert"))
        let theme = asked.html.first("input", ["name": "theme", "value": "dark"])
        #expect(theme?["checked"] != nil, "nothing that was chosen is lost")
        #expect(try visitor.get("/budgets").text.contains("€400.00"), "nothing is changed before")
        let done = try visitor.post("/settings/preferences", change + [("budgets", "convert")])
        #expect(done.status == 303)
        #expect(try visitor.get("/budgets").text.contains("US$432.92"))
        // It is one change, which Undo reverts as a whole.
        let history = try visitor.get("/history")
        let undo = try #require(
            history.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        )
        #expect(try visitor.post(undo).status == 303)
        #expect(try visitor.get("/budgets").text.contains("€400.00"))
        #expect(try visitor.get("/").html.first(nil, ["data-amount": "-4601"])?["data-currency"] == "EUR")
    }

    @Test func guestsKeepTheNumbersOnly() throws {
        _ = try guest.get("/settings")
        let change = [("base_currency", "USD")]
        let asked = try guest.post("/settings/preferences", change)
        #expect(asked.html.all("input", ["name": "budgets"]).map { $0["value"] } == ["keep"])
        #expect(asked.text.contains("€400.00 becomes US$400.00"))
        let refused = try guest.post("/settings/preferences", change + [("budgets", "convert")])
        #expect(
            refused.status == 422 && refused.text.contains("There is no rate for one of these budgets.")
        )
        #expect(try guest.post("/settings/preferences", change + [("budgets", "keep")]).status == 303)
    }

    @Test func theOverviewShowsAnyMonth() throws {
        let past = [("date", "2026-10-05"), ("payee", "Autumn")]
        try record("Cash", past)
        let october = try guest.get("/?month=2026-10")
        #expect(
            october.status == 200 && october.text.contains("Autumn") && !october.text.contains("Bakery")
        )
        #expect(october.text.contains("Spent in October 2026") && !october.text.contains("this month"))
        #expect(october.html.first("a", ["rel": "next"])?["href"] == "/")
        #expect(october.text.contains("Accounts at the end of October 2026"))
        let later = try guest.get("/?month=2027-02")
        #expect(later.status == 200 && later.text.contains("Nothing was written down in February 2027."))
        #expect(try guest.get("/?month=soon").status == 400)
        for path in ["/?month=0001-01", "/?month=9999-12", "/?month="] {
            #expect(try guest.get(path).status == 200, "\(path)")
        }
        #expect(try guest.get("/").text.contains("Bakery"))
    }
}
