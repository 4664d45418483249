// Exchange rates of a cloud: requests over a real connection, bad answers, and the way to a user's book.
import Book
import Cloud
import CloudProtocol
import Devices
import Foundation
import Ledger
import Outbound
import RateFeeds
import Synchronization
import TestKit
import Testing

@testable import BreadlyApp

/// A file of the bank.
private func document(_ day: String, _ rates: [(String, String)]) -> String {
    let lines = rates.map { "<Cube currency='\($0.0)' rate='\($0.1)'/>" }
    return """
        <?xml version="1.0" encoding="UTF-8"?>
        <g:Envelope xmlns:g="http://www.gesmes.org/xml/2002-08-01" \
        xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
        <g:subject>Reference rates</g:subject><Cube><Cube time='\(day)'>
        \(lines.joined(separator: "\n"))
        </Cube></Cube></g:Envelope>
        """
}

/// A response as the bank sends it, byte by byte.
private struct Answer: Sendable {
    var text: String
    /// Whether the connection stays open after the text.
    var staysOpen = false

    init(_ text: String, staysOpen: Bool = false) { (self.text, self.staysOpen) = (text, staysOpen) }

    /// A complete response.
    static func complete(_ status: String, _ body: String, _ fields: [String] = []) -> Answer {
        let head =
            ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.utf8.count)", "Connection: close"]
        return Answer(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}

/// A server that gives its answers in turn, one for each connection.
private final class Bank: Sendable {
    let address: String
    private let heads = Heads()
    private let server: LoopbackServer

    init(_ answers: [Answer]) throws {
        server = try LoopbackServer()
        address = server.url("/daily.xml")
        _ = server.run { [heads] server in
            for answer in answers {
                let connection = try server.accept()
                let lines = try connection.requestLines()
                heads.all.withLock { $0.append(lines) }
                connection.send(answer.text)
                if answer.staysOpen { _ = connection.closes() }
                connection.close()
            }
        }
    }

    /// The lines of each request.
    var requests: [[String]] { heads.all.withLock { $0 } }

    private final class Heads: Sendable {
        let all = Mutex<[[String]]>([])
    }
}

/// A cloud's file with the rates of 30 October, and a clock.
private final class Store: Sendable {
    let folder: String
    let clock = FixedClock(at: Running.noon)
    let log = Lines()
    let pauses = Mutex(0)
    let directory: Directory

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        directory = try Directory.open(
            folder,
            Running.dependencies(clock),
            acceptsNewAccounts: true
        )
        _ = try directory.store(try Resources(folder: repository).bundledRates(), from: .bundled)
    }

    deinit {
        directory.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Dependencies with short pauses, which are counted.
    var dependencies: Dependencies {
        let (clock, log) = (clock, log)
        return Dependencies(
            milliseconds: { clock.now * 1_000 },
            random: Randomness(),
            log: .init { level, line in log.add(line, level) },
            zoneOffset: { _, _ in 0 },
            pause: { [weak self] _ in
                self?.pauses.withLock { $0 += 1 }
                try? await Task.sleep(for: .milliseconds(20))
            }
        )
    }

    func feed(_ address: String, stallSeconds: Double = 600, totalSeconds: Double = 600) throws
        -> any RateFeed
    {
        EuropeanCentralBankFeed(
            address,
            http: HTTPClient(
                stallSeconds: stallSeconds,
                totalSeconds: totalSeconds,
                responseBytes: EuropeanCentralBankFeed.mostBytes
            ),
            currencies: try Resources(folder: repository).currencies()
        )
    }
}

/// An answer that is no usable file of rates.
private struct BadAnswer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let answer: Answer
    let outcome: String
    var stallSeconds = 600.0
    var totalSeconds = 600.0

    init(_ name: String, _ answer: Answer, _ outcome: String) {
        (testDescription, self.answer, self.outcome) = (name, answer, outcome)
    }

    /// A file that is a complete response with the status 200.
    private static func file(_ name: String, _ body: String, _ type: String = "text/xml") -> BadAnswer {
        BadAnswer(name, .complete("200 OK", body, ["Content-Type: \(type)"]), "bad_file")
    }

