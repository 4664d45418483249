// Unused devices: events elsewhere are on their pages within a minute.
import BreadlyApp
import Foundation
import TestKit
import Testing

private let password = "correct horse battery"

/// Where the accounts are kept.
enum CloudPlace: CaseIterable { case embedded, elsewhere }

/// A server, its cloud, and the browsers of Anna.
private final class ServerWithCloud {
    let running: Running
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    private(set) var cloud: CloudServer?

    init(_ place: CloudPlace) throws {
        running = try Running()
        guard place == .elsewhere else { return }
        let cloud = try running.cloud(in: folder)
        self.cloud = cloud
        let address = cloud.url
        try running.restart { $0.cloudAddress = address }
    }

    deinit {
        cloud?.stop(withinSeconds: 0)
        try? FileManager.default.removeItem(atPath: folder)
    }

    func operate(_ work: (UserAccounts) throws -> Void) throws {
        let data = cloud == nil ? running.folder : folder
        let accounts = try UserAccounts(data, dependencies: Running.dependencies(running.clock))
        defer { accounts.close() }
        try work(accounts)
    }

    func signedUp() throws -> Visitor {
        let visitor = try running.guest()
        _ = try visitor.get("/sign-in")
        let words = [("email", "anna@x.test"), ("password", password)]
        try #require(try visitor.post("/sign-up", words).status == 303)
        return visitor
    }

    func signedIn() throws -> Visitor {
        let visitor = running.visitor()
        _ = try visitor.get("/sign-in")
        let words = [("email", "anna@x.test"), ("password", password)]
        try #require(try visitor.post("/sign-in", words).status == 303)
        try until("entered") { try visitor.get("/").status == 200 }
        return visitor
    }

}

@Suite struct ADeviceThatNobodyTouches {
    /// An open page of an idle device receives the age of the last sync with each verification.
    @Test func anOpenPageDoesNotSayJustNowAfterAnHour() throws {
        let server = try ServerWithCloud(.embedded)
        let visitor = try server.signedUp()
        try server.operate { _ = try $0.grant("anna@x.test", through: nil) }
        server.running.clock.advance(by: 50)
        try until("idle") { try visitor.get("/status.json").text.contains(#""phase":"idle""#) }
        let wire = try Wire(port: Int(server.running.app.port))
        let cookies = visitor.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        wire.send("GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookies)\r\n\r\n")
        #expect(wire.receive(until: "last synced").contains("last synced just now"))
        server.running.clock.advance(by: 3_700)
        #expect(wire.receive(until: "last synced 1 h ago").contains("last synced 1 h ago"))
        wire.finish()
    }

    @Test(arguments: CloudPlace.allCases)
    func learnsThatItsSessionWasEnded(_ place: CloudPlace) throws {
        let server = try ServerWithCloud(place)
        let here = try server.signedUp()
        let there = try server.signedIn()
        let page = try here.get("/settings/devices").text
        let end = try #require(page.firstMatch(of: /\/settings\/devices\/[0-9a-z]{26}\/sign-out/)?.0)
        #expect(try here.post(String(end)).status == 303)
        server.running.clock.advance(by: 50)
        try until("locked") { try there.get("/settings").header("location") == "/sign-in" }
        #expect(try there.get("/sign-in").text.contains("Sign in as anna@x.test to open this book"))
    }

    @Test(arguments: CloudPlace.allCases)
    func learnsThatTheAccountIsGone(_ place: CloudPlace) throws {
        let server = try ServerWithCloud(place)
        let here = try server.signedUp()
        let there = try server.signedIn()
        _ = try here.get("/account/delete")
        let confirmation = [("confirm", "Delete my account"), ("password", password)]
        #expect(try here.post("/account/delete", confirmation).status == 303)
        server.running.clock.advance(by: 50)
        try until("told") {
            try there.get("/onboarding/welcome").text.contains("Your account was deleted")
        }
    }

    /// The message waits for a page, and is not true on a page that comes later.
    @Test func saysNotThatSyncIsOnAfterItWasSwitchedOff() throws {
        let server = try ServerWithCloud(.embedded)
        let anna = try server.signedUp()
        // The only page that is opened before the message comes.
        _ = try anna.get("/settings")
        try server.operate { _ = try $0.grant("anna@x.test", through: nil) }
        server.running.clock.advance(by: 50)
        try until("premium") { try anna.get("/status.json").text.contains(#""state":"synced""#) }
        #expect(try anna.post("/settings/sync", [("sync", "off")]).status == 303)
        try until("off") { try anna.get("/status.json").text.contains(#""state":"local_only""#) }
        let overview = try anna.get("/")
        #expect(overview.text.contains("Sync is off") && !overview.toasts.contains("premium-activated"))
    }

    @Test(arguments: CloudPlace.allCases)
    func learnsWhatItsSubscriptionHasBecome(_ place: CloudPlace) throws {
        let server = try ServerWithCloud(place)
        let anna = try server.signedUp()
        try server.operate { _ = try $0.grant("anna@x.test", through: nil) }
        server.running.clock.advance(by: 50)
        try until("premium") { try anna.get("/status.json").text.contains(#""state":"synced""#) }
        #expect(try anna.get("/").toasts.contains("premium-activated"))
        try server.operate { _ = try $0.revoke("anna@x.test") }
        server.running.clock.advance(by: 50)
        try until("expired") { try anna.get("/status.json").text.contains(#""state":"local_only""#) }
        let page = try anna.get("/")
        #expect(page.text.contains("Sync has been disabled because your subscription ended."))
        #expect(page.toasts.isEmpty, "nothing is activated by then")
        try server.operate { _ = try $0.grant("anna@x.test", through: nil) }
        server.running.clock.advance(by: 50)
        try until("premium again") { try anna.get("/status.json").text.contains(#""state":"synced""#) }
        #expect(try anna.get("/").notices.isEmpty, "it has not ended any more")
    }

    /// A page that shows another state is on its way out: what its stream would tell, the next page tells.
    @Test func keepsItsToastForThePageOfItsNewState() throws {
        let server = try ServerWithCloud(.embedded)
        let anna = try server.signedUp()
        let wire = try Wire(port: Int(server.running.app.port))
        let cookies = anna.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        wire.send("GET /events?local_only HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookies)\r\n\r\n")
        #expect(wire.receive(until: "local_only").contains("local_only"))
        try server.operate { _ = try $0.grant("anna@x.test", through: nil) }
        server.running.clock.advance(by: 50)
        #expect(wire.receive(until: "last synced").contains(#""look":"check""#))
        for _ in 0..<2 {
            server.running.clock.advance(by: 50)
            #expect(wire.receive(until: "last synced").contains(#""state":"synced""#))
        }
        wire.finish()
        // One that shows the state tells it: the page has not been loaded since.
        let next = try Wire(port: Int(server.running.app.port))
        next.send("GET /events?synced HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookies)\r\n\r\n")
        #expect(next.receive(until: "event: toast").contains("event: toast"))
        next.finish()
        #expect(try anna.get("/").toasts.isEmpty)
    }

    @Test func saysThatTheCloudIsAwayAndThatItIsBack() throws {
        let server = try ServerWithCloud(.elsewhere)
        let anna = try server.signedUp()
        try server.operate { _ = try $0.grant("anna@x.test", through: nil) }
        server.running.clock.advance(by: 50)
        try until("in step") { try anna.get("/").html.body("data-sync") == "idle" }
        server.cloud?.stop(withinSeconds: 0)
        try until("away") { try anna.get("/").html.body("data-sync") == "offline" }
    }
}
