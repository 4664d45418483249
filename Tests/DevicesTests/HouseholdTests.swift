// Devices in a folder of their own, without a network: cookies, the lifecycle's effects, limits.
import Book
import Foundation
import Ledger
import Lifecycle
import Synchronization
import TestKit
import Testing

@testable import Devices

/// A data folder that goes away with the test.
final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

private let noon: Int64 = 1_795_262_400
private let day: Int64 = 86_400

@Suite struct Households {
    let folder = Folder()
    let clock = FixedClock(at: noon)

    func household(
        _ change: (inout Household.Limits) -> Void = { _ in },
        mayBegin: @escaping @Sendable (Effect) -> Bool = { _ in true },
        mayEnd: @escaping @Sendable (Effect) -> Bool = { _ in true }
    ) throws -> Household {
        var limits = Household.Limits()
        change(&limits)
        let locales = try LocaleTable(
            tsv: "de-AT\tAT\tEUR\tmonday\t,\t\u{a0}\t3\t\tbefore-space\tGerman (Austria)\n"
        )
        let clock = clock
        return try Household(
            folder: folder.path,
            locales: locales,
            limits: limits,
            surroundings: Surroundings(
                milliseconds: { clock.now * 1_000 },
                random: Randomness(),
                log: { _ in },
                zoneOffset: { zone, _ in zone == "East" ? 7_200 : nil }
            ),
            mayBegin: mayBegin,
            mayEnd: mayEnd
        )
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

    /// A guest who has written something, and signs in to an account that was there before. The cloud does not answer.
    private func verifying(_ household: Household) throws -> (token: DeviceToken, device: Device) {
        let token = household.newToken()
        let device = try household.welcome(token, from: "a", locale: "de-AT")
        try onboard(device)
        try device.book().add(
            Account(
                id: household.surroundings.newID(),
                name: "Mine",
                type: .cash,
                currency: .eur,
                openingMinor: 0
            )
        )
        let anna = try #require(UserID("anna"))
        try device.handle(.userAuthenticated(SignIn(user: anna, isExisting: true)))
        #expect(device.state == .verifyingAccount(anna, from: .guest))
        #expect(try device.book().counts().accounts == 4)
        return (token, device)
    }

    private static let cloudIsSilent: @Sendable (Effect) -> Bool = {
        switch $0 {
        case .verifyAccount, .endSession: false
        default: true
        }
    }

    @Test func aBookIsClearedOnlyOnceTheAccountIsVerified() throws {
        let household = try household(mayBegin: Self.cloudIsSilent)
        let (_, device) = try verifying(household)
        try device.handle(.accountVerified(hasServerData: false, isPremium: false))
        #expect(device.state == .localOnly(UserID("anna"), isAttached: false))
        let counts = try device.book().counts()
        #expect(counts.accounts == 3 && counts.categories == 25)
        #expect(
            device.takeMessages().map(\.text) == [
                "No cloud backup found. Your data is stored locally on your other device."
            ]
        )
    }

    @Test func whoCancelsIsTheGuestOfBefore() throws {
        let household = try household(mayBegin: Self.cloudIsSilent)
        let (_, device) = try verifying(household)
        try device.handle(.verificationCancelled)
        #expect(device.state == .localOnly(nil, isAttached: false))
        #expect(try device.book().counts().accounts == 4)
    }

    @Test(arguments: [Effect.clearBook, .seedDefaults])
    func aProcessThatDiesWhileABookIsReplacedEndsWithTheNewOne(fatal: Effect) throws {
        for beforeTheEffect in [true, false] {
            let folderOfThis = Households()
            let token: DeviceToken
            do {
                let dies = Mutex(false)
                let household = try folderOfThis.household(
                    mayBegin: { effect in
                        Self.cloudIsSilent(effect)
                            && !(dies.withLock { $0 } && beforeTheEffect && effect == fatal)
                    },
                    mayEnd: { effect in !(dies.withLock { $0 } && !beforeTheEffect && effect == fatal) }
                )
                let (made, device) = try folderOfThis.verifying(household)
                token = made
                dies.withLock { $0 = true }
                try device.handle(.accountVerified(hasServerData: false, isPremium: false))
                household.close()
            }
            let again = try folderOfThis.household(mayBegin: Self.cloudIsSilent)
            let device = try #require(try again.find(token)).device
            // Who is signed in is kept with the session, which a cloud gives: here the next start finds a guest.
            #expect(device.state.name == "local_only", "\(device.state.stored)")
            #expect(try device.book().counts().accounts == 3)
            again.close()
        }
    }

    @Test func aServerWithoutACloudSaysSoAndLosesNothing() throws {
        let household = try household()
        let device = try household.welcome(household.newToken(), from: "a", locale: "")
        try onboard(device)
        let anna = try #require(UserID("anna"))
        try device.handle(.userAuthenticated(SignIn(user: anna, isExisting: false)))
        guard case .error(let failure) = device.state else {
            Issue.record("\(device.state)")
            return
        }
        #expect(failure.what == "no_cloud" && failure.from == .migratingGuest(anna))
        #expect(try device.book().counts().accounts == 3)
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
        #expect(throws: DevicesError.folder(.inUse(folder.path))) { try household() }
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
