// Transactions over several categories, as the pages show them. The clock shows 21 November 2026.
import Foundation
import TestKit
import Testing

/// The fields of some parts: category, amount, note.
private func parts(_ rows: [(String, String, String)]) -> [(String, String)] {
    rows.flatMap { [("split_category", $0.0), ("split_amount", $0.1), ("split_note", $0.2)] }
}

extension Visitor {
    fileprivate func category(_ name: String) throws -> String {
        let row = try get("/categories").rows("category").first { $0.text.contains(name) }
        return try #require(row?["data-id"])
    }

    /// Records an expense of 48.50 in two parts, or in others.
    fileprivate func recordSplit(_ rows: [(String, String, String)], _ changes: [(String, String)] = [])
        throws
        -> Reply
    {
        let account = try #require(try accounts()["Cash"])
        let fields = [
            ("kind", "expense"), ("date", "2026-11-21"), ("amount", "48.50"), ("currency", "EUR"),
            ("account", account), ("payee", "Market"), ("note", ""), ("tags", ""), ("category", ""),
        ].filter { field in !changes.contains { $0.0 == field.0 } }
        return try post("/transactions", fields + changes + parts(rows))
    }

    fileprivate func newest() throws -> String {
        let id = try get("/transactions").rows("transaction").first?["data-id"]
        return "/transactions/\(try #require(id))"
    }

    /// The form of a page with other parts and other fields.
    fileprivate func save(
        _ page: String,
        _ rows: [(String, String, String)]?,
        _ changes: [(String, String)] = []
    )
        throws -> Reply
    {
        let shown = try #require(try get(page).html.form(page))
        let fields = shown.map { ($0.name, $0.value) }.filter { field in
            !changes.contains { $0.0 == field.0 } && (rows == nil || !field.0.hasPrefix("split_"))
        }
        return try post(page, fields + changes + parts(rows ?? []), csrf: false)
    }
}

extension Reply {
    /// The texts of the parts of a page.
    fileprivate var parts: [String] {
        html.elements.filter { $0["data-split"] != nil && $0["data-amount"] != nil }.map(\.text)
    }

    /// The values of the rows for parts, in order.
    fileprivate func values(_ page: String, _ name: String) -> [String] {
        html.form(page)?.filter { $0.name == name }.map(\.value) ?? []
    }

    fileprivate func error(_ field: String) -> [String] {
        html.elements.filter { $0["role"] == "alert" && $0["data-field"] == field }.map(\.text)
    }
}

@Suite struct SplitSentences {
    let server: Running

    init() throws { server = try Running() }

