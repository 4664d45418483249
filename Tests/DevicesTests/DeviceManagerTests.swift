// Devices in a folder of their own, without a network: cookies, the lifecycle's effects, limits.
import Book
import DeviceStore
import Foundation
import Ledger
import Lifecycle
import TestKit
import Testing

@testable import Devices

@Suite struct DeviceManagers {
    let server = DeviceServer()
    var folder: Folder { server.folder }
    var clock: FixedClock { server.clock }

    func open(
        _ change: (inout DeviceManager.Limits) -> Void = { _ in },
        mayBegin: @escaping @Sendable (Effect?) -> Bool = { _ in true },
        mayEnd: @escaping @Sendable (Effect?) -> Bool = { _ in true }
    ) throws -> DeviceManager {
        try server.open(change, mayBegin: mayBegin, mayEnd: mayEnd)
    }

    func onboard(_ device: Device) async throws {
        for step in [OnboardingStep.currency, .secondary, .calendar] { try await device.answered(step) }
    }

    @Test func aVisitorBecomesADeviceOnce() async throws {
        let devices = try open()
        let invented = devices.newToken()
        let form = devices.dependencies.newID()
        #expect(try devices.find(invented) == nil)
        func send(_ form: EntityID?) throws -> DeviceManager.Found {
            try devices.welcome(
                DeviceManager.FormSubmission(invented.hash, form: form),
                from: "192.0.2.1",
                locale: "de-AT"
            )
        }
        let found = try send(form)
        try await found.device.waitUntilIdle(withinMilliseconds: .max)
        #expect(found.device.state == .onboarding(nil))
        let token = try #require(found.newCookie)
        #expect(token != invented)
        #expect(try devices.find(token)?.device === found.device)
        #expect(try devices.find(invented) == nil, "who knows the cookie from before knows nothing")
        let again = try send(form)
        #expect(again.device === found.device && again.newCookie == token)
        #expect(try devices.count() == 1)
        #expect(try send(devices.dependencies.newID()).device !== found.device, "another form")
        #expect(try send(nil).device !== found.device, "no form of ours")
    }

    @Test func aStateOfAnotherVersionIsLogged() async throws {
        let devices = try open()
        let (_, device) = try await server.guest(devices)
        var record = try #require(try devices.services.store.device(device.id))
        devices.drop(device.id)
        _ = try devices.device(record)
        #expect(!server.lines.withLock { $0.contains { $0.contains("another version") } })
        devices.drop(device.id)
        (record.state, record.isStateUnknown) = (.uninitialized, true)
        #expect(try devices.device(record).id == device.id)
        let told = "a device has a state of another version, and begins again with its book and its session"
        #expect(server.lines.withLock { $0.contains { $0.contains(told) && $0.contains("\(device.id)") } })
    }

