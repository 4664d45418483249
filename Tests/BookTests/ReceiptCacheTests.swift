// Files that a device fetches from the cloud, and those of which the cloud is asked again.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct TheFetchedFilesOfABook {
    private let folder = Scratch()
    private let clock = FixedClock(at: noon)

    /// A book with three receipts of a transaction, whose files are on another device.
    private func book() throws -> Book {
        let clock = clock
        let book = try Book.open(at: folder("book.sqlite"), clock: { clock.now })
        try book.add(Account.sample(1))
        try book.record(.sample(1, payee: "Shop"))
        let receipts = (1...3).map { Receipt.sample($0) }
        _ = try book.add(receipts, to: .recorded(.number(1)), quota: 1_000) { _ in }
        try book.store.inDatabase { try $0.execute(sql: "DELETE FROM receipt_files") }
        return book
    }

    /// The hashes of the files that stand in for those of the folder.
    private final class Files {
        var names: Set<String> = []
    }

    private func fetch(_ number: Int, into book: Book, _ files: Files, limit: Int64 = 1_000) throws -> Bool {
        try book.cacheReceiptFile(Receipt.sampleHash(number), size: 100, limit: limit) {
            files.names.insert(Receipt.sampleHash(number))
        } removing: {
            files.names.remove($0)
        }
    }

    @Test func areStoredAndMakeRoomInTheOrderOfTheirUse() throws {
        let (book, files) = (try book(), Files())
        #expect(try fetch(1, into: book, files) && fetch(2, into: book, files))
        let file = try #require(try book.receipt(.number(901))?.file)
        #expect(file.isCached && file.status == .uploaded && file.size == 100)
        #expect(
            try book.unsentReceiptFiles() == UnsentReceiptFiles()
                && book.receiptFilesOnlyHere(limit: 9).isEmpty
        )
        clock.advance(by: 100_000)
        try book.noteUse(ofReceiptFile: Receipt.sampleHash(1))
        #expect(try fetch(3, into: book, files, limit: 250))
        #expect(files.names == [Receipt.sampleHash(1), Receipt.sampleHash(3)])
        #expect(try book.receipt(.number(902))?.file == nil)
        #expect(try fetch(2, into: book, files, limit: 10), "a file that exceeds the limit alone stays")
        #expect(files.names == [Receipt.sampleHash(2)])
    }

    @Test func areNotStoredWithoutAReceiptAndNotWithoutTheirBytes() throws {
        let (book, files) = (try book(), Files())
        #expect(throws: BookError.diskFull) {
            try book.cacheReceiptFile(Receipt.sampleHash(1), size: 100, limit: 1_000) {
                throw BookError.diskFull
            } removing: { _ in
            }
        }
        #expect(try book.receipt(.number(901))?.file == nil)
        #expect(try !fetch(7, into: book, files) && files.names.isEmpty)
    }

    @Test func filesOfThisDeviceNeverMakeRoom() throws {
        let (book, files) = (try book(), Files())
        #expect(try fetch(1, into: book, files))
        let own = Receipt.sample(9)
        _ = try book.add([own], to: .recorded(.number(1)), quota: 1_000) { files.names.insert($0.sha256) }
        #expect(try fetch(2, into: book, files, limit: 0))
        #expect(files.names == [Receipt.sampleHash(2), Receipt.sampleHash(9)])
        #expect(try book.receiptSpace().bytes == 100, "they do not count in the quota either")
    }

    /// The device that had the file may be gone, and the cloud may have lost it with its data.
    @Test func areSentToACloudThatMayHaveNoneOfThem() throws {
        let (book, files) = (try book(), Files())
        #expect(try fetch(1, into: book, files))
        #expect(try book.unsentReceiptFiles().waiting == 0)
        try book.attach(as: .number(700), .upload)
        #expect(try book.receiptFilesOnlyHere(limit: 9).map(\.sha256) == [Receipt.sampleHash(1)])
        #expect(try book.unsentReceiptFiles().waiting == 1)
        #expect(try fetch(2, into: book, files, limit: 10))
        #expect(
            files.names == [Receipt.sampleHash(1), Receipt.sampleHash(2)],
            "it makes no room before it was sent"
        )
        try book.setReceiptFile(Receipt.sampleHash(1), .uploaded)
        #expect(try fetch(3, into: book, files, limit: 10))
        #expect(files.names == [Receipt.sampleHash(3)])
    }

    @Test func theCloudIsAskedAgainForTheFileOfAReceiptThatComesBack() throws {
        let (book, files) = (try book(), Files())
        #expect(try fetch(1, into: book, files))
        let change = try #require(try book.deleteReceipt(.number(901)))
        #expect(try book.receipt(.number(901)) == nil)
        _ = try book.undo(change, overriding: false)
        let file = try #require(try book.receipt(.number(901))?.file)
        #expect(file.status == .localOnly && !file.isCached)
        #expect(try book.receiptFilesOnlyHere(limit: 9).map(\.sha256) == [Receipt.sampleHash(1)])
        try book.setReceiptFile(Receipt.sampleHash(1), .uploaded)
        try book.deleteTransaction(.number(1))
        _ = try book.restoreTransaction(.number(1))
        #expect(try book.receiptFilesOnlyHere(limit: 9).map(\.sha256) == [Receipt.sampleHash(1)])
    }

    @Test func thatTheCloudLacksAreSentAgainAndMakeNoRoomBefore() throws {
        let (book, files) = (try book(), Files())
        #expect(try !book.hasUploadedReceiptFiles())
        #expect(try fetch(1, into: book, files) && fetch(2, into: book, files))
        #expect(try book.hasUploadedReceiptFiles())
        // The third one is not on this device.
        #expect(try book.doubtUploads(of: [Receipt.sampleHash(3)]) == 0 && book.doubtUploads(of: []) == 0)
        #expect(try book.doubtUploads(of: [Receipt.sampleHash(1), Receipt.sampleHash(3)]) == 1)
        #expect(try book.receiptFilesOnlyHere(limit: 9).map(\.sha256) == [Receipt.sampleHash(1)])
        #expect(try book.unsentReceiptFiles() == UnsentReceiptFiles(waiting: 1))
        #expect(try fetch(3, into: book, files, limit: 100))
        #expect(
            files.names == [Receipt.sampleHash(1), Receipt.sampleHash(3)],
            "only the second one made room"
        )
        try book.setReceiptFile(Receipt.sampleHash(1), .failed, failure: "refused")
        #expect(
            try book.doubtUploads(of: [Receipt.sampleHash(1)]) == 0,
            "it was refused, and waits for its user"
        )
    }
}
