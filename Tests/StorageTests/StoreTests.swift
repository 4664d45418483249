// A store: readings beside a change and beside one another, changes that are whole or not there, upgrades.
import Dispatch
import Foundation
import GRDB
import Storage
import TestKit
import Testing

@Suite struct DeletionsForGood {
    let folder = Scratch()

    private func log() -> String {
        String(
            decoding: FileManager.default.contents(atPath: folder("rows.sqlite-wal")) ?? Data(),
            as: UTF8.self
        )
    }

    @Test func leaveTheLogAsSoonAsNoReaderNeedsIt() throws {
        let store = try Store.scratch(folder)
        try store.dropTraces()
        try store.add(1, "a secret word")
        let reader = try DatabaseFile.openForReading(at: folder("rows.sqlite"))
        let (begun, mayEnd, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        DispatchQueue.global().async {
            try? reader.read { db in
                let count = try db.number("SELECT count(*) FROM rows")
                #expect(count == 1)
                begun.signal()
                mayEnd.wait()
            }
            ended.signal()
        }
        begun.wait()
        _ = try store.deleting { db in try db.change("DELETE FROM rows") }
        try store.dropTraces()
        #expect(log().contains("a secret word"), "the reader may still need it")
        // The usual patience is back, and changes go on beside the reader.
        #expect(try store.inDatabase { db in try db.number("PRAGMA busy_timeout") } == 5_000)
        try store.add(2)
        mayEnd.signal()
        ended.wait()
        try store.dropTraces()
        #expect(log().isEmpty)
        let file = FileManager.default.contents(atPath: folder("rows.sqlite")) ?? Data()
        #expect(file.range(of: Data("a secret word".utf8)) == nil)
    }

    @Test func leaveTheLogOfAProcessThatDied() throws {
        let store = try Store.scratch(folder)
        try store.add(1, "a secret word")
        _ = try store.deleting { db in try db.change("DELETE FROM rows") }
        // Another opening finds the log as a crash leaves it.
        let next = try Store.scratch(folder)
        #expect(log().contains("a secret word"))
        try next.dropTraces()
        #expect(log().isEmpty)
    }
}

@Suite struct ReadingsAtOnce {
    let folder = Scratch()

    @Test func aReadingDoesNotWaitForAChangeAndSeesWhatWasBefore() throws {
        let store = try Store.scratch(folder)
        try store.add(1, "before")
        let begun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            try? store.changing { db in
                try db.change("UPDATE rows SET text = 'changed'")
                begun.signal()
                mayEnd.wait()
            }
            ended.signal()
        }
        begun.wait()
        for _ in 0..<3 { #expect(try texts(store) == ["before"]) }
        mayEnd.signal()
        ended.wait()
        #expect(try texts(store) == ["changed"])
    }

    private func texts(_ store: Store<TestFailure>) throws -> [String] {
        try store.reading { db in try db.all("SELECT text FROM rows") { $0.text(0) } }
    }

    @Test func readingsGoOnSideBySide() throws {
        let store = try Store.scratch(folder)
        let inside = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        for _ in 0..<3 {
            DispatchQueue.global().async(group: group) {
                try? store.reading { (_: Database) in
                    inside.signal()
                    mayEnd.wait()
                }
            }
        }
        // All three are within at the same time, or this waits for ever.
        for _ in 0..<3 { inside.wait() }
        for _ in 0..<3 { mayEnd.signal() }
        group.wait()
    }

    @Test func aClosedStoreAnswersNobody() throws {
        let store = try Store.scratch(folder)
        let inside = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            try? store.reading { (_: Database) in
                inside.signal()
                mayEnd.wait()
            }
        }
        inside.wait()
        // A second connection is open now, and idle.
        #expect(try store.count() == 0)
        mayEnd.signal()
        group.wait()
        store.close()
        #expect(throws: TestFailure(StorageError.closed)) { try store.count() }
        #expect(throws: TestFailure(StorageError.closed)) { try store.add(1) }
        #expect(DatabaseFile.size(of: store.path + "-wal") <= 0)
    }
}

