// Premium, scenario by scenario: the effects of each answer of the entitlement service, and of none.
//
// If sync is attached, the device is in `synced`.
import Book
import CloudProtocol
import Entitlements
import Ledger
import Lifecycle
import TestKit
import Testing
import Texts

@testable import Devices

@Suite struct PremiumScenarios {
    let server = DeviceServer()

    /// A free user of a new account.
    private func free(_ devices: DeviceManager, _ name: String = "anna") async throws
        -> (token: DeviceToken, device: Device)
    {
        let (token, device) = try await server.guest(devices)
        try await server.signIn(name, on: device)
        return (token, device)
    }

    /// Opens the device of a cookie in a new process.
    private func reopen(_ devices: DeviceManager, _ token: DeviceToken) async throws -> (
        DeviceManager, Device
    ) {
        await devices.close()
        let again = try server.open()
        return (again, try await again.load(token))
    }

    private func toasts(_ device: Device) -> [String] { device.consumeToasts().map(\.key) }

    private func use(_ devices: DeviceManager, _ token: DeviceToken) throws { _ = try devices.find(token) }

    /// A premium device that sync was attached to, opened again after so many seconds.
    /// - Parameter isCut: whether the service is silent from then on.
    private func returning(after seconds: Int64 = 0, until expiresAt: Int64? = nil, isCut: Bool = false)
        async throws -> (devices: DeviceManager, device: Device)
    {
        let devices = try server.open()
        server.cloud.say(Entitlement(.active, expiresAt: expiresAt))
        let (token, device) = try await free(devices)
        #expect(device.state.name == "synced")
        #expect(toasts(device) == ["premium-activated"], "a page of that time has shown it")
        // Changes that were never uploaded would be announced at the end of the subscription.
        try await eventually("it is in step") { device.syncStatus(in: nil)?.phase == .idle }
        if isCut { server.cloud.fail(.unreachable("cut")) }
        server.clock.advance(by: seconds)
        let (again, returned) = try await reopen(devices, token)
        return (again, returned)
    }

    @Test("1 A new user without a cache is local") func newUser() async throws {
        let devices = try server.open()
        let (_, device) = try await free(devices)
        #expect(device.state.name == "local_only" && device.tier == .free)
        #expect(try await device.book().owner() == device.session?.user.id)
    }

    @Test("2 For a returning free user nothing changes") func returningFree() async throws {
        let (devices, device) = try await {
            let devices = try server.open()
            return try await reopen(devices, try await free(devices).token)
        }()
        await device.verify()
        #expect(server.cloud.count("account") > 0)
        #expect(device.state.name == "local_only" && toasts(device).isEmpty)
        withExtendedLifetime(devices) {}
    }

    @Test("3 Who has just subscribed is attached at once and told so") func justSubscribed() async throws {
        let devices = try server.open()
        let (_, device) = try await free(devices)
        server.cloud.say(Entitlement(.active))
        await device.verify()
        #expect(device.state.name == "synced" && device.tier == .premium)
        #expect(device.consumeToasts().map(\.text) == [Text("notices.premium-activated")])
    }

    @Test("3b News during a verification, which was answered before them, is asked about at once")
    func newsDuringAVerification() async throws {
        let devices = try server.open()
        server.cloud.say(Entitlement(.none))
        let (_, device) = try await free(devices)
        let release = server.cloud.withhold("account")
        devices.verifyAll()
        try await eventually("the old answer is made") { server.cloud.isWithholding }
        server.cloud.say(Entitlement(.active))
        devices.verifyAll()
        release()
        // The clock stands still, so that no verification becomes due.
        try await eventually("it is premium") { device.state.name == "synced" }
        await devices.close()
    }

    @Test("4 Returning premium is attached at the start, without a word") func returningPremium() async throws
    {
        let (again, returned) = try await returning()
        #expect(returned.state == .synced(try #require(returned.session?.userID), mustSignIn: false))
        await returned.verify()
        #expect(returned.state.name == "synced" && toasts(returned).isEmpty)
        withExtendedLifetime(again) {}
    }

