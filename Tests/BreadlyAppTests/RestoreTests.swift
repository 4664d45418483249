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
        let swap = RestoreSwap(fresh: "restoring-1", aside: "before-restore-1", phase: .out)
        var (stops, isDone) = (0, false)
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
                if stops == 0 {
                    #expect(try content() == before, "nothing is noted, nothing is changed")
                    #expect(try RestoreSwap.finish(folder) == nil)
                    stops += 1
                    continue
                }
                #expect(throws: AppError.self) { try RestoreSwap.refuse(folder) }
                #expect(try RestoreSwap.finish(folder) != nil, "stopped at \(stops)")
            }
            #expect(
                try content() == [
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
        #expect(stops > 9)
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
        try content.check(in: fresh)
        let swap = RestoreSwap(fresh: "restoring-7", aside: "before-restore-7", phase: .out)
        var steps = 4
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

    @Test func namesOfBackupsSayWhenTheyWereMade() {
        let name = BackupSchedule.name(at: 1_795_262_400 + 3_723)
        #expect(name == "breadly-2026-11-21T130203Z.tar.gz")
        #expect(BackupSchedule.moment(of: name) == 1_795_266_123)
        for other in [
            "breadly-2026-11-21.tar.gz", "breadly-2026-13-21T130203Z.tar.gz",
            "breadly-2026-11-21T990203Z.tar.gz", name + ".partial", "x" + name,
        ] {
            #expect(BackupSchedule.moment(of: other) == nil, "\(other)")
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
        #expect(becomesTrue { BackupSchedule(folder: target, keep: 2).present() == [server.clock.now] })
    }
}
