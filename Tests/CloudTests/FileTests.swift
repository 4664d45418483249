// The bytes of files in a cloud: how they arrive, who can read them, and when they are removed.
import CloudProtocol
import FileStore
import Foundation
import GRDB
import Ledger
import Storage
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Cloud

/// Files of test content, and the requests for them.
struct TestFile {
    let bytes: [UInt8]
    let hash: ContentHash
    let key: FileKey

    init(_ count: Int, _ seed: UInt8 = 1) throws {
        bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) &+ seed }
        hash = ContentHash(of: bytes)
        key = try #require(FileKey(hash.description))
    }

    func part(_ range: Range<Int>) -> FilePart {
        FilePart(key, total: Int64(bytes.count), offset: Int64(range.lowerBound), bytes: Array(bytes[range]))
    }

    var question: FilePart { FilePart(key, total: Int64(bytes.count)) }

    /// Sends the whole file in parts.
    @discardableResult
    func send(to cloud: any CloudAPI, _ token: SessionToken) async throws(CloudError) -> FileProgress {
        var progress = try await cloud.put(question, token)
        while !progress.isComplete {
            let first = Int(progress.received)
            progress = try await cloud.put(
                part(first..<min(bytes.count, first + FilePart.mostBytes)),
                token
            )
        }
        return progress
    }

    /// Downloads the whole file in parts.
    func fetch(from cloud: any CloudAPI, _ token: SessionToken) async throws(CloudError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < self.bytes.count {
            bytes += try await cloud.bytes(FileRange(key, offset: Int64(bytes.count)), token)
        }
        return bytes
    }
}

extension CloudUnderTest {
    func files(_ limits: FileLimits = FileLimits()) -> FileService {
        FileService(directory, limits: limits)
    }

    func user(_ token: SessionToken) throws -> EntityID { try directory.user(token).id }

    func listed() throws -> [String] {
        try directory.reading { db in try db.all("SELECT sha256 FROM files ORDER BY sha256") { $0.text(0) } }
    }

    func onDisk(_ user: EntityID) -> [String] {
        FileFolder.names(in: files().folder(of: user).path).sorted()
    }
}

extension TalksToACloud {
    /// The operations for a transaction with a receipt.
    func receipt(_ n: Int64, of file: TestFile, id: UInt64 = 31, transaction: UInt64 = 21)
        -> [SyncCore.Operation]
    {
        [
            operation(n, .create, transaction, ["amount": 5], kind: "transaction"),
            operation(
                n + 1,
                .create,
                id,
                [
                    "sha256": .text(file.hash.description),
                    "transaction": .text(number(transaction).description),
                ],
                kind: "receipt"
            ),
        ]
    }
}

