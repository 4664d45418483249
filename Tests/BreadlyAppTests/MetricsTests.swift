// Metrics for the operator's Prometheus: the text, and the addresses that serve it.
import CloudProtocol
import Foundation
import SyncCore
import TestKit
import Testing

@testable import BreadlyApp

/// A provider that refuses every sign-in.
private struct Refusing: IdentityProvider {
    let refusal: ProviderRefusal
    let name = "Id"

    func begin(redirect: String, again: Bool) async throws(ProviderRefusal) -> (
        address: String, pending: PendingSignIn
    ) { throw refusal }

    func finish(_ pending: PendingSignIn, _ answer: ProviderAnswer) async throws(ProviderRefusal)
        -> Credentials
    { throw refusal }
}

@Suite struct MetricsOfAProcess {
    @Test func valuesAreWrittenAsPrometheusReadsThem() {
        let metrics = Metrics()
        metrics.add(2, to: "b_total", ["why": "a \"b\"\\\n"])
        metrics.add(to: "b_total", ["why": "a \"b\"\\\n"])
        metrics.add(to: "b_total", ["why": "else"])
        metrics.note(seconds: 0.003, of: "a_seconds")
        metrics.note(seconds: 99, of: "a_seconds")
        var text = MetricsText(helps: ["b_total": "Bs.", "a_seconds": "As."])
        metrics.write(into: &text)
        let lines = text.text.split(separator: "\n").map(String.init)
        #expect(
            lines[0...3] == [
                "# HELP b_total Bs.", "# TYPE b_total counter", #"b_total{why="a \"b\"\\\n"} 3"#,
                #"b_total{why="else"} 1"#,
            ]
        )
        #expect(lines[4...5] == ["# HELP a_seconds As.", "# TYPE a_seconds histogram"])
        #expect(Exposition(text.text).faults.isEmpty)
        #expect(lines.contains(#"a_seconds_bucket{le="0.0025"} 0"#))
        #expect(lines.contains(#"a_seconds_bucket{le="0.005"} 1"#))
        #expect(lines.contains(#"a_seconds_bucket{le="+Inf"} 2"#))
        #expect(lines.suffix(2) == ["a_seconds_sum 99.003", "a_seconds_count 2"])
    }

    @Test func aProvidersAnswerThatIsNotAcceptedIsAFailedSignIn() async {
        let metrics = Metrics()
        let pending = PendingSignIn(state: "", nonce: "", verifier: "", redirect: "", expiresAt: 0)
        let answer = ProviderAnswer(state: nil, code: nil, error: nil, issuer: nil)
        let refusals: [ProviderRefusal] = [
            .denied, .unreachable("no answer"), .expired, .replayed, .rejected("the token is malformed"),
        ]
        for refusal in refusals {
            let provider = MeasuredProvider(provider: Refusing(refusal: refusal), metrics: metrics)
            await #expect(throws: refusal) { try await provider.finish(pending, answer) }
        }
        var text = MetricsText(helps: [:])
        metrics.write(into: &text)
        #expect(text.text.contains("breadly_sign_ins_failed_total{reason=\"provider\"} 3\n"))
    }

    @Test func manyThreadsCountTogether() async {
        let metrics = Metrics()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<500 { metrics.add(to: "n") } } }
        }
        var text = MetricsText(helps: [:])
        metrics.write(into: &text)
        #expect(text.text.contains("n 4000\n"))
    }

    @Test(
        arguments: [
            ("127.0.0.1:9464", "127.0.0.1", 9_464), ("9464", "127.0.0.1", 9_464), ("[::1]:0", "::1", 0),
            ("0.0.0.0:65535", "0.0.0.0", 65_535), ("localhost:9464", "127.0.0.1", 9_464),
        ] as [(String, String, UInt16)]
    )
    func anAddressIsRead(text: String, host: String, port: UInt16) {
        #expect(MetricsPlace(text)?.host == host && MetricsPlace(text)?.port == port)
    }

    @Test(arguments: [
        "", ":", ":9464", "here", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "a:b:c", "1.1.1.1:+5", "[]:5",
        "here:9464", "1.1.1:80",
    ])
    func whatIsNoneIsRefused(text: String) { #expect(MetricsPlace(text) == nil) }
}

/// The numbers of running servers, as an operator's Prometheus reads them.
@Suite struct MetricsOfServers {
    private let running: Running

