// The disk of a cloud that fills while the file of a receipt arrives: over the real program.
import Foundation
import TestKit
import Testing

@Suite struct FilesAndTheDiskOfTheCloud {
    let folder: Folder

    init() throws {
        folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder("cloud"), withIntermediateDirectories: true)
    }

    private static let options = ["--premium", "everyone", "--attachment-bytes", "20M"]

    private func cloud(through wrapper: [String]) throws -> Program {
        try Program(
            ["cloud", "--port", "0", "--data", folder("cloud")] + Self.options,
            through: wrapper
        )
    }

    private func server(_ cloud: Program) throws -> Program {
        let address = "http://127.0.0.1:\(try #require(cloud.port))"
        return try Program(
            [
                "serve", "--port", "0", "--data", folder("data"), "--cloud", address, "--attachment-bytes",
                "20M",
            ]
        )
    }

    /// A user of the cloud, and an account to record on.
    private func user(_ name: String, _ server: Program) throws -> (visitor: Visitor, account: String) {
        let visitor = Visitor(port: try #require(server.port))
        let account = try visitor.onboard()
        _ = try visitor.get("/sign-in")
        let fields = [("email", "\(name)@x.test"), ("password", "correct horse battery")]
        try #require(try visitor.post("/sign-up", fields).status == 303)
        return (visitor, account)
    }

    private func isInStep(_ visitor: Visitor) throws -> Bool {
        let status = try visitor.get("/status.json").text
        return status.contains(#""state":"synced""#) && status.contains(#""pending":0"#)
    }

    private func pdf(_ size: Int, _ byte: UInt8) -> [UInt8] {
        SampleFiles.pdf + [UInt8](repeating: byte, count: size - SampleFiles.pdf.count)
    }

    private func line(_ transaction: String, _ visitor: Visitor) throws -> HTMLElement? {
        try visitor.get("/transactions/\(transaction)").html.elements.first { $0["data-attachment"] != nil }
    }

    /// Records something as each user, and waits until it is in the cloud: files never hold up changes.
    private func expectSync(_ users: [(visitor: Visitor, account: String)]) throws {
        for user in users {
            _ = try user.visitor.get("/transactions/new")
            #expect(try user.visitor.record("Still", on: user.account) == 303)
            #expect(try becomesTrue { try isInStep(user.visitor) })
        }
    }

    /// The file on a new device of the user, once it is there.
    private func expectOnAnotherDevice(
        _ bytes: [UInt8],
        _ transaction: String,
        _ name: String,
        _ server: Program
    )
        throws
    {
        let other = Visitor(port: try #require(server.port))
        _ = try other.get("/sign-in")
        let fields = [("email", "\(name)@x.test"), ("password", "correct horse battery")]
        try #require(try other.post("/sign-in", fields).status == 303)
        #expect(try becomesTrue { try line(transaction, other) != nil })
        let receipt = try #require(try line(transaction, other)?["data-attachment"])
        #expect(try other.get("/attachments/\(receipt)").body == bytes)
    }

    /// No file of the cloud may be longer than 2.5 MB, so that the third part of a file is written by half.
    @Test func aPartThatDoesNotFitIsSentAgainWhenThereIsRoom() throws {
        let cloud = try cloud(
            through: ["sh", "-c", "trap '' XFSZ; ulimit -S -f 5000 && exec \"$@\"", "sh"]
        )
        let server = try server(cloud)
        let (anna, ben) = (try user("anna", server), try user("ben", server))
        _ = try anna.visitor.get("/transactions/new")
        let transaction = try anna.visitor.recordOne(on: anna.account)
        let bytes = pdf(4 << 20, 1)
        #expect(try anna.visitor.attach("large.pdf", bytes, to: transaction).status == 303)
        func parts() -> [Int] {
            let names =
                (try? FileManager.default.subpathsOfDirectory(atPath: folder("cloud/cloud.files"))) ?? []
            return names.filter { $0.hasSuffix(".part") }.compactMap { name in
                let path = folder("cloud/cloud.files/") + name
                return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
            }
        }
        #expect(becomesTrue { parts() == [2 << 20] }, "two parts arrive")
        try expectSync([anna, ben])
        #expect(try line(transaction, anna.visitor)?["data-status"] == "uploading")
        #expect(parts() == [2 << 20], "and nothing of the third")
        try run(["prlimit", "--pid", "\(cloud.identifier)", "--fsize=unlimited"])
        #expect(try becomesTrue { try line(transaction, anna.visitor)?["data-status"] == "uploaded" })
        #expect(try anna.visitor.get("/transactions/\(transaction)").text.contains("Backed up"))
        try expectOnAnotherDevice(bytes, transaction, "anna", server)
    }

    @Test(.enabled(if: hasNamespaces)) func filesLeaveRoomForTheChangesOfAllAccounts() throws {
        let cloud = try cloud(
            through: namespace("mount -t tmpfs -o size=14m tmpfs \"$0\"", folder("cloud"))
        )
        let server = try server(cloud)
        let (anna, ben) = (try user("anna", server), try user("ben", server))
        _ = try anna.visitor.get("/transactions/new")
        let transaction = try anna.visitor.recordOne(on: anna.account)
        let bytes = pdf(15 << 20, 2)
        #expect(try anna.visitor.attach("large.pdf", bytes, to: transaction).status == 303)
        #expect(
            try becomesTrue { try line(transaction, anna.visitor)?["data-status"] == "uploading" },
            "some parts arrive"
        )
        try expectSync([anna, ben])
        #expect(try line(transaction, anna.visitor)?["data-status"] == "uploading")
        try grow(cloud, folder("cloud"))
        #expect(try becomesTrue { try line(transaction, anna.visitor)?["data-status"] == "uploaded" })
        try expectOnAnotherDevice(bytes, transaction, "anna", server)
    }

    /// Gives the mounted disk of the cloud more room, from outside its namespace.
    private func grow(_ program: Program, _ path: String) throws {
        let place = ["nsenter", "-t", "\(program.identifier)", "-U", "-m", "--preserve-credentials"]
        try run(place + ["mount", "-o", "remount,size=60m", path])
    }

    private func run(_ command: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