@Suite struct ChangesOfAStore {
    let folder = Scratch()

    @Test func aChangeThatFailsLeavesNothing() throws {
        let store = try Store.scratch(folder)
        struct Stop: Error {}
        #expect(throws: TestFailure.self) {
            try store.changing { db in
                try db.change("INSERT INTO rows (number, text) VALUES (1, '')")
                throw Stop()
            }
        }
        #expect(throws: TestFailure.self) {
            try store.changing { db in
                try db.change("INSERT INTO rows (number, text) VALUES (1, '')")
                try db.change("INSERT INTO rows (number, text) VALUES (1, '')")
            }
        }
        #expect(try store.count() == 0)
        try store.add(1)
        #expect(try store.count() == 1 && !store.isChanging)
    }

    @Test func aFileAtItsLimitIsAFullDisk() throws {
        let store = try Store.scratch(folder)
        try store.limit(bytes: 1 << 18)
        let error = #expect(throws: TestFailure.self) {
            for number in 1... { try store.add(number, String(repeating: "x", count: 10_000)) }
        }
        #expect(error?.cause == .diskFull)
        #expect(try store.isLimitNearerThanDiskEnd())
        #expect(try store.count() > 5)
    }

    /// A single change can need many pages: the file may be far from its limit when one fails.
    @Test func aLargeChangeThatFindsNoRoomMeetsTheLimit() throws {
        let store = try Store.scratch(folder)
        try store.limit(bytes: 1 << 20)
        let text = String(repeating: "x", count: 2 << 20)
        let error = #expect(throws: TestFailure.self) { try store.add(1, text) }
        #expect(error?.cause == .diskFull)
        #expect(try store.isLimitNearerThanDiskEnd())
        try store.limit(bytes: 1 << 60)
        #expect(try !store.isLimitNearerThanDiskEnd(), "the disk ends before")
    }

    @Test func aBackupIsACopyThatOpens() throws {
        let store = try Store.scratch(folder)
        try store.add(1)
        try store.backup(to: folder("copy.sqlite"))
        try store.add(2)
        #expect(try Store.scratch(folder, "copy.sqlite").count() == 1)
        #expect(throws: TestFailure.self) { try store.backup(to: folder("copy.sqlite")) }
    }
}

@Suite struct UpgradesOfAStore {
    let folder = Scratch()

    @Test func anUpgradeKeepsTheRowsAndACopyOfTheFileBefore() throws {
        let old = try Store.scratch(folder)
        try old.add(1)
        #expect(old.upgrade == nil)
        old.close()
        let new = try Store.scratch(folder, "rows.sqlite", [Store.first, Store.second])
        #expect(new.upgrade == SchemaUpgrade(from: 1, to: 2))
        #expect(try new.count() == 1)
        let copy = SchemaCopies.path(of: folder("rows.sqlite"), schema: 1)
        #expect(SchemaCopies.original(of: copy) == folder("rows.sqlite"))
        #expect(try Examination.schema(of: copy, now: .max) == 1)
        try SchemaCopies.remove(of: folder("rows.sqlite"))
        #expect(DatabaseFile.size(of: copy) < 0)
    }

    @Test func anUpgradeThatLosesARowIsRefused() throws {
        let old = try Store.scratch(folder)
        try old.add(1)
        old.close()
        let bad = Migration(number: 2, name: "bad", since: "0.2.0", sql: "DELETE FROM rows")
        let error = #expect(throws: TestFailure.self) {
            try Store.scratch(folder, "rows.sqlite", [Store.first, bad])
        }
        #expect(error?.cause == .migrationRefused("the migration was refused: rows: 1 became 0"))
        #expect(try Store.scratch(folder).count() == 1)
    }

    @Test func aFileOfANewerVersionSaysWhichOneItNeeds() throws {
        try Store.scratch(folder, "rows.sqlite", [Store.first, Store.second]).close()
        let error = #expect(throws: TestFailure.self) { try Store.scratch(folder) }
        #expect(error?.cause == .newerSchema(NewerSchema(found: 2, known: 1, needed: "0.2.0")))
    }
}
