// The receipts of two devices of a user, and on one of the version before.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct TheReceiptsOfTwoDevices {
    private let folder = Folder()
    private let cloud = SmallCloud()

    /// Two devices in step with a transaction.
    private func devices() throws -> (phone: Book, laptop: Book) {
        let phone = try Book.open(at: folder("phone.sqlite"), clock: { noon })
        let laptop = try Book.open(at: folder("laptop.sqlite"), clock: { noon })
        try cloud.attach(phone, as: id(901))
        try cloud.attach(laptop, as: id(902))
        try phone.add(Account(id: id(1), name: "Wallet", type: .cash, currency: .eur, openingMinor: 0))
        try phone.record(
            Transaction(
                id: id(31),
                kind: .expense,
                date: CivilDate(dayNumber: 20_400),
                amount: Money(minor: 1_250, currency: .eur),
                account: id(1),
                accountMinor: 1_250
            )
        )
        try exchange(phone, laptop)
        return (phone, laptop)
    }

    private func exchange(_ phone: Book, _ laptop: Book) throws {
        for _ in 0..<2 {
            try cloud.sync(phone, writer: 1)
            try cloud.sync(laptop, writer: 2)
        }
        #expect(try cloud.agrees(with: phone, as: id(901)) && cloud.agrees(with: laptop, as: id(902)))
    }

    private func receipt(_ number: UInt64, content: Character = "a") -> Receipt {
        Receipt(
            id: id(number),
            transaction: id(31),
            name: "receipt \(number).jpg",
            type: "image/jpeg",
            size: 100,
            sha256: String(repeating: content, count: 64),
            width: 3,
            created: noon
        )
    }

    private func add(_ receipts: [Receipt], to book: Book) throws {
        #expect(try book.add(receipts, to: .recorded(id(31)), quota: 10_000) { _ in }.new == receipts.count)
    }

    /// Its bytes travel apart: until then the other device says where they are.
    @Test func areShownOnBothWithTheFileOnOne() throws {
        let (phone, laptop) = try devices()
        try add([receipt(61)], to: phone)
        try exchange(phone, laptop)
        #expect(try phone.receipts(of: id(31)).map(\.file?.status) == [.localOnly])
        let shown = try #require(try laptop.receipts(of: id(31)).first)
        #expect(shown.receipt == receipt(61) && shown.file == nil)
        #expect(try laptop.receiptFilesOnlyHere(limit: 10).isEmpty && laptop.receiptSpace().bytes == 0)
        // The same photo, taken from a message on the other device.
        try add([receipt(62, content: "b")], to: laptop)
        try exchange(phone, laptop)
        #expect(try phone.receipts(of: id(31)).count == 2)
    }

    @Test func areDeletedAndBroughtBackOnBoth() throws {
        let (phone, laptop) = try devices()
        try add([receipt(61)], to: phone)
        try exchange(phone, laptop)
        let change = try #require(try laptop.deleteReceipt(id(61)))
        try exchange(phone, laptop)
        #expect(try phone.receipts(of: id(31)).isEmpty)
        // The file of the phone stays: the history there can bring the receipt back.
        let hash = receipt(61).sha256
        #expect(try phone.collectReceiptFiles(present: { [hash] }, remove: { _ in }).isEmpty)
        _ = try laptop.undo(change, overriding: false)
        try exchange(phone, laptop)
        let back = try phone.receipts(of: id(31))
        #expect(back.map(\.receipt.sha256) == [hash] && back.first?.file != nil)
        #expect(try phone.collectReceiptFiles(present: { [hash] }, remove: { _ in }).isEmpty)
    }

    @Test func followATransactionThatWasRestoredOnTheOther() throws {
        let (phone, laptop) = try devices()
        try add([receipt(61)], to: phone)
        try exchange(phone, laptop)
        try laptop.deleteTransaction(id(31))
        try exchange(phone, laptop)
        #expect(try phone.receipts(ReceiptQuery()).entries.isEmpty)
        let living = try laptop.restoreTransaction(id(31))
        try exchange(phone, laptop)
        #expect(living != id(31))
        for book in [phone, laptop] { #expect(try book.receipts(of: living).map(\.receipt.id) == [id(61)]) }
        #expect(try phone.losses().isEmpty && laptop.losses().isEmpty)
    }

    /// Another device has added it before the deletion reached it, and it arrives after the restoring.
    @Test func followACopyThatWasMadeBeforeTheyArrived() throws {
        let (phone, laptop) = try devices()
        try laptop.deleteTransaction(id(31))
        try cloud.sync(laptop, writer: 2)
        let living = try laptop.restoreTransaction(id(31))
        try add([receipt(61)], to: phone)
        try exchange(phone, laptop)
        #expect(try laptop.receipts(of: living).isEmpty)
        let listed = try laptop.history(limit: 50).count
        #expect(try laptop.moveStrayReceipts() == 1 && laptop.moveStrayReceipts() == 0)
        // It is no change of the user.
        #expect(try laptop.history(limit: 50).count == listed)
        try exchange(phone, laptop)
        for book in [phone, laptop] { #expect(try book.receipts(of: living).map(\.receipt.id) == [id(61)]) }
        // The other one has nothing left to do, or does the same.
        #expect(try phone.moveStrayReceipts() == 0)
        #expect(try phone.losses().isEmpty && laptop.losses().isEmpty)
    }

    /// Each device makes room in its own files; the deletion itself is of both.
    @Test func thatAreGivenUpAreDeletedOnBoth() throws {
        let (phone, laptop) = try devices()
        try add([receipt(61)], to: phone)
        try exchange(phone, laptop)
        try laptop.deleteTransaction(id(31))
        try laptop.giveUpDeletedReceipts()
        try exchange(phone, laptop)
        let living = try laptop.restoreTransaction(id(31))
        try exchange(phone, laptop)
        for book in [phone, laptop] { #expect(try book.receipts(of: living).isEmpty) }
        let hash = receipt(61).sha256
        #expect(try phone.collectReceiptFiles(present: { [hash] }, remove: { _ in }).isEmpty)
        try phone.giveUpDeletedReceipts()
        #expect(try phone.collectReceiptFiles(present: { [hash] }, remove: { _ in }) == [hash])
        #expect(try phone.receiptSpace().bytes == 0)
    }
}
