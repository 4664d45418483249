// A bank that is connected twice: one connection remains, with one consent.
import BankFeeds
import DeviceStore
import Foundation
import Ledger
import Lifecycle
import TestKit
import Testing

@testable import Devices

@Suite struct BankDuplicates {
    private let server = DeviceServer()
    private let feed: TestFeed

    init() {
        let clock = server.clock
        feed = TestFeed { clock.now }
    }

    private func signedIn() async throws -> (devices: DeviceManager, device: Device) {
        let devices = try server.open(banks: [feed])
        let (_, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        return (devices, device)
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
        server.clock.advance(by: 7_200)
        feed.change { $0.requests = [] }
        device.refreshStaleBanks()
        try await device.banksAreIdle()
        #expect(feed.requests.isEmpty)
        await devices.close()
    }
}
