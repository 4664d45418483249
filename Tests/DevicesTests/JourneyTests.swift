// Every journey of an account, with the process dying before and after each of its effects: it ends where an
// undisturbed run ends.
import Book
import CloudProtocol
import DeviceStore
import Ledger
import Lifecycle
import SyncCore
import Synchronization
import Testing
import Texts

@testable import Devices

/// A way in which a process dies.
private enum Death: Hashable, Sendable {
    /// Before or after an effect: at a moment, counted from the start of the process.
    case effect(Int)
    /// While a page of rows is on its way, after some that have arrived.
    case page(Int)
}

/// A process that dies at a moment: from then on no effect begins, and none is finished.
private final class Mortality: Sendable {
    private let left: Mutex<Int>
    private let passed = Mutex(0)

    init(diesAt moment: Int) { left = Mutex(moment) }

    var isDead: Bool { left.withLock { $0 < 0 } }
    /// How many times were lived through.
    var times: Int { passed.withLock { $0 } }

    func lives() -> Bool {
        passed.withLock { $0 += 1 }
        return left.withLock { left in
            left -= 1
            if left < 0 { left = -1 }
            return left >= 0
        }
    }
}

/// The result of a journey: what a person sees, and what the server and the cloud have of it.
private struct Outcome: Equatable {
    var state: String
    var onboarding: OnboardingStep
    var isSignedIn: Bool
    var names: [String]
    var currency: CurrencyCode?
    var categories: Int
    var transactions: Int
    var notices: [String: Text]
    /// The messages that the next page shows once.
    var toasts: [String: Text]
    /// Whether pages say that rows are missing.
    var isIncomplete: Bool
    var isOwnersBook: Bool
    var sessionsOnTheCloud: Int
    var cloudHoldings: Holdings
    var leftToEnd: Int
}

/// The book of a person at the end of a journey to an account with rows.
private struct Ending: Sendable {
    var names = ["Bank", "Card", "Cash"]
    var currency: CurrencyCode? = .usd
    var transactions = FullAccount.transactions
}

private enum FullAccount {
    /// With accounts and categories these are a page of a hundred rows and several of ten.
    static let transactions = 120

    static let premium: @Sendable (DeviceServer) async throws -> Void = {
        try await $0.fill(transactions: transactions)
    }
    static let withoutPremium: @Sendable (DeviceServer) async throws -> Void = {
        try await $0.fill(transactions: transactions)
        $0.cloud.say(nil)
    }
}

/// A step of a user, and the state that it leads to.
private struct Step: Sendable {
    let to: String
    /// Whether all changes are sent before it.
    var beginsInStep = false
    let take: @Sendable (DeviceServer, Device) async throws -> Void
}

private struct Journey: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether the book holds something of one's own before it begins.
    let writes: Bool
    /// Whether the onboarding was answered before.
    let isOnboarded: Bool
    let prepare: @Sendable (DeviceServer) async throws -> Void
    let steps: [Step]
    /// Nil for an account without rows.
    let ending: Ending?

    init(
        _ name: String,
        writes: Bool = true,
        isOnboarded: Bool = true,
        prepare: @escaping @Sendable (DeviceServer) async throws -> Void = { _ in },
        endingWith ending: Ending? = nil,
        _ steps: [Step]
    ) {
        testDescription = name
        self.writes = writes
        self.isOnboarded = isOnboarded
        self.prepare = prepare
        self.ending = ending
        self.steps = steps
    }
}

private let signIn: @Sendable (DeviceServer, Device) async throws -> Void = {
    try await $0.signIn("anna", on: $1)
}
private let answer: @Sendable (DeviceServer, Device) async throws -> Void = { _, device in
    for step in [OnboardingStep.currency, .secondary, .calendar] { try await device.answered(step) }
}
private let existing: @Sendable (DeviceServer) async throws -> Void = { _ = try await $0.account("anna") }
private let withData: @Sendable (DeviceServer) async throws -> Void = {
    _ = try await $0.account("anna", transactions: 7)
}

