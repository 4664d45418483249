// Both journeys to a bank over real connections: the browser, the server, and a stand-in for the provider.
import BankFeeds
import BankStandIns
import BreadlyApp
import Foundation
import HTTPServer
import TestKit
import Testing

@Suite struct BankJourneys {
    private let running: Running
    private let trueLayer: TrueLayerStandIn
    private let simpleFIN: SimpleFINStandIn

    init() throws {
        running = try Running()
        trueLayer = try TrueLayerStandIn()
        simpleFIN = try SimpleFINStandIn()
    }

    private func setUp(process: ProcessLog? = nil, _ change: (inout Settings) -> Void = { _ in }) throws {
        try running.setUp(trueLayer, simpleFIN, process: process, change)
    }

    private func visitor(_ name: String) throws -> Visitor {
        let visitor = try running.guest()
        try visitor.signUpForBanks(name)
        return visitor
    }

    @Test func withoutProvidersThePageSaysHowToSetThemUp() throws {
        let anna = try visitor("anna")
        let page = try anna.get("/banks")
        #expect(page.status == 200 && page.text.contains("--truelayer-client-id"))
        #expect(page.text.contains("--simplefin on") && !page.text.contains("Connect a bank"))
        #expect(try anna.get("/banks/connect").header("location") == "/banks")
        #expect(try anna.get("/settings").text.contains("Not set up on this server"))
    }

    @Test func aGuestIsAskedToSignInFirst() throws {
        try setUp()
        let guest = try running.guest()
        let page = try guest.get("/banks")
        #expect(page.text.contains("Sign in first") && !page.text.contains("Connect a bank"))
        #expect(try guest.get("/banks/connect").header("location") == "/banks")
        _ = try guest.get("/banks")
        #expect(try guest.post("/banks/connect", [("provider", "truelayer")]).header("location") == "/banks")
        #expect(try guest.get("/banks/callback?state=x&code=y").header("location") == "/banks")
    }

    @Test func aBankInEuropeIsConnectedRefreshedRenewedAndDisconnected() throws {
        try setUp()
        let anna = try visitor("anna")
        #expect(try anna.get("/settings").text.contains("with TrueLayer, SimpleFIN"))
        #expect(try anna.get("/banks").text.contains("No bank is connected"))
        let back = try anna.consent(at: trueLayer)
        #expect(try anna.banks().map(\.state) == ["connecting"])
        #expect(try anna.get(back).header("location") == "/banks")
        try anna.waitForBanks()
        let page = try anna.get("/banks")
        #expect(page.text.contains("Planted Bank") && page.text.contains("Club Account"))
        #expect(page.text.contains("as of today, 12:00 · 3 transactions"))
        #expect(page.text.contains("£1,234.56") && page.text.contains("Your consent is valid until"))
        #expect(try anna.balances() == ["123456", "-5025"])
        let id = try #require(try anna.banks().first?.id)

        // The answer was used: nothing happens a second time.
        let replay = try anna.get(back)
        #expect(replay.status == 400 && replay.text.contains("used already"))
        #expect(try anna.banks().map(\.id) == [id])

        running.clock.advance(by: 120)
        let requests = trueLayer.server.requests.count
        _ = try anna.get("/banks")
        #expect(try anna.post("/banks/\(id)/refresh").header("location") == "/banks")
        #expect(trueLayer.server.requests.count > requests)
        #expect(try anna.get("/banks").text.contains("as of today, 12:02"))

        trueLayer.server.fail { $0.hasEndedConsent = true }
        running.clock.advance(by: 3_600)
        _ = try anna.get("/settings")
        _ = try anna.post("/banks/\(id)/refresh")
        let ended = try anna.get("/banks")
        #expect(ended.rows("bank-connection").map { $0["data-bank-state"] } == ["needs_reconnect"])
        #expect(ended.notices == ["bank-consent-ended"])
        #expect(try anna.balances() == ["123456", "-5025"])

        trueLayer.server.fail { _ in }
        let again = try anna.consent(at: trueLayer, renewing: id)
        #expect(try anna.get(again).header("location") == "/banks")
        try anna.waitForBanks()
        let renewed = try anna.banks()
        #expect(renewed.map(\.id) == [id] && renewed.map(\.state) == ["connected"])
        #expect(try anna.get("/banks").notices.isEmpty)

        _ = try anna.get("/banks")
        #expect(try anna.post("/banks/\(id)/disconnect").header("location") == "/banks")
        #expect(try anna.banks().map(\.state) == ["disconnected"] && anna.balances().isEmpty)
        try until("the consent is revoked") { trueLayer.isRevoked }
        #expect(try anna.get("/banks").text.contains("Remove from this list"))
        #expect(try anna.post("/banks/\(id)/disconnect").header("location") == "/banks")
        #expect(try anna.banks().isEmpty)
        #expect(try anna.post("/banks/\(id)/disconnect").status == 404)
        #expect(try anna.post("/banks/\(id)/refresh").status == 404)
    }

