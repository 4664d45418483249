// Slow clients, many clients, answers that wait and answers that go on.
import Dispatch
import Glibc
import Synchronization
import TestKit
import Testing

@testable import HTTPServer

private func server(
    _ change: (inout Configuration) -> Void = { _ in },
    _ handler: @escaping Handler
) throws -> Server {
    var settings = Configuration()
    settings.port = 0
    change(&settings)
    return try Server(settings, handler: handler)
}

/// A server that says hello.
private func greeter(_ change: (inout Configuration) -> Void = { _ in }) throws -> Server {
    try server(change) { _ in .text(.ok, "hello") }
}

private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

@Suite struct Patience {
    @Test func whoSendsAByteNowAndThenIsCutOffAtTheDeadline() throws {
        let clock = FixedClock(at: 1_000)
        let server = try greeter { $0.clock = { clock.now } }
        let wire = try Wire(port: Int(server.port))
        for byte in "GET / HTTP/1.1\r\nHo" { wire.send(String(byte)) }
        // The time counts from when the server knows the connection.
        try #require(becomesTrue { server.openConnections == 1 })
        clock.advance(by: 30)
        server.closeExpired()
        #expect(wire.send("s"))
        clock.advance(by: 1)
        server.closeExpired()
        #expect(wire.endsInSilence())
    }

    @Test func aHalfSentBodyNeverReachesTheHandlerAndEndsAtTheDeadline() throws {
        let clock = FixedClock(at: 1_000)
        let calls = Atomic(0)
        let server = try server({ $0.clock = { clock.now } }) { _ in
            calls.add(1, ordering: .relaxed)
            return .text(.ok, "")
        }
        let head =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\n"
        let slow = try Wire(port: Int(server.port))
        slow.send(head + "a=1")
        let gone = try Wire(port: Int(server.port))
        gone.send(head + "a=1")
        // The server may close a line that has ended as soon as it sees the end: both are counted before.
        try #require(becomesTrue { server.openConnections == 2 })
        // Half a body and the end of the line is no more than half a body.
        gone.finish()
        clock.advance(by: 31)
        server.closeExpired()
        #expect(slow.endsInSilence() && gone.endsInSilence())
        #expect(calls.load(ordering: .relaxed) == 0)
    }

    /// A body over a line of 2 kB a second.
    @Test(arguments: [true, false]) func aBodyOfAKnownClientThatMovesHasTenMinutes(isKnown: Bool) throws {
        let clock = FixedClock(at: 1_000)
        let server = try server({
            $0.clock = { clock.now }
            $0.isKnown = { _ in isKnown }
            $0.takesJSON = { _ in true }
            $0.jsonBytes = { _ in 2 << 20 }
        }) { request in .text(.ok, "<\(request.body.count)>") }
        let count = 1_100_000
        let wire = try Wire(port: Int(server.port))
        wire.send(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: \(count)\r\n\r\n"
        )
        try #require(becomesTrue { server.openConnections == 1 })
        var sent = 0
        for _ in 0..<11 {
            wire.send(String(repeating: "x", count: 50_000))
            sent += 50_000
            guard isKnown else { break }
            try #require(becomesTrue { server.bytesOfBodies >= sent })
            clock.advance(by: 25)
            server.closeExpired()
        }
        guard isKnown else {
            clock.advance(by: 31)
            server.closeExpired()
            return #expect(wire.endsInSilence())
        }
        // More than 500 KB have arrived after 275 seconds, so that ten minutes are granted.
        wire.send(String(repeating: "x", count: 50_000))
        try #require(becomesTrue { server.bytesOfBodies >= sent + 50_000 })
        clock.advance(by: 324)
        server.closeExpired()
        wire.send(String(repeating: "x", count: count - sent - 50_000))
        #expect(wire.receive(until: ">").contains("<\(count)>"))
        let other = try Wire(port: Int(server.port))
        other.send(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: \(count)\r\n\r\n"
                + String(repeating: "x", count: 1_000_000)
        )
        try #require(becomesTrue { server.bytesOfBodies >= 1_000_000 })
        clock.advance(by: 601)
        server.closeExpired()
        #expect(other.endsInSilence())
    }

