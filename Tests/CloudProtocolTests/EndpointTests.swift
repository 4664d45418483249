// The bytes of each endpoint's messages, which servers and clouds of other versions exchange.
import CloudProtocol
import CloudSamples
import Foundation
import Ledger
import SyncCore
import Testing

@Suite struct TheWire {
    @Test func requestsAndResponsesAreEncodedAsEver() throws {
        for sample in try WireSample.all() {
            let (request, response) = sample.encoded()
            #expect(sample.endpoint.method == sample.golden.method, "\(sample)")
            #expect(sample.endpoint.address(request) == sample.golden.address, "\(sample)")
            #expect(request.headers == sample.golden.header, "\(sample)")
            #expect(
                request.body.map { String(decoding: $0, as: UTF8.self) } == sample.golden.body,
                "\(sample)"
            )
            #expect(String(decoding: response, as: UTF8.self) == sample.golden.response, "\(sample)")
        }
    }

    @Test func requestsAndResponsesAreDecodedAsEver() throws {
        for sample in try WireSample.all() {
            let (request, response) = sample.decoded(sample.received, Array(sample.golden.response.utf8))
            #expect(WireSample.isSame(request, sample.request), "\(sample): \(String(describing: request))")
            #expect(
                WireSample.isSame(response, sample.response),
                "\(sample): \(String(describing: response))"
            )
        }
    }

    @Test func aDecodedRequestCallsTheCloudAndItsAnswerIsEncoded() async throws {
        for sample in try WireSample.all() {
            let cloud = AnsweringCloud(.success(sample.response))
            let call = try #require(sample.endpoint.call(sample.received), "\(sample)")
            let response = try await call(cloud, sample.caller)
            #expect(String(decoding: response, as: UTF8.self) == sample.golden.response, "\(sample)")
            let asked = try #require(cloud.asked.withLock { $0.first }, "\(sample)")
            #expect(asked.path == sample.endpoint.path && asked.caller == sample.caller, "\(sample)")
            #expect(WireSample.isSame(asked.request, sample.request), "\(sample)")
        }
    }

    @Test func everyEndpointHasASample() throws {
        let sampled = Set(try WireSample.all().map { "\($0.endpoint.method) \($0.endpoint.path)" })
        #expect(Set(Endpoints.all.map { "\($0.method) \($0.path)" }) == sampled)
        #expect(sampled.count == Endpoints.all.count, "no two endpoints share a method and a path")
    }

    @Test func withoutATokenAnEndpointOfASessionAsksNothing() async throws {
        for sample in try WireSample.all() where sample.endpoint.needsSession {
            let cloud = AnsweringCloud(.success(sample.response))
            let call = try #require(sample.endpoint.call(sample.received), "\(sample)")
            await #expect(throws: CloudError.sessionRevoked, "\(sample)") { try await call(cloud, Caller()) }
            #expect(cloud.asked.withLock { $0.isEmpty }, "\(sample)")
        }
    }
}

@Suite struct RatesOnTheWire {
    private func latest(_ text: String) -> LatestRates? {
        Endpoints.rates.response.decode(Array(text.utf8))
    }

