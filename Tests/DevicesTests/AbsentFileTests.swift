// Files that are neither on a device nor in the cloud: each device counts them until they are there, or wanted no more.
import Book
import CloudProtocol
import FileStore
import Ledger
import TestKit
import Testing
import Texts

@testable import Devices

@Suite struct FilesThatAreNowhere {
    private let server = DeviceServer()

    private func absent(_ device: Device) async throws -> [String] {
        try await device.absentFiles(in: device.book()).all
    }

    private func counts(_ device: Device) async throws -> AbsentFiles? {
        try await device.syncStatus(in: device.book())?.absentFiles
    }

    /// The disk loses a file before it is sent.
    @Test func areCountedByEachDeviceThatHasTheirReceipts() async throws {
        let devices = try server.open()
        let one = try await server.synced(devices).device
        let other = try await server.synced(devices).device
        server.cloud.fail(.unreachable("cut"))
        let receipt = try await server.attach([1, 2, 3], to: one, devices)
        one.files.remove(try #require(ContentHash(receipt.sha256)))
        server.cloud.fail(nil)
        for device in [one, other] {
            try await eventually("it is known") { try await absent(device) == [receipt.sha256] }
            let status = try await device.syncStatus(in: device.book())
            #expect(status?.files == 0 && status?.refusedFiles == 0)
            let shown = try #require(try await device.book().receipt(receipt.id))
            #expect(device.locate([shown]).map(\.isInCloud) == [false])
        }
        #expect(try await counts(one) == AbsentFiles(lost: 1))
        // It may be on its way for a minute after its row.
        #expect(try await counts(other) == AbsentFiles(expected: 1))
        server.clock.advance(by: 60)
        #expect(try await counts(other) == AbsentFiles(overdue: 1))
        _ = try await one.book().deleteReceipt(receipt.id)
        for device in [one, other] {
            try await eventually("it is wanted no more") { try await absent(device).isEmpty }
        }
        await devices.close()
    }

    @Test func areNoMoreOnceTheirBytesArrive() async throws {
        let devices = try server.open()
        let one = try await server.synced(devices).device
        let receipt = try await server.attach([1, 2, 3], to: one, devices)
        try await eventually("it is uploaded") {
            try await one.book().receipt(receipt.id)?.file?.status == .uploaded
        }
        one.noteAbsence(of: receipt.sha256)
        #expect(try await absent(one).isEmpty, "it is on this device")
        let answer = server.cloud.withhold("missingFiles")
        try await one.noteLoss(of: receipt.sha256, in: one.book())
        #expect(try await absent(one) == [receipt.sha256])
        answer()
        // The cloud has it.
        try await eventually("the cloud says so") { try await absent(one).isEmpty }
        await devices.close()
    }

    /// A cloud that does not answer the question leaves them as they are.
    @Test func areCountedAfterARestartBeforeTheCloudHasAnswered() async throws {
        let devices = try server.open()
        let (token, device) = try await server.synced(devices)
        server.cloud.fail(.unreachable("cut"), ["putFile"])
        let receipt = try await server.attach([1, 2, 3], to: device, devices)
        device.files.remove(try #require(ContentHash(receipt.sha256)))
        try await device.noteLoss(of: receipt.sha256, in: device.book())
        await devices.close()
        server.cloud.fail(.notSupported, ["missingFiles"])
        let again = try server.open()
        let returned = try await again.load(token)
        #expect(try await counts(returned) == AbsentFiles(lost: 1))
        await again.close()
    }

    /// One device has a file that the cloud does not take, and the other one has never had it.
    @Test func areNotPromisedForASubscription() async throws {
        let devices = try server.open()
        let one = try await server.synced(devices).device
        let other = try await server.synced(devices).device
        server.cloud.fail(.file(.quotaExceeded(used: 1, quota: 1)), ["putFile"])
        _ = try await server.attach([1, 2, 3], to: one, devices)
        try await eventually("the cloud lacks it") { try await absent(other).count == 1 }
        server.cloud.fail(nil)
        server.cloud.say(Entitlement(.expired, expiresAt: noon))
        await other.verify()
        try await eventually("sync has ended") { other.state.name == "local_only" }
        let book = try await other.book()
        #expect(try other.filesNotHere(in: book) == FilesNotHere(absent: AbsentFiles(expected: 1)))
        #expect(try other.cloudCopy(in: book)?.absentFiles.count == 1)
        let ended: [String: Text.Argument] = [
            "first": .text(Text("notices.subscription-ended")),
            "second": .text(Text("user-account.files-are-nowhere", ["count": 1])),
        ]
        let notice = try #require(other.notices.first { $0.key == "subscription-ended" })
        #expect(notice.text == Text("common.two-sentences", ended))
        await devices.close()
    }

    /// A notice counts what was added after it.
    @Test func areNotTheOnlyOnesThatANoticeCountsAnew() async throws {
        let devices = try server.open()
        let device = try await server.synced(devices).device
        server.cloud.fail(.unreachable("cut"))
        try await server.write(into: device, devices, "First")
        server.cloud.say(Entitlement(.expired, expiresAt: noon - 91 * 86_400))
        server.cloud.fail(nil)
        await device.verify()
        try await eventually("the cloud takes nothing") {
            device.notices.contains { $0.key == "changes-not-uploaded" } && device.state.name == "local_only"
        }
        try await server.write(into: device, devices, "Second")
        let notice = try #require(device.notices.first { $0.key == "changes-not-uploaded" })
        let book = try await device.book()
        let copy = try #require(try device.cloudCopy(in: book))
        #expect(
            try device.text(of: notice, in: book)
                == Text("notices.changes-not-uploaded", ["count": .count(copy.changes)])
        )
        #expect(notice.text != Text("notices.changes-not-uploaded", ["count": .count(copy.changes)]))
        await devices.close()
    }
}
