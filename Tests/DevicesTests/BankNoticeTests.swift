// The notices about consents: when they come, how long they stay, and what removes them.
import CloudProtocol
import DeviceStore
import Foundation
import Ledger
import Lifecycle
import TestKit
import Testing

@testable import Devices

@Suite struct BankNotices {
    private let server = DeviceServer()
    private let feed: TestFeed

    init() { feed = server.bankFeed() }

    private func open() throws -> DeviceManager { try server.open(banks: [feed]) }

    /// The keys of the notices, which memory and store must agree on.
    private func keys(_ device: Device, at place: SourceLocation = #_sourceLocation) throws -> [String] {
        let keys = device.notices.map(\.key)
        #expect(try device.services.store.notices(of: device.id).map(\.key) == keys, sourceLocation: place)
        return keys
    }

    @Test func aRenewalIsSuggestedOnceFourteenDaysBeforeTheEnd() async throws {
        let first = try open()
        let device = try await server.signedIn(first).device
        let id = try await device.connectBank()
        server.clock.advance(by: 76 * day - 1)
        first.suggestRenewals()
        #expect(try keys(device).isEmpty)
        server.clock.advance(by: 1)
        first.suggestRenewals()
        #expect(try keys(device) == ["bank-consent-ends-soon"])
        #expect(try device.onlyBank().consentEndsSoon(at: server.clock.now))

        // It stays until it is dismissed, and then it stays away.
        await first.close()
        let second = try open()
        let again = try #require(try second.device(device.id))
        #expect(try keys(again) == ["bank-consent-ends-soon"])
        try again.dismiss(notice: "bank-consent-ends-soon")
        server.clock.advance(by: day)
        second.suggestRenewals()
        again.refreshBank(id)
        try await again.banksAreIdle()
        #expect(try keys(again).isEmpty)

        // A renewed consent ends again.
        try await again.connectBank(renewing: id)
        #expect(try !again.onlyBank().consentEndsSoon(at: server.clock.now))
        server.clock.advance(by: 76 * day)
        second.suggestRenewals()
        #expect(try keys(again) == ["bank-consent-ends-soon"])
        try await again.connectBank(renewing: id)
        #expect(try keys(again).isEmpty)
        await second.close()
    }

    @Test func aRefreshSuggestsARenewalAsWell() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        feed.change { $0.consentDays = 14 }
        try await device.connectBank()
        #expect(try keys(device) == ["bank-consent-ends-soon"])
        #expect(try device.onlyBank().state == .connected)
        await devices.close()
    }

    @Test func theEndReplacesTheSuggestion() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        feed.change { $0.consentDays = 10 }
        let id = try await device.connectBank()
        feed.change { $0.error = .consentEnded }
        device.refreshBank(id)
        try await device.banksAreIdle()
        #expect(try keys(device) == ["bank-consent-ended"])
        devices.suggestRenewals()
        #expect(try keys(device) == ["bank-consent-ended"])
        await devices.close()
    }

    @Test func aNoticeStaysForAsLongAsItAppliesToAnyConnection() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        feed.change { state in
            (state.consentDays, state.secrets, state.expiresIn) = (10, ["one", "two"], nil)
            for secret in state.secrets { state.accountsOf[secret] = [TestFeed.account(secret)] }
        }
        let ids = [try await device.connectBank(), try await device.connectBank()]
        feed.change { $0.consentDays = 90 }
        feed.change { ($0.secrets, $0.accountsOf["three"]) = (["three"], [TestFeed.account("one")]) }
        try await device.connectBank(renewing: ids[0])
        #expect(try keys(device) == ["bank-consent-ends-soon"])
        try device.disconnectBank(ids[1])
        #expect(try keys(device).isEmpty)
        await devices.close()
    }

    /// A connection that is removed leaves no notice, in memory and in the store.
    @Test(arguments: ["lock", "sign out", "account deletion", "disconnect"], ["ended", "ends soon"])
    func everyWayOutRemovesTheNotices(way: String, kind: String) async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        feed.change { $0.consentDays = kind == "ended" ? 90 : 10 }
        let id = try await device.connectBank()
        if kind == "ended" {
            feed.change { $0.error = .consentEnded }
            device.refreshBank(id)
            try await device.banksAreIdle()
        }
        #expect(try keys(device).count == 1)
        switch way {
        case "lock": try await device.send(.endedHere(.locked))
        case "sign out": try await device.handle(.userSignedOut)
        case "account deletion": try await device.handle(.accountDeleteRequested)
        default: try device.disconnectBank(id)
        }
        try await eventually("the notice is gone, from memory and from the store") {
            try device.notices.isEmpty && device.services.store.notices(of: device.id).isEmpty
        }
        await devices.close()
    }

    /// A lock while the answer of the bank arrives: whichever is first, no notice is left.
    @Test func aLockDuringARefreshLeavesNoNotice() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        var id = try await device.connectBank()
        for _ in 0..<20 {
            feed.change { $0.error = .consentEnded }
            device.refreshBank(id)
            try await device.send(.endedHere(.locked))
            try await device.banksAreIdle()
            #expect(try keys(device).isEmpty)
            try await server.signIn("anna", on: device)
            feed.change { $0.error = nil }
            id = try await device.connectBank()
        }
        await devices.close()
    }
}
