// Guests and the disk: what all of them may use together, what they leave to users, and what a person sees of it.
import BreadlyApp
import Devices
import Foundation
import Storage
import Synchronization
import TestKit
import Testing

@Suite struct TheRoomOfGuests {
    /// The free bytes of a disk of 100 GB.
    private final class Disk: Sendable {
        let free = Mutex<Int64>(50 << 30)
        func leave(_ bytes: Int64) { free.withLock { $0 = bytes } }
    }

    private let disk = Disk()

    private func server(_ change: @escaping (inout DeviceManager.Limits) -> Void = { _ in }) throws -> Running
    {
        try Running { [disk] limits in
            limits.space = { _ in DiskSpace(bytes: disk.free.withLock { $0 }, size: 100 << 30) }
            change(&limits)
        }
    }

    private func expectNoRoom(_ reply: Reply, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(reply.status == 507, sourceLocation: sourceLocation)
        #expect(reply.text.contains("No room left for guests"), sourceLocation: sourceLocation)
        #expect(reply.html.elements.contains { $0["href"] == "/sign-in" }, sourceLocation: sourceLocation)
    }

    @Test func aGuestWhoFindsNoneKeepsWhatWasTypedAndLosesNothing() throws {
        let server = try server()
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        try #require(try guest.record(account: account).status == 303)
        disk.leave(1 << 30)
        let reply = try guest.record([("payee", "Typed with care")], account: account)
        expectNoRoom(reply)
        #expect(
            reply.html.elements.contains { $0["value"] == "Typed with care" },
            "the form can be sent again"
        )
        expectNoRoom(
            try guest.post("/accounts", [("name", "Wallet"), ("type", "cash"), ("currency", "EUR")])
        )
        // All that needs no room works: reading, deleting, downloading, choosing, leaving.
        let page = try guest.get("/transactions?month=2026-11")
        #expect(page.rows("transaction").count == 1)
        let id = try #require(page.rows("transaction").first?["data-id"])
        #expect(try guest.get("/export/breadly.json").status == 200)
        #expect(try guest.post("/transactions/\(id)/delete").status == 303)
        #expect(try guest.get("/transactions?month=2026-11").rows("transaction").isEmpty)
        // Room comes back, and the form that was refused is recorded.
        disk.leave((1 << 30) + 1)
        let kept = try #require(reply.html.form("/transactions")).filter { $0.name != "csrf" }
        #expect(try guest.post("/transactions", kept.map { ($0.name, $0.value) }).status == 303)
        #expect(try guest.get("/transactions?month=2026-11").text.contains("Typed with care"))
        let lines = server.log.all.filter { $0.contains("guests can write") }
        #expect(lines.count == 2, "one line for each change: \(lines)")
    }

    @Test func noNewGuestComesAndEveryUserIsServed() throws {
        let server = try server { $0.guestBytes = 1 << 20 }
        try server.restart { $0.premiumForEveryone = true }
        let user = try server.guest()
        try user.signUp()
        let account = try #require(try user.accounts()["Cash"])
        let guest = try server.guest()
        let cash = try #require(try guest.accounts()["Cash"])
        var status = 303
        // Each entry has a note of 2,000 letters: a thousand are more than a megabyte.
        for number in 0..<1_000 where status == 303 {
            let note = String(repeating: "x", count: 1_990) + "\(number)"
            status = try guest.record([("note", note)], account: cash).status
        }
        #expect(status == 507, "the guests' megabyte is used up")
        let newcomer = server.visitor()
        _ = try newcomer.get("/onboarding/welcome")
        expectNoRoom(try newcomer.post("/onboarding/welcome"))
        // The other guests' entries are no concern of a user's.
        try #require(try user.record([("payee", "User")], account: account).status == 303)
        try user.waitUntilInStep()
        let second = server.visitor()
        try second.signIn()
        try until("the entry is on the second device") {
            try second.get("/transactions?month=2026-11").text.contains("User")
        }
        // A guest who becomes a user leaves the guests' space.
        _ = try guest.get("/sign-in")
        let form = [("email", "ben@x.test"), ("password", "correct horse battery")]
        try #require(try guest.post("/sign-up", form).status == 303)
        try until("the guest is a user") { try guest.get("/").status == 200 }
        _ = try guest.get("/transactions/new")
        #expect(try guest.record([("payee", "At last")], account: cash).status == 303)
        #expect(try server.guest().get("/").status == 200, "there is room for a new guest")
    }

    @Test func aFileThatFindsNoneIsNotKept() throws {
        let server = try server()
        let (guest, user) = (try server.guest(), try server.guest())
        let account = try #require(try guest.accounts()["Cash"])
        let fields = [
            ("kind", "expense"), ("date", "2026-11-21"), ("amount", "12.50"), ("currency", "EUR"),
            ("account", account), ("payee", "Camera"),
        ]
        disk.leave(1 << 30)
        let photo = SampleFiles.jpeg()
        expectNoRoom(try guest.upload("/transactions", [("photo.jpg", photo)], fields))
        try user.signUp()
        _ = try user.get("/transactions/new")
        let own = fields.map { ($0.0, $0.0 == "account" ? (try? user.accounts()["Cash"]) ?? "" : $0.1) }
        func send(_ name: String, _ bytes: [UInt8]) throws -> Reply {
            let form = try user.get("/transactions/new").html.elements.first { $0["data-uploads"] != nil }
            let once = try #require(form?["data-once"])
            return try user.upload("/transactions", [(name, bytes)], own + [("once", once)])
        }
        #expect(try send("photo.jpg", photo).status == 303)
        // Only entries, sessions and sync use the end of the disk.
        disk.leave(64 << 20)
        let reply = try send("other.png", SampleFiles.png())
        #expect(reply.text.contains("other.png") && reply.text.contains("no room"), "\(reply.status)")
        #expect(try user.post("/transactions", own).status == 303)
        let download = try user.get("/export/breadly.json")
        #expect(download.status == 507 && download.text.contains("no room left to prepare this download"))
    }

    @Test func whatIsDueWaitsAndThePageIsShown() throws {
        let server = try server()
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let schedule = [
            ("kind", "expense"), ("payee", "Rent"), ("amount", "500"), ("currency", "EUR"),
            ("account", account), ("unit", "month"), ("every", "1"), ("start", "2026-11-22"),
            ("record", "auto"),
        ]
        let added = try guest.post("/schedules", schedule)
        try #require(added.status == 303, "\(added.refused)")
        disk.leave(1 << 30)
        server.clock.advance(by: 2 * 86_400)
        #expect(try guest.get("/").status == 200)
        #expect(try guest.get("/transactions?month=2026-11").rows("transaction").isEmpty)
        disk.leave(50 << 30)
        _ = try guest.get("/")
        #expect(try guest.get("/transactions?month=2026-11").text.contains("Rent"))
    }
}
