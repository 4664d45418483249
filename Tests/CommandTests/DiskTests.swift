// Disks that are full or cannot be written: mounted for the one process in a namespace of its own.
import Foundation
import TestKit
import Testing

/// Runs a program in a namespace of its own, after a script of `mount`s; `$0` is the folder.
private func namespace(_ script: String, _ folder: String) -> [String] {
    ["unshare", "--map-root-user", "--mount", "sh", "-c", script + " && exec \"$@\"", folder]
}

/// Whether this system lets its users have namespaces.
private let hasNamespaces: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = namespace("mount -t tmpfs tmpfs \"$0\"", "/mnt") + ["true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
}()

@Suite(.enabled(if: hasNamespaces)) struct Disks {
    let folder: Folder

    init() throws {
        folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder("data"), withIntermediateDirectories: true)
    }

    @Test func aFullDiskIsToldAndWhatWasAnsweredIsThere() throws {
        let program = try Program(
            ["serve", "--port", "0", "--data", folder("data")],
            through: namespace("mount -t tmpfs -o size=700k tmpfs \"$0\"", folder("data"))
        )
        let visitor = Visitor(port: try #require(program.port))
        let account = try visitor.onboard()
        var answered: [String] = []
        var refused: Reply?
        while refused == nil {
            let payee = "payee-\(answered.count)-"
            let reply = try visitor.post(
                "/transactions",
                [
                    ("kind", "expense"), ("date", "2026-11-21"), ("amount", "1"), ("account", account),
                    ("payee", payee), ("note", String(repeating: "\(answered.count) words ", count: 150)),
                ]
            )
            if reply.status == 303 { answered.append(payee) } else { refused = reply }
            try #require(answered.count < 5_000)
        }
        let page = try #require(refused)
        #expect(page.status == 507 && page.text.contains("disk"), "\(page.text.suffix(900))")
        #expect(answered.count > 5)
        // Reading goes on, and there is all that was answered, and nothing else.
        #expect(try visitor.get("/transactions?month=all").status == 200)
        let book = try visitor.get("/export/breadly.json").text
        for payee in answered { #expect(book.contains("\"\(payee)\""), "\(payee) is lost") }
        #expect(!book.contains("\"payee-\(answered.count)-\""))
    }

    @Test func aFolderThatCannotBeWrittenIsOneClearLine() throws {
        let ended = try Program(
            ["serve", "--port", "0", "--data", folder("data")],
            through: namespace(
                "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\"",
                folder("data")
            )
        ).end()
        #expect(ended.status == 1)
        let lines = ended.errors.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].contains("written"), "\(ended.errors)")
    }

    @Test func booksThatCannotBeWrittenAreToldAndStayAsTheyAre() throws {
        var program = try Program(["serve", "--port", "0", "--data", folder("data")])
        let visitor = Visitor(port: try #require(program.port))
        let account = try visitor.onboard()
        #expect(try visitor.record("Kept", on: account) == 303)
        program.kill(SIGTERM)
        #expect(program.end().status == 0)

        program = try Program(
            ["serve", "--port", "0", "--data", folder("data")],
            through: namespace(
                "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\"",
                folder("data") + "/devices"
            )
        )
        visitor.port = try #require(program.port)
        #expect(try visitor.get("/transactions").status >= 300)
        let page = try visitor.get("/error")
        #expect(page.status >= 500 && page.text.contains("cannot be written"), "\(page.text.suffix(900))")
        #expect(try visitor.get("/healthz").text == "ok")
        program.kill(SIGTERM)
        #expect(program.end().status == 0)

        program = try Program(["serve", "--port", "0", "--data", folder("data")])
        visitor.port = try #require(program.port)
        _ = try visitor.get("/error")
        _ = try visitor.post("/error/retry")
        #expect(try visitor.get("/export/breadly.json").text.contains("\"Kept\""))
    }
}
