// Values in fields that have no meaning beside the others: they are refused beside the field, and never dropped without a
// word. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct MeaninglessFields {
    private let server: Running
    private let guest: Visitor
    private let cash: String
    private let bank: String
    private let food: String
    private let health: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        let accounts = try guest.accounts()
        (cash, bank) = (try #require(accounts["Cash"]), try #require(accounts["Bank"]))
        let rows = try guest.get("/categories").rows("category")
        func category(_ name: String) throws -> String {
            try #require(rows.first { $0.text.contains(name) }?["data-id"])
        }
        (food, health) = (try category("Groceries"), try category("Health"))
    }

    /// Fields beside 100 euros from the cash account, and the field that is refused; nil for none.
    struct Case: Sendable, CustomStringConvertible {
        let kind: String
        let field: String
        let value: String
        let refused: Bool
        var currency = "EUR"

        var description: String { "\(kind) in \(currency), \(field) \(value)" }
    }

    private static let oneCurrency = ["expense", "income", "transfer"].flatMap { kind in
        [
            ("99", true), ("abc", true), ("100 USD", true), ("0", true), ("100", false), ("50+50", false),
            (" ", false), ("", false),
        ].map { Case(kind: kind, field: "to_amount", value: $0.0, refused: $0.1) }
    }

    private static let cases =
        oneCurrency + [
            Case(kind: "expense", field: "to_amount", value: "92", refused: false, currency: "USD"),
            Case(kind: "transfer", field: "category", value: "Groceries", refused: true),
            Case(kind: "transfer", field: "category", value: "nonsense", refused: true),
            Case(kind: "transfer", field: "category", value: "", refused: false),
            Case(kind: "expense", field: "category", value: "Groceries", refused: false),
            // Browsers send it with every expense.
            Case(kind: "expense", field: "to_account", value: "Bank", refused: false),
        ]

    private func fields(_ sample: Case) -> [(String, String)] {
        let value = ["Groceries": food, "Bank": bank][sample.value] ?? sample.value
        var fields = [
            ("kind", sample.kind), ("amount", "100"), ("currency", sample.currency), ("account", cash),
            (sample.field, value),
        ]
        if sample.kind == "transfer" { fields.append(("to_account", bank)) }
        return fields
    }

    /// A form as a page shows it, with some fields changed.
    private func save(_ page: String, _ changes: [(String, String)]) throws -> Reply {
        let shown = try #require(try guest.get(page).html.form(page)).map { ($0.name, $0.value) }
        let kept = shown.filter { field in !changes.contains { $0.0 == field.0 } }
        return try guest.post(page, kept + changes, csrf: false)
    }

    /// The refusal of a form, or its success.
    private func check(_ reply: Reply, _ sample: Case, _ value: String) {
        #expect(reply.status == (sample.refused ? 422 : 303), "\(sample)")
        #expect(reply.refused == (sample.refused ? [sample.field] : []), "\(sample)")
        guard sample.refused, sample.field == "to_amount" else { return }
        #expect(reply.html.first("input", ["name": "to_amount"])?["value"] == value, "\(sample)")
    }

    @Test(arguments: cases) func aNewEntryIsRefusedBesideTheField(sample: Case) throws {
        let fields = fields(sample)
        let day = [("date", "2026-11-21"), ("note", "")]
        check(try guest.post("/transactions", fields + day), sample, sample.value)
        #expect(try guest.get("/transactions").rows("transaction").isEmpty == sample.refused)
        _ = try guest.get("/schedules")
        let rhythm = [("start", "2026-12-05"), ("every", "1"), ("unit", "month")]
        check(try guest.post("/schedules", fields + rhythm), sample, sample.value)
        #expect(try guest.get("/schedules").rows("schedule").isEmpty == sample.refused)
    }

    @Test(arguments: cases) func aStoredEntryIsRefusedBesideTheField(sample: Case) throws {
        try #require(try guest.record([("amount", "100")], account: cash).status == 303)
        let row = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        check(try save("/transactions/\(row)", fields(sample)), sample, sample.value)
        _ = try guest.get("/schedules")
        let rhythm = [("start", "2026-12-05"), ("every", "1"), ("unit", "month")]
        let expense = [("kind", "expense"), ("amount", "100"), ("currency", "EUR"), ("account", cash)]
        try #require(try guest.post("/schedules", expense + rhythm).status == 303)
        let schedule = try #require(try guest.get("/schedules").rows("schedule").first?["data-id"])
        check(try save("/schedules/\(schedule)", fields(sample)), sample, sample.value)
    }

    @Test func aTransferMaySendTheCategoryThatItsFormShowed() throws {
        try #require(try guest.record([("category", food)], account: cash).status == 303)
        let row = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        let page = "/transactions/\(row)"
        let transfer = [("kind", "transfer"), ("to_account", bank)]
        #expect(try save(page, transfer + [("category", health)]).refused == ["category"])
        #expect(try save(page, transfer).status == 303)
        #expect(try guest.get(page).html.form(page)?.contains { $0 == ("category", "") } == true)
    }

    private func parts(_ first: String, _ second: String) -> [(String, String)] {
        [(food, first), (health, second)].flatMap {
            [("split_category", $0.0), ("split_amount", $0.1), ("split_note", "")]
        }
    }

    @Test func aTransferWithPartsIsRefused() throws {
        let transfer = [("kind", "transfer"), ("amount", "10"), ("to_account", bank)]
        let refused = try guest.post(
            "/transactions",
            transfer + [("date", "2026-11-21"), ("account", cash), ("note", "")] + parts("4", "6")
        )
        #expect(refused.status == 422 && refused.refused == ["split"])
        #expect(refused.text.contains("A transfer has no parts."))
        #expect(refused.html.form("/transactions")?.contains { $0 == ("split_amount", "4") } == true)
        // A browser also sends the parts of the expense that it was; others are entered.
        let expense = [("kind", "expense"), ("date", "2026-11-21"), ("amount", "10"), ("account", cash)]
        try #require(try guest.post("/transactions", expense + parts("4", "6")).status == 303)
        let row = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        let page = "/transactions/\(row)"
        #expect(try save(page, transfer + parts("3", "7")).refused == ["split"])
        #expect(try save(page, transfer).status == 303)
    }

    @Test func aCategoryBesidePartsOfTheWholeIsRefused() throws {
        let expense = [
            ("kind", "expense"), ("date", "2026-11-21"), ("amount", "10"), ("account", cash), ("note", ""),
        ]
        let both = expense + [("category", food)] + parts("4", "6")
        let refused = try guest.post("/transactions", both)
        #expect(refused.status == 422 && refused.refused == ["category"])
        #expect(refused.text.contains("With parts, each part has its own category."))
        // Nothing is left for it.
        let unequal = try guest.post("/transactions", expense + [("category", food)] + parts("4", "7"))
        #expect(unequal.refused == ["split"])
        #expect(try guest.get("/transactions").rows("transaction").isEmpty)
        // The page shows the category beside the parts, also where it was the stored one.
        try #require(try guest.post("/transactions", expense + [("category", food)]).status == 303)
        let row = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        let page = "/transactions/\(row)"
        #expect(try save(page, parts("4", "6")).refused == ["category"])
        // A form without the field enters none.
        _ = try guest.get(page)
        #expect(try guest.post(page, parts("4", "6")).status == 303)
        #expect(try guest.get(page).html.form(page)?.contains { $0 == ("category", "") } == true)
    }
}
