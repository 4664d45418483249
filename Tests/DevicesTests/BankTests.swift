// Connections to banks: consent, refreshes, renewals by one caller, and every way in which data is removed.
import BankFeeds
import Book
import CloudProtocol
import DeviceStore
import Foundation
import Ledger
import Lifecycle
import Storage
import TestKit
import Testing

@testable import Devices

@Suite struct Banks {
    private let server = DeviceServer()
    private let feed: TestFeed
    private let tokens: TestFeed

    init() {
        feed = server.bankFeed()
        tokens = server.bankFeed(.setupToken)
    }

    private func open() throws -> DeviceManager { try server.open(banks: [feed, tokens]) }

    /// Gives a consent, and waits until the accounts are read.
    @discardableResult
    private func connect(_ device: Device, renewing connection: EntityID? = nil) async throws -> EntityID {
        try await device.connectBank(renewing: connection)
    }

    private func state(_ id: EntityID, _ device: Device) throws -> String {
        try device.consentState(of: id)
    }

    /// Waits until no refresh of a device is running.
    private func idle(_ device: Device, _ id: EntityID) async throws { try await device.banksAreIdle() }

    private func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        try #require(try await eventuallyBecomesTrue(condition), "\(what)")
    }

    private func isRefreshing(_ device: Device) throws -> Bool {
        if case .refreshing = try connection(device).state { true } else { false }
    }

    private func refresh(_ device: Device, _ id: EntityID) async throws {
        device.refreshBank(id)
        try await idle(device, id)
    }

    private func connection(_ device: Device) throws -> BankConnection {
        try #require(try device.bankConnections().first)
    }

    @Test func aConsentLeadsToAccountsBalancesAndTransactions() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        let connection = try connection(device)
        #expect(connection.id == id && connection.state == .connected && connection.refreshedAt == noon)
        #expect(connection.consentEndsAt == noon + 90 * day && connection.leftOut == 2)
        let account = try #require(connection.accounts.first)
        #expect(account.account == TestFeed.account && account.balance?.money.minor == 47_110_815)
        #expect(account.transactions?.map(\.description) == ["Bread \"and\"\nquince"])
        #expect(connection.messages == ["hello"])
        #expect(feed.requests == ["connect", "accounts first", "transactions first", "balance first"])
        await devices.close()
    }

    @Test func accountsAreReadThenTransactionsThenBalancesWithPausesInBetween() async throws {
        let feed = feed
        feed.change { $0.accounts = ["a", "b"].map { id in TestFeed.account(id) } }
        let access = try await feed.connect(.setupToken("x"))
        feed.change { $0.requests = [] }
        let dependencies = Dependencies(
            milliseconds: { noon * 1_000 },
            random: Randomness(),
            log: .off,
            zoneOffset: { _, _ in nil },
            pause: { milliseconds in feed.change { $0.requests.append("pause \(milliseconds)") } }
        )
        var reader = BankReader(feed, access, dependencies) {
            true
        } storing: { _ in
            true
        }
        let cache = try await reader.read()
        #expect(cache.balances.count == 2 && cache.transactions.count == 2)
        #expect(
            feed.requests == [
                "accounts first", "pause 300", "transactions first", "pause 300", "transactions first",
                "balance first", "pause 300", "balance first",
            ]
        )
    }

    @Test func aSetupTokenIsClaimed() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        try await device.connectBank(at: "token", renewing: nil, setupToken: "x")
        let id = try connection(device).id
        try await idle(device, id)
        #expect(try connection(device).state == .connected)
        tokens.change { $0.error = .proofRefused }
        await #expect(throws: BankRefusal.feed(.proofRefused)) {
            try await device.connectBank(at: "token", renewing: nil, setupToken: "x")
        }
        #expect(try device.bankConnections().count == 1)
        await devices.close()
    }

    @Test func aGuestConnectsNothing() async throws {
        let devices = try open()
        let (_, device) = try await server.guest(devices)
        #expect(throws: BankRefusal.notSignedIn) {
            try device.beginConsent(at: "page", renewing: nil, redirect: "r")
        }
        await #expect(throws: BankRefusal.notSignedIn) {
            try await device.connectBank(at: "token", renewing: nil, setupToken: "x")
        }
        await devices.close()
    }

    @Test func aConsentIsUsedOnceByItsOwnBrowserWithinAnHour() async throws {
        let devices = try open()
        let anna = try await server.signedIn(devices).device
        let bob = try await server.signedIn(devices, "bob").device
        let id = try anna.beginConsent(at: "page", renewing: nil, redirect: "r")
        let state = try state(id, anna)
        await #expect(throws: BankRefusal.expired) { try await bob.finishConsent(state: state, code: "c") }
        await #expect(throws: BankRefusal.expired) { try await anna.finishConsent(state: "x", code: "c") }
        try await anna.finishConsent(state: state, code: "c")
        await #expect(throws: BankRefusal.expired) { try await anna.finishConsent(state: state, code: "c") }
        #expect(feed.requests.filter { $0 == "connect" }.count == 1)

        let late = try anna.beginConsent(at: "page", renewing: nil, redirect: "r")
        let lateState = try self.state(late, anna)
        server.clock.advance(by: 3_600)
        #expect(try anna.consentAddress(of: late) == nil)
        await #expect(throws: BankRefusal.expired) {
            try await anna.finishConsent(state: lateState, code: "c")
        }
        #expect(try anna.bankConnections().map(\.id) == [id])
        devices.removeOutdatedBankData()
        #expect(try devices.services.store.bankConnections(of: anna.id).map(\.id) == [id])
        await devices.close()
    }

    @Test func aConsentThatIsNotGivenLeavesNothing() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try device.beginConsent(at: "page", renewing: nil, redirect: "r")
        #expect(try connection(device).state == .connecting)
        try device.cancelConsent(state: try state(id, device))
        #expect(try device.bankConnections().isEmpty && feed.requests.isEmpty)
        await devices.close()
    }

    @Test func accessIsRenewedOnceBeforeItExpires() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        server.clock.advance(by: 3_550)
        feed.change { $0.requests = [] }
        try await refresh(device, id)
        #expect(
            feed.requests == ["renew first", "accounts renewed", "transactions renewed", "balance renewed"]
        )
        #expect(try connection(device).state == .connected)
        await devices.close()
    }

    @Test func refusedAccessIsRenewedOnce() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        feed.change { ($0.requests, $0.refusesAccess) = ([], true) }
        try await refresh(device, id)
        #expect(feed.requests.prefix(3) == ["accounts first", "renew first", "accounts renewed"])
        #expect(try connection(device).state == .connected)
        feed.change { ($0.error, $0.renewals) = (.unauthorised, 0) }
        try await refresh(device, id)
        #expect(try connection(device).state == .needsReconnect && feed.state.withLock { $0.renewals } == 1)
        await devices.close()
    }

    @Test func twoRefreshesAtOnceAreOne() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        feed.change { ($0.requests, $0.gate, $0.refusesAccess) = ([], gate, true) }
        for _ in 0..<20 { device.refreshBank(id) }
        try await until("it is refreshing") { try isRefreshing(device) }
        pass.finish()
        try await idle(device, id)
        #expect(feed.state.withLock { $0.renewals } == 1)
        #expect(feed.requests.filter { $0.hasPrefix("accounts") }.count == 2)
        await devices.close()
    }

    @Test func aUserAsksABankTenTimesAndThenOnceAMinute() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        func asked() async throws -> (isAccepted: Bool, requests: Int) {
            feed.change { $0.requests = [] }
            let isAccepted = device.refreshBank(id)
            try await idle(device, id)
            return (isAccepted, feed.requests.count)
        }
        for number in 0..<10 { #expect(try await asked().isAccepted, "\(number)") }
        let refused = try await asked()
        #expect(!refused.isAccepted && refused.requests == 0)
        server.clock.advance(by: 60)
        #expect(try await asked().isAccepted)
        #expect(try await !asked().isAccepted)
        await devices.close()
    }

    @Test func theEndOfAConsentIsAnnouncedUntilTheUserReconnects() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        feed.change { $0.error = .consentEnded }
        try await refresh(device, id)
        #expect(try connection(device).state == .needsReconnect)
        #expect(try connection(device).accounts.first?.balance != nil)
        #expect(device.notices.map(\.key) == ["bank-consent-ended"])
        feed.change { ($0.error, $0.requests) = (nil, []) }
        try await refresh(device, id)
        #expect(feed.requests.isEmpty)
        #expect(try await connect(device, renewing: id) == id)
        #expect(try device.bankConnections().map(\.state) == [.connected] && device.notices.isEmpty)
        await devices.close()
    }

    @Test(arguments: [
        (BankFeedError.unreachable("x"), BankFailure.unreachable), (.refused(status: 500), .refused),
        (.malformed("x"), .malformed), (.rateLimited(until: noon + 7_200), .rateLimited),
    ])
    func aFailureKeepsTheCacheAndBacksOff(error: BankFeedError, what: BankFailure) async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        feed.change { $0.error = error }
        server.clock.advance(by: 1_000)
        try await refresh(device, id)
        let until: Int64? = what == .rateLimited ? noon + 7_200 : nil
        let failing = BankFailing(since: noon + 1_000, what: what, until: until)
        #expect(try connection(device).state == .failing(failing))
        #expect(try connection(device).accounts.first?.balance?.money.minor == 47_110_815)
        feed.change { ($0.error, $0.requests) = (nil, []) }
        // A page that shows stale data plans nothing as long as the bank must not be asked.
        device.refreshStaleBanks()
        #expect(!devices.services.banks.isPlanned(device.id))
        try await idle(device, id)
        #expect(feed.requests.isEmpty)
        server.clock.advance(by: 7_200)
        device.refreshStaleBanks()
        try await idle(device, id)
        #expect(try connection(device).state == .connected)
        await devices.close()
    }

    @Test func aDisconnectedBankLeavesNothingAndIsRevoked() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        let other = try await server.signedIn(devices, "bob").device
        #expect(throws: BankRefusal.unknown) { try other.disconnectBank(id) }
        try device.disconnectBank(id)
        let ended = try connection(device)
        #expect(ended.state == .disconnected && ended.accounts.isEmpty && ended.refreshedAt == nil)
        #expect(try devices.services.store.bankConnection(id, of: device.id)?.sealedAccess == nil)
        #expect(try devices.services.store.bankCaches(of: id).isEmpty)
        try await until("the consent is revoked") { feed.requests.last == "revoke first" }
        feed.change { $0.requests = [] }
        try await refresh(device, id)
        #expect(feed.requests.isEmpty)
        await devices.close()
    }

    @Test func aDisconnectedBankIsConnectedAgainOrRemoved() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        try device.disconnectBank(id)
        // A consent that is not given changes nothing.
        _ = try device.beginConsent(at: "page", renewing: id, redirect: "r")
        try device.cancelConsent(state: try state(id, device))
        #expect(try connection(device).state == .disconnected)
        #expect(try await connect(device, renewing: id) == id)
        #expect(try connection(device).state == .connected)
        try device.disconnectBank(id)
        try device.disconnectBank(id)
        #expect(try devices.services.store.bankConnections(of: device.id).isEmpty)
        #expect(throws: BankRefusal.unknown) { try device.disconnectBank(id) }
        await devices.close()
    }

    @Test func aDisconnectedBankIsForgottenAfterAWeekAndMakesRoom() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        feed.change { $0.accounts = [] }
        var ids: [EntityID] = []
        for _ in 0..<Device.mostBankConnections { ids.append(try await connect(device)) }
        #expect(throws: BankRefusal.tooMany) {
            try device.beginConsent(at: "page", renewing: nil, redirect: "r")
        }
        let ended = try #require(ids.min())
        try device.disconnectBank(ended)
        let fresh = try await connect(device)
        #expect(try Set(device.bankConnections().map(\.id)) == Set(ids + [fresh]).subtracting([ended]))
        try device.disconnectBank(fresh)
        server.clock.advance(by: 7 * day)
        #expect(try !device.bankConnections().contains { $0.id == fresh })
        devices.removeOutdatedBankData()
        #expect(try devices.services.store.bankConnection(fresh, of: device.id) == nil)
        await devices.close()
    }

    /// Access that has expired would be refused, and the consent would remain.
    @Test func accessThatHasExpiredIsRenewedBeforeItsConsentIsEnded() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        server.clock.advance(by: 3_600)
        feed.change { $0.requests = [] }
        try device.disconnectBank(id)
        try await until("the consent is revoked") { feed.requests == ["renew first", "revoke renewed"] }
        await devices.close()
    }

    @Test func aRefreshThatEndsAfterTheDisconnectionStoresNothing() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        feed.change { $0.gate = gate }
        device.refreshBank(id)
        try await until("it is refreshing") { try isRefreshing(device) }
        try device.disconnectBank(id)
        pass.finish()
        try await idle(device, id)
        #expect(try connection(device).state == .disconnected)
        #expect(try devices.services.store.bankCaches(of: id).isEmpty)
        await devices.close()
    }

    @Test func aKilledProcessLeavesAConnectionThatGoesOn() async throws {
        let first = try open()
        let device = try await server.signedIn(first).device
        let id = try await connect(device)
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        feed.change { $0.gate = gate }
        device.refreshBank(id)
        try await until("it is refreshing") { try isRefreshing(device) }
        // The process ends before the answer.
        let stopping = Task { await first.close() }
        pass.finish()
        await stopping.value
        feed.change { $0.gate = nil }

        let second = try open()
        let record = try #require(try second.services.store.device(device.id))
        let again = try second.device(record)
        let state = try connection(again).state
        #expect(state == .connected)
        try await refresh(again, id)
        #expect(try connection(again).state == .connected)
        await second.close()
    }

    @Test func balancesAreRemovedAfterAWeekWithoutARefresh() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        try await connect(device)
        server.clock.advance(by: 7 * day - 1)
        devices.removeOutdatedBankData()
        #expect(try connection(device).accounts.first?.balance != nil)
        server.clock.advance(by: 1)
        devices.removeOutdatedBankData()
        let connection = try connection(device)
        #expect(connection.accounts.isEmpty && connection.messages.isEmpty && connection.refreshedAt == noon)
        #expect(try devices.services.store.bankCaches(of: connection.id).isEmpty)
        await devices.close()
    }

    @Test(arguments: ["sign out", "account deletion", "lock"])
    func everyWayOutRemovesTheData(way: String) async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await connect(device)
        switch way {
        case "sign out": try await device.handle(.userSignedOut)
        case "account deletion": try await device.handle(.accountDeleteRequested)
        default: try await device.send(.endedHere(.locked))
        }
        try await until("the data is removed") {
            try devices.services.store.bankConnections(of: device.id).isEmpty
        }
        #expect(try devices.services.store.bankCaches(of: id).isEmpty)
        try await until("the consent is ended") { feed.requests.last == "revoke first" }
        try await until("nothing is left") { try devices.services.store.bankRevocations().isEmpty }
        await devices.close()
    }

    /// A provider that cannot be reached, and a stop of the server, leave no consent behind.
    @Test func aConsentIsEndedAfterASignOutAndARestart() async throws {
        let first = try open()
        let device = try await server.signedIn(first).device
        let id = try await connect(device)
        feed.change { $0.error = .unreachable("x") }
        try await device.handle(.userSignedOut)
        try await until("the consent has to be ended") {
            try first.services.store.bankRevocations().map(\.connection) == [id]
        }
        await first.close()
        feed.change { ($0.error, $0.requests) = (nil, []) }
        let second = try open()
        try await until("the consent is ended") { feed.requests == ["revoke first"] }
        try await until("nothing is left") { try second.services.store.bankRevocations().isEmpty }
        await second.close()
    }

    @Test func noRequestToTheCloudContainsWhatTheBankSays() async throws {
        let devices = try open()
        server.cloud.say(Entitlement(.active))
        let device = try await server.signedIn(devices).device
        try await connect(device)
        let lease = try await device.lease()
        _ = try lease.book.add(
            Account(
                id: EntityID(high: 1, low: 5),
                name: "Written here",
                type: .bank,
                currency: .eur,
                openingMinor: 0
            )
        )
        lease.giveBack()
        try await until("the book is uploaded") {
            server.cloud.requests.withLock { $0.contains { $0.contains("Written here") } }
        }
        let all = server.cloud.requests.withLock { $0 }.joined(separator: "\n")
        for word in ["First Bank", "47110815", "quince", "hello", "renewal"] {
            #expect(!all.contains(word), "\(word)")
        }
        await devices.close()
    }

    /// The files of the folder contain neither tokens nor names, amounts or texts of the bank.
    @Test func whatIsStoredIsSealed() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        try await connect(device)
        let planted = ["renewal", "First Bank", "47110815", "quince", "hello"]
        for name in ["sessions.sqlite", "sessions.sqlite-wal"] {
            let path = server.folder.path + "/" + name
            guard let bytes = FileManager.default.contents(atPath: path) else { continue }
            for word in planted {
                #expect(bytes.firstRange(of: Data(word.utf8)) == nil, "\(word) in \(name)")
            }
        }
        #expect(!server.lines.withLock { $0 }.joined().contains("47110815"))
        await devices.close()
    }
}

