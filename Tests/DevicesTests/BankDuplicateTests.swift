// A bank that is connected twice: one connection remains, with one consent.
import BankFeeds
import Book
import DeviceStore
import Dispatch
import Foundation
import Ledger
import Lifecycle
import Synchronization
import TestKit
import Testing

@testable import Devices

@Suite struct BankDuplicates {
    private let server = DeviceServer()
    private let feed: TestFeed

    init() { feed = server.bankFeed() }

    private func signedIn() async throws -> (devices: DeviceManager, device: Device) {
        let devices = try server.open(banks: [feed])
        return (devices, try await server.signedIn(devices).device)
    }

    private var revoked: [String] { feed.requests.filter { $0.hasPrefix("revoke") } }

    /// Consents in two tabs, in both orders of the answers.
    @Test(arguments: [[0, 1], [1, 0]])
    func twoTabsThatConnectTheSameBankMakeOneConnection(order: [Int]) async throws {
        let (devices, device) = try await signedIn()
        feed.change { $0.secrets = ["one", "two"] }
        var ids: [EntityID] = []
        for _ in 0..<2 {
            ids.append(try device.beginConsent(at: "page", renewing: nil, redirect: "r"))
            server.clock.advance(by: 1)
        }
        let states = try ids.map { try device.consentState(of: $0) }
        for index in order {
            try await device.finishConsent(state: states[index], code: "c")
            server.clock.advance(by: 1)
        }
        try await eventually("they are one") { try device.bankConnections().count == 1 }
        try await device.banksAreIdle()
        // The first connection remains, with the later consent; the other consent is ended.
        #expect(try device.onlyBank().id == ids[0] && device.onlyBank().state == .connected)
        #expect(try device.onlyBank().accounts.map(\.account.id) == ["acc"])
        try await eventually("the other consent is ended") { revoked == ["revoke one"] }
        #expect(device.presentBank(ids[1]) == ids[0] && device.presentBank(ids[0]) == ids[0])
        feed.change { $0.requests = [] }
        device.refreshBank(ids[0])
        try await device.banksAreIdle()
        #expect(feed.requests.first == "accounts two")
        await devices.close()
    }

    /// The pages would say that the bank was read although the book does not have its transactions yet.
    @Test func aConnectionIsBeingReadUntilTheRefreshThatHasJoinedItEnds() async throws {
        let (devices, device) = try await signedIn()
        feed.change { $0.secrets = ["one", "two"] }
        let id = try await device.connectBank()
        server.clock.advance(by: 60)
        let isHeld = Atomic(false)
        let release = DispatchSemaphore(value: 0)
        let use = Background.run {
            try? await device.withBookAlone { _ throws(BookError) in
                isHeld.store(true, ordering: .relaxed)
                release.wait()
            }
        }
        do {
            defer { release.signal() }
            try await eventually("the book is in use") { isHeld.load(ordering: .relaxed) }
            let new = try await device.consent()
            try await eventually("they are one") { device.presentBank(new) == id }
            #expect(try device.bankConnections().map(\.id) == [id])
            #expect(try device.onlyBank().state == .refreshing(after: nil))
        }
        await use.value
        try await device.banksAreIdle()
        #expect(try device.onlyBank().state == .connected && device.onlyBank().refreshedAt == noon + 60)
        await devices.close()
    }

    @Test func aBankThatIsConnectedAgainInsteadOfReconnectedIsOne() async throws {
        let (devices, device) = try await signedIn()
        feed.change { $0.secrets = ["one", "two"] }
        let id = try await device.connectBank()
        feed.change { $0.error = .consentEnded }
        device.refreshBank(id)
        try await device.banksAreIdle()
        #expect(device.notices.count == 1)
        feed.change { $0.error = nil }
        server.clock.advance(by: 10)
        try await device.connectBank()
        #expect(try device.bankConnections().map(\.id) == [id])
        #expect(try device.onlyBank().state == .connected && device.notices.isEmpty)
        await devices.close()
    }

    /// Joins the account of the book to the account of a connection.
    private func joinAccount(_ device: Device, _ connection: EntityID) async throws {
        _ = try await device.book().join(
            [BankJoin(TestFeed.account, of: "page", .new)],
            connection: connection,
            refreshedAt: noon
        )
    }

    private func rows(_ device: Device) async throws -> [String] {
        let rows = try await device.book().bankRows(of: device.bankView().reports)
        return rows.all.map(\.transaction.payee)
    }

    /// The user has ended a connection and made a new one, instead of making it again: the list has one.
    @Test func aConnectionThatWasEndedIsReplacedByANewOne() async throws {
        let (devices, device) = try await signedIn()
        feed.change { $0.secrets = ["one", "two", "three", "four"] }
        let id = try await device.connectBank()
        try await joinAccount(device, id)
        // Again and again, also by a connection that was itself a replacement.
        for _ in 0..<2 {
            try device.disconnectBank(id)
            server.clock.advance(by: 60)
            let new = try await device.connectBank()
            #expect(try device.bankConnections().map(\.id) == [id] && device.presentBank(new) == id)
            #expect(try device.onlyBank().state == .connected && device.onlyBank().accounts.count == 1)
            #expect(try await rows(device).count == 1)
        }
        // Another bank of the same provider replaces nothing.
        try device.disconnectBank(id)
        feed.change { $0.accounts = [TestFeed.account("other")] }
        let other = try await device.connectBank()
        #expect(try Set(device.bankConnections().map(\.id)) == [id, other])
        #expect(try device.bankConnections().first { $0.id == id }?.state == .disconnected)
        await devices.close()
    }

