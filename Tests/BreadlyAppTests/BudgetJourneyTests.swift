// Budgets that are added, changed, moved and ended, and what the pages say about it. The clock shows 21 November 2026.
import TestKit
import Testing

extension Reply {
    fileprivate func toast(_ key: String) -> String? { html.first("div", ["data-toast": key])?.text }

    fileprivate var undo: String? {
        html.all("form").compactMap { $0["action"] }.first { $0.contains("/undo") || $0.contains("/delete?") }
    }

    fileprivate var main: String { html.first("main")?.text ?? "" }
}

/// A guest with budgets.
private struct BudgetGuest {
    let server: Running
    let visitor: Visitor

    init() throws {
        server = try Running()
        visitor = try server.guest()
    }

    func category(_ name: String) throws -> String {
        let row = try visitor.get("/categories").rows("category").first { $0.text.contains(name) }
        return try #require(row?["data-id"])
    }

    func add(_ limit: String, _ category: String, from: String, _ more: [(String, String)] = []) throws {
        let fields = [("category", try self.category(category)), ("limit", limit), ("from", from)] + more
        try #require(try visitor.post("/budgets", fields).status == 303)
    }

    func spend(_ amount: String, _ category: String, _ date: String, _ more: [(String, String)] = []) throws {
        let account = try #require(try visitor.accounts()["Cash"])
        let fields = [("category", try self.category(category)), ("amount", amount), ("date", date)] + more
        try #require(try visitor.record(fields, account: account).status == 303)
    }

    func page(_ month: String) throws -> Reply { try visitor.get("/budgets?month=\(month)") }

    func budget(_ name: String = "Groceries", _ month: String = "2026-11") throws -> HTMLElement? {
        try page(month).rows("budget").first {
            $0["class"]?.contains("hero") == true && $0.text.contains(name)
        }
    }

    func text(_ month: String = "2026-11", _ name: String = "Groceries") throws -> String {
        try budget(name, month)?.text ?? ""
    }

    func path(_ month: String = "2026-11", _ name: String = "Groceries") throws -> String {
        "/budgets/\(try #require(try budget(name, month)?["data-id"]))"
    }

    /// Opens the form of a budget, changes some fields, and saves it. An empty `rollover` is an unticked box.
    @discardableResult
    func save(_ changes: [String: String], at path: String? = nil) throws -> Reply {
        let path = try path ?? self.path()
        let fields = try #require(try visitor.get(path).html.form(path)).map { ($0.name, $0.value) }
        let added = changes.filter { $0.value != "" || $0.key != "rollover" }.map { ($0.key, $0.value) }
        return try visitor.post(path, fields.filter { changes[$0.0] == nil } + added, csrf: false)
    }

    func saved() throws -> String? { try visitor.get("/budgets").toast("budget-changed") }
}

@Suite struct BudgetJourneys {
    private let guest: BudgetGuest

    init() throws { guest = try BudgetGuest() }

    @Test func undoOfAnAddedBudgetLeavesTheLimitBefore() throws {
        try guest.add("100", "Groceries", from: "2026-01")
        _ = try guest.visitor.get("/budgets")
        try guest.add("150", "Groceries", from: "2026-11")
        let added = try guest.visitor.get("/budgets")
        #expect(added.toast("budget-added") == "Budget added Undo")
        #expect(try guest.visitor.post(try #require(added.undo)).status == 303)
        #expect(try guest.text().contains("of €100.00 spent") && guest.text("2026-10").contains("of €100.00"))
        // A budget that was added for months that have passed is gone from all of them.
        try guest.add("30", "Transport", from: "2026-08")
        let undo = try #require(try guest.visitor.get("/budgets").undo)
        #expect(try guest.visitor.post(undo).status == 303)
        #expect(try guest.visitor.get("/budgets").toast("budget-deleted") == "Budget deleted Undo")
        for month in ["2026-08", "2026-11"] { #expect(try guest.text(month, "Transport") == "") }
    }

    @Test func aNewCategoryForALimitOfThisMonthEndsTheFormerBudget() throws {
        try guest.add("100", "Groceries", from: "2026-08")
        try guest.save(["limit": "150"])
        try guest.save(["category": guest.category("Eating out")])
        #expect(try guest.text("2026-11", "Eating out").contains("of €150.00 spent"))
        #expect(try guest.text() == "", "the limit of August does not come back")
        #expect(try guest.text("2026-10").contains("of €100.00 spent"))
    }

    @Test func carryOverThatIsTickedAgainIsAsBefore() throws {
        try guest.add("100", "Groceries", from: "2026-08", [("rollover", "on")])
        #expect(try guest.text().contains("€300.00 carried over"))
        try guest.save(["rollover": ""])
        #expect(
            try !guest.text().contains("carried over") && guest.text("2026-10").contains("€200.00 carried")
        )
        try guest.save(["rollover": "on"])
        #expect(try guest.text().contains("€300.00 carried over"))
        // The same around another limit in this month.
        try guest.save(["rollover": ""])
        try guest.save(["limit": "150"])
        #expect(try !guest.text().contains("carried over"))
        try guest.save(["rollover": "on"])
        #expect(try guest.text().contains("€300.00 carried over"))
    }