    @Test func whoIsKeptAliveHasTheWholeTimeForEachRequest() throws {
        let clock = FixedClock(at: 1_000)
        let server = try greeter { $0.clock = { clock.now } }
        let wire = try Wire(port: Int(server.port))
        for _ in 0..<4 {
            wire.send(get)
            #expect(wire.receive(until: "hello").contains("200 OK"))
            clock.advance(by: 25)
            server.closeExpired()
        }
    }

    @Test func twoRequestsAtOnceAreAnsweredInTheirOrder() throws {
        let server = try server { request in .text(.ok, "<\(request.path)>") }
        let wire = try Wire(port: Int(server.port))
        wire.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answer = wire.receive(until: "</2>")
        let first = try #require(answer.firstRange(of: "</1>"))
        let second = try #require(answer.firstRange(of: "</2>"))
        #expect(first.lowerBound < second.lowerBound)
    }

    @Test func fifteenHundredHalfOpenConnectionsKeepNobodyElseOut() throws {
        try #require(raiseTestFileLimit() > 4_000)
        let server = try greeter()
        var wires: [Wire] = []
        for _ in 0..<1_500 {
            let wire = try Wire(port: Int(server.port), from: "127.0.0.7")
            wire.send("GET / HTTP/1.1\r\nHos")
            wires.append(wire)
        }
        #expect(server.openConnections <= 520)
        for _ in 0..<20 {
            let other = try Wire(port: Int(server.port), from: "127.0.0.8")
            other.send(get)
            #expect(other.receive(until: "hello").contains("200 OK"))
        }
    }

    @Test func tenThousandConnectionsAreSurvived() throws {
        let possible = min(10_000, (raiseTestFileLimit() - 500) / 2)
        let server = try greeter()
        var wires: [Wire] = []
        for number in 0..<possible {
            let from = "127.0.\(1 + number / 200 % 200).\(1 + number % 200)"
            guard let wire = try? Wire(port: Int(server.port), from: from, waits: false) else { continue }
            wires.append(wire)
        }
        #expect(server.openConnections <= 4_096)
        wires = []
        // The places of those who left are free again as soon as the server has noticed.
        for attempt in 0..<1_000 {
            if let wire = try? Wire(port: Int(server.port)), wire.send(get),
                wire.receive(until: "hello").contains("200")
            {
                break
            }
            try #require(attempt < 999)
        }
    }

