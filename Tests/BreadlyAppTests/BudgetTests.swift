// The sentences of the page of budgets, and the links of its numbers. The clock shows 21 November 2026.
import Foundation
import TestKit
import Testing

@Suite struct BudgetSentences {
    let server: Running

    init() throws { server = try Running() }

    private func category(_ name: String, _ guest: Visitor) throws -> String {
        let row = try guest.get("/categories").rows("category").first { $0.text.contains(name) }
        return try #require(row?["data-id"])
    }

    /// A guest with a budget for groceries, and 30 euro a month spent on them.
    private func household(
        _ limit: String = "50",
        from: String = "2026-08",
        _ more: [(String, String)] = []
    ) throws -> (guest: Visitor, groceries: String, cash: String) {
        let guest = try server.guest()
        let groceries = try category("Groceries", guest)
        let cash = try #require(try guest.accounts()["Cash"])
        for month in ["08", "09", "10", "11"] {
            for day in ["03", "17"] {
                let fields = [("category", groceries), ("amount", "15"), ("date", "2026-\(month)-\(day)")]
                try #require(try guest.record(fields, account: cash).status == 303)
            }
        }
        let budget = [("category", groceries), ("limit", limit), ("from", from)] + more
        try #require(try guest.post("/budgets", budget).status == 303)
        return (guest, groceries, cash)
    }

    private func budget(_ guest: Visitor, _ month: String = "2026-11") throws -> HTMLElement {
        try #require(try guest.get("/budgets?month=\(month)").rows("budget").first)
    }

    private func form(_ guest: Visitor) throws -> (path: String, fields: [(String, String)]) {
        let id = try #require(try budget(guest)["data-id"])
        let fields = try #require(try guest.get("/budgets/\(id)").html.form("/budgets/\(id)"))
        return ("/budgets/\(id)", fields.map { ($0.name, $0.value) })
    }

    private func save(_ guest: Visitor, _ changes: [String: String]) throws -> Reply {
        let (path, fields) = try form(guest)
        let kept = fields.filter { changes[$0.0] == nil }
        return try guest.post(path, kept + changes.map { ($0.key, $0.value) }, csrf: false)
    }

    @Test func aRefundReducesItsCategory() throws {
        let (guest, groceries, cash) = try household()
        let refund = [("kind", "income"), ("category", groceries), ("amount", "12"), ("payee", "Shop")]
        #expect(try guest.record(refund, account: cash).status == 303)
        #expect(try budget(guest).text.contains("€18.00 of €50.00 spent"))
        #expect(try budget(guest).text.contains("€32.00 left"))
        let list = try guest.get("/transactions?month=2026-11&category=\(groceries)")
        let row = try #require(list.rows("transaction").first { $0.text.contains("Shop") })
        #expect(row.text.contains("Refund") && row.text.contains("+€12.00"))
        #expect(list.text.contains("−€18.00"), "the totals of the list")
        let spending = "/transactions?month=2026-11&category=\(groceries)&kind=spending&counts=EUR"
        #expect(try guest.get("/budgets").html.first("a", ["href": spending])?.text == "€18.00")
        #expect(try guest.get(spending).rows("transaction").count == 3)
        for (page, words) in [
            ("/", "€18.00"), ("/reports", "€18.00"), ("/reports?group=month", "€18.00"),
            ("/reports?group=account", "€108.00"), ("/reports?group=payee", "−€12.00"),
        ] {
            #expect(try guest.get(page).text.contains(words), "\(page)")
        }
        #expect(try guest.get("/transactions?q=shop").text.contains("+€12.00"))
        #expect(try guest.get("/history").text.contains("€12.00 refunded"))
        // Spending is no income.
        let salary = try category("Salary", guest)
        let wrong = try guest.record([("category", salary)], account: cash)
        #expect(wrong.status == 422 && wrong.refused == ["category"])
    }

