// The cloud over HTTP, from the point of view of other servers.
import Cloud
import CloudProtocol
import CloudRoutes
import CloudSamples
import Compression
import Devices
import Foundation
import HTTPServer
import Identity
import Ledger
import SyncCore
import Synchronization
import TestKit
import Testing

/// A server with the routes of a cloud.
private final class Served: Sendable {
    private let server: Server
    let port: Int

    init(
        _ cloud: any CloudAPI,
        isActive: @escaping @Sendable (SessionToken) -> Bool = { _ in true },
        log: Log = .off,
        seconds: @escaping @Sendable () -> Int64 = monotonicSeconds,
        proxies: TrustedProxies? = nil
    ) throws {
        let routes = CloudRoutes(
            cloud,
            isActive: isActive,
            log: log,
            seconds: seconds,
            run: { Background.run($0) }
        )
        var configuration = Configuration()
        if let proxies { configuration.trustedProxies = proxies }
        configuration.port = 0
        configuration.takesJSON = { CloudRoutes.owns($0) }
        configuration.isKnown = { routes.isKnown($0) }
        configuration.jsonBytes = { routes.bodyLimit(of: $0) }
        server = try Server(configuration) { routes.answer($0) ?? .text(.notFound, "no") }
        port = Int(server.port)
    }

    deinit { server.stop(withinSeconds: 0) }

    func send(
        _ method: String,
        _ address: String,
        _ body: [UInt8]? = nil,
        _ headers: [(String, String)] = []
    ) throws -> Reply {
        let type = body == nil ? [] : [("Content-Type", "application/json")]
        return try Visitor(port: port).send(method, address, headers: type + headers, body: body ?? [])
    }
}

private func bearer(_ caller: Caller) -> [(String, String)] {
    caller.token.map { [("Authorization", "Bearer \($0.text)")] } ?? []
}

extension WireSample {
    /// The header lines that belong to the request.
    fileprivate var headerLines: [(String, String)] { golden.header.map { ($0.key, $0.value) } }
}

@Suite struct ServersThatNameTheirClients {
    private static let signIn = Array(
        #"{"account":{"email":"a@x.test","password":"p"},"deviceName":"d","guest":"x"}"#.utf8
    )

    @Test(arguments: [false, true]) func areToldToTheOperatorIfTheyAreNotTrusted(isTrusted: Bool) throws {
        let lines = Mutex<[String]>([])
        let clock = FixedClock(at: 0)
        let served = try Served(
            AnsweringCloud(.failure(.signIn(.wrongCredentials))),
            log: Log { _, line in lines.withLock { $0.append(line) } },
            seconds: { clock.now },
            proxies: isTrusted ? TrustedProxies(["127.0.0.0/8"]) : nil
        )
        func send(_ headers: [(String, String)]) throws -> Int {
            _ = try served.send("POST", "/cloud/v1/sign-in", Self.signIn, headers)
            return lines.withLock { $0.count { $0.contains("--trusted-proxy") } }
        }
        let named = [("X-Forwarded-For", "203.0.113.9")]
        #expect(try send([]) == 0, "a client of its own")
        // A proxy that is trusted has added the address of a server that is not.
        if isTrusted {
            #expect(try send([("X-Forwarded-For", "203.0.113.7, 198.51.100.1")]) == 1)
            lines.withLock { $0 = [] }
        }
        #expect(try send(named) == (isTrusted ? 0 : 1))
        #expect(try send(named) == (isTrusted ? 0 : 1), "once an hour")
        clock.advance(by: 3_600)
        #expect(try send(named) == (isTrusted ? 0 : 2))
    }
}

@Suite struct RoutesOfEndpoints {
    @Test func everyEndpointIsServed() throws {
        for sample in try WireSample.all() {
            let cloud = AnsweringCloud(.success(sample.response))
            let served = try Served(cloud)
            let body = sample.golden.body.map { Array($0.utf8) }
            let reply = try served.send(
                sample.golden.method,
                sample.golden.address,
                body,
                bearer(sample.caller) + sample.headerLines
            )
            let status = sample.endpoint.isBinary ? 206 : sample.golden.response.isEmpty ? 204 : 200
            #expect(reply.status == status, "\(sample)")
            #expect(reply.text == sample.golden.response, "\(sample)")
            let asked = try #require(cloud.asked.withLock { $0.first }, "\(sample)")
            #expect(asked.path == sample.endpoint.path, "\(sample)")
            #expect(WireSample.isSame(asked.request, sample.request), "\(sample)")
            // Only calls with credentials need the address: they count wrong ones by it.
            let address = sample.endpoint.delivery == .credentials ? "127.0.0.1" : ""
            #expect(asked.caller == Caller(sample.caller.token, from: address), "\(sample)")
        }
    }

