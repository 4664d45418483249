// The name of a book in a browser: nothing that is kept under it gets into another book.
import Lifecycle
import TestKit
import Testing

@testable import Devices

@Suite struct TheNameOfABook {
    let server = DeviceServer()

    @Test func isThatOfAGuestUntilTheEndOfTheProcessAndAfterIt() async throws {
        let devices = try server.open()
        let (token, device) = try await server.guest(devices)
        let (_, other) = try await server.guest(devices)
        let name = try #require(device.bookName)
        #expect(device.bookName == name && other.bookName != name)
        #expect(!name.contains("\(device.guest)") && name.utf8.count == 16)
        await devices.close()
        #expect(try await server.open().load(token).bookName == name)
    }

    @Test func isThatOfAUserOnEachDeviceAndOfNoOtherUser() async throws {
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        let (_, second) = try await server.guest(devices)
        let (_, other) = try await server.guest(devices)
        let guest = device.bookName
        try await server.signIn("anna", on: device)
        try await server.signIn("anna", on: second)
        try await server.signIn("bob", on: other)
        for one in [device, second, other] { try await eventually { one.state.name == "local_only" } }
        #expect(device.bookName != guest && device.bookName == second.bookName)
        #expect(other.bookName != device.bookName)
    }

    @Test func isAnotherOneOfALockedBook() async throws {
        let devices = try server.open()
        let (_, here) = try await server.guest(devices)
        let (_, there) = try await server.guest(devices)
        for device in [here, there] { try await server.signIn("anna", on: device) }
        try await eventually { there.state.name == "local_only" }
        let name = try #require(there.bookName)
        let other = try #require(try await here.devices().first { !$0.isThisDevice })
        try await here.signOut(device: other.id, erases: false)
        await there.verify()
        #expect(there.bookName == "locked")
        try await server.signIn("anna", on: there)
        #expect(there.bookName == name)
    }

    @Test func isNotKnownWhileASignInDecides() async throws {
        _ = try await server.account("anna")
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        let guest = try #require(device.bookName)
        server.cloud.fail(.unreachable("cut"), ["account"])
        try await server.signIn("anna", on: device)
        #expect(device.state.name == "verifying_account")
        #expect(device.bookName == nil)
        try await device.handle(.verificationCancelled)
        try await eventually { device.session == nil && device.isIdle }
        #expect(device.bookName == guest)
    }
}
