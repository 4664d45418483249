// Schedules as the pages show them. The clock shows noon of 21 November 2026.
import Foundation
import TestKit
import Testing

@Suite struct SchedulePages {
    let server: Running
    let guest: Visitor
    let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
    }

    private static let oneDay: Int64 = 86_400

    @discardableResult
    private func add(_ changes: [(String, String)]) throws -> Reply {
        let fields = [
            ("kind", "expense"), ("amount", "12.99"), ("currency", "EUR"), ("account", cash),
            ("payee", "Netflix"),
            ("category", ""), ("note", ""), ("tags", ""), ("start", "2026-12-05"), ("every", "1"),
            ("unit", "month"),
            ("end", ""), ("shift", "none"), ("record", "auto"),
        ].filter { field in !changes.contains { $0.0 == field.0 } }
        _ = try guest.get("/schedules")
        return try guest.post("/schedules", fields + changes)
    }

    private func only() throws -> String {
        try #require(try guest.get("/schedules").rows("schedule").first?["data-id"])
    }

    private func recorded() throws -> [String] {
        try guest.get("/transactions?month=all").rows("transaction").map(\.text)
    }

    @Test func aScheduleIsRecordedOnItsDayAndOnce() throws {
        #expect(try add([]).status == 303)
        var page = try guest.get("/schedules")
        #expect(page.rows("schedule").first?.text.contains("every month, next on 5 Dec 2026") == true)
        #expect(try recorded().isEmpty)
        server.clock.advance(by: 14 * Self.oneDay)
        #expect(try recorded().count == 1)
        page = try guest.get("/schedules")
        #expect(page.rows("schedule").first?.text.contains("next on 5 Jan 2027") == true)
        #expect(try recorded().count == 1)
    }

    /// Today is a Saturday. The overview has five rows.
    @Test(arguments: [
        ("monday", "/schedules", ["This week 1", "Next week 7", "Week from 30 Nov 2026 1"]),
        ("sunday", "/schedules", ["Next week 7", "Week from 29 Nov 2026 2"]),
        ("monday", "/", ["This week 1", "Next week 4"]), ("sunday", "/", ["Next week 5"]),
    ])
    func whatIsComingIsListedByTheWeeksOfTheUser(start: String, path: String, weeks: [String]) throws {
        _ = try guest.get("/settings")
        try #require(try guest.post("/settings/preferences", [("week_start", start)]).status == 303)
        try add([("start", "2026-11-22"), ("end", "2026-11-30"), ("unit", "day")])
        var found: [(title: String, count: Int)] = []
        for element in try guest.get(path).html.elements {
            if element.tag == "h3" { found.append((element.text, 0)) }
            if element["data-kind"] == "coming", !found.isEmpty { found[found.count - 1].count += 1 }
        }
        #expect(found.filter { $0.count > 0 }.map { "\($0.title) \($0.count)" } == weeks)
    }

    @Test func whatCameWhileTheServerWasOffIsRecordedAndTold() throws {
        try add([("start", "2026-11-25"), ("unit", "week")])
        server.clock.advance(by: 30 * Self.oneDay)
        try server.restart()
        let again = server.visitor()
        again.cookies = guest.cookies
        let page = try again.get("/")
        #expect(page.toasts.contains("schedules-recorded"))
        #expect(page.text.contains("4 scheduled transactions were recorded"))
        #expect(try again.get("/transactions?month=all").rows("transaction").count == 4)
        #expect(try !again.get("/").toasts.contains("schedules-recorded"))
    }

    @Test func theFirstDayCanHavePassed() throws {
        try add([("start", "2026-09-21"), ("passed", "2")])
        #expect(try guest.get("/schedules").toasts.contains("schedules-recorded"))
        #expect(try recorded().count == 3)
        let refused = try add([("start", "2020-01-01"), ("unit", "day")])
        #expect(refused.status == 422 && refused.refused == ["start"])
        #expect(
            refused.text.contains(
                "More than 400 days of this schedule have passed. Choose a later first day, or begin with the next."
            )
        )
    }

    @Test func theLastDayOfMonthsIsAChoice() throws {
        try add([("start", "2026-11-30"), ("unit", "monthEnd"), ("every", "3")])
        let words = "on the last day of every 3 months, next on 30 Nov 2026"
        #expect(try guest.get("/schedules").rows("schedule").first?.text.contains(words) == true)
        let page = "/schedules/\(try only())"
        let shown = try #require(try guest.get(page).html.form(page))
        #expect(shown.contains { $0 == ("unit", "monthEnd") })
        #expect(try guest.post(page, shown.map { ($0.name, $0.value) }, csrf: false).status == 303)
        server.clock.advance(by: 10 * Self.oneDay)
        let row = try guest.get("/schedules").rows("schedule").first
        #expect(row?.text.contains("next on 28 Feb 2027") == true)
        let later = try #require(try guest.get(page).html.form(page))
        let fields = later.map { ($0.name, $0.name == "unit" ? "month" : $0.value) }
        #expect(try guest.post(page, fields, csrf: false).status == 303)
        #expect(try guest.get("/history").text.contains("on the last day of the month"))
    }

    @Test func partsAreRefusedInWordsAndNotDropped() throws {
        let parts = [
            ("split_category", ""), ("split_amount", "10"), ("split_note", ""),
            ("split_category", ""), ("split_amount", "2.99"), ("split_note", "Extra"),
        ]
        let refused = try add(parts)
        #expect(refused.status == 422 && refused.refused == ["category"])
        #expect(
            refused.text.contains(
                "A schedule has one category. Split its transactions after they are recorded."
            )
        )
        #expect(try guest.get("/schedules").rows("schedule").isEmpty)
        // Empty rows are no parts.
        let empty = [("split_category", ""), ("split_amount", ""), ("split_note", "")]
        #expect(try add(empty + empty).status == 303)
        let page = "/schedules/\(try only())"
        let shown = try #require(try guest.get(page).html.form(page)).map { ($0.name, $0.value) }
        #expect(try guest.post(page, shown + parts, csrf: false).refused == ["category"])
        #expect(try guest.post(page, shown, csrf: false).status == 303)
    }

    @Test func whatAsksIsConfirmedOrSkipped() throws {
        try add([("start", "2026-11-07"), ("unit", "week"), ("record", "ask")])
        let page = try guest.get("/schedules")
        #expect(page.rows("due").first?.text.contains("3 times since 7 Nov 2026") == true)
        #expect(try guest.get("/").text.contains("3 payments wait to be confirmed"))
        let id = try only()
        #expect(try guest.post("/schedules/\(id)/record").status == 303)
        #expect(try guest.get("/schedules").text.contains("Netflix was recorded on 7 Nov 2026"))
        #expect(try guest.post("/schedules/\(id)/skip").status == 303)
        let after = try guest.get("/schedules")
        #expect(after.text.contains("Netflix was skipped on 14 Nov 2026"))
        #expect(after.rows("due").first?.text.contains("due on") == true)
        #expect(try guest.get("/").text.contains("1 payment waits to be confirmed"))
        #expect(try recorded().count == 1)
        #expect(try guest.post("/schedules/\(id)/skip").status == 303)
        #expect(try guest.get("/schedules").rows("due").isEmpty)
        #expect(try guest.post("/schedules/00000000000000000000000000/record").status == 404)
    }

    /// The day is a hidden field: one that cannot be read is not "the next one, whichever it is".
    @Test(arguments: ["abc", "", "2026-11-31"]) func aDayThatIsNoneRecordsNothing(day: String) throws {
        try add([("start", "2026-11-07"), ("unit", "week"), ("record", "ask")])
        let id = try only()
        for step in ["record", "skip"] {
            #expect(try guest.post("/schedules/\(id)/\(step)", [("day", day)]).status == 400, "\(step)")
        }
        #expect(try recorded().isEmpty)
        let due = try guest.get("/schedules").rows("due").first
        #expect(due?.text.contains("3 times since 7 Nov 2026") == true)
    }

    @Test func theMonthShowsWhatIsLeftAfterEverythingToCome() throws {
        _ = try guest.record([("kind", "income"), ("amount", "1000")], account: cash)
        _ = try guest.record([("amount", "100")], account: cash)
        try add([("start", "2026-11-28"), ("amount", "250")])
        try add([("start", "2026-11-30"), ("amount", "50"), ("kind", "income"), ("payee", "Aunt")])
        try add([("start", "2026-11-30"), ("amount", "7"), ("currency", "USD"), ("to_amount", "6.50")])
        let page = try guest.get("/schedules")
        let left = try #require(page.html.elements.first { $0["data-left-to-spend"] != nil })
        #expect(left["data-amount"] == "69350" && left["data-currency"] == "EUR")
        let parts = page.html.all("a", ["class": "num"])
        #expect(parts.compactMap { $0["data-amount"] } == ["100000", "10000", "5000", "25650"])
        let month = "/transactions?month=2026-11"
        let coming = "/schedules#coming"
        #expect(
            parts.map { $0["href"] } == ["\(month)&kind=income", "\(month)&kind=spending", coming, coming]
        )
        #expect(page.html.first("section", ["id": "coming"]) != nil && left["href"] == month)
        let overview = try guest.get("/")
        #expect(overview.text.contains("After these, €693.50 is left to spend in November 2026."))
        #expect(overview.rows("coming").isEmpty)
        #expect(overview.html.elements.filter { $0["data-kind"] == "coming" }.count == 3)
        #expect(try !guest.get("/?month=2026-10").text.contains("After these"))
    }

    @Test func aMonthWithoutFurtherPaymentsSaysSo() throws {
        _ = try guest.record([("kind", "income"), ("amount", "1000")], account: cash)
        try add([("start", "2026-12-05"), ("amount", "250")])
        let overview = try guest.get("/")
        #expect(overview.text.contains("No more payments are due in November 2026."))
        #expect(overview.text.contains("€1,000.00 is left to spend in November 2026."))
        #expect(!overview.text.contains("After these"))
    }

    @Test func regularPaymentsAreOffered() throws {
        for (number, date) in ["2026-09-14", "2026-10-14", "2026-11-14"].enumerated() {
            _ = try guest.record(
                [("payee", "Netflix"), ("date", date), ("amount", "12.9\(number)")],
                account: cash
            )
        }
        let page = try guest.get("/schedules")
        #expect(page.rows("suggestion").count == 1)
        #expect(
            page.text.contains("Netflix\u{2069}, €12.92, monthly: keep an eye on it?")
                || page.text.contains("Netflix, €12.92, monthly: keep an eye on it?")
        )
        let id = try #require(page.rows("suggestion").first?["data-id"])
        let form = try #require(try guest.get("/schedules?like=\(id)").html.form("/schedules"))
        let values = Dictionary(form.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        #expect(
            values["payee"] == "Netflix" && values["amount"] == "12.92" && values["start"] == "2026-12-14"
        )
        #expect(values["unit"] == "month" && values["every"] == "1")
        #expect(try guest.post("/schedules/suggestions/\(id)/dismiss").status == 303)
        let after = try guest.get("/schedules")
        #expect(after.rows("suggestion").isEmpty && after.toasts == ["suggestion-dismissed"])
    }

    @Test func aPaymentThatIsOfferedBecomesASchedule() throws {
        for date in ["2026-09-14", "2026-10-14", "2026-11-14"] {
            _ = try guest.record([("payee", "Netflix"), ("date", date)], account: cash)
        }
        let page = try guest.get("/schedules")
        let link = try #require(page.html.all("a").first { $0.text == "Keep an eye on it" }?["href"])
        let form = try #require(try guest.get(String(link.prefix { $0 != "#" })).html.form("/schedules"))
        #expect(try guest.post("/schedules", form.map { ($0.name, $0.value) }, csrf: false).status == 303)
        let after = try guest.get("/schedules")
        #expect(after.rows("schedule").count == 1 && after.rows("suggestion").isEmpty)
    }

    @Test func anEditMovesTheNextDay() throws {
        try add([])
        let id = try only()
        let shown = try #require(try guest.get("/schedules/\(id)").html.form("/schedules/\(id)"))
        let fields = shown.map { ($0.name, $0.name == "start" ? "2026-12-24" : $0.value) }
        #expect(try guest.post("/schedules/\(id)", fields, csrf: false).status == 303)
        #expect(try guest.get("/schedules").text.contains("next on 24 Dec 2026"))
        #expect(try guest.get("/history").text.contains("first day"))
        #expect(try guest.post("/schedules/\(id)/delete").status == 303)
        let page = try guest.get("/schedules")
        #expect(page.rows("schedule").isEmpty && page.toasts == ["schedule-deleted"])
        #expect(try guest.post("/schedules/\(id)/restore").status == 303)
        #expect(try guest.get("/schedules").rows("schedule").count == 1)
    }

    @Test func badInputIsRefusedBesideItsField() throws {
        for (field, value) in [
            ("every", "0"), ("every", "1000"), ("every", "two"), ("every", "1.5"), ("unit", "hour"),
            ("start", ""), ("start", "0000-01-01"), ("start", "2026-02-30"), ("start", "10000-01-01"),
            ("end", "tomorrow"), ("end", "2026-12-04"), ("shift", "up"), ("record", "never"), ("amount", "0"),
            ("amount", ""), ("account", ""), ("kind", "gift"), ("payee", String(repeating: "x", count: 201)),
        ] {
            let refused = try add([(field, value)])
            #expect(refused.status == 422 && refused.refused == [field], "\(field) \(value)")
            #expect(
                refused.html.form("/schedules")?.contains { $0.name == "payee" && $0.value != "" } == true
            )
        }
        #expect(try guest.get("/schedules").rows("schedule").isEmpty)
        let last = "9999-12-31"
        #expect(try add([("start", last), ("unusual_date", last)]).status == 303)
        #expect(
            try add([
                ("start", "2026-12-31"), ("end", last), ("unusual_end", last), ("every", "999"),
                ("unit", "year"),
            ]).status == 303
        )
        #expect(try guest.get("/schedules").rows("schedule").count == 2)
    }

    @Test func oneOccurrenceCanHaveAnotherAmount() throws {
        try add([("record", "ask"), ("start", "2026-11-14"), ("unit", "week"), ("amount", "50")])
        let id = try only()
        let path = "/schedules/\(id)/record"
        for typed in ["", "0", "fifty", "5.555", "40 USD", "99999999999999999999"] {
            let refused = try guest.post(path, [("day", "2026-11-14"), ("amount", typed)])
            #expect(refused.status == 422 && refused.refused == ["amount"], "\(typed)")
            let field = try #require(refused.html.first("input", ["id": "amount-\(id)"]))
            #expect(field["value"] == typed, "it comes back as it was typed")
        }
        #expect(try recorded().isEmpty)
        #expect(try guest.post(path, [("day", "2026-11-14"), ("amount", "47.20")]).status == 303)
        #expect(try guest.get("/transactions").text.contains("€47.20"))
        // The next one has the usual amount.
        #expect(try guest.post(path, [("day", "2026-11-21")]).status == 303)
        #expect(try guest.get("/transactions").text.contains("€50.00"))
        #expect(try guest.get("/schedules").rows("due").isEmpty)
    }

    @Test func allThatIsDueIsRecordedInOneStep() throws {
        for (start, payee) in [("2026-11-14", "Gas"), ("2026-11-20", "Water")] {
            try add([("record", "ask"), ("start", start), ("unit", "week"), ("payee", payee)])
            // One schedule with two days is enough.
            #expect(try guest.get("/schedules").text.contains("Record all of them"))
        }
        #expect(try guest.get("/schedules").text.contains("Record all of them"))
        #expect(try guest.post("/schedules/record").status == 303)
        let page = try guest.get("/schedules")
        #expect(page.rows("due").isEmpty && page.text.contains("3 scheduled transactions were recorded"))
        #expect(try recorded().count == 3)
        let undo = try #require(
            page.html.elements.first { $0["action"]?.hasSuffix("/undo") == true }?["action"]
        )
        #expect(try guest.post(undo).status == 303)
        #expect(try recorded().isEmpty)
    }

    @Test func aPaymentThatTheBookRefusesIsTold() throws {
        let opening = [
            ("name", "Vault"), ("type", "cash"), ("currency", "EUR"), ("opening", "90000000000000000"),
        ]
        try #require(try guest.post("/accounts", opening).status == 303)
        let vault = try #require(try guest.accounts()["Vault"])
        try add([
            ("start", "2026-11-22"), ("kind", "income"), ("amount", "9000000000000000"), ("account", vault),
        ])
        server.clock.advance(by: Self.oneDay)
        let due = try #require(try guest.get("/schedules").rows("due").first)
        #expect(due.text.contains("It could not be recorded by itself. Record it to see why."))
        try add([("record", "ask"), ("start", "2026-11-21")])
        #expect(try guest.post("/schedules/record").status == 303)
        let both = "1 scheduled transaction was recorded. One schedule could not be recorded."
        #expect(try guest.get("/schedules").text.contains(both))
        #expect(try guest.post("/schedules/\(only())/record").status == 303)
        #expect(try guest.get("/schedules").text.contains("It cannot be recorded: "))
    }

    @Test func aClosedAccountIsTold() throws {
        try add([("start", "2026-11-22")])
        #expect(try guest.post("/accounts/\(cash)/close").status == 303)
        server.clock.advance(by: Self.oneDay)
        let page = try guest.get("/schedules")
        let text = "Its account is closed. Reopen it, or choose another account."
        #expect(page.rows("due").first?.text.contains(text) == true)
        #expect(try recorded().isEmpty)
        #expect(try guest.post("/schedules/\(only())/record").status == 303)
        #expect(try guest.get("/schedules").text.contains("It cannot be recorded: "))
        let account = try guest.get("/accounts/\(cash)")
        #expect(account.status == 200)
        #expect(try guest.post("/accounts/\(cash)/delete").text.contains("1 schedule uses this account."))
    }

    @Test func aLoanSaysWhatIsOwedAndWhenItEnds() throws {
        let fields = [("name", "Mortgage"), ("type", "loan"), ("currency", "EUR"), ("opening", "-10000")]
        #expect(try guest.post("/accounts", fields).status == 303)
        let loan = try #require(try guest.accounts()["Mortgage"])
        func page() throws -> String { try guest.get("/accounts/\(loan)/transactions").text }
        #expect(try page().contains("€10,000.00 is owed."))
        for month in ["2026-08", "2026-09", "2026-10", "2026-11"] {
            _ = try guest.record(
                [
                    ("kind", "transfer"), ("date", "\(month)-02"), ("amount", "500"), ("to_account", loan),
                    ("payee", ""),
                ],
                account: cash
            )
        }
        let words =
            "€8,000.00 is owed. At the pace of the last 3 months, €500.00 a month, it is paid off in March 2028."
        #expect(try page().contains(words))
    }

    @Test func aButtonThatIsPressedTwiceRecordsOneDay() throws {
        try add([("start", "2026-10-20"), ("record", "ask")])
        let id = try only()
        let form = try #require(try guest.get("/schedules").html.form("/schedules/\(id)/record"))
        let fields = form.map { ($0.name, $0.value) }
        #expect(fields.contains { $0 == ("day", "2026-10-20") })
        for _ in 0..<3 { _ = try guest.post("/schedules/\(id)/record", fields, csrf: false) }
        #expect(try guest.get("/schedules").text.contains("It was recorded already."))
        #expect(try recorded().count == 1)
    }

    @Test func aPaymentThatWasUndoneIsRecordedOnRequest() throws {
        try add([("start", "2026-11-20"), ("record", "ask")])
        let id = try only()
        #expect(try guest.post("/schedules/\(id)/record").status == 303)
        let undo = try #require(
            try guest.get("/schedules").html.elements.first { $0["action"]?.hasSuffix("/undo") == true }?[
                "action"
            ]
        )
        #expect(try guest.post(undo).status == 303)
        #expect(try recorded().isEmpty && guest.get("/schedules").rows("due").count == 1)
        #expect(try guest.post("/schedules/\(id)/record").status == 303)
        #expect(try recorded().count == 1)
    }

    @Test func whatASignInWouldLoseIsCounted() throws {
        try add([])
        #expect(try guest.get("/sign-in").text.contains("1 entry"))
    }

    @Test func aDeletedScheduleThatIsSavedAsNewGoesOnAfterItsLastDay() throws {
        try add([("start", "2026-09-01"), ("passed", "3")])
        #expect(try recorded().count == 3)
        let id = try only()
        let shown = try #require(try guest.get("/schedules/\(id)").html.form("/schedules/\(id)"))
        let fields = shown.map { ($0.name, $0.name == "amount" ? "10.99" : $0.value) }
        #expect(try guest.post("/schedules/\(id)/delete").status == 303)
        let gone = try guest.post("/schedules/\(id)", fields, csrf: false)
        #expect(gone.status == 422 && gone.text.contains("This schedule was deleted"))
        let form = try #require(gone.html.form("/schedules"))
        #expect(
            form.contains { $0 == ("start", "2026-12-01") } && form.contains { $0 == ("amount", "10.99") }
        )
        #expect(try guest.post("/schedules", form.map { ($0.name, $0.value) }, csrf: false).status == 303)
        #expect(try recorded().count == 3)
    }

    @Test func aBudgetIsWhatIsLeftToSpend() throws {
        #expect(try guest.post("/budgets", [("limit", "1000"), ("from", "2026-11")]).status == 303)
        _ = try guest.record([("amount", "100")], account: cash)
        try add([("start", "2026-11-28"), ("amount", "50"), ("payee", "Gym")])
        try add([("start", "2026-10-01"), ("amount", "5"), ("payee", "Old"), ("record", "ask")])
        let overview = try guest.get("/")
        #expect(overview.text.contains("After these, €845.00 is left to spend in November 2026."))
        let page = try guest.get("/schedules")
        let left = try #require(page.html.elements.first { $0["data-left-to-spend"] != nil })
        #expect(left["data-amount"] == "84500" && page.text.contains("Left of the budget"))
    }

    @Test func twoFormsTogetherRecordNoThousands() throws {
        try add([("start", "2027-01-01"), ("record", "ask")])
        let id = try only()
        let shown = try #require(try guest.get("/schedules/\(id)").html.form("/schedules/\(id)"))
        func save(_ changes: [(String, String)]) throws -> Int {
            let fields = shown.map { field in
                (field.name, changes.first { $0.0 == field.name }?.1 ?? field.value)
            }
            return try guest.post("/schedules/\(id)", fields, csrf: false).status
        }
        #expect(try save([("start", "2001-01-01"), ("unit", "year")]) == 303)
        #expect(try [303, 422].contains(save([("unit", "day"), ("record", "auto")])))
        let page = try guest.get("/schedules")
        #expect(try recorded().isEmpty)
        #expect(
            page.rows("schedule").first?.text.contains("More than 400 days of this schedule have passed")
                == true
        )
    }
}

