// Every link and every form of every page leads somewhere.
import Foundation
import TestKit
import Testing

@Suite struct Links {
    @Test func noLinkAndNoFormLeadsNowhere() throws {
        let server = try Running()
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        for number in 0..<55 { _ = try guest.record([("payee", "P\(number)")], account: account) }
        _ = try guest.post("/budgets", [("limit", "100"), ("from", "2026-11")])
        var open = ["/", "/help", "/settings", "/nowhere"]
        var seen = Set(open)
        var forms: Set<String> = []
        while let path = open.popLast() {
            let reply = try guest.get(path)
            if path != "/nowhere" {
                #expect([200, 303].contains(reply.status), "\(path) answers \(reply.status)")
            }
            guard reply.header("content-type")?.hasPrefix("text/html") == true else { continue }
            for element in reply.html.elements {
                if let href = element["href"].map({ resolved($0, on: path) }), href.hasPrefix("/"),
                    seen.count < 400
                {
                    let page = String(href.prefix { $0 != "#" })
                    if seen.insert(page).inserted { open.append(page) }
                }
                if element.tag == "form", element["method"] == "post", let action = element["action"] {
                    forms.insert(action)
                }
            }
        }
        #expect(seen.count > 100 && forms.count > 20)
        // Without its token a form is refused, but only where there is one.
        for action in forms { #expect(try guest.post(action, csrf: false).status == 403, "\(action)") }
    }

    @Test func whatABrowserLoadsIsKeptForEverAndCompressed() throws {
        let server = try Running()
        let page = try server.visitor().get("/onboarding/welcome")
        let files = page.html.elements.compactMap { $0["href"] ?? $0["src"] }.filter {
            $0.hasPrefix("/static/")
        }
        #expect(Set(files.map { $0.prefix { $0 != "#" } }).count >= 3)
        for file in Set(files.map { String($0.prefix { $0 != "#" }) }) {
            let plain = try server.visitor().get(file)
            #expect(plain.status == 200 && plain.header("cache-control")?.contains("immutable") == true)
            let small = try server.visitor().get(file, headers: [("Accept-Encoding", "gzip, br")])
            if small.header("content-encoding") == "gzip" { #expect(small.body.count < plain.body.count) }
            let etag = try #require(plain.header("etag"))
            #expect(try server.visitor().get(file, headers: [("If-None-Match", etag)]).status == 304)
        }
    }
}

@Suite struct ABudget {
    let server: Running

    init() throws { server = try Running() }

    @Test func preferencesChangeHowAmountsAndPagesLook() throws {
        let guest = try server.guest()
        _ = try guest.get("/settings")
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.record([("amount", "1234.5")], account: account)
        let fields = [
            ("base_currency", "EUR"), ("secondary_currencies", "USD"), ("week_start", "sunday"),
            ("theme", "dark"),
            ("locale", "de-DE"), ("time_zone", "Europe/Sofia"),
        ]
        #expect(try guest.post("/settings/preferences", fields).status == 303)
        let page = try guest.get("/transactions")
        #expect(page.text.contains("−1.234,50\u{a0}€"))
        #expect(page.html.elements.contains { $0.tag == "html" && $0["data-theme"] == "dark" })
        let export = try guest.get("/export/breadly.json").text
        #expect(export.contains(#""secondaryCurrencies":["USD"],"weekStart":"sunday""#))
        #expect(export.contains(#""timeZone":"Europe/Sofia""#))
    }

    @Test func aNewBaseCurrencyAsksAboutTheBudgets() throws {
        let guest = try server.guest()
        _ = try guest.get("/settings")
        _ = try guest.post("/budgets", [("limit", "250"), ("from", "2026-11"), ("rollover", "on")])
        let asked = try guest.post("/settings/preferences", [("base_currency", "JPY")])
        #expect(asked.status == 422 && asked.refused == ["budgets"])
        #expect(try guest.get("/export/breadly.json").text.contains(#""limitMinor":25000,"currency":"EUR""#))
        let kept = try guest.post("/settings/preferences", [("base_currency", "JPY"), ("budgets", "keep")])
        #expect(kept.status == 303)
        #expect(try guest.get("/export/breadly.json").text.contains(#""limitMinor":250,"currency":"JPY""#))
    }

    @Test func budgetsSayWhatIsLeftAndWhatIsOver() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.post("/budgets", [("limit", "20"), ("from", "2026-11")])
        _ = try guest.record([("amount", "12.50")], account: account)
        #expect(try guest.get("/budgets").text.contains("€7.50 left"))
        _ = try guest.record([("amount", "10")], account: account)
        let over = try guest.get("/budgets")
        #expect(over.text.contains("€2.50 over budget"))
        #expect(try guest.get("/").text.contains("over budget"))
        let twice = try guest.post("/budgets", [("limit", "30"), ("from", "2026-11")])
        #expect(twice.status == 422 && twice.refused == ["category"])
        let id = try #require(over.rows("budget").first?["data-id"])
        #expect(try guest.post("/budgets/\(id)", [("limit", "30"), ("from", "2026-11")]).status == 303)
        #expect(try guest.post("/budgets/\(id)/delete").status == 303)
        #expect(try guest.get("/budgets").rows("budget").isEmpty)
        #expect(try guest.post("/budgets/\(id)/restore").status == 303)
        #expect(try guest.get("/budgets").text.contains("€7.50 left"))
    }

    @Test func theLargestSpendingBesideTheSmallestAmountIsShown() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let pages =
            ["/", "/budgets", "/transactions"]
            + ["category", "month", "account", "payee", "flow", "worth"].map { "/reports?group=\($0)" }
            + ["/reports?compare=previous"]
        #expect(try guest.record([("kind", "income"), ("amount", "0.01")], account: account).status == 303)
        #expect(try guest.record([("amount", "90000000000000000")], account: account).status == 303)
        for page in pages { #expect(try guest.get(page).status == 200, "\(page)") }
        let budget = [("limit", "0.01"), ("from", "2026-11")]
        #expect(try guest.post("/budgets", budget).status == 303)
        for page in pages { #expect(try guest.get(page).status == 200, "\(page)") }
    }

    @Test func accountsAndCategoriesInUseAreKept() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let groceries = try #require(
            try guest.get("/categories").rows("category").first { $0.text.contains("Groceries") }?["data-id"]
        )
        let housing = try #require(
            try guest.get("/categories").rows("category").first { $0.text.hasPrefix("Housing") }?["data-id"]
        )
        _ = try guest.record([("category", groceries)], account: account)
        let refused = try guest.post("/accounts/\(account)/delete")
        #expect(refused.status == 422 && refused.refused == ["delete"])
        let currency = [("name", "Cash"), ("type", "cash"), ("currency", "USD"), ("opening", "5")]
        #expect(try guest.post("/accounts/\(account)", currency).refused == ["currency"])
        #expect(try guest.post("/categories/\(housing)/delete").refused == ["delete"])
        #expect(try guest.post("/categories/\(groceries)/delete").status == 303)
        #expect(
            try guest.get("/transactions").rows("transaction").first?.text.contains("No category") == true
        )
        let free = try #require(try guest.accounts()["Card"])
        #expect(try guest.post("/accounts/\(free)/delete").status == 303)
        #expect(try guest.get("/accounts").rows("account").count == 2)
        #expect(try guest.post("/accounts/\(free)/restore").status == 303)
        #expect(try guest.get("/accounts").rows("account").count == 3)
    }

    @Test func reportsAddUp() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Bank"])
        _ = try guest.record([("amount", "10"), ("date", "2026-09-05")], account: account)
        _ = try guest.record([("amount", "20"), ("payee", "Garage")], account: account)
        _ = try guest.record([("kind", "income"), ("amount", "100"), ("payee", "Work")], account: account)
        func amounts(_ query: String) throws -> Set<String> {
            try Set(guest.get("/reports" + query).html.elements.compactMap { $0["data-amount"] })
        }
        #expect(try amounts("").contains("2000"))
        #expect(try amounts("?from=2026-09&to=2026-11").contains("3000"))
        #expect(
            try amounts("?group=month&from=2026-09&to=2026-11").isSuperset(of: ["1000", "2000", "10000"])
        )
        #expect(try guest.get("/reports?group=payee").text.contains("Garage"))
        #expect(try amounts("?group=worth").contains("7000"), "what the accounts hold at the end")
    }
}
