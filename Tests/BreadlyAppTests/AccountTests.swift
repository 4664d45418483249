// Signing in, out and away, over the real server: each path of the tables, and what is sent to break them.
import BreadlyApp
import Foundation
import GRDB
import TestKit
import Testing

private let password = "correct horse battery"

extension Visitor {
    /// Makes an account.
    fileprivate func signUp(_ name: String) throws -> Reply {
        _ = try get("/sign-in")
        return try post("/sign-up", [("email", "\(name)@x.test"), ("password", password)])
    }

    fileprivate func signIn(_ name: String, _ password: String = password) throws -> Reply {
        _ = try get("/sign-in")
        return try post("/sign-in", [("email", "\(name)@x.test"), ("password", password)])
    }

    /// State and tier, as the page says once a sign-in is verified.
    fileprivate func stateAndTier() throws -> String {
        // Without a page, so that no message is used up.
        _ = try send("HEAD", "/", headers: [], body: [])
        let page = try get("/status")
        return "\(page.html.body("data-state") ?? "") \(page.html.body("data-tier") ?? "")"
    }
}

private let allIsLost = "I understand that all my data will be permanently lost"

@Suite struct SigningIn {
    @Test func aGuestTakesEverythingAlongIntoANewAccount() throws {
        let running = try Running()
        let anna = try running.guest()
        _ = try anna.record(account: try #require(try anna.accounts()["Cash"]))
        let cookie = anna.deviceCookie?.value
        let reply = try anna.signUp("anna")
        #expect(reply.status == 303 && reply.header("location") == "/")
        #expect(anna.deviceCookie?.value != cookie, "another cookie")
        #expect(try anna.stateAndTier() == "local_only free")
        #expect(try anna.get("/transactions").rows("transaction").count == 1)
        #expect(try anna.get("/settings").text.contains("Signed in as anna@x.test."))
        let status = try anna.get("/status.json").text
        #expect(status.contains(#""tier":"free""#) && status.contains(#""email":"anna@x.test""#))
    }

    @Test func aGuestWhoListensForNewsMeanwhileGetsInAsWell() throws {
        let running = try Running()
        let anna = try running.guest()
        let wire = try Wire(port: Int(running.app.port))
        let cookies = anna.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        wire.send("GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookies)\r\n\r\n")
        #expect(wire.receive(until: "event: status").contains("event: status"))
        #expect(try anna.signUp("anna").status == 303)
        #expect(try anna.stateAndTier() == "local_only free")
        wire.finish()
    }

    @Test func onlyAGuestIsRemindedOfWhatIsNotBackedUp() throws {
        let running = try Running()
        let anna = try running.guest()
        _ = try anna.signUp("anna")
        let account = try #require(try anna.accounts()["Cash"])
        for _ in 0..<5 { _ = try anna.record(account: account) }
        let page = try anna.get("/transactions")
        #expect(page.rows("transaction").count == 5 && !page.text.contains("backed up. Sign in"))
        #expect(page.text.contains("You are signed in, but your data is NOT backed up to the cloud."))
    }

    @Test func theOldCookieDiesWithinAMinuteAndShowsNothing() throws {
        let running = try Running()
        let anna = try running.guest()
        let old = anna.cookies
        _ = try anna.signUp("anna")
        _ = try anna.get("/")
        running.clock.advance(by: 61)
        let thief = running.visitor()
        thief.cookies = old
        #expect(try thief.get("/settings").header("location") == "/onboarding/welcome")
    }

    @Test func aNewAccountFromTheWelcomePageGoesOnWithTheOnboarding() throws {
        let running = try Running()
        let anna = running.visitor()
        #expect(try anna.get("/sign-in").status == 200)
        _ = try anna.signUp("anna")
        #expect(try anna.get("/").header("location") == "/onboarding/currency")
        #expect(try anna.stateAndTier() == "onboarding free")
        #expect(try anna.get("/sign-in").header("location") == "/onboarding/currency", "signed in already")
        _ = try anna.get("/onboarding/currency")
        _ = try anna.post("/onboarding/currency", [("currency", "EUR")])
        _ = try anna.post("/onboarding/secondary")
        _ = try anna.post("/onboarding/calendar", [("week_start", "monday")])
        #expect(try anna.stateAndTier() == "local_only free")
        #expect(try anna.accounts().count == 3)
    }

    @Test func anExistingAccountIsAnnouncedReplacesTheBookAndSkipsTheOnboarding() throws {
        let running = try Running()
        _ = try running.guest().signUp("anna")
        let other = try running.guest()
        _ = try other.record(account: try #require(try other.accounts()["Cash"]))
        let page = try other.get("/sign-in")
        #expect(page.text.contains("You have 1 entry on this device."))
        #expect(page.text.contains("/export/breadly.json"))
        _ = try other.signIn("anna")
        let home = try other.get("/")
        #expect(home.notices == ["no-cloud-backup"])
        #expect(
            home.text.contains("No cloud backup found. Your data is stored locally on your other device.")
        )
        #expect(try other.get("/transactions").rows("transaction").isEmpty)
        let third = running.visitor()
        _ = try third.signIn("anna")
        #expect(try third.stateAndTier() == "local_only free", "no onboarding")
    }

    @Test func anAddressIsOnePersonsHoweverItIsWritten() throws {
        let running = try Running()
        _ = try running.guest().signUp("anna")
        let other = try running.guest()
        _ = try other.get("/sign-in")
        let taken = try other.post("/sign-up", [("email", " ANNA@X.test "), ("password", password)])
        #expect(taken.status == 422 && taken.refused == ["email"])
        _ = try other.post("/sign-in", [("email", "ANNA@x.TEST"), ("password", password)])
        #expect(try other.stateAndTier() == "local_only free")
    }

    @Test(arguments: [
        ("/sign-up", "", password, "email"), ("/sign-up", "nobody", password, "email"),
        ("/sign-up", "a@b@c", password, "email"), ("/sign-up", "a@x.test", "", "password"),
        ("/sign-up", "a@x.test", "123456789", "password"),
        ("/sign-up", "a@x.test", String(repeating: "x", count: 1_025), "password"),
        ("/sign-in", "", "", "password"), ("/sign-in", "anna@x.test", "wrong wrong", "password"),
        ("/sign-in", "nobody@x.test", password, "password"),
        ("/sign-in", "anna@x.test", String(repeating: "x", count: 5_000), "password"),
    ])
    func whatIsTypedWrongIsSaidBesideItsField(path: String, email: String, password: String, field: String)
        throws
    {
        let running = try Running()
        _ = try running.guest().signUp("anna")
        let guest = try running.guest()
        _ = try guest.get("/sign-in")
        let reply = try guest.post(path, [("email", email), ("password", password)])
        #expect(reply.status == 422 && reply.refused == [field])
        #expect(
            !reply.text.contains("value=\"\(password)\"") || password.isEmpty,
            "a password is never shown"
        )
        #expect(try guest.stateAndTier() == "local_only guest")
    }

