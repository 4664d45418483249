// Connections to banks whose steps are interrupted: by another user, by a new consent, and by the end of the process.
import BankFeeds
import Book
import DeviceStore
import Foundation
import GRDB
import Ledger
import Lifecycle
import Storage
import TestKit
import Testing

@testable import Devices

@Suite struct InterruptedBanks {
    private let server = DeviceServer()
    private let feed: TestFeed
    private let tokens: TestFeed

    init() {
        feed = server.bankFeed()
        tokens = server.bankFeed(.setupToken)
    }

    private func open() throws -> DeviceManager { try server.open(banks: [feed, tokens]) }

    private func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        try #require(try await eventuallyBecomesTrue(condition), "\(what)")
    }

    /// While the provider answers, another user signs in on the same browser.
    @Test(arguments: [true, false])
    func aBankBelongsToTheUserWhoHasConsented(isToken: Bool) async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        let asked = isToken ? tokens : feed
        asked.change { $0.proofGate = gate }
        var state = ""
        if !isToken {
            state = try device.consentState(
                of: try device.beginConsent(at: "page", renewing: nil, redirect: "r")
            )
        }
        let given = state
        let connecting = Task {
            if isToken {
                try await device.connectBank(at: "token", renewing: nil, setupToken: "x")
            } else {
                try await device.finishConsent(state: given, code: "c")
            }
        }
        try await until("the provider is asked") { asked.requests == ["waiting"] }
        try await device.handle(.userSignedOut)
        try await until("the user has signed out") { device.session == nil }
        try await server.signIn("bob", on: device)
        pass.finish()
        await #expect(throws: BankRefusal.notSignedIn) { try await connecting.value }
        #expect(try device.bankConnections().isEmpty)
        // The user cannot end the consent later: it would be of no use until it expires.
        try await until("the consent is ended") { asked.requests.last == "revoke first" }
        await devices.close()
    }

    /// The tokens are stored before any other request is sent, so that a kill does not lose them.
    @Test func renewedAccessIsStoredBeforeItsFirstUse() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await device.connectBank()
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        feed.change { ($0.requests, $0.reportedConsent, $0.consentGate) = ([], "c", gate) }
        server.clock.advance(by: 3_600)
        device.refreshBank(id)
        try await until("the consent is asked for") { feed.requests == ["renew first", "consent renewed"] }
        func access() throws -> BankAccess? {
            let record = try devices.services.store.bankConnection(id, of: device.id)
            return record?.sealedAccess.flatMap { device.open(BankAccess.self, $0, .bankAccess) }
        }
        #expect(try access()?.secret == "renewed" && access()?.consentID == nil)
        pass.finish()
        try await device.banksAreIdle()
        #expect(try access()?.consentID == "c" && device.onlyBank().state == .connected)
        await devices.close()
    }

    /// Joins an account of the book to that of the provider.
    private func join(_ device: Device, _ devices: DeviceManager) async throws -> BankAccountKey {
        let lease = try await device.lease()
        defer { lease.giveBack() }
        _ = try lease.book.add(TestFeed.joinedAccount(devices.dependencies.newID()))
        return TestFeed.key
    }

    private func inBook<Value>(_ device: Device, _ body: (Book) throws -> Value) async throws -> Value {
        let lease = try await device.lease()
        defer { lease.giveBack() }
        return try body(lease.book)
    }

    /// Otherwise it would not be known any more which transaction the bank has booked under another id.
    @Test func aReportIsReplacedOnlyAfterItsNotesHaveMoved() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await device.connectBank()
        let key = try await join(device, devices)
        try await inBook(device) { book in
            var note = try book.bankNote(of: BankTransactionKey(key, id: "t"))
            note.note = "with Ben"
            try book.write(note)
        }
        let file = try DatabaseQueue(path: devices.services.folder.bookPath(of: device.id))
        try await file.write {
            try $0.execute(
                sql: "CREATE TRIGGER fault BEFORE UPDATE ON bank_notes BEGIN SELECT RAISE(ABORT, 'x'); END"
            )
        }
        feed.change { $0.row = ("booked", false) }
        device.refreshBank(id)
        try await device.banksAreIdle()
        #expect(try device.onlyBank().accounts.first?.transactions?.map(\.id) == ["t"])
        // The page says so, and the next automatic refresh waits.
        #expect(try device.onlyBank().state == .failing(BankFailing(since: noon, what: .notStored)))
        #expect(devices.bankRefreshes.first { $0.outcome == .notStored }?.count == 1)
        try await file.write { try $0.execute(sql: "DROP TRIGGER fault") }
        device.refreshBank(id)
        try await device.banksAreIdle()
        #expect(try device.onlyBank().accounts.first?.transactions?.map(\.id) == ["booked"])
        #expect(try device.onlyBank().state == .connected)
        let moved = try await inBook(device) {
            try $0.bankNote(of: BankTransactionKey(key, id: "booked")).note
        }
        #expect(moved == "with Ben")
        await devices.close()
    }

    /// A pending transaction that was found under the id of the booking is not sought again: a later purchase of the same
    /// amount is no booking of it.
    @Test func aBookedTransactionIsSoughtOnce() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await device.connectBank()
        _ = try await join(device, devices)
        let account = try #require(
            try await inBook(device) { try $0.choices().accounts.first { $0.bank.key != nil }?.id }
        )
        _ = try await inBook(device) {
            // Only what was pending before is recorded.
            try $0.recordBank(of: account, from: CivilDate(dayNumber: Int32(noon / day)).adding(days: 9))
        }
        feed.change { $0.row = ("booked", false) }
        for further in [[], ["later"]] {
            feed.change { $0.furtherRows = further }
            device.refreshBank(id)
            try await device.banksAreIdle()
            let records = try await inBook(device) { try $0.transactions(TransactionQuery()).page.rows }
            #expect(records.map(\.bankTransaction) == ["page:acc booked"], "\(further)")
        }
        await devices.close()
    }

    /// The report is stored, and the book is not changed any more: the next refresh records the transaction.
    @Test func aBookedTransactionIsRecordedAfterAnInterruption() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await device.connectBank()
        _ = try await join(device, devices)
        let account = try #require(
            try await inBook(device) { try $0.choices().accounts.first { $0.bank.key != nil }?.id }
        )
        // Only a transaction that was pending before is recorded.
        let start = CivilDate(dayNumber: Int32(noon / day)).adding(days: 9)
        _ = try await inBook(device) { try $0.recordBank(of: account, from: start) }
        let file = try DatabaseQueue(path: devices.services.folder.bookPath(of: device.id))
        try await file.write {
            try $0.execute(
                sql: "CREATE TRIGGER fault BEFORE INSERT ON transactions BEGIN SELECT RAISE(ABORT, 'x'); END"
            )
        }
        feed.change { $0.row = ("booked", false) }
        device.refreshBank(id)
        try await device.banksAreIdle()
        #expect(try device.onlyBank().accounts.first?.transactions?.map(\.id) == ["booked"])
        try await file.write { try $0.execute(sql: "DROP TRIGGER fault") }
        device.refreshBank(id)
        try await device.banksAreIdle()
        let records = try await inBook(device) { try $0.transactions(TransactionQuery()).page.rows }
        #expect(records.map(\.bankTransaction) == ["page:acc booked"])
        // Once: a record that the user deletes stays deleted, and the recording is not tried for ever.
        let cache = try devices.services.store.bankCaches(of: id)
        #expect(
            BankCache(cache) { devices.services.seal.open($0, for: device.id, .bankCache) }.booked["acc"]
                == []
        )
        await devices.close()
    }

    @Test func aRefreshThatStoresNothingIsNotNotedInTheBook() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await device.connectBank()
        _ = try await join(device, devices)
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        feed.change { ($0.balanceGate, $0.requests) = (gate, []) }
        device.refreshBank(id)
        try await until("the balance is asked for") { feed.requests.last == "balance first" }
        try device.disconnectBank(id)
        pass.finish()
        try await device.banksAreIdle()
        let times = try await inBook(device) { try $0.choices().accounts.map(\.bank.syncedAt) }
        #expect(times.allSatisfy { $0 == nil } && !times.isEmpty)
        await devices.close()
    }

    /// The result of the refresh that was running is not used; the new access is read at once.
    @Test func aConsentDuringARefreshIsReadAfterIt() async throws {
        let devices = try open()
        let device = try await server.signedIn(devices).device
        let id = try await device.connectBank()
        server.clock.advance(by: 60)
        let (gate, pass) = AsyncStream.makeStream(of: Never.self)
        feed.change { ($0.requests, $0.balanceGate, $0.secrets) = ([], gate, ["second"]) }
        device.refreshBank(id)
        // It is shown as refreshing before it has taken its access; one that begins later would read with the new one.
        try await until("it reads with the former access") { feed.requests.last == "balance first" }
        #expect(try await device.consent(renewing: id) == id)
        feed.change { $0.balanceGate = nil }
        pass.finish()
        try await until("the new access is read") { feed.requests.contains("balance second") }
        try await device.banksAreIdle()
        #expect(try device.onlyBank().refreshedAt == noon + 60)
        #expect(feed.requests.filter { $0 == "accounts second" }.count == 1)
        await devices.close()
    }
}
