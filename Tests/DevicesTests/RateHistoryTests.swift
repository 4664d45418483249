// The exchange rates of many days on their way from the cloud to a device's book.
import Book
import Cloud
import CloudProtocol
import Ledger
import Lifecycle
import TestKit
import Testing

@testable import Devices

@Suite struct RateHistoryOfADevice {
    let server = DeviceServer()
    private let range = RateHistoryRange(from: CivilDate(dayNumber: 20_454), currencies: [.eur, .usd])

    /// The rates of a day after the beginning of the range.
    private func rates(_ day: Int, _ dollar: String) throws -> ExchangeRates {
        ExchangeRates(
            day: range.from.adding(days: day),
            source: .europeanCentralBank,
            rates: [.usd: try #require(ExchangeRate(dollar))]
        )
    }

    private func store(_ rates: ExchangeRates) throws {
        _ = try server.cloud.directory.store([rates], from: .file)
    }

    private func premium(_ devices: DeviceManager) async throws -> (token: DeviceToken, device: Device) {
        server.cloud.say(Entitlement(.active))
        let (token, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        try await eventually("it is in step") { try await device.isInStep() }
        return (token, device)
    }

    private func held(_ device: Device) async throws -> StoredRateHistory? {
        let lease = try await device.lease()
        defer { lease.giveBack() }
        return try lease.book.rateHistory()
    }

    /// Needs the rates for a report.
    private func need(_ range: RateHistoryRange, _ device: Device) async throws {
        device.refreshRateHistory(range, stored: try await held(device))
        await device.waitForRateHistory(withinMilliseconds: .max)
    }

    @Test func aReportBringsThemAndLaterOnesAskWhetherTheyHaveChanged() async throws {
        try store(try rates(1, "1.1"))
        let devices = try server.open()
        let (token, device) = try await premium(devices)
        #expect(server.cloud.count("rateHistory") == 0, "no report needs them yet")
        try await need(range, device)
        #expect(try await held(device)?.history.days == [try rates(1, "1.1")])
        // Another report of the same minutes asks nothing.
        try await need(range, device)
        #expect(server.cloud.count("rateHistory") == 1)
        // A report of more asks at once, for all that any of them needs.
        let earlier = RateHistoryRange(from: range.from.adding(days: -365), currencies: [.usd])
        try await need(earlier, device)
        #expect(server.cloud.count("rateHistory") == 2)
        #expect(try await held(device)?.range == range.union(earlier))
        try store(try rates(2, "1.2"))
        let (notifications, subscription) = device.notifications()
        server.clock.advance(by: RateHistoryPlan.checkSeconds)
        try await need(range, device)
        #expect(try await held(device)?.history.days.count == 2)
        server.clock.advance(by: RateHistoryPlan.checkSeconds)
        try await need(range, device)
        #expect(server.cloud.count("rateHistory") == 4)
        subscription.finish()
        var rows = 0
        for await notification in notifications where notification == .rows { rows += 1 }
        #expect(rows == 1, "open reports are updated, but not without a change")
        await devices.close()
        // They are still there after a restart.
        let again = try server.open()
        let returned = try await again.load(token)
        #expect(try await held(returned)?.history.days.count == 2)
        await again.close()
    }

    @Test func aFailedRequestLeavesTheStoredOnesAndIsRepeated() async throws {
        try store(try rates(1, "1.1"))
        let devices = try server.open()
        let (_, device) = try await premium(devices)
        server.cloud.fail(.unreachable("cut"), ["rateHistory"])
        try await need(range, device)
        #expect(try await held(device) == nil)
        try await need(range, device)
        #expect(server.cloud.count("rateHistory") == 1, "not at every click")
        server.cloud.fail(nil)
        server.clock.advance(by: RateHistoryPlan.retrySeconds)
        try await need(range, device)
        #expect(try await held(device)?.history.days.count == 1)
        server.cloud.fail(.unreachable("cut"), ["rateHistory"])
        server.clock.advance(by: RateHistoryPlan.checkSeconds)
        try await need(range, device)
        #expect(try await held(device)?.history.days.count == 1)
        await devices.close()
    }

    @Test func aUserWithoutPremiumAsksForNone() async throws {
        try store(try rates(1, "1.1"))
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        await device.verify()
        try await need(range, device)
        #expect(server.cloud.count("rateHistory") == 0)
        #expect(try await held(device) == nil)
        await devices.close()
    }
}
