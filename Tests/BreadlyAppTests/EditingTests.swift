// Pages that were opened earlier: what they save, what they leave alone, and what the page afterwards says.
import BreadlyApp
import Foundation
import TestKit
import Testing

/// A form as it was opened, to be filled in and sent at leisure.
private struct OpenForm {
    let visitor: Visitor
    let action: String
    var fields: [(name: String, value: String)]

    init(_ visitor: Visitor, _ page: String, posts action: String? = nil) throws {
        self.visitor = visitor
        self.action = action ?? page
        fields = try #require(try visitor.get(page).html.form(self.action), "\(page) posts to \(self.action)")
    }

    func sent(_ changes: [String: String]) throws -> Reply {
        var fields = fields.filter { changes[$0.name] == nil }
        fields += changes.map { (name: $0.key, value: $0.value) }
        return try visitor.post(action, fields.map { ($0.name, $0.value) }, csrf: false)
    }
}

extension Visitor {
    /// The value of a field in the form of a page.
    fileprivate func value(_ field: String, _ page: String, _ action: String? = nil) throws -> String? {
        try get(page).html.form(action ?? page)?.last { $0.name == field }?.value
    }
}

extension Reply {
    fileprivate func toast(_ key: String) -> String? {
        html.first("div", ["data-toast": key])?.text
    }
}

/// The category of food, which a new book begins with.
private func foodCategory(_ visitor: Visitor) throws -> String {
    let row = try visitor.get("/categories").rows("category").first { $0.text.contains("Groceries") }
    return try #require(row?["data-id"])
}

@Suite struct PagesThatWereOpenedEarlier {
    let server: Running

    init() throws { server = try Running() }

    private func entry(_ guest: Visitor) throws -> String {
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.record([("note", "one\ntwo")], account: account)
        let id = try guest.get("/transactions").rows("transaction").first?["data-id"]
        return "/transactions/\(try #require(id))"
    }