    private static let good = document("2026-11-20", [("USD", "1.1"), ("JPY", "175")])

    static let all: [BadAnswer] = {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
        var stalled = BadAnswer("stalls", Answer(head + "<", staysOpen: true), "unreachable")
        stalled.stallSeconds = 0.3
        var silent = BadAnswer("never answers", Answer("", staysOpen: true), "unreachable")
        silent.totalSeconds = 0.5
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <x>&b;</x>
            """
        return [
            stalled, silent,
            BadAnswer("closes early", Answer(head + "<?xml"), "unreachable"),
            BadAnswer("no HTTP", Answer("rates\r\n\r\n"), "unreachable"),
            BadAnswer(
                "5 MB",
                .complete("200 OK", good + String(repeating: " ", count: 5 << 20)),
                "unreachable"
            ),
            BadAnswer(
                "broken gzip",
                .complete("200 OK", good, ["Content-Encoding: gzip"]),
                "unreachable"
            ),
            file("truncated", String(good.dropLast(40))),
            file("empty", ""),
            file("UTF-16", good.reduce(into: "") { $0 += "\0\($1)" }),
            file("a page", "<!DOCTYPE html><html><body>Sign in to the network</body></html>", "text/html"),
            file("JSON", "{\"rates\":{\"USD\":1.1}}", "application/json"),
            file("entities", bomb),
            file("zero", document("2026-11-20", [("USD", "0")])),
            file("negative", document("2026-11-20", [("USD", "-1.1")])),
            file("no number", document("2026-11-20", [("USD", "NaN")])),
            file("exponent", document("2026-11-20", [("USD", "1e400")])),
            file("too many digits", document("2026-11-20", [("USD", String(repeating: "9", count: 30))])),
            file("twice", document("2026-11-20", [("USD", "1.1"), ("USD", "1.2")])),
            file("no rates", document("2026-11-20", [])),
            file("the future", document("2026-11-22", [("USD", "1.1")])),
            file("no day", document("2026-11-31", [("USD", "1.1")])),
            BadAnswer("redirect", .complete("302 Found", good, ["Location: http://127.0.0.1:1/"]), "refused"),
            BadAnswer("moved", .complete("301 Moved", good, ["Location: https://x.test/"]), "refused"),
            BadAnswer("unchanged, unasked", Answer("HTTP/1.1 304 Not Modified\r\n\r\n"), "refused"),
            BadAnswer("not found", .complete("404 Not Found", good), "refused"),
            BadAnswer("too many", .complete("429 Too Many Requests", "", ["Retry-After: 7200"]), "refused"),
            BadAnswer("broken", .complete("500 Internal Server Error", good), "refused"),
        ]
    }()
}

@Suite struct RequestsForRates {
    @Test(arguments: BadAnswer.all)
    fileprivate func aBadAnswerLeavesTheRatesAsTheyAre(bad: BadAnswer) async throws {
        let store = try Store()
        let before = try store.directory.newestRates()
        let bank = try Bank([bad.answer, .complete("200 OK", document("2026-11-20", [("USD", "1.1")]))])
        let feed = try store.feed(
            bank.address,
            stallSeconds: bad.stallSeconds,
            totalSeconds: bad.totalSeconds
        )
        let request = RateRequest(
            directory: store.directory,
            feed: feed,
            dependencies: store.dependencies
        )
        #expect(try store.directory.beginRateRequest(every: 3_600) == nil)
        let outcome = try #require(try await request.send())
        #expect(outcome.name == bad.outcome, "\(outcome)")
        #expect(try store.directory.newestRates() == before)
        #expect(try store.directory.implausibleRates().isEmpty)
        let record = try #require(try store.directory.rateFeed())
        #expect(record.failures == 1 && record.succeededAt == nil && record.address == nil)
        #expect(record.notBefore == (bad.testDescription == "too many" ? store.clock.now + 7_200 : nil))
        // The next one is read. The client has no limit any more that a busy machine exceeds.
        let next = RateRequest(
            directory: store.directory,
            feed: try store.feed(bank.address),
            dependencies: store.dependencies
        )
        #expect(try await next.send()?.name == "stored")
        #expect(try store.directory.newestRates()?.rates.day == CivilDate(iso: "2026-11-20"))
    }

    @Test func theDoctorWarnsOfRatesThatStayOldAlthoughTheyAreRequested() throws {
        let store = try Store()
        _ = try store.directory.beginRateRequest(every: 3_600)
        store.directory.close()
        let finding = try Doctor(store.folder, dependencies: store.dependencies).findings
            .first { $0.path == "cloud.sqlite" }
        #expect(finding?.weight == .warning)
        #expect(
            finding?.what == "the exchange rates are of 2026-10-30, and requests for newer ones find none"
        )
    }

    @Test func aTypeThatLiesDoesNotMatter() async throws {
        let store = try Store()
        let body = document("2026-11-20", [("USD", "1.1")])
        let bank = try Bank([.complete("200 OK", body, ["Content-Type: image/png"])])
        let feed = try store.feed(bank.address)
        let request = RateRequest(
            directory: store.directory,
            feed: feed,
            dependencies: store.dependencies
        )
        _ = try store.directory.beginRateRequest(every: 3_600)
        #expect(try await request.send()?.name == "stored")
    }

    @Test func aServerAsksOnceADayAndSaysOnlyWhatChanged() async throws {
        let store = try Store()
        let friday = document("2026-11-20", [("USD", "1.1"), ("JPY", "175")])
        let monday = document("2026-11-23", [("USD", "110"), ("JPY", "176")])
        let bank = try Bank([
            .complete("500 Broken", ""), .complete("404 Not Found", ""),
            .complete("200 OK", friday, ["ETag: \"a\"", "Last-Modified: Fri, 20 Nov 2026 15:00:00 GMT"]),
            Answer("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nConnection: close\r\n\r\n"),
            .complete("200 OK", monday),
        ])
        let metrics = Metrics()
        RateUpdates.begin(metrics)
        let feed = try store.feed(bank.address)
        func updates() -> Task<Void, Never> {
            let updates = RateUpdates(store.directory, feed, store.dependencies, metrics)
            return Background.run { await updates.run() }
        }
        /// Waits until the loop has checked the clock some more times.
        func rounds(_ what: String, _ isSo: () throws -> Bool) throws {
            try until(what) { try isSo() }
            let seen = store.pauses.withLock { $0 }
            try until("the loop runs") { store.pauses.withLock { $0 } > seen + 5 }
        }
        var task = updates()
        try rounds("the first failure") { try store.directory.rateFeed()?.failures == 1 }
        #expect(bank.requests.count == 1)
        store.clock.advance(by: 3_600)
        try rounds("the second failure") { try store.directory.rateFeed()?.failures == 2 }
        store.clock.advance(by: 3_600)
        try rounds("nothing") { true }
        #expect(bank.requests.count == 2)
        store.clock.advance(by: 3_600)
        try rounds("the rates of Friday") { try store.directory.rateFeed()?.failures == 0 }
        #expect(try store.directory.newestRates()?.rates.day == CivilDate(iso: "2026-11-20"))
        #expect(try store.directory.newestRates()?.origin == .feed)
        #expect(store.log.all(.warning).count == 2, "the first failure, and missing rates")
        let address = bank.address
        #expect(
            store.log.all(.warning).first?.hasPrefix("rates: \(address): the answer has the status 500")
                == true
        )
        #expect(
            store.log.all(.info) == [
                "rates: those of 2026-11-20 are stored", "rates: \(address) answers again",
            ]
        )
        // The weekend is quiet. It is Saturday, 15:00.
        store.clock.advance(by: 86_400)
        try rounds("nothing") { true }
        #expect(bank.requests.count == 3)
        // Monday, 16:00: not there yet.
        store.clock.advance(by: 90_000)
        try rounds("the file of Friday") { bank.requests.count == 4 }
        #expect(bank.requests[3].contains("If-None-Match: \"a\""))
        #expect(bank.requests[3].contains("If-Modified-Since: Fri, 20 Nov 2026 15:00:00 GMT"))
        // A restart sends nothing within the hour.
        task.cancel()
        await task.value
        task = updates()
        try rounds("nothing") { true }
        #expect(bank.requests.count == 4)
        store.clock.advance(by: 3_600)
        try rounds("the rates of Monday") {
            try store.directory.newestRates()?.rates.day == CivilDate(iso: "2026-11-23")
        }
        #expect(
            store.log.all(.warning).last
                == "rates: USD of 2026-11-23 is left out, because it cannot be right: 110, after 1.1 on the day before"
        )
        task.cancel()
        await task.value
        var text = MetricsText(helps: [:])
        metrics.write(into: &text)
        for line in [
            #"breadly_rates_requests_total{outcome="refused"} 2"#,
            #"breadly_rates_requests_total{outcome="stored"} 2"#,
            #"breadly_rates_requests_total{outcome="unchanged"} 1"#,
            #"breadly_rates_requests_total{outcome="bad_file"} 0"#,
            "breadly_rates_implausible_total 1",
        ] { #expect(text.text.contains(line + "\n"), "\(line)") }
    }

    /// The rates in the only book of a server.
    private func held(_ folder: String) throws -> ExchangeRates? {
        let paths = FileManager.default.subpaths(atPath: folder + "/devices") ?? []
        let path = try #require(paths.first { $0.hasSuffix(".sqlite") })
        let book = try Book.open(at: "\(folder)/devices/\(path)") { 0 }
        defer { book.close() }
        return try book.rates()
    }

    private func signUp(_ server: Running) throws {
        let anna = try server.guest()
        _ = try anna.get("/sign-in")
        let fields = Visitor.anna
        try #require(try anna.post("/sign-up", fields).status == 303)
    }

    @Test func aNewServerHasTheRatesThatCameWithIt() throws {
        let server = try Running()
        try server.restart {
            $0.premiumForEveryone = true
            $0.metrics = MetricsPlace("0")
        }
        try signUp(server)
        let bundled = try Resources(folder: repository).bundledRates()
        try until("they are in the book") { try held(server.folder) == bundled.first }
        let address = try #require(server.app.metricsURL)
        let port = try #require(address.split(separator: ":").last?.split(separator: "/").first)
        let metrics = try Visitor(port: try #require(Int(port))).get("/metrics").text
        let day = try #require(CivilDate(iso: "2026-10-30"))
        let age = Running.noon - Int64(day.dayNumber) * 86_400
        #expect(metrics.contains("\nbreadly_rates_age_seconds \(age)\n"))
        #expect(metrics.contains(#"breadly_cloud_requests_total{call="rates",result="ok"} 1"#))
        // Without an address, no request is sent.
        #expect(metrics.contains("\nbreadly_rates_implausible_total 0\n"))
        for name in RateOutcome.names {
            #expect(metrics.contains("\nbreadly_rates_requests_total{outcome=\"\(name)\"} 0\n"))
        }
    }

    @Test func aServerGetsThemFromACloudElsewhere() throws {
        let server = try Running()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cloud = try server.cloud(in: folder, premiumForEveryone: true)
        defer { cloud.stop() }
        try server.restart { $0.cloudAddress = cloud.url }
        try signUp(server)
        let bundled = try Resources(folder: repository).bundledRates()
        try until("they are in the book") { try held(server.folder) == bundled.first }
    }
}

@Suite struct AddressesOfRates {
    @Test(arguments: [
        "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml", "http://127.0.0.1:8080/x?y=1",
        "https://[::1]/rates.zip",
    ])
    func anAddressIsRead(text: String) throws { #expect(try RateAddress(text).text == text) }

    @Test(arguments: [
        "", "ecb", "ftp://x.test/", "https://", "https:///x", "file:///etc/passwd", "https://a b.test/",
        "https://anna:secret@x.test/", "https://x.test/#day", "https://x.test:99999/", "https://x.test/\n",
        "https://ü.test/", "http://mirror.example/rates.xml", "http://127.0.0.1.example/",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(throws: AppError.self) { try RateAddress(text) }
    }
}
