// Backups as an operator meets them: written, read, put back, refused.
import Foundation
import TestKit
import Testing

@Suite struct BackupsOfAServer {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func serve(_ options: [String] = []) throws -> Program {
        try Program(["serve", "--port", "0", "--data", folder("data")] + options)
    }

    private func run(
        _ arguments: [String],
        _ environment: [String: String] = [:],
        through wrapper: [String] = []
    ) throws
        -> (status: Int32, output: String, errors: String)
    {
        try Program(arguments, through: wrapper, environment: environment).end()
    }

    /// A server with one guest's book, stopped.
    private func fill(_ payee: String = "Kept") throws {
        let program = try serve()
        let visitor = Visitor(port: try #require(program.port))
        #expect(try visitor.record(payee, on: visitor.onboard()) == 303)
        program.kill(SIGTERM)
        #expect(program.end().status == 0)
    }

    /// A key alone in the place of all books would be a loss.
    @Test func aKeyAloneIsNoBackup() throws {
        try FileManager.default.createDirectory(atPath: folder("one"), withIntermediateDirectories: true)
        try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: folder("one/secret.key")))
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/bin/tar")
        tar.arguments = ["-cf", folder("key.tar"), "-C", folder("one"), "secret.key"]
        try tar.run()
        tar.waitUntilExit()
        let refused = try run(["restore", folder("key.tar"), "--data", folder("data")])
        #expect(refused.status == 1 && refused.errors.contains("holds neither devices nor accounts"))
        #expect(!FileManager.default.fileExists(atPath: folder("data/secret.key")))
    }

    private func listing(_ path: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }

    @Test func aBackupOfARunningServerIsPutBack() throws {
        var program = try serve()
        let visitor = Visitor(port: try #require(program.port))
        let account = try visitor.onboard()
        #expect(try visitor.record("Kept", on: account) == 303)
        let backup = try run(["backup", folder("copy"), "--data", folder("data")])
        #expect(backup.status == 0, "\(backup.errors)")
        let twice = try run(["backup", folder("copy"), "--data", folder("data")])
        #expect(twice.status == 1 && twice.errors.contains("exists already"))
        #expect(try visitor.record("Later", on: account) == 303)

        let refused = try run(["restore", folder("copy"), "--data", folder("data")])
        #expect(refused.status == 1 && refused.errors.contains("another server works on"))
        program.kill(SIGTERM)
        _ = program.end()

        let restored = try run(["restore", folder("copy")], ["BREADLY_DATA": folder("data")])
        #expect(restored.status == 0 && restored.output.contains("before-restore"), "\(restored.errors)")
        #expect(try run(["doctor", "--data", folder("data")]).status == 0)
        program = try serve()
        visitor.port = try #require(program.port)
        let book = try visitor.get("/export/breadly.json").text
        #expect(book.contains("\"Kept\"") && !book.contains("\"Later\""))
    }

    @Test func aBookThatGoesAwayWhileABackupIsMadeIsLeftOut() throws {
        let program = try serve()
        _ = try Visitor(port: try #require(program.port)).onboard()
        // Named among the books, and not there when its turn comes.
        let gone = folder("data") + "/devices/zz/gone.sqlite"
        try FileManager.default.createDirectory(
            atPath: folder("data") + "/devices/zz",
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(atPath: gone, withDestinationPath: "nowhere")
        let backup = try run(["backup", folder("copy"), "--data", folder("data")])
        #expect(backup.status == 0, "\(backup.errors)")
        #expect(
            backup.errors
                == "breadly: devices/zz/gone.sqlite went away meanwhile or is empty, and is not in the backup\n"
        )
        program.kill(SIGTERM)
        _ = program.end()
    }

    /// Accidents of a file on its way, by name.
    private static let damages: [(name: String, change: @Sendable (Data) -> Data)] = [
        ("half", { $0.prefix($0.count / 2) }),
        ("without its end", { $0.dropLast(1_024) }),
        ("without its manifest", { Data($0.prefix(blocks($0).last ?? 0) + Data(count: 1_024)) }),
        ("none", { _ in Data() }),
        ("text", { _ in Data("no archive".utf8) }),
        ("a bit of a header", { flipped($0, at: 150) }),
        ("a bit of the first book", { flipped($0, at: (blocks($0).first { $0 > 2_000 } ?? 0) + 9_000) }),
        ("a bit of the manifest", { flipped($0, at: (blocks($0).last ?? 0) + 600) }),
        ("negative", { withField($0, 124..<136, Array("-0000001000\0".utf8)) }),
        ("huge", { withField($0, 124..<136, Array("777777777777".utf8)) }),
        (
            "a size in another form",
            { withField($0, 124..<136, [0x80] + [UInt8](repeating: 0x7F, count: 11)) }
        ),
        ("a link", { withField($0, 156..<157, [UInt8(ascii: "2")]) }),
        ("a way out", { withField($0, 0..<9, Array("../../x\0\0".utf8)) }),
        ("more after its end", { $0 + Data(repeating: 7, count: 512) }),
    ]

    private static let damagesOfGzip: [(name: String, change: @Sendable (Data) -> Data)] = [
        ("half", { $0.prefix($0.count / 2) }), ("a bit", { flipped($0, at: $0.count / 2) }),
        ("without its checksum", { $0.dropLast(8) }),
        ("more after its end", { $0 + Data(repeating: 7, count: 512) }),
    ]

    /// Where the headers are.
    private static func blocks(_ tar: Data) -> [Int] {
        var (offset, found): (Int, [Int]) = (0, [])
        let bytes = Array(tar)
        while offset + 512 <= bytes.count, bytes[offset] != 0 {
            found.append(offset)
            let digits = bytes[offset + 124..<offset + 135]
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 8) ?? 0
            offset += 512 + (size + 511) / 512 * 512
        }
        return found
    }

    private static func flipped(_ tar: Data, at offset: Int) -> Data {
        var tar = tar
        tar[tar.startIndex + offset] ^= 1
        return tar
    }

    /// Another field in the second header, under a checksum that fits.
    private static func withField(_ tar: Data, _ field: Range<Int>, _ value: [UInt8]) -> Data {
        var bytes = Array(tar)
        let start = blocks(tar)[1]
        bytes.replaceSubrange(start + field.lowerBound..<start + field.upperBound, with: value)
        bytes.replaceSubrange(start + 148..<start + 156, with: Array("        ".utf8))
        let sum = String(bytes[start..<start + 512].reduce(0) { $0 + Int($1) }, radix: 8)
        let digits = String(repeating: "0", count: 6 - sum.count) + sum
        bytes.replaceSubrange(start + 148..<start + 156, with: Array((digits + "\0 ").utf8))
        return Data(bytes)
    }

    @Test func aBackupThatIsNotWholeChangesNothing() throws {
        try fill()
        for isCompressed in [false, true] {
            let copy = folder(isCompressed ? "copy.gz" : "copy")
            let options = isCompressed ? ["--compress"] : []
            #expect(try run(["backup", copy, "--data", folder("data")] + options).status == 0)
            #expect(
                try run(["backup", "--verify", copy]).output.contains(
                    "is whole, every file as it was saved: 1 book"
                )
            )
            let whole = try #require(FileManager.default.contents(atPath: copy))
            let before = try listing(folder("data"))
            let damages = isCompressed ? Self.damagesOfGzip : Self.damages
            for (name, change) in damages {
                try change(whole).write(to: URL(fileURLWithPath: folder(name)))
                for arguments in [
                    ["restore", folder(name), "--data", folder("data")],
                    ["backup", "--verify", folder(name)],
                ] {
                    let result = try run(arguments)
                    #expect(
                        result.status == 1 && result.errors.split(separator: "\n").count == 1,
                        "\(name): \(arguments[0]): \(result.status): \(result.errors)"
                    )
                    #expect(!result.errors.contains("Error("), "\(name): \(result.errors)")
                }
                #expect(try listing(folder("data")) == before, "\(name)")
            }
        }
    }

    @Test func aBackupGoesThroughAPipeAndBack() throws {
        try fill()
        let pipe = ["sh", "-c", "\"$@\" > '\(folder("copy"))'", "sh"]
        let backup = try run(["backup", "-", "--compress", "--data", folder("data")], through: pipe)
        #expect(backup.status == 0 && backup.output.isEmpty, "\(backup.errors)")
        #expect(try run(["restore", folder("copy"), "--data", folder("other")]).status == 0)
        #expect(try run(["doctor", "--data", folder("other")]).output.contains("1 book, all sound"))
        let full = try run(
            ["backup", "-", "--data", folder("data")],
            through: ["sh", "-c", "\"$@\" > /dev/full", "sh"]
        )
        #expect(full.status == 1 && full.errors.split(separator: "\n").count == 1, "\(full.errors)")
    }

    @Test func aBackupIsForItsOwnerAloneFromTheFirstByteOn() throws {
        try fill()
        #expect(
            try run(
                ["backup", folder("copy"), "--data", folder("data")],
                through: ["sh", "-c", "umask 0; exec \"$@\"", "sh"]
            ).status == 0
        )
        #expect(
            try run(
                ["restore", folder("copy"), "--data", folder("new/data")],
                through: ["sh", "-c", "umask 0; exec \"$@\"", "sh"]
            ).status == 0
        )
        for path in ["copy"] + (try listing(folder("new"))).map({ "new/" + $0 }) {
            var status = stat()
            #expect(stat(folder(path), &status) == 0 && status.st_mode & 0o077 == 0, "\(path)")
        }
    }

    private func book() throws -> String {
        try #require(
            try listing(folder("data")).first { $0.hasPrefix("devices/") && $0.hasSuffix(".sqlite") }
        )
    }

    @Test func aBookThatCannotBeReadIsToldAndKeepsNoOtherFromBeingSaved() throws {
        try fill()
        let book = try book()
        // Beside it: one that is empty, and one that was begun and never made, as a kill leaves it.
        let begun = folder("data/devices/ab/01ja2b3c4d5e6f7g8h9jkmnpab.sqlite")
        try FileManager.default.createDirectory(
            atPath: folder("data/devices/ab"),
            withIntermediateDirectories: true
        )
        try Data().write(to: URL(fileURLWithPath: begun))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder("data/") + book))
        try handle.seek(toOffset: 6_000)
        try handle.write(contentsOf: Data(repeating: 0xAA, count: 6_000))
        try handle.close()
        // It was damaged long ago: a file that was written to just now is copied by SQLite, which notices.
        let long = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)]
        try FileManager.default.setAttributes(long, ofItemAtPath: folder("data/") + book)
        // The damaged book is saved as it is, which is better than nothing, and `verify` finds it.
        let backup = try run(["backup", folder("copy"), "--data", folder("data")])
        #expect(
            backup.status == 0 && backup.errors.contains("ab.sqlite went away meanwhile or is empty"),
            "\(backup)"
        )
        let looked = try run(["backup", "--verify", folder("copy")])
        #expect(
            looked.status == 1 && looked.errors.contains("damaged or missing when it was made: \(book)"),
            "\(looked)"
        )
        #expect(try run(["restore", folder("copy"), "--data", folder("as-it-is")]).status == 0)
        // A server's own backups look at each book, and tell.
        try FileManager.default.createDirectory(atPath: folder("backups"), withIntermediateDirectories: true)
        let program = try serve(["--backup-to", folder("backups")])
        #expect(
            becomesTrue { (try? listing(folder("backups")).contains { $0.hasSuffix(".tar.gz") }) == true }
        )
        program.kill(SIGTERM)
        #expect(program.end().errors.contains("backup: not in it: \(book): the file is damaged"))

        let half = try FileHandle(forWritingTo: URL(fileURLWithPath: folder("data/") + book))
        try half.truncate(atOffset: 8_192)
        try half.close()
        try FileManager.default.setAttributes(long, ofItemAtPath: folder("data/") + book)
        let short = try run(["backup", folder("short"), "--data", folder("data")])
        #expect(
            short.status == 1 && short.errors.contains("not in the backup: \(book): the file is damaged"),
            "\(short)"
        )
        let verified = try run(["backup", "--verify", folder("short")])
        #expect(
            verified.status == 1 && verified.errors.contains("damaged or missing when it was made: \(book)"),
            "\(verified)"
        )
        let restored = try run(["restore", folder("short"), "--data", folder("other")])
        #expect(
            restored.status == 0
                && restored.errors.contains("damaged or missing when the backup was made: \(book)")
        )
        #expect(try listing(folder("other")).contains("sessions.sqlite"))
        // The same of one that is gone.
        try FileManager.default.removeItem(atPath: folder("data/") + book)
        let later = try run(["backup", folder("later"), "--data", folder("data")])
        #expect(
            later.status == 1
                && later.errors.contains("\(book): it is missing or empty, and its device has had one"),
            "\(later.errors)"
        )
    }

    @Test func whatElseCannotBeReadStopsABackup() throws {
        try fill()
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder("data/sessions.sqlite")))
        try handle.seek(toOffset: 3_000)
        try handle.write(contentsOf: Data(repeating: 0xAA, count: 9_000))
        try handle.close()
        let backup = try run(["backup", folder("copy"), "--data", folder("data")])
        #expect(
            backup.status == 1
                && backup.errors.contains("sessions.sqlite cannot be read: the file is damaged"),
            "\(backup.errors)"
        )
        #expect(try listing(folder.path).filter { !$0.hasPrefix("data") } == [], "nothing is left behind")
    }

    @Test func booksBehindALinkAreSavedAndWhatIsNotOursStays() throws {
        try fill()
        let book = try book()
        try FileManager.default.moveItem(atPath: folder("data/devices"), toPath: folder("elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: folder("data/devices"),
            withDestinationPath: folder("elsewhere")
        )
        try FileManager.default.createDirectory(
            atPath: folder("data/lost+found"),
            withIntermediateDirectories: true
        )
        try FileManager.default.createDirectory(
            atPath: folder("elsewhere/lost+found"),
            withIntermediateDirectories: true
        )
        #expect(try run(["backup", folder("copy"), "--data", folder("data")]).status == 0)
        let manifest = try run(["backup", "--verify", folder("copy")])
        #expect(manifest.output.contains(": 1 book"), "\(manifest)")
        #expect(try run(["doctor", "--data", folder("data")]).output.contains("1 book, all sound"))
        #expect(try run(["restore", folder("copy"), "--data", folder("data")]).status == 0)
        #expect(try listing(folder("data")).contains(book) && listing(folder("data")).contains("lost+found"))
    }

    @Test func aFolderThatCannotBeReadIsNoFolderWithoutBooks() throws {
        guard getuid() != 0 else { return }
        try fill()
        let parent = URL(fileURLWithPath: folder("data/") + (try book())).deletingLastPathComponent().path
        chmod(parent, 0)
        let backup = try run(["backup", folder("copy"), "--data", folder("data")])
        let doctor = try run(["doctor", "--data", folder("data")])
        chmod(parent, 0o700)
        #expect(backup.status == 1 && backup.errors.contains(parent), "\(backup.errors)")
        #expect(doctor.status == 1 && doctor.output.contains(parent), "\(doctor.output)")
    }

    @Test func aBackupOfBeforeThereWasAManifestIsStillRead() throws {
        try fill()
        #expect(try run(["backup", folder("copy"), "--data", folder("data")]).status == 0)
        let whole = try #require(FileManager.default.contents(atPath: folder("copy")))
        let headers = Self.blocks(whole)
        // As it was written then: the files alone.
        let old = whole[headers[1]..<(headers.last ?? 0)] + Data(count: 1_024)
        try old.write(to: URL(fileURLWithPath: folder("old")))
        #expect(try run(["backup", "--verify", folder("old")]).output.contains("of an earlier version"))
        #expect(try run(["restore", folder("old"), "--data", folder("other")]).status == 0)
        #expect(try run(["doctor", "--data", folder("other")]).status == 0)
    }

    @Test func aServerMakesBackupsByItselfAndSaysHowOldTheyAre() throws {
        let backups = folder("backups")
        func stop(_ program: Program) {
            program.kill(SIGTERM)
            #expect(program.end().status == 0)
        }
        func fresh() throws -> [String] {
            try listing(backups).filter { $0.hasPrefix("breadly-2") && $0.hasSuffix(".tar.gz") }
        }
        // The first one says how its server's are called.
        let first = try serve(["--backup-to", backups, "--backup-keep", "3"])
        #expect(becomesTrue { (try? fresh())?.count == 1 })
        stop(first)
        let made = try #require(try fresh().first)
        let mark = String(made.suffix(14))
        #expect(try run(["backup", "--verify", backups + "/" + made]).status == 0)
        let (old, ahead) = (
            (1...9).map { "breadly-2020-01-0\($0)T000000Z" + mark }, "breadly-2090-01-01T000000Z" + mark
        )
        let foreign = [
            "breadly-2020-01-01T000000Z-000000.tar.gz", "breadly-notes.tar.gz.partial-1", "notes.txt",
        ]
        try FileManager.default.removeItem(atPath: backups + "/" + made)
        for name in old + foreign + [ahead, old[4] + ".partial-1"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: backups + "/" + name))
        }
        let second = try serve(["--backup-to", backups, "--backup-keep", "3", "--metrics", "0"])
        let port = try #require(second.metricsPort)
        #expect(becomesTrue { (try? listing(backups).count) == 3 + foreign.count + 1 })
        let left = try listing(backups)
        #expect(Set(foreign + [ahead] + old.suffix(2)).isSubset(of: left), "\(left)")
        let text = try Visitor(port: port).get("/metrics").text
        let age = text.firstMatch(of: /\nbreadly_backup_age_seconds (\d+)\n/).flatMap { Int($0.output.1) }
        #expect((age ?? 9_999) < 900 && text.contains("\nbreadly_backup_failures_total 0\n"))
        stop(second)
        for arguments in [
            ["--backup-to", folder("data/backups")], ["--backup-to", ""], ["--backup-keep", "2"],
        ] {
            let refused = try run(["serve", "--port", "0", "--data", folder("data")] + arguments)
            #expect(
                refused.status == 64 && refused.errors.split(separator: "\n").count == 1,
                "\(refused.errors)"
            )
        }
    }
}
