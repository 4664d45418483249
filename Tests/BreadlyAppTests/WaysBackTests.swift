// The page after each action, its toasts, and the messages that stay until they are dismissed.
import BreadlyApp
import Foundation
import TestKit
import Testing

@Suite struct WaysBack {
    let server: Running

    init() throws { server = try Running() }

    private func origin(_ guest: Visitor, _ path: String) -> [(String, String)] {
        [("Referer", "http://127.0.0.1:\(guest.port)\(path)"), ("Sec-Fetch-Site", "same-origin")]
    }

    private func entry(_ guest: Visitor) throws -> String {
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.record(account: account)
        return try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
    }

    /// Its page was open, or its address is in the history of the browser.
    @Test func aDeletedTransactionSaysSoAndCanBeRestored() throws {
        let guest = try server.guest()
        let id = try entry(guest)
        let receipt = ("a.pdf", SampleFiles.pdf)
        #expect(try guest.upload("/transactions/\(id)/attachments", [receipt]).status == 303)
        _ = try guest.post("/transactions/\(id)/delete")
        let unread = [try guest.get("/transactions/\(id)"), try guest.post("/transactions/\(id)", [])]
        for page in unread + [try guest.upload("/transactions/\(id)/attachments", [receipt])] {
            #expect(page.status == 404 && page.text.contains("This transaction was deleted"))
            #expect(page.text.contains("It was deleted on this device."), "a guest has no other one")
            #expect(page.html.form("/transactions/\(id)/restore") != nil && page.text.contains("Restore it"))
            #expect(page.html.all("a", ["href": "/history"]).contains { $0.text == "To the history" })
        }
        let form = try #require(try guest.get("/transactions/\(id)").html.form("/transactions/\(id)/restore"))
        let restored = try guest.post(
            "/transactions/\(id)/restore",
            form.map { ($0.name, $0.value) },
            csrf: false
        )
        #expect(restored.status == 303)
        #expect(try guest.get("/transactions/\(id)").text.contains("a.pdf"))
        let other = try guest.get("/transactions/00000000000000000000000000")
        #expect(other.status == 404 && other.text.contains("Nothing here"))
    }

    @Test func savingLeadsBackToTheListThatOneCameFrom() throws {
        let guest = try server.guest()
        let id = try entry(guest)
        let list = "/transactions?month=all&q=Bakery"
        let page = try guest.get("/transactions/\(id)", headers: origin(guest, list))
        #expect(page.html.all("a", ["href": list]).contains { $0.text == "Cancel" })
        var form = try #require(page.html.form("/transactions/\(id)"))
        #expect(form.contains { $0 == ("back", list) })
        form.removeAll { $0.name == "amount" }
        let refused = try guest.post(
            "/transactions/\(id)",
            form.map { ($0.name, $0.value) } + [("amount", "x")],
            csrf: false
        )
        #expect(refused.html.form("/transactions/\(id)")?.contains { $0 == ("back", list) } == true)
        let saved = try guest.post(
            "/transactions/\(id)",
            form.map { ($0.name, $0.value) } + [("amount", "7")],
            csrf: false
        )
        #expect(saved.header("location") == "\(list)#t\(id)")
        #expect(try guest.get(list).html.first("li", ["id": "t\(id)"]) != nil, "the row that is marked")
    }

    @Test(arguments: [
        ("accounts", "account", [("name", "Wallet"), ("type", "cash"), ("currency", "EUR")]),
        ("categories", "category", [("name", "Bees"), ("kind", "expense")]),
        ("budgets", "budget", [("limit", "100"), ("from", "2026-11")]),
    ])
    func theRowThatWasAddedOrChangedIsMarked(
        list: String,
        kind: String,
        fields: [(String, String)]
    ) throws {
        let guest = try server.guest()
        let before = try Set(guest.get("/\(list)").rows(kind).compactMap { $0["data-id"] })
        let added = try guest.post("/\(list)", fields)
        let after = try guest.get("/\(list)").rows(kind)
        let row = try #require(after.first { !before.contains($0["data-id"] ?? "") })
        let id = try #require(row["data-id"])
        #expect(row["id"] == "t\(id)")
        #expect(added.header("location")?.hasSuffix("#t\(id)") == true, "\(added.status) \(added.refused)")
        let page = "/\(list)/\(id)"
        let form = try #require(try guest.get(page).html.form(page)).map { ($0.name, $0.value) }
        let changed = try guest.post(page, form, csrf: false)
        #expect(changed.header("location") == "/\(list)#t\(id)")
    }

