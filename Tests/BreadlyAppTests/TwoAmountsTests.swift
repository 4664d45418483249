// One of the two amounts of a transaction across currencies is changed.
import TestKit
import Testing

@Suite struct TwoAmounts {
    private let server: Running
    private let guest: Visitor
    private let (cash, dollars): (String, String)

    init() throws {
        server = try Running()
        guest = try server.guest()
        _ = try guest.get("/accounts")
        _ = try guest.post("/accounts", [("name", "Dollars"), ("type", "bank"), ("currency", "USD")])
        let accounts = try guest.accounts()
        (cash, dollars) = (try #require(accounts["Cash"]), try #require(accounts["Dollars"]))
    }

    private static let expense = [("amount", "10"), ("currency", "GBP"), ("to_amount", "11.70")]

    /// The page of the only row of a list, after it was added.
    private func page(_ list: String, _ fields: [(String, String)]) throws -> String {
        _ = try guest.get(list)
        let all =
            [("kind", "expense"), ("account", cash), ("date", "2026-11-21"), ("start", "2026-12-05")]
            + [("every", "1"), ("unit", "month")]
        let kept = all.filter { field in !fields.contains { $0.0 == field.0 } }
        try #require(try guest.post(list, kept + fields).status == 303)
        let kind = list == "/schedules" ? "schedule" : "transaction"
        return "\(list)/\(try #require(try guest.get(list).rows(kind).first?["data-id"]))"
    }

    /// Sends the form of a page or of an answer with some fields changed.
    private func send(_ page: String, _ changes: [(String, String)], after reply: Reply? = nil) throws
        -> Reply
    {
        let fields = try #require(try (reply ?? guest.get(page)).html.form(page)).map { ($0.name, $0.value) }
        return try guest.post(
            page,
            fields.filter { field in !changes.contains { $0.0 == field.0 } } + changes,
            csrf: false
        )
    }

    private func other(_ reply: Reply) -> String? {
        reply.html.first("input", ["name": "to_amount"])?["value"]
    }

    /// Changes to 10.00 GBP that were charged with 11.70 EUR.
    struct Case: Sendable {
        let changes: [(String, String)]
        /// The value with which the form asks; nil if it does not ask.
        let asked: String?
        let saved: String
    }

    private static let cases = [
        Case(changes: [("amount", "20")], asked: "23.40", saved: "23.40"),
        Case(changes: [("amount", "5,00")], asked: "5.85", saved: "5.85"),
        Case(changes: [("amount", "20"), ("to_amount", "24")], asked: nil, saved: "24.00"),
        Case(changes: [("to_amount", "12")], asked: nil, saved: "12.00"),
        Case(changes: [("note", "two")], asked: nil, saved: "11.70"),
        // Without rates, the question is asked and the amount stays.
        Case(changes: [("currency", "CHF")], asked: "11.70", saved: "11.70"),
        Case(changes: [("currency", "CHF"), ("amount", "20")], asked: "11.70", saved: "11.70"),
    ]

    @Test(arguments: cases.indices, ["/transactions", "/schedules"])
    func aHalfChangedOneIsAskedAbout(number: Int, list: String) throws {
        let sample = Self.cases[number]
        let page = try page(list, Self.expense)
        var reply = try send(page, sample.changes)
        if let asked = sample.asked {
            #expect(reply.status == 422 && reply.refused == ["to_amount"] && other(reply) == asked)
            #expect(reply.text.contains("€11.70 was for £10.00."))
            reply = try send(page, [], after: reply)
        }
        #expect(reply.status == 303)
        #expect(try other(guest.get(page)) == sample.saved)
    }

    @Test func theFormerAmountCanBeKept() throws {
        let page = try page("/transactions", Self.expense)
        let asked = try send(page, [("amount", "20")])
        // Another field is wrong: the question was answered before.
        let wrong = try send(page, [("to_amount", "11.70"), ("date", "soon")], after: asked)
        #expect(wrong.refused == ["date"])
        #expect(try send(page, [("date", "2026-11-21")], after: wrong).status == 303)
        #expect(try other(guest.get(page)) == "11.70")
    }

    @Test func aThirdAmountIsAskedAboutAgain() throws {
        let page = try page("/transactions", Self.expense)
        let asked = try send(page, [("amount", "20")])
        let again = try send(page, [("amount", "30")], after: asked)
        #expect(again.status == 422 && other(again) == "35.10")
        #expect(try send(page, [("amount", "10"), ("to_amount", "11.70")], after: again).status == 303)
    }

    @Test func anAccountInAnotherCurrencyIsAskedAbout() throws {
        let page = try page("/transactions", Self.expense)
        let asked = try send(page, [("account", dollars)])
        #expect(asked.status == 422 && asked.refused == ["to_amount"])
        #expect(asked.text.contains("Enter what £10.00 is in USD"))
        #expect(try send(page, [("to_amount", "13")], after: asked).status == 303)
    }

    @Test(arguments: ["/transactions", "/schedules"])
    func aTransferIsAskedAbout(list: String) throws {
        let transfer = [
            ("kind", "transfer"), ("to_account", dollars), ("amount", "100"), ("currency", "EUR"),
        ]
        let page = try page(list, transfer + [("to_amount", "110")])
        let asked = try send(page, [("amount", "50")])
        #expect(asked.status == 422 && other(asked) == "55.00")
        #expect(try send(page, [], after: asked).status == 303)
        #expect(try other(guest.get(page)) == "55.00")
    }

    @Test func thePartsOfASplitShareTheAmountThatWasConfirmed() throws {
        let parts = [("split_amount", "4"), ("split_amount", "6"), ("split_note", "a"), ("split_note", "b")]
        let none = [("split_category", ""), ("split_category", "")]
        let page = try page("/transactions", Self.expense + parts + none)
        let more =
            [("split_amount", "8"), ("split_amount", "12"), ("split_note", "a"), ("split_note", "b")] + none
        let asked = try send(page, [("amount", "20")] + more)
        #expect(asked.refused == ["to_amount"] && other(asked) == "23.40")
        #expect(try send(page, [], after: asked).status == 303)
        #expect(try guest.get("/accounts").html.elements.contains { $0["data-amount"] == "-2340" })
    }
}