    @Test func aSplitIsReadableInListsAndCountsByItsParts() throws {
        let guest = try server.guest()
        let (food, home) = (try guest.category("Groceries"), try guest.category("Health"))
        #expect(try guest.recordSplit([(food, "12", "soup"), (home, "", "")]).status == 303)
        let list = try guest.get("/transactions")
        #expect(list.parts == ["Groceries €12.00 (soup)", "Health €36.50"])
        let row = try #require(list.rows("transaction").first)
        #expect(row.text.contains("Split in 2 parts · Cash") && row.text.contains("−€48.50"))
        let part = try guest.get("/transactions?month=2026-11&category=\(food)")
        let shown = try #require(part.rows("transaction").first)
        #expect(shown.text.contains("−€12.00 of €48.50"))
        #expect(part.html.all("span").contains { $0["data-amount"] == "-1200" })
        #expect(part.html.first("section", ["id": "totals"])?.text.contains("−€12.00") == true)
        #expect(try guest.get("/transactions?month=2026-11&category=none").rows("transaction").isEmpty)
        #expect(try guest.get("/transactions?q=soup").rows("transaction").count == 1)
        #expect(try guest.get("/transactions?q=health").rows("transaction").count == 1)
        let cash = try #require(try guest.accounts()["Cash"])
        let register = try guest.get("/accounts/\(cash)/transactions?category=\(home)")
        #expect(register.text.contains("€36.50 of €48.50") && register.text.contains("−€48.50"))
        #expect(try guest.get("/reports").text.contains("€36.50"))
        #expect(try guest.get("/history").text.contains("€48.50 added"))
        // A part without a category is found as such.
        _ = try guest.save(try guest.newest(), [(food, "12", ""), ("", "36.50", "other")])
        #expect(
            try guest.get("/transactions?month=2026-11&category=none").rows("transaction").first?.text
                .contains("−€36.50 of €48.50") == true
        )
    }

    @Test func aReturnedDepositIsAPartBelowZero() throws {
        let guest = try server.guest()
        let (food, deposit) = (try guest.category("Groceries"), try guest.category("Health"))
        #expect(try guest.recordSplit([(food, "56.50", ""), (deposit, "-8", "bottles")]).status == 303)
        let list = try guest.get("/transactions")
        #expect(list.parts == ["Groceries €56.50", "Health −€8.00 (bottles)"])
        #expect(list.rows("transaction").first?.text.contains("−€48.50") == true)
        for search in ["56.50", "8", "-8.00"] {
            #expect(try guest.get("/transactions?q=\(search)").parts == list.parts, "\(search)")
        }
        #expect(try guest.get("/transactions?q=0.08").parts == [])
        let part = try guest.get("/transactions?month=2026-11&category=\(deposit)")
        #expect(part.rows("transaction").first?.text.contains("+€8.00 of €48.50") == true)
        let page = try guest.newest()
        #expect(try guest.get(page).values(page, "split_amount").prefix(2) == ["56.50", "-8.00"])
        let sheet = try guest.get("/export/transactions.csv").text
        #expect(sheet.contains("-56.50") && sheet.contains("8.00"))
        #expect(try guest.get("/reports").text.contains("−€8.00"))
        let negative = try guest.recordSplit([("", "", ""), ("", "", "")], [("amount", "-8")])
        #expect(
            negative.error("amount") == [
                "Enter an amount above zero. For money that came back, choose income and the category of the expense."
            ]
        )
        // Wages of which an insurance was kept.
        let salary = try guest.category("Salary")
        let wages = [("kind", "income"), ("amount", "2660")]
        #expect(try guest.recordSplit([(salary, "3000", ""), (deposit, "-340", "")], wages).status == 303)
        let kept = try guest.get("/transactions?month=2026-11&category=\(deposit)")
        #expect(kept.rows("transaction").contains { $0.text.contains("−€340.00 of €2,660.00") })
        #expect(!kept.text.contains("+−"))
    }

    @Test func theFormKeepsAndChangesTheParts() throws {
        let guest = try server.guest()
        let (food, home) = (try guest.category("Groceries"), try guest.category("Health"))
        _ = try guest.recordSplit([(food, "12", "soup"), (home, "36.50", "")])
        let page = try guest.newest()
        let form = try guest.get(page)
        #expect(form.values(page, "split_amount") == ["12.00", "36.50", "", ""])
        #expect(form.values(page, "split_note") == ["soup", "", "", ""])
        #expect(form.html.elements.count { $0["data-split"] != nil } == 2)
        // A form without the parts leaves them alone.
        #expect(try guest.save(page, [], [("note", "late")]).status == 303)
        #expect(try guest.get(page).values(page, "split_amount") == ["12.00", "36.50", "", ""])
        // Sums are read, and the rest goes to the empty amount.
        #expect(try guest.save(page, [(food, "10+5.50", ""), (home, "", ""), ("", "1", "x")]).status == 303)
        #expect(try guest.get(page).values(page, "split_amount") == ["15.50", "32.00", "1.00", "", ""])
        let changed = try guest.get("/history").text
        #expect(
            changed.contains(
                "split Groceries €12.00 (soup), Health €36.50 → Groceries €15.50, Health €32.00, No category €1.00 (x)"
            )
        )
        // Put together again.
        #expect(
            try guest.save(page, [("", "", ""), ("", "", "")], [("category", food)]).status == 303
        )
        #expect(try guest.get("/transactions").parts.isEmpty)
        let undo = try #require(
            try guest.get("/history").html.all("form").compactMap { $0["action"] }.first {
                $0.hasSuffix("/undo")
            }
        )
        #expect(try guest.post(undo).status == 303)
        #expect(try guest.get("/transactions").parts.count == 3)
        // As a transfer it has no parts.
        let bank = try #require(try guest.accounts()["Bank"])
        #expect(try guest.save(page, nil, [("kind", "transfer"), ("to_account", bank)]).status == 303)
        #expect(try guest.get("/transactions").parts.isEmpty)
    }

    @Test func partsThatDoNotAddUpAreSaidInWordsAndKept() throws {
        let guest = try server.guest()
        let (food, home) = (try guest.category("Groceries"), try guest.category("Health"))
        func refusal(_ rows: [(String, String, String)], _ changes: [(String, String)] = []) throws -> Reply {
            let reply = try guest.recordSplit(rows, changes)
            #expect(reply.status == 422, "\(rows)")
            let shown = reply.values("/transactions", "split_amount")
            #expect(Array(shown.prefix(rows.count)) == rows.map(\.1), "\(rows)")
            #expect(try guest.get("/transactions").rows("transaction").isEmpty)
            return reply
        }
        #expect(
            try refusal([(food, "12", "soup"), (home, "33.30", "")]).error("split") == [
                "€3.20 are not assigned yet."
            ]
        )
        #expect(
            try refusal([(food, "12", ""), (home, "38", "")]).error("split") == [
                "The parts come to €1.50 more than the amount."
            ]
        )
        #expect(
            try refusal([(food, "12", ""), (home, "", ""), ("", "", "x")]).error("split_amount") == [
                "Enter an amount. Only one part can be left empty for the rest.",
                "Enter an amount. Only one part can be left empty for the rest.",
            ]
        )
        #expect(
            try refusal([(food, "48.50", ""), (home, "", "")]).error("split_amount") == [
                "Nothing is left for this part. Enter an amount, or make another part smaller."
            ]
        )
        #expect(
            try refusal([(food, "48.50", "")]).error("split") == [
                "A split has at least two parts. Add another one, or leave the parts empty."
            ]
        )
        #expect(
            try refusal(Array(repeating: (food, "1", ""), count: 51)).error("split") == [
                "A transaction can have at most 50 parts."
            ]
        )
        #expect(
            try refusal([(food, "12 USD", ""), (home, "36.50", "")]).error("split_amount") == [
                "The parts are in the currency of the amount: EUR."
            ]
        )
        for zero in ["0", "-0", "1-1"] {
            #expect(
                try refusal([(food, zero, ""), (home, "48.50", "")]).error("split_amount") == [
                    "Enter an amount other than zero."
                ]
            )
        }
        #expect(
            try refusal([(food, "56.50", ""), (home, "", "")]).error("split_amount") == [
                "The other parts come to €8.00 more than the amount. If that much came back, enter it here with a minus."
            ]
        )
        let most = "92233720368547758.07"
        #expect(
            try refusal([(food, most, ""), (home, "-" + most, ""), (home, "48.50", "")]).error("split") == [
                "The parts are too large and do not count."
            ]
        )
        #expect(try refusal([(food, "-" + most, ""), (home, "", "")]).refused == ["split_amount"])
        #expect(try refusal([(food, "twelve", ""), (home, "<b>", "")]).error("split_amount").count == 2)
        #expect(
            try refusal([(food, "92233720368547758.07", ""), (home, "92233720368547758.07", "")]).refused == [
                "split"
            ]
        )
        #expect(
            try refusal([(food, "99999999999999999999", ""), (home, "1", "")]).refused == ["split_amount"]
        )
        let salary = try guest.category("Salary")
        #expect(
            try refusal([(salary, "12", ""), (home, "36.50", "")]).error("split_category") == [
                "Salary is a category of income."
            ]
        )
        for unknown in ["x", "01h0000000000000000000000z"] {
            #expect(try refusal([(unknown, "12", ""), (home, "36.50", "")]).refused == ["split_category"])
        }
        #expect(
            try refusal([(food, "12", String(repeating: "x", count: 201)), (home, "36.50", "")]).refused == [
                "split_note"
            ]
        )
        let hostile = "\"><script>alert(1)</script>"
        let kept = try refusal([(food, hostile, hostile), (home, "1", "")])
        #expect(
            !kept.text.contains("<script>alert") && kept.values("/transactions", "split_note")[0] == hostile
        )
        #expect(try refusal([(food, "1", ""), (home, "2", "")], [("amount", "")]).refused == ["amount"])
        // Fields of unequal number.
        let odd = try guest.recordSplit([(food, "12", ""), (home, "36.50", "")], [("split_note", "more")])
        #expect(odd.status == 422 && odd.refused == ["split"])
        #expect(odd.error("split") == ["The parts arrived incomplete. Check them and save again."])
        // Income may have parts of both kinds.
        let income = try guest.recordSplit([(salary, "12", ""), (home, "36.50", "")], [("kind", "income")])
        #expect(income.status == 303)
        #expect(try guest.get("/transactions").text.contains("+€12.00"))
    }

    @Test func morePartsAreAskedForWithoutTheScript() throws {
        let guest = try server.guest()
        let food = try guest.category("Groceries")
        let rows = [(food, "12", "soup"), ("", "", ""), ("", "7", "")]
        let more = try guest.recordSplit(rows, [("more_parts", "on"), ("amount", "twelve")])
        #expect(more.status == 200 && more.refused.isEmpty)
        #expect(more.values("/transactions", "split_amount") == ["12", "", "7", "", "", ""])
        #expect(more.values("/transactions", "amount") == ["twelve"])
        #expect(try guest.get("/transactions").rows("transaction").isEmpty)
        _ = try guest.recordSplit([(food, "12", "soup"), ("", "", "rest")])
        let page = try guest.newest()
        let again = try guest.save(page, nil, [("more_parts", "on"), ("note", "typed")])
        #expect(again.status == 200 && again.values(page, "split_amount").count == 7)
        #expect(again.values(page, "note") == ["typed"] && again.values(page, "seen").count == 1)
        #expect(try guest.get(page).values(page, "note") == [""])
    }

    @Test func anOlderPageTakesNoPartsBack() throws {
        let guest = try server.guest()
        let (food, home) = (try guest.category("Groceries"), try guest.category("Health"))
        _ = try guest.recordSplit([(food, "12", ""), (home, "36.50", "")])
        let page = try guest.newest()
        let early = try #require(try guest.get(page).html.form(page)).map { ($0.name, $0.value) }
        _ = try guest.save(page, [(food, "20", ""), (home, "28.50", "")])
        _ = try guest.get("/transactions")
        let noted = early.filter { $0.0 != "note" } + [("note", "late")]
        #expect(try guest.post(page, noted, csrf: false).status == 303)
        let told = try guest.get("/transactions")
        #expect(told.parts == ["Groceries €20.00", "Health €28.50"])
        #expect(
            told.html.first("div", ["data-toast": "transaction-changed"])?.text.contains(
                "Split was changed to Groceries €20.00, Health €28.50 in another window while this page was open."
            ) == true
        )
        // An amount and parts that do not belong together are a question.
        let dearer =
            early.filter { $0.0 != "amount" && !$0.0.hasPrefix("split_") }
            + [("amount", "50")] + parts([(food, "12", ""), (home, "38", "")])
        _ = try guest.save(page, [(food, "1", ""), (home, "47.50", "")])
        #expect(try guest.post(page, dearer, csrf: false).status == 303, "both were changed in one form")
        #expect(try guest.get("/transactions").parts == ["Groceries €12.00", "Health €38.00"])
    }

    @Test func theExportsHaveTheParts() throws {
        let guest = try server.guest()
        let (food, home) = (try guest.category("Groceries"), try guest.category("Health"))
        _ = try guest.recordSplit([(food, "12", "soup, hot"), (home, "36.50", "")], [("note", "both")])
        let book = try guest.get("/export/breadly.json").text
        #expect(
            book.contains(
                #""split":[{"category":"\#(food)","amountMinor":1200,"note":"soup, hot"},{"category":"\#(home)","amountMinor":3650,"note":""}]"#
            )
        )
        let sheet = try guest.get("/export/transactions.csv").text.split(separator: "\r\n").map(String.init)
        #expect(sheet[0].hasSuffix(",category,payee,note,tags,part,part_note,attachments"))
        #expect(sheet[1].hasPrefix("2026-11-21,expense,-12.00,EUR,Cash,-12.00,EUR"))
        #expect(sheet[1].hasSuffix(",Groceries,Market,both,,1 of 2,\"soup, hot\","))
        #expect(sheet[2].hasPrefix("2026-11-21,expense,-36.50,EUR,Cash,-36.50,EUR"))
        #expect(sheet[2].hasSuffix(",Health,Market,both,,2 of 2,,"))
    }

    @Test func aDeletedCategoryLeavesItsPartsWithoutOne() throws {
        let guest = try server.guest()
        let (food, home) = (try guest.category("Groceries"), try guest.category("Health"))
        _ = try guest.recordSplit([(food, "12", ""), (home, "36.50", "")])
        _ = try guest.get("/categories/\(home)")
        #expect(try guest.post("/categories/\(home)/delete").status == 303)
        #expect(try guest.get("/transactions").parts == ["Groceries €12.00", "No category €36.50"])
    }

    @Test func aStaleFormKeepsItsParts() throws {
        let guest = try server.guest()
        let food = try guest.category("Groceries")
        guest.csrf = "stale"
        let account = try #require(try guest.accounts()["Cash"])
        let reply = try guest.post(
            "/transactions",
            [
                ("csrf", "stale"), ("kind", "expense"), ("date", "2026-11-21"), ("amount", "48.50"),
                ("currency", "EUR"), ("account", account), ("payee", ""), ("note", ""), ("tags", ""),
            ] + parts([(food, "12", "soup"), ("", "36.50", "")]),
            csrf: false
        )
        #expect(reply.status == 403)
        #expect(reply.values("/transactions", "split_note").prefix(2) == ["soup", ""])
    }
}

