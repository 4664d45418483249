// Text that leaves the server for a log, a terminal, a spreadsheet or a remote client.
import BreadlyApp
import Devices
import Foundation
import SyncCore
import TestKit
import Testing

@Suite struct Output {
    @Test(arguments: [
        ("plain ü 🥖", "plain ü 🥖"), ("two\nlines", #"two\u{a}lines"#), ("red \u{1B}[31m", #"red \u{1b}[31m"#),
        ("a\u{2028}b\u{85}c", #"a\u{2028}b\u{85}c"#), ("\u{202E}gnp.exe", #"\u{202e}gnp.exe"#), ("", ""),
    ])
    func aLineOfTheLogOrTheTerminalIsOneLineAndCommandsNothing(text: String, printed: String) {
        #expect(printable(text) == printed)
    }

    @Test func everyLineOfTheLogIsEscaped() {
        let lines = Lines()
        Dependencies.system(log: Log { lines.add($1, $0) }).log("from \u{1B}]0;owned\u{7}\nsecond")
        #expect(lines.all == [#"from \u{1b}]0;owned\u{7}\u{a}second"#])
    }

    /// A combining mark makes another character of a sign, and the same formula.
    @Test(arguments: ["=1+2", "+1", "-1", "@a", "=\u{301}1", "＝1", "＋1", "－1", "＠a", "\t=1"])
    func aCellThatASpreadsheetWouldCalculateIsText(payee: String) throws {
        let running = try Running()
        let guest = try running.guest()
        let account = try #require(try guest.accounts()["Cash"])
        #expect(try guest.record([("payee", "x"), ("note", payee)], account: account).status == 303)
        let csv = try guest.get("/export/transactions.csv").text
        let note = payee.trimmingCharacters(in: .whitespaces)
        #expect(csv.contains(",'\(note)"), "\(csv)")
    }

    /// A reader of the file takes a quote that a combining mark follows for a quote.
    @Test func aCellCannotBeEndedFromWithin() throws {
        let running = try Running()
        let guest = try running.guest()
        let account = try #require(try guest.accounts()["Cash"])
        #expect(try guest.record([("note", "a,\"\u{301},=1+1,x")], account: account).status == 303)
        let csv = try guest.get("/export/transactions.csv").body
        let cell = Array("\"a,\"\"\u{301},=1+1,x\"".utf8)
        #expect(csv.firstRange(of: cell) != nil)
    }

    @Test func aRemoteClientReadsLittleOfTheServersHealth() throws {
        let running = try Running(proxies: ["127.0.0.1/32"])
        let guest = try running.guest()
        running.app.stop()
        let books = FileManager.default.enumerator(atPath: running.folder + "/devices")
        let book = try #require(books?.compactMap { $0 as? String }.first { $0.hasSuffix(".sqlite") })
        let path = running.folder + "/devices/" + book
        for suffix in ["-wal", "-shm", ""] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try running.restart()
        guest.port = Int(running.app.port)
        _ = try guest.get("/")
        #expect(try guest.get("/readyz").text.contains("1 book is damaged"))
        let remote = try guest.get("/readyz", headers: [("X-Forwarded-For", "203.0.113.9")])
        #expect(remote.status == 200 && remote.text == "ok")
    }

    @Test func onlyTheServersOwnNameIsAnswered() throws {
        let running = try Running()
        let address = try PublicAddress("https://budget.example.org")
        try running.restart { $0.publicAddress = address }
        let visitor = running.visitor()
        let reply = try visitor.get("/onboarding/welcome")
        #expect(reply.status == 421 && reply.text.contains("not set up for the address"))
        #expect(try visitor.get("/healthz").text == "ok")
        let named =
            "GET /onboarding/welcome HTTP/1.1\r\nHost: budget.example.org\r\nConnection: close\r\n\r\n"
        #expect(try visitor.exchange(Array(named.utf8)).status == 200)
    }

    @Test func noOtherSiteLoadsAnythingOfOurs() throws {
        let running = try Running()
        let visitor = running.visitor()
        let page = try visitor.get("/onboarding/welcome")
        let style = try #require(page.html.elements.first { $0["rel"] == "stylesheet" }?["href"])
        for path in ["/onboarding/welcome", style, "/nowhere", "/status.json"] {
            let reply = try visitor.get(path)
            #expect(reply.header("cross-origin-resource-policy") == "same-origin", "\(path)")
        }
    }

    /// The lines that fail2ban finds in the log, and that no client can forge.
    @Test func aRefusedSignInIsALineWithItsAddress() throws {
        let running = try Running(proxies: ["127.0.0.1/32"])
        let visitor = running.visitor()
        _ = try visitor.get("/sign-in")
        let from = [("X-Forwarded-For", "203.0.113.9")]
        for _ in 0..<6 {
            _ = try visitor.post(
                "/sign-in",
                [("email", "a@x.test"), ("password", "a wrong one")],
                headers: from
            )
        }
        let lines = running.log.all(.warning).filter { $0.contains("sign-in refused") }
        let wrong = "sign-in refused from 203.0.113.9: wrong e-mail address or password"
        #expect(lines.filter { $0 == wrong }.count == 5)
        #expect(lines.filter { $0 == "sign-in refused from 203.0.113.9: too many wrong attempts" }.count == 1)
        let filter = try String(
            contentsOfFile: repository + "/Resources/fail2ban/breadly.conf",
            encoding: .utf8
        )
        let rules = filter.split(separator: "\n").filter { $0.contains("<HOST>") }.map {
            $0.replacing("failregex = ", with: "").trimmingCharacters(in: .whitespaces)
                .replacing("<HOST>", with: "([0-9a-f.:]+)")
        }
        let expressions = try rules.map { try Regex($0, as: (Substring, Substring).self) }
        func banned(_ line: String) throws -> Substring? {
            for expression in expressions {
                if let found = try expression.firstMatch(in: line) { return found.output.1 }
            }
            return nil
        }
        #expect(expressions.count == 2)
        for format in LogFormat.allCases {
            let line = try #require(CapturedLog(format).line { $0.warning(wrong) })
            #expect(try banned(line) == "203.0.113.9", "\(line)")
            #expect(try banned("Nov 21 12:00:00 home breadly[7]: " + line) == "203.0.113.9", "\(line)")
            // As fail2ban looks at a file's line: without its time.
            let timeless = line.replacing("2026-11-21T12:00:00+0000", with: "")
                .replacing("2026-11-21T12:00:00.000Z", with: "")
            #expect(timeless != line)
            #expect(try banned(timeless) == "203.0.113.9", "\(timeless)")
            let typed = "GET /x sign-in refused from 198.51.100.1: y"
            let quoted =
                #"","message":"sign-in refused from 198.51.100.1: wrong e-mail address or password"}"#
            for text in [typed, wrong + " x", "x " + wrong, quoted, "\n" + wrong] {
                #expect(
                    try banned(try #require(CapturedLog(format).line { $0.warning(text) })) == nil,
                    "\(text)"
                )
            }
        }
    }
}
