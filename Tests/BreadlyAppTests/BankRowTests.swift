// Transactions of a bank among one's own: listed, counted, written on, recorded and hidden, over real connections.
import BankFeeds
import BankStandIns
import BreadlyApp
import Foundation
import HTTPServer
import TestKit
import Testing

@Suite struct RowsOfABank {
    private let running: Running
    private let trueLayer: TrueLayerStandIn

    init() throws {
        running = try Running()
        trueLayer = try TrueLayerStandIn()
        try running.setUp(trueLayer)
    }

    /// A user whose accounts are joined to those of the bank.
    private func anna() throws -> Visitor {
        try running.userOfBank(trueLayer, joining: ["acc-1", "card-1"])
    }

    /// The rows of banks on a page, by their names.
    private func rows(_ page: Reply) -> [String: HTMLElement] {
        var rows: [String: HTMLElement] = [:]
        for row in page.rows("transaction") where row["data-bank"] != nil {
            for name in ["Planted Grocer", "Salary", "Coffee", "Cinema", "Corner shop"]
            where row.text.contains(name) {
                rows[name] = row
            }
        }
        return rows
    }

    private func list(_ visitor: Visitor, _ query: String = "") throws -> [String: HTMLElement] {
        rows(try visitor.get("/transactions" + query))
    }

    private func id(_ name: String, _ visitor: Visitor) throws -> String {
        try #require(try list(visitor)[name]?["data-id"])
    }

    private func account(_ name: String, _ visitor: Visitor) throws -> String {
        let rows = try visitor.get("/accounts").rows("account")
        return try #require(rows.first { $0.text.contains(name) }?["data-id"])
    }

