// The question about payments of a schedule whose first day has passed. The clock shows noon of 21 November 2026.
import TestKit
import Testing

@Suite struct PaymentsThatHavePassed {
    let server: Running
    let guest: Visitor
    let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
    }

    private func add(_ changes: [(String, String)]) throws -> Reply {
        let fields = [
            ("kind", "expense"), ("amount", "10"), ("currency", "EUR"), ("account", cash), ("payee", "Gym"),
            ("start", "2026-12-05"), ("every", "1"), ("unit", "month"), ("end", ""), ("shift", "none"),
            ("record", "auto"),
        ].filter { field in !changes.contains { $0.0 == field.0 } }
        _ = try guest.get("/schedules")
        return try guest.post("/schedules", fields + changes)
    }

    private func recordedCount() throws -> Int {
        try guest.get("/transactions?month=all").rows("transaction").count
    }

    /// The answers that a form offers, the chosen one with a star.
    private func answers(_ reply: Reply) -> [String] {
        reply.html.all("input", ["name": "passed"]).map { input in
            (input["value"] ?? "") + (input["checked"] == nil ? "" : "*")
        }
    }

    private struct Case {
        let fields: [(String, String)]
        /// The question; nil for none.
        let question: String?
        var answers: [String] = []
    }

    private static let cases = [
        Case(
            fields: [("start", "2023-12-01")],
            question: "36 payments were due since 1 Dec 2023. Record them, or begin with the next?",
            answers: ["36", "next"]
        ),
        Case(
            fields: [("start", "2026-11-20")],
            question: "One payment was due since 20 Nov 2026. Record it, or begin with the next?",
            answers: ["1", "next"]
        ),
        // An answer that is not offered, such as an earlier answer about fewer days.
        Case(
            fields: [("start", "2026-11-18"), ("unit", "day"), ("passed", "2")],
            question: "3 payments were due since 18 Nov 2026. Record them, or begin with the next?",
            answers: ["3", "next"]
        ),
        Case(
            fields: [("start", "2026-10-01"), ("end", "2026-11-01")],
            question: "2 payments were due since 1 Oct 2026. Record them, or begin with the next?",
            answers: ["2", "next"]
        ),
        // The 15th of November was a Sunday, and the Monday after it has passed as well.
        Case(
            fields: [("start", "2026-11-15"), ("shift", "after")],
            question: "One payment was due since 16 Nov 2026. Record it, or begin with the next?",
            answers: ["1", "next"]
        ),
        // Today is a Saturday.
        Case(fields: [("start", "2026-11-21"), ("shift", "after")], question: nil),
        Case(fields: [("start", "2026-11-21")], question: nil),
        Case(fields: [("start", "2026-11-22")], question: nil),
        Case(fields: [("start", "2023-12-01"), ("record", "ask")], question: nil),
    ]

    @Test func nothingIsWrittenBeforeTheAnswer() throws {
        for sample in Self.cases {
            let reply = try add(sample.fields)
            #expect(reply.status == (sample.question == nil ? 303 : 422), "\(sample)")
            #expect(reply.refused == (sample.question == nil ? [] : ["passed"]), "\(sample)")
            guard let question = sample.question else { continue }
            #expect(reply.text.contains(question), "\(sample)")
            #expect(answers(reply) == sample.answers, "\(sample)")
            #expect(try guest.get("/schedules").rows("schedule").isEmpty && recordedCount() == 0, "\(sample)")
        }
    }

    @Test func eachAnswerIsFollowed() throws {
        let first = [("start", "2026-09-21")]
        #expect(try add(first + [("passed", "2"), ("payee", "All")]).status == 303)
        #expect(try recordedCount() == 3, "today's is recorded with the two before")
        #expect(try add(first + [("passed", "next"), ("payee", "Next")]).status == 303)
        #expect(try recordedCount() == 4, "today's is the next one")
        let later = [("start", "2026-09-25"), ("passed", "next"), ("payee", "Later")]
        #expect(try add(later).status == 303)
        #expect(try recordedCount() == 4)
        let page = try guest.get("/schedules").text
        #expect(page.contains("next on 25 Nov 2026"))
    }

    @Test func theAnswerStaysInAFormThatIsRefusedForAnotherReason() throws {
        let start = [("start", "2026-09-21"), ("amount", "ten")]
        #expect(try add(start).refused == ["amount", "passed"])
        for answer in ["2", "next"] {
            let refused = try add(start + [("passed", answer)])
            #expect(refused.refused == ["amount"])
            #expect(answers(refused) == ["2", "next"].map { $0 + ($0 == answer ? "*" : "") })
        }
    }

    @Test func whatIsTooMuchToRecordCanBeLeftOut() throws {
        let daily = [("start", "2020-01-01"), ("unit", "day")]
        for record in ["auto", "ask"] {
            let refused = try add(daily + [("record", record)])
            #expect(refused.refused == ["start"] && answers(refused) == ["next"], "\(record)")
            #expect(try add(daily + [("record", record), ("passed", "400")]).refused == ["start"])
        }
        #expect(try add(daily + [("passed", "next")]).status == 303)
        #expect(try recordedCount() == 1)
    }

    @Test func aChangeAsksAboutWhatItMakesDue() throws {
        #expect(try add([("start", "2026-09-25"), ("record", "ask")]).status == 303)
        let id = try #require(try guest.get("/schedules").rows("schedule").first?["data-id"])
        let page = "/schedules/\(id)"
        let shown = try #require(try guest.get(page).html.form(page)).map { ($0.name, $0.value) }
        func save(_ changes: [(String, String)]) throws -> Reply {
            let kept = shown.filter { field in !changes.contains { $0.0 == field.0 } }
            return try guest.post(page, kept + changes, csrf: false)
        }
        #expect(try save([("note", "waits")]).status == 303)
        #expect(try save([("record", "auto")]).refused == ["passed"])
        #expect(try recordedCount() == 0)
        #expect(try save([("record", "auto"), ("passed", "next")]).status == 303)
        #expect(try recordedCount() == 0)
        #expect(try guest.get("/schedules").rows("due").isEmpty)
    }
}
