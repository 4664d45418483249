// Automatic refreshes of real devices: after a visit, by the timer, and not at all.
import BankFeeds
import CloudProtocol
import DeviceStore
import Foundation
import Ledger
import Lifecycle
import Synchronization
import TestKit
import Testing

@testable import Devices

@Suite struct BankScheduler {
    private let server = DeviceServer()
    private let feed: TestFeed

    init() { feed = server.bankFeed() }

    private func open() throws -> DeviceManager { try server.open(banks: [feed]) }

    /// The number of refreshes since the last call.
    private func refreshes() -> Int {
        let count = feed.requests.count { $0.hasPrefix("accounts") }
        feed.change { $0.requests = [] }
        return count
    }

    @Test func openingADeviceRefreshesItsBanks() async throws {
        let devices = try open()
        let (token, device) = try await server.signedIn(devices)
        try await device.connectBank()
        _ = try devices.find(token)
        try await device.banksAreIdle()
        _ = refreshes()
        // Half an hour later, a request is no opening if there was one in between.
        server.clock.advance(by: 1_000)
        _ = try devices.find(token)
        server.clock.advance(by: 1_000)
        _ = try devices.find(token)
        try await device.banksAreIdle()
        #expect(refreshes() == 0)
        server.clock.advance(by: 1_800)
        _ = try devices.find(token)
        #expect(device.services.banks.isPlanned(device.id))
        try await device.banksAreIdle()
        #expect(refreshes() == 1)
        // The limit of a day.
        server.clock.advance(by: 7_200)
        _ = try devices.find(token)
        try await device.banksAreIdle()
        #expect(refreshes() == 0)
        await devices.close()
    }

    @Test func aFailedRefreshLeavesThatOfTheDay() async throws {
        let devices = try open()
        let (token, device) = try await server.signedIn(devices)
        try await device.connectBank()
        _ = try devices.find(token)
        try await device.banksAreIdle()
        feed.change { $0.error = .unreachable("down") }
        var counts: [Int] = []
        _ = refreshes()
        for hour in 1...8 {
            if hour == 3 { feed.change { $0.error = nil } }
            server.clock.advance(by: 3_600)
            _ = try devices.find(token)
            try await device.banksAreIdle()
            counts.append(refreshes())
        }
        #expect(counts == [1, 1, 1, 0, 0, 0, 0, 0])
        #expect(try device.onlyBank().state == .connected)
        await devices.close()
    }

    @Test func aPageThatReturnsRefreshesFourTimesADayWithPremium() async throws {
        server.cloud.say(Entitlement(.active))
        let devices = try open()
        let (token, device) = try await server.signedIn(devices)
        try await device.connectBank()
        _ = try devices.find(token)
        try await device.banksAreIdle()
        _ = refreshes()
        var counts: [Int] = []
        for _ in 0..<24 * 4 {
            server.clock.advance(by: 900)
            _ = try devices.find(token)
            #expect(!device.services.banks.isPlanned(device.id))
            device.noteStream()
            // A second stream is another tab.
            device.noteStream()
            try await device.banksAreIdle()
            counts.append(refreshes())
        }
        #expect(counts.reduce(0, +) == 4 && counts.prefix(14).reduce(0, +) == 4)
        // Within five minutes, a page has not returned.
        server.clock.advance(by: 299)
        _ = try devices.find(token)
        device.noteStream()
        #expect(!device.services.banks.isPlanned(device.id))
        await devices.close()
    }

    @Test func theTimerRefreshesDevicesThatWereSeenWithinThirtyDays() async throws {
        let devices = try open()
        let (_, device) = try await server.signedIn(devices)
        try await device.connectBank()
        _ = refreshes()
        var refreshed: [Int64] = []
        for hour in 1...24 * 40 {
            server.clock.advance(by: 3_600)
            devices.planDueBanks()
            try await device.banksAreIdle()
            if refreshes() > 0 { refreshed.append(Int64(hour)) }
        }
        #expect(refreshed == (1...29).map { $0 * 24 })
        await devices.close()
    }

    /// The first round is at the start: whatever was due while the server was down is refreshed at once.
    @Test func theFirstRoundIsAtTheStart() async throws {
        let first = try open()
        let (_, device) = try await server.signedIn(first)
        try await device.connectBank()
        await first.close()
        server.clock.advance(by: 2 * day)
        _ = refreshes()
        let second = try open()
        second.watchBanks()
        try await eventually("the bank is refreshed") { feed.requests.contains { $0.hasPrefix("balance") } }
        #expect(refreshes() == 1)
        await second.close()
    }