@Suite struct TwoDevicesWithASplit {
    let server: Running

    init() throws {
        server = try Running()
        try server.restart { $0.premiumForEveryone = true }
    }

    @Test func bothValuesAreShownInWordsAndOneIsChosen() throws {
        let phone = try server.guest()
        let (food, home) = (try phone.category("Groceries"), try phone.category("Health"))
        _ = try phone.recordSplit([(food, "12", ""), (home, "36.50", "")])
        let page = try phone.newest()
        try phone.signUp()
        try phone.waitUntilInStep()
        let laptop = server.visitor()
        try laptop.signIn()
        try until("downloaded") { try laptop.get(page).status == 200 }
        try laptop.waitUntilInStep()
        #expect(try laptop.get("/transactions").parts == ["Groceries €12.00", "Health €36.50"])

        // The laptop's page is open while the phone changes the parts.
        let early = try #require(try laptop.get(page).html.form(page)).map { ($0.name, $0.value) }
        _ = try phone.save(page, [(food, "20", ""), (home, "28.50", "")])
        try until("arrived") {
            try laptop.get("/transactions").parts == ["Groceries €20.00", "Health €28.50"]
        }
        let mine =
            early.filter { !$0.0.hasPrefix("split_") }
            + parts([(food, "1", ""), (home, "47.50", "soap")])
        #expect(try laptop.post(page, mine, csrf: false).status == 303)
        try until("met") {
            try laptop.get("/sync/review").text.contains("/sync/review/")
        }
        let review = try laptop.get("/sync/review")
        #expect(review.text.contains("Groceries €20.00, Health €28.50"))
        #expect(review.text.contains("Groceries €1.00, Health €47.50 (soap)"))
        try laptop.waitUntilInStep()
        let question = try #require(
            review.html.all("form").compactMap { $0["action"] }.first { $0.hasPrefix("/sync/review/") }
        )
        _ = try laptop.post(question, [("choose", "theirs")])
        for visitor in [laptop, phone] {
            try until("decided everywhere") {
                try visitor.get("/transactions").parts == ["Groceries €20.00", "Health €28.50"]
            }
        }
    }

    @Test func anAmountOfOneAndPartsOfTheOtherAreSaidInWords() throws {
        let phone = try server.guest()
        let (food, home) = (try phone.category("Groceries"), try phone.category("Health"))
        _ = try phone.recordSplit([], [("category", food)])
        let page = try phone.newest()
        try phone.signUp()
        try phone.waitUntilInStep()
        let laptop = server.visitor()
        try laptop.signIn()
        try until("downloaded") { try laptop.get(page).status == 200 }
        try laptop.waitUntilInStep()
        // Both are without the cloud for a moment: the sync is switched off on one of them.
        _ = try laptop.get("/settings")
        _ = try laptop.post("/settings/sync", [("sync", "off")])
        try until("off") { try laptop.get("/status.json").text.contains(#""phase":"off""#) }
        _ = try laptop.save(page, [], [("amount", "50.00")])
        _ = try phone.save(page, [(food, "12", ""), (home, "36.50", "")], [("category", "")])
        try phone.waitUntilInStep()
        _ = try laptop.get("/settings")
        _ = try laptop.post("/settings/sync", [("sync", "on")])
        try laptop.waitUntilInStep()
        try until("merged") { try phone.get("/transactions").text.contains("−€50.00") }
        for visitor in [laptop, phone] {
            try until("split") { try visitor.get("/transactions").parts.count == 3 }
            let shown = try visitor.get("/transactions").parts
            #expect(shown == ["Groceries €12.00", "Health €36.50", "No category €1.50"])
            let form = try visitor.get(page).text
            #expect(form.contains("€1.50 are in no part and count without a category."))
        }
    }
}
