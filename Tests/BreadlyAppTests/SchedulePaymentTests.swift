// Payments that were entered by hand, beside schedules, as the pages show them. The clock shows noon of 21 November 2026.
import TestKit
import Testing

@Suite struct PaymentsBesideSchedules {
    let server: Running
    let guest: Visitor
    let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
    }

    private static let oneDay: Int64 = 86_400

    private func add(_ changes: [(String, String)]) throws {
        let fields = [
            ("kind", "expense"), ("amount", "10"), ("currency", "EUR"), ("account", cash),
            ("payee", "Telco"),
            ("start", "2026-11-21"), ("every", "1"), ("unit", "month"), ("shift", "none"), ("record", "auto"),
        ].filter { field in !changes.contains { $0.0 == field.0 } }
        _ = try guest.get("/schedules")
        try #require(try guest.post("/schedules", fields + changes).status == 303)
    }

    private func pay(_ changes: [(String, String)] = []) throws {
        let fields = [("amount", "10"), ("payee", "Telco")].filter { field in
            !changes.contains { $0.0 == field.0 }
        }
        try #require(try guest.record(fields + changes, account: cash).status == 303)
    }

    private func count() throws -> Int {
        try guest.get("/transactions?month=all").rows("transaction").count
    }

    private func left() throws -> String? {
        try guest.get("/schedules").html.elements.first { $0["data-left-to-spend"] != nil }?["data-amount"]
    }

    private func action(_ words: String, on page: Reply) -> String? {
        page.html.elements.first { $0["action"]?.contains(words) == true }?["action"]
    }

    @Test func onePaymentAnswersForOneScheduleAndThePageSaysSo() throws {
        try pay()
        try add([])
        #expect(
            try guest.get("/schedules").text.contains(
                "Telco, €10.00: your entry of 21 Nov 2026 counts for it"
            )
        )
        #expect(try count() == 1)
        try add([])
        #expect(try guest.get("/schedules").text.contains("1 scheduled transaction was recorded"))
        #expect(try count() == 2)
    }

    @Test func whatCountsCanBeUndone() throws {
        try pay()
        try add([])
        let undo = try #require(action("/undo", on: try guest.get("/schedules")))
        #expect(try guest.post(undo).status == 303)
        // It was another payment.
        #expect(try count() == 2)
    }

    @Test func aBillThatIsPaidEarlyIsSubtractedOnce() throws {
        try pay([("kind", "income"), ("amount", "1000"), ("payee", "Work")])
        try add([("amount", "100"), ("payee", "Rent"), ("start", "2026-11-28")])
        server.clock.advance(by: 5 * Self.oneDay)
        #expect(try left() == "90000")
        try pay([("amount", "100"), ("payee", "Rent"), ("date", "2026-11-26")])
        for _ in 26...27 {
            #expect(try left() == "90000")
            #expect(try guest.get("/").text.contains("No more payments are due in November 2026."))
            server.clock.advance(by: Self.oneDay)
        }
        #expect(try left() == "90000")
        #expect(try count() == 2)
    }

    @Test func aTransferWithoutAPayeeIsOneRow() throws {
        let opening = [("name", "Savings"), ("type", "savings"), ("currency", "EUR"), ("opening", "0")]
        try #require(try guest.post("/accounts", opening).status == 303)
        let savings = try #require(try guest.accounts()["Savings"])
        let transfer = [("kind", "transfer"), ("amount", "200"), ("payee", ""), ("to_account", savings)]
        try add(transfer + [("start", "2026-11-22")])
        try pay(transfer + [("date", "2026-11-22")])
        server.clock.advance(by: Self.oneDay)
        #expect(try count() == 1)
    }

    @Test func whatAsksSaysThatItIsPerhapsPaid() throws {
        try add([("record", "ask")])
        try pay([("date", "2026-11-20")])
        let page = try guest.get("/schedules")
        let due = try #require(page.rows("due").first)
        #expect(due.text.contains("Perhaps paid: Telco, €10.00, 20 Nov 2026"))
        #expect(try !guest.get("/").text.contains("waits to be confirmed"))
        let payment = try #require(action("/payment?", on: page))
        #expect(try guest.post(payment).status == 303)
        let after = try guest.get("/schedules")
        #expect(after.rows("due").isEmpty && after.toasts == ["schedule-paid"])
        #expect(after.text.contains("Telco, €10.00: your entry of 20 Nov 2026 counts for it"))
        #expect(try count() == 1)
        #expect(try guest.post(payment).status == 303)
        #expect(try guest.get("/schedules").text.contains("It was recorded already."))
    }

    @Test func recordingAsksWhetherItIsPaid() throws {
        try add([("record", "ask")])
        try pay()
        let id = try #require(try guest.get("/schedules").rows("due").first?["data-id"])
        let form = "/schedules/\(id)/record"
        #expect(try guest.post(form, [("day", "2026-11-21")]).status == 303)
        var page = try guest.get("/schedules")
        #expect(page.toasts == ["schedule-perhaps-paid"])
        let question = "You have perhaps entered this payment already: Telco, €10.00, 21 Nov 2026."
        #expect(page.text.contains(question))
        #expect(try count() == 1)
        #expect(page.text.contains("It is the same") && page.text.contains("It is another one"))
        // Another amount is asked about as well, and is kept.
        #expect(try guest.post(form, [("day", "2026-11-21"), ("amount", "10.50")]).status == 303)
        page = try guest.get("/schedules")
        let another = try #require(action("confirmed=on", on: page))
        #expect(try guest.post(another).status == 303)
        #expect(try guest.get("/transactions?month=all").text.contains("€10.50"))
        #expect(try count() == 2)
        for wrong in ["confirmed=no", "confirmed=on&minor=0", "confirmed=on&minor=x", "confirmed=on&day=x"] {
            #expect(try guest.post("\(form)?\(wrong)").status == 400, "\(wrong)")
        }
    }

    @Test func allThatIsDueIsRecordedWithWhatIsPaid() throws {
        try add([("record", "ask")])
        try add([("record", "ask"), ("payee", "Gas")])
        try pay()
        #expect(try guest.post("/schedules/record").status == 303)
        let page = try guest.get("/schedules")
        let words =
            "1 scheduled transaction was recorded. Telco, €10.00: your entry of 21 Nov 2026 counts for it"
        #expect(page.text.contains(words) && page.rows("due").isEmpty)
        #expect(try count() == 2)
    }

    @Test func whereTwoAreEquallyNearThePageAsks() throws {
        // Both are due on the next day, so that neither is recorded before the other one is there.
        for note in ["Home", "Work"] { try add([("note", note), ("start", "2026-11-22")]) }
        try pay([("date", "2026-11-22"), ("note", "")])
        server.clock.advance(by: Self.oneDay)
        let page = try guest.get("/schedules")
        // The least id comes first.
        let isHome = page.text.contains("taken for Telco (Home)")
        let (taken, fitting) = isHome ? ("Home", "Work") : ("Work", "Home")
        let sentence = "It was taken for Telco (\(taken)), and fits Telco (\(fitting)) as well"
        #expect(page.text.contains(sentence))
        let other = try #require(action("instead=", on: page))
        #expect(try guest.post(other).status == 303)
        #expect(try guest.get("/transactions?q=\(taken)").rows("transaction").count == 1)
        #expect(try guest.get("/transactions?q=\(fitting)").rows("transaction").isEmpty)
        #expect(try count() == 2)
        #expect(try guest.post(other + "x").status == 400)
    }

    @Test func aFormThatIsSentTwiceStaysOneEntry() throws {
        try add([("start", "2026-11-22")])
        let shown = try #require(try guest.get("/transactions/new").html.form("/transactions"))
        let changes = ["amount": "10", "payee": "Telco", "date": "2026-11-21", "account": cash]
        let fields = shown.map { ($0.name, changes[$0.name] ?? $0.value) }
        #expect(try guest.post("/transactions", fields, csrf: false).status == 303)
        server.clock.advance(by: Self.oneDay)
        #expect(try guest.get("/schedules").text.contains("counts for it"))
        #expect(try guest.post("/transactions", fields, csrf: false).status == 303)
        #expect(try count() == 1)
    }
}
