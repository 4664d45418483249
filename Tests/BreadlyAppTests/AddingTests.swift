// The form of a new transaction: what fills it in, and what its page says afterwards. The clock shows 21 November 2026.
import Foundation
import TestKit
import Testing

extension Reply {
    /// The values with which the form of a new transaction is shown.
    fileprivate var entry: [String: String] {
        Dictionary((html.form("/transactions") ?? []).map { ($0.name, $0.value) }) { first, _ in first }
    }

    fileprivate func error(_ field: String) -> String? {
        html.elements.first { $0["role"] == "alert" && $0["data-field"] == field }?.text
    }

    /// The links that fill in the form, by their words.
    fileprivate var repeats: [(words: String, href: String)] {
        html.elements.filter { $0.tag == "a" && $0["href"]?.hasPrefix("/transactions/new?payee=") == true }
            .map { ($0.text, $0["href"] ?? "") }
    }
}

@Suite struct Adding {
    let server: Running
    let guest: Visitor
    let cash: String
    let bank: String
    let food: String

    init() throws {
        server = try Running()
        let guest = try server.guest()
        let accounts = try guest.accounts()
        (cash, bank) = (try #require(accounts["Cash"]), try #require(accounts["Bank"]))
        let row = try guest.get("/categories").rows("category").first { $0.text.contains("Groceries") }
        food = try #require(row?["data-id"])
        self.guest = guest
    }

    private func record(_ payee: String, _ changes: [(String, String)] = []) throws -> Reply {
        try guest.record(changes + [("payee", payee)], account: cash)
    }

    private func newest() throws -> String {
        "/transactions/\(try #require(try guest.get("/transactions").rows("transaction").first?["data-id"]))"
    }

    @Test func thePayeeIsTheFirstFieldAndWhatIsSeldomNeededIsFolded() throws {
        let page = try guest.get("/transactions/new").html
        let shown = page.elements.filter { element in
            ["input", "select", "textarea"].contains(element.tag) && element["type"] != "hidden"
                && element["name"] != nil
        }
        let names = shown.compactMap { $0["name"] }
        #expect(names.prefix(3) == ["payee", "amount", "currency"])
        #expect(page.first("input", ["name": "payee", "autofocus": ""]) != nil)
        let folded = shown.filter { $0.ancestors.contains { page.elements[$0].tag == "details" } }
        let isFolded = Set(folded.compactMap { $0["name"] })
        #expect(isFolded.isSuperset(of: ["note", "tags", "to_amount", "split_amount"]))
        #expect(isFolded.isDisjoint(with: ["kind", "category", "account", "day", "date"]))
        #expect(page.all("details", ["open": ""]).isEmpty)
        // The Enter key presses the first button.
        let buttons = page.all("button", ["type": "submit"]).filter { button in
            button.ancestors.contains { page.elements[$0]["id"] == "entry" }
        }
        #expect(buttons.first?.text == "Save")
        #expect(buttons.filter { $0.text == "Save" }.count == 1)
    }

    @Test func aDayIsOneOfThoseThatAreOfferedOrAnyOther() throws {
        let page = try guest.get("/transactions/new").html
        let days = page.all("input", ["type": "radio", "name": "day"])
        #expect(days.compactMap { $0["value"] } == ["2026-11-21", "2026-11-20", ""])
        #expect(days.map { $0["checked"] != nil } == [true, false, false])
        for (day, date, saved) in [
            ("2026-11-20", "2026-11-21", "2026-11-20"), ("", "2026-11-03", "2026-11-03"),
        ] {
            #expect(try record("Kiosk", [("day", day), ("date", date)]).status == 303)
            let list = try guest.get("/transactions")
            let row = try #require(list.rows("transaction").first { $0.text.contains("Kiosk") })
            let form = try guest.get("/transactions/\(try #require(row["data-id"]))").html
            #expect(form.first("input", ["name": "date"])?["value"] == saved)
            _ = try guest.post("/transactions/\(try #require(row["data-id"]))/delete")
        }
        // A form that is refused shows the chosen day.
        let refused = try record("Kiosk", [("amount", "much"), ("day", "2026-11-20")])
        #expect(refused.status == 422)
        #expect(refused.html.first("input", ["name": "day", "checked": ""])?["value"] == "2026-11-20")
    }

    @Test func aRecentPayeeFillsInTheForm() throws {
        let before = ("date", "2026-11-20")
        _ = try record("Brotzeit", [before, ("amount", "4.10"), ("category", food), ("account", bank)])
        _ = try record("Wages", [("kind", "income"), ("amount", "2000")])
        let offered = try guest.get("/transactions/new").repeats
        #expect(offered.map(\.words) == ["Wages €2,000.00", "Brotzeit €4.10"])
        let form = try guest.get(try #require(offered.last).href)
        #expect(form.entry["payee"] == "Brotzeit" && form.entry["amount"] == "4.10")
        #expect(form.entry["category"] == food && form.entry["account"] == bank)
        #expect(form.entry["kind"] == "expense" && form.refused.isEmpty)
        #expect(form.html.first("form", ["data-prefilled": ""]) != nil)
        #expect(try guest.get(try #require(offered.first).href).entry["kind"] == "income")
    }

    @Test func aPayeeOfALinkBringsWhatItsLastEntryHas() throws {
        _ = try record("Brotzeit", [("amount", "4.10"), ("category", food), ("account", bank)])
        let form = try guest.get("/transactions/new?payee=BROTZEIT").entry
        #expect(form["payee"] == "BROTZEIT" && form["category"] == food && form["account"] == bank)
        #expect(form["amount"] == "4.10")
        let other = try guest.get("/transactions/new?payee=brotzeit&amount=7&account=Cash").entry
        #expect(other["amount"] == "7" && other["account"] == cash && other["category"] == food)
        #expect(try guest.get("/transactions/new?payee=Nobody").entry["category"] == "")
    }

    @Test func aLinkFillsInTheFormByNamesAndByIds() throws {
        let byName = try guest.get(
            "/transactions/new?amount=3.20&payee=Kiosk&category=groceries&account=bank&date=2026-11-03"
                + "&note=two%20of%20them&kind=expense"
        )
        let byID = try guest.get("/transactions/new?amount=3.20&category=\(food)&account=\(bank)")
        #expect(byName.entry["note"] == "two of them" && byName.entry["date"] == "2026-11-03")
        for form in [byName, byID] {
            #expect(form.status == 200 && form.refused.isEmpty)
            #expect(form.entry["category"] == food && form.entry["account"] == bank)
            #expect(form.entry["amount"] == "3.20")
        }
        // The folded part is open where it has something.
        #expect(byName.html.all("details", ["open": ""]).count == 1)
        // A category of income says the kind.
        #expect(try guest.get("/transactions/new?category=Salary").entry["kind"] == "income")
    }

    @Test func aLinkThatMeansNothingIsSaidBesideTheFields() throws {
        let page = try guest.get(
            "/transactions/new?amount=12,,5&payee=Kiosk&category=Yachts&account=Vault&date=soon&kind=gift&note=x"
        )
        #expect(page.status == 200)
        #expect(page.refused == ["amount", "category", "account", "date", "kind"])
        #expect(page.error("category") == "There is no category called Yachts. Choose one.")
        #expect(page.error("account") == "There is no account called Vault. Choose one.")
        #expect(page.entry["amount"] == "12,,5" && page.entry["date"] == "soon")
        #expect(page.entry["payee"] == "Kiosk" && page.entry["note"] == "x")
        let hostile = try guest.get("/transactions/new?category=%3Cscript%3E&payee=%22%3E%3Cscript%3E")
        #expect(hostile.error("category")?.contains("called <script>.") == true)
        #expect(!hostile.text.contains("called <script>") && hostile.entry["payee"] == "\"><script>")
    }

    @Test func theToastSaysWhatWasAddedAndUndoesIt() throws {
        _ = try record("Brotzeit", [("amount", "4.10")])
        let page = try guest.get("/transactions")
        let toast = try #require(page.html.first("div", ["data-toast": "transaction-added"]))
        #expect(toast.text == "€4.10 Brotzeit added Undo")
        _ = try record("", [("amount", "5")])
        let other = try guest.get("/transactions").html.first("div", ["data-toast": "transaction-added"])
        #expect(other?.text == "€5.00 added Undo")
    }

    @Test func anotherOneKeepsDayAndAccount() throws {
        let again = [("again", "on"), ("date", "2026-11-03"), ("account", bank)]
        let saved = try record("Kiosk", again)
        let next = try guest.get(try #require(saved.header("location")))
        #expect(next.entry["account"] == bank && next.entry["date"] == "2026-11-03")
        #expect(next.entry["payee"] == "" && next.toasts.contains("transaction-added"))
        #expect(next.html.first("form", ["data-prefilled": ""]) == nil)
    }

    @Test func aCopyIsOfTodayAndCanBeUndone() throws {
        _ = try record("Brotzeit", [("amount", "4.10"), ("date", "2026-11-03"), ("category", food)])
        let page = try newest()
        _ = try guest.get(page)
        let copied = try guest.post("\(page)/duplicate")
        let address = try #require(copied.header("location"))
        #expect(copied.status == 303 && address.hasPrefix("/transactions?month=2026-11#t"))
        let list = try guest.get("/transactions")
        #expect(list.rows("transaction").count == 2)
        #expect(
            try #require(list.html.first("div", ["data-toast": "transaction-added"])).text.contains("Undo")
        )
        let copy = try guest.get(try newest())
        #expect(try newest() != page && copy.html.first("input", ["name": "date"])?["value"] == "2026-11-21")
        let undo = list.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        #expect(try guest.post(try #require(undo)).status == 303)
        #expect(try guest.get("/transactions").rows("transaction").count == 1)
        #expect(try guest.post("/transactions/01h00000000000000000000000/duplicate").status == 404)
    }

    @Test func aCopyThatIsNotPossibleIsAFormThatSaysWhy() throws {
        _ = try record("Brotzeit", [("amount", "4.10"), ("account", bank)])
        let page = try newest()
        _ = try guest.get("/accounts/\(bank)")
        #expect(try guest.post("/accounts/\(bank)/close").status == 303)
        let refused = try guest.post("\(page)/duplicate")
        #expect(refused.status == 422 && refused.refused == ["account"])
        #expect(refused.entry["payee"] == "Brotzeit" && refused.entry["amount"] == "4.10")
    }

    @Test func aStarredOneStandsFirst() throws {
        _ = try record("Rent", [("date", "2026-11-03"), ("amount", "800"), ("note", "by the third")])
        let page = try newest()
        _ = try record("Brotzeit", [("amount", "4.10")])
        _ = try guest.get(page)
        #expect(try guest.post("\(page)/star", [("star", "on")]).status == 303)
        let form = try guest.get("/transactions/new")
        let offered = form.repeats
        #expect(offered.map(\.words) == ["Rent €800.00", "Brotzeit €4.10", "Rent €800.00"])
        #expect(form.html.all("a", ["data-template": ""]).count == 1)
        #expect(try guest.get(try #require(offered.first).href).entry["note"] == "by the third")
        #expect(try guest.get(page).text.contains("Remove it from the templates"))
        #expect(try guest.post("\(page)/star", [("star", "off")]).status == 303)
        #expect(try guest.get("/transactions/new").repeats.count == 2)
        #expect(try guest.post("\(page)/star", [("star", "perhaps")]).status == 400)
        #expect(try guest.post("\(page)/star").status == 400)
    }

    @Test func payeesAreSuggestedInAnyFormOfTheirLetters() throws {
        for payee in ["Shell", "Café Łódź", "Corner Shop"] { _ = try record(payee) }
        func found(_ text: String) throws -> [String] {
            try guest.get("/payees/suggestions?q=\(text)").repeats.map(\.words)
        }
        #expect(try found("shell") == ["Shell €12.50"])
        #expect(try found("cafe%20lod") == ["Café Łódź €12.50"])
        #expect(try found("sh") == ["Shell €12.50", "Corner Shop €12.50"])
        #expect(try found("x").isEmpty && found("").count == 3)
        #expect(try guest.get("/payees/suggestions?q=" + String(repeating: "x", count: 201)).status == 400)
    }
}
