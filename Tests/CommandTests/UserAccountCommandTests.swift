// The operator's commands for user accounts, while the server runs.
import Foundation
import TestKit
import Testing

private let password = "correct horse battery"

@Suite struct UserAccountCommands {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func serve(_ options: [String] = []) throws -> Program {
        try Program(["serve", "--port", "0", "--data", folder("data")] + options)
    }

    private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws
        -> (status: Int32, output: String, errors: String)
    {
        try Program(arguments + ["--data", folder("data")], environment: environment).end()
    }

    private func signUp(_ visitor: Visitor, _ email: String) throws {
        _ = try visitor.onboard()
        _ = try visitor.get("/sign-in")
        try #require(try visitor.post("/sign-up", [("email", email), ("password", password)]).status == 303)
    }

    @Test func premiumIsGrantedAndTakenBackWhileTheServerRuns() throws {
        let program = try serve()
        let anna = Visitor(port: try #require(program.port))
        try signUp(anna, "anna@x.test")
        #expect(try run(["grants"]).output.isEmpty)
        let granted = try run(["grant", "ANNA@x.test", "--until", "2999-12-31"])
        #expect(granted.output == "anna@x.test is premium through 2999-12-31\n", "\(granted.errors)")
        #expect(try becomesTrue { try anna.get("/status.json").text.contains(#""tier":"premium""#) })
        #expect(try anna.get("/").text.contains("Premium activated! Cloud sync is on."))
        #expect(try run(["grants"]).output == "anna@x.test  premium through 2999-12-31\n")
        #expect(try run(["users"]).output.contains("anna@x.test"))
        #expect(try run(["revoke", "anna@x.test"]).status == 0)
        #expect(try becomesTrue { try anna.get("/status.json").text.contains(#""tier":"free""#) })
        let again = try run(["revoke", "anna@x.test"])
        #expect(again.status == 1 && again.errors.contains("no premium to take back"))
    }

    @Test func anAccountIsRemovedWhileTheServerRuns() throws {
        let program = try serve()
        let anna = Visitor(port: try #require(program.port))
        try signUp(anna, "anna@x.test")
        #expect(try run(["users", "--remove", "anna@x.test"]).status == 0)
        #expect(try becomesTrue { try anna.get("/").header("location") == "/onboarding/welcome" })
        #expect(try anna.get("/onboarding/welcome").text.contains("Your account was deleted"))
        #expect(try run(["users"]).output.isEmpty)
    }

    @Test func aDeviceIsLockedAndErasedWhileTheServerRuns() throws {
        let program = try serve()
        let anna = Visitor(port: try #require(program.port))
        try signUp(anna, "anna@x.test")
        let list = try run(["devices"])
        let line = try #require(list.output.split(separator: "\n").first, "\(list.errors)")
        let id = String(try #require(line.split(separator: " ").first))
        #expect(line.contains("anna@x.test") && line.hasSuffix("local"))
        let locked = try run(["devices", "--lock", id])
        #expect(locked.output.contains("going to be locked within a few seconds"), "\(locked.errors)")
        #expect(try becomesTrue { try anna.get("/").header("location") == "/sign-in" })
        #expect(try run(["devices"]).output.contains("locked"))
        #expect(try run(["devices", "--erase", id]).status == 0)
        #expect(try becomesTrue { try anna.get("/").header("location") == "/onboarding/welcome" })
        #expect(try run(["devices"]).output.isEmpty)
    }

    @Test func guestsAreListedAndPrunedWhileTheServerRuns() throws {
        let program = try serve()
        let visitor = Visitor(port: try #require(program.port))
        _ = try visitor.onboard()
        let list = try run(["guests"])
        let id = try #require(list.output.split(separator: " ").first.map(String.init), "\(list.errors)")
        #expect(list.output.contains("KB"))
        #expect(try run(["devices", "--lock", id]).errors.contains("erase it with --erase"))
        #expect(try run(["guests", "--prune"]).output.contains("not seen for 30 days"))
        #expect(try run(["devices", "--erase", id]).status == 0)
        #expect(try becomesTrue { try run(["guests"]).output.isEmpty })
        #expect(try visitor.get("/").header("location") == "/onboarding/welcome")
        program.kill(SIGTERM)
        _ = program.end()
        #expect(try run(["guests", "--prune"]).output.contains("as soon as the server is started"))
    }

    @Test func aForgottenPasswordIsPutRight() throws {
        let program = try serve()
        let anna = Visitor(port: try #require(program.port))
        try signUp(anna, "anna@x.test")
        let reset = try run(["reset-password", "anna@x.test"])
        let made = try #require(reset.output.split(separator: " ").last).trimmingCharacters(in: .newlines)
        #expect(made.count == 20, "\(reset.errors)")
        let other = Visitor(port: anna.port)
        _ = try other.get("/sign-in")
        let old = try other.post("/sign-in", [("email", "anna@x.test"), ("password", password)])
        #expect(old.status == 422)
        let new = try other.post("/sign-in", [("email", "anna@x.test"), ("password", made)])
        #expect(new.status == 303)
    }

    @Test(arguments: [
        (["grant", "nobody@x.test", "--forever"], 1, "cloud.sqlite: there is no such file"),
        (["grant", "anna@x.test"], 64, "Say either --until DATE or --forever."),
        (["grant", "anna@x.test", "--forever", "--until", "2999-01-01"], 64, "Say either"),
        (["grant", "anna@x.test", "--until", "soon"], 64, "'soon' is no day"),
        (["devices", "--lock", "x"], 64, "'x' is no id"),
        (["guests", "--idle-days", "3"], 64, "goes with --prune"),
        (["devices"], 1, "there is no such file"),
        (["guests", "--prune", "--idle-days", "-1"], 64, "--idle-days"),
        (["serve", "--sign-up", "perhaps"], 64, "perhaps"), (["serve", "--guests", "maybe"], 64, "maybe"),
        (["serve", "--premium", "me"], 64, "me"),
        (["serve", "--identity", "oidc"], 64, "--identity oidc needs --oidc-issuer and --oidc-client-id."),
        (["serve", "--oidc-issuer", "https://id.example"], 64, "go with --identity oidc or both"),
        (
            ["serve", "--identity", "oidc", "--oidc-issuer", "http://id.example", "--oidc-client-id", "b"],
            64,
            "is no issuer"
        ),
        (["serve", "--public-url", "ftp://x"], 64, "is no address of a server"),
        (
            ["serve", "--public-url", "https://x/a//b"], 64,
            "The path of 'https://x/a//b' has more in it than"
        ),
        (["serve", "--public-url", "https://x/healthz"], 64, "begins with /healthz"),
        (["serve", "--cloud", "nowhere"], 64, "'nowhere' is no cloud"),
        (["serve", "--hosts", "a b"], 64, "'a b' is no host"),
        (["serve", "--connections", "3"], 64, "between 16 and"),
        (["serve", "--connections-per-address", "0"], 64, "between 1 and"),
        (["serve", "--book-bytes", "5"], 64, "between 1M and"), (["serve", "--book-bytes", "1X"], 64, "1X"),
        (["serve", "--writes-per-second", "-1"], 64, "--writes-per-second"),
        (["cloud", "--sign-up", "perhaps"], 64, "perhaps"),
        (["serve", "--log-level", "loud"], 64, "loud"), (["cloud", "--log-format", "xml"], 64, "xml"),
        (["serve", "--access-log", "yes"], 64, "yes"),
        (["cloud", "--metrics", "here"], 64, "'here' is no address to listen on"),
        (["cloud", "--metrics", "1.2.3.4:99999"], 64, "is no address to listen on"),
        (["cloud", "--port", "0", "--metrics", "nowhere:0"], 64, "'nowhere:0' is no address to listen on"),
    ])
    func whatMakesNoSenseIsOneClearLine(arguments: [String], status: Int32, words: String) throws {
        try FileManager.default.createDirectory(atPath: folder("data"), withIntermediateDirectories: true)
        let ended = try run(arguments)
        #expect(ended.status == status && ended.errors.contains(words), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 1)
    }

    @Test func somebodyWhoIsNotThereIsSaidSo() throws {
        let program = try serve()
        _ = try #require(program.port)
        for (arguments, words) in [
            (["grant", "nobody@x.test", "--forever"], "nobody here is called nobody@x.test"),
            (["revoke", "nobody@x.test"], "nobody here is called"),
            (["users", "--remove", "nobody@x.test"], "nobody here is called"),
            (["reset-password", "nobody@x.test"], "nobody has an account with a password"),
        ] {
            let ended = try run(arguments)
            #expect(ended.status == 1 && ended.errors.contains(words), "\(ended.errors)")
            #expect(ended.errors.split(separator: "\n").count == 1)
        }
    }

    @Test func aServerOfAnEarlierVersionKeepsItsFiles() throws {
        let program = try serve()
        _ = try #require(program.port)
        program.kill(SIGTERM)
        _ = program.end()
        // Of an earlier schema, and a server has the folder.
        for file in ["cloud.sqlite", "sessions.sqlite"] {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder("data/") + file))
            // SQLite's `user_version`.
            try handle.seek(toOffset: 60)
            try handle.write(contentsOf: Data([0, 0, 0, 1]))
            try handle.close()
        }
        let descriptor = open(folder("data/lock"), O_RDWR)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        for command in ["users", "devices"] {
            let ended = try run([command])
            #expect(
                ended.status == 1 && ended.errors.contains("is of an earlier version than this command"),
                "\(ended.errors)"
            )
        }
        #expect(
            !(try FileManager.default.contentsOfDirectory(atPath: folder("data"))).contains {
                $0.contains(".schema-")
            }
        )
        close(descriptor)
        // There is no way from the schemas before the first release.
        for command in ["users", "devices"] {
            let ended = try run([command])
            #expect(
                ended.status == 1 && ended.errors.contains("export it with that version"),
                "\(ended.errors)"
            )
        }
    }

    @Test func aFolderThatIsNotThereIsSaidSo() throws {
        let ended = try run(["users"])
        #expect(ended.status == 1 && ended.errors.contains("there is no such folder"))
        #expect(!FileManager.default.fileExists(atPath: folder("data")))
    }

    @Test func accountsAreInABackup() throws {
        let program = try serve()
        let anna = Visitor(port: try #require(program.port))
        try signUp(anna, "anna@x.test")
        #expect(try run(["backup", folder("copy")]).status == 0)
        #expect(try run(["users", "--remove", "anna@x.test"]).status == 0)
        program.kill(SIGTERM)
        _ = program.end()
        #expect(try run(["restore", folder("copy")]).status == 0)
        #expect(try run(["users"]).output.contains("anna@x.test"))
        #expect(try run(["doctor"]).status == 0)
        let again = try serve()
        anna.port = try #require(again.port)
        #expect(try anna.get("/settings").text.contains("anna@x.test"))
    }

    @Test func aCloudOfItsOwnServesAnotherServer() throws {
        let cloud = try Program([
            "cloud", "--port", "0", "--data", folder("cloud"), "--trusted-proxy", "127.0.0.1/32",
        ])
        let port = try #require(cloud.port)
        let reached = Visitor(port: port)
        for path in ["/healthz", "/readyz"] { #expect(try reached.get(path).text == "ok") }
        #expect(try reached.get("/").status == 404)
        let program = try serve(["--cloud", "http://127.0.0.1:\(port)"])
        let anna = Visitor(port: try #require(program.port))
        try signUp(anna, "anna@x.test")
        let users = try Program(["users", "--data", folder("cloud")]).end()
        #expect(users.output.contains("anna@x.test"))
        #expect(!FileManager.default.fileExists(atPath: folder("data/cloud.sqlite")))
        cloud.kill(SIGTERM)
        #expect(cloud.end().status == 0)
        #expect(try anna.get("/settings/devices").status == 503)
        #expect(try anna.get("/").status == 200, "the book is on this server")
    }

    @Test func anOperatorSeesWhatACloudDoesAndBacksItUpMeanwhile() throws {
        let options = [
            "--port", "0", "--data", folder("cloud"), "--premium", "everyone", "--metrics", "127.0.0.1:0",
        ]
        let cloud = try Program(["cloud"] + options)
        let place = try #require(cloud.metricsPort)
        let program = try serve(["--cloud", "http://127.0.0.1:\(try #require(cloud.port))"])
        let anna = Visitor(port: try #require(program.port))
        try signUp(anna, "anna@x.test")
        let page = try anna.get("/accounts")
        let account = try #require(page.html.elements.first { $0["data-kind"] == "account" }?["data-id"])
        #expect(try anna.record("Bakery", on: account) == 303)
        func synced() throws -> Bool {
            let status = try anna.get("/status.json").text
            return status.contains(#""state":"synced""#) && status.contains(#""pending":0"#)
        }
        #expect(try becomesTrue(synced))

        let prometheus = Visitor(port: place)
        let reply = try prometheus.get("/metrics")
        #expect(reply.header("content-type") == "text/plain; version=0.0.4; charset=utf-8")
        let lines = reply.text.split(separator: "\n")
        func number(_ series: String) -> Double? {
            lines.first { $0.hasPrefix(series + " ") }.flatMap { Double($0.dropFirst(series.count + 1)) }
        }
        #expect(number("breadly_users") == 1 && number("breadly_sessions") == 1)
        #expect(number("breadly_replicas") == 1 && number("breadly_ready") == 1)
        #expect(number(#"breadly_rows{kind="transaction"}"#) == 1)
        #expect(number(#"breadly_cloud_requests_total{call="sign-in",result="ok"}"#) == 1)
        #expect(try #require(number(#"breadly_sync_operations_total{status="applied"}"#)) >= 2)
        #expect(try #require(number(#"breadly_cloud_request_seconds_count{call="push"}"#)) >= 1)
        #expect(try #require(number("process_resident_memory_bytes")) > 1_000_000)
        #expect(lines.contains("# TYPE breadly_cloud_request_seconds histogram"))
        // The buckets add up.
        let buckets = lines.filter { $0.hasPrefix(#"breadly_cloud_request_seconds_bucket{call="push""#) }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(buckets == buckets.sorted() && buckets.count == 14)
        #expect(buckets.last.map(Double.init) == number(#"breadly_cloud_request_seconds_count{call="push"}"#))
        // Each name is declared once, before its values.
        let types = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
        #expect(Set(types).count == types.count)
        #expect(try prometheus.get("/").status == 404 && prometheus.get("/healthz").status == 404)
        #expect(try Visitor(port: try #require(cloud.port)).get("/metrics").status == 404, "only there")

        // A backup of one moment, while it works.
        let backup = try Program(["backup", folder("copy"), "--data", folder("cloud")]).end()
        #expect(backup.status == 0, "\(backup.errors)")
        #expect(try anna.record("Tram", on: account) == 303)
        #expect(try becomesTrue(synced))
        let restored = try Program(["restore", folder("copy"), "--data", folder("other")]).end()
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try Program(["doctor", "--data", folder("other")]).end().status == 0)
        let again = try Program([
            "cloud", "--port", "0", "--data", folder("other"), "--premium", "everyone", "--metrics", "0",
        ])
        let revived = Visitor(port: try #require(again.metricsPort))
        #expect(try revived.get("/metrics").text.contains("breadly_rows{kind=\"transaction\"} 1\n"))
        // A device that has seen more than the backup holds gives it back what it has lost.
        program.kill(SIGTERM)
        _ = program.end()
        let next = try serve(["--cloud", "http://127.0.0.1:\(try #require(again.port))"])
        anna.port = try #require(next.port)
        _ = try anna.get("/")
        #expect(
            try becomesTrue {
                try revived.get("/metrics").text.contains("breadly_rows{kind=\"transaction\"} 2\n")
            }
        )
    }
}
