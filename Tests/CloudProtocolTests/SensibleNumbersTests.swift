// Messages of a remote cloud about accounts: no number in them causes an overflow.
import CloudProtocol
import Ledger
import Testing

@Suite struct MessagesOfACloud {
    @Test(
        arguments: [
            (.min, -62_135_596_800, 1), (.max, 253_402_300_799, 86_400),
        ] as [(Int64, Int64, Int64)]
    )
    func numbersBeyondAllSenseAreTheNearestSensibleOnes(sent: Int64, time: Int64, wait: Int64) throws {
        let user = #"{"id":"\#(EntityID(high: 1, low: 1))","createdAt":\#(sent),"hasPassword":true}"#
        let entitlement = #"{"status":"active","expiresAt":\#(sent),"willRenew":false}"#
        let held = #""accounts":\#(Int.max),"transactions":\#(Int.max),"categories":1,"changedAt":\#(sent)"#
        let answer = #"{"user":\#(user),"entitlement":\#(entitlement),\#(held)}"#
        let report = try #require(Endpoints.account.response.decode(Array(answer.utf8)))
        #expect(report.user.createdAt == time && report.entitlement.expiresAt == time)
        #expect(report.holdings.changedAt == time && report.holdings.isServerData)

        let refusal = #"{"code":"too_many_attempts","retryAfterSeconds":\#(sent)}"#
        let error = CloudError(Array(refusal.utf8), status: 429)
        #expect(error == .signIn(.tooManyAttempts(retryAfterSeconds: wait)))
    }
}
