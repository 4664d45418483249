// Transactions without a category, by payee: one choice for each. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct Uncategorized {
    private static let address = "/transactions/uncategorised"
    private let server: Running
    private let guest: Visitor
    private let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
        for payee in ["Market", "Shell", "Shell", "Shell", "Market", "", "O'Neil \"&\" <b>"] {
            #expect(try guest.record([("payee", payee), ("amount", "10")], account: cash).status == 303)
        }
    }

    private func groups() throws -> [(payee: String, count: String)] {
        try guest.get(Self.address).html.all("section", ["data-kind": "uncategorised"])
            .map { ($0["data-payee"] ?? "", $0["data-count"] ?? "") }
    }

    private func category(_ name: String) throws -> String {
        let options = try guest.get(Self.address).html.all("option").filter { $0.text == name }
        return try #require(options.first?["value"])
    }

    private func choose(_ payee: String, _ category: String, _ others: [(String, String)] = []) throws
        -> Reply
    {
        try guest.post(Self.address, [("payee", payee), ("category", category)] + others)
    }

    @Test func payeesAreListedWithTheirRowsThatOfMostFirst() throws {
        let page = try guest.get(Self.address)
        #expect(page.status == 200 && page.text.contains("7 transactions of 4 payees."))
        #expect(try groups().map(\.payee) == ["Shell", "Market", "", "O'Neil \"&\" <b>"])
        #expect(try groups().map(\.count) == ["3", "2", "1", "1"])
        let shell = try #require(page.html.first("section", ["data-payee": "Shell"]))
        #expect(shell.text.contains("30.00") && shell.text.contains("21 Nov 2026"))
        let rows = page.html.inside("section", ["data-payee": "Shell"])
        #expect(rows.filter { $0["data-kind"] == "transaction" }.count == 3)
    }

    @Test func oneChoiceIsOneStepWithUndoAndThePageContinues() throws {
        let answer = try choose("Shell", category("Groceries"))
        #expect(answer.status == 303 && answer.header("location") == Self.address)
        let page = try guest.get(Self.address)
        #expect(page.text.contains("3 of") && page.text.contains("are") && page.text.contains("Groceries"))
        #expect(try groups().map(\.payee) == ["Market", "", "O'Neil \"&\" <b>"])
        let undo = page.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        #expect(try guest.post(try #require(undo)).status == 303)
        #expect(try groups().map(\.count) == ["3", "2", "1", "1"])
        // From a payee further down the page continues with the next one, which is in its place.
        #expect(try choose("Market", category("Groceries")).header("location") == Self.address + "#g1")
    }

    @Test func aButtonWithACategoryCountsMoreThanTheSelectBeforeIt() throws {
        let (groceries, clothing) = (try category("Groceries"), try category("Clothing"))
        #expect(try choose("", clothing, [("choice", groceries)]).status == 303)
        #expect(
            try guest.get("/transactions").rows("transaction").filter { $0.text.contains("Groceries") }.count
                == 1
        )
    }

    @Test func aCategoryThatDoesNotFitIsRefusedBesideItsField() throws {
        let words = [
            "": "Choose a category from the list.", "x": "Choose a category from the list.",
            "00000000000000000000000001": "This category was deleted in the meantime.",
            try category("Salary"): "2 expenses were left out: this is a category of income.",
        ]
        for (category, text) in words {
            let answer = try choose("market", category)
            #expect(answer.status == 422 && answer.refused == ["category"])
            let market = answer.html.first("section", ["data-payee": "Market"])
            #expect(market?.text.contains(text) == true)
        }
        #expect(try groups().map(\.count) == ["3", "2", "1", "1"])
        #expect(try guest.post(Self.address, [("category", "")]).status == 400)
    }

    @Test func aPayeeThatChangedMeanwhileIsSaidAndTheRestDone() throws {
        let groceries = try category("Groceries")
        let shell = try #require(
            try guest.get("/transactions").rows("transaction").first { $0.text.contains("Shell") }
        )
        let id = try #require(shell["data-id"])
        #expect(try guest.post("/transactions/\(id)/delete").status == 303)
        #expect(try choose("Shell", groceries, [("shown", "3")]).status == 303)
        #expect(try guest.get(Self.address).text.contains("1 was deleted or got a category meanwhile."))
        #expect(try choose("Shell", groceries, [("shown", "3")]).status == 303)
        #expect(try guest.get(Self.address).text.contains("is without a category any more."))
    }

    @Test func listAndOverviewLeadThereWhileThereIsSomething() throws {
        for address in ["/", "/transactions"] {
            let link = try guest.get(address).html.all("a", ["href": Self.address]).first
            #expect(link?.text == "7 without a category")
        }
        let groceries = try category("Groceries")
        for payee in try groups().map(\.payee) { #expect(try choose(payee, groceries).status == 303) }
        for address in ["/", "/transactions"] {
            #expect(try guest.get(address).html.all("a", ["href": Self.address]).isEmpty)
        }
        #expect(try guest.get(Self.address).text.contains("Everything has a category."))
    }

    @Test func alwaysMakesARuleForThePayee() throws {
        #expect(try choose("Shell", category("Clothing"), [("always", "on")]).status == 303)
        #expect(try guest.get(Self.address).text.contains("A rule gives it to new ones."))
        let boxes = try guest.get(Self.address).html.inside("section", ["data-count": "1"])
        #expect(!boxes.contains { $0["name"] == "always" }, "without a payee there are no new ones of it")
    }
}
