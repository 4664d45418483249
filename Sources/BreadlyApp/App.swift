// The whole server as a value: what a test starts and stops, and what `breadly serve` runs.

import Book
import CloudClient
import CloudRoutes
public import Devices
import Foundation
import HTTPServer
public import Identity
import Outbound
import Pages
public import SyncCore
import Synchronization
import Web

/// How a server is set up.
public struct Settings: Sendable {
    /// The address to listen on, in numbers.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port: UInt16 = 8080
    /// The data folder.
    public var data = ""
    /// Networks whose `X-Forwarded-*` headers are believed.
    public var trustedProxies: [String] = []
    /// What strangers may take up.
    public var limits = DeviceManager.Limits()
    /// Whether anybody may make an account.
    public var takesNewAccounts = true
    /// Whether anybody may keep a book without an account.
    public var guests = true
    /// Whether each signed-in user is premium; else the operator grants it.
    public var premiumForEveryone = false
    /// The limits of each account of this cloud.
    public var accountLimits = AccountLimits()
    /// Whether one signs in with a password that this server keeps.
    public var hasPasswords = true
    /// Where else one can sign in; nil for nowhere.
    public var provider: OpenIDProvider.Client?
    /// Where browsers find this server, as `https://budget.example.org`; nil to take what they ask for.
    public var publicAddress: String?
    /// The hosts that are answered, beside that of `publicAddress`; all where neither is named.
    public var hosts: [String] = []
    /// Open connections of all clients.
    public var connections = 4_096
    /// Open connections of one client: an IPv4 address or an IPv6 network of 64 bits.
    public var connectionsPerAddress = 512
    /// A cloud elsewhere, as `https://cloud.example.org`; nil for the one in this process.
    public var cloudAddress: String?
    /// Where an operator's Prometheus may ask; nil for nowhere.
    public var metrics: MetricsPlace?
    /// What guessing a password costs.
    public var passwordCost = PasswordHash.Cost.usual
    /// Backups that the server makes by itself; nil for none.
    public var backups: BackupSchedule?
    /// Worker threads.
    public var threads = max(2, ProcessInfo.processInfo.activeProcessorCount)

    /// The usual settings.
    public init() {}

    /// What a server listens to and trusts. Whether requests can be sent, where any are to be, is found out too.
    func configuration() throws(AppError) -> Configuration {
        guard let proxies = TrustedProxies(trustedProxies) else {
            throw .badProxy(trustedProxies.joined(separator: ","))
        }
        if provider != nil || cloudAddress != nil, let obstacle = HTTPClient.obstacle {
            throw .refused("libcurl 7.68 or later is needed to reach a provider or a cloud: \(obstacle).")
        }
        var configuration = Configuration()
        configuration.host = host
        configuration.port = port
        configuration.threads = threads
        configuration.trustedProxies = proxies
        configuration.connections = connections
        configuration.connectionsPerAddress = connectionsPerAddress
        let own = publicAddress.flatMap { URL(string: $0)?.host }
        configuration.hosts = Set((hosts + [own].compactMap { $0 }).map { $0.lowercased() })
        // A monitor asks the server by its number.
        configuration.takesAnyHost = { $0 == "/healthz" || $0 == "/readyz" }
        // One year: how long a browser that came over TLS once insists on it (RFC 6797).
        configuration.secureHeaders = [("Strict-Transport-Security", "max-age=31536000")]
        return configuration
    }

    /// Where a server is found.
    func url(port: UInt16) -> String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Where else one can sign in.
    func openIDProvider(_ dependencies: Dependencies) -> OpenIDProvider? {
        provider.map { client in
            OpenIDProvider(
                client,
                http: HTTPClient(stallSeconds: 10, totalSeconds: 10),
                now: { dependencies.now },
                random: { dependencies.random.bytes($0) }
            )
        }
    }
}

/// A running server.
public final class App: Sendable {
    private let devices: DeviceManager
    private let maintenance: Maintenance
    private let cloud: EmbeddedService?
    private let server: Server
    /// The port that it listens on.
    public var port: UInt16 { server.port }
    /// Where a browser finds it.
    public let url: String
    private let metrics: MetricsServer?
    /// Where an operator's Prometheus finds it; nil where that was not asked for.
    public var metricsURL: String? { metrics?.url }

