// Consents that no connection uses any more are ended at the provider, however they were replaced; and what is open of a
// bank is dropped at once.
import BankFeeds
import DeviceStore
import Ledger
import Lifecycle
import TestKit
import Testing

@testable import Devices

@Suite struct EndedBankConsents {
    private let server = DeviceServer()
    private let feed: TestFeed

    init() { feed = server.bankFeed() }

    private func open() throws -> DeviceManager { try server.open(banks: [feed]) }

    private func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        try #require(try await eventuallyBecomesTrue(condition), "\(what)")
    }

    private func nothingIsLeft(_ devices: DeviceManager) async throws {
        try await until("no consent waits") { try devices.services.store.bankRevocations().isEmpty }
    }

    @Test func aNewConsentEndsTheFormerOne() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        feed.change { $0.secrets = ["first", "second"] }
        let id = try await device.connectBank()
        try await device.connectBank(renewing: id)
        try await until("the former consent is ended") { feed.requests.contains("revoke first") }
        try await nothingIsLeft(devices)
        #expect(!feed.requests.contains("revoke second"))
        device.refreshBank(id)
        try await device.banksAreIdle()
        #expect(try device.onlyBank().state == .connected && feed.requests.last == "balance second")
        await devices.close()
    }

    /// A provider can renew one consent: the end of its former access would end it.
    @Test func theSameConsentIsNotEnded() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        feed.change { ($0.secrets, $0.reportedConsent) = (["first", "second"], "c") }
        let id = try await device.connectBank()
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        feed.change { $0.consentGate = gate }
        #expect(try await device.consent(renewing: id) == id)
        try await until("the consent is asked for") { feed.requests.last == "consent second" }
        // Until the provider has named it, it is not known whether it is the same.
        #expect(try devices.services.store.bankRevocations().map(\.connection) == [id])
        pass.finish()
        try await device.banksAreIdle()
        try await nothingIsLeft(devices)
        #expect(!feed.requests.contains { $0.hasPrefix("revoke") })
        await devices.close()
    }

    @Test func accessThatComesAfterTheDisconnectionIsEnded() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        feed.change { $0.proofGate = gate }
        let id = try device.beginConsent(at: "page", renewing: nil, redirect: "r")
        let state = try device.consentState(of: id)
        let connecting = Task { try await device.finishConsent(state: state, code: "c") }
        try await until("the provider is asked") { feed.requests == ["waiting"] }
        try device.disconnectBank(id)
        pass.finish()
        await #expect(throws: BankRefusal.unknown) { try await connecting.value }
        try await until("the consent is ended") { feed.requests.last == "revoke first" }
        try await nothingIsLeft(devices)
        await devices.close()
    }

    /// The former access is invalid after the renewal: only the renewed one ends the consent.
    @Test func accessThatIsRenewedDuringTheDisconnectionIsEnded() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await device.connectBank()
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        feed.change { ($0.refusesAccess, $0.renewalGate) = (true, gate) }
        device.refreshBank(id)
        try await until("the access is renewed") { feed.requests.last == "renew first" }
        try device.disconnectBank(id)
        pass.finish()
        try await until("the consent is ended") { feed.requests.contains("revoke renewed") }
        try await device.banksAreIdle()
        try await nothingIsLeft(devices)
        #expect(try device.onlyBank().state == .disconnected && device.onlyBank().isConsentLeft == false)
        await devices.close()
    }

    /// A slow bank, or a computer that slept: the consent is as valid as before.
    @Test func renewedAccessThatExpiresDuringTheRefreshIsRenewedAgain() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await device.connectBank()
        server.clock.advance(by: 3_600)
        let (clock, feed) = (server.clock, feed)
        feed.change { state in
            state.onTransactions = {
                clock.advance(by: 4 * day)
                feed.change { ($0.onTransactions, $0.refusesAccess) = (nil, true) }
            }
        }
        device.refreshBank(id)
        try await device.banksAreIdle()
        #expect(try device.onlyBank().state == .connected && device.notices.isEmpty)
        #expect(try device.onlyBank().refreshedAt == clock.now)
        await devices.close()
    }

    @Test(arguments: [false, true])
    func whatIsOpenOfABankIsDroppedAtOnce(signsOut: Bool) async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await device.connectBank()
        #expect(try !device.bankView().accounts.isEmpty && devices.services.bankViews.count == 1)
        if signsOut {
            try await device.handle(.userSignedOut)
            try await until("the user has signed out") { device.session == nil }
        } else {
            try device.disconnectBank(id)
        }
        #expect(devices.services.bankViews.count == 0)
        await devices.close()
    }
}
