// Rules: their list, their form, trying one, and changing what it matches. The clock shows 21 November 2026.
import TestKit
import Testing

/// The fields of a form.
private enum When {
    static func condition(_ field: String, _ test: String, _ value: String) -> [(String, String)] {
        [("when_field", field), ("when_test", test), ("when_value", value)]
    }
}

/// A form that is refused, and the field with the error.
struct RefusedRule: Sendable, CustomStringConvertible {
    let fields: [(String, String)]
    let place: String

    init(_ field: String, _ test: String, _ value: String, at place: String) {
        (fields, self.place) = (When.condition(field, test, value), place)
    }

    /// A rule for LIDL with effects.
    init(_ effects: [(String, String)], at place: String) {
        (fields, self.place) = (When.condition("payee", "is", "LIDL") + effects, place)
    }

    var description: String { fields.map { "\($0.0)=\($0.1)" }.joined(separator: "&") }

    static let all: [RefusedRule] = [
        RefusedRule("text", "matches", "(lidl", at: "when_value"),
        RefusedRule("amount", "between", "10", at: "when_value"),
        RefusedRule("amount", "between", "20..10", at: "when_value"),
        RefusedRule("amount", "is", "much", at: "when_value"),
        RefusedRule("account", "is", "No such account", at: "when_value"),
        RefusedRule("kind", "is", "gift", at: "when_value"),
        RefusedRule("kind", "contains", "expense", at: "when_test"),
        RefusedRule("payee", "is", "", at: "when_value"),
        RefusedRule([("then_category", "")], at: "then_category"),
        RefusedRule([("then_account", unknown)], at: "then_account"),
        RefusedRule([("then_schedule", unknown)], at: "then_schedule"),
        RefusedRule(
            [
                ("then_category", ""), ("then_split_category", ""), ("then_split_share", "80%"),
                ("then_split_category", ""), ("then_split_share", "40%"),
            ],
            at: "then_split_share"
        ),
        RefusedRule(
            [("then_category", ""), ("then_split_category", ""), ("then_split_share", "a lot")],
            at: "then_split_share"
        ),
    ]

    private static let unknown = "0123456789abcdef0123456789"
}

