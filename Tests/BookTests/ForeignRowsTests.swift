// Rows and fields of a newer version: kept as they came, sent on as they came, stored once they are known.
import GRDB
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct RowsOfANewerVersion {
    private let folder = Scratch()
    private let query = ChangesQuery(replica: .number(900), epoch: 1, range: .since(0), limit: 100, lastN: 0)
    private let account: Fields = [
        "name": "A", "type": "cash", "currency": "EUR", "opening": 5, "newer": "x",
    ]
    private let envelope: Fields = ["a": 1, "b": .other("[1, 2.50]")]

    private func attached() throws -> Book {
        let book = try Book.scratch(folder)
        try book.attach(as: .number(900), .download)
        try book.adopt(Head(epoch: 1, seq: 0))
        try book.apply(snapshot: .last([], head: 0))
        try book.apply(changes: .last([row("account", 1, account), row("envelope", 3, envelope)], head: 2))
        return book
    }

    private func row(_ kind: String, _ id: Int, _ fields: Fields, isDeleted: Bool = false) -> RowChange {
        RowChange(seq: Int64(id), kind: kind, id: .number(id), isDeleted: isDeleted, fields: fields)
    }

    private func hash(_ rows: [RowChange]) -> RowsHash {
        var hash = RowsHash()
        for row in rows { hash.replace(0, by: RowsHash.of(row.kind, row.id, row.fields)) }
        return hash
    }

    /// The operations that the book sends and the cloud takes.
    private func sent(_ book: Book, head: Int64 = 9) throws -> [SyncCore.Operation] {
        var all: [SyncCore.Operation] = []
        while true {
            let operations = try book.nextBatch(operations: 100, bytes: 99_999)
            guard !operations.isEmpty else { return all }
            all += operations
            try book.acknowledge(operations.map { OperationResult(n: $0.n, seq: head, status: .applied) })
        }
    }

    private func foreign(_ book: Book) throws -> [String] {
        try book.reading { db in
            try db.all("SELECT kind, id, is_deleted, fields FROM foreign_rows ORDER BY kind, id", []) {
                "\($0.text(0)) \($0.text(1).suffix(1)) \($0.int(2)) \($0.text(3))"
            }
        }
    }

    /// Opens the book as a version that knows more than the one before.
    private func upgraded(_ book: Book, _ sql: String) throws -> Book {
        let path = book.path
        try book.store.inDatabase { try $0.execute(sql: "\(sql); UPDATE sync SET known = 'less'") }
        book.close()
        return try Book.open(at: path, clock: { 1_800_000_000 })
    }

    @Test func areKeptAsTheyCame() throws {
        let book = try attached()
        #expect(try foreign(book) == [#"account 1 0 {"newer":"x"}"#, #"envelope 3 0 {"a":1,"b":[1, 2.50]}"#])
        try book.apply(changes: .last([row("account", 1, account.with(["newer": "y"]))], head: 3))
        #expect(try foreign(book).first == #"account 1 0 {"newer":"y"}"#)
        var old = account
        old["newer"] = .null
        try book.apply(changes: .last([row("account", 1, old.withoutNulls)], head: 4))
        #expect(try foreign(book).count == 1)
    }

    @Test func aChangeMadeHereLeavesThemAlone() throws {
        let book = try attached()
        var changed = try #require(try book.account(.number(1))?.account)
        changed.name = "Mine"
        try book.change(changed)
        let operations = try sent(book, head: 3)
        #expect(operations.map(\.fields) == [["name": "Mine"]])
        let there = [row("account", 1, account.with(["name": "Mine"])), row("envelope", 3, envelope)]
        try book.apply(changes: .last([], head: 3))
        #expect(try book.compare(.last([], head: 3, hash: hash(there)), to: query) == nil)
        #expect(try book.compare(.last([], head: 3, hash: hash([there[1]])), to: query) != nil)
    }

    @Test func areSentWithAllElseToACloudWhoseDataWasDeleted() throws {
        let book = try attached()
        try book.apply(changes: .last([row("envelope", 4, envelope)], head: 4))
        try book.apply(changes: .last([row("envelope", 4, [:], isDeleted: true)], head: 5))
        try book.rejoin(as: .number(901))
        #expect(try book.replicaState().pending >= 3)
        let operations = try sent(book)
        #expect(operations.first { $0.kind == "account" }?.fields == account)
        let envelopes = operations.filter { $0.kind == "envelope" }
        #expect(envelopes.map(\.action) == [.delete, .create])
        #expect(envelopes.map(\.id) == [.number(4), .number(3)] && envelopes.last?.fields == envelope)
        #expect(try book.replicaState().pending == 0)
        #expect(try foreign(book).count == 3)
    }

    @Test func areSentToACloudThatHasLostThem() throws {
        let book = try attached()
        try book.apply(
            changes: .last([row("envelope", 4, envelope), row("envelope", 5, envelope)], head: 5)
        )
        try book.apply(changes: .last([row("envelope", 5, [:], isDeleted: true)], head: 6))
        try book.resync(.cursorAhead)
        // The backup has an older state of two rows, does not have the third, and has one that is deleted since.
        let old = [
            row("account", 1, account.with(["newer": "old"])), row("envelope", 3, envelope.with(["a": 0])),
            row("envelope", 5, envelope),
        ]
        try book.apply(snapshot: .last(old, head: 3))
        let operations = try sent(book)
        let lines = operations.map { "\($0.kind) \($0.id.description.suffix(1)) \($0.action)" }
        #expect(
            Set(lines) == ["account 1 patch", "envelope 3 patch", "envelope 4 create", "envelope 5 delete"]
        )
        #expect(operations.first { $0.kind == "account" }?.fields == ["newer": "x"])
        #expect(operations.first { $0.id == .number(3) }?.fields == ["a": 1])
        #expect(operations.first { $0.id == .number(4) }?.fields == envelope)
        #expect(
            try foreign(book).map { $0.prefix(12) } == [
                "account 1 0 ", "envelope 3 0", "envelope 4 0", "envelope 5 1",
            ]
        )
    }

    @Test func goWithARowWhoseDeletionIsTakenBack() throws {
        let book = try attached()
        try book.deleteAccount(.number(1))
        #expect(try sent(book, head: 3).map(\.action) == [.delete])
        try book.apply(changes: .last([], head: 3))
        _ = try book.restoreAccount(.number(1))
        let operations = try sent(book, head: 4)
        #expect(operations.map(\.action) == [.create])
        #expect(operations.first?.fields == account && operations.first?.id != .number(1))
    }

    @Test func goWithTheBookThatTheyCameWith() throws {
        let book = try attached()
        try book.attach(as: .number(901), .download)
        #expect(try foreign(book).count == 2, "still the same attachment")
        try book.detach()
        try book.updateSyncState { try $0.connection.execute(sql: "UPDATE sync SET is_capturing = 0") }
        try book.attach(as: .number(902), .download)
        #expect(try foreign(book).isEmpty)
    }

    @Test func aKindThatIsKnownNowGetsItsRows() throws {
        let book = try upgraded(
            attached(),
            """
            INSERT INTO foreign_rows (kind, id, is_deleted, fields)
            SELECT 'account', '\(EntityID.number(7))', 0, '{"name":"New","type":"cash","currency":"EUR","opening":9,"z":1}'
            """
        )
        #expect(try book.account(.number(7))?.balanceMinor == 9)
        #expect(
            try foreign(book)
                == [
                    #"account 1 0 {"newer":"x"}"#, #"account 7 0 {"z":1}"#,
                    #"envelope 3 0 {"a":1,"b":[1, 2.50]}"#,
                ]
        )
        #expect(try sent(book).isEmpty, "the cloud has it")
        let there = [
            row("account", 1, account), row("envelope", 3, envelope),
            row("account", 7, ["name": "New", "type": "cash", "currency": "EUR", "opening": 9, "z": 1]),
        ]
        #expect(try book.compare(.last([], head: 2, hash: hash(there)), to: query) == nil)
        #expect(try book.compare(.last([], head: 2, hash: hash([])), to: query) != nil)
    }

    @Test func aFieldThatIsKnownNowGetsItsValue() throws {
        let book = try attached()
        try book.add(Account.sample(20))
        var changed = try #require(try book.account(.number(1))?.account)
        changed.name = "Mine"
        try book.change(changed)
        try book.deleteAccount(.number(20))
        _ = try sent(book, head: 4)
        let later = try upgraded(
            book,
            """
            UPDATE foreign_rows SET fields = '{"newer":"x","opening":700}' WHERE kind = 'account';
            INSERT INTO foreign_rows (kind, id, is_deleted, fields)
            VALUES ('account', '\(EntityID.number(20))', 0, '{"opening":33}')
            """
        )
        let account = try #require(try later.account(.number(1)))
        #expect(account.balanceMinor == 700 && account.account.name == "Mine")
        #expect(try later.account(.number(20)) == nil, "what is deleted stays so")
        #expect(try foreign(later).first == #"account 1 0 {"newer":"x"}"#)
        #expect(try foreign(later).count == 2)
        #expect(try sent(later).isEmpty)
        later.close()
        let again = try Book.open(at: later.path, clock: { 1_800_000_000 })
        #expect(try again.account(.number(1))?.balanceMinor == 700)
    }

    // MARK: - Rows that do not fit

    /// A newer kind of account: the first state fits, the second does not.
    private var unfit: Fields { account.with(["type": "crypto", "rate": 5]) }

    private func withUnfit() throws -> Book {
        let book = try attached()
        try book.apply(changes: .last([row("account", 1, unfit)], head: 3))
        #expect(try book.account(.number(1))?.account.type == .cash)
        return book
    }

    @Test func aRowThatDoesNotFitCountsAsTheCloudHasIt() throws {
        let book = try withUnfit()
        let there = [row("account", 1, unfit), row("envelope", 3, envelope)]
        #expect(try book.compare(.last([], head: 3, hash: hash(there)), to: query) == nil)
        try book.apply(changes: .last([row("account", 1, account)], head: 4))
        let again = [row("account", 1, account), row("envelope", 3, envelope)]
        #expect(try book.compare(.last([], head: 4, hash: hash(again)), to: query) == nil)
        #expect(try foreign(book).first == #"account 1 0 {"newer":"x"}"#)
    }

    @Test func aRestoredCloudKeepsARowThatDoesNotFitHere() throws {
        let book = try withUnfit()
        try book.resync(.cursorAhead)
        try book.apply(snapshot: .last([row("account", 1, unfit), row("envelope", 3, envelope)], head: 3))
        #expect(try sent(book).isEmpty)
        #expect(try foreign(book).first?.contains("crypto") == true)
    }

    /// The row was sent again and lost again before any contact in between.
    @Test func aCloudThatIsRestoredTwiceGetsThemTwice() throws {
        let book = try attached()
        try book.resync(.cursorAhead)
        try book.apply(snapshot: .last([row("account", 1, account)], head: 2))
        let operations = try book.nextBatch(operations: 100, bytes: 99_999)
        #expect(operations.map(\.kind) == ["envelope"])
        try book.renameReplica(to: .number(901))
        try book.resync(.cursorAhead)
        try book.acknowledge(operations.map { OperationResult(n: $0.n, seq: 9, status: .applied) })
        try book.renameReplica(to: .number(902))
        try book.resync(.cursorAhead)
        try book.apply(snapshot: .last([row("account", 1, account)], head: 2))
        #expect(try sent(book).map(\.kind) == ["envelope"])
    }

    @Test func aRowThatDoesNotFitIsSentWithAllElse() throws {
        let book = try withUnfit()
        let strange: Fields = ["name": "", "type": "mattress"]
        try book.apply(changes: .last([row("account", 6, strange)], head: 4))
        try book.rejoin(as: .number(901))
        let operations = try sent(book)
        #expect(operations.first { $0.id == .number(1) }?.fields == unfit)
        #expect(operations.first { $0.id == .number(6) }?.fields == strange)
        #expect(operations.filter { $0.kind == "account" }.count == 2)
    }

    @Test func aDeletedRowStaysDeletedAfterAnUpgrade() throws {
        let book = try withUnfit()
        try book.deleteAccount(.number(1))
        _ = try sent(book, head: 4)
        let later = try upgraded(book, "SELECT 1")
        #expect(try later.account(.number(1)) == nil)
        #expect(try foreign(later).count == 1)
        // One that came deleted, and which another row had referred to before.
        let category = EntityID.number(8)
        try later.updateSyncState { db in
            try db.connection.execute(
                sql: """
                    INSERT INTO categories (id, name, kind, icon, color, deleted_at)
                    VALUES ('\(category)', '?', 'expense', '', '', 0)
                    """
            )
        }
        let dead = row("category", 8, ["name": "C", "kind": "expense", "newer": 1], isDeleted: true)
        try later.apply(changes: .last([dead], head: 6))
        let last = try upgraded(later, "SELECT 1")
        #expect(try last.category(category) == nil)
    }

    @Test func aChangeThatIsTakenBackLeavesTheRowThere() throws {
        let book = try attached()
        try book.resync(.cursorAhead)
        let old = [row("account", 1, account), row("envelope", 3, envelope.with(["a": 0]))]
        try book.apply(snapshot: .last(old, head: 2))
        let pending = try #require(try book.pendingChanges().first { $0.kind == "envelope" })
        #expect(pending.action == .patch)
        try book.revert(change: pending.id)
        #expect(try foreign(book).last == #"envelope 3 0 {"a":0,"b":[1, 2.50]}"#)
        #expect(try book.pendingChanges().isEmpty)
    }

    @Test func aRowOfAnUnknownKindThatWaitsIsNotTakenForDeleted() throws {
        let book = try attached()
        try book.rejoin(as: .number(901))
        try book.adopt(Head(epoch: 2, seq: 0))
        while case let operations = try book.nextBatch(operations: 100, bytes: 99_999), !operations.isEmpty {
            try book.acknowledge(
                operations.map { OperationResult(n: $0.n, seq: 1, status: .rejected, code: .tooLarge) }
            )
        }
        try book.resync(.cursorExpired)
        try book.apply(
            snapshot: ChangesPage(
                epoch: 2,
                head: 1,
                cursor: 1,
                hasMore: false,
                remaining: 0,
                lastN: 0,
                rows: []
            )
        )
        #expect(try foreign(book).last?.hasPrefix("envelope 3 0") == true)
    }

    /// A cloud that was put back to "old" is sent "x" again.
    private func restored() throws -> Book {
        let book = try attached()
        try book.resync(.cursorAhead)
        let old = account.with(["newer": "old"])
        try book.apply(
            snapshot: .last([row("account", 1, old), row("envelope", 3, envelope.with(["a": 0]))], head: 3)
        )
        return book
    }

    private func arrives(_ kind: String, _ id: Int, _ fields: Fields, at seq: Int64, in book: Book) throws {
        let row = RowChange(seq: seq, kind: kind, id: .number(id), isDeleted: false, fields: fields)
        try book.apply(changes: .last([row], head: seq))
    }

    private func waiting(_ book: Book) throws -> [Fields] {
        try book.nextBatch(operations: 9, bytes: 99_999).map(\.fields)
    }

    @Test func anOwnChangeThatWaitsStaysOnTopOfWhatArrives() throws {
        let book = try restored()
        try arrives("account", 1, account.with(["newer": "old", "name": "B"]), at: 5, in: book)
        try arrives("envelope", 3, envelope.with(["a": 0, "c": 7]), at: 6, in: book)
        #expect(
            try foreign(book) == [
                #"account 1 0 {"newer":"x"}"#, #"envelope 3 0 {"a":1,"b":[1, 2.50],"c":7}"#,
            ]
        )
        #expect(try waiting(book) == [["newer": "x"], ["a": 1]])
    }

    @Test func aRefusedChangeIsSentAgainThoughRowsHaveArrivedSince() throws {
        let book = try restored()
        let cut = try book.nextBatch(operations: 9, bytes: 99_999)
        try book.acknowledge(
            cut.map { OperationResult(n: $0.n, seq: 4, status: .rejected, code: .tooLarge) }
        )
        try arrives("account", 1, account.with(["newer": "old", "name": "B"]), at: 5, in: book)
        for change in try book.pendingChanges(limit: 9) { try book.retry(change: change.id) }
        #expect(try waiting(book).contains(["newer": "x"]))
        #expect(try foreign(book).first == #"account 1 0 {"newer":"x"}"#)
    }

    @Test func aChangeThatIsTakenBackLeavesWhatWasThereBefore() throws {
        let book = try restored()
        for change in try book.pendingChanges(limit: 9) { try book.revert(change: change.id) }
        #expect(try foreign(book).first == #"account 1 0 {"newer":"old"}"#)
        #expect(try waiting(book).isEmpty)
    }

    @Test func aChangeThatWasSentAndIsTakenBackIsTakenBackOnTheCloudToo() throws {
        let book = try restored()
        _ = try book.nextBatch(operations: 9, bytes: 99_999)
        for change in try book.pendingChanges(limit: 9) { try book.revert(change: change.id) }
        #expect(try foreign(book).first == #"account 1 0 {"newer":"old"}"#)
        #expect(try sent(book).last { $0.kind == "account" }?.fields == ["newer": "old"])
    }
}
