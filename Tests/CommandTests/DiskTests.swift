// Disks that are full or cannot be written: mounted for the one process in a namespace of its own.
import Foundation
import TestKit
import Testing

/// Runs a program in a namespace of its own, after a script of `mount`s; `$0` is the folder.
func namespace(_ script: String, _ folder: String) -> [String] {
    ["unshare", "--map-root-user", "--mount", "sh", "-c", script + " && exec \"$@\"", folder]
}

/// Whether this system lets its users have namespaces.
let hasNamespaces: Bool = {
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
            ["serve", "--port", "0", "--data", folder("data"), "--guest-bytes", "10M"],
            through: namespace("mount -t tmpfs -o size=1500k tmpfs \"$0\"", folder("data"))
        )
        let visitor = Visitor(port: try #require(program.port))
        let account = try visitor.onboard()
        try signUp(visitor)
        _ = try visitor.get("/transactions/new")
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
        // The page keeps the entry, to be sent again once there is room.
        let form = try #require(page.html.form("/transactions"))
        #expect(form.contains { $0 == ("payee", "payee-\(answered.count)-") })
        #expect(form.contains { $0 == ("csrf", visitor.csrf) })
        // Reads still work, and return all that was confirmed, and nothing else.
        #expect(try visitor.get("/transactions?month=all").status == 200)
        let book = try visitor.get("/export/breadly.json").text
        for payee in answered { #expect(book.contains("\"\(payee)\""), "\(payee) is lost") }
        #expect(!book.contains("\"payee-\(answered.count)-\""))
    }

    /// Many guests write all that they can, and a user is served nevertheless.
    @Test func guestsFillADiskAndUsersAreServed() throws {
        let program = try Program(
            [
                "serve", "--port", "0", "--data", folder("data"), "--guest-bytes", "1G", "--premium",
                "everyone",
            ],
            through: namespace("mount -t tmpfs -o size=40m tmpfs \"$0\"", folder("data"))
        )
        let port = try #require(program.port)
        let user = Visitor(port: port)
        let account = try user.onboard()
        try signUp(user)
        var statuses: [Int] = []
        for _ in 0..<4 where statuses.last != 507 {
            let guest = Visitor(port: port)
            guard let transaction = try? guest.recordOne(on: try guest.onboard()) else { break }
            for number in 0..<10 where statuses.last != 507 {
                let bytes =
                    SampleFiles.pdf + [UInt8](repeating: UInt8(number), count: 4 << 20)
                    + Array("\(number)".utf8)
                statuses.append(try guest.attach("\(number).pdf", bytes, to: transaction).status)
            }
        }
        #expect(statuses.last == 507 && statuses.count > 5, "\(statuses)")
        // All of it goes where the guests have left some room: a sign-in, an entry, a file, sync.
        _ = try user.get("/transactions/new")
        #expect(try user.record("Served", on: account) == 303)
        let list = try user.get("/transactions?month=all").html
        let id = try #require(list.all(nil, ["data-kind": "transaction"]).first?["data-id"])
        #expect(
            try user.attach("mine.pdf", SampleFiles.pdf + [UInt8](repeating: 1, count: 1 << 20), to: id)
                .status == 303
        )
        #expect(try becomesTrue { try status(user).contains(#""pending":0"#) })
        let other = Visitor(port: port)
        _ = try other.get("/sign-in")
        let fields = [("email", "anna@x.test"), ("password", "correct horse battery")]
        #expect(try other.post("/sign-in", fields).status == 303)
        #expect(try becomesTrue { try other.get("/transactions?month=all").text.contains("Served") })
        program.kill(SIGTERM)
        let errors = program.end().errors
        #expect(errors.contains("guests can write nothing more"))
        // The check of the server finds the disk too small if the test is still running then.
        let faults = errors.split(separator: "\n").filter {
            $0.contains(" error ") && !$0.contains("not ready: the disk")
        }
        #expect(faults == [], "\(errors)")
    }

    @Test func aServerWithoutRoomIsNotReadyUntilThereIsSome() throws {
        for kind in ["serve", "cloud"] {
            let program = try Program(
                [kind, "--port", "0", "--data", folder("data"), "--metrics", "127.0.0.1:0"],
                through: namespace("mount -t tmpfs -o size=3m tmpfs \"$0\"", folder("data"))
            )
            let visitor = Visitor(port: try #require(program.port))
            let prometheus = Visitor(port: try #require(program.metricsPort))
            let reply = try visitor.get("/readyz")
            #expect(reply.status == 503 && reply.text.contains("MB left"), "\(reply.text)")
            #expect(try visitor.get("/healthz").text == "ok")
            #expect(try prometheus.get("/metrics").text.contains("breadly_ready_check{check=\"disk\"} 0\n"))
            try grow(program, folder("data"))
            #expect(try becomesTrue { try visitor.get("/readyz").text == "ok" })
            #expect(try prometheus.get("/metrics").text.contains("breadly_ready 1\n"))
            program.kill(SIGTERM)
            let ended = program.end()
            #expect(ended.status == 0)
            let told = ended.errors.split(separator: "\n").filter { $0.contains("ready") }
            #expect(told.count == 2 && told[0].contains(" error breadly: [breadly] not ready: the disk of "))
            #expect(told.last?.hasSuffix(" info breadly: [breadly] ready again") == true, "\(told)")
        }
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

    // MARK: - Sync

    /// Gives a mounted disk more room, from outside its namespace.
    private func grow(_ program: Program, _ path: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "nsenter", "-t", "\(program.identifier)", "-U", "-m", "--preserve-credentials", "mount", "-o",
            "remount,size=40m", path,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private func signUp(_ visitor: Visitor) throws {
        _ = try visitor.get("/sign-in")
        let fields = [("email", "anna@x.test"), ("password", "correct horse battery")]
        try #require(try visitor.post("/sign-up", fields).status == 303)
    }

    private func fill(_ visitor: Visitor, on account: String, _ count: Int) throws {
        // Another cookie has come with the account.
        _ = try visitor.get("/transactions/new")
        for number in 0..<count {
            let fields = [
                ("kind", "expense"), ("date", "2026-11-21"), ("amount", "1"), ("account", account),
                ("payee", "payee-\(number)-"), ("note", String(repeating: "\(number) words ", count: 150)),
            ]
            try #require(try visitor.post("/transactions", fields).status == 303)
        }
    }

    private func status(_ visitor: Visitor) throws -> String { try visitor.get("/status.json").text }

    @Test func aCloudWhoseDiskIsFullGetsItAllOnceThereIsRoom() throws {
        try FileManager.default.createDirectory(atPath: folder("cloud"), withIntermediateDirectories: true)
        let cloud = try Program(
            ["cloud", "--port", "0", "--data", folder("cloud"), "--premium", "everyone"],
            through: namespace("mount -t tmpfs -o size=900k tmpfs \"$0\"", folder("cloud"))
        )
        let address = "http://127.0.0.1:\(try #require(cloud.port))"
        let server = try Program(["serve", "--port", "0", "--data", folder("data"), "--cloud", address])
        let anna = Visitor(port: try #require(server.port))
        let account = try anna.onboard()
        try signUp(anna)
        // Each of them is recorded here, independent of the space in the cloud.
        try fill(anna, on: account, 300)
        #expect(
            try becomesTrue {
                try anna.get("/sync").text.contains("The cloud cannot accept changes at the moment.")
            }
        )
        #expect(try !status(anna).contains(#""pending":0"#))
        #expect(try anna.record("Still", on: account) == 303)
        try grow(cloud, folder("cloud"))
        _ = try anna.post("/sync/retry")
        #expect(try becomesTrue { try status(anna).contains(#""pending":0"#) })
        #expect(try anna.get("/status.json").text.contains(#""transactions":301"#))
    }

    @Test func aDeviceWhoseDiskIsFullGetsItAllOnceThereIsRoom() throws {
        try FileManager.default.createDirectory(atPath: folder("small"), withIntermediateDirectories: true)
        let cloud = try Program(["cloud", "--port", "0", "--data", folder("cloud"), "--premium", "everyone"])
        let address = "http://127.0.0.1:\(try #require(cloud.port))"
        let server = try Program(["serve", "--port", "0", "--data", folder("data"), "--cloud", address])
        let anna = Visitor(port: try #require(server.port))
        let account = try anna.onboard()
        try signUp(anna)
        let small = try Program(
            ["serve", "--port", "0", "--data", folder("small"), "--cloud", address],
            through: namespace("mount -t tmpfs -o size=1m tmpfs \"$0\"", folder("small"))
        )
        let other = Visitor(port: try #require(small.port))
        _ = try other.get("/sign-in")
        let fields = [("email", "anna@x.test"), ("password", "correct horse battery")]
        #expect(try other.post("/sign-in", fields).status == 303)
        #expect(try becomesTrue { try status(other).contains(#""state":"synced""#) })
        try fill(anna, on: account, 500)
        #expect(try becomesTrue { try other.get("/sync").text.contains("could not be written") })
        #expect(try other.get("/transactions").status == 200, "it goes on with what it has")
        try grow(small, folder("small"))
        _ = try other.post("/sync/retry")
        #expect(try becomesTrue { try status(other).contains(#""transactions":500"#) })
    }
}