    init() throws { running = try Running() }

    private func text(_ url: String?) throws -> String {
        let port = try #require(url.flatMap { URL(string: $0)?.port })
        let reply = try Visitor(port: port).get("/metrics")
        try #require(reply.status == 200)
        return reply.text
    }

    private func numbers() throws -> Exposition { Exposition(try text(running.app.metricsURL)) }

    private func start(_ change: (inout Settings) -> Void = { _ in }) throws {
        try running.restart { settings in
            settings.metrics = MetricsPlace("127.0.0.1:0")
            settings.premiumForEveryone = true
            change(&settings)
        }
    }

    /// A guest, a user, a refused sign-in, and an address that is none.
    private func openPage() throws {
        _ = try running.guest()
        let user = try running.guest()
        _ = try user.get("/sign-in")
        let right = Visitor.anna
        try #require(try user.post("/sign-up", right).status == 303)
        let other = running.visitor()
        _ = try other.get("/sign-in")
        let wrong = [("email", "anna@x.test"), ("password", "a wrong one")]
        try #require(try other.post("/sign-in", wrong).status == 422)
        for _ in 0..<2 { try #require(try other.get("/no/such/page").status == 404) }
        try #require(try other.get("/transactions/new", headers: [("X-A", "b")]).status == 303)
    }

    /// The series that each kind of server has.
    private static let common = [
        "breadly_info{version=\"\(breadlyVersion)\"}", "breadly_ready", "breadly_ready_check{check=\"disk\"}",
        "breadly_free_bytes", "breadly_connections", #"breadly_connections_refused_total{reason="address"}"#,
        #"breadly_connections_refused_total{reason="full"}"#,
        #"breadly_sign_ins_failed_total{reason="provider"}"#,
        #"breadly_sign_ins_failed_total{reason="sign_up_closed"}"#,
        #"breadly_cloud_requests_total{call="push",result="ok"}"#, "breadly_sync_conflicts_total",
        #"breadly_sync_operations_total{status="rejected"}"#, "process_start_time_seconds", "process_max_fds",
        "process_open_fds", "process_resident_memory_bytes", "process_cpu_seconds_total",
    ]

    @Test(arguments: [false, true]) func aServerOfBooksTellsWhatHappens(isCloudElsewhere: Bool) throws {
        let cloud =
            isCloudElsewhere ? try running.cloud(in: running.folder + "/elsewhere", metrics: "0") : nil
        defer { cloud?.stop() }
        try start { $0.cloudAddress = cloud?.url }
        #expect(try self.numbers().faults.isEmpty)
        try openPage()
        // A request counts once its answer has been sent.
        #expect(
            try becomesTrue {
                try self.numbers().values[
                    #"breadly_http_requests_total{route="/transactions/new",method="GET",status="303"}"#
                ] == 1
            }
        )
        let numbers = try self.numbers()
        #expect(numbers.faults.isEmpty, "\(numbers.faults)")
        let values = numbers.values
        for series in Self.common { #expect(values[series] != nil, "\(series)") }
        #expect(values["breadly_ready"] == 1 && values[#"breadly_ready_check{check="devices"}"#] == 1)
        #expect(values[#"breadly_ready_check{check="cloud"}"#] == (isCloudElsewhere ? 1 : nil))
        #expect(values[#"breadly_ready_check{check="accounts"}"#] == (isCloudElsewhere ? nil : 1))
        #expect(values[#"breadly_http_requests_total{route="other",method="GET",status="404"}"#] == 2)
        #expect(values[#"breadly_http_requests_total{route="/sign-in",method="POST",status="422"}"#] == 1)
        #expect(values[#"breadly_http_request_seconds_count{route="/sign-up"}"#] == 1)
        #expect(values[#"breadly_sign_ins_failed_total{reason="wrong_credentials"}"#] == 1)
        #expect(values[#"breadly_sign_ins_failed_total{reason="too_many_attempts"}"#] == 0)
        #expect(values[#"breadly_cloud_requests_total{call="sign-in",result="ok"}"#] == 1)
        #expect(values["breadly_damaged_books"] == 0)
        #expect(values[#"breadly_sync_divergences_total{finding="mended"}"#] == 0)
        let now = Date().timeIntervalSince1970
        let begun = try #require(values["process_start_time_seconds"])
        #expect(begun < now && begun > now - 86_400)
        if let cloud {
            let theirs = Exposition(try text(cloud.metricsURL))
            #expect(theirs.faults.isEmpty, "\(theirs.faults)")
            for series in Self.common { #expect(theirs.values[series] != nil, "\(series)") }
            #expect(theirs.values["breadly_users"] == 1 && theirs.values["breadly_ready"] == 1)
            #expect(theirs.values[#"breadly_sign_ins_failed_total{reason="wrong_credentials"}"#] == 1)
            let asked = #"{route="/cloud/v1/sign-in",method="POST",status="200"}"#
            #expect(theirs.values["breadly_http_requests_total" + asked] == 1)
            // The duration of a long poll is not the time of an answer.
            #expect(
                !theirs.values.keys.contains { $0.contains("_seconds") && $0.contains("/cloud/v1/signal") }
            )
        }
    }

    /// The document for operators names all metrics, and nothing else.
    @Test func theDocumentListsEachMetric() throws {
        let cloud = try running.cloud(in: running.folder + "/elsewhere", metrics: "0")
        defer { cloud.stop() }
        let backups = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: backups) }
        try start {
            $0.backups = BackupSchedule(folder: backups, keep: 1)
            $0.banks = BankSettings(simpleFINHosts: ["bank.example"])
        }
        try until("the first backup is made") {
            try text(running.app.metricsURL).contains("breadly_backup_age_seconds")
        }
        let texts = try text(running.app.metricsURL) + text(cloud.metricsURL)
        let found = Set(texts.matches(of: /# TYPE (\S+) (\S+)/).map { "\($0.output.1) \($0.output.2)" })
        let page = try String(
            contentsOfFile: repository + "/Sources/BreadlyApp/BreadlyApp.docc/Operation.md",
            encoding: .utf8
        )
        var listed: Set<String> = []
        for row in page.matches(of: /\| ((?:`(?:breadly|process)_\w+` ?)+)\| (\w+) \|/) {
            for name in row.output.1.matches(of: /\w+/) { listed.insert("\(name.output) \(row.output.2)") }
        }
        #expect(found.subtracting(listed).isEmpty && listed.count > 25)
        // This one begins with its first answer.
        #expect(listed.subtracting(found) == ["breadly_cloud_request_seconds histogram"])
    }

    @Test func guestsAreCountedOnceAMinute() throws {
        try start()
        #expect(try numbers().values["breadly_guests"] == 0)
        _ = try running.guest()
        #expect(try numbers().values["breadly_guests"] == 0, "the device store is not read at each question")
        running.clock.advance(by: 61)
        let values = try numbers().values
        #expect(values["breadly_guests"] == 1 && values["breadly_devices"] == 1)
    }

    @Test func aMethodIsOneOfAFew() throws {
        try start()
        let visitor = running.visitor()
        let asked = "BREW /transactions HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let status = try visitor.exchange(Array(asked.utf8)).status
        #expect(
            try becomesTrue {
                try numbers().values.keys.contains {
                    $0.hasPrefix("breadly_http_requests_total{")
                        && $0.contains(#"method="other",status="\#(status)""#)
                }
            }
        )
    }
}

@Suite struct ReadingAnExposition {
    @Test(arguments: [
        ("a_total 1\n", "no TYPE before"), ("# TYPE a_total counter\na_total 1\n", "no HELP before"),
        ("# HELP a As.\n# TYPE a counter\na 1\n", "end in _total"),
        ("# HELP a As.\n# TYPE a gauge\na 1\na 2\n", "twice"),
        ("# HELP a As.\n# TYPE a gauge\na{b=\"c\"d\"} 1\n", "no labels"),
        ("# HELP a_ms As.\n# TYPE a_ms gauge\na_ms 1\n", "base unit"),
        (
            "# HELP a As.\n# TYPE a gauge\na 1\n# HELP b Bs.\n# TYPE b gauge\nb 1\na{c=\"d\"} 1\n",
            "two pieces"
        ),
        ("# HELP a As.\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n", "no +Inf"),
        ("# HELP a As.\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_count 1\n", "no sum"),
        ("# HELP a As.\n# TYPE a gauge\na 1", "no end"),
    ])
    func aFaultIsFound(text: String, fault: String) {
        #expect(Exposition(text).faults.contains { $0.contains(fault) }, "\(Exposition(text).faults)")
    }
}
