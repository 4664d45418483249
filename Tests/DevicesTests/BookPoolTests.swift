import Foundation
import Ledger
import Synchronization
import Testing

// Open books: opened once for all users, kept while they are in use, cleared when they are not.
@testable import Book
@testable import Devices

@Suite struct OpenBooks {
    private let folder = Folder()
    private let opened = Counter()

    /// How often something happened.
    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }

        func add() { value.withLock { $0 += 1 } }
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }

        /// - Returns: what it was before.
        func set(_ new: Bool) -> Bool {
            value.withLock { value in
                defer { value = new }
                return value
            }
        }
    }

    private func id(_ number: UInt64) -> EntityID { EntityID(high: 0, low: number) }

    private func path(_ device: EntityID) -> String { "\(folder.path)/\(device).sqlite" }

    private func open(_ device: EntityID) throws(DevicesError) -> Book {
        opened.add()
        let path = path(device)
        return try wrapping { () throws(BookError) in try Book.open(at: path) { noon } }
    }

    private func lease(_ pool: BookPool, _ number: UInt64 = 1) async throws -> BookLease {
        try await pool.lease(id(number)) { () throws(DevicesError) in try open(id(number)) }
    }

    @Test func thoseWhoAskAtOnceShareOneOpening() async throws {
        let pool = BookPool(capacity: 4)
        let leases = try await withThrowingTaskGroup(of: BookLease.self) { group in
            for _ in 0..<50 { group.addTask { try await lease(pool) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(opened.count == 1)
        #expect(leases.allSatisfy { $0.book === leases[0].book })
    }

    /// The number of connections to a book: each has its own descriptor of the write-ahead log.
    private func connections(to device: EntityID) throws -> Int {
        let path = URL(fileURLWithPath: path(device)).resolvingSymlinksInPath().path + "-wal"
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }

    @Test func aBookThatIsNotUsedHasOneConnectionAndIsUsedAgain() async throws {
        let pool = BookPool(capacity: 4)
        let lease = try await lease(pool)
        let book = lease.book
        // Two reads at once need two connections.
        let (isReading, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let first = Background.run {
            try? book.reading { _ in
                isReading.signal()
                mayEnd.wait()
            }
        }
        isReading.wait()
        _ = try book.counts()
        mayEnd.signal()
        await first.value
        #expect(try connections(to: id(1)) == 2)
        pool.releaseUnusedMemory()
        pool.releaseUnusedMemory()
        #expect(try connections(to: id(1)) == 2, "it is in use")
        lease.giveBack()
        pool.releaseUnusedMemory()
        #expect(try connections(to: id(1)) == 1)
        let again = try await self.lease(pool)
        #expect(again.book === book && opened.count == 1)
        #expect(try again.book.counts().transactions == 0)
    }

    @Test func aGlanceIsNotAUse() async throws {
        let pool = BookPool(capacity: 2)
        for number in [1, 2] as [UInt64] { try await lease(pool, number).giveBack() }
        let glance = try #require(pool.leaseIfOpen(id(1), isUse: false))
        #expect(try glance.book.counts().transactions == 0)
        glance.giveBack()
        // The first book is still the older one, and is closed for the third.
        try await lease(pool, 3).giveBack()
        while pool.openCount > 2 { await Task.yield() }
        #expect(pool.leaseIfOpen(id(1)) == nil && pool.leaseIfOpen(id(2)) != nil)
    }

    @Test func releasingIsNotAUse() async throws {
        let pool = BookPool(capacity: 2)
        for number in [1, 2] as [UInt64] { try await lease(pool, number).giveBack() }
        pool.releaseUnusedMemory()
        try await lease(pool, 2).giveBack()
        pool.releaseUnusedMemory()
        // The first book is the older one, although its memory was released after the second one's use.
        try await lease(pool, 3).giveBack()
        while pool.openCount > 2 { await Task.yield() }
        #expect(pool.leaseIfOpen(id(1)) == nil && pool.leaseIfOpen(id(2)) != nil)
    }

    @Test func thoseWhoAskAtOnceShareItsFailure() async throws {
        let pool = BookPool(capacity: 4)
        let (isOpening, mayFail) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let first = Background.run {
            _ = try? await pool.lease(id(1)) { () throws(DevicesError) in
                opened.add()
                isOpening.signal()
                mayFail.wait()
                throw .book(.diskFull)
            }
        }
        isOpening.wait()
        #expect(pool.leaseIfOpen(id(1)) == nil, "nobody who must not wait waits")
        let others = (0..<10).map { _ in
            Task { try await lease(pool) }
        }
        // Each of them asks once more at most: those who came after the failure open it themselves.
        mayFail.signal()
        await first.value
        for other in others {
            do { _ = try await other.value } catch { #expect(error as? DevicesError == .book(.diskFull)) }
        }
        #expect(try await lease(pool).book.counts().accounts == 0, "the next one tries again")
    }

    @Test func aBookThatIsUsedIsNeverOpenedASecondTime() async throws {
        let pool = BookPool(capacity: 1)
        let first = try await lease(pool, 1)
        for number in 2...6 as ClosedRange<UInt64> { try await lease(pool, number).giveBack() }
        let again = try await lease(pool, 1)
        #expect(first.book === again.book)
        #expect(opened.count == 6)
        try await eventually("those that nobody uses are closed") { pool.openCount <= 2 }
        #expect(try first.book.counts().accounts == 0)
    }

    @Test func clearingWaitsUntilNobodyReadsAndNobodyReadsMeanwhile() async throws {
        let pool = BookPool(capacity: 4)
        let reader = try await lease(pool)
        let cleared = Counter()
        let clearing = Background.run {
            try? await pool.closing(id(1)) { () throws(DevicesError) in
                cleared.add()
                unlink(path(id(1)))
            }
        }
        try await eventually("nobody else gets it") { pool.leaseIfOpen(id(1)) == nil }
        let late = Task { try await lease(pool) }
        #expect(cleared.count == 0)
        #expect(try reader.book.counts().accounts == 0, "who reads it reads on")
        reader.giveBack()
        await clearing.value
        #expect(cleared.count == 1)
        let fresh = try await late.value
        #expect(fresh.book !== reader.book)
        #expect(throws: BookError.closed) { try reader.book.choices() }
    }

    @Test func itsOwnerHasItAlone() async throws {
        let pool = BookPool(capacity: 4)
        let (owners, intruders) = (Counter(), Counter())
        let isAlone = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let lease = try await lease(pool)
                    defer { lease.giveBack() }
                    if isAlone.isSet { intruders.add() }
                }
                group.addTask {
                    try await pool.alone(with: id(1)) { () throws(DevicesError) in
                        try open(id(1))
                    } _: { _ throws(DevicesError) in
                        owners.add()
                        if isAlone.set(true) { intruders.add() }
                        _ = isAlone.set(false)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(owners.count == 20 && intruders.count == 0)
        #expect(opened.count == 1)
    }

    @Test func afterItIsClosedNothingIsOpened() async throws {
        let pool = BookPool(capacity: 4)
        let reader = try await lease(pool)
        let closing = Background.run { await pool.closeAll() }
        try await eventually { pool.leaseIfOpen(id(1)) == nil }
        await #expect(throws: DevicesError.book(.closed)) { _ = try await lease(pool, 2) }
        reader.giveBack()
        await closing.value
        #expect(throws: BookError.closed) { try reader.book.choices() }
    }
}
