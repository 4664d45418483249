// The definition of progress, with a clock that the test moves.
import Glibc
import Synchronization
import TestKit
import Testing

@testable import Outbound

/// A clock, with a thread of requests that lives by it.
final class TestClock: Sendable {
    private let now = Atomic<Int64>(0)
    private let reads = Atomic(0)
    private let transfers = Mutex<TransferThread?>(nil)

    /// A client on a thread of its own.
    func client(_ set: (inout HTTPClient.Limits) -> Void) throws -> HTTPClient {
        let thread = TransferThread(try CurlLibrary.shared.get()) { [self] in
            reads.add(1, ordering: .relaxed)
            return now.load(ordering: .acquiring)
        }
        transfers.withLock { $0 = thread }
        var limits = HTTPClient.Limits()
        set(&limits)
        return HTTPClient(limits, over: thread)
    }

    func advance(milliseconds: Int64) {
        now.add(milliseconds, ordering: .acquiringAndReleasing)
        transfers.withLock { $0 }?.wake()
    }

    /// Moves on by ten seconds again and again.
    /// - Returns: whether a condition became true.
    func advances(until condition: () -> Bool) -> Bool {
        becomesTrue {
            advance(milliseconds: 10_000)
            transfers.withLock { $0 }?.wake()
            return condition()
        }
    }

    /// Moves on, and waits until the thread has looked at its requests since.
    func advanceAndLook(milliseconds: Int64) {
        advance(milliseconds: milliseconds)
        let seen = reads.load(ordering: .relaxed)
        // It reads the clock three times in each turn, and a turn may have been under way.
        #expect(
            becomesTrue {
                transfers.withLock { $0 }?.wake()
                return reads.load(ordering: .relaxed) >= seen + 8
            }
        )
    }
}

/// A server whose queue of connections is full: it does not answer other clients.
final class FullServer: Sendable {
    let server: LoopbackServer
    private let knocks: [Int32]