@Suite struct ManySchedules {
    /// Sixty daily payments of a year would keep a worker for seconds, and so all who ask for a page meanwhile.
    @Test func aYearOfManySchedulesHoldsUpNoRequest() throws {
        let server = try Running()
        let guest = try server.guest()
        let cash = try #require(try guest.accounts()["Cash"])
        for number in 0..<5 {
            _ = try guest.get("/schedules")
            let fields = [
                ("kind", "expense"), ("amount", "1"), ("currency", "EUR"), ("account", cash),
                ("payee", "P\(number)"),
                ("start", "2025-11-30"), ("every", "1"), ("unit", "day"), ("shift", "none"),
                ("record", "auto"), ("passed", "356"),
            ]
            try #require(try guest.post("/schedules", fields).status == 303)
        }
        func recorded() throws -> Int {
            let text = try guest.get("/status.json").text
            return Int(text.firstMatch(of: /"transactions":(\d+)/)?.1 ?? "") ?? 0
        }
        let page = try guest.get("/")
        let texts = page.html.elements.filter { $0["data-toast"] != nil }.map(\.text)
        #expect(texts.contains { $0.contains("200") }, "the first piece precedes the page: \(texts)")
        try until("the rest is recorded beside the requests") { try recorded() == 5 * 357 }
        // Each piece is a change of its own, so that none takes long to undo.
        let changes = try guest.get("/history").text
        #expect(changes.contains("200"), "\(changes.count)")
    }
}