    @Test func aLongAnswerIsCompressedForThoseWhoAcceptThat() throws {
        let sample = try #require(try WireSample.all().first { $0.name == "changes" })
        var page = try #require(sample.response as? ChangesPage)
        page.rows = Array(repeating: page.rows[0], count: 50)
        let served = try Served(AnsweringCloud(.success(page)))
        let gzip = bearer(sample.caller) + [("Accept-Encoding", "gzip")]
        let short = try served.send("GET", sample.golden.address, nil, bearer(sample.caller))
        let reply = try served.send("GET", sample.golden.address, nil, gzip)
        #expect(reply.header("content-encoding") == "gzip" && short.header("content-encoding") == nil)
        #expect(try Gzip.inflate(reply.body, upTo: 1 << 20) == page.encoded && short.body == page.encoded)
    }

    @Test func anotherMethodIsRefusedWithThoseThatAreAllowed() throws {
        let served = try Served(AnsweringCloud(.failure(.malformed)))
        let allowed = Dictionary(grouping: Endpoints.all, by: { $0.path }).mapValues { endpoints in
            Set(endpoints.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] })
        }
        for (path, methods) in allowed {
            let address = path.replacing("*", with: EntityID(high: 1, low: 3).description)
            for method in ["GET", "POST", "DELETE"] where !methods.contains(method) {
                let reply = try served.send(method, address, method == "GET" ? nil : [])
                #expect(reply.status == 405, "\(method) \(path)")
                #expect(reply.header("allow") == methods.sorted().joined(separator: ", "), "\(path)")
            }
        }
    }

    @Test func unknownPathsAreNotFound() throws {
        let served = try Served(AnsweringCloud(.failure(.malformed)))
        for path in ["/nothing", "/", "/devices/x", "/devices/", "/sign-in/x", "/push/", "/account/data/x"] {
            #expect(try served.send("GET", Endpoints.root + path).status == 404, "\(path)")
        }
    }

    @Test func errorsHaveTheirStatusAndSayHowLongToWait() throws {
        let sample = try #require(try WireSample.all().first { $0.name == "account" })
        for error: CloudError in [
            .sessionLocked, .accountGone, .malformed, .busy(retryAfterSeconds: 8), .failed("x"),
            .signIn(.tooManyAttempts(retryAfterSeconds: 7)), .sync(.cursorExpired),
            .sync(.opGap(expected: 4)),
        ] {
            let served = try Served(AnsweringCloud(.failure(error)))
            let reply = try served.send("GET", sample.golden.address, nil, bearer(sample.caller))
            #expect(reply.status == error.status && reply.body == error.encoded, "\(error)")
            let pause = error.retryAfterSeconds ?? (error.status == 503 ? 1 : nil)
            #expect(reply.header("retry-after") == pause.map { "\($0)" }, "\(error)")
        }
    }
}

@Suite struct TaggedAnswers {
    @Test func anAnswerThatTheClientHasIsNotSentAgain() throws {
        let sample = try #require(try WireSample.all().first { $0.name == "rates" })
        let served = try Served(AnsweringCloud(.success(sample.response)))
        let address = sample.golden.address
        let first = try served.send("GET", address, nil, bearer(sample.caller))
        let tag = try #require(first.header("etag"))
        #expect(tag.hasPrefix("W/\"") && first.header("cache-control") == "private, no-cache")
        #expect(first.header("vary") == "Accept-Encoding")
        for field in [tag, "\"x\", \(tag)", String(tag.dropFirst(2)), "*", "\(tag) , \"y\""] {
            let known = bearer(sample.caller) + [("If-None-Match", field)]
            let reply = try served.send("GET", address, nil, known)
            #expect(reply.status == 304 && reply.body.isEmpty && reply.header("etag") == tag, "\(field)")
        }
        for field in ["\"x\"", "W/", "", String(tag.dropLast()), "\(tag)x", "x\(tag)"] {
            let known = bearer(sample.caller) + [("If-None-Match", field)]
            let reply = try served.send("GET", address, nil, known)
            #expect(reply.status == 200 && reply.text == sample.golden.response, "\(field)")
        }
    }

