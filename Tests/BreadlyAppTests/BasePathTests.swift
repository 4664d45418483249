// A server that shares its host: every address that it gives away is below its path.
import BreadlyApp
import Foundation
import HTTPServer
import Identity
import TestKit
import Testing

private let tls = [("X-Forwarded-Proto", "https")]
private let namesOfAddresses = [
    "href", "action", "src", "formaction", "data-events", "data-health", "data-new", "data-search",
    "data-help", "data-action", "data-page", "data-draw",
]

extension HTMLElement {
    /// The addresses in its attributes, but for those of elements of the same page.
    fileprivate var addresses: [String] {
        let places = self["data-places"]?.split(whereSeparator: \.isWhitespace).map {
            String($0.dropFirst(2))
        }
        return ((places ?? []) + namesOfAddresses.compactMap { self[$0] }).filter { !$0.hasPrefix("#") }
    }
}

extension Visitor {
    fileprivate func signUp(_ email: String) throws {
        _ = try get("/sign-in")
        let fields = [("email", email), ("password", "correct horse battery")]
        try #require(try post("/sign-up", fields).status == 303)
    }

    /// The cookies that an answer sets, as whole lines.
    fileprivate func cookieLines(_ path: String, headers: [(String, String)] = []) throws -> [String] {
        try get(path, headers: headers).headers.filter { $0.name == "set-cookie" }.map(\.value)
    }
}

/// Follows every link from some pages on.
private struct Crawler {
    let visitor: Visitor
    let base: String
    private(set) var seen: Set<String> = []
    private(set) var forms: Set<String> = []

    init(_ visitor: Visitor) {
        self.visitor = visitor
        base = visitor.base
        // The addresses in its pages include the base path already.
        visitor.base = ""
    }

    mutating func crawl(_ paths: [String]) throws {
        var open = paths.map { base + $0 }
        while let path = open.popLast() {
            // A stream of events does not end.
            guard seen.insert(path).inserted, !path.hasPrefix(base + "/events"), seen.count < 400 else {
                continue
            }
            let reply = try visitor.get(path)
            let isMissing = path.hasSuffix("/nowhere") || path.hasSuffix("/transactions/0")
            #expect([200, 303].contains(reply.status) || isMissing, "\(path) answers \(reply.status)")
            if let location = reply.header("location") { try follow(location, from: path, &open) }
            guard reply.header("content-type")?.hasPrefix("text/html") == true else { continue }
            for element in reply.html.elements {
                // A button and the script send forms to other addresses as well.
                let isForm =
                    element.tag == "form" && element["method"] == "post" || element["formaction"] != nil
                    || element["data-action"] != nil
                for address in element.addresses.map({ resolved($0, on: path) }) {
                    if isForm {
                        try expectInside(address, path)
                        forms.insert(String(address.prefix { $0 != "#" }))
                    } else {
                        try follow(address, from: path, &open)
                    }
                }
            }
        }
    }

    private func expectInside(_ address: String, _ page: String) throws {
        #expect(address.hasPrefix(base + "/") && !address.hasPrefix(base + base), "\(address) of \(page)")
    }

    private func follow(_ address: String, from page: String, _ open: inout [String]) throws {
        try expectInside(address, page)
        open.append(String(address.prefix { $0 != "#" }))
    }
}

@Suite struct BelowAPath {
    private let running: Running

    init() throws {
        running = try Running()
        try running.move(below: "/home/breadly") { $0.premiumForEveryone = true }
    }

    @Test func everythingThatAnUnknownClientFindsIsBelowIt() throws {
        var crawler = Crawler(running.visitor())
        try crawler.crawl(["/", "/nowhere", "/sign-in", "/status", "/transactions/0"])
        #expect(crawler.seen.contains("/home/breadly/onboarding/welcome") && crawler.forms.count > 2)
    }

