// Receipts in a book: rows, history, the files that they need, and the room that these take.
import GRDB
import Ledger
import Storage
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Book

@Suite struct TheReceiptsOfABook {
    private let folder = Scratch()
    private let clock = FixedClock(at: noon)

    private func book() throws -> Book {
        let clock = clock
        let book = try Book.open(at: folder("book.sqlite"), clock: { clock.now })
        try book.add(Account.sample(1))
        for number in 1...3 { try book.record(.sample(number, payee: "Shop \(number)")) }
        return book
    }

    /// The hashes of the files that stand in for those of the folder.
    private final class Files {
        var names: Set<String> = []
    }

    @discardableResult
    private func add(
        _ receipts: [Receipt],
        to transaction: Int = 1,
        of book: Book,
        _ files: Files = Files(),
        quota: Int64 = 1_000
    ) throws -> AddedReceipts {
        try book.add(receipts, to: .recorded(.number(transaction)), quota: quota) {
            files.names.insert($0.sha256)
        }
    }

    private func collect(_ book: Book, _ files: Files) throws -> [String] {
        try book.collectReceiptFiles(present: { files.names.sorted() }, remove: { files.names.remove($0) })
    }

    @Test func areRecordedUndoneAndDone() throws {
        let book = try book()
        let files = Files()
        #expect(try add([Receipt.sample(1), Receipt.sample(2)], of: book, files).new == 2)
        #expect(files.names.count == 2)
        #expect(try book.receipts(of: .number(1)).map(\.receipt) == [Receipt.sample(1), Receipt.sample(2)])
        #expect(try book.receipts(of: .number(1)).first?.file?.status == .localOnly)
        #expect(try book.transactions(TransactionQuery()).page.withReceipts == [.number(1)])
        let change = try #require(try book.deleteReceipt(.number(901)))
        #expect(try book.deleteReceipt(.number(901)) == nil)
        #expect(try book.receipts(of: .number(1)).map(\.receipt.id) == [.number(902)])
        #expect(try book.receipt(.number(901)) == nil)
        _ = try book.undo(change, overriding: false)
        #expect(try book.receipts(of: .number(1)).count == 2)
        #expect(throws: BookError.unknownReceipt(.number(999))) { try book.deleteReceipt(.number(999)) }
    }

    /// A page whose transactions are far apart has many receipts in between.
    @Test func areMarkedInListsHoweverManyThereAre() throws {
        let book = try book()
        try book.record(all: (10..<60).map { Transaction.sample($0, .expense, "2025-10-01") })
        for number in 10..<60 {
            let receipts = (0..<9).map {
                Receipt.sample(number * 10 + $0, of: number, content: number * 10 + $0)
            }
            try add(receipts, to: number, of: book, quota: .max)
        }
        try book.record(.sample(90, payee: "Shop 90"))
        try add([Receipt.sample(9_000, of: 2)], to: 2, of: book, quota: .max)
        var query = TransactionQuery()
        query.text = "shop"
        let page = try book.transactions(query).page
        #expect(page.rows.count == 4 && page.withReceipts == [.number(2)])
    }