@Suite struct FilesOfACloud: TalksToACloud {
    @Test(arguments: Transport.allCases) func aFileArrivesInPartsAndIsReadInParts(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let file = try TestFile(FilePart.mostBytes * 2 + 7)
        #expect(try await cloud.api.put(file.question, token) == FileProgress(received: 0, isComplete: false))
        await #expect(throws: CloudError.file(.noSuchFile)) {
            try await cloud.api.bytes(FileRange(file.key, offset: 0), token)
        }
        let first = try await cloud.api.put(file.part(0..<FilePart.mostBytes), token)
        #expect(first == FileProgress(received: Int64(FilePart.mostBytes), isComplete: false))
        await #expect(throws: CloudError.file(.noSuchFile), "before all of it is there") {
            try await cloud.api.bytes(FileRange(file.key, offset: 0), token)
        }
        let whole = FileProgress(received: Int64(file.bytes.count), isComplete: true)
        #expect(try await file.send(to: cloud.api, token) == whole)
        #expect(try await cloud.api.put(file.question, token) == whole)
        #expect(try await file.fetch(from: cloud.api, token) == file.bytes)
        let some = try await cloud.api.bytes(FileRange(file.key, offset: 5, count: 9), token)
        #expect(some == Array(file.bytes[5..<14]))
        let end = try await cloud.api.bytes(
            FileRange(file.key, offset: Int64(file.bytes.count) - 2, count: 9),
            token
        )
        #expect(end == Array(file.bytes.suffix(2)))
        await #expect(throws: CloudError.file(.noSuchFile)) {
            try await cloud.api.bytes(FileRange(file.key, offset: Int64(file.bytes.count)), token)
        }
        #expect(cloud.onDisk(try cloud.user(token)) == [file.hash.description])
    }

    @Test(arguments: Transport.allCases) func partsThatComeTwiceOrLateChangeNothing(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let file = try TestFile(1_000)
        await #expect(throws: CloudError.file(.fileGap(received: 0))) {
            try await cloud.api.put(file.part(1..<10), token)
        }
        #expect(try await cloud.api.put(file.part(0..<400), token).received == 400)
        #expect(try await cloud.api.put(file.part(0..<400), token).received == 400)
        #expect(try await cloud.api.put(file.part(100..<300), token).received == 400)
        await #expect(throws: CloudError.file(.fileGap(received: 400))) {
            try await cloud.api.put(file.part(401..<500), token)
        }
        #expect(try await cloud.api.put(file.part(300..<600), token).received == 600)
        let whole = FileProgress(received: 1_000, isComplete: true)
        #expect(try await cloud.api.put(file.part(600..<1_000), token) == whole)
        #expect(try await cloud.api.put(file.part(0..<400), token) == whole)
        #expect(try await file.fetch(from: cloud.api, token) == file.bytes)
    }

    @Test func anUploadIsResumedAfterTheCloudWasRestarted() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let (file, user) = (try TestFile(1_000), try cloud.user(token))
        _ = try cloud.files().put(file.part(0..<600), of: user)
        #expect(try cloud.files().put(file.question, of: user).received == 600)
        #expect(try cloud.files().put(file.part(600..<1_000), of: user).isComplete)
    }

    @Test func aProcessThatDiedBeforeTheNameFinishesAtTheNextQuestion() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let (file, user) = (try TestFile(1_000), try cloud.user(token))
        _ = try cloud.files().put(file.part(0..<600), of: user)
        try cloud.files().folder(of: user).append(file.bytes[600...], at: 600, of: file.hash)
        #expect(try cloud.files().put(file.question, of: user).isComplete)
        #expect(try await file.fetch(from: cloud.api, token) == file.bytes)
    }

    @Test(arguments: Transport.allCases) func otherContentThanThatOfTheNameIsDiscarded(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let file = try TestFile(1_000)
        var lie = file.part(600..<1_000)
        lie.bytes[7] ^= 1
        _ = try await cloud.api.put(file.part(0..<600), token)
        await #expect(throws: CloudError.file(.wrongContent)) { try await cloud.api.put(lie, token) }
        #expect(try await cloud.api.put(file.question, token) == FileProgress(received: 0, isComplete: false))
        #expect(try cloud.listed() == [] && cloud.onDisk(try cloud.user(token)) == [])
        #expect(try await file.send(to: cloud.api, token).isComplete)
    }

    @Test func aFileThatWasAnnouncedWithAnotherLengthBeginsAgain() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let file = try TestFile(1_000)
        _ = try await cloud.api.put(file.part(0..<600), token)
        let shorter = FilePart(file.key, total: 500, offset: 0, bytes: Array(file.bytes[..<10]))
        await #expect(throws: CloudError.file(.fileGap(received: 0))) {
            try await cloud.api.put(shorter, token)
        }
        #expect(try await file.send(to: cloud.api, token).isComplete)
    }

    @Test(arguments: Transport.allCases) func anotherAccountNeitherReadsAFileNorLearnsOfIt(
        _ transport: Transport
    ) async throws {
        let cloud = try CloudUnderTest(transport)
        let (anna, ben) = (try await premium(cloud), try await premium(cloud, "ben"))
        let file = try TestFile(500)
        try await file.send(to: cloud.api, anna)
        await #expect(throws: CloudError.file(.noSuchFile)) {
            try await cloud.api.bytes(FileRange(file.key, offset: 0), ben)
        }
        #expect(try await cloud.api.put(file.question, ben) == FileProgress(received: 0, isComplete: false))
        try await file.send(to: cloud.api, ben)
        try await cloud.api.deleteAccount(ben)
        #expect(try await file.fetch(from: cloud.api, anna) == file.bytes)
    }

    @Test func twoDevicesThatSendTheSameFileStoreItOnce() async throws {
        let cloud = try CloudUnderTest(.http)
        let one = try await premium(cloud)
        let other = try await cloud.signIn("anna", on: "Other").token
        let file = try TestFile(3_000_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for token in [one, other] {
                group.addTask {
                    var isDone = false
                    while !isDone {
                        do throws(CloudError) {
                            isDone = try await file.send(to: cloud.api, token).isComplete
                        } catch {
                            switch error {
                            case .file(.fileGap), .busy: await Task.yield()
                            default: throw error
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(cloud.onDisk(try cloud.user(one)) == [file.hash.description])
        #expect(try await file.fetch(from: cloud.api, other) == file.bytes)
    }

    @Test func oneRequestAtATimeWritesToAFile() throws {
        let (writes, file, other) = (FileWrites(), try TestFile(5), try TestFile(6))
        func write(_ hash: ContentHash, of user: EntityID) throws(CloudError) -> Int {
            try writes.only(hash, of: user) { () throws(CloudError) -> Int in 1 }
        }
        let user = number(1)
        try writes.only(file.hash, of: user) { () throws(CloudError) in
            #expect(throws: CloudError.busy(retryAfterSeconds: 1)) { try write(file.hash, of: user) }
            #expect(throws: Never.self) { try write(other.hash, of: user) }
            #expect(throws: Never.self) { try write(file.hash, of: number(2)) }
        }
        #expect(try write(file.hash, of: user) == 1)
    }

    @Test func withoutPremiumADeviceStillSendsInTheGracePeriod() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let user = try cloud.user(token)
        let (file, other) = (try TestFile(500), try TestFile(600))
        _ = try await cloud.api.signal(seen: nil, waitSeconds: 0, token)
        try cloud.directory.grant(user, until: cloud.clock.now + 10)
        cloud.clock.advance(by: 11)
        #expect(try await file.send(to: cloud.api, token).isComplete)
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: nil)) {
            try await cloud.api.bytes(FileRange(file.key, offset: 0), token)
        }
        cloud.clock.advance(by: SyncLimits.drainSeconds)
        await #expect(throws: CloudError.self) { try await cloud.api.put(other.question, token) }
    }
}

@Suite struct TheQuotaOfFiles: TalksToACloud {
    private let limits = FileLimits(fileBytes: 1_000, accountBytes: 2_500)

    @Test func aFileThatDoesNotFitIsRefusedBeforeItIsSent() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let user = try cloud.user(token)
        let files = cloud.files(limits)
        #expect(throws: CloudError.file(.fileTooLarge(max: 1_000))) {
            try files.put(try TestFile(1_001).question, of: user)
        }
        try await fill(cloud, files, token)
        #expect(throws: CloudError.file(.quotaExceeded(used: 2_000, quota: 2_500))) {
            try files.put(try TestFile(501, 3).question, of: user)
        }
        let fitting = try TestFile(500, 4)
        _ = try files.put(fitting.part(0..<100), of: user)
        #expect(throws: CloudError.file(.quotaExceeded(used: 2_500, quota: 2_500)), "with what arrives") {
            try files.put(try TestFile(401, 5).question, of: user)
        }
        #expect(try files.put(fitting.part(100..<500), of: user).isComplete)
        #expect(try files.put(fitting.question, of: user).isComplete, "what is stored may be asked for")
    }

    /// Two files of 1,000 bytes with receipts.
    private func fill(_ cloud: CloudUnderTest, _ files: FileService, _ token: SessionToken) async throws {
        let (one, two) = (try TestFile(1_000, 1), try TestFile(1_000, 2))
        let rows = receipt(1, of: one) + receipt(3, of: two, id: 32, transaction: 22)
        _ = try await cloud.api.push(batch(1, rows), token)
        for file in [one, two] { _ = try files.put(file.part(0..<1_000), of: try cloud.user(token)) }
    }

    @Test func aDeletedReceiptMakesRoomAtOnce() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let (files, more) = (cloud.files(limits), try TestFile(1_000, 3))
        try await fill(cloud, files, token)
        #expect(throws: CloudError.file(.quotaExceeded(used: 2_000, quota: 2_500))) {
            try files.put(more.question, of: try cloud.user(token))
        }
        _ = try await cloud.api.push(batch(1, [operation(5, .delete, 31, kind: "receipt")]), token)
        #expect(try files.put(more.part(0..<1_000), of: try cloud.user(token)).isComplete)
        // Its bytes stay for a device that brings it back.
        #expect(try cloud.listed().count == 3)
    }

    @Test func filesThatNoReceiptNeedsMakeRoomAndHaveAsMuchAgain() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let user = try cloud.user(try await premium(cloud))
        let files = cloud.files(limits)
        for seed in UInt8(1)...6 {
            _ = try files.put(try TestFile(1_000, seed).part(0..<1_000), of: user)
            try files.collect()
            cloud.clock.advance(by: 1)
        }
        // The oldest of them go first.
        let stored = try (UInt8(5)...6).map { try TestFile(1_000, $0).hash.description }.sorted()
        #expect(try cloud.listed() == stored && cloud.onDisk(user) == stored)
        #expect(try files.usage(of: user) == (0, 2_000))
    }
}