    @Test func everythingAGuestFindsIsBelowIt() throws {
        let guest = try running.guest()
        let account = try #require(try guest.accounts()["Cash"])
        for number in 0..<55 { _ = try guest.record([("payee", "P\(number)")], account: account) }
        _ = try guest.post("/budgets", [("limit", "100"), ("from", "2026-11")])
        var crawler = Crawler(guest)
        try crawler.crawl(["/", "/nowhere", "/help", "/settings", "/export/breadly.json"])
        #expect(crawler.seen.count > 100 && crawler.forms.count > 20)
        for action in crawler.forms {
            #expect(try guest.post(action, csrf: false).status == 403, "\(action)")
        }
    }

    @Test func everythingAUserFindsIsBelowIt() throws {
        let user = try running.guest()
        try user.signUp("anna@x.test")
        let account = try #require(try user.accounts()["Cash"])
        _ = try user.record(account: account)
        var crawler = Crawler(user)
        try crawler.crawl([
            "/", "/sync", "/sync/review", "/settings/devices", "/settings/password", "/subscription",
            "/sign-out",
            "/account/delete", "/history", "/download",
        ])
        #expect(crawler.seen.count > 40)
        #expect(crawler.forms.count > 8)
        for action in crawler.forms { #expect(try user.post(action, csrf: false).status == 403, "\(action)") }
    }

    @Test func afterAFormTheBrowserIsStillBelowIt() throws {
        let guest = try running.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let added = try guest.record(account: account)
        #expect(added.header("location")?.hasPrefix("/home/breadly/transactions?month=2026-11#t") == true)
        let list = try guest.get("/transactions")
        let undo = try #require(
            list.html.elements.first { $0["action"]?.hasSuffix("/delete") == true }?["action"]
        )
        #expect(undo.hasPrefix("/home/breadly/transactions/"), "the way back of a toast")
        let row = try #require(list.rows("transaction").first?["data-id"])
        func from(_ page: String) -> [(String, String)] {
            [("Referer", "http://127.0.0.1:\(guest.port)\(page)"), ("Sec-Fetch-Site", "same-origin")]
        }
        let edit = try guest.get("/transactions/\(row)", headers: from("/home/breadly/transactions?q=Bakery"))
        #expect(edit.html.hidden("back") == "/transactions?q=Bakery")
        #expect(edit.html.elements.contains { $0["href"] == "/home/breadly/transactions?q=Bakery" })
        let elsewhere = try guest.get("/transactions/\(row)", headers: from("/transactions?q=Bakery"))
        #expect(elsewhere.html.hidden("back") == nil, "outside of the path is another app")
        for back in [
            "//evil.example/", "https://evil.example/", "/home/breadly/transactions", "/\\evil.example",
        ] {
            let reply = try guest.post("/transactions/\(row)", [("payee", back), ("back", back)])
            let location = try #require(reply.header("location"))
            #expect(location.hasPrefix("/home/breadly/transactions?month=2026-11#t"), "\(back)")
        }
    }

    @Test func onlyTheServersOwnAddressesAreAnsweredOutside() throws {
        let visitor = running.visitor()
        visitor.base = ""
        for path in ["/", "/transactions", "/onboarding/welcome", "/static/app.css", "/home/"] {
            let reply = try visitor.get(path)
            #expect(reply.status == 404 && reply.text.contains("below /home/breadly/ only"), "\(path)")
            #expect(!reply.headers.contains { $0.name == "set-cookie" })
        }
        #expect(try visitor.get("/home/breadly").header("location") == "/home/breadly/")
        for path in ["/healthz", "/readyz", "/home/breadly/healthz", "/home/breadly/readyz"] {
            #expect(try visitor.get(path).status == 200, "\(path)")
        }
        for path in ["/cloud/v1/account", "/home/breadly/cloud/v1/account"] {
            #expect(try visitor.get(path).status == 401, "\(path)")
        }
    }

