// Readings beside a change and beside one another, and what is kept in memory between two changes.
import Dispatch
import GRDB
import Ledger
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct ReadingsAtOnce {
    let folder = Scratch()

    @Test func aReadingDoesNotWaitForAChangeAndSeesWhatWasBefore() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        let begun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            try? book.changing { db in
                try db.change("UPDATE accounts SET name = 'changed'")
                begun.signal()
                mayEnd.wait()
            }
            ended.signal()
        }
        begun.wait()
        for _ in 0..<3 { #expect(try book.choices().accounts.map(\.name) != ["changed"]) }
        mayEnd.signal()
        ended.wait()
        #expect(try book.choices().accounts.map(\.name) == ["changed"])
    }

    @Test func readingsGoOnSideBySide() throws {
        let book = try Book.scratch(folder)
        let inside = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        for _ in 0..<3 {
            DispatchQueue.global().async(group: group) {
                try? book.reading { (_: Database) in
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

    @Test func aClosedBookAnswersNobody() throws {
        let book = try Book.scratch(folder)
        let inside = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            try? book.reading { (_: Database) in
                inside.signal()
                mayEnd.wait()
            }
        }
        inside.wait()
        // A second connection is open now, and idle.
        #expect(try book.counts().transactions == 0)
        mayEnd.signal()
        group.wait()
        book.close()
        #expect(throws: BookError.closed) { try book.counts() }
        #expect(throws: BookError.closed) { try book.add(Account.sample(1)) }
        #expect(DatabaseFile.size(of: book.path + "-wal") <= 0)
    }
}

@Suite struct WhatIsKept {
    @Test func itIsReadOnceUntilItChanges() {
        let kept = VersionedCache<Int>()
        var readings = 0
        func read() -> Int {
            kept.value {
                readings += 1
                return readings
            }
        }
        #expect([read(), read(), read()] == [1, 1, 1])
        kept.changing {}
        #expect([read(), read()] == [2, 2])
    }

    @Test func aReadingThatAChangeOvertookIsNotKept() {
        let kept = VersionedCache<String>()
        let before = kept.current.version
        kept.changing {}
        kept.keep("old", of: before)
        #expect(kept.current.value == nil && !kept.isCurrent(before))
        let now = kept.current.version
        kept.keep("new", of: now)
        #expect(kept.current.value == "new" && kept.isCurrent(now))
    }

    @Test func nothingIsKeptWhileSomethingChanges() {
        let kept = VersionedCache<String>()
        kept.changing { kept.keep("half", of: kept.current.version) }
        #expect(kept.current.value == nil)
    }

    @Test func aChangeThatFailsIsOverToo() {
        let kept = VersionedCache<String>()
        #expect(throws: BookError.closed) { try kept.changing { () throws(BookError) in throw .closed } }
        kept.keep("read", of: kept.current.version)
        #expect(kept.current.value == "read")
    }
}

@Suite struct KeptValues {
    @Test func whatWasReadWhileSomethingChangedIsNotKept() {
        let kept = VersionedCache<Int>()
        let version = kept.changing { kept.current.version }
        kept.keep(1, of: version)
        #expect(kept.current.value == nil, "it may be from before the change")
        kept.keep(2, of: kept.current.version)
        #expect(kept.current.value == 2)
        kept.changing {}
        #expect(kept.current.value == nil)
    }
}