@Suite struct UnfinishedFilesOfAnAccount: TalksToACloud {
    private func limits(_ count: Int = 3, accountBytes: Int64 = 10_000) -> FileLimits {
        var limits = FileLimits(fileBytes: 1_000, accountBytes: accountBytes)
        limits.unfinishedFiles = count
        return limits
    }

    /// Begins a file of 1,000 bytes.
    private func begin(_ seed: UInt8, _ files: FileService, _ user: EntityID) throws {
        _ = try files.put(try TestFile(1_000, seed).part(0..<10), of: user)
    }

    @Test func areFewAndTheOneThatDoesNotGrowMakesRoom() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let (user, other) = (
            try cloud.user(try await premium(cloud)), try cloud.user(try await premium(cloud, "ben"))
        )
        let files = cloud.files(limits())
        for seed in UInt8(1)...3 {
            try begin(seed, files, user)
            cloud.clock.advance(by: 1)
        }
        #expect(throws: CloudError.busy(retryAfterSeconds: 60)) { try begin(4, files, user) }
        #expect(cloud.onDisk(user).count == 3)
        try begin(4, files, other)
        // A file that has begun can be finished, and makes room at once.
        #expect(try files.put(try TestFile(1_000, 2).part(10..<1_000), of: user).isComplete)
        try begin(4, files, user)
        // Their devices do not send them any more.
        cloud.clock.advance(by: FileService.staleSeconds - 3)
        #expect(throws: CloudError.busy(retryAfterSeconds: 60)) { try begin(5, files, user) }
        _ = try files.put(try TestFile(1_000, 1).part(10..<20), of: user)
        cloud.clock.advance(by: 4)
        try begin(5, files, user)
        // The one that has grown in between stays, and the oldest of the others is gone.
        let parts = try [UInt8(1), 4, 5].map { "\(try TestFile(1_000, $0).hash).part" }
        #expect(cloud.onDisk(user).filter { $0.hasSuffix(".part") } == parts.sorted())
        #expect(try files.put(try TestFile(1_000, 1).part(20..<1_000), of: user).isComplete)
        // Its device begins it anew.
        #expect(try files.put(try TestFile(1_000, 3).question, of: user).received == 0)
        try begin(3, files, user)
        #expect(cloud.onDisk(other).count == 1)
    }

    @Test func countAsLongAsTheyWillBe() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let user = try cloud.user(try await premium(cloud))
        let files = cloud.files(limits(accountBytes: 2_500))
        try begin(1, files, user)
        try begin(2, files, user)
        let third = try TestFile(501, 3)
        #expect(throws: CloudError.file(.quotaExceeded(used: 2_000, quota: 2_500))) {
            try files.put(third.question, of: user)
        }
        #expect(throws: CloudError.file(.quotaExceeded(used: 2_000, quota: 2_500))) {
            try files.put(third.part(0..<10), of: user)
        }
        #expect(cloud.onDisk(user).count == 2)
        // A question is no announcement.
        let small = try TestFile(500, 4)
        _ = try files.put(small.question, of: user)
        #expect(try files.put(small.part(0..<500), of: user).isComplete)
        // Files that have begun can be finished.
        for seed in UInt8(1)...2 {
            #expect(try files.put(try TestFile(1_000, seed).part(10..<1_000), of: user).isComplete)
        }
        // A process that has just started counts with what has arrived, and an abandoned file makes room.
        let later = cloud.files(limits(accountBytes: 1_200))
        try begin(5, later, user)
        #expect(throws: CloudError.file(.quotaExceeded(used: 1_000, quota: 1_200))) {
            try begin(6, later, user)
        }
        cloud.clock.advance(by: FileService.staleSeconds + 1)
        try begin(6, later, user)
        #expect(
            cloud.onDisk(user).filter { $0.hasSuffix(".part") } == ["\(try TestFile(1_000, 6).hash).part"]
        )
    }

    @Test func twoThatBeginAtTheSameTimeFitOrAreRefused() throws {
        let (unfinished, user) = (UnfinishedFiles(), number(1))
        let limits = limits(accountBytes: 1_500)
        func enter(_ seed: UInt8) throws -> CloudError? {
            let file = try TestFile(1_000, seed)
            return unfinished.enter(file.part(0..<10), file.hash, of: user, beside: [], stored: 0, limits)
        }
        #expect(try enter(1) == nil)
        // Nothing of the first one is on the disk yet.
        #expect(try enter(2) == .file(.quotaExceeded(used: 1_000, quota: 1_500)))
        unfinished.leave(try TestFile(1_000, 1).hash, of: user)
        #expect(try enter(2) == nil, "the first one has come to its end")
    }

    /// The bytes that the disk has left are the test's.
    @Test func leaveSomeOfTheDiskToEverythingElse() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let (user, file) = (try cloud.user(token), try TestFile(1_000))
        let free = Mutex(Int64(64 << 20) + 600)
        let files = FileService(cloud.directory, limits: FileLimits()) { path in
            #expect(FileManager.default.fileExists(atPath: path))
            return DiskSpace(bytes: free.withLock { $0 }, size: 1 << 40)
        }
        #expect(try files.put(file.part(0..<600), of: user).received == 600)
        free.withLock { $0 -= 600 }
        #expect(throws: CloudError.busy(retryAfterSeconds: FileService.fullDiskPause)) {
            try files.put(file.part(600..<1_000), of: user)
        }
        // The first part stays, questions are answered, and so is sync.
        #expect(try files.put(file.question, of: user).received == 600)
        let pushed = try await cloud.api.push(batch(1, receipt(1, of: file)), token)
        #expect(pushed.results.allSatisfy { $0.code == nil })
        free.withLock { $0 += 400 }
        #expect(try files.put(file.part(600..<1_000), of: user).isComplete)
        #expect(try await file.fetch(from: cloud.api, token) == file.bytes)
    }

    @Test func aFileThatCannotBeOpenedIsNotCalledLost() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let (user, file) = (try cloud.user(token), try TestFile(500))
        try await file.send(to: cloud.api, token)
        let path = cloud.files().folder(of: user).path(of: file.hash)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
        // The cloud follows no links, so that opening it is an error.
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".aside")
        do {
            _ = try await cloud.api.bytes(FileRange(file.key, offset: 0), token)
            Issue.record("it has no bytes")
        } catch {
            guard case CloudError.failed = error else { throw error }
        }
    }
}

