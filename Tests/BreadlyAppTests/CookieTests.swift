// Cookies over the real server: the cookies that a browser gets, and their protection against others.
import BreadlyApp
import Foundation
import HTTPServer
import TestKit
import Testing

private let password = "correct horse battery"
private let tls = [("X-Forwarded-Proto", "https")]

extension Visitor {
    /// The cookies that an answer sets, as whole lines.
    fileprivate func cookies(of reply: Reply) -> [String] {
        reply.headers.filter { $0.name == "set-cookie" }.map(\.value)
    }

    /// Another browser that knows all that this one knows.
    fileprivate func copy() -> Visitor {
        let copy = Visitor(port: port)
        (copy.cookies, copy.csrf) = (cookies, csrf)
        return copy
    }
}

@Suite struct BrowserCookies {
    private let running: Running

    init() throws { running = try Running(proxies: ["127.0.0.1/32"]) }

    /// Under the name of this server, and under a name that it may have had.
    @Test(arguments: [true, false])
    func aCookieThatSomebodyHasPlantedIsNeverTaken(underOwnName: Bool) throws {
        let victim = running.visitor()
        _ = try victim.get("/onboarding/welcome")
        let name = underOwnName ? try #require(victim.deviceCookie).name : "breadly_device"
        victim.cookies = [name: String(repeating: "ab", count: 32)]
        let attacker = victim.copy()
        _ = try victim.get("/onboarding/welcome")
        #expect(try victim.post("/onboarding/welcome").status == 303)
        #expect(victim.cookies != attacker.cookies)
        #expect(try victim.get("/onboarding/currency").status == 200)
        #expect(try attacker.get("/onboarding/currency").header("location") == "/onboarding/welcome")
    }

