// Data that was deleted in the cloud, and that a device has uploaded there again: the others know that there is some.

import CloudProtocol
import SyncEngine
import TestKit
import Testing

@testable import Devices

@Suite struct DataThatWasDeletedElsewhere {
    @Test func isThereAgainOnceADeviceHasUploadedIt() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let one = try await server.synced(devices).device
        let other = try await server.synced(devices).device
        try await server.cloud.deleteData(try #require(one.session?.token))
        func status(_ device: Device) async throws -> SyncStatus? {
            try await device.syncStatus(in: device.book())
        }
        for device in [one, other] {
            device.retrySync()
            try await eventually("it has stopped") {
                try await status(device)?.phase == .failed(.dataDeleted)
            }
            await device.verify()
            #expect(try await !device.isUploadedAnew(status(device)))
        }
        try await one.startSyncAnew()
        try await eventually("it is uploaded") { try await one.isInStep() }
        await other.verify()
        try await eventually("the other one knows") { try await other.isUploadedAnew(status(other)) }
        #expect(try await !one.isUploadedAnew(status(one)))
        await devices.close()
    }
}
