// Reports by the rates of each day, on the pages of a real server. The clock shows 21 November 2026.
import BreadlyApp
import Cloud
import Foundation
import Ledger
import TestKit
import Testing

@Suite struct ReportsByTheRatesOfEachDay {
    private let server: Running
    private let guest: Visitor

    init() throws {
        server = try Running()
        guest = try server.guest()
        let fields = [("name", "Dollars"), ("type", "cash"), ("currency", "USD"), ("opening", "100")]
        try #require(try guest.post("/accounts", fields).status == 303)
        let dollars = try #require(try guest.accounts()["Dollars"])
        for (amount, date) in [("10", "2026-10-06"), ("20", "2026-11-03"), ("8", "2026-11-01")] {
            let sent = [("amount", amount), ("date", date), ("currency", "USD"), ("payee", "Diner")]
            try #require(try guest.record(sent, account: dollars).status == 303)
            _ = try guest.get("/")
        }
    }

    /// A premium user of a server that has some rates besides those of 20 November, 1.0823.
    private func premium(_ sets: [(String, String)]) throws -> Visitor {
        _ = try guest.get("/sign-in")
        let user = Visitor.anna
        try #require(try guest.post("/sign-up", user).status == 303)
        try server.restartWithRates([("USD", "1.0823")], earlier: sets)
        let visitor = server.visitor()
        visitor.cookies = guest.cookies
        try until("premium") { try visitor.get("/budgets").html.body("data-tier") == "premium" }
        return visitor
    }

    private func amounts(_ page: Reply, _ rates: String) -> [String] {
        page.html.all("td", ["data-converted": "", "data-rate-date": rates]).compactMap {
            $0["data-amount"]
        }
    }

    @Test func eachAmountHasTheRateOfItsDay() throws {
        // 5 October holds on the 6th, 30 October over the weekend.
        let visitor = try premium([
            ("2026-09-30", "1.2"), ("2026-10-05", "1.25"), ("2026-10-30", "1.6"), ("2026-11-02", "2"),
        ])
        let months = "/reports?group=month&from=2026-10&to=2026-11"
        let latest = try visitor.get(months)
        #expect(amounts(latest, "2026-11-20") == ["924", "-924", "2587", "-2587"])
        #expect(latest.html.first("a", ["href": "\(months)&rates=day"])?.text == "Rates of each day")
        let page = try visitor.get("\(months)&rates=day")
        // 10 / 1.25; 20 / 2 + 8 / 1.6.
        #expect(amounts(page, "2026-09-30/2026-11-20") == ["800", "-800", "1500", "-1500"])
        #expect(page.text.contains("Each amount is converted at the rate of its day"))
        #expect(page.text.contains("The lists of transactions behind the numbers are converted at"))
        #expect(page.text.contains("≈ €23.00 more went out than came in"))
        #expect(page.html.first("input", ["name": "rates", "value": "day"]) != nil)
        for (group, value) in [("category", "2300"), ("payee", "2300"), ("account", "2300")] {
            let report = try visitor.get("/reports?group=\(group)&from=2026-10&to=2026-11&rates=day")
            #expect(amounts(report, "2026-09-30/2026-11-20").contains(value), "\(group)")
            #expect(report.text.contains("US$38.00"), "\(group): the amount that was paid is beside it")
        }
        let compared = try visitor.get("/reports?compare=previous&rates=day")
        #expect(compared.text.contains("≈ €15.00, ≈ €7.00 more than the month before"))
        // 100 - 10 dollars at the end of October, and 62 now.
        let worth = try visitor.get("/reports?group=worth&from=2026-10&to=2026-11&rates=day")
        #expect(amounts(worth, "2026-09-30/2026-11-20").contains("5625"), "90 / 1.6")
        #expect(amounts(worth, "2026-09-30/2026-11-20").contains("5729"), "62 / 1.0823")
        let table = try visitor.get("\(months)&rates=day&format=csv").text
        #expect(table.contains(",8.00,EUR,") && table.contains(",15.00,EUR,"))
    }

