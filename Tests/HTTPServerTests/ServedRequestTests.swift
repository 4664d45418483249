// The report of each request that was answered.
import HTTPServer
import Synchronization
import TestKit
import Testing

private final class Reports: Sendable {
    private let requests = Mutex<[ServedRequest]>([])

    var all: [ServedRequest] { requests.withLock { $0 } }
    func add(_ request: ServedRequest) { requests.withLock { $0.append(request) } }
}

@Suite struct ServedRequests {
    private struct Number: PathValue {
        let text: String
        init?(pathSegment: Substring) {
            guard Int(pathSegment) != nil else { return nil }
            self.text = String(pathSegment)
        }
    }

    private let reports = Reports()

    private func server(_ change: (inout Configuration) -> Void = { _ in }) throws -> Server {
        let table = Router<String>([
            Route("GET", Path("/things"), "all of them"),
            Route("GET", PathWith<Number>("/things/*")) { (number: Number) in "number \(number.text)"
            },
            Route("POST", PathWith<Number>("/things/*/part")) { (number: Number) in number.text },
            Route("GET", Path("/events"), ""), Route("GET", Path("/later"), ""),
        ])
        var settings = Configuration()
        settings.port = 0
        settings.served = { [reports] in reports.add($0) }
        change(&settings)
        return try Server(settings) { request in
            switch table.match(request) {
            case .found where request.path == "/events":
                let stream = EventStream()
                stream.send(event: "a", data: "b")
                stream.end()
                return .events(stream)
            case .found where request.path == "/later":
                let answer = LaterAnswer()
                answer.fulfil(.text(.unavailable, "later"))
                return .later(answer)
            case .found(let text): return .text(.ok, text)
            case .wrongMethod: return .text(.methodNotAllowed, "no")
            case .notFound: return .text(.notFound, "none")
            }
        }
    }

    @Test func eachIsReportedWithItsRouteAndNeverWithItsTarget() throws {
        let server = try server { $0.trustedProxies = TrustedProxies(["127.0.0.1"]) ?? .none }
        let visitor = Visitor(port: Int(server.port))
        let from = [("X-Forwarded-For", "203.0.113.9")]
        _ = try visitor.send("GET", "/things?q=secret", headers: from, body: [])
        _ = try visitor.send("HEAD", "/things/7", headers: from, body: [])
        _ = try visitor.send("GET", "/things/8", headers: [], body: [])
        _ = try visitor.send("DELETE", "/things/9/part", headers: [], body: [])
        _ = try visitor.send("GET", "/nowhere", headers: [], body: [])
        _ = try visitor.send("GET", "/events", headers: [], body: [])
        _ = try visitor.send("GET", "/later", headers: [], body: [])
        // Refused before there is a request.
        _ = try visitor.exchange(Array("GET /things HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n".utf8))
        #expect(becomesTrue { reports.all.count == 8 })
        let lines = reports.all.map { "\($0.method) \($0.route) \($0.status) \($0.bytes) \($0.isStream)" }
        #expect(
            Set(lines) == [
                "GET /things 200 11 false", "HEAD /things/{id} 200 0 false", "GET /things/{id} 200 8 false",
                "DELETE /things/{id}/part 405 2 false", "GET other 404 4 false", "GET /events 200 0 true",
                "GET /later 503 5 false", "GET other 400 12 false",
            ],
            "\(lines)"
        )
        #expect(reports.all.filter { $0.address == "203.0.113.9" }.count == 2)
        #expect(reports.all.filter { $0.address == "127.0.0.1" }.count == 6)
        #expect(reports.all.allSatisfy { $0.seconds >= 0 && $0.seconds < 200 })
    }

    /// The time is the server's own: neither a form that trickles in nor a wait between two requests counts.
    @Test func theTimeBeginsWithTheWholeRequest() throws {
        let server = try server()
        let wire = try Wire(port: Int(server.port), patience: 240)
        wire.send("POST /things/1/part HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n")
        wire.send("Content-Type: application/x-www-form-urlencoded\r\n\r\na")
        let begun = ContinuousClock.now
        // Another one is answered meanwhile, and some time goes by.
        while ContinuousClock.now - begun < .milliseconds(300) {
            _ = try Visitor(port: Int(server.port)).send("GET", "/things", headers: [], body: [])
        }
        let waited = (ContinuousClock.now - begun) / .seconds(1)
        let sent = ContinuousClock.now
        wire.send("=1")
        _ = wire.receive(until: "200")
        #expect(becomesTrue { reports.all.contains { $0.method == "POST" } })
        let took = (ContinuousClock.now - sent) / .seconds(1)
        let report = try #require(reports.all.first { $0.method == "POST" })
        #expect(report.seconds <= took && report.seconds < waited + took)
    }
}
