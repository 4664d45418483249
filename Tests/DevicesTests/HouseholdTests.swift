// Devices in a folder of their own, without a network: cookies, the lifecycle's effects, limits.
import Book
import Foundation
import Ledger
import Lifecycle
import TestKit
import Testing

@testable import Devices

@Suite struct Households {
    let house = House()
    var folder: Folder { house.folder }
    var clock: FixedClock { house.clock }

    func household(
        _ change: (inout Household.Limits) -> Void = { _ in },
        mayBegin: @escaping @Sendable (Effect) -> Bool = { _ in true },
        mayEnd: @escaping @Sendable (Effect) -> Bool = { _ in true }
    ) throws -> Household {
        try house.open(change, mayBegin: mayBegin, mayEnd: mayEnd)
    }

    func onboard(_ device: Device) throws {
        for step in [OnboardingStep.currency, .secondary, .calendar] { try device.answered(step) }
    }

    @Test func aVisitorBecomesADeviceOnce() throws {
        let household = try household()
        let token = household.newToken()
        #expect(try household.find(token) == nil)
        let device = try household.welcome(token, from: "192.0.2.1", locale: "de-AT")
        #expect(device.state == .onboarding(nil))
        #expect(try household.welcome(token, from: "192.0.2.1", locale: "de-AT").id == device.id)
        #expect(try household.find(token)?.device === device)
        #expect(try household.count() == 1)
    }

