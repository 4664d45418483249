// The whole server in this process, on a free port, with a data folder that goes away with the test.
import BreadlyApp
import CloudProtocol
import Devices
import Foundation
import HTTPServer
import Identity
import SyncCore
import Synchronization
import TestKit
import Testing

/// A running server and the way to look into its folder.
final class Running {
    let folder: String
    let clock: FixedClock
    private(set) var app: App
    private let limits: DeviceManager.Limits
    private let zones: Zones
    /// The lines of the log.
    let log = Lines()

    /// Noon of 21 November 2026, UTC.
    static let noon: Int64 = 1_795_262_400

    /// The offsets of time zones from UTC.
    enum Zones {
        /// All zones are UTC, unless a test is about them.
        case utc
        /// Those of the system.
        case system

        fileprivate func offset(_ zone: String, _ seconds: Int64) -> Int? {
            switch self {
            case .utc: 0
            case .system:
                TimeZone(identifier: zone)?
                    .secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            }
        }
    }

    init(
        proxies: [String] = [],
        zones: Zones = .utc,
        _ change: (inout DeviceManager.Limits) -> Void = { _ in }
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        clock = FixedClock(at: Self.noon)
        var limits = DeviceManager.Limits()
        change(&limits)
        self.limits = limits
        self.zones = zones
        let dependencies = Self.dependencies(clock, log, zones)
        app = try Self.start(folder, dependencies, limits, proxies, nil) { _ in }
    }

    deinit {
        app.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Stops the server and starts another on the same folder, set up otherwise.
    /// - Parameter process: logs each answered request.
    func restart(process: ProcessLog? = nil, _ change: (inout Settings) -> Void = { _ in }) throws {
        app.stop()
        let dependencies = Self.dependencies(clock, log, zones)
        app = try Self.start(folder, dependencies, limits, [], process, change)
    }

    /// A cloud for servers elsewhere.
    func cloud(
        in folder: String,
        port: UInt16 = 0,
        metrics: String? = nil,
        premiumForEveryone: Bool = false
    ) throws -> CloudServer {
        var settings = Settings()
        settings.premiumForEveryone = premiumForEveryone
        settings.port = port
        settings.metrics = metrics.flatMap { MetricsPlace($0) }
        settings.data = folder
        settings.passwordCost = Self.cheap
        return try CloudServer(settings, resources: Self.resources, dependencies: Self.dependencies(clock))
    }

    /// Hundreds of servers of one process.
    private static let resources = Resources(folder: repository, cache: ResourceCache())

    /// Passwords are hashed cheaply here.
    private static let cheap = PasswordHash.Cost(logRounds: 4, blockSize: 1, parallelism: 1)

    /// A browser that has seen nothing yet.
    func visitor() -> Visitor {
        let visitor = Visitor(port: Int(app.port))
        visitor.base = base
        return visitor
    }

    /// The path that the server is below.
    private(set) var base = ""

    /// Starts the server anew below a path of this machine's address.
    func move(below base: String, _ change: (inout Settings) -> Void = { _ in }) throws {
        let address = try PublicAddress("http://127.0.0.1\(base)")
        try restart {
            $0.publicAddress = address
            change(&$0)
        }
        self.base = address.base.text
    }

    /// A browser that has answered the onboarding: euro, Monday.
    func guest() throws -> Visitor {
        let visitor = visitor()
        try visitor.onboard()
        return visitor
    }

    private static func start(
        _ folder: String,
        _ dependencies: Dependencies,
        _ limits: DeviceManager.Limits,
        _ proxies: [String],
        _ process: ProcessLog?,
        _ change: (inout Settings) -> Void
    )
        throws -> App
    {
        var settings = Settings()
        settings.port = 0
        settings.data = folder
        settings.limits = limits
        settings.trustedProxies = try #require(TrustedProxies(proxies))
        settings.passwordCost = cheap
        change(&settings)
        return try App(
            settings,
            resources: resources,
            dependencies: dependencies,
            accessLog: process?.access
        )
    }

    static func dependencies(
        _ clock: FixedClock,
        _ log: Lines? = nil,
        _ zones: Zones = .utc
    ) -> Dependencies {
        Dependencies(
            milliseconds: { clock.now * 1_000 },
            random: Randomness(),
            log: Log { level, line in log?.add(line, level) },
            zoneOffset: { zones.offset($0, $1) }
        )
    }
}

/// Lines that threads share.
final class Lines: Sendable {
    private let lines = Mutex<[(line: String, level: LogLevel)]>([])

    var all: [String] { lines.withLock { $0.map(\.line) } }
    func add(_ line: String, _ level: LogLevel = .info) { lines.withLock { $0.append((line, level)) } }
    func all(_ level: LogLevel) -> [String] { lines.withLock { $0.filter { $0.level == level }.map(\.line) } }
}

/// Waits until a condition is true; ends the test where it does not become so.
func until(_ what: String, _ condition: () throws -> Bool) throws {
    try #require(try becomesTrue(condition), "\(what)")
}

/// The folder of the project.
let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

extension Reply {
    /// The fields with an error beside them.
    var refused: Set<String> {
        Set(html.elements.compactMap { $0["role"] == "alert" ? $0["data-field"] : nil })
    }

    /// The rows of a list, by kind.
    func rows(_ kind: String) -> [HTMLElement] {
        html.elements.filter { $0["data-kind"] == kind && $0["data-id"] != nil }
    }

    /// The notices' keys: what stays until it is dismissed.
    var notices: [String] { html.elements.compactMap { $0["role"] == "status" ? $0["data-notice"] : nil } }

    /// The toasts' keys.
    var toasts: [String] { html.elements.compactMap { $0["data-toast"] } }
}

extension Visitor {
    /// Answers the onboarding: euro, Monday.
    func onboard() throws {
        _ = try get("/onboarding/welcome")
        try #require(try post("/onboarding/welcome").status == 303)
        _ = try get("/onboarding/currency")
        try #require(try post("/onboarding/currency", [("currency", "EUR")]).status == 303)
        try #require(try post("/onboarding/secondary").status == 303)
        try #require(try post("/onboarding/calendar", [("week_start", "monday")]).status == 303)
    }

    /// The accounts of the form, by name.
    func accounts() throws -> [String: String] {
        let page = try get("/accounts")
        var ids: [String: String] = [:]
        for row in page.rows("account") { if let id = row["data-id"] { ids[row.text.firstWord] = id } }
        return ids
    }

    /// Records an expense of today, the 21st, with some fields changed.
    func record(_ changes: [(String, String)] = [], account: String) throws -> Reply {
        var fields: [(String, String)] = [
            ("kind", "expense"), ("date", "2026-11-21"), ("amount", "12.50"), ("currency", "EUR"),
            ("account", account),
            ("payee", "Bakery"), ("note", ""), ("tags", ""),
        ]
        // Fields of parts are repeated.
        fields.removeAll { field in changes.contains { $0.0 == field.0 } }
        return try post("/transactions", fields + changes)
    }
}

extension String {
    fileprivate var firstWord: String { String(prefix { !$0.isWhitespace }) }
}
