// The history of a book over HTTP: what it says, undoing, and what is sent to break it.
import Book
import Foundation
import TestKit
import Testing

@Suite struct AHistory {
    let server: Running
    let guest: Visitor
    let account: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        account = try #require(try guest.accounts()["Cash"])
    }

    private func changes() throws -> [HTMLElement] { try guest.get("/history").rows("change") }

    private func undo(_ change: HTMLElement?, over: Bool = false) throws -> Reply {
        let id = try #require(change?["data-id"])
        return try guest.post("/history/\(id)/undo", over ? [("over", "1")] : [])
    }

    @Test func eachChangeIsListedAndUndoneAlsoAfterARestart() throws {
        _ = try guest.record(account: account)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        let fields = [
            ("kind", "expense"), ("date", "2026-11-21"), ("amount", "13"), ("currency", "EUR"),
            ("account", account), ("payee", "Bakery"), ("note", ""), ("tags", ""),
        ]
        #expect(try guest.post("/transactions/\(id)", fields).status == 303)
        #expect(try guest.post("/transactions/\(id)/delete").status == 303)
        try server.restart()
        guest.port = Int(server.app.port)
        let listed = try changes()
        let lines = listed.prefix(3).map(\.text)
        #expect(lines[0].contains("€13.00 deleted") && lines[0].contains("this device"))
        #expect(lines[1].contains("€12.50 → €13.00"))
        #expect(lines[2].contains("Bakery") && lines[2].contains("€12.50 added"))
        #expect(try #require(listed.last).text.contains("The book was created"))
        #expect(try guest.get("/history").text.contains("Today, "))
        #expect(try undo(listed.first).header("location") == "/history")
        let page = try guest.get("/history")
        #expect(page.toasts == ["change-undone"])
        let back = try #require(
            page.html.elements.first { $0["action"]?.hasSuffix("/undo") == true }?["action"]
        )
        #expect(try guest.get("/transactions").rows("transaction").count == 1)
        #expect(try undo(listed[1]).status == 303)
        #expect(try guest.get("/transactions").html.elements.contains { $0["data-amount"] == "-1250" })
        // An undo can be undone.
        #expect(try guest.post(back).status == 303)
        #expect(try guest.get("/transactions").rows("transaction").isEmpty)
    }

    @Test func whatWasChangedSinceIsAskedAbout() throws {
        _ = try guest.record(account: account)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        for amount in ["13", "14"] {
            let fields = [
                ("kind", "expense"), ("date", "2026-11-21"), ("amount", amount), ("currency", "EUR"),
                ("account", account), ("payee", "Bakery"), ("note", ""), ("tags", ""),
            ]
            #expect(try guest.post("/transactions/\(id)", fields).status == 303)
        }
        let first = try changes()[1]
        let asked = try undo(first)
        let place = try #require(first["data-id"])
        #expect(asked.header("location") == "/history/\(place)")
        let page = try guest.get("/history/\(place)")
        #expect(page.text.contains("has been changed again since"))
        #expect(page.html.elements.contains { $0["name"] == "over" && $0["value"] == "1" })
        #expect(try guest.get("/transactions").html.elements.contains { $0["data-amount"] == "-1400" })
        #expect(try undo(first, over: true).header("location") == "/history")
        #expect(try guest.get("/transactions").html.elements.contains { $0["data-amount"] == "-1250" })
    }

    @Test func whatDoesNotFitSaysWhyAndChangesNothing() throws {
        let fields = [("name", "Purse"), ("type", "cash"), ("currency", "EUR"), ("opening", "0")]
        #expect(try guest.post("/accounts", fields).status == 303)
        let made = try changes().first
        let purse = try #require(try guest.accounts()["Purse"])
        _ = try guest.record(account: purse)
        let before = try changes().count
        let refused = try undo(made)
        #expect(refused.status == 409)
        #expect(refused.text.contains("The account has 1 transaction on it: delete or move them first."))
        #expect(try changes().count == before)
    }

    @Test func itIsReadPageByPage() throws {
        for number in 0..<60 { _ = try guest.record([("payee", "P\(number)")], account: account) }
        let page = try guest.get("/history")
        #expect(page.rows("change").count == 50)
        let older = try #require(page.html.elements.first { $0["rel"] == "next" }?["href"])
        let rest = try guest.get(older)
        #expect(rest.rows("change").count >= 11 && rest.text.contains("P0"))
        #expect(!rest.html.elements.contains { $0["rel"] == "next" })
    }

    @Test func whatIsNoneIsNotFound() throws {
        for path in [
            "/history/0", "/history/-1", "/history/99999", "/history/x", "/history/9223372036854775808",
        ] {
            #expect(try guest.get(path).status == 404, "\(path)")
            #expect(try guest.post(path + "/undo").status == 404, "\(path)")
        }
        #expect(try guest.get("/history?before=x").status == 200)
        #expect(try guest.get("/history?before=-9223372036854775808").rows("change").isEmpty)
        let begun = try #require(try changes().last?["data-id"])
        #expect(try guest.post("/history/\(begun)/undo").status == 404, "what a book begins with stays")
        #expect(try guest.get("/history/\(begun)").status == 200)
        let other = try server.guest()
        _ = try guest.record(account: account)
        let id = try #require(try changes().first?["data-id"])
        _ = try other.post("/history/\(id)/undo")
        #expect(
            try guest.get("/transactions").rows("transaction").count == 1,
            "a number is of one's own book"
        )
    }

    @Test func aChangeThatIsNotKeptSaysSo() throws {
        for _ in 0..<3 { _ = try guest.record(account: account) }
        let page = try guest.get("/history")
        #expect(!page.text.contains("no longer kept"))
        let listed = page.rows("change").compactMap { $0["data-id"] }
        let files = FileManager.default.subpaths(atPath: server.folder + "/devices") ?? []
        let path = server.folder + "/devices/" + (try #require(files.first { $0.hasSuffix(".sqlite") }))
        let book = try Book.open(at: path) { [clock = server.clock] in clock.now }
        var retention = HistoryRetention()
        (retention.fewest, retention.most) = (2, 2)
        while try book.shortenHistory(retention) {}
        book.close()
        let kept = try guest.get("/history")
        #expect(kept.rows("change").compactMap { $0["data-id"] } == Array(listed.prefix(2)))
        #expect(kept.text.contains("Older changes are no longer kept."))
        for id in listed.dropFirst(2) {
            // A page that was open before still has the link and the button.
            let words = "This change is no longer kept"
            var reply = try guest.get("/history/\(id)")
            #expect(reply.status == 404 && reply.text.contains(words))
            // The script shows the toast on the page that is open, whatever is being typed there.
            #expect(try guest.post("/history/\(id)/undo").header("location") == "/history")
            reply = try guest.get("/history")
            #expect(reply.toasts == ["change-not-undone"] && reply.text.contains(words))
        }
        #expect(try guest.get("/transactions").rows("transaction").count == 3)
        #expect(try guest.post("/history/\(listed[0])/undo").status == 303)
        #expect(try guest.get("/transactions").rows("transaction").count == 2)
    }
}