    @Test func aWrongAddressAndAWrongPasswordReadTheSame() throws {
        let running = try Running()
        _ = try running.guest().signUp("anna")
        let guest = try running.guest()
        let words = try ["anna", "nobody"].map { name in
            let reply = try guest.signIn(name, "wrong wrong wrong")
            return reply.html.elements.first { $0["role"] == "alert" }?.text
        }
        #expect(words[0] == words[1] && words[0] != nil)
    }

    @Test func guessingIsSlowedDownForEverybodyWhoTries() throws {
        let running = try Running()
        _ = try running.guest().signUp("anna")
        let guest = try running.guest()
        for _ in 0..<6 { _ = try guest.signIn("anna", "wrong wrong wrong") }
        let refused = try guest.signIn("anna")
        #expect(refused.status == 429 && refused.text.contains("too many wrong attempts"))
        running.clock.advance(by: 60)
        #expect(try guest.signIn("anna").status == 303)
    }

    @Test func oneAddressMakesNoEndOfAccounts() throws {
        let running = try Running()
        func make(_ number: Int) throws -> Reply {
            let visitor = running.visitor()
            _ = try visitor.get("/sign-in")
            let fields = [("email", "n\(number)@x.test"), ("password", password)]
            return try visitor.post("/sign-up", fields)
        }
        for number in 0..<20 { #expect(try make(number).status == 303, "\(number)") }
        let refused = try make(20)
        #expect(refused.status == 429 && refused.refused == ["email"])
        // No attempt was wrong, and nothing bans the address for one.
        #expect(refused.text.contains("Many accounts were created from your network in a short time."))
        #expect(!refused.text.contains("wrong attempts"))
        #expect(running.log.all(.warning).allSatisfy { !$0.contains("sign-in refused") })
        running.clock.advance(by: 60)
        #expect(try make(21).status == 303, "slower and slower, and never for good")
    }

    @Test func formsOfSomebodyElseAreRefused() throws {
        let running = try Running()
        let guest = try running.guest()
        _ = try guest.get("/sign-in")
        let fields = [("email", "anna@x.test"), ("password", password)]
        #expect(try guest.post("/sign-up", fields, csrf: false).status == 403)
        let foreign = [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")]
        #expect(try guest.post("/sign-up", fields, headers: foreign).status == 403)
        #expect(try guest.stateAndTier() == "local_only guest")
        for path in ["/sign-up", "/sign-out", "/account/delete", "/settings/sync", "/verifying/cancel"] {
            let reply = try guest.send("POST", path, headers: [], body: [])
            #expect([303, 403].contains(reply.status), "\(path)")
        }
    }

    @Test func aLinkFromElsewhereDoesNotLeadPastThePage() throws {
        let running = try Running()
        try running.restart {
            $0.provider = .init(issuer: "http://127.0.0.1:1", id: "breadly", secret: nil, name: "Nobody")
        }
        let guest = try running.guest()
        let host = "127.0.0.1:\(guest.port)"
        for headers in [
            [], [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "none")],
            [("Referer", "https://evil.example/")], [("Referer", "http://evil.example/\(host)/")],
            [("Referer", "http://\(host)/sign-in"), ("Sec-Fetch-Site", "cross-site")],
        ] {
            #expect(
                try guest.get("/sign-in/oidc", headers: headers).header("location") == "/sign-in",
                "\(headers)"
            )
        }
        for headers in [[("Sec-Fetch-Site", "same-origin")], [("Referer", "http://\(host)/sign-in")]] {
            let reply = try guest.get("/sign-in/oidc", headers: headers)
            #expect(reply.status == 503 && reply.text.contains("Nobody cannot be reached"))
        }
    }

