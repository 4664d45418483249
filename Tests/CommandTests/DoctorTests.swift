// The doctor: it finds what there should be and is not, says what to do, and makes nothing.
import Foundation
import TestKit
import Testing

@Suite struct DoctorOfAFolder {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func doctor(_ options: [String] = []) throws -> (status: Int32, output: String, errors: String) {
        try Program(["doctor", "--data", folder("data")] + options).end()
    }

    private func serve() throws -> Program {
        try Program(["serve", "--port", "0", "--data", folder("data")])
    }

    private func fill() throws {
        let program = try serve()
        _ = try Visitor(port: try #require(program.port)).onboard()
        program.kill(SIGTERM)
        #expect(program.end().status == 0)
    }

    /// Every name with its size, owner, rights and moment.
    private func state() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder("data")).sorted().map { path in
            var status = stat()
            guard lstat(folder("data/") + path, &status) == 0 else { return path }
            return
                "\(path) \(status.st_size) \(status.st_mode) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        }
    }

    private func book() throws -> String {
        try #require(
            try FileManager.default.subpathsOfDirectory(atPath: folder("data")).first {
                $0.hasPrefix("devices/") && $0.hasSuffix(".sqlite")
            }
        )
    }

    private func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: folder("data/") + name, toPath: folder("data/") + other)
    }

    @Test func aSoundFolderIsSoundAndStaysAsItIs() throws {
        try fill()
        let before = try state()
        let result = try doctor()
        #expect(result.status == 0 && result.output.contains("no server works on it"), "\(result.output)")
        #expect(result.output.hasSuffix("1 book, all sound\n"))
        #expect(try state() == before)
        try FileManager.default.createDirectory(atPath: folder("empty"), withIntermediateDirectories: true)
        let empty = try Program(["doctor", "--data", folder("empty")]).end()
        #expect(empty.output.contains("it has no data of Breadly") && !empty.output.contains("all sound"))
        let missing = try Program(["doctor", "--data", folder("nowhere")]).end()
        #expect(missing.status == 1 && missing.errors.contains("there is no such folder"))
        #expect(!FileManager.default.fileExists(atPath: folder("nowhere")))
    }

    @Test func aFolderThatAServerWorksOnIsSoundToo() throws {
        let program = try serve()
        let visitor = Visitor(port: try #require(program.port))
        let account = try visitor.onboard()
        for number in 0..<5 {
            #expect(try visitor.record("p\(number)", on: account) == 303)
            let result = try doctor()
            #expect(result.status == 0 && result.output.contains("a server works on it"), "\(result.output)")
        }
        // It did not end properly: what it has recorded is in the log.
        program.kill(SIGKILL)
        _ = program.end()
        let before = try state()
        let result = try doctor()
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(try state() == before)
    }

    /// Accidents of a folder: a name, the accident, what is said, and how it ends.
    private static let accidents: [(String, @Sendable (DoctorOfAFolder) throws -> Void, String, Int32)] = [
        (
            "a missing book", { try FileManager.default.removeItem(atPath: $0.folder("data/") + $0.book()) },
            "it is missing (it is a guest's); bring back", 1
        ),
        (
            "an empty book", { try Data().write(to: URL(fileURLWithPath: $0.folder("data/") + $0.book())) },
            ".sqlite: it is empty", 1
        ),
        ("a damaged book", { try $0.damage($0.book()) }, ".sqlite: the file is damaged", 1),
        (
            "a book of nobody",
            { house in
                let path = house.folder("data/devices/ab/01ja2b3c4d5e6f7g8h9jkmnpab.sqlite")
                try FileManager.default.createDirectory(
                    atPath: house.folder("data/devices/ab"),
                    withIntermediateDirectories: true
                )
                try FileManager.default.copyItem(atPath: house.folder("data/") + house.book(), toPath: path)
            }, "its device is not in sessions.sqlite", 2
        ),
        (
            "a book of another name", { try $0.move($0.book(), to: "devices/else.sqlite") },
            "no book of a device is called that", 1
        ),
        (
            "no device store",
            { try FileManager.default.removeItem(atPath: $0.folder("data/sessions.sqlite")) },
            "sessions.sqlite: it is missing", 1
        ),
        (
            "no key", { try FileManager.default.removeItem(atPath: $0.folder("data/secret.key")) },
            "secret.key: it is missing", 1
        ),
        (
            "a short key",
            { try Data(count: 31).write(to: URL(fileURLWithPath: $0.folder("data/secret.key"))) },
            "it has 31 bytes instead of 32", 1
        ),
        (
            "no accounts", { try FileManager.default.removeItem(atPath: $0.folder("data/cloud.sqlite")) },
            "cloud.sqlite: it is missing, and was here", 1
        ),
        (
            "a log without its book",
            { house in
                let book = try house.book()
                try FileManager.default.removeItem(atPath: house.folder("data/") + book)
                try Data(count: 100).write(to: URL(fileURLWithPath: house.folder("data/") + book + "-wal"))
            }, "the log of a book that is missing", 1
        ),
        (
            "half a restore",
            { try Data("{}".utf8).write(to: URL(fileURLWithPath: $0.folder("data/restore.json"))) },
            "a restore was interrupted in the middle", 1
        ),
        (
            "a begun restore",
            {
                try FileManager.default.createDirectory(
                    atPath: $0.folder("data/restoring-1"),
                    withIntermediateDirectories: true
                )
            }, "a restore was interrupted before it changed anything", 2
        ),
        ("an open folder", { chmod($0.folder("data"), 0o755) }, "chmod 700 /", 2),
        (
            "an open book", { house in chmod(house.folder("data/") + (try house.book()), 0o644) },
            "others may read it", 2
        ),
        (
            "wrong sums",
            { try $0.change($0.book(), "UPDATE account_sums SET delta_minor = delta_minor + 1") },
            "the sums in account_sums are wrong", 1
        ),
        (
            "a newer version",
            {
                try $0.change(
                    "sessions.sqlite",
                    "PRAGMA user_version = 99; UPDATE needed_program SET version = '9.9.0'"
                )
            }, "install Breadly 9.9.0 or newer", 1
        ),
        (
            "a book from before the first release", { try $0.change($0.book(), "PRAGMA user_version = 24") },
            "before the first release has written it (schema 24, this one begins with 25): export it with that version",
            1
        ),
        (
            "devices from before the first release",
            { try $0.change("sessions.sqlite", "PRAGMA user_version = 8") },
            "before the first release has written it (schema 8, this one begins with 9): export it with that version",
            1
        ),
        (
            "accounts from before the first release",
            { try $0.change("cloud.sqlite", "PRAGMA user_version = 16") },
            "before the first release has written it (schema 16, this one begins with 17): export it with that version",
            1
        ),
    ]

    private func damage(_ name: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder("data/") + name))
        try handle.seek(toOffset: 6_000)
        try handle.write(contentsOf: Data(repeating: 0xAA, count: 6_000))
        try handle.close()
    }

    private func change(_ name: String, _ sql: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script =
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit(); c.close()"
        process.arguments = ["python3", "-c", script, folder("data/") + name, sql]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func whatShouldBeThereAndIsNotIsFound() throws {
        try fill()
        try FileManager.default.moveItem(atPath: folder("data"), toPath: folder("sound"))
        for (name, accident, sentence, status) in Self.accidents {
            try? FileManager.default.removeItem(atPath: folder("data"))
            try FileManager.default.copyItem(atPath: folder("sound"), toPath: folder("data"))
            chmod(folder("data"), 0o700)
            try accident(self)
            let before = try state()
            let result = try doctor()
            #expect(result.output.contains(sentence), "\(name): \(result.output)\(result.errors)")
            #expect(
                result.status == status && result.errors.isEmpty,
                "\(name): \(result.status) \(result.output)\(result.errors)"
            )
            #expect(try state() == before, "\(name)")
            let parsed =
                try JSONSerialization.jsonObject(with: Data(try doctor(["--json"]).output.utf8))
                as? [String: Any]
            let findings = parsed?["findings"] as? [[String: Any]]
            #expect(findings?.first?["weight"] as? String == (status == 1 ? "fault" : "warning"), "\(name)")
        }
    }
}
