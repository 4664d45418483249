// The facts for the header of each page: the statements that they cost, and that they are never out of date.
import GRDB
import Ledger
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Book

/// The statements that a book has run.
private final class Trace: Sendable {
    private let texts = Mutex<[String]>([])

    func note(_ text: String) { texts.withLock { $0.append(text) } }

    func drain() -> [String] {
        texts.withLock { texts in
            defer { texts = [] }
            return texts
        }
    }
}

@Suite struct TheFactsOfAHeader {
    private let folder = Scratch()

    /// The statements of a number of pages, without the frames of their transactions.
    private func statements(_ book: Book, pages: Int = 1) throws -> [String] {
        let trace = Trace()
        try book.store.inDatabase { db in db.trace { trace.note("\($0)") } }
        for _ in 0..<pages { _ = try book.syncFacts() }
        try book.store.inDatabase { db in db.trace(options: []) }
        return trace.drain().filter { !$0.hasPrefix("BEGIN") && !$0.hasPrefix("COMMIT") }
    }

    @Test func anUnchangedBookIsReadOnce() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        #expect(try statements(book).count == 3, "all rows are only here, and are counted")
        try book.attach(as: .number(900), .upload)
        #expect(try statements(book, pages: 5).count == 2)
        #expect(try statements(book, pages: 5).isEmpty)
        try book.record(.sample(50))
        #expect(try statements(book, pages: 5).count == 2)
        // The state of the sync is no row of a page, and shown in its header.
        try book.adopt(Head(epoch: 1, seq: 0))
        #expect(try statements(book, pages: 5).count == 2)
        try book.detach()
        #expect(try statements(book, pages: 5).count == 2)
        #expect(try statements(book).isEmpty)
    }

    /// Asserts that a header says what the book says without a cache.
    private func agrees(_ book: Book, at place: SourceLocation = #_sourceLocation) throws {
        let facts = try book.syncFacts()
        let state = try book.replicaState()
        #expect(facts.replica == state, sourceLocation: place)
        #expect(facts.changesOnlyHere == state.pending + state.failed, sourceLocation: place)
        let isSame = try facts.files == book.unsentReceiptFiles()
        #expect(isSame, sourceLocation: place)
    }

    @Test func eachChangeIsInTheNextHeader() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        #expect(try book.syncFacts().changesOnlyHere == 1)
        try book.add(Account.sample(2))
        #expect(try book.syncFacts().changesOnlyHere == 2)
        try book.attach(as: .number(900), .upload)
        try agrees(book)
        try book.record(.sample(50))
        try agrees(book)
        try book.adopt(Head(epoch: 1, seq: 0))
        while case let batch = try book.nextBatch(operations: 500, bytes: 1 << 20), !batch.isEmpty {
            try agrees(book)
            try book.acknowledge(batch.map { OperationResult(n: $0.n, seq: $0.n, status: .applied) })
            try agrees(book)
        }
        #expect(try book.syncFacts().changesOnlyHere == 0)
        try book.stop()
        #expect(try book.syncFacts().replica.isStopped)
        try book.detach()
        #expect(try book.syncFacts().replica.replica == nil)
        try book.deleteTransaction(.number(50))
        try agrees(book)
        book.close()
        #expect(throws: BookError.self) { try book.syncFacts() }
    }

    /// A change between the reading of a header's facts and their caching: the next header must not be behind it.
    @Test func aHeaderThatIsReadDuringAChangeIsReadAgain() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        let read = try book.syncFacts {
            do { try book.add(Account.sample(2)) } catch { Issue.record(error) }
        }
        #expect(read.changesOnlyHere == 1)
        #expect(try book.syncFacts().changesOnlyHere == 2)
    }
}