    @Test func nothingIsDoubledAfterARestart() async throws {
        let (first, device) = try await signedIn()
        feed.change { $0.secrets = ["one", "two"] }
        let id = try await device.connectBank()
        try await joinAccount(device, id)
        server.clock.advance(by: 60)
        let joined = try await device.connectBank()
        #expect(device.presentBank(joined) == id)
        await first.close()
        let second = try server.open(banks: [feed])
        let again = try #require(try second.device(device.id))
        #expect(try again.bankConnections().map(\.id) == [id] && again.bankView().accounts.count == 1)
        #expect(try await rows(again).count == 1)
        // A tab that still shows the other one finds nothing, and changes nothing.
        #expect(throws: BankRefusal.unknown) { try again.disconnectBank(joined) }

        // A process that was killed before it joined them leaves two: each row is there once, and the next refresh
        // joins them.
        var copy = try #require(try second.services.store.bankConnection(id, of: device.id))
        let caches = try second.services.store.bankCaches(of: id)
        copy.id = second.dependencies.newID()
        try second.services.store.add(copy, to: device.id)
        _ = try second.services.store.keep(copy, of: device.id, replacing: caches)
        #expect(try again.bankConnections().count == 2 && again.bankView().accounts.count == 1)
        #expect(try await rows(again).count == 1)
        again.refreshBank(id)
        try await again.banksAreIdle()
        #expect(try again.bankConnections().map(\.id) == [id])
        #expect(try await rows(again).count == 1)
        await second.close()
    }

    @Test func otherAccountsAreAnotherConnection() async throws {
        let (devices, device) = try await signedIn()
        feed.change { state in
            state.secrets = ["one", "two", "three"]
            state.accountsOf["two"] = [TestFeed.account("acc"), TestFeed.account("other")]
            state.accountsOf["three"] = []
        }
        for _ in 0..<3 { try await device.connectBank() }
        #expect(try device.bankConnections().count == 3 && revoked.isEmpty)
        await devices.close()
    }

    /// The user has connected the bank anew, with one account more: the former connection hides nothing.
    @Test(arguments: [false, true])
    func theLastConnectionToAnAccountIsShown(areOldCachesRemoved: Bool) async throws {
        let (devices, device) = try await signedIn()
        feed.change { state in
            state.secrets = ["one", "two"]
            state.accountsOf["two"] = [TestFeed.account("acc"), TestFeed.account("other")]
        }
        let old = try await device.connectBank()
        try await joinAccount(device, old)
        feed.change { $0.error = .consentEnded }
        device.refreshBank(old)
        try await device.banksAreIdle()
        server.clock.advance(by: areOldCachesRemoved ? 8 * day : 60)
        if areOldCachesRemoved { devices.removeOutdatedBankData() }
        feed.change { ($0.error, $0.row) = (nil, ("fresh", false)) }
        let new = try await device.connectBank()
        let joined = try #require(try await device.book().choices().accounts.first { $0.bank.key != nil })
        let shown = try #require(try device.bankView().account(of: joined.bank))
        #expect(shown.connection == device.presentBank(new) && !shown.needsReconnect)
        #expect(shown.balance != nil && shown.refreshedAt == server.clock.now)
        let rows = try await device.book().bankRows(of: device.bankView().reports)
        #expect(rows.all.map(\.reported.id) == ["fresh"])
        // The former one is of no use any more: the list has one, and nothing asks for its consent.
        #expect(try device.bankConnections().map(\.id) == [old] && device.onlyBank().accounts.count == 2)
        #expect(try device.onlyBank().state == .connected && device.notices.isEmpty)
        await devices.close()
    }

    /// The provider says that both have the same consent: ending one of them would end the other.
    @Test func twoAnswersOfOneConsentAreJoinedAndNothingIsRevoked() async throws {
        let (devices, device) = try await signedIn()
        feed.change { state in
            state.secrets = ["one", "two"]
            state.consentID = "credentials"
            state.accountsOf["two"] = [TestFeed.account("acc"), TestFeed.account("other")]
        }
        try await device.connectBank()
        try await device.connectBank()
        #expect(try device.onlyBank().accounts.count == 2 && revoked.isEmpty)
        await devices.close()
    }

    @Test func aJoinedConnectionKeepsTheLimitsOfBoth() async throws {
        let (devices, device) = try await signedIn()
        let id = try await device.connectBank()
        server.clock.advance(by: 2 * day)
        device.refreshStaleBanks()
        try await device.banksAreIdle()
        server.clock.advance(by: 7_200)
        try await device.connectBank()
        #expect(try device.bankConnections().map(\.id) == [id])
        // The access that is not used any more.
        try await device.consentsAreEnded()
        server.clock.advance(by: 7_200)
        feed.change { $0.requests = [] }
        device.refreshStaleBanks()
        try await device.banksAreIdle()
        #expect(feed.requests.isEmpty)
        await devices.close()
    }
}
