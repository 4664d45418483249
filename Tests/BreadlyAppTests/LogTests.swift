// The log of a process: its formats, its levels, a reader that does not read, and the words of what goes wrong.
import Book
import CloudProtocol
import DeviceStore
import Devices
import Foundation
import HTTPServer
import Ledger
import Storage
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import BreadlyApp

/// Keeps the lines that a log writes.
final class CapturedLog: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    private let settings: LogSettings
    private let lineFormat: LogLines

    init(_ format: LogFormat, from level: LogLevel = .debug, offset: Int = 0) {
        var settings = LogSettings()
        (settings.level, settings.format, settings.access) = (level, format, true)
        self.settings = settings
        lineFormat = LogLines(
            format: format,
            milliseconds: { Running.noon * 1_000 },
            zoneOffset: { _ in offset }
        )
    }

    /// The log; a flush of it waits for its lines.
    func open() -> ProcessLog {
        ProcessLog(settings, lineFormat) { [self] more in bytes.withLock { $0 += more } }
    }

    var lines: [String] {
        String(decoding: bytes.withLock { $0 }, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The one line that is written.
    func line(_ write: (Log) -> Void) -> String? {
        let log = open()
        write(log.log)
        log.flush(withinSeconds: 240)
        return lines.count == 1 ? lines[0] : nil
    }
}

@Suite struct LogOfAProcess {
    @Test func aLineIsTextOrJSON() throws {
        #expect(
            CapturedLog(.text, offset: 5_400 * 5).line { $0("a \"b\"\n") }
                == #"2026-11-21T19:30:00+0730 info breadly: [breadly] a "b"\u{a}"#
        )
        #expect(
            CapturedLog(.text, offset: -12_600).line { $0.error("x") }
                == "2026-11-21T08:30:00-0330 error breadly: [breadly] x"
        )
        #expect(
            CapturedLog(.json).line { $0.debug("a \"b\"\n\u{1B}") }
                == #"{"time":"2026-11-21T12:00:00.000Z","level":"debug","message":"a \"b\"\\u{a}\\u{1b}"}"#
        )
    }

    @Test func aLevelHoldsBackWhatMattersLess() {
        for least in LogLevel.allCases {
            let written = CapturedLog(.text, from: least)
            let log = written.open()
            for level in LogLevel.allCases { log.log.write("as \(level)", at: level) }
            log.flush(withinSeconds: 240)
            let levels = LogLevel.allCases.filter { level in
                written.lines.contains { $0.hasSuffix(" \(level) breadly: [breadly] as \(level)") }
            }
            #expect(levels == LogLevel.allCases.filter { $0 >= least }, "\(least)")
        }
        var isMade = false
        Log(from: .info) { _, _ in }.debug("\(isMade = true)")
        #expect(!isMade, "a line that nobody reads is not made")
    }

    /// The writer is blocked for as long as the test likes: no caller waits for it, and lines that do not fit
    /// are counted.
    @Test func aReaderThatDoesNotReadHoldsUpNobody() {
        let gate = DispatchSemaphore(value: 0)
        let bytes = Mutex<[UInt8]>([])
        let format = LogLines(format: .text, milliseconds: { 0 }, zoneOffset: { _ in 0 })
        let log = ProcessLog(LogSettings(), format) { more in
            gate.wait()
            bytes.withLock { $0 += more }
        }
        let long = String(repeating: "x", count: 10_000)
        // The writer may take a first million bytes at any time, so that two may be held.
        for _ in 0..<400 { log.log(long) }
        log.flush(withinSeconds: 0)
        for _ in 0..<1_000 { gate.signal() }
        log.flush(withinSeconds: 240)
        log.log("at last")
        log.flush(withinSeconds: 240)
        let lines = String(decoding: bytes.withLock { $0 }, as: UTF8.self).split(separator: "\n")
        let lost = lines.compactMap { line in
            line.contains("lines of the log are lost") ? Int(line.split(separator: " ")[4]) : nil
        }
        #expect(lines.last?.hasSuffix("at last") == true)
        #expect(lines.count { $0.hasSuffix(long) } + lost.reduce(0, +) == 400)
        #expect(lost.reduce(0, +) > 150 && lines.count < 250)
    }

    @Test(arguments: LogFormat.allCases) func eachRequestIsALine(format: LogFormat) throws {
        let written = CapturedLog(format)
        let log = written.open()
        let running = try Running()
        try running.restart(process: log)
        let guest = try running.guest()
        let account = try #require(try guest.accounts()["Cash"])
        _ = try guest.get("/transactions?q=a-secret-word")
        _ = try guest.get("/accounts/\(account)")
        _ = try guest.get("/nowhere/a-secret-word")
        _ = try guest.get("/healthz")
        func has(_ route: String, _ status: Int) -> Bool {
            log.flush(withinSeconds: 240)
            return written.lines.contains { line in
                format == .text
                    ? line.contains(
                        " info breadly: [breadly] request method=GET route=\(route) status=\(status) bytes="
                    )
                        && line.hasSuffix(" address=127.0.0.1")
                    : line.contains(
                        #""level":"info","message":"request","method":"GET","route":"\#(route)","status":\#(status),"bytes":"#
                    ) && line.hasSuffix(#","address":"127.0.0.1"}"#)
            }
        }
        #expect(
            becomesTrue { has("/transactions", 200) && has("/accounts/{id}", 200) && has("/healthz", 200) }
        )
        #expect(becomesTrue { has("other", 404) })
        #expect(!written.lines.contains { $0.contains("a-secret-word") || $0.contains(account) })
        if format == .json {
            for line in written.lines {
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                )
                #expect(object["milliseconds"] is Double && object["bytes"] is Int, "\(line)")
            }
        }
    }

    @Test func theFirstLineNamesWhatIsNotAsUsual() throws {
        var settings = Settings()
        settings.data = "/srv/breadly"
        settings.rates = .europeanCentralBank
        #expect(
            settings.startLine("serves the books", at: "http://127.0.0.1:8080", usualPort: 8_080)
                == "breadly \(breadlyVersion) serves the books in /srv/breadly at http://127.0.0.1:8080"
        )
        settings.data = ""
        #expect(
            settings.startLine("shows the lab", at: "u", usualPort: 8_080)
                == "breadly \(breadlyVersion) shows the lab at u"
        )
        settings.limits.guests = 5
        settings.rates = nil
        settings.trustedProxies = try #require(TrustedProxies(["10.0.0.0/8", "::1"]))
        settings.log.access = true
        settings.provider = .init(issuer: "https://id.x.test", id: "b", secret: "never told", name: "Id")
        settings.hasPasswords = false
        let line = settings.startLine("serves", at: "u", usualPort: 8_090)
        let changed = [
            "--port=8080", "--trusted-proxy=10.0.0.0/8,::1", "--max-guests=5", "--identity=oidc",
            "--oidc-issuer=https://id.x.test", "--oidc-client-id=b", "--oidc-name=Id", "--rates=off",
            "--access-log=on",
        ]
        #expect(line.hasSuffix(", with " + changed.joined(separator: " ")))
        #expect(!line.contains("never told"))
    }
}

