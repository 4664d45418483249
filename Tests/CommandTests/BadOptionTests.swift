// Mistakes on the command line: one line, exit 64, and a disk that is as it was.
import Foundation
import Testing

/// A command that cannot be obeyed, and a word that its line must hold.
struct Mistake: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    var environment: [String: String] = [:]
    let word: String

    init(_ arguments: String, _ word: String, _ environment: [String: String] = [:]) {
        self.arguments = arguments.split(separator: " ").map { $0 == "''" ? "" : String($0) }
        self.environment = environment
        self.word = word
    }

    var testDescription: String {
        (environment.map { "\($0)=\($1)" } + arguments).joined(separator: " ")
    }
}

/// Options that `serve` and `cloud` refuse alike.
private let ofServices = [
    ("--port 99999", "99999"), ("--port -1", "port"), ("--port many", "many"), ("--port", "port"),
    ("--host nonsense", "in numbers"), ("--host 127.0.0.1:80", "in numbers"), ("--host ''", "in numbers"),
    ("--host localhost.example", "in numbers"), ("--host 1.2.3", "in numbers"), ("--data ''", "--data"),
    ("--trusted-proxy home", "'home'"), ("--trusted-proxy 10.0.0.0/33", "10.0.0.0/33"),
    ("--trusted-proxy 127.0.0.1,home", "'home'"), ("--trusted-proxy ''", "network"),
    ("--metrics nonsense", "nonsense"), ("--metrics nonsense:9464", "nonsense:9464"),
    ("--metrics 99999", "99999"), ("--metrics localhost", "localhost"), ("--metrics ''", "listen"),
    ("--public-url nonsense", "nonsense"), ("--public-url ftp://a.example", "ftp"),
    ("--public-url https://", "https"), ("--public-url https://a.example/a%20b", "a%20b"),
    ("--public-url https://a.example/a/../b", "'https://a.example/a/../b'"),
    ("--public-url https://a.example/budget?x", "budget?x"),
    ("--public-url https://a.example/budget#x", "budget#x"),
    ("--public-url https://a.example?x", "example?x"),
    ("--public-url https://a.example/cloud/", "/cloud"),
    ("--public-url https://anna@a.example", "anna"), ("--public-url https://a.example:99999", "99999"),
    ("--hosts a/b", "a/b"), ("--hosts a,,b", "host"), ("--hosts ,", "host"),
    ("--connections 5", "connections"), ("--connections -5", "connections"),
    ("--connections 9223372036854775807", "connections"),
    ("--connections 99999999999999999999", "connections"),
    ("--connections-per-address 0", "connections-per-address"),
    ("--sign-up maybe", "maybe"), ("--premium nobody", "nobody"), ("--identity google", "google"),
    ("--identity oidc", "--oidc-issuer"),
    ("--identity both --oidc-issuer https://a.example", "--oidc-client-id"),
    ("--identity oidc --oidc-client-id breadly", "--oidc-issuer"),
    ("--identity oidc --oidc-issuer a.example --oidc-client-id breadly", "a.example"),
    ("--identity oidc --oidc-issuer http://a.example --oidc-client-id breadly", "a.example"),
    ("--identity oidc --oidc-issuer ftp://localhost --oidc-client-id breadly", "localhost"),
    ("--oidc-issuer https://a.example", "--identity"), ("--oidc-client-id breadly", "--identity"),
    ("--oidc-name Somebody", "--identity"), ("--oidc-client-secret hush", "--identity"),
    (
        "--identity oidc --oidc-issuer https://a.example --oidc-client-id b --oidc-client-secret-file /nowhere/it",
        "/nowhere/it"
    ),
    (
        "--identity oidc --oidc-issuer https://a.example --oidc-client-id b --oidc-client-secret-file /dev/null",
        "/dev/null"
    ),
    ("--oidc-client-secret hush --oidc-client-secret-file /dev/null", "both"),
    ("--colour", "--colour"), ("extra", "extra"),
].flatMap { options, word in [Mistake("serve " + options, word), Mistake("cloud " + options, word)] }