@Suite struct BankRefreshPlans {
    private func plan(_ automaticAt: [Int64]) -> BankRefreshPlan {
        var plan = BankRefreshPlan()
        for time in automaticAt { plan.began(at: time) }
        return plan
    }

    /// Hours before now with automatic refreshes, the age of the caches in minutes, and whether one is due.
    @Test(
        arguments: [
            ([], 14, 4, false), ([], 16, 4, true), ([], 60 * 24 * 8, 4, true), ([0.5], 60, 4, false),
            ([1], 60, 4, true),
            ([20, 15, 10, 5], 300, 4, false), ([25, 15, 10, 5], 300, 4, true), ([23], 1_380, 1, false),
            ([24], 1_440, 1, true),
        ] as [([Double], Int64, Int, Bool)]
    )
    func isDue(hours: [Double], age: Int64, perDay: Int, isDue: Bool) {
        let plan = plan(hours.map { noon - Int64($0 * 3_600) })
        #expect(plan.isDue(on: .use, at: noon, readAt: noon - age * 60, perDay: perDay) == isDue)
    }

    @Test func withoutACacheOneIsDue() {
        #expect(BankRefreshPlan().isDue(on: .use, at: noon, readAt: nil, perDay: 1))
        #expect(BankRefreshPlan().isDue(on: .use, at: noon, readAt: noon + 100, perDay: 1))
    }

