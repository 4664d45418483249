// The client over real sockets, to a server that does what it likes.
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Outbound

/// The threads of this process that wait for servers. Other tests begin hundreds of others meanwhile.
private func threads() throws -> Int {
    let folder = "/proc/self/task"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count { thread in
        (try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8)) == "breadly-http\n"
    }
}

private final class Counter: Sendable {
    let count = Atomic(0)
}

private func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

/// A client whose connections are kept for as long as the test lasts, however busy the machine is.
private func keepingClient() throws -> HTTPClient {
    try TestClock().client {
        $0.stallSeconds = 600
        $0.pooledSeconds = 86_400
    }
}

@Suite struct KeptConnections {
    @Test func requestsInARowShareOne() async throws {
        let client = try keepingClient()
        let server = try LoopbackServer()
        let script = server.run { server in
            let connection = try server.accept()
            for number in 0..<20 {
                #expect(try connection.request().line == "GET /\(number) HTTP/1.1")
                connection.answer("\(number)")
            }
            return server.isConnectionWaiting()
        }
        for number in 0..<20 {
            let response = try await client.send(
                HTTPRequest("GET", server.url("/\(number)"))
            )
            #expect(response.status == 200 && text(response) == "\(number)")
        }
        #expect(try await !script.value, "there is a second connection")
    }

    @Test func oneThatWasClosedMeanwhileIsReplaced() async throws {
        let client = try keepingClient()
        let server = try LoopbackServer()
        let script = server.run { server in
            let first = try server.accept()
            _ = try first.request()
            first.answer("before")
            first.close()
            let second = try server.accept()
            #expect(try second.request().body == Array("push".utf8))
            second.answer("after")
        }
        #expect(
            text(try await client.send(HTTPRequest("GET", server.url("/"))))
                == "before"
        )
        let push = HTTPRequest("POST", server.url("/"), body: Array("push".utf8), isRepeatable: true)
        #expect(text(try await client.send(push)) == "after")
        try await script.value
    }

    @Test func aRequestThatWasLostWithItsConnectionIsSentAgainOnce() async throws {
        let client = try keepingClient()
        let server = try LoopbackServer()
        let script = server.run { server in
            let first = try server.accept()
            _ = try first.request()
            first.answer()
            // The server has read the request, and the client cannot know.
            #expect(try first.request().body == Array("push".utf8))
            first.reset()
            let second = try server.accept()
            #expect(try second.request().body == Array("push".utf8))
            second.reset()
            return server
        }
        _ = try await client.send(HTTPRequest("GET", server.url("/")))
        let push = HTTPRequest("POST", server.url("/"), body: Array("push".utf8), isRepeatable: true)
        // The second connection was a new one: its failure is the result.
        await #expect(throws: HTTPClientError.self) { try await client.send(push) }
        #expect(try await !script.value.isConnectionWaiting())
    }

    @Test func aRequestThatMayNotComeTwiceIsSentOnce() async throws {
        let client = try keepingClient()
        let server = try LoopbackServer()
        let script = server.run { server in
            let first = try server.accept()
            _ = try first.request()
            first.answer()
            let second = try server.accept()
            _ = try second.request()
            second.reset()
            return server
        }
        _ = try await client.send(HTTPRequest("GET", server.url("/")))
        await #expect(throws: HTTPClientError.self) {
            try await client.send(HTTPRequest("POST", server.url("/"), body: []))
        }
        #expect(try await !script.value.isConnectionWaiting())
    }
}

@Suite struct ManyRequestsAtOnce {
    @Test func oneThatIsAnsweredPassesFiveHundredThatWait() async throws {
        #expect(raiseTestFileLimit() > 2_000)
        let server = try LoopbackServer()
        let before = try threads()
        let answered = Counter()
        let (allWait, signal) = AsyncStream.makeStream(of: Void.self)
        let script = server.run { server in
            var waiting: [LoopbackConnection] = []
            for _ in 0..<500 {
                let connection = try server.accept()
                #expect(try connection.request().line == "GET /wait HTTP/1.1")
                waiting.append(connection)
            }
            let during = try threads()
            signal.finish()
            let short = try server.accept()
            #expect(try short.request().line == "GET /short HTTP/1.1")
            short.answer("short")
            // The short one's client says that it has it: only then are the others answered.
            #expect(try short.request().line == "GET /go HTTP/1.1")
            short.answer()
            for connection in waiting { connection.answer("waited") }
            return during
        }
        let client = HTTPClient(stallSeconds: 600)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<500 {
                group.addTask {
                    let response = try await client.send(HTTPRequest("GET", server.url("/wait")))
                    answered.count.add(1, ordering: .relaxed)
                    return text(response) == "waited"
                }
            }
            group.addTask {
                for await _ in allWait {}
                let isShort = text(try await client.send(HTTPRequest("GET", server.url("/short")))) == "short"
                #expect(answered.count.load(ordering: .relaxed) == 0)
                _ = try await client.send(HTTPRequest("GET", server.url("/go")))
                return isShort
            }
            for try await isRight in group { #expect(isRight) }
        }
        let during = try await script.value
        // Other tests use clients of their own meanwhile.
        #expect(during - before < 480, "threads: \(before), then \(during)")
    }

