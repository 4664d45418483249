// A guest's book over HTTP: onboarding, recording, correcting, deleting, coming back.
import Foundation
import Synchronization
import TestKit
import Testing

@Suite struct AGuest {
    let server: Running

    init() throws { server = try Running() }

    @Test func whoOnlyLooksCostsNoFile() throws {
        let visitor = server.visitor()
        let reply = try visitor.get("/budgets")
        #expect(reply.status == 303 && reply.header("location") == "/onboarding/welcome")
        #expect(visitor.cookies.isEmpty)
        _ = try visitor.get("/onboarding/welcome")
        #expect(visitor.deviceCookie != nil)
        #expect(!FileManager.default.fileExists(atPath: server.folder + "/devices"))
    }

    @Test func onboardingIsAskedStepByStepAndResumes() throws {
        let visitor = server.visitor()
        _ = try visitor.get("/onboarding/welcome")
        #expect(try visitor.post("/onboarding/welcome").header("location") == "/onboarding/currency")
        #expect(try visitor.get("/").header("location") == "/onboarding/currency")
        #expect(try visitor.get("/onboarding/calendar").header("location") == "/onboarding/currency")
        let page = try visitor.get("/onboarding/currency")
        #expect(page.html.elements.contains { $0["value"] == "EUR" && $0["checked"] != nil }, "from en-IE")
        #expect(try visitor.post("/onboarding/currency", [("currency", "XYZ")]).refused == ["currency"])
        _ = try visitor.post("/onboarding/currency", [("currency", "CHF")])
        try server.restart()
        visitor.port = Int(server.app.port)
        #expect(try visitor.get("/").header("location") == "/onboarding/secondary")
        #expect(try visitor.get("/onboarding/currency").status == 200, "an answer may be looked at again")
        _ = try visitor.post("/onboarding/secondary", [("currencies", "USD"), ("currencies", "CHF")])
        #expect(
            try visitor.post("/onboarding/calendar", [("week_start", "friday")]).refused == ["week_start"]
        )
        #expect(
            try visitor.post("/onboarding/calendar", [("week_start", "sunday")]).header("location") == "/"
        )
        let dashboard = try visitor.get("/")
        #expect(dashboard.status == 200)
        let body = try #require(dashboard.html.elements.first { $0.tag == "body" })
        #expect(
            body["data-state"] == "local_only" && body["data-tier"] == "guest" && body["data-sync"] == "off"
        )
        #expect(try visitor.get("/onboarding/welcome").header("location") == "/")
        #expect(try visitor.get("/accounts").rows("account").count == 3)
        #expect(try visitor.get("/categories").rows("category").count >= 10)
    }

    @Test func aFormSentTwiceMakesOneDevice() throws {
        let visitor = server.visitor()
        _ = try visitor.get("/onboarding/welcome")
        _ = try visitor.post("/onboarding/welcome")
        _ = try visitor.post("/onboarding/welcome")
        let books = FileManager.default.subpaths(atPath: server.folder + "/devices") ?? []
        #expect(books.count { $0.hasSuffix(".sqlite") } == 1)
    }

    @Test func whatIsRecordedShowsUpEverywhereAndSurvivesAStart() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Bank"])
        let reply = try guest.record(account: account)
        #expect(reply.header("location")?.hasPrefix("/transactions?month=2026-11#t") == true)
        try server.restart()
        guest.port = Int(server.app.port)
        let list = try guest.get("/transactions")
        let row = try #require(list.rows("transaction").first)
        #expect(row.text.contains("Bakery"))
        #expect(list.html.elements.contains { $0["data-amount"] == "-1250" && $0["data-currency"] == "EUR" })
        #expect(try guest.get("/").text.contains("Bakery"))
        #expect(try guest.get("/accounts").html.elements.contains { $0["data-amount"] == "-1250" })
        #expect(try guest.get("/status.json").text.contains(#""book":{"transactions":1,"accounts":3"#))
    }

    @Test func aFormSentTwiceRecordsOnce() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let once = try #require(try guest.get("/transactions/new").html.hidden("once"))
        #expect(try guest.record([("once", once)], account: account).status == 303)
        #expect(try guest.record([("once", once)], account: account).status == 303)
        #expect(try guest.get("/transactions").rows("transaction").count == 1)
        #expect(try guest.record([("once", once), ("amount", "7")], account: account).status == 303)
        #expect(
            try guest.get("/transactions").rows("transaction").count == 2,
            "filled in anew is another one"
        )
    }

    @Test func twoHundredFormsAtOnceAreAllRecorded() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let cookies = guest.cookies
        let (csrf, port) = (guest.csrf, guest.port)
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            let other = Visitor(port: port)
            other.cookies = cookies
            other.csrf = csrf
            let reply = try? other.record([("payee", "P\(number)")], account: account)
            #expect(reply?.status == 303)
        }
        #expect(try guest.get("/status.json").text.contains(#""transactions":200,"#))
    }

    @Test func aDeletedTransactionComesBack() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.record(account: account)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        #expect(try guest.post("/transactions/\(id)/delete").status == 303)
        let list = try guest.get("/transactions")
        #expect(list.rows("transaction").isEmpty && list.toasts == ["transaction-deleted"])
        #expect(list.html.elements.contains { $0["action"] == "/transactions/\(id)/restore" })
        #expect(try guest.get("/transactions/\(id)").status == 404)
        #expect(try guest.post("/transactions/\(id)/restore").status == 303)
        #expect(try guest.get("/transactions").rows("transaction").count == 1)
    }

    @Test func aTransactionIsCorrected() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.record(account: account)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        let form = try guest.get("/transactions/\(id)")
        #expect(form.html.elements.contains { $0["name"] == "amount" && $0["value"] == "12.50" })
        let fields = [
            ("kind", "income"), ("date", "2026-10-01"), ("amount", "1.000,5"), ("currency", "EUR"),
            ("account", account),
            ("payee", "Work"), ("note", "two\r\nlines"), ("tags", "#a, b,a"),
        ]
        let reply = try guest.post("/transactions/\(id)", fields)
        let location = "/transactions?month=2026-10#t\(id)"
        #expect(reply.header("location") == location, "\(reply.status) \(reply.refused)")
        let list = try guest.get("/transactions?month=2026-10")
        #expect(list.html.elements.contains { $0["data-amount"] == "100050" })
        #expect(list.text.contains("#a · #b"))
    }

    @Test func aPayeeBringsItsCategoryAlong() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let category = try #require(
            try guest.get("/categories").rows("category").first { $0.text.contains("Groceries") }
        )
        _ = try guest.record([("category", category["data-id"] ?? "")], account: account)
        _ = try guest.record([("amount", "3")], account: account)
        let list = try guest.get("/transactions")
        #expect(list.rows("transaction").count { $0.text.contains("Groceries") } == 2)
    }

    @Test func everyFifthTransactionRemindsAGuest() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        func reminder(_ path: String = "/transactions") throws -> String? {
            try guest.get(path).html.first(nil, ["data-notice": "guest-count"])?.text
        }
        func record(_ count: Int) throws { for _ in 0..<count { _ = try guest.record(account: account) } }
        func isReminded(of count: Int, _ path: String = "/transactions") throws -> Bool {
            let words =
                "You have \(count) transactions that aren't backed up. Sign in to keep your data safe."
            return try reminder(path)?.contains(words) == true
        }
        try record(4)
        #expect(try reminder() == nil)
        try record(1)
        #expect(try isReminded(of: 5) && isReminded(of: 5, "/budgets"), "until it is dismissed")
        try record(1)
        let page = try guest.get("/transactions")
        #expect(try isReminded(of: 6))
        let row = try #require(page.rows("transaction").first?["data-id"])
        _ = try guest.post("/transactions/\(row)/delete")
        #expect(try isReminded(of: 5), "it counts what is here")
        #expect(try guest.post("/notices/guest-count/dismiss").status == 303)
        #expect(try reminder() == nil)
        try record(5)
        #expect(try isReminded(of: 10))
        try guest.signUp()
        #expect(try reminder() == nil)
    }

    @Test func whatAnAccountWasChargedCountsWithoutARate() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Card"])
        let reply = try guest.record([("currency", "USD")], account: account)
        #expect(reply.status == 422 && reply.refused == ["to_amount"])
        #expect(
            try guest.record([("currency", "USD"), ("to_amount", "11,40")], account: account).status == 303
        )
        #expect(try !guest.get("/transactions").text.contains(Self.caution))
        #expect(try guest.get("/accounts").html.elements.contains { $0["data-amount"] == "-1140" })
        _ = try guest.post("/budgets", [("limit", "20"), ("from", "2026-11")])
        let budgets = try guest.get("/budgets")
        #expect(budgets.text.contains("€8.60 left"))
        #expect(budgets.rows("budget").first?.text.contains("€11.40 of €20.00 spent") == true)
        #expect(!budgets.text.contains("in another currency"))
        #expect(try guest.get("/").text.contains("€8.60"))
        let report = try guest.get("/reports?from=2026-11&to=2026-11").text
        let spending = try guest.get("/transactions?month=2026-11&kind=spending&counts=EUR").text
        for page in [report, spending] {
            #expect(page.contains("€11.40"))
            #expect(!page.contains("Upgrade to Breadly Premium to see converted totals"))
        }
    }

    private static let caution =
        "This transaction is in USD and won't be included in your budget totals. "
        + "Upgrade to Premium to track all currencies."

    @Test func anExpenseOnAnAccountInAnotherCurrencyIsLeftOutAndSaidSo() throws {
        let guest = try server.guest()
        let dollars = [("name", "Dollars"), ("type", "cash"), ("currency", "USD"), ("opening", "0")]
        #expect(try guest.post("/accounts", dollars).status == 303)
        let account = try #require(try guest.accounts()["Dollars"])
        _ = try guest.post("/budgets", [("limit", "20"), ("from", "2026-11")])
        #expect(try guest.record([("currency", "USD"), ("amount", "5")], account: account).status == 303)
        let list = try guest.get("/transactions")
        #expect(
            list.html.elements.contains { $0["data-notice"] == "warning" && $0.text.contains(Self.caution) }
        )
        let budgets = try guest.get("/budgets")
        #expect(budgets.text.contains("1 expense of this month is in another currency and is not counted."))
        #expect(budgets.text.contains("1 expense in another currency was left out."))
        // The number opens what it is made of.
        let link = try #require(
            budgets.html.all("a").first { $0.text.contains("was left out") }?["href"]
        )
        #expect(link == "/transactions?month=2026-11&kind=spending&counts=not-EUR")
        let leftOut = try guest.get(link)
        #expect(leftOut.rows("transaction").count == 1)
        #expect(leftOut.text.contains("Only what is not counted in EUR: on accounts in other currencies."))
        #expect(
            try guest.get("/transactions?month=2026-11&kind=spending&counts=EUR").rows("transaction").isEmpty
        )
        // Paid in the base currency: both amounts are known, and one counts.
        let paid = [("currency", "EUR"), ("amount", "3"), ("to_amount", "3.40")]
        #expect(try guest.record(paid, account: account).status == 303)
        #expect(try guest.get("/budgets").text.contains("€17.00 left"))
    }

    @Test func filtersAreInTheAddress() throws {
        let guest = try server.guest()
        let accounts = try guest.accounts()
        let (cash, bank) = (accounts["Cash"] ?? "", accounts["Bank"] ?? "")
        _ = try guest.record(
            [("payee", "Bäckerei"), ("note", "zwei Semmeln"), ("tags", "frühstück")],
            account: cash
        )
        _ = try guest.record([("kind", "income"), ("payee", "Work"), ("amount", "1234.56")], account: bank)
        _ = try guest.record(
            [("kind", "transfer"), ("to_account", cash), ("date", "2026-10-31")],
            account: bank
        )
        func count(_ query: String) throws -> Int {
            try guest.get("/transactions" + query).rows("transaction").count
        }
        #expect(try count("") == 2)
        #expect(try count("?month=2026-10") == 1)
        #expect(try count("?month=all") == 3)
        #expect(try count("?account=\(cash)") == 2)
        #expect(try count("?kind=income") == 1)
        #expect(try count("?q=semm") == 1)
        #expect(try count("?q=fr%C3%BChst") == 1)
        #expect(try count("?q=1234.56") == 1)
        #expect(try count("?q=nothing") == 0)
    }

    @Test func longListsArePaged() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        for number in 0..<60 { _ = try guest.record([("payee", "P\(number)")], account: account) }
        let first = try guest.get("/transactions")
        #expect(first.rows("transaction").count == 50)
        let older = try #require(
            first.html.elements.first { $0["href"]?.contains("after=") == true }?["href"]
        )
        let second = try guest.get(older)
        #expect(second.rows("transaction").count == 10)
        let ids = Set((first.rows("transaction") + second.rows("transaction")).compactMap { $0["data-id"] })
        #expect(ids.count == 60)
    }

    @Test func theBookIsTakenAway() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.record(
            [("payee", "=1+2"), ("note", "a \"quoted\" note, with commas")],
            account: account
        )
        let json = try guest.get("/export/breadly.json")
        #expect(json.header("content-disposition")?.contains("breadly.json") == true)
        let book = try #require(try JSONSerialization.jsonObject(with: Data(json.body)) as? [String: Any])
        #expect((book["accounts"] as? [Any])?.count == 3)
        #expect((book["budgets"] as? [Any])?.isEmpty == true)
        let transaction = try #require((book["transactions"] as? [[String: Any]])?.first)
        #expect(transaction["amountMinor"] as? Int == 1_250 && transaction["payee"] as? String == "=1+2")
        let csv = try guest.get("/export/transactions.csv").text
        #expect(
            csv.contains(
                "2026-11-21,expense,-12.50,EUR,Cash,-12.50,EUR,,,,,'=1+2,\"a \"\"quoted\"\" note, with commas\","
            )
        )
    }

    /// A person who asks for both files, one directly after the other, gets both: the second waits for the
    /// book, and not for the last byte of the first.
    @Test func bothFilesMayBeTakenAtOnce() throws {
        let guest = try server.guest()
        let (port, cookies) = (guest.port, guest.cookies)
        let paths = ["/export/breadly.json", "/export/transactions.csv", "/export/breadly.json"]
        for _ in 0..<5 {
            let replies = Mutex<[Reply]>([])
            DispatchQueue.concurrentPerform(iterations: paths.count) { index in
                let visitor = Visitor(port: port)
                visitor.cookies = cookies
                guard let reply = try? visitor.get(paths[index]) else { return }
                replies.withLock { $0.append(reply) }
            }
            let all = replies.withLock { $0 }
            #expect(all.map(\.status) == [200, 200, 200])
            #expect(all.allSatisfy { $0.header("content-disposition") != nil })
        }
    }
}
