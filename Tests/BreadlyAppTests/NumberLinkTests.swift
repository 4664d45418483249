// Every number opens what it is made of: each amount of a page is a link, and the list behind it has the same sum. The
// clock shows 21 November 2026.
import Foundation
import TestKit
import Testing

/// Whether an amount of a page has no link of its own, with the reason.
private func reasonWithoutLink(_ element: HTMLElement, on path: String) -> String? {
    if path.hasPrefix("/accounts/"), element["class"]?.contains("big") == true || element.tag == "span" {
        return "the rows of which the balance is made are right beside it"
    }
    if element.tag == "td", element["data-amount"] == "0" { return "no transaction is behind it" }
    if path.contains("compare=previous"), element.tag == "td" {
        return "no list has the days of an average of parts of months"
    }
    return nil
}

extension Visitor {
    /// The totals of a list by their words and currency, such as `In, EUR`.
    func listTotals(_ path: String) throws -> [String: Int64] {
        let page = try get(path)
        try #require(page.status == 200, "\(path) answers \(page.status)")
        var totals: [String: Int64] = [:]
        var label: String?
        for element in page.html.elements {
            if element.tag == "dt" { label = element.text }
            guard element.tag == "dd", let text = element["data-amount"], let minor = Int64(text), let label
            else { continue }
            totals[label] = minor
        }
        return totals
    }

    /// Whether the list behind a link has a number as its income, its spending, what was moved, or all of them together.
    func isSum(_ minor: Int64, _ currency: String, of path: String) throws -> Bool {
        let totals = try listTotals(path)
        let parts = ["In", "Out", "Moved"].map { totals["\($0), \(currency)"] ?? 0 }
        // Spending is negative in the list, and positive in its column of a report.
        return [parts[0], parts[1], -parts[1], parts[2], parts[0] + parts[1], parts.reduce(0, +)]
            .contains(minor)
    }
}

extension Reply {
    /// The cells of tables whose links lead to lists.
    var listedCells: [(cell: HTMLElement, href: String)] {
        html.elements.indices.compactMap { place in
            let element = html.elements[place]
            guard element.tag == "td", element["data-amount"] != nil,
                let href = html.link(of: place)?["href"], href.hasPrefix("/transactions?")
            else { return nil }
            return (element, href)
        }
    }
}

@Suite struct NumbersAsLinks {
    let server: Running
    let guest: Visitor
    let accounts: [String: String]

    init() throws {
        server = try Running()
        guest = try server.guest()
        for (name, type, code) in [
            ("Nest", "savings", "EUR"), ("Loan", "loan", "EUR"), ("Dollars", "cash", "USD"),
        ] {
            let fields = [("name", name), ("type", type), ("currency", code), ("opening", "1000")]
            try #require(try guest.post("/accounts", fields).status == 303)
        }
        accounts = try guest.accounts()
        let (home, food) = (try category("Housing"), try category("Groceries"))
        let below = [
            ("name", "Repairs"), ("kind", "expense"), ("icon", "home"), ("color", "crust"), ("parent", home),
        ]
        try #require(try guest.post("/categories", below).status == 303)
        let repairs = try category("Repairs")
        for date in ["2025-12-05", "2026-10-07", "2026-11-03"] {
            try record("Bank", [("kind", "income"), ("amount", "900"), ("date", date), ("payee", "Work")])
            try record("Cash", [("amount", "31"), ("date", date), ("category", food)])
            try record("Card", [("amount", "200"), ("date", date), ("category", home)])
            try record("Card", [("amount", "45"), ("date", date), ("category", repairs)])
            // Neither of these is in a cash flow.
            try record("Nest", [("amount", "17"), ("date", date), ("payee", "Fee")])
            try record("Nest", [("kind", "income"), ("amount", "3"), ("date", date), ("payee", "Interest")])
            // A cash flow counts the charge of the account, in its currency.
            try record(
                "Dollars",
                [("amount", "20"), ("to_amount", "22"), ("date", date), ("payee", "Abroad")]
            )
            try record("Dollars", [("currency", "USD"), ("amount", "8"), ("date", date)])
            for (to, amount) in [("Nest", "120"), ("Cash", "60"), ("Loan", "50")] {
                try move("Bank", to, amount, date)
            }
            try move("Nest", "Card", "70", date)
            try move("Bank", "Dollars", "30", date, arrives: "33")
        }
        try record("Cash", [("kind", "income"), ("amount", "5"), ("date", "2026-11-04"), ("category", food)])
        let parts = [
            ("split_category", food), ("split_amount", "12"), ("split_note", ""),
            ("split_category", repairs), ("split_amount", "6"), ("split_note", "Nails"),
        ]
        try record("Cash", [("amount", "18"), ("payee", "Market")], parts)
        for budget in [[("limit", "500"), ("category", food), ("rollover", "on")], [("limit", "900")]] {
            try #require(try guest.post("/budgets", budget + [("from", "2026-10")]).status == 303)
        }
        let bank = try #require(accounts["Bank"])
        let schedule = [
            ("kind", "expense"), ("amount", "12.99"), ("currency", "EUR"), ("account", bank),
            ("payee", "Netflix"), ("category", ""), ("note", ""), ("tags", ""), ("start", "2026-11-25"),
            ("every", "1"), ("unit", "month"), ("end", ""), ("shift", "none"), ("record", "auto"),
        ]
        _ = try guest.get("/schedules")
        try #require(try guest.post("/schedules", schedule).status == 303)
    }

