// A change of very many rows on its way: it leaves in batches of a limited size, arrives page by page, and no page of
// another device waits for it.
import Dispatch
import Ledger
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct AChangeOfManyRowsOnItsWay {
    private let folder = Scratch()
    private static let count = 3_000

    private static func id(_ number: Int) -> EntityID { .number(1_000 + number) }

    /// An attached book whose rows the cloud has.
    private func attached(rows count: Int) throws -> Book {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Ledger.Category.sample(11))
        try book.record(all: (0..<count).map { .sample(1_000 + $0) })
        try book.attach(as: .number(900), .upload)
        try book.adopt(Head(epoch: 1, seq: 0))
        _ = try batches(of: book)
        let head = Int64(count + 2)
        try book.apply(snapshot: .last([], head: head))
        try book.apply(changes: .last([], head: head))
        return book
    }

    /// The batches that are sent, each of which the cloud applies in a transaction of its own.
    private func batches(of book: Book) throws -> [[SyncCore.Operation]] {
        var sent: [[SyncCore.Operation]] = []
        while case let batch = try book.nextBatch(
            operations: SyncLimits.operations,
            bytes: SyncLimits.bytes
        ), !batch.isEmpty {
            try book.acknowledge(batch.map { OperationResult(n: $0.n, seq: $0.n, status: .applied) })
            sent.append(batch)
        }
        return sent
    }

    @Test func isSentInBatchesOfALimitedSizeAndUndoneAsOne() throws {
        let book = try attached(rows: Self.count)
        let result = try book.change(.all(TransactionQuery()), by: .category(.sample(11)))
        #expect(result.changedCount == Self.count)
        let sent = try batches(of: book)
        #expect(sent.allSatisfy { $0.count <= SyncLimits.operations })
        #expect(sent.count == Self.count / SyncLimits.operations)
        let operations = sent.flatMap(\.self)
        #expect(Set(operations.map(\.id)).count == Self.count && Set(operations.map(\.tx)).count == 1)
        let fields: Fields = ["category": .text(EntityID.number(11).description)]
        #expect(operations.allSatisfy { $0.action == .patch && $0.fields == fields })
        _ = try book.undo(try #require(result.change), overriding: false)
        let undone = try batches(of: book)
        #expect(undone.map(\.count) == sent.map(\.count))
        #expect(undone.joined().allSatisfy { $0.fields == ["category": .null] })
    }

    @Test func arrivesPageByPageAndIsSeenAllAtOnce() throws {
        let (pages, size) = (5, 200)
        let book = try attached(rows: pages * size)
        let head = try book.replicaState().cursor
        func note(_ number: Int) throws -> String? { try book.transaction(Self.id(number))?.note }
        for page in 0..<pages {
            #expect(try note(0) == "" && note(pages * size - 1) == "")
            let last = head + Int64((page + 1) * size)
            let rows = try (page * size..<(page + 1) * size).map { number in
                var fields = try book.synced("transaction", Self.id(number))
                fields["note"] = "many"
                return RowChange(
                    seq: head + Int64(number) + 1,
                    kind: "transaction",
                    id: Self.id(number),
                    fields: fields
                )
            }
            var changes = ChangesPage.last(rows, head: head + Int64(pages * size))
            (changes.cursor, changes.hasMore) = (last, page < pages - 1)
            try book.apply(changes: changes)
        }
        #expect(try book.selected(.all(TransactionQuery())).rows.allSatisfy { $0.note == "many" })
        #expect(try book.verifySums() == [])
    }

    /// Also if its rows come on several pages, as they were sent.
    @Test func isOneChangeOfTheHistoryElsewhere() throws {
        let book = try attached(rows: 6)
        var seq = try book.replicaState().cursor
        func arrive(_ numbers: Range<Int>, _ step: String?) throws {
            let rows = try numbers.map { number in
                seq += 1
                var row = RowChange(seq: seq, kind: "transaction", id: Self.id(number), fields: [:])
                row.fields = try book.synced("transaction", row.id)
                row.fields["note"] = .text("of step \(step ?? "none")")
                row.writers = RowChange.Writers(at: noon, last: "Phone", step: step)
                return row
            }
            try book.apply(changes: .last(rows, head: seq))
        }
        try arrive(0..<2, "1.7")
        try arrive(2..<4, "1.7")
        try arrive(4..<5, "1.8")
        try arrive(5..<6, nil)
        let changes = try book.history(limit: 3)
        #expect(changes.map(\.device) == ["Phone", "Phone", "Phone"])
        #expect(changes.map { $0.together?.count } == [nil, nil, 4])
        _ = try book.undo(try #require(changes.last).id, overriding: false)
        let notes = try (0..<6).map { try book.transaction(Self.id($0))?.note }
        #expect(notes == ["", "", "", "", "of step 1.8", "of step none"])
        // A change of this device in between ends the step.
        try arrive(4..<5, "1.9")
        try book.record(.sample(5_000))
        try arrive(5..<6, "1.9")
        #expect(try book.history(limit: 3).map(\.device) == ["Phone", nil, "Phone"])
    }

    /// However long it takes: a page reads the state before it.
    @Test func isNotWaitedForByPages() throws {
        let book = try attached(rows: 3)
        _ = try book.transactions(TransactionQuery())
        let begun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            _ = try? book.applyRemoteRows { db in
                try db.change("UPDATE transactions SET note = 'many', payee = 'Many'")
                begun.signal()
                mayEnd.wait()
            }
            ended.signal()
        }
        begun.wait()
        let rows = try book.transactions(TransactionQuery()).page.rows
        #expect(rows.count == 3 && rows.allSatisfy { $0.note.isEmpty })
        #expect(try book.accountBalances().count == 1)
        #expect(try book.payeeUses(matching: "many").isEmpty)
        #expect(try !book.history(limit: 5).isEmpty)
        mayEnd.signal()
        ended.wait()
        #expect(try book.transactions(TransactionQuery()).page.rows.allSatisfy { $0.note == "many" })
    }
}