    @Test("3 The news of a purchase that no page has shown survives the process, and is shown once")
    func newsSurvivesTheProcess() async throws {
        let devices = try server.open()
        server.cloud.say(Entitlement(.active))
        let (token, device) = try await free(devices)
        #expect(device.state.name == "synced")
        let (again, returned) = try await reopen(devices, token)
        #expect(toasts(returned) == ["premium-activated"])
        let (last, later) = try await reopen(again, token)
        #expect(toasts(later).isEmpty)
        withExtendedLifetime(last) {}
    }

    @Test("5 A service that is silent for less than three days changes nothing") func silentShortly()
        async throws
    {
        let (again, returned) = try await returning(after: 3 * day, isCut: true)
        #expect(returned.state.name == "synced" && returned.tier == .premium)
        withExtendedLifetime(again) {}
    }

    @Test("6 After three days of silence it is local until verified, and attaches by itself")
    func silentForLong() async throws {
        let (again, returned) = try await returning(after: 3 * day + 1, isCut: true)
        #expect(returned.state == .localOnly(returned.session?.userID, isAttached: true))
        #expect(returned.tier == .free, "treated as not premium")
        let asked = server.cloud.count("account")
        try await eventually("it asks again by itself") { server.cloud.count("account") > asked + 2 }
        server.cloud.fail(nil)
        try await eventually("it attaches") { returned.state.name == "synced" }
        #expect(toasts(returned).isEmpty, "nothing has changed for the user")
        withExtendedLifetime(again) {}
    }

    @Test("7 Expired while away: attached from the cache, then drained and told") func expiredAway()
        async throws
    {
        let (again, returned) = try await returning(after: 2 * day, until: noon + day, isCut: true)
        #expect(returned.state.name == "synced")
        server.cloud.say(Entitlement(.expired, expiresAt: noon + day))
        server.cloud.fail(nil)
        try await eventually { returned.state.name == "local_only" }
        #expect(try await returned.pendingChanges() == 0 && returned.session?.isAttached == false)
        let told = returned.notices
        #expect(told.map(\.key) == ["subscription-ended"])
        #expect(told[0].text == Text("notices.subscription-ended"))
        withExtendedLifetime(again) {}
    }

    @Test(
        "7 Expired for over 90 days: what waits stays here, which is told, and a new subscription uploads it"
    )
    func expiredTooLongAgo() async throws {
        let devices = try server.open()
        server.cloud.say(Entitlement(.active))
        let (_, device) = try await free(devices)
        try await eventually { try await device.isInStep() }
        server.cloud.fail(.unreachable("cut"))
        try await server.write(into: device, devices)
        server.cloud.say(Entitlement(.expired, expiresAt: noon - 91 * day))
        server.cloud.fail(nil)
        await device.verify()
        try await eventually { device.state.name == "local_only" }
        #expect(try await device.book().replicaState().pending == 1 && device.session?.isAttached == false)
        #expect(device.notices.map(\.key) == ["subscription-ended", "changes-not-uploaded"])
        #expect(device.notices.last?.text == Text("notices.changes-not-uploaded", ["count": 1]))
        server.cloud.say(Entitlement(.active))
        await device.verify()
        try await eventually { try await device.isInStep() }
        #expect(try await device.pendingChanges() == 0)
        #expect(device.notices.isEmpty)
    }

    @Test("8 A status of over seven days is as one of over three, and logged as stale") func stale()
        async throws
    {
        let (again, returned) = try await returning(after: 7 * day + 1, isCut: true)
        #expect(returned.state == .localOnly(returned.session?.userID, isAttached: true))
        #expect(server.lines.withLock { $0.contains { $0.contains("not verified for over 7 days") } })
        withExtendedLifetime(again) {}
    }

    @Test("9 Who subscribes again is attached and told") func again() async throws {
        let devices = try server.open()
        let (_, device) = try await free(devices)
        server.cloud.say(Entitlement(.expired, expiresAt: noon - 1))
        await device.verify()
        #expect(device.state.name == "local_only" && toasts(device).isEmpty)
        server.cloud.say(Entitlement(.active))
        await device.verify()
        #expect(device.state.name == "synced" && toasts(device) == ["premium-activated"])
    }