    @Test(arguments: [
        "//evil.example/", "https://evil.example/", "/sign-out", "/transactions#x",
    ])
    func nothingElseLeadsAway(back: String) throws {
        let guest = try server.guest()
        let id = try entry(guest)
        let saved = try guest.post("/transactions/\(id)", [("payee", "Baker"), ("back", back)])
        #expect(saved.header("location") == "/transactions?month=2026-11#t\(id)")
        let page = try guest.get("/transactions/\(id)", headers: [("Referer", back)])
        #expect(page.html.all("a", ["href": "/transactions"]).contains { $0.text == "Cancel" })
    }

    @Test func theKeyboardIsAtTheFirstFieldThatIsWrongAndTheTitleSaysSo() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.get("/transactions/new")
        let refused = try guest.record([("date", "never"), ("amount", "x"), ("note", "n")], account: account)
        #expect(refused.refused == ["date", "amount"])
        let focused = refused.html.elements.filter { $0["autofocus"] != nil }
        #expect(focused.map { $0["name"] } == ["amount"])
        #expect(refused.html.first("title")?.text == "Not saved yet: New transaction · Breadly")
        #expect(try guest.get("/transactions/new").html.first("title")?.text == "New transaction · Breadly")
    }

    @Test func theIconThatStaysIsOnEveryPage() throws {
        let guest = try server.guest()
        let words = "Your data is only on this device. Sign in and upgrade to protect your data."
        for page in [
            "/", "/transactions", "/settings", "/subscription", "/sign-in", "/help", "/nothing-here",
        ] {
            #expect(try guest.get(page).text.contains(words), "\(page)")
        }
        let step = server.visitor()
        _ = try step.get("/onboarding/welcome")
        _ = try step.post("/onboarding/welcome")
        #expect(try step.get("/onboarding/currency").text.contains(words))
    }

    @Test func everyPageHasOneRegionForToasts() throws {
        let guest = try server.guest()
        let id = try entry(guest)
        try guest.signUp()
        for page in [
            "/", "/transactions/new", "/settings", "/subscription", "/sign-out", "/account/delete",
            "/nothing-here",
        ] {
            let regions = try guest.get(page).html.all(nil, ["id": "toasts", "aria-live": "polite"])
            #expect(regions.count == 1, "\(page)")
        }
        _ = try guest.get("/transactions/\(id)")
        #expect(try guest.post("/transactions/\(id)/delete").status == 303)
        let list = try guest.get("/transactions").html
        let toast = try #require(list.first(nil, ["data-toast": "transaction-deleted"]))
        #expect(toast["role"] == "status")
        #expect(toast.ancestors.contains { list.elements[$0]["id"] == "toasts" })
    }

    @Test func everyStepLeadsBackAndToTheSignIn() throws {
        let visitor = server.visitor()
        _ = try visitor.get("/onboarding/welcome")
        _ = try visitor.post("/onboarding/welcome")
        for (step, before) in [("currency", "welcome"), ("secondary", "currency"), ("calendar", "secondary")]
        {
            let page = try visitor.get("/onboarding/\(step)")
            #expect(page.status == 200 && !page.html.all("a", ["href": "/sign-in"]).isEmpty, "\(step)")
            #expect(
                page.html.all("a", ["href": "/onboarding/\(before)"]).contains { $0.text == "Back" },
                "\(step)"
            )
            #expect(try visitor.get("/onboarding/\(before)").status == 200, "\(before)")
            _ = try visitor.get("/onboarding/\(step)")
            _ = try visitor.post("/onboarding/\(step)", step == "currency" ? [("currency", "EUR")] : [])
        }
        #expect(try visitor.get("/sign-in").status == 200)
    }

    @Test(arguments: [
        ("Etc/UTC", "Etc/UTC"), ("Asia/Kolkata", "Asia/Kolkata"), ("Asia/Calcutta", "Asia/Kolkata"),
        ("America/Buenos_Aires", "America/Argentina/Buenos_Aires"), ("europe/dublin", "Europe/Dublin"),
        ("utc", "Etc/UTC"),
        ("UTC", "Etc/UTC"),
    ])
    func aTimeZoneIsTakenByAnyOfItsNames(typed: String, kept: String) throws {
        let guest = try server.guest()
        _ = try guest.get("/settings")
        #expect(try guest.post("/settings/preferences", [("time_zone", typed)]).status == 303)
        let form = try #require(try guest.get("/settings").html.form("/settings/preferences"))
        // Where the system's database has files in the place of links, a name stays as it was typed.
        #expect([kept, typed].contains(form.first { $0.name == "time_zone" }?.value))
        #expect(
            try guest.post("/settings/preferences", form.map { ($0.name, $0.value) }, csrf: false).status
                == 303
        )
        #expect(
            try guest.post("/settings/preferences", [("time_zone", "Mars/Phobos")]).refused == ["time_zone"]
        )
    }

    @Test func aSearchLooksInAllMonthsUnlessItIsToldOne() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.record([("date", "2026-03-02"), ("payee", "Baker in March")], account: account)
        let list = try guest.get("/transactions")
        let shown = list.html.hidden("shown") ?? ""
        #expect(shown == "2026-11" && list.rows("transaction").isEmpty)
        let found = try guest.get("/transactions?shown=\(shown)&q=baker&kind=&account=&category=")
        #expect(found.rows("transaction").count == 1)
        let narrow = try #require(found.html.all("a").first { $0.text == "Only November 2026" }?["href"])
        #expect(try guest.get(narrow).rows("transaction").isEmpty)
        // Without words it stays in the month that is shown.
        #expect(try guest.get("/transactions?shown=2026-03&q=&kind=expense").rows("transaction").count == 1)
        #expect(try guest.get("/transactions?shown=2026-11&q=&kind=expense").rows("transaction").isEmpty)
    }

    @Test func aNoticeStaysUntilItIsDismissed() throws {
        try server.restart { $0.premiumForEveryone = true }
        let first = try server.guest()
        let words = Visitor.anna
        _ = try first.get("/sign-in")
        _ = try first.post("/sign-up", words)
        try server.restart()
        let other = try server.guest()
        first.port = Int(server.app.port)
        _ = try other.get("/sign-in")
        // The account has nothing on the cloud by then, and no subscription.
        _ = try first.get("/account/delete")
        let confirmation = [("confirm", "Delete my account"), ("password", "correct horse battery")]
        #expect(try first.post("/account/delete", confirmation).status == 303)
        _ = try other.post("/sign-up", words)
        let third = try server.guest()
        _ = try third.get("/sign-in")
        #expect(try third.post("/sign-in", words).status == 303)
        for page in ["/", "/transactions", "/settings", "/subscription", "/nothing-here"] {
            #expect(try third.get(page).notices == ["no-cloud-backup"], "\(page)")
        }
        try server.restart()
        third.port = Int(server.app.port)
        #expect(try third.get("/").notices == ["no-cloud-backup"], "also after a restart")
        let back = try third.post(
            "/notices/no-cloud-backup/dismiss",
            headers: origin(third, "/settings")
        )
        #expect(back.header("location") == "/settings")
        #expect(try third.get("/").notices.isEmpty)
        try server.restart()
        third.port = Int(server.app.port)
        #expect(try third.get("/").notices.isEmpty)
    }
}