    init() throws {
        server = try LoopbackServer(backlog: 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(server.port).bigEndian
        knocks = (0..<4).map { _ in
            let knock = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(knock, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            return knock
        }
    }

    deinit { for knock in knocks { close(knock) } }
}

@Suite struct TimeWithoutProgress {
    @Test func aServerThatSaysNothingIsGivenUp() async throws {
        let clock = TestClock()
        let client = try clock.client { $0.stallSeconds = 10 }
        let server = try LoopbackServer()
        let script = server.run { server in
            let connection = try server.accept()
            _ = try connection.request()
            for _ in 0..<3 { clock.advanceAndLook(milliseconds: 3_000) }
            // Still there after nine seconds: a byte of the response begins the time anew.
            let isThere =
                !connection.isClosed && connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
            for _ in 0..<3 { clock.advanceAndLook(milliseconds: 3_000) }
            let isStillThere = !connection.isClosed && connection.send("of")
            for _ in 0..<5 { clock.advanceAndLook(milliseconds: 3_000) }
            return (isThere, isStillThere, connection.closes())
        }
        await #expect(throws: HTTPClientError.timedOut(.noProgress)) {
            try await client.send(HTTPRequest("GET", server.url("/")))
        }
        let (isThere, isStillThere, isClosed) = try await script.value
        #expect(isThere && isStillThere && isClosed)
    }

    @Test func whatWasKeptBesideALineThatDiedIsNotTrusted() async throws {
        let clock = TestClock()
        let client = try clock.client { $0.stallSeconds = 8 }
        let server = try LoopbackServer()
        let script = server.run { server in
            let kept = [try server.accept(), try server.accept()]
            for connection in kept { _ = try connection.request() }
            for connection in kept { connection.answer() }
            // The line dies in silence: the next request is given up.
            #expect(becomesTrue { kept.contains { $0.hasBytes } })
            let used = kept[0].hasBytes ? 0 : 1
            _ = try kept[used].request()
            // No further: libcurl measures the age of a connection with a clock of its own, which this test
            // does not move.
            for _ in 0..<5 where !kept[used].isClosed { clock.advanceAndLook(milliseconds: 3_000) }
            #expect(kept[used].closes())
            let other = kept[1 - used]
            #expect(becomesTrue { server.isConnectionWaiting() || other.hasBytes })
            guard server.isConnectionWaiting() else {
                _ = try other.request()
                other.answer()
                other.close()
                let last = try server.accept()
                _ = try last.request()
                last.answer()
                return false
            }
            let fresh = try server.accept()
            let opened = ContinuousClock.now
            _ = try fresh.request()
            other.close()
            fresh.answer()
            #expect(becomesTrue { server.isConnectionWaiting() || fresh.hasBytes })
            let last = fresh.hasBytes ? fresh : try server.accept()
            _ = try last.request()
            last.answer()
            // Libcurl's own clock is not the test's: on a busy machine the connection may be too old by now.
            return last === fresh || ContinuousClock.now - opened > .seconds(15)
        }
        let request = HTTPRequest("GET", server.url("/"))
        async let first = client.send(request)
        async let second = client.send(request)
        _ = try await (first, second)
        await #expect(throws: HTTPClientError.timedOut(.noProgress)) { try await client.send(request) }
        _ = try await client.send(request)
        // Later than anything is kept, what was opened since is trusted.
        clock.advanceAndLook(milliseconds: 26_000)
        _ = try? await client.send(request)
        #expect(try await script.value)
    }

    @Test func whatIsSilentBesideANewConnectionIsGivenUpSoon() async throws {
        let clock = TestClock()
        let client = try clock.client { $0.stallSeconds = 60 }
        let server = try LoopbackServer()
        let script = server.run { server in
            let connections = [try server.accept(), try server.accept()]
            // Whichever came first.
            let lines = try connections.map { try $0.request().line }
            let isInOrder = lines[0].hasPrefix("GET")
            let (lost, once) = (connections[isInOrder ? 0 : 1], connections[isInOrder ? 1 : 0])
            client.suspect(server.url("/anything"), answeredWithin: 1)
            clock.advanceAndLook(milliseconds: 0)
            clock.advanceAndLook(milliseconds: 200)
            let isPatient = !lost.isClosed
            clock.advanceAndLook(milliseconds: 200)
            let isClosed = lost.closes()
            // A request that must not arrive twice is waited for.
            once.answer("once")
            // The connection of before is not used again, and neither is one of the first second after.
            let fresh = try server.accept()
            _ = try fresh.request()
            fresh.answer("fresh")
            clock.advanceAndLook(milliseconds: 3_000)
            return isPatient && isClosed
        }
        var request = HTTPRequest("GET", server.url("/late"))
        request.mayBeSuspected = true
        let late = Task { [request] in try await client.send(request) }
        let once = Task { try await client.send(HTTPRequest("POST", server.url("/once"), body: [])) }
        await #expect(throws: HTTPClientError.suspected) { try await late.value }
        #expect(try await once.value.body == Array("once".utf8))
        #expect(try await client.send(HTTPRequest("GET", server.url("/"))).body == Array("fresh".utf8))
        #expect(try await script.value)
    }

    /// Buffers on the way hold what libcurl has sent already.
    @Test func theEndOfALongUploadMayTakeAsLongAsOnASlowLine() async throws {
        let clock = TestClock()
        let client = try clock.client { $0.stallSeconds = 10 }
        let server = try LoopbackServer()
        let script = server.run { server in
            let connection = try server.accept()
            _ = try connection.request()
            for _ in 0..<7 { clock.advanceAndLook(milliseconds: 6_900) }
            let isThere = !connection.isClosed
            // The progress of sending is noticed at the first look.
            for _ in 0..<3 where !connection.isClosed { clock.advanceAndLook(milliseconds: 6_900) }
            return (isThere, connection.closes())
        }
        let body = [UInt8](repeating: 7, count: 80_000)
        await #expect(throws: HTTPClientError.timedOut(.noProgress)) {
            try await client.send(HTTPRequest("POST", server.url("/"), body: body))
        }
        let (isThere, isClosed) = try await script.value
        #expect(isThere && isClosed, "ten seconds, and forty for the bytes on the way")
    }

