// The days of a bank's transactions on a device: those of its user, whose time zone can change.
import BankFeeds
import Book
import DeviceStore
import Ledger
import TestKit
import Testing

@testable import Devices

@Suite struct DaysOnADevice {
    private let server = DeviceServer()
    private let feed: TestFeed
    /// Half past eleven in the evening of 20 November in UTC, which is half past one on the 21st in "East".
    private let late = noon - noon % day - 1_800

    init() { feed = server.bankFeed() }

    private func choose(_ zone: String?, _ device: Device) async throws {
        var preferences = Preferences()
        preferences.timeZone = zone
        try await device.book().set(preferences)
    }

    /// Joins an account of the book, which records transactions from a day on.
    private func join(_ device: Device, _ devices: DeviceManager, from start: CivilDate) async throws {
        let account = TestFeed.joinedAccount(devices.dependencies.newID())
        let book = try await device.book()
        _ = try book.add(account)
        _ = try book.recordBank(of: account.id, from: start)
    }

    /// The days of the rows of the account.
    private func days(_ device: Device, in zone: String) async throws -> [String] {
        let rows = try await device.book().bankRows(of: device.bankView(in: zone).reports)
        return rows.all.map(\.transaction.date.description)
    }

    @Test func aViewIsInTheZoneOfItsUserAlsoAfterAnotherOneWasChosen() async throws {
        var devices = try server.open(banks: [feed])
        let (token, device) = try await server.signedIn(devices)
        feed.change { $0.rowTime = late }
        try await device.connectBank()
        try await join(device, devices, from: CivilDate(dayNumber: .max))
        #expect(try await days(device, in: "UTC") == ["2026-11-20"])
        #expect(try await days(device, in: "East") == ["2026-11-21"])
        #expect(try await days(device, in: "UTC") == ["2026-11-20"])
        #expect(devices.services.bankViews.count == 1)
        let balance = try device.bankView(in: "East").accounts[TestFeed.key]?.balance
        #expect(balance?.day.description == "2026-11-21")
        await devices.close()
        devices = try server.open(banks: [feed])
        let again = try await devices.load(token)
        #expect(try await days(again, in: "East") == ["2026-11-21"])
        await devices.close()
    }

    /// Recording from the 21st on: the purchase was on that day for the user, and on the day before in UTC.
    @Test(arguments: [("East", ["2026-11-21"]), ("UTC", []), (nil, [])] as [(String?, [String])])
    func aTransactionIsRecordedOnTheUsersDay(zone: String?, recorded: [String]) async throws {
        let devices = try server.open(banks: [feed])
        let device = try await server.signedIn(devices).device
        // A transaction that was pending before would be recorded whatever its day is.
        feed.change { $0.row = ("old", false) }
        let id = try await device.connectBank()
        try await choose(zone, device)
        try await join(device, devices, from: CivilDate(utc: noon))
        feed.change { ($0.rowTime, $0.row) = (late, ("new", false)) }
        device.refreshBank(id)
        try await device.banksAreIdle()
        let records = try await device.book().transactions(TransactionQuery()).page.rows
        #expect(records.map(\.date.description) == recorded)
        await devices.close()
    }

    /// A pending transaction that the bank does not report any more is remembered for 14 of the user's days.
    @Test(arguments: [("East", 1), ("UTC", 0)])
    func aPendingTransactionIsRememberedByTheUsersDays(zone: String, count: Int) async throws {
        let devices = try server.open(banks: [feed])
        let device = try await server.signedIn(devices).device
        feed.change { $0.rowTime = late }
        let id = try await device.connectBank()
        try await choose(zone, device)
        // Caches that were not refreshed for a week are removed.
        for days in [5, 5, 4] as [Int64] {
            device.refreshBank(id)
            try await device.banksAreIdle()
            server.clock.advance(by: days * day)
        }
        // At noon of 5 December, the 21st is 14 days ago and the 20th is 15.
        feed.change { ($0.rowTime, $0.row) = (nil, ("other", true)) }
        device.refreshBank(id)
        try await device.banksAreIdle()
        let stored = try devices.services.store.bankCaches(of: id)
        let cache = BankCache(stored) { devices.services.seal.open($0, for: device.id, .bankCache) }
        #expect(cache.vanished["acc"]?.count == count)
        #expect(cache.vanished["acc"]?.allSatisfy { $0.time == late } == true)
        await devices.close()
    }

    /// A transaction without a time is stored without one.
    @Test func whatIsStoredIsReadAsItWas() throws {
        let seal = Seal(key: Array(repeating: 7, count: 32))
        var cache = BankCache()
        cache.accounts = [TestFeed.account]
        cache.transactions["acc"] = [nil, 0, late, -1].map { time in
            BankTransaction(
                id: "t\(time ?? 5)",
                date: CivilDate(dayNumber: 20_777),
                time: time,
                money: Money(minor: -100, currency: .eur),
                description: "Bread",
                counterparty: time == nil ? nil : "Baker",
                isPending: time == late
            )
        }
        cache.balances["acc"] = BankBalance(money: Money(minor: 5, currency: .eur), asOf: late)
        cache.vanished["acc"] = []
        cache.followed["acc"] = [:]
        cache.booked["acc"] = []
        let owner = EntityID(high: 0, low: 1)
        let records = try #require(
            cache.records(at: noon, sealedBy: { seal.close($0, for: owner, .bankCache) })
        )
        #expect(BankCache(records) { seal.open($0, for: owner, .bankCache) } == cache)
    }
}
