// Exchange rates in the cloud's file, and how users get them.
import CloudProtocol
import Ledger
import Synchronization
import TestKit
import Testing

@testable import Cloud

/// Rates such as `USD 1.1172, JPY 175.68`.
private func rates(_ day: String, _ text: String) throws -> ExchangeRates {
    var rates: [CurrencyCode: ExchangeRate] = [:]
    for pair in text.split(separator: ", ") {
        let parts = pair.split(separator: " ")
        let (code, rate) = (CurrencyCode(parts[0]), ExchangeRate(parts[1]))
        let known = try #require(code)
        rates[known] = .some(try #require(rate))
    }
    return ExchangeRates(day: try #require(CivilDate(iso: day)), source: .europeanCentralBank, rates: rates)
}

@Suite struct RatesOfACloud {
    let cloud: CloudUnderTest
    var directory: Directory { cloud.directory }

    init() throws { cloud = try CloudUnderTest(.inProcess) }

    @Test func daysAreKeptAndTheNewestOneIsTheLatest() throws {
        #expect(try directory.newestRates() == nil)
        #expect(try directory.ratesVersion() == nil)
        #expect(try directory.rateDays() == nil)
        let (older, newer) = (
            try rates("2026-10-29", "USD 1.1154"), try rates("2026-10-30", "USD 1.1172, JPY 175.68")
        )
        let additions = try directory.store([newer, older], from: .file)
        #expect(additions.added == 2 && additions.unchanged == 0 && additions.missing.isEmpty)
        let newest = try #require(try directory.newestRates())
        #expect(newest.rates == newer && newest.origin == .file && newest.storedAt == cloud.clock.now)
        #expect(newest.version == RatesVersion(of: newer))
        #expect(try directory.ratesVersion() == newest.version)
        let days = try #require(try directory.rateDays())
        #expect(days.count == 2 && days.first == older.day)
        // An older day that comes later does not become the latest.
        _ = try directory.store([try rates("2026-10-01", "USD 1.1")], from: .file)
        #expect(try directory.newestRates()?.rates == newer)
    }

    @Test func theSameDayAgainIsNothingNewUnlessItWasCorrected() throws {
        let day = try rates("2026-10-30", "USD 1.1172, JPY 175.68")
        _ = try directory.store([day], from: .feed)
        let before = try directory.ratesVersion()
        #expect(try directory.store([day], from: .file).unchanged == 1)
        #expect(try directory.ratesVersion() == before)
        #expect(try directory.newestRates()?.origin == .feed)
        let corrected = try rates("2026-10-30", "USD 1.1173, JPY 175.68")
        #expect(try directory.store([corrected], from: .feed).corrected == 1)
        #expect(try directory.newestRates()?.rates == corrected)
        let after = try #require(try directory.ratesVersion())
        #expect(after != before && after.day == before?.day)
    }

    @Test func aRateThatCannotBeRightIsLeftOutAndTheOthersStay() throws {
        _ = try directory.store([try rates("2026-10-29", "USD 1.1154, JPY 175.02, CHF 0.92")], from: .feed)
        let wrong = try rates("2026-10-30", "USD 111.72, JPY 175.68")
        let additions = try directory.store([wrong], from: .feed)
        #expect(additions.added == 1 && additions.missing.map(\.rawValue) == ["CHF"])
        #expect(
            additions.implausible.map { "\($0.currency) \($0.rate) \($0.earlier)" } == ["USD 111.72 1.1154"]
        )
        #expect(try directory.newestRates()?.rates == rates("2026-10-30", "JPY 175.68"))
        #expect(try directory.implausibleRates() == additions.implausible)
        // Seen once, it is not reported again.
        let again = try directory.store([wrong], from: .feed)
        #expect(again.implausible.isEmpty && again.unchanged == 1 && again.missing.isEmpty)
        #expect(try directory.implausibleRates().count == 1)
        // The right one takes its place.
        let right = try rates("2026-10-30", "USD 1.1172, JPY 175.68")
        #expect(try directory.store([right], from: .feed).corrected == 1)
        #expect(try directory.newestRates()?.rates == right)
    }

    @Test func aDayWithoutAPlausibleRateIsNoDay() throws {
        let good = try rates("2026-10-29", "USD 1.1154")
        _ = try directory.store([good], from: .feed)
        let additions = try directory.store([try rates("2026-10-30", "USD 0.00001")], from: .feed)
        #expect(additions.added == 0 && additions.implausible.count == 1)
        #expect(try directory.newestRates()?.rates == good)
    }

    @Test func anHourLiesBetweenTwoRequestsAlsoAcrossARestart() throws {
        #expect(try directory.rateFeed() == nil)
        #expect(try directory.beginRateRequest(every: 3_600) == nil)
        #expect(try directory.beginRateRequest(every: 3_600) == 3_600)
        cloud.clock.advance(by: 3_599)
        let again = try CloudUnderTest.open(cloud.folder, cloud.clock)
        defer { again.close() }
        #expect(try again.beginRateRequest(every: 3_600) == 1)
        // By hand it may be earlier, for as long as nothing ever came.
        #expect(try again.beginRateRequest(every: 3_600, unlessFirst: true) == nil)
        try again.noteRateSuccess("https://x.test/", entityTag: "\"a\"", lastModified: nil)
        #expect(try again.beginRateRequest(every: 3_600, unlessFirst: true) == 3_600)
        cloud.clock.advance(by: 3_600)
        #expect(try directory.beginRateRequest(every: 3_600) == nil)
    }

    @Test func aRequestsOutcomeIsKept() throws {
        _ = try directory.beginRateRequest(every: 3_600)
        try directory.noteRateFailure(notBefore: 5)
        try directory.noteRateFailure(notBefore: nil)
        let failed = try #require(try directory.rateFeed())
        #expect(failed.failures == 2 && failed.succeededAt == nil && failed.notBefore == nil)
        try directory.noteRateSuccess("https://x.test/", entityTag: "\"a\"", lastModified: "Fri")
        let done = try #require(try directory.rateFeed())
        #expect(done.failures == 0 && done.succeededAt == cloud.clock.now && done.entityTag == "\"a\"")
        #expect(done.address == "https://x.test/" && done.lastModified == "Fri")
    }

    @Test func aClockThatWasSetBackIsCorrected() throws {
        _ = try directory.beginRateRequest(every: 3_600)
        cloud.clock.advance(by: -10 * 86_400)
        #expect(try directory.beginRateRequest(every: 3_600) == 3_600)
        try directory.correctRateRequest()
        #expect(try directory.rateFeed()?.attemptedAt == cloud.clock.now)
        cloud.clock.advance(by: 3_600)
        #expect(try directory.beginRateRequest(every: 3_600) == nil)
    }

    @Test func oldRatesAreAFindingOnlyWhereNewerOnesAreAskedFor() throws {
        func stale() throws -> CivilDate? {
            try Directory.staleRates(
                at: directory.path,
                olderThan: 7,
                isInUse: true,
                now: cloud.clock.now
            )
        }
        let day = CivilDate(dayNumber: Int32(cloud.clock.now / 86_400) - 8)
        _ = try directory.store([try rates("\(day)", "USD 1.1154")], from: .bundled)
        #expect(try stale() == nil)
        _ = try directory.beginRateRequest(every: 3_600)
        #expect(try stale() == day)
        _ = try directory.store([try rates("\(day.adding(days: 1))", "USD 1.1154")], from: .feed)
        #expect(try stale() == nil)
    }
}

@Suite struct RatesForUsers {
    /// The entitlement of every user, which a test may change.
    private final class Said: EntitlementSource {
        let status = Mutex(Entitlement(.active))

        func entitlement(of user: UserAccount) async throws(CloudError) -> Entitlement {
            status.withLock { $0 }
        }
    }

    @Test(arguments: Transport.allCases) func premiumUsersGetTheLatestOnes(_ transport: Transport)
        async throws
    {
        let said = Said()
        let cloud = try CloudUnderTest(transport, entitlements: said)
        let before = try await cloud.signIn("anna")
        #expect(before.rates == nil)
        #expect(try await cloud.api.account(before.token).rates == nil)
        #expect(try await cloud.api.rates(before.token) == LatestRates(nil))
        let day = try rates("2026-10-30", "USD 1.1172, JPY 175.68")
        _ = try cloud.directory.store([day], from: .feed)
        let token = try await cloud.signIn("bob").token
        #expect(try await cloud.signIn("bob").rates == RatesVersion(of: day))
        #expect(try await cloud.api.account(token).rates == RatesVersion(of: day))
        #expect(try await cloud.api.rates(token) == LatestRates(day))
        said.status.withLock { $0 = Entitlement(.grace) }
        #expect(try await cloud.api.rates(token) == LatestRates(day))
        for status in [Entitlement.Status.none, .pending, .expired, .revoked] {
            said.status.withLock { $0 = Entitlement(status) }
            await #expect(throws: CloudError.subscriptionRequired(drainUntil: nil)) {
                try await cloud.api.rates(token)
            }
        }
        try await cloud.api.signOut(token)
        await #expect(throws: CloudError.sessionRevoked) { try await cloud.api.rates(token) }
    }

    @Test(arguments: Transport.allCases) func premiumUsersGetTheRatesOfManyDays(_ transport: Transport)
        async throws
    {
        let said = Said()
        let cloud = try CloudUnderTest(transport, entitlements: said)
        let token = try await cloud.signIn("anna").token
        let from = try #require(CivilDate(iso: "2026-10-25"))
        let range = RateHistoryRange(from: from, currencies: [.usd, .eur])
        func history(_ known: String? = nil) async throws -> RateHistory? {
            let answer = try await cloud.api.rateHistory(RateHistoryQuery(range, known: known), token)
            if case .history(let history) = answer { return history } else { return nil }
        }
        let none = try #require(try await history())
        #expect(none.days == [])
        #expect(try await history(none.version) == nil)
        _ = try cloud.directory.store(
            [
                try rates("2026-10-15", "USD 1.15"), try rates("2026-10-23", "USD 1.16, JPY 170"),
                try rates("2026-10-26", "USD 1.17, JPY 171"), try rates("2026-10-27", "JPY 172"),
            ],
            from: .file
        )
        let days = try #require(try await history(none.version)).days
        // The rates of Friday hold on Sunday, the first day of the range; others are not asked for.
        #expect(
            days == [
                try rates("2026-10-23", "USD 1.16"), try rates("2026-10-26", "USD 1.17"),
                ExchangeRates(day: from.adding(days: 2), source: .europeanCentralBank, rates: [:]),
            ]
        )
        let version = try #require(try await history()).version
        #expect(try await history(version) == nil, "nothing has changed")
        _ = try cloud.directory.store([try rates("2026-10-26", "USD 1.18")], from: .file)
        #expect(try await history(version)?.days.dropFirst().first == (try rates("2026-10-26", "USD 1.18")))
        said.status.withLock { $0 = Entitlement(.expired) }
        await #expect(throws: CloudError.subscriptionRequired(drainUntil: nil)) {
            _ = try await cloud.api.rateHistory(RateHistoryQuery(range), token)
        }
        try await cloud.api.signOut(token)
        await #expect(throws: CloudError.sessionRevoked) {
            _ = try await cloud.api.rateHistory(RateHistoryQuery(range), token)
        }
    }
}