    @Test func amountsBeforeTheFirstRatesAreLeftOutAndTold() throws {
        // The server came with the rates of 30 October: 1.1172.
        let visitor = try premium([("2026-11-02", "2")])
        let page = try visitor.get("/reports?group=month&from=2026-10&to=2026-11&rates=day")
        #expect(amounts(page, "2026-10-30/2026-11-20") == ["1716", "-1716"])
        #expect(page.text.contains("Without a rate, not in the total: −US$10.00"))
        let since =
            "The rates of each day begin on Friday 30 October 2026. The operator of the server can add"
        #expect(page.text.contains(since))
        #expect(
            page.text.contains("US$10.00 more went out than came in"),
            "they have a figure of their own"
        )
        // A balance whose beginning has no rate is in no line of the total.
        let worth = try visitor.get("/reports?group=worth&from=2026-10&to=2026-11&rates=day")
        #expect(worth.text.contains("Without a rate, not in the total: US$62.00"))
        #expect(!worth.text.contains("data-converted"))
    }

    @Test func aComparisonTellsThatItsEarlierMonthsHaveNoRates() throws {
        // November has rates, and October has none before its 30th.
        let visitor = try premium([("2026-11-02", "2")])
        let path = "/reports?compare=previous&rates=day"
        let page = try visitor.get(path)
        #expect(page.text.contains("Without a rate, not in the total: −US$10.00"), "counted once")
        #expect(page.text.contains("The rates of each day begin on Friday 30 October 2026."))
        #expect(
            try !visitor.get("/reports?group=month&from=2026-11&to=2026-11&rates=day").text.contains(
                "begin on"
            )
        )
    }

    @Test func aRefundAtAnotherRateAndAMonthWithoutAnythingAreInAllReports() throws {
        let dollars = try #require(try guest.accounts()["Dollars"])
        let groceries = try #require(
            try guest.get("/categories").rows("category").first { $0.text.contains("Groceries") }?[
                "data-id"
            ]
        )
        for (kind, date) in [("expense", "2026-10-06"), ("income", "2026-11-03")] {
            let sent = [
                ("kind", kind), ("amount", "5"), ("date", date), ("currency", "USD"),
                ("category", groceries), ("payee", "Shop"),
            ]
            try #require(try guest.record(sent, account: dollars).status == 303)
            _ = try guest.get("/")
        }
        let visitor = try premium([
            ("2026-09-30", "1.2"), ("2026-10-05", "1.25"), ("2026-10-30", "1.6"), ("2026-11-02", "2"),
        ])
        // 5 / 1.25 - 5 / 2: in dollars, the two cancel.
        let span = "from=2026-08&to=2026-11&rates=day"
        for group in ["category", "payee"] {
            let report = try visitor.get("/reports?group=\(group)&\(span)")
            #expect(amounts(report, "2026-09-30/2026-11-20").contains("150"), "\(group)")
        }
        let months = try visitor.get("/reports?group=month&\(span)")
        #expect(months.text.contains("August 2026") && months.text.contains("September 2026"))
        #expect(amounts(months, "2026-09-30/2026-11-20") == ["1200", "-1200", "1250", "-1250"])
    }

    @Test func oldRatesAreToldInAReportThatReachesPastThem() throws {
        let visitor = try premium([("2026-10-05", "1.25")])
        let path = "/reports?group=month&rates=day&from=2026-10&to="
        #expect(try !visitor.get(path + "2026-11").text.contains("hours ago"))
        server.clock.advance(by: 10 * 3_600)
        let page = try visitor.get(path + "2026-11")
        #expect(page.text.contains("Each amount is converted at the rate of its day"))
        #expect(page.text.contains("Rates updated 31 hours ago"))
        #expect(
            try !visitor.get(path + "2026-10").text.contains("hours ago"),
            "it has the rates of all its days"
        )
    }

    @Test func aCurrencyWithoutRatesIsNotPutDownToTheBeginningOfTheRates() throws {
        let fields = [("name", "Roubles"), ("type", "cash"), ("currency", "RUB"), ("opening", "0")]
        try #require(try guest.post("/accounts", fields).status == 303)
        let roubles = try #require(try guest.accounts()["Roubles"])
        let sent = [("amount", "500"), ("date", "2026-11-04"), ("currency", "RUB"), ("payee", "Kiosk")]
        try #require(try guest.record(sent, account: roubles).status == 303)
        let visitor = try premium([("2026-11-02", "2")])
        let page = try visitor.get("/reports?group=month&from=2026-11&to=2026-11&rates=day")
        #expect(page.text.contains("Without a rate, not in the total: −RUB"))
        #expect(!page.text.contains("The rates of each day begin on"))
    }

    @Test func aCashFlowIsByTheLatestRates() throws {
        let visitor = try premium([("2026-10-05", "1.25")])
        let path = "/reports?group=flow&from=2026-10&to=2026-11"
        let page = try visitor.get("\(path)&rates=day")
        #expect(!amounts(page, "2026-11-20").isEmpty)
        #expect(!page.text.contains("Rates of each day"))
        let worth = "/reports?group=worth&from=2026-10&to=2026-11&rates=day"
        #expect(page.html.first("a", ["href": worth]) != nil, "the choice stays for other reports")
        #expect(try visitor.get("\(path)&rates=yesterday").status == 400)
    }

    @Test func withoutPremiumTheReportIsByCurrency() throws {
        let page = try guest.get("/reports?group=month&from=2026-10&to=2026-11&rates=day")
        #expect(page.status == 200)
        #expect(!page.text.contains("data-converted") && !page.text.contains("Rates of each day"))
    }
}
