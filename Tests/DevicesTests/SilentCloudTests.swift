// A cloud that has a request and does not answer it.
import Testing

@testable import Devices

@Suite struct ACloudThatKeepsSomebodyWaiting {
    @Test func isSaidToBeAwaitedUntilItAnswers() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        #expect(device.syncStatus(in: nil)?.isSilent == false)
        let release = server.cloud.withhold("push")
        try await server.write(into: device, devices)
        try await eventually("its answer is awaited") { device.syncStatus(in: nil)?.isSilent == true }
        release()
        try await eventually("it has come") {
            let isInStep = try await device.isInStep()
            return isInStep && device.syncStatus(in: nil)?.isSilent == false
        }
    }
}