    @Test func otherValuesHaveOtherTagsAndOtherEndpointsHaveNone() throws {
        var tags: Set<String> = []
        for sample in try WireSample.all() where !sample.golden.response.isEmpty {
            let served = try Served(AnsweringCloud(.success(sample.response)))
            let known = bearer(sample.caller) + [("If-None-Match", "*")] + sample.headerLines
            let body = sample.golden.body.map { Array($0.utf8) }
            let reply = try served.send(sample.golden.method, sample.golden.address, body, known)
            #expect(
                reply.status == (sample.endpoint.isTagged ? 304 : sample.endpoint.isBinary ? 206 : 200),
                "\(sample)"
            )
            if let tag = reply.header("etag") { tags.insert(tag) }
            #expect((reply.header("etag") != nil) == sample.endpoint.isTagged, "\(sample)")
        }
        #expect(tags.count == 2)
    }
}

@Suite struct HostileRequests {
    private let gzip = [("Content-Encoding", "gzip")]

    /// A body of spaces, which is not a message.
    private func spaces(_ count: Int) -> [UInt8] { [UInt8](repeating: 32, count: count) }

    @Test func aBodyThatIsTooLargeIsRefused() throws {
        for endpoint in Endpoints.all where endpoint.method == "POST" {
            let served = try Served(AnsweringCloud(.failure(.malformed)))
            let caller = Caller(try WireSample.token())
            let reply = try served.send("POST", endpoint.path, spaces(endpoint.bodyLimit + 1), bearer(caller))
            #expect(reply.status == 413, "\(endpoint.path)")
        }
    }

    @Test func onlyAPushOfAKnownSessionMayBeLarge() throws {
        let served = try Served(AnsweringCloud(.failure(.malformed)), isActive: { _ in false })
        let caller = bearer(Caller(try WireSample.token()))
        let large = spaces(SyncLimits.bytesOfOthers + 1)
        #expect(try served.send("POST", Endpoints.push.path, large, caller).status == 413)
        #expect(try served.send("POST", Endpoints.signals.path, large, caller).status == 400)
        let known = try Served(AnsweringCloud(.failure(.malformed)))
        #expect(try known.send("POST", Endpoints.push.path, large, caller).status == 400)
        #expect(try known.send("POST", Endpoints.detach.path, large, caller).status == 413)
    }

    @Test func aBodyThatGrowsIsRefusedBeforeItHasGrown() throws {
        let bomb = Gzip.compress(spaces(50 << 20))
        let cut = Array(Gzip.compress(spaces(1_000)).dropLast(4))
        #expect(bomb.count < SyncLimits.bytesOfOthers)
        let caller = bearer(Caller(try WireSample.token()))
        for endpoint in Endpoints.all
        where endpoint.method == "POST" && endpoint.path != Endpoints.signOut.path {
            let served = try Served(AnsweringCloud(.failure(.malformed)))
            func status(_ body: [UInt8], _ headers: [(String, String)]) throws -> Int {
                try served.send("POST", endpoint.path, body, caller + headers).status
            }
            #expect(try status(bomb, gzip) == 413, "\(endpoint.path)")
            #expect(try status(cut, gzip) == 400, "\(endpoint.path): cut off")
            #expect(try status(Array("no gzip".utf8), gzip) == 400, "\(endpoint.path)")
            #expect(try status(Array("{}".utf8), [("Content-Encoding", "br")]) == 400, "\(endpoint.path)")
        }
    }

    @Test func aMalformedBodyAsksTheCloudNothing() throws {
        for sample in try WireSample.all() where !(sample.golden.body ?? "").isEmpty {
            let cloud = AnsweringCloud(.success(sample.response))
            let served = try Served(cloud)
            let caller = bearer(sample.caller)
            for body in ["", "{", "[]", "nonsense", String(repeating: "[", count: 60_000)] {
                let reply = try served.send(
                    sample.golden.method,
                    sample.golden.address,
                    Array(body.utf8),
                    caller
                )
                #expect(
                    reply.status == 400 && reply.text == #"{"code":"malformed"}"#,
                    "\(sample): \(body.prefix(9))"
                )
            }
            #expect(cloud.asked.withLock { $0.isEmpty }, "\(sample)")
        }
    }

    @Test func withoutATokenNothingOfASessionIsDone() throws {
        let guest = EntityID(high: 1, low: 3)
        for sample in try WireSample.all() where sample.endpoint.needsSession {
            let cloud = AnsweringCloud(.success(sample.response))
            let served = try Served(cloud)
            let body = sample.golden.body.map { Array($0.utf8) }
            for token in [
                "", "Bearer", "Bearer x", "Basic \(guest)", "Bearer " + String(repeating: "A", count: 64),
            ] {
                let headers = [("Authorization", token)] + sample.headerLines
                let reply = try served.send(sample.golden.method, sample.golden.address, body, headers)
                #expect(
                    reply.status == 401 && reply.text == #"{"code":"token_revoked"}"#,
                    "\(sample): \(token)"
                )
            }
            #expect(cloud.asked.withLock { $0.isEmpty }, "\(sample)")
        }
    }
}

