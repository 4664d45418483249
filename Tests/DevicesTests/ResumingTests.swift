// The start of a server resumes the sync of every device, without a request of its browser.
import CloudProtocol
import DeviceStore
import Ledger
import Synchronization
import TestKit
import Testing

@testable import Devices

@Suite struct AStart {
    /// More devices than the earlier limit of 200. Each of them reaches the cloud: their changes were made
    /// while it was unreachable, and no browser opens a page.
    @Test func resumesEveryDevice() async throws {
        let server = DeviceServer()
        let count = 208
        do {
            let devices = try server.open { $0.guestsPerAddressAndHour = count }
            server.cloud.say(Entitlement(.active))
            await withTaskGroup(of: Void.self) { group in
                for first in 0..<4 {
                    group.addTask {
                        for number in stride(from: first, to: count, by: 4) {
                            do {
                                let device = try await server.guest(devices).device
                                try await server.signIn("user\(number)", on: device)
                            } catch { Issue.record(error) }
                        }
                    }
                }
            }
            try await eventually("all are attached") {
                try devices.attachedDevices().count == count
            }
            await devices.close()
        }
        let signals = server.cloud.count("signal")
        let devices = try server.open { $0.openBooks = 4 }
        devices.resumeSync()
        let ids = try devices.attachedDevices()
        try await eventually("each is in step") {
            for id in ids {
                guard let record = try devices.services.store.device(id),
                    try devices.device(record).machine({ $0.syncStatus?.phase }) == .idle
                else { return false }
            }
            return true
        }
        #expect(server.cloud.count("signal") - signals >= count)
        await devices.close()
    }

    /// A cloud that does not answer holds up neither the next devices nor one whose user comes.
    @Test func aCloudThatIsAwayHoldsNobodyUp() async throws {
        let server = DeviceServer()
        var tokens: [DeviceToken] = []
        do {
            let devices = try server.open()
            server.cloud.say(Entitlement(.active))
            for number in 0..<20 {
                let (token, device) = try await server.guest(devices)
                try await server.signIn("user\(number)", on: device)
                try await eventually { try await device.isInStep() }
                tokens.append(token)
            }
            await devices.close()
        }
        server.cloud.fail(.unreachable("cut"))
        let devices = try server.open()
        devices.resumeSync()
        let device = try await devices.load(try #require(tokens.first))
        try await eventually { device.syncStatus(in: nil)?.phase == .offline }
        let ids = try devices.attachedDevices()
        try await eventually("each has begun") {
            for id in ids {
                guard let record = try devices.services.store.device(id),
                    try devices.device(record).runner != nil
                else { return false }
            }
            return true
        }
        await devices.close()
    }
}
