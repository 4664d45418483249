// The operator's commands for exchange rates, with and without a running server.
import Foundation
import TestKit
import Testing

private let password = "correct horse battery"

private let files =
    URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().path + "/RateFeedsTests/Files/"

@Suite struct RateCommands {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func run(_ arguments: [String], through wrapper: [String] = []) throws
        -> (status: Int32, output: String, errors: String)
    {
        try Program(arguments + ["--data", folder("data")], through: wrapper).end()
    }

    private func serve(_ options: [String] = []) throws -> Program {
        try Program(["serve", "--port", "0", "--data", folder("data")] + options)
    }

    /// Starts a server, and stops it: the folder has a cloud then.
    private func prepare() throws {
        let program = try serve()
        _ = try #require(program.port)
        program.kill(SIGTERM)
        _ = program.end()
    }

    /// The daily file with another rate of the dollar.
    private func daily(dollar: String) throws -> String {
        try String(contentsOfFile: files + "eurofxref-daily.xml", encoding: .utf8)
            .replacing(/currency=['"]USD['"] rate=['"][0-9.]*['"]/, with: "currency='USD' rate='\(dollar)'")
    }

    @Test func theRatesAreShownAndFilesAreImportedWhileTheServerRuns() throws {
        let program = try serve(["--premium", "everyone", "--metrics", "0"])
        let anna = Visitor(port: try #require(program.port))
        let metrics = Visitor(port: try #require(program.metricsPort))
        func requests() throws -> String? {
            try metrics.get("/metrics").text.split(separator: "\n")
                .first { $0.hasPrefix(#"breadly_cloud_requests_total{call="rates",result="ok"}"#) }
                .flatMap { $0.split(separator: " ").last.map(String.init) }
        }
        let shown = try run(["rates"])
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.output.hasPrefix("2026-10-30  "))
        #expect(shown.output.contains(" currencies  European Central Bank  as they came with Breadly\n"))
        #expect(shown.output.contains("1 day is stored, from 2026-10-30 on\nNo rates were requested yet\n"))
        _ = try anna.onboard()
        _ = try anna.get("/sign-in")
        try #require(
            try anna.post("/sign-up", [("email", "anna@x.test"), ("password", password)]).status == 303
        )
        #expect(try becomesTrue { try requests() == "1" })
        // A correction is noticed by the device.
        try daily(dollar: "1.1173").write(toFile: folder("daily.xml"), atomically: true, encoding: .utf8)
        let imported = try run(["rates", "import", folder("daily.xml")])
        #expect(imported.output == "0 days were added, 1 corrected, 0 already there\n", "\(imported.errors)")
        #expect(try becomesTrue { try requests() == "2" })
        #expect(try run(["rates", "show"]).output.contains("  imported\n"))
        let again = try run(["rates", "import", folder("daily.xml")])
        #expect(again.output == "0 days were added, 1 already there\n")
        // Without a request to anywhere, by default as well as here.
        #expect(
            try run(["rates", "refresh", "--rates", "off"]).errors.contains("requests for rates are off")
        )
    }

    @Test func theWholeHistoryIsImportedFromAFileOrAPipe() throws {
        try prepare()
        let piped = try run(
            ["rates", "import", "-"],
            through: ["sh", "-c", "exec \"$0\" \"$@\" <'\(files)eurofxref-hist.zip'"]
        )
        let lines = piped.output.split(separator: "\n")
        #expect(piped.status == 0 && lines.count >= 1, "\(piped.errors)")
        #expect(lines.first?.contains(" days were added") == true)
        #expect(lines.last?.contains("of withdrawn currencies left out: ") == true, "\(piped.output)")
        let again = try run(["rates", "import", files + "eurofxref-hist.xml"])
        #expect(again.output.hasPrefix("0 days were added, "))
        let shown = try run(["rates"]).output
        #expect(shown.hasPrefix("2026-10-30  ") && shown.contains(" days are stored, from "))
    }

    @Test func aRateThatCannotBeRightIsSaid() throws {
        try prepare()
        let later = try daily(dollar: "1117.2").replacing("2026-10-30", with: "2026-10-31")
        try later.write(toFile: folder("daily.xml"), atomically: true, encoding: .utf8)
        let imported = try run(["rates", "import", folder("daily.xml")])
        let words = "USD of 2026-10-31 is left out, because it cannot be right: 1117.2, after 1.1172"
        #expect(imported.output.contains(words), "\(imported.errors)")
        #expect(try run(["rates"]).output.contains("Not used: \(words)"))
    }

    @Test func aBadFileChangesNothing() throws {
        try prepare()
        let before = try run(["rates"]).output
        let good = try daily(dollar: "1.1173")
        let bad: [(String, String)] = [
            (String(good.dropLast(30)), "download it again"), ("", "this is no file of rates"),
            ("<html></html>", "\"html\" is unexpected here"), (try daily(dollar: "0"), "is no rate of USD"),
            (good.replacing("2026-10-30", with: "2999-10-30"), "is in the future"),
        ]
        for (text, words) in bad {
            try text.write(toFile: folder("bad.xml"), atomically: true, encoding: .utf8)
            let ended = try run(["rates", "import", folder("bad.xml")])
            #expect(ended.status == 1 && ended.errors.contains(words), "\(ended.errors)")
            #expect(ended.errors.split(separator: "\n").count == 1 && ended.output.isEmpty)
        }
        for (name, words) in [
            (folder("nothing"), "there is no such file"), (folder("data"), "there is no such file"),
        ] {
            let ended = try run(["rates", "import", name])
            #expect(ended.status == 1 && ended.errors.contains(words), "\(ended.errors)")
        }
        #expect(try run(["rates"]).output == before)
    }

    @Test func ratesAreRequestedByHandAtMostOnceAnHour() throws {
        try prepare()
        let body = try daily(dollar: "1.1173")
        let bank = try LoopbackServer()
        _ = bank.run { bank in
            for status in ["500 Broken", "200 OK"] {
                let connection = try bank.accept()
                _ = try connection.requestLines()
                connection.send(
                    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
                )
                connection.close()
            }
        }
        let refresh = ["rates", "refresh", "--rates", bank.url("/daily.xml")]
        let failed = try run(refresh)
        #expect(failed.status == 1 && failed.errors.contains("the answer has the status 500"))
        #expect(try run(["rates"]).output.contains(" UTC, failed 1 time in a row"))
        // Nothing was ever received, so that it may be repeated.
        let done = try run(refresh)
        #expect(
            done.output
                == "0 days were added, 1 corrected, 0 already there. The newest ones are of 2026-10-30\n",
            "\(done.errors)"
        )
        let again = try run(refresh)
        #expect(again.status == 1 && again.output.isEmpty)
        #expect(
            again.errors.contains("rates were requested within the last hour, and one request an hour is the")
        )
        #expect(again.errors.contains(" minutes."))
        #expect(try run(["rates"]).output.contains(" UTC, successful"))
    }

    @Test func aServerRequestsThemAtItsFirstStart() throws {
        let body = try daily(dollar: "1.1173")
        let bank = try LoopbackServer()
        _ = bank.run { bank in
            let connection = try bank.accept()
            _ = try connection.requestLines()
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
            )
            connection.close()
        }
        let program = try serve(["--rates", bank.url("/daily.xml")])
        _ = try #require(program.port)
        #expect(try becomesTrue { try run(["rates"]).output.contains("  as requested\n") })
        program.kill(SIGTERM)
        #expect(program.end().errors.contains("rates: those of 2026-10-30 are stored"))
    }