    @Test func aForgedAnswerOfAProviderIsNoSignIn() throws {
        let running = try Running()
        try running.restart {
            $0.provider = .init(issuer: "http://127.0.0.1:1", id: "breadly", secret: nil, name: "Nobody")
        }
        let guest = try running.guest()
        // The name ends as that of the device's cookie.
        let device = try #require(guest.deviceCookie)
        let name = device.name.replacing("breadly_device", with: "breadly_sign_in")
        for cookie in ["", "x", String(repeating: "0", count: 400), device.value] {
            guest.cookies[name] = cookie
            let reply = try guest.get("/sign-in/callback?state=x&code=y")
            #expect(reply.status == 400 && reply.text.contains("in another browser"), "\(cookie)")
        }
        #expect(try guest.stateAndTier() == "local_only guest")
    }

    @Test func nobodySignsInTwice() throws {
        let running = try Running()
        let anna = try running.guest()
        _ = try anna.signUp("anna")
        _ = try running.guest().signUp("bob")
        _ = try anna.get("/settings")
        #expect(
            try anna.post("/sign-in", [("email", "bob@x.test"), ("password", password)]).header("location")
                == "/settings"
        )
        #expect(try anna.get("/settings").text.contains("anna@x.test"))
    }

    @Test func aClosedServerTakesOnlyThoseWhomItKnows() throws {
        let running = try Running { _ in }
        _ = try running.guest().signUp("anna")
        try running.restart { $0.acceptsNewAccounts = false }
        let guest = try running.guest()
        let page = try guest.get("/sign-in")
        #expect(!page.text.contains("/sign-up") && page.text.contains("does not accept new accounts"))
        #expect(try guest.post("/sign-up", [("email", "b@x.test"), ("password", password)]).status == 403)
        #expect(try guest.signIn("anna").status == 303)
    }

    @Test func aServerWithoutGuestsAsksForAnAccountFirst() throws {
        let running = try Running()
        try running.restart { $0.guests = false }
        let visitor = running.visitor()
        let page = try visitor.get("/onboarding/welcome")
        #expect(page.text.contains("/sign-in") && !page.text.contains("Get started"))
        _ = try visitor.get("/sign-in")
        #expect(try visitor.post("/onboarding/welcome").header("location") == "/sign-in")
        _ = try visitor.signUp("anna")
        #expect(try visitor.get("/").header("location") == "/onboarding/currency")
    }

    @Test func whoeverSignsInIsPremiumWhereTheOperatorSaysSo() throws {
        let running = try Running()
        try running.restart { $0.premiumForEveryone = true }
        let anna = try running.guest()
        _ = try anna.signUp("anna")
        let home = try anna.get("/")
        #expect(home.html.body("data-tier") == "premium" && home.toasts == ["premium-activated"])
        #expect(try anna.get("/subscription").text.contains("Everyone who signs in on this server"))
    }
}