    @Test func carryOverInAllMonthsGoesOnOverAChangedLimit() throws {
        try guest.add("100", "Groceries", from: "2026-08")
        try guest.save(["limit": "150"])
        try guest.save(["rollover": "on", "since": "beginning"])
        #expect(try guest.text("2026-10").contains("€200.00 carried over"))
        #expect(try guest.text().contains("€300.00 carried over"))
        #expect(try guest.text("2026-12").contains("€450.00 carried over"))
    }

    @Test func theAverageBesideALimitNamesItsCategory() throws {
        for month in ["08", "09", "10"] { try guest.spend("32", "Groceries", "2026-\(month)-09") }
        let hint = try guest.visitor.get("/budgets").html.all("p", ["class": "hint"]).first {
            $0.text.contains("on average")
        }
        #expect(
            hint?.text.hasPrefix("All spending: €32.00 a month on average in the last 3 months.") == true
        )
        let groceries = try guest.category("Groceries")
        let page = try guest.visitor.get("/budgets?category=\(groceries)")
        let named = try #require(page.html.first("p", ["class": "hint", "data-category": groceries]))
        #expect(named.text.hasPrefix("Groceries: €32.00 a month on average"))
    }

    @Test func aLimitThatIsStillToComeGoesAlone() throws {
        try guest.add("100", "Groceries", from: "2026-08")
        try guest.add("200", "Groceries", from: "2027-02")
        let later = try guest.path("2027-02")
        let page = try guest.visitor.get(later)
        #expect(!page.main.contains("End it with") && !page.main.contains("A change holds"))
        #expect(page.main.contains("If you delete this limit, the one before it continues."))
        #expect(try guest.visitor.get("/budgets").main.contains("€200.00 from February 2027 on"))
        #expect(try guest.visitor.get("/budgets").html.first("a", ["href": later]) != nil)
        #expect(try !guest.visitor.get("/budgets").main.contains("Beginning later"))
        #expect(try guest.visitor.post("\(later)/delete").status == 303)
        #expect(try guest.text("2027-03").contains("of €100.00 spent"))
    }

    @Test func theEndOfABudgetIsToldWithItsMonth() throws {
        try guest.add("100", "Groceries", from: "2026-08")
        let path = try guest.path("2026-09")
        let page = try guest.visitor.get(path)
        #expect(page.main.contains("From November 2026 on; earlier months keep their limits"))
        #expect(page.main.contains("End it with October 2026"))
        #expect(page.main.contains("there is no limit from November 2026 on"))
        _ = try guest.visitor.post("\(path)/delete", [("since", "now")])
        #expect(
            try guest.visitor.get("/budgets").toast("budget-deleted") == "Budget ended with October 2026 Undo"
        )
        let ended = try guest.visitor.get(path)
        #expect(
            ended.main.contains(
                "This budget ended with October 2026. If you change its limit from this month on, it begins again with November 2026."
            )
        )
        #expect(!ended.main.contains("End it with"))
        _ = try guest.visitor.post("\(path)/delete", [("since", "now")])
        #expect(try guest.visitor.get("/budgets").toast("budget-deleted") == "Nothing was changed")
        try guest.save(["limit": "120"], at: path)
        #expect(try guest.text().contains("of €120.00 spent"))
        #expect(try !guest.visitor.get(path).main.contains("This budget ended"))
    }

    @Test func aCategoryInUseIsArchivedAndItsDeletionElsewhereIsUndone() throws {
        try guest.spend("50", "Clothing", "2026-11-05")
        try guest.spend("20", "Clothing", "2026-11-06", [("kind", "income")])
        let id = try guest.category("Clothing")
        let page = try guest.visitor.get("/categories/\(id)")
        #expect(page.main.contains("Archive category") && page.main.contains("It is in use"))
        #expect(page.html.first("form", ["action": "/categories/\(id)/delete"]) == nil)
        // An older page may still offer it.
        #expect(try guest.visitor.post("/categories/\(id)/delete").status == 303)
        let list = try guest.visitor.get("/categories")
        #expect(list.toast("category-deleted") == "Category deleted Undo")
        #expect(try guest.visitor.post(try #require(list.undo)).status == 303)
        let restored = try guest.visitor.get(
            "/transactions?month=2026-11&category=\(guest.category("Clothing"))"
        )
        #expect(restored.rows("transaction").count == 2 && restored.text.contains("Refund"))
    }

    @Test func aChangedLimitIsOneBudget() throws {
        try guest.add("100", "Groceries", from: "2026-08")
        try guest.save(["limit": "150"])
        #expect(try guest.visitor.get("/history").text.contains("€100.00 → €150.00 from November 2026"))
        let september = try guest.page("2026-09")
        #expect(!september.main.contains("Beginning later"))
        #expect(september.main.contains("€150.00 from November 2026 on"))
        #expect(try guest.visitor.get("/status.json").text.contains(#""budgets":1"#))
        let settings = try #require(
            try guest.visitor.get("/settings").html.form("/settings/preferences")
        ).map { ($0.name, $0.value) }.filter { $0.0 != "base_currency" }
        let asked = try guest.visitor.post(
            "/settings/preferences",
            settings + [("base_currency", "USD")],
            csrf: false
        )
        #expect(asked.status == 422 && asked.text.contains("1 budget has its limit"))
    }

    @Test func aLaterFirstMonthOfABegunBudgetChangesNothingAndSaysSo() throws {
        try guest.add("100", "Groceries", from: "2026-08")
        #expect(try guest.save(["from": "2027-01"]).status == 303)
        #expect(try guest.saved() == "Nothing was changed")
    }

    @Test func aBudgetThatWasDeletedElsewhereKeepsItsFirstMonth() throws {
        try guest.add("100", "Groceries", from: "2026-08")
        let path = try guest.path()
        let form = try #require(try guest.visitor.get(path).html.form(path)).map { ($0.name, $0.value) }
        _ = try guest.visitor.post("\(path)/delete", [("since", "beginning")])
        let gone = try guest.visitor.post(path, form, csrf: false)
        #expect(gone.status == 422 && gone.text.contains("was deleted"))
        let again = try #require(gone.html.form("/budgets")).map { ($0.name, $0.value) }
        #expect(again.contains { $0 == ("from", "2026-08") })
        #expect(try guest.visitor.post("/budgets", again, csrf: false).status == 303)
        #expect(try guest.text("2026-08").contains("of €100.00 spent"))
    }

    @Test func aRentThatIsNotPaidYetIsDue() throws {
        try guest.add("900", "Rent", from: "2026-01", [("pace", "once")])
        #expect(try guest.text("2026-11", "Rent").contains("€0.00 of €900.00 spent · due at once"))
        #expect(try !guest.visitor.get("/budgets").main.contains("The mark on a bar is today."))
        try guest.spend("900", "Rent", "2026-11-02")
        #expect(try guest.text("2026-11", "Rent").contains("spent · paid at once"))
        try guest.add("100", "Groceries", from: "2026-11")
        #expect(try guest.visitor.get("/budgets").main.contains("The mark on a bar is today."))
    }

    @Test func aFormThatCameBackLabelsWhatWasEntered() throws {
        let other = try guest.server.guest()
        let accounts = try guest.visitor.accounts()
        let (cash, bank) = (try #require(accounts["Cash"]), try #require(accounts["Bank"]))
        try guest.spend("5", "Groceries", "2026-11-02")
        let move = [("to", bank), ("count", "1"), ("csrf", other.csrf)]
        let page = try guest.visitor.post("/accounts/\(cash)/move", move, csrf: false)
        #expect(page.status == 403 && !page.main.contains("Count"))
        // The quick form of a register stays on its register.
        let register = "/accounts/\(cash)/transactions"
        let quick = [
            ("kind", "expense"), ("date", "2026-11-21"), ("amount", "7"), ("currency", "EUR"),
            ("account", cash), ("payee", "Kiosk"), ("back", register), ("csrf", other.csrf),
        ]
        let back = try guest.visitor.post("/transactions", quick, csrf: false)
        #expect(back.status == 403)
        let form = try #require(back.html.form("/transactions")).map { ($0.name, $0.value) }
        #expect(form.contains { $0 == ("back", register) } && form.contains { $0 == ("amount", "7") })
        #expect(back.main.contains("Edit account"), "the page of the register")
    }

    @Test func aDeletedAccountIsNoReasonToWarnAboutItsCurrency() throws {
        let other = try guest.category("Groceries")
        let refused = try guest.visitor.record([("currency", "USD")], account: other)
        #expect(refused.status == 422 && !refused.text.contains("won't be included in your budget totals"))
    }

    @Test func withAllAccountsClosedThePagesSaySo() throws {
        for (_, id) in try guest.visitor.accounts() { _ = try guest.visitor.post("/accounts/\(id)/close") }
        let words = "All accounts are closed. Reopen one or add one."
        let list = try guest.visitor.get("/accounts")
        #expect(list.main.contains(words) && !list.main.contains("An account is any place"))
        #expect(try guest.visitor.get("/transactions/new").main.contains(words))
    }
}
