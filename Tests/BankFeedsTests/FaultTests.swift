// Providers that are slow, down, or say something else than their documentation.
import BankFeeds
import BankStandIns
import HTTPServer
import Ledger
import Outbound
import Testing

/// The requests of both providers for accounts, over real connections.
private struct Provider: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable (_ seconds: Double) async throws -> (StandIn, @Sendable () async throws -> BankReport)

    static let all = [
        Provider(description: "TrueLayer") { seconds in
            let standIn = try TrueLayerStandIn()
            let feed = try standIn.feed(seconds: seconds)
            let access = try await standIn.access(feed)
            return (standIn.server, { try await feed.accounts(access, days) })
        },
        Provider(description: "SimpleFIN") { seconds in
            let standIn = try SimpleFINStandIn()
            let feed = try standIn.feed(seconds: seconds)
            let access = try await feed.connect(.setupToken(standIn.token("a")))
            return (standIn.server, { try await feed.accounts(access, days) })
        },
    ]
}

@Suite struct BankFaults {
    private func failure(
        of provider: Provider,
        seconds: Double = 60,
        _ faults: @Sendable (inout StandInFaults) -> Void
    ) async throws -> BankFeedError? {
        let (server, accounts) = try await provider.make(seconds)
        server.fail(faults)
        do { _ = try await accounts() } catch { return error as? BankFeedError }
        return nil
    }

    @Test(arguments: Provider.all, [500, 502, 503, 302, 404, 402])
    fileprivate func anErrorOfTheProviderIsRefused(provider: Provider, status: Int) async throws {
        let error = try await failure(of: provider) { $0.status = Status(rawValue: status) }
        #expect(error == .refused(status: status))
    }

    @Test(arguments: Provider.all, [(401, BankFeedError.unauthorised), (403, .consentEnded)])
    fileprivate func refusedAccessIsToldApart(provider: Provider, _ refusal: (Int, BankFeedError))
        async throws
    {
        let error = try await failure(of: provider) { $0.status = Status(rawValue: refusal.0) }
        #expect(error == refusal.1)
    }

    @Test(arguments: Provider.all, [("120", 120), (nil, 900), ("1000000", 86_400)] as [(String?, Int64)])
    fileprivate func tooManyRequestsHaveATime(provider: Provider, _ limit: (String?, Int64)) async throws {
        let error = try await failure(of: provider) {
            ($0.status, $0.retryAfter) = (.tooManyRequests, limit.0)
        }
        #expect(error == .rateLimited(until: noon + limit.1))
    }

    @Test(
        arguments: Provider.all,
        ["text/html", "text/plain; charset=utf-8", "application/json-seq", "image/png"]
    )
    fileprivate func anAnswerOfAnotherContentTypeIsNotRead(provider: Provider, type: String) async throws {
        let error = try await failure(of: provider) { $0.contentType = type }
        #expect(error == .malformed("it is not JSON, by its content type"))
    }

    @Test(arguments: Provider.all)
    fileprivate func tenMegabytesAreNotRead(provider: Provider) async throws {
        let error = try await failure(of: provider) { $0.padding = 10 << 20 }
        #expect(error == .malformed("it is too long"))
    }

    @Test(arguments: Provider.all)
    fileprivate func aSilentProviderIsUnreachable(provider: Provider) async throws {
        let error = try await failure(of: provider, seconds: 1) { $0.isSilent = true }
        if case .unreachable = error { return }
        Issue.record("\(String(describing: error))")
    }

    /// Answers that are no reports, for a client that does no I/O.
    @Test(arguments: [
        "", "[]", "{}", "null", "{\"results\":{}}", "{\"results\":[1]}", "{\"results\":[{}]} x",
        "{\"results\":[",
        "{\"accounts\":{}}", "{\"accounts\":[1]}", "{\"accounts\":[{\"transactions\":1}]}", "\u{FEFF}{}",
    ])
    func anotherMessageIsMalformed(body: String) async throws {
        let answer = HTTPResponse(status: 200, body: Array(body.utf8), contentType: "application/json")
        let trueLayer = TrueLayerFeed(
            TrueLayerFeed.Client(id: "a", secret: "b", environment: .live),
            http: Canned(answer: answer),
            currencies: try currencies(),
            now: { noon }
        )
        let simpleFIN = SimpleFINFeed(
            hosts: ["x.example"],
            http: Canned(answer: answer),
            currencies: try currencies(),
            now: { noon }
        )
        func access(_ secret: String) -> BankAccess {
            BankAccess(secret: secret, renewal: nil, expiresAt: nil, consentEndsAt: nil)
        }
        for (feed, access) in [
            (trueLayer as any BankFeed, access("x")), (simpleFIN, access("https://a:b@x.example/s")),
        ] {
            do {
                _ = try await feed.accounts(access, days)
                Issue.record("\(feed.provider.name) accepts it")
            } catch {
                if case .malformed = error { continue }
                Issue.record("\(error)")
            }
        }
    }

    /// A message with secrets never reaches the text of an error.
    @Test func errorsContainNoContent() async throws {
        let answer = HTTPResponse(
            status: 200,
            body: Array(#"{"results":[{"account_id":"PLANTED-SECRET","#.utf8),
            contentType: "application/json"
        )
        let feed = TrueLayerFeed(
            TrueLayerFeed.Client(id: "a", secret: "b", environment: .live),
            http: Canned(answer: answer),
            currencies: try currencies(),
            now: { noon }
        )
        let access = BankAccess(secret: "PLANTED-TOKEN", renewal: nil, expiresAt: nil, consentEndsAt: nil)
        do { _ = try await feed.accounts(access, days) } catch {
            #expect(!"\(error)".contains("PLANTED"))
        }
    }

    @Test(arguments: [
        "{}", #"{"access_token":""}"#, #"{"access_token":"a b"}"#, #"{"access_token":"a\nX-Evil: 1"}"#,
        #"{"access_token":5}"#, "[]",
    ])
    func aTokenThatCannotBeSentIsMalformed(body: String) async throws {
        let answer = HTTPResponse(status: 200, body: Array(body.utf8), contentType: "application/json")
        let feed = TrueLayerFeed(
            TrueLayerFeed.Client(id: "a", secret: "b", environment: .live),
            http: Canned(answer: answer),
            currencies: try currencies(),
            now: { noon }
        )
        let consent = BankConsent(state: "s", verifier: "v", redirect: "r", expiresAt: noon)
        do {
            _ = try await feed.connect(.code("c", consent))
            Issue.record("it was accepted")
        } catch {
            if case .malformed = error { return }
            Issue.record("\(error)")
        }
    }
}

/// Answers every request with the same response.
private struct Canned: HTTPSending {
    let answer: HTTPResponse

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse { answer }
}
