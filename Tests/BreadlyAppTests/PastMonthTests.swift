// Moving a subcategory changes budgets of months that are past: its page asks before. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct PastMonthsOfCategories {
    @Test func movingAsks() throws {
        let server = try Running()
        let guest = try server.guest()
        func category(_ name: String) throws -> String {
            let row = try guest.get("/categories").rows("category").first { $0.text.contains(name) }
            return try #require(row?["data-id"])
        }
        let (food, cash) = (try category("Groceries"), try #require(try guest.accounts()["Cash"]))
        let below = [
            ("name", "Roastery"), ("kind", "expense"), ("icon", "cup"), ("color", "crust"), ("parent", food),
        ]
        try #require(try guest.post("/categories", below).status == 303)
        let coffee = try category("Roastery")
        let budget = [("category", food), ("limit", "300"), ("from", "2026-09"), ("rollover", "on")]
        try #require(try guest.post("/budgets", budget).status == 303)
        let spending = [("category", coffee), ("amount", "50"), ("date", "2026-10-10")]
        try #require(try guest.record(spending, account: cash).status == 303)
        let words = "€50.00 less spent in October 2026."
        let fields = [("name", "Roastery"), ("kind", "expense"), ("icon", "cup"), ("color", "crust")]
        // A new name, and the same place, are no question.
        let renamed = fields.map { $0.0 == "name" ? ("name", "Espresso") : $0 } + [("parent", food)]
        #expect(try guest.post("/categories/\(coffee)", renamed).status == 303)
        let asked = try guest.post("/categories/\(coffee)", fields + [("parent", "")])
        #expect(asked.status == 422 && asked.refused == ["parent"])
        #expect(asked.text.contains("This changes months that are past.") && asked.text.contains(words))
        #expect(asked.text.contains("What carries over from these months changes too."))
        #expect(asked.html.first("input", ["name": "past_months", "value": "top"]) != nil)
        func isSpent() throws -> Bool {
            try guest.get("/budgets?month=2026-10").rows("budget").contains { $0.text.contains("€50.00") }
        }
        #expect(try isSpent())
        let other = try guest.post(
            "/categories/\(coffee)",
            fields + [("parent", ""), ("past_months", food)]
        )
        #expect(other.status == 422, "the answer was to another question")
        let confirmed = fields + [("parent", ""), ("past_months", "top")]
        #expect(try guest.post("/categories/\(coffee)", confirmed).status == 303)
        #expect(try !isSpent())
    }
}
