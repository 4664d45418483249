// Devices that were signed out from elsewhere: locked until the same user signs in again, or erased.
import Book
import CloudProtocol
import Ledger
import Lifecycle
import TestKit
import Testing
import Texts

@testable import Devices

@Suite struct ADeviceThatIsSignedOutFromElsewhere {
    let server = DeviceServer()

    /// Two devices of one user: the second one is about to be signed out.
    private func two(_ devices: DeviceManager) async throws -> (
        here: Device, token: DeviceToken, there: Device
    ) {
        let (_, here) = try await server.guest(devices)
        try await server.signIn("anna", on: here)
        let (token, there) = try await server.guest(devices)
        try await server.signIn("anna", on: there)
        try await eventually { ["local_only", "synced"].contains(there.state.name) }
        return (here, token, there)
    }

    private func end(_ there: Device, from here: Device, erases: Bool = false) async throws {
        let other = try #require(try await here.devices().first { !$0.isThisDevice })
        try await here.signOut(device: other.id, erases: erases)
        await there.verify()
    }

    @Test func isLockedUntilItsUserSignsInThereAgain() async throws {
        let devices = try server.open()
        let (here, token, there) = try await two(devices)
        try await server.write(into: there, devices)
        try await end(there, from: here)
        #expect(there.session?.isLocked == true && there.session?.isRevoked == true)
        // No other user gets in, and a guest cannot adopt the device.
        await #expect(throws: DevicesError.signInRefused(.otherUser)) {
            try await server.signIn("bob", on: there)
        }
        #expect(there.session?.isLocked == true)
        // The next process knows it as well.
        await devices.close()
        let again = try server.open()
        let returned = try await again.load(token)
        #expect(returned.session?.isLocked == true)
        try await server.signIn("anna", on: returned)
        #expect(returned.session?.isLocked == false && returned.session?.isRevoked == false)
        #expect(try await returned.book().counts().accounts == 4)
        // Its old session is not listed for ever.
        try await eventually { try await returned.devices().allSatisfy { !$0.isLocked } }
    }

    @Test func sendsWhatItHadNotSentOnceItIsOpenAgain() async throws {
        server.cloud.say(Entitlement(.active))
        let devices = try server.open()
        let (here, _, there) = try await two(devices)
        try await eventually("it is in step") { try await there.isInStep() }
        server.cloud.fail(.unreachable("cut"), ["push"])
        try await server.write(into: there, devices, "Not sent")
        #expect(try await there.pendingChanges() == 1)
        try await end(there, from: here)
        try await eventually { there.session?.isLocked == true }
        #expect(there.state == .synced(try #require(there.session?.userID), mustSignIn: true))
        server.cloud.fail(nil)
        try await server.signIn("anna", on: there)
        try await eventually("it is sent") { try await there.isInStep() }
        try await eventually("it arrives") {
            try await here.book().accountBalances().contains { $0.account.name == "Not sent" }
        }
    }

    @Test func isErasedWhereThatIsAskedFor() async throws {
        let devices = try server.open()
        let (here, _, there) = try await two(devices)
        try await server.write(into: there, devices)
        let guest = there.guest
        try await end(there, from: here, erases: true)
        try await eventually { there.session == nil && there.isIdle }
        #expect(there.guest != guest && there.state == .onboarding(nil))
        #expect(there.notices.map(\.key) == ["account-gone"])
        #expect(there.notices.map(\.text) == [Text("notices.book-erased")])
        #expect(try await there.book().counts().accounts == 0)
        // A locked device can be erased later.
        try await server.signIn("anna", on: there)
        try await eventually { there.state.name == "local_only" && there.isIdle }
        try await end(there, from: here)
        #expect(there.session?.isLocked == true)
        try await end(there, from: here, erases: true)
        try await eventually { there.session == nil && there.isIdle }
    }

    @Test func isErasedWithItsAccountAlsoWhereItIsLocked() async throws {
        let devices = try server.open()
        let (here, _, there) = try await two(devices)
        try await server.write(into: there, devices)
        try await end(there, from: here)
        _ = try server.cloud.directory.remove(try #require(here.session?.user.id))
        await there.verify()
        try await eventually { there.session == nil && there.isIdle }
        #expect(try await there.book().counts().accounts == 0)
    }

    /// The user has not agreed to anything yet: the book on the device is the guest's.
    @Test func keepsAGuestsBookOpenWhoIsAboutToSignIn() async throws {
        let user = try await server.account("anna")
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.write(into: device, devices)
        server.cloud.fail(.unreachable("cut"), ["account"])
        try await server.signIn("anna", on: device)
        #expect(device.state.name == "verifying_account")
        _ = try server.cloud.directory.lock(user.id)
        server.cloud.fail(nil)
        try await eventually { device.state == .localOnly(nil, isAttached: false) && device.isIdle }
        #expect(device.session == nil)
        #expect(try await device.book().counts().accounts == 4)
    }

    @Test func isNotedOnADeviceThatNobodyTouches() async throws {
        let devices = try server.open()
        devices.watchAccounts()
        let (here, _, there) = try await two(devices)
        let other = try #require(try await here.devices().first { !$0.isThisDevice })
        try await here.signOut(device: other.id, erases: false)
        server.clock.advance(by: 60)
        try await eventually { there.session?.isLocked == true }
        try await here.signOut(device: other.id, erases: true)
        server.clock.advance(by: 60)
        try await eventually("also where it is locked") { there.session == nil }
    }

    /// Its browser may never return, but its book is still on the server.
    @Test func isErasedAlsoWhereNobodyHasUsedItSinceTheServerBegan() async throws {
        let devices = try server.open()
        let (here, token, _) = try await two(devices)
        let id = try #require(try devices.find(token)).device.id
        let user = try #require(here.session?.user.id)
        await devices.close()
        _ = try server.cloud.directory.remove(user)
        let again = try server.open()
        again.watchAccounts()
        let store = again.services.store
        try await eventually { try store.session(of: id) == nil }
        let device = try #require(try again.find(token)).device
        try await eventually { device.isIdle && device.session == nil }
        #expect(try await device.book().counts().accounts == 0)
    }
}
