// The files of a device on their way to the cloud and back: after the changes, in parts, through failures and restarts.
import Book
import CloudProtocol
import DeviceStore
import Entitlements
import FileStore
import Ledger
import Lifecycle
import SyncCore
import TestKit
import Testing
import Texts

@testable import Devices

@Suite struct FilesOfADevice {
    let server = DeviceServer()

    /// Bytes of a file.
    private func content(_ count: Int, _ seed: UInt8 = 1) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) &+ seed }
    }

    /// Records a transaction with a file, and returns the id of the receipt.
    @discardableResult
    private func attach(_ bytes: [UInt8], to device: Device, _ devices: DeviceManager) async throws
        -> EntityID
    {
        try await server.attach(bytes, to: device, devices).id
    }

    private func status(_ receipt: EntityID, on device: Device) async throws -> ReceiptStatus? {
        try await device.book().receipt(receipt)?.file?.status
    }

    /// The bytes of a receipt, fetched if they are not there.
    private func open(_ receipt: EntityID, on device: Device, limit: Int64 = 1 << 30) async throws -> [UInt8]
    {
        let shown = try #require(try await device.book().receipt(receipt))
        let hash = try #require(ContentHash(shown.receipt.sha256))
        let local = device.files.open(hash)
        let file: StoredFile
        if let local {
            file = local
        } else {
            file = try await device.fetchFile(of: shown.receipt, limit: limit)
        }
        return file.bytes(at: 0, count: file.size)
    }

    @Test func reachTheCloudAfterTheChangesAndAnotherDeviceWhenTheyAreLookedAt() async throws {
        let devices = try server.open()
        let (_, one) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        let bytes = content(FilePart.mostBytes + 1_000)
        let receipt = try await attach(bytes, to: one, devices)
        try await eventually("it is uploaded") { try await status(receipt, on: one) == .uploaded }
        try await eventually("its row arrives") { try await other.book().receipt(receipt) != nil }
        #expect(try await other.book().receipt(receipt)?.file == nil)
        #expect(server.cloud.count("fileBytes") == 0, "nothing is fetched before it is looked at")
        #expect(try await open(receipt, on: other) == bytes)
        #expect(server.cloud.count("fileBytes") == 2)
        #expect(try await other.book().receipt(receipt)?.file?.isCached == true)
        #expect(try await open(receipt, on: other) == bytes && server.cloud.count("fileBytes") == 2)
        await devices.close()
    }

    @Test func areSentOnceForAllDevicesOfAnAccount() async throws {
        let devices = try server.open()
        let (_, one) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        let first = try await attach(content(500), to: one, devices)
        try await eventually { try await status(first, on: one) == .uploaded }
        let second = try await attach(content(500), to: other, devices)
        try await eventually { try await status(second, on: other) == .uploaded }
        let parts = server.cloud.requests.withLock { $0.filter { $0.hasPrefix("putFile bytes 0-") } }
        #expect(parts.count == 1, "the question was enough")
        await devices.close()
    }

    @Test func waitWhileTheCloudIsAwayAndSayWhereTheyAre() async throws {
        let devices = try server.open()
        let (_, one) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        server.cloud.fail(.unreachable("cut"), ["putFile", "fileBytes"])
        let receipt = try await attach(content(500), to: one, devices)
        try await eventually { try await other.book().receipt(receipt) != nil }
        #expect(try await status(receipt, on: one) != .uploaded)
        await #expect(throws: FileFetchError.cloudAway) { try await open(receipt, on: other) }
        server.cloud.fail(.file(.noSuchFile), ["fileBytes"])
        await #expect(throws: FileFetchError.notSentYet) { try await open(receipt, on: other) }
        server.cloud.fail(nil)
        try await eventually("it is uploaded") { try await status(receipt, on: one) == .uploaded }
        #expect(try await open(receipt, on: other) == content(500))
        await devices.close()
    }

    /// Another device says so, instead of promising that they can be fetched.
    @Test func stayWhereTheyWereAddedUntilTheCloudHasThem() async throws {
        let devices = try server.open()
        let (_, one) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        server.cloud.fail(.file(.quotaExceeded(used: 1, quota: 1)), ["putFile"])
        let receipt = try await attach(content(500), to: one, devices)
        func isInCloud() async throws -> Bool? {
            let shown = try #require(try await other.book().receipt(receipt))
            // Each look ends the pause under way, so that it would never end without this.
            server.clock.advance(by: 1)
            return try #require(other.locate([shown]).first).isInCloud
        }
        try await eventually { try await other.book().receipt(receipt) != nil }
        try await eventually("it is known") { try await isInCloud() == false }
        await #expect(throws: FileFetchError.notSentYet) { try await open(receipt, on: other) }
        server.cloud.fail(nil)
        try await one.book().retryRefusedReceiptFiles()
        one.retrySync()
        try await eventually("it is uploaded") { try await status(receipt, on: one) == .uploaded }
        try await eventually("the other device hears of it") { try await isInCloud() == true }
        #expect(try await open(receipt, on: other) == content(500))
        try await eventually("nothing is said of a file that is here") { try await isInCloud() == nil }
        await devices.close()
    }

    /// The answers before it came without the file.
    @Test func thatWereNotThereWhenTheyWereOpenedAreSaidToBeElsewhere() async throws {
        let devices = try server.open()
        let (_, one) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        server.cloud.fail(.unreachable("cut"), ["putFile", "missingFiles"])
        let receipt = try await attach(content(500), to: one, devices)
        try await eventually { try await other.book().receipt(receipt) != nil }
        let shown = try #require(try await other.book().receipt(receipt))
        #expect(other.locate([shown]).map(\.isInCloud) == [nil], "the cloud has not said it")
        await #expect(throws: FileFetchError.notSentYet) { try await open(receipt, on: other) }
        #expect(other.locate([shown]).map(\.isInCloud) == [false])
        server.cloud.fail(nil)
        one.retrySync()
        try await eventually("it hears of it") {
            // Each look ends the pause under way, so that it would never end without this.
            server.clock.advance(by: 1)
            return other.locate([shown]).map(\.isInCloud) == [true]
        }
        await devices.close()
    }

    @Test func continueInTheNextProcessWhereTheyWere() async throws {
        let devices = try server.open()
        let (token, device) = try await server.synced(devices)
        let bytes = content(2 * FilePart.mostBytes)
        let release = server.cloud.withhold("putFile")
        let receipt = try await attach(bytes, to: device, devices)
        try await eventually { server.cloud.isWithholding }
        release()
        await devices.close()
        let again = try server.open()
        let returned = try await again.load(token)
        try await eventually("it is uploaded") { try await status(receipt, on: returned) == .uploaded }
        await again.close()
    }

    @Test func areNotTriedAgainByThemselvesIfTheCloudRefusesThem() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        let first = try await attach(content(500, 2), to: device, devices)
        try await eventually { try await status(first, on: device) == .uploaded }
        server.cloud.fail(.file(.quotaExceeded(used: 1, quota: 1)), ["putFile"])
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await status(receipt, on: device) == .failed }
        // With the number of files in the cloud, for the page that says of what there are too many bytes.
        let failure = try await device.book().receipt(receipt)?.file?.failure
        #expect(failure == "quota 1 1 1")
        #expect(UploadFailure(code: try #require(failure)) == .quota(used: 1, limit: 1, files: 1))
        server.cloud.fail(nil)
        try await device.book().setReceiptFile("\(ContentHash(of: content(500)))", .localOnly)
        device.retrySync()
        try await eventually("after Retry") { try await status(receipt, on: device) == .uploaded }
        await devices.close()
    }

    @Test func thatWereRefusedAreTriedAgainByTheNextProcess() async throws {
        let devices = try server.open()
        let (token, device) = try await server.synced(devices)
        server.cloud.fail(.file(.quotaExceeded(used: 1, quota: 1)), ["putFile"])
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await status(receipt, on: device) == .failed }
        await devices.close()
        server.cloud.fail(nil)
        let again = try server.open()
        let returned = try await again.load(token)
        try await eventually("it is uploaded") { try await status(receipt, on: returned) == .uploaded }
        await again.close()
    }

    private var sentParts: Int {
        server.cloud.requests.withLock { $0.count { $0.hasPrefix("putFile bytes 0-") } }
    }

    /// The cloud would refuse it, each time anew.
    @Test func thatTheDiskHasDamagedAreNotSentAndSaidToBe() async throws {
        let devices = try server.open()
        let (token, device) = try await server.synced(devices)
        server.cloud.fail(.unreachable("cut"), ["putFile"])
        let (bytes, code) = (content(500), UploadFailure.wrongContent.code)
        let receipt = try await attach(bytes, to: device, devices)
        try damage(device.files.path(of: ContentHash(of: bytes)))
        server.cloud.fail(nil)
        func failure(_ device: Device) async throws -> String? {
            try await device.book().receipt(receipt)?.file?.failure
        }
        device.retrySync()
        func notices(_ device: Device) -> [String] { device.notices.map(\.key) }
        try await eventually("it is found out") { try await failure(device) == code }
        #expect(notices(device) == ["files-damaged"])
        try device.dismiss(notice: "files-damaged")
        await devices.close()
        let questions = server.cloud.count("putFile")
        let again = try server.open()
        let returned = try await again.load(token)
        // While it waits, it is known to be damaged.
        #expect(try await failure(returned) == code)
        try await eventually("it is tried again") {
            let isTold = try await status(receipt, on: returned) == .failed
            return server.cloud.count("putFile") > questions && isTold
        }
        #expect(try await failure(returned) == code)
        // The user knows it.
        #expect(notices(returned).isEmpty)
        #expect(sentParts == 0 && !server.cloud.hasFile(bytes))
        // It is added again.
        let transaction = try await returned.book().transaction(ofReceipt: receipt)
        let file = try IncomingFile(in: again.incomingFolder)
        try file.write(bytes[...])
        let row = try #require(try await returned.book().receipt(receipt)).receipt
        let target = ReceiptTarget.recorded(try #require(transaction))
        let added = try await returned.book().add([row], to: target, quota: 1 << 30) { _ in
            try returned.files.place(file)
        }
        #expect(added.new == 0)
        returned.retrySync()
        try await eventually("it is uploaded") { try await status(receipt, on: returned) == .uploaded }
        #expect(sentParts == 1)
        await again.close()
    }

    /// Another device has added the same file.
    @Test func thatTheDiskHasDamagedAreAskedForBecauseTheCloudMayHaveThem() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        server.cloud.fail(.unreachable("cut"), ["putFile"])
        let bytes = content(500)
        let receipt = try await attach(bytes, to: device, devices)
        try damage(device.files.path(of: ContentHash(of: bytes)))
        server.cloud.fail(nil)
        device.retrySync()
        try await eventually("it is found out") { try await status(receipt, on: device) == .failed }
        let sent = try await attach(bytes, to: other, devices)
        try await eventually("the cloud has it") { try await status(sent, on: other) == .uploaded }
        let book = try await device.book()
        try book.retryReceiptFile(try #require(try book.receipt(receipt)?.file))
        device.retrySync()
        try await eventually("it is backed up") { try await status(receipt, on: device) == .uploaded }
        #expect(try book.receipt(receipt)?.file?.failure == nil && device.notices.isEmpty)
        // The copy of the cloud replaces the damaged one when it is opened.
        let stored = device.files.open(ContentHash(of: bytes))
        let shown = try #require(try book.receipt(receipt)).receipt
        let file = try await device.file(of: shown, stored, limit: 1 << 30)
        #expect(file.bytes(at: 0, count: file.size) == bytes)
        await devices.close()
    }

    /// A proxy that changes bytes, for example.
    @Test func thatAreDamagedOnTheirWayAreNotCalledDamaged() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        server.cloud.fail(.file(.wrongContent), ["putFile"])
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await status(receipt, on: device) == .failed }
        #expect(try await device.book().receipt(receipt)?.file?.failure == UploadFailure.refused.code)
        await devices.close()
    }

    @Test func waitWithoutManyRequestsWhileTheCloudTakesNone() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        server.cloud.fail(.notSupported, ["putFile"])
        let receipt = try await attach(content(500), to: device, devices)
        func failure() async throws -> String? { try await device.book().receipt(receipt)?.file?.failure }
        try await eventually { try await failure() == "not_supported" }
        #expect(try await status(receipt, on: device) == .localOnly)
        let puts = server.cloud.count("putFile")
        // Further changes reach the cloud without a request for a file.
        try await attach(content(600), to: device, devices)
        try await eventually { try await device.isInStep() }
        #expect(server.cloud.count("putFile") == puts)
        server.cloud.fail(nil)
        device.retrySync()
        try await eventually("after Retry") { try await status(receipt, on: device) == .uploaded }
        #expect(try await failure() == nil)
        await devices.close()
    }

    @Test func thatAreRefusedMeanwhileStopASignOutThatWaits() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        server.cloud.fail(.unreachable("cut"), ["putFile"])
        let refused = try await attach(content(500), to: device, devices)
        try await eventually { try await device.isInStep() }
        device.signOutOnceSent(try #require(device.syncStatus(in: try await device.book())))
        server.cloud.fail(.file(.fileTooLarge(max: 1)), ["putFile"])
        try await eventually { try await status(refused, on: device) == .failed }
        server.cloud.fail(nil)
        let other = try await attach(content(600), to: device, devices)
        try await eventually { try await status(other, on: device) == .uploaded }
        guard case .counted(pending: 0, refused: 1) = try await device.countWaiting(isAlone: false) else {
            Issue.record("a sign-out that waits would delete the refused file")
            return
        }
        #expect(device.session != nil, "the refused file is on this device only")
        await devices.close()
    }

    @Test func areSentBeforeTheDeviceSignsOutOnceAllIsSent() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        server.cloud.fail(.unreachable("cut"), ["putFile"])
        try await attach(content(500), to: device, devices)
        try await eventually { try await device.isInStep() }
        device.signOutOnceSent(try #require(device.syncStatus(in: try await device.book())))
        try await eventually { server.cloud.count("putFile") > 2 }
        #expect(device.session != nil, "the file is not there yet")
        server.cloud.fail(nil)
        try await eventually("it signs out") { device.session == nil }
        await devices.close()
    }

    /// Its device believes that the cloud has it, and so did the last sign-out of each person who lost a receipt.
    @Test func thatTheCloudHasLostAreSentAgainBeforeTheDeviceSignsOut() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await status(receipt, on: device) == .uploaded }
        server.cloud.loseFiles()
        let release = server.cloud.withhold("putFile")
        await device.checkFilesBeforeLeaving()
        #expect(try await status(receipt, on: device) != .uploaded)
        #expect(device.syncStatus(in: try await device.book())?.files == 1, "a page says that it waits")
        release()
        try await eventually("it is sent again") { try await status(receipt, on: device) == .uploaded }
        server.cloud.loseFiles()
        device.signOutOnceSent(try #require(device.syncStatus(in: try await device.book())))
        try await eventually("it signs out") { device.session == nil }
        #expect(server.cloud.hasFile(content(500)), "after the file was sent once more")
        await devices.close()
    }

    /// No request has read it since, so that the cloud does not know.
    @Test func thatTheDiskOfTheCloudHasDamagedAreSentAgainBeforeTheDeviceSignsOut() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        var receipts: [EntityID] = []
        for size in 500..<506 { receipts.append(try await attach(content(size), to: device, devices)) }
        for receipt in receipts {
            try await eventually { try await status(receipt, on: device) == .uploaded }
        }
        try server.cloud.damageFile(content(503))
        server.cloud.fail(.unreachable("cut"), ["missingFiles"])
        await device.checkFilesBeforeLeaving()
        #expect(try await status(receipts[3], on: device) == .uploaded, "the cloud does not answer")
        // An answer that says nothing about the file has the cloud asked once more for those that it lacks.
        let questions = server.cloud.count("missingFiles")
        server.cloud.fail(.busy(retryAfterSeconds: 1), ["putFile"])
        await device.checkFilesBeforeLeaving()
        #expect(server.cloud.count("missingFiles") >= questions + 2)
        #expect(try await status(receipts[3], on: device) == .uploaded)
        server.cloud.fail(nil)
        let asked = server.cloud.count("putFile")
        device.signOutOnceSent(try #require(device.syncStatus(in: try await device.book())))
        try await eventually("it signs out") { device.session == nil }
        #expect(server.cloud.count("putFile") >= asked + 7, "each was read, and one was sent")
        #expect(server.cloud.hasFile(content(503)) && server.cloud.isSound(content(503)))
        await devices.close()
    }

    @Test func thatTheCloudHasLostAreSentAgainInTheNextProcess() async throws {
        let devices = try server.open()
        let (token, device) = try await server.synced(devices)
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await status(receipt, on: device) == .uploaded }
        await devices.close()
        server.cloud.loseFiles()
        let again = try server.open()
        _ = try await again.load(token)
        try await eventually("it is sent again") { server.cloud.hasFile(content(500)) }
        await again.close()
    }

    /// The row of the receipt is in the backup, and its file was complete only after it.
    @Test func thatARestoredCloudLacksAreSentAgainWithoutAnyAction() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await status(receipt, on: device) == .uploaded }
        try await eventually { try await device.isInStep() }
        server.cloud.fail(.unreachable("cut"))
        // Otherwise the device notices it at the end of its poll, after a minute.
        try await attach(content(600), to: device, devices)
        try await eventually("it is away") {
            device.syncStatus(in: try await device.book())?.phase == .offline
        }
        server.cloud.loseFiles()
        server.cloud.fail(nil)
        try await eventually("it is sent again") { server.cloud.hasFile(content(500)) }
        try await eventually { try await status(receipt, on: device) == .uploaded }
        await devices.close()
    }

    @Test func areNotWaitedForAtASignOutWithoutANetwork() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await status(receipt, on: device) == .uploaded }
        server.cloud.fail(.unreachable("cut"), ["missingFiles"])
        await device.checkFilesBeforeLeaving()
        #expect(try await status(receipt, on: device) == .uploaded)
        await devices.close()
    }

    @Test func areNotWaitedForAtASignOutWithoutAnAnswer() async throws {
        let devices = try server.open { $0.receipts.leavingCheckMilliseconds = 1 }
        let (_, device) = try await server.synced(devices)
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await status(receipt, on: device) == .uploaded }
        let release = server.cloud.withhold("missingFiles")
        await device.checkFilesBeforeLeaving()
        #expect(try await status(receipt, on: device) == .uploaded)
        release()
        await devices.close()
    }

    @Test func areSentBeforeSyncEndsWithTheSubscription() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        server.cloud.fail(.unreachable("cut"), ["putFile"])
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await device.isInStep() }
        server.cloud.say(Entitlement(.expired, expiresAt: noon))
        await device.verify()
        try await eventually { device.state.name == "draining_upload_queue" }
        #expect(device.syncStatus(in: try await device.book())?.files == 1)
        server.cloud.fail(nil)
        try await eventually("it is local") { device.state.name == "local_only" }
        #expect(try await status(receipt, on: device) == .uploaded)
        await devices.close()
    }

    /// The notice counts them beside the changes, and the other device says what it has never fetched.
    @Test func thatTheCloudNeverTookAreCountedWithTheChanges() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        let sent = try await attach(content(500), to: device, devices)
        try await eventually { try await status(sent, on: device) == .uploaded }
        try await eventually("the cloud has said that it has the file") {
            try await other.filesNotHere(in: other.book()) == FilesNotHere(fetchable: 1)
        }
        server.cloud.fail(.unreachable("cut"))
        try await attach(content(500, 2), to: device, devices)
        server.cloud.say(Entitlement(.expired, expiresAt: noon - 91 * day))
        server.cloud.fail(nil)
        for one in [device, other] {
            await one.verify()
            try await eventually { one.state.name == "local_only" }
        }
        #expect(device.notices.map(\.key) == ["subscription-ended", "changes-not-uploaded"])
        #expect(device.notices.first?.text == Text("notices.subscription-ended"))
        let numbers: [String: Text.Argument] = ["count": 2, "files": 1, "total": 3]
        #expect(device.notices.last?.text == Text("notices.changes-and-files-not-uploaded", numbers))
        let files = Text("notices.files-not-fetched", ["count": 1])
        let ended: [String: Text.Argument] = [
            "first": .text(Text("notices.subscription-ended")), "second": .text(files),
        ]
        #expect(other.notices.map(\.text) == [Text("common.two-sentences", ended)])
        await devices.close()
    }

    /// The process ends after the end of the subscription was stored, and before it was announced.
    @Test func thatAreElsewhereAreInTheNoticeOfAnInterruptedEnd() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        let (token, other) = try await server.synced(devices)
        let sent = try await attach(content(500), to: device, devices)
        try await eventually { try await status(sent, on: device) == .uploaded }
        try await eventually("its row arrives") { try await other.book().receipt(sent) != nil }
        await devices.close()
        server.cloud.say(Entitlement(.expired, expiresAt: noon))
        let dying = try server.open(mayBegin: { if case .announce = $0 { false } else { true } })
        let dead = try #require(try dying.find(token)).device
        dead.beginVerifying()
        try await eventually("it dies") { dead.machine { $0.isAbandoned } }
        await dying.close()
        let again = try server.open()
        let returned = try await again.load(token)
        try await eventually { returned.state.name == "local_only" }
        let ended: [String: Text.Argument] = [
            "first": .text(Text("notices.subscription-ended")),
            // Nothing is asked of the cloud about files after the end.
            "second": .text(Text("notices.files-perhaps-fetched", ["count": 1])),
        ]
        #expect(returned.notices.map(\.text) == [Text("common.two-sentences", ended)])
        await again.close()
    }

    /// Sync ends without them, at whatever time they were refused; a notice says so until sync is on again.
    @Test(arguments: [false, true])
    func thatTheCloudRefusedAreToldOfWhenSyncEnds(isSwitchedOff: Bool) async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        server.cloud.fail(.file(.quotaExceeded(used: 1, quota: 1)), ["putFile"])
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await status(receipt, on: device) == .failed }
        if isSwitchedOff {
            try await device.setSync(false)
        } else {
            server.cloud.say(Entitlement(.expired, expiresAt: noon))
            await device.verify()
        }
        try await eventually("it is local") { device.state.name == "local_only" }
        let notice = "files-not-uploaded"
        let ended = isSwitchedOff ? [] : ["subscription-ended"]
        try await eventually("it is told") { device.notices.map(\.key) == ended + [notice] }
        #expect(device.notices.last?.text == Text("notices.files-not-uploaded", ["count": 1]))
        server.cloud.fail(nil)
        if isSwitchedOff {
            try await device.setSync(true)
        } else {
            server.cloud.say(Entitlement(.active))
            await device.verify()
        }
        try await eventually("it is sent") { try await status(receipt, on: device) == .uploaded }
        #expect(!device.notices.map(\.key).contains(notice))
        await devices.close()
    }

    /// Sync has sent its last operation by then: what is recorded while the files follow stays on the device.
    @Test func areSentBeforeSyncEndsAlsoIfAChangeComesInBetween() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        server.cloud.fail(.unreachable("cut"), ["putFile"])
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await device.isInStep() }
        server.cloud.say(Entitlement(.expired, expiresAt: noon))
        await device.verify()
        try await eventually { device.state.name == "draining_upload_queue" }
        let count = server.cloud.count("putFile")
        // Files are sent after the last operation only.
        try await eventually("the files follow") { server.cloud.count("putFile") > count + 2 }
        let later = try await attach(content(500, 2), to: device, devices)
        server.cloud.fail(nil)
        try await eventually("it is local") { device.state.name == "local_only" }
        #expect(try await status(receipt, on: device) == .uploaded)
        #expect(try await device.book().receipt(later) != nil)
        await devices.close()
    }

    /// Sync may send its last operation before the uploads have begun.
    @Test func areSentBeforeSyncEndsAlsoIfItsUploadsStartLate() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        server.cloud.fail(.unreachable("cut"), ["putFile"])
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await device.isInStep() }
        device.run(nil)
        server.cloud.fail(nil)
        let uploads = UploadRunner(device, run: 0)
        let end = Task {
            await uploads.finish()
            return try await status(receipt, on: device)
        }
        try await eventually("sync waits for the files") { uploads.isFinishing }
        uploads.start()
        #expect(try await end.value == .uploaded)
        await devices.close()
    }

    /// A pause of an hour takes seconds here unless the clock moves, and the time after which the user is asked some
    /// milliseconds.
    @Test func thatHaveToPauseForAnHourDoNotDelayTheQuestionWhetherToWait() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        server.cloud.fail(.busy(retryAfterSeconds: 3_600), ["putFile"])
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await device.isInStep() }
        try await eventually("the cloud was asked") { server.cloud.count("putFile") > 0 }
        server.cloud.say(Entitlement(.expired, expiresAt: noon))
        await device.verify()
        try await eventually("the user is asked") {
            if case .draining(_, isStalled: true, mustSignIn: _) = device.state { true } else { false }
        }
        // On a busy machine these seconds pass; without a pause there would be thousands of requests.
        #expect(server.cloud.count("putFile") < 10, "the pause is not cut short")
        server.cloud.fail(nil)
        server.clock.advance(by: 3_600)
        try await eventually("it is local") { device.state.name == "local_only" }
        #expect(try await status(receipt, on: device) == .uploaded)
        await devices.close()
    }

    /// An older cloud, or a proxy that passes on nothing of files.
    @Test func thatTheCloudDoesNotServeAreNotTakenForACloudThatIsAway() async throws {
        let devices = try server.open()
        let (_, one) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        let receipt = try await attach(content(500), to: one, devices)
        try await eventually { try await status(receipt, on: one) == .uploaded }
        try await eventually("its row arrives") { try await other.book().receipt(receipt) != nil }
        server.cloud.fail(.notSupported, ["fileBytes"])
        await #expect(throws: FileFetchError.notSupported) { try await open(receipt, on: other) }
        server.cloud.fail(nil)
        #expect(try await open(receipt, on: other) == content(500))
        await devices.close()
    }

    /// The cloud may have removed the file of a deleted receipt by the time at which a device without the file undoes that.
    @Test func ofAReceiptThatAnotherDeviceBringsBackAreAskedForAgain() async throws {
        let devices = try server.open()
        let (_, one) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        let receipt = try await attach(content(500), to: one, devices)
        try await eventually { try await status(receipt, on: one) == .uploaded }
        try await eventually("the row arrives") { try await other.book().receipt(receipt) != nil }
        let deletion = try #require(try await other.book().deleteReceipt(receipt))
        try await eventually("the deletion arrives") { try await one.book().receipt(receipt) == nil }
        try await eventually { try await one.isInStep() }
        let count = server.cloud.count("putFile")
        _ = try await other.book().undo(deletion, overriding: false)
        try await eventually("the file is asked for") { server.cloud.count("putFile") > count }
        await devices.close()
    }

    /// One device deletes a transaction and restores it as a copy, while another one adds a receipt to it.
    @Test func ofADeletedTransactionReturnWithItsCopy() async throws {
        let devices = try server.open()
        let (_, one) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        let first = try await attach(content(500), to: one, devices)
        try await eventually("the row arrives") { try await other.book().receipt(first) != nil }
        let transaction = try #require(try await one.book().receipt(first)?.receipt.transaction)
        server.cloud.fail(.unreachable("cut"))
        // Each without the other.
        try await other.book().deleteTransaction(transaction)
        let late = Receipt(
            id: devices.dependencies.newID(),
            transaction: transaction,
            name: "late.jpg",
            type: "image/jpeg",
            size: 700,
            sha256: "\(ContentHash(of: content(700)))",
            created: noon
        )
        let file = try IncomingFile(in: devices.incomingFolder)
        try file.write(content(700)[...])
        let added = try await one.book().add([late], to: .recorded(transaction), quota: 1 << 30) { _ in
            try one.files.place(file)
        }
        #expect(added.new == 1)
        server.cloud.fail(nil)
        try await eventually("the deletion arrives") { try await one.book().transaction(transaction) == nil }
        try await eventually { try await one.isInStep() }
        try await eventually { try await other.isInStep() }
        // The history can still bring it back, so its file stays.
        #expect(one.files.contents().count == 2)
        let living = try await other.book().restoreTransaction(transaction)
        #expect(living != transaction)
        for device in [one, other] {
            try await eventually("both receipts are beside the copy") {
                let shown = try await device.book().receipts(of: living)
                return shown.count == 2 && shown.contains { $0.receipt.id == late.id }
            }
        }
        try await eventually { try await status(late.id, on: one) == .uploaded }
        #expect(try await open(late.id, on: other) == content(700))
        await devices.close()
    }

    @Test func thatTheCloudDoesNotTakeDoNotHoldUpTheEndOfSync() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        server.cloud.fail(.notSupported, ["putFile"])
        let receipt = try await attach(content(500), to: device, devices)
        try await eventually { try await device.book().receipt(receipt)?.file?.failure != nil }
        server.cloud.say(Entitlement(.expired, expiresAt: noon))
        await device.verify()
        try await eventually("it is local") { device.state.name == "local_only" }
        #expect(try await status(receipt, on: device) == .localOnly)
        await devices.close()
    }

    @Test func ofTheCacheMakeRoom() async throws {
        let devices = try server.open()
        let (_, one) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        var receipts: [EntityID] = []
        for seed in UInt8(1)...3 {
            let receipt = try await attach(content(500, seed), to: one, devices)
            try await eventually { try await status(receipt, on: one) == .uploaded }
            try await eventually { try await other.book().receipt(receipt) != nil }
            receipts.append(receipt)
        }
        for (number, receipt) in receipts.enumerated() {
            server.clock.advance(by: 1)
            #expect(try await open(receipt, on: other, limit: 1_000) == content(500, UInt8(number + 1)))
        }
        #expect(try await status(receipts[0], on: other) == nil)
        #expect(try await other.book().receiptSpace().cached == .init(count: 2, bytes: 1_000))
        #expect(try await one.book().receiptSpace().cached.count == 0)
        #expect(other.files.contents().count == 2 && one.files.contents().count == 3)
        await devices.close()
    }
}
