// Amounts and days as people type them in other countries and on other keyboards. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct TypedAmounts {
    private let server: Running

    init() throws { server = try Running() }

    /// A browser of a country whose user keeps the currency of the country.
    private func guest(_ tag: String, _ currency: String) throws -> Visitor {
        let guest = server.visitor()
        guest.acceptLanguage = tag
        _ = try guest.get("/onboarding/welcome")
        try #require(try guest.post("/onboarding/welcome").status == 303)
        _ = try guest.get("/onboarding/currency")
        try #require(try guest.post("/onboarding/currency", [("currency", currency)]).status == 303)
        try #require(try guest.post("/onboarding/secondary").status == 303)
        try #require(try guest.post("/onboarding/calendar", [("week_start", "monday")]).status == 303)
        return guest
    }

    @Test(arguments: [
        ("es-AR", "ARS", "$ 12,50"), ("pl-PL", "PLN", "12,50 zł"), ("en-CA", "CAD", "$12.50"),
        ("da-DK", "DKK", "12,50 kr."),
    ])
    func theSignOfTheCountryIsReadAndShownInEachForm(tag: String, code: String, typed: String) throws {
        let guest = try guest(tag, code)
        let shown = typed.replacing(" ", with: "\u{A0}")
        let cash = try #require(try guest.accounts()["Cash"])
        let fields = [("amount", typed), ("currency", code)]
        #expect(try guest.record(fields, account: cash).status == 303)
        #expect(try guest.get("/transactions").text.contains(shown))
        // A part in a category, and one that gets the rest.
        let category = try #require(
            try guest.get("/categories").rows("category").first { $0.text.contains("Groceries") }?["data-id"]
        )
        let parts = [
            ("split_category", category), ("split_amount", typed), ("split_note", "a half"),
            ("split_category", ""), ("split_amount", ""), ("split_note", "the rest"),
        ]
        let whole = [("amount", "25"), ("currency", code), ("payee", "Market")]
        #expect(try guest.record(whole + parts, account: cash).status == 303)
        let account = [("name", "Savings"), ("type", "bank"), ("currency", code), ("opening", "-" + typed)]
        #expect(try guest.post("/accounts", account).status == 303)
        #expect(try guest.get("/accounts").text.contains("−" + shown))
        _ = try guest.get("/budgets")
        #expect(try guest.post("/budgets", [("limit", typed), ("from", "2026-11")]).status == 303)
        #expect(try guest.get("/budgets").text.contains(shown))
        _ = try guest.get("/schedules")
        let schedule =
            fields + [
                ("kind", "expense"), ("account", cash), ("payee", "Rent"), ("start", "2026-11-20"),
                ("every", "1"), ("unit", "month"), ("end", ""), ("shift", "none"), ("record", "ask"),
            ]
        #expect(try guest.post("/schedules", schedule).status == 303)
        let schedules = try guest.get("/schedules")
        #expect(schedules.text.contains(shown))
        let path = "/schedules/\(try #require(schedules.rows("schedule").first?["data-id"]))/record"
        #expect(try guest.post(path, [("day", "2026-11-20"), ("amount", typed)]).status == 303)
    }

    @Test func digitsThatFitNeitherThousandsNorDecimalsAreRefused() throws {
        for (tag, isRead) in [("en-US", false), ("de-DE", true)] {
            let guest = try guest(tag, "EUR")
            let cash = try #require(try guest.accounts()["Cash"])
            let reply = try guest.record([("amount", "1,0000")], account: cash)
            #expect(reply.status == (isRead ? 303 : 422), "\(tag)")
            if !isRead {
                #expect(reply.refused == ["amount"])
                #expect(reply.html.first("input", ["name": "amount"])?["value"] == "1,0000")
            }
        }
    }

    @Test func fullWidthCharactersAreReadInEachFieldOfNumbersAndDays() throws {
        let guest = try guest("ja-JP", "JPY")
        let cash = try #require(try guest.accounts()["Cash"])
        let fields = [("amount", "￥１，２００"), ("currency", "JPY"), ("date", "２０２６－１１－２０")]
        #expect(try guest.record(fields, account: cash).status == 303)
        let list = try guest.get("/transactions?from=２０２６－１１－２０&to=2026-11-20".asAddress)
        #expect(list.rows("transaction").count == 1 && list.text.contains("￥1,200"))
        _ = try guest.get("/budgets")
        #expect(try guest.post("/budgets", [("limit", "３万"), ("from", "２０２６－１２")]).refused == ["limit"])
        #expect(try guest.post("/budgets", [("limit", "３００００円"), ("from", "２０２６－１２")]).status == 303)
        _ = try guest.get("/schedules")
        let schedule = [
            ("kind", "expense"), ("account", cash), ("amount", "１２００"), ("currency", "JPY"),
            ("payee", "Rent"),
            ("start", "２０２６－１２－０１"), ("every", "２"), ("unit", "month"), ("end", "２０２７－１２－０１"),
            ("shift", "none"), ("record", "ask"),
        ]
        #expect(try guest.post("/schedules", schedule).status == 303)
        #expect(try guest.get("/schedules").text.contains("every 2 months"))
        for path in ["/reports?from=２０２６－１１&to=２０２６－１１", "/attachments?month=２０２６－１１"] {
            #expect(try guest.get(path.asAddress).status == 200, "\(path)")
        }
    }
}

extension String {
    /// The address with its letters of other scripts encoded, as a browser sends it.
    fileprivate var asAddress: String {
        utf8.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "%\(String($0, radix: 16, uppercase: true))" }
            .joined()
    }
}