@Suite struct SigningOut {
    private func user(_ running: Running, _ name: String = "anna") throws -> Visitor {
        let visitor = try running.guest()
        try #require(try visitor.signUp(name).status == 303)
        return visitor
    }

    @Test func whatIsLostMustBeTypedLetterByLetter() throws {
        let running = try Running()
        let anna = try user(running)
        _ = try anna.record(account: try #require(try anna.accounts()["Cash"]))
        let page = try anna.get("/sign-out")
        #expect(page.text.contains("All your data will be permanently deleted. You have no cloud backup."))
        #expect(page.html.elements.first { $0.attributes.keys.contains("data-phrase") }?.text == allIsLost)
        for typed in ["", "yes", allIsLost.uppercased(), allIsLost + "!"] {
            let refused = try anna.post("/sign-out", [("confirm", typed)])
            #expect(refused.status == 422 && refused.refused == ["confirm"], "\(typed)")
        }
        #expect(try anna.stateAndTier() == "local_only free")
        _ = try anna.get("/sign-out")
        #expect(try anna.post("/sign-out", [("confirm", allIsLost)]).status == 303)
        #expect(try anna.get("/").header("location") == "/onboarding/welcome")
        #expect(try anna.stateAndTier() == "onboarding guest")
        // The same browser begins anew.
        try anna.onboard()
        #expect(try anna.get("/transactions").rows("transaction").isEmpty)
    }

    @Test func theBackButtonShowsNothingPersonal() throws {
        let running = try Running()
        let anna = try user(running)
        let id = try #require(try anna.accounts()["Cash"])
        for path in ["/", "/transactions", "/settings", "/sign-out"] {
            #expect(try anna.get(path).header("cache-control") == "no-store", "\(path)")
        }
        _ = try anna.get("/sign-out")
        #expect(
            try anna.post("/sign-out", [("confirm", allIsLost)]).header("clear-site-data")
                == #""cache", "storage""#
        )
        for path in [
            "/", "/transactions", "/settings", "/accounts/\(id)", "/export/breadly.json", "/sign-out",
        ] {
            #expect(try anna.get(path).header("location") == "/onboarding/welcome", "\(path)")
        }
    }

    @Test func aGuestHasNothingToSignOutOf() throws {
        let running = try Running()
        let guest = try running.guest()
        for path in ["/sign-out", "/account/delete", "/settings/devices", "/settings/password"] {
            #expect(try guest.get(path).header("location") == "/settings", "\(path)")
        }
        let settings = try guest.get("/settings")
        #expect(!settings.text.contains("/sign-out"))
        #expect(settings.html.all("a", ["href": "/sign-in"]).contains { $0.text == "Sign in" })
    }

