// After a deletion or a sign-out, no file of the server has a word of the person any more.
import BreadlyApp
import Foundation
import TestKit
import Testing

@Suite struct EverythingThatIsGone {
    private static let email = "quokka-mail@x.test"
    private static let password = "correct horse battery"
    private static let words = ["quokka-payee", "quokka-note", email, "quokka-receipt", "quokka-file"]

    /// A signed-in person whose words are in the book, in the history and, with premium, in the cloud.
    private func person(on server: Running) throws -> Visitor {
        let visitor = try server.guest()
        _ = try visitor.get("/sign-in")
        let fields = [("email", Self.email), ("password", Self.password)]
        try #require(try visitor.post("/sign-up", fields).status == 303)
        try until("it is signed in") { try visitor.get("/").status == 200 }
        let account = try #require(try visitor.accounts()["Cash"])
        for _ in 0..<20 {
            let entry = [("payee", Self.words[0]), ("note", Self.words[1])]
            try #require(try visitor.record(entry, account: account).status == 303)
        }
        let id = try #require(try visitor.get("/transactions").rows("transaction").first?["data-id"])
        _ = try visitor.get("/transactions/\(id)")
        let file = (name: "\(Self.words[3]).pdf", bytes: SampleFiles.pdf + Array("% \(Self.words[4])".utf8))
        try #require(try visitor.upload("/transactions/\(id)/attachments", [file]).status == 303)
        return visitor
    }

    /// The files of a server that have one of the words.
    private func found(in folder: String) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            guard let content = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                return false
            }
            return Self.words.contains { content.range(of: Data($0.utf8)) != nil }
        }
    }

    private func expectNothing(in server: Running) {
        #expect(becomesTrue { found(in: server.folder).isEmpty }, "\(found(in: server.folder))")
    }

    @Test(arguments: [true, false]) func isNotInAnyFileAfterTheDeletionOfAnAccount(isPremium: Bool) throws {
        let server = try Running()
        try server.restart { $0.premiumForEveryone = isPremium }
        let visitor = try person(on: server)
        if isPremium { try visitor.waitUntilInStep() }
        #expect(found(in: server.folder).count >= (isPremium ? 3 : 2))
        _ = try visitor.get("/account/delete")
        let confirmed = [("confirm", "Delete my account"), ("password", Self.password)]
        try #require(try visitor.post("/account/delete", confirmed).status == 303)
        try until("it is a guest's") { try visitor.get("/").header("location") == "/onboarding/welcome" }
        expectNothing(in: server)
    }

    @Test func isNotInTheBookAfterASignOut() throws {
        let server = try Running()
        let visitor = try person(on: server)
        _ = try visitor.get("/sign-out")
        let confirmed = [("confirm", "I understand that all my data will be permanently lost")]
        try #require(try visitor.post("/sign-out", confirmed).status == 303)
        // The account is still there, with its address.
        #expect(
            becomesTrue { found(in: server.folder).allSatisfy { $0.hasPrefix("cloud.sqlite") } },
            "\(found(in: server.folder))"
        )
        let names = found(in: server.folder)
        for name in names {
            let content = FileManager.default.contents(atPath: "\(server.folder)/\(name)") ?? Data()
            for word in Self.words where word != Self.email {
                #expect(content.range(of: Data(word.utf8)) == nil, "\(name)")
            }
        }
    }

    /// Ends the session of a person's first device from another one, which stays.
    private func end(_ person: Visitor, on server: Running, erases: Bool) throws {
        let other = server.visitor()
        _ = try other.get("/sign-in")
        let fields = [("email", Self.email), ("password", Self.password)]
        try #require(try other.post("/sign-in", fields).status == 303)
        let forms = try other.get("/settings/devices").html.elements.compactMap { $0["action"] }
        let end = try #require(forms.first { $0.hasPrefix("/settings/devices/") })
        try #require(try other.post(end, erases ? [("erase", "1")] : []).status == 303)
    }

    @Test func isNotInTheBookOfADeviceThatWasErasedFromAnotherOne() throws {
        let server = try Running()
        let visitor = try person(on: server)
        let books = { found(in: server.folder).filter { $0.hasPrefix("devices/") } }
        #expect(!books().isEmpty)
        try end(visitor, on: server, erases: true)
        #expect(becomesTrue { books().isEmpty }, "\(books())")
        let page = try visitor.get("/onboarding/welcome")
        #expect(page.header("clear-site-data") == "\"cache\", \"storage\"")
    }

    @Test func isNotOnAnyPageOfADeviceThatWasLocked() throws {
        let server = try Running()
        let visitor = try person(on: server)
        try end(visitor, on: server, erases: false)
        try until("it is locked") { try visitor.get("/").header("location") == "/sign-in" }
        let page = try visitor.get("/sign-in")
        #expect(page.header("clear-site-data") == "\"cache\", \"storage\"")
        for path in ["/sign-in", "/transactions", "/export/breadly.json", "/receipts", "/history"] {
            let text = try visitor.get(path).text
            for word in Self.words where word != Self.email {
                #expect(!text.contains(word), "\(path): \(word)")
            }
        }
    }

    @Test func thePagesOfDeletionsSayHowLongBackupsKeepIt() throws {
        let server = try Running()
        let visitor = try person(on: server)
        #expect(try visitor.get("/account/delete").text.contains("may keep deleted data for longer"))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try server.restart { $0.backups = BackupSchedule(folder: folder, keep: 7) }
        visitor.port = Int(server.app.port)
        for path in ["/account/delete", "/sign-out"] {
            #expect(try visitor.get(path).text.contains("keep deleted data for up to 7 more days"), "\(path)")
        }
    }
}
