// The regular reading of files: damage that no request meets is found and repaired from the cloud, or a notice says what to
// do.
import Book
import CloudProtocol
import FileStore
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
        let devices = try server.open()
        let device = try await server.synced(devices).device
        let receipt = try await server.attach(Array("a receipt".utf8), to: device, devices)
        try await eventually("it is uploaded") {
            try await device.book().receipt(receipt.id)?.file?.status == .uploaded
        }
        try damage(receipt, of: device)
        await devices.readFiles(upTo: 1 << 20)
        let hash = try #require(ContentHash(receipt.sha256))
        #expect(device.files.open(hash)?.hash() == hash)
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
}
