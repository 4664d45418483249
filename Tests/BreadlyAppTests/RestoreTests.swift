// A restore that is interrupted at any moment, and what comes after it.
import Devices
import Foundation
import TestKit
import Testing

@testable import BreadlyApp

@Suite final class RestoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private struct Killed: Error {}

    private func write(_ names: [String], in place: String, _ content: String) throws {
        for name in names {
            let path = "\(folder)/\(place)\(name)"
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        }
    }

    private func content() throws -> [String: String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
        let files = paths.compactMap { path -> (String, String)? in
            // A folder has none.
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)")) else {
                return nil
            }
            return (path, String(decoding: data, as: UTF8.self))
        }
        return Dictionary(files) { $1 }
    }

    @Test func anInterruptedExchangeIsFinishedWhereverItStopped() throws {
        let swap = RestoreSwap(fresh: "restoring-1", displaced: "before-restore-1", phase: .out)
        var (stops, unnoted, isDone) = (0, 0, false)
        while !isDone {
            try FileManager.default.removeItem(atPath: folder)
            try write(["cloud.sqlite", "secret.key", "devices/ab/1.sqlite", "lock"], in: "", "old")
            try write(["secret.key", "sessions.sqlite", "devices/cd/2.sqlite"], in: "restoring-1/", "new")
            let before = try content()
            var left = stops
            do {
                try swap.begin(in: folder) {
                    guard left > 0 else { throw Killed() }
                    left -= 1
                }
                isDone = true
            } catch is Killed {
                guard RestoreSwap.isUnfinished(folder) else {
                    let left = try content().filter { !$0.key.hasPrefix("restore.json") }
                    #expect(left == before, "nothing is noted, nothing is changed")
                    #expect(try RestoreSwap.finish(folder) == nil)
                    unnoted += 1
                    stops += 1
                    continue
                }
                #expect(throws: AppError.self) { try RestoreSwap.refuse(folder) }
                #expect(try RestoreSwap.finish(folder) != nil, "stopped at \(stops)")
            }
            let after = try content()
            #expect(
                after == [
                    "lock": "old", "secret.key": "new", "sessions.sqlite": "new",
                    "devices/cd/2.sqlite": "new",
                    "before-restore-1/cloud.sqlite": "old", "before-restore-1/secret.key": "old",
                    "before-restore-1/devices/ab/1.sqlite": "old",
                ],
                "stopped at \(stops)"
            )
            #expect(!RestoreSwap.isUnfinished(folder))
            stops += 1
        }
        #expect(stops > 12 && unnoted == 4)
    }

    @Test func aServerFinishesARestoreThatWasInterrupted() throws {
        let server = try Running()
        let guest = try server.guest()
        let account = try #require(try guest.accounts()["Cash"])
        #expect(try guest.record(account: account).status == 303)
        server.app.stop()
        let backup = folder + "/backup.tar"
        _ = try Backup.write(server.folder, to: backup, dependencies: .system())
        let fresh = server.folder + "/restoring-7"
        let content = try BackupContent(backup, into: fresh)
        _ = try content.check(in: fresh, isThorough: true)
        let swap = RestoreSwap(fresh: "restoring-7", displaced: "before-restore-7", phase: .out)
        var steps = 7
        #expect(throws: Killed.self) {
            try swap.begin(in: server.folder) {
                steps -= 1
                if steps == 0 { throw Killed() }
            }
        }
        try server.restart()
        guest.port = Int(server.app.port)
        #expect(try guest.get("/transactions").status == 200)
        #expect(server.log.all.contains { $0.contains("a restore that was interrupted is finished now") })
        #expect(FileManager.default.fileExists(atPath: server.folder + "/before-restore-7/sessions.sqlite"))
    }

    @Test func namesOfBackupsSayWhenAndOfWhatTheyWereMade() {
        let series = BackupSchedule.Series(BackupSchedule(folder: folder, keep: 1), of: "/srv/one")
        let name = series.name(at: 1_795_266_123)
        #expect(name.wholeMatch(of: /breadly-2026-11-21T130203Z-[0-9a-f]{6}\.tar\.gz/) != nil)
        #expect(series.time(of: name) == 1_795_266_123)
        let other = BackupSchedule.Series(BackupSchedule(folder: folder, keep: 1), of: "/srv/two")
        #expect(other.time(of: name) == nil, "another server's")
        for wrong in [
            "breadly-2026-11-21.tar.gz", name.replacing("11-21", with: "13-21"),
            name.replacing("T13", with: "T99"), name + ".partial", "x" + name,
        ] {
            #expect(series.time(of: wrong) == nil, "\(wrong)")
        }
    }

    @Test func aMoveThatFailsTakesAllBack() throws {
        try write(["cloud.sqlite", "secret.key", "devices/ab/1.sqlite", "lock", "notes.txt"], in: "", "old")
        try write(["secret.key", "devices/cd/2.sqlite"], in: "restoring-1/", "new")
        let swap = RestoreSwap(fresh: "restoring-1", displaced: "before-restore-1", phase: .out)
        // A folder with something in it takes no file's name.
        try write(["secret.key/in-the-way"], in: "before-restore-1/", "x")
        #expect(throws: AppError.self) { try swap.begin(in: folder) }
        let left = try content().filter { !$0.key.hasPrefix("restoring-") && !$0.key.hasPrefix("before-") }
        let old = ["cloud.sqlite", "secret.key", "devices/ab/1.sqlite", "lock", "notes.txt"]
        #expect(
            left.filter { $0.value == "old" } == Dictionary(uniqueKeysWithValues: old.map { ($0, "old") })
        )
        #expect(!RestoreSwap.isUnfinished(folder))
    }

    /// The log names a file that stays damaged each day, and older backups are removed nevertheless.
    @Test func aScheduledBackupWithADamagedFileIsToldAndReplacesAnOlderOne() async throws {
        let server = try Running()
        let guest = try server.guest()
        let cash = try #require(try guest.accounts()["Cash"])
        _ = try guest.get("/transactions/new")
        try #require(try guest.record(account: cash).status == 303)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        _ = try guest.get("/transactions/\(id)")
        let adding = "/transactions/\(id)/attachments"
        #expect(try guest.upload(adding, [("a.jpg", SampleFiles.jpeg())]).status == 303)
        let devices = server.folder + "/devices"
        let names = try FileManager.default.subpathsOfDirectory(atPath: devices)
        try damage("\(devices)/" + (try #require(names.first { $0.contains(".files/") })))
        let schedule = BackupSchedule(folder: folder + "/backups", keep: 1)
        let series = BackupSchedule.Series(schedule, of: server.folder)
        for count in 1...2 {
            try server.restart { $0.backups = schedule }
            #expect(becomesTrue { series.present(at: server.clock.now) == [server.clock.now] })
            #expect(
                becomesTrue {
                    let told = server.log.all.filter {
                        $0.contains("backup: ") && $0.contains("damaged files (1): 'a.jpg'")
                    }
                    return told.count == count
                }
            )
            server.clock.advance(by: 86_401)
        }
    }

    @Test func aScheduledBackupThatFailsIsToldAndTriedAgainAfterAnHour() async throws {
        let server = try Running()
        _ = try server.guest()
        let target = folder + "/no-folder"
        try Data().write(to: URL(fileURLWithPath: target))
        try server.restart { $0.backups = BackupSchedule(folder: target, keep: 2) }
        #expect(
            becomesTrue {
                server.log.all.contains {
                    $0.contains("backup: it has failed, and is tried again in an hour")
                }
            }
        )
        try FileManager.default.removeItem(atPath: target)
        try server.restart { $0.backups = BackupSchedule(folder: target, keep: 2) }
        let series = BackupSchedule.Series(BackupSchedule(folder: target, keep: 2), of: server.folder)
        #expect(becomesTrue { series.present(at: server.clock.now) == [server.clock.now] })
    }
}