    @Test("10 Premium with the switch off is local by choice") func switchedOff() async throws {
        let devices = try server.open()
        let (token, device) = try await free(devices)
        try await device.setSync(false)
        server.cloud.say(Entitlement(.active))
        await device.verify()
        #expect(device.state.name == "local_only" && device.tier == .premium && toasts(device).isEmpty)
        let (again, returned) = try await reopen(devices, token)
        #expect(returned.state.name == "local_only" && returned.session?.wantsSync == false)
        withExtendedLifetime(again) {}
    }

    @Test("11 Switching on attaches at once") func switchOn() async throws {
        let devices = try server.open()
        let (_, device) = try await free(devices)
        try await device.setSync(false)
        server.cloud.say(Entitlement(.active))
        await device.verify()
        try await device.setSync(true)
        #expect(device.state.name == "synced")
    }

    @Test("12 Switching off detaches and keeps the data") func switchOff() async throws {
        let devices = try server.open()
        server.cloud.say(Entitlement(.active))
        let (_, device) = try await free(devices)
        try await server.write(into: device, devices)
        try await device.setSync(false)
        #expect(["draining_upload_queue", "switching_to_local", "local_only"].contains(device.state.name))
        try await eventually { device.state.name == "local_only" }
        #expect(try await device.book().counts().accounts == 4)
        #expect(device.session?.holdings.accounts == 4, "a sign-out says that this copy stays")
        let user = try #require(device.session?.user.id)
        #expect(try server.cloud.directory.holdings(of: user).accounts == 4, "all was sent before")
    }

    @Test("13 A new browser of a premium account verifies, then downloads") func newBrowser() async throws {
        _ = try await server.account("anna", transactions: 7)
        server.cloud.say(Entitlement(.active))
        let devices = try server.open()
        let device = try devices.arrive().device
        try await server.signIn("anna", on: device)
        try await eventually { device.state.name == "synced" }
        #expect(device.state == .synced(try #require(device.session?.userID), mustSignIn: false))
        #expect(device.onboarding == .done, "an existing account is never onboarded")
        // One sign-in made the account elsewhere. This one asked twice: who it is, and what there is.
        #expect(server.cloud.count("sign-in") == 2 && server.cloud.count("account") == 1)
    }

    @Test("14 A session that was ended keeps working, and nothing is cleared") func revoked() async throws {
        let devices = try server.open()
        let (token, device) = try await free(devices)
        try await server.write(into: device, devices)
        try await server.expire(device)
        await device.verify()
        #expect(device.session?.isRevoked == true && device.state.name == "local_only")
        #expect(try await device.book().counts().accounts == 4)
        server.clock.advance(by: day)
        try use(devices, token)
        await device.verify()
        #expect(device.session?.isLocked == false && device.state.name == "local_only")
        let (again, returned) = try await reopen(devices, token)
        #expect(returned.session?.isRevoked == true && returned.state.name == "local_only")
        withExtendedLifetime(again) {}
    }

    @Test("14 also while sync is attached: the state says sign in again") func revokedSynced() async throws {
        let devices = try server.open()
        server.cloud.say(Entitlement(.active))
        let (_, device) = try await free(devices)
        try await server.expire(device)
        await device.verify()
        #expect(device.state == .synced(try #require(device.session?.userID), mustSignIn: true))
        // 15
        try await server.signIn("anna", on: device)
        #expect(device.state == .synced(try #require(device.session?.userID), mustSignIn: false))
    }

    @Test("15 The same user signs in again and goes on where they were") func sameUser() async throws {
        let devices = try server.open()
        let (_, device) = try await free(devices)
        try await server.write(into: device, devices)
        try await server.expire(device)
        await device.verify()
        try await server.signIn("anna", on: device)
        #expect(device.session?.isRevoked == false && device.state.name == "local_only")
        #expect(try await device.book().counts().accounts == 4)
        #expect(try await device.devices().count == 1)
    }

    @Test("16 A cloud that can be reached again is noticed without being told") func reachableAgain()
        async throws
    {
        let devices = try server.open()
        let (token, device) = try await free(devices)
        server.cloud.fail(.unreachable("cut"))
        server.clock.advance(by: 3_600)
        try use(devices, token)
        try await eventually { server.cloud.count("account") > 2 }
        server.cloud.say(Entitlement(.active))
        server.cloud.fail(nil)
        try await eventually { device.state.name == "synced" }
    }