    @Test func itsCloudIsReachedBelowItAndAtTheRoot() throws {
        for (number, path) in ["", "/home/breadly"].enumerated() {
            let elsewhere = try Running()
            let address = "http://127.0.0.1:\(running.app.port)\(path)"
            try elsewhere.restart { $0.cloudAddress = address }
            let anna = try elsewhere.guest()
            try anna.signUp("anna\(number)@x.test")
            #expect(try anna.get("/settings").text.contains("anna\(number)@x.test"))
        }
    }

    @Test func theProviderSendsTheBrowserBackBelowIt() throws {
        var settings = Configuration()
        settings.port = 0
        let issuer = try Server(settings) { request in
            let own = "http://\(request.host)"
            return .text(
                .ok,
                #"{"issuer":"\#(own)","authorization_endpoint":"\#(own)/a","token_endpoint":"\#(own)/t","#
                    + #""jwks_uri":"\#(own)/k","response_types_supported":["code"],"#
                    + #""id_token_signing_alg_values_supported":["RS256"]}"#
            )
        }
        let address = "http://127.0.0.1:\(issuer.port)"
        try running.move(below: "/home/breadly") {
            $0.provider = .init(issuer: address, id: "breadly", secret: nil, name: "Id")
        }
        let visitor = running.visitor()
        let reply = try visitor.get("/sign-in/oidc", headers: [("Sec-Fetch-Site", "same-origin")])
        let location = try #require(reply.header("location"))
        #expect(location.hasPrefix(address + "/a?"))
        let query = URLComponents(string: location)?.queryItems ?? []
        let redirect = query.first { $0.name == "redirect_uri" }?.value
        #expect(redirect == "http://127.0.0.1/home/breadly/sign-in/callback")
        let cookies = reply.headers.filter { $0.name == "set-cookie" }.map(\.value)
        #expect(
            cookies.contains {
                $0.hasPrefix("breadly_sign_in-") && $0.contains("; Path=/home/breadly/sign-in;")
            }
        )
        issuer.stop(withinSeconds: 0)
    }

    @Test func requestsAreCountedByTheirRouteWithoutIt() throws {
        try running.move(below: "/home/breadly") { $0.metrics = MetricsPlace("127.0.0.1:0") }
        let visitor = running.visitor()
        _ = try visitor.get("/transactions/new")
        let outside = running.visitor()
        outside.base = ""
        _ = try outside.get("/transactions/new")
        _ = try outside.get("/healthz")
        let address = try #require(running.app.metricsURL)
        let url = try #require(URL(string: address))
        let metrics = Visitor(port: try #require(url.port))
        let text = try metrics.get("/metrics").text
        func line(_ route: String, _ status: Int) -> String {
            #"breadly_http_requests_total{route="\#(route)",method="GET",status="\#(status)"} 1"#
        }
        for expected in [line("/transactions/new", 303), line("other", 404), line("/healthz", 200)] {
            #expect(text.contains(expected), "\(expected)")
        }
        #expect(!text.contains("/home/breadly"))
    }
}

@Suite struct CookiesBelowAPath {
    private let running: Running

    init() throws { running = try Running() }

    private func move(below base: String) throws {
        try running.move(below: base) { $0.trustedProxies = TrustedProxies(["127.0.0.1/32"]) ?? .none }
    }