@Suite struct SearchingTheHistory {
    let server: Running
    let guest: Visitor
    let account: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        account = try #require(try guest.accounts()["Cash"])
        for payee in ["Shell", "Market", "O'Neil \"&\" <b>"] {
            _ = try guest.record([("payee", payee)], account: account)
        }
    }

    private func found(_ query: String) throws -> [String] {
        try guest.get("/history?" + query).rows("change").map(\.text)
    }

    /// The links of the newest change.
    private func latestLinks() throws -> [String] {
        try guest.get("/history").html.inside("li", ["data-kind": "change"]).filter { $0.tag == "a" }
            .compactMap { $0["href"] }
    }

    @Test func wordsKindDeviceAndDayAreFieldsOfTheAddress() throws {
        #expect(try found("q=shell").count == 1)
        #expect(try found("q=12.50").count == 3)
        #expect(try found("q=%22%26%22").count == 1)
        #expect(try found("kind=account").isEmpty)
        #expect(try found("kind=transaction").count == 3)
        let all = try found("").count
        #expect(try found("device=this").count == all)
        #expect(try found("device=Anna%27s+phone").isEmpty)
        #expect(try found("from=2026-11-21&to=2026-11-21").count == all)
        #expect(try found("to=2026-11-20").isEmpty)
        let page = try guest.get("/history?q=nobody&kind=transaction&device=this&from=2026-11-01")
        #expect(page.text.contains("No change matches."))
        #expect(page.html.first("input", ["name": "q"])?["value"] == "nobody")
        #expect(page.html.first("input", ["name": "from"])?["value"] == "2026-11-01")
        #expect(page.html.all("option", ["selected": ""]).map { $0["value"] } == ["transaction", "this"])
        for query in ["kind=nonsense", "from=x", "q=" + String(repeating: "x", count: 201)] {
            #expect(try guest.get("/history?" + query).status == 400, "\(query)")
        }
    }

    @Test func olderOnesAreReadWithTheSameFilters() throws {
        for number in 0..<60 { _ = try guest.record([("payee", "P\(number)")], account: account) }
        let page = try guest.get("/history?kind=transaction&q=p")
        #expect(page.rows("change").count == 50)
        let older = try #require(page.html.elements.first { $0["rel"] == "next" }?["href"])
        #expect(try guest.get(older).rows("change").count == 10)
    }

    @Test func eachLineLeadsToItsEntryAlsoToADeletedOne() throws {
        let link = try #require(try latestLinks().first)
        let id = try #require(link.split(separator: "/").last)
        #expect(link == "/transactions/\(id)")
        #expect(try guest.get(link).text.contains("O&#39;Neil"))
        #expect(try guest.post("/transactions/\(id)/delete").status == 303)
        let href = try #require(try latestLinks().first)
        #expect(try guest.get(href).text.contains("deleted"))
    }

    private func rows(_ page: Reply) -> [HTMLElement] { page.html.all("li", ["data-kind": "changed-row"]) }

    @Test func aChangeOfManyIsOneLineThatOpensPageByPage() throws {
        let file = (0..<130).map { "P\($0)" }
        for payee in file { _ = try guest.record([("payee", payee)], account: account) }
        let fields = [("all", "on"), ("month", "all"), ("action", "note"), ("value", "checked")]
        #expect(try guest.post("/transactions/bulk", fields).status == 303)
        let line = try #require(try guest.get("/history").rows("change").first)
        #expect(line.text.contains("133 transactions"))
        let page = try guest.get(try #require(try latestLinks().first))
        #expect(rows(page).count == 100 && page.text.contains("133 transactions"))
        #expect(page.text.contains("And 33 more changes"))
        let entries = page.html.inside("ul", ["class": "rows"]).compactMap { $0["href"] }
        #expect(Set(entries.filter { $0.hasPrefix("/transactions/") }).count == 100)
        let next = try #require(page.html.elements.first { $0["rel"] == "next" }?["href"])
        let rest = try guest.get(next)
        #expect(rows(rest).count == 33)
        #expect(!rest.html.elements.contains { $0["rel"] == "next" })
    }
}