    @Test func connectionsAreDealtOutAmongTheWorkers() throws {
        let entered = DispatchSemaphore(value: 0)
        let leave = DispatchSemaphore(value: 0)
        let server = try server({ $0.threads = 3 }) { _ in
            entered.signal()
            leave.wait()
            return .text(.ok, "hello")
        }
        let wires = try (0..<3).map { _ in try Wire(port: Int(server.port)) }
        for wire in wires { wire.send(get) }
        // Were two of them one worker's, the third handler would not be entered before the first has left.
        for _ in wires { entered.wait() }
        for _ in wires { leave.signal() }
        for wire in wires { #expect(wire.receive(until: "hello").contains("200 OK")) }
    }

    /// Clients that hang up just when their answers are complete: about one in twenty never has it made.
    @Test func whatAnAnswerHoldsIsFreedIfItsClientHasHungUp() throws {
        final class Held: Sendable {
            static let count = Atomic(0)
            init() { Self.count.add(1, ordering: .relaxed) }
            deinit { Self.count.subtract(1, ordering: .relaxed) }
        }
        let made = Atomic(0)
        let server = try server({ $0.connectionsPerAddress = 10_000 }) { _ in
            let later = LaterAnswer()
            DispatchQueue.global().async {
                let held = Held()
                later.resume { _ in withExtendedLifetime(held) { .text(.ok, "there") } }
                made.add(1, ordering: .relaxed)
            }
            return .later(later)
        }
        for number in 0..<2_000 {
            let wire = try Wire(port: Int(server.port))
            if number.isMultiple(of: 2) { wire.resetAtEnd() }
            wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            // The answer is complete at a moment of its own: before, at, and after the end of the connection.
            for _ in 0..<number % 40 { _ = wire.send("") }
        }
        #expect(becomesTrue { server.openConnections == 0 })
        #expect(made.load(ordering: .relaxed) > 0)
        #expect(becomesTrue { Held.count.load(ordering: .relaxed) == 0 })
    }

    @Test func whoComesToAFullServerWaitsUntilAnAnswerIsSent() throws {
        let waiting = Mutex<[LaterAnswer]>([])
        let server = try server({ $0.connections = 2 }) { request in
            guard request.path == "/wait" else { return .text(.ok, "hello") }
            let later = LaterAnswer()
            waiting.withLock { $0.append(later) }
            return .later(later)
        }
        let wires = try (0..<2).map { _ in try Wire(port: Int(server.port)) }
        for wire in wires { wire.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n") }
        try #require(becomesTrue { waiting.withLock { $0.count } == 2 })
        let late = try Wire(port: Int(server.port))
        late.send(get)
        #expect(server.openConnections == 2)
        for later in waiting.withLock({ $0 }) { later.fulfil(.text(.ok, "there")) }
        for wire in wires { #expect(wire.receive(until: "there").contains("there")) }
        #expect(late.receive(until: "hello").contains("200 OK"))
    }

    @Test func whoNeverSendsAWholeRequestGivesWayAndThenWhoRests() throws {
        let server = try greeter {
            $0.connections = 16
            $0.connectionsPerAddress = 100
        }
        var kept: [Wire] = []
        for _ in 0..<8 {
            let wire = try Wire(port: Int(server.port))
            wire.send(get)
            #expect(wire.receive(until: "hello").contains("200 OK"))
            kept.append(wire)
        }
        let half = try (0..<8).map { _ in
            let wire = try Wire(port: Int(server.port))
            wire.send("GET / HTTP/1.1\r\nHos")
            return wire
        }
        try #require(becomesTrue { server.openConnections == 16 })
        for _ in 0..<40 {
            let wire = try Wire(port: Int(server.port))
            wire.send(get)
            #expect(wire.receive(until: "hello").contains("200 OK"))
            kept.append(wire)
        }
        for wire in half { #expect(wire.endsInSilence(), "it made room") }
    }

    @Test func theLastEighthIsForThoseWhoAreKnown() throws {
        let waiting = Mutex<[LaterAnswer]>([])
        let server = try server({
            $0.connections = 16
            $0.connectionsPerAddress = 100
            $0.isKnown = { $0.cookie("c") == "mine" }
        }) { request in
            guard request.path == "/wait" else { return .text(.ok, "hello") }
            let later = LaterAnswer()
            waiting.withLock { $0.append(later) }
            return .later(later)
        }
        let crowd = try (0..<14).map { _ in
            let wire = try Wire(port: Int(server.port))
            wire.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
            return wire
        }
        try #require(becomesTrue { waiting.withLock { $0.count } == 14 })
        let unknown = try Visitor(port: Int(server.port)).get("/")
        #expect(unknown.status == 503 && unknown.header("retry-after") == "5")
        let known = Visitor(port: Int(server.port))
        known.cookies["c"] = "mine"
        #expect(try known.get("/").text == "hello")
        #expect(server.refusals.first { $0.reason == "full" }?.count == 1)
        for later in waiting.withLock({ $0 }) { later.fulfil(.text(.ok, "there")) }
        for wire in crowd { #expect(wire.receive(until: "there").contains("there")) }
    }

    @Test func unknownClientsShareHalfOfTheMemoryForBodies() throws {
        let server = try server({
            $0.bytesOfBodies = 100_000
            $0.isKnown = { $0.cookie("c") == "mine" }
        }) { request in .text(.ok, "got \(request.form.first("a")?.utf8.count ?? 0)") }
        func head(_ cookie: String = "") -> String {
            "POST / HTTP/1.1\r\nHost: a\r\n\(cookie)Content-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: 40002\r\n\r\na="
        }
        let body = String(repeating: "x", count: 40_000)
        let first = try Wire(port: Int(server.port))
        first.send(head() + body.dropLast())
        try #require(becomesTrue { server.bytesOfBodies >= 40_000 })
        let second = try Wire(port: Int(server.port))
        second.send(head() + body)
        let refused = second.receive(until: "\r\n\r\n")
        #expect(refused.contains(" 503 ") && refused.lowercased().contains("connection: close"))
        let known = try Wire(port: Int(server.port))
        known.send(head("Cookie: c=mine\r\n") + body)
        #expect(known.receive(until: "got").contains("got 40000"))
        first.send("x")
        #expect(first.receive(until: "got").contains("got 40000"))
        #expect(becomesTrue { server.bytesOfBodies == 0 })
    }

    @Test func whoAsksForMuchAndReadsNothingLeavesRoomForOthers() throws {
        let server = try server({
            $0.bytesOfAnswers = 40 << 20
            $0.isKnown = { $0.cookie("c") == "mine" }
        }) { request in
            request.path == "/much"
                ? .text(.ok, String(repeating: "x", count: 16 << 20)) : .text(.ok, "hello")
        }
        let slow = try Wire(port: Int(server.port))
        slow.send("GET /much HTTP/1.1\r\nHost: a\r\n\r\n")
        try #require(becomesTrue { server.bytesOfAnswers >= 16 << 20 })
        let visitor = Visitor(port: Int(server.port))
        let refused = try visitor.get("/much")
        #expect(refused.status == 503 && refused.header("retry-after") == "5")
        #expect(try visitor.get("/").text == "hello", "what is small is always given")
        let known = Visitor(port: Int(server.port))
        known.cookies["c"] = "mine"
        #expect(try known.get("/much").body.count == 16 << 20)
        #expect(slow.receive(until: "x").contains("200 OK"))
    }

    @Test func aFileIsSentAsItWasWritten() throws {
        let server = try server { _ in
            do {
                let file = try SpoolFile()
                for letter in ["a", "b"] {
                    let memory = malloc(70_000)
                    if let memory { memset(memory, Int32(letter.utf8.first ?? 0), 70_000) }
                    try file.write(OwnedMemory(memory, count: 70_000))
                }
                return Response(.ok, body: try file.body())
            } catch { return .text(.internalError, "\(error)") }
        }
        let reply = try Visitor(port: Int(server.port)).get("/")
        #expect(reply.text == String(repeating: "a", count: 70_000) + String(repeating: "b", count: 70_000))
    }

    @Test func behindAProxyEachClientIsCountedForItself() throws {
        let networks = try #require(TrustedProxies(["127.0.0.0/8"]))
        let waiting = Mutex<[LaterAnswer]>([])
        let server = try server({
            $0.trustedProxies = networks
            $0.connectionsPerAddress = 3
        }) { request in
            guard request.path == "/wait" else { return .text(.ok, "hello") }
            let later = LaterAnswer()
            waiting.withLock { $0.append(later) }
            return .later(later)
        }
        func ask(_ path: String, for client: String, _ wire: Wire) {
            wire.send("GET \(path) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(client)\r\n\r\n")
        }
        // A proxy keeps its connections, and sends requests of any client on each.
        let wires = try (0..<12).map { _ in try Wire(port: Int(server.port)) }
        for (number, wire) in wires.enumerated() { ask("/wait", for: "192.0.2.\(number / 3)", wire) }
        try #require(becomesTrue { waiting.withLock { $0.count } == 12 })
        let more = try Wire(port: Int(server.port))
        ask("/", for: "192.0.2.1", more)
        #expect(more.receive(until: "\r\n\r\n").contains(" 429 "))
        let other = try Wire(port: Int(server.port))
        ask("/", for: "192.0.2.9", other)
        #expect(other.receive(until: "hello").contains("200 OK"))
        for later in waiting.withLock({ $0 }) { later.fulfil(.text(.ok, "there")) }
        for wire in wires { #expect(wire.receive(until: "there").contains("there")) }
        try #require(
            becomesTrue {
                ask("/", for: "192.0.2.1", wires[3])
                return wires[3].receive(until: "hello").contains("200 OK")
            }
        )
        #expect(server.refusals.first { $0.reason == "address" }?.count == 1)
    }

    /// The stop would take an hour, the deadline, if it waited for idle clients.
    @Test func connectionsWithoutARequestDoNotHoldTheStopUp() throws {
        let server = try server { _ in .text(.ok, "answered") }
        let wires = try (0..<8).map { _ in try Wire(port: Int(server.port)) }
        // Half of them have asked before, the others never did.
        for wire in wires.prefix(4) {
            wire.send(get)
            _ = wire.receive(until: "answered")
        }
        server.stop(withinSeconds: 3_600)
        #expect(server.openConnections == 0)
    }

    @Test func aServerWithoutRequestsStopsAtOnceAndOneUnderWayIsFinished() throws {
        let entered = DispatchSemaphore(value: 0)
        let leave = DispatchSemaphore(value: 0)
        let server = try server { _ in
            entered.signal()
            leave.wait()
            return .text(.ok, "finished")
        }
        let wire = try Wire(port: Int(server.port))
        wire.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        entered.wait()
        let stopped = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            server.stop(withinSeconds: 20)
            stopped.signal()
        }
        leave.signal()
        #expect(wire.receive(until: "finished").contains("finished"))
        stopped.wait()
    }
}

@Suite struct AnswersThatWait {
    @Test func anAnswerMayComeFromAnotherThreadOrBeThereAlready() throws {
        let server = try server { request in
            let later = LaterAnswer()
            if request.path == "/now" {
                later.fulfil(.text(.ok, "now"))
            } else {
                DispatchQueue.global().async { later.fulfil(.text(.ok, "soon")) }
            }
            later.fulfil(request.path == "/now" ? .text(.ok, "twice") : .text(.ok, "soon"))
            return .later(later)
        }
        for path in ["/now", "/soon"] {
            for _ in 0..<50 {
                let reply = try Visitor(port: Int(server.port)).get(path)
                #expect(reply.status == 200 && "/" + reply.text == path)
            }
        }
    }

    @Test func whoWaitsHoldsNoWorker() throws {
        let waiting = Mutex<[LaterAnswer]>([])
        let server = try server { request in
            guard request.path == "/wait" else { return .text(.ok, "at once") }
            let later = LaterAnswer()
            waiting.withLock { $0.append(later) }
            return .later(later)
        }
        let wires = try (0..<200).map { _ in
            let wire = try Wire(port: Int(server.port))
            wire.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
            return wire
        }
        while waiting.withLock({ $0.count }) < 200 {
            #expect(try Visitor(port: Int(server.port)).get("/").text == "at once")
        }
        for later in waiting.withLock({ $0 }) { later.fulfil(.text(.ok, "there")) }
        for wire in wires { #expect(wire.receive(until: "there").contains("there")) }
    }

    @Test func anAnswerIsForOneRequest() throws {
        let later = LaterAnswer()
        let arrived = DispatchSemaphore(value: 0)
        // With one worker, the first request is suspended before the second is read.
        let server = try server({ $0.threads = 1 }) { _ in
            arrived.signal()
            return .later(later)
        }
        let first = try Wire(port: Int(server.port))
        first.send(get)
        arrived.wait()
        #expect(try Visitor(port: Int(server.port)).get("/").status == 500)
        later.fulfil(.text(.ok, "mine"))
        #expect(first.receive(until: "mine").contains("200 OK"))
    }

    @Test func aServerThatStopsAnswersWhoeverWaits() throws {
        let arrived = DispatchSemaphore(value: 0)
        let server = try server { _ in
            arrived.signal()
            return .later(LaterAnswer())
        }
        let wire = try Wire(port: Int(server.port))
        wire.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        arrived.wait()
        server.stop(withinSeconds: 5)
        #expect(wire.receive(until: "stopping").contains("503"))
    }
}

@Suite struct Events {
    @Test func eventsArriveAsTheyAreSentUntilTheEnd() throws {
        let stream = EventStream()
        let server = try server { _ in .events(stream) }
        let wire = try Wire(port: Int(server.port))
        wire.send(get)
        #expect(wire.receive(until: "\r\n\r\n").lowercased().contains("content-type: text/event-stream"))
        for number in 0..<20 {
            stream.send(event: "sta\ntus", data: "line \(number)\nand more")
            #expect(
                wire.receive(until: "and more\n\n").contains(
                    "event: status\ndata: line \(number)\ndata: and more\n\n"
                )
            )
        }
        stream.end()
        #expect(wire.receive(until: "0\r\n\r\n").contains("0\r\n\r\n"))
    }

    @Test func aStreamIsForOneRequestAndOnlyLineBreaksBreakLines() throws {
        let stream = EventStream()
        let server = try server { _ in .events(stream) }
        let wire = try Wire(port: Int(server.port))
        wire.send(get)
        _ = wire.receive(until: "\r\n\r\n")
        #expect(try Visitor(port: Int(server.port)).get("/").status == 500)
        stream.send(event: "x", data: "a\u{2028}b\r\nc\rd")
        #expect(wire.receive(until: "d\n\n").contains("data: a\u{2028}b\ndata: c\ndata: d\n\n"))
    }

    @Test func aReaderWhoLeftIsNoticed() throws {
        let stream = EventStream()
        let server = try server { _ in .events(stream) }
        do {
            let wire = try Wire(port: Int(server.port))
            wire.send(get)
            _ = wire.receive(until: "\r\n\r\n")
        }
        for _ in 0..<1_000_000 where !stream.isClosed { server.noticeDepartures() }
        #expect(stream.isClosed)
    }

    @Test func aReaderWhoFallsBehindIsLetGo() throws {
        let stream = EventStream(capacity: 1_000)
        let server = try server { _ in .events(stream) }
        for _ in 0..<100 { stream.send(event: "x", data: String(repeating: "y", count: 100)) }
        let reply = try Visitor(port: Int(server.port)).get("/")
        #expect(reply.body.count < 3_000)
        #expect(stream.isClosed)
    }

    @Test func aReaderOfAStreamThatEndedHasOnlySoLong() throws {
        let clock = FixedClock(at: 1_000)
        let stream = EventStream(capacity: 8 << 20)
        let server = try server({ $0.clock = { clock.now } }) { _ in .events(stream) }
        let wire = try Wire(port: Int(server.port))
        wire.send(get)
        _ = wire.receive(until: "\r\n\r\n")
        clock.advance(by: 10_000)
        server.closeExpired()
        #expect(!stream.isClosed)
        // More bytes than the sockets hold, so that the end cannot be written without a reader.
        stream.send(event: "x", data: String(repeating: "y", count: 7 << 20))
        stream.end()
        clock.advance(by: 10_000)
        for _ in 0..<1_000_000 where !stream.isClosed { server.closeExpired() }
        #expect(stream.isClosed)
    }

    @Test func whoLeavesWhileWaitingIsNoticed() throws {
        let arrived = DispatchSemaphore(value: 0)
        let server = try server { _ in
            arrived.signal()
            return .later(LaterAnswer())
        }
        do {
            let wire = try Wire(port: Int(server.port))
            wire.send(get)
            arrived.wait()
        }
        for _ in 0..<1_000_000 where server.openConnections > 0 { server.noticeDepartures() }
        #expect(server.openConnections == 0)
    }

    @Test func aServerWithOpenStreamsStops() throws {
        let server = try server { _ in .events(EventStream()) }
        let wires = try (0..<10).map { _ in
            let wire = try Wire(port: Int(server.port))
            wire.send(get)
            _ = wire.receive(until: "\r\n\r\n")
            return wire
        }
        server.stop(withinSeconds: 5)
        for wire in wires { _ = wire.receive(until: "0\r\n\r\n") }
    }

    @Test func anAddressHasOnlySoMany() throws {
        let server = try server({ $0.eventStreamsPerAddress = 2 }) { _ in .events(EventStream()) }
        var wires: [Wire] = []
        for number in 0..<3 {
            let wire = try Wire(port: Int(server.port))
            wire.send(get)
            #expect(wire.receive(until: "\r\n\r\n").contains(number < 2 ? "200 OK" : "503"))
            wires.append(wire)
        }
    }
}