    @Test func anAccountIsDeletedEverywhere() throws {
        let running = try Running()
        let here = try user(running)
        let there = running.visitor()
        _ = try there.signIn("anna")
        #expect(try there.stateAndTier() == "local_only free")
        #expect(try here.get("/account/delete").text.contains("Delete my account"))
        let phrase = ("confirm", "Delete my account")
        #expect(
            try here.post("/account/delete", [("confirm", "delete"), ("password", password)]).status == 422
        )
        // A person who finds the browser open does not know the password.
        for wrong in [[phrase], [phrase, ("password", "a guess of somebody")]] {
            let reply = try here.post("/account/delete", wrong)
            #expect(reply.status == 422 && reply.refused == ["password"])
            #expect(reply.text.contains("This is not your password."))
        }
        #expect(try here.stateAndTier() == "local_only free")
        let deleted = try here.post("/account/delete", [phrase, ("password", password)])
        #expect(deleted.status == 303 && deleted.header("clear-site-data") == #""cache", "storage""#)
        #expect(try here.stateAndTier() == "onboarding guest")
        // The other device learns it at its next contact: an hour later, or as soon as it is asked.
        _ = try there.get("/subscription")
        _ = try there.post("/subscription/restore")
        let welcome = try there.get("/onboarding/welcome")
        #expect(welcome.text.contains("Your account was deleted") && welcome.toasts.isEmpty)
        _ = try there.post("/onboarding/welcome")
        #expect(try there.get("/onboarding/currency").notices == ["account-gone"], "until it is dismissed")
        #expect(try there.post("/notices/account-gone/dismiss").status == 303)
        #expect(try there.get("/onboarding/currency").notices.isEmpty)
        let again = try running.guest()
        #expect(try again.signIn("anna").status == 422)
        #expect(try again.signUp("anna").status == 303, "the address is free again")
    }

    /// The cloud has forgotten the session without a lock: the book stays open.
    @Test func aSessionThatHasEndedByItselfLeavesTheBookOpen() throws {
        let running = try Running()
        let here = try user(running)
        let there = running.visitor()
        running.clock.advance(by: 5)
        _ = try there.signIn("anna")
        #expect(try here.get("/settings/devices").rows("device").count == 2)
        try DatabaseQueue(path: running.folder + "/cloud.sqlite").write {
            try $0.execute(sql: "DELETE FROM sessions WHERE id = (SELECT max(id) FROM sessions)")
        }
        _ = try there.get("/subscription")
        _ = try there.post("/subscription/restore")
        let settings = try there.get("/settings")
        #expect(settings.text.contains("Sign in again first."))
        #expect(settings.text.contains("has ended") && settings.text.contains("Sign in again"))
        #expect(try there.accounts().count == 3)
        #expect(try there.get("/settings/devices").status == 403)
        let page = try there.get("/sign-in")
        #expect(page.text.contains("anna@x.test is still signed in") && !page.text.contains("/sign-up"))
        _ = try user(running, "bob")
        let refused = try there.post("/sign-in", [("email", "bob@x.test"), ("password", password)])
        #expect(refused.status == 409 && refused.text.contains("Another user is signed in on this device."))
        #expect(try there.post("/sign-in", [("email", "anna@x.test"), ("password", password)]).status == 303)
        #expect(try there.get("/settings/devices").rows("device").count == 2)
    }

    @Test func anothersSessionCannotBeEnded() throws {
        let running = try Running()
        let anna = try user(running)
        let bob = try user(running, "bob")
        let id = try #require(try anna.get("/settings/devices").rows("device").first?["data-id"])
        _ = try bob.get("/settings")
        #expect(try bob.post("/settings/devices/\(id)/sign-out").status == 303)
        #expect(try anna.get("/settings/devices").rows("device").count == 1)
        #expect(try bob.post("/settings/devices/x/sign-out").status == 404)
    }

    @Test func aPasswordIsChangedByWhoKnowsIt() throws {
        let running = try Running()
        let anna = try user(running)
        _ = try anna.get("/settings/password")
        let wrong = try anna.post(
            "/settings/password",
            [("password", "wrong wrong"), ("new_password", "another long one")]
        )
        #expect(wrong.status == 422 && wrong.refused == ["password"])
        let weak = try anna.post("/settings/password", [("password", password), ("new_password", "short")])
        #expect(weak.status == 422 && weak.refused == ["new_password"])
        let done = try anna.post(
            "/settings/password",
            [("password", password), ("new_password", "another long one")]
        )
        #expect(done.status == 303)
        let other = try running.guest()
        #expect(try other.signIn("anna").status == 422)
        #expect(try other.signIn("anna", "another long one").status == 303)
    }
}

@Suite struct ACloudElsewhere {
    /// A cloud of its own, and a server that uses it.
    private final class Pair {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        let running: Running
        let cloud: CloudServer

        init() throws {
            running = try Running()
            cloud = try running.cloud(in: folder)
            let address = cloud.url
            try running.restart { $0.cloudAddress = address }
        }