private let nothingWithPremium: @Sendable (DeviceServer) async throws -> Void = {
    _ = try await $0.account("anna")
    $0.cloud.say(Entitlement(.active))
}
/// It does not wait for an answer, which a process that dies never has.
private let subscribe: @Sendable (DeviceServer, Device) async throws -> Void = { server, device in
    server.cloud.say(Entitlement(.active))
    device.beginVerifying()
}

private let expire: @Sendable (DeviceServer, Device) async throws -> Void = { server, device in
    server.cloud.say(Entitlement(.expired, expiresAt: noon))
    device.beginVerifying()
}

private func says(_ event: Event) -> @Sendable (DeviceServer, Device) async throws -> Void {
    { try await $1.handle(event) }
}

private let journeys = [
    Journey("a guest makes an account", [Step(to: "local_only", take: signIn)]),
    Journey(
        "a new account from the welcome page",
        writes: false,
        isOnboarded: false,
        [Step(to: "onboarding", take: signIn), Step(to: "local_only", take: answer)]
    ),
    Journey(
        "an existing account with nothing on the cloud",
        prepare: existing,
        [Step(to: "local_only", take: signIn)]
    ),
    Journey(
        "the same from the welcome page",
        writes: false,
        isOnboarded: false,
        prepare: existing,
        [Step(to: "local_only", take: signIn)]
    ),
    Journey(
        "an existing account with data, signed out again",
        prepare: withData,
        [
            Step(to: "blocked_no_sync", take: signIn), Step(to: "onboarding", take: says(.userSignedOut)),
            Step(
                to: "local_only",
                take: { _, device in
                    try await device.answered(.welcome)
                    try await answer(DeviceServer(), device)
                }
            ),
        ]
    ),
    Journey(
        "blocked, then all server data deleted",
        prepare: withData,
        [
            Step(to: "blocked_no_sync", take: signIn),
            Step(to: "local_only", take: says(.serverDataDeleteRequested)),
        ]
    ),
    Journey(
        "blocked, then subscribed",
        prepare: withData,
        [
            Step(to: "blocked_no_sync", take: signIn),
            Step(to: "synced", take: subscribe),
        ]
    ),
    Journey(
        "free, then signed out",
        [Step(to: "local_only", take: signIn), Step(to: "onboarding", take: says(.userSignedOut))]
    ),
    Journey(
        "free, then the account deleted",
        [Step(to: "local_only", take: signIn), Step(to: "onboarding", take: says(.accountDeleteRequested))]
    ),
    Journey(
        "the account is deleted elsewhere",
        [
            Step(to: "local_only", take: signIn),
            Step(
                to: "onboarding",
                take: { server, device in
                    for user in try server.cloud.directory.users() {
                        _ = try server.cloud.directory.remove(user.id)
                    }
                    await device.verify()
                }
            ),
        ]
    ),
    Journey(
        "an existing premium account",
        prepare: { server in
            _ = try await server.account("anna", transactions: 7)
            server.cloud.say(Entitlement(.active))
        },
        [Step(to: "synced", take: signIn)]
    ),
    Journey(
        "premium and nothing in the cloud",
        prepare: nothingWithPremium,
        endingWith: Ending(names: [], currency: nil, transactions: 0),
        [Step(to: "synced", take: signIn)]
    ),
    Journey(
        "the same account from the welcome page",
        writes: false,
        isOnboarded: false,
        prepare: nothingWithPremium,
        endingWith: Ending(names: [], currency: nil, transactions: 0),
        [Step(to: "synced", take: signIn)]
    ),
    Journey(
        "premium and several pages, over a guest's entries",
        prepare: FullAccount.premium,
        endingWith: Ending(),
        [Step(to: "synced", take: signIn)]
    ),
    Journey(
        "the same pages from the welcome page",
        writes: false,
        isOnboarded: false,
        prepare: FullAccount.premium,
        endingWith: Ending(),
        [Step(to: "synced", take: signIn)]
    ),
    Journey(
        "several pages without premium, over a guest's entries, then subscribed",
        prepare: FullAccount.withoutPremium,
        endingWith: Ending(),
        [Step(to: "blocked_no_sync", take: signIn), Step(to: "synced", take: subscribe)]
    ),
    Journey(
        "several pages without premium from the welcome page, then subscribed",
        writes: false,
        isOnboarded: false,
        prepare: FullAccount.withoutPremium,
        endingWith: Ending(),
        [Step(to: "blocked_no_sync", take: signIn), Step(to: "synced", take: subscribe)]
    ),
    Journey(
        "free, then premium",
        [
            Step(to: "local_only", take: signIn),
            Step(to: "synced", take: subscribe),
        ]
    ),
    Journey(
        "premium that ends",
        [
            Step(to: "local_only", take: signIn), Step(to: "synced", take: subscribe),
            Step(to: "local_only", beginsInStep: true, take: expire),
        ]
    ),
    Journey(
        "premium that has ended, as a notice says, and begins again",
        [
            Step(to: "local_only", take: signIn), Step(to: "synced", take: subscribe),
            Step(to: "local_only", beginsInStep: true, take: expire), Step(to: "synced", take: subscribe),
        ]
    ),
]