    @Test func aNoteTakesNoAmountBack() throws {
        let guest = try server.guest()
        let page = try entry(guest)
        let early = try OpenForm(guest, page)
        #expect(try OpenForm(guest, page).sent(["amount": "99.99"]).status == 303)
        #expect(try guest.get("/").toast("transaction-changed") == "Transaction changed Undo")
        #expect(try early.sent(["note": "three"]).status == 303)
        let list = try guest.get("/transactions")
        let sentence = "Amount was changed to 99.99 in another window while this page was open."
        #expect(list.toast("transaction-changed") == "Transaction changed. \(sentence) Undo")
        #expect(try guest.value("amount", page) == "99.99")
        #expect(try guest.value("note", page) == "three")
        let undo = try #require(
            list.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        )
        #expect(try guest.post(undo).status == 303)
        #expect(try guest.value("amount", page) == "99.99")
        #expect(try guest.value("note", page) == "one\ntwo")
    }

    @Test func theLaterOfTwoAmountsCountsAndTheEarlierIsOneClickAway() throws {
        let guest = try server.guest()
        let page = try entry(guest)
        let early = try OpenForm(guest, page)
        _ = try OpenForm(guest, page).sent(["amount": "99.99"])
        _ = try guest.get("/")
        _ = try early.sent(["amount": "5"])
        let list = try guest.get("/transactions")
        let sentence =
            "Amount was changed to 99.99 in another window while this page was open; your value counts now."
        #expect(list.toast("transaction-changed")?.contains(sentence) == true)
        let undo = try #require(
            list.html.all("form").compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        )
        _ = try guest.post(undo)
        #expect(try guest.value("amount", page) == "99.99")
    }

    @Test(
        arguments: [
            ("account", "name", "Purse", "opening", "12.00"), ("category", "name", "Food", "color", "plum"),
            ("budget", "limit", "77.00", "rollover", "on"),
        ]
    )
    func soItIsForEveryKind(kind: String, first: String, one: String, second: String, other: String) throws {
        let guest = try server.guest()
        let list = kind == "category" ? "/categories" : "/\(kind)s"
        if kind == "budget" {
            _ = try guest.get(list)
            _ = try guest.post(list, [("category", ""), ("limit", "50"), ("from", "2026-11")])
        }
        let id = try #require(try guest.get(list).rows(kind).first?["data-id"])
        let page = "\(list)/\(id)"
        let early = try OpenForm(guest, page)
        #expect(try OpenForm(guest, page).sent([first: one]).status == 303)
        _ = try guest.get(list)
        #expect(try early.sent([second: other]).status == 303)
        let told = try guest.get(list).toast("\(kind)-changed") ?? ""
        #expect(told.contains("was changed to \(one) in another window"), "\(told)")
        #expect(try guest.value(first, page) == one)
        #expect(try guest.value(second, page) == other)
    }

    @Test func settingsAreNoneOfTheOthersBusiness() throws {
        let guest = try server.guest()
        let early = try OpenForm(guest, "/settings", posts: "/settings/preferences")
        let late = try OpenForm(guest, "/settings", posts: "/settings/preferences")
        let reply = try late.sent(["theme": "dark", "base_currency": "USD"])
        #expect(reply.status == 303, "\(reply.refused)")
        #expect(try early.sent(["week_start": "sunday"]).status == 303)
        let settings = try guest.get("/settings")
        let told = settings.toast("settings-saved") ?? ""
        #expect(told.contains("Default currency was changed to USD in another window"))
        #expect(told.contains("Theme was changed to Dark in another window"))
        let form = try #require(settings.html.form("/settings/preferences"))
        let values = Dictionary(form.map { ($0.name, $0.value) }) { $1 }
        #expect(
            values["theme"] == "dark" && values["base_currency"] == "USD" && values["week_start"] == "sunday"
        )
    }

    @Test func settingsThatNobodyElseChangedAreNoNews() throws {
        let guest = try server.guest()
        let form = try OpenForm(guest, "/settings", posts: "/settings/preferences")
        #expect(try form.sent(["theme": "dark"]).status == 303)
        #expect(try guest.get("/settings").toast("settings-saved") == "Settings saved Undo")
        #expect(try OpenForm(guest, "/settings", posts: "/settings/preferences").sent([:]).status == 303)
        #expect(try guest.get("/settings").toast("settings-saved") == "Settings saved")
    }

    @Test func whatIsGoneFromTheListsStandsInAnUntouchedForm() throws {
        let guest = try server.guest()
        let page = try entry(guest)
        let category = try #require(try guest.get("/categories").rows("category").first?["data-id"])
        _ = try OpenForm(guest, page).sent(["category": category])
        // Its category is deleted: the entry has none until the deletion is undone.
        _ = try guest.post("/categories/\(category)/delete")
        #expect(try OpenForm(guest, page).sent(["note": "three"]).status == 303)
        let unknown = "0000000000000000000000000z"
        let accounts = try guest.accounts()
        let refused = try guest.record([("account", unknown)], account: unknown)
        #expect(refused.status == 422 && refused.refused == ["account"])
        #expect(refused.html.form("/transactions")?.contains { $0 == ("account", unknown) } == true)
        #expect(accounts.count == 3)
    }

    @Test func moneyThatMeetsMoneyInOneCurrencyStaysWhole() throws {
        let guest = try server.guest()
        let page = try entry(guest)
        let bank = try #require(try guest.accounts()["Bank"])
        let early = try OpenForm(guest, page)
        _ = try OpenForm(guest, page).sent(["kind": "transfer", "to_account": bank])
        // An amount of an expense, of what has become a transfer: as much arrives as leaves.
        #expect(try early.sent(["amount": "120"]).status == 303)
        let accounts = try guest.get("/accounts").html.elements.compactMap { $0["data-amount"] }
        #expect(accounts.contains("-12000") && accounts.contains("12000"))
    }

    @Test func anAmountIsNotReadInACurrencyThatItWasNotTypedIn() throws {
        let guest = try server.guest()
        let page = try entry(guest)
        let early = try OpenForm(guest, page)
        let yen = try OpenForm(guest, page).sent(["amount": "16000", "currency": "JPY", "to_amount": "99.00"])
        #expect(yen.status == 303)
        let refused = try early.sent(["amount": "120"])
        #expect(refused.status == 422 && refused.refused == ["amount"])
        #expect(refused.text.contains("Amount was changed to 16000 in another window"))
        #expect(refused.text.contains("Currency was changed to JPY in another window"))
        #expect(refused.html.form(page)?.contains { $0 == ("amount", "120") } == true)
        #expect(try guest.value("amount", page) == "16000")
    }

    @Test func anAmountIsReadAsItWasShownWhateverTheLocaleIsByThen() throws {
        let guest = try server.guest()
        _ = try guest.get("/accounts")
        _ = try guest.post("/accounts", [("name", "Wallet"), ("type", "cash"), ("currency", "KWD")])
        let wallet = try #require(try guest.accounts()["Wallet"])
        let dinars = [("amount", "1.234"), ("currency", "KWD")]
        try #require(try guest.record(dinars, account: wallet).status == 303)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        let page = "/transactions/\(id)"
        let (noted, corrected) = (try OpenForm(guest, page), try OpenForm(guest, page))
        _ = try guest.get("/settings")
        try #require(try guest.post("/settings/preferences", [("locale", "de-DE")]).status == 303)
        try #require(try noted.sent(["note": "as it was"]).status == 303)
        #expect(try guest.value("amount", page) == "1,234")
        try #require(try corrected.sent(["amount": "2.345"]).status == 303)
        #expect(try guest.value("amount", page) == "2,345")
        let refused = try corrected.sent(["amount": "3.456", "date": "never"])
        #expect(refused.html.form(page)?.contains { $0 == ("decimal", ".") } == true, "as it was typed")
        #expect(try OpenForm(guest, page).fields.contains { $0 == ("decimal", ",") })
    }

    @Test(arguments: [("en-IE", "."), ("de-DE", ",")])
    func hintsShowTheDecimalSignOfTheUser(locale: String, sign: String) throws {
        let guest = try server.guest()
        _ = try guest.get("/settings")
        try #require(try guest.post("/settings/preferences", [("locale", locale)]).status == 303)
        for (path, words) in [
            ("/transactions/new", "Sums work too: 12\(sign)50+3*2"),
            ("/help", "Sums work too: 12\(sign)50+3*2"),
            ("/rules/new", "An amount is 12\(sign)50 or -12\(sign)50"),
            ("/rules/new", "A share is an amount, such as 12\(sign)50"),
        ] {
            #expect(try guest.get(path).html.first("main")?.text.contains(words) == true, "\(path)")
        }
    }

    @Test func aBudgetKeepsTheCurrencyThatItWasSetIn() throws {
        let guest = try server.guest()
        _ = try guest.get("/budgets")
        _ = try guest.post("/budgets", [("category", ""), ("limit", "50"), ("from", "2026-11")])
        let id = try #require(try guest.get("/budgets").rows("budget").first?["data-id"])
        _ = try guest.get("/settings")
        let asked = [("base_currency", "USD"), ("budgets", "keep")]
        #expect(try guest.post("/settings/preferences", asked).status == 303)
        #expect(try OpenForm(guest, "/budgets/\(id)").sent([:]).status == 303)
        #expect(try guest.get("/budgets").toast("budget-changed") == "Nothing was changed")
    }

    @Test func anEntryThatWasDeletedMeanwhileCanBeSavedAsANewOne() throws {
        let guest = try server.guest()
        let page = try entry(guest)
        let early = try OpenForm(guest, page)
        let groceries = try foodCategory(guest)
        _ = try guest.post(page + "/delete")
        let typed = ["note": "three", "payee": "Dear Bakery", "amount": "14.00", "category": groceries]
        let reply = try early.sent(typed)
        #expect(reply.status == 422)
        let told = try #require(reply.html.first("div", ["data-notice": "meanwhile"])?.text)
        #expect(told.contains("was deleted in another window while this page was open. What you entered is"))
        #expect(told.contains("still here: save it as a new one, or leave it."))
        let form = try #require(reply.html.form("/transactions"))
        for (name, value) in typed {
            #expect(form.contains { $0.name == name && $0.value == value }, "\(name)")
        }
        #expect(try guest.post("/transactions", form.map { ($0.name, $0.value) }, csrf: false).status == 303)
        let rows = try guest.get("/transactions").rows("transaction")
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        #expect(row.text.contains("Dear Bakery") && row.text.contains("14.00"))
        let id = try #require(row["data-id"])
        #expect(!page.hasSuffix(id), "a new one")
    }

    @Test func twoChangesThatDoNotFitTogetherAreShownAndLoseNothing() throws {
        let guest = try server.guest()
        let page = try entry(guest)
        let bank = try #require(try guest.accounts()["Bank"])
        let early = try OpenForm(guest, page)
        let categories = try guest.get("/categories").rows("category")
        let category = try #require(categories.first { $0.text.contains("Groceries") }?["data-id"])
        let transfer = try OpenForm(guest, page).sent(["kind": "transfer", "to_account": bank])
        #expect(transfer.status == 303)
        let reply = try early.sent(["category": category, "note": "three"])
        #expect(reply.status == 422 && reply.refused == ["kind"])
        #expect(
            reply.text.contains("Kind was changed to Transfer in another window while this page was open")
        )
        let again = try #require(reply.html.form(page))
        #expect(again.contains { $0 == ("note", "three") } && again.contains { $0 == ("category", category) })
        // If the form is sent again, its sender has seen the other change, and the form wins.
        #expect(try guest.post(page, again.map { ($0.name, $0.value) }, csrf: false).status == 303)
        #expect(try guest.value("kind", page) == "expense")
        #expect(try guest.value("category", page) == category)
    }

    @Test func whatIsNotSentStaysAndWhatIsNoVersionIsAskedAbout() throws {
        let guest = try server.guest()
        let page = try entry(guest)
        #expect(try guest.post(page, [("payee", "Baker")]).status == 303)
        #expect(try guest.value("amount", page) == "12.50")
        #expect(try guest.value("note", page) == "one\ntwo")
        let reply = try OpenForm(guest, page).sent(["seen": "nonsense", "note": "three"])
        #expect(reply.status == 422 && reply.text.contains("This page is too old to be saved as it is."))
        let again = try #require(reply.html.form(page))
        #expect(again.contains { $0 == ("note", "three") })
        #expect(try guest.post(page, again.map { ($0.name, $0.value) }, csrf: false).status == 303)
        #expect(try guest.value("note", page) == "three")
    }
}