    @Test func onboardingSeedsTheDefaultsInTheCurrencyOfTheBrowser() async throws {
        let devices = try open()
        let device = try devices.arrive(locale: "de-AT").device
        try await onboard(device)
        #expect(device.state == .localOnly(nil, isAttached: false))
        let accounts = try await device.book().accountBalances().map(\.account)
        #expect(accounts.map(\.name) == ["Cash", "Bank", "Card"])
        #expect(accounts.allSatisfy { $0.currency == .eur })
        let kinds = try await device.book().categoryUses().map(\.category.kind)
        #expect(kinds.contains(.expense) && kinds.contains(.income))
        let path = try device.transitions().map { "\($0.from) \($0.event) \($0.to)" }
        #expect(
            path == [
                "uninitialized APP_START initializing", "initializing INIT_COMPLETE onboarding",
                "onboarding ONBOARDING_COMPLETE seeding_guest", "seeding_guest SEEDING_COMPLETE local_only",
            ]
        )
    }

    @Test func anAnswerGivenAgainTakesNobodyBack() async throws {
        let devices = try open()
        let device = try devices.arrive().device
        try await device.answered(.currency)
        try await device.answered(.secondary)
        try await device.answered(.currency)
        #expect(device.onboarding == .calendar)
    }

    @Test func everythingIsThereAfterAStart() async throws {
        let token: DeviceToken
        let id: EntityID
        do {
            let devices = try open()
            let device: Device
            (token, device) = try devices.arrive()
            try await device.answered(.currency)
            id = device.id
            await devices.close()
        }
        let again = try open()
        let found = try #require(try again.find(token))
        #expect(found.device.id == id)
        #expect(found.device.state == .onboarding(nil))
        #expect(found.device.onboarding == .secondary)
    }

    @Test(arguments: [true, false])
    func aProcessThatDiesInAnEffectGoesOnWhereItStopped(beforeTheEffect: Bool) async throws {
        for fatal in [Effect.gatherContext, .seedDefaults] {
            let token: DeviceToken
            do {
                let devices = try open(
                    mayBegin: { $0 != fatal || !beforeTheEffect },
                    mayEnd: { $0 != fatal || beforeTheEffect }
                )
                let device: Device
                (token, device) = try devices.arrive(locale: "de-AT")
                await #expect(throws: DevicesError.book(.closed)) { try await onboard(device) }
                await devices.close()
            }
            let again = try open()
            let device = try await again.load(token)
            if device.state == .onboarding(nil) { try await onboard(device) }
            #expect(device.state == .localOnly(nil, isAttached: false), "\(fatal)")
            let counts = try await device.book().counts()
            #expect(counts.accounts == 3 && counts.categories == 25, "\(fatal)")
            await again.close()
        }
    }

    @Test func aDamagedBookIsAnErrorOfItsDeviceOnlyAndCanBeRetried() async throws {
        let first: DeviceToken
        let second: DeviceToken
        let path: String
        do {
            let devices = try open()
            let (one, two) = (try devices.arrive(), try devices.arrive())
            (first, second) = (one.token, two.token)
            for device in [one.device, two.device] { try await onboard(device) }
            path = try await devices.load(first).book().path
            await devices.close()
        }
        let whole = try #require(FileManager.default.contents(atPath: path))
        try Data(repeating: 65, count: 8_192).write(to: URL(fileURLWithPath: path))
        let again = try open()
        let broken = try await again.load(first)
        guard case .error(let failure) = broken.state else {
            Issue.record("\(broken.state)")
            return
        }
        #expect(failure.what == "damaged_book" && failure.from == .initializing)
        #expect(try await again.load(second).state == .localOnly(nil, isAttached: false))
        try whole.write(to: URL(fileURLWithPath: path))
        try await broken.handle(.retry)
        #expect(broken.state == .localOnly(nil, isAttached: false))
    }

    @Test func aCookieIsReplacedEveryThirtyDays() async throws {
        let devices = try open()
        let (old, device) = try devices.arrive()
        clock.advance(by: 30 * day - 1)
        #expect(try devices.find(old)?.newCookie?.text == old.text, "the same again, to last longer")
        clock.advance(by: 1)
        let fresh = try #require(try devices.find(old)?.newCookie)
        #expect(fresh != old)
        #expect(try devices.find(old)?.device === device, "under way")
        #expect(try devices.find(fresh)?.device === device)
        clock.advance(by: 61)
        #expect(try devices.find(old) == nil)
        #expect(try devices.find(fresh)?.newCookie == nil)
    }

    @Test func aReplacedCookieThatNeverArrivedIsReplacedAgain() async throws {
        let devices = try open()
        let (old, device) = try devices.arrive()
        clock.advance(by: 31 * day)
        let lost = try #require(try devices.find(old)?.newCookie)
        clock.advance(by: 5 * day)
        let found = try #require(try devices.find(old))
        #expect(found.device === device)
        let fresh = try #require(found.newCookie)
        #expect(try devices.find(lost) == nil)
        #expect(try devices.find(fresh)?.device === device)
    }

    @Test func guestsOfOneAddressCannotFillTheDisk() async throws {
        let devices = try open {
            $0.guests = 5
            $0.guestsPerAddressAndHour = 3
        }
        func arrive(_ address: String) throws {
            _ = try devices.arrive(from: address)
        }
        for _ in 0..<3 { try arrive("a") }
        #expect(throws: DevicesError.tooManyFromAddress) { try arrive("a") }
        try arrive("b")
        clock.advance(by: 3_600)
        try arrive("a")
        #expect(throws: DevicesError.tooManyGuests) { try arrive("c") }
        #expect(try devices.count() == 5)
    }

    @Test func aSecondServerIsRefusedTheFolder() async throws {
        let first = try open()
        #expect(throws: DataFolderError.inUse(folder.path)) { try open() }
        withExtendedLifetime(first) {}
    }

    @Test func moreBooksThanMayBeOpenAreServedAllTheSame() async throws {
        let devices = try open { $0.openBooks = 2 }
        let all = try (0..<5).map { _ in
            try devices.arrive().device
        }
        for device in all { try await onboard(device) }
        for device in all { #expect(try await device.book().counts().accounts == 3) }
    }

    @Test func todayIsTheUsersDay() async throws {
        let dependencies = try open().dependencies
        clock.advance(by: 11 * 3_600)
        #expect(dependencies.today(in: "East").dayNumber == dependencies.today(in: "Nowhere").dayNumber + 1)
    }

    @Test func aFormsTokenIsItsBrowsersAlone() async throws {
        let devices = try open()
        let (mine, other) = (devices.newToken().hash, devices.newToken().hash)
        let token = devices.seal.token(for: mine)
        #expect(devices.seal.accepts(token, for: mine))
        #expect(!devices.seal.accepts(token, for: other))
        #expect(!devices.seal.accepts("", for: mine))
        #expect(!devices.seal.accepts(token + "0", for: mine))
    }

    @Test(arguments: ["", "abc", String(repeating: "g", count: 64), String(repeating: "A", count: 64)])
    func onlySixtyFourHexadecimalDigitsAreACookie(text: String) {
        #expect(DeviceToken(text) == nil)
    }
}