        deinit {
            cloud.stop(withinSeconds: 0)
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test func theJourneysAreTheSame() throws {
        let pair = try Pair()
        let anna = try pair.running.guest()
        #expect(try anna.signUp("anna").status == 303)
        #expect(try anna.stateAndTier() == "local_only free")
        let other = pair.running.visitor()
        #expect(try other.signIn("anna", "wrong wrong wrong").status == 422)
        #expect(try other.signIn("anna").status == 303)
        #expect(try other.get("/").notices == ["no-cloud-backup"])
        #expect(try anna.get("/settings/devices").rows("device").count == 2)
        _ = try anna.get("/account/delete")
        let wrong = [("confirm", "Delete my account"), ("password", "somebody's guess")]
        #expect(try anna.post("/account/delete", wrong).status == 422)
        _ = try anna.post("/account/delete", [("confirm", "Delete my account"), ("password", password)])
        #expect(try anna.stateAndTier() == "onboarding guest")
    }

    @Test func aDeletionThatFailsIsToldAndTriedAgain() throws {
        let pair = try Pair()
        let anna = try pair.running.guest()
        #expect(try anna.signUp("anna").status == 303)
        let cloud = try DatabaseQueue(path: pair.folder + "/cloud.sqlite")
        let trigger = "CREATE TRIGGER fails BEFORE DELETE ON users BEGIN SELECT RAISE(ABORT, 'a fault'); END"
        try cloud.write { try $0.execute(sql: trigger) }
        _ = try anna.get("/account/delete")
        _ = try anna.post("/account/delete", [("confirm", "Delete my account"), ("password", password)])
        try until("it is told") { try anna.get("/").header("location") == "/error" }
        let page = try anna.get("/error")
        #expect(page.html.form("/error/retry") != nil && page.html.form("/error/dismiss") != nil)
        try cloud.write { try $0.execute(sql: "DROP TRIGGER fails") }
        #expect(try anna.post("/error/retry").status == 303)
        try until("it is deleted") { try anna.get("/").header("location") == "/onboarding/welcome" }
        #expect(try anna.stateAndTier() == "onboarding guest")
        #expect(try anna.signIn("anna").status == 422, "the account is gone")
    }

    @Test func aGuestWhoDoesNotWaitForTheCloudHasTheBookAsItWas() throws {
        let pair = try Pair()
        _ = try pair.running.guest().signUp("anna")
        let guest = try pair.running.guest()
        _ = try guest.record(account: try #require(try guest.accounts()["Cash"]))
        // A cloud that knows the user, and cannot say what it has of theirs.
        try DatabaseQueue(path: pair.folder + "/cloud.sqlite").write {
            try $0.execute(sql: "ALTER TABLE holdings RENAME TO holdings_away")
        }
        #expect(try guest.signIn("anna").status == 303)
        #expect(try guest.get("/transactions").header("location") == "/verifying")
        let first = try guest.get("/verifying").html
        #expect(first.body("data-state") == "verifying_account")
        #expect(first.first("meta", ["http-equiv": "refresh"]) != nil, "it looks again by itself")
        #expect(first.form("/verifying/cancel") == nil, "only after half a minute")
        pair.running.clock.advance(by: 31)
        #expect(try guest.get("/verifying").html.form("/verifying/retry") != nil)
        #expect(try guest.post("/verifying/cancel").header("location") == "/")
        #expect(try guest.stateAndTier() == "local_only guest")
        #expect(try guest.get("/transactions").rows("transaction").count == 1)
    }

    @Test func aCloudThatIsAwayIsSaidToBeAndNothingIsLost() throws {
        let pair = try Pair()
        let anna = try pair.running.guest()
        _ = try anna.signUp("anna")
        let guest = try pair.running.guest()
        _ = try guest.record(account: try #require(try guest.accounts()["Cash"]))
        pair.cloud.stop(withinSeconds: 0)
        let refused = try guest.signIn("anna")
        #expect(refused.status == 503 && refused.text.contains("cloud cannot be reached"))
        #expect(try guest.get("/transactions").rows("transaction").count == 1)
        let devices = try anna.get("/settings/devices")
        #expect(devices.status == 503 && devices.text.contains("cannot be reached"))
        _ = try anna.get("/subscription")
        _ = try anna.post("/subscription/restore")
        #expect(
            try anna.get("/subscription").text.contains(
                "The cloud has not answered the last question about your account."
            )
        )
        // A deletion that cannot be carried out is not begun.
        _ = try anna.get("/account/delete")
        let error = try anna.post(
            "/account/delete",
            [("confirm", "Delete my account"), ("password", password)]
        )
        #expect(error.status == 503 && error.text.contains("cannot be reached"))
        #expect(try anna.stateAndTier() == "local_only free")
        // Signing out does not wait for it.
        _ = try anna.get("/sign-out")
        #expect(try anna.post("/sign-out", [("confirm", allIsLost)]).status == 303)
        #expect(try anna.stateAndTier() == "onboarding guest")
    }
}