private let ofServe = [
    Mistake("serve --cloud nonsense", "nonsense"), Mistake("serve --cloud ftp://a.example", "ftp"),
    Mistake("serve --cloud https://a.example/pa%20th", "pa%20th"), Mistake("serve --cloud ''", "cloud"),
    Mistake("serve --guests maybe", "maybe"), Mistake("serve --max-guests 0", "max-guests"),
    Mistake("serve --max-guests -1", "max-guests"), Mistake("serve --max-guests few", "few"),
    Mistake("serve --max-guests-per-hour 0", "max-guests-per-hour"),
    Mistake("serve --book-bytes 100K", "book-bytes"), Mistake("serve --book-bytes 2000G", "book-bytes"),
    Mistake("serve --book-bytes large", "large"),
    Mistake("serve --attachment-bytes 100", "attachment-bytes"),
    Mistake("serve --attachment-quota 2000G", "attachment-quota"),
    Mistake("cloud --attachment-quota 2000G", "attachment-quota"),
    Mistake("cloud --attachment-bytes 100", "attachment-bytes"),
    Mistake("serve --attachment-cache 2000G", "attachment-cache"),
    Mistake("cloud --attachment-cache 5M", "--attachment-cache"),
    Mistake("serve --writes-per-second -1", "writes-per-second"),
    Mistake("serve --writes-per-second 1000001", "writes-per-second"),
    Mistake("cloud --max-guests 5", "--max-guests"),
    Mistake("serve --truelayer-client-id a", "--truelayer-client-secret-file"),
    Mistake("serve --truelayer-environment live", "--truelayer-client-id"),
    Mistake("serve --truelayer-environment moon", "moon"),
    Mistake("serve --truelayer-client-id a --truelayer-client-secret-file /nowhere/it", "/nowhere/it"),
    Mistake("serve --truelayer-client-id a --truelayer-client-secret-file /dev/null", "/dev/null"),
    Mistake("serve --truelayer-auth-address http://a.example", "http://a.example"),
    Mistake("serve --truelayer-api-address https://a:b@a.example", "--truelayer-api-address"),
    Mistake("serve --simplefin ''", "--simplefin"), Mistake("serve --simplefin a/b", "--simplefin"),
    Mistake("cloud --simplefin on", "--simplefin"),
]

private let ofVariables = [
    Mistake("serve", "BREADLY_PORT", ["BREADLY_PORT": "abc"]),
    Mistake("cloud", "BREADLY_PORT", ["BREADLY_PORT": "65536"]),
    Mistake("serve", "in numbers", ["BREADLY_HOST": "nonsense"]),
    Mistake("serve", "'home'", ["BREADLY_TRUSTED_PROXY": "127.0.0.1,home"]),
    Mistake("serve", "BREADLY_GUESTS", ["BREADLY_GUESTS": "maybe"]),
    Mistake("serve", "BREADLY_BOOK_BYTES", ["BREADLY_BOOK_BYTES": "1T"]),
    Mistake("serve", "max-guests", ["BREADLY_MAX_GUESTS": "0"]),
    Mistake("cloud", "BREADLY_SIGN_UP", ["BREADLY_SIGN_UP": "maybe"]),
    Mistake("cloud", "nonsense", ["BREADLY_METRICS": "nonsense"]),
    Mistake("serve", "no home folder", ["HOME": ""]),
]

private let ofCommands = [
    Mistake("dance", "dance"), Mistake("--colour", "--colour"), Mistake("version now", "now"),
    Mistake("--generate-completion-script powershell", "powershell"),
    Mistake("grant", "email"), Mistake("grant a@x.test", "--until"),
    Mistake("grant a@x.test --until 2027-02-30", "2027-02-30"),
    Mistake("grant a@x.test --until soon", "soon"), Mistake("grant a@x.test --until", "until"),
    Mistake("grant a@x.test --forever --until 2027-12-31", "--forever"),
    Mistake("revoke", "email"), Mistake("revoke a@x.test b@x.test", "b@x.test"),
    Mistake("grants extra", "extra"), Mistake("users --remove a@x.test --lock a@x.test", "not both"),
    Mistake("users --remove", "remove"), Mistake("users --data ''", "--data"),
    Mistake("reset-password", "email"), Mistake("devices --lock nonsense", "nonsense"),
    Mistake("devices --erase nonsense", "nonsense"), Mistake("guests --idle-days 5", "--prune"),
    Mistake("guests --prune --idle-days many", "many"),
    Mistake("guests --prune --idle-days 100001", "idle-days"),
    Mistake("guests --prune --idle-days -1", "idle-days"), Mistake("backup", "file"),
    Mistake("backup copy more", "more"), Mistake("restore", "file"), Mistake("doctor --fast", "--fast"),
    Mistake("doctor --data ''", "--data"), Mistake("template page.mustache", "--data"),
    Mistake("template --data page.json", "file"),
]

@Suite struct AMistake {
    @Test(arguments: ofServices + ofServe + ofVariables + ofCommands)
    func isOneLineAndExit64AndLeavesNothing(mistake: Mistake) throws {
        let home = try Folder()
        let environment = ["HOME": home("home")].merging(mistake.environment) { $1 }
        // In a folder of its own, where a file without a folder would be written.
        let result = try Program(
            mistake.arguments,
            through: ["-C", home.path],
            environment: environment
        ).end()
        #expect(result.status == 64, "\(result)")
        #expect(result.output.isEmpty, "\(result)")
        #expect(result.errors.hasPrefix("breadly: ") && result.errors.hasSuffix("\n"), "\(result)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
        #expect(result.errors.contains(mistake.word), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }

    @Test(arguments: ["serve", "cloud"])
    func localhostIsTheLoopback(command: String) throws {
        let folder = try Folder()
        let program = try Program([
            command, "--port", "0", "--host", "localhost", "--metrics", "localhost:0", "--data",
            folder("data"),
        ])
        let port = try #require(program.metricsPort, "Metrics on http://127.0.0.1:…")
        #expect(port > 0)
        program.kill(SIGTERM)
        #expect(program.end().status == 0)
    }
}
