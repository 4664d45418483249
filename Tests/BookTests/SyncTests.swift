// An attached book: its outbox, undoing changes, and applying rows of the cloud below its own changes.
import GRDB
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct AnAttachedBook {
    private let folder = Scratch()

    /// A book with two accounts, a category and a transaction, whose rows the cloud has.
    private func attached() throws -> Book {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Account.sample(2))
        try book.add(Ledger.Category.sample(11))
        try book.record(.sample(50, category: 11, payee: "Lidl"))
        try book.attach(as: .number(900), .upload)
        try book.adopt(Head(epoch: 1, seq: 0))
        try sendAll(book)
        try load(book, [], head: 4)
        return book
    }

    /// The acknowledgement of a cloud that accepts everything.
    @discardableResult
    private func sendAll(_ book: Book, from seq: Int64 = 1) throws -> [SyncCore.Operation] {
        var sent: [SyncCore.Operation] = []
        while case let batch = try book.nextBatch(operations: 500, bytes: 1 << 20), !batch.isEmpty {
            let results = batch.map { OperationResult(n: $0.n, seq: seq + $0.n - 1, status: .applied) }
            try book.acknowledge(results)
            sent += batch
        }
        return sent
    }

    private func load(
        _ book: Book,
        _ rows: [RowChange],
        head: Int64,
        hasMore: Bool = false,
        next: String = ""
    ) throws {
        try book.apply(
            snapshot: ChangesPage(
                epoch: 1,
                head: head,
                cursor: head,
                next: next,
                hasMore: hasMore,
                remaining: 0,
                lastN: 0,
                rows: rows
            )
        )
        if !hasMore { try arrive(book, [], at: head) }
    }

    private func arrive(_ book: Book, _ rows: [RowChange], at cursor: Int64) throws {
        try book.apply(changes: .last(rows, head: cursor))
    }

    private func row(_ book: Book, _ number: Int, seq: Int64, _ change: (inout Fields) -> Void = { _ in })
        throws
        -> RowChange
    {
        var fields = try book.synced("transaction", .number(number))
        change(&fields)
        return RowChange(seq: seq, kind: "transaction", id: .number(number), fields: fields)
    }

    private func account(_ number: Int) -> RowChange {
        RowChange(seq: Int64(number), kind: "account", id: .number(number), fields: ["name": "A"])
    }

    /// Attaches an empty book, and applies the first of two pages.
    private func beginDownload(into book: Book) throws {
        try book.attach(as: .number(900), .download)
        try book.adopt(Head(epoch: 1, seq: 7))
        try book.apply(
            snapshot: ChangesPage(
                epoch: 1,
                head: 7,
                cursor: 7,
                next: "account/1",
                hasMore: true,
                remaining: 1,
                lastN: 0,
                rows: [account(1)]
            )
        )
    }

    /// Its rows are those of the cloud at that time: later changes follow.
    @Test func aDownloadIsAsOldAsItsBeginning() throws {
        let clock = FixedClock(at: 1_000)
        let book = try Book.open(at: folder("old.sqlite")) { clock.now }
        try beginDownload(into: book)
        clock.advance(by: 600)
        try book.apply(snapshot: .last([account(2)], head: 7))
        var state = try book.replicaState()
        #expect(state.syncedAt == 1_000 && state.download == nil && state.isCatchingUp)
        try arrive(book, [], at: 7)
        state = try book.replicaState()
        #expect(state.syncedAt == 1_600 && !state.isCatchingUp)
    }

    /// Rows may be missing still, and the ones that are here stay.
    @Test func aFirstDownloadThatIsBegunAnewIsNotComplete() throws {
        let book = try Book.scratch(folder)
        try beginDownload(into: book)
        #expect(try book.replicaState().incomplete?.done == 1)
        try book.resync(.cursorExpired)
        let state = try book.replicaState()
        #expect(state.incomplete == nil && state.isCatchingUp && state.download?.done == 0)
        #expect(try book.counts().accounts == 1)
    }

    // MARK: - Capture

    @Test func aBookThatWasNeverAttachedCapturesNothing() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.record(.sample(50))
        #expect(try book.pendingChanges().isEmpty)
        #expect(try book.replicaState() == ReplicaState(replica: nil))
    }

    @Test func allThatIsThereGoesUpWhatOthersReferToFirst() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Account.sample(2))
        try book.deleteAccount(.number(2))
        try book.add(Ledger.Category.sample(11))
        try book.record(.sample(50, category: 11))
        try book.attach(as: .number(900), .upload)
        #expect(try book.replicaState().pending == 3)
        // A row that changes before it is sent is sent with its latest values.
        try book.record(.sample(51))
        try book.deleteTransaction(.number(50))
        let sent = try sendAll(book)
        #expect(sent.map(\.kind) == ["transaction", "account", "category", "transaction"])
        #expect(sent.map(\.action) == [.delete, .create, .create, .create])
        #expect(sent.map(\.n) == [1, 2, 3, 4], "numbers without gaps")
        #expect(try book.replicaState().pending == 0)
    }

    @Test func aChangeIsAnOperationOfItsFields() throws {
        let book = try attached()
        var transaction = Transaction.sample(50, category: 11, payee: "Spar")
        transaction.amount.minor = 1_300
        transaction.accountMinor = 1_300
        try book.change(transaction)
        let change = try #require(try book.pendingChanges().first)
        #expect(change.action == .patch && change.kind == "transaction" && change.at == noon)
        #expect(change.fields == ["amount": 1_300, "accountAmount": 1_300, "payee": "Spar"])
        #expect(change.before == ["amount": 1_250, "accountAmount": 1_250, "payee": "Lidl"])
        let operation = try #require(try book.nextBatch(operations: 10, bytes: 1 << 20).first)
        #expect(
            operation.base == ["amount": 4, "accountAmount": 4, "payee": 4],
            "what was seen of each field"
        )
        #expect(
            try book.nextBatch(operations: 10, bytes: 1 << 20) == [operation],
            "the same until it has a result"
        )
    }

    @Test func theBaseOfAnEditIsThatOfItsForm() throws {
        let book = try attached()
        let shown = try #require(try book.transaction(.number(50)))
        let version = try book.versions(of: Transaction.self, shown.id)(shown)
        let dearer = try row(book, 50, seq: 9) { fields in
            fields["amount"] = 9_999
            fields["accountAmount"] = 9_999
        }
        try arrive(book, [dearer], at: 9)
        func base(of minor: Int64, _ version: EntityVersion?) throws -> Int64? {
            var sent = shown
            sent.amount.minor = minor
            sent.accountMinor = minor
            try book.change(sent, shown: version)
            return try sendAll(book, from: 20).last?.base.integer("amount")
        }
        #expect(try base(of: 700, version) == 4, "what the cloud sent later was not seen")
        #expect(try base(of: 800, nil) == 9)
        #expect(try base(of: 900, book.versions(of: Transaction.self, shown.id)(shown)) == 9)
        let otherEpoch = try #require(EntityVersion(version.text.replacing(/^1\./, with: "2.")))
        #expect(try base(of: 1_000, otherEpoch) == 0, "the cloud has begun anew since")
        let beyond = try #require(EntityVersion(version.text.replacing(/^1\.4\./, with: "1.40.")))
        #expect(try base(of: 1_100, beyond) == 0, "the cloud has gone back since")
    }

    @Test func whatADownloadShowsOfLaterRowsCountsAsSeen() throws {
        let book = try Book.scratch(folder)
        try book.attach(as: .number(900), .download)
        try book.adopt(Head(epoch: 1, seq: 5))
        let account = RowChange(
            seq: 9,
            kind: "account",
            id: .number(1),
            fields: ["name": "A", "type": "bank", "currency": "EUR", "opening": 0]
        )
        try load(book, [account], head: 9, hasMore: true, next: "account/1")
        #expect(try book.replicaState().seen == 9, "the cloud may be put back to before it")
        try book.resync(.cursorAhead)
        #expect(try book.replicaState().seen == 0, "what is lost there is on its way to it again")
    }

    @Test func anAmountThatMetAnotherIsOneQuestion() throws {
        let book = try attached()
        func conflict(_ number: Int, _ field: String, _ kept: String, _ lost: String, at: Int64 = 70)
            -> RowChange
        {
            RowChange(
                seq: Int64(number),
                kind: "conflict",
                id: .number(number),
                fields: [
                    "kind": "transaction", "entity": .text(EntityID.number(50).description),
                    "field": .text(field), "kept": .text(kept), "lost": .text(lost), "keptBy": "",
                    "lostBy": "",
                    "at": .integer(at), "held": 0,
                ]
            )
        }
        try arrive(
            book,
            [
                conflict(5, "amount", "1250", "700"), conflict(6, "accountAmount", "1250", "700"),
                conflict(7, "accountAmount", "1250", "800", at: 71),
            ],
            at: 7
        )
        #expect(Set(try book.openConflicts().map(\.id)) == [.number(5), .number(7)])
        #expect(try book.openConflictCount() == 2)
        try book.resolve(.number(5), .lost)
        let now = try #require(try book.transaction(.number(50)))
        #expect(now.amount.minor == 700 && now.accountMinor == 700)
        #expect(try book.openConflicts().map(\.id) == [.number(7)])
    }

    @Test func incomeOfADeletedCategoryOfSpendingIsKnownAsARefund() throws {
        let book = try attached()
        let deleted = RowChange(seq: 9, kind: "category", id: .number(11), isDeleted: true, fields: [:])
        try arrive(book, [deleted], at: 9)
        #expect(try book.choices().categories.isEmpty)
        #expect(try book.choices().deletedSpending == [.number(11)])
    }

    @Test func aChangeThatIsUndoneLeavesNothingInTheOutbox() throws {
        let book = try attached()
        #expect(throws: BookError.self) { try book.record(all: [.sample(60), .sample(61, account: 99)]) }
        #expect(try book.pendingChanges().isEmpty)
    }

    @Test func theOperationsOfOneTransactionStayTogether() throws {
        let book = try attached()
        try book.record(.sample(60))
        try book.record(all: [.sample(61), .sample(62), .sample(63)])
        #expect(try book.nextBatch(operations: 3, bytes: 1 << 20).count == 1, "the three do not fit any more")
    }

    // MARK: - Taking back

    @Test func whatWaitsCanBeTakenBack() throws {
        let book = try attached()
        var account = Account.sample(1)
        account.name = "Other"
        try book.change(account)
        try book.record(.sample(60))
        try book.deleteTransaction(.number(50))
        for _ in 0..<3 {
            let change = try #require(try book.pendingChanges().last)
            try book.revert(change: change.id)
        }
        #expect(try book.replicaState().pending == 0)
        #expect(try book.account(.number(1))?.account.name == "Account 1")
        #expect(try book.transaction(.number(60)) == nil && book.transaction(.number(50)) != nil)
        #expect(throws: BookError.unknownChange) { try book.revert(change: 1) }
    }

    @Test func whatMayBeThereIsTakenBackByAChangeOfItsOwn() throws {
        let book = try attached()
        var account = Account.sample(1)
        account.name = "Other"
        try book.change(account)
        _ = try book.nextBatch(operations: 10, bytes: 1 << 20)
        try book.revert(change: try #require(try book.pendingChanges().first).id)
        let changes = try book.pendingChanges()
        #expect(changes.map(\.fields) == [["name": "Other"], ["name": "Account 1"]])
    }

    @Test func takingBackAChangeLeavesALaterOneOfTheSameValueAlone() throws {
        let book = try attached()
        for payee in ["Mine", "Other", "Mine"] {
            try book.change(Transaction.sample(50, category: 11, payee: payee))
        }
        try book.revert(change: try #require(try book.pendingChanges().first).id)
        #expect(try book.transaction(.number(50))?.payee == "Mine")
        // The remaining changes are undone to the cloud's values, step by step.
        for pending in try book.pendingChanges().reversed() { try book.revert(change: pending.id) }
        #expect(try book.transaction(.number(50))?.payee == "Lidl")
        #expect(try book.replicaState().pending == 0)
    }

    @Test func aRefusedChangeThatIsSentAgainDoesNotOvertakeALaterOne() throws {
        let book = try attached()
        var mine = Transaction.sample(50, category: 11, payee: "Mine")
        mine.note = "mine"
        try book.change(mine)
        let patch = try #require(try book.nextBatch(operations: 10, bytes: 1 << 20).first)
        mine.payee = "Later"
        try book.change(mine)
        try book.acknowledge([OperationResult(n: patch.n, seq: 9, status: .rejected, code: .invalid)])
        try book.retry(change: try #require(try book.pendingChanges().first).id)
        let sent = try sendAll(book, from: 9)
        #expect(sent.map(\.fields) == [["payee": "Later"], ["note": "mine"]])
        #expect(try book.transaction(.number(50))?.payee == "Later")
        #expect(try book.replicaState().failed == 0)
    }

    @Test func whatTheCloudKnowsToBeDeadComesBackAsACopy() throws {
        let book = try attached()
        try book.deleteTransaction(.number(50))
        #expect(try book.restoreTransaction(.number(50)) == .number(50), "the deletion was not sent yet")
        #expect(try book.replicaState().pending == 0)
        try book.deleteTransaction(.number(50))
        try sendAll(book, from: 10)
        let copy = try book.restoreTransaction(.number(50))
        #expect(copy != .number(50))
        #expect(try book.restoreTransaction(.number(50)) == copy, "asked for twice, it is one")
        #expect(try book.transaction(copy)?.payee == "Lidl" && book.transaction(.number(50)) == nil)
        #expect(try book.pendingChanges().map(\.action) == [.create])
    }

    @Test func whatWasDeletedAndBroughtBackTimeAndAgainComesBackOnceMore() throws {
        let book = try attached()
        var ids = [EntityID.number(11)]
        while ids.count < 20_000 { ids.append(ids[ids.count - 1].copy) }
        let dead = ids.map { id in
            RowChange(
                seq: 9,
                kind: "category",
                id: id,
                isDeleted: true,
                fields: ["name": "Once", "kind": "expense"]
            )
        }
        try book.move(transactionsOf: .number(11), to: nil)
        try sendAll(book, from: 10)
        try arrive(book, dead, at: 9)
        #expect(try book.restoreCategory(.number(11)) == ids[ids.count - 1].copy)
        #expect(try book.categoryUses().map(\.category.id) == [ids[ids.count - 1].copy])
    }

    @Test func aCloudsNumbersBeyondAllSenseAreTaken() throws {
        let book = try attached()
        try book.resync(.cursorExpired)
        try book.apply(
            snapshot: ChangesPage(
                epoch: 1,
                head: 9,
                cursor: 9,
                next: "category/",
                hasMore: true,
                remaining: .max,
                lastN: 0,
                rows: [try row(book, 50, seq: 4)]
            )
        )
        #expect(try book.replicaState().download?.total == .max)
    }

    @Test(arguments: [-1, 99]) func aWalkOverATableThatIsNoneIsDamage(rank: Int) throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.attach(as: .number(900), .upload)
        try book.store.inDatabase { try $0.execute(sql: "UPDATE sync SET walk_rank = \(rank)") }
        #expect(throws: BookError.damaged("a walk over a table that is none")) {
            try book.nextBatch(operations: 10, bytes: 1 << 20)
        }
    }

    @Test func anOutboxThatRanOutOfNumbersIsDamage() throws {
        let book = try attached()
        try book.record(.sample(60))
        try book.store.inDatabase { try $0.execute(sql: "UPDATE sync SET last_numbered = \(Int64.max)") }
        #expect(throws: BookError.damaged("an outbox that ran out of numbers")) {
            try book.nextBatch(operations: 10, bytes: 1 << 20)
        }
    }

    @Test func aRefusedChangeCanBeSentAgain() throws {
        let book = try attached()
        try book.record(.sample(60))
        let operation = try #require(try book.nextBatch(operations: 10, bytes: 1 << 20).first)
        try book.acknowledge([OperationResult(n: operation.n, seq: 9, status: .rejected, code: .invalid)])
        #expect(try book.replicaState().pending == 0 && book.replicaState().failed == 1)
        try book.retry(change: try #require(try book.pendingChanges().first).id)
        #expect(try book.replicaState().pending == 1 && book.replicaState().failed == 0)
    }

    @Test func aRowThatTheCloudDoesNotKnowIsSentAsAWhole() throws {
        let book = try attached()
        var transaction = Transaction.sample(50, category: 11, payee: "Spar")
        transaction.note = "x"
        try book.change(transaction)
        let patch = try #require(try book.nextBatch(operations: 10, bytes: 1 << 20).first)
        try book.acknowledge([OperationResult(n: patch.n, seq: 9, status: .rejected, code: .unknownRow)])
        let again = try #require(try book.nextBatch(operations: 10, bytes: 1 << 20).first)
        #expect(again.action == .create && again.fields["payee"] == "Spar" && again.fields["note"] == "x")
    }

    // MARK: - Arrivals

    @Test func aFieldWithAChangeOfItsOwnKeepsItsValue() throws {
        let book = try attached()
        var transaction = Transaction.sample(50, category: 11, payee: "Mine")
        try book.change(transaction)
        try arrive(
            book,
            [
                try row(book, 50, seq: 9) {
                    $0["payee"] = "Theirs"
                    $0["note"] = "theirs"
                }
            ],
            at: 9
        )
        transaction.note = "theirs"
        #expect(try book.transaction(.number(50)) == transaction)
        #expect(
            try book.replicaState().cursor == 9 && book.replicaState().pending == 1,
            "what arrives is not captured"
        )
    }

    /// A copy of the book has sent the same change, and another device has overwritten it since.
    @Test func whatWasHiddenByAChangeThatACopyHadSentComesAgain() throws {
        let book = try attached()
        var transaction = try #require(try book.transaction(.number(50)))
        transaction.payee = "Mine"
        try book.change(transaction)
        let theirs = try row(book, 50, seq: 9) { $0["payee"] = "Theirs" }
        try arrive(book, [theirs], at: 9)
        #expect(try book.transaction(.number(50))?.payee == "Mine")
        try sendAll(book, from: 4)
        #expect(try book.replicaState().stagedUpTo == 7 && book.replicaState().cursor == 9)
        try arrive(book, [theirs], at: 9)
        #expect(try book.transaction(.number(50))?.payee == "Theirs")
        #expect(try book.replicaState().cursor == 9 && book.replicaState().pending == 0)
    }

    /// Rows come again from a place at which an older answer may begin as well: it was made before what is here by now.
    @Test func anOlderPageTakesNothingBack() throws {
        let book = try attached()
        try book.change(Transaction.sample(50, category: 11, payee: "Mine"))
        try arrive(book, [], at: 9)
        try sendAll(book, from: 4)
        #expect(try book.replicaState().stagedUpTo == 7 && book.replicaState().cursor == 9)
        let query = ChangesQuery(replica: .number(900), epoch: 1, range: .since(7), limit: 9, lastN: 0)
        let older = try row(book, 50, seq: 8) { $0["payee"] = "Older" }
        try book.apply(changes: .last([older], head: 8), to: query)
        #expect(try book.transaction(.number(50))?.payee == "Mine")
        #expect(try book.replicaState().stagedUpTo == 7 && book.replicaState().cursor == 9)
        try book.apply(changes: .last([try row(book, 50, seq: 9)], head: 9), to: query)
        #expect(try book.replicaState().stagedUpTo == nil)
    }

    /// An answer may come twice, after the pages that follow it: over a line that was thought dead.
    @Test func aPageThatComesAgainDoesNotTakeTheBookBack() throws {
        let book = try attached()
        func query(_ cursor: Int64) -> ChangesQuery {
            ChangesQuery(replica: .number(900), epoch: 1, range: .since(cursor), limit: 9, lastN: 0)
        }
        func stage(from cursor: Int64, to end: Int64) throws {
            let page = ChangesPage(
                epoch: 1,
                head: 9,
                cursor: end,
                next: "",
                hasMore: true,
                remaining: 0,
                lastN: 0,
                rows: [try row(book, 50, seq: end) { $0["payee"] = .text("At \(end)") }]
            )
            try book.apply(changes: page, to: query(cursor))
        }
        try stage(from: 4, to: 5)
        try stage(from: 5, to: 7)
        try stage(from: 4, to: 5)
        #expect(try book.replicaState().stagedUpTo == 7)
        try book.apply(changes: .last([], head: 9), to: query(7))
        #expect(try book.transaction(.number(50))?.payee == "At 7")
        #expect(try book.replicaState().cursor == 9)
    }

    @Test func whatArrivesBeforeWhatItRefersToWaitsForIt() throws {
        let book = try attached()
        try arrive(
            book,
            [
                try row(book, 50, seq: 9) {
                    $0["account"] = .text(EntityID.number(70).description)
                    $0["category"] = .text(EntityID.number(71).description)
                }
            ],
            at: 9
        )
        #expect(try book.account(.number(70)) == nil, "a placeholder is nobody's account")
        let account = RowChange(
            seq: 10,
            kind: "account",
            id: .number(70),
            fields: ["name": "New", "type": "cash", "currency": "EUR", "opening": 5]
        )
        try arrive(book, [account], at: 10)
        #expect(try book.account(.number(70))?.balanceMinor == 5 - 1_250)
        #expect(try book.verifySums().isEmpty)
    }

    @Test func rowsThatDoNotFitAreStoredAndHoldNothingUp() throws {
        let book = try attached()
        let odd = RowChange(
            seq: 9,
            kind: "account",
            id: .number(70),
            fields: ["name": "", "type": "mattress"]
        )
        let unknown = RowChange(seq: 10, kind: "envelope", id: .number(71), fields: ["x": 1])
        let huge = try row(book, 50, seq: 11) {
            $0["amount"] = .integer(.max)
            $0["accountAmount"] = .integer(.max)
            $0["kind"] = "income"
        }
        var second = huge
        second = RowChange(seq: 12, kind: "transaction", id: .number(72), fields: huge.fields)
        try arrive(book, [odd, unknown, huge, second], at: 12)
        #expect(try book.replicaState().cursor == 12)
        let stored = try book.reading { db in
            try db.all("SELECT kind FROM foreign_rows ORDER BY kind", []) { $0.text(0) }
        }
        #expect(stored == ["account", "envelope", "transaction", "transaction"])
        #expect(try book.verifySums().isEmpty)
    }

    @Test func whatIsNotSentYetStaysAsItIsWhereTheCloudHasSomethingElse() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.record(.sample(50, payee: "Lidl"))
        let theirs = try row(book, 50, seq: 3) { $0["payee"] = "Theirs" }
        try book.attach(as: .number(900), .upload)
        try book.adopt(Head(epoch: 1, seq: 3))
        // Nothing of it was queued yet.
        try load(book, [theirs], head: 3)
        #expect(try book.transaction(.number(50))?.payee == "Lidl")
        let sent = try sendAll(book, from: 4)
        #expect(sent.first { $0.kind == "transaction" }?.fields["payee"] == "Lidl")
    }

    @Test func theHeadOfAPageWasSeenAlsoIfNoRowOfThePageIsOfIt() throws {
        let book = try attached()
        try book.resync(.cursorExpired, of: .number(900))
        let rows = [try row(book, 50, seq: 9), try row(book, 50, seq: 5)]
        try load(book, rows, head: 20, hasMore: true, next: "transaction/x")
        #expect(try book.replicaState().seen == 20)
    }

    @Test func pagesAreAppliedWithTheLastOneAllAtOnce() throws {
        let book = try attached()
        let first = ChangesPage(
            epoch: 1,
            head: 20,
            cursor: 9,
            hasMore: true,
            remaining: 1,
            lastN: 0,
            rows: [try row(book, 50, seq: 9) { $0["payee"] = "Theirs" }]
        )
        try book.apply(changes: first)
        #expect(try book.transaction(.number(50))?.payee == "Lidl" && book.replicaState().stagedUpTo == 9)
        try arrive(book, [], at: 20)
        #expect(try book.transaction(.number(50))?.payee == "Theirs" && book.replicaState().cursor == 20)
    }

    @Test func eachPageOfALargeDownloadIsShownAtOnce() throws {
        let book = try Book.scratch(folder)
        try book.attach(as: .number(900), .download)
        try book.adopt(Head(epoch: 1, seq: 6_000))
        let account = RowChange(
            seq: 1,
            kind: "account",
            id: .number(1),
            fields: ["name": "A", "type": "cash", "currency": "EUR", "opening": 0]
        )
        let rows = (0..<6_000).map { number in
            RowChange(
                seq: Int64(number) + 2,
                kind: "transaction",
                id: .number(10_000 - number),
                fields: [
                    "kind": "expense", "date": .integer(20_000 + Int64(number % 700)), "amount": 100,
                    "currency": "EUR",
                    "account": .text(EntityID.number(1).description), "accountAmount": 100, "payee": "P",
                    "note": "",
                    "tags": "",
                ]
            )
        }
        try load(book, [account] + rows.prefix(3_000), head: 6_000, hasMore: true, next: "a")
        #expect(try book.counts().transactions == 3_000)
        try book.record(.sample(20_000, account: 1, payee: "Mine"))
        try load(book, Array(rows[3_000..<5_000]), head: 6_000, hasMore: true, next: "b")
        #expect(try book.counts().transactions == 5_001)
        let shown = try #require(try book.replicaState().download)
        #expect(shown.done == 5_001 && !shown.isStaged)
        try load(book, Array(rows[5_000...]), head: 6_000)
        #expect(try book.counts().transactions == 6_001)
        #expect(try book.verifySums().isEmpty)
        #expect(try book.replicaState().download == nil && book.replicaState().pending == 1)
    }

    // MARK: - Beginning anew

    @Test func whatTheCloudHasForgottenWasDeleted() throws {
        let book = try attached()
        try book.record(.sample(60, payee: "Pending"))
        try book.resync(.cursorExpired)
        try load(
            book,
            [
                RowChange(
                    seq: 9,
                    kind: "account",
                    id: .number(1),
                    fields: try book.synced("account", .number(1))
                )
            ],
            head: 9
        )
        #expect(try book.transaction(.number(50)) == nil && book.account(.number(2)) == nil)
        #expect(try book.transaction(.number(60))?.payee == "Pending")
    }

    @Test func whatARestoredCloudHasLostItGetsAgain() throws {
        let book = try attached()
        let old = RowChange(
            seq: 2,
            kind: "account",
            id: .number(1),
            fields: ["name": "Older", "type": "bank", "currency": "EUR", "opening": 0]
        )
        try book.resync(.cursorAhead)
        try load(book, [old], head: 2)
        #expect(
            try book.transaction(.number(50)) != nil && book.account(.number(1))?.account.name == "Account 1"
        )
        let again = try sendAll(book, from: 30)
        #expect(
            Set(again.map { "\($0.action) \($0.kind)" }) == [
                "patch account", "create account", "create category", "create transaction",
            ]
        )
        #expect(again.first { $0.action == .patch }?.fields == ["name": "Account 1"])
    }

    @Test func whatOthersWroteToARestoredCloudSinceIsTakenOver() throws {
        let book = try attached()
        try book.apply(
            changes: ChangesPage(
                epoch: 1,
                head: 90,
                cursor: 90,
                hasMore: false,
                remaining: 0,
                lastN: 0,
                rows: []
            )
        )
        // The name is older than what was seen here, the opening newer.
        let row = RowChange(
            seq: 1_000,
            kind: "account",
            id: .number(1),
            fields: ["name": "Older", "type": "bank", "currency": "EUR", "opening": 77],
            versions: "{\"*\":2,\"opening\":1000}"
        )
        try book.resync(.cursorAhead)
        #expect(try book.replicaState().seen == 0, "what is lost there does not count")
        try load(book, [row], head: 1_000)
        let account = try book.account(.number(1))?.account
        #expect(account?.name == "Account 1" && account?.openingMinor == 77)
        let again = try sendAll(book, from: 1_030)
        #expect(again.first { $0.action == .patch }?.fields == ["name": "Account 1"])
    }

    @Test func aConfirmedChangeThatARestoredCloudHasLostItGetsAgain() throws {
        let book = try attached()
        var transaction = Transaction.sample(50, category: 11, payee: "Mine")
        transaction.note = "mine"
        try book.change(transaction)
        // Confirmed at 30; earlier changes of others are not received yet: the payee at 22.
        try sendAll(book, from: 30 - (try book.replicaState().lastN))
        #expect(try book.replicaState().pending == 0 && book.pendingChanges().isEmpty)
        var held = try row(book, 50, seq: 22)
        held.fields["payee"] = "Theirs"
        held.fields["note"] = ""
        held.versions = "{\"*\":4,\"payee\":22}"
        try book.renameReplica(to: .number(901))
        try book.resync(.cursorAhead)
        try load(book, [held], head: 1_000)
        let shown = try #require(try book.transaction(.number(50)))
        #expect(shown.payee == "Mine" && shown.note == "mine")
        let again = try #require(try sendAll(book, from: 1_030).first { $0.action == .patch })
        #expect(again.fields == ["payee": "Mine", "note": "mine"])
        try arrive(book, [], at: 1_050)
        let left = try book.reading { db in try db.number("SELECT count(*) FROM outbox") }
        #expect(left == 0)
    }

    @Test func theHeadOfAPageThatIsNotTheLastCountsAsSeen() throws {
        // A cloud that is restored between two pages has to notice it by this: the cursor is below what it lost.
        let book = try attached()
        let page = ChangesPage(
            epoch: 1,
            head: 1_000,
            cursor: 6,
            hasMore: true,
            remaining: 9,
            lastN: 4,
            rows: []
        )
        try book.apply(changes: page)
        #expect(try book.replicaState().seen == 1_000)
        #expect(try book.replicaState().stagedUpTo == 6)
    }

    @Test func whatOthersWroteAfterAConfirmedChangeWasLostIsTakenOver() throws {
        let book = try attached()
        try book.change(Transaction.sample(50, category: 11, payee: "Mine"))
        try sendAll(book, from: 30 - (try book.replicaState().lastN))
        var held = try row(book, 50, seq: 990)
        held.fields["payee"] = "Theirs"
        held.versions = "{\"*\":4,\"payee\":990}"
        try book.renameReplica(to: .number(901))
        try book.resync(.cursorAhead)
        try load(book, [held], head: 1_000)
        #expect(try book.transaction(.number(50))?.payee == "Theirs")
        #expect(try sendAll(book, from: 1_030).allSatisfy { $0.id != .number(50) })
        // It may be older than what was lost with the cloud: this device says so.
        let loss = try #require(try book.losses().first)
        #expect(loss.entity == .number(50) && loss.mine == ["payee": "Mine"])
    }

    @Test func takingBackARefusedChangeShowsWhatTheCloudHasByThen() throws {
        let book = try attached()
        try book.change(Transaction.sample(50, category: 11, payee: "Mine"))
        try book.change(Transaction.sample(50, category: 11, payee: "Mine again"))
        let patches = try book.nextBatch(operations: 10, bytes: 1 << 20)
        var held = try row(book, 50, seq: 22)
        held.fields["payee"] = "Theirs"
        try arrive(book, [held], at: 22)
        #expect(try book.transaction(.number(50))?.payee == "Mine again")
        try book.acknowledge(
            patches.map { OperationResult(n: $0.n, seq: 23, status: .rejected, code: .invalid) }
        )
        for pending in try book.pendingChanges().reversed() { try book.revert(change: pending.id) }
        #expect(try book.transaction(.number(50))?.payee == "Theirs")
    }

    @Test func takingBackARefusedDeletionShowsTheRowAsTheCloudHasItByThen() throws {
        let book = try attached()
        try book.deleteTransaction(.number(50))
        let deletion = try #require(try book.nextBatch(operations: 10, bytes: 1 << 20).first)
        var held = try row(book, 50, seq: 22)
        held.fields["payee"] = "Theirs"
        held.isDeleted = false
        try arrive(book, [held], at: 22)
        #expect(try book.transaction(.number(50)) == nil)
        try book.acknowledge([OperationResult(n: deletion.n, seq: 23, status: .rejected, code: .invalid)])
        try book.revert(change: try #require(try book.pendingChanges().first).id)
        #expect(try book.transaction(.number(50))?.payee == "Theirs")
        #expect(try book.verifySums().isEmpty)
    }

    @Test func deletionsThatARestoredCloudHasLostItGetsAgain() throws {
        let book = try attached()
        try book.record(.sample(51, payee: "Spar"))
        try sendAll(book, from: 10)
        let held = try row(book, 50, seq: 2)
        try book.deleteTransaction(.number(50))
        try book.deleteTransaction(.number(51))
        try sendAll(book, from: 20)
        // One of the two rows is live in the book, the other is unknown to it.
        try book.resync(.cursorAhead)
        try load(book, [held], head: 1_000)
        #expect(try book.transaction(.number(50)) == nil)
        let waiting = try #require(try book.pendingChanges().first { $0.entity == .number(50) })
        #expect(waiting.action == .delete && waiting.isSent, "it cannot be forgotten")
        let copy = try book.restoreTransaction(.number(50))
        #expect(copy != .number(50), "what was dead once stays dead")
        let again = try sendAll(book, from: 1_030)
        let deleted = again.filter { $0.action == .delete }
        #expect(Set(deleted.map(\.id)) == [.number(50), .number(51)])
        #expect(deleted.allSatisfy { ($0.base.integer(SyncCore.Operation.allFields) ?? .max) < 1_000 })
        #expect(again.contains { $0.action == .create && $0.id == copy })
    }

    @Test func whatARestoredCloudHoldsAndHasNotArrivedYetIsNotDeletedThere() throws {
        let book = try attached()
        try arrive(
            book,
            [try row(book, 50, seq: 9) { $0["account"] = .text(EntityID.number(70).description) }],
            at: 9
        )
        let account = RowChange(
            seq: 8,
            kind: "account",
            id: .number(70),
            fields: ["name": "New", "type": "cash", "currency": "EUR", "opening": 5]
        )
        try book.resync(.cursorAhead)
        try load(book, [account], head: 1_000)
        #expect(try book.account(.number(70))?.account.name == "New")
        #expect(try sendAll(book, from: 1_030).allSatisfy { $0.action != .delete })
    }

    @Test func theHighestSequenceThatWasToldIsKeptOverALeave() throws {
        let book = try attached()
        try book.record(.sample(60))
        try sendAll(book, from: 40)
        let seen = try book.replicaState().seen
        let cursor = try book.replicaState().cursor
        #expect(seen >= 40 && seen > cursor)
        try book.detach()
        try book.attach(as: .number(902), .upload)
        #expect(try book.replicaState().seen == seen)
    }

    @Test func deletedDataStopsTheBookUntilItsUserDecides() throws {
        let book = try attached()
        try book.stop()
        #expect(try book.replicaState().isStopped)
        try book.record(.sample(60))
        try book.rejoin(as: .number(901))
        #expect(try book.replicaState().replica == .number(901) && !book.replicaState().isStopped)
        #expect(try sendAll(book).count == 5, "all that is here")
        try book.deleteTransaction(.number(60))
        try sendAll(book, from: 10)
        try book.stop()
        try book.rejoin(as: .number(902))
        #expect(try sendAll(book).filter { $0.action == .delete }.map(\.id) == [.number(60)])
    }

    @Test func aBookThatIsLetGoKeepsCapturing() throws {
        let book = try attached()
        try book.detach()
        try book.record(.sample(60))
        try book.deleteTransaction(.number(50))
        try book.attach(as: .number(901), .upload)
        #expect(
            try sendAll(book).map(\.action) == [.create, .delete],
            "what was changed since, and nothing else"
        )
    }

    // MARK: - Conflicts

    @Test func aDecisionPutsTheOtherValueBack() throws {
        let book = try attached()
        let conflict = RowChange(
            seq: 9,
            kind: "conflict",
            id: .number(80),
            fields: [
                "kind": "transaction", "entity": .text(EntityID.number(50).description), "field": "amount",
                "kept": "1250", "lost": "2000", "keptBy": .text(EntityID.number(901).description),
                "keptName": "Other",
                "lostBy": .text(EntityID.number(900).description), "lostName": "This", "at": .integer(.min),
                "held": 0,
            ]
        )
        try arrive(book, [conflict], at: 9)
        let open = try #require(try book.openConflicts().first)
        #expect(open.kept == 1_250 && open.lost == 2_000 && open.lostBy.replica == .number(900))
        #expect(open.at == 0, "a moment that another device made up")
        try book.resolve(open.id, .lost)
        #expect(try book.transaction(.number(50))?.amount.minor == 2_000)
        #expect(try book.transaction(.number(50))?.accountMinor == 2_000, "the account goes along")
        #expect(try book.openConflicts().isEmpty)
        #expect(throws: BookError.unknownConflict(open.id)) { try book.resolve(open.id, .kept) }
        #expect(try book.pendingChanges().map(\.kind) == ["transaction", "conflict"])
    }
}