@Suite struct JourneysOfAnAccount {
    /// Runs a journey; where the process dies it is started anew and the next step is taken.
    /// - Parameter deaths: those of the first process, of the second one, and so on; the one after the last lives.
    /// - Returns: in addition, how many moments of effects and requests for pages a process without a death has.
    private func run(_ journey: Journey, deaths: [Death] = []) async throws -> (
        Outcome, times: Int, pages: Int
    ) {
        let server = DeviceServer()
        try await journey.prepare(server)
        let token: DeviceToken
        do {
            // The events before the journey are not disturbed.
            let devices = try server.open()
            let device: Device
            (token, device) = try devices.arrive(locale: "de-AT")
            if journey.isOnboarded {
                for step in [OnboardingStep.currency, .secondary, .calendar] {
                    try await device.answered(step)
                }
            }
            if journey.writes { try await server.write(into: device, devices) }
            await devices.close()
        }
        let before = server.cloud.count("changes")
        var left = deaths[...]
        var (mortality, isPageAwaited) = (Mortality(diesAt: .max), false)
        func open() throws -> DeviceManager {
            switch left.popFirst() {
            case .effect(let number): mortality = Mortality(diesAt: number)
            case .page(let pages):
                (mortality, isPageAwaited) = (Mortality(diesAt: .max), true)
                server.cloud.cutLine(after: pages, losesAnswer: true)
            case nil: mortality = Mortality(diesAt: .max)
            }
            let present = mortality
            return try server.open(
                mayBegin: { _ in present.lives() },
                mayEnd: { _ in present.lives() }
            )
        }
        var devices = try open()
        var device = try #require(try devices.find(token)).device
        func isDead() -> Bool { mortality.isDead || (isPageAwaited && server.cloud.isLineCut) }
        func rise() async throws {
            await devices.close()
            isPageAwaited = false
            server.cloud.repairLine()
            devices = try open()
            device = try #require(try devices.find(token)).device
            try await outliveTheEffects(of: device)
            if !isDead() { try await checkThatNothingLooksComplete(device, journey) }
        }
        /// The process may die in the effects that loading the device continues, and of one that ends after the state of a
        /// step was reached.
        func outliveTheEffects(of device: Device) async throws {
            do { try await device.waitUntilIdle(withinMilliseconds: .max) } catch {
                guard isDead() else { throw error }
            }
        }
        func waitUntilAllIsSent() async throws {
            while true {
                while isDead() { try await rise() }
                try await eventually("all is sent and here") {
                    if isDead() { return true }
                    return try await device.isInStep()
                }
                guard isDead() else { return }
            }
        }
        try await outliveTheEffects(of: device)
        for step in journey.steps {
            if step.beginsInStep { try await waitUntilAllIsSent() }
            while isDead() { try await rise() }
            do { try await step.take(server, device) } catch { guard isDead() else { throw error } }
            try await eventually("\(step.to) instead of \(device.state)") {
                device.state.name == step.to || isDead()
            }
            while isDead() {
                try await rise()
                try await eventually("\(step.to) instead of \(device.state) after \(deaths)") {
                    device.state.name == step.to || isDead()
                }
            }
            try await outliveTheEffects(of: device)
        }
        try await waitUntilAllIsSent()
        let (times, pages) = (mortality.times, server.cloud.count("changes") - before)
        let store = device.services.store
        try await eventually("the cloud is told of every end") { try store.endedTokens().isEmpty }
        let outcome = try await self.outcome(device, server)
        await devices.close()
        return (outcome, times, pages)
    }

