// The latest exchange rates on their way from the cloud to a device's book.
import Book
import Cloud
import CloudProtocol
import Ledger
import Lifecycle
import TestKit
import Testing

@testable import Devices

/// The rates of a day, of which only the dollar's differs.
private func rates(_ day: String, dollar: String = "1.1172") throws -> ExchangeRates {
    let (usd, jpy) = (try #require(CurrencyCode("USD")), try #require(CurrencyCode("JPY")))
    return ExchangeRates(
        day: try #require(CivilDate(iso: day)),
        source: .europeanCentralBank,
        rates: [usd: try #require(ExchangeRate(dollar)), jpy: try #require(ExchangeRate("175.68"))]
    )
}

@Suite struct RatesOfADevice {
    let server = DeviceServer()

    /// A premium user of a new account.
    private func premium(_ devices: DeviceManager, _ name: String = "anna") async throws
        -> (token: DeviceToken, device: Device)
    {
        server.cloud.say(Entitlement(.active))
        let (token, device) = try await server.guest(devices)
        try await server.signIn(name, on: device)
        return (token, device)
    }

    private func store(_ rates: ExchangeRates) throws {
        _ = try server.cloud.directory.store([rates], from: .feed)
    }

    private func held(_ device: Device) async throws -> ExchangeRates? {
        let lease = try await device.lease()
        defer { lease.giveBack() }
        return try lease.book.rates()
    }

    @Test func theyAreThereAfterTheSignInAndEachNewDayFollows() async throws {
        let first = try rates("2026-11-19")
        try store(first)
        let devices = try server.open()
        let (_, device) = try await premium(devices)
        try await eventually("the rates are there") { try await held(device) == first }
        #expect(server.cloud.count("rates") == 1)
        try await eventually("it is in step") { try await device.isInStep() }
        let pending = try await device.pendingChanges()
        // Nothing new: no request.
        await device.verify()
        await device.waitForRates(withinMilliseconds: .max)
        #expect(server.cloud.count("rates") == 1)
        let (notifications, subscription) = device.notifications()
        let second = try rates("2026-11-20")
        try store(second)
        await device.verify()
        try await eventually("the new day is there") { try await held(device) == second }
        await device.waitForRates(withinMilliseconds: .max)
        #expect(server.cloud.count("rates") == 2)
        // A correction of the same day too.
        let corrected = try rates("2026-11-20", dollar: "1.1173")
        try store(corrected)
        await device.verify()
        try await eventually("the correction is there") { try await held(device) == corrected }
        await device.waitForRates(withinMilliseconds: .max)
        subscription.finish()
        var rows = 0
        for await notification in notifications where notification == .rows { rows += 1 }
        #expect(rows == 2, "open pages show the new amounts")
        // They are no change of the user.
        #expect(try await device.pendingChanges() == pending)
        await devices.close()
    }

    @Test func theyFollowTheUserToAnotherDeviceAndGoAtTheSignOut() async throws {
        let day = try rates("2026-11-19")
        try store(day)
        let devices = try server.open()
        let (_, first) = try await premium(devices)
        try await eventually("they are on the first device") { try await held(first) == day }
        let (_, second) = try await premium(devices)
        try await eventually("they are on the second device") { try await held(second) == day }
        #expect(second.state.name == "synced")
        try await eventually("it is in step") { try await second.isInStep() }
        try await second.handle(.userSignedOut)
        try await second.waitUntilIdle(withinMilliseconds: 120_000)
        #expect(second.session == nil)
        #expect(try await held(second) == nil)
        await devices.close()
    }

    @Test func aUserWithoutPremiumAsksForNone() async throws {
        try store(try rates("2026-11-19"))
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        await device.verify()
        await device.waitForRates(withinMilliseconds: .max)
        #expect(server.cloud.count("rates") == 0)
        #expect(try await held(device) == nil)
        // They come with the subscription.
        server.cloud.say(Entitlement(.active))
        await device.verify()
        try await eventually("they came") { try await held(device) != nil }
        await devices.close()
    }

    @Test func aCloudThatReportsNoneIsNotAsked() async throws {
        let devices = try server.open()
        let (_, device) = try await premium(devices)
        for _ in 0..<3 {
            server.clock.advance(by: 3_600)
            await device.verify()
            await device.waitForRates(withinMilliseconds: .max)
        }
        #expect(server.cloud.count("rates") == 0)
        await devices.close()
    }

    @Test func aFailedRequestIsRepeatedAfterAPause() async throws {
        server.cloud.fail(.unreachable("cut"), ["rates"])
        let day = try rates("2026-11-19")
        try store(day)
        let devices = try server.open()
        let (_, device) = try await premium(devices)
        try await eventually("one request has failed") { server.cloud.count("rates") == 1 }
        await device.waitForRates(withinMilliseconds: .max)
        await device.verify()
        await device.waitForRates(withinMilliseconds: .max)
        #expect(server.cloud.count("rates") == 1)
        server.cloud.fail(nil)
        server.clock.advance(by: 60)
        await device.verify()
        try await eventually("they came") { try await held(device) == day }
        #expect(server.cloud.count("rates") == 2)
        await devices.close()
    }

    @Test func aBookThatHasThemIsLeftAloneAfterARestart() async throws {
        let day = try rates("2026-11-19")
        try store(day)
        let devices = try server.open()
        let (token, device) = try await premium(devices)
        try await eventually("they came") { try await held(device) == day }
        await devices.close()
        let again = try server.open()
        let returned = try await again.load(token)
        await returned.verify()
        await returned.waitForRates(withinMilliseconds: .max)
        #expect(server.cloud.count("rates") == 1)
        #expect(try await held(returned) == day)
        await again.close()
    }
}

@Suite struct PlanOfRates {
    private func version(_ digest: String) throws -> RatesVersion {
        RatesVersion(day: try #require(CivilDate(iso: "2026-11-20")), digest: digest)
    }

    @Test func onlyAReportedVersionThatTheBookLacksIsRequested() throws {
        var plan = RatesPlan()
        let answer1 = plan.begin(at: 0)
        #expect(answer1 == nil)
        plan.note(nil)
        let answer2 = plan.begin(at: 0)
        #expect(answer2 == nil)
        plan.note(try version("a"))
        let answer3 = plan.begin(at: 0)
        #expect(try answer3 == version("a"))
        let answer4 = plan.begin(at: 0)
        #expect(answer4 == nil, "one at a time")
        plan.noteStored(try version("a"))
        plan.end(failed: false, at: 0)
        let answer5 = plan.begin(at: 1)
        #expect(answer5 == nil)
        // An answer of an older cloud changes nothing.
        plan.note(nil)
        let answer6 = plan.begin(at: 1)
        #expect(answer6 == nil)
        plan.forgetStored()
        let answer7 = plan.begin(at: 1)
        #expect(try answer7 == version("a"))
    }

    @Test func pausesGrowToAnHourAndEndWithANewVersion() throws {
        var plan = RatesPlan()
        plan.note(try version("a"))
        var (now, pauses): (Int64, [Int64]) = (1_000, [])
        for _ in 0..<9 {
            _ = plan.begin(at: now)
            plan.end(failed: true, at: now)
            let begun = now
            while plan.reported != nil {
                var copy = plan
                if copy.begin(at: now) != nil { break }
                now += 10
            }
            pauses.append(now - begun)
        }
        #expect(pauses == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
        _ = plan.begin(at: now)
        plan.end(failed: true, at: now)
        let answer8 = plan.begin(at: now + 1)
        #expect(answer8 == nil)
        // A clock that was set back does not lengthen the pause.
        var back = plan
        let answer9 = back.begin(at: now - 1_000_000)
        #expect(answer9 != nil)
        plan.note(try version("b"))
        let answer10 = plan.begin(at: now + 1)
        #expect(try answer10 == version("b"))
    }
}