    @Test func aServerThatTakesNoConnectionsKeepsNobodyElseWaiting() async throws {
        let clock = TestClock()
        let client = try client(clock, stall: 60)
        let full = try FullServer()
        let server = try LoopbackServer()
        let script = server.run { server in
            let connection = try server.accept()
            _ = try connection.request()
            connection.answer("there")
        }
        try await withThrowingTaskGroup(of: HTTPClientError?.self) { group in
            // More than may look for a connection at once: the last ones wait for the others.
            for _ in 0..<(TransferLoop.mostOpening + 8) {
                group.addTask {
                    do throws(HTTPClientError) {
                        _ = try await client.send(HTTPRequest("GET", full.server.url("/")))
                        return nil
                    } catch { return error }
                }
            }
            #expect(text(try await client.send(HTTPRequest("GET", server.url("/")))) == "there")
            try await script.value
            // Some requests may not be submitted yet: the clock advances until each has had its ten seconds.
            var failed = 0
            group.addTask {
                while !Task.isCancelled {
                    clock.advance(milliseconds: 10_000)
                    await Task.yield()
                }
                return nil
            }
            for try await error in group {
                if let error {
                    #expect(error == .timedOut(.connecting))
                    failed += 1
                }
                if failed == TransferLoop.mostOpening + 8 { group.cancelAll() }
            }
            #expect(failed == TransferLoop.mostOpening + 8)
        }
    }

    private func client(_ clock: TestClock, stall: Double) throws -> HTTPClient {
        try clock.client { $0.stallSeconds = stall }
    }
}

@Suite struct CancelledRequests {
    @Test func closeTheirConnectionAtOnce() async throws {
        let server = try LoopbackServer()
        let client = HTTPClient(stallSeconds: 600)
        let task = Task { () async throws(HTTPClientError) in
            try await client.send(HTTPRequest("GET", server.url("/")))
        }
        let script = server.run { server in
            let connection = try server.accept()
            _ = try connection.request()
            task.cancel()
            return connection.closes()
        }
        await #expect(throws: HTTPClientError.cancelled) { try await task.value }
        #expect(try await script.value)
    }

    @Test func areNotBegunAtAllWhereTheyComeTooLate() async throws {
        let server = try LoopbackServer()
        let task = Task { () async throws(HTTPClientError) in
            while !Task.isCancelled { await Task.yield() }
            return try await HTTPClient(stallSeconds: 600).send(HTTPRequest("GET", server.url("/")))
        }
        task.cancel()
        await #expect(throws: HTTPClientError.cancelled) { try await task.value }
        #expect(!server.isConnectionWaiting())
    }

    @Test func waitingOnesGiveTheirPlaceBack() async throws {
        let full = try FullServer()
        let clock = TestClock()
        let client = try clock.client { $0.stallSeconds = 60 }
        let tasks = (0..<(TransferLoop.mostOpening * 2)).map { _ in
            Task { () async throws(HTTPClientError) in
                try await client.send(HTTPRequest("GET", full.server.url("/")))
            }
        }
        for task in tasks { task.cancel() }
        for task in tasks {
            await #expect(throws: HTTPClientError.cancelled) { try await task.value }
        }
    }
}

