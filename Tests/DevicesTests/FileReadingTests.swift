// The regular reading of files: damage that no request meets is found and repaired from the cloud, or a notice says what to
// do.
import Book
import CloudProtocol
import FileStore
import GRDB
import Ledger
import TestKit
import Testing
import Texts

@testable import Devices

@Suite struct ReadingOfFiles {
    private let server = DeviceServer()

    private func guest(_ devices: DeviceManager) async throws -> Device {
        let device = try await server.guest(devices).device
        try await eventually("its accounts are there") {
            try await !device.book().choices().accounts.isEmpty
        }
        return device
    }

    private func damage(_ receipt: Receipt, of device: Device) throws {
        let hash = try #require(ContentHash(receipt.sha256))
        try TestKit.damage(device.files.path(of: hash))
    }

    private func isDamaged(_ receipt: Receipt, on device: Device) async throws -> Bool {
        try await device.book().receipt(receipt.id)?.file?.failure == UploadFailure.wrongContent.code
    }

    private func notices(of device: Device) -> [Text] {
        device.notices.filter { $0.key == "files-damaged" }.map(\.text)
    }

    /// A device with a file that the cloud has as well.
    private func uploaded() async throws -> (DeviceManager, Device, Receipt) {
        let devices = try server.open()
        let device = try await server.synced(devices).device
        let receipt = try await server.attach(Array("a receipt".utf8), to: device, devices)
        try await eventually("it is uploaded") {
            try await device.book().receipt(receipt.id)?.file?.status == .uploaded
        }
        return (devices, device, receipt)
    }

    /// The size is the same, and no request has opened it.
    @Test func damageIsFoundAndItsDeviceSaysSo() async throws {
        let devices = try server.open()
        let device = try await guest(devices)
        let receipt = try await server.attach(Array("a receipt".utf8), to: device, devices)
        await devices.readFiles(upTo: 1 << 20)
        #expect(try await !isDamaged(receipt, on: device) && notices(of: device).isEmpty)
        try damage(receipt, of: device)
        server.clock.advance(by: 2 * day)
        await devices.readFiles(upTo: 1 << 20)
        #expect(try await isDamaged(receipt, on: device))
        #expect(notices(of: device) == [Text("notices.files-damaged", ["count": .count(1)])])
        // Once it was dismissed, no later reading says the same.
        try device.dismiss(notice: "files-damaged")
        await devices.readFiles(upTo: 1 << 20)
        #expect(notices(of: device).isEmpty)
        await devices.close()
    }

    @Test func theNoticeGoesWithTheDamage() async throws {
        let devices = try server.open()
        let device = try await guest(devices)
        let receipt = try await server.attach(Array("a receipt".utf8), to: device, devices)
        try damage(receipt, of: device)
        await devices.readFiles(upTo: 1 << 20)
        let book = try await device.book()
        try device.recountDamage(in: book)
        #expect(notices(of: device).count == 1)
        _ = try book.deleteReceipt(receipt.id)
        try device.recountDamage(in: book)
        #expect(notices(of: device).isEmpty)
        await devices.close()
    }

    @Test func aFileThatTheCloudHasIsWholeAgain() async throws {
        let (devices, device, receipt) = try await uploaded()
        try damage(receipt, of: device)
        await devices.readFiles(upTo: 1 << 20)
        let hash = try #require(ContentHash(receipt.sha256))
        #expect(device.files.open(hash)?.hash() == hash)
        #expect(notices(of: device).isEmpty)
        await devices.close()
    }

    /// The cloud has a sound copy, and hands it out once sync is on again.
    @Test func aFileThatCannotBeFetchedWithoutSyncIsAnnouncedUntilItIsFetched() async throws {
        let (devices, device, receipt) = try await uploaded()
        try await device.setSync(false)
        try await eventually("sync is off") { device.state.name == "local_only" }
        try damage(receipt, of: device)
        await devices.readFiles(upTo: 1 << 20)
        #expect(notices(of: device) == [Text("notices.files-damaged", ["count": .count(1)])])
        #expect(try await isDamaged(receipt, on: device))
        #expect(try await device.book().receipt(receipt.id)?.file?.status == .uploaded, "the cloud has it")
        try await device.setSync(true)
        try await eventually("sync is on") {
            let isInStep = try await device.isInStep()
            return isInStep && device.session?.isAttached == true
        }
        let hash = try #require(ContentHash(receipt.sha256))
        _ = try await device.file(of: receipt, device.files.open(hash), limit: 1 << 20)
        #expect(try await !isDamaged(receipt, on: device) && notices(of: device).isEmpty)
        await devices.close()
    }

