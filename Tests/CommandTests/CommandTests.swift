// The command line as an operator meets it: what it prints, how it ends, what a kill leaves behind.
import Foundation
import Synchronization
import TestKit
import Testing

@Suite struct Commands {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func serve() throws -> Program {
        try Program(["serve", "--port", "0", "--data", folder("data")])
    }

    private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws
        -> (status: Int32, output: String, errors: String)
    {
        try Program(arguments, environment: environment).end()
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aServerToldToStopEndsWell(signal: Int32) throws {
        let program = try serve()
        let port = try #require(program.port)
        #expect(try Visitor(port: port).get("/healthz").text == "ok")
        program.kill(signal)
        #expect(program.end().status == 0)
    }

    @Test func whatWasAnsweredSurvivesAKill() throws {
        let program = try serve()
        let visitor = Visitor(port: try #require(program.port))
        let account = try visitor.onboard()
        let (port, cookies, csrf, process) = (visitor.port, visitor.cookies, visitor.csrf, program.identifier)
        let answered = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            let other = Visitor(port: port)
            (other.cookies, other.csrf) = (cookies, csrf)
            for number in 0..<200 {
                let payee = "T\(thread)N\(number)"
                // After the kill, requests get no answer.
                guard (try? other.record(payee, on: account)) == 303 else { return }
                let count = answered.withLock { answered in
                    answered.insert(payee)
                    return answered.count
                }
                if count == 120 { _ = kill(process, SIGKILL) }
            }
        }
        _ = program.end()
        let again = try serve()
        visitor.port = try #require(again.port)
        let book = try visitor.get("/export/breadly.json").text
        for payee in answered.withLock({ $0 }) { #expect(book.contains("\"\(payee)\""), "\(payee) is lost") }
        #expect(answered.withLock { $0.count } >= 120)
        #expect(try run(["doctor", "--data", folder("data")]).status == 0)
    }

    @Test func anOutputThatTakesNothingIsToldAndStopsNoServer() throws {
        let full = ["sh", "-c", "exec \"$@\" > /dev/full", "sh"]
        try Data("{{a}}".utf8).write(to: URL(fileURLWithPath: folder("page.mustache")))
        try Data(#"{"a": "b"}"#.utf8).write(to: URL(fileURLWithPath: folder("page.json")))
        let arguments = ["template", folder("page.mustache"), "--data", folder("page.json")]
        let rendered = try Program(arguments, through: full).end()
        let lines = rendered.errors.split(separator: "\n").count
        #expect(rendered.status == 1 && lines == 1, "\(rendered.errors)")

        let program = try Program(["serve", "--port", "0", "--data", folder("data")], through: full)
        #expect(becomesTrue { FileManager.default.fileExists(atPath: folder("data/sessions.sqlite")) })
        program.kill(SIGTERM)
        #expect(program.end().status == 0)
    }

    /// As above, with the log: closed, full, and a reader that is there and does not read.
    @Test(arguments: ["2>&-", "2>/dev/full", "2>&1 >/dev/full"]) func aLogThatTakesNothingStopsNoServer(
        to: String
    )
        throws
    {
        let program = try Program(
            [
                "serve", "--port", "0", "--data", folder("data"), "--access-log", "on", "--metrics",
                "127.0.0.1:0",
            ],
            through: ["sh", "-c", "exec \"$@\" \(to)", "sh"]
        )
        if to.hasSuffix("/dev/full") && to.hasPrefix("2>&1") {
            // Its first lines are lost, so that its port is unknown; its log goes into a pipe without a
            // reader.
            #expect(becomesTrue { FileManager.default.fileExists(atPath: folder("data/sessions.sqlite")) })
        } else {
            let visitor = Visitor(port: try #require(program.port))
            let account = try visitor.onboard()
            // More than a pipe holds.
            for _ in 0..<600 { #expect(try visitor.get("/healthz").text == "ok") }
            #expect(try visitor.record("Bakery", on: account) == 303)
        }
        program.kill(SIGTERM)
        #expect(program.end().status == 0)
        // No file got the number of the closed stream, and with it the log.
        for name in ["lock", "sessions.sqlite", "secret.key"] {
            let content = FileManager.default.contents(atPath: folder("data/" + name)) ?? Data()
            #expect(content.range(of: Data("breadly: [breadly]".utf8)) == nil, "\(name)")
        }
        #expect(try run(["doctor", "--data", folder("data")]).status == 0)
    }

    @Test func aLogThatNobodyReadsHoldsUpNobody() throws {
        let program = try Program([
            "serve", "--port", "0", "--data", folder("data"), "--access-log", "on", "--log-level", "error",
        ])
        let visitor = Visitor(port: try #require(program.port))
        // A pipe holds 64 KB, a line has more than a hundred bytes, and the test reads none of them meanwhile.
        for _ in 0..<1_500 { #expect(try visitor.get("/healthz").text == "ok") }
        program.kill(SIGTERM)
        let ended = program.end()
        #expect(ended.status == 0)
        let lines = ended.errors.split(separator: "\n")
        #expect(lines.allSatisfy { $0.contains("request method=GET route=/healthz status=200 bytes=2 ") })
        #expect(lines.count > 400)
    }

    @Test func theLogBeginsAndEndsWithALine() throws {
        let program = try Program(
            [
                "serve", "--port", "0", "--data", folder("data"), "--sign-up", "closed", "--metrics", "0",
                "--identity", "both", "--oidc-issuer", "http://localhost:1", "--oidc-client-id", "b",
            ],
            environment: ["BREADLY_LOG_FORMAT": "json", "BREADLY_OIDC_CLIENT_SECRET": "never told"]
        )
        let port = try #require(program.port)
        program.kill(SIGTERM)
        let lines = program.end().errors.split(separator: "\n").map(String.init)
        let messages = try lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
            #expect(
                object?["time"]?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil,
                "\(line)"
            )
            #expect(object?["level"] == "info")
            return object?["message"] ?? ""
        }
        let place = "serves the books in \(folder("data")) at http://127.0.0.1:\(port)"
        #expect(messages.count == 2, "\(lines)")
        #expect(messages.first?.contains(place) == true)
        #expect(
            messages.first?.hasSuffix(
                ", with --port=0 --sign-up=closed --identity=both --oidc-issuer=http://localhost:1 "
                    + "--oidc-client-id=b --oidc-name=localhost --rates=off --metrics=127.0.0.1:0 "
                    + "--log-format=json"
            ) == true,
            "\(messages)"
        )
        #expect(messages.last?.hasSuffix("has stopped") == true)
        let quiet = try Program(
            ["cloud", "--port", "0", "--data", folder("cloud")],
            environment: ["BREADLY_LOG_LEVEL": "warning", "BREADLY_ACCESS_LOG": "off"]
        )
        #expect(quiet.port != nil)
        quiet.kill(SIGTERM)
        #expect(quiet.end().errors.isEmpty)
        let wrong = try run(["serve", "--data", folder("o")], ["BREADLY_LOG_LEVEL": "loud"])
        #expect(wrong.status == 64 && wrong.errors.contains("BREADLY_LOG_LEVEL"))
        #expect(wrong.errors.split(separator: "\n").count == 1)
    }

    @Test func whatGoesWrongAtWorkIsOneLineAndExit1() throws {
        let program = try serve()
        let port = try #require(program.port)
        let cases: [([String], Int32, String)] = [
            (["serve", "--port", "\(port)", "--data", folder("other")], 1, "\(port)"),
            (["serve", "--port", "0", "--data", folder("data")], 1, "another server works on"),
            (["serve", "--port", "0", "--data", "/dev/null"], 1, "/dev/null"),
            (["restore", folder("nothing"), "--data", folder("o")], 1, "no such file"),
            (["backup", folder("b"), "--data", folder("nothing")], 1, "there is no such folder"),
            (["doctor", "--data", folder("nothing")], 1, "no such folder"),
        ]
        for (arguments, status, words) in cases {
            let result = try run(arguments)
            #expect(result.status == status, "\(arguments): \(result)")
            #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1, "\(arguments): \(result.errors)")
            #expect(result.output.isEmpty, "\(arguments)")
        }
    }

    @Test func anOptionIsAlsoAVariableAndStandsAboveIt() throws {
        let wrong = try run(["serve", "--data", folder("o")], ["BREADLY_PORT": "many"])
        #expect(wrong.status == 64 && wrong.errors.contains("BREADLY_PORT"))
        let program = try Program(
            ["serve", "--port", "0"],
            environment: ["BREADLY_PORT": "1", "XDG_DATA_HOME": folder("home")]
        )
        #expect(program.port != nil)
        #expect(FileManager.default.fileExists(atPath: folder("home/breadly/sessions.sqlite")))
        let mode =
            try FileManager.default.attributesOfItem(atPath: folder("home/breadly"))[.posixPermissions]
            as? Int
        #expect(mode == 0o700)
    }

    @Test func theVersionIsPrinted() throws {
        let version = try run(["version"])
        #expect(version.output.hasPrefix("breadly ") && version.status == 0)
        let option = try run(["--version"])
        #expect(option.output == version.output && option.errors.isEmpty && option.status == 0)
    }

    @Test func aTemplateIsRenderedForPeopleWhoDesignPages() throws {
        try "Dear {{name}},{{#items}}\n{{>item}}{{/items}}".write(
            toFile: folder("letter.mustache"),
            atomically: true,
            encoding: .utf8
        )
        try "* {{.}}\n".write(toFile: folder("item.mustache"), atomically: true, encoding: .utf8)
        try #"{"name":"A & B","items":["x",2]}"#.write(
            toFile: folder("data.json"),
            atomically: true,
            encoding: .utf8
        )
        let result = try run(["template", folder("letter.mustache"), "--data", folder("data.json")])
        #expect(result.output == "Dear A &amp; B,\n* x\n\n* 2\n", "\(result)")
        try "{{#a}}".write(toFile: folder("open.mustache"), atomically: true, encoding: .utf8)
        let open = try run(["template", folder("open.mustache"), "--data", folder("data.json")])
        #expect(open.status == 1 && open.errors.contains("open.mustache:1:1"), "\(open.errors)")
    }
}
