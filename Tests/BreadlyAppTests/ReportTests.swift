// The reports of a book, and links from their numbers to transactions. The clock shows 21 November 2026.
import Foundation
import TestKit
import Testing

@Suite struct ReportsOfABook {
    let server: Running
    let guest: Visitor
    let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
    }

    private func category(_ name: String) throws -> String {
        let row = try guest.get("/categories").rows("category").first { $0.text.contains(name) }
        return try #require(row?["data-id"])
    }

    private func spend(_ amount: String, _ date: String, _ more: [(String, String)] = []) throws {
        let fields = [("amount", amount), ("date", date)] + more
        try #require(try guest.record(fields, account: cash).status == 303)
    }

    private func report(_ group: String, _ from: String = "2026-10", _ to: String = "2026-11") throws -> Reply
    {
        try guest.get("/reports?group=\(group)&from=\(from)&to=\(to)")
    }

    private func payees(_ path: String) throws -> Int { try guest.get(path).rows("transaction").count }

    /// The rows of all tables: the row itself, and the elements in it.
    private func tableRows(_ reply: Reply) -> [[HTMLElement]] {
        reply.html.elements.reduce(into: []) { rows, element in
            if element.tag == "tr" { rows.append([]) }
            if !rows.isEmpty { rows[rows.count - 1].append(element) }
        }
    }

    /// The cells of a row of a table, by its title.
    private func cells(_ reply: Reply, _ title: String) throws -> [String] {
        let row = try #require(
            tableRows(reply).first { $0.first { $0.tag == "th" }?.text.contains(title) == true }
        )
        return row.filter { $0.tag == "td" }.compactMap { $0["data-amount"] }
    }

    @Test(arguments: [
        ("This month", "1600"), ("Last month", "800"), ("This year", "2800"), ("12 months", "3000"),
    ])
    func aUsualRangeIsOneClickAway(label: String, sum: String) throws {
        let groceries = try category("Groceries")
        for (amount, date) in [
            ("1", "2025-11-30"), ("2", "2025-12-01"), ("4", "2026-01-01"), ("8", "2026-10-31"),
            ("16", "2026-11-01"),
        ] {
            try spend(amount, date, [("category", groceries)])
        }
        // From any other range, and for the same kind of report.
        let page = try report("category", "2020-01", "2020-02")
        let link = try #require(page.html.all("a").first { $0.text == label }?["href"])
        let opened = try guest.get(link)
        #expect(try cells(opened, "Groceries") == [sum])
        #expect(opened.html.all("a", ["aria-current": "page"]).contains { $0.text == label })
    }

    @Test func aMonthIsComparedUpToTheSameDayInASentenceForEachCategory() throws {
        let groceries = try category("Groceries")
        for (amount, date) in [
            ("30", "2026-11-05"), ("20", "2026-10-21"), ("100", "2026-10-22"), ("10", "2026-09-05"),
        ] {
            try spend(amount, date, [("category", groceries)])
        }
        let page = try guest.get("/reports?compare=previous")
        let words = "€30.00, €10.00 more than the month before and €15.00 more than on average"
        #expect(page.text.contains("Groceries") && page.text.contains(": \(words)"))
        #expect(page.text.contains("The average is that of the 2 months before, each up to the same day."))
        let now = "/transactions?from=2026-11-01&to=2026-11-21&category=\(groceries)&kind=spending"
        let before = "/transactions?from=2026-10-01&to=2026-10-21&category=\(groceries)&kind=spending"
        #expect(page.html.first("a", ["href": now])?.text.contains(words) == true)
        #expect(page.html.first("a", ["href": before])?.text == "€20.00")
        #expect(try payees(now) == 1 && payees(before) == 1)
        // A month that is over is compared as a whole.
        let whole = ": €120.00, €110.00 more than the month before and €110.00 more than on average"
        #expect(try guest.get("/reports?compare=previous&to=2026-10").text.contains(whole))
        let first = try guest.get("/reports?compare=previous&to=2026-09").text
        #expect(first.contains(": €10.00. There are no earlier months to compare with yet."))
    }

    @Test func monthsWithoutSpendingOnTheseDaysCountInTheAverage() throws {
        let groceries = try category("Groceries")
        try spend("500", "2026-01-30", [("kind", "income")])
        try spend("90", "2026-10-01", [("category", groceries)])
        let page = try guest.get("/reports?compare=previous")
        #expect(
            page.text.contains(": €0.00, €90.00 less than the month before and €9.00 less than on average")
        )
        #expect(page.text.contains("The average is that of the 10 months before, each up to the same day."))
    }

    @Test func aCategoryToWhichMoreCameBackIsInTheTableAndTheTotal() throws {
        let (groceries, transport) = (try category("Groceries"), try category("Transport"))
        try spend("10", "2026-11-05", [("category", groceries)])
        try spend("25", "2026-11-06", [("category", groceries), ("kind", "income")])
        try spend("40", "2026-11-07", [("category", transport)])
        let page = try report("category", "2026-11")
        #expect(try cells(page, "Groceries") == ["-1500"])
        #expect(try cells(page, "Together") == ["2500"])
        #expect(page.text.contains(" took the most: €40.00 of €25.00"))
        #expect(
            try guest.get("/").html.all(nil, ["data-amount": "1500"]).contains { $0.text.contains("€15.00") }
        )
        try spend("100", "2026-11-08", [("category", transport), ("kind", "income")])
        #expect(try report("category", "2026-11").text.contains("€75.00 more came back than was spent"))
    }

    @Test func categoriesBelowAnotherAreListedUnderIt() throws {
        let housing = try category("Housing")
        let fields = [
            ("name", "Repairs"), ("kind", "expense"), ("icon", "home"), ("color", "crust"),
            ("parent", housing),
        ]
        try #require(try guest.post("/categories", fields).status == 303)
        let repairs = try category("Repairs")
        try spend("10", "2026-11-05", [("category", housing)])
        try spend("25", "2026-11-06", [("category", repairs)])
        let page = try report("category", "2026-11")
        let parts = tableRows(page).filter { $0.first?["class"] == "part" }
        #expect(parts.map { $0.first { $0.tag == "td" }?["data-amount"] } == ["2500", "1000"])
        #expect(parts.first?.first?.text.contains("Repairs") == true)
        #expect(parts.last?.first?.text.contains("Without a subcategory") == true)
        #expect(try cells(page, "Housing") == ["3500"])
        let href = "/transactions?month=2026-11&category=\(repairs)&kind=spending"
        #expect(parts.first?.contains { $0["href"] == href } == true)
    }

    @Test func aBarOpensTheTransactionsOfItsCategory() throws {
        let groceries = try category("Groceries")
        try spend("30", "2026-11-05", [("category", groceries)])
        try spend("20", "2026-10-01", [("category", groceries)])
        try spend("5", "2026-10-01", [("payee", "Kiosk")])
        let page = try report("category")
        #expect(page.text.contains(" took the most: €50.00 of €55.00"))
        // The addresses in a chart are relative to the page.
        let bars = page.html.all("a").filter { $0["href"]?.hasPrefix("transactions?") == true }
        for (name, count) in [("Groceries", 2), ("No category", 1)] {
            let bar = try #require(
                bars.first { $0.text.contains(name) || $0["aria-label"]?.contains(name) == true },
                "\(name)"
            )
            #expect(try payees("/\(bar["href"] ?? "")") == count, "\(name)")
        }
    }

    @Test func everyNumberOfPayeesAccountsAndMonthsLeadsToItsTransactions() throws {
        for (payee, amount, kind) in [
            ("Shop", "5", "expense"), ("Shop & Co", "7", "expense"), ("Work", "90", "income"),
        ] {
            try spend(amount, "2026-11-03", [("payee", payee), ("kind", kind)])
        }
        try spend("3", "2026-10-30", [("payee", "Shop")])
        let days = "from=2026-10-01&to=2026-11-30"
        let payee = try report("payee")
        for (href, count) in [
            ("/transactions?\(days)&kind=spending&payee=Shop", 2),
            ("/transactions?\(days)&payee=Shop%20%26%20Co", 1),
            ("/transactions?\(days)&kind=income&payee=Work", 1),
        ] {
            #expect(payee.html.first("a", ["href": href]) != nil, "\(href)")
            #expect(try payees(href) == count, "\(href)")
        }
        let list = try guest.get("/transactions?\(days)&payee=Shop")
        #expect(list.html.first("a", ["data-filter": "payee"])?.text.contains("Shop") == true)
        #expect(list.text.contains("October 2026 to November 2026"))
        #expect(list.html.first("input", ["id": "f-payee"])?["value"] == "Shop")
        #expect(list.text.contains("€8.00"), "the total of the list")
        let account = try report("account")
        #expect(
            account.html.first("a", ["href": "/transactions?\(days)&account=\(cash)&kind=spending"]) != nil
        )
        let month = try report("month")
        for href in ["month=2026-11&kind=income", "month=2026-10&kind=spending", "month=2026-10"] {
            #expect(month.html.first("a", ["href": "/transactions?\(href)"]) != nil, "\(href)")
        }
        // The bars of the chart are links as well, relative to the page, and say what they are.
        let bar = #"<a href="transactions?month=2026-11&amp;kind=income" aria-label="Income, Nov: €90.00">"#
        #expect(month.text.contains(bar))
    }

    @Test func theCashFlowSaysWhatCameWentAndWasMoved() throws {
        let bank = try #require(try guest.accounts()["Bank"])
        let savings = [("name", "Nest"), ("type", "savings"), ("currency", "EUR"), ("opening", "1000")]
        try #require(try guest.post("/accounts", savings).status == 303)
        let nest = try #require(try guest.accounts()["Nest"])
        let income = [("kind", "income"), ("amount", "300"), ("date", "2026-11-02")]
        try #require(try guest.record(income, account: bank).status == 303)
        try spend("40", "2026-11-03")
        for (from, to, amount) in [(bank, nest, "120"), (bank, cash, "60")] {
            let fields = [
                ("kind", "transfer"), ("amount", amount), ("date", "2026-11-04"), ("to_account", to),
            ]
            try #require(try guest.record(fields, account: from).status == 303)
        }
        let page = try report("flow")
        #expect(try cells(page, "November 2026") == ["0", "30000", "4000", "-12000", "14000"])
        #expect(try cells(page, "October 2026") == ["0", "0", "0", "0", "0"])
        #expect(page.text.contains("Cash, bank and cards hold €140.00 more than before October 2026"))
        let href = "/transactions?month=2026-11&account=daily&kind=transfer"
        #expect(page.html.first("a", ["href": href])?.text == "−€120.00")
    }

    @Test func netWorthSetsAssetsAgainstDebtsAndNamesTheAccounts() throws {
        let card = try #require(try guest.accounts()["Card"])
        try #require(
            try guest.record([("amount", "70"), ("date", "2026-10-05")], account: card).status == 303
        )
        try spend("200", "2026-11-05", [("kind", "income")])
        let page = try report("worth")
        #expect(try cells(page, "October 2026") == ["0", "7000", "-7000"])
        #expect(try cells(page, "November 2026") == ["20000", "7000", "13000"])
        #expect(try cells(page, "Cash") == ["0", "20000", "20000"])
        #expect(try cells(page, "Card") == ["0", "-7000", "-7000"])
        #expect(page.text.contains("Together, the accounts grew by €200.00 since October 2026"))
        #expect(
            page.text.contains("Against assets of €200.00 stand debts of €70.00 at the end of November 2026")
        )
        #expect(page.text.contains(" holds the most: €200.00"))
    }

    @Test func whatIsShownIsSavedAsCSV() throws {
        try spend("1234.50", "2026-11-05", [("payee", "=1+1")])
        try spend("2", "2026-11-05", [("payee", "Shop, \"old\"")])
        let page = try report("payee")
        let href = "/reports?group=payee&from=2026-10&to=2026-11&format=csv"
        #expect(page.html.first("a", ["href": href])?.text == "Save as CSV")
        let file = try guest.get(href)
        #expect(file.status == 200 && file.header("content-type") == "text/csv; charset=utf-8")
        #expect(file.header("content-disposition")?.contains("breadly-payee-2026-10-2026-11.csv") == true)
        #expect(
            file.text == "\u{FEFF}Payee,Income,Currency,Spending,Currency\r\n'=1+1,0.00,EUR,1234.50,EUR\r\n"
                + "\"Shop, \"\"old\"\"\",0.00,EUR,2.00,EUR\r\n"
        )
        let groups = ["category", "month", "account", "flow", "worth"].map { "group=\($0)" }
        for query in groups + ["compare=previous", "compare=average"] {
            let file = try guest.get("/reports?\(query)&from=2026-10&to=2026-11&format=csv")
            #expect(file.status == 200 && file.text.contains("1236.50"), "\(query)")
        }
        for query in ["compare=mood", "group=comparison", "format=pdf"] {
            #expect(try guest.get("/reports?\(query)").status == 400, "\(query)")
        }
        #expect(try guest.get("/reports?from=2026-12&to=2026-01&format=csv").status == 400)
        #expect(try guest.get("/reports?group=mood&format=csv").status == 400)
    }

    @Test func aListOfDaysKeepsItsDays() throws {
        for day in ["04", "05", "09", "10"] { try spend("1", "2026-11-\(day)", [("note", "d\(day)")]) }
        for path in ["from=2026-11-05&to=2026-11-09", "from=2026-11-09&to=2026-11-05"] {
            let list = try guest.get("/transactions?\(path)")
            #expect(list.rows("transaction").count == 2, "\(path)")
            #expect(list.html.first("input", ["id": "f-from"])?["value"] == "2026-11-05")
            #expect(list.html.first("input", ["id": "f-to"])?["value"] == "2026-11-09")
            #expect(list.text.contains("€2.00"))
        }
        #expect(try payees("/transactions?from=2026-11-09") == 2)
        #expect(try payees("/transactions?to=2026-11-05") == 2)
        #expect(try payees("/transactions?from=2026-11-05&to=2026-11-09&q=d04") == 0)
        #expect(try payees("/transactions?from=&to=&shown=2026-11") == 4)
        #expect(try guest.get("/transactions?from=soon").status == 400)
        #expect(try guest.get("/transactions?to=2026-02-30").status == 400)
    }
}
