// Devices that were signed out from elsewhere, over the real server: the pages that they still show, and the
// sign-in that opens them.
import BreadlyApp
import Foundation
import TestKit
import Testing

private let password = "correct horse battery"

extension Visitor {
    fileprivate func enter(_ path: String, _ name: String, _ password: String = password) throws -> Reply {
        _ = try get("/sign-in")
        return try post(path, [("email", "\(name)@x.test"), ("password", password)])
    }

    /// The lines of `/settings/devices`: the name of each device, its state, and its form.
    fileprivate func devices() throws -> [(text: String, id: String)] {
        try get("/settings/devices").rows("device").compactMap { row in row["data-id"].map { (row.text, $0) }
        }
    }

    /// Whether it sees nothing but the page that asks its user to sign in.
    fileprivate func isLocked() throws -> Bool { try get("/").header("location") == "/sign-in" }
}

@Suite struct ALockedBrowser {
    private let running: Running
    private let anna: Visitor
    private let lost: Visitor

    /// Anna has two browsers, and has left one of them on a train.
    init() throws {
        running = try Running()
        anna = try running.guest()
        _ = try anna.enter("/sign-up", "anna")
        lost = try running.guest()
        _ = try lost.enter("/sign-in", "anna")
        try until("it is signed in") { try lost.get("/").status == 200 }
        let cash = try #require(try lost.accounts()["Cash"])
        _ = try lost.record([("payee", "Secret")], account: cash)
    }

    private func lock(erasing: Bool = false) throws {
        let line = try #require(try anna.devices().first { !$0.text.contains("This device") })
        let fields = erasing ? [("erase", "1")] : []
        #expect(try anna.post("/settings/devices/\(line.id)/sign-out", fields).status == 303)
        #expect(try anna.get("/settings/devices").toasts == ["device-signed-out"])
        // The server asks the cloud about each device within a minute.
        try until("it is locked") {
            running.clock.advance(by: 20)
            return try lost.get("/").status == 303
        }
    }

    @Test func showsNothingButThePageToSignIn() throws {
        let transactions = try lost.get("/transactions")
        let id = try #require(transactions.rows("transaction").first?["data-id"])
        #expect(transactions.text.contains("Secret"))
        try lock()
        for path in [
            "/", "/transactions", "/transactions/\(id)", "/accounts", "/settings", "/sync", "/history",
            "/status", "/export/breadly.json", "/export/transactions.csv", "/settings/devices",
            "/sign-out", "/account/delete", "/help", "/onboarding/welcome", "/error",
        ] {
            let reply = try lost.get(path)
            #expect(reply.status == 303 && reply.header("location") == "/sign-in", "\(path)")
            #expect(!reply.text.contains("Secret"))
        }
        let page = try lost.get("/sign-in")
        #expect(page.status == 200)
        #expect(page.text.contains("Sign in as anna@x.test to open this book"))
        #expect(page.header("clear-site-data") == #""cache", "storage""#)
        #expect(page.html.body("data-state") == "locked" && page.notices.isEmpty)
        #expect(!page.text.contains("/sign-up") && !page.text.contains("Not now"))
        // The forms of a page that is still open change nothing either.
        for path in [
            "/transactions", "/transactions/\(id)/delete", "/settings/preferences", "/sign-out",
            "/sign-up", "/notices/no-cloud-backup/dismiss",
        ] {
            #expect(try lost.post(path, [("confirm", "x")]).header("location") == "/sign-in", "\(path)")
        }
        #expect(try lost.get("/status.json").text.contains(#""state":"locked""#))
    }

    @Test func isOpenedByItsUserAloneWithAllThatWasInIt() throws {
        try lock()
        let bob = try running.guest()
        _ = try bob.enter("/sign-up", "bob")
        let refused = try lost.enter("/sign-in", "bob")
        #expect(refused.status == 409)
        #expect(refused.text.contains("This is not the account that this book belongs to."))
        #expect(try lost.enter("/sign-in", "anna", "wrong password").status == 422)
        #expect(try lost.isLocked())
        #expect(try lost.enter("/sign-in", "anna").header("location") == "/")
        #expect(try lost.get("/transactions").text.contains("Secret"))
        try until("it is not listed as locked any more") {
            try anna.devices().allSatisfy { !$0.text.contains("book is locked") }
        }
    }

    @Test func isLockedAfterARestartOfTheServerToo() throws {
        try lock()
        try running.restart()
        let again = running.visitor()
        again.cookies = lost.cookies
        #expect(try again.isLocked())
    }

    @Test func isErasedWhereThatIsAskedFor() throws {
        try lock()
        #expect(try anna.devices().contains { $0.text.contains("book is locked") })
        try lock(erasing: true)
        try until("it is a stranger's") {
            running.clock.advance(by: 20)
            return try lost.get("/").header("location") == "/onboarding/welcome"
        }
        #expect(try lost.get("/onboarding/welcome").text.contains("its book was erased"))
        #expect(try anna.devices().count == 1)
    }

    @Test func anOpenPageLearnsOfIt() throws {
        let wire = try Wire(port: Int(running.app.port))
        let cookies = lost.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        wire.send("GET /events?local_only HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookies)\r\n\r\n")
        #expect(wire.receive(until: "local_only").contains("local_only"))
        try lock()
        #expect(wire.receive(until: #""locked""#).contains(#""state":"locked""#))
        wire.finish()
    }

    @Test func aNewPasswordLocksTheOthersUnlessThatIsUnticked() throws {
        let page = try anna.get("/settings/password")
        let box = try #require(page.html.elements.first { $0["name"] == "others" })
        #expect(box["checked"] != nil)
        let kept = [("password", password), ("new_password", "another horse battery")]
        _ = try anna.post("/settings/password", kept)
        running.clock.advance(by: 120)
        #expect(try !lost.isLocked())
        // Refused, the choice stays as it was made.
        let refused = try anna.post("/settings/password", [("password", "wrong"), ("new_password", "x")])
        #expect(refused.html.elements.first { $0["name"] == "others" }?["checked"] == nil)
        _ = try anna.post(
            "/settings/password",
            [("password", "another horse battery"), ("new_password", password), ("others", "1")]
        )
        #expect(try anna.get("/settings").text.contains("your other devices signed out"))
        try until("it is locked") {
            running.clock.advance(by: 20)
            return try lost.isLocked()
        }
        #expect(try anna.get("/").status == 200)
    }

    @Test func theOperatorLocksAllDevicesOfAnAccount() throws {
        let accounts = try UserAccounts(
            running.folder,
            dependencies: Running.dependencies(running.clock)
        )
        defer { accounts.close() }
        #expect(try accounts.lock("Anna@x.test").hasPrefix("2 devices were signed out and locked"))
        #expect(throws: AppError.self) { try accounts.lock("nobody@x.test") }
        try until("both are locked") {
            running.clock.advance(by: 20)
            return try lost.isLocked() && anna.isLocked()
        }
        _ = try anna.enter("/sign-in", "anna")
        #expect(try anna.get("/").status == 200 && lost.isLocked())
    }
}