/// Forms whose token is of an earlier session: a sign-in in another window gives the browser another cookie.
@Suite struct FormsThatAreTooOld {
    let server: Running

    init() throws { server = try Running() }

    /// Signs up in another window of the same browser.
    private func signUpElsewhere(_ guest: Visitor) throws {
        let window = server.visitor()
        window.cookies = guest.cookies
        try window.signUp()
        guest.cookies = window.cookies
    }

    @Test(
        arguments: [
            (
                "/transactions/new", "/transactions",
                ["amount": "7.25", "payee": "Baker", "note": "rye\nand oats", "tags": "trip, cash"]
            ),
            ("/transactions", "/transactions", ["amount": "7.25", "payee": "Baker"]),
            ("/accounts", "/accounts", ["name": "Purse", "opening": "12.00", "type": "savings"]),
            ("/categories", "/categories", ["name": "Bread", "color": "plum", "icon": "home"]),
            ("/budgets", "/budgets", ["limit": "70.00", "rollover": "on"]),
            (
                "/settings", "/settings/preferences",
                ["theme": "dark", "week_start": "sunday", "time_zone": "Asia/Tokyo"]
            ),
        ]
    )
    func theyComeBackFilledIn(page: String, action: String, typed: [String: String]) throws {
        let guest = try server.guest()
        var typed = typed
        if action == "/transactions" { typed["category"] = try foodCategory(guest) }
        let form = try OpenForm(guest, page, posts: action)
        try signUpElsewhere(guest)
        let back = try form.sent(typed)
        #expect(back.status == 403)
        #expect(back.text.contains("Nothing that you entered is lost: save it now."))
        let again = try #require(back.html.form(action))
        for (name, value) in typed {
            #expect(again.contains { $0.name == name && $0.value == value }, "\(name)")
        }
        #expect(try guest.post(action, again.map { ($0.name, $0.value) }, csrf: false).status == 303)
    }