    @Test("17 A refund is as an expiry") func refund() async throws {
        let devices = try server.open()
        server.cloud.say(Entitlement(.active))
        let (_, device) = try await free(devices)
        try await eventually("it is in step") { device.syncStatus(in: nil)?.phase == .idle }
        server.cloud.say(Entitlement(.revoked))
        devices.verifyAll()
        try await eventually { device.state.name == "local_only" }
        #expect(device.notices.map(\.key) == ["subscription-ended"])
    }

    @Test("18 A renewal updates the cache and shows nothing") func renewal() async throws {
        let devices = try server.open()
        server.cloud.say(Entitlement(.active, expiresAt: noon + day, willRenew: true))
        let (_, device) = try await free(devices)
        _ = device.consumeToasts()
        server.cloud.say(Entitlement(.active, expiresAt: noon + 31 * day, willRenew: true))
        await device.verify()
        #expect(device.session?.entitlement?.entitlement.expiresAt == noon + 31 * day)
        #expect(toasts(device).isEmpty && device.state.name == "synced")
    }

    @Test("19 A pending payment grants nothing until it is approved") func pending() async throws {
        let devices = try server.open()
        server.cloud.say(Entitlement(.pending))
        let (_, device) = try await free(devices)
        #expect(device.state.name == "local_only" && device.tier == .free)
        server.cloud.say(Entitlement(.active))
        await device.verify()
        #expect(device.state.name == "synced" && toasts(device) == ["premium-activated"])
    }

    @Test("20 The same change is told once") func toldOnce() async throws {
        let devices = try server.open()
        let (token, device) = try await free(devices)
        server.cloud.say(Entitlement(.active))
        for _ in 1...3 { await device.verify() }
        #expect(toasts(device) == ["premium-activated"])
        await device.verify()
        #expect(toasts(device).isEmpty)
        let (again, returned) = try await reopen(devices, token)
        await returned.verify()
        #expect(toasts(returned).isEmpty)
        withExtendedLifetime(again) {}
    }

    @Test(
        "21 A purchase that lands while the app begins is told once, whichever comes first",
        arguments: [true, false]
    )
    func duringTheStart(theNewsIsFirst: Bool) async throws {
        let devices = try server.open()
        let (_, device) = try devices.arrive()
        try await server.signIn("anna", on: device)
        #expect(device.state == .onboarding(device.session?.userID))
        if theNewsIsFirst {
            server.cloud.say(Entitlement(.active))
            await device.verify()
            for step in [OnboardingStep.currency, .secondary, .calendar] { try await device.answered(step) }
        } else {
            for step in [OnboardingStep.currency, .secondary, .calendar] { try await device.answered(step) }
            server.cloud.say(Entitlement(.active))
        }
        await device.verify()
        #expect(device.state.name == "synced")
        #expect(toasts(device) == ["premium-activated"])
    }

    @Test func anEditedOrCopiedStatusIsNone() async throws {
        let devices = try server.open()
        server.cloud.say(Entitlement(.active))
        let (_, first) = try await free(devices)
        let (_, second) = try await free(devices, "bob")
        let store = first.services.store
        let premium = try #require(try store.session(of: first.id))
        let seal = first.services.seal
        var copied = try #require(try store.session(of: second.id))
        copied.sealedEntitlement = premium.sealedEntitlement
        #expect(Session(copied, of: second.id, seal).entitlement == nil)
        var edited = premium
        edited.sealedEntitlement?[20] ^= 1
        #expect(Session(edited, of: first.id, seal).entitlement == nil)
        edited.sealedEntitlement = premium.sealedToken
        #expect(Session(edited, of: first.id, seal).entitlement == nil)
        edited.sealedToken = []
        #expect(Session(edited, of: first.id, seal).isRevoked, "a token that cannot be read is none")
        #expect(Session(premium, of: first.id, seal).isPremium(at: noon))
    }

    @Test func aStartDoesNotWaitForTheService() async throws {
        let devices = try server.open()
        server.cloud.say(Entitlement(.active))
        let (token, _) = try await free(devices)
        await devices.close()
        server.cloud.fail(.unreachable("cut"))
        let again = try server.open()
        // The service does not answer, but the device is loaded.
        #expect(try await again.load(token).state.name == "synced")
    }
}