@Suite struct TheCollectionOfFiles: TalksToACloud {
    private static let retention = FileService.retentionSeconds

    @Test func aFileStaysAsLongAsAReceiptRefersToIt() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let file = try TestFile(500)
        _ = try await cloud.api.push(batch(1, receipt(1, of: file)), token)
        try await file.send(to: cloud.api, token)
        for _ in 0..<3 {
            cloud.clock.advance(by: Self.retention + 1)
            try cloud.files().collect()
        }
        #expect(try cloud.listed() == [file.hash.description])
    }

    @Test(arguments: ["receipt", "transaction"])
    func aFileWhoseReceiptOrTransactionWasDeletedStaysWhileADeviceCanBringItBack(deleted: String) async throws
    {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let (file, user) = (try TestFile(500), try cloud.user(token))
        _ = try await cloud.api.push(batch(1, receipt(1, of: file)), token)
        try await file.send(to: cloud.api, token)
        let id: UInt64 = deleted == "receipt" ? 31 : 21
        _ = try await cloud.api.push(batch(1, [operation(3, .delete, id, kind: deleted)]), token)
        #expect(try cloud.files().collect() == 0)
        cloud.clock.advance(by: Self.retention)
        #expect(try cloud.files().collect() == 0)
        #expect(try cloud.files().usage(of: user) == (0, 500))
        cloud.clock.advance(by: 1)
        #expect(try cloud.files().collect() == 1)
        #expect(try cloud.listed() == [] && cloud.onDisk(user) == [])
    }

    /// As after the deletion of an account's data: a device has deleted the transaction, and sends the receipt anew.
    @Test func aReceiptWhoseTransactionNeverArrivesHoldsTheFileForALimitedTime() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let file = try TestFile(500)
        var alone = receipt(0, of: file)[1]
        alone.n = 1
        _ = try await cloud.api.push(batch(1, [alone]), token)
        try await file.send(to: cloud.api, token)
        cloud.clock.advance(by: Self.retention)
        #expect(try cloud.files().collect() == 0)
        cloud.clock.advance(by: 1)
        #expect(try cloud.files().collect() == 0, "it is noted")
        cloud.clock.advance(by: Self.retention + 1)
        #expect(try cloud.files().collect() == 1)
    }

    @Test func aReceiptThatComesLateHoldsTheFile() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let file = try TestFile(500)
        try await file.send(to: cloud.api, token)
        try cloud.files().collect()
        cloud.clock.advance(by: Self.retention + 1)
        _ = try await cloud.api.push(batch(1, receipt(1, of: file)), token)
        #expect(try cloud.files().collect() == 0)
        #expect(try await file.fetch(from: cloud.api, token) == file.bytes)
    }

    @Test func aDeviceThatAsksForAFileHoldsItUntilItsReceiptArrives() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let file = try TestFile(500)
        try await file.send(to: cloud.api, token)
        try cloud.files().collect()
        cloud.clock.advance(by: Self.retention + 1)
        #expect(try await cloud.api.put(file.question, token).isComplete)
        #expect(try cloud.files().collect() == 0)
        cloud.clock.advance(by: Self.retention + 1)
        #expect(try cloud.files().collect() == 1)
        #expect(try await cloud.api.put(file.question, token) == FileProgress(received: 0, isComplete: false))
        #expect(try await file.send(to: cloud.api, token).isComplete, "it is sent again")
    }

    @Test func whatTheCloudHasLostIsSentAgain() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let (file, user) = (try TestFile(500), try cloud.user(token))
        try await file.send(to: cloud.api, token)
        cloud.files().folder(of: user).remove(file.hash)
        await #expect(throws: CloudError.file(.noSuchFile)) {
            try await cloud.api.bytes(FileRange(file.key, offset: 0), token)
        }
        let path = cloud.folder + "/cloud.sqlite"
        let lost = try FileService.faults(besides: path, isInUse: true, now: cloud.clock.now)
        #expect(lost.missing.map { $0.hasSuffix(file.hash.description) } == [true] && lost.unlisted == [])
        #expect(try await file.send(to: cloud.api, token).isComplete)
        #expect(
            try FileService.faults(besides: path, isInUse: true, now: cloud.clock.now)
                == FileService.Faults(stored: [cloud.files().folder(of: user).path(of: file.hash)])
        )
    }

    @Test(arguments: Transport.allCases) func theCloudNamesTheFilesOfReceiptsThatItLacks(
        _ transport: Transport
    ) async throws {
        let cloud = try CloudUnderTest(transport)
        let token = try await premium(cloud)
        let (file, other, user) = (try TestFile(500), try TestFile(600), try cloud.user(token))
        func missing(after key: FileKey? = nil) async throws -> [FileKey] {
            let answer = try await cloud.api.missingFiles(after: key, token)
            #expect(answer.isComplete)
            return answer.keys
        }
        #expect(try await missing() == [], "without data")
        let operations = receipt(1, of: file) + receipt(3, of: other, id: 32, transaction: 22)
        _ = try await cloud.api.push(batch(1, operations), token)
        let both = [file.key, other.key].sorted { $0.description < $1.description }
        #expect(try await missing() == both, "not sent yet")
        #expect(try await missing(after: both[0]) == [both[1]])
        let path = cloud.folder + "/cloud.sqlite"
        #expect(try FileService.faults(besides: path, isInUse: true, now: cloud.clock.now).unsent == 2)
        try await file.send(to: cloud.api, token)
        try await other.send(to: cloud.api, token)
        #expect(try await missing() == [])
        cloud.files().folder(of: user).remove(file.hash)
        #expect(try await missing() == [file.key], "its bytes are lost")
        let part = cloud.files().folder(of: user).path(of: other.hash)
        #expect(truncate(part, 100) == 0)
        #expect(try await missing() == both, "and of the other one all but the beginning")
        let bert = try await premium(cloud, "bert")
        #expect(try await cloud.api.missingFiles(after: nil, bert).keys == [])
        _ = try await cloud.api.push(batch(1, [operation(5, .delete, 22, kind: "transaction")]), token)
        #expect(try await missing() == [file.key], "no receipt of a deleted transaction")
    }

    @Test func theFilesThatTheCloudLacksComeInPages() async throws {
        let cloud = try CloudUnderTest(.http)
        let token = try await premium(cloud)
        let most = MissingFiles.most
        let names = (0...most).map { String(repeating: "0", count: 60) + String(0x1000 + $0, radix: 16) }
        try cloud.directory.changing { db in
            let account = try db.openSyncRecord(of: try cloud.user(token)).number
            for (index, name) in names.enumerated() {
                try db.change(
                    """
                    INSERT INTO entities (account, kind, id, seq, is_deleted, fields, created_seq, created_by, versions,
                      author, changed_at)
                    VALUES (?, 'receipt', ?, ?, 0, json_object('sha256', ?), 1, 1, '{}', 1, ?)
                    """,
                    [account, number(UInt64(index + 100)).column, index + 1, name, cloud.clock.now]
                )
            }
        }
        let first = try await cloud.api.missingFiles(after: nil, token)
        #expect(first.keys.count == most && !first.isComplete)
        let second = try await cloud.api.missingFiles(after: first.keys.last, token)
        #expect(second.keys.map(\.description) == [names[most]] && second.isComplete)
    }

    @Test func filesWithoutARowAndUnfinishedOnesAreRemoved() async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let token = try await premium(cloud)
        let (file, other, user) = (try TestFile(500), try TestFile(600), try cloud.user(token))
        try await file.send(to: cloud.api, token)
        _ = try cloud.files().put(other.part(0..<100), of: user)
        let stray = cloud.files().folder(of: user).path(of: other.hash)
        #expect(FileManager.default.createFile(atPath: stray, contents: Data([1])))
        let path = cloud.folder + "/cloud.sqlite"
        #expect(
            try FileService.faults(besides: path, isInUse: true, now: cloud.clock.now).unlisted == [stray]
        )
        try cloud.files().collect()
        #expect(cloud.onDisk(user).contains(file.hash.description))
        #expect(!cloud.onDisk(user).contains(other.hash.description))
        cloud.clock.advance(by: FileService.unfinishedSeconds + 1)
        try cloud.files().collect()
        #expect(cloud.onDisk(user) == [file.hash.description])
    }

    /// The files of a deleted account may be in a folder that cannot be read: the log says so each hour.
    @Test func aFolderThatCannotBeReadIsToldAndKeepsNoOtherFromBeingCollected() async throws {
        let cloud = try CloudUnderTest(.http)
        let (anna, ben) = (try await premium(cloud), try await premium(cloud, "ben"))
        let users = [try cloud.user(anna), try cloud.user(ben)].sorted()
        let file = try TestFile(500)
        for token in [anna, ben] { try await file.send(to: cloud.api, token) }
        func path(_ user: EntityID) -> String { cloud.files().folder(of: user).path }
        for token in [anna, ben] { try await cloud.api.deleteData(token) }
        for unreadable in users {
            for user in users {
                try? FileManager.default.removeItem(atPath: path(user))
                try FileManager.default.createDirectory(atPath: path(user), withIntermediateDirectories: true)
                try Data("A".utf8).write(to: URL(fileURLWithPath: "\(path(user))/\(file.hash)"))
            }
            // As a folder without permissions, also for root.
            try FileManager.default.removeItem(atPath: path(unreadable))
            try FileManager.default.createSymbolicLink(
                atPath: path(unreadable),
                withDestinationPath: path(unreadable)
            )
            let reason = CloudError.failed("\(path(unreadable)): \(String(cString: strerror(ELOOP)))")
            #expect(throws: reason) { try cloud.files().collect() }
            #expect(users.allSatisfy { cloud.onDisk($0).isEmpty })
        }
    }

    @Test(arguments: Transport.allCases) func deletedDataTakeTheirFilesWithThem(_ transport: Transport)
        async throws
    {
        let cloud = try CloudUnderTest(transport)
        let (anna, ben) = (try await premium(cloud), try await premium(cloud, "ben"))
        let (file, user, other) = (try TestFile(500), try cloud.user(anna), try cloud.user(ben))
        for token in [anna, ben] { try await file.send(to: cloud.api, token) }
        try await cloud.api.deleteData(anna)
        #expect(cloud.onDisk(user) == [] && cloud.onDisk(other) == [file.hash.description])
        try await file.send(to: cloud.api, anna)
        try await cloud.api.deleteAccount(anna)
        #expect(!FileManager.default.fileExists(atPath: cloud.files().folder(of: user).path))
        #expect(try cloud.listed() == [file.hash.description])
    }
}

