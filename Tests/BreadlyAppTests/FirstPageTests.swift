// The page until the first page of an account is here: its words and its ways, for a guest and for a blocked account.
import BreadlyApp
import Foundation
import GRDB
import TestKit
import Testing

@Suite struct APageThatWaitsForAnAccount {
    private func isIn(_ state: String, _ visitor: Visitor) throws -> Bool {
        try visitor.get("/status.json").text.contains("\"state\":\"\(state)\"")
    }

    /// The account has as many devices as it may, and a guest with an entry signs in to it.
    @Test func tellsAGuestOfTooManyDevicesAndLeadsToThem() throws {
        let server = try Running()
        try server.restart {
            $0.premiumForEveryone = true
            $0.userAccountLimits.replicas = 1
        }
        let first = try server.guest()
        _ = try first.record([("payee", "Theirs")], account: try #require(try first.accounts()["Cash"]))
        try first.signUp()
        try first.waitUntilInStep()
        let guest = try server.guest()
        _ = try guest.record([("payee", "Mine")], account: try #require(try guest.accounts()["Cash"]))
        try guest.signIn()
        let reason = "This account syncs 1 device, which is the limit."
        try until("the reason is told") { try guest.get("/verifying").text.contains(reason) }
        let page = try guest.get("/verifying")
        #expect(page.html.body("data-state") == "verifying_account")
        #expect(page.text.contains("Your accounts and your newest entries come first."))
        #expect(page.text.contains("Nothing on this device has been changed yet."))
        #expect(!page.text.contains("changes waiting here"))
        #expect(page.html.form("/verifying/retry") != nil && page.html.form("/verifying/cancel") != nil)
        #expect(page.html.first("a", ["href": "/settings/devices"]) != nil)
        #expect(page.html.first("a", ["href": "/sign-out"]) == nil)
        #expect(page.html.first("a", ["href": "/transactions"]) != nil)
        try theBookOfBeforeCanBeReadOnly(guest, "Mine")
        _ = try guest.get("/verifying")
        #expect(try guest.post("/verifying/retry").header("location") == "/")
        #expect(try guest.get("/").header("location") == "/verifying")
        // Back to the book as it was.
        _ = try guest.get("/verifying")
        #expect(try guest.post("/verifying/cancel").header("location") == "/")
        #expect(try isIn("local_only", guest))
        #expect(try guest.get("/transactions").text.contains("Mine"))
        // The other way is to sign the other device out.
        try guest.signIn()
        try until("the reason is told again") { try guest.get("/verifying").text.contains(reason) }
        try until("the former session has ended") {
            try guest.get("/settings/devices").rows("device").count == 2
        }
        let devices = try guest.get("/settings/devices").html
        let end = try #require(
            devices.all("form").compactMap { $0["action"] }.first { $0.hasPrefix("/settings/devices/") }
        )
        #expect(try guest.post(end).header("location") == "/settings/devices")
        _ = try guest.get("/verifying")
        _ = try guest.post("/verifying/retry")
        try until("it is let in") { try isIn("synced", guest) }
        try until("the account is here") { try guest.get("/transactions").text.contains("Theirs") }
        #expect(try !guest.get("/transactions").text.contains("Mine"))
    }

    private func theBookOfBeforeCanBeReadOnly(_ guest: Visitor, _ payee: String) throws {
        let list = try guest.get("/transactions")
        #expect(list.status == 200 && list.rows("transaction").count == 1 && list.text.contains(payee))
        let words =
            "The data of your account is still in the cloud. Until the first entries are here, the book on this device stays as it was: it can be read, but not changed, and your data then takes its place."
        for path in ["/transactions", "/accounts", "/budgets", "/reports", "/help"] {
            let html = try guest.get(path).html
            let note = html.elements.first { $0.attributes.keys.contains("data-former-book") }
            #expect(note?.text.contains(words) == true, "\(path)")
            #expect(html.first("h2", ["id": "cloud-title"])?.text == "Only in the cloud", "\(path)")
        }
        #expect(try guest.get("/export/breadly.json").text.contains(payee))
        #expect(try guest.get("/status.json").text.contains(#""transactions":1"#))
        let id = try #require(list.rows("transaction").first?["data-id"])
        #expect(try guest.get("/transactions/\(id)").header("location") == "/verifying")
        _ = try guest.get("/transactions")
        #expect(try guest.post("/transactions/\(id)/delete").header("location") == "/verifying")
        #expect(try guest.post("/transactions", [("amount", "1")]).header("location") == "/verifying")
        #expect(try guest.get("/transactions").rows("transaction").count == 1)
        #expect(try guest.get("/").header("location") == "/verifying")
    }

    /// The account was blocked, has a subscription now, and its data cannot be loaded.
    @Test func tellsABlockedUserOfTheReasonAndHasTheOtherChoices() throws {
        let server = try Running()
        let folder = server.folder + "/elsewhere"
        let cloud = try server.cloud(in: folder)
        defer { cloud.stop(withinSeconds: 0) }
        try server.restart { $0.cloudAddress = cloud.url }
        func operate(_ work: (UserAccounts) throws -> Void) throws {
            let accounts = try UserAccounts(folder, dependencies: Running.dependencies(server.clock))
            defer { accounts.close() }
            try work(accounts)
            // Devices that are not in use learn of it by themselves.
            server.clock.advance(by: 50)
        }
        let first = try server.guest()
        _ = try first.record([("payee", "Theirs")], account: try #require(try first.accounts()["Cash"]))
        try first.signUp()
        try operate { _ = try $0.grant("anna@x.test", through: nil) }
        try first.waitUntilInStep()
        try operate { _ = try $0.revoke("anna@x.test") }
        let other = server.visitor()
        try other.signIn()
        try until("it is blocked") { try isIn("blocked_no_sync", other) }
        #expect(try other.get("/blocked").text.contains("requires a subscription"))
        let database = try DatabaseQueue(path: folder + "/cloud.sqlite")
        let trigger =
            "CREATE TRIGGER fails BEFORE INSERT ON replicas BEGIN SELECT RAISE(ABORT, 'a fault'); END"
        try database.write { try $0.execute(sql: trigger) }
        try operate { _ = try $0.grant("anna@x.test", through: nil) }
        try until("the reason is told") {
            try other.get("/blocked").text.contains("The cloud is busy at the moment.")
        }
        let page = try other.get("/blocked")
        #expect(page.html.body("data-state") == "blocked_no_sync")
        #expect(page.text.contains("Your account has Premium."))
        #expect(!page.text.contains("requires a subscription"))
        #expect(page.html.form("/verifying/retry") != nil && page.html.form("/verifying/cancel") == nil)
        #expect(page.html.first("a", ["href": "/sign-out"]) != nil)
        #expect(page.html.first("a", ["href": "/blocked?choices=1"]) != nil)
        let choices = try other.get("/blocked?choices=1")
        #expect(choices.text.contains("Wait for your data"))
        #expect(!choices.text.contains("requires a subscription"))
        #expect(choices.html.form("/blocked/delete-server-data") != nil)
        #expect(choices.html.first("a", ["href": "/account/delete"]) != nil)
        #expect(choices.html.first("a", ["href": "/sign-out"]) != nil)
        #expect(try other.get("/sign-out").status == 200)
        _ = try other.get("/blocked")
        #expect(try other.post("/verifying/retry").header("location") == "/")
        #expect(try other.get("/").header("location") == "/blocked")
        try database.write { try $0.execute(sql: "DROP TRIGGER fails") }
        _ = try other.get("/blocked")
        _ = try other.post("/verifying/retry")
        try until("it is let in") { try isIn("synced", other) }
        try until("the account is here") { try other.get("/transactions").text.contains("Theirs") }
    }
}