    @Test func withoutRequestsTheRatesThatCameWithItHold() throws {
        let bank = try LoopbackServer()
        // The command line outranks the environment, which would send requests.
        let program = try Program(
            ["serve", "--port", "0", "--data", folder("data"), "--premium", "everyone", "--rates", "off"],
            environment: ["BREADLY_RATES": bank.url("/daily.xml")]
        )
        let anna = Visitor(port: try #require(program.port))
        _ = try anna.onboard()
        _ = try anna.get("/sign-in")
        let user = [("email", "anna@x.test"), ("password", password)]
        try #require(try anna.post("/sign-up", user).status == 303)
        #expect(try becomesTrue { try anna.get("/rates").html.first("tr", ["data-rate": "USD"]) != nil })
        let page = try anna.get("/rates").text
        #expect(page.contains("Rates of Friday 30 October 2026, published by the European Central Bank."))
        #expect(page.contains("Rates updated ") && page.contains(" hours ago"))
        #expect(!page.contains("Using cached rates"), "the cloud can be reached")
        let shown = try run(["rates"]).output
        #expect(
            shown.contains("  as they came with Breadly\n") && shown.contains("No rates were requested yet\n")
        )
        // A server that sends requests has sent the first one by now: it does so before it serves pages for long.
        #expect(!bank.isConnectionWaiting())
        program.kill(SIGTERM)
        #expect(!program.end().errors.contains("rates:"))
        #expect(!bank.isConnectionWaiting())
    }

    @Test(arguments: [
        (["serve", "--rates", "ecb"], 64, "'ecb' is no address of rates"),
        (["cloud", "--rates", "ftp://x.test/"], 64, "is no address of rates"),
        (["rates", "refresh", "--rates", "https://a:b@x.test/"], 64, "is no address of rates"),
        (["rates"], 1, "cloud.sqlite: there is no such file"),
        (["rates", "refresh"], 1, "requests for rates are off"),
        (["rates", "import"], 64, "file"), (["rates", "nonsense"], 64, "nonsense"),
    ])
    func whatMakesNoSenseIsOneClearLine(arguments: [String], status: Int32, words: String) throws {
        try FileManager.default.createDirectory(atPath: folder("data"), withIntermediateDirectories: true)
        let ended = try run(arguments)
        #expect(ended.status == status && ended.errors.contains(words), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 1)
    }
}
