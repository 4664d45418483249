// A token endpoint that answers twice, or whose answer is lost.
import BankFeeds
import Ledger
import TestKit
import Testing

@Suite struct BankRenewals {
    private func feed(_ server: LoopbackServer) throws -> TrueLayerFeed {
        let client = TrueLayerFeed.Client(
            id: "a",
            secret: "b",
            environment: .live,
            authAddress: server.url(""),
            apiAddress: server.url("")
        )
        return TrueLayerFeed(
            client,
            http: BankFeedsTests.client(),
            currencies: try currencies(),
            now: { noon }
        )
    }

    private static func answer(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func tokens(_ name: String) -> String {
        answer(#"{"access_token":"\#(name)","expires_in":3600,"refresh_token":"renewal-\#(name)"}"#)
    }

    private let access = BankAccess(
        secret: "old",
        renewal: "renewal-old",
        expiresAt: noon,
        consentEndsAt: noon + 90 * 86_400
    )

    /// The second answer belongs to no request, and must not be read as that of the next one.
    @Test func theSecondOfTwoAnswersIsIgnored() async throws {
        let server = try LoopbackServer()
        let script = server.run { server in
            let first = try server.accept()
            let line = try first.request().line
            first.send(Self.tokens("one") + Self.tokens("two"))
            let second = try server.accept()
            let lines = try second.requestLines()
            second.send(Self.answer(#"{"results":[{"credentials_id":"c","consent_expires_at":null}]}"#))
            return (line, lines)
        }
        let feed = try feed(server)
        let renewed = await feed.withConsent(try await feed.renew(access))
        let (line, lines) = try await script.value
        #expect(renewed.secret == "one" && renewed.renewal == "renewal-one" && renewed.consentID == "c")
        #expect(line == "POST /connect/token HTTP/1.1" && lines.first == "GET /data/v1/me HTTP/1.1")
        #expect(lines.contains("Authorization: Bearer one"))
    }

    /// The token was redeemed already: a repetition would be refused, and would end the connection.
    @Test func aRequestWhoseAnswerIsLostIsNotRepeated() async throws {
        let server = try LoopbackServer()
        let script = server.run { server in
            let first = try server.accept()
            _ = try first.request()
            first.reset()
            return server.isConnectionWaiting(milliseconds: 300)
        }
        let feed = try feed(server)
        do throws(BankFeedError) {
            _ = try await feed.renew(access)
            Issue.record("there was no answer")
        } catch {
            guard case .unreachable = error else { throw error }
        }
        #expect(try await !script.value)
    }
}
