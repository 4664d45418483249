// Files beside transactions over the real program: backups, the doctor, a full disk, and a process that is killed.
import Foundation
import TestKit
import Testing

extension Visitor {
    /// Sends one file to a transaction.
    func attach(_ name: String, _ bytes: [UInt8], to transaction: String) throws -> Reply {
        _ = try get("/transactions/\(transaction)")
        var body = Array("--b\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n\(csrf)\r\n".utf8)
        body += Array(
            "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n".utf8
        )
        body += bytes + Array("\r\n--b--\r\n".utf8)
        let type = ("Content-Type", "multipart/form-data; boundary=b")
        return try send("POST", "/transactions/\(transaction)/attachments", headers: [type], body: body)
    }

    /// Records a transaction, and returns its id.
    func recordOne(on account: String) throws -> String {
        _ = try record("Market", on: account)
        let list = try get("/transactions?month=all").html
        return try #require(list.all(nil, ["data-kind": "transaction"]).first?["data-id"])
    }
}

@Suite struct ReceiptsOfTheProgram {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func serve(_ options: [String] = [], data: String = "data") throws -> Program {
        try Program(["serve", "--port", "0", "--data", folder(data)] + options)
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        try Program(arguments).end()
    }

    private func files(_ data: String = "data") -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder(data))) ?? []
        // A hash has more digits than the name of an account's folder.
        return paths.filter { path in
            let name = path.split(separator: "/").last ?? ""
            return (path.contains(".files/") && name.count >= 64) || path.contains("incoming-")
        }.sorted()
    }

    @Test(arguments: [false, true])
    func aBackupHoldsTheFilesAndARestoreBringsThemBack(isCompressed: Bool) throws {
        let program = try serve()
        let visitor = Visitor(port: try #require(program.port))
        let id = try visitor.recordOne(on: try visitor.onboard())
        let photo = SampleFiles.jpeg(width: 300, height: 200)
        #expect(try visitor.attach("a.jpg", photo, to: id).status == 303)
        let copy = folder("copy")
        // Beside the server.
        let options = isCompressed ? ["--compress"] : []
        #expect(try run(["backup", copy, "--data", folder("data")] + options).status == 0)
        program.kill(SIGTERM)
        #expect(program.end().status == 0)
        #expect(try run(["backup", "--verify", copy]).status == 0)
        #expect(try run(["restore", copy, "--data", folder("other")]).status == 0)
        #expect(files("other") == files() && files().count == 1)
        let doctor = try run(["doctor", "--data", folder("other")])
        #expect(doctor.status == 0, "\(doctor.output)")
        let again = try serve(data: "other")
        let back = Visitor(port: try #require(again.port))
        back.cookies = visitor.cookies
        let receipt = try back.get("/attachments").html.elements.compactMap { $0["data-attachment"] }.first
        #expect(try back.get("/attachments/\(try #require(receipt))").body == photo)
        again.kill(SIGTERM)
        _ = again.end()
    }

    @Test func theDoctorFindsFilesWithoutRowsAndRowsWithoutFiles() throws {
        let program = try serve()
        let visitor = Visitor(port: try #require(program.port))
        let id = try visitor.recordOne(on: try visitor.onboard())
        _ = try visitor.attach("bill.pdf", SampleFiles.pdf, to: id)
        program.kill(SIGTERM)
        _ = program.end()
        #expect(try run(["doctor", "--data", folder("data")]).status == 0)
        let path = folder("data/") + (try #require(files().first))
        let other = URL(fileURLWithPath: path).deletingLastPathComponent()
            .appendingPathComponent(String(repeating: "0", count: 64))
        try FileManager.default.moveItem(at: URL(fileURLWithPath: path), to: other)
        let doctor = try run(["doctor", "--data", folder("data")])
        #expect(doctor.status == 1)
        #expect(doctor.output.contains("receipts without a file (1): 'bill.pdf'"), "\(doctor.output)")
        #expect(doctor.output.contains("1 files that no receipt needs"), "\(doctor.output)")
        // The server says so on the page, and removes what no receipt needs.
        let again = try serve()
        let back = Visitor(port: try #require(again.port))
        back.cookies = visitor.cookies
        #expect(try back.get("/transactions/\(id)").text.contains("The file is missing on the server"))
        #expect(files().isEmpty)
        again.kill(SIGTERM)
        _ = again.end()
    }

    /// A server on which one user has a file, which the cloud in the same process has as well.
    private func uploaded() throws {
        let program = try serve(["--premium", "everyone"])
        let visitor = Visitor(port: try #require(program.port))
        let id = try visitor.recordOne(on: try visitor.onboard())
        _ = try visitor.get("/sign-in")
        let user = [("email", "anna@x.test"), ("password", "correct horse battery")]
        try #require(try visitor.post("/sign-up", user).status == 303)
        let photo = SampleFiles.jpeg(width: 300, height: 200)
        #expect(try visitor.attach("a.jpg", photo, to: id).status == 303)
        #expect(
            try becomesTrue {
                try visitor.get("/transactions/\(id)").html.elements.contains {
                    $0["data-attachment"] != nil && $0["data-status"] == "uploaded"
                }
            }
        )
        program.kill(SIGTERM)
        _ = program.end()
    }

    private func ofCloud(_ data: String = "data") -> [String] {
        files(data).filter { $0.hasPrefix("cloud.files/") }
    }

    @Test func theFilesOfAnAccountAreInBackups() throws {
        try uploaded()
        #expect(ofCloud().count == 1 && files().count == 2)
        let copy = folder("copy")
        #expect(try run(["backup", copy, "--data", folder("data")]).status == 0)
        #expect(try run(["backup", "--verify", copy]).status == 0)
        #expect(try run(["restore", copy, "--data", folder("other")]).status == 0)
        #expect(files("other") == files())
        let doctor = try run(["doctor", "--data", folder("other")])
        #expect(doctor.status == 0, "\(doctor.output)")
        // A restore into a folder with other files replaces them.
        let known = try #require(ofCloud("other").first)
        let stray = "\(folder("other/"))\(known.dropLast(2))00"
        try Data([1]).write(to: URL(fileURLWithPath: stray))
        #expect(try run(["restore", copy, "--data", folder("other")]).status == 0)
        #expect(ofCloud("other") == ofCloud())
    }

    @Test func theDoctorFindsFilesThatTheCloudHasLost() throws {
        try uploaded()
        #expect(try run(["doctor", "--data", folder("data")]).status == 0)
        let path = folder("data/") + (try #require(ofCloud().first))
        let other = URL(fileURLWithPath: path).deletingLastPathComponent()
            .appendingPathComponent(String(repeating: "0", count: 64))
        try FileManager.default.moveItem(at: URL(fileURLWithPath: path), to: other)
        let doctor = try run(["doctor", "--data", folder("data")])
        #expect(doctor.status == 1)
        #expect(doctor.output.contains("missing files of accounts (1)"), "\(doctor.output)")
        #expect(doctor.output.contains("1 files that no account has"), "\(doctor.output)")
    }

    /// They are in the backup as they are: most of a photo can still be seen, and it may be the last copy.
    @Test func aBackupSaysWhichFilesAreDamaged() throws {
        try uploaded()
        let copy = folder("copy")
        for path in files() { try damage(folder("data/") + path) }
        let hash = try #require(ofCloud().first?.suffix(64))
        let lines = [
            "damaged files (1): 'a.jpg'; open them in Breadly",
            "cloud.files: damaged files of accounts (1): '\(hash)'; a running server asks devices",
        ]
        let backup = try run(["backup", copy, "--data", folder("data")])
        #expect(backup.status == 1 && backup.output.contains("Written to"), "\(backup)")
        let verified = try run(["backup", "--verify", copy])
        #expect(verified.status == 1 && verified.output.contains("is whole"), "\(verified)")
        let restored = try run(["restore", copy, "--data", folder("other")])
        #expect(restored.status == 0, "\(restored)")
        for text in [backup.errors, verified.errors, restored.errors] {
            #expect(lines.allSatisfy { text.contains($0) } && !text.contains("missing:"), "\(text)")
            #expect(!text.contains("have no file"))
        }
        #expect(files("other") == files())
        for path in files() {
            let copies = ["data/", "other/"].map { FileManager.default.contents(atPath: folder($0) + path) }
            #expect(copies[0] == copies[1] && copies[0] != nil)
        }
    }

    @Test func aBackupSaysWhichFilesAreMissingOrCannotBeRead() throws {
        try uploaded()
        let (file, account) = (try #require(files().last), try #require(ofCloud().first))
        try FileManager.default.removeItem(atPath: folder("data/") + file)
        try FileManager.default.removeItem(atPath: folder("data/") + account)
        let missing = try run(["backup", folder("copy"), "--data", folder("data")])
        #expect(missing.status == 1 && missing.output.contains("Written to"), "\(missing)")
        #expect(missing.errors.contains("receipts without a file (1): 'a.jpg'; put the files back"))
        #expect(missing.errors.contains("cloud.files: missing files of accounts (1): '"))
        #expect(try run(["backup", "--verify", folder("copy")]).status == 1)
        // As a file and a folder without permissions, also for root.
        for path in [file, account.split(separator: "/").dropLast().joined(separator: "/")] {
            let path = folder("data/") + path
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        }
        let unreadable = try run(["backup", folder("other"), "--data", folder("data")])
        #expect(unreadable.status == 1 && unreadable.output.contains("Written to"), "\(unreadable)")
        let lines = unreadable.errors.split(separator: "\n").filter { $0.contains("not in the backup: ") }
        #expect(lines.count == 2, "\(unreadable.errors)")
        #expect(lines.allSatisfy { $0.contains(String(cString: strerror(ELOOP))) })
        #expect(!unreadable.errors.contains("missing") && !unreadable.errors.contains("have no file"))
    }

    /// Looking for them would take longer than the backup of a book without files.
    @Test func aBackupIsVerifiedForBooksThatHaveLostTheFolderOfTheirFiles() throws {
        try uploaded()
        let file = try #require(files().first { $0.hasPrefix("devices/") })
        let lost = URL(fileURLWithPath: folder("data/") + file).deletingLastPathComponent()
        try FileManager.default.removeItem(at: lost)
        #expect(try run(["backup", folder("copy"), "--data", folder("data")]).status == 0)
        let verified = try run(["backup", "--verify", folder("copy")])
        #expect(verified.status == 1 && verified.output.contains("is whole"), "\(verified)")
        #expect(
            verified.errors.contains("receipts without a file (1): 'a.jpg'; put the files back"),
            "\(verified)"
        )
        // A folder that is there was compared with the book before, and is named once.
        try FileManager.default.createDirectory(at: lost, withIntermediateDirectories: false)
        #expect(try run(["backup", folder("other"), "--data", folder("data")]).status == 1)
        let again = try run(["backup", "--verify", folder("other")])
        #expect(again.errors.components(separatedBy: "receipts without a file").count == 2, "\(again)")
    }

    @Test func aBackupHasWhatIsLeftOfAFileThatTheCloudHasSetAside() throws {
        try uploaded()
        let path = try #require(ofCloud().first)
        try damage(folder("data/") + path)
        try FileManager.default.moveItem(
            atPath: folder("data/") + path,
            toPath: folder("data/") + path + ".damaged"
        )
        let backup = try run(["backup", folder("copy"), "--data", folder("data")])
        #expect(backup.status == 1, "\(backup)")
        #expect(backup.errors.contains("damaged files of accounts (1): '\(path.suffix(64))'"), "\(backup)")
        #expect(try run(["restore", folder("copy"), "--data", folder("other")]).status == 0)
        let copies = ["data/", "other/"].map {
            FileManager.default.contents(atPath: folder($0) + path + ".damaged")
        }
        #expect(copies[0] == copies[1] && copies[0] != nil)
        let doctor = try run(["doctor", "--data", folder("other")])
        #expect(doctor.output.contains("damaged files of accounts (1): "), "\(doctor.output)")
        #expect(!doctor.output.contains("missing files"), "\(doctor.output)")
    }

    @Test func theDoctorReadsEachFileAndFindsDamagedOnes() throws {
        try uploaded()
        let sound = try run(["doctor", "--data", folder("data")])
        let size = SampleFiles.jpeg(width: 300, height: 200).count
        #expect(sound.status == 0 && sound.output.contains("2 files of receipts read, \(2 * size) bytes\n"))
        let paths = files()
        for path in paths { try damage(folder("data/") + path) }
        let doctor = try run(["doctor", "--data", folder("data")])
        #expect(doctor.status == 1)
        #expect(
            doctor.output.contains("damaged files (1): 'a.jpg'; open them in Breadly"),
            "\(doctor.output)"
        )
        #expect(doctor.output.contains("damaged files of accounts (1): "), "\(doctor.output)")
        #expect(!doctor.output.contains("missing") && !doctor.output.contains("have no file"))
        #expect(files() == paths)
    }

    @Test func aFolderOfFilesThatCannotBeReadIsToldAsSuch() throws {
        try uploaded()
        let folders = Set(
            files().map { URL(fileURLWithPath: folder("data/") + $0).deletingLastPathComponent().path }
        )
        #expect(folders.count == 2)
        // As a folder without permissions, also for root.
        for (number, path) in folders.enumerated() {
            try FileManager.default.moveItem(atPath: path, toPath: folder("moved-\(number)"))
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        }
        let doctor = try run(["doctor", "--data", folder("data")])
        #expect(doctor.status == 1)
        let told = doctor.output.split(separator: "\n").filter { $0.contains("the folder cannot be read") }
        #expect(told.count == 2, "\(doctor.output)")
        #expect(
            !doctor.output.contains("missing") && !doctor.output.contains("have no file"),
            "\(doctor.output)"
        )
    }

    @Test(arguments: [false, true]) func aRemovedUserLeavesNoFilesInTheCloud(isServing: Bool) throws {
        try uploaded()
        #expect(ofCloud().count == 1)
        let program = isServing ? try serve(["--premium", "everyone"]) : nil
        if isServing { _ = try #require(program?.port) }
        let ended = try run(["users", "--remove", "anna@x.test", "--data", folder("data")])
        #expect(ended.status == 0 && ended.output.hasSuffix("with all data on the cloud\n"), "\(ended)")
        #expect(ofCloud().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("data/cloud.files")).isEmpty)
        program?.kill(SIGTERM)
        _ = program?.end()
    }

    @Test func whoRemovesAUserIsToldWhyFilesStay() throws {
        try uploaded()
        let account = try #require(ofCloud().first).split(separator: "/").dropLast().joined(separator: "/")
        // A folder cannot be removed like a file, also by root.
        let obstacle = folder("data/") + account + "/obstacle"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        let ended = try run(["users", "--remove", "anna@x.test", "--data", folder("data")])
        #expect(ended.output.contains("its files in \(folder("data"))/\(account) could not"), "\(ended)")
        #expect(ended.output.contains("\(obstacle): \(String(cString: strerror(EISDIR))). Check"), "\(ended)")
        #expect(ended.output.contains("tries again within the hour. Or remove it"), "\(ended)")
    }

    @Test(.enabled(if: hasNamespaces)) func theDoctorSaysWhatASmallRestOfADiskMeans() throws {
        for (size, words, status) in [
            ("3m", "MB are free: changes are still recorded", 2),
            ("900k", "KB are free: changes may be refused", 1),
        ] {
            let doctor = try Program(
                ["doctor", "--data", folder("small")],
                through: namespace(
                    "mkdir -p \"$0\" && mount -t tmpfs -o size=\(size),mode=700 tmpfs \"$0\"",
                    folder("small")
                )
            ).end()
            #expect(doctor.output.contains(words) && doctor.status == status, "\(doctor)")
        }
    }

    @Test func aKilledProcessLeavesNoRowWithoutItsFile() throws {
        var program = try serve()
        var visitor = Visitor(port: try #require(program.port))
        let id = try visitor.recordOne(on: try visitor.onboard())
        var acknowledged = 0
        // It is killed when a part has arrived, and three times when all has been sent and nothing is answered yet.
        for (round, percent) in [1, 50, 99, 100, 100, 100].enumerated() {
            _ = try visitor.get("/transactions/\(id)")
            let parts = [
                "--b\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n\(visitor.csrf)\r\n",
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(round).pdf\"\r\n\r\n",
                "%PDF-1.7\n", String(repeating: "\(round)", count: 3 << 20), "\r\n--b--\r\n",
            ]
            let body = parts.joined()
            let cookies = visitor.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            let head = [
                "POST /transactions/\(id)/attachments HTTP/1.1", "Host: 127.0.0.1:\(visitor.port)",
                "Cookie: \(cookies)", "Content-Length: \(body.utf8.count)",
                "Content-Type: multipart/form-data; boundary=b",
            ]
            let wire = try Wire(port: visitor.port)
            wire.send(
                head.joined(separator: "\r\n") + "\r\n\r\n" + body.prefix(body.utf8.count * percent / 100)
            )
            program.kill(SIGKILL)
            _ = program.end()
            program = try serve()
            let known = visitor.cookies
            visitor = Visitor(port: try #require(program.port))
            visitor.cookies = known
            let shown = try visitor.get("/transactions/\(id)").html.elements.filter {
                $0["data-attachment"] != nil
            }
            #expect(shown.allSatisfy { $0["data-status"] == "local_only" } && shown.count >= acknowledged)
            #expect(percent == 100 || shown.count == acknowledged)
            #expect(files().count == shown.count, "a file without a row is removed, and none is unfinished")
            acknowledged = shown.count
        }
        program.kill(SIGTERM)
        _ = program.end()
        #expect(try run(["doctor", "--data", folder("data")]).status == 0)
    }

    /// The file is never in memory as a whole.
    @Test func anUploadTakesLittleMemory() throws {
        // The cloud is in the same process.
        let program = try serve(["--premium", "everyone"])
        let visitor = Visitor(port: try #require(program.port))
        let id = try visitor.recordOne(on: try visitor.onboard())
        _ = try visitor.get("/sign-in")
        let user = [("email", "anna@x.test"), ("password", "correct horse battery")]
        try #require(try visitor.post("/sign-up", user).status == 303)
        func areUploaded(_ count: Int) throws -> Bool {
            try becomesTrue {
                try visitor.get("/transactions/\(id)").html.elements.count {
                    $0["data-attachment"] != nil && $0["data-status"] == "uploaded"
                } == count
            }
        }
        func content(_ size: Int, _ byte: UInt8) -> [UInt8] {
            SampleFiles.pdf + [UInt8](repeating: byte, count: size - SampleFiles.pdf.count)
        }
        #expect(try visitor.attach("small.pdf", content(100_000, 1), to: id).status == 303)
        #expect(try areUploaded(1))
        func kilobytes(_ name: String) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(program.identifier)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
            return try #require(Int(line.filter(\.isNumber)))
        }
        let before = try kilobytes("VmRSS:")
        // The peak begins again here.
        try "5".write(toFile: "/proc/\(program.identifier)/clear_refs", atomically: false, encoding: .utf8)
        #expect(try visitor.attach("large.pdf", content(10 << 20, 2), to: id).status == 303)
        #expect(try areUploaded(2))
        let growth = try kilobytes("VmHWM:") - before
        #expect(growth < 4_096, "\(growth) KB")
        program.kill(SIGTERM)
        _ = program.end()
    }

    @Test(.enabled(if: hasNamespaces)) func aDiskThatFillsInTheMiddleIsTold() throws {
        try FileManager.default.createDirectory(atPath: folder("small"), withIntermediateDirectories: true)
        let program = try Program(
            ["serve", "--port", "0", "--data", folder("small"), "--guest-bytes", "10M"],
            through: namespace("mount -t tmpfs -o size=3m tmpfs \"$0\"", folder("small"))
        )
        let visitor = Visitor(port: try #require(program.port))
        let id = try visitor.recordOne(on: try visitor.onboard())
        let reply = try visitor.attach(
            "large.pdf",
            SampleFiles.pdf + [UInt8](repeating: 1, count: 5 << 20),
            to: id
        )
        #expect(reply.status == 507 && reply.text.contains("the server has no room left on its disk"))
        // The part that was written is gone, so that there is room again.
        #expect(try visitor.attach("small.pdf", SampleFiles.pdf, to: id).status == 303)
        program.kill(SIGTERM)
        _ = program.end()
    }
}