    @Test func needALiveTransactionWithRoom() throws {
        let book = try book()
        #expect(throws: BookError.unknownTransaction(.number(99))) {
            try add([Receipt.sample(1)], to: 99, of: book)
        }
        try book.deleteTransaction(.number(2))
        #expect(throws: BookError.unknownTransaction(.number(2))) {
            try add([Receipt.sample(1, of: 2)], to: 2, of: book)
        }
        let twelve = try add((1...12).map { Receipt.sample($0) }, of: book, quota: 10_000)
        #expect(twelve.new == 10 && twelve.tooMany == [.number(911), .number(912)])
        #expect(try add([Receipt.sample(11)], of: book, quota: 10_000).tooMany == [.number(911)])
        // The same photo again is no further receipt.
        let known = try add([Receipt.sample(11), Receipt.sample(12, content: 3)], of: book, quota: 10_000)
        #expect(known.new == 0 && known.known == 1 && known.tooMany == [.number(911)])
        var long = Receipt.sample(13)
        long.name = String(repeating: "x", count: 201)
        #expect(throws: BookError.invalid(.name)) { try add([long], to: 3, of: book) }
    }

    /// One that is too large for the room that is left takes no place, neither in the number nor in the quota.
    @Test func thatFitAreAddedInTheirOrderAndTheOthersNamed() throws {
        let (book, files) = (try book(), Files())
        let sizes: [Int64] = [300, 300, 600, 100, 500, 300, 1]
        var form = sizes.enumerated().map { Receipt.sample($0 + 1, size: $1) }
        form.insert(Receipt.sample(20, content: 1, size: 300), at: 4)
        let added = try add(form, of: book, files)
        #expect(added.new == 4 && added.known == 1 && added.tooMany.isEmpty)
        #expect(added.withoutRoom == [.number(903), .number(905), .number(907)])
        let present = try book.receipts(of: .number(1)).map(\.receipt.id)
        #expect(present == [.number(901), .number(902), .number(904), .number(906)])
        #expect(try files.names.count == 4 && book.receiptSpace().bytes == 1_000)
        let ten = try add(
            (11...22).map { Receipt.sample($0, of: 2, size: $0 == 11 ? 999 : 1) },
            to: 2,
            of: book,
            quota: 1_020
        )
        #expect(ten.new == 10 && ten.withoutRoom == [.number(911)] && ten.tooMany == [.number(922)])
        // The same content again has the same reason, and is named once.
        let twice = [11, 30, 11, 30, 12].enumerated().map {
            Receipt.sample($0 + 40, of: 2, content: $1, size: $1 == 11 ? 999 : 1)
        }
        let again = try add(twice, to: 2, of: book, quota: 1_020)
        #expect(again.withoutRoom.isEmpty && again.tooMany == [.number(940), .number(941)])
        #expect(again.known == 1 && again.placedAgain == [.number(944)])
    }

    /// A process that dies before the commit leaves a file, and never a row.
    @Test func leaveNoRowWhereAFileCouldNotBePlaced() throws {
        let book = try book()
        #expect(throws: BookError.diskFull) {
            try book.add([Receipt.sample(1), Receipt.sample(2)], to: .recorded(.number(1)), quota: 1_000) {
                receipt in
                if receipt.id == .number(902) { throw BookError.diskFull }
            }
        }
        #expect(try book.receipts(of: .number(1)).isEmpty && book.receiptSpace().bytes == 0)
        let files = Files()
        files.names = [Receipt.sampleHash(1)]
        #expect(try collect(book, files) == [Receipt.sampleHash(1)] && files.names.isEmpty)
        #expect(try collect(book, files).isEmpty)
    }

    @Test func thatAreGivenUpMakeRoomAtOnce() throws {
        let book = try book()
        let files = Files()
        try add([Receipt.sample(1), Receipt.sample(2), Receipt.sample(3)], of: book, files)
        try add([Receipt.sample(4, of: 2), Receipt.sample(5, of: 2, content: 3)], to: 2, of: book, files)
        let deletion = try #require(try book.deleteReceipt(.number(901)))
        // The same content is beside another transaction.
        _ = try book.deleteReceipt(.number(903))
        try book.deleteTransaction(.number(2))
        #expect(try collect(book, files).isEmpty)
        #expect(try book.receiptSpace().deleted == .init(count: 3, bytes: 300))
        try book.giveUpDeletedReceipts()
        #expect(
            try Set(collect(book, files)) == [
                Receipt.sampleHash(1), Receipt.sampleHash(3), Receipt.sampleHash(4),
            ]
        )
        #expect(files.names == [Receipt.sampleHash(2)])
        let space = ReceiptSpace(live: .init(count: 1, bytes: 100), deleted: .init(count: 0, bytes: 0))
        #expect(try book.receiptSpace() == space)
        // The history has lost the receipts, and nothing else.
        #expect(throws: BookError.unknownChange) { try book.undo(deletion, overriding: false) }
        #expect(try book.historyChange(deletion) == nil && book.wasRemovedFromHistory(deletion))
        #expect(try !book.wasRemovedFromHistory(deletion + 99))
        #expect(try book.restoreTransaction(.number(2)) == .number(2))
        #expect(try book.receipts(of: .number(2)).isEmpty)
        let change = try #require(try book.deleteReceipt(.number(902)))
        _ = try book.undo(change, overriding: false)
        #expect(try book.receipts(of: .number(1)).map(\.receipt.id) == [.number(902)])
    }

    /// Each file that is counted as not in the cloud can be found in the list of these.
    @Test func areListedWithDeletedTransactionsIfTheyAreCounted() throws {
        let book = try book()
        try add([Receipt.sample(1)], of: book)
        try add(
            [Receipt.sample(2, of: 2), Receipt.sample(3, of: 2), Receipt.sample(4, of: 2)],
            to: 2,
            of: book
        )
        try book.setReceiptFile(Receipt.sampleHash(2), .failed, failure: "refused")
        try book.setReceiptFile(Receipt.sampleHash(3), .uploaded)
        _ = try book.deleteReceipt(.number(904))
        try book.deleteTransaction(.number(2))
        var query = ReceiptQuery()
        #expect(try book.receipts(query).entries.map(\.shown.receipt.id) == [.number(901)])
        query.scope = .notBackedUp()
        let listed = try book.receipts(query).entries
        #expect(listed.map(\.shown.receipt.id) == [.number(902), .number(901)])
        #expect(listed.map(\.isTransactionDeleted) == [true, false])
        #expect(try book.receiptFilesOnlyHere(limit: 9).count == 2 && book.unsentReceiptFiles().refused == 1)
        #expect(try book.receipt(.number(902))?.file?.status == .failed, "it can be tried again")
        _ = try book.deleteReceipt(.number(902))
        #expect(try book.unsentReceiptFiles().refused == 0 && book.receipts(query).entries.count == 1)
    }

    /// A device that has lost a file asks for it like one that never had it.
    @Test func areElsewhereOnceTheirFilesAreLostAndListedIfTheCloudLacksThem() throws {
        let book = try book()
        try add([Receipt.sample(1), Receipt.sample(2)], of: book)
        try add([Receipt.sample(3, of: 2)], to: 2, of: book)
        for number in 1...3 { try book.setReceiptFile(Receipt.sampleHash(number), .uploaded) }
        #expect(try book.receiptHashesElsewhere().isEmpty)
        try book.noteLoss(ofReceiptFile: Receipt.sampleHash(1))
        #expect(try book.receiptHashesElsewhere() == [Receipt.sampleHash(1)])
        #expect(try book.unsentReceiptFiles() == UnsentReceiptFiles(), "no upload waits for it")
        var query = ReceiptQuery()
        query.scope = .notBackedUp()
        #expect(try book.receipts(query).entries.map(\.shown.receipt.id) == [.number(901)])
        query.scope = .notBackedUp(absent: [Receipt.sampleHash(3)])
        let listed = try book.receipts(query).entries.map(\.shown.receipt.id)
        #expect(listed == [.number(903), .number(901)])
        query.scope = .notBackedUp(absent: [Receipt.sampleHash(3)], fetchable: [Receipt.sampleHash(1)])
        #expect(try book.receipts(query).entries.map(\.shown.receipt.id) == [.number(903)])
    }

    @Test func areAbsentIfTheCloudLacksThemOrIfNothingIsKnownOfThoseThatAreLost() throws {
        let book = try book()
        try add([Receipt.sample(1), Receipt.sample(2)], of: book)
        let lost = Receipt.sampleHash(1)
        var (version, cloud) = (0, [String: Bool]())
        func absent() throws -> AbsentReceiptFiles {
            try book.absentReceiptFiles(
                version: version,
                missingFromCloud: { cloud.filter { !$0.value }.map(\.key) },
                isInCloud: { cloud[$0] }
            )
        }
        #expect(try absent() == AbsentReceiptFiles())
        try book.noteLoss(ofReceiptFile: lost)
        #expect(try absent() == AbsentReceiptFiles(lost: [lost]), "a process that has just begun counts it")
        (version, cloud) = (1, [lost: true, Receipt.sampleHash(2): false, Receipt.sampleHash(9): false])
        #expect(
            try absent() == AbsentReceiptFiles(fetchable: [lost]),
            "the other one is here, or has no receipt"
        )
        cloud[lost] = false
        #expect(try absent().fetchable == [lost], "nothing is read again before another version")
        version = 2
        #expect(try absent() == AbsentReceiptFiles(lost: [lost]))
        try book.deleteTransaction(.number(1))
        #expect(try absent() == AbsentReceiptFiles())
    }

    @Test func areCountedWhileTheyAreDamaged() throws {
        let book = try book()
        try add([Receipt.sample(1), Receipt.sample(2)], of: book)
        try book.setReceiptFile(Receipt.sampleHash(2), .uploaded)
        for number in 1...2 { try book.noteDamage(ofReceiptFile: Receipt.sampleHash(number)) }
        #expect(try book.damagedReceiptFiles() == 1, "the cloud has the other one")
        // It is noted where nothing can be fetched, and stays in the cloud.
        try book.noteDamage(ofReceiptFile: Receipt.sampleHash(2), isAvailable: false)
        #expect(try book.damagedReceiptFiles() == 2)
        #expect(
            try book.unsentReceiptFiles() == UnsentReceiptFiles(damaged: 1),
            "the cloud has the other one"
        )
        #expect(try book.receipt(.number(902))?.file?.status == .uploaded)
        var query = ReceiptQuery()
        query.scope = .notBackedUp()
        #expect(try book.receipts(query).entries.count == 2, "the list has each file that the notice counts")
        // Trying again reads a damaged file once more. It does not wait for the cloud until it is found to be whole.
        for isOne in [true, false] {
            let file = try #require(try book.receipt(.number(901))?.file)
            try isOne ? book.retryReceiptFile(file) : book.retryRefusedReceiptFiles()
            #expect(try book.receipt(.number(901))?.file?.status == .localOnly)
            #expect(try book.unsentReceiptFiles() == UnsentReceiptFiles(damaged: 1))
            #expect(try book.damagedReceiptFiles() == 2)
            // The cloud has some bytes of it, by its own answer.
            try book.noteArrived(3, ofReceiptFile: file.sha256)
            let asked = try #require(try book.receipt(.number(901))?.file)
            #expect(asked.status == .uploading && asked.sent == 3 && asked.isDamaged)
            try book.setReceiptFile(file.sha256, .failed, failure: file.failure)
        }
        // There is nothing to send once the cloud has lost it.
        #expect(try book.doubtUploads(of: [Receipt.sampleHash(2)]) == 1)
        #expect(try book.receipt(.number(902))?.file?.status == .failed)
        _ = try book.deleteReceipt(.number(902))
        #expect(try book.receipt(withContent: Receipt.sampleHash(1))?.receipt.id == .number(901))
        _ = try book.deleteReceipt(.number(901))
        #expect(try book.damagedReceiptFiles() == 0)
        #expect(try book.receipt(withContent: Receipt.sampleHash(1)) == nil)
    }

    @Test func haveAQuotaOfWhatIsStored() throws {
        let book = try book()
        #expect(try add([Receipt.sample(1, size: 600)], of: book).new == 1)
        let space = ReceiptSpace(live: .init(count: 1, bytes: 600), deleted: .init(count: 0, bytes: 0))
        #expect(try add([Receipt.sample(2, size: 401)], to: 2, of: book).withoutRoom == [.number(902)])
        // A file that is stored already takes no further room.
        #expect(try add([Receipt.sample(3, content: 1, size: 600)], to: 2, of: book).new == 1)
        #expect(try book.receiptSpace() == space)
        _ = try book.deleteReceipt(.number(901))
        #expect(try book.receiptSpace() == space)
        _ = try book.deleteReceipt(.number(903))
        #expect(
            try book.receiptSpace()
                == ReceiptSpace(live: .init(count: 0, bytes: 0), deleted: .init(count: 1, bytes: 600))
        )
    }

    @Test func keepTheirFilesAsLongAsTheyCanReturn() throws {
        let book = try book()
        let files = Files()
        try add([Receipt.sample(1), Receipt.sample(2)], of: book, files)
        try add([Receipt.sample(3, of: 2)], to: 2, of: book, files)
        files.names.insert(Receipt.sampleHash(77))
        #expect(try collect(book, files) == [Receipt.sampleHash(77)])
        _ = try book.deleteReceipt(.number(901))
        try book.deleteTransaction(.number(2))
        #expect(try collect(book, files).isEmpty && files.names.count == 3)
        // The history forgets both deletions.
        clock.advance(by: 800 * 86_400)
        try book.record(.sample(50, payee: "Later"))
        var retention = HistoryRetention()
        retention.fewest = 0
        while try book.shortenHistory(retention) {}
        #expect(try Set(collect(book, files)) == [Receipt.sampleHash(1), Receipt.sampleHash(3)])
        #expect(files.names == [Receipt.sampleHash(2)])
        #expect(try book.receipts(of: .number(1)).map(\.receipt.id) == [.number(902)])
        #expect(try collect(book, files).isEmpty)
    }

    /// The clock is read between the look at the folder and the transaction that removes files.
    @Test func thatAreAddedDuringACollectionAreNotTakenForLost() throws {
        let between = Mutex<(@Sendable () -> Void)?>(nil)
        let (clock, files) = (clock, Files())
        let book = try Book.open(at: folder("book.sqlite")) {
            let act = between.withLock { act in
                defer { act = nil }
                return act
            }
            act?()
            return clock.now
        }
        try book.add(Account.sample(1))
        try book.record(.sample(1, payee: "Shop"))
        files.names.insert(Receipt.sampleHash(77))
        let receipt = Receipt.sample(1)
        nonisolated(unsafe) let seen = files
        between.withLock { act in
            act = {
                let added = try? book.add([receipt], to: .recorded(.number(1)), quota: 1_000) {
                    seen.names.insert($0.sha256)
                }
                #expect(added?.new == 1)
            }
        }
        #expect(try collect(book, files) == [Receipt.sampleHash(77)])
        #expect(files.names == [Receipt.sampleHash(1)])
        let file = try #require(try book.receipt(.number(901))?.file)
        #expect(file.status == .localOnly && file.failure == nil)
    }

    @Test func stayAsTheyAreIfTheFolderCannotBeRead() throws {
        let (book, files) = (try book(), Files())
        try add([Receipt.sample(1)], of: book, files)
        #expect(throws: BookError.busy) {
            try book.collectReceiptFiles(present: { throw BookError.busy }, remove: { _ in })
        }
        #expect(try book.receipt(.number(901))?.file?.status == .localOnly)
    }

    /// The file of a receipt was damaged or lost on the disk, and its user has it still.
    @Test(arguments: [ReceiptFile.missing, UploadFailure.wrongContent.code, nil])
    func areWholeAgainOnceTheSameFileIsAddedAgain(failure: String?) throws {
        let (book, files) = (try book(), Files())
        try add([Receipt.sample(1), Receipt.sample(2)], of: book, files)
        for hash in [Receipt.sampleHash(1), Receipt.sampleHash(2)] {
            try book.setReceiptFile(hash, failure == nil ? .uploaded : .failed, failure: failure)
        }
        #expect(try book.receiptFilesOnlyHere(limit: 9).filter { $0.status != .failed }.isEmpty)
        files.names = []
        #expect(try add([Receipt.sample(3, content: 1)], of: book, files).new == 0)
        #expect(files.names == [Receipt.sampleHash(1)], "it is placed once more")
        let missing = failure == ReceiptFile.missing
        #expect(try book.receiptSpace().live.count == (missing ? 1 : 2), "a missing file takes no room")
        #expect(try book.receipts(of: .number(1)).count == 2)
        #expect(
            try book.receiptFilesOnlyHere(limit: 9).filter { $0.status != .failed }.map(\.sha256) == [
                Receipt.sampleHash(1)
            ]
        )
        // Beside another transaction as well.
        #expect(try add([Receipt.sample(4, of: 2, content: 2)], to: 2, of: book, files).new == 1)
        #expect(try book.receiptFilesOnlyHere(limit: 9).filter { $0.status != .failed }.count == 2)
    }

    /// A refusal for the want of room in the cloud has nothing to do with the file.
    @Test func thatTheCloudRefusedStayRefusedIfTheyAreAddedAgain() throws {
        let (book, code) = (try book(), UploadFailure.quota(used: 1, limit: 1).code)
        try add([Receipt.sample(1)], of: book)
        try book.setReceiptFile(Receipt.sampleHash(1), .failed, failure: code)
        #expect(try add([Receipt.sample(2, content: 1)], of: book).new == 0)
        #expect(try book.receipt(.number(901))?.file?.failure == code)
    }

    /// A receipt of another device, whose file is added here: it takes room like any other.
    @Test func ofOtherDevicesHaveTheirFilesHereOnceTheyAreAddedHere() throws {
        let (book, files) = (try book(), Files())
        try add([Receipt.sample(1, size: 900)], of: book, files)
        try book.store.inDatabase { try $0.execute(sql: "DELETE FROM receipt_files") }
        #expect(try book.receipt(.number(901))?.file == nil)
        let refused = try add([Receipt.sample(2, content: 1, size: 900)], of: book, files, quota: 800)
        #expect(refused.withoutRoom == [.number(902)] && refused.new == 0 && refused.known == 0)
        #expect(try add([Receipt.sample(2, content: 1, size: 900)], of: book, files).new == 0)
        #expect(try book.receipt(.number(901))?.file?.status == .localOnly)
        #expect(try book.receiptSpace().bytes == 900)
    }

    /// Another device has added it before the deletion of the transaction reached it.
    @Test func thatArriveLateForADeletedTransactionLoseTheirFilesWithItsHistory() throws {
        let (book, files) = (try book(), Files())
        try add([Receipt.sample(1)], of: book, files)
        try book.deleteTransaction(.number(1))
        // As its row and its file arrive: without a change of the user.
        let late = Receipt.sample(2)
        try book.applyRemoteRows { db in
            let values = StatementArguments([late.id.column] + late.values)
            let marks = Array(repeating: "?", count: 9).joined(separator: ", ")
            try db.change("INSERT INTO receipts (\(Receipt.columns)) VALUES (\(marks))", values)
        }
        files.names.insert(late.sha256)
        #expect(try collect(book, files).isEmpty, "the history can still bring the transaction back")
        #expect(try collect(book, files).isEmpty && files.names.count == 2)
        clock.advance(by: 800 * 86_400)
        try book.record(.sample(50, payee: "Later"))
        var retention = HistoryRetention()
        retention.fewest = 0
        while try book.shortenHistory(retention) {}
        #expect(
            try Set(collect(book, files)) == [Receipt.sampleHash(1), Receipt.sampleHash(2)]
                && files.names.isEmpty
        )
        #expect(
            try book.store.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM receipt_files") } == 0
        )
        // One that arrives after that has its file removed by the next collection.
        files.names.insert(late.sha256)
        #expect(try collect(book, files) == [late.sha256])
    }

    @Test func thatTheCloudHadNoRoomForAreTriedAgainOnceItHasRoomForOneOfTheirSize() throws {
        let book = try book()
        try add((1...4).map { Receipt.sample($0, size: Int64($0) * 10) }, of: book)
        let failure = UploadFailure.quota(used: 5, limit: 10, files: 1).code
        for number in [1, 2, 4] {
            try book.setReceiptFile(Receipt.sampleHash(number), .failed, failure: failure)
        }
        try book.setReceiptFile(Receipt.sampleHash(2), .failed, failure: UploadFailure.refused.code)
        try book.setReceiptFile(Receipt.sampleHash(3), .uploaded)
        let files = try book.receipts(of: .number(1)).map(\.file)
        #expect(files.map { $0?.status } == [.localOnly, .failed, .uploaded, .failed])
        #expect(files[0]?.failure == nil && files[3]?.failure == failure)
    }

    /// Each request for the file finds out the same.
    @Test func whoseLossIsKnownAreNotWrittenAgain() throws {
        let book = try book()
        try add([Receipt.sample(1), Receipt.sample(2)], of: book)
        func changes() throws -> Int { try book.store.inDatabase { $0.totalChangesCount } }
        var before = try changes()
        try book.noteLoss(ofReceiptFile: Receipt.sampleHash(1))
        try book.noteDamage(ofReceiptFile: Receipt.sampleHash(2))
        #expect(try changes() == before + 2)
        #expect(try book.receipt(.number(901))?.file?.failure == ReceiptFile.missing)
        #expect(try book.receipt(.number(902))?.file?.failure == UploadFailure.wrongContent.code)
        before = try changes()
        try book.noteLoss(ofReceiptFile: Receipt.sampleHash(1))
        try book.noteDamage(ofReceiptFile: Receipt.sampleHash(2))
        #expect(try changes() == before)
    }

    @Test func sayWhenAFileIsLostAndWhenItIsBack() throws {
        let book = try book()
        let files = Files()
        try add([Receipt.sample(1)], of: book, files)
        files.names = []
        #expect(try collect(book, files).isEmpty)
        var file = try #require(try book.receipt(.number(901))?.file)
        #expect(file.status == .failed && file.failure == ReceiptFile.missing)
        let path = folder("book.sqlite")
        #expect(
            try Book.receiptFaults(at: path, present: [], isInUse: true, now: noon).missing == [
                "receipt 1.jpg"
            ]
        )
        #expect(
            try Book.receiptFaults(at: path, present: [Receipt.sampleHash(5)], isInUse: true, now: noon)
                .unneeded == [
                    Receipt.sampleHash(5)
                ]
        )
        files.names = [Receipt.sampleHash(1)]
        #expect(try collect(book, files).isEmpty)
        file = try #require(try book.receipt(.number(901))?.file)
        #expect(file.status == .localOnly && file.failure == nil)
        // A file that comes back with a backup of its own.
        try book.store.inDatabase { try $0.execute(sql: "DELETE FROM receipt_files") }
        #expect(try book.receipt(.number(901))?.file == nil)
        #expect(try collect(book, files).isEmpty)
        #expect(try book.receipt(.number(901))?.file?.size == 100)
    }

    @Test func waitForTheirUpload() throws {
        let book = try book()
        try add([Receipt.sample(1), Receipt.sample(2)], of: book)
        #expect(
            try book.receiptFilesOnlyHere(limit: 10).map(\.sha256) == [
                Receipt.sampleHash(1), Receipt.sampleHash(2),
            ]
        )
        try book.setReceiptFile(Receipt.sampleHash(1), .uploading, sent: 40)
        #expect(try book.receiptFilesOnlyHere(limit: 1).first?.sent == 40)
        try book.setReceiptFile(Receipt.sampleHash(1), .uploaded)
        try book.setReceiptFile(Receipt.sampleHash(2), .failed, failure: "quota")
        #expect(try book.receiptFilesOnlyHere(limit: 10).map(\.status) == [.failed])
        #expect(try book.receipt(.number(902))?.file?.failure == "quota")
        try book.setReceiptFile(Receipt.sampleHash(2), .uploaded)
        #expect(try book.receiptFilesOnlyHere(limit: 10).isEmpty)
        // Another cloud has none of them.
        try book.attach(as: .number(5), .upload)
        #expect(try book.receiptFilesOnlyHere(limit: 10).count == 2)
        _ = try book.deleteReceipt(.number(901))
        #expect(try book.receiptFilesOnlyHere(limit: 10).map(\.sha256) == [Receipt.sampleHash(2)])
    }

    @Test func followATransactionThatReturnsUnderAnotherID() throws {
        let book = try book()
        try add([Receipt.sample(1)], of: book)
        try book.attach(as: .number(5), .upload)
        try book.adopt(Head(epoch: 1, seq: 0))
        while case let batch = try book.nextBatch(operations: 100, bytes: 1 << 20), !batch.isEmpty {
            try book.acknowledge(batch.map { OperationResult(n: $0.n, seq: $0.n, status: .applied) })
        }
        try book.deleteTransaction(.number(1))
        let deletion = try book.nextBatch(operations: 100, bytes: 1 << 20)
        try book.acknowledge(deletion.map { OperationResult(n: $0.n, seq: $0.n, status: .applied) })
        let living = try book.restoreTransaction(.number(1))
        #expect(living != .number(1))
        #expect(try book.receipts(of: living).map(\.receipt.id) == [.number(901)])
        #expect(try book.receipts(of: .number(1)).isEmpty)
    }

    @Test func areListedByPagesAndFilters() throws {
        let book = try book()
        try book.add(Account.sample(2))
        try book.record(.sample(7, account: 2, payee: "Bäckerei"))
        for number in 1...5 { try add([Receipt.sample(number)], of: book) }
        var pdf = Receipt.sample(6, of: 7)
        (pdf.name, pdf.type) = ("Rechnung.pdf", "application/pdf")
        try add([pdf], to: 7, of: book)
        try add([Receipt.sample(8, of: 2)], to: 2, of: book)
        try book.deleteTransaction(.number(2))
        func ids(_ change: (inout ReceiptQuery) -> Void = { _ in }) throws -> [EntityID] {
            var (query, found): (ReceiptQuery, [EntityID]) = (ReceiptQuery(), [])
            change(&query)
            repeat {
                let page = try book.receipts(query)
                found += page.entries.map(\.shown.receipt.id)
                query.after = page.next.map { ReceiptCursor("\($0)") } ?? nil
            } while query.after != nil
            return found
        }
        let all = [906, 905, 904, 903, 902, 901].map { EntityID.number($0) }
        #expect(try ids() == all)
        #expect(try ids { $0.limit = 2 } == all)
        #expect(try ids { $0.type = .pdf } == [.number(906)])
        #expect(try ids { $0.account = .number(2) } == [.number(906)])
        #expect(try ids { $0.text = "rechnung BÄCK" } == [.number(906)])
        #expect(try ids { $0.text = "shop 1" }.count == 5)
        #expect(try ids { $0.text = "nothing" }.isEmpty)
        let month = try #require(try book.transaction(.number(1))?.date.yearMonth)
        #expect(try ids { $0.month = month } == all && ids { $0.month = month.next }.isEmpty)
        try book.setReceiptFile(Receipt.sampleHash(6), .uploaded)
        #expect(try ids { $0.scope = .notBackedUp() } == [908, 905, 904, 903, 902, 901].map { .number($0) })
        #expect(ReceiptCursor("x-y") == nil && ReceiptCursor("-1-") == nil)
    }
}
