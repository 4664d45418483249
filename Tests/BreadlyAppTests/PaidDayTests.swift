// The day on which an occurrence was paid, if that is not the planned one. The clock shows noon of 21 November 2026.
import TestKit
import Testing

@Suite struct DayOfAPayment {
    let server: Running
    let guest: Visitor
    let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
    }

    private func add(_ start: String, _ record: String = "ask") throws -> String {
        _ = try guest.get("/schedules")
        let fields = [
            ("kind", "expense"), ("amount", "100"), ("currency", "EUR"), ("account", cash),
            ("payee", "Bill"), ("start", start), ("every", "1"), ("unit", "month"), ("record", record),
        ]
        try #require(try guest.post("/schedules", fields).status == 303)
        return try #require(try guest.get("/schedules").rows("schedule").first?["data-id"])
    }

    private func recorded(on day: String) throws -> Int {
        try guest.get("/transactions?from=\(day)&to=\(day)").rows("transaction").count
    }

    @Test func todayIsOfferedBesideThePlannedDay() throws {
        for (start, isOffered) in [("2026-11-28", true), ("2026-11-21", false), ("2026-11-07", true)] {
            let id = try add(start)
            let page = try guest.get("/schedules/\(id)")
            let buttons = page.html.all("button", ["name": "on"]).map { $0["value"] ?? "" }
            #expect(buttons == (isOffered ? ["2026-11-21"] : []), "\(start)")
            #expect(page.html.first("input", ["id": "on-\(id)"])?["value"] == start, "\(start)")
            try #require(try guest.post("/schedules/\(id)/delete").status == 303)
        }
    }

    @Test func aBillThatIsPaidEarlyCountsToday() throws {
        let id = try add("2026-11-28", "auto")
        let record = "/schedules/\(id)/record"
        #expect(try guest.post(record, [("day", "2026-11-28"), ("on", "2026-11-21")]).status == 303)
        #expect(try guest.get("/schedules").text.contains("Bill was recorded on 21 Nov 2026"))
        #expect(try recorded(on: "2026-11-21") == 1)
        server.clock.advance(by: 10 * 86_400)
        #expect(try recorded(on: "2026-11-28") == 0)
        #expect(try guest.get("/schedules").text.contains("next on 28 Dec 2026"))
    }

    @Test func aDayThatIsNoneIsRefusedBesideItsField() throws {
        let id = try add("2026-11-07")
        let record = "/schedules/\(id)/record"
        for typed in ["", "yesterday", "2026-02-30", "0026-11-21", "2036-11-21"] {
            let refused = try guest.post(record, [("day", "2026-11-07"), ("amount", "99"), ("on", typed)])
            #expect(refused.status == 422 && refused.refused == ["on"], "\(typed)")
            #expect(refused.html.first("input", ["id": "on-\(id)"])?["value"] == typed)
            #expect(refused.html.first("input", ["id": "amount-\(id)"])?["value"] == "99")
        }
        let both = try guest.post(record, [("day", "2026-11-07"), ("amount", "0"), ("on", "")])
        #expect(both.refused == ["amount", "on"])
        let old = [("day", "2026-11-07"), ("on", "0026-11-21"), ("unusual_on", "0026-11-21")]
        #expect(try guest.post(record, old).status == 303)
        #expect(try recorded(on: "0026-11-21") == 1)
    }
}
