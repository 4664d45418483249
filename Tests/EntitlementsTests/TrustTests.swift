// How long a remembered status is believed, how it is decoded, and when the service is asked again.
import CloudProtocol
import Entitlements
import Foundation
import SyncCore
import Testing

private let day: Int64 = 86_400
private let ages: [(Int64, VerifiedEntitlement.Trust)] = [
    (0, .trusted), (3 * day, .trusted), (3 * day + 1, .unverified), (7 * day, .unverified),
    (7 * day + 1, .stale), (-day, .trusted), (-3 * day - 1, .stale),
]

@Test(arguments: ages)
func aStatusIsTrustedForThreeDays(age: Int64, trust: VerifiedEntitlement.Trust) {
    let status = VerifiedEntitlement(Entitlement(.active), verifiedAt: 1_000_000)
    #expect(status.trust(at: 1_000_000 + age) == trust)
    #expect(status.isTrustedPremium(at: 1_000_000 + age) == (trust == .trusted))
}

@Test(arguments: [Int64.min, .max]) func aStatusOfAnImpossibleMomentIsStale(verifiedAt: Int64) {
    let status = VerifiedEntitlement(Entitlement(.active), verifiedAt: verifiedAt)
    #expect(status.trust(at: 1_000_000) == .stale)
    #expect(status.trust(at: -1_000_000) == .stale)
}

@Test(arguments: Entitlement.Status.allCases) func onlyActiveAndGraceArePremium(status: Entitlement.Status) {
    let verified = VerifiedEntitlement(Entitlement(status), verifiedAt: 5)
    #expect(verified.isTrustedPremium(at: 5) == (status == .active || status == .grace))
}

@Test func whatIsEncodedIsDecoded() throws {
    for status in Entitlement.Status.allCases {
        for expiresAt in [nil, 0, -1, Int64.max] {
            for willRenew in [true, false] {
                let entitlement = Entitlement(status, expiresAt: expiresAt, willRenew: willRenew)
                let verified = VerifiedEntitlement(entitlement, verifiedAt: 1_795_262_400)
                let json = try JSONEncoder().encode(verified)
                #expect(try JSONDecoder().decode(VerifiedEntitlement.self, from: json) == verified)
            }
        }
    }
}

@Suite struct AnIdleDevice {
    @Test func asksAgainAfterAWhileWhetherItWasAnsweredOrNot() {
        var plan = VerificationPlan()
        #expect(plan.isDue(at: 1_000), "it has never asked")
        _ = plan.begin(at: 1_000)
        #expect(!plan.isDue(at: 1_000), "it is asking")
        // The device is not in use: a cloud that does not answer is not asked again until the next use.
        _ = plan.failed(at: 1_001)
        #expect(!plan.isDue(at: 1_002) && !plan.isDue(at: 1_039) && plan.isDue(at: 1_040))
        _ = plan.begin(at: 1_050)
        plan.answered(withReportAt: 1_000)
        #expect(!plan.isDue(at: 1_089) && plan.isDue(at: 1_090))
        #expect(plan.isDue(at: 900), "the clock was put back")
    }
}

@Suite struct ThePlan {
    /// Notes a use, and holds what comes of it against what should.
    private func use(
        _ plan: inout VerificationPlan,
        _ now: Int64,
        _ asks: Bool,
        at place: SourceLocation = #_sourceLocation
    ) {
        let answer = plan.use(at: now)
        #expect(answer == asks, sourceLocation: place)
    }

    @Test func theFirstUseAsksAndThenAnHourPasses() {
        var plan = VerificationPlan()
        use(&plan, 0, true)
        use(&plan, 1, false)
        plan.answered(withReportAt: 1_000)
        for minute in 1..<60 { use(&plan, Int64(minute) * 60, false) }
        use(&plan, 3_600, true)
    }

    @Test func whoComesBackAfterFiveMinutesAsksAgain() {
        var plan = VerificationPlan()
        use(&plan, 0, true)
        plan.answered(withReportAt: 1_000)
        use(&plan, 299, false)
        use(&plan, 299 + 300, true)
    }

    @Test func aSilentServiceIsAskedAgainWithinFiveSecondsForAsLongAsSomebodyIsThere() {
        var plan = VerificationPlan()
        use(&plan, 0, true)
        var pauses: [Int64?] = []
        for moment in 0..<6 { pauses.append(plan.failed(at: Int64(moment))) }
        #expect(pauses == [1, 2, 4, 5, 5, 5])
        use(&plan, 10, false)
        let pause = plan.failed(at: 10 + 3_600)
        #expect(pause == nil)
        use(&plan, 10 + 3_601, true)
    }

    /// A page would say of a cloud that was away an hour ago that it is away.
    @Test func aQuestionWithoutAnAnswerIsOldAfterTwoMinutes() {
        var plan = VerificationPlan()
        plan.noteAnswer(at: 50)
        use(&plan, 5_000, true)
        #expect(!plan.isUnanswered(at: 5_000))
        _ = plan.failed(at: 5_010)
        #expect(plan.isUnanswered(at: 5_129) && !plan.isUnanswered(at: 5_130))
        plan.answered(withReportAt: nil)
        #expect(
            !plan.isUnanswered(at: 5_011) && plan.reportedAt == 50,
            "a refusal of the session is no report"
        )
        plan.answered(withReportAt: 5_020)
        #expect(plan.reportedAt == 5_020)
    }

    @Test func aSignInAnswersToo() {
        var plan = VerificationPlan()
        plan.noteAnswer(at: 100)
        use(&plan, 101, false)
        use(&plan, 100 + 3_600, true)
    }

    @Test func askingOutOfTurnWaitsForTheOneUnderWay() {
        var plan = VerificationPlan()
        let first = plan.begin(at: 0)
        #expect(first)
        let second = plan.begin(at: 0)
        #expect(!second)
        // The answer under way may be older than what the second one asks about.
        let again = plan.answered(withReportAt: 1_000)
        #expect(again && plan.isAsking)
        let last = plan.answered(withReportAt: 1_000)
        #expect(!last && !plan.isAsking)
        let third = plan.begin(at: 0)
        #expect(third)
    }
}