/// The obstacles to an action, each with a link to the page where it can be removed.
@Suite struct WaysToPlaces {
    private let server: Running
    private let guest: Visitor

    init() throws {
        server = try Running()
        guest = try server.guest()
    }

    private func add(_ list: String, _ kind: String, _ fields: [(String, String)]) throws -> String {
        let before = try Set(guest.get("/\(list)").rows(kind).compactMap { $0["data-id"] })
        let added = try guest.post("/\(list)", fields)
        try #require(added.status == 303, "\(list): \(added.refused)")
        let rows = try guest.get("/\(list)").rows(kind)
        return try #require(rows.first { !before.contains($0["data-id"] ?? "") }?["data-id"])
    }

    private func account(_ name: String) throws -> String {
        try add("accounts", "account", [("name", name), ("type", "cash"), ("currency", "EUR")])
    }

    private func category(_ name: String, in parent: String = "") throws -> String {
        try add("categories", "category", [("name", name), ("kind", "expense"), ("parent", parent)])
    }

    private func budget(of category: String = "") throws -> String {
        try add("budgets", "budget", [("category", category), ("limit", "100"), ("from", "2026-11")])
    }

    private func schedule(on account: String) throws -> String {
        try add(
            "schedules",
            "schedule",
            [
                ("kind", "expense"), ("amount", "12.99"), ("currency", "EUR"), ("account", account),
                ("payee", "Netflix"), ("start", "2026-12-05"), ("every", "1"), ("unit", "month"), ("end", ""),
                ("shift", "none"), ("record", "auto"),
            ]
        )
    }