    @Test(arguments: ["lock", "sign out", "account deletion"])
    func aDeviceThatIsLeftRefreshesNothing(way: String) async throws {
        let devices = try open()
        let (_, device) = try await server.signedIn(devices)
        try await device.connectBank()
        switch way {
        case "lock": try await device.send(.endedHere(.locked))
        case "sign out": try await device.handle(.userSignedOut)
        default: try await device.handle(.accountDeleteRequested)
        }
        try await eventually("the connection is gone") {
            try devices.services.store.bankConnections(of: device.id).isEmpty
        }
        // Access that expires before that is renewed first.
        try await device.consentsAreEnded()
        #expect(feed.requests.last == "revoke first")
        feed.change { $0.requests = [] }
        server.clock.advance(by: 2 * day)
        device.refreshStaleBanks()
        devices.planDueBanks()
        try await device.banksAreIdle()
        #expect(feed.requests.isEmpty)
        await devices.close()
    }

    /// The order is not carried out yet, so that the connection is still there.
    @Test func aDeviceThatIsToBeLockedRefreshesNothing() async throws {
        let first = try open()
        let (_, device) = try await server.signedIn(first)
        try await device.connectBank()
        try first.services.store.add(.lock(device.id), now: server.clock.now)
        await first.close()
        server.clock.advance(by: 2 * day)
        _ = refreshes()
        let second = try open()
        second.planDueBanks()
        let again = try #require(try second.device(device.id))
        try await again.banksAreIdle()
        #expect(try second.services.store.bankConnections(of: device.id).count == 1)
        #expect(feed.requests.isEmpty)
        await second.close()
    }

    @Test func onlyAnOpenBookOfAUserMayReadBanks() throws {
        let user = try #require(UserID("u"))
        let states: [(State, BankPermission)] = [
            (.localOnly(user, isAttached: false), .granted), (.synced(user, mustSignIn: false), .granted),
            (.draining(user, isStalled: false, mustSignIn: true), .granted),
            (.switchingToSync(user, .upload), .notYet), (.switchingToLocal(user), .notYet),
            (.seedingGuest(Seeding(user: user)), .notYet), (.localOnly(nil, isAttached: false), .none),
            (.blocked(user), .none), (.signingOut(user, why: .chosen), .none),
            (.deletingAccount(user, from: .synced(user, mustSignIn: false)), .none),
            (.deletingServerData(user), .none), (.verifyingAccount(user, from: .guest), .none),
            (.onboarding(user), .none), (.uninitialized, .none), (.initializing, .none),
        ]
        for (state, permission) in states {
            #expect(BankPermission(state, isLocked: false) == permission, "\(state)")
            #expect(BankPermission(state, isLocked: true) == .none)
            #expect(BankPermission(state, isLocked: nil) == .none)
        }
    }

    /// A lock ends a refresh before its next request.
    @Test func aRefreshEndsWhenTheDeviceIsLocked() async throws {
        let devices = try open()
        let (_, device) = try await server.signedIn(devices)
        try await device.connectBank()
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        feed.change { ($0.requests, $0.gate) = ([], gate) }
        let id = try device.onlyBank().id
        device.refreshBank(id)
        try await eventually("it is refreshing") { device.services.banks.isRefreshing(id) }
        try await device.send(.endedHere(.locked))
        pass.finish()
        try await eventually("it ends") { !device.services.banks.isRefreshing(id) }
        #expect(!feed.requests.contains { $0.hasPrefix("transactions") })
        await devices.close()
    }

    @Test func connectionsAreRefreshedOneAfterAnother() async throws {
        let devices = try open()
        let (_, device) = try await server.signedIn(devices)
        let secrets = ["one", "two", "three"]
        feed.change { state in
            (state.secrets, state.expiresIn) = (secrets, nil)
            for secret in secrets { state.accountsOf[secret] = [TestFeed.account(secret)] }
        }
        for _ in secrets { try await device.connectBank() }
        server.clock.advance(by: 2 * day)
        feed.change { $0.requests = [] }
        device.refreshStaleBanks()
        try await device.banksAreIdle()
        // No request of a connection is between those of another one.
        let requests = feed.requests
        #expect(requests.count == 9 && Set(requests).count == 9)
        for first in [0, 3, 6] where requests.count == 9 {
            let secret = String(requests[first].split(separator: " ").last ?? "")
            let expected = ["accounts", "transactions", "balance"].map { "\($0) \(secret)" }
            #expect(Array(requests[first..<first + 3]) == expected)
        }
        await devices.close()
    }

    @Test func aConnectionThatIsBeingRefreshedIsLeftAlone() async throws {
        let devices = try open()
        let (_, device) = try await server.signedIn(devices)
        let id = try await device.connectBank()
        server.clock.advance(by: 2 * day)
        #expect(device.services.banks.begin(id))
        #expect(await device.runBankTurn(on: .use) == .nothingDue)
        device.services.banks.drop(id)
        #expect(await device.runBankTurn(on: .use) == .refreshed)
        #expect(await device.runBankTurn(on: .use) == .nothingDue)
        await devices.close()
    }

    @Test func withoutProvidersNothingIsPlanned() async throws {
        let devices = try server.open()
        let (_, device) = try await server.signedIn(devices)
        device.refreshStaleBanks()
        devices.planDueBanks()
        #expect(!device.services.banks.isPlanned(device.id))
        await devices.close()
    }
}
