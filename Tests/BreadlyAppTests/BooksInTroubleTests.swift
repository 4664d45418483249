// Files that are damaged, and folders that cannot be written: a clear page, nothing half-written, others go on.
import BreadlyApp
import Foundation
import GRDB
import TestKit
import Testing

@Suite struct BooksInTrouble {
    let server: Running

    init() throws { server = try Running() }

    /// The only book's file.
    private func book() throws -> String {
        let paths = FileManager.default.subpaths(atPath: server.folder + "/devices") ?? []
        return server.folder + "/devices/" + (try #require(paths.first { $0.hasSuffix(".sqlite") }))
    }

    @Test func aDamagedBookIsToldToItsDeviceAndOthersGoOn() throws {
        let guest = try server.guest()
        server.app.stop()
        let path = try book()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try Data(repeating: 7, count: 40_960).write(to: URL(fileURLWithPath: path))
        try server.restart()
        guest.port = Int(server.app.port)
        let reply = try guest.get("/")
        #expect(reply.status == 303 && reply.header("location") == "/error")
        let page = try guest.get("/error")
        #expect(page.status == 503)
        #expect(page.text.contains("breadly doctor") && page.text.contains("breadly restore"))
        #expect(page.text.contains("action=\"/error/retry\""))
        #expect(!page.text.contains("Everything you enter is saved") && !page.text.contains("/export/"))
        #expect(page.text.contains("Book not readable"))
        #expect(try guest.get("/status.json").text.contains(#""state":"error""#))
        #expect(try guest.post("/error/retry").status == 303)
        #expect(try guest.get("/").header("location") == "/error")
        let other = try server.guest()
        #expect(try other.get("/").status == 200)
    }

    /// An empty book in its place would look like that of a new guest.
    @Test(arguments: [true, false]) func aBookThatIsGoneIsADamagedOne(isEmpty: Bool) throws {
        let guest = try server.guest()
        server.app.stop()
        let path = try book()
        let kept = try Data(contentsOf: URL(fileURLWithPath: path))
        for suffix in ["-wal", "-shm", ""] { try? FileManager.default.removeItem(atPath: path + suffix) }
        if isEmpty { try Data().write(to: URL(fileURLWithPath: path)) }
        try server.restart()
        guest.port = Int(server.app.port)
        #expect(try guest.get("/").header("location") == "/error")
        #expect(try guest.get("/error").text.contains("Your book is damaged"))
        #expect(server.log.all.contains { $0.contains("a book is damaged: \(path) is missing or empty") })
        #expect(try guest.get("/readyz").text.contains("1 book is damaged"))
        #expect(FileManager.default.fileExists(atPath: path) == isEmpty, "nothing was put in its place")
        // After the file is restored, the device works again.
        try kept.write(to: URL(fileURLWithPath: path))
        _ = try guest.get("/error")
        #expect(try guest.post("/error/retry").status == 303)
        #expect(try guest.get("/").status == 200)
        #expect(try guest.get("/readyz").text == "ok")
    }

    @Test func aKeyThatIsGoneOrShortStopsTheStart() throws {
        _ = try server.guest()
        server.app.stop()
        let path = server.folder + "/secret.key"
        let key = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        #expect(try sentence().contains("secret.key is missing beside books: put it back from a backup"))
        for length in [0, 31] {
            try key.prefix(length).write(to: URL(fileURLWithPath: path))
            #expect(try sentence().contains("secret.key has \(length) bytes instead of 32"))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 31, "it is left alone")
        try key.write(to: URL(fileURLWithPath: path))
        try server.restart()
    }

    @Test func booksWithoutADeviceStoreStopTheStart() throws {
        let guest = try server.guest()
        server.app.stop()
        let path = server.folder + "/sessions.sqlite"
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        #expect(try sentence().contains("sessions.sqlite is missing, which says whose the books"))
        #expect(!FileManager.default.fileExists(atPath: path), "no other one is made")
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        try server.restart()
        guest.port = Int(server.app.port)
        #expect(try guest.get("/").status == 200)
    }

    /// The error of the start, which must not succeed.
    private func sentence() throws -> String {
        var said: String?
        do { try server.restart() } catch let error as AppError { said = error.description }
        return try #require(said)
    }

    @Test func whatCannotBeWrittenIsToldAndTheFormIsNotLost() throws {
        // Root may write everywhere, so that permissions alone do not stop it.
        guard getuid() != 0 else { return }
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        server.app.stop()
        let path = try book()
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        try server.restart()
        guest.port = Int(server.app.port)
        #expect(try guest.record(account: account).status >= 500 || guest.get("/").status == 303)
    }

    @Test func aBookThatAnotherProgramKeepsIsBusyAndTheFormIsSentAgain() throws {
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        let other = try DatabaseQueue(path: try book())
        let busy = try other.inDatabase { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            defer { try? database.execute(sql: "ROLLBACK") }
            return try guest.record([("payee", "Corner <Bakery>")], account: account)
        }
        #expect(busy.status == 503 && busy.text.contains("One moment"))
        #expect(busy.html.first("main")?.text.contains("Corner <Bakery>") == true)
        let form = try #require(busy.html.form("/transactions"))
        let again = try guest.post("/transactions", form.map { ($0.name, $0.value) }, csrf: false)
        #expect(again.status == 303)
        #expect(try guest.get("/transactions").rows("transaction").count == 1)
    }

    /// Sends a form while another program holds the file of devices and sessions.
    private func whileSessionsAreHeld(_ send: () throws -> Reply) throws -> Reply {
        let other = try DatabaseQueue(path: server.folder + "/sessions.sqlite")
        return try other.inDatabase { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            defer { try? database.execute(sql: "ROLLBACK") }
            return try send()
        }
    }

    private static let password = "correct horse battery"

    @Test func aSignUpThatOnlyTheCloudTookIsFinishedBySendingItAgain() throws {
        let guest = try server.guest()
        _ = try guest.record(account: try #require(try guest.accounts()["Cash"]))
        _ = try guest.get("/sign-in")
        let busy = try whileSessionsAreHeld {
            try guest.post("/sign-up", [("email", "anna@x.test"), ("password", Self.password)])
        }
        #expect(busy.status == 503 && busy.text.contains("One moment"))
        #expect(!busy.text.contains("Nothing was changed"))
        #expect(
            busy.text.contains("Your account was created, but you may not be signed in on this device yet.")
        )
        #expect(busy.html.form("/sign-up") == nil, "the address has an account by now")
        let form = try #require(busy.html.form("/sign-in"))
        #expect(form.contains { $0.name == "email" && $0.value == "anna@x.test" })
        let again = form.map { ($0.name, $0.name == "password" ? Self.password : $0.value) }
        #expect(try guest.post("/sign-in", again, csrf: false).status == 303)
        #expect(try guest.get("/settings").text.contains("Signed in as anna@x.test."))
        #expect(try guest.get("/transactions").rows("transaction").count == 1, "it comes along")
        #expect(try guest.get("/settings/devices").rows("device").count == 1)
    }

    @Test func aSignInThatOnlyTheCloudTookDoesNotSayThatNothingWasChanged() throws {
        let first = try server.guest()
        _ = try first.get("/sign-in")
        _ = try first.post("/sign-up", [("email", "anna@x.test"), ("password", Self.password)])
        let other = try server.guest()
        _ = try other.get("/sign-in")
        let busy = try whileSessionsAreHeld {
            try other.post("/sign-in", [("email", "anna@x.test"), ("password", Self.password)])
        }
        #expect(busy.status == 503 && !busy.text.contains("Nothing was changed"))
        #expect(busy.text.contains("You may not be signed in on this device yet."))
        #expect(busy.text.contains("Signing in again is safe."))
        let form = try #require(busy.html.form("/sign-in"))
        let again = form.map { ($0.name, $0.name == "password" ? Self.password : $0.value) }
        #expect(try other.post("/sign-in", again, csrf: false).status == 303)
        #expect(try first.get("/settings/devices").rows("device").count == 2)
    }

    @Test func aSecondServerOnTheFolderIsRefusedInOneLine() throws {
        var settings = Settings()
        settings.port = 0
        settings.data = server.folder
        let error = #expect(throws: AppError.self) {
            try App(settings, resources: Resources(folder: repository), dependencies: .system())
        }
        #expect(error?.description.contains("another server works on") == true)
        #expect(error?.description.contains("\n") == false)
    }

    @Test func healthAndReadinessAnswer() throws {
        #expect(try server.visitor().get("/healthz").text == "ok")
        #expect(try server.visitor().get("/readyz").text == "ok")
    }
}