    @Test(arguments: [
        #"{"base":"EUR","day":"2026-10-32","rates":{},"source":"ecb"}"#,
        #"{"base":"EURO","day":"2026-10-30","rates":{},"source":"ecb"}"#,
        #"{"base":"EUR","day":"2026-10-30","source":"ecb"}"#,
        #"{"base":"EUR","day":"2026-10-30","rates":{}}"#,
        #"{"base":"EUR","day":"2026-10-30","rates":{"USD":"0"},"source":"ecb"}"#,
        #"{"base":"EUR","day":"2026-10-30","rates":{"USD":"-1"},"source":"ecb"}"#,
        #"{"base":"EUR","day":"2026-10-30","rates":{"USD":"1e9"},"source":"ecb"}"#,
        #"{"base":"EUR","day":"2026-10-30","rates":{"usd":"1"},"source":"ecb"}"#,
        #"{"base":"EUR","day":"2026-10-30","rates":{"USD":1.1},"source":"ecb"}"#,
    ])
    func aMalformedAnswerIsNone(text: String) { #expect(latest(text) == nil) }

    @Test func ratesOfASourceOfALaterVersionAreNotUsed() {
        let text = #"{"base":"EUR","day":"2026-10-30","rates":{"USD":"1"},"source":"moon"}"#
        #expect(latest(text) == LatestRates(nil))
    }

    private func history(_ text: String) -> RateHistoryAnswer? {
        Endpoints.rateHistory.response.decode(Array(text.utf8))
    }

    @Test(arguments: [
        #"{"base":"EUR","currencies":["USD"],"days":["2026-10-32 1.1"],"source":"ecb","version":"1"}"#,
        #"{"base":"EUR","currencies":["USD"],"days":["2026-10-30 0"],"source":"ecb","version":"1"}"#,
        #"{"base":"EUR","currencies":["USD"],"days":["2026-10-30"],"source":"ecb","version":"1"}"#,
        #"{"base":"EUR","currencies":["USD"],"days":["2026-10-30 1 2"],"source":"ecb","version":"1"}"#,
        #"{"base":"EUR","currencies":["USD","USD"],"days":["2026-10-30 1 2"],"source":"ecb","version":"1"}"#,
        #"{"base":"EUR","currencies":["usd"],"days":["2026-10-30 1"],"source":"ecb","version":"1"}"#,
        #"{"base":"EUR","currencies":["USD"],"days":["2026-10-30 1","2026-10-30 2"],"source":"ecb","version":"1"}"#,
        #"{"base":"EUR","currencies":["USD"],"days":["2026-10-30 1","2026-10-29 2"],"source":"ecb","version":"1"}"#,
        #"{"base":"EURO","currencies":["USD"],"days":["2026-10-30 1"],"source":"ecb","version":"1"}"#,
        #"{"currencies":["USD"],"days":["2026-10-30 1"],"source":"ecb","version":"1"}"#,
        #"{"version":1}"#,
    ])
    func aMalformedHistoryIsNone(text: String) { #expect(history(text) == nil) }

    @Test func aHistoryOfASourceOfALaterVersionIsNotUsed() {
        let text =
            #"{"base":"EUR","currencies":["USD"],"days":["2026-10-30 1"],"source":"moon","version":"1"}"#
        #expect(history(text) == .history(RateHistory(version: "1", days: [])))
    }

    @Test(arguments: [
        [:], ["from": "2026-10-30"], ["currencies": "USD"], ["from": "2026-10-32", "currencies": "USD"],
        ["from": "2026-10-30", "currencies": "USD,dollar"],
        ["from": "2026-10-30", "currencies": "USD", "known": String(repeating: "x", count: 101)],
        ["from": "2026-10-30", "currencies": String(repeating: "USD,", count: 301)],
    ])
    func aMalformedQueryForAHistoryIsNone(fields: [String: String]) {
        let received = ReceivedRequest(id: nil, body: []) { fields[$0] }
        #expect(Endpoints.rateHistory.request.decode(received) == nil)
    }

    @Test func aReportWithAMalformedVersionHasNone() throws {
        let golden = try #require(try WireSample.all().first { $0.name == "account with rates" }).golden
            .response
        let odd = golden.replacing("2026-10-30", with: "soon")
        let report = try #require(Endpoints.account.response.decode(Array(odd.utf8)))
        #expect(report.rates == nil && report.entitlement == Entitlement(.active))
    }

    @Test func theVersionDependsOnEachRateAndNotOnTheirOrder() throws {
        let (usd, jpy) = (try #require(CurrencyCode("USD")), try #require(CurrencyCode("JPY")))
        let day = try #require(CivilDate(iso: "2026-10-30"))
        func version(_ usdRate: String, _ jpyRate: String?) throws -> RatesVersion {
            var rates = [usd: try #require(ExchangeRate(usdRate))]
            if let jpyRate {
                let rate = try #require(ExchangeRate(jpyRate))
                rates[jpy] = rate
            }
            return RatesVersion(of: ExchangeRates(day: day, source: .europeanCentralBank, rates: rates))
        }
        let one = try version("1.1172", "175.68")
        #expect(try version("1.11720", "175.680") == one)
        #expect(try version("1.1173", "175.68") != one)
        #expect(try version("1.1172", nil) != one)
    }
}

@Suite struct AHostileWire {
    /// Bytes that are not the message: truncated at each position, with a flipped bit at some, or something
    /// else.
    private func nonsense(_ text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        var all = (0..<bytes.count).map { Array(bytes.prefix($0)) }
        for index in stride(from: 0, to: bytes.count, by: 7) {
            var turned = bytes
            turned[index] ^= 0x80
            all.append(turned)
        }
        let texts = [
            "null", "[]", "5", "\"\"", "<html>", "{}{}",
            String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 50_000),
        ]
        return all + texts.map { Array($0.utf8) } + [[0xFF, 0xFE], [0]]
    }

    @Test func nonsenseNeverBecomesTheMessage() throws {
        for sample in try WireSample.all() where !(sample.golden.body ?? "").isEmpty {
            for body in nonsense(sample.golden.body ?? "") {
                var received = sample.received
                received.body = body
                let (request, _) = sample.decoded(received, [])
                #expect(!WireSample.isSame(request, sample.request), "\(sample): \(body.prefix(200))")
            }
        }
        for sample in try WireSample.all() where !sample.golden.response.isEmpty {
            for body in nonsense(sample.golden.response) {
                let (_, response) = sample.decoded(sample.received, body)
                #expect(!WireSample.isSame(response, sample.response), "\(sample): \(body.prefix(200))")
            }
        }
    }

    @Test(arguments: [
        "", "device=x&epoch=1&cursor=1", "device=00000000000080000000000005&epoch=x&cursor=1",
        "device=00000000000080000000000005&epoch=1", "device=00000000000080000000000005&epoch=1&cursor=-1",
        "device=00000000000080000000000005&epoch=1&cursor=1&snapshot=",
        "device=00000000000080000000000005&epoch=1&snapshot=\(String(repeating: "x", count: 201))",
    ])
    func aQueryThatAsksForNoRangeIsMalformed(query: String) {
        let fields = query.split(separator: "&").map {
            $0.split(separator: "=", omittingEmptySubsequences: false)
        }
        let values = Dictionary(uniqueKeysWithValues: fields.map { (String($0[0]), String($0[1])) })
        #expect(Endpoints.changes.call(ReceivedRequest(id: nil, body: []) { values[$0] }) == nil)
    }

    @Test func aWaitThatMakesNoSenseIsNone() throws {
        for wait in ["-5", "x", "9999999999999999999", ""] {
            let received = ReceivedRequest(id: nil, body: []) { $0 == "wait" ? wait : nil }
            #expect(Endpoints.signal.request.decode(received) == SignalRequest(seen: nil, waitSeconds: 0))
        }
    }

    @Test func aDeviceWithoutAnIDIsNoRequest() {
        #expect(Endpoints.signOutDevice.call(ReceivedRequest(id: nil, body: []) { _ in nil }) == nil)
    }
}

@Suite struct ErrorsOnTheWire {
    /// The status and the body of each error.
    private static let errors: [(CloudError, String)] = [
        (.sessionRevoked, #"401 {"code":"token_revoked"}"#),
        (.sessionLocked, #"401 {"code":"token_revoked","ended":"locked"}"#),
        (.sessionErased, #"401 {"code":"token_revoked","ended":"erased"}"#),
        (.accountGone, #"401 {"code":"account_deleted"}"#),
        (.signIn(.signUpClosed), #"403 {"code":"sign_up_closed"}"#),
        (.unreachable("x"), #"503 {"code":"unavailable"}"#),
        (.timedOut("x"), #"503 {"code":"unavailable"}"#),
        (.failed("x"), #"503 {"code":"unavailable"}"#),
        (.signIn(.wrongCredentials), #"401 {"code":"wrong_credentials"}"#),
        (
            .signIn(.tooManyAttempts(retryAfterSeconds: 7)),
            #"429 {"code":"too_many_attempts","retryAfterSeconds":7}"#
        ),
        (
            .signIn(.tooManySignUps(retryAfterSeconds: 7)),
            #"429 {"code":"too_many_sign_ups","retryAfterSeconds":7}"#
        ),
        (.signIn(.emailTaken), #"409 {"code":"email_taken"}"#),
        (.signIn(.badEmail), #"422 {"code":"bad_email"}"#),
        (.signIn(.weakPassword), #"422 {"code":"weak_password"}"#),
        (.signIn(.commonPassword), #"422 {"code":"common_password"}"#),
        (.malformed, #"400 {"code":"malformed"}"#),
        (.subscriptionRequired(drainUntil: nil), #"403 {"code":"subscription_required"}"#),
        (
            .subscriptionRequired(drainUntil: 1_795_262_400),
            #"403 {"code":"subscription_required","drainUntil":1795262400}"#
        ),
        (.sync(.epochChanged(2)), #"409 {"code":"epoch_changed","epoch":2}"#),
        (.sync(.opGap(expected: 4)), #"409 {"code":"op_gap","expected":4}"#),
        (.sync(.opReused), #"409 {"code":"op_reused"}"#),
        (.sync(.cursorExpired), #"410 {"code":"cursor_expired"}"#),
        (.sync(.cursorAhead), #"410 {"code":"cursor_ahead"}"#),
        (.sync(.tooLarge(max: 500)), #"413 {"code":"too_large","max":500}"#),
        (.sync(.tooManyReplicas(max: 100)), #"409 {"code":"too_many_replicas","max":100}"#),
        (
            .sync(.upgradeRequired(oldest: 1, newest: 2)),
            #"426 {"code":"upgrade_required","newest":2,"oldest":1}"#
        ),
        (.file(.noSuchFile), #"404 {"code":"no_such_file"}"#),
        (.file(.fileGap(received: 7)), #"409 {"code":"file_gap","received":7}"#),
        (.file(.wrongContent), #"422 {"code":"wrong_content"}"#),
        (.file(.fileTooLarge(max: 10)), #"413 {"code":"file_too_large","maxBytes":10}"#),
        (.file(.quotaExceeded(used: 3, quota: 4)), #"507 {"code":"quota_exceeded","quota":4,"used":3}"#),
        (.notSupported, #"501 {"code":"not_supported"}"#),
        (.busy(retryAfterSeconds: 8), #"503 {"code":"busy","retryAfterSeconds":8}"#),
    ]

    @Test func errorsAreEncodedAsEver() {
        for (error, golden) in Self.errors {
            #expect("\(error.status) \(String(decoding: error.encoded, as: UTF8.self))" == golden)
        }
    }

    @Test func errorsAreDecodedAgain() {
        for (error, _) in Self.errors {
            let decoded = CloudError(error.encoded, status: error.status)
            switch error {
            // The texts for the log are not sent.
            case .unreachable, .timedOut, .failed: #expect(decoded == .failed("the cloud is unavailable"))
            default: #expect(decoded == error)
            }
            #expect(CloudError(error.encoded, status: 200) == nil, "not with another status")
        }
    }

    @Test(arguments: ["", "{}", "[]", "{\"code\":5}", "{\"code\":\"something_new\"}", "<html>"])
    func anotherBodyIsNoErrorOfTheCloud(body: String) {
        for status in [400, 401, 403, 409, 429, 500, 503] {
            #expect(CloudError(Array(body.utf8), status: status) == nil)
        }
    }
}
