// Input that no page sends: every route gets it, answers clearly, and changes nothing.
import Foundation
import TestKit
import Testing

@Suite struct BadInput {
    let server: Running

    init() throws { server = try Running() }

    @Test(arguments: [
        ("kind", "loan", "kind"), ("kind", "", "kind"), ("date", "2026-02-30", "date"),
        ("date", "yesterday", "date"),
        ("date", "", "date"), ("amount", "", "amount"), ("amount", "twelve", "amount"),
        ("amount", "1000000000000000000000000000000", "amount"), ("amount", "-5", "amount"),
        ("amount", "0", "amount"),
        ("amount", "12.345", "amount"), ("currency", "EURO", "currency"), ("currency", "XXQ", "currency"),
        ("account", "", "account"), ("account", "00000000000000000000000001", "account"),
        ("category", "nonsense", "category"), ("category", "00000000000000000000000001", "category"),
        ("payee", String(repeating: "p", count: 201), "payee"),
        ("note", String(repeating: "n", count: 2_001), "note"),
        ("tags", String(repeating: "t", count: 41), "tags"),
        ("tags", (0...20).map { "t\($0)" }.joined(separator: ","), "tags"),
    ])
    func aTransactionIsRefusedBesideTheFieldAndWhatWasTypedStays(
        field: String,
        value: String,
        refused: String
    ) throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let others = [("payee", "Corner Bakery"), ("amount", "8.40")].filter { $0.0 != field }
        let reply = try guest.record([(field, value)] + others, account: account)
        #expect(reply.status == 422)
        #expect(reply.refused == [refused])
        let typed = ["amount", "payee", "date"].contains(field) ? others + [(field, value)] : others
        for (name, value) in typed {
            #expect(reply.html.first("input", ["name": name])?["value"] == value, "\(name)")
        }
        #expect(try guest.get("/status.json").text.contains(#""transactions":0,"#))
    }

    @Test func aTransferNeedsTwoAccounts() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let same = [("kind", "transfer"), ("to_account", account)]
        #expect(try guest.record(same, account: account).refused == ["to_account"])
        #expect(try guest.record([("kind", "transfer")], account: account).refused == ["to_account"])
    }

    @Test func accountsCategoriesAndBudgetsAreRefusedBesideTheField() throws {
        let guest = try server.guest()
        let long = String(repeating: "x", count: 81)
        func refused(_ path: String, _ fields: [(String, String)]) throws -> Set<String> {
            let reply = try guest.post(path, fields)
            #expect(reply.status == 422, "\(path) \(fields)")
            return reply.refused
        }
        #expect(try refused("/accounts", []) == ["name", "type", "currency"])
        let account = [("name", long), ("type", "cash"), ("currency", "EUR"), ("opening", "much")]
        #expect(try refused("/accounts", account) == ["name", "opening"])
        #expect(try refused("/categories", []) == ["name", "kind"])
        let category = [
            ("name", "x"), ("kind", "expense"), ("icon", "bomb"), ("color", "#fff"), ("parent", "x"),
        ]
        #expect(try refused("/categories", category) == ["icon", "color", "parent"])
        #expect(try refused("/budgets", []) == ["limit", "from"])
        let budget = [("category", "x"), ("limit", "0"), ("from", "2026-13"), ("rollover", "maybe")]
        #expect(try refused("/budgets", budget).isSuperset(of: ["category", "limit", "from"]))
        #expect(
            try refused(
                "/settings/preferences",
                [
                    ("base_currency", "XXQ"), ("week_start", "friday"), ("theme", "pink"), ("locale", "tlh"),
                    ("time_zone", "Moon/Crater"), ("conflict_policy", "fight"),
                ]
            ).isSuperset(of: ["base_currency", "locale", "time_zone"])
        )
    }

    @Test(arguments: [
        ("/transactions?month=2026-13", 400), ("/transactions?kind=loan", 400),
        ("/transactions?after=x", 400),
        ("/transactions?account=x", 404), ("/transactions?category=x", 404),
        ("/transactions?month=2026-11&month=2026-12", 400),
        ("/transactions?q=%FF", 400), ("/transactions?q=a%00b", 400), ("/transactions/x", 404),
        ("/transactions/00000000000000000000000001", 404), ("/accounts/00000000000000000000000001", 404),
        ("/categories/00000000000000000000000001", 404), ("/budgets/00000000000000000000000001", 404),
        ("/budgets?month=soon", 400), ("/reports?group=mood", 400), ("/reports?from=never", 422),
        ("/reports?from=2026-12&to=2026-01", 422), ("/reports?from=0001-01&to=9999-12", 422),
        ("/nowhere", 404),
        ("/transactions/../accounts", 400), ("/%2e%2e/etc/passwd", 400),
    ])
    func anAddressThatLeadsNowhereSaysSo(path: String, status: Int) throws {
        let guest = try server.guest()
        let reply = try guest.get(path)
        #expect(reply.status == status)
        #expect(reply.header("content-type")?.hasPrefix("text/html") == true)
        #expect(reply.html.elements.contains { $0.tag == "h1" })
    }

    @Test func anotherDevicesThingsDoNotExist() throws {
        let (mine, other) = (try server.guest(), try server.guest())
        let account = try #require(try mine.accounts()["Cash"])
        _ = try mine.record(account: account)
        let id = try #require(try mine.get("/transactions").rows("transaction").first?["data-id"])
        _ = try other.get("/settings")
        #expect(try other.get("/transactions/\(id)").status == 404)
        #expect(try other.post("/transactions/\(id)/delete").status == 404)
        #expect(try other.get("/accounts/\(account)").status == 404)
        #expect(try other.post("/accounts/\(account)/delete").status == 404)
        #expect(try other.record(account: account).refused == ["account"])
        #expect(try mine.get("/transactions").rows("transaction").count == 1)
    }

    @Test func everyFormNeedsTheTokenOfItsBrowser() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let other = try server.guest()
        _ = try other.get("/settings")
        let paths = [
            "/transactions", "/accounts", "/categories", "/budgets", "/settings/preferences", "/error/retry",
            "/accounts/\(account)", "/accounts/\(account)/delete", "/onboarding/welcome",
            "/onboarding/currency",
        ]
        for path in paths {
            #expect(try guest.post(path, csrf: false).status == 403, "\(path)")
            #expect(try guest.post(path, [("csrf", other.csrf)], csrf: false).status == 403, "\(path)")
            #expect(try guest.post(path, [("csrf", "")], csrf: false).status == 403, "\(path)")
        }
        #expect(try guest.get("/accounts").rows("account").count == 3)
    }

    @Test func aFormFromElsewhereIsRefused() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.get("/settings")
        for header in [
            ("Origin", "https://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site"),
        ] {
            let reply = try guest.post("/accounts/\(account)/delete", headers: [header])
            #expect(reply.status == 403, "\(header)")
        }
        let own = [("Origin", "http://127.0.0.1:\(server.app.port)"), ("Sec-Fetch-Site", "same-origin")]
        #expect(try guest.post("/accounts/\(account)/delete", headers: own).status == 303)
    }

    @Test func aFieldThatStandsTwiceIsNotGuessedAt() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let reply = try guest.post(
            "/transactions",
            [
                ("kind", "expense"), ("date", "2026-11-21"), ("amount", "1"), ("amount", "2"),
                ("account", account),
            ]
        )
        #expect(reply.status == 400)
        #expect(try guest.get("/status.json").text.contains(#""transactions":0,"#))
    }

    @Test(arguments: ["/transactions", "/accounts", "/onboarding/welcome", "/settings/preferences"])
    func aBodyThatIsTooLargeIsNotRead(path: String) throws {
        let guest = try server.guest()
        let head = "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\n\r\n"
        #expect(try guest.exchange(Array(head.utf8)).status == 413)
        let reply = try guest.post(path, [("payee", String(repeating: "x", count: 70_000))])
        #expect(reply.status == 413)
    }

    @Test func anotherMethodNamesThoseThatAreTaken() throws {
        let guest = try server.guest()
        for (path, allow) in [
            ("/", "GET, HEAD"), ("/transactions", "GET, HEAD, POST"), ("/error/retry", "POST"),
        ] {
            let reply = try guest.send("DELETE", path, headers: [], body: [])
            #expect(reply.status == 405 && reply.header("allow") == allow, "\(path)")
        }
    }

    @Test func whatIsTypedIsOnlyEverText() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let hostile = "\"><script>alert(1)</script>{{{csrf}}}&amp;"
        _ = try guest.record([("payee", hostile), ("note", hostile), ("tags", hostile)], account: account)
        _ = try guest.post("/accounts", [("name", hostile), ("type", "cash"), ("currency", "EUR")])
        _ = try guest.post("/categories", [("name", hostile), ("kind", "expense")])
        for path in [
            "/", "/transactions", "/transactions/new", "/accounts", "/categories", "/budgets",
            "/reports?group=payee",
        ] {
            let page = try guest.get(path)
            #expect(page.status == 200)
            #expect(!page.text.contains("<script>alert"), "\(path)")
        }
    }

    @Test func everyPageCarriesTheHeadersOfSafety() throws {
        let guest = try server.guest()
        for path in ["/", "/nowhere", "/export/breadly.json", "/status.json"] {
            let reply = try guest.get(path)
            #expect(reply.header("content-security-policy")?.hasPrefix("default-src 'none'") == true)
            #expect(reply.header("x-content-type-options") == "nosniff")
            #expect(reply.header("referrer-policy") == "same-origin")
            #expect(reply.header("cross-origin-opener-policy") == "same-origin")
            #expect(reply.header("permissions-policy") != nil)
            #expect(reply.header("cache-control") == "no-store")
            #expect(reply.header("strict-transport-security") == nil)
        }
    }

    @Test func aBookThatIsFullSaysSoAndKeepsWhatWasTyped() throws {
        let server = try Running { $0.bookBytes = 600 << 10 }
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let note = String(repeating: "long note ", count: 200)
        var reply: Reply?
        for _ in 0..<600 {
            let sent = try guest.record([("note", note)], account: account)
            reply = sent
            guard sent.status == 303 else { break }
        }
        let full = try #require(reply)
        #expect(full.status == 507 && full.text.contains("Your book is full"))
        #expect(full.text.contains(note.dropLast()) && full.text.contains("/export/breadly.json"))
        #expect(try guest.get("/transactions").status == 200)
        #expect(try guest.get("/export/breadly.json").text.hasSuffix("}\n"))
    }

    @Test func aScriptThatWritesWithoutEndIsSlowedAndLosesNothing() throws {
        let server = try Running { $0.writesPerSecond = 1 }
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        var statuses: [Int] = []
        for _ in 0..<100 { statuses.append(try guest.record(account: account).status) }
        #expect(statuses.filter { $0 == 303 }.count == 97, "three forms of the onboarding were sent before")
        let refused = try guest.record([("payee", "The last one")], account: account)
        #expect(refused.status == 429 && refused.text.contains("Too many changes at once"))
        #expect(refused.text.contains("The last one"), "it comes back filled in")
        #expect(try guest.get("/transactions").status == 200, "looking is free")
        server.clock.advance(by: 3)
        #expect(try guest.record(account: account).status == 303)
    }

    @Test func anUnknownClientSendsTheCloudNothingLarge() throws {
        let server = try Running()
        let visitor = server.visitor()
        let large = Array(repeating: UInt8(ascii: " "), count: 100_000)
        func send(_ path: String, _ token: String?) throws -> Int {
            var headers = [("Content-Type", "application/json")]
            if let token { headers.append(("Authorization", "Bearer \(token)")) }
            return try visitor.send("POST", path, headers: headers, body: large).status
        }
        let invented = String(repeating: "ab", count: 32)
        for path in ["/cloud/v1/push", "/cloud/v1/sign-in", "/cloud/v1/detach", "/transactions"] {
            #expect(try send(path, nil) == 413 && send(path, invented) == 413, "\(path)")
        }
        let form =
            #"{"newAccount":{"email":"a@x.test","password":"correct horse battery"},"deviceName":"x","guest":"01m7yj5pdcbes0042j6jdhesbj"}"#
        let made = try visitor.send(
            "POST",
            "/cloud/v1/sign-in",
            headers: [("Content-Type", "application/json")],
            body: Array(form.utf8)
        )
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(made.body)) as? [String: Any])
        let token = try #require(answer["token"] as? String, "\(made.text)")
        #expect(try send("/cloud/v1/push", token) == 400, "large enough, and nonsense")
        #expect(try send("/cloud/v1/detach", token) == 413)
    }

    @Test(arguments: [("🥖", 303), ("🇦🇹", 422)])
    func aNoteHasTwoThousandCharactersAndEightKilobytes(character: String, status: Int) throws {
        let server = try Running()
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let note = String(repeating: character, count: 2_000)
        #expect(try guest.record([("note", note)], account: account).status == status)
    }

    @Test func behindATrustedProxyTheCookieIsSecure() throws {
        let server = try Running(proxies: ["127.0.0.1/32"])
        let reply = try server.visitor().get("/onboarding/welcome", headers: [("X-Forwarded-Proto", "https")])
        let cookie = try #require(reply.header("set-cookie"))
        for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Secure", "Max-Age=34560000"] {
            #expect(cookie.contains(part), "\(part)")
        }
        #expect(reply.header("strict-transport-security") == "max-age=31536000")
        #expect(
            try server.visitor().get("/onboarding/welcome").header("set-cookie")?.contains("Secure") == false
        )
    }

    @Test func theNumberOfGuestsIsLimited() throws {
        let server = try Running { $0.guests = 1 }
        _ = try server.guest()
        let visitor = server.visitor()
        _ = try visitor.get("/onboarding/welcome")
        let reply = try visitor.post("/onboarding/welcome")
        #expect(reply.status == 429)
        #expect(reply.text.contains("This server is full"))
        // A user is not refused for want of room.
        #expect(reply.html.all("a", ["href": "/sign-in"]).contains { $0.text == "Sign in" })
        #expect(try visitor.get("/sign-in").status == 200)
    }
}