    private func category(_ name: String) throws -> String {
        let row = try guest.get("/categories").rows("category").first { $0.text.contains(name) }
        return try #require(row?["data-id"])
    }

    private func record(_ name: String, _ fields: [(String, String)], _ parts: [(String, String)] = []) throws
    {
        let account = try #require(accounts[name])
        let sent: [(String, String)] = [
            ("kind", "expense"), ("date", "2026-11-21"), ("amount", "1"), ("currency", "EUR"),
            ("account", account), ("payee", "Shop"),
        ]
        let kept = sent.filter { field in !fields.contains { $0.0 == field.0 } }
        let reply = try guest.post("/transactions", kept + fields + parts)
        try #require(reply.status == 303, "\(reply.refused)")
        _ = try guest.get("/")
    }

    private func move(_ from: String, _ to: String, _ amount: String, _ date: String, arrives: String? = nil)
        throws
    {
        let destination = try #require(accounts[to])
        let fields = [
            ("kind", "transfer"), ("amount", amount), ("date", date), ("payee", ""),
            ("to_account", destination),
        ]
        try record(from, fields + (arrives.map { [("to_amount", $0)] } ?? []))
    }

    private static let groups = ["category", "payee", "account", "month", "flow", "worth"]

    private var reports: [String] {
        Self.groups.map { "/reports?group=\($0)&from=2026-10&to=2026-11" }
            + ["/reports?compare=previous", "/reports?compare=average&to=2026-10"]
    }

