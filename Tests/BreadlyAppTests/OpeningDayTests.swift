// The day of an opening balance, on the pages of a guest. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct DaysOfOpeningBalances {
    private let server: Running
    private let guest: Visitor

    init() throws {
        server = try Running()
        guest = try server.guest()
    }

    /// Adds an account.
    private func add(_ name: String, _ fields: [(String, String)]) throws -> Reply {
        try guest.post("/accounts", [("name", name), ("type", "cash"), ("currency", "EUR")] + fields)
    }

    /// An account with 100.00 at the beginning of a day.
    private func account(_ name: String, since day: String) throws -> String {
        try #require(try add(name, [("opening", "100"), ("opening_day", day)]).status == 303)
        return try #require(try guest.accounts()[name])
    }

    private func balance(_ name: String) throws -> String? {
        let row = try guest.get("/accounts").rows("account").first { $0.text.hasPrefix(name) }
        return row?.text.split(separator: " ").last.map { String($0) }
    }

    /// The opening balance and its day, as the form of an account shows them.
    private func opening(_ id: String) throws -> [String] {
        let page = try guest.get("/accounts/\(id)").html
        return ["opening", "opening_day"].map { page.first("input", ["name": $0])?["value"] ?? "" }
    }

    private func error(_ field: String, _ page: Reply) -> String? {
        page.html.first("p", ["role": "alert", "data-field": field])?.text
    }

    /// The answers of a question: their values, and whether they are chosen.
    private func answers(_ page: Reply) -> [(value: String, isChosen: Bool)] {
        page.html.all("input", ["name": "in_opening", "type": "radio"]).map {
            ($0["value"] ?? "", $0["checked"] != nil)
        }
    }

    /// The address of Undo in the message after a change, which one page shows.
    private func undoOfTheChange() throws -> String {
        let page = try guest.get("/transactions").html
        return try #require(
            page.all("form").compactMap { $0["action"] }.first {
                $0.hasPrefix("/history/") && $0.hasSuffix("/undo")
            }
        )
    }

    @Test func areSuggestedToNewAccounts() throws {
        let page = try guest.get("/accounts")
        let field = try #require(page.html.first("input", ["name": "opening_day"]))
        #expect(field["value"] == "2026-11-21" && field["type"] == "date" && field["required"] == nil)
        #expect(page.text.contains("The opening balance counts from this day on."))
        let purse = try account("Purse", since: "2026-11-21")
        #expect(try opening(purse) == ["100.00", "2026-11-21"])
        #expect(try balance("Purse") == "€100.00")
        // Without an amount, the suggestion makes no opening balance.
        try #require(try add("Empty", [("opening", ""), ("opening_day", "2026-11-21")]).status == 303)
        #expect(try opening(try #require(try guest.accounts()["Empty"])) == ["0.00", ""])
        try #require(try add("Zero", [("opening", "0"), ("opening_day", "2026-11-21")]).status == 303)
        #expect(try opening(try #require(try guest.accounts()["Zero"])) == ["0.00", "2026-11-21"])
    }

    @Test func areNeitherToComeNorImplausible() throws {
        let common = [("opening", "100")]
        let later = try add("Purse", common + [("opening_day", "2026-11-22")])
        #expect(later.status == 422 && later.refused == ["opening_day"])
        #expect(
            error("opening_day", later)
                == "This day is still to come. Enter the balance of a day up to today."
        )
        #expect(later.html.first("input", ["name": "opening_day"])?["value"] == "2026-11-22")
        #expect(later.html.first("input", ["name": "opening"])?["value"] == "100", "what was typed stays")
        #expect(try add("Purse", common + [("opening_day", "the 3rd")]).refused == ["opening_day"])
        let asked = try add("Purse", common + [("opening_day", "0026-11-21")])
        #expect(error("opening_day", asked)?.hasPrefix("Is the year 26 right?") == true)
        let box = asked.html.first("input", ["name": "unusual_opening_day"])
        #expect(box?["value"] == "0026-11-21" && box?["checked"] == nil)
        let confirmed = common + [("opening_day", "0026-11-21"), ("unusual_opening_day", "0026-11-21")]
        #expect(try add("Purse", confirmed).status == 303)
    }

    @Test func areSetAndRemovedLater() throws {
        let cash = try #require(try guest.accounts()["Cash"])
        #expect(try guest.get("/accounts/\(cash)").text.contains("The first transaction is of") == false)
        try #require(try guest.record([("date", "2026-10-03")], account: cash).status == 303)
        #expect(try opening(cash) == ["0.00", ""])
        let suggestion = "The first transaction is of"
        #expect(try guest.get("/accounts/\(cash)").text.contains(suggestion))
        let fields = [("opening", "50"), ("opening_day", "2026-10-03")]
        try #require(try guest.post("/accounts/\(cash)", fields).status == 303)
        #expect(try opening(cash) == ["50.00", "2026-10-03"])
        #expect(try guest.get("/accounts/\(cash)").text.contains(suggestion) == false)
        #expect(try guest.get("/history").text.lowercased().contains("day of the opening balance"))
        try #require(try guest.post("/accounts/\(cash)", [("opening_day", "")]).status == 303)
        #expect(try opening(cash) == ["50.00", ""])
    }

    @Test func areNamedBeforeOlderTransactionsMove() throws {
        let cash = try #require(try guest.accounts()["Cash"])
        for day in ["2026-10-03", "2026-11-15"] {
            try #require(try guest.record([("date", day)], account: cash).status == 303)
        }
        let purse = try account("Purse", since: "2026-11-10")
        let page = try guest.get("/accounts/\(cash)/move?to=\(purse)")
        let note = try #require(page.html.first("p", ["data-notice": "before-opening"]))
        #expect(
            note.text == "1 of them is from before the opening balance of Purse, and counts beside it."
        )
        let bank = try #require(try guest.accounts()["Bank"])
        let other = try guest.get("/accounts/\(cash)/move?to=\(bank)")
        #expect(other.html.first("p", ["data-notice": "before-opening"]) == nil)
    }

    @Test func haveARowInTheRegister() throws {
        let purse = try account("Purse", since: "2026-11-10")
        let register = "/accounts/\(purse)/transactions"
        let empty = try guest.get(register)
        #expect(
            empty.html.first("li", ["id": "opening"])?.text == "Opening balance €100.00 Balance €100.00"
        )
        #expect(empty.text.contains("There are no transactions on this account yet."))
        for (day, amount) in [("2026-11-12", "5"), ("2026-11-10", "7")] {
            try #require(
                try guest.record([("date", day), ("amount", amount)], account: purse).status == 303
            )
        }
        let earlier = try guest.record(
            [("date", "2026-11-09"), ("amount", "2"), ("in_opening", "out \(purse)")],
            account: purse
        )
        try #require(earlier.status == 303)
        let page = try guest.get(register)
        let rows = page.html.all("li").filter { $0["data-kind"] == "transaction" || $0["id"] == "opening" }
        #expect(
            rows.map {
                $0.text.replacing(#/ Edit here .*/#, with: "").split(separator: " ").last.map { String($0) }
                    ?? ""
            }
                == ["€86.00", "€91.00", "€98.00", "−€2.00"]
        )
        #expect(page.html.first("ul", ["id": "before"]) == nil)
        let october = try guest.get("\(register)?month=2026-10")
        #expect(october.html.first("ul", ["id": "before"])?.text == "Balance before October 2026 €0.00")
        #expect(october.html.first("li", ["id": "opening"]) == nil)
    }

    @Test func areInReportsFromTheirDayOn() throws {
        _ = try account("Purse", since: "2026-11-10")
        let worth = try guest.get("/reports?group=worth&from=2026-10&to=2026-11")
        let rows = worth.html.all("tr").map(\.text)
        #expect(rows.contains { $0.hasPrefix("October 2026") && $0.hasSuffix("€0.00") })
        #expect(rows.contains { $0.hasPrefix("November 2026") && $0.hasSuffix("€100.00") })
        let flow = try guest.get("/reports?group=flow&from=2026-10&to=2026-11")
        #expect(flow.text.contains("Opening balances"))
        let november = flow.html.all("tr").map(\.text).first { $0.hasPrefix("November 2026") }
        #expect(november?.hasSuffix("€100.00 €100.00") == true)
    }

    @Test func areAskedAboutEarlierTransactions() throws {
        let purse = try account("Purse", since: "2026-11-10")
        let fields = [("date", "2026-11-09"), ("amount", "5")]
        let asked = try guest.record(fields, account: purse)
        #expect(asked.status == 422 && asked.refused == ["in_opening"])
        let question = error("in_opening", asked) ?? ""
        #expect(question.hasPrefix("It is before the opening balance of") && question.contains("Purse"))
        #expect(question.hasSuffix("Was it already in it?"))
        #expect(answers(asked).map(\.value) == ["in \(purse)", "out \(purse)"])
        #expect(answers(asked).allSatisfy { !$0.isChosen })
        #expect(try guest.get("/transactions?month=all").rows("transaction").isEmpty)
        // The answer stays beside another error.
        let refused = try guest.record(
            [("date", "2026-11-09"), ("amount", "much"), ("in_opening", "in \(purse)")],
            account: purse
        )
        #expect(refused.refused == ["amount"] && answers(refused).map(\.isChosen) == [true, false])
        // It is none about another account.
        let other = try account("Other", since: "2026-11-15")
        let elsewhere = try guest.record(fields + [("in_opening", "in \(purse)")], account: other)
        #expect(elsewhere.refused == ["in_opening"])
        #expect(try guest.record([("date", "2026-11-10")], account: purse).status == 303)
    }

    @Test func areLoweredByWhatIsInThem() throws {
        let purse = try account("Purse", since: "2026-11-10")
        let inside = [("date", "2026-11-09"), ("amount", "5"), ("in_opening", "in \(purse)")]
        try #require(try guest.record(inside, account: purse).status == 303)
        let undo = try undoOfTheChange()
        #expect(try balance("Purse") == "€100.00")
        #expect(try opening(purse) == ["105.00", "2026-11-10"])
        try #require(try guest.post(undo).status == 303)
        #expect(try opening(purse) == ["100.00", "2026-11-10"] && balance("Purse") == "€100.00")
        #expect(try guest.get("/transactions?month=all").rows("transaction").isEmpty)
        let outside = [("date", "2026-11-09"), ("amount", "5"), ("in_opening", "out \(purse)")]
        try #require(try guest.record(outside, account: purse).status == 303)
        #expect(try balance("Purse") == "€95.00" && opening(purse) == ["100.00", "2026-11-10"])
    }

    @Test func areAskedAboutEdits() throws {
        let purse = try account("Purse", since: "2026-11-10")
        try #require(try guest.record([("amount", "5")], account: purse).status == 303)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        let path = "/transactions/\(id)"
        let asked = try guest.post(path, [("date", "2026-11-09")])
        #expect(asked.status == 422 && asked.refused == ["in_opening"])
        try #require(
            try guest.post(path, [("date", "2026-11-09"), ("in_opening", "in \(purse)")]).status == 303
        )
        let undo = try undoOfTheChange()
        #expect(try opening(purse) == ["105.00", "2026-11-10"] && balance("Purse") == "€100.00")
        try #require(try guest.post(undo).status == 303)
        #expect(try opening(purse) == ["100.00", "2026-11-10"] && balance("Purse") == "€95.00")
        let outside = [("date", "2026-11-09"), ("in_opening", "out \(purse)")]
        try #require(try guest.post(path, outside).status == 303)
        #expect(try opening(purse) == ["100.00", "2026-11-10"] && balance("Purse") == "€95.00")
        #expect(try guest.post(path, [("payee", "Shop")]).status == 303, "nothing else is asked about")
        #expect(try guest.post(path, [("amount", "6")]).refused == ["in_opening"])
    }

    @Test func areAskedAboutAtBothEndsOfATransfer() throws {
        let (purse, safe) = (
            try account("Purse", since: "2026-11-10"), try account("Safe", since: "2026-11-15")
        )
        let fields = [
            ("kind", "transfer"), ("date", "2026-11-09"), ("amount", "30"), ("to_account", safe),
        ]
        let asked = try guest.record(fields, account: purse)
        #expect(error("in_opening", asked)?.hasSuffix("Was it already in them?") == true)
        let answer = try #require(answers(asked).first?.value)
        try #require(try guest.record(fields + [("in_opening", answer)], account: purse).status == 303)
        #expect(try opening(purse)[0] == "130.00" && opening(safe)[0] == "70.00")
        #expect(try balance("Purse") == "€100.00" && balance("Safe") == "€100.00")
    }

    @Test func areAskedAboutInTheQuickForm() throws {
        let purse = try account("Purse", since: "2026-11-10")
        let fields = [
            ("kind", "expense"), ("date", "2026-11-09"), ("amount", "5"), ("currency", "EUR"),
            ("account", purse), ("payee", "Bakery"),
        ]
        let asked = try guest.post("/transactions", fields)
        #expect(asked.status == 422 && answers(asked).count == 2)
        #expect(asked.html.first("form", ["id": "quick-add"]) != nil)
        #expect(try guest.post("/transactions", fields + [("in_opening", "in \(purse)")]).status == 303)
        #expect(try balance("Purse") == "€100.00")
    }

    @Test func areNamedWhereManyChange() throws {
        let purse = try account("Purse", since: "2026-11-10")
        for amount in ["5", "6"] {
            try #require(try guest.record([("amount", amount)], account: purse).status == 303)
        }
        let ids = try guest.get("/transactions").rows("transaction").compactMap { $0["data-id"] }
        let fields = [("action", "date"), ("value", "2026-11-09")] + ids.map { ("id", $0) }
        try #require(try guest.post("/transactions/bulk", fields).status == 303)
        let words = "2 are from before the opening balances of their accounts, and count beside them."
        #expect(try guest.get("/transactions").text.contains(words))
        #expect(try balance("Purse") == "€89.00")
    }
}