    @Test func onboardingSeedsTheDefaultsInTheCurrencyOfTheBrowser() throws {
        let household = try household()
        let device = try household.welcome(household.newToken(), from: "a", locale: "de-AT")
        try onboard(device)
        #expect(device.state == .localOnly(nil, isAttached: false))
        let accounts = try device.book().accountBalances().map(\.account)
        #expect(accounts.map(\.name) == ["Cash", "Bank", "Card"])
        #expect(accounts.allSatisfy { $0.currency == .eur })
        let kinds = try device.book().categoryUses().map(\.category.kind)
        #expect(kinds.contains(.expense) && kinds.contains(.income))
        let path = try device.transitions().map { "\($0.from) \($0.event) \($0.to)" }
        #expect(
            path == [
                "uninitialized APP_START initializing", "initializing INIT_COMPLETE onboarding",
                "onboarding ONBOARDING_COMPLETE seeding_guest", "seeding_guest SEEDING_COMPLETE local_only",
            ]
        )
    }

    @Test func anAnswerGivenAgainTakesNobodyBack() throws {
        let household = try household()
        let device = try household.welcome(household.newToken(), from: "a", locale: "")
        try device.answered(.currency)
        try device.answered(.secondary)
        try device.answered(.currency)
        #expect(device.onboarding == .calendar)
    }

    @Test func everythingIsThereAfterAStart() throws {
        let token: DeviceToken
        let id: EntityID
        do {
            let household = try household()
            token = household.newToken()
            let device = try household.welcome(token, from: "a", locale: "")
            try device.answered(.currency)
            id = device.id
            household.close()
        }
        let again = try household()
        let found = try #require(try again.find(token))
        #expect(found.device.id == id)
        #expect(found.device.state == .onboarding(nil))
        #expect(found.device.onboarding == .secondary)
    }

    @Test(arguments: [true, false])
    func aProcessThatDiesInAnEffectGoesOnWhereItStopped(beforeTheEffect: Bool) throws {
        for fatal in [Effect.gatherContext, .seedDefaults] {
            let token: DeviceToken
            do {
                let household = try household(
                    mayBegin: { $0 != fatal || !beforeTheEffect },
                    mayEnd: { $0 != fatal || beforeTheEffect }
                )
                token = household.newToken()
                let device = try household.welcome(token, from: "a", locale: "de-AT")
                try onboard(device)
                household.close()
            }
            let again = try household()
            let device = try #require(try again.find(token)).device
            if device.state == .onboarding(nil) { try onboard(device) }
            #expect(device.state == .localOnly(nil, isAttached: false), "\(fatal)")
            let counts = try device.book().counts()
            #expect(counts.accounts == 3 && counts.categories == 25, "\(fatal)")
            again.close()
        }
    }

    @Test func aDamagedBookIsAnErrorOfItsDeviceOnlyAndCanBeRetried() throws {
        let first: DeviceToken
        let second: DeviceToken
        let path: String
        do {
            let household = try household()
            (first, second) = (household.newToken(), household.newToken())
            for token in [first, second] { try onboard(try household.welcome(token, from: "a", locale: "")) }
            path = try #require(try household.find(first)).device.book().path
            household.close()
        }
        let whole = try #require(FileManager.default.contents(atPath: path))
        try Data(repeating: 65, count: 8_192).write(to: URL(fileURLWithPath: path))
        let again = try household()
        let broken = try #require(try again.find(first)).device
        guard case .error(let failure) = broken.state else {
            Issue.record("\(broken.state)")
            return
        }
        #expect(failure.what == "damaged_book" && failure.from == .initializing)
        #expect(try #require(try again.find(second)).device.state == .localOnly(nil, isAttached: false))
        try whole.write(to: URL(fileURLWithPath: path))
        try broken.handle(.retry)
        #expect(broken.state == .localOnly(nil, isAttached: false))
    }

    @Test func aCookieIsReplacedEveryThirtyDays() throws {
        let household = try household()
        let old = household.newToken()
        let device = try household.welcome(old, from: "a", locale: "")
        clock.advance(by: 30 * day - 1)
        #expect(try household.find(old)?.newCookie?.text == old.text, "the same again, to last longer")
        clock.advance(by: 1)
        let fresh = try #require(try household.find(old)?.newCookie)
        #expect(fresh != old)
        #expect(try household.find(old)?.device === device, "under way")
        #expect(try household.find(fresh)?.device === device)
        clock.advance(by: 61)
        #expect(try household.find(old) == nil)
        #expect(try household.find(fresh)?.newCookie == nil)
    }

    @Test func aReplacedCookieThatNeverArrivedIsReplacedAgain() throws {
        let household = try household()
        let old = household.newToken()
        let device = try household.welcome(old, from: "a", locale: "")
        clock.advance(by: 31 * day)
        let lost = try #require(try household.find(old)?.newCookie)
        clock.advance(by: 5 * day)
        let found = try #require(try household.find(old))
        #expect(found.device === device)
        let fresh = try #require(found.newCookie)
        #expect(try household.find(lost) == nil)
        #expect(try household.find(fresh)?.device === device)
    }

    @Test func strangersCannotFillTheDisk() throws {
        let household = try household {
            $0.guests = 5
            $0.guestsPerAddressAndHour = 3
        }
        func arrive(_ address: String) throws {
            _ = try household.welcome(household.newToken(), from: address, locale: "")
        }
        for _ in 0..<3 { try arrive("a") }
        #expect(throws: DevicesError.tooManyFromAddress) { try arrive("a") }
        try arrive("b")
        clock.advance(by: 3_600)
        try arrive("a")
        #expect(throws: DevicesError.tooManyGuests) { try arrive("c") }
        #expect(try household.count() == 5)
    }

    @Test func aSecondServerIsRefusedTheFolder() throws {
        let first = try household()
        #expect(throws: DataFolderError.inUse(folder.path)) { try household() }
        withExtendedLifetime(first) {}
    }

    @Test func moreBooksThanMayBeOpenAreServedAllTheSame() throws {
        let household = try household { $0.openBooks = 2 }
        let devices = try (0..<5).map { _ in
            try household.welcome(household.newToken(), from: "a", locale: "")
        }
        for device in devices { try onboard(device) }
        for device in devices { #expect(try device.book().counts().accounts == 3) }
    }

    @Test func todayIsTheUsersDay() throws {
        let surroundings = try household().surroundings
        clock.advance(by: 11 * 3_600)
        #expect(surroundings.today(in: "East").dayNumber == surroundings.today(in: "Nowhere").dayNumber + 1)
    }

    @Test func aFormsTokenIsItsBrowsersAlone() throws {
        let household = try household()
        let (mine, other) = (household.newToken().hash, household.newToken().hash)
        let token = household.seal.token(for: mine)
        #expect(household.seal.accepts(token, for: mine))
        #expect(!household.seal.accepts(token, for: other))
        #expect(!household.seal.accepts("", for: mine))
        #expect(!household.seal.accepts(token + "0", for: mine))
    }

    @Test(arguments: ["", "abc", String(repeating: "g", count: 64), String(repeating: "A", count: 64)])
    func onlySixtyFourHexadecimalDigitsAreACookie(text: String) {
        #expect(DeviceToken(text) == nil)
    }
}