    @Test func everyAmountIsALink() throws {
        let bank = try #require(accounts["Bank"])
        let pages =
            ["/", "/?month=2026-10", "/budgets", "/budgets?month=2026-10", "/accounts", "/schedules"]
            + ["/accounts/\(bank)/transactions", "/accounts/\(bank)/transactions?month=2026-11"] + reports
        for path in pages {
            let page = try guest.get(path)
            try #require(page.status == 200, "\(path)")
            let places = page.html.elements.indices.filter { page.html.elements[$0]["data-amount"] != nil }
            #expect(!places.isEmpty, "\(path)")
            for place in places where page.html.link(of: place) == nil {
                let element = page.html.elements[place]
                #expect(
                    reasonWithoutLink(element, on: path) != nil,
                    "\(path): \(element.tag) \(element.text)"
                )
            }
        }
    }

    @Test func theListBehindANumberOfAReportHasTheSameSum() throws {
        for path in reports {
            let page = try guest.get(path)
            let cells = page.listedCells
            #expect(path.contains("worth") || cells.count > 3, "\(path)")
            for (place, (cell, href)) in cells.enumerated() {
                let minor = try #require(cell["data-amount"].flatMap { Int64($0) })
                let currency = try #require(cell["data-currency"])
                // Of the two months before October 2026 with spending, December 2025 is the first of ten.
                let isAverage = path.contains("compare=average") && place % 3 == 2
                let isRight =
                    try isAverage
                    ? guest.isAverage(minor, currency, of: href, months: 10)
                    : guest.isSum(minor, currency, of: href)
                let totals = try guest.listTotals(href)
                #expect(isRight, "\(path): \(minor) \(currency) opens \(href): \(totals)")
            }
        }
    }

    @Test func theCashFlowOpensTheAccountsThatItCounts() throws {
        let page = try guest.get("/reports?group=flow&from=2026-11&to=2026-11")
        let hrefs = page.listedCells.map(\.href)
        let list = "/transactions?month=2026-11&account=daily"
        #expect(hrefs.contains("\(list)&kind=income") && hrefs.contains("\(list)&kind=transfer"))
        let income = try guest.get("\(list)&kind=income")
        let chips = income.html.all("a", ["class": "tag"]).map(\.text)
        #expect(chips.contains { $0.contains("Cash, bank and cards") })
        #expect(income.html.all("option", ["value": "daily"]).contains { $0["selected"] != nil })
        let spending = try guest.get("\(list)&kind=spending")
        // The refund is income that reduces spending.
        #expect(income.rows("transaction").map { $0.text.contains("Work") } == [false, true])
        #expect(!income.rows("transaction").contains { $0.text.contains("Interest") })
        #expect(spending.rows("transaction").count == 7)
        #expect(!spending.rows("transaction").contains { $0.text.contains("Fee") })
        // -120 - 50 + 70, and what went to another currency; what moved between them does not change it.
        let moved = try guest.listTotals("\(list)&kind=transfer")
        #expect(moved["Moved, EUR"] == -13_000 && moved["Moved, USD"] == 3_300)
        #expect(try guest.listTotals("\(list)&kind=spending")["Out, USD"] == -3_000)
        // Without a month, it is of all months, as for an account.
        let all = try guest.get("/transactions?account=daily")
        #expect(all.text.contains("All months") && all.rows("transaction").count > 20)
        // The bars of the chart open the same lists.
        #expect(page.text.contains("\"\(list.dropFirst().replacing("&", with: "&amp;"))&amp;kind=income\""))
    }

    @Test func aListOfDaysAndOfAnAccountSaysWhatWasMoved() throws {
        let bank = try #require(accounts["Bank"])
        let november = try guest.listTotals("/transactions?from=2026-11-02&to=2026-11-20&account=\(bank)")
        #expect(november["Moved, EUR"] == -26_000)
        let days = try guest.listTotals("/transactions?from=2026-11-02&to=2026-11-20&account=daily")
        #expect(days["Moved, EUR"] == -13_000 && days["Moved, USD"] == 3_300)
        #expect(try guest.listTotals("/transactions?account=\(bank)")["Moved, EUR"] == -78_000)
        #expect(try guest.listTotals("/transactions?month=2026-11")["Moved, EUR"] == nil)
    }

    @Test func balancesOpenThoseOfEachAccountAndTheseTheirRegisters() throws {
        let flow = try guest.get("/reports?group=flow&from=2026-10&to=2026-11")
        let href = "/reports?group=worth&from=2026-10&to=2026-10#accounts-EUR"
        #expect(flow.html.all("a", ["href": href]).count == 2, "the beginning and the end")
        let worth = try guest.get("/reports?group=worth&from=2026-10&to=2026-10")
        #expect(worth.html.first("figure", ["id": "accounts-EUR"]) != nil)
        let nest = try #require(accounts["Nest"])
        for month in ["2026-09", "2026-10"] {
            let register = "/accounts/\(nest)/transactions?month=\(month)"
            let text = try #require(worth.html.first("a", ["href": register])?.text)
            let shown = text.filter(\.isNumber)
            let page = try guest.get(register)
            let balances =
                page.html.elements.compactMap { $0["data-balance"] }
                + page.html.all("span", ["data-currency": "EUR"]).compactMap { $0["data-amount"] }
            #expect(balances.contains(shown), "\(month): \(shown)")
        }
        // The points of the line are links as well.
        let line = try guest.get("/reports?group=worth&from=2026-10&to=2026-11")
        let point = "reports?group=worth&amp;from=2026-10&amp;to=2026-10#accounts-EUR"
        #expect(line.text.contains("<a href=\"\(point)\" aria-label=\"Together, Oct: "))
    }

    @Test func theOverviewOpensItsMonth() throws {
        for (path, month) in [("/", "2026-11"), ("/?month=2026-10", "2026-10")] {
            let page = try guest.get(path)
            for (id, query) in [
                ("left", "&kind=spending&counts=EUR"), ("in", "&kind=income"), ("out", "&kind=spending"),
            ] {
                let link = try #require(page.html.first("a", ["id": id]), "\(id)")
                #expect(link["href"] == "/transactions?month=\(month)\(query)")
                #expect(link["aria-labelledby"]?.hasPrefix("\(id)-title ") == true)
                guard id != "left" else { continue }
                let minor = try #require(link["data-amount"].flatMap { Int64($0) })
                let href = try #require(link["href"])
                #expect(try guest.isSum(minor, "EUR", of: href), "\(path) \(id)")
            }
        }
        let spent = try guest.get("/budgets").html.all("a", ["data-amount": ""])
            .filter { $0["href"]?.hasPrefix("/transactions") == true }
        #expect(spent.count == 2)
        for link in spent {
            let minor = try #require(link["data-amount"].flatMap { Int64($0) })
            let href = try #require(link["href"])
            #expect(try guest.isSum(minor, "EUR", of: href), "\(href)")
        }
    }
}

extension Visitor {
    fileprivate func isAverage(_ minor: Int64, _ currency: String, of path: String, months: Int64) throws
        -> Bool
    {
        let spent = -(try listTotals(path)["Out, \(currency)"] ?? 0)
        return abs(spent - minor * months) * 2 <= months
    }
}
