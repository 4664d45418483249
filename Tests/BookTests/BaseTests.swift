// The base of a change that is made while rows come from the cloud: what its row reflected, and nothing newer.

import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct TheBaseOfAChange {
    private let folder = Scratch()

    /// A book in step with the cloud at its fourth change.
    private func inStep() throws -> Book {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Account.sample(2))
        try book.add(Ledger.Category.sample(11))
        try book.record(.sample(50, category: 11))
        try book.attach(as: .number(900), .upload)
        try book.adopt(Head(epoch: 1, seq: 4))
        try sendAll(book)
        try load(book, [], head: 4)
        return book
    }

    private func sendAll(_ book: Book) throws {
        while case let batch = try book.nextBatch(operations: 500, bytes: 1 << 20), !batch.isEmpty {
            try book.acknowledge(batch.map { OperationResult(n: $0.n, seq: $0.n, status: .applied) })
        }
    }

    private func load(_ book: Book, _ rows: [RowChange], head: Int64, next: String? = nil) throws {
        let page = ChangesPage(
            epoch: 1,
            head: head,
            cursor: head,
            next: next ?? "",
            hasMore: next != nil,
            remaining: 0,
            lastN: 0,
            rows: rows
        )
        try book.apply(snapshot: page)
    }

    private func row(_ book: Book, _ number: Int, seq: Int64) throws -> RowChange {
        let fields = try book.synced("transaction", .number(number))
        return RowChange(seq: seq, kind: "transaction", id: .number(number), fields: fields)
    }

    /// The base of a change of a transaction's note.
    private func base(ofChanging number: Int, in book: Book) throws -> Int64? {
        var transaction = try #require(try book.transaction(.number(number)))
        transaction.note += "+"
        try book.change(transaction)
        return try book.reading { db in
            try db.first("SELECT base FROM outbox WHERE action = 'patch' ORDER BY position DESC", []) {
                $0.int64(0)
            }
        }
    }

    @Test func isWhatTheBookReflectsWhileADownloadIsStillStaged() throws {
        let book = try inStep()
        try book.resync(.cursorExpired)
        try load(book, [try row(book, 50, seq: 80)], head: 90, next: "transaction/")
        #expect(try base(ofChanging: 50, in: book) == 4, "another device's change at 80 was not shown")
    }

    @Test func isNothingWhileARestoredCloudHasNotSaidWhatItHas() throws {
        let book = try inStep()
        try book.resync(.cursorAhead)
        try load(book, [], head: 90, next: "transaction/")
        #expect(try base(ofChanging: 50, in: book) == 0)
    }

    @Test func isTheDownloadWhereItsRowHasCome() throws {
        let book = try inStep()
        let rows = [try row(book, 50, seq: 80), try row(book, 50, seq: 95)]
        try book.record(.sample(60, category: 11))
        try book.rejoin(as: .number(901))
        try book.adopt(Head(epoch: 1, seq: 90))
        try sendAll(book)
        try load(book, [rows[0]], head: 90, next: "transaction/1")
        #expect(try base(ofChanging: 50, in: book) == 90)
        #expect(try base(ofChanging: 60, in: book) == 0, "it may be on a page that has not come")
        try load(book, [rows[1]], head: 90, next: "transaction/2")
        #expect(try base(ofChanging: 50, in: book) == 95)
        try load(book, [], head: 90)
        #expect(try base(ofChanging: 50, in: book) == 95)
        #expect(try base(ofChanging: 60, in: book) == 90)
    }
}