    @Test func rowsStandAmongTheUsersOwn() throws {
        let anna = try anna()
        let page = try anna.get("/transactions")
        #expect(Set(rows(page).keys) == ["Planted Grocer", "Salary", "Coffee", "Cinema"])
        #expect(
            rows(page)["Coffee"]?["data-bank"] == "pending" && rows(page)["Salary"]?["data-bank"] == "booked"
        )
        #expect(rows(page)["Coffee"]?.text.contains("Bank · ") == true)
        #expect(rows(page)["Coffee"]?.text.contains("Pending") == true)
        #expect(page.text.contains("4 transactions"))
        #expect(try Set(list(anna, "?q=grocer").keys) == ["Planted Grocer"])
        #expect(try Set(list(anna, "?month=2026-10").keys) == [])
        let club = try account("Club Account", anna)
        let register = try anna.get("/accounts/\(club)/transactions")
        #expect(Set(rows(register).keys) == ["Planted Grocer", "Salary", "Coffee"])
        #expect(rows(try anna.get("/"))["Salary"] != nil)
        let report = try anna.get("/reports?group=payee&from=2026-11&to=2026-11")
        #expect(report.text.contains("Planted Grocer") && report.text.contains("£12.50"))
        // A file leaves the device, and has what was recorded only.
        let sentence = "The file contains nothing that only your bank reports."
        #expect(report.text.contains(sentence))
        let file = try anna.get("/reports?group=payee&from=2026-11&to=2026-11&format=csv")
        #expect(!file.text.contains("Grocer") && !file.text.contains("12.50"))
        #expect(try !running.guest().get("/reports?group=payee").text.contains(sentence))
        // Another user, and a device without a bank, see nothing of it.
        #expect(try list(try running.guest()).isEmpty)
    }

    @Test func balancesGoBackFromThatOfTheBank() throws {
        let anna = try anna()
        let register = rows(
            try anna.get("/accounts/\(try account("Club Account", anna))/transactions")
        )
        // The newest booked row is followed by the bank's balance, and a pending one changes none.
        #expect(register["Salary"]?.text.contains("Balance £1,234.56") == true)
        #expect(register["Planted Grocer"]?.text.contains("Balance £1,134.56") == true)
        #expect(register["Coffee"]?.text.contains("Balance") == false)
        let sentence = "Earlier balances are worked out from its booked transactions"
        let span = "&from=2026-10&to=2026-11"
        let flow = try anna.get("/reports?group=flow" + span)
        #expect(flow.text.contains(sentence))
        for amount in ["£1,116.81", "£100.00", "£32.50", "£1,184.31"] {
            #expect(flow.text.contains(amount), "\(amount)")
        }
        let worth = try anna.get("/reports?group=worth" + span)
        #expect(worth.text.contains(sentence) && worth.text.contains("£1,147.06"))
        #expect(try !anna.get("/reports?group=payee" + span).text.contains(sentence))
        let october = try anna.get("/?month=2026-10")
        #expect(october.text.contains("£1,147.06") && !october.text.contains("£1,234.56"))
        // Without a bank, there is nothing to say of one.
        #expect(try !running.guest().get("/reports?group=worth" + span).text.contains(sentence))
    }

    @Test func theUserWritesOnARowAndRecordsIt() throws {
        let anna = try anna()
        let id = try id("Planted Grocer", anna)
        let page = try anna.get("/banks/rows/\(id)")
        #expect(page.text.contains("PLANTED GROCER 4242") && page.text.contains("Booked"))
        #expect(page.html.form("/banks/rows/\(id)/record") != nil)
        #expect(page.html.first("button", ["name": "hidden", "value": "on"])?.text == "Hide")
        let category = try #require(
            page.html.all("option").first { $0.text == "Groceries" }?["value"]
        )
        let seen = try #require(page.html.hidden("seen"))
        let writing = [
            ("seen", seen), ("payee", "Corner shop"), ("category", category), ("note", "apples"),
            ("tags", "fruit"),
        ]
        #expect(try anna.post("/banks/rows/\(id)", writing).status == 303)
        var row = try #require(try list(anna)["Corner shop"])
        #expect(row.text.contains("Groceries") && row.text.contains("#fruit"))
        #expect(try anna.get("/transactions").toasts.isEmpty)
        // A field that the form does not send stays.
        _ = try anna.get("/banks/rows/\(id)")
        _ = try anna.post("/banks/rows/\(id)", [("note", "pears")])
        row = try #require(try list(anna)["Corner shop"])
        #expect(row.text.contains("pears") && row.text.contains("Groceries"))
        let refused = try anna.post("/banks/rows/\(id)", [("payee", String(repeating: "x", count: 201))])
        #expect(refused.status == 422 && refused.refused == ["payee"])

        _ = try anna.get("/banks/rows/\(id)")
        #expect(try anna.post("/banks/rows/\(id)/record").status == 303)
        let recorded = try anna.get("/transactions")
        #expect(recorded.toasts == ["bank-row-recorded"])
        let own = try #require(recorded.rows("transaction").first { $0.text.contains("Corner shop") })
        #expect(own["data-bank"] == nil && own["data-id"] == id && own.text.contains("pears"))
        #expect(recorded.rows("transaction").count == 4)
        #expect(try anna.get("/banks/rows/\(id)").text.contains("This transaction is recorded in your book"))
        #expect(try anna.get("/export/transactions.csv").text.contains("Corner shop"))
        #expect(try !anna.get("/export/transactions.csv").text.contains("Cinema"))

        let undo = try #require(
            recorded.html.elements.first { $0["action"]?.hasSuffix("/undo") == true }?["action"]
        )
        _ = try anna.get("/transactions")
        #expect(try anna.post(undo).status == 303)
        #expect(try list(anna)["Corner shop"]?["data-bank"] == "booked")
    }

    @Test func aHiddenRowCountsNowhereAndComesBack() throws {
        let anna = try anna()
        let id = try id("Cinema", anna)
        _ = try anna.get("/banks/rows/\(id)")
        #expect(try anna.post("/banks/rows/\(id)", [("hidden", "on")]).status == 303)
        #expect(try list(anna)["Cinema"] == nil)
        #expect(try anna.get("/banks/rows/\(id)").text.contains("This transaction is hidden"))
        #expect(try anna.post("/banks/rows/\(id)/record").status == 303)
        #expect(try !anna.get("/export/transactions.csv").text.contains("Cinema"))
        _ = try anna.get("/banks/rows/\(id)")
        _ = try anna.post("/banks/rows/\(id)", [("hidden", "off")])
        #expect(try list(anna)["Cinema"] != nil)
    }

    @Test func aRowFollowsItsCategory() throws {
        let anna = try anna()
        let id = try id("Planted Grocer", anna)
        let page = try anna.get("/banks/rows/\(id)")
        func category(_ name: String) throws -> String {
            try #require(page.html.all("option").first { $0.text == name }?["value"])
        }
        let groceries = try category("Groceries")
        #expect(try anna.post("/banks/rows/\(id)", [("category", groceries)]).status == 303)
        #expect(try list(anna)["Planted Grocer"]?.text.contains("Groceries") == true)
        // It counts as a use: the note loses the category, as a transaction does, and its undo brings both back.
        _ = try anna.get("/categories/\(groceries)")
        #expect(try anna.post("/categories/\(groceries)/delete").status == 303)
        let deleted = try anna.get("/transactions")
        #expect(rows(deleted)["Planted Grocer"]?.text.contains("Groceries") == false)
        #expect(try !anna.get("/export/breadly.json").text.contains(groceries))
        let undo = try #require(
            deleted.html.elements.first { $0["action"]?.hasSuffix("/undo") == true }?["action"]
        )
        #expect(try anna.post(undo).status == 303)
        #expect(try list(anna)["Planted Grocer"]?.text.contains("Groceries") == true)
    }

    @Test func aPendingRowIsNotRecordedYet() throws {
        let anna = try anna()
        let id = try id("Coffee", anna)
        let page = try anna.get("/banks/rows/\(id)")
        #expect(page.text.contains("has not booked this transaction yet"))
        #expect(!page.html.elements.contains { $0["action"]?.hasSuffix("/record") == true })
        _ = try anna.post("/banks/rows/\(id)/record")
        #expect(try list(anna)["Coffee"]?["data-bank"] == "pending")
    }

    @Test func whatWasEnteredByHandIsNotCountedTwice() throws {
        let anna = try anna()
        let club = try account("Club Account", anna)
        _ = try anna.get("/accounts")
        let purchase = [
            ("kind", "expense"), ("amount", "12.50"), ("account", club), ("date", "2026-11-21"),
            ("payee", "Shop"),
        ]
        let grocer = try id("Planted Grocer", anna)
        _ = try anna.get("/transactions")
        try #require(try anna.post("/transactions", purchase).status == 303)
        #expect(try list(anna)["Planted Grocer"] == nil)
        let page = try anna.get("/banks/rows/\(grocer)")
        #expect(page.text.contains("perhaps entered this transaction already") && page.text.contains("Shop"))
        // Without an answer nothing is recorded.
        #expect(try anna.post("/banks/rows/\(grocer)/record").header("location") == "/banks/rows/\(grocer)")
        let same = try #require(page.html.first("button", ["name": "same"])?["value"])
        _ = try anna.get("/banks/rows/\(grocer)")
        #expect(try anna.post("/banks/rows/\(grocer)/record", [("same", same)]).status == 303)
        #expect(try anna.get("/banks/rows/\(grocer)").text.contains("is recorded in your book"))

        let salary = try id("Salary", anna)
        let income = [("kind", "income"), ("amount", "100"), ("account", club), ("date", "2026-11-20")]
        _ = try anna.get("/transactions")
        try #require(try anna.post("/transactions", income).status == 303)
        _ = try anna.get("/banks/rows/\(salary)")
        #expect(try anna.post("/banks/rows/\(salary)/record", [("another", "on")]).status == 303)
        let all = try anna.get("/transactions").rows("transaction").filter { $0.text.contains("100.00") }
        #expect(all.count == 2 && all.allSatisfy { $0["data-bank"] == nil })
    }

    @Test func theAnswerThatTheyAreTwoLasts() throws {
        let anna = try anna()
        let club = try account("Club Account", anna)
        let (coffee, grocer) = (try id("Coffee", anna), try id("Planted Grocer", anna))
        // The pending coffee, and the booked purchase.
        for (amount, day) in [("3.20", "2026-11-21"), ("12.50", "2026-11-21")] {
            let purchase = [
                ("kind", "expense"), ("amount", amount), ("account", club), ("date", day), ("payee", "Shop"),
            ]
            _ = try anna.get("/transactions")
            try #require(try anna.post("/transactions", purchase).status == 303)
        }
        #expect(try list(anna)["Coffee"] == nil)
        _ = try anna.get("/banks/rows/\(coffee)")
        #expect(try anna.post("/banks/rows/\(coffee)/record", [("another", "on")]).status == 303)
        #expect(try anna.get("/banks/rows/\(coffee)").text.contains("Noted: they are two"))
        #expect(try list(anna)["Coffee"]?["data-bank"] == "pending")
        _ = try anna.get("/banks/rows/\(grocer)")
        #expect(try anna.post("/banks/rows/\(grocer)/record", [("another", "on")]).status == 303)
        #expect(try !anna.get("/accounts/\(club)/transactions").text.contains("was perhaps recorded"))
    }

    @Test func whatIsEnteredAfterItWasRecordedIsAsked() throws {
        let anna = try anna()
        let club = try account("Club Account", anna)
        let grocer = try id("Planted Grocer", anna)
        _ = try anna.get("/banks/rows/\(grocer)")
        #expect(try anna.post("/banks/rows/\(grocer)/record").status == 303)
        _ = try anna.get("/transactions")
        let question = "recorded from your bank already?"
        for (amount, day, isAsked) in [
            ("12.50", "2026-11-21", true), ("12.51", "2026-11-21", false), ("12.50", "2026-11-12", false),
        ] {
            let purchase = [
                ("kind", "expense"), ("amount", amount), ("account", club), ("date", day), ("payee", "Shop"),
            ]
            _ = try anna.get("/transactions")
            try #require(try anna.post("/transactions", purchase).status == 303)
            let page = try anna.get("/transactions")
            #expect(page.toasts.contains("bank-perhaps-recorded") == isAsked, "\(amount) \(day)")
            #expect(page.text.contains(question) == isAsked, "\(amount) \(day)")
            #expect(!isAsked || page.text.contains("Is it Planted Grocer of 19 Nov"))
        }
    }

    /// The address behind the button of the question.
    private func same(_ page: Reply) throws -> String {
        let form = page.html.all("form").first { $0["action"]?.contains("/bank-record?record=") == true }
        #expect(page.text.contains("It is the same"))
        return try #require(form?["action"])
    }

    @Test func itIsTheSameMakesOneOfTwo() throws {
        let anna = try anna()
        let club = try account("Club Account", anna)
        let grocer = try id("Planted Grocer", anna)
        _ = try anna.get("/banks/rows/\(grocer)")
        let written = [("note", "for the party"), ("tags", "party")]
        #expect(try anna.post("/banks/rows/\(grocer)", written).status == 303)
        #expect(try anna.post("/banks/rows/\(grocer)/record").status == 303)
        func purchase(_ amount: String) -> [(String, String)] {
            [
                ("kind", "expense"), ("amount", amount), ("account", club), ("date", "2026-11-21"),
                ("payee", "Shop"), ("note", ""),
            ]
        }
        func all() throws -> [HTMLElement] {
            try anna.get("/transactions").rows("transaction").filter { $0.text.contains("12.50") }
        }
        _ = try anna.get("/transactions")
        try #require(try anna.post("/transactions", purchase("12.50")).status == 303)
        let asked = try anna.get("/transactions")
        let address = try same(asked)
        // The message is gone with the next page. The question stays at the account until it is answered.
        let register = "/accounts/\(club)/transactions"
        for _ in 0..<2 {
            let page = try anna.get(register)
            #expect(
                page.text.contains("was perhaps recorded from your bank as well, as") && page.toasts.isEmpty
            )
            #expect(try same(page) == address)
        }
        #expect(asked.rows("transaction").count { $0.text.contains("12.50") } == 2)
        #expect(try anna.post(address).status == 303)
        let done = try anna.get("/transactions")
        #expect(done.toasts == ["bank-row-recorded"] && done.text.contains("Noted: the two are the same"))
        #expect(try !anna.get(register).text.contains("was perhaps recorded"))
        let left = try all()
        #expect(left.count == 1 && left[0].text.contains("Shop") && left[0].text.contains("#party"))
        #expect(left[0]["data-bank"] == nil)
        // Once more changes nothing, and the row is recorded by what was entered.
        #expect(try anna.post(address).status == 303)
        #expect(try anna.get("/transactions").text.contains("Nothing was changed"))
        let row = try anna.get("/banks/rows/\(grocer)")
        #expect(row.text.contains("This transaction is recorded in your book") && row.text.contains("Shop"))

        // An edit that makes two alike asks as well, and another edit does not.
        _ = try anna.get("/transactions")
        try #require(try anna.post("/transactions", purchase("80")).status == 303)
        let edited = try #require(
            try anna.get("/transactions").rows("transaction").first { $0.text.contains("80.00") }?["data-id"]
        )
        for (amount, note, isAsked) in [("12.50", "", true), ("12.50", "wine", false)] {
            _ = try anna.get("/transactions/\(edited)")
            let fields = [("amount", amount), ("note", note)]
            try #require(try anna.post("/transactions/\(edited)", fields).status == 303)
            let page = try anna.get("/transactions")
            #expect(page.toasts.contains("bank-perhaps-recorded") == isAsked, "\(note)")
            if isAsked { _ = try same(page) }
        }
        #expect(try all().count == 2)
    }

    /// Records an occurrence of today, after what the bank has reported on the 19th was recorded with the same amount.
    private func recordOccurrence(every: String, _ unit: String, _ anna: Visitor) throws {
        let club = try account("Club Account", anna)
        let grocer = try id("Planted Grocer", anna)
        _ = try anna.get("/banks/rows/\(grocer)")
        #expect(try anna.post("/banks/rows/\(grocer)/record").status == 303)
        _ = try anna.get("/schedules/new")
        let schedule = [
            ("kind", "expense"), ("amount", "12.50"), ("account", club), ("payee", "Vegetable box"),
            ("currency", "GBP"), ("category", ""), ("note", ""), ("tags", ""), ("start", "2026-11-21"),
            ("every", every), ("unit", unit), ("end", ""), ("shift", "none"), ("record", "ask"),
        ]
        try #require(try anna.post("/schedules", schedule).status == 303)
        let id = try #require(try anna.get("/schedules").rows("due").first?["data-id"])
        #expect(try anna.post("/schedules/\(id)/record", [("day", "2026-11-21")]).status == 303)
    }

    private func rows(of page: Reply) -> [HTMLElement] {
        page.rows("transaction").filter { $0.text.contains("12.50") }
    }

    /// Nothing is recorded before the answer, and each answer is the last one.
    @Test(arguments: [("/payment?", 1, "schedule-paid"), ("confirmed=on", 2, "schedule-recorded")])
    func anOccurrenceThatTheBankHasReportedIsAsked(answer: String, count: Int, toast: String) throws {
        let anna = try anna()
        try recordOccurrence(every: "1", "month", anna)
        let asked = try anna.get("/transactions")
        #expect(asked.toasts == ["schedule-perhaps-paid"])
        #expect(asked.text.contains("You have perhaps entered this payment already"))
        #expect(rows(of: asked).count == 1)
        let form = asked.html.all("form").first { $0["action"]?.contains(answer) == true }
        #expect(try anna.post(try #require(form?["action"])).status == 303)
        let after = try anna.get("/transactions")
        #expect(after.toasts == [toast])
        #expect(rows(of: after).count == count)
        #expect(rows(of: after).contains { $0.text.contains("Planted Grocer") })
        let club = try account("Club Account", anna)
        #expect(try !anna.get("/accounts/\(club)/transactions").text.contains("was perhaps recorded"))
    }

    /// A schedule of days takes payments of its day alone. The record of the bank is asked about once it has recorded.
    @Test func anOccurrenceThatTheBankHasReportedOnAnotherDayIsAsked() throws {
        let anna = try anna()
        try recordOccurrence(every: "30", "day", anna)
        let asked = try anna.get("/transactions")
        #expect(rows(of: asked).count == 2)
        #expect(try anna.post(try same(asked)).status == 303)
        let left = rows(of: try anna.get("/transactions"))
        #expect(left.count == 1 && left[0].text.contains("Vegetable box"))
    }

    /// A payment to the card, which both accounts report.
    @Test func bothSidesOfATransferAreRecordedWithOneButton() throws {
        let anna = try anna()
        trueLayer.server.fail {
            $0.extraRows = [
                """
                {"transaction_id":"x1","timestamp":"2026-11-18T00:00:00Z","description":"Corner shop","amount":-20.00,\
                "currency":"GBP","transaction_type":"DEBIT"}
                """
            ]
            $0.cardRows = [
                """
                {"transaction_id":"c2","timestamp":"2026-11-19T00:00:00Z","description":"Payment","amount":-20.00,\
                "currency":"GBP","transaction_type":"CREDIT"}
                """
            ]
        }
        let connection = try #require(try anna.banks().first?.id)
        _ = try anna.get("/banks")
        #expect(try anna.post("/banks/\(connection)/refresh").status == 303)
        let payment = try id("Corner shop", anna)
        let page = try anna.get("/banks/rows/\(payment)")
        #expect(page.text.contains("The opposite amount is on") && page.text.contains("Gold Card"))
        let button = page.html.elements.first { $0["name"] == "transfer" }
        let side = try #require(button?["value"])
        // A page that names another row changes nothing.
        let stale = try anna.post("/banks/rows/\(payment)/record", [("transfer", payment)])
        #expect(stale.header("location") == "/banks/rows/\(payment)")
        _ = try anna.get("/banks/rows/\(payment)")
        #expect(try anna.post("/banks/rows/\(payment)/record", [("transfer", side)]).status == 303)
        let list = try anna.get("/transactions?month=all").rows("transaction").filter {
            $0.text.contains("20.00")
        }
        // The transfer, and the cinema of the same amount.
        #expect(list.count { $0["data-bank"] == nil } == 1)
        #expect(list.filter { $0["data-bank"] != nil }.allSatisfy { $0.text.contains("Cinema") })
        #expect(
            try anna.get("/banks/rows/\(side)").text.contains("This transaction is recorded in your book")
        )
    }

    @Test func aPeriodIsRecordedAfterItsPreview() throws {
        let anna = try anna()
        let club = try account("Club Account", anna)
        let path = "/accounts/\(club)/record-bank"
        let register = try anna.get("/accounts/\(club)/transactions")
        #expect(register.html.all("a").contains { $0["href"] == path })
        let all = try anna.get(path)
        #expect(all.text.contains("Record 2 transactions"))
        let one = try anna.get(path + "?from=2026-11-20&to=2026-11-21")
        #expect(Set(rows(one).keys) == ["Salary"] && one.text.contains("Record 1 transaction"))
        #expect(try anna.get(path + "?from=x").status == 400)
        _ = try anna.get(path)
        #expect(try anna.post(path, [("from", "2026-11-01"), ("to", "2026-11-21")]).status == 303)
        let page = try anna.get("/accounts/\(club)/transactions")
        #expect(page.toasts == ["bank-recorded"] && page.text.contains("2 transactions recorded"))
        #expect(Set(rows(page).keys) == ["Coffee"])
        #expect(try anna.get(path).text.contains("There is nothing to record"))
        _ = try anna.get("/accounts")
        let cash = [("name", "Cash"), ("type", "cash"), ("currency", "GBP"), ("opening", "0")]
        _ = try anna.post("/accounts", cash)
        let other = try account("Cash", anna)
        #expect(try anna.get("/accounts/\(other)/record-bank").status == 404)
        #expect(try anna.post("/accounts/\(other)/record-bank", [("automatic", "on")]).status == 404)
    }

    @Test func newOnesAreRecordedByThemselves() throws {
        let anna = try anna()
        let club = try account("Club Account", anna)
        let path = "/accounts/\(club)/record-bank"
        _ = try anna.get(path)
        #expect(try anna.post(path, [("automatic", "on")]).status == 303)
        #expect(try anna.get(path).text.contains("It has been switched on since Saturday 21 November 2026"))
        trueLayer.server.fail {
            $0.extraRows = [
                """
                {"transaction_id":"t9","timestamp":"2026-11-21T00:00:00Z","description":"BAKER 12","amount":-4.5,\
                "currency":"GBP","transaction_type":"DEBIT"}
                """
            ]
        }
        let id = try #require(try anna.banks().first?.id)
        _ = try anna.get("/banks")
        _ = try anna.post("/banks/\(id)/refresh")
        try until("the new one is recorded") {
            let rows = try anna.get("/transactions").rows("transaction")
            return rows.contains { $0.text.contains("Baker") && $0["data-bank"] == nil }
        }
        // Those before stay.
        #expect(try list(anna)["Salary"]?["data-bank"] == "booked")
        _ = try anna.get(path)
        _ = try anna.post(path, [("automatic", "off")])
        #expect(try !anna.get(path).text.contains("It has been switched on"))
    }

    @Test func strangersSeeNoRows() throws {
        let anna = try anna()
        let id = try id("Salary", anna)
        let bob = try running.guest()
        _ = try bob.get("/settings")
        #expect(try bob.get("/banks/rows/\(id)").status == 404)
        #expect(try bob.post("/banks/rows/\(id)", [("note", "x")]).status == 404)
        #expect(try bob.post("/banks/rows/\(id)/record").status == 404)
        #expect(try anna.get("/banks/rows/0000000000000000000000000a").status == 404)
    }

    /// Accounts are joined, rows are shown, written on and searched for: what the bank says is nowhere else.
    @Test func whatTheBankSaysStaysOnTheDevice() throws {
        let cloudFolder = running.folder + "-cloud"
        defer { try? FileManager.default.removeItem(atPath: cloudFolder) }
        let cloud = try running.cloud(in: cloudFolder, premiumForEveryone: true)
        defer { cloud.stop() }
        let address = cloud.url
        try running.setUp(trueLayer) {
            $0.cloudAddress = address
            $0.metrics = MetricsPlace("127.0.0.1:0")
        }
        let anna = try anna()
        let (grocer, salary) = (try id("Planted Grocer", anna), try id("Salary", anna))
        _ = try anna.get("/banks/rows/\(grocer)")
        _ = try anna.post("/banks/rows/\(grocer)", [("payee", "Corner shop"), ("note", "apples")])
        _ = try anna.get("/banks/rows/\(salary)")
        _ = try anna.post("/banks/rows/\(salary)/record")
        let club = try account("Club Account", anna)
        for path in [
            "/", "/transactions?q=planted", "/accounts", "/accounts/\(club)/record-bank", "/reports",
        ] {
            #expect(try anna.get(path).status == 200)
        }
        let errors = [
            try anna.get("/banks/rows/0000000000000000000000000a"),
            try anna.get("/accounts/\(club)/record-bank?from=x"),
            try anna.post("/banks/rows/\(grocer)", [("csrf", "aged-out")], csrf: false),
        ]
        try until("the book is synced") {
            try anna.get("/status.json").text.contains(#""phase":"idle""#)
        }
        var places: [(String, String)] = [
            ("log", running.log.all.joined(separator: "\n")),
            ("export", try anna.get("/export/breadly.json").text),
            ("spreadsheet", try anna.get("/export/transactions.csv").text),
            ("history", try anna.get("/history").text), ("status", try anna.get("/status.json").text),
            ("sync", try anna.get("/sync").text),
        ]
        for group in ["category", "payee", "account", "month", "flow", "worth"] {
            let file = try anna.get("/reports?group=\(group)&from=2026-10&to=2026-11&format=csv")
            #expect(file.status == 200)
            places.append(("file of the report by \(group)", file.text))
        }
        for compare in ["previous", "average"] {
            let file = try anna.get("/reports?compare=\(compare)&to=2026-11&format=csv")
            #expect(file.status == 200)
            places.append(("file of the comparison with \(compare)", file.text))
        }
        places += errors.enumerated().map { ("error page \($0.offset)", $0.element.text) }
        let metrics = try #require(running.app.metricsURL)
        let port = try #require(Int(metrics.split(separator: ":")[2].prefix { $0 != "/" }))
        places.append(("metrics", try Visitor(port: port).get("/metrics").text))
        for folder in [cloudFolder, running.folder] {
            for name in FileManager.default.subpaths(atPath: folder) ?? [] {
                guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
                places.append((name, String(decoding: bytes, as: UTF8.self)))
            }
        }
        for (place, text) in places {
            // The amount as the value of a field: the same digits alone are in an id or a hash now and then.
            for word in ["PLANTED", "Planted", "Cinema", "1234.56", "123456", ":1250", ":-1250"]
            where text.contains(word) {
                Issue.record("\(word) is in the \(place)")
            }
        }
        // The user's own writing, and what was recorded, are in the book and in its exports.
        #expect(places[1].1.contains("apples") && places[1].1.contains("Salary"))
        #expect(places.contains { $0.0 == "cloud.sqlite" || $0.0 == "cloud.sqlite-wal" })
    }
}