    @Test func anOpenEditKeepsItsBase() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.record(account: account)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        let page = "/transactions/\(id)"
        let early = try OpenForm(guest, page)
        _ = try OpenForm(guest, page).sent(["amount": "99.99"])
        try signUpElsewhere(guest)
        let back = try early.sent(["note": "three"])
        let again = try #require(back.html.form(page))
        #expect(try guest.post(page, again.map { ($0.name, $0.value) }, csrf: false).status == 303)
        #expect(try guest.value("amount", page) == "99.99")
        #expect(try guest.value("note", page) == "three")
    }

    @Test func aButtonIsPressedOnceMoreAndAPasswordIsNeverRepeated() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.record(account: account)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        let delete = try OpenForm(guest, "/transactions/\(id)", posts: "/transactions/\(id)/delete")
        try signUpElsewhere(guest)
        let back = try delete.sent([:])
        #expect(back.status == 403 && back.text.contains("Send it again"))
        #expect(try guest.get("/transactions").rows("transaction").count == 1)
        let again = try #require(back.html.form(delete.action))
        #expect(try guest.post(delete.action, again.map { ($0.name, $0.value) }, csrf: false).status == 303)
        #expect(try guest.get("/transactions").rows("transaction").isEmpty)

        let other = try server.guest()
        let signIn = try OpenForm(other, "/sign-in")
        other.cookies = try server.guest().cookies
        let asked = try signIn.sent(["email": "anna@x.test", "password": "correct horse battery"])
        #expect(asked.status == 403 && !asked.text.contains("correct horse"))
        let form = try #require(asked.html.form("/sign-in"))
        #expect(form.contains { $0 == ("email", "anna@x.test") } && form.contains { $0 == ("password", "") })
    }

    @Test func aPhraseIsTypedAnewAndAForeignFormShowsNothing() throws {
        let guest = try server.guest()
        try signUpElsewhere(guest)
        let deletion = try OpenForm(guest, "/account/delete")
        guest.csrf = String(guest.csrf.reversed())
        let fields = deletion.fields.filter { !["csrf", "confirm"].contains($0.name) }.map {
            ($0.name, $0.value)
        }
        let back = try guest.post("/account/delete", fields + [("confirm", "Delete my account")])
        #expect(back.status == 403 && back.html.form("/account/delete") == nil)
        #expect(try guest.get("/").html.body("data-tier") == "free")
        let foreign = [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")]
        let forged = try guest.post("/transactions", [("payee", "forged")], headers: foreign)
        #expect(forged.status == 403 && !forged.text.contains("forged"))
    }
}