@Suite struct FilesOnTheWire {
    private let key = String(repeating: "0f", count: 32)

    @Test(arguments: [
        "", "bytes", "bytes 0-5", "bytes 0-5/*", "bytes 0-5/x", "bytes 5-0/20", "bytes -1-4/20",
        "bytes 0-5/5",
        "bytes */0", "bytes */20", "bytes 0-4/20", "bytes 0-6/20", "bytes +0-5/20", "items 0-5/20",
        "bytes 9223372036854775802-9223372036854775807/9223372036854775807",
    ])
    func aPartWithAnOddRangeIsMalformed(range: String) {
        var received = ReceivedRequest(id: nil, body: Array("a part".utf8)) { _ in nil }
        received.key = FileKey(key)
        received.header = { $0 == "Content-Range" ? range : nil }
        #expect(Endpoints.putFile.request.decode(received) == nil)
    }

    @Test(arguments: ["", "bytes=", "bytes=5-", "bytes=-5", "bytes=5-4", "bytes=0-1,5-9", "items=0-5"])
    func aQuestionWithoutBothEndsIsMalformed(range: String) {
        var received = ReceivedRequest(id: nil, body: []) { _ in nil }
        received.key = FileKey(key)
        received.header = { $0 == "Range" ? range : nil }
        #expect(Endpoints.fileBytes.request.decode(received) == nil)
    }

    @Test func aNameIsSixtyFourDigitsAndNothingElse() {
        #expect(FileKey(key) != nil)
        for text in ["", "..", String(key.dropLast()), key + "0", key.uppercased(), "../" + key.dropLast(3)] {
            #expect(FileKey(text) == nil, "\(text)")
        }
    }
}