    @Test func whatPreventsADeletionIsOneStepAway() throws {
        let (wallet, purse) = (try account("Wallet"), try account("Purse"))
        _ = try guest.record(account: wallet)
        _ = try schedule(on: purse)
        let (bees, hives) = (try category("Bees"), try category("Hives"))
        _ = try category("Honey", in: hives)
        let budget = try budget(of: bees)
        let cases = [
            ("/accounts/\(wallet)", "1 transaction is on this account", "/accounts/\(wallet)/transactions"),
            ("/accounts/\(purse)", "1 schedule uses this account", "/schedules"),
            ("/categories/\(bees)", "It has a budget", "/budgets/\(budget)"),
            ("/categories/\(hives)", "It has subcategories", "/categories#t\(hives)"),
        ]
        for (page, sentence, place) in cases {
            _ = try guest.get(page)
            let refused = try guest.post("\(page)/delete")
            #expect(refused.status == 422 && refused.text.contains(sentence), "\(page)")
            let error = try #require(refused.html.elements.first { $0["data-field"] == "delete" })
            let part = try #require(error.ancestors.last)
            let links = refused.html.all("a", ["href": place]).filter { $0.ancestors.contains(part) }
            #expect(links.count == 1, "\(page): \(place)")
            #expect(try guest.get(String(place.prefix { $0 != "#" })).status == 200, "\(place)")
        }
    }

    @Test func aDeletedEntitySaysSoAndCanBeRestored() throws {
        let (wallet, purse) = (try account("Wallet"), try account("Purse"))
        let entities = [
            ("accounts", "account", wallet), ("categories", "category", try category("Bees")),
            ("budgets", "budget", try budget()), ("schedules", "schedule", try schedule(on: purse)),
        ]
        for (list, kind, id) in entities {
            _ = try guest.get("/\(list)/\(id)")
            let fields = kind == "budget" ? [("since", "only")] : []
            try #require(try guest.post("/\(list)/\(id)/delete", fields).status == 303, "\(kind)")
            let page = try guest.get("/\(list)/\(id)")
            #expect(page.status == 404 && page.text.contains("This \(kind) was deleted"), "\(kind)")
            #expect(page.html.all("a", ["href": "/history"]).contains { $0.text == "To the history" })
            let form = try #require(page.html.form("/\(list)/\(id)/restore"), "\(kind)")
            let restored = try guest.post(
                "/\(list)/\(id)/restore",
                form.map { ($0.name, $0.value) },
                csrf: false
            )
            #expect(restored.status == 303, "\(kind)")
            #expect(try guest.get("/\(list)/\(id)").status == 200, "\(kind)")
        }
        // The register of an account is another address of it.
        _ = try guest.get("/accounts/\(wallet)")
        try #require(try guest.post("/accounts/\(wallet)/delete").status == 303)
        #expect(try guest.get("/accounts/\(wallet)/transactions").text.contains("This account was deleted"))
        let never = try guest.get("/accounts/00000000000000000000000000")
        #expect(never.status == 404 && never.text.contains("Nothing here"))
    }

    @Test func aBookWithoutAnAccountLeadsToTheAccounts() throws {
        for id in try guest.accounts().values {
            _ = try guest.get("/accounts/\(id)")
            try #require(try guest.post("/accounts/\(id)/delete").status == 303)
        }
        let page = try guest.get("/transactions/new")
        let link = page.html.all("a", ["href": "/accounts"]).first { $0.text.contains("There is no account") }
        #expect(page.status == 200 && link != nil)
        let dollars = try add(
            "accounts",
            "account",
            [("name", "Dollars"), ("type", "cash"), ("currency", "USD")]
        )
        #expect(try !guest.get("/transactions/new").text.contains("There is no account"))
        let move = try guest.get("/accounts/\(dollars)/move")
        #expect(move.text.contains("There is no other open account in USD."))
        #expect(move.html.all("a", ["href": "/accounts", "class": "btn"]).map(\.text) == ["Accounts"])
    }

    /// Of a span that cannot be read, nothing is known.
    @Test func aRefusedSpanIsNotCalledEmpty() throws {
        let words = "Nothing was written down in these months"
        #expect(try guest.get("/reports?from=2026-10&to=2026-10").text.contains(words))
        let refused = try guest.get("/reports?from=soon&to=2026-10")
        #expect(refused.status == 422 && refused.refused == ["from"])
        #expect(!refused.text.contains(words) && !refused.text.contains("Add a transaction"))
    }
}