@Suite struct BadResponses {
    private func outcome(
        _ client: HTTPClient = HTTPClient(stallSeconds: 600),
        _ script: @escaping @Sendable (LoopbackConnection) throws -> Void
    ) async throws -> HTTPClientError? {
        let server = try LoopbackServer()
        let done = server.run { server in
            let connection = try server.accept()
            _ = try connection.request()
            try script(connection)
        }
        var found: HTTPClientError?
        do throws(HTTPClientError) { _ = try await client.send(HTTPRequest("GET", server.url("/"))) } catch {
            found = error
        }
        try await done.value
        return found
    }

    @Test func anEndlessOneIsCutOff() async throws {
        let error = try await outcome(HTTPClient(stallSeconds: 600, responseBytes: 100_000)) { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send(String(repeating: "x", count: 10_000)) {}
        }
        #expect(error == .tooLong)
    }

    @Test func oneOfExactlyTheLimitIsTaken() async throws {
        let error = try await outcome(HTTPClient(stallSeconds: 600, responseBytes: 10)) {
            $0.answer("0123456789")
        }
        #expect(error == nil)
        let longer = try await outcome(HTTPClient(stallSeconds: 600, responseBytes: 9)) {
            $0.answer("0123456789")
        }
        #expect(longer == .tooLong)
    }

    @Test func anEndlessHeadIsCutOff() async throws {
        let error = try await outcome { connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X: \(String(repeating: "x", count: 10_000))\r\n") {}
        }
        #expect(error != nil)
    }

    @Test(arguments: [
        "", "nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"user\":", "HTTP/1.1 200",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func aPartOfOneIsNone(bytes: String) async throws {
        let error = try await outcome { connection in
            connection.send(bytes)
            connection.close()
        }
        let isPart =
            switch error {
            case .cutOff?, .failed?: true
            default: false
            }
        guard isPart else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// A server that ends the connection while a long body is on its way.
    @Test func aRequestThatIsCutOffIsToldApart() async throws {
        let server = try LoopbackServer()
        let done = server.run { server in
            let connection = try server.accept()
            try connection.head()
            _ = try connection.read(100)
            connection.reset()
        }
        var found: HTTPClientError?
        let request = HTTPRequest("POST", server.url("/"), body: [UInt8](repeating: 7, count: 8 << 20))
        do throws(HTTPClientError) { _ = try await HTTPClient(stallSeconds: 600).send(request) } catch {
            found = error
        }
        try await done.value
        guard case .cutOff? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test(arguments: ["", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "x y", "http://[::1"])
    func whatIsNoAddressIsRefused(url: String) async {
        await #expect(throws: HTTPClientError.badRequest) {
            try await HTTPClient(stallSeconds: 600).send(HTTPRequest("GET", url))
        }
    }

    @Test func aResponseMayAskToWait() async throws {
        let server = try LoopbackServer()
        let script = server.run { server in
            for header in ["Retry-After: 7\r\n", ""] {
                let connection = try server.accept()
                _ = try connection.request()
                connection.send(
                    "HTTP/1.1 503 Busy\r\n\(header)Content-Length: 0\r\nConnection: close\r\n\r\n"
                )
                connection.close()
            }
        }
        let client = try keepingClient()
        let asks = try await client.send(HTTPRequest("GET", server.url("/")))
        #expect(asks.status == 503 && asks.retryAfterSeconds == 7)
        let silent = try await client.send(HTTPRequest("GET", server.url("/")))
        #expect(silent.status == 503 && silent.retryAfterSeconds == nil)
        try await script.value
    }

    @Test func headersCannotBeForged() async {
        await #expect(throws: HTTPClientError.badRequest) {
            try await HTTPClient(stallSeconds: 600).send(
                HTTPRequest("GET", "http://127.0.0.1:1/", headers: [("X", "a\r\nY: b")])
            )
        }
    }
}

@Suite struct TheLibrary {
    @Test func oneThatIsMissingOrTooOldIsTold() throws {
        func error(_ names: [String]) -> HTTPClientError? {
            if case .failure(let error) = CurlLibrary.load(names) { error } else { nil }
        }
        #expect(error(["libnobody.so.4"]) == .noLibrary)
        // Here, but without what is needed.
        guard case .oldLibrary? = error(["libnobody.so.4", "libz.so.1"]) else {
            Issue.record("\(String(describing: error(["libz.so.1"])))")
            return
        }
        #expect(error(["libz.so.1", "libcurl.so.4", "libcurl-gnutls.so.4"]) == nil)
        #expect("\(HTTPClientError.oldLibrary("libcurl/7.64.0"))".contains("7.68"))
    }
}