    @Test func aLimitChangesFromThisMonthOn() throws {
        let (guest, _, _) = try household()
        let page = try guest.get(try form(guest).path)
        #expect(page.text.contains("From November 2026 on; earlier months keep their limits"))
        #expect(page.text.contains("From the beginning, in all months"))
        let changed = try save(guest, ["limit": "70"])
        #expect(changed.status == 303)
        // The browser goes to the row that has the limit now, which is another one than before.
        let place = try #require(changed.header("location")).split(separator: "#")
        let list = try guest.get(String(place[0]))
        #expect(list.html.elements.contains { $0["id"] == place.last.map(String.init) }, "\(place)")
        #expect(try budget(guest).text.contains("€30.00 of €70.00 spent"))
        #expect(try budget(guest, "2026-10").text.contains("€30.00 of €50.00 spent"))
        #expect(try save(guest, ["limit": "80", "since": "beginning"]).status == 303)
        #expect(try budget(guest).text.contains("of €80.00 spent"))
        #expect(try budget(guest, "2026-08").text.contains("of €80.00 spent"))
        let refused = try save(guest, ["since": "soon", "pace": "slow"])
        #expect(refused.status == 422 && refused.refused == ["since", "pace"])
    }

    @Test func aBudgetEndsWithLastMonthUnlessAllMonthsAreChosen() throws {
        let (guest, _, _) = try household()
        let path = try form(guest).path
        let page = try guest.get(path)
        #expect(
            page.text.contains("End it with October 2026") && page.text.contains("Delete it in all months")
        )
        #expect(try guest.post("\(path)/delete", [("since", "now")]).status == 303)
        let after = try guest.get("/budgets")
        #expect(after.rows("budget").isEmpty)
        #expect(try budget(guest, "2026-10").text.contains("of €50.00 spent"))
        let undo = try #require(
            after.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        )
        #expect(try guest.post(undo).status == 303)
        #expect(try budget(guest).text.contains("of €50.00 spent"))
        #expect(try guest.post("\(path)/delete", [("since", "beginning")]).status == 303)
        for month in ["2026-08", "2026-11"] {
            #expect(try guest.get("/budgets?month=\(month)").rows("budget").isEmpty)
        }
    }

    @Test(arguments: [false, true]) func theWayToDeleteACategoryWithABudgetIsNamed(hasEnded: Bool) throws {
        let (guest, groceries, _) = try household()
        let path = try form(guest).path
        if hasEnded { #expect(try guest.post("\(path)/delete", [("since", "now")]).status == 303) }
        let category = "/categories/\(groceries)"
        let refused = try guest.post("\(category)/delete")
        #expect(refused.status == 409 || refused.status == 422)
        #expect(refused.text.contains("It had a budget in earlier months, whose limits stay") == hasEnded)
        #expect(refused.text.contains("It has a budget.") != hasEnded)
        let way = try #require(refused.html.all("a").first { $0.text == "Its budget" }?["href"])
        #expect(way == path)
        // The budget is on its page, also if no page of the present month has it.
        #expect(try guest.get(way).text.contains("Delete it in all months"))
        #expect(try budget(guest, "2026-10").text.contains("€30.00 of €50.00 spent"))
        #expect(try guest.post("\(way)/delete", [("since", "beginning")]).status == 303)
        #expect(try guest.post("\(category)/delete").status == 303)
        #expect(try guest.get(category).status == 404)
    }

    @Test func overspendingOfEarlierMonthsIsOwed() throws {
        let (guest, _, _) = try household("10", [("rollover", "on")])
        let text = try budget(guest).text
        #expect(text.contains("€30.00 of €10.00 spent, €60.00 owed from earlier months"))
        #expect(text.contains("€80.00 over budget"))
        #expect(!text.contains("−€50.00"))
        // December has spent nothing yet.
        let december = try budget(guest, "2026-12").text
        #expect(december.contains("€0.00 of €10.00 spent, €80.00 owed from earlier months"))
        #expect(december.contains("€70.00 over budget from earlier months"))
    }

    @Test(arguments: [
        ("25", ["Left in December 2026", "€5.00", "€20.00 is owed from earlier months."]),
        ("5", ["Over budget from earlier months", "−€95.00", "€100.00 is owed from earlier months."]),
    ])
    func theOverviewSaysWhatIsOwedFromEarlierMonths(limit: String, sentences: [String]) throws {
        let (guest, _, _) = try household()
        let all = [("limit", limit), ("from", "2026-08"), ("rollover", "on")]
        #expect(try guest.post("/budgets", all).status == 303)
        let text = try guest.get("/?month=2026-12").text
        for sentence in sentences { #expect(text.contains(sentence), "\(sentence)") }
    }

    @Test func aRentIsPaidAtOnceAndIsNoAlarm() throws {
        let guest = try server.guest()
        let rent = try category("Rent", guest)
        let bank = try #require(try guest.accounts()["Bank"])
        _ = try guest.post("/budgets", [("category", rent), ("limit", "900"), ("from", "2026-01")])
        for month in ["09", "10", "11"] {
            let fields = [("category", rent), ("amount", "900"), ("date", "2026-\(month)-01")]
            try #require(try guest.record(fields, account: bank).status == 303)
        }
        let once = try budget(guest).text
        #expect(once.contains("€0.00 left") && once.contains("paid at once"))
        #expect(!once.contains("faster than the month") && !once.contains("on pace"))
        #expect(try !guest.get("/").text.contains("What needs you"))
        let page = try guest.get(try form(guest).path)
        #expect(page.text.contains("Decide from earlier months (now: paid at once)"))
        #expect(try save(guest, ["pace": "spread"]).status == 303)
        #expect(try budget(guest).text.contains("faster than the month"))
        #expect(try guest.get("/export/breadly.json").text.contains(#""pace":"spread""#))
    }

    @Test func theLastMonthsSuggestALimit() throws {
        let guest = try server.guest()
        let (groceries, cash) = (try category("Groceries", guest), try #require(try guest.accounts()["Cash"]))
        for (month, amount) in [("08", "30"), ("09", "31"), ("10", "35")] {
            let fields = [("category", groceries), ("amount", amount), ("date", "2026-\(month)-09")]
            _ = try guest.record(fields, account: cash)
        }
        let page = try guest.get("/budgets")
        let words = "€32.00 a month on average in the last 3 months."
        let links = page.html.all("a").filter { $0["data-suggestion"] != nil }
        let link = try #require(links.first { $0.text.contains("Groceries") })
        #expect(link.text.contains(words))
        let href = try #require(link["href"])
        #expect(href == "/budgets?month=2026-11&category=\(groceries)&limit=32.00#limit")
        let filled = try #require(try guest.get(String(href.prefix { $0 != "#" })).html.form("/budgets"))
        #expect(filled.contains { $0.name == "limit" && $0.value == "32.00" })
        #expect(filled.contains { $0.name == "category" && $0.value == groceries })
        // Beside an empty limit.
        let empty = try guest.get("/budgets?category=\(groceries)")
        #expect(
            empty.html.all("p", ["class": "hint"]).contains {
                $0.text.contains(words) && $0.text.contains("Use it")
            }
        )
        #expect(
            try guest.get("/budgets?category=nothing&limit=\(String(repeating: "9", count: 99))").status
                == 200
        )
    }

    @Test func theFormSaysWhatItAsks() throws {
        let guest = try server.guest()
        let card = try #require(try guest.accounts()["Card"])
        let refused = try guest.record([("currency", "USD")], account: card)
        #expect(refused.text.contains("Charged to Card, in EUR"))
        #expect(refused.text.contains("What was the account charged, in EUR?"))
        let income = try guest.record([("currency", "USD"), ("kind", "income")], account: card)
        #expect(income.text.contains("Received on Card, in EUR"))
    }

    @Test func amountsAtTheEdgeAreShownAndNeverWrap() throws {
        let guest = try server.guest()
        let largest = "90000000000000000"
        let (groceries, cash) = (try category("Groceries", guest), try #require(try guest.accounts()["Cash"]))
        let budget = [
            ("category", groceries), ("limit", largest), ("from", "0001-01"), ("unusual_from", "0001-01"),
            ("rollover", "on"),
        ]
        #expect(try guest.post("/budgets", budget).status == 303)
        let spent = [("category", groceries), ("amount", largest)]
        #expect(try guest.record(spent, account: cash).status == 303)
        #expect(try guest.record(spent, account: cash).status == 422)
        let refund = [("kind", "income"), ("category", groceries), ("amount", largest)]
        #expect(try guest.record(refund, account: cash).status == 303)
        #expect(try guest.record(refund, account: cash).status == 422)
        for page in ["/", "/budgets", "/budgets?month=9999-12", "/reports", "/transactions"] {
            #expect(try guest.get(page).status == 200, "\(page)")
        }
    }

    /// No account is beyond the numbers, and the refunds of both together are.
    @Test func refundsBeyondTheNumbersAreSaidToBeTooLarge() throws {
        let guest = try server.guest()
        let (groceries, most) = (try category("Groceries", guest), "92233720368547758.07")
        let accounts = try guest.accounts()
        let (cash, card) = (try #require(accounts["Cash"]), try #require(accounts["Card"]))
        let refund = [("kind", "income"), ("category", groceries)]
        #expect(try guest.record(refund + [("amount", most)], account: cash).status == 303)
        let inDollars = [("currency", "USD"), ("amount", "1"), ("to_amount", most)]
        #expect(try guest.record(refund + inDollars, account: card).status == 303)
        for path in ["/", "/budgets", "/reports", "/reports?group=month", "/transactions", "/accounts"] {
            let page = try guest.get(path)
            #expect(page.status == 200, "\(path)")
            let sums = page.html.all(nil, ["data-too-large": ""])
            #expect(sums.isEmpty == (path == "/budgets"), "\(path)")
            #expect(sums.allSatisfy { $0.text.contains("too large to show") }, "\(path)")
        }
        let file = try guest.get("/reports?group=month&from=2026-11&to=2026-11&format=csv")
        #expect(file.text.contains("too large to show") && !file.text.contains("92233720368547758.07"))
    }

    /// Three accounts of 40 quadrillion, whose sum is beyond the numbers; with 60, 60 and less 80 it is not.
    @Test(arguments: [(["40", "40", "40"], nil), (["60", "60", "-80"], "4000000000000000000")])
    func openingBalancesBeyondTheNumbers(openings: [String], sum: String?) throws {
        let guest = try server.guest()
        for (place, opening) in openings.enumerated() {
            let fields = [("name", "Vault \(place)"), ("type", "cash"), ("currency", "EUR")]
            let amount = [("opening", opening + "000000000000000")]
            #expect(try guest.post("/accounts", fields + amount).status == 303)
        }
        let page = try guest.get("/accounts")
        let total = try #require(page.html.first("a", ["id": "in-EUR"]))
        #expect(total["data-amount"] == sum && (total["data-too-large"] == nil) == (sum != nil))
        #expect(!page.text.contains("92,233,720,368,547,758"))
        #expect(try guest.get("/reports?group=worth").status == 200)
    }

    /// Signed in without and with premium: the same sentences but for the offer to upgrade.
    @Test func eachTierSaysWhatIsLeftOut() throws {
        let guest = try server.guest()
        let dollars = [("name", "Dollars"), ("type", "cash"), ("currency", "USD"), ("opening", "0")]
        _ = try guest.post("/accounts", dollars)
        let account = try #require(try guest.accounts()["Dollars"])
        _ = try guest.post("/budgets", [("limit", "20"), ("from", "2026-11")])
        _ = try guest.record([("currency", "USD"), ("amount", "5")], account: account)
        let upgrade = "Upgrade to Premium to track all currencies."
        #expect(try guest.get("/budgets").text.contains(upgrade))
        _ = try guest.get("/sign-in")
        let user = Visitor.anna
        try #require(try guest.post("/sign-up", user).status == 303)
        let free = try guest.get("/budgets")
        #expect(free.html.body("data-tier") == "free" && free.text.contains(upgrade))
        try server.restart { $0.premiumForEveryone = true }
        let later = server.visitor()
        later.cookies = guest.cookies
        try until("premium") { try later.get("/budgets").html.body("data-tier") == "premium" }
        // The server has the rates that come with it.
        try until("the rates are in the book") {
            try later.get("/budgets").text.contains("With 1 expense in another currency, converted")
        }
        #expect(try !later.get("/budgets").text.contains(upgrade))
        #expect(try !later.record([("currency", "USD")], account: account).text.contains(upgrade))
    }
}