@Suite struct RulePages {
    private let server: Running
    private let guest: Visitor
    private let cash: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
        for (payee, amount) in [("LIDL", "40"), ("Lidl", "35.50"), ("Market", "12")] {
            #expect(try guest.record([("payee", payee), ("amount", amount)], account: cash).status == 303)
        }
    }

    private func category(_ name: String) throws -> String {
        let options = try guest.get("/rules/new").html.all("option").filter { $0.text == name }
        return try #require(options.first?["value"])
    }

    /// The fields of a rule for a payee.
    private func fields(_ payee: String = "LIDL", category name: String = "Groceries") throws -> [(
        String, String
    )] {
        var fields: [(String, String)] = [("name", payee), ("enabled", "on"), ("match", "all")]
        fields += When.condition("payee", "is", payee)
        fields.append(("then_category", try category(name)))
        return fields
    }

    private func add(_ fields: [(String, String)]) throws -> String {
        let answer = try guest.post("/rules", fields)
        #expect(answer.status == 303)
        let place = try #require(answer.header("location"))
        #expect(place.hasPrefix("/rules#t"))
        return String(place.dropFirst("/rules#t".count))
    }

    private func names() throws -> [String] {
        try guest.get("/rules").rows("rule").compactMap { row in
            try guest.get("/rules/\(row["data-id"] ?? "")").html.first("h1")?.text
        }
    }

    /// The number of transactions in a list that name a category.
    private func count(of category: String) throws -> Int {
        try guest.get("/transactions").rows("transaction").filter { $0.text.contains(category) }.count
    }

    private func undo(on page: Reply) throws -> String {
        try #require(page.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") })
    }

    @Test func theEmptyListSaysWhatARuleDoesAndLeadsToTheFirst() throws {
        let page = try guest.get("/rules")
        #expect(page.text.contains("A rule fills in what you would fill in every time"))
        #expect(page.html.first("a", ["href": "/rules/new", "class": "btn primary"]) != nil)
        let form = try guest.get("/rules/new").html
        #expect(form.all("input", ["name": "when_value"]).count == 3)
        #expect(form.all("select", ["name": "when_field"]).count == 3)
    }

    @Test func aRuleIsListedAsASentenceAndChanged() throws {
        let id = try add(try fields() + [("then_tags", "food, #weekly")])
        let row = try #require(try guest.get("/rules").rows("rule").first)
        #expect(row["data-id"] == id && row["data-matches"] == "0")
        #expect(row.text.contains("When the payee is LIDL: Groceries, tags food, weekly"))
        #expect(row.text.contains("Has not matched yet"))
        let form = try #require(try guest.get("/rules/\(id)").html.form("/rules/\(id)"))
        #expect(form.contains { $0.name == "when_value" && $0.value == "LIDL" })
        #expect(form.contains { $0.name == "seen" })
        let changed = form.filter { $0.name != "csrf" && $0.name != "then_tags" }
        let answer = try guest.post("/rules/\(id)", changed + [("then_tags", "")])
        #expect(answer.status == 303 && answer.header("location") == "/rules#t\(id)")
        #expect(try guest.get("/rules").text.contains("When the payee is LIDL: Groceries"))
        #expect(try !guest.get("/rules").text.contains("weekly"))
    }

    @Test func aRuleWithoutANameIsNamedAfterItsFirstCondition() throws {
        _ = try add(try fields("Corner Café").filter { $0.0 != "name" })
        #expect(try names() == ["Corner Café"])
    }

    @Test func allFieldsOfARuleComeBackAsTheyWereTyped() throws {
        let savings = try #require(try guest.accounts()["Bank"])
        var typed: [(String, String)] = [("name", "All"), ("enabled", "on"), ("match", "any")]
        typed += When.condition("amount", "between", "10..20.50")
        typed += When.condition("amount", "less", "-5")
        typed += When.condition("account", "is", "Cash")
        typed += When.condition("kind", "is", "expense")
        typed += When.condition("currency", "is", "EUR")
        typed += When.condition("text", "matches", "^lidl")
        typed += [("then_payee", "Lidl"), ("then_note", "by a rule"), ("then_account", savings)]
        typed.append(("then_hide", "on"))
        let id = try add(typed)
        let form = try #require(try guest.get("/rules/\(id)").html.form("/rules/\(id)"))
        for (name, value) in typed {
            #expect(form.contains { $0.name == name && $0.value == value }, "\(name)=\(value)")
        }
    }

    @Test func aSplitHasItsShares() throws {
        let (groceries, home) = (try category("Groceries"), try category("Housing"))
        let parts: [(String, String)] = [
            ("enabled", "on"), ("then_split_category", groceries), ("then_split_share", "40%"),
            ("then_split_category", home), ("then_split_share", "12.50"),
        ]
        let id = try add(parts + When.condition("payee", "is", "LIDL"))
        let row = try #require(try guest.get("/rules").rows("rule").first { $0["data-id"] == id })
        #expect(row.text.contains("split into Groceries 40%, Housing 12.50"))
    }

    @Test(arguments: RefusedRule.all) func whatCannotBeIsRefusedBesideItsField(refused: RefusedRule) throws {
        let changes = refused.fields
        var typed = try fields().filter { $0.0 == "name" || $0.0 == "enabled" }
        if !changes.contains(where: { $0.0 == "then_category" }) {
            typed.append(("then_category", try category("Groceries")))
        }
        let answer = try guest.post("/rules", typed + changes)
        #expect(answer.status == 422 && answer.refused.contains(refused.place), "\(answer.refused)")
        let form = try #require(answer.html.form("/rules"))
        for (name, value) in changes where name.hasPrefix("when") && !value.isEmpty {
            #expect(form.contains { $0.name == name && $0.value == value }, "\(name)=\(value) is lost")
        }
        #expect(try guest.get("/rules").rows("rule").isEmpty)
    }

    @Test func aBadExpressionIsRefusedWithTheMessageAndThePlace() throws {
        let answer = try guest.post("/rules", try fields() + When.condition("text", "matches", "a(b"))
        #expect(answer.status == 422)
        let error = try #require(answer.html.all("p", ["data-field": "when_value"]).first)
        #expect(error["id"] == "e-when_value-2" && error.text.contains("This is no regular expression"))
        #expect(error.text.contains("after 3 characters"))
    }

    @Test func moreRowsAreAButtonThatKeepsWhatWasTyped() throws {
        let typed = try fields() + When.condition("note", "contains", "x")
        let page = try guest.post("/rules", typed + [("more_conditions", "on")])
        #expect(page.status == 200)
        let form = try #require(page.html.form("/rules"))
        #expect(form.filter { $0.name == "when_value" }.map(\.value) == ["LIDL", "x", ""])
        let parts = try guest.post("/rules", typed + [("more_parts", "on")])
        #expect(parts.html.all("input", ["name": "then_split_share"]).count > 1)
        #expect(try guest.get("/rules").rows("rule").isEmpty)
    }

    @Test func aLinkFillsTheFormIn() throws {
        let groceries = try category("Groceries")
        let page = try guest.get(
            "/rules/new?match=any&when_field=payee&when_test=is&when_value=LIDL&when_field=note&when_test=contains"
                + "&when_value=x%26y&then_category=\(groceries)"
        )
        let form = try #require(page.html.form("/rules"))
        #expect(form.filter { $0.name == "when_value" }.map(\.value).prefix(2) == ["LIDL", "x&y"])
        #expect(form.contains { $0.name == "then_category" && $0.value == groceries })
        #expect(form.contains { $0.name == "match" && $0.value == "any" })
    }

    @Test func rulesChangePlacesWithArrowsAndAsAWhole() throws {
        let ids = try ["One", "Two", "Three"].map { try add(try fields($0)) }
        let sent = ids.map { ("id", $0) }
        #expect(try guest.post("/rules/order", sent).status == 303)
        #expect(try names() == ["One", "Two", "Three"])
        #expect(try guest.post("/rules/order", sent + [("up", ids[2])]).status == 303)
        #expect(try names() == ["One", "Three", "Two"])
        #expect(try guest.post("/rules/order", sent + [("down", ids[0])]).status == 303)
        #expect(try names() == ["Two", "One", "Three"])
        #expect(try guest.post("/rules/order", Array(sent.reversed())).status == 303)
        let page = try guest.get("/rules").html
        #expect(page.first("div", ["data-toast": "order-saved"]) != nil)
        // A row that is dragged takes its field along.
        #expect(page.all("button", ["data-grip": ""]).count == 3)
        let sentAlong = page.all("input", ["name": "id", "form": "order"]).map { $0["value"] }
        #expect(sentAlong == ids.reversed())
        #expect(try names() == ["Three", "Two", "One"])
        // The first has no place above it.
        #expect(try guest.post("/rules/order", Array(sent.reversed()) + [("up", ids[2])]).status == 303)
        #expect(try names() == ["Three", "Two", "One"])
        #expect(try guest.post("/rules/order", [("id", "x")]).status == 400)
    }

    @Test func aSwitchTurnsARuleOffAndOn() throws {
        let id = try add(try fields())
        #expect(try guest.post("/rules/\(id)/switch").status == 303)
        let page = try guest.get("/rules")
        #expect(page.text.contains("LIDL is off") && page.rows("rule").first?.text.contains("Off") == true)
        let form = try #require(page.html.form("/rules/\(id)/switch"))
        #expect(form.contains { $0.name == "enabled" && $0.value == "on" })
        #expect(try guest.post("/rules/\(id)/switch", [("enabled", "on")]).status == 303)
        #expect(try guest.get("/rules").rows("rule").first?.text.contains("Turn off") == true)
    }

    @Test func aRuleIsTriedAndChangesWhatItMatchesInOneStep() throws {
        let id = try add(try fields())
        #expect(try count(of: "Groceries") == 0)
        let preview = try guest.post("/rules/preview", [("id", id)])
        #expect(preview.status == 200)
        let form = try #require(preview.html.first("form", ["action": "/rules/apply"]))
        #expect(form["data-count"] == "2" && form.text.contains("Change these 2"))
        #expect(preview.rows("change").count == 2)
        #expect(preview.text.contains("Category No category → Groceries"))
        #expect(try count(of: "Groceries") == 0)
        #expect(try guest.post("/rules/apply", [("id", id)]).status == 303)
        let page = try guest.get("/transactions")
        #expect(page.text.contains("2 transactions changed."))
        #expect(try count(of: "Groceries") == 2)
        let changed = try #require(page.rows("transaction").first { $0.text.contains("Groceries") })
        #expect(changed["data-rule"] == id)
        let entry = try guest.get("/transactions/\(changed["data-id"] ?? "")").html
        let mark = try #require(entry.first("p", ["data-rule": id]))
        #expect(mark.text == "Set by the rule LIDL" && entry.first("a", ["href": "/rules/\(id)"]) != nil)
        #expect(try guest.post("/rules/preview", [("id", id)]).html.first("form", ["data-count": "0"]) != nil)
        #expect(try guest.post(try undo(on: page)).status == 303)
        #expect(try count(of: "Groceries") == 0)
    }

    @Test func aTypedRuleIsTriedBeforeItIsSaved() throws {
        let typed = try fields()
        let preview = try guest.post("/rules/preview", typed)
        #expect(preview.status == 200 && preview.html.first("form", ["data-count": "2"]) != nil)
        #expect(try guest.get("/rules").rows("rule").isEmpty)
        let kept = try #require(preview.html.form("/rules")).filter { $0.name != "csrf" }
        let edited = try guest.post("/rules", kept + [("edit", "on")])
        #expect(edited.status == 200)
        #expect(try #require(edited.html.form("/rules")).contains { $0.value == "LIDL" })
        #expect(try guest.post("/rules", kept + [("apply", "on")]).status == 303)
        #expect(try names() == ["LIDL"])
        #expect(try count(of: "Groceries") == 2)
        #expect(
            try guest.post("/rules/preview", try fields().filter { $0.0 != "then_category" }).status == 422
        )
        #expect(try guest.post("/rules/preview").status == 400)
    }

    @Test func aDeletedRuleComesBack() throws {
        let id = try add(try fields())
        let answer = try guest.post("/rules/\(id)/delete")
        #expect(answer.status == 303 && answer.header("location") == "/rules")
        let page = try guest.get("/rules")
        #expect(page.text.contains("Rule deleted") && page.rows("rule").isEmpty)
        #expect(try guest.post("/rules/\(id)/restore").status == 303)
        #expect(try names() == ["LIDL"])
    }

    @Test func twoTabsChangeDifferentFieldsOfARule() throws {
        let id = try add(try fields())
        let shown = try #require(try guest.get("/rules/\(id)").html.form("/rules/\(id)"))
            .filter { $0.name != "csrf" }
        func sent(_ name: String, _ value: String) -> [(String, String)] {
            shown.map { ($0.name, $0.name == name ? value : $0.value) }
        }
        #expect(try guest.post("/rules/\(id)", sent("name", "Discounter")).status == 303)
        #expect(try guest.post("/rules/\(id)", sent("then_category", try category("Housing"))).status == 303)
        let row = try #require(try guest.get("/rules").rows("rule").first)
        #expect(row.text.contains("Discounter") && row.text.contains("Housing"))
    }

    @Test func theHistorySaysAChangeOfARuleInItsWords() throws {
        let id = try add(try fields())
        _ = try guest.get("/rules/\(id)")
        #expect(try guest.post("/rules/\(id)", try fields(category: "Housing")).status == 303)
        let history = try guest.get("/history")
        #expect(history.text.contains("effects Groceries → Housing"))
        #expect(!history.text.contains("{"))
    }

    @Test func aRuleThatWasDeletedInAnotherTabIsSavedAsANewOne() throws {
        let id = try add(try fields())
        let shown = try #require(try guest.get("/rules/\(id)").html.form("/rules/\(id)"))
            .filter { $0.name != "csrf" }
        #expect(try guest.post("/rules/\(id)/delete").status == 303)
        let answer = try guest.post("/rules/\(id)", shown)
        #expect(answer.status == 422 && answer.text.contains("This rule was deleted in another window"))
        let again = try #require(answer.html.form("/rules")).filter { $0.name != "csrf" }
        #expect(try guest.post("/rules", again).status == 303)
        #expect(try names() == ["LIDL"])
    }

    @Test func aSelectionLeadsToARuleForItsPayees() throws {
        let rows = try guest.get("/transactions").rows("transaction").compactMap { $0["data-id"] }
        let answer = try guest.post("/transactions/bulk", [("ask", "rule")] + rows.map { ("id", $0) })
        #expect(answer.status == 303)
        let place = try #require(answer.header("location"))
        #expect(place.hasPrefix("/rules/new?match=any&when_field=payee"))
        let form = try #require(try guest.get(place).html.form("/rules"))
        let payees = form.filter { $0.name == "when_value" }.map { $0.value.lowercased() }
        #expect(Set(payees) == ["lidl", "market", ""])
        #expect(try guest.post("/transactions/bulk", [("ask", "rule")]).status == 422)
    }
}