    @Test func failuresBackOff() {
        var plan = BankRefreshPlan()
        var pauses: [Int64] = []
        for _ in 0..<12 {
            plan.failed(at: noon, until: nil, isAutomatic: false)
            pauses.append((plan.retryAt ?? 0) - noon)
        }
        #expect(pauses == [60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 21_600, 21_600, 21_600])
        plan.failed(at: noon, until: noon + 99, isAutomatic: false)
        #expect(plan.retryAt == noon + 99 && !plan.isDue(on: .use, at: noon + 98, readAt: nil, perDay: 1))
        #expect(plan.isDue(on: .use, at: noon + 99, readAt: nil, perDay: 1))
        plan.succeeded()
        #expect(plan.retryAt == nil)
    }

    /// A failed refresh leaves the one of the day to the next attempt; there are four attempts a day at most.
    @Test func aFailedRefreshIsTriedAgainAnHourLater() {
        var plan = BankRefreshPlan()
        var starts: [Int64] = []
        for now in stride(from: noon, to: noon + day, by: 300)
        where plan.isDue(on: .timer, at: now, readAt: noon - 2 * day, perDay: 1) {
            starts.append(now)
            plan.began(at: now)
            plan.failed(at: now + 5, until: nil, isAutomatic: true)
        }
        #expect(starts == (0...3).map { noon + $0 * 3_600 })
        let tomorrow = noon + day
        #expect(plan.isDue(on: .use, at: tomorrow, readAt: nil, perDay: 1))
        plan.began(at: tomorrow)
        plan.succeeded()
        #expect(!plan.isDue(on: .use, at: tomorrow + 7_200, readAt: nil, perDay: 1))
        // A manual refresh that fails takes no success away.
        plan.failed(at: tomorrow + 60, until: nil, isAutomatic: false)
        #expect(!plan.isDue(on: .use, at: tomorrow + 7_200, readAt: nil, perDay: 1))
        #expect(plan.joined(with: BankRefreshPlan()).failedAt == plan.failedAt)
    }

    /// A plan that an earlier version has stored.
    @Test func aPlanWithoutFailuresIsRead() throws {
        let plan = try #require(
            StoredJSON.decode(BankRefreshPlan.self, #"{"automaticAt":[5],"failureCount":2}"#)
        )
        #expect(plan.automaticAt == [5] && plan.failedAt == nil && plan.failureCount == 2)
    }

    @Test func premiumHasFourADayAndOthersOne() {
        #expect([Tier.guest, .free, .premium].map(BankRefreshPlan.perDay) == [1, 1, 4])
    }
}