    /// Right after a death nothing is said to be complete before it is, and no page shows an empty book of an account that
    /// has rows.
    private func checkThatNothingLooksComplete(_ device: Device, _ journey: Journey) async throws {
        guard let ending = journey.ending, device.state.name == "synced" else { return }
        let lease = try await device.lease()
        defer { lease.giveBack() }
        let status = try #require(device.syncStatus(in: lease.book))
        if status.incomplete == nil {
            #expect(try lease.book.counts().transactions == ending.transactions)
        } else {
            #expect(status.phase != .idle && status.syncedAt == nil)
        }
        let accounts = try lease.book.accountBalances().map(\.account.name)
        #expect(accounts.isEmpty == ending.names.isEmpty && !accounts.contains("Mine"))
        #expect(try lease.book.preferences().baseCurrency == ending.currency)
    }

    private func outcome(_ device: Device, _ server: DeviceServer) async throws -> Outcome {
        let book = try await device.book()
        let counts = try book.counts()
        let owner = try book.owner()
        let user = device.session?.user.id
        var held = Holdings()
        if let user { held = try server.cloud.directory.holdings(of: user) }
        var queue = device.machine { $0.toasts }
        let toasts = queue.consume(but: [])
        return Outcome(
            state: device.state.name,
            onboarding: device.onboarding,
            isSignedIn: user != nil,
            names: try await device.accountNames(),
            currency: try book.preferences().baseCurrency,
            categories: counts.categories,
            transactions: counts.transactions,
            notices: Dictionary(device.notices.map { ($0.key, $0.text) }) { first, _ in first },
            toasts: Dictionary(toasts.map { ($0.key, $0.text) }) { first, _ in first },
            isIncomplete: try device.syncStatus(in: book)?.incomplete != nil
                || device.cloudCopy(in: book)?.incomplete != nil,
            isOwnersBook: owner == nil || owner == (user ?? device.guest),
            sessionsOnTheCloud: try server.cloud.directory.sessionCount(),
            cloudHoldings: held,
            leftToEnd: try device.services.store.endedTokens().count
        )
    }

    @Test(arguments: journeys)
    private func aKillAtAnyEffectEndsWhereAnUndisturbedRunEnds(journey: Journey) async throws {
        let (expected, times, pages) = try await run(journey)
        #expect(expected.state == journey.steps.last?.to && !expected.isIncomplete)
        // A book that is still to be loaded is the guest's until then.
        #expect(expected.isOwnersBook || expected.state == "synced")
        #expect(times > 0)
        let isEnded = expected.notices["subscription-ended"] != nil
        #expect(isEnded == (journey.testDescription == "premium that ends"))
        if let ending = journey.ending {
            #expect(expected.names == ending.names && expected.currency == ending.currency)
            #expect(expected.transactions == ending.transactions && expected.onboarding == .done)
        }
        var deaths = (0..<times).map { [Death.effect($0)] }
        if journey.ending != nil {
            // The process after it dies as well, at its first effect or at its first page.
            deaths += (0..<times).map {
                [Death.effect($0), $0.isMultiple(of: 2) ? Death.effect(0) : Death.page(0)]
            }
            deaths += (0..<min(pages, 4)).flatMap { [[Death.page($0)], [Death.page($0), Death.effect(1)]] }
        }
        for deaths in deaths {
            let (outcome, _, _) = try await run(journey, deaths: deaths)
            #expect(outcome == expected, "died at \(deaths), of \(times) moments and \(pages) pages")
        }
    }

