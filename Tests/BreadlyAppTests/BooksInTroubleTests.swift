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
        #expect(try guest.get("/status.json").text.contains(#""state":"error""#))
        #expect(try guest.post("/error/retry").status == 303)
        #expect(try guest.get("/").header("location") == "/error")
        let other = try server.guest()
        #expect(try other.get("/").status == 200)
    }

    @Test func whatCannotBeWrittenIsToldAndTheFormIsNotLost() throws {
        // Root may write everywhere, so that rights alone stop nobody there.
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

    @Test func aSecondServerOnTheFolderIsRefusedInOneLine() throws {
        var settings = Settings()
        settings.port = 0
        settings.data = server.folder
        let error = #expect(throws: AppError.self) {
            try App(settings, resources: Resources(folder: repository), dependencies: .system { _ in })
        }
        #expect(error?.description.contains("another server works on") == true)
        #expect(error?.description.contains("\n") == false)
    }

    @Test func healthAndReadinessAnswer() throws {
        #expect(try server.visitor().get("/healthz").text == "ok")
        #expect(try server.visitor().get("/readyz").text == "ok")
    }
}