    /// Opens the data folder and begins to listen.
    /// - Parameters:
    ///   - dependencies: time, randomness and log; a test brings its own.
    /// - Throws: `AppError`, in one line that says what to do.
    public init(_ settings: Settings, resources: Resources, dependencies: Dependencies) throws(AppError) {
        var configuration = try settings.configuration()
        let pages = try resources.pages()
        let currencies = try resources.currencies()
        let locales = try resources.locales()
        let contents = try resources.publicFiles()
        let folder: DataFolder
        do { folder = try DataFolder.lock(settings.data) } catch { throw .folder(error.sentence) }
        if try RestoreSwap.finish(folder.path) != nil {
            dependencies.log("a restore that was interrupted is finished now")
        }
        let maintenance = try Maintenance(folder, settings.backups, dependencies)
        self.maintenance = maintenance
        let cloud =
            try settings.cloudAddress == nil
            ? EmbeddedService(folder.path, settings, resources, dependencies) : nil
        let api: any CloudAPI =
            cloud?.api ?? RemoteCloud(at: settings.cloudAddress ?? "")
        let devices: DeviceManager
        do {
            devices = try DeviceManager(
                folder: folder,
                locales: locales,
                limits: settings.limits,
                dependencies: dependencies,
                cloud: api
            )
        } catch {
            cloud?.close()
            throw AppError(error, path: settings.data)
        }
        self.devices = devices
        self.cloud = cloud
        let server: Server
        do {
            let site = Site(
                devices: devices,
                tables: Site.Tables(
                    currencies: currencies,
                    locales: locales,
                    zones: { TimeZones.names },
                    zone: { TimeZones.canonical($0) },
                    serverZone: TimeZones.current
                ),
                account: Site.AccountOptions(
                    ways: SignInPage.Ways(
                        passwords: settings.hasPasswords,
                        provider: settings.provider?.name,
                        takesNewAccounts: settings.takesNewAccounts
                    ),
                    guests: settings.guests,
                    premiumForEveryone: settings.premiumForEveryone,
                    provider: settings.openIDProvider(dependencies),
                    publicAddress: settings.publicAddress
                ),
                pages: pages,
                files: try StaticFiles(contents, under: "/static/")
            )
            // Other installations can use this one's cloud.
            let routes = cloud.map { cloud in
                CloudRoutes(cloud.api, knows: { cloud.knows($0) }, log: dependencies.log) {
                    Background.run($0)
                }
            }
            configuration.defaultHeaders = Self.headers
            configuration.errorPage = { site.refusal($0) }
            configuration.log = dependencies.log
            configuration.isKnown = { request in
                site.isKnown(request) || routes?.isKnown(request) == true
            }
            configuration.takesJSON = { routes != nil && CloudRoutes.owns($0) }
            configuration.jsonBytes = { routes?.bodyLimit(of: $0) ?? 0 }
            server = try Server(configuration) { routes?.answer($0) ?? site.answer($0) }
        } catch {
            // Nothing has been opened yet: the devices go away with this scope.
            cloud?.close()
            throw .server(error)
        }
        self.server = server
        do {
            metrics = try settings.metrics.map { place throws(AppError) in
                try MetricsServer(place) { text in
                    text.connections(of: server)
                    cloud?.write(into: &text)
                    devices.write(into: &text)
                    maintenance.write(into: &text)
                }
            }
        } catch {
            server.stop(withinSeconds: 0)
            Background.wait { await devices.close() }
            cloud?.close()
            throw error
        }
        url = settings.url(port: server.port)
        cloud?.watch { devices.verifyAll() }
        devices.resumeSync()
        devices.watchAccounts()
        devices.watchGuests()
        devices.watchOrders()
        maintenance.start()
    }

    /// Lets the requests under way finish, and closes the books.
    ///
    /// It holds its thread until all has ended.
    public func stop(withinSeconds seconds: Int = 4) {
        metrics?.stop()
        server.stop(withinSeconds: seconds)
        maintenance.close()
        Background.wait { [devices] in await devices.close() }
        cloud?.close()
    }

    /// Sent with every answer that does not say otherwise.
    private static let headers = [
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ]
}

extension Dependencies {
    /// The system's clock and randomness.
    /// - Parameter log: where lines for the operator go.
    public static func system(log: @escaping @Sendable (String) -> Void) -> Dependencies {
        Dependencies(
            milliseconds: { Int64(Date().timeIntervalSince1970 * 1_000) },
            random: Randomness(),
            log: { log(printable($0)) },
            zoneOffset: { TimeZones.offset($0, at: $1) }
        )
    }
}

/// Time zones, as the system knows them.
enum TimeZones {
    /// Their names, alphabetically, none of them an alias.
    static let names: [String] = Set(
        (TimeZone.knownTimeZoneIdentifiers + ["Etc/UTC"]).map { canonical($0) ?? $0 }
    )
    .sorted()

    private static let database = "/usr/share/zoneinfo/"

    /// The name that a zone goes by; nil where the system does not know it. An alias, such as `Asia/Calcutta`, is a link
    /// in the system's database; where it is none, it stays as it is, for the system knows it all the same.
    static func canonical(_ name: String) -> String? {
        guard TimeZone(identifier: name) != nil else {
            // Typed by hand.
            let known = TimeZone.knownTimeZoneIdentifiers + ["UTC", "Etc/UTC"]
            return known.first { $0.caseInsensitiveCompare(name) == .orderedSame }.flatMap { canonical($0) }
        }
        let file = URL(fileURLWithPath: database + name).resolvingSymlinksInPath().path
        let target = String(file.dropFirst(database.count))
        return file.hasPrefix(database) && TimeZone(identifier: target) != nil ? target : name
    }

    /// The server's own.
    static var current: String { TimeZone.current.identifier }

    private static let slots = Mutex<[String: (slot: Int64, offset: Int?)]>([:])

    /// How far a zone is ahead of UTC, in seconds; nil where it is not known.
    ///
    /// Offsets change on the quarter of an hour, so that one is looked up once in each.
    static func offset(_ zone: String, at seconds: Int64) -> Int? {
        let slot = seconds / 900
        if let known = slots.withLock({ $0[zone] }), known.slot == slot { return known.offset }
        let offset = TimeZone(identifier: zone)?.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(seconds))
        )
        slots.withLock { slots in
            // A book may hold any text as its zone.
            if slots.count >= 1_000 { slots = [:] }
            slots[zone] = (slot, offset)
        }
        return offset
    }
}
