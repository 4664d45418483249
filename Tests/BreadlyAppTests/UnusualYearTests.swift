// Days and months whose year is probably mistyped: the form asks, and saves what is confirmed. The clock shows 21 November
// 2026.
import TestKit
import Testing

@Suite struct UnusualYears {
    private let server: Running
    private let guest: Visitor
    private let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
    }

    private static let days = [
        ("0026-11-27", true), ("1969-12-31", true), ("1970-01-01", false), ("2026-11-21", false),
        ("2028-11-21", false), ("2028-11-22", true), ("2206-11-27", true), ("9999-12-31", true),
    ]

    /// Sends a form with a value, which it asks about or not, and with the ticks that another value and this one would have.
    private func expect(
        _ field: String,
        _ value: String,
        asks isAsked: Bool,
        _ tick: String,
        _ send: ([(String, String)]) throws -> Reply
    ) throws {
        let reply = try send([(field, value)])
        #expect(reply.status == (isAsked ? 422 : 303), "\(value)")
        guard isAsked else { return }
        #expect(reply.refused == [field], "\(value)")
        let year = String(value.prefix(4).drop { $0 == "0" })
        #expect(reply.text.contains("Is the year \(year) right?"))
        let box = try #require(reply.html.first("input", ["name": tick]), "\(value)")
        #expect(box["type"] == "checkbox" && box["value"] == value && box["checked"] == nil)
        #expect(
            try send([(field, value), (tick, "2026-11-21")]).status == 422,
            "another value was confirmed"
        )
        #expect(try send([(field, value), (tick, value)]).status == 303, "\(value)")
    }

    @Test func bothFormsOfATransactionAsk() throws {
        for (day, isAsked) in Self.days {
            try expect("date", day, asks: isAsked, "unusual_date") { try guest.record($0, account: cash) }
            try expect("date", day, asks: isAsked, "unusual_date") {
                let fields = [("kind", "expense"), ("amount", "8"), ("currency", "EUR"), ("account", cash)]
                return try guest.post("/transactions", fields + $0)
            }
        }
    }

    private func add(_ changes: [(String, String)]) throws -> Reply {
        let fields = [
            ("kind", "expense"), ("amount", "12.99"), ("currency", "EUR"), ("account", cash),
            ("start", "2026-12-01"), ("every", "999"), ("unit", "year"), ("record", "ask"),
        ].filter { field in !changes.contains { $0.0 == field.0 } }
        return try guest.post("/schedules", fields + changes)
    }

    @Test func aScheduleAsksAboutItsFirstDay() throws {
        _ = try guest.get("/schedules")
        for (day, isAsked) in Self.days {
            try expect("start", day, asks: isAsked, "unusual_date") { try add($0) }
        }
    }

    @Test func theLastDayOfAMortgageIsNotAskedAbout() throws {
        _ = try guest.get("/schedules")
        for (day, isAsked) in [
            ("2056-12-01", false), ("2126-12-01", false), ("2126-12-02", true), ("9999-12-31", true),
        ] {
            try expect("end", day, asks: isAsked, "unusual_end") { try add($0) }
        }
        let both = [("start", "2126-12-01"), ("end", "9999-12-31")]
        #expect(try add(both).refused == ["start", "end"])
        let ticks = [("unusual_date", "2126-12-01"), ("unusual_end", "9999-12-31")]
        #expect(try add(both + ticks).status == 303)
    }

    @Test func aBudgetAsksAboutItsFirstMonth() throws {
        _ = try guest.get("/budgets")
        for (month, isAsked) in [
            ("0026-11", true), ("1969-12", true), ("1970-01", false), ("2026-11", false), ("2028-11", false),
            ("2028-12", true), ("2206-11", true),
        ] {
            try expect("from", month, asks: isAsked, "unusual_from") {
                try guest.post("/budgets", [("limit", "20")] + $0)
            }
        }
    }

    /// The untouched form of a page, with some fields changed.
    private func save(_ page: String, _ changes: [(String, String)]) throws -> Reply {
        let shown = try #require(try guest.get(page).html.form(page)).map { ($0.name, $0.value) }
        let kept = shown.filter { field in !changes.contains { $0.0 == field.0 } }
        return try guest.post(page, kept + changes, csrf: false)
    }

    @Test func aStoredDayIsNotAskedAboutAgain() throws {
        let day = "0026-11-27"
        let old = [("date", day), ("unusual_date", day)]
        try #require(try guest.record(old, account: cash).status == 303)
        let row = try #require(try guest.get("/transactions?month=all").rows("transaction").first?["data-id"])
        let transaction = "/transactions/\(row)"
        #expect(try save(transaction, [("note", "old")]).status == 303)
        #expect(try save(transaction, [("date", "0026-11-28")]).refused == ["date"])

        _ = try guest.get("/schedules")
        let last = "9999-12-31"
        try #require(
            try add([("start", day), ("unusual_date", day), ("end", last), ("unusual_end", last)]).status
                == 303
        )
        let schedule = try #require(try guest.get("/schedules").rows("schedule").first?["data-id"])
        #expect(try save("/schedules/\(schedule)", [("note", "old")]).status == 303)
        let moved = try save("/schedules/\(schedule)", [("start", "0026-11-28"), ("end", "9999-12-30")])
        #expect(moved.refused == ["start", "end"])

        _ = try guest.get("/budgets")
        let month = [("limit", "20"), ("from", "0026-11"), ("unusual_from", "0026-11")]
        try #require(try guest.post("/budgets", month).status == 303)
        let budget = try #require(try guest.get("/budgets").rows("budget").first?["data-id"])
        #expect(try save("/budgets/\(budget)", [("from", "0027-11")]).refused == ["from"])
        #expect(try save("/budgets/\(budget)", [("limit", "30")]).status == 303)
    }
}
