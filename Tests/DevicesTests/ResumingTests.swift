// The start of a server resumes the sync of every device, though nobody opens a page.
import DeviceStore
import Ledger
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Devices

@Suite struct AStart {
    /// More devices than the earlier limit of 200. The cloud hears of each of them: their changes were made while it was
    /// away, and nobody opens a page.
    @Test func resumesEveryDevice() async throws {
        let house = House()
        let count = 208
        do {
            let devices = try house.open { $0.guestsPerAddressAndHour = count }
            house.cloud.say(Entitlement(.active))
            await withTaskGroup(of: Void.self) { group in
                for first in 0..<4 {
                    group.addTask {
                        for number in stride(from: first, to: count, by: 4) {
                            do {
                                let device = try await house.guest(devices).device
                                try await house.signIn("user\(number)", on: device)
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
        let signals = house.cloud.count("signal")
        let devices = try house.open { $0.openBooks = 4 }
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
        #expect(house.cloud.count("signal") - signals >= count)
        await devices.close()
    }

    /// A cloud that does not answer holds up neither the next devices nor one whose user comes.
    @Test func aCloudThatIsAwayHoldsNobodyUp() async throws {
        let house = House()
        var tokens: [DeviceToken] = []
        do {
            let devices = try house.open()
            house.cloud.say(Entitlement(.active))
            for number in 0..<20 {
                let (token, device) = try await house.guest(devices)
                try await house.signIn("user\(number)", on: device)
                try await eventually { try await device.isInStep() }
                tokens.append(token)
            }
            await devices.close()
        }
        house.cloud.fail(.unreachable("cut"))
        let devices = try house.open()
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
