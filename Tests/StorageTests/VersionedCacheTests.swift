// A value that is kept in memory between two changes.
import Storage
import Testing

@Suite struct VersionedCacheTests {
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
        let version = kept.changing { kept.current.version }
        kept.keep("half", of: version)
        #expect(kept.current.value == nil, "it may be from before the change")
    }

    @Test func aChangeThatFailsIsOverToo() {
        let kept = VersionedCache<String>()
        #expect(throws: StorageError.closed) {
            try kept.changing { () throws(StorageError) in throw .closed }
        }
        kept.keep("read", of: kept.current.version)
        #expect(kept.current.value == "read")
    }
}