    /// An answer of success that asks for a new consent: what it reports is shown, and a notice asks.
    @Test func aProviderThatAsksForANewConsentIsHeard() throws {
        try setUp()
        let anna = try visitor("anna")
        simpleFIN.server.fail { $0.message = #""You must reauthenticate.""# }
        _ = try anna.get("/banks/connect")
        let fields = [("provider", "simplefin"), ("setup_token", simpleFIN.token("one"))]
        _ = try anna.post("/banks/connect", fields)
        try anna.waitForBanks()
        let page = try anna.get("/banks")
        #expect(try anna.banks().map(\.state) == ["needs_reconnect"])
        #expect(page.notices == ["bank-consent-ended"] && page.text.contains("US$987.65"))
        #expect(page.text.contains("The provider says: You must reauthenticate."))
        #expect(page.text.contains("The bank needs your consent again"))
    }

    /// The server stops after a token was claimed, and before it has the access: the page says so.
    @Test(arguments: [false, true])
    func aSetupTokenThatIsLostIsReported(isRenewal: Bool) throws {
        try setUp()
        let anna = try visitor("anna")
        var address = "/banks/connect"
        var fields = [("provider", "simplefin")]
        if isRenewal {
            _ = try anna.get(address)
            _ = try anna.post(address, fields + [("setup_token", simpleFIN.token("one"))])
            try anna.waitForBanks()
            let id = try #require(try anna.banks().first?.id)
            address += "?connection=\(id)"
            fields.append(("connection", id))
        }
        let csrf = try #require(try anna.get(address).html.hidden("csrf"))
        simpleFIN.server.fail { $0.holdsClaims = true }
        let all = fields + [("csrf", csrf), ("setup_token", simpleFIN.token("two"))]
        let body = all.map {
            "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        .joined(separator: "&")
        let wire = try Wire(port: anna.port)
        wire.send(
            """
            POST /banks/connect HTTP/1.1\r\nHost: 127.0.0.1:\(anna.port)\r\n\
            Cookie: \(anna.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))\r\n\
            Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        )
        try until("the token is claimed") {
            simpleFIN.server.requests.contains { $0.path.hasPrefix("/claim/two") }
        }
        let sentence = "This server was stopped while it used a setup token"
        let running = try anna.get("/banks").text
        #expect(
            !running.contains(sentence) && running.contains("The setup token is being used") == !isRenewal
        )
        try setUp()
        anna.port = Int(self.running.app.port)
        #expect(try anna.get("/banks").text.contains(sentence))
        #expect(try anna.banks().map(\.state) == [isRenewal ? "connected" : "connecting"])
        // The next token makes the connection.
        simpleFIN.server.fail { _ in }
        let id = try #require(try anna.banks().first?.id)
        #expect(try anna.get("/banks/connect?connection=\(id)").html.hidden("connection") == id)
        let again = [
            ("provider", "simplefin"), ("connection", id), ("setup_token", simpleFIN.token("three")),
        ]
        #expect(try anna.post("/banks/connect", again).header("location") == "/banks")
        try anna.waitForBanks()
        #expect(try anna.banks().map(\.state) == ["connected"])
        #expect(try !anna.get("/banks").text.contains(sentence))
    }

    /// A user whose account at the bank of SimpleFIN is joined to a new one.
    private func joined() throws -> (anna: Visitor, account: String, connection: String) {
        try setUp()
        let anna = try visitor("anna")
        _ = try anna.get("/banks/connect")
        let fields = [("provider", "simplefin"), ("setup_token", simpleFIN.token("one"))]
        _ = try anna.post("/banks/connect", fields)
        try anna.waitForBanks()
        #expect(try anna.joinBank([("chk", "new")]).header("location") == "/accounts")
        let row = try anna.get("/accounts").rows("account").first { $0.text.contains("Checking") }
        return (anna, try #require(row?["data-id"]), try #require(try anna.banks().first?.id))
    }

    /// A connection that turns out to read the accounts of an earlier one is joined to it while the browser waits.
    @Test func aRefreshIsConfirmedAlsoIfItsConnectionIsJoinedToAnotherOne() throws {
        try setUp()
        let anna = try visitor("anna")
        func report(_ id: String) {
            let account = """
                {"org":{"domain":"bank.example"},"id":"\(id)","name":"\(id)","currency":"USD","balance":"900.00",\
                "transactions":[]}
                """
            simpleFIN.server.fail { $0.accounts = [account] }
        }
        for account in ["chk", "sav"] {
            report(account)
            _ = try anna.get("/banks/connect")
            let fields = [("provider", "simplefin"), ("setup_token", simpleFIN.token(account))]
            try #require(try anna.post("/banks/connect", fields).header("location") == "/banks")
            try anna.waitForBanks()
            // The list has the earlier one first.
            running.clock.advance(by: 1)
        }
        let ids = try anna.banks().map(\.id)
        try #require(ids.count == 2)
        report("chk")
        #expect(try anna.post("/banks/\(ids[1])/refresh").header("location") == "/banks")
        let page = try anna.get("/banks")
        #expect(page.toasts == ["bank-refreshed"])
        #expect(page.rows("bank-connection").map { $0["data-id"] } == [ids[0]])
    }

    /// A bank that reports two accounts, between which money was moved, and transactions that were entered by hand.
    @Test func transactionsThatNeedAnAnswerAreCountedAndListed() throws {
        try setUp()
        simpleFIN.server.fail { bank in
            bank.accounts = [("chk", "Checking", "-200.00"), ("sav", "Savings", "200.00")].map {
                (id, name, amount) in
                """
                {"org":{"domain":"bank.example"},"id":"\(id)","name":"\(name)","currency":"USD","balance":"900.00",\
                "transactions":[\
                {"id":"\(id)-moved","posted":1795172400,"amount":"\(amount)","description":"MOVED MONEY"},\
                {"id":"\(id)-cafe","posted":1795172400,"amount":"-5.10","description":"CAFE"},\
                {"id":"\(id)-shop","posted":1795172400,"amount":"-7.20","description":"SHOP"}]}
                """
            }
        }
        let anna = try visitor("anna")
        _ = try anna.get("/banks/connect")
        _ = try anna.post(
            "/banks/connect",
            [("provider", "simplefin"), ("setup_token", simpleFIN.token("one"))]
        )
        try anna.waitForBanks()
        #expect(try anna.joinBank([("chk", "new"), ("sav", "new")]).header("location") == "/accounts")
        func account(_ name: String) throws -> String {
            try #require(
                try anna.get("/accounts").rows("account").first { $0.text.contains(name) }?["data-id"]
            )
        }
        let (checking, savings) = (try account("Checking"), try account("Savings"))
        for (amount, payee) in [("5.10", "Coffee"), ("7.20", "Corner shop")] {
            let purchase = [
                ("kind", "expense"), ("amount", amount), ("account", checking), ("date", "2026-11-20"),
                ("payee", payee),
            ]
            _ = try anna.get("/transactions")
            try #require(try anna.post("/transactions", purchase).status == 303)
        }
        let register = try anna.get("/accounts/\(checking)/transactions")
        #expect(register.text.contains("3 transactions of the bank wait for your answer"))
        let form = "/accounts/\(checking)/record-bank"
        #expect(register.html.elements.contains { $0["href"] == form + "#undecided" })
        let page = try anna.get(form)
        #expect(
            page.text.contains("perhaps entered these already")
                && page.text.contains("one side of a transfer")
        )
        #expect(
            !page.text.contains("Record 1 transaction")
                && page.html.first("section", ["id": "preview"]) == nil
        )
        #expect(page.html.first("button", ["name": "same"])?.text == "All of these are the same")
        #expect(
            try anna.post(form, [("same", "on"), ("from", "2026-11-01"), ("to", "2026-11-30")]).status == 303
        )
        let after = try anna.get("/accounts/\(checking)/transactions")
        #expect(after.text.contains("Noted: 2 transactions are the same"))
        #expect(after.text.contains("1 transaction of the bank waits for your answer"))
        // Many at once leave the transfer out.
        _ = try anna.get("/accounts/\(savings)/record-bank")
        let other = "/accounts/\(savings)/record-bank"
        #expect(try anna.post(other, [("from", "2026-11-01"), ("to", "2026-11-30")]).status == 303)
        #expect(try anna.get("/transactions").text.contains("2 transactions recorded"))
        // One side is recorded as income first.
        let rows = try anna.get("/transactions").rows("transaction").filter { $0["data-bank"] != nil }
        let out = try #require(
            rows.first { $0.text.contains("-US$200.00") || $0.text.contains("−US$200.00") }?["data-id"]
        )
        let arrival = try #require(rows.first { $0["data-id"] != out }?["data-id"])
        _ = try anna.get("/banks/rows/\(arrival)")
        #expect(try anna.post("/banks/rows/\(arrival)/record").status == 303)
        let side = try anna.get("/banks/rows/\(out)")
        #expect(side.text.contains("The opposite amount is recorded on") && side.text.contains("Savings"))
        let button = try #require(side.html.first("button", ["name": "transfer"]))
        #expect(button["value"] == arrival)
        #expect(try anna.post("/banks/rows/\(out)/record", [("transfer", arrival)]).status == 303)
        let transfers = try anna.get("/transactions?kind=transfer&month=all").rows("transaction")
        #expect(transfers.count == 1 && transfers.first?.text.contains("200.00") == true)
        for id in [checking, savings] {
            #expect(try !anna.get("/accounts/\(id)/transactions").text.contains("for your answer"))
        }
        #expect(try anna.get("/transactions").rows("transaction").allSatisfy { $0["data-bank"] == nil })
    }

    /// The account that is not reported any more is suggested, so that no second one has the same transactions.
    @Test func aProviderThatNamesItsAccountsAnewLeadsToTheSameAccount() throws {
        let (anna, account, connection) = try joined()
        _ = try anna.get("/accounts/\(account)/record-bank")
        _ = try anna.post("/accounts/\(account)/record-bank", [("from", "2026-11-01"), ("to", "2026-11-30")])
        simpleFIN.server.fail {
            let transactions = SimpleFINStandIn.transactions.map {
                $0.replacing("\"id\":\"s", with: "\"id\":\"n")
            }
            $0.accounts = [
                """
                {"org":{"domain":"bank.example"},"id":"new","name":"Checking","currency":"USD","balance":"987.65",\
                "transactions":[\(transactions.joined(separator: ","))]}
                """
            ]
        }
        _ = try anna.get("/banks")
        _ = try anna.post("/banks/\(connection)/refresh")
        try anna.waitForBanks()
        let page = try anna.get("/banks/\(connection)/accounts")
        let shown = try #require(page.html.form("/banks/\(connection)/accounts")).map { ($0.name, $0.value) }
        #expect(shown.contains { $0 == ("account-new", account) })
        #expect(try anna.post("/banks/\(connection)/accounts", shown, csrf: false).status == 303)
        #expect(try anna.get("/accounts").rows("account").count { $0.text.contains("Checking") } == 1)
        let all = try anna.get("/transactions?month=all").rows("transaction")
        #expect(
            all.count { $0.text.contains("42.10") } == 1 && all.count { $0.text.contains("1,500.00") } == 1
        )
        #expect(try anna.get("/reports?group=worth").text.contains("US$987.65"))
    }

    /// The user has chosen another bank by mistake: its account must not be joined to that of the former one.
    @Test(arguments: [false, true], [false, true])
    func anotherBankThanBeforeIsNotSuggestedForTheAccount(isNamedAlike: Bool, wasDisconnected: Bool) throws {
        let (anna, account, connection) = try joined()
        let name = isNamedAlike ? "Checking" : "Everyday"
        simpleFIN.server.fail {
            $0.accounts = [
                """
                {"org":{"domain":"other.example"},"id":"new","name":"\(name)","currency":"USD","balance":"5.00",\
                "transactions":[]}
                """
            ]
        }
        if wasDisconnected {
            _ = try anna.get("/banks")
            try #require(try anna.post("/banks/\(connection)/disconnect").status == 303)
        }
        _ = try anna.get("/banks/connect?connection=\(connection)")
        let fields = [
            ("provider", "simplefin"), ("setup_token", simpleFIN.token("two")), ("connection", connection),
        ]
        _ = try anna.post("/banks/connect", fields)
        try anna.waitForBanks()
        let page = try anna.get("/banks/\(connection)/accounts")
        let shown = try #require(page.html.form("/banks/\(connection)/accounts")).map { ($0.name, $0.value) }
        #expect(shown.contains { $0 == ("account-new", "new") })
        #expect(page.html.all("option").contains { $0["value"] == account })
    }

    /// The bank is connected once more, with another account: the first connection can go.
    @Test func anAccountThatTwoConnectionsReadStaysWithTheOther() throws {
        let (anna, _, first) = try joined()
        running.clock.advance(by: 60)
        simpleFIN.server.fail {
            $0.accounts = ["chk", "sav"].map { id in
                """
                {"org":{"domain":"bank.example"},"id":"\(id)","name":"Account \(id)","currency":"USD",\
                "balance":"777.00","transactions":[]}
                """
            }
        }
        _ = try anna.get("/banks/connect")
        let fields = [("provider", "simplefin"), ("setup_token", simpleFIN.token("two"))]
        _ = try anna.post("/banks/connect", fields)
        try anna.waitForBanks()
        let page = try anna.get("/banks")
        #expect(page.rows("bank-connection").count == 2)
        #expect(
            page.rows("bank-connection").allSatisfy {
                $0.text.contains("is read by another connection as well")
            }
        )
        #expect(try anna.get("/accounts").text.contains("US$777.00"))
        #expect(try anna.post("/banks/\(first)/disconnect").status == 303)
        let account = try anna.get("/accounts").rows("account").first { $0.text.contains("Checking") }
        #expect(account?.text.contains("US$777.00") == true && account?.text.contains("Reconnect") == false)
        let left = try anna.get("/banks").rows("bank-connection").first {
            $0["data-bank-state"] == "connected"
        }
        #expect(left?.text.contains("stays in your book with its 0 transactions") == true)
    }

    @Test func anAccountInAnotherCurrencyThanThatOfTheBankIsNamed() throws {
        let (anna, account, _) = try joined()
        _ = try anna.get("/accounts/\(account)")
        #expect(try anna.post("/accounts/\(account)", [("currency", "EUR")]).status == 303)
        let sentence = "joined to Checking, which is in EUR: nothing of it is shown there"
        #expect(try anna.get("/banks").html.elements.contains { $0.text.contains(sentence) })
        let list = try anna.get("/accounts")
        let row = list.rows("account").first { $0.text.contains("Checking") }
        let detail = "The bank reports this account in USD: nothing of it is shown here."
        #expect(row?.text.contains(detail) == true)
        #expect(list.html.all(nil, ["data-unknown": ""]).map(\.text) == ["unknown"])
        #expect(list.text.contains("Without 1 account whose balance is unknown."))
    }

    /// Without a balance of the bank, every page shows the same one: that of the book with the rows of the bank.
    @Test func aBankWithoutABalanceHasOneBalanceOnAllPages() throws {
        try setUp()
        let anna = try visitor("anna")
        simpleFIN.server.fail {
            let transactions = SimpleFINStandIn.transactions.joined(separator: ",")
            $0.accounts = [
                """
                {"org":{"domain":"bank.example"},"id":"chk","name":"Checking","currency":"USD",\
                "transactions":[\(transactions)]}
                """
            ]
        }
        _ = try anna.get("/banks/connect")
        let fields = [("provider", "simplefin"), ("setup_token", simpleFIN.token("one"))]
        _ = try anna.post("/banks/connect", fields)
        try anna.waitForBanks()
        #expect(try anna.joinBank([("chk", "new")]).header("location") == "/accounts")
        for isRecorded in [false, true] {
            let accounts = try anna.get("/accounts")
            let account = try #require(accounts.rows("account").first { $0.text.contains("Checking") })
            #expect(
                account.text.contains("US$1,457.90") && account.text.contains("The bank reports no balance")
            )
            let id = try #require(account["data-id"])
            for path in ["/", "/reports?group=worth", "/accounts/\(id)/transactions"] {
                #expect(try anna.get(path).text.contains("US$1,457.90"), "\(path) \(isRecorded)")
            }
            let row = try anna.get("/transactions").rows("transaction").first {
                $0.text.contains("Planted Market")
            }
            let market = try #require(row?["data-id"])
            _ = try anna.get("/transactions")
            if !isRecorded { #expect(try anna.post("/banks/rows/\(market)/record").status == 303) }
        }
    }

    @Test func aBankInNorthAmericaIsConnectedWithAToken() throws {
        try setUp()
        let anna = try visitor("anna")
        _ = try anna.get("/banks/connect")
        let fields = [("provider", "simplefin"), ("setup_token", simpleFIN.token("one"))]
        #expect(try anna.post("/banks/connect", fields).header("location") == "/banks")
        try anna.waitForBanks()
        let page = try anna.get("/banks")
        #expect(page.text.contains("Planted Credit Union") && page.text.contains("US$987.65"))
        // The bank's time, not that of the request.
        #expect(page.text.contains("as of today, 11:00 · 3 transactions"))
        #expect(page.text.contains("The provider says: Sign in at &lt;b&gt;your bank&lt;/b&gt; again."))
        #expect(page.text.contains("1 entry of the bank could not be read and is left out"))

        // A token works once; the refused form does not repeat it.
        _ = try anna.get("/banks/connect")
        let second = try anna.post("/banks/connect", fields)
        #expect(second.status == 422 && second.refused == ["setup_token"])
        #expect(second.text.contains("someone else perhaps has, and can read your bank"))
        #expect(try anna.banks().count == 1)
        #expect(!second.text.contains(fields[1].1))

        let id = try #require(try anna.banks().first?.id)
        let choices = "/banks/\(id)/accounts"
        #expect(page.html.first("a", ["href": choices])?.text == "Choose accounts")
        let chosen = try anna.get(choices).html.form(choices)
        #expect(chosen?.contains { $0 == ("account-chk", "new") } == true)
        simpleFIN.revoke()
        _ = try anna.get("/banks")
        _ = try anna.post("/banks/\(id)/refresh")
        #expect(try anna.banks().map(\.state) == ["needs_reconnect"])
    }

    @Test func anotherBrowserCannotUseAnAnswer() throws {
        try setUp()
        let (anna, bob) = (try visitor("anna"), try visitor("bob"))
        let back = try anna.consent(at: trueLayer)
        #expect(try bob.get(back).status == 400)
        #expect(try bob.banks().isEmpty)
        #expect(try running.visitor().get(back).status == 303)
        #expect(try anna.get(back).header("location") == "/banks")
        let id = try #require(try anna.banks().first?.id)
        for path in ["/banks/\(id)/refresh", "/banks/\(id)/disconnect"] {
            _ = try bob.get("/banks")
            #expect(try bob.post(path).status == 404)
        }
        #expect(try bob.get("/banks/connect?connection=\(id)").status == 404)
        #expect(try anna.banks().count == 1)
    }

    @Test func aUserWhoDoesNotConsentComesBackToTheChoice() throws {
        try setUp()
        let anna = try visitor("anna")
        let back = try anna.consent(at: trueLayer)
        let state = try #require(back.split(separator: "state=").last)
        let page = try anna.get("/banks/callback?error=access_denied&state=\(state)")
        #expect(page.status == 403 && page.text.contains("The consent was not given"))
        #expect(try anna.banks().isEmpty)
    }

    @Test func aProviderThatFailsIsSaidBesideTheConnection() throws {
        try setUp()
        let anna = try visitor("anna")
        _ = try anna.get(try anna.consent(at: trueLayer))
        try anna.waitForBanks()
        let id = try #require(try anna.banks().first?.id)
        for (faults, words): (@Sendable (inout StandInFaults) -> Void, String) in [
            ({ $0.status = .unavailable }, "answers with an error"),
            ({ $0.contentType = "text/html" }, "could not be read"),
            ({ ($0.status, $0.retryAfter) = (.tooManyRequests, "60") }, "accepts no more requests"),
        ] {
            trueLayer.server.fail(faults)
            _ = try anna.get("/banks")
            _ = try anna.post("/banks/\(id)/refresh")
            let page = try anna.get("/banks")
            #expect(page.text.contains(words) && page.text.contains("£1,234.56"), "\(words)")
        }
    }

    @Test func aRestartKeepsTheConnection() throws {
        try setUp()
        let anna = try visitor("anna")
        _ = try anna.get(try anna.consent(at: trueLayer))
        try anna.waitForBanks()
        try setUp()
        anna.port = Int(running.app.port)
        #expect(try anna.balances() == ["123456", "-5025"])
        // The operator removes the providers.
        try running.restart()
        anna.port = Int(running.app.port)
        #expect(try anna.get("/banks").text.contains("not set up on this server any more"))
    }

    /// Planted secrets and data of the bank are searched for wherever they must not be.
    @Test func whatTheBankSaysStaysHere() throws {
        let cloudFolder = running.folder + "-cloud"
        defer { try? FileManager.default.removeItem(atPath: cloudFolder) }
        let cloud = try running.cloud(in: cloudFolder, premiumForEveryone: true)
        defer { cloud.stop() }
        let address = cloud.url
        let logs = [CapturedLog(.text), CapturedLog(.json)]
        let (textLog, jsonLog) = (logs[0].open(), logs[1].open())
        try setUp(process: textLog) {
            $0.cloudAddress = address
            $0.metrics = MetricsPlace("127.0.0.1:0")
        }
        let anna = try visitor("anna")
        // A notice, which is stored unsealed.
        trueLayer.server.fail { $0.consentEnd = "\"2026-12-01T00:00:00Z\"" }
        let token = simpleFIN.token("planted")
        _ = try anna.get("/banks/connect")
        let back = try anna.consent(at: trueLayer)
        _ = try anna.get(back)
        let fields = [("provider", "simplefin"), ("setup_token", token)]
        _ = try anna.post("/banks/connect", fields)
        try anna.waitForBanks()
        #expect(try anna.balances().count == 3)
        // Failures, which are logged.
        let ids = try anna.banks().map(\.id)
        trueLayer.server.fail { $0.contentType = "text/html" }
        simpleFIN.server.fail { $0.status = .internalError }
        for id in ids {
            _ = try anna.get("/banks")
            _ = try anna.post("/banks/\(id)/refresh")
        }
        let errors = [
            try anna.get(back), try anna.get("/nothing"), try anna.post("/banks/connect", fields),
            try anna.post("/banks/connect", [("provider", "x")]),
            try anna.post("/banks/connect", fields + [("csrf", "aged-out")], csrf: false),
            try anna.get("/banks/callback?state=%00"),
        ]
        let tokens = [trueLayer.access, trueLayer.renewal]
        // The same with the other format of the log, and with consents that have ended.
        try setUp(process: jsonLog) {
            $0.cloudAddress = address
            $0.metrics = MetricsPlace("127.0.0.1:0")
        }
        anna.port = Int(running.app.port)
        trueLayer.server.fail { $0.hasEndedConsent = true }
        trueLayer.expire(afterAnswers: 0)
        for id in ids {
            _ = try anna.get("/banks")
            _ = try anna.post("/banks/\(id)/refresh")
        }
        #expect(try anna.get("/banks").notices == ["bank-consent-ended"])
        try until("the book is synced") {
            try anna.get("/status.json").text.contains(#""phase":"idle""#)
        }
        for log in [textLog, jsonLog] { log.flush(withinSeconds: 240) }

        var places: [(String, String)] = [
            ("log", running.log.all.joined(separator: "\n")),
            ("access log", logs[0].lines.joined(separator: "\n")),
            ("access log in JSON", logs[1].lines.joined(separator: "\n")),
            ("export", try anna.get("/export/breadly.json").text),
            ("spreadsheet", try anna.get("/export/transactions.csv").text),
            ("history", try anna.get("/history").text), ("status", try anna.get("/status.json").text),
        ]
        places += errors.enumerated().map { ("error page \($0.offset)", $0.element.text) }
        if let metrics = running.app.metricsURL,
            let port = Int(metrics.split(separator: ":")[2].prefix { $0 != "/" })
        {
            places.append(("metrics", try Visitor(port: port).get("/metrics").text))
        } else {
            Issue.record("there are no metrics")
        }
        for folder in [cloudFolder, running.folder] {
            for name in FileManager.default.subpaths(atPath: folder) ?? [] {
                guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
                places.append((name, String(decoding: bytes, as: UTF8.self)))
            }
        }
        // It is one file without compression.
        let backup = running.folder + "-backup.tar"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        _ = try Backup.write(running.folder, to: backup, dependencies: .system())
        let archive = try #require(FileManager.default.contents(atPath: backup))
        #expect(archive.count > 10_000)
        places.append(("backup", String(decoding: archive, as: UTF8.self)))
        #expect(places.contains { $0.0 == "cloud.sqlite" } && places.contains { $0.0 == "sessions.sqlite" })
        let planted =
            tokens + [
                "access-1-", "renewal-1-", "code-1-",
                TrueLayerStandIn.clientSecret,
                SimpleFINStandIn.password, token, "PLANTED", "Planted", "Club Account", "1234.56", "123456",
                "987.65",
                "98765", "credentials-", String(try #require(back.split(separator: "state=").last)),
            ]
        for log in logs { #expect(log.lines.contains { $0.contains("/banks/") }) }
        for (place, text) in places {
            for word in planted where text.contains(word) { Issue.record("\(word) is in the \(place)") }
        }
        #expect(running.log.all.contains { $0.contains("bank connection was not refreshed") })
    }
}