    @Test func aLongUploadIsGivenTheTimeOfASlowLine() async throws {
        let clock = TestClock()
        let client = try clock.client { $0.stallSeconds = 60 }
        let server = try LoopbackServer()
        let script = server.run { server in
            let connection = try server.accept()
            _ = try connection.request()
            client.suspect(server.url("/"), answeredWithin: 1)
            clock.advanceAndLook(milliseconds: 0)
            clock.advanceAndLook(milliseconds: 9_000)
            connection.answer("there")
        }
        var push = HTTPRequest(
            "POST",
            server.url("/"),
            body: [UInt8](repeating: 7, count: 80_000),
            isRepeatable: true
        )
        push.mayBeSuspected = true
        #expect(try await client.send(push).body == Array("there".utf8))
        try await script.value
    }

    @Test func aSlowUploadIsProgress() async throws {
        let clock = TestClock()
        let client = try clock.client { $0.stallSeconds = 10 }
        let server = try LoopbackServer(receiveBuffer: 16 << 10)
        let (step, steps) = (512 << 10, 12)
        let script = server.run { server in
            let connection = try server.accept()
            try connection.head()
            for _ in 0..<steps {
                // More than the kernels hold between the two: the client must have sent some of it just now.
                _ = try connection.read(step)
                clock.advanceAndLook(milliseconds: 4_000)
            }
            connection.answer("all")
        }
        let body = [UInt8](repeating: 7, count: step * steps)
        let response = try await client.send(HTTPRequest("POST", server.url("/"), body: body))
        #expect(response.body == Array("all".utf8))
        try await script.value
    }

    @Test func anUploadThatStopsIsGivenUp() async throws {
        let clock = TestClock()
        let client = try clock.client { $0.stallSeconds = 10 }
        let server = try LoopbackServer(receiveBuffer: 16 << 10)
        let isOver = Atomic(false)
        let script = server.run { server in
            let connection = try server.accept()
            defer { connection.close() }
            try connection.head()
            _ = try connection.read(100_000)
            return clock.advances { isOver.load(ordering: .relaxed) }
        }
        await #expect(throws: HTTPClientError.timedOut(.noProgress)) {
            try await client.send(
                HTTPRequest("POST", server.url("/"), body: [UInt8](repeating: 7, count: 8 << 20))
            )
        }
        isOver.store(true, ordering: .relaxed)
        #expect(try await script.value)
    }

    @Test func aTotalEndsWhatMoves() async throws {
        let clock = TestClock()
        let client = try clock.client { ($0.stallSeconds, $0.totalSeconds) = (10, 20) }
        let server = try LoopbackServer()
        let script = server.run { server in
            let connection = try server.accept()
            _ = try connection.request()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            for _ in 0..<6 {
                connection.send("more")
                clock.advanceAndLook(milliseconds: 4_000)
            }
            return connection.closes()
        }
        await #expect(throws: HTTPClientError.timedOut(.total)) {
            try await client.send(HTTPRequest("GET", server.url("/")))
        }
        #expect(try await script.value)
    }

    @Test func theThreadAndItsConnectionsEndWithTheLastRequest() async throws {
        let clock = TestClock()
        let client = try clock.client { $0.stallSeconds = 10 }
        let server = try LoopbackServer()
        // The second one starts another thread.
        for _ in 0..<2 {
            let script = server.run { server in
                let connection = try server.accept()
                _ = try connection.request()
                connection.answer("once")
                return becomesTrue {
                    clock.advance(milliseconds: 61_000)
                    return connection.isClosed
                }
            }
            _ = try await client.send(HTTPRequest("GET", server.url("/")))
            #expect(try await script.value)
        }
    }
}
