// A subscription that was bought while the cloud is away: the device says so until it has an answer.
import CloudProtocol
import Entitlements
import Lifecycle
import Testing
import Texts

@testable import Devices

@Suite struct APurchaseWithoutANetwork {
    @Test func isToldUntilTheCloudAnswers() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (token, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        server.cloud.fail(.unreachable("cut"))
        device.show(.purchaseWaits, Text("notices.purchase-waits"))
        #expect(await !device.verify(withinMilliseconds: 1))
        func isTold(_ device: Device) -> Bool { device.notices.contains { $0.key == "purchase-waits" } }
        #expect(isTold(device) && device.tier == .free)
        await devices.close()
        let again = try server.open()
        let returned = try await again.load(token)
        #expect(isTold(returned), "also after a restart")
        server.cloud.say(Entitlement(.active))
        server.cloud.fail(nil)
        await returned.verify()
        try await eventually("premium begins") { returned.tier == .premium && !isTold(returned) }
    }

    @Test func anAnswerWithoutPremiumEndsItAsWell() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        device.show(.purchaseWaits, Text("notices.purchase-waits"))
        await device.verify()
        try await eventually { device.notices.isEmpty }
        #expect(device.tier == .free)
    }
}