@Suite struct TheCloudsFace {
    private let directory: Directory
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    private let served: Served

    init() throws {
        let clock = FixedClock(at: 1_795_262_400)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        directory = try Directory(
            at: folder + "/cloud.sqlite",
            acceptsNewAccounts: true,
            dependencies: Directory.Dependencies(
                now: { clock.now },
                newID: {
                    var random = SystemRandomNumberGenerator()
                    return EntityID(milliseconds: UInt64(clock.now) * 1_000, using: &random)
                },
                newToken: {
                    var random = SystemRandomNumberGenerator()
                    return SessionToken(using: &random)
                }
            )
        )
        let accounts = PasswordAuthenticator(
            store: directory,
            cost: PasswordHash.Cost(logRounds: 4, blockSize: 1, parallelism: 1),
            now: { clock.now },
            random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
        )
        served = try Served(EmbeddedCloud(directory, authenticator: accounts))
    }

    private func close() {
        directory.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func send(_ method: String, _ path: String, _ body: String = "", token: String? = nil) throws
        -> Reply
    {
        try served.send(
            method,
            Endpoints.root + path,
            body.isEmpty ? nil : Array(body.utf8),
            token.map { [("Authorization", $0)] } ?? []
        )
    }

    private let guest = "01m7yj5pdcbes0042j6jdhesbj"

    @Test func aSessionIsOpenedUsedAndEnded() throws {
        defer { close() }
        let account = #""newAccount":{"email":"anna@x.test","password":"correct horse"}"#
        let opened = try send("POST", "/sign-in", #"{\#(account),"deviceName":"D","guest":"\#(guest)"}"#)
        #expect(opened.status == 200 && opened.text.contains(#""isExistingAccount":false"#))
        #expect(opened.header("cache-control") == "no-store")
        let token = try #require(opened.text.firstMatch(of: /"token":"([0-9a-f]{64})"/)?.1)
        #expect(
            try send("GET", "/account", token: "Bearer \(token)").text.contains(#""email":"anna@x.test""#)
        )
        #expect(try send("GET", "/account", token: "bearer \(token)").status == 200)
        #expect(try send("POST", "/sign-out", token: "Bearer \(token)").status == 204)
        let revoked = try send("GET", "/account", token: "Bearer \(token)")
        #expect(revoked.status == 401 && revoked.text == #"{"code":"token_revoked"}"#)
    }

    @Test func nonsenseIsRefusedAndChangesNothing() throws {
        defer { close() }
        let password = #"{"email":"a@x.test","password":"correct horse"}"#
        for body in [
            "", "{", "[]", "{}", #"{"account":\#(password),"deviceName":"D","guest":"x"}"#,
            #"{"account":\#(password),"newAccount":\#(password),"deviceName":"D","guest":"\#(guest)"}"#,
            #"{"deviceName":"D","guest":"\#(guest)"}"#,
            #"{"account":5,"deviceName":"D","guest":"\#(guest)"}"#,
        ] {
            #expect(try send("POST", "/sign-in", body).status == 400, "\(body)")
        }
        for token in [
            nil, "", "Bearer", "Bearer x", "Basic \(guest)", "Bearer " + String(repeating: "0", count: 64),
        ] {
            for (method, path) in [
                ("GET", "/account"), ("DELETE", "/account"), ("DELETE", "/account/data"), ("GET", "/devices"),
                ("DELETE", "/devices/\(guest)"),
            ] {
                #expect(try send(method, path, token: token).status == 401, "\(method) \(path)")
            }
        }
        #expect(try send("GET", "/sign-in").status == 405)
        #expect(try send("GET", "/nothing").status == 404)
        #expect(try send("DELETE", "/devices/x").status == 404)
        let form = try Visitor(port: served.port).send(
            "POST",
            "/cloud/v1/sign-in",
            headers: [("Content-Type", "text/plain")],
            body: Array("x".utf8)
        )
        #expect(form.status == 415)
        #expect(try send("POST", "/sign-in", String(repeating: " ", count: 70_000)).status == 413)
        #expect(try directory.users().isEmpty)
    }

    @Test func guessingGetsSlowerAndSaysForHowLong() throws {
        defer { close() }
        let body = #"{"account":{"email":"a@x.test","password":"wrong"},"deviceName":"","guest":"\#(guest)"}"#
        var replies: [Reply] = []
        for _ in 0..<8 { replies.append(try send("POST", "/sign-in", body)) }
        #expect(replies.first?.status == 401 && replies.last?.status == 429)
        #expect(replies.last?.header("retry-after").flatMap { Int($0) } ?? 0 > 0)
    }
}