    @Test func whoKnowsTheCookieOfBeforeASignInIsNotSignedIn() throws {
        let anna = try running.guest()
        let other = anna.copy()
        _ = try anna.get("/sign-in")
        #expect(
            try anna.post("/sign-up", [("email", "anna@x.test"), ("password", password)]).status == 303
        )
        #expect(try anna.get("/").status == 200)
        #expect(try other.get("/").header("location") == "/onboarding/welcome")
        let later = anna.copy()
        _ = try anna.get("/sign-out")
        let phrase = "I understand that all my data will be permanently lost"
        #expect(try anna.post("/sign-out", [("confirm", phrase)]).status == 303)
        #expect(try anna.get("/").header("location") == "/onboarding/welcome")
        #expect(anna.cookies != later.cookies)
        #expect(try later.get("/onboarding/currency").header("location") == "/onboarding/welcome")
    }

    @Test func aBrowserThatNeverLearntOfItsSignInIsToldSoAndOpensItsBook() throws {
        let anna = try running.guest()
        _ = try anna.record(account: try #require(try anna.accounts()["Cash"]))
        let sent = anna.copy()
        _ = try sent.get("/sign-in")
        let words = "You have signed in, but the answer did not reach this browser."
        #expect(try !anna.get("/onboarding/welcome").text.contains(words))
        try sent.signUp()
        // The answer is lost: the browser has the cookie of before, which opens no book.
        #expect(try anna.get("/").header("location") == "/onboarding/welcome")
        let page = try anna.get("/onboarding/welcome")
        #expect(page.text.contains(words) && page.text.contains("href=\"/sign-in\""))
        #expect(!page.text.contains("anna@x.test"), "the cookie may be known to others")
        try anna.signIn()
        #expect(try anna.get("/transactions").rows("transaction").count == 1)
    }

    @Test func aSignInFormThatIsSentTwiceMakesOneDevice() throws {
        let anna = try running.guest()
        _ = try anna.get("/sign-in")
        _ = try anna.post("/sign-up", [("email", "anna@x.test"), ("password", password)])
        let second = running.visitor()
        let once = try #require(try second.get("/sign-in").html.hidden("once"))
        let (first, again) = (second.copy(), second.copy())
        let fields = [("email", "anna@x.test"), ("password", password), ("once", once)]
        for browser in [first, again] { #expect(try browser.post("/sign-in", fields).status == 303) }
        #expect(first.cookies == again.cookies && first.cookies != second.cookies)
        // A session that the second answer has made in vain ends on the cloud a moment later.
        try until("one device more") { try anna.get("/settings/devices").rows("device").count == 2 }
    }

    @Test func overTLSACookieIsBoundToThisHost() throws {
        let visitor = running.visitor()
        let reply = try visitor.get("/onboarding/welcome", headers: tls)
        let line = try #require(visitor.cookies(of: reply).first)
        #expect(line.hasPrefix("__Host-breadly_device-") && line.contains("; Path=/;"))
        #expect(line.contains("; Secure") && line.contains("; HttpOnly") && line.contains("; SameSite=Lax"))
        #expect(!line.contains("Domain"))
        _ = try visitor.post("/onboarding/welcome", headers: tls)
        #expect(try visitor.get("/onboarding/currency", headers: tls).status == 200)
        let bound = try #require(visitor.deviceCookie)
        for name in [String(bound.name.dropFirst("__Host-".count)), "breadly_device"] {
            let victim = running.visitor()
            victim.cookies[name] = bound.value
            #expect(try victim.get("/onboarding/currency", headers: tls).status == 303, "\(name): planted")
            #expect(try victim.get("/onboarding/currency").status == 303, "\(name): planted")
            #expect(try victim.cookies(of: victim.get("/onboarding/welcome", headers: tls)).isEmpty)
        }
    }

    @Test func whoComesOverTLSForTheFirstTimeKeepsTheirBook() throws {
        let anna = try running.guest()
        let page = try anna.get("/accounts", headers: tls)
        #expect(page.status == 200 && anna.cookies.keys.contains { $0.hasPrefix("__Host-breadly_device-") })
        #expect(try anna.get("/accounts", headers: tls).status == 200)
    }

    @Test func aFormThatMeetsTheRotationIsCarriedOut() throws {
        let anna = try running.guest()
        let account = try #require(try anna.accounts()["Cash"])
        _ = try anna.get("/transactions/new")
        let before = anna.cookies
        running.clock.advance(by: 31 * 86_400)
        let kept = [("date", "2026-12-20")]
        #expect(try anna.record(kept, account: account).status == 303)
        #expect(anna.cookies != before)
        // Another tab was open since then.
        #expect(try anna.record(kept, account: account).status == 303)
        #expect(try anna.get("/transactions").rows("transaction").count == 2)
    }

    @Test func anAnswerThatHasToWaitCarriesTheNewCookie() throws {
        let anna = try running.guest()
        let before = anna.cookies
        running.clock.advance(by: 31 * 86_400)
        #expect(try anna.get("/export/breadly.json").status == 200)
        #expect(anna.cookies != before)
        #expect(try anna.get("/accounts").status == 200)
    }

    @Test func aGuestWhoNeverCameBackIsForgotten() throws {
        let visitor = running.visitor()
        _ = try visitor.get("/onboarding/welcome")
        _ = try visitor.post("/onboarding/welcome")
        running.clock.advance(by: 2 * 86_400)
        try running.restart()
        visitor.port = Int(running.app.port)
        try until("it is forgotten") { running.log.all.contains { $0.contains("forgotten: 1 idle guest") } }
        #expect(try visitor.get("/onboarding/currency").header("location") == "/onboarding/welcome")
    }
}

/// Browsers send the cookies of a host to each of its ports.
@Suite struct ServersOnOtherPorts {
    @Test(arguments: [[], tls])
    func keepEachTheirBook(headers: [(String, String)]) throws {
        let servers = try (0..<3).map { _ in try Running(proxies: ["127.0.0.1/32"]) }
        let browser = servers[0].visitor()
        for server in servers {
            browser.port = Int(server.app.port)
            _ = try browser.get("/onboarding/welcome", headers: headers)
            #expect(try browser.post("/onboarding/welcome", headers: headers).status == 303)
        }
        for server in servers.reversed() {
            browser.port = Int(server.app.port)
            #expect(try browser.get("/onboarding/currency", headers: headers).status == 200)
        }
        #expect(browser.cookies.count == 3)
    }

    /// The name of a cookie had no mark, or has that of an earlier `secret.key`.
    @Test(arguments: [
        ("", "breadly_device", false), ("", "breadly_device-01234567", false),
        ("", "__Host-breadly_device", true),
        ("/a/b", "breadly_device.a.b", false), ("/a/b", "__Secure-breadly_device.a.b", true),
        ("/a/b", "breadly_device", false), ("/a/b", "__Host-breadly_device", true),
        ("/a/b", "__Host-breadly_device-01234567", true),
    ])
    func findTheBookOfACookieWithAnEarlierName(base: String, former: String, isSecure: Bool) throws {
        let running = try Running()
        try running.move(below: base) { $0.trustedProxies = TrustedProxies(["127.0.0.1/32"]) ?? .none }
        let headers = isSecure ? tls : []
        let anna = running.visitor()
        _ = try anna.get("/onboarding/welcome", headers: headers)
        #expect(try anna.post("/onboarding/welcome", headers: headers).status == 303)
        let own = try #require(anna.deviceCookie)
        // The other server of the host has put its own cookie beside it.
        let foreign = former.hasSuffix("device") ? former + "-fedcba98" : former.dropLast(8) + "fedcba98"
        anna.cookies = [former: own.value, String(foreign): String(repeating: "cd", count: 32)]
        #expect(try anna.get("/onboarding/currency", headers: headers).status == 200)
        let renewed = try #require(anna.cookies[own.name])
        #expect(renewed != own.value)
        anna.cookies = [own.name: renewed, former: String(repeating: "ef", count: 32)]
        #expect(try anna.get("/onboarding/currency", headers: headers).status == 200, "its own comes first")
    }
}

@Suite struct AFullHouse {
    @Test func takesUsersAndNoMoreGuests() throws {
        let running = try Running { $0.guests = 1 }
        let anna = try running.guest()
        let ben = running.visitor()
        _ = try ben.get("/onboarding/welcome")
        let refused = try ben.post("/onboarding/welcome")
        #expect(refused.status == 429)
        _ = try ben.get("/sign-in")
        let fields = [("email", "ben@x.test"), ("password", password)]
        #expect(try ben.post("/sign-up", fields).status == 303)
        #expect(try ben.get("/onboarding/currency").status == 200)
        #expect(try anna.get("/").status == 200)
    }
}