    @Test func aCookieIsForThePathAlone() throws {
        try move(below: "/a/b")
        let line = try #require(try running.visitor().cookieLines("/onboarding/welcome").first)
        #expect(
            line.hasPrefix("breadly_device.a.b-") && line.contains("; Path=/a/b/;")
                && !line.contains("Secure")
        )
    }

    @Test func overTLSItSaysSoWithoutWantingTheWholeHost() throws {
        try move(below: "/a/b")
        let visitor = running.visitor()
        let line = try #require(try visitor.cookieLines("/onboarding/welcome", headers: tls).first)
        #expect(line.hasPrefix("__Secure-breadly_device.a.b-") && line.contains("; Path=/a/b/;"))
        #expect(line.contains("; Secure") && line.contains("; HttpOnly") && line.contains("; SameSite=Lax"))
        _ = try visitor.post("/onboarding/welcome", headers: tls)
        #expect(try visitor.get("/onboarding/currency", headers: tls).status == 200)
        let bound = try #require(visitor.deviceCookie)
        let other = running.visitor()
        other.cookies[String(bound.name.dropFirst("__Secure-".count))] = bound.value
        #expect(try other.get("/onboarding/currency").status == 303, "planted by its owner")
    }

    @Test func aServerThatMovesBelowAPathKeepsItsBooks() throws {
        let anna = try running.guest()
        let cookies = anna.cookies
        try move(below: "/breadly")
        (anna.port, anna.base) = (Int(running.app.port), running.base)
        #expect(try anna.get("/accounts").rows("account").count == 3)
        for name in cookies.keys { anna.cookies[name] = nil }
        #expect(anna.deviceCookie?.name.hasPrefix("breadly_device.breadly-") == true)
        #expect(try anna.get("/accounts").rows("account").count == 3)
        // The cookie of before lives a minute longer than the first use of the new one, for what is under way.
        running.clock.advance(by: 61)
        try running.restart()
        let back = running.visitor()
        (back.base, back.cookies) = ("", cookies)
        #expect(try back.get("/accounts").status == 303, "the cookie of before is replaced")
    }

    /// Below a path, the storage of the origin is that of other apps too.
    @Test(arguments: [("", #""cache", "storage""#), ("/breadly", #""cache""#)])
    func theEndOfASessionEmptiesNoStorageOfOtherApps(base: String, kinds: String) throws {
        try move(below: base)
        let anna = try running.guest()
        try anna.signUp()
        _ = try anna.get("/sign-out")
        let phrase = "I understand that all my data will be permanently lost"
        let answer = try anna.post("/sign-out", [("confirm", phrase)])
        #expect(answer.status == 303 && answer.header("clear-site-data") == kinds)
        #expect(try anna.get("/onboarding/welcome").header("clear-site-data") == kinds)
    }

    @Test func serversOfOneHostDoNotShareSessions() throws {
        let other = try Running()
        let anna = try other.guest()
        try move(below: "/breadly")
        // A browser sends the cookie of the server at / here too.
        let visitor = running.visitor()
        visitor.cookies = anna.cookies
        #expect(try visitor.get("/accounts").header("location") == "/breadly/onboarding/welcome")
        #expect(
            try visitor.cookieLines("/onboarding/welcome").first?.hasPrefix("breadly_device.breadly-") == true
        )
        let theirs = try #require(anna.deviceCookie)
        #expect(visitor.cookies[theirs.name] == theirs.value)
        _ = try visitor.post("/onboarding/welcome")
        #expect(try visitor.get("/onboarding/currency").status == 200)
        #expect(try anna.get("/accounts").rows("account").count == 3)
    }
}

@Suite struct ThePublicAddress {
    @Test(arguments: [
        ("https://budget.example.org", "https://budget.example.org", ""),
        ("https://budget.example.org/", "https://budget.example.org", ""),
        ("http://localhost:8080/breadly/", "http://localhost:8080/breadly", "/breadly"),
        ("https://home.example/apps/breadly//", "https://home.example/apps/breadly", "/apps/breadly"),
    ])
    func losesTheSlashAtItsEnd(text: String, address: String, base: String) throws {
        let read = try PublicAddress(text)
        #expect(read.text == address && read.base.text == base)
    }

    @Test(arguments: [
        "nonsense", "ftp://a.example", "https://", "https://a.example?x", "https://a.example/b?x",
        "https://a.example/b#x", "https://anna@a.example/b", "https://a.example/a/../b",
        "https://a.example/a//b",
        "https://a.example/%62", "https://a.example/a b", "https://a.example/ä", "https://a.example/readyz",
    ])
    func ofAnotherKindIsRefused(text: String) {
        #expect(throws: AppError.self) { try PublicAddress(text) }
    }
}