@Suite struct TwoDevicesWithOneEntry {
    let server: Running

    init() throws {
        server = try Running()
        try server.restart { $0.premiumForEveryone = true }
    }

    /// Two devices of one account with one entry, and the entry's page.
    private func twoDevicesInStep(_ changes: [(String, String)] = []) throws -> (
        phone: Visitor, laptop: Visitor, page: String
    ) {
        let phone = try server.guest()
        let account = try #require(try phone.accounts()["Cash"])
        _ = try phone.record(changes, account: account)
        let id = try #require(try phone.get("/transactions").rows("transaction").first?["data-id"])
        let page = "/transactions/\(id)"
        try phone.signUp()
        try phone.waitUntilInStep()
        let laptop = server.visitor()
        try laptop.signIn()
        try until("downloaded") { try laptop.get(page).status == 200 }
        try laptop.waitUntilInStep()
        return (phone, laptop, page)
    }

    @Test func anOlderFormTakesNothingBackOnEitherOfThem() throws {
        let (phone, laptop, page) = try twoDevicesInStep()

        // The laptop's page is open while the phone changes the amount.
        let noted = try OpenForm(laptop, page)
        let dearer = try OpenForm(laptop, page)
        _ = try phone.get(page)
        _ = try OpenForm(phone, page).sent(["amount": "99.99"])
        try until("arrived") { try laptop.value("amount", page) == "99.99" }
        _ = try noted.sent(["note": "for Sunday"])
        let list = try laptop.get("/transactions")
        let told = try #require(list.toast("transaction-changed"))
        #expect(told.contains("Amount was changed to 99.99 on "), "\(told)")
        #expect(told.contains(" while this page was open.") && !told.contains("your value"))
        try until("came back") { try phone.value("note", page) == "for Sunday" }
        #expect(try phone.value("amount", page) == "99.99")
        for visitor in [phone, laptop] {
            try visitor.waitUntilInStep()
            let review = try visitor.get("/sync/review")
            #expect(review.rows("conflict").isEmpty && review.text.contains("There is nothing to decide."))
        }

        // And now both have changed it: one question, with both values.
        _ = try dearer.sent(["amount": "5"])
        let later = try laptop.get("/transactions").toast("transaction-changed")
        #expect(later?.contains("while this page was open; your value counts now.") == true)
        // The toast about it may come before the cloud has said anything.
        func questions() throws -> Set<String> {
            let forms = try laptop.get("/sync/review").html.all("form").compactMap { $0["action"] }
            return Set(forms.filter { $0.hasPrefix("/sync/review/") })
        }
        try until("met") { try !questions().isEmpty }
        try laptop.waitUntilInStep()
        let questions = try questions()
        #expect(questions.count == 1, "the amount on the account is no question of its own")
        let question = try #require(questions.first)
        for visitor in [phone, laptop] {
            try until("asked on both") { try visitor.get("/sync/review").rows("conflict").count == 1 }
            let asked = try #require(try visitor.get("/sync/review").rows("conflict").first?.text)
            #expect(asked.contains("5.00") && asked.contains("99.99"))
        }
        _ = try laptop.post(question, [("choose", "theirs")])
        #expect(try laptop.value("amount", page) == "99.99")
        try until("decided everywhere") { try phone.value("amount", page) == "99.99" }
        #expect(try !laptop.get("/sync/review").text.contains("/sync/review/"))
    }