    @Test func aSignInWhoseAnswerWasLostTakesTheBookAlongAllTheSame() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.write(into: device, devices)
        // The account is made, and the process dies before the device knows of it.
        _ = try await server.cloud.signIn(
            .password(email: "anna", password: ""),
            device: NewDevice(name: "Lost", guest: device.guest),
            from: "a"
        )
        try await server.signIn("anna", on: device)
        try await eventually { device.state.name == "local_only" && device.session != nil }
        #expect(try await device.book().accountBalances().contains { $0.account.name == "Mine" })
    }

    @Test func ofTwoTabsThatSignInAtOnceNoneReplacesTheBook() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.write(into: device, devices)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await server.signIn("anna", on: device) } }
            try await group.waitForAll()
        }
        try await eventually { device.state.name == "local_only" }
        #expect(try await device.book().accountBalances().contains { $0.account.name == "Mine" })
        let store = device.services.store
        try await eventually { try store.endedTokens().isEmpty }
        #expect(try server.cloud.directory.sessionCount() == 1, "the other sessions are ended")
    }

    @Test func somebodyElseIsRefusedAndTheirSessionEnded() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        let anna = try #require(device.session?.user.id)
        await #expect(throws: DevicesError.signInRefused(.otherUser)) {
            try await server.signIn("bob", on: device)
        }
        #expect(device.session?.user.id == anna && device.state.name == "local_only")
        try await eventually { try server.cloud.directory.sessionCount() == 1 }
    }

    @Test func aGuestWaitsForASilentCloudAndCanTurnBack() async throws {
        let server = DeviceServer()
        _ = try await server.account("anna", transactions: 7)
        let devices = try server.open()
        let (token, device) = try await server.guest(devices)
        try await server.write(into: device, devices)
        let guest = device.guest
        let answer = try await server.cloud.signIn(
            .password(email: "anna", password: ""),
            device: NewDevice(name: "Test", guest: guest),
            from: "a"
        )
        server.cloud.fail(.unreachable("cut"))
        try await device.enter(answer)
        try await eventually("it asks again by itself") { server.cloud.count("account") > 3 }
        #expect(device.state.name == "verifying_account")
        await devices.close()
        let again = try server.open()
        let returned = try await again.load(token)
        #expect(returned.state.name == "verifying_account")
        try await returned.handle(.verificationCancelled)
        #expect(returned.state == .localOnly(nil, isAttached: false) && returned.session == nil)
        #expect(returned.guest == guest)
        #expect(try await returned.book().accountBalances().contains { $0.account.name == "Mine" })
        server.cloud.fail(nil)
        try await eventually("its session is ended") { try server.cloud.directory.sessionCount() == 1 }
    }

    @Test func aCloudThatComesBackIsNoticedWhileOneWaits() async throws {
        let server = DeviceServer()
        _ = try await server.account("anna", transactions: 7)
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        let answer = try await server.cloud.signIn(
            .password(email: "anna", password: ""),
            device: NewDevice(name: "Test", guest: device.guest),
            from: "a"
        )
        for fault in [CloudError.unreachable("cut"), .failed("500"), .malformed] {
            server.cloud.fail(fault)
            if device.session == nil { try await device.enter(answer) }
            let asked = server.cloud.count("account")
            try await eventually { server.cloud.count("account") > asked + 1 }
            #expect(device.state.name == "verifying_account")
        }
        server.cloud.fail(nil)
        try await eventually { device.state.name == "blocked_no_sync" }
        #expect(device.session?.holdings.transactions == 7)
        // The state is stored first, and its effect follows.
        try await eventually("the book is cleared once it is verified") {
            try await device.book().counts().accounts == 0
        }
    }

    @Test(arguments: [Event.accountDeleteRequested, .serverDataDeleteRequested])
    func aDeletionThatFailsCanBeTriedAgainOrLetBe(request: Event) async throws {
        for isLetBe in [true, false] {
            let server = DeviceServer()
            _ = try await server.account("anna", transactions: 7)
            let devices = try server.open()
            let (_, device) = try await server.guest(devices)
            try await server.signIn("anna", on: device)
            try await eventually { device.state.name == "blocked_no_sync" }
            server.cloud.fail(.unreachable("cut"))
            try await device.handle(request)
            try await eventually { device.state.name == "error" }
            guard case .error(let failure) = device.state else { return }
            #expect(failure.what == "cloud_unreachable")
            if isLetBe {
                try await device.handle(.dismissed)
                #expect(device.state.name == "blocked_no_sync")
                #expect(device.hasUnknownServerData, "the cloud may have deleted it, and has not been asked")
                server.cloud.fail(nil)
                await device.verify()
                try await eventually("the cloud says what it has") { !device.hasUnknownServerData }
                #expect(device.state.name == "blocked_no_sync" && device.session?.holdings.transactions == 7)
                let user = try #require(device.session?.user.id)
                #expect(try server.cloud.directory.holdings(of: user).transactions == 7)
            } else {
                server.cloud.fail(nil)
                try await device.handle(.retry)
                try await eventually { ["onboarding", "local_only"].contains(device.state.name) }
            }
        }
    }

    /// The cloud has deleted the data, and the device does not know it.
    @Test(arguments: [false, true]) func aDeletionWhoseAnswerIsLostIsAskedAbout(restarts: Bool) async throws {
        let server = DeviceServer()
        _ = try await server.account("anna", transactions: 7)
        var devices = try server.open()
        let (token, first) = try await server.guest(devices)
        try await server.signIn("anna", on: first)
        try await eventually { first.state.name == "blocked_no_sync" }
        #expect(!first.hasUnknownServerData)
        server.cloud.loseAnswers(true, to: "delete-data")
        try await first.handle(.serverDataDeleteRequested)
        try await eventually("the answer is missed") { first.state.name == "error" }
        #expect(first.hasUnknownServerData)
        // The cloud cannot be asked what is left.
        server.cloud.fail(.unreachable("cut"))
        try await first.handle(.dismissed)
        #expect(first.state.name == "blocked_no_sync" && first.hasUnknownServerData)
        if restarts {
            await devices.close()
            devices = try server.open()
        }
        let device = restarts ? try await devices.load(token) : first
        #expect(device.hasUnknownServerData, "also after a restart")
        server.cloud.loseAnswers(false)
        server.cloud.fail(nil)
        await device.verify()
        try await eventually { device.state.name == "local_only" }
        #expect(!device.hasUnknownServerData && device.session?.holdings.isServerData == false)
        #expect(try await device.book().counts().accounts > 0, "an empty book begins with accounts")
        await devices.close()
    }

    /// The data is on the device as well, and it is not known whether the cloud still has it.
    @Test(arguments: [false, true]) func aDeletionOfTheAccountWithoutAnAnswerIsAskedAbout(restarts: Bool)
        async throws
    {
        let server = DeviceServer()
        var devices = try server.open()
        let (token, first) = try await server.synced(devices)
        #expect(!first.hasUnknownServerData)
        server.cloud.fail(.unreachable("cut"))
        try await first.handle(.accountDeleteRequested)
        try await eventually("the answer is missed") { first.state.name == "error" }
        #expect(first.hasUnknownServerData && !first.isWithoutBook)
        try await first.handle(.dismissed)
        #expect(first.state.name == "synced")
        if restarts {
            await devices.close()
            devices = try server.open()
        }
        let device = restarts ? try await devices.load(token) : first
        #expect(device.hasUnknownServerData, "also after a restart")
        server.cloud.fail(nil)
        await device.verify()
        try await eventually("the cloud says what it has") { !device.hasUnknownServerData }
        #expect(device.state.name == "synced")
        await devices.close()
    }

    @Test func signingOutNeverWaitsForTheNetwork() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        server.cloud.fail(.unreachable("cut"))
        try await device.handle(.userSignedOut)
        #expect(device.state == .onboarding(nil) && device.session == nil && device.onboarding == .welcome)
        #expect(try server.cloud.directory.sessionCount() == 1)
        await devices.close()
        let again = try server.open()
        server.cloud.fail(nil)
        try await eventually("the cloud is told later") { try server.cloud.directory.sessionCount() == 0 }
        withExtendedLifetime(again) {}
    }

    @Test func movingABookTwiceChangesNothing() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        let before = try await device.book().counts()
        try await server.signIn("anna", on: device)
        let user = try #require(device.session?.user.id)
        for _ in 1...2 {
            #expect(try await device.book().owner() == user)
            #expect(try await device.book().counts() == before)
            try await device.book().move(to: user)
        }
    }

    /// A premium user whose device has nothing to send.
    private func inStep(_ server: DeviceServer, _ devices: DeviceManager) async throws
        -> (token: DeviceToken, device: Device)
    {
        let (token, device) = try await server.guest(devices)
        server.cloud.say(Entitlement(.active))
        try await server.signIn("anna", on: device)
        try await eventually { try await device.isInStep() }
        return (token, device)
    }

    @Test func aFormThatIsBeingSavedKeepsOneFromLeaving() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (_, device) = try await inStep(server, devices)
        server.cloud.fail(.unreachable("cut"))
        // The request of another tab has the book, and saves after the sign-out was asked for.
        let request = try await device.lease()
        let late = EntityID(high: 9, low: 900)
        device.signOutOnceSent(try #require(device.syncStatus(in: request.book)))
        try await eventually("it is asked for") { !device.isIdle || device.leavingTotal == nil }
        try request.book.add(
            Account(id: late, name: "Late", type: .cash, currency: .eur, openingMinor: 5)
        )
        request.giveBack()
        try await device.waitUntilIdle(withinMilliseconds: .max)
        #expect(device.session != nil && device.leavingTotal != nil, "the account would be lost")
        #expect(try await device.book().account(late) != nil)
        server.cloud.fail(nil)
        device.retrySync()
        try await eventually("it is sent, and the device leaves") { device.session == nil }
        let (_, other) = try await server.guest(devices)
        try await server.signIn("anna", on: other)
        try await eventually("the account is on another device") {
            try await other.book().account(late) != nil
        }
    }

    @Test func whatTheCloudRefusesKeepsOneFromLeaving() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (token, device) = try await inStep(server, devices)
        server.cloud.fail(.unreachable("cut"))
        try await server.write(into: device, devices, "Refused")
        let book = try await device.book()
        try await eventually { try !book.nextBatch(operations: 10, bytes: 1 << 20).isEmpty }
        let sent = try #require(try book.nextBatch(operations: 10, bytes: 1 << 20).first)
        try book.acknowledge([OperationResult(n: sent.n, seq: 99, status: .rejected, code: .invalid)])
        #expect(try await device.pendingChanges() == 0)
        device.signOutOnceSent(try #require(device.syncStatus(in: book)))
        // All earlier events are handled when a later one is.
        try await device.hurryCloudTask()
        #expect(device.state.name == "synced" && device.leavingTotal == 1, "it would be lost")
        // The device still means to leave, and may be gone as soon as nothing holds it.
        let status = try #require(device.syncStatus(in: book))
        try book.revert(change: try #require(try book.pendingChanges().first).id)
        device.signOutOnceSent(status)
        try await eventually("nothing is left to be lost") { device.session == nil }
        try await device.waitUntilIdle(withinMilliseconds: .max)
        // A sign-out gives the device another cookie, with the next request if it had none.
        let found = try #require(try devices.find(token))
        let fresh = try #require(found.newCookie)
        #expect(fresh != token && found.device.id == device.id)
        #expect(try devices.find(fresh)?.newCookie == nil)
    }

    @Test func whoAsksToLeaveAfterSendingHasEndedStaysWithTheNextSubscription() async throws {
        let server = DeviceServer()
        let devices = try server.open()
        let (_, device) = try await inStep(server, devices)
        // The request read its status before another tab switched sync off.
        let late = try #require(device.syncStatus(in: try await device.book()))
        try await device.setSync(false)
        try await eventually { device.state.name == "local_only" }
        device.signOutOnceSent(late)
        #expect(device.leavingTotal == nil)
        try await device.setSync(true)
        try await eventually { try await device.isInStep() }
        #expect(device.session != nil)
    }
}
