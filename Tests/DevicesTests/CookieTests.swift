// Cookies: who gets another one, when the one before dies, and what that must not cost.
import Book
import CloudProtocol
import DeviceStore
import Ledger
import TestKit
import Testing

@testable import Devices

@Suite struct Cookies {
    let server = DeviceServer()

    private func sending(_ cookie: DeviceToken, _ devices: DeviceManager) -> DeviceManager.FormSubmission {
        DeviceManager.FormSubmission(cookie.hash, form: devices.dependencies.newID())
    }

    @Test func theOneBeforeASignInDiesAtOnce() async throws {
        let devices = try server.open()
        let (old, device) = try await server.guest(devices)
        _ = try devices.find(old)
        let fresh = try #require(try devices.replaceCookie(sending(old, devices), of: device))
        #expect(try devices.find(old) == nil)
        #expect(try devices.find(fresh)?.device === device)
        #expect(
            try devices.find(fresh)?.formCookies == [fresh.hash],
            "forms from before are another session's"
        )
        #expect(try devices.find(old) == nil)
        #expect(try devices.replaceCookie(sending(old, devices), of: device) == nil, "another form, too late")
    }

    @Test func aSignInThatIsSentAgainGetsTheSameAnswer() async throws {
        let devices = try server.open()
        let (old, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        let anna = try #require(device.session?.user)
        let form = sending(old, devices)
        let fresh = try devices.replaceCookie(form, of: device)
        #expect(try devices.replaceCookie(form, of: device) == fresh)
        for _ in 0..<2 {
            let again = try devices.welcome(form, from: "a", locale: "", user: anna)
            #expect(again.device === device && again.newCookie == fresh)
        }
        // Another user who has seen the page has cookie and form, but is not its user.
        let guest = try devices.welcome(form, from: "a", locale: "")
        #expect(guest.device !== device && guest.newCookie != fresh)
        server.clock.advance(by: 601)
        #expect(try devices.replaceCookie(form, of: device) == nil, "that was long ago")
    }

    @Test func aUserWhoseNewCookieWasLostOpensTheirBookWithTheOneBeforeAndTheirPassword() async throws {
        let devices = try server.open()
        let (old, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        try await server.write(into: device, devices)
        _ = try devices.replaceCookie(sending(old, devices), of: device)
        #expect(try devices.find(old) == nil)
        let anna = try #require(device.session?.user)
        let other = try devices.welcome(
            sending(old, devices),
            from: "a",
            locale: "",
            user: server.user("ben")
        )
        #expect(other.device !== device, "somebody else")
        // The answer to this one may be lost as well.
        for _ in 0..<3 {
            let again = try devices.welcome(sending(old, devices), from: "a", locale: "", user: anna)
            #expect(again.device === device)
        }
        let again = try devices.welcome(sending(old, devices), from: "a", locale: "", user: anna)
        let fresh = try #require(again.newCookie)
        #expect(try devices.find(fresh)?.device === device)
        // The form was used, so that the earlier cookie belongs to no device.
        let another = try devices.welcome(sending(old, devices), from: "a", locale: "", user: anna)
        #expect(another.device !== device)
    }

    @Test func aBrowserThatNeverLearntOfItsSignInIsKnownUntilTheNewCookieIsUsed() async throws {
        let devices = try server.open()
        let (old, device) = try await server.guest(devices)
        #expect(!devices.hasLostSignIn(old), "the cookie of a guest")
        try await server.signIn("anna", on: device)
        let fresh = try #require(try devices.replaceCookie(sending(old, devices), of: device))
        #expect(devices.hasLostSignIn(old) && !devices.hasLostSignIn(fresh))
        #expect(!devices.hasLostSignIn(devices.newToken()))
        await devices.close()
        let again = try server.open()
        #expect(again.hasLostSignIn(old), "also after a restart")
        _ = try again.find(fresh)
        #expect(!again.hasLostSignIn(old), "the answer has arrived")
        // A sign-out leaves no user to sign in again.
        let known = try await again.load(fresh)
        try await known.handle(.userSignedOut)
        _ = try again.replaceCookie(sending(fresh, again), of: known)
        #expect(!again.hasLostSignIn(fresh))
    }

    @Test func aFormThatMeetsTheRotationIsItsBrowsersStill() async throws {
        let devices = try server.open()
        let (old, device) = try await server.guest(devices)
        server.clock.advance(by: 31 * day)
        let rotated = try #require(try devices.find(old))
        let fresh = try #require(rotated.newCookie)
        #expect(rotated.cookie == fresh.hash && rotated.formCookies.contains(old.hash))
        // A page that is shown now is sent with the old one, should the new one never arrive.
        let underWay = try #require(try devices.find(old))
        #expect(underWay.cookie == old.hash && underWay.formCookies.contains(fresh.hash))
        #expect(try devices.find(fresh)?.formCookies.contains(old.hash) == true, "a tab from before")
        server.clock.advance(by: 5 * day)
        #expect(try devices.find(fresh)?.formCookies.contains(old.hash) == true, "a tab from last week")
        #expect(try devices.find(old) == nil)
        withExtendedLifetime(device) {}
    }

    /// A browser with several tabs comes with the same cookie on all of them.
    @Test func requestsThatMeetTheRotationTogetherShareOneNewCookie() async throws {
        let devices = try server.open()
        let (old, device) = try await server.guest(devices)
        server.clock.advance(by: 31 * day)
        let found = await withTaskGroup(of: DeviceManager.Found?.self) { group in
            for _ in 0..<8 { group.addTask { try? devices.find(old) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found.allSatisfy { $0?.device === device })
        let given = Set(found.compactMap { $0?.newCookie })
        #expect(given.count == 1)
        #expect(try devices.find(try #require(given.first))?.device === device)
    }

    @Test func aSignInThatMeetsTheRotationEndsTheCookieThatItCameWith() async throws {
        let devices = try server.open()
        let (old, device) = try await server.guest(devices)
        server.clock.advance(by: 31 * day)
        _ = try devices.find(old)
        let fresh = try #require(try devices.replaceCookie(sending(old, devices), of: device))
        server.clock.advance(by: 120)
        #expect(try devices.find(old) == nil)
        #expect(try devices.find(fresh)?.device === device)
    }

    @Test func aBoundCookieIsTakenFromThisHostAlone() async throws {
        let devices = try server.open()
        let (token, device) = try await server.guest(devices)
        #expect(try devices.find(token, isHostBound: true)?.device === device)
        #expect(try devices.find(token, isHostBound: false) == nil, "planted by whoever knows it")
        #expect(try devices.find(token, mustBeReplaced: true) == nil)
        #expect(try devices.find(token, isHostBound: true)?.device === device)
    }

    @Test func aBrowserFromBeforeGetsABoundCookie() async throws {
        let devices = try server.open()
        let (old, device) = try await server.guest(devices)
        let fresh = try #require(try devices.find(old, mustBeReplaced: true)?.newCookie)
        #expect(fresh != old)
        #expect(try devices.find(old, mustBeReplaced: true)?.device === device, "its answer may be lost")
        #expect(try devices.find(fresh, isHostBound: true)?.device === device)
        #expect(try devices.find(old, mustBeReplaced: true) == nil)
    }

    @Test func aCookieEndsAfterFourHundredDaysWithoutUse() async throws {
        let devices = try server.open()
        let (token, _) = try await server.guest(devices)
        server.clock.advance(by: 400 * day)
        let found = try #require(try devices.find(token))
        let fresh = try #require(found.newCookie)
        _ = try devices.find(fresh)
        server.clock.advance(by: 400 * day + 1)
        #expect(try devices.find(fresh) == nil)
        #expect(try devices.count() == 1, "its book is there")
    }

    @Test func nothingIsAskedForABrowserWhoseCookieIsOver() async throws {
        let devices = try server.open()
        let (token, device) = try await server.guest(devices)
        server.cloud.say(Entitlement(.active))
        try await server.signIn("anna", on: device)
        try await eventually("attached") { device.session?.isAttached == true }
        #expect(try devices.attachedDevices() == [device.id])
        server.clock.advance(by: 400 * day)
        #expect(try devices.attachedDevices().isEmpty)
        #expect(try devices.find(token) != nil)
        #expect(try devices.attachedDevices() == [device.id], "it came on the last day")
    }

    @Test func aDeviceShowsWhoWasSignedInThereBefore() async throws {
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        #expect(device.formerTokens().isEmpty)
        var tokens: [SessionToken] = []
        for name in ["anna", "ben", "anna", "cleo", "dora", "emil", "fay"] {
            try await server.signIn(name, on: device)
            let token = try #require(device.session?.token)
            tokens.insert(token, at: 0)
            #expect(device.formerTokens().first == token)
            try await eventually("signed in for good") {
                if case .localOnly = device.state { true } else { false }
            }
            try await device.handle(.userSignedOut)
            try await eventually("the cloud knows") {
                try devices.services.store.endedTokens().isEmpty
            }
            for step in [OnboardingStep.welcome, .currency, .secondary, .calendar] {
                try await device.answered(step)
            }
            server.clock.advance(by: 1)
        }
        #expect(device.formerTokens() == Array(tokens.prefix(NewDevice.mostFormer)))
        let known = try server.cloud.directory.localSubjects(of: device.formerTokens())
        #expect(known.isEmpty, "they are no accounts with a password")
    }

    @Test func aPendingSignInIsFinishedByTheBrowserThatBeganIt() throws {
        let devices = try server.open()
        let (mine, other) = (devices.newToken().hash, devices.newToken().hash)
        let pending = PendingSignIn(
            state: "s",
            nonce: "n",
            verifier: "v",
            redirect: "https://x.test/sign-in/callback",
            expiresAt: noon + 600
        )
        let closed = try #require(devices.closed(pending, for: mine))
        #expect(devices.pendingSignIn(closed, for: [mine])?.0 == pending)
        #expect(devices.pendingSignIn(closed, for: [other, mine])?.0 == pending)
        #expect(devices.pendingSignIn(closed, for: [other]) == nil)
        server.clock.advance(by: 600)
        #expect(devices.pendingSignIn(closed, for: [mine]) == nil)
    }
}

extension DeviceServer {
    func user(_ name: String) -> UserAccount {
        var random = SystemRandomNumberGenerator()
        let id = EntityID(milliseconds: 1, using: &random)
        return UserAccount(id: id, email: "\(name)@x.test", name: nil, createdAt: noon, hasPassword: true)
    }
}
