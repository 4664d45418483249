// Values that another device overwrote or deleted unseen: listed until the user decides, and restored by one call.
import Ledger
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct Losses {
    private let folder = Scratch()

    /// A book whose rows the cloud has: an account, a category, and a transaction at Lidl.
    private func attached() throws -> Book {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Ledger.Category.sample(11))
        try book.record(.sample(50, category: 11, payee: "Lidl"))
        try book.attach(as: .number(900), .upload)
        try book.adopt(Head(epoch: 1, seq: 0))
        while case let batch = try book.nextBatch(operations: 500, bytes: 1 << 20), !batch.isEmpty {
            try book.acknowledge(batch.map { OperationResult(n: $0.n, seq: $0.n, status: .applied) })
        }
        try load(book, [], head: 4)
        try arrive(book, [])
        return book
    }

    private func arrive(_ book: Book, _ rows: [RowChange]) throws {
        try book.apply(changes: .last(rows, head: max(9, try book.replicaState().cursor + 1)))
    }

    private func change(_ book: Book, _ change: (inout Transaction) -> Void) throws {
        var transaction = try #require(try book.transaction(.number(50)))
        change(&transaction)
        try book.change(transaction)
    }

    /// The transaction as a phone has left it, which had not seen its payee.
    private func overwritten(_ book: Book, payee: String) throws -> RowChange {
        var fields = try book.synced("transaction", .number(50))
        fields["payee"] = .text(payee)
        fields["note"] = "seen"
        var row = RowChange(seq: 9, kind: "transaction", id: .number(50), fields: fields)
        row.writers = RowChange.Writers(at: noon, last: "Phone", unseen: ["payee"])
        return row
    }

    @Test func aValueThatWasWrittenOverUnseenIsToldAndPutBack() throws {
        let book = try attached()
        try arrive(book, [try overwritten(book, payee: "Aldi")])
        let loss = try #require(try book.losses().first)
        #expect(try book.losses().count == 1 && book.lossCount() == 1)
        #expect(loss.mine == ["payee": "Lidl"] && loss.present == ["payee": "Aldi"])
        #expect(loss.device == "Phone" && loss.entity == .number(50) && loss.at == noon)
        try book.putBack(loss: loss.id)
        #expect(try book.transaction(.number(50))?.payee == "Lidl")
        #expect(try book.transaction(.number(50))?.note == "seen")
        #expect(try book.losses().isEmpty && book.lossCount() == 0)
        #expect(try book.pendingChanges().map(\.fields) == [["payee": "Lidl"]])
        #expect(throws: BookError.unknownChange) { try book.putBack(loss: loss.id) }
    }

    @Test func whatWasSeenOrOvertakenIsNotToldAgain() throws {
        let book = try attached()
        try arrive(book, [try overwritten(book, payee: "Aldi")])
        try book.accept(loss: try #require(try book.losses().first?.id))
        #expect(try book.losses().isEmpty && book.transaction(.number(50))?.payee == "Aldi")
        try arrive(book, [try overwritten(book, payee: "Rewe")])
        #expect(try book.losses().isEmpty, "that value was not entered here")
        try change(book) { $0.payee = "Edeka" }
        try arrive(book, [try overwritten(book, payee: "Spar")])
        #expect(try book.losses().isEmpty, "a change of its own is on top of it")
    }

    /// A transaction at Aldi that the phone has added.
    private func added(by device: String, _ book: Book) throws -> RowChange {
        var fields = try book.synced("transaction", .number(50))
        fields["payee"] = "Aldi"
        var row = RowChange(seq: 9, kind: "transaction", id: .number(60), fields: fields)
        row.writers = RowChange.Writers(at: noon, last: device)
        return row
    }

    /// All rows of a cloud, which takes the place of what was seen of it.
    private func load(_ book: Book, _ rows: [RowChange], head: Int64) throws {
        try book.apply(snapshot: .last(rows, head: head))
    }

    @Test func aRowOfAnotherDeviceThatWasSentToARestoredCloudIsNoLoss() throws {
        let book = try attached()
        try arrive(book, [try added(by: "Phone", book)])
        // The cloud continues from the state before the row: this device is the first one to send it again.
        try book.renameReplica(to: .number(901))
        try book.resync(.cursorAhead)
        let (restored, here, phone): (Int64, Int64, Int64) = (1_000_000, 2, 3)
        try load(book, [], head: restored)
        let again = try book.nextBatch(operations: 500, bytes: 1 << 20)
        let created = try #require(again.first { $0.id == .number(60) })
        try book.acknowledge(again.map { OperationResult(n: $0.n, seq: restored + $0.n, status: .applied) })
        let sent = Merge.apply(
            created,
            to: nil,
            isDead: false,
            seq: restored + 1,
            writer: here,
            holds: true
        )
        // The phone continues with its own change, made before it learned of the other.
        var edit = created
        edit.action = .patch
        edit.fields = ["payee": "Rewe"]
        edit.base = ["payee": 9]
        let row = try #require(
            Merge.apply(edit, to: sent.row, isDead: false, seq: restored + 90, writer: phone, holds: true).row
        )
        #expect(row.versions["payee"]?.unseen == here, "for the cloud it is this device's value")
        var change = RowChange(seq: row.seq, kind: "transaction", id: .number(60), fields: row.fields)
        change.writers = RowChange.Writers(at: noon, last: "Phone", unseen: ["payee"])
        try arrive(book, [change])
        #expect(try book.transaction(.number(60))?.payee == "Rewe")
        #expect(try book.losses().isEmpty, "it was not entered here")
        // A value that was entered here stays a loss, under every replica id.
        try arrive(book, [try overwritten(book, payee: "Spar")])
        #expect(try book.losses().map(\.mine) == [["payee": "Lidl"]])
    }

    @Test func aValueThatADownloadBroughtIsNoLoss() throws {
        let book = try attached()
        try change(book) { $0.payee = "Edeka" }
        let sent = try book.nextBatch(operations: 500, bytes: 1 << 20)
        try book.acknowledge(sent.map { OperationResult(n: $0.n, seq: 8, status: .applied) })
        var rows: [RowChange] = []
        for (kind, number) in [("account", 1), ("category", 11), ("transaction", 50)] {
            var fields = try book.synced(kind, .number(number))
            if kind == "transaction" { fields["payee"] = "Aldi" }
            rows.append(RowChange(seq: 20, kind: kind, id: .number(number), fields: fields))
        }
        try book.resync(.cursorExpired)
        try load(book, rows, head: 20)
        #expect(try book.transaction(.number(50))?.payee == "Aldi")
        // The mark of the loss of Edeka survives a later write of a device that has seen Aldi.
        try arrive(book, [try overwritten(book, payee: "Rewe")])
        #expect(try book.transaction(.number(50))?.payee == "Rewe")
        #expect(try book.losses().isEmpty, "Aldi was not entered here")
    }

    @Test func whatStandsByNowIsShownWhoeverWroteIt() throws {
        let book = try attached()
        try arrive(book, [try overwritten(book, payee: "Aldi")])
        try arrive(book, [try overwritten(book, payee: "Rewe")])
        let loss = try #require(try book.losses().first)
        #expect(try book.losses().count == 1)
        #expect(loss.mine == ["payee": "Lidl"] && loss.present == ["payee": "Rewe"])
        try arrive(book, [try overwritten(book, payee: "Lidl")])
        #expect(try book.losses().isEmpty, "it stands again")
        try arrive(book, [try overwritten(book, payee: "Aldi")])
        #expect(try book.losses().count == 1)
        try change(book) { $0.payee = "Spar" }
        #expect(try book.losses().isEmpty, "decided here")
    }

    @Test func anOverwrittenValueOfWhatIsDeletedAfterwardsIsNotListed() throws {
        let book = try attached()
        try arrive(book, [try overwritten(book, payee: "Aldi")])
        try book.deleteTransaction(.number(50))
        #expect(try book.losses().isEmpty && book.lossCount() == 0)
    }

    @Test func aRowThatWasBroughtBackElsewhereWithoutTheChangeIsTold() throws {
        let book = try attached()
        try deletedMeanwhile(book, comesFirst: true)
        let id = EntityID.number(50)
        var fields = try book.synced("transaction", id)
        fields["note"] = ""
        fields["amount"] = 1_250
        fields["accountAmount"] = 1_250
        var copy = RowChange(seq: 10, kind: "transaction", id: id.copy, fields: fields)
        copy.writers = RowChange.Writers(at: noon, last: "Phone")
        try arrive(book, [copy])
        let loss = try #require(try book.losses().first)
        #expect(loss.entity == id.copy && loss.mine["note"] == "for Sunday")
        #expect(loss.present?["note"] == "" && loss.present?["amount"] == 1_250)
        try book.putBack(loss: loss.id)
        #expect(try book.transaction(id.copy)?.note == "for Sunday")
        #expect(try book.losses().isEmpty)
    }

    @Test func whatWasChangedToAndFroIsNoLoss() throws {
        let book = try attached()
        let before = try #require(try book.transaction(.number(50))).note
        try change(book) { $0.note = "for Sunday" }
        let first = try book.nextBatch(operations: 500, bytes: 1 << 20)
        try change(book) { $0.note = before }
        let both = try book.nextBatch(operations: 500, bytes: 1 << 20)
        let sent =
            both.count > first.count ? both : first + (try book.nextBatch(operations: 500, bytes: 1 << 20))
        var row = RowChange(seq: 9, kind: "transaction", id: .number(50), isDeleted: true, fields: [:])
        row.writers = RowChange.Writers(at: noon, last: "Phone")
        try arrive(book, [row])
        func dead(_ operation: SyncCore.Operation) -> OperationResult {
            OperationResult(n: operation.n, seq: 9, status: .superseded, code: .dead)
        }
        try book.acknowledge(sent.map(dead))
        try book.acknowledge(try book.nextBatch(operations: 500, bytes: 1 << 20).map(dead))
        #expect(try book.losses().isEmpty)
    }

    /// The phone deletes the transaction while its amount, then its note, are changed here.
    private func deletedMeanwhile(_ book: Book, comesFirst: Bool) throws {
        try change(book) { $0.note = "for Sunday" }
        try change(book) {
            $0.amount.minor = 1_300
            $0.accountMinor = 1_300
        }
        var row = RowChange(seq: 9, kind: "transaction", id: .number(50), isDeleted: true, fields: [:])
        row.writers = RowChange.Writers(at: noon, last: "Phone")
        if comesFirst { try arrive(book, [row]) }
        let sent = try book.nextBatch(operations: 500, bytes: 1 << 20)
        #expect(sent.count == 2)
        try book.acknowledge(sent.map { OperationResult(n: $0.n, seq: 9, status: .superseded, code: .dead) })
        if !comesFirst { try arrive(book, [row]) }
    }

    @Test(arguments: [true, false]) func anEditThatLostAgainstADeletionIsToldOnce(comesFirst: Bool) throws {
        let book = try attached()
        try deletedMeanwhile(book, comesFirst: comesFirst)
        #expect(try book.transaction(.number(50)) == nil)
        let loss = try #require(try book.losses().first)
        #expect(try book.losses().count == 1)
        #expect(loss.mine == ["note": "for Sunday", "amount": 1_300, "accountAmount": 1_300])
        #expect(loss.present == nil && loss.device == "Phone")
        try book.putBack(loss: loss.id)
        let copy = try #require(try book.transaction(EntityID.number(50).copy))
        #expect(copy.note == "for Sunday" && copy.amount.minor == 1_300 && copy.payee == "Lidl")
        #expect(try book.losses().isEmpty)
        #expect(try book.pendingChanges().map(\.action).first == .create)
    }

    @Test func aChangeThatTheCloudHadBeforeADeletionThatHadNotSeenItIsTold() throws {
        let book = try attached()
        var row = RowChange(seq: 9, kind: "transaction", id: .number(50), isDeleted: true, fields: [:])
        row.writers = RowChange.Writers(at: noon, last: "Phone", unseen: ["note", "payee"])
        try arrive(book, [row])
        let loss = try #require(try book.losses().first)
        #expect(loss.present == nil && loss.device == "Phone" && loss.mine["payee"] == "Lidl")
        #expect(loss.mine["amount"] == nil)
        try book.accept(loss: loss.id)
        try arrive(book, [row])
        #expect(try book.losses().isEmpty, "told once")
    }

    @Test func whatWasDeletedHereAsWellIsNoNews() throws {
        let book = try attached()
        try change(book) { $0.note = "for Sunday" }
        try book.deleteTransaction(.number(50))
        let sent = try book.nextBatch(operations: 500, bytes: 1 << 20)
        try book.acknowledge(
            sent.map {
                let isEdit = $0.action == .patch
                return OperationResult(
                    n: $0.n,
                    seq: 9,
                    status: isEdit ? .superseded : .applied,
                    code: isEdit ? .dead : nil
                )
            }
        )
        #expect(try book.losses().isEmpty)
    }

    @Test func noMoreIsKeptThanAnybodyReads() throws {
        let book = try attached()
        for number in 1_000..<1_230 {
            try book.record(.sample(number, payee: "Lidl"))
            var fields = try book.synced("transaction", .number(number))
            fields["payee"] = .text("Shop \(number)")
            var row = RowChange(seq: 9, kind: "transaction", id: .number(number), fields: fields)
            row.writers = RowChange.Writers(at: noon, last: "Phone", unseen: ["payee"])
            let sent = try book.nextBatch(operations: 500, bytes: 1 << 20)
            try book.acknowledge(sent.map { OperationResult(n: $0.n, seq: 8, status: .applied) })
            try arrive(book, [row])
        }
        let losses = try book.losses()
        #expect(losses.count == 200 && losses.first?.present == ["payee": "Shop 1229"])
    }
}
