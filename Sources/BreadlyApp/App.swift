// The whole server as a value, for tests and for `breadly serve`.

import CloudClient
package import CloudProtocol
import CloudRoutes
import DeviceStore
public import Devices
import Foundation
public import HTTPServer
public import Identity
import Links
import Outbound
public import SyncCore
import Web

/// The settings of a server.
public struct Settings: Sendable {
    /// The IP address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 chooses a free one.
    public var port: UInt16 = 8080
    /// The data folder.
    public var data = ""
    /// The proxies whose `X-Forwarded-*` headers are trusted.
    public var trustedProxies = TrustedProxies.none
    /// Limits for anonymous clients.
    public var limits = DeviceManager.Limits()
    /// Whether users may create accounts themselves.
    public var acceptsNewAccounts = true
    /// Whether guests may keep a book without an account.
    public var guests = true
    /// Whether each signed-in user is premium; otherwise the operator grants it.
    public var premiumForEveryone = false
    /// The limits of each account in this cloud.
    package var userAccountLimits = UserAccountLimits()
    /// Whether users may sign in with a password of this server.
    public var hasPasswords = true
    /// The OpenID Connect provider; nil for none.
    public var provider: OpenIDProvider.Client?
    /// The address of this server for browsers, as `https://budget.example.org` or
    /// `https://home.example/breadly`; nil to use the host of each request.
    public var publicAddress: PublicAddress?
    /// The host names that are answered, beside the host of `publicAddress`; all if neither is set.
    public var hosts: [String] = []
    /// The greatest number of open connections of all clients.
    public var connections = 4_096
    /// The greatest number of open connections of one client: an IPv4 address or an IPv6 network of 64 bits.
    public var connectionsPerAddress = 512
    /// A cloud elsewhere, as `https://cloud.example.org`; nil for the one in this process.
    public var cloudAddress: String?
    /// The address from which this process's cloud requests exchange rates; nil to send no request.
    public var rates: RateAddress?
    /// The address for the operator's Prometheus; nil for none.
    public var metrics: MetricsPlace?
    /// The providers of bank accounts.
    public var banks = BankSettings()
    /// The settings of the process's log.
    public var log = LogSettings()
    /// The work of hashing a password; tests lower it.
    package var passwordCost = PasswordHash.Cost.usual
    /// Scheduled backups; nil for none.
    public var backups: BackupSchedule?
    /// The number of worker threads.
    public var threads = max(2, ProcessInfo.processInfo.activeProcessorCount)

    /// The defaults of `breadly serve`, which sends requests for rates however.
    public init() {}

    /// The configuration of the web server. Throws if the settings need requests to other servers, and none
    /// can be sent.
    func configuration() throws(AppError) -> Configuration {
        if provider != nil || cloudAddress != nil || banks.hasProviders, let obstacle = HTTPClient.obstacle {
            throw .refused("libcurl 7.68 or later is needed to reach a provider or a cloud: \(obstacle).")
        }
        var configuration = Configuration()
        configuration.host = host
        configuration.port = port
        configuration.threads = threads
        configuration.trustedProxies = trustedProxies
        configuration.connections = connections
        configuration.connectionsPerAddress = connectionsPerAddress
        configuration.hosts = Set((hosts + [publicAddress?.host].compactMap { $0 }).map { $0.lowercased() })
        configuration.basePath = basePath.text
        // A monitor asks the server itself, which knows nothing of the proxy's paths, and so do the servers of others.
        configuration.isAnsweredEverywhere = {
            $0 == Link.healthz.path || $0 == Link.readyz.path || CloudRoutes.owns($0)
        }
        // A monitor asks the server by its number.
        configuration.takesAnyHost = { $0 == Link.healthz.path || $0 == Link.readyz.path }
        // One year: how long a browser that came over TLS once insists on it (RFC 6797).
        configuration.secureHeaders = [("Strict-Transport-Security", "max-age=31536000")]
        return configuration
    }

    /// The path prefix of all addresses.
    var basePath: BasePath { publicAddress?.base ?? .root }

    /// The local address of a server on this port.
    func url(port: UInt16) -> String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// The OpenID Connect provider, if one is configured.
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
    /// The port on which the server listens.
    public var port: UInt16 { server.port }
    /// The local address of the server.
    public let url: String
    private let metrics: MetricsServer?
    private let tasks = TaskScope()
    /// The address of the metrics for the operator's Prometheus; nil if they are off.
    public var metricsURL: String? { metrics?.url }