/// Signs that a value of Swift's was printed as it is.
var dumped: Regex<Substring> {
    /[a-z]\w*\(["\w]*:|[a-z]\w*\("|(?:Book|Devices|DeviceStore|Cloud|Storage|DataFolder)Error|Optional\(|\b[a-z]+[A-Z]\w*\b/
}

@Suite struct WordsOfErrors {
    @Test func everyErrorIsSaidInWords() {
        let book: [BookError] = [
            .unknownChange, .changedMeanwhile(.toAmount), .accountInUse(transactions: 2), .categoryKindInUse,
            .categoryInUse(transactions: 1, budgets: 2, children: 3), .categoryNesting, .categoryKind,
            .invalid(.secondaryCurrencies), .overflow, .diskFull, .readOnly, .damaged("it is no database"),
            .newerSchema(NewerSchema(found: 9, known: 8, needed: "9.9.0")),
            .migrationRefused("a row is gone"), .busy, .closed,
            .failed("disk I/O error"),
        ]
        let folder: [DataFolderError] = [
            .inUse("/a"), .readOnly("/a"), .diskFull("/a"), .notAFolder("/a"),
            .unusable("/a: no such device"),
        ]
        let devices: [DevicesError] =
            book.map { .book($0) } + folder.map { .folder($0) } + [
                .store(.unknownDevice(EntityID(high: 1, low: 2))),
                .store(.idTaken(EntityID(high: 1, low: 2))),
                .store(.storage(.diskFull)), .tooManyGuests, .tooManyFromAddress, .busy,
                .signInRefused(.otherUser),
                .signInRefused(.notNow), .secret("/a/secret.key is missing"),
                .noDeviceStore("/a/sessions.sqlite"),
            ]
        let cloud: [CloudError] = [
            .sessionRevoked, .sessionLocked, .sessionErased, .accountGone, .signIn(.signUpClosed),
            .unreachable("no connection within the time limit"), .timedOut("no byte moved"),
            .failed("disk I/O error"),
            .signIn(.wrongCredentials), .signIn(.tooManyAttempts(retryAfterSeconds: 5)),
            .signIn(.tooManySignUps(retryAfterSeconds: 5)), .cutOff("broken pipe"), .signIn(.emailTaken),
            .signIn(.badEmail),
            .signIn(.weakPassword),
            .signIn(.commonPassword), .malformed, .subscriptionRequired(drainUntil: 5),
            .sync(.epochChanged(2)),
            .sync(.opGap(expected: 3)), .sync(.opReused), .sync(.cursorExpired), .sync(.cursorAhead),
            .sync(.tooLarge(max: 5)),
            .sync(.tooManyReplicas(max: 100)), .sync(.upgradeRequired(oldest: 1, newest: 2)),
            .busy(retryAfterSeconds: 1),
            .file(.noSuchFile), .file(.fileGap(received: 5)), .file(.wrongContent),
            .file(.fileTooLarge(max: 5)),
            .file(.quotaExceeded(used: 5, quota: 6)), .notSupported,
        ]
        let words = devices.map { "\($0)" } + cloud.map { "\($0)" }
        for text in words {
            #expect(text.firstMatch(of: dumped) == nil, "\(text)")
            #expect(text.contains(" ") && !text.contains("\n"), "\(text)")
        }
        #expect(Set(cloud.map { "\($0)" }).count == cloud.count)
        #expect("failed(\"x\")".contains(dumped) && "newerSchema(found: 1)".contains(dumped))
        #expect("diskFull".contains(dumped))
    }
}

@Suite struct WordsOfARunningServer {
    /// A cloud that goes away, a book that is lost, a book that is no database, a full house.
    @Test func noLineOfTheLogHoldsAValueOfSwifts() throws {
        let running = try Running { $0.guests = 2 }
        let cloud = try running.cloud(in: running.folder + "/elsewhere")
        try running.restart { $0.cloudAddress = cloud.url }
        let (lost, broken) = (try running.guest(), try running.guest())
        #expect(try running.visitor().post("/onboarding/welcome").status != 200)
        cloud.stop()
        _ = try lost.get("/sign-in")
        let fields = Visitor.anna
        #expect(try lost.post("/sign-up", fields).status == 503)
        running.app.stop()
        let books = FileManager.default.subpaths(atPath: running.folder + "/devices") ?? []
        let paths = books.filter { $0.hasSuffix(".sqlite") }.map { running.folder + "/devices/" + $0 }
        try #require(paths.count == 2)
        for path in paths {
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        try FileManager.default.removeItem(atPath: paths[0])
        try Data(repeating: 0x41, count: 5_000).write(to: URL(fileURLWithPath: paths[1]))
        try running.restart { $0.cloudAddress = cloud.url }
        for guest in [lost, broken] {
            guest.port = Int(running.app.port)
            #expect(try guest.get("/error").status == 503)
        }
        try until("the cloud is missed") { running.log.all.contains { $0.hasPrefix("not ready: ") } }
        let lines = running.log.all
        for words in [
            "the cloud does not answer: http://",
            "lifecycle: opening the book failed: the file is damaged: ",
            "is missing or empty, and its device has had one",
        ] {
            #expect(lines.contains { $0.contains(words) }, "\(words): \(lines)")
        }
        #expect(!running.log.all(.error).isEmpty && !running.log.all(.warning).isEmpty)
        for line in lines {
            #expect(line.replacing(running.folder, with: "").firstMatch(of: dumped) == nil, "\(line)")
        }
    }
}
