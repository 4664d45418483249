// Files that are added to a transaction before it is recorded.
import GRDB
import Ledger
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct FilesOfATransactionThatIsBeingEntered {
    private let folder = Scratch()
    private let clock = FixedClock(at: noon)
    private let book: Book

    init() throws {
        let clock = clock
        book = try Book.open(at: folder("book.sqlite"), clock: { clock.now })
        try book.add(Account.sample(1))
    }

    private func file(_ number: Int, size: Int64 = 100) -> Receipt {
        .sample(number, of: nil, size: size, created: clock.now)
    }

    @discardableResult
    private func draft(_ files: [Receipt], of transaction: Int, quota: Int64 = 1_000) throws
        -> AddedReceipts
    {
        try book.add(files, to: .entered(.number(transaction)), quota: quota) { _ in }
    }

    private func collect(_ present: [Receipt]) throws -> [String] {
        try book.collectReceiptFiles(present: { present.map(\.sha256) }, remove: { _ in }).sorted()
    }

    @Test func becomeItsReceiptsWhenItIsRecorded() throws {
        try draft([file(1), file(2), file(1)], of: 50)
        #expect(try book.draftReceipts(of: .number(50)).map(\.name) == ["receipt 1.jpg", "receipt 2.jpg"])
        // Nothing of them is seen or sent before.
        #expect(try book.receipt(.number(901)) == nil && book.unsentReceiptFiles().waiting == 0)
        #expect(try book.receipts(ReceiptQuery()).entries.isEmpty)
        #expect(try collect([file(1), file(2)]).isEmpty)

        try book.record(.sample(50))
        #expect(try book.receipts(of: .number(50)).map(\.receipt.name) == ["receipt 1.jpg", "receipt 2.jpg"])
        #expect(try book.draftReceipts(of: .number(50)).isEmpty && book.unsentReceiptFiles().waiting == 2)
        #expect(try collect([file(1), file(2)]).isEmpty)
        // The form was sent twice, with one more file.
        try draft([file(1), file(3)], of: 50)
        #expect(try book.record(.sample(50)) == .already)
        #expect(try book.receipts(of: .number(50)).count == 3 && book.receiptSpace().live.count == 3)
    }

    /// The undo of a recorded transaction deletes it, and its restoration brings its files back.
    @Test func areOneChangeWithTheTransaction() throws {
        let before = try book.history(before: nil, limit: 50).count
        try draft([file(1)], of: 50)
        #expect(try book.history(before: nil, limit: 50).count == before)
        try book.record(.sample(50))
        #expect(try book.history(before: nil, limit: 50).count == before + 1)
        try book.deleteTransaction(.number(50))
        #expect(try collect([file(1)]).isEmpty)
        try book.restoreTransaction(.number(50))
        #expect(try book.receipts(of: .number(50)).count == 1)
    }

    @Test func areDroppedWithTheRecordThatFails() throws {
        try draft([file(1)], of: 50)
        #expect(throws: BookError.unknownAccount(.number(77))) {
            try book.record(.sample(50, account: 77))
        }
        #expect(try book.receipt(.number(901)) == nil && book.draftReceipts(of: .number(50)).count == 1)
    }

    @Test func countTowardTheQuotaAndTheGreatestNumber() throws {
        #expect(try draft([file(1, size: 600)], of: 50).new == 1)
        #expect(
            try book.receiptSpace()
                == ReceiptSpace(live: .init(count: 1, bytes: 600), deleted: .init(count: 0, bytes: 0))
        )
        let added = try draft([file(2, size: 500), file(3, size: 400)], of: 51)
        #expect(added.new == 1 && added.withoutRoom == [.number(902)])
        #expect(try book.receiptSpace().live.bytes == 1_000)
        // The same content takes no further room.
        var same = file(1, size: 600)
        same.id = .number(949)
        #expect(try draft([same], of: 51).new == 1)
        try book.record(.sample(50))
        #expect(try book.receiptSpace().bytes == 1_000)
        let many = (11...21).map { file($0, size: 1) }
        let ten = try draft(many, of: 52, quota: 1_100)
        #expect(ten.new == 10 && ten.tooMany == [.number(921)])
        #expect(try book.draftReceipts(of: .number(52)).count == 10)
    }

    @Test func canBeRemovedAndMoved() throws {
        try draft([file(1), file(2)], of: 50)
        #expect(try book.draftReceipt(.number(901))?.transaction == .number(50))
        #expect(try book.deleteDraftReceipt(.number(901)) && !book.deleteDraftReceipt(.number(901)))
        #expect(try collect([file(1), file(2)]) == [file(1).sha256])
        try book.moveDraftReceipts(from: .number(50), to: .number(51))
        try book.record(.sample(51))
        #expect(try book.receipts(of: .number(51)).map(\.receipt.id) == [.number(902)])
    }

    /// A form may stay open for days, and a transaction that is never saved does not keep its files for ever.
    @Test func areForgottenAfterAMonth() throws {
        try draft([file(1)], of: 50)
        clock.advance(by: 29 * 86_400)
        #expect(try collect([file(1)]).isEmpty)
        #expect(try book.unsavedReceipts().map(\.transaction) == [.number(50)])
        clock.advance(by: 2 * 86_400)
        #expect(try book.unsavedReceipts().isEmpty)
        #expect(try collect([file(1)]) == [file(1).sha256])
        #expect(try book.draftReceipts(of: .number(50)).isEmpty && book.receiptSpace().bytes == 0)
    }

    @Test func areListedByTransactionTheLatestFirst() throws {
        #expect(try book.unsavedReceipts().isEmpty)
        try draft([file(1)], of: 50)
        clock.advance(by: 5)
        try draft([file(2), file(3)], of: 51)
        let unsaved = try book.unsavedReceipts()
        #expect(unsaved.map(\.transaction) == [.number(51), .number(50)])
        #expect(
            unsaved.map { $0.receipts.map(\.name) } == [
                ["receipt 2.jpg", "receipt 3.jpg"], ["receipt 1.jpg"],
            ]
        )
        try book.record(.sample(51))
        #expect(try book.unsavedReceipts().map(\.transaction) == [.number(50)])
        try book.deleteDraftReceipts(of: .number(50))
        #expect(try book.unsavedReceipts().isEmpty)
        #expect(try collect([file(1), file(2), file(3)]) == [file(1).sha256])
    }

    @Test func theDoctorKnowsTheirFiles() throws {
        try draft([file(1)], of: 50)
        let faults = try Book.receiptFaults(
            at: folder("book.sqlite"),
            present: [file(1).sha256],
            isInUse: true,
            now: noon
        )
        #expect(faults.missing.isEmpty && faults.unneeded.isEmpty)
        #expect(faults.stored == [file(1).sha256: "receipt 1.jpg"])
        let path = folder("book.sqlite")
        #expect(
            try Book.receiptFaults(at: path, present: [], isInUse: true, now: noon).missing == [
                "receipt 1.jpg"
            ]
        )
    }
}