    /// The account of the other value is gone by the time of the decision.
    @Test func keepTheCurrentValueWhereTheOtherOneNoLongerFits() throws {
        let (phone, laptop, page) = try twoDevicesInStep()
        for name in ["Purse", "Jar"] {
            _ = try phone.get("/accounts")
            let fields = [("name", name), ("type", "cash"), ("currency", "EUR"), ("opening", "0")]
            try #require(try phone.post("/accounts", fields).status == 303)
        }
        let accounts = try phone.accounts()
        let (purse, jar) = (try #require(accounts["Purse"]), try #require(accounts["Jar"]))
        try until("both are here") { try laptop.accounts()["Jar"] != nil }
        let older = try OpenForm(laptop, page)
        _ = try OpenForm(phone, page).sent(["account": purse])
        try until("it arrives") { try laptop.value("account", page) == purse }
        _ = try older.sent(["account": jar])
        func question() throws -> String? {
            let forms = try laptop.get("/sync/review").html.all("form").compactMap { $0["action"] }
            return forms.first { $0.hasPrefix("/sync/review/") }
        }
        try until("both values met") { try question() != nil }
        let asked = try #require(try question())
        try until("the other value is here") { try phone.value("account", page) == jar }
        _ = try phone.get("/accounts/\(purse)")
        try #require(try phone.post("/accounts/\(purse)/delete").status == 303)
        try until("the account is gone here, too") { try laptop.accounts()["Purse"] == nil }

        _ = try laptop.get("/sync/review")
        #expect(try laptop.post(asked, [("choose", "theirs")]).status == 303)
        let refused = try laptop.get("/sync/review")
        let told = try #require(refused.toast("conflict-not-resolved"))
        let words =
            "The other value no longer fits. Open the entry and change it there, or keep the current value."
        #expect(told.contains(words), "\(told)")
        #expect(refused.rows("conflict").count == 1, "it can still be decided")
        #expect(try laptop.post(asked, [("choose", "mine")]).status == 303)
        let decided = try laptop.get("/sync/review")
        #expect(decided.toast("conflict-resolved") != nil && decided.rows("conflict").isEmpty)
        #expect(try laptop.value("account", page) == jar)
        try until("decided everywhere") { try phone.get("/sync/review").rows("conflict").isEmpty }
    }

    @Test func whoseNoteWasWrittenOverUnseenIsToldUntilTheyLook() throws {
        let (phone, laptop, page) = try twoDevicesInStep([("payee", "Corner Bakery")])

        let older = try OpenForm(laptop, page)
        _ = try OpenForm(phone, page).sent(["note": "for <Sunday>"])
        try phone.waitUntilInStep()
        _ = try older.sent(["note": "for Monday"])
        try until("overwritten") { try phone.value("note", page) == "for Monday" }
        let overview = try phone.get("/").html
        let needs = try #require(overview.first("p", ["data-needs": "review"])?.text)
        #expect(needs.contains("1 of your changes was replaced by another device's."))
        #expect(overview.first("span", ["data-badge": "review"])?.text == "1 change to review")
        #expect(
            try laptop.get("/").html.first("p", ["data-needs": "review"]) == nil,
            "it has lost nothing"
        )

        let review = try phone.get("/sync/review").html
        let told = try #require(review.first("section", ["data-kind": "loss"])?.text)
        #expect(told.contains("Corner Bakery") && told.contains("counts now"))
        #expect(told.contains("Yours: for <Sunday>") && told.contains("Theirs: for Monday"), "\(told)")
        let action = try #require(
            review.all("form").compactMap { $0["action"] }.first { $0.hasPrefix("/sync/review/lost/") }
        )
        #expect(try phone.post(action, [("choose", "neither")]).status == 400)
        #expect(try phone.post(action, [("choose", "mine")]).status == 303)
        let answered = try phone.get("/sync/review")
        #expect(answered.toasts == ["loss-put-back"] && answered.rows("loss").isEmpty)
        #expect(try phone.value("note", page) == "for <Sunday>")
        #expect(try phone.get("/").html.first("p", ["data-needs": "review"]) == nil)
        #expect(try phone.post(action, [("choose", "theirs")]).status == 303, "pressed twice")
        try until("everywhere") { try laptop.value("note", page) == "for <Sunday>" }
        #expect(try laptop.get("/").html.first("p", ["data-needs": "review"]) == nil, "that was seen")
        #expect(try laptop.get("/").html.first("span", ["data-badge": "review"]) == nil)
    }

    @Test func theHistoryUndoesWhatEachOfThemDid() throws {
        let (phone, laptop, page) = try twoDevicesInStep()
        func change(_ visitor: Visitor, _ words: String) throws -> HTMLElement? {
            try visitor.get("/history").rows("change").first { $0.text.contains(words) }
        }
        func undo(_ visitor: Visitor, _ words: String) throws {
            try until(words) { try change(visitor, words) != nil }
            let id = try #require(try change(visitor, words)?["data-id"])
            #expect(try visitor.post("/history/\(id)/undo").status == 303)
            #expect(try visitor.get("/history").toasts == ["change-undone"])
        }
        _ = try OpenForm(phone, page).sent(["amount": "20"])
        try until("arrived") { try change(laptop, "€12.50 → €20.00") != nil }
        #expect(try change(laptop, "€12.50 → €20.00")?.text.contains("A browser") == true, "the other device")
        let oldest = try #require(try laptop.get("/history").rows("change").last)
        #expect(oldest.text.contains("All data was downloaded"))
        try undo(laptop, "€12.50 → €20.00")
        #expect(try laptop.value("amount", page) == "12.50")
        try laptop.waitUntilInStep()
        // A restart later, the other one reverts that.
        try server.restart { $0.premiumForEveryone = true }
        for visitor in [phone, laptop] { visitor.port = Int(server.app.port) }
        try undo(phone, "€20.00 → €12.50")
        #expect(try phone.value("amount", page) == "20.00")
        // A deletion that both have is undone on both.
        #expect(try phone.post(page + "/delete").status == 303)
        try until("deleted there, too") { try laptop.get(page).status == 404 }
        try undo(phone, "€20.00 deleted")
        for visitor in [phone, laptop] {
            // It is an entry of its own, to which the address of the deleted one leads.
            try until("back") { try visitor.get(page).status == 303 }
            let entry = try #require(try visitor.get(page).header("location"))
            #expect(try visitor.value("amount", entry) == "20.00")
            #expect(try visitor.get("/transactions").rows("transaction").count == 1)
        }
    }
}
