// The hash of a book's rows: equal to the hash of the rows that the cloud sent, even if the book had to
// adjust them.
import GRDB
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct TheHashOfABook {
    private let folder = Scratch()
    private let query = ChangesQuery(
        replica: .number(900),
        epoch: 1,
        range: .since(0),
        limit: 100,
        lastN: 0
    )

    private func attached() throws -> Book {
        let book = try Book.scratch(folder)
        try book.attach(as: .number(900), .download)
        try book.adopt(Head(epoch: 1, seq: 0))
        try book.apply(snapshot: .last([], head: 0))
        return book
    }

    private func hash(_ rows: [RowChange]) -> RowsHash {
        var hash = RowsHash()
        for row in rows where !row.isDeleted {
            hash.replace(0, by: RowsHash.of(row.kind, row.id, row.fields))
        }
        return hash
    }

    private func row(_ kind: String, _ id: Int, _ seq: Int64, _ fields: Fields) -> RowChange {
        RowChange(seq: seq, kind: kind, id: .number(id), fields: fields)
    }

    /// Rows of newer versions, with fields that are missing, unknown, of other types or against the rules of one device.
    private var rows: [RowChange] {
        [
            row(
                "account",
                1,
                1,
                ["name": "A", "type": "cash", "currency": "EUR", "opening": 5, "newer": "x"]
            ),
            row("account", 2, 2, ["name": 12, "type": "cash", "currency": nil]),
            row("future", 3, 3, ["a": 1, "b": .other("[1, 2.50]")]),
            row(
                "transaction",
                4,
                4,
                [
                    "kind": "transfer", "date": 20_000, "amount": 5, "currency": "EUR",
                    "account": .text(EntityID.number(1).description), "accountAmount": 5,
                    "toAccount": .text(EntityID.number(1).description),
                    "category": .text(EntityID.number(99).description),
                ]
            ),
            row("category", 5, 5, ["name": "C", "kind": "no such kind"]),
            row("budget", 6, 6, ["limit": 100, "category": nil]),
            row("account", 7, 7, [:]),
        ]
    }

    @Test func isThatOfTheRowsOfTheCloud() throws {
        let book = try attached()
        try book.apply(changes: .last(rows, head: 7), to: nil)
        #expect(try book.compare(.last([], head: 7, hash: hash(rows)), to: query) == nil)
        #expect(try book.compare(.last([], head: 7, hash: hash(Array(rows.dropFirst()))), to: query) != nil)
    }

    @Test func isTheSameAfterChangesAndAfterADownload() throws {
        var rows = rows
        let book = try attached()
        try book.apply(changes: .last(rows, head: 7), to: nil)
        rows[0] = row("account", 1, 8, ["name": "B", "type": "cash", "currency": "EUR", "opening": 5])
        rows[2].isDeleted = true
        rows[2].seq = 9
        rows[3].fields["toAccount"] = .text(EntityID.number(2).description)
        rows[3].seq = 10
        try book.apply(changes: .last([rows[0], rows[2], rows[3]], head: 10), to: nil)
        #expect(try book.compare(.last([], head: 10, hash: hash(rows)), to: query) == nil)
        try book.resync(.cursorExpired)
        try book.apply(snapshot: .last(rows.filter { !$0.isDeleted && $0.id != .number(1) }, head: 10))
        #expect(try book.compare(.last([], head: 10, hash: hash(Array(rows.dropFirst()))), to: query) == nil)
    }

    /// A device of an earlier version may have sent a text in another form.
    @Test func isThatOfTheCloudIfItsTextsHaveAnotherForm() throws {
        let rows = [
            row("account", 1, 1, ["name": "Cafe\u{301}", "type": "cash", "currency": "EUR", "opening": 5]),
            row(
                "category",
                5,
                2,
                ["name": "\u{1112}\u{1161}\u{11AB}", "kind": "expense", "icon": "x", "color": "y"]
            ),
        ]
        let book = try attached()
        try book.apply(changes: .last(rows, head: 2), to: nil)
        let name = try #require(try book.account(.number(1))?.account.name)
        #expect(Array(name.utf8) == Array("Caf\u{E9}".utf8))
        #expect(try book.compare(.last([], head: 2, hash: hash(rows)), to: query) == nil)
        // Typed once more, and sent by the cloud as it is stored here.
        var normal = rows
        normal[0].fields["name"] = "Caf\u{E9}"
        normal[0].seq = 3
        try book.apply(changes: .last([normal[0]], head: 3), to: nil)
        #expect(try book.compare(.last([], head: 3, hash: hash(normal)), to: query) == nil)
    }

    @Test func isNotComparedWhileTheBookHoldsMore() throws {
        let book = try attached()
        try book.apply(changes: .last(rows, head: 7), to: nil)
        let other = ChangesPage.last([], head: 7, hash: RowsHash())
        try book.add(Account.sample(30))
        #expect(try book.compare(other, to: query) == nil, "a change of its own")
        _ = try book.nextBatch(operations: 9, bytes: 9_999)
        try book.acknowledge([OperationResult(n: 1, seq: 8, status: .applied)])
        #expect(try book.compare(other, to: query) == nil, "one that the cloud has confirmed")
        try book.apply(changes: .last([], head: 8), to: nil)
        #expect(try book.compare(other, to: query) == nil, "an answer of before")
        var foreign = query
        foreign.replica = .number(901)
        #expect(try book.compare(.last([], head: 8, hash: RowsHash()), to: foreign) == nil)
        #expect(try book.compare(.last([], head: 8, hash: RowsHash()), to: query)?.finding == .mending)
    }

    // MARK: - Refused changes

    private func row(_ number: Int, _ name: String, _ seq: Int64) -> RowChange {
        row(
            "account",
            number,
            seq,
            ["name": .text(name), "type": "cash", "currency": "EUR", "opening": 0]
        )
    }

    private func rename(_ number: Int, _ name: String, in book: Book) throws {
        var account = try #require(try book.choices().accounts.first { $0.id == .number(number) })
        account.name = name
        try book.change(account)
    }

    /// The cloud answers all waiting changes.
    private func answer(_ book: Book, _ seq: Int64, _ code: OperationResult.Code?) throws {
        for operation in try book.nextBatch(operations: 9, bytes: 9_999) {
            let status: OperationResult.Status = code == nil ? .applied : .rejected
            try book.acknowledge([OperationResult(n: operation.n, seq: seq, status: status, code: code)])
        }
    }

    /// - Returns: the finding, where the cloud has these rows at a head.
    private func compare(_ book: Book, _ rows: [RowChange], head: Int64) throws -> Divergence.Finding? {
        try book.compare(.last([], head: head, hash: hash(rows)), to: query)?.finding
    }

    @Test func leavesOutWhatTheCloudHasRefused() throws {
        let book = try attached()
        try book.apply(changes: .last([row(1, "A", 1), row(2, "B", 2)], head: 2), to: nil)
        try rename(1, "Refused", in: book)
        try answer(book, 3, .rowTooLarge)
        try book.add(Account.sample(30))
        try answer(book, 4, .tooManyRows)
        try book.apply(changes: .last([], head: 4), to: nil)
        #expect(try book.replicaState().failed == 2)
        #expect(try compare(book, [row(1, "A", 1), row(2, "B", 2)], head: 4) == nil)
        // The cloud's value of the same row changes meanwhile.
        try book.apply(changes: .last([row(1, "C", 5)], head: 5), to: nil)
        #expect(try compare(book, [row(1, "C", 5), row(2, "B", 2)], head: 5) == nil)
        #expect(try compare(book, [row(1, "C", 5), row(2, "Other", 2)], head: 5) == .mending)
        try book.apply(snapshot: .last([row(1, "C", 5), row(2, "Other", 2)], head: 5))
        let mended = try book.compare(
            .last([], head: 5, hash: hash([row(1, "C", 5), row(2, "Other", 2)])),
            to: query
        )
        #expect(mended?.finding == .mended && mended?.rows == 1, "the refused changes are no difference")
        #expect(try book.choices().accounts.map(\.name).sorted() == ["Account 30", "Other", "Refused"])
    }

    @Test func countsALaterChangeThatWasAccepted() throws {
        let book = try attached()
        try book.apply(changes: .last([row(1, "A", 1)], head: 1), to: nil)
        for (name, seq, code) in [("B", 2, .rowTooLarge), ("C", 3, nil), ("B", 4, nil)]
            as [(String, Int64, OperationResult.Code?)]
        {
            try rename(1, name, in: book)
            try answer(book, seq, code)
        }
        try book.apply(changes: .last([], head: 4), to: nil)
        #expect(try compare(book, [row(1, "B", 4)], head: 4) == nil, "the last change is in the cloud")
    }

    @Test func countsTheFirstOfSeveralRefusedChanges() throws {
        let book = try attached()
        try book.apply(changes: .last([row(1, "A", 1)], head: 1), to: nil)
        for name in ["B", "C", "D"] {
            try rename(1, name, in: book)
            try answer(book, 2, .rowTooLarge)
        }
        try book.apply(changes: .last([], head: 2), to: nil)
        #expect(try compare(book, [row(1, "A", 1)], head: 2) == nil)
        // There is nothing to send again of a change that was replaced by a later one.
        let first = try #require(try book.pendingChanges().first)
        try book.retry(change: first.id)
        #expect(try book.replicaState().failed == 2)
        #expect(try compare(book, [row(1, "A", 1)], head: 2) == nil)
        for change in try book.pendingChanges().reversed() { try book.revert(change: change.id) }
        #expect(try book.choices().accounts.map(\.name) == ["A"])
        #expect(try compare(book, [row(1, "A", 1)], head: 2) == nil)
    }

    @Test func isNotComparedWhereARefusedChangeHasChangedTheRestOfTheRow() throws {
        let book = try attached()
        try book.apply(changes: .last([row(1, "A", 1), row(2, "B", 2)], head: 2), to: nil)
        try book.record(Transaction.sample(50, account: 1))
        try answer(book, 3, nil)
        try book.apply(changes: .last([], head: 3), to: nil)
        try book.change(Transaction.sample(50, .income, account: 1))
        try answer(book, 4, .rowTooLarge)
        let transfer = row(
            "transaction",
            50,
            5,
            [
                "kind": "transfer", "date": 20_000, "amount": 5, "currency": "EUR",
                "account": .text(EntityID.number(1).description), "accountAmount": 5,
                "toAccount": .text(EntityID.number(2).description), "toAmount": 5,
            ]
        )
        try book.apply(changes: .last([transfer], head: 5), to: nil)
        #expect(try compare(book, [row(1, "A", 1), row(2, "B", 2), transfer], head: 5) == nil)
        #expect(
            try compare(book, [row(1, "A", 1)], head: 5) == nil,
            "its own row does not say what the cloud has"
        )
    }

    @Test func thatWasCountedWronglyIsCountedAnew() throws {
        let book = try attached()
        try book.apply(changes: .last(rows, head: 7), to: nil)
        let right = ChangesPage.last([], head: 7, hash: hash(rows))
        #expect(try book.compare(right, to: query) == nil)
        try book.updateSyncState { db in
            try db.change("DELETE FROM row_hashes WHERE kind = 'future'")
            try db.change("UPDATE agreement SET hash = hash / 2")
        }
        #expect(try book.compare(right, to: query)?.finding == .miscounted)
        #expect(try book.replicaState().download == nil, "no row was wrong")
        #expect(try book.compare(right, to: query) == nil)
    }
}