    /// Opens the data folder and begins to listen.
    /// - Parameters:
    ///   - dependencies: time, randomness and log; a test passes its own.
    ///   - accessLog: called for each answered request.
    /// - Throws: `AppError`, a line that says what to do.
    public init(
        _ settings: Settings,
        resources: Resources,
        dependencies: Dependencies,
        accessLog: (@Sendable (ServedRequest) -> Void)? = nil
    ) throws(AppError) {
        var configuration = try settings.configuration()
        let pages = try resources.pages(below: settings.basePath)
        let currencies = try resources.currencies()
        let locales = try resources.locales()
        let contents = try resources.publicFiles()
        let folder: DataFolder
        do { folder = try DataFolder.lock(settings.data) } catch { throw .folder(error.sentence) }
        if try RestoreSwap.finish(folder.path) != nil {
            dependencies.log("a restore that was interrupted is finished now")
        }
        let maintenance = Maintenance(folder, settings.backups, dependencies)
        self.maintenance = maintenance
        let measured = settings.metrics.map { ServerMetrics($0) }
        let (cloud, remote): (EmbeddedService?, RemoteCloud?)
        let api: any CloudAPI
        if let address = settings.cloudAddress {
            if !PublicAddress.isProtected(address) {
                dependencies.log.warning(
                    "the cloud at \(address) is asked without TLS: everybody on the way can read passwords and books"
                )
            }
            let elsewhere = RemoteCloud(at: address, on: Background.shared)
            (cloud, remote, api) = (nil, elsewhere, measured.cloud(elsewhere))
        } else {
            let service = try EmbeddedService(
                folder.path,
                settings,
                resources,
                dependencies,
                measured?.counters
            )
            (cloud, remote, api) = (service, nil, service.api)
        }
        let devices: DeviceManager
        do {
            devices = try DeviceManager(
                folder: folder,
                locales: locales,
                limits: settings.limits,
                dependencies: dependencies,
                cloud: api,
                banks: settings.banks.feeds(currencies, dependencies)
            )
        } catch {
            cloud?.close()
            throw AppError(error, path: settings.data)
        }
        self.devices = devices
        self.cloud = cloud
        let readiness = Readiness(folder, devices, cloud, remote, log: dependencies.log)
        configuration.report(to: accessLog, measured?.requests)
        let server: Server
        do {
            let site = Site(
                devices: devices,
                tables: Site.Tables(
                    currencies: currencies,
                    locales: locales,
                    zones: { TimeZones.names },
                    zone: { TimeZones.canonical($0) }
                ),
                account: Site.UserAccountOptions(
                    signInMethods: SignInPage.Methods(
                        passwords: settings.hasPasswords,
                        provider: settings.provider?.name,
                        acceptsNewAccounts: settings.acceptsNewAccounts,
                        isOfRemoteCloud: settings.cloudAddress != nil
                    ),
                    guests: settings.guests,
                    premiumForEveryone: settings.premiumForEveryone,
                    provider: settings.openIDProvider(dependencies).map { measured.provider($0) },
                    publicAddress: settings.publicAddress?.text,
                    // A backup is made once a day. The backups of a cloud elsewhere are the affair of its operator.
                    backupDays: settings.cloudAddress == nil ? settings.backups?.keep : nil
                ),
                base: settings.basePath,
                cookieMark: devices.cookieMark,
                pages: pages,
                files: try StaticFiles(contents, under: Link.files.path),
                readiness: { await readiness.sentences() }
            )
            // Other installations can use this server's cloud.
            let routes = cloud.map { cloud in
                CloudRoutes(cloud.api, isActive: { cloud.isOpen($0) }, log: dependencies.log) {
                    Background.run($0)
                }
            }
            configuration.defaultHeaders = Self.headers
            configuration.errorPage = { site.refusal($0) }
            configuration.warn = { dependencies.log.warning($0) }
            configuration.isKnown = { request in
                site.isOfUser(request) || routes?.isKnown(request) == true
            }
            configuration.uploads = { site.uploads($0) }
            configuration.takesJSON = { routes != nil && CloudRoutes.owns($0) }
            configuration.jsonBytes = { routes?.bodyLimit(of: $0) ?? 0 }
            server = try Server(configuration) { routes?.answer($0) ?? site.answer($0) }
        } catch {
            // No book is open yet: the devices are freed with this scope.
            cloud?.close()
            throw .server(error)
        }
        self.server = server
        do {
            let figures = DeviceFigures(devices)
            metrics = try measured?.start(server, readiness, folder) { text in
                cloud?.write(into: &text)
                figures.write(into: &text)
                maintenance.write(into: &text)
            }
        } catch {
            server.stop(withinSeconds: 0)
            Background.wait { await devices.close() }
            cloud?.close()
            throw error
        }
        url = settings.url(port: server.port)
        cloud?.watch(changed: { devices.verifyAll() }, ended: { devices.verifyDevices(of: $0) })
        devices.resumeSync()
        devices.watchAccounts()
        devices.watchRoom()
        devices.watchGuests()
        devices.watchHistories()
        devices.watchFiles()
        devices.watchOrders()
        devices.watchBanks()
        maintenance.start()
        tasks.run { await readiness.watch(pause: dependencies.pause) }
    }

    /// Finishes the requests under way, and closes the books.
    ///
    /// It blocks its thread until all work has ended.
    public func stop(withinSeconds seconds: Int = 4) {
        metrics?.stop()
        server.stop(withinSeconds: seconds)
        Background.wait { [tasks, devices, maintenance] in
            await maintenance.close()
            await tasks.close()
            await devices.close()
        }
        cloud?.close()
    }

    /// Headers of every answer that does not set them itself.
    static let headers = [
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
    /// - Parameter log: receives lines for the operator, escaped.
    public static func system(log: Log = .off) -> Dependencies {
        Dependencies(
            milliseconds: { Int64(Date().timeIntervalSince1970 * 1_000) },
            random: Randomness(),
            log: Log { level, line in log.write(printable(line), at: level) },
            zoneOffset: { TimeZones.offset($0, at: $1) },
            serverZone: TimeZones.current
        )
    }
}
