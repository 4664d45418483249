// Many devices of one server over one line: how many requests are open, and what each device hears.
import CloudClient
import CloudProtocol
import CloudRoutes
import Devices
import HTTPServer
import Ledger
import Outbound
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Cloud

/// Counts the requests that are open, but for those that only look whether an answer that is late will come at all.
private final class Counter: HTTPSending {
    let open = Mutex<[String: Int]>([:])
    let most = Mutex<[String: Int]>([:])
    private let client = HTTPClient(connectSeconds: 60, stallSeconds: 60)

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard !request.needsNewConnection else { return try await client.send(request) }
        let path = request.url.split(separator: "/").last?.split(separator: "?").first.map(String.init) ?? ""
        let now = open.withLock { open in
            open[path, default: 0] += 1
            return open[path, default: 0]
        }
        most.withLock { $0[path] = max($0[path] ?? 0, now) }
        defer { open.withLock { $0[path, default: 0] -= 1 } }
        return try await client.send(request)
    }
}

@Suite struct ManyDevicesOverALine: TalksToACloud {
    @Test func waitWithOneRequestAndSendWithFew() async throws {
        let under = try CloudUnderTest(.http)
        let counter = Counter()
        let cloud = RemoteCloud(at: under.address, client: counter)
        var tokens: [SessionToken] = []
        for number in 0..<300 {
            let signedIn = try await under.signIn("user\(number)")
            try under.directory.grant(signedIn.user.id, until: nil)
            tokens.append(signedIn.token)
        }
        let heads = try await withThrowingTaskGroup(of: Head.self) { group in
            for token in tokens {
                group.addTask { try await cloud.signal(seen: nil, waitSeconds: 45, token) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(heads == Array(repeating: Head(epoch: 1, seq: 0), count: 300))
        let seen = Head(epoch: 1, seq: 0)
        let waiting = tokens.map { token in
            Task { try await cloud.signal(seen: seen, waitSeconds: 45, token) }
        }
        // All of them have something to send at once, and hear of it.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, token) in tokens.enumerated() {
                let batch = batch(UInt64(number + 1), [create(1, 11)])
                group.addTask { _ = try await cloud.push(batch, token) }
            }
            try await group.waitForAll()
        }
        for task in waiting { #expect(try await task.value == Head(epoch: 1, seq: 1)) }
        let most = counter.most.withLock { $0 }
        #expect(most["signals"] ?? 0 <= 2 && most["signal"] == nil)
        #expect(most["push"] ?? 0 <= 64)
    }

    @Test func aSessionThatIsSignedOutElsewhereIsToldAtOnce() async throws {
        let under = try CloudUnderTest(.http)
        let (phone, laptop) = (try await under.signIn("anna"), try await under.signIn("anna"))
        let other = try await under.signIn("ben")
        let head = try await under.api.signal(seen: nil, waitSeconds: 0, phone.token)
        let waiting = Task { try await under.api.signal(seen: head, waitSeconds: 45, phone.token) }
        let bystander = Task { try await under.api.signal(seen: head, waitSeconds: 45, other.token) }
        let sessions = try await under.api.devices(laptop.token)
        let id = try #require(sessions.first { !$0.isThisDevice }?.id)
        try await under.api.signOut(device: id, erases: false, laptop.token)
        await #expect(throws: CloudError.sessionLocked) { try await waiting.value }
        try await under.api.deleteAccount(other.token)
        await #expect(throws: CloudError.accountGone) { try await bystander.value }
    }

    @Test func anOlderCloudIsAskedAsBefore() async throws {
        let under = try CloudUnderTest(.inProcess)
        let embedded = try #require(under.api as? EmbeddedCloud)
        let routes = CloudRoutes(embedded, isActive: { _ in true }, log: .off, run: { Background.run($0) })
        var configuration = Configuration()
        configuration.port = 0
        configuration.takesJSON = { CloudRoutes.owns($0) }
        let server = try Server(configuration) { request in
            request.path == Endpoints.signals.path
                ? Response(.notFound) : routes.answer(request) ?? .text(.notFound, "")
        }
        defer { server.stop(withinSeconds: 0) }
        let counter = Counter()
        let cloud = RemoteCloud(at: "http://127.0.0.1:\(server.port)", client: counter)
        let token = try await premium(under)
        let head = try await cloud.signal(seen: nil, waitSeconds: 0, token)
        async let waiting = cloud.signal(seen: head, waitSeconds: 45, token)
        _ = try await cloud.push(batch(1, [create(1, 11)]), token)
        // A cloud that is older than the hub answers a device after five seconds, with or without news.
        let moved = try await waiting
        #expect(moved == Head(epoch: 1, seq: 1) || moved == head)
        #expect(counter.most.withLock { $0["signal"] } == 1)
    }
}