    /// The next reading tries again, and the log has it once a day.
    @Test func aFileIsNotAnnouncedWhileTheCloudIsAway() async throws {
        let (devices, device, receipt) = try await uploaded()
        try damage(receipt, of: device)
        server.cloud.fail(.unreachable("cut"), ["fileBytes"])
        func logged() -> Int { server.lines.withLock { $0.count { $0.contains("cannot be fetched") } } }
        for _ in 0..<3 { await devices.readFiles(upTo: 1 << 20) }
        #expect(try await !isDamaged(receipt, on: device) && notices(of: device).isEmpty)
        #expect(logged() == 1 && server.cloud.count("fileBytes") == 3)
        server.clock.advance(by: day)
        await devices.readFiles(upTo: 1 << 20)
        #expect(logged() == 2)
        server.cloud.fail(nil)
        await devices.readFiles(upTo: 1 << 20)
        let hash = try #require(ContentHash(receipt.sha256))
        #expect(device.files.open(hash)?.hash() == hash)
        await devices.close()
    }

    /// Nothing would ever say so otherwise: damage that is noted is announced no more.
    @Test func damageIsNotNotedBeforeItsNoticeIsStored() async throws {
        let devices = try server.open()
        let device = try await guest(devices)
        let receipt = try await server.attach(Array("a receipt".utf8), to: device, devices)
        try damage(receipt, of: device)
        let store = try DatabaseQueue(path: devices.services.folder.deviceStorePath)
        try await store.write {
            try $0.execute(
                sql: "CREATE TRIGGER fault BEFORE INSERT ON notices BEGIN SELECT RAISE(ABORT, 'x'); END"
            )
        }
        await devices.readFiles(upTo: 1 << 20)
        #expect(try await !isDamaged(receipt, on: device) && notices(of: device).isEmpty)
        try await store.write { try $0.execute(sql: "DROP TRIGGER fault") }
        await devices.readFiles(upTo: 1 << 20)
        #expect(try await isDamaged(receipt, on: device) && notices(of: device).count == 1)
        await devices.close()
    }

    @Test func theNoticeGoesOnceAnotherDeviceHasDeletedTheReceipt() async throws {
        let devices = try server.open()
        let device = try await server.synced(devices).device
        let other = try await server.synced(devices).device
        server.cloud.fail(.unreachable("cut"), ["putFile"])
        let receipt = try await server.attach(Array("a receipt".utf8), to: device, devices)
        try damage(receipt, of: device)
        await devices.readFiles(upTo: 1 << 20)
        #expect(notices(of: device).count == 1)
        try await eventually("its row arrives") { try await other.book().receipt(receipt.id) != nil }
        _ = try await other.book().deleteReceipt(receipt.id)
        try await eventually("it is deleted here") { try await device.book().receipt(receipt.id) == nil }
        try await eventually("the notice goes") { notices(of: device).isEmpty }
        await devices.close()
    }

    @Test func theNoticeGoesWithTheBook() async throws {
        let devices = try server.open()
        let first = try await server.synced(devices).device
        try await server.write(into: first, devices)
        try await eventually("it is uploaded") { try await first.isInStep() }
        let device = try await guest(devices)
        let receipt = try await server.attach(Array("a receipt".utf8), to: device, devices)
        try damage(receipt, of: device)
        await devices.readFiles(upTo: 1 << 20)
        #expect(notices(of: device).count == 1)
        try await server.signIn("anna", on: device)
        try await eventually("the account has replaced the book") {
            device.session?.isAttached == true
        }
        #expect(notices(of: device).isEmpty)
        await devices.close()
    }

    /// Each call begins behind the last file of the one before.
    @Test func eachFileHasItsTurn() async throws {
        let devices = try server.open()
        let owners = [try await guest(devices), try await guest(devices)]
        var receipts: [Receipt] = []
        for (number, device) in owners.enumerated() {
            receipts.append(try await server.attach(Array("receipt \(number)".utf8), to: device, devices))
            try damage(receipts[number], of: device)
        }
        func found() async throws -> Int {
            var count = 0
            for (receipt, device) in zip(receipts, owners) {
                if try await isDamaged(receipt, on: device) { count += 1 }
            }
            return count
        }
        await devices.readFiles(upTo: 1)
        #expect(try await found() == 1)
        await devices.readFiles(upTo: 1)
        #expect(try await found() == 2)
        await devices.close()
    }

    /// The place of the last reading is in memory only.
    @Test func aServerThatIsStoppedAfterEachReadingReadsAllFilesInTheEnd() async throws {
        var devices = try server.open()
        let device = try await guest(devices)
        for text in ["one", "two", "three"] {
            _ = try await server.attach(Array(text.utf8), to: device, devices)
        }
        await devices.close()
        var read: Set<FileReading.Position> = []
        for _ in 1...200 where read.count < 3 {
            devices = try server.open()
            devices.beginReadingAnywhere()
            let start = devices.services.fileReading.position.withLock { $0 }
            await devices.readFiles(upTo: 1)
            let end = devices.services.fileReading.position.withLock { $0 }
            #expect(end != start)
            if let end { read.insert(end) }
            await devices.close()
        }
        #expect(read.count == 3)
    }
}
