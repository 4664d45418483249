// Today is today on all pages: one book has one balance and one spending of a month, what was entered for later days is
// beside them, and midnight moves it. The clock shows 21 November 2026.
import Foundation
import TestKit
import Testing

@Suite struct PagesThatEndToday {
    let server: Running
    let guest: Visitor
    let purse: String
    let cash: String

    /// 100.00, of which 10.00 were spent yesterday. 9.00 are of tomorrow, and a salary of 3,000.00 is of January.
    init() throws {
        server = try Running()
        guest = try server.guest()
        let fields = [("name", "Purse"), ("type", "cash"), ("currency", "EUR"), ("opening", "100")]
        try #require(try guest.post("/accounts", fields).status == 303)
        let accounts = try guest.accounts()
        (purse, cash) = (try #require(accounts["Purse"]), try #require(accounts["Cash"]))
        let page = try guest.get("/categories")
        let food = try #require(page.rows("category").first { $0.text.contains("Groceries") }?["data-id"])
        for (date, amount, kind) in [
            ("2026-11-20", "10", "expense"), ("2026-11-22", "9", "expense"), ("2027-01-15", "3000", "income"),
        ] {
            let reply = try guest.record(
                [
                    ("date", date), ("amount", amount), ("kind", kind),
                    ("category", kind == "expense" ? food : ""),
                ],
                account: purse
            )
            try #require(reply.status == 303, "\(reply.refused)")
            _ = try guest.get("/")
        }
        try #require(try guest.post("/budgets", [("limit", "50"), ("from", "2026-11")]).status == 303)
        let schedule = [
            ("kind", "expense"), ("amount", "5"), ("currency", "EUR"), ("account", cash), ("payee", "Paper"),
            ("category", ""), ("note", ""), ("tags", ""), ("start", "2026-11-25"), ("every", "1"),
            ("unit", "month"), ("end", ""), ("shift", "none"), ("record", "auto"),
        ]
        _ = try guest.get("/schedules")
        try #require(try guest.post("/schedules", schedule).status == 303)
        _ = try guest.get("/")
    }

    private func amounts(_ path: String, _ name: String = "data-amount") throws -> [String] {
        let page = try guest.get(path)
        try #require(page.status == 200, "\(path) answers \(page.status)")
        return page.html.elements.compactMap { $0[name] }
    }

    private var balancePages: [String] {
        [
            "/", "/accounts", "/accounts/\(purse)", "/accounts/\(purse)/transactions",
            "/accounts/\(purse)/transactions?month=2026-11", "/reports?group=worth&from=2026-11&to=2026-11",
            "/reports?group=worth&from=2026-01&to=2026-12", "/reports?group=worth&from=2026-10&to=2027-06",
            "/reports?group=flow&from=2026-11&to=2026-11", "/reports?group=flow&from=2026-01&to=2026-12",
        ]
    }

    private var spendingPages: [String] {
        let reports = ["category", "payee", "account", "month", "flow"].flatMap { group in
            ["2026-11", "2026-12"].map { "/reports?group=\(group)&from=2026-11&to=\($0)" }
        }
        return ["/", "/budgets", "/transactions?month=2026-11", "/transactions?month=2026-11&kind=spending"]
            + reports + ["/reports?compare=previous"]
    }

    @Test func agreeOnTheBalance() throws {
        for path in balancePages {
            let found = try amounts(path)
            #expect(found.contains("9000"), "\(path): \(found)")
            // With what is to come, of tomorrow or at all.
            let rows = path.contains("/transactions") ? [] : ["8100", "308100"]
            #expect(rows.allSatisfy { !found.contains($0) }, "\(path): \(found)")
        }
    }

    @Test func agreeOnTheSpendingOfTheMonth() throws {
        for path in spendingPages {
            let found = try amounts(path)
            #expect(found.contains("1000") || found.contains("-1000"), "\(path): \(found)")
            #expect(!found.contains("1900") && !found.contains("-1900"), "\(path): \(found)")
        }
        // The rest of the income, or of the budget, is less what was entered for later days, and less the schedule.
        for path in ["/", "/schedules"] {
            let left = try guest.get(path).html.elements.first { $0["data-left-to-spend"] != nil }
            #expect(left?["data-amount"] == "2600", "\(path)")
        }
        let parts = try guest.get("/schedules").html.all("a", ["class": "num"])
        #expect(parts.compactMap { $0["data-amount"] } == ["4000", "900", "500"])
    }

    /// Each amount that is to come opens the transactions of which it is made.
    @Test func sayWhatIsToComeAndLeadToIt() throws {
        var found = 0
        for path in balancePages + spendingPages {
            let page = try guest.get(path)
            let toCome = page.html.elements.filter { $0["data-to-come"] != nil }
            #expect(!toCome.isEmpty, "\(path)")
            for element in toCome {
                let minor = try #require(element["data-to-come"].flatMap { Int64($0) })
                #expect(["900", "-900", "300000", "299100"].contains("\(minor)"), "\(path): \(minor)")
                // A row is a link to the page on which the amount is one.
                guard element.tag == "a", let href = element["href"] else { continue }
                found += 1
                #expect(href.contains("from=2026-11-22"), "\(path): \(href)")
                let currency = try #require(element["data-currency"])
                let totals = try guest.listTotals(href)
                #expect(try guest.isSum(minor, currency, of: href), "\(path): \(minor) \(href) \(totals)")
            }
        }
        #expect(found > 25)
        #expect(try guest.get("/accounts").text.contains("and +€2,991.00 to come"))
        #expect(try guest.get("/budgets").text.contains("and €9.00 to come"))
        let register = try guest.get("/accounts/\(purse)/transactions")
        #expect(register.html.all("span", ["class": "tag"]).count { $0.text == "To come" } == 2)
    }

    @Test func countATimeThatHasNotBegunByWhatWasEnteredForIt() throws {
        let words = "All of this is still to come."
        let january = try guest.get("/transactions?month=2027-01")
        #expect(try guest.listTotals("/transactions?month=2027-01")["In, EUR"] == 300_000)
        #expect(january.text.contains(words))
        for path in [
            "/?month=2027-01", "/budgets?month=2027-01", "/transactions?from=2026-11-22",
            "/accounts/\(purse)/transactions?month=2027-01", "/reports?from=2026-12&to=2027-01",
        ] {
            let page = try guest.get(path)
            #expect(page.text.contains(words), "\(path)")
            #expect(page.html.elements.allSatisfy { $0["data-to-come"] == nil || path.contains("accounts") })
        }
        for path in ["/", "/?month=2026-10", "/budgets", "/transactions", "/reports?group=month"] {
            #expect(try !guest.get(path).text.contains(words), "\(path)")
        }
        #expect(try amounts("/?month=2027-01").contains("308100"), "at the end of January")
        #expect(try guest.get("/transactions?from=2026-11-22").text.contains("From 22 Nov 2026 on"))
    }

    @Test func endAReportWithThePresentMonth() throws {
        for group in ["month", "flow", "worth"] {
            let page = try guest.get("/reports?group=\(group)&from=2026-01&to=2026-12")
            #expect(page.text.contains("November 2026") && !page.text.contains("December 2026"), "\(group)")
            #expect(page.text.contains("Counts everything to the end of Saturday 21 November 2026."))
        }
        let file = try guest.get("/reports?group=month&from=2026-11&to=2026-12&format=csv")
        #expect(file.text.contains("10.00,EUR") && !file.text.contains("19.00"))
        #expect(file.text.contains("Counts everything to the end of Saturday 21 November 2026."))
    }

    @Test func sayWhatMovesAndWhatAClosedAccountHas() throws {
        let move = try amounts("/accounts/\(purse)/move?to=\(cash)")
        // All that moves, what of it is to come, and the two balances of today afterwards.
        #expect(Array(move.prefix(4)) == ["298100", "299100", "10000", "-1000"])
        _ = try guest.get("/accounts/\(purse)")
        #expect(try guest.post("/accounts/\(purse)/close").status == 303)
        let words = "Its balance of €90.00 still counts in your totals, and +€2,991.00 is to come"
        #expect(try guest.get("/accounts").text.contains(words))
    }

    /// The device was not used in between.
    @Test func showTheNewDayAfterMidnight() throws {
        _ = try (balancePages + spendingPages).map { try guest.get($0) }
        server.clock.advance(by: 86_400)
        for path in balancePages {
            let found = try amounts(path)
            #expect(found.contains("8100"), "\(path): \(found)")
        }
        for path in spendingPages {
            let found = try amounts(path)
            #expect(found.contains("1900") || found.contains("-1900"), "\(path): \(found)")
            #expect(try amounts(path, "data-to-come").allSatisfy { $0 == "300000" }, "\(path)")
        }
        #expect(try amounts("/accounts", "data-to-come").allSatisfy { $0 == "300000" })
        #expect(try guest.get("/").html.elements.first { $0["id"] == "out" }?["data-amount"] == "-1900")
    }
}
